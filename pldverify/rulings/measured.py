"""What is proved of what a claim is about, where that is not ε: ρ, μ, a divergence, a rate, the advantage."""

from collections.abc import Sequence
from fractions import Fraction

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.exact import probability
from pldverify.numbers.scientific import order
from pldverify.reference.quantities.directions import MAX_DIGITS
from pldverify.reference.search.neighbours import attained_by
from pldverify.rulings.model import Claim
from pldverify.values.divergences import divergence
from pldverify.values.least import mu, rho
from pldverify.values.truth import truth
from pldverify.values.value import UNKNOWN, End, Value, narrower, of_pairs
from pldverify.values.verdict import Statement, all_hold, holds

_DIGITS = 10
"""Significant digits of a rate, more than anybody claims."""
_FEW = 6
"""Those that are asked first: more may take too long, and most claims need none."""


def measured(
    claim: Claim, composition: Composition, adjacency: Adjacency, statements: Sequence[Statement]
) -> Value:
    """The true value of what is claimed, as far as it takes to decide the ``statements``.

    Raises InvalidInput for numbers out of range, and for an adjacency without pairs.
    """
    if claim.rdp is not None:
        return divergence(composition, adjacency, claim.rdp.order)
    if claim.tpr is not None:
        return power(composition, adjacency, probability(str(claim.tpr.fpr), "fpr"), statements)
    if claim.advantage is not None:
        return _advantage(composition, adjacency)
    if claim.rho is not None:
        return rho(composition, adjacency, statements)
    regret = Fraction(0) if claim.regret is None else probability(str(claim.regret), "regret")
    return mu(composition, relation(adjacency), statements, regret)  # T ≥ G_μ says the same of the reverse


def power(
    composition: Composition, adjacency: Adjacency, fpr: Fraction, statements: Sequence[Statement] = ()
) -> Value:
    """The largest TPR at an FPR: 1 − T, which is small where the FPR is, so that T has more digits; as many
    as it takes to decide the ``statements``.

    Of parameters that are no fractions it lies between those of the ends, as the pairs are ordered. Where
    the pairs only bound it, what some neighbours have is the lower end.
    """
    value, more = UNKNOWN, max(0, -order(fpr)) if fpr else 0
    more = min(more, MAX_DIGITS - _DIGITS)
    for digits in (_FEW, _DIGITS):
        ends = (TradeOffQuery(whole, alpha=fpr, adjacency=adjacency) for whole in composition.ends())
        less, most = (_enclosed(query, digits + more) for query in ends)
        value = narrower(value, Value(_rest(less.upper), _rest(most.lower)))
        answers = [holds(way, number, value) for way, number in statements]
        if answers and all_hold(answers) is not None:
            break
    other = attained_by(composition.ends()[0], adjacency) if value.lower is None else None
    return value if other is None else narrower(value, Value(lower=power(*other, fpr).lower))


def _rest(end: End | None) -> End | None:
    return None if end is None else End(1 - Fraction(end.at), end.by)


def _advantage(composition: Composition, adjacency: Adjacency) -> Value:
    """δ(0); where the pairs only bound it, what some neighbours have is the lower end."""
    value = _enclosed(Query(composition, epsilon=0, adjacency=adjacency), _DIGITS)
    other = attained_by(composition.ends()[0], adjacency) if value.lower is None else None
    if other is None:
        return value
    whole, way = other
    return narrower(value, Value(lower=_enclosed(Query(whole, epsilon=0, adjacency=way), _DIGITS).lower))


def _enclosed(query: Query, digits: int) -> Value:
    """By the reference; UNKNOWN where it has no answer."""
    try:
        return of_pairs(query, truth(query, digits))
    except NoConvergence as failure:
        return of_pairs(query, failure.bracket)
    except NotSupported:
        return UNKNOWN
