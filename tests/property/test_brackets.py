"""A bracket of any mechanism contains what the engines enclose, at every stage, and is proved again."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.quantities.bracket import Narrowing
from tests.property.test_reference import NIGHTLY, decimals

MECHANISMS = [
    pv.Gaussian(2), pv.GDP("0.3"), pv.Laplace(3), pv.RandomizedResponse("0.6"),
    pv.RandomizedResponse("0.4", categories=4), pv.PureDP("0.2"), pv.ApproximateDP("0.1", "1e-6"),
    pv.FinitePair(["1/2", "1/3", "1/6"], ["1/3", "1/3", "1/3"]), pv.Binomial(40, "0.5"),
    pv.DiscreteGaussian(4), pv.DiscreteLaplace(5), pv.PoissonSubsampled(pv.Gaussian(1), "0.01"),
    pv.PoissonSubsampled(pv.Laplace(1), "0.02"), pv.PoissonSubsampled(pv.DiscreteGaussian(2), "0.1"),
    pv.PoissonSubsampled(pv.RandomizedResponse("0.7"), "0.1"),
    pv.SampledWithoutReplacement(pv.Gaussian(1), "0.01"),
    pv.SampledWithReplacement(pv.Gaussian(1), m=2, n=30), pv.KJH19Substitute(pv.Gaussian(1), "0.1"),
]  # fmt: skip


@st.composite
def queries(draw: st.DrawFn) -> pv.Query:
    """One or two mechanisms that have a relation in common."""
    count = st.sampled_from([1, 2, 30])
    whole = draw(count) * draw(st.sampled_from(MECHANISMS))
    other = draw(st.sampled_from(MECHANISMS))
    if any(whole.has(name) and name in other.relations for name in ("add-or-remove", "replace-one")):
        whole = whole + draw(count) * other
    if draw(st.booleans()):
        return pv.Query(whole, delta=draw(decimals(-10, -0.01)))
    return pv.Query(whole, epsilon=draw(st.sampled_from([1, 1, 1, -1])) * draw(decimals(-2, 1)))


@settings(max_examples=400 if NIGHTLY else 10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(queries())
def check_brackets(query: pv.Query) -> None:
    stages: list[Enclosure] = []
    last = Narrowing(query).until(lambda found: bool(stages.append(found)), 0.5)  # type: ignore[func-returns-value]
    assert all(a.lower <= b.lower and b.upper <= a.upper for a, b in pairwise(stages))
    assert pv.prove_again(last) == last
    try:
        truth = (
            pv.delta(query.composition, epsilon=query.epsilon, digits=3)
            if query.epsilon is not None
            else pv.epsilon(query.composition, delta=query.delta, digits=3)
        )
    except NoConvergence as failure:
        assert failure.bracket is None or failure.bracket.overlaps(last)
        return
    assert all(found.overlaps(truth) for found in (*stages, last))
    assert Fraction(0) <= last.lower


@pytest.mark.slow
def test_brackets_contain_what_the_engines_enclose() -> None:
    check_brackets()
