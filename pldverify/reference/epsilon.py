r"""ε(δ) = inf{ε ≥ 0 : δ(ε) ≤ δ}, by bracketing δ(ε) in balls.

A float search finds ε*; the proof is δ(ε* − w) > δ ≥ δ(ε* + w). ε(δ) = 0 where δ(0) ≤ δ, and +∞ where δ <
δ_∞, or δ = δ_∞ and the finite losses are unbounded.
"""

import math
from fractions import Fraction

from flint import arb, ctx

from pldverify.errors import NoConvergence, PldverifyError
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Mechanism
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, probability
from pldverify.reference.balls import LOG2_10, ball, dyadic, lower, rounded, short, upper, working
from pldverify.reference.budget import budget
from pldverify.reference.delta import MAX_DIGITS, distinct, enclose, largest
from pldverify.reference.engine import Profile, profile
from pldverify.reference.kernel import Kernel
from pldverify.reference.product import Product, product

_COARSE = 3
"""Digits of δ while ε is looked for, and of ε while a direction may be ruled out."""


def epsilon(
    composition: Composition | Mechanism,
    *,
    delta: object,
    adjacency: Adjacency | None = None,
    digits: int = 15,
) -> Enclosure:
    """The true ε(δ) in nats, to ``digits`` proved significant digits; +∞ is possible.

    As every δ(ε) decreases, the maximum over directions of δ(ε) has as its inverse the maximum of the
    inverses.
    Raises InvalidInput, NotSupported, NoConvergence.
    """
    target = probability(delta, "delta")
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    laws = [product(whole, direction) for direction in distinct(whole, whole.directions(adjacency))]
    with budget():
        if len(laws) > 1 and wanted > _COARSE:
            coarse = [_epsilon(law, target, _COARSE) for law in laws]
            floor = max(value.lower for value in coarse)
            laws = [law for law, value in zip(laws, coarse, strict=True) if value.upper >= floor]
        return largest([_epsilon(law, target, wanted) for law in laws])


def _epsilon(law: Product, target: Fraction, digits: int) -> Enclosure:
    bits = int(digits * LOG2_10) + 64
    with working(bits):
        room = ball(target) - (1 - law.finite_mass())  # what δ leaves to the finite losses
        if room < 0 or (law.finite_mass().is_zero() and target < 1):
            return Enclosure(math.inf, math.inf, "support")
        if target == 1 or not law.factors:
            return Enclosure(Fraction(0), Fraction(0), "support")
        if not room > 0:
            return _at_infinite_mass(law)
    at_zero = enclose(law, "delta", Fraction(0), _COARSE)
    if at_zero.upper <= target:
        return Enclosure(Fraction(0), Fraction(0), at_zero.engine)
    try:
        return _bracket(law, target, _root(law, target, _saddle_guess(law, float(room))), digits)
    except PldverifyError:
        raise
    except (ArithmeticError, ValueError) as trouble:
        raise NoConvergence(f"epsilon: the search left the range of floats ({trouble})") from None


def _at_infinite_mass(law: Product) -> Enclosure:
    """δ and δ_∞ can't be told apart: ε(δ) is at most the largest finite loss, and is it if they are equal."""
    top = law.highest()
    exact = all(not factor.infinite_mass for factor, _ in law.factors)  # then δ = δ_∞ = 0
    if top is None:
        return Enclosure(math.inf if exact else Fraction(0), math.inf, "support")
    low = max(Fraction(0), Fraction(lower(top))) if exact else Fraction(0)
    return Enclosure(low, Fraction(upper(top)), "support")


def _root(law: Product, target: Fraction, point: Fraction) -> Fraction:
    """ε within some relative 1e-3, by a guarded secant method on coarse values of log δ (search only)."""
    goal = log_of(target)
    low, high = Fraction(0), None
    last: tuple[Fraction, float] | None = None
    rate = 1.0
    for _ in range(80):
        value = enclose(law, "delta", point, _COARSE)
        gap = log_of((Fraction(value.lower) + Fraction(value.upper)) / 2) - goal
        low, high = (point, high) if gap > 0 else (low, point)
        if last is not None and last[0] != point and gap != last[1]:
            rate = max(1e-300, (last[1] - gap) / float(point - last[0]))
        elif last is None:
            rate = max(1.0, abs(gap) / max(1e-9, float(point)))
        last = point, gap
        step = gap / rate
        if abs(step) <= 1e-4 * float(point) or (high is not None and high - low <= high / 10**4):
            break
        candidate = point + short(step)
        if high is None:
            candidate = min(max(candidate, point * Fraction(9, 8)), 4 * point)
        elif not low < candidate < high:
            candidate = (low + high) / 2
        point = rounded(candidate, 40)
    return point


def log_of(value: Fraction) -> float:
    """log of a rational of any size; a floor of −1e9 stands for log 0."""
    return math.log(value.numerator) - math.log(value.denominator) if value > 0 else -1e9


def _saddle_guess(law: Product, room: float) -> Fraction:
    """ε(δ) from the saddle-point approximation, parametrised by θ: one cumulant a step."""
    kernel, goal = Kernel("delta", "upper"), math.log(room)
    low, high, theta, guess = 1e-12, 1e12, 1.0, 1.0
    for _ in range(80):
        try:
            k0, k1, k2 = law.cumulant(theta)
        except (NoConvergence, OverflowError):
            high, theta = theta, math.sqrt(low * theta)
            continue
        d1, d2 = kernel.log_slopes(theta)
        guess = k1 + d1
        value = k0 - theta * guess + kernel.log_size(theta) - math.log(2 * math.pi * (k2 + d2)) / 2
        if abs(value - goal) < 1e-3 or high / low < 1.0001:
            break
        low, high = (theta, high) if value > goal else (low, theta)
        theta = (
            math.sqrt(low * high) if high < 1e11 and low > 1e-11 else theta * (4 if value > goal else 0.25)
        )
    return short(max(guess, 1e-9))


def _bracket(law: Product, target: Fraction, guess: Fraction, digits: int) -> Enclosure:
    """Refine near ``guess`` and prove both sides, as narrowly as asked or as the engine can."""
    goal = digits + 4
    for _ in range(6):
        setup = profile(law, "delta", guess, digits=goal)
        with working(int(goal * LOG2_10) + 64):
            rest = 1 - law.finite_mass()
            guess = _polish(setup, ball(target) - rest, guess)
            width = rounded(guess / 10 ** int(min(digits, setup.limit)) / 3)
            for _ in range(8 if setup.limit < digits else 1):
                low, high = max(Fraction(0), guess - width), guess + width
                above = low == 0 or rest + setup.truth(low) > ball(target)
                if above and rest + setup.truth(high) <= ball(target):
                    bracket = f"δ(ε* − w) > δ ≥ δ(ε* + w), w = {float(width):.2g}"
                    return Enclosure(low, high, setup.engine, {**setup.witness(guess), "bracket": bracket})
                width *= 3
        goal += 4
    raise NoConvergence(
        f"{setup.engine}: ε(δ) near {float(guess):.10g} could not be bracketed to {digits} digits"
    )


def _polish(setup: Profile, target: arb, guess: Fraction) -> Fraction:
    """Chord iterations on log δ at full precision (search only)."""
    nudge = max(rounded(guess / 10**6), Fraction(1, 10**12))
    here = setup.truth(guess).mid()
    rate = (here / setup.truth(guess + nudge).mid()).log() / ball(nudge)
    if not rate > 0:
        return guess
    for _ in range(12):
        step = dyadic(((here / target.mid()).log() / rate).mid())
        guess = max(Fraction(0), rounded(guess + step, ctx.prec))
        if abs(step) <= guess / 2 ** (ctx.prec - 50):
            break
        here = setup.truth(guess).mid()
        if not here > 0:
            break
    return guess
