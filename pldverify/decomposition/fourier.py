"""``fourier``: from the true δ to the printed one.

``tail`` (the integral stops at L), ``truncation`` (single losses outside [−L, L) are dropped),
``periodisation`` (the rest is wrapped), ``discretisation`` (density to grid masses, as the accountant has
them in doubles), ``rounding`` (FFT, power, sum), ``margin`` (what an upper bound adds on purpose).
"""

from collections.abc import Sequence
from fractions import Fraction

from pldverify.accountants import fft_grid, fourier
from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.fourier import Fourier
from pldverify.balls import arb
from pldverify.balls.compare import surely_less
from pldverify.decomposition.evaluation import Errors, evaluation
from pldverify.decomposition.grid import GridPart, Kernel, wrapped_sum
from pldverify.decomposition.moments import noise_and_q
from pldverify.decomposition.promises import first_order, second_order
from pldverify.decomposition.steps import (
    checked,
    exact_sum,
    margin,
    observed_term,
    rounding_bound,
    rounding_term,
    widened,
)
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.errors import NotSupported
from pldverify.numbers.claim import Claim


def decompose(accountant: Fourier, truth: Truth, claim: Claim) -> list[Term]:
    """Terms in the order in which the problems replace each other."""
    require_moments(truth)
    n, L = accountant.n, accountant.L
    densities = fourier.densities(truth.composition, truth.direction)
    x = fft_grid.points(n, L)
    grids = [(checked(density(x) * (2 * L / n)), k) for density, k in densities]
    raw = exact_sum(fft_grid.hockey_stick(fft_grid.compose(grids), L, float(truth.epsilon)))
    return [*terms(truth, grids, x, L, raw), *margin(accountant, claim, raw, arb(0))]


def require_moments(truth: Truth) -> None:
    """Raise NotSupported for a mechanism whose loss has no bound on its moments far out."""
    for mechanism, _ in truth.composition.parts:
        if noise_and_q(mechanism) is None:
            raise NotSupported(f"no budget for {mechanism}: its moments are not bounded far out")


def terms(
    truth: Truth,
    grids: Sequence[tuple[Vector, int]],
    x: Vector,
    period: float,
    raw: Fraction,
    errors_of: Errors | None = None,
) -> list[Term]:
    """From δ to the sum ``raw`` of somebody's grid masses, on points x from −L with L = ``period``."""
    n, L = len(x), Fraction(period)
    step = 2 * L / n
    parts = [GridPart(masses, -(n // 2), k) for masses, k in grids]
    # the accountant's ε is a double
    kernel = Kernel(step, Fraction(float(truth.epsilon)), n // 2)
    exact = wrapped_sum(parts, n, kernel, goal=truth.goal)

    delta, tail, alias = truth.delta_at(truth.epsilon), truth.beyond(L), truth.wrapped(L)
    dropped = truth.outside(L)
    zero = arb(0)
    lost = zero.union(dropped.min((delta - tail).upper().max(zero)))
    around = (alias - zero.union(dropped)).max(zero)
    periodic = delta - tail + alias - zero.union(dropped)
    steps, theorem = _discretisation(truth, parts, L, step)
    steps += evaluation(truth, parts, x, step, errors_of)
    far = truth.promised_periodisation(L)
    rounding = rounding_bound(parts, n=n, kernel=n // 2 - kernel.start, reach=period)
    return [
        observed_term("tail", -tail, -widened(truth.chernoff(L)), zero, "Chernoff, KH21 (5.3)", -1),
        observed_term("truncation", -lost, -truth.promised_truncation(L), zero, "KH21 D.4, corrected", -1),
        observed_term("periodisation", around, zero, far, "KH21 Theorem 1", 1),
        observed_term("discretisation", exact - periodic, -steps, steps, f"{theorem}; masses in doubles"),
        rounding_term(raw, exact, rounding),
    ]


def _discretisation(truth: Truth, parts: list[GridPart], L: Fraction, step: Fraction) -> tuple[arb, str]:
    """The smaller promise, and whose it is."""
    printed = first_order(truth, [part.total for part in parts], step)
    smooth = second_order(truth, L, step)
    return (
        (smooth, "Poisson summation") if surely_less(smooth, printed) else (printed, "KJH19 10.4, corrected")
    )
