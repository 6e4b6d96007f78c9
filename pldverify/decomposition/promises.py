"""What the theorems promise of the grid of an FFT accountant, for one direction of a composition."""

import math
from collections.abc import Sequence
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.bounds.density import density_supremum
from pldverify.bounds.density_discretisation import density_discretisation
from pldverify.bounds.lattice_discretisation import lattice_discretisation
from pldverify.bounds.periodisation import periodisation
from pldverify.bounds.transform_decay import Decay
from pldverify.bounds.truncation import truncation
from pldverify.decomposition.moments import decay, log_moment, noise_and_q
from pldverify.decomposition.truth import Truth, best_tilt
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.reference.search.cumulant import cumulant as cumulant_of

Parts = list[tuple[arb, Decay, int]]


def first_order(truth: Truth, totals: Sequence[Fraction], step: Fraction) -> arb:
    """4hΣkB Π max(1, μ)^k, ``totals`` the sums μ of the grid masses; +∞ where a density is not bounded."""
    parts = zip(truth.composition.parts, totals, strict=True)
    return density_discretisation(
        [(_supremum(mechanism, truth.direction), total, k) for (mechanism, k), total in parts], step
    )


def second_order(truth: Truth, L: Fraction, step: Fraction) -> arb:
    """By Poisson summation on the infinite grid, and what both problems have outside of [−L, L).

    +∞ where the decay of a transform is not bounded.
    """
    with working(BOUND_BITS):
        try:
            return _second_order(truth, L, step)
        except (NoConvergence, ArithmeticError):
            return arb.pos_inf()


def _second_order(truth: Truth, L: Fraction, step: Fraction) -> arb:
    at, edge = float(truth.epsilon), float(L)

    def cumulant(lam: float) -> float:
        return cumulant_of(truth.product, lam)[0]

    theta = best_tilt(lambda lam: cumulant(lam) - lam * at - math.log(lam) / 2)
    lam = best_tilt(lambda lam: max(cumulant(lam), cumulant(-lam)) - lam * edge)
    middle, up, down, flat = (_decays(truth, tilt) for tilt in (theta, lam, -lam, Fraction(0)))
    if middle is None or up is None or down is None or flat is None:
        return arb.pos_inf()
    within = lattice_discretisation(middle, theta=theta, step=step, epsilon=truth.epsilon)
    h = ball(step)
    ups, downs = ([(m + falls.aliases(h)).log().upper() for m, falls, _ in side] for side in (up, down))
    mass = arb(1)
    for m, falls, k in flat:
        mass *= (m + falls.aliases(h)).max(arb(1)) ** k
    counts = [k for _, k in truth.composition.parts]
    wrapped = periodisation(_total(ups, counts), _total(downs, counts), lam, L)
    dropped = truncation(list(zip(ups, downs, counts, strict=True)), lam, L)
    grid = wrapped + dropped * mass
    return (within + grid + truth.promised_periodisation(L) + truth.promised_truncation(L)).upper()


def _total(logs: Sequence[arb], counts: Sequence[int]) -> arb:
    return sum((k * x for x, k in zip(logs, counts, strict=True)), arb(0))


def _decays(truth: Truth, tilt: Fraction) -> Parts | None:
    found: Parts = []
    for mechanism, k in truth.composition.parts:
        falls = decay(mechanism, truth.direction, tilt)
        if falls is None:
            return None
        found.append((log_moment(mechanism, truth.direction, tilt).exp(), falls, k))
    return found


def _supremum(mechanism: Mechanism, direction: Direction) -> arb:
    parameters = noise_and_q(mechanism)
    if parameters is None or not (direction == "add" or direction == "remove"):
        return arb.pos_inf()
    return density_supremum(*parameters, direction)
