"""Newton's method for ε(δ̄), KJH19 section 8: δ is convex in x = e^ε, not in ε."""

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product

from pldverify import reference
from pldverify.balls import arb
from pldverify.balls.ball import ball, dyadic
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms import Gaussian, PoissonSubsampled
from pldverify.theorems.attacks.pairs import Pair, random_pairs
from pldverify.theorems.discrete import delta, random_laws
from pldverify.theorems.evidence import Case


def gaussian(sigma: F, at: arb) -> tuple[arb, arb]:
    """δ and −dδ/dε of one Gaussian at ε = ``at``."""
    mu = 1 / ball(sigma)
    lost = at.exp() * normal_tail(at / mu + mu / 2)
    return normal_tail(at / mu - mu / 2) - lost, lost


def convex_in_epsilon() -> Iterator[Case]:
    """The middle of a chord: δ((a + b)/2) ≤ (δ(a) + δ(b))/2, of one Gaussian with σ = 1/4 from 0 to 2."""
    left, middle, right = (gaussian(F(1, 4), arb(i))[0] for i in range(3))
    yield Case("σ = 1/4: δ(1) ≤ (δ(0) + δ(2))/2", middle, (left + right) / 2)


def convex_in_x() -> Iterator[Case]:
    """The middle of a chord in x = e^ε, for random pairs, exact: δ lies below it."""
    for i, pair in enumerate(random_pairs(25)):
        for a, b in ((F(1, 2), F(2)), (F(1), F(4)), (F(2), F(9))):
            middle, ends = _delta(pair, (a + b) / 2), (_delta(pair, a) + _delta(pair, b)) / 2
            yield Case(f"pair {i}, x = {a} and {b}", middle, ends)


def _delta(pair: Pair, x: F) -> F:
    """Σ(p − xq)₊."""
    return sum((max(p - x * q, F(0)) for p, q in pair), F(0))


def overshoots() -> Iterator[Case]:
    """From ε₀ = 0 at σ = 1/4, δ̄ = 10⁻⁶ the first iterate is beyond ε*, the second below −10¹¹."""
    target, iterates = ball(F(1, 10**6)), [arb(0)]
    for _ in range(2):
        value, slope = gaussian(F(1, 4), iterates[-1])
        iterates.append(iterates[-1] + (value - target) / slope)
    _, first, second = iterates
    yield Case("σ = 1/4, δ̄ = 10⁻⁶: 41 < ε₁", 41, first, "<")
    yield Case("σ = 1/4, δ̄ = 10⁻⁶: δ(ε₁) < δ̄", gaussian(F(1, 4), first)[0], target, "<")
    yield Case("σ = 1/4, δ̄ = 10⁻⁶: ε₂ < −10¹¹", second, -(10**11), "<")


def experiments() -> Iterator[Case]:
    """KJH19 section 9: q = 0.01, δ̄ = 10⁻⁶, σ = 1, 2, 3, k to 5·10⁴: |δ(ε₁₆) − δ̄| ≤ 10⁻³ δ̄."""
    target = F(1, 10**6)
    for sigma, k in product(("1", "2", "3"), (1, 10, 100, 1000, 4000, 10**4, 5 * 10**4)):
        what, at = k * PoissonSubsampled(Gaussian(sigma), "0.01"), F(0)
        for _ in range(17):
            found = reference.delta(what, epsilon=at, adjacency="remove", digits=5)
            if abs(F(found.upper) - target) <= target / 1000:
                break
            tail = reference.tail(what, epsilon=at, adjacency="remove", digits=5)
            at += (F(found.upper) - target) / (F(tail.upper) - F(found.upper))
            at = F(round(at * 2**40), 2**40)
        yield Case(f"σ = {sigma}, k = {k}", abs(F(found.upper) - target), target / 1000)


def in_x() -> Iterator[Case]:
    """Newton's method in x from x₀ = 1: δ(x_ℓ) ≥ δ̄, so x_ℓ ≤ x*. For finite pairs it ends at x*."""
    for i, pair in enumerate(random_pairs(25)):
        lost = sum((p for p, q in pair if not q), F(0))
        target, at = (_delta(pair, F(1)) + lost) / 2, F(1)
        for step in range(len(pair) + 1):
            yield Case(f"pair {i}, step {step}", target, _delta(pair, at))
            rate = sum((q for p, q in pair if p > at * q), F(0))
            at += (_delta(pair, at) - target) / rate if rate else 0
        yield Case(f"pair {i}, end", _delta(pair, at), target, "=")
    for sigma, aim in ((F(1, 4), F(1, 10**6)), (F(1, 2), F(1, 5)), (F(1), F(1, 1000))):
        point = arb(1)
        for step in range(12):
            value, slope = gaussian(sigma, point.log())
            yield Case(f"σ = {sigma}, δ̄ = {aim}, step {step}", ball(aim), value)
            point = ball(dyadic((point + (value - ball(aim)) * point / slope).mid()))


def stops_short() -> Iterator[Case]:
    """An ε that |δ(ε) − δ̄| ≤ tol accepts is an upper bound of ε*: tol = 10⁻⁵, δ̄ = 10⁻⁶, σ = 1, ε = 4.5."""
    value = gaussian(F(1), ball(F(9, 2)))[0]
    yield Case("|δ(4.5) − δ̄| ≤ tol", abs(value - ball(F(1, 10**6))), F(1, 10**5))
    yield Case("δ(4.5) ≤ δ̄", value, F(1, 10**6))


def slopes() -> Iterator[Case]:
    """f(ε) = ∫_ε^∞ (1 − e^{ε−s}) g: f(ε + h) − f(ε) = −(e^h − 1) ∫_ε^∞ e^{ε−s} g.

    g has no mass between ε and ε + h.
    """
    for i, a in enumerate(random_laws(20, 7)):
        for epsilon in (F(-1, 2), F(1, 14), F(3, 2)):
            h = min((s for s in a if s > epsilon), default=epsilon + 1) - epsilon
            slope = sum((ball(p) * ball(epsilon - s).exp() for s, p in a.items() if s > epsilon), arb(0))
            left = delta(a, epsilon + h) - delta(a, epsilon)
            yield Case(f"law {i}, ε = {epsilon}", left + 9, (1 - ball(h).exp()) * slope + 9, "=")
