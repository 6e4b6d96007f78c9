"""``heterogeneous-fourier``: from the true δ to the printed one.

``truncation``, ``discretisation`` on the infinite grid, ``periodisation`` with the tail, ``rounding``,
``margin``.
"""

from fractions import Fraction

from pldverify.accountants import fft_grid, heterogeneous_fourier
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.accountants.losses import sigma_and_q
from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.bounds.right_grid import left_grid, right_grid
from pldverify.decomposition.evaluation import evaluation
from pldverify.decomposition.grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.decomposition.promises import first_order
from pldverify.decomposition.steps import (
    checked,
    exact_sum,
    margin,
    mass_above,
    mass_outside,
    observed_term,
    periodisation_term,
    rounding_bound,
    rounding_term,
)
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.numbers.claim import Claim


def decompose(accountant: HeterogeneousFourierUpper, truth: Truth, claim: Claim) -> list[Term]:
    """Terms in the order in which the problems replace each other."""
    n, L = accountant.n, Fraction(accountant.L)
    step, zero = 2 * L / n, arb(0)
    losses = [(accountant.on_grid(m, truth.direction), k) for m, k in truth.composition.parts]
    parts = [GridPart(checked(one.masses), -(n // 2), k) for one, k in losses]
    masses = fft_grid.compose([(one.masses, k) for one, k in losses])
    infinite = heterogeneous_fourier.infinite_mass(losses)
    raw = exact_sum(infinite + fft_grid.hockey_stick(masses, accountant.L, float(truth.epsilon)))
    finite = arb(1)
    for one, k in losses:
        finite *= ball(1 - Fraction(one.infinity)) ** k
    kernel = Kernel(step, Fraction(float(truth.epsilon)), n // 2)
    wrapped = 1 - finite + wrapped_sum(parts, n, kernel, goal=truth.goal)
    outside = mass_outside(parts, step)
    whole = 1 - finite + unwrapped_sum(parts, kernel, n=n, outside=outside, goal=truth.goal)

    delta = truth.delta_at(truth.epsilon)
    continuous = all(sigma_and_q(m) is not None for m, _ in truth.composition.parts)
    # ω_max covers (−L − Δx, L − Δx], ω_min [−L, L)
    kept = L - step if accountant.side == "right" else L
    dropped = truth.outside(kept) if continuous else zero
    lost = zero.union(dropped.min(delta.upper()))
    steps = truth.composition.steps
    if continuous:
        x = fft_grid.points(n, accountant.L)
        noise = evaluation(truth, parts, x, step)
        size = first_order(truth, [part.total for part in parts], step) + noise
        low, high = -size, noise
        if accountant.side == "right":
            low, high = -noise, size.min(mass_above(parts, step)(kernel.start))
        theorem = "KH21 (6.1), and KJH19 10.4, corrected"
    elif accountant.side == "right":
        tail = truth.tail_at(truth.epsilon - steps * step)
        low, high = zero, right_grid(tail.upper(), delta, steps, step)
        theorem = "KH21 Theorem 2, corrected"
    else:
        tail = truth.tail_at(truth.epsilon)
        low, high = -left_grid(tail.upper(), delta, steps, step), zero
        theorem = "KH21 Theorem 2, left grid"
    far = outside(-(n // 2), n // 2)
    rounding = rounding_bound(parts, n=n, kernel=n // 2 - kernel.start, reach=accountant.L)
    terms = []
    if continuous:
        terms.append(
            observed_term(
                "truncation", -lost, -truth.promised_truncation(kept), zero, "KH21 D.4, corrected", -1
            )
        )
    return [
        *terms,
        observed_term("discretisation", whole - delta + lost, low, high, theorem),
        periodisation_term(wrapped, whole, far),
        rounding_term(raw, wrapped, rounding),
        *margin(accountant, claim, raw, zero),
    ]
