"""``prv``: from the true δ to the printed one.

``discretisation`` with the conditioning on [−L, L] (by coupling), ``periodisation``, ``rounding``,
``margin``.
"""

from fractions import Fraction

from pldverify.accountants import prv
from pldverify.accountants.losses import loss
from pldverify.accountants.prv import PRVUpper
from pldverify.balls.ball import ball, upper
from pldverify.bounds.coupling import coupling_band, coupling_shift
from pldverify.decomposition.grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.decomposition.steps import (
    checked,
    exact_sum,
    margin,
    mass_outside,
    observed_term,
    periodisation_term,
    rounding_bound,
    rounding_term,
)
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.numbers.claim import Claim


def decompose(accountant: PRVUpper, truth: Truth, claim: Claim) -> list[Term]:
    """Terms in the order in which the problems replace each other."""
    L, h = float(claim.parameters["L"]), float(claim.parameters["h"])
    losses = [(loss(m, truth.direction), k) for m, k in truth.composition.parts]
    cells = [(prv.discretize(one, L=L, h=h), k) for one, k in losses]
    size = len(cells[0][0].masses)
    half = (size - 1) // 2
    parts = [GridPart(checked(cell.masses), -half, k) for cell, k in cells]
    composed = prv.compose_prv(losses, L=L, h=h)
    raw = exact_sum(composed.delta(float(truth.epsilon)))
    step = Fraction(h)
    # the accountant's grid of the composition begins at this double
    shift = Fraction(composed.start) + half * step
    kernel = Kernel(step, Fraction(float(truth.epsilon)) - shift, half + 1)
    outside = mass_outside(parts, step)
    wrapped = wrapped_sum(parts, size, kernel, goal=truth.goal)
    whole = unwrapped_sum(parts, kernel, n=size, outside=outside, goal=truth.goal)

    delta, eta = truth.delta_at(truth.epsilon), Fraction(claim.parameters["delta_error"]) / 6
    reach = coupling_shift(step, truth.composition.steps, eta)
    shifted = Fraction(upper(reach))
    slack = ball(eta) + truth.outside(Fraction(L))
    low, high = coupling_band(
        truth.delta_at(truth.epsilon + shifted), truth.delta_at(truth.epsilon - shifted), slack
    )
    far = outside(-half, half + 1)
    farthest = L + abs(float(shift))
    rounding = rounding_bound(parts, n=size, kernel=half + 1 - kernel.start, reach=farthest)
    noise = rounding_bound(parts, n=size, kernel=size, reach=farthest)
    return [
        observed_term(
            "discretisation",
            whole - delta,
            -(delta - low).upper(),
            (high - delta).upper(),
            "GLW21 Lemmas 5.2 and 5.3",
        ),
        periodisation_term(wrapped, whole, far),
        rounding_term(raw, wrapped, rounding),
        *margin(accountant, claim, raw, noise),
    ]
