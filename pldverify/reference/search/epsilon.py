"""ε(δ) in floats: the starting point of a search."""

import math
from contextlib import suppress
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import short, working
from pldverify.errors import NoConvergence
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.grouped import grouped
from pldverify.reference.search.size import MAX_LAWS, single_losses_count
from pldverify.reference.search.tilt import log_size, log_slopes

_MAX_BITS = 20_000
"""Cap on the precision, in bits, at which the largest loss is computed."""
_BISECTED = 5
"""Every so many steps halve what is left of the logarithm of θ: secants may creep along one side."""


def saddle_guess(law: ComposedLoss, goal: float) -> tuple[Fraction, float]:
    """ε where log δ = ``goal`` by the saddle-point approximation, and its θ; one cumulant a step.

    At most where Markov's inequality at that θ meets the goal: next to a far mode K' jumps, and says nothing.
    """
    kernel, (top, _) = Kernel("delta", "upper"), highest_loss(law, 64)
    unit = 1.0 if top is None else min(1.0, float(top))  # losses may be tiny, and tilts large, all alike
    low, high, theta, guess = 1e-12, 1e12 / unit, 1.0, 1.0
    last: tuple[float, float] | None = None
    bound = math.inf
    for turn in range(80):
        try:
            k0, k1, k2 = cumulant(law, theta)
        except (NoConvergence, OverflowError):
            high, theta = theta, math.sqrt(low * theta)
            continue
        d1, d2 = log_slopes(kernel, theta)
        guess = k1 + d1
        value = k0 - theta * guess + log_size(kernel, theta) - math.log(2 * math.pi * (k2 + d2)) / 2
        bound = (k0 + theta * math.log(theta) - (1 + theta) * math.log1p(theta) - goal) / theta
        if abs(value - goal) < 1e-3 or high / low < 1.0001:
            break
        low, high = (theta, high) if value > goal else (low, theta)
        inside = low > 1e-11 and high < 1e11 / unit
        following = math.sqrt(low * high) if inside else theta * (4 if value > goal else 0.25)
        secants = last is not None and last[1] != value and turn % _BISECTED
        if last is not None and secants:  # a secant in the logarithm of θ, where it is inside
            power = math.log(theta / last[0]) / (value - last[1]) * (goal - value)
            secant = theta * math.exp(max(-3.0, min(3.0, power)))
            following = secant if low * 1.0001 < secant < high / 1.0001 else following
        last, theta = (theta, value), following
    return short(max(min(guess, bound), 1e-9), 53), theta  # next to the largest loss all bits count


def in_floats(law: ComposedLoss, goal: float, point: Fraction, theta: float) -> tuple[Fraction, float] | None:
    """ε with log δ = ``goal`` by convolution in floats, and −d log δ/dε there. Many laws are grouped first.

    None where the saddle point is reliable, or floats are not accurate.
    """
    law, _ = grouped(law, MAX_LAWS, "between")
    if not single_losses_count(law, float(point), theta):
        return None
    from pldverify.reference.search.float_convolution import float_epsilon  # loads numpy

    with suppress(ArithmeticError, ValueError):
        if (found := float_epsilon(law.factors, goal, float(point))) is not None:
            return short(found[0], 53), found[1]
    return None


def highest_loss(law: ComposedLoss, wanted: int) -> tuple[arb | None, int]:
    """The largest finite loss to about ``wanted`` bits, or None; and the precision that this took.

    The logarithm of a ratio next to 1 loses bits.
    """
    bits = wanted
    while bits < _MAX_BITS:
        with working(bits):
            highest = law.largest_finite_loss()
        if highest is None or highest.rel_accuracy_bits() >= wanted - 24:
            return highest, bits
        bits *= 2
    return None, bits
