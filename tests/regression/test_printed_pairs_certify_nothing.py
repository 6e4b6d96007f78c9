"""KJH19 5.3 and KJH20s B.4 print pairs that do not dominate the sampling that they are printed for.

At σ = 2, q = 0.3, δ = 1e-5 the printed pair has an ε below 2.9, where batches of a fixed size are above it.
"""

import pytest

from pldverify.mechanisms import (
    Gaussian,
    KJH19Substitute,
    KJH20WithReplacement,
    PoissonSubsampled,
    Query,
    SampledWithoutReplacement,
)
from pldverify.rulings.certify import Relation, certify


def test_the_printed_pair_is_certified_under_a_condition_only() -> None:
    base = Gaussian(2)
    printed = certify(Query(KJH19Substitute(base, "0.3"), delta="1e-5"), "2.9")
    assert (printed.verdict, printed.cause, printed.truth_is) == (
        "CONDITIONAL",
        "PRINTED PAIR",
        "lower bound",
    )
    assert "does not dominate" in printed.reason
    assert printed.to_json()["cause"] == "PRINTED PAIR"
    assert certify(Query(SampledWithoutReplacement(base, "0.3"), delta="1e-5"), "2.9").verdict == "REFUTED"
    poisson = Query(PoissonSubsampled(base, "0.3"), delta="1e-5", adjacency="replace-one")
    assert certify(poisson, "2.9").verdict == "CERTIFIED"  # the same pair, which dominates there


@pytest.mark.parametrize("count", [1, 10])
@pytest.mark.parametrize(
    "printed", [KJH19Substitute(Gaussian(2), "0.3"), KJH20WithReplacement(Gaussian(2), 3, 10)], ids=str
)
def test_what_is_refuted_of_a_printed_pair_is_refuted(printed, count: int) -> None:
    """It is attained, by data sets whose other records are 0."""
    assert certify(Query(count * printed, delta="1e-5"), "0.1").verdict == "REFUTED"
    assert certify(Query(count * printed, delta="1e-5"), 1000).verdict == "CONDITIONAL"


@pytest.mark.parametrize(
    ("relation", "epsilon", "verdict"),
    [
        (">=", 100, "UNDECIDED"),
        ("=", 100, "UNDECIDED"),
        ("<=", 100, "CONDITIONAL"),
        ("<=", 1, "REFUTED"),
        (">=", 1, "CERTIFIED"),
        ("=", 1, "REFUTED"),
    ],
)
def test_a_condition_is_stated_of_what_is_proved_of_the_pair_alone(
    relation: Relation, epsilon: int, verdict: str
) -> None:
    """ε ≥ 100 was CONDITIONAL, "proved of the printed pair", whose ε is 1.4."""
    query = Query(10 * KJH19Substitute(Gaussian(2), "0.1"), delta="1e-5")
    found = certify(query, epsilon, relation=relation)
    assert found.verdict == verdict
    if verdict == "UNDECIDED":
        assert found.cause == "PRINTED PAIR" and found.reason.startswith("UNSOUND of the printed pair")


def test_a_pair_of_the_whole_batch_is_no_printed_pair() -> None:
    assert certify(Query(KJH19Substitute(Gaussian(2), 1), delta="1e-5"), 1000).verdict == "CERTIFIED"
