r"""What is proved of Rényi divergences: by ρ first, then what the reference encloses.

A ρ bounds divergences: D_α ≤ ρα for α > 1 by definition; D_α ≤ ρ for α ≤ 1, as D_α does not fall in α (van
Erven and Harremoës 2014, Theorem 3). It says nothing of α = ∞. For the same reason the divergence of an
order that is no fraction lies between those of its ends. Of the best of several runs each order is bounded
(:mod:`pldverify.mechanisms.repeat_and_select`).
"""

import math
from fractions import Fraction

from pldverify.mechanisms import GDP, ZCDP, Composition, Gaussian, RenyiDP, RepeatAndSelect
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import real
from pldverify.numbers.order import renyi_order
from pldverify.reference.search.neighbours import attained_by, shares
from pldverify.values.concentrated import least_rho
from pldverify.values.points import enclosed, of_several_runs
from pldverify.values.value import UNKNOWN, End, Value, narrower
from pldverify.values.verdict import ends


def divergence(composition: Composition, adjacency: Adjacency, order: object) -> Value:
    """The Rényi divergence of one order in (0, ∞], in nats. Raises InvalidInput for any other order, and for
    an adjacency without pairs.
    """
    least, most = (_divergence(composition, adjacency, end) for end in ends(renyi_order(order, real)))
    return Value(least.lower, most.upper)


def _divergence(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    value = _implied(composition, adjacency, alpha)
    if value.lower is None:
        value = narrower(value, enclosed(composition, adjacency, alpha))
    if any(isinstance(mechanism, RenyiDP | RepeatAndSelect) for mechanism, _ in composition.parts):
        value = narrower(value, _stated(composition, adjacency, alpha))
    if value.lower is None:
        for share in shares(composition):
            other = attained_by(composition, adjacency, share)
            if other is not None:
                value = narrower(value, Value(lower=enclosed(*other, alpha).lower))
    return value


def _implied(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    """By ρ. Where all that is stated is met by Gaussian noise, whose divergence is ρα for every α > 0, that
    is a mechanism with the guarantees.
    """
    found, by = least_rho(composition, adjacency), "zCDP bounds Rényi divergences"
    above = None
    if found.upper is not None and math.inf not in (found.upper.at, alpha):  # where ρ = ∞ it bounds nothing
        above = End(_times(found.upper.at, max(Fraction(1), Fraction(alpha))), by)
    if not all(isinstance(mechanism, Gaussian | GDP | ZCDP) for mechanism, _ in composition.parts):
        return Value(upper=above)
    below = None if found.lower is None else End(_times(found.lower.at, alpha), "Gaussian noise")
    if any(isinstance(mechanism, ZCDP) for mechanism, _ in composition.parts) or found.upper is None:
        return Value(below, above)
    return Value(below, End(_times(found.upper.at, alpha), "Gaussian noise"))


def _stated(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    """Of mechanisms whose divergences are bounded at each order, and others: the sum of what is known."""
    total: Bound = Fraction(0)
    most: Bound | None
    for mechanism, k in composition.parts:
        if isinstance(mechanism, RenyiDP):
            most = None if alpha == math.inf else mechanism.at_most(Fraction(alpha))
        elif isinstance(mechanism, RepeatAndSelect):
            most = None if alpha == math.inf else of_several_runs(mechanism, adjacency, Fraction(alpha))
        else:
            end = _divergence(Composition.of((mechanism, 1)), adjacency, alpha).upper
            most = None if end is None else end.at
        if most is None:
            return UNKNOWN
        total = math.inf if math.inf in (total, most) else total + k * Fraction(most)
    return Value(upper=End(total, "what is known of each mechanism's divergence, added up"))


def _times(least: Bound, alpha: Bound) -> Bound:
    """ρα; the double of a large or small fraction times ∞ would be no number."""
    return math.inf if math.inf in (least, alpha) else Fraction(least) * Fraction(alpha)
