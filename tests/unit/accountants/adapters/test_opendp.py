"""The adapters against opendp called directly."""

import math

import pytest

from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain.opendp import ZCDP, Pure
from pldverify.accountants.registry import accountant
from pldverify.accountants.standalone import Question
from pldverify.accountants.worker import plain
from pldverify.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    Query,
    RandomizedResponse,
    ThresholdedHistogram,
)

dp = pytest.importorskip("opendp.prelude")
dp.enable_features("contrib")
REALS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)


@pytest.mark.parametrize(
    ("mechanism", "measurement", "moved"),
    [
        (Gaussian(6, sensitivity=2), dp.m.make_gaussian(*REALS, scale=6.0), 2.0),
        (DiscreteGaussian(6, sensitivity=2), dp.m.make_gaussian(*INTEGERS, scale=6.0), 2),
        (Laplace(6), dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*REALS, scale=6.0)), 1.0),
    ],
)
def test_zcdp_is_added_up_and_converted(mechanism, measurement, moved) -> None:
    composed = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([measurement] * 7))
    direct = composed.map(moved)
    assert accountant("opendp/zcdp").claim(Query(7 * mechanism, delta="1e-5")).value == direct.epsilon(1e-5)
    assert accountant("opendp/zcdp").claim(Query(7 * mechanism, epsilon="1/2")).value == direct.delta(0.5)
    replaced = composed.map(2 * moved)
    query = Query(7 * mechanism, delta="1e-5", adjacency="replace-one")
    assert accountant("opendp/zcdp").claim(query).value == replaced.epsilon(1e-5)


def test_pure_dp_is_added_up() -> None:
    direct = dp.c.make_composition([dp.m.make_laplace(*INTEGERS, scale=6.0)] * 7).map(2)
    assert (
        accountant("opendp/pure").claim(Query(7 * DiscreteLaplace(6, sensitivity=2), delta="1e-5")).value
        == direct
    )


@pytest.mark.parametrize("monotone", [False, True])
def test_choices_are_noisy_maxima(monotone: bool) -> None:
    scores = dp.vector_domain(REALS[0]), dp.linf_distance(T=float, monotonic=monotone)
    gumbel = dp.m.make_noisy_max(*scores, dp.zero_concentrated_divergence(), scale=4.0)
    direct = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([gumbel] * 7)).map(1.0).epsilon(1e-5)
    asked = Query(7 * Exponential("1/2", monotone), delta="1e-5")
    assert accountant("opendp/zcdp").claim(asked).value == direct
    pure = dp.c.make_composition([dp.m.make_noisy_max(*scores, dp.max_divergence(), scale=4.0)] * 7).map(1.0)
    asked = Query(7 * PermuteAndFlip("1/2", monotone), delta="1e-5")
    assert accountant("opendp/pure").claim(asked).value == pure


def test_thresholds_add_up_their_delta() -> None:
    counts = dp.map_domain(dp.atom_domain(T=str), REALS[0])
    metric = dp.l01inf_distance(dp.absolute_distance(T=float))
    one = dp.m.make_laplace_threshold(counts, metric, scale=2.0, threshold=21.0)
    epsilon, delta = dp.c.make_composition([one] * 3).map((1, 1.0, 1.0))
    shown = 3 * ThresholdedHistogram(Laplace(2), 21)
    assert 2.2e-5 < delta < 7e-5
    assert accountant("opendp/pure").claim(Query(shown, delta="7e-5")).value == epsilon
    assert accountant("opendp/pure").claim(Query(shown, delta="2e-5")).value == math.inf


@pytest.mark.parametrize(
    ("adapter", "query", "reason"),
    [
        (ZCDP, Query(Gaussian(1), delta="1e-5", adjacency="add"), "got 'add'"),
        (ZCDP, Query(RandomizedResponse("3/4"), delta="1e-5"), "no measurement"),
        (ZCDP, Query(20_000 * Gaussian(1), delta="1e-5"), "steps must be at most 10000"),
        (ZCDP, Query(Gaussian(1) + Gaussian(1, sensitivity=2), delta="1e-5"), "one sensitivity"),
        (ZCDP, Query(Gaussian(1) + DiscreteGaussian(1), delta="1e-5"), "one domain"),
        (ZCDP, Query(Exponential(1) + Exponential(1, True), delta="1e-5"), "one domain"),
        (Pure, Query(Exponential(1), delta="1e-5"), "by zCDP alone"),
        (ZCDP, Query(Exponential(1, times=2), delta="1e-5"), "no measurement"),
        (Pure, Query(ThresholdedHistogram(Gaussian(1), 9), delta="1e-5"), "no measurement"),
        (Pure, Query(Gaussian(1), delta="1e-5"), "not of pure DP"),
        (Pure, Query(Laplace(1), epsilon=1), "no delta"),
    ],
)
def test_what_it_does_not_have_is_refused(adapter, query: Query, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(adapter(), Question(plain.query(query)))
