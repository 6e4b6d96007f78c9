"""Search for where jumps begin, and for Chernoff's bound of the steps without one, in floats.

Any value of the constants below is right: poor ones cost time or digits.
"""

import math
from contextlib import suppress
from fractions import Fraction

from pldverify.balls.ball import LOG2_10, short
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.rare_events import Jump, Parameters, Parts, steps_with_jumps
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.sampled import mixtures
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.mixture import slope
from pldverify.reference.search.nodes import nodes
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.size import MAX_PARTED, are_mixtures, size_of_delta
from pldverify.reference.search.tilt import saddle, tilt

_WIDTHS = (0.8, 0.4, 0.2, 0.1, 0.05)
"""Widths τ tried, in units of the outcome x, until the predicted price rises."""
_SLACK = 3.0
"""Nats by which log δ_N should lie below the last digit."""
_HALVINGS = 7
"""Bisections of the log of the loss from which on a step jumps."""
_SECTIONS = 14
"""Golden sections of log λ in Chernoff's bound."""
_MORE = 2
"""Digits computed beyond those wanted: for an integrand with two modes the saddle point overrates δ."""
_LEAST = 1e-3
"""Least loss at which jumps may begin, as a part of ε."""
_MOST = 1.0
"""Largest loss at which jumps may begin, as a part of ε."""
_FOOT = 4.0
"""Distance below the cut, in units of τ, where the jumping part decays most slowly (estimate)."""
_KERNEL = Kernel("delta", "upper")
Chosen = tuple[Parts, tuple[float, ...], float]
"""The jumping part of each law, its x₂, and λ."""


def plan_rare_events(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for δ of Poisson-subsampled Gaussians, ``remove``.

    Raises NotSupported for other losses and quantities, NoConvergence.
    """
    if quantity != "delta" or not are_mixtures(product):
        raise NotSupported(
            f"rare events: not the δ of at most {MAX_PARTED} Poisson-subsampled Gaussians, direction remove"
        )
    if epsilon <= 0:
        raise NoConvergence("rare events: ε is not above 0")
    size = size_of_delta(product, epsilon)
    priced: list[tuple[float, int, Chosen]] = []
    for i, width in enumerate(_WIDTHS):
        if (split := _split(product, epsilon, digits + _MORE, width, size)) is None:
            continue
        with suppress(NoConvergence, ArithmeticError, ValueError):
            priced.append((_price(split, epsilon, digits + _MORE, size), i, split))
        if len(priced) > 1 and priced[-1][0] > priced[-2][0]:
            break
    trouble = NoConvergence("rare events: steps without a jump count too much, wherever jumps begin")
    for _, _, split in sorted(priced):
        try:
            return _plan(product, split, epsilon, digits + _MORE, size)
        except NoConvergence as reason:
            trouble = reason
    raise trouble


def _price(chosen: Chosen, epsilon: Fraction, digits: int, size: float | None) -> float:
    """Predicted seconds of the sum, if the transform of the jumping part decays as its weight does."""
    parts, _, _ = chosen
    some = steps_with_jumps(parts)
    found = tilt(some, "delta", epsilon, digits=digits, size=size)
    nats, edge = max(1.0, found.log_size - found.log_goal), 0.0
    for part, _ in parts:
        c, q, tau = 1 / float(part.law.noise_multiplier), float(part.law.q), float(part.width)
        steep = math.sqrt(1 + 1 / tau**2) / slope(c, q, float(part.cut) - _FOOT * tau)
        edge = max(edge, steep * math.sqrt(2 * nats))
    count = math.ceil(edge * found.period / (2 * math.pi))
    bits = found.bits(some, count)
    points = sum(nodes(law, found.theta, short(edge), bits) for law, _ in some.factors)
    return count * (1e-5 + 1e-7 * (1 + bits / 150) * points)


def _split(
    product: ComposedLoss, epsilon: Fraction, digits: int, width: float, size: float | None
) -> Chosen | None:
    """The jumping parts, x₂ and λ with the smallest start of jumps found such that log δ_N is below its goal.

    None if no start in the range tried has that.
    """
    low, high, found = math.log(_LEAST), math.log(_MOST), None
    for _ in range(_HALVINGS):
        middle, fits = (low + high) / 2, False
        with suppress(NoConvergence, ArithmeticError, ValueError):  # beyond the range of floats
            parts = _parts(product, math.exp(middle) * float(epsilon), width)
            whole = size
            if whole is None:
                _, whole = saddle(steps_with_jumps(parts), _KERNEL, float(epsilon))
            goal = whole - digits * math.log(10) - _SLACK
            ends = tuple(_end(part, k, goal) for part, k in parts)
            lam, none = _chernoff(parts, ends, float(epsilon))
            fits = none < goal
        if fits:
            low, found = middle, (parts, ends, lam)
        else:
            high = middle
    return found


def _plan(product: ComposedLoss, chosen: Chosen, epsilon: Fraction, digits: int, size: float | None) -> Plan:
    """Plan with these parts. Raises NoConvergence."""
    parts, ends, lam = chosen
    some = plan_contour(steps_with_jumps(parts), "delta", epsilon, digits=digits, size=size)

    def build() -> Work:
        parameters = some.build().parameters
        assert isinstance(parameters, contour.Parameters)
        jumps = tuple(
            Jump(part.cut, part.width, short(end)) for (part, _), end in zip(parts, ends, strict=True)
        )
        bits = int(digits * LOG2_10) + 64
        return Work("rare events", product, "delta", Parameters(jumps, parameters, short(lam), bits))

    return Plan(0.05 + some.seconds, build)


def _parts(product: ComposedLoss, loss: float, width: float) -> Parts:
    """The jumping part of each law, its cut at about ``loss``."""
    return tuple(
        (SoftPart(law, short(outcome(law, loss)), short(width), True), k) for law, k in mixtures(product)
    )


def _end(part: SoftPart, k: int, goal: float) -> float:
    """x₂ beyond which log of the mass that does not jump is about ``goal``."""
    from pldverify.reference.search.cumulants.soft_part import log_moment  # loads numpy

    nats = math.log(k) + log_moment(part, 0.0) - goal
    return float(part.cut) + float(part.width) * math.sqrt(2 * max(1.0, nats))


def _chernoff(parts: Parts, ends: tuple[float, ...], eps: float) -> tuple[float, float]:
    """λ, and log of the bound of δ_N with it, by golden section in log λ (floats)."""
    from pldverify.reference.search.cumulants.soft_part import log_small  # loads numpy

    def size(log_lam: float) -> float:
        lam = math.exp(log_lam)
        moments = (k * log_small(part, end, lam) for (part, k), end in zip(parts, ends, strict=True))
        return math.fsum(moments) - lam * eps - math.log1p(lam)

    low, high = math.log(0.05), math.log(1e4 / eps + 1)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(_SECTIONS):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if size(a) < size(b) else (a, high)
    return math.exp(low), size(low)
