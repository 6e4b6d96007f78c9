"""Truth: the reference's answer to a query, computed once and shared by all who are judged against it."""

from functools import lru_cache

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure


def truth(query: Query, digits: int) -> Enclosure:
    """The proved enclosure of what the query asks for.

    The last 256 outcomes are kept, failures too: a reference that cannot answer costs its time once.
    Raises NoConvergence or NotSupported where the reference does.
    """
    outcome = _outcome(query, digits)
    if isinstance(outcome, Enclosure):
        return outcome
    raise type(outcome)(str(outcome))


@lru_cache(maxsize=256)
def _outcome(query: Query, digits: int) -> Enclosure | NoConvergence | NotSupported:
    from pldverify import reference

    try:
        if query.epsilon is not None:
            return reference.delta(
                query.composition, epsilon=query.epsilon, adjacency=query.adjacency, digits=digits
            )
        assert query.delta is not None  # a query has exactly one of the two
        return reference.epsilon(
            query.composition, delta=query.delta, adjacency=query.adjacency, digits=digits
        )
    except (NoConvergence, NotSupported) as failure:
        return failure.with_traceback(None)
