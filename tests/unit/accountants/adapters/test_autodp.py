"""The adapters against autodp called directly."""

import pytest

from pldverify.accountants.registry import accountant
from pldverify.mechanisms import (
    ZCDP,
    AboveThreshold,
    Binomial,
    DiscreteGaussian,
    Exponential,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.mechanisms.renyi_query import RenyiQuery

zoo = pytest.importorskip("autodp.mechanism_zoo")
transformers = pytest.importorskip("autodp.transformer_zoo")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")


def answered(name: str, query: Query):
    return accountant(f"autodp/{name}").claim(query).value  # type: ignore[union-attr]  # adapters return claims


def sampled(mechanism, q: float, improved: bool):
    return transformers.AmplificationBySampling()(mechanism, q, improved_bound_flag=improved)


@pytest.mark.parametrize(
    ("mechanism", "make"),
    [
        (Gaussian(6, sensitivity=2), lambda: zoo.GaussianMechanism(sigma=3.0)),
        (Laplace(6, sensitivity=2), lambda: zoo.LaplaceMechanism(b=3.0)),
        (RandomizedResponse("3/4"), lambda: zoo.RandresponseMechanism(p=0.75)),
        (PureDP("1/8"), lambda: zoo.PureDP_Mechanism(eps=0.125)),
        (ZCDP("1/8"), lambda: zoo.zCDP_Mechanism(rho=0.125)),
        (DiscreteGaussian(6, sensitivity=2), lambda: zoo.DiscreteGaussianMechanism(sigma=3.0)),
        (Exponential("1/4", monotone=True), lambda: zoo.ExponentialMechanism(eps=0.125)),
        (AboveThreshold(6, 6, 2), lambda: zoo.LaplaceSVT_Mechanism({"b": 3.0, "k": 10**12, "c": 1})),
        (
            PoissonSubsampled(Gaussian(3), "1/4"),
            lambda: sampled(zoo.GaussianMechanism(sigma=3.0), 0.25, True),
        ),
        (PoissonSubsampled(Laplace(3), "1/4"), lambda: sampled(zoo.LaplaceMechanism(b=3.0), 0.25, False)),
    ],
)
def test_it_composes_the_mechanism_of_the_zoo(mechanism, make) -> None:
    direct = transformers.Composition()([make()], [7])
    assert answered("zoo", Query(7 * mechanism, delta="1e-5")) == direct.get_approxDP(1e-5)
    assert answered("zoo", Query(7 * mechanism, epsilon="1/2")) == direct.get_approx_delta(0.5)
    assert answered("eps", Query(7 * mechanism, delta="1e-5")) == direct.get_eps(1e-5)
    assert answered("single", Query(mechanism, delta="1e-5")) == make().get_approxDP(1e-5)


def test_replaced_records_have_twice_the_sensitivity() -> None:
    direct = transformers.Composition()([zoo.GaussianMechanism(sigma=1.5)], [7])
    query = Query(7 * Gaussian(6, sensitivity=2), delta="1e-5", adjacency="replace-one")
    assert answered("zoo", query) == direct.get_approxDP(1e-5)


def test_batches_without_replacement_are_of_a_mechanism_for_replaced_records() -> None:
    base = zoo.GaussianMechanism(sigma=1.5)
    base.neighboring = "replace_one"
    subsample = transformers.AmplificationBySampling(PoissonSampling=False)
    direct = transformers.Composition()([subsample(base, 0.25, improved_bound_flag=True)], [7])
    query = Query(7 * SampledWithoutReplacement(Gaussian(3), "1/4"), delta="1e-5")
    assert answered("zoo", query) == direct.get_approxDP(1e-5)


def test_the_exact_gaussian_mechanism() -> None:
    assert answered("exact", Query(Gaussian(3), delta="1e-5")) == zoo.ExactGaussianMechanism(
        3.0
    ).get_approxDP(1e-5)
    assert "Gaussian" in str(accountant("autodp/exact").supports(Query(Laplace(1), delta="1e-5")))
    twice = Query(2 * Gaussian(1), delta="1e-5")
    assert "steps must be at most 1" in str(accountant("autodp/exact").supports(twice))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(Gaussian(1), delta="1e-5", adjacency="add"), "got 'add'"),
        (Query(Binomial(10, "1/2"), delta="1e-5"), "no mechanism for binomial"),
        (Query(PoissonSubsampled(Gaussian(1), "1/4"), delta="1e-5", adjacency="replace-one"), "no mechanism"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    assert reason in str(accountant("autodp/zoo").supports(query))
    assert "no delta" in str(accountant("autodp/eps").supports(Query(Gaussian(1), epsilon=1)))


def test_the_divergence_is_that_of_the_composition() -> None:
    direct = transformers.Composition()([zoo.LaplaceMechanism(b=3.0)], [7])
    assert answered("rdp-curve", RenyiQuery(7 * Laplace(3), order="5/2")) == direct.get_RDP(2.5)
