"""Points of curves: what the reference encloses of a divergence or a δ(ε), and the largest loss."""

import math
from fractions import Fraction
from functools import lru_cache

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import Composition, RepeatAndSelect
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.enclosure import Bound
from pldverify.values.truth import bracket, selected_divergence, truth
from pldverify.values.value import UNKNOWN, Value, of_pairs

_DIGITS = 6
"""Significant digits of a divergence."""
_ROUGH = 4
"""Significant digits of a δ(ε)."""
_LOOK = 0.3
"""Processor seconds of one δ(ε)."""


@lru_cache(maxsize=512)
def enclosed(composition: Composition, adjacency: Adjacency, alpha: Bound, digits: int = _DIGITS) -> Value:
    """The reference's enclosure of the divergence; UNKNOWN where there is none."""
    query = RenyiQuery(composition, order=alpha, adjacency=adjacency)
    try:
        return of_pairs(query, truth(query, digits))
    except (NoConvergence, NotSupported):
        return UNKNOWN


@lru_cache(maxsize=512)
def profile(composition: Composition, adjacency: Adjacency, epsilon: Fraction) -> Value:
    """A bracket of δ(ε) within ``_LOOK`` seconds."""
    query = Query(composition, epsilon=epsilon, adjacency=adjacency)
    try:
        return of_pairs(query, bracket(query, lambda x: x.digits >= _ROUGH, _LOOK))
    except NotSupported:
        return UNKNOWN


@lru_cache(maxsize=512)
def of_several_runs(mechanism: RepeatAndSelect, adjacency: Adjacency, alpha: Fraction) -> Fraction | None:
    """Upper bound on the divergence of the best of several runs; None where there is none, as of a base whose
    pair does not dominate.
    """
    if not mechanism.dominates:
        return None
    try:
        return selected_divergence(mechanism, adjacency, alpha)
    except (NoConvergence, NotSupported):
        return None


def largest_loss(composition: Composition, adjacency: Adjacency) -> Bound:
    """Upper bound on the loss in both directions of the relation."""
    found = enclosed(composition, relation(adjacency), math.inf).upper
    return math.inf if found is None else found.at
