"""Losses that are moved to a grid, and sums over the wrong points of it."""

import math
from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache
from random import Random

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most
from pldverify.balls.normal import normal_tail
from pldverify.bounds.density_discretisation import printed_riemann_sum, riemann_sum
from pldverify.bounds.grid_moment import grid_log_moment
from pldverify.bounds.right_grid import printed_right_grid, right_grid, right_grid_chernoff
from pldverify.theorems.discrete import SAMPLES, delta, law, moment, on_grid, power, tail
from pldverify.theorems.evidence import Case
from pldverify.theorems.tables import tables

JUST_BELOW = law(("9/10", 1))
"""One loss below ε = 19/20; on the grid of the integers it is 1. A loss of a pair, as e^{−9/10} < 1."""
EPSILON = F(19, 20)
"""ε between the loss and where the grid moves it."""


def _moved() -> Iterator[tuple[str, arb, arb, arb, F, int, F]]:
    """Label, δ^L, δ, δ^R, ε, k, step."""
    for i, a in enumerate(SAMPLES):
        for step in (F(1), F(2, 3), F(1, 10)):
            for k in (1, 2, 3):
                exact, left, right = (
                    power(x, k) for x in (a, on_grid(a, step, math.floor), on_grid(a, step))
                )
                for epsilon in (F(1, 10), F(1), F(5, 2)):
                    label = f"law {i}, Δx = {step}, k = {k}, ε = {epsilon}"
                    yield (
                        label,
                        delta(left, epsilon),
                        delta(exact, epsilon),
                        delta(right, epsilon),
                        epsilon,
                        k,
                        step,
                    )


def ordered() -> Iterator[Case]:
    """KH21 Lemma 1: δ^L ≤ δ ≤ δ^R."""
    for label, low, exact, high, *_ in _moved():
        yield Case(label, low, exact)
        yield Case(label, exact, high)


def printed_discretisation() -> Iterator[Case]:
    """KH21 (5.5) as printed, for a loss just below ε."""
    grown = delta(on_grid(JUST_BELOW, F(1)), EPSILON) - delta(JUST_BELOW, EPSILON)
    bound = printed_right_grid(ball(tail(JUST_BELOW, EPSILON)), delta(JUST_BELOW, EPSILON), 1, F(1))
    yield Case("one loss 9/10, ε = 19/20, Δx = 1, k = 1", grown, bound)


def discretisation() -> Iterator[Case]:
    """:func:`pldverify.bounds.right_grid.right_grid`."""
    for i, a in enumerate((*SAMPLES, JUST_BELOW)):
        for k in (1, 2, 3):
            for epsilon in (F(1, 10), EPSILON, F(5, 2)):
                exact = power(a, k)
                grown = delta(power(on_grid(a, F(1)), k), epsilon) - delta(exact, epsilon)
                above = sum((p for s, p in exact.items() if s > epsilon - k), F(0))
                bound = right_grid(ball(above), delta(exact, epsilon), k, 1)
                yield Case(f"law {i}, k = {k}, ε = {epsilon}", grown, bound)


def one_step_a_loss() -> Iterator[Case]:
    """KH21 (5.6): δ^R − δ ≤ kΔx(1 − δ)."""
    for label, _, exact, high, _, k, step in _moved():
        yield Case(label, high - exact, k * ball(step) * (1 - exact))


def printed_discretisation_by_chernoff() -> Iterator[Case]:
    """KH21 (5.7) as printed at λ = 200, for a loss just below ε."""
    grown = delta(on_grid(JUST_BELOW, F(1)), EPSILON) - delta(JUST_BELOW, EPSILON)
    yield Case(
        "one loss 9/10, ε = 19/20, Δx = 1, k = 1, λ = 200",
        grown,
        moment(JUST_BELOW, F(200)) * (-ball(200 * EPSILON)).exp(),
    )


def discretisation_by_chernoff() -> Iterator[Case]:
    """:func:`pldverify.bounds.right_grid.right_grid_chernoff`."""
    for i, a in enumerate((*SAMPLES, JUST_BELOW)):
        for lam in (F(1, 2), F(2), F(200)):
            for epsilon in (F(1, 10), EPSILON, F(5, 2)):
                grown = delta(on_grid(a, F(1)), epsilon) - delta(a, epsilon)
                bound = right_grid_chernoff(moment(a, lam).log(), lam, 1, 1, epsilon)
                yield Case(f"law {i}, λ = {lam}, ε = {epsilon}", grown, bound)


def exponentials() -> Iterator[Case]:
    """a ≤ b ⇒ e^b − e^a ≤ e^b(b − a)."""
    for a, b in ((F(-3), F(-1)), (F(0), F(0)), (F(0), F(1, 100)), (F(1), F(30))):
        yield Case(f"{a} ≤ {b}", ball(b).exp() - ball(a).exp(), ball(b).exp() * ball(b - a))


def rounded_moments() -> Iterator[Case]:
    """KH21 D.1, Lemma 7 of Koskela et al. 2021, as printed and without its 1/(1 − λΔx)."""
    for i, a in enumerate(SAMPLES):
        for step in (F(1), F(1, 7)):
            up = on_grid(a, step)
            for lam in (F(1, 10), F(1, 2), F(6, 7)):
                where = f"law {i}, Δx = {step}, λ = {lam}"
                yield Case(where + ", −λ", moment(up, -lam), moment(a, -lam))
                yield Case(where, moment(up, lam).log(), grid_log_moment(moment(a, lam).log(), lam, step))
                if lam * step < 1:
                    yield Case(
                        where + ", as printed", moment(up, lam), moment(a, lam) / (1 - ball(lam * step))
                    )


def chernoff() -> Iterator[Case]:
    """Pr[S ≥ t] ≤ E[e^{λS}]e^{−λt}, and on −S."""
    for i, a in enumerate(SAMPLES):
        for k in (1, 3):
            whole = power(a, k)
            for t in (F(-1), F(1), F(7)):
                for lam in (F(1, 10), F(1), F(4)):
                    bound = moment(a, lam) ** k * (-ball(lam * t)).exp()
                    yield Case(f"law {i}, k = {k}, t = {t}, λ = {lam}", ball(tail(whole, t)), bound)
                    below = sum((p for s, p in whole.items() if s <= -t), F(0))
                    other = moment(a, -lam) ** k * (-ball(lam * t)).exp()
                    yield Case(f"law {i}, −S, k = {k}, t = {t}, λ = {lam}", ball(below), other)


def triangle_of_errors() -> Iterator[Case]:
    """|δ − δ̃^R| ≤ |δ − δ^R| + |δ^R − δ̃^R|, here with δ^L for δ̃^R."""
    for label, low, exact, high, *_ in _moved():
        yield Case(label, abs(exact - low), abs(exact - high) + abs(high - low))


def printed_riemann() -> Iterator[Case]:
    """KJH19 (10.15) for h(y) = y − ε, ε = 1, L = 4: exact on both sides."""
    for n in (2, 6, 40):
        yield Case(f"h(y) = y − 1, L = 4, n = {n}", ball(_riemann_error(n)), printed_riemann_sum(1, 1, 4, n))


def riemann() -> Iterator[Case]:
    """KJH19 (10.15) with L(L − ε)/n on the right, for h(y) = y − ε, ε = 1, L = 4."""
    for n in (2, 6, 40, 1000):
        yield Case(f"h(y) = y − 1, L = 4, n = {n}", ball(_riemann_error(n)), riemann_sum(1, 1, 4, n))


def _riemann_error(n: int) -> F:
    step = F(8, n)
    points = [-4 + i * step for i in range(n)]
    return abs(F(9, 2) - step * sum((x - 1 for x in points if x > 1), F(0)))


def shifted_grid() -> Iterator[Case]:
    """KJH19 10.4, KJH20s C.1: points ℓΔx, ℓ < n, in the place of −L + ℓΔx; σ = 1, q = 1/2, ε = 1/4, k = 1.

    Points from L on are losses below 0, with weight near 1 and not 0: the limit is δ + Pr[S < 0] + …, not δ.
    A sum with steps of 1/100 of a function of variation below 4 is within 1/25 of its integral.
    """
    yield Case(
        "σ = 1, q = 1/2, k = 1, ε = 1/4, L = 10, n = 2000: |printed sum − δ|", _grid_error(0), F(1, 10)
    )


def mixed_grids() -> Iterator[Case]:
    """KJH19 (10.14): points ℓΔx from −L + ℓΔx > ε on, that is above L + ε: losses below 0 only; ε = 1."""
    yield Case(
        "σ = 1, q = 1/2, k = 1, ε = 1, L = 10, n = 2000: |printed sum − δ|",
        _grid_error(0, F(1), F(11)),
        F(1, 10),
    )


def grid_of_both_signs() -> Iterator[Case]:
    """KJH19 (7.2): the sum over the points −L + ℓΔx above ε is within 10⁻⁵ of δ."""
    rng = Random(1)
    for epsilon in (F(1, 4), F(1), *(F(rng.randint(1, 300), 100) for _ in range(20))):
        yield Case(
            f"σ = 1, q = 1/2, k = 1, ε = {epsilon}, L = 10, n = 2000: |sum − δ|",
            _grid_error(-10, epsilon, epsilon),
            F(1, 10**5),
        )


def _grid_error(start: int, epsilon: F = F(1, 4), above: F = F(-1)) -> arb:
    """|Σ_{ℓ<n} (1 − e^{ε − x_ℓ}) ω̃(x_ℓ)Δx − δ|, x_ℓ = start + ℓΔx, of the points > ``above``."""
    total = arb(0)
    for i in range(2000):
        x = start + F(i, 100)
        if x <= above:
            continue
        total += (1 - ball(epsilon - x).exp()) * _point(x if x < 10 else x - 20) / 100
    e, edge = ball(epsilon), (2 * ball(epsilon).exp() - 1).log() + arb(1) / 2
    kept = (normal_tail(edge) + normal_tail(edge - 1)) / 2
    return abs(total - (kept - e.exp() * normal_tail(edge)))


@cache
def _point(s: F) -> arb:
    return half_sampled(s)


def half_sampled(s: F | arb) -> arb:
    """ω(s) of the sampled Gaussian, σ = 1, q = 1/2: f(g(s)) g′(s), g(s) = log(2e^s − 1) + 1/2."""
    d = 2 * ball(s).exp() - 1
    if surely_at_most(d, 0):
        return arb(0)
    t = d.log() + arb(1) / 2
    f = ((-t * t / 2).exp() + (-(t - 1) * (t - 1) / 2).exp()) / (2 * (2 * arb.pi()).sqrt())
    return f * (d + 1) / d


def named_tilts() -> Iterator[Case]:
    """KH21, above Table 1: (5.7) at the best of L/2, L, 2L, 3L, 4L; for n = 1e5, ε = 1 print has 6.31e-6."""
    yield Case(
        "N = 1000, k = 20, n = 1e5, ε = 1: the least over the five λ, up to 0.005e-6",
        _least((F(5, 2), 5, 10, 15, 20)),
        F(6315, 10**9),
    )


def integer_tilts() -> Iterator[Case]:
    """KH21, above Table 1: over the integers up to 30 the least (5.7) rounds to the printed number."""
    found = _least(tuple(range(1, 31)))
    yield Case("the least over integers", found, F(6315, 10**9))
    yield Case("the least over integers", F(6305, 10**9), found)


def _least(tilts: tuple[F | int, ...]) -> arb:
    """kΔx e^{kα(λ) − λε} for the binomial mechanism of Table 1, n = 1e5, L = 5."""
    best = arb.pos_inf()
    for lam in tilts:
        best = best.min(20 * ball(F(1, 10**4)) * _binomial_moment(ball(lam)) ** 20 * (-ball(lam)).exp())
    return best


def _binomial_moment(lam: arb) -> arb:
    """Σ Pr[1 + Z = i] (Pr[1 + Z = i]/Pr[Z = i])^λ over 1 ≤ i ≤ 1000, Z ~ Bin(1000, 1/2)."""
    total = arb(0)
    for i in range(1, 1001):
        total += ball(F(math.comb(1000, i - 1), 2**1000)) * ball(F(i, 1001 - i)) ** lam
    return total


def wide_grid() -> Iterator[Case]:
    """KJH19 10.5 as L → ∞ with n kept: L = 1000, n = 20, so Δx = 100; σ = 1, q = 1/2, k = 1, ε = 1/4."""
    e = ball(F(1, 4))
    total = sum((100 * (1 - (e - x).exp()) * half_sampled(ball(x)) for x in range(100, 1000, 100)), arb(0))
    edge = (2 * e.exp() - 1).log() + arb(1) / 2
    true = (normal_tail(edge) + normal_tail(edge - 1)) / 2 - e.exp() * normal_tail(edge)
    yield Case("σ = 1, q = 1/2, k = 1, ε = 1/4, L = 1000, n = 20: |sum − δ|", abs(total - true), F(1, 20))


def points_from_zero() -> Iterator[Case]:
    """KJH20s C.3: Σ_j ω(jΔx)ω((i − j)Δx)Δx, 0 ≤ j < n, against (ω ⊛ ω)(−L + iΔx); σ = 1, q = 1/2, i = n/2.

    L = 10, n = 2000: (ω ⊛ ω)(0) by steps of 1/100, and what is printed for ∫_0^{20} ω(t)ω(10 − t)dt.
    """
    gap = abs(_self_convolution(0, 1000) - _self_convolution(-1000, 0))
    yield Case("σ = 1, q = 1/2, L = 10, n = 2000, i = 1000: |Ĉ − (ω ⊛ ω)(0)|", gap, F(1, 10))


def points_from_below() -> Iterator[Case]:
    """KJH20s C.3 with points −L + jΔx: the sum and that over every other point differ by less than 10⁻⁵."""
    for i in range(0, 250, 10):
        fine, coarse = _self_convolution(-100, i), _self_convolution(-100, i, 2)
        yield Case(f"σ = 1, q = 1/2, at {F(i, 100)}", abs(fine - coarse), F(1, 10**5))


def _self_convolution(first: int, at: int, stride: int = 1) -> arb:
    """Σ ω(j/100) ω((at − j)/100) stride/100 over j = first, first + stride, … < first + 2000."""
    points = range(first, first + 2000, stride)
    return sum((_point(F(j, 100)) * _point(F(at - j, 100)) for j in points), arb(0)) * stride / 100


def bounds_fall_like_1_over_n() -> Iterator[Case]:
    """KH21 Table 1: n times the printed bound."""
    for row in tables()["KH21-T1"]["rows"]:
        yield Case(f"n = {row['n']}", F(row["n"]) * F(row["bound"]), F(631, 1000), "=")


def bounds_are_small() -> Iterator[Case]:
    """KH21 Table 2: the printed bound is below 1 % of the printed δ."""
    for row in tables()["KH21-T2"]["rows"]:
        yield Case(f"ε = {row['epsilon']}", 100 * F(row["bound"]), F(row["delta"]), "<")


def jump_at_the_end() -> Iterator[Case]:
    """KJH19 10.4, k = 2: ∫∫ω̃(t)ω̃′(y − t)dt dy over a period is Pr[−L ≤ ω < L](ω(L) − ω(−L)), not 0."""
    edge = (2 * ball(4).exp() - 1).log() + arb(1) / 2
    kept = 1 - (normal_tail(edge) + normal_tail(edge - 1)) / 2
    yield Case("σ = 1, q = 1/2, L = 4: 0 < Pr[−L ≤ ω < L] ω(L)", 0, kept * half_sampled(F(4)), "<")
