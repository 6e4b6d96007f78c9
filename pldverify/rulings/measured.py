"""What is proved of what a claim is about, where that is not ε: ρ, μ, a divergence, a rate, the advantage."""

from collections.abc import Sequence
from fractions import Fraction

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.exact import probability
from pldverify.numbers.scientific import order
from pldverify.rulings.model import Claim
from pldverify.values.divergences import Statement, divergence, mu, rho
from pldverify.values.least import gdp
from pldverify.values.truth import truth
from pldverify.values.value import UNKNOWN, End, Value, of_pairs

_DIGITS = 10
"""Significant digits of a rate, more than anybody claims."""


def measured(
    claim: Claim, composition: Composition, adjacency: Adjacency, statements: Sequence[Statement]
) -> Value:
    """The true value of what is claimed, as far as it takes to decide the ``statements``.

    Raises InvalidInput for numbers out of range, and for an adjacency without pairs.
    """
    if claim.rdp is not None:
        return divergence(composition, adjacency, claim.rdp.order)
    if claim.tpr is not None:
        return power(composition, adjacency, probability(str(claim.tpr.fpr), "fpr"))
    if claim.advantage is not None:
        return _enclosed(Query(composition, epsilon=0, adjacency=adjacency), _DIGITS)
    if claim.regret is not None:
        return gdp(composition, regret=str(claim.regret), adjacency=adjacency)
    return (mu if claim.rho is None else rho)(composition, adjacency, statements)


def power(composition: Composition, adjacency: Adjacency, fpr: Fraction) -> Value:
    """The largest TPR at an FPR: 1 − T, which is small where the FPR is, so that T has more digits.

    It rises with δ(ε): where a parameter is no fraction, it lies between those of both its ends.
    """
    if not composition.is_exact:
        less, more = (power(each, adjacency, fpr) for each in composition.ends())
        return Value(less.lower, more.upper)
    digits = _DIGITS + max(0, -order(fpr)) if fpr else _DIGITS
    least = _enclosed(TradeOffQuery(composition, alpha=fpr, adjacency=adjacency), digits)
    return Value(_rest(least.upper), _rest(least.lower))


def _rest(end: End | None) -> End | None:
    return None if end is None else End(1 - Fraction(end.at), end.by)


def _enclosed(query: Query, digits: int) -> Value:
    """By the reference; UNKNOWN where it has no answer."""
    try:
        return of_pairs(query, truth(query, digits))
    except NoConvergence as failure:
        return of_pairs(query, failure.bracket)
    except NotSupported:
        return UNKNOWN
