r"""``prv-accountant``, the library: from the true δ to what it returns.

``discretisation`` with the conditioning on its domain (by coupling), ``periodisation``, ``rounding`` and
``margin``, for the masses and the domain that the library's own objects have.

Promised is what GLW21 Theorem 5.5 gives each step of :math:`\delta_{err}`, with the library's own
:math:`\varepsilon_{err}`: the coupling 1/6, which is :math:`\log(12/\delta_{err}) = \log(2/\eta)`; the
conditioning 1/6, by Lemma 5.4 :math:`\tfrac43 \tfrac18`; what wraps around the tail's
:math:`\tfrac43 \tfrac14 = \tfrac13` and, as it is the discretised sum that wraps, both of these again.

Several parts are composed by convolutions that keep the domain of one: each drops what lies outside, and so
the composition differs from that on the whole line by at most the mass of the partial sums outside.
"""

from fractions import Fraction

from pldverify.accountants.adapters.prv_accountant import PRV
from pldverify.accountants.adapters.prv_accountant_grid import Grid
from pldverify.balls import arb
from pldverify.balls.ball import ball, upper
from pldverify.bounds.coupling import coupling_band, coupling_shift
from pldverify.decomposition.grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.decomposition.reading import Reading, require_same
from pldverify.decomposition.steps import (
    chain_rounding,
    checked,
    exact_sum,
    margin,
    mass_outside,
    observed_term,
    rounding_bound,
    rounding_term,
)
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.errors import NotSupported
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.claim import Claim


def read(accountant: PRV, query: Query) -> Reading:
    """What the library returns for δ(ε), and its grid."""
    claim = accountant.claim(query)
    directions = query.composition.directions(query.adjacency)
    # its subsampled mechanism is the mixture against the base
    direction: Direction = "remove" if "remove" in directions else directions[0]
    return Reading(claim, direction, lambda truth: _terms(accountant, query, claim, truth))


def _terms(accountant: PRV, query: Query, claim: Claim, truth: Truth) -> list[Term]:
    found = accountant.grid(query)
    require_same(claim, exact_sum(found.triple[accountant.position]))
    if found.infinite:
        raise NotSupported("a budget needs a finite loss, got mass at infinity")
    raw, size, step = exact_sum(found.triple[1]), len(found.masses[0]), Fraction(found.mesh)
    parts = [
        GridPart(checked(masses), -found.zero, k)
        for masses, k in zip(found.masses, found.counts, strict=True)
    ]
    end = size - found.zero
    # the nodes of the composition begin at this double
    shift = Fraction(found.start) + found.zero * step
    kernel = Kernel(step, Fraction(float(truth.epsilon)) - shift, end)
    outside = mass_outside(parts, step)
    whole = unwrapped_sum(parts, kernel, n=size, outside=outside, goal=truth.goal)
    composed = _composed(parts, size, step, kernel, whole, truth)

    farthest = max(abs(float(shift + i * step)) for i in (-found.zero, end))
    rounding = rounding_bound(parts, n=size, kernel=end - kernel.start, reach=farthest)
    if len(parts) > 1:  # the convolution of two takes an FFT of a length next to 2n
        rounding = chain_rounding(parts, n=4 * size, reach=farthest)
    noise = rounding_bound(parts, n=size, kernel=size, reach=farthest)
    far = ball(Fraction(found.delta_error) * 2 / 3)
    return [
        _discretisation(found, whole, step, truth),
        observed_term("periodisation", composed - whole, -far, far, "GLW21 Theorem 5.5"),
        rounding_term(raw, composed, rounding),
        *margin(accountant, claim, raw, noise),
    ]


def _discretisation(found: Grid, whole: arb, step: Fraction, truth: Truth) -> Term:
    delta_error, eps_error = Fraction(found.delta_error), Fraction(found.eps_error)
    eta = delta_error / 6
    reach = min(Fraction(upper(coupling_shift(step, truth.composition.steps, eta))), eps_error)
    low, high = coupling_band(
        truth.delta_at(truth.epsilon + reach), truth.delta_at(truth.epsilon - reach), delta_error / 3
    )
    delta = truth.delta_at(truth.epsilon)
    theorem = "GLW21 Theorem 5.5"
    return observed_term(
        "discretisation", whole - delta, -(delta - low).upper(), (high - delta).upper(), theorem
    )


def _composed(
    parts: list[GridPart], size: int, step: Fraction, kernel: Kernel, whole: arb, truth: Truth
) -> arb:
    """What the library's composition would be without rounding."""
    if len(parts) == 1:
        return wrapped_sum(parts, size, kernel, goal=truth.goal)
    lost = arb(0)
    for first in range(len(parts)):
        for last in range(first + 1, len(parts) + 1):  # every node of its tree is one of these
            lost += mass_outside(parts[first:last], step)(kernel.end - size, kernel.end)
    return whole + arb(0, lost.upper())
