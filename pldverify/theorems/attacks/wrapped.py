"""KJH20s Theorem C.1 and its step (C.2) at q = 4/5, σ = 2/5, k = 3, L = 5, ε = 1/100, for n → ∞.

There the error δ − ∫_ε^L w (ω̃ ⊛³ ω̃), w(s) = 1 − e^{ε−s}, is 0.634 and I₁ + I₂ is 0.622. With W the sum
of three losses in [−L, L) modulo 2L, the error minus I₁ + I₂ is δ − Pr[S > ε] + E[1 − w(W); ε < W < L],
provided that Pr[ε < S < L] ≥ Pr[ε < W < L], as then I₂ is their difference. The same number is a lower bound
of the left side of (C.2) minus its right side, as ∫_L^∞ w (ω *³ ω) ≤ I₁. I₃ → 0: it is the error of Riemann
sums of a piecewise continuous function, with the points of KJH20s/thm-C.1/grid.
"""

from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache
from itertools import pairwise

from pldverify import reference
from pldverify.balls import arb, arb_poly
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms import Gaussian, PoissonSubsampled
from pldverify.theorems.evidence import Case

Q = F(4, 5)
"""Sampling rate."""
SIGMA = F(2, 5)
"""Noise multiplier."""
K = 3
"""Steps."""
L = 5
"""Half a period."""
EPSILON = F(1, 100)
"""ε in nats, the end of a cell."""
CELLS = 4000
"""Cells of [−L, L). Half as many decide the same."""
STEP = F(2 * L, CELLS)
"""Width of a cell."""


def _above(s: F) -> arb:
    """Pr[loss ≥ s]: outcomes from t = g(s) on, all where s ≤ log(1 − q)."""
    inner = ball(s).exp() - ball(1 - Q)
    if not surely_less(0, inner):
        return arb(1)
    t, v = ball(SIGMA) ** 2 * (inner / ball(Q)).log() + arb(1) / 2, ball(SIGMA)
    return ball(Q) * normal_tail((t - 1) / v) + ball(1 - Q) * normal_tail(t / v)


def _sums() -> Iterator[tuple[int, arb]]:
    """Cells of W with their mass: three losses in cells that add up to j have a sum in [jh, (j + 3)h)."""
    half = CELLS // 2
    above = [_above((i - half) * STEP) for i in range(CELLS + 1)]
    masses = arb_poly([a - b for a, b in pairwise(above)])
    for number, mass in enumerate((masses**K).coeffs()):
        yield (number - K * half + half) % CELLS - half, mass


@cache
def facts() -> tuple[Case, ...]:
    """Facts that contradict C.1 and (C.2); the mass of cells across ε or L counts in favour of the print."""
    what = K * PoissonSubsampled(Gaussian(SIGMA), Q)
    delta = reference.delta(what, epsilon=EPSILON, adjacency="remove", digits=4)
    tail, far = (reference.tail(what, epsilon=s, adjacency="remove", digits=4) for s in (EPSILON, L))
    first, last = EPSILON / STEP, CELLS // 2  # cells of (ε, L)
    met = rest = arb(0)
    for j, mass in _sums():
        if j + K <= first:
            continue
        met += mass
        if first <= j and j + K <= last:
            rest += mass * ball(EPSILON - (j + K) * STEP).exp()
        else:
            rest -= mass * (1 - ball(EPSILON - min((j + K) * STEP, F(L))).exp())
    label = "q = 4/5, σ = 2/5, k = 3, L = 5, ε = 1/100, n → ∞"
    return (
        Case(f"{label}: Pr[ε < W < L] against Pr[ε < S < L]", met, ball(tail.lower) - ball(far.upper)),
        Case(f"{label}: Pr[S > ε] − δ against E[1 − w(W)]", ball(tail.upper) - ball(delta.lower), rest, "<"),
    )
