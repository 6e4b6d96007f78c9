"""Truth: the reference's answers to a query, computed once and shared by all who are judged against them."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.point_query import PointQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.numbers.enclosure import Enclosure

if TYPE_CHECKING:
    from pldverify.reference.quantities.bracket import AnyNarrowing, NarrowingEnds

_DIGITS = 15
"""Significant digits asked of a point of a curve, about those of a double."""
_CURVES = {"rdp": ("rdp", "order"), "tail": ("tail", "epsilon"), "trade-off": ("trade_off", "alpha")}
"""By quantity, the reference's function and what it calls the point."""
_SECONDS = 2.0
"""Processor time that one demand on a bracket may take."""


def truth(query: Query, digits: int, engine: str | None = None) -> Enclosure:
    """The proved enclosure of what the query asks for; by this ``engine`` alone, if one is named.

    The last 256 outcomes are kept, failures too: a reference that cannot answer costs its time once.
    Raises NoConvergence or NotSupported where the reference does, InvalidInput for an unknown engine.
    """
    outcome = _outcome(query, digits, engine)
    if isinstance(outcome, Enclosure):
        return outcome
    if isinstance(outcome, NoConvergence):
        raise NoConvergence(str(outcome), outcome.bracket)
    raise NotSupported(str(outcome))


def bracket(query: Query, enough: Callable[[Enclosure], bool], seconds: float = _SECONDS) -> Enclosure:
    """What is proved within some seconds of processor time, as soon as it is ``enough``; another demand goes
    on from there.

    Of what is neither ε nor δ it is the truth to 15 digits. Raises NotSupported.
    """
    if query.quantity == "noise":
        raise NotSupported("the least noise is not enclosed, but the ε at a claimed one")
    if isinstance(query, PointQuery):
        try:
            return truth(query, _DIGITS)
        except NoConvergence as failure:
            raise NotSupported(str(failure)) from None
    return _narrowing(query).until(enough, seconds)


def by_attack(truth: Enclosure, epsilon: Fraction, digits: int) -> Enclosure | None:
    """δ(ε) of hidden batches by the attack that has proved the ``truth``, ε at a δ: no other is looked for.
    None where there is no such attack, or it proves nothing.
    """
    from pldverify.reference.quantities.same_attack import attacked, same_attack

    known = attacked(truth)
    with suppress(NoConvergence):
        return None if known is None else same_attack(known, [epsilon], digits, Fraction(0))[0]
    return None


@lru_cache(maxsize=256)
def _narrowing(query: Query) -> "AnyNarrowing | NarrowingEnds":
    from pldverify.reference.quantities.bracket import narrowing

    return narrowing(query)


@lru_cache(maxsize=256)
def _outcome(query: Query, digits: int, engine: str | None) -> Enclosure | NoConvergence | NotSupported:
    from pldverify import reference

    try:
        if isinstance(query, PointQuery):
            function, name = _CURVES[query.quantity]
            at = {name: getattr(query, query.given), "adjacency": query.adjacency}
            found: Enclosure = getattr(reference, function)(query.composition, digits=digits, **at)
            return found
        if query.epsilon is not None:
            return reference.delta(
                query.composition,
                epsilon=query.epsilon,
                adjacency=query.adjacency,
                digits=digits,
                engine=engine,
            )
        assert query.delta is not None  # a query has exactly one of the two
        return reference.epsilon(
            query.composition, delta=query.delta, adjacency=query.adjacency, digits=digits, engine=engine
        )
    except (NoConvergence, NotSupported) as failure:
        return failure.with_traceback(None)


def selected_divergence(mechanism: RepeatAndSelect, adjacency: Adjacency, alpha: Fraction) -> Fraction:
    """Upper bound on a Rényi divergence of the best of several runs. Raises NoConvergence, NotSupported."""
    from pldverify.reference.quantities.bracket import of_run
    from pldverify.reference.quantities.selected import selected_divergence as bound

    return bound(mechanism, adjacency, alpha, of_run)
