"""KJH19 5.3 and KJH20s B.4 print pairs that do not dominate the sampling that they are printed for.

At σ = 2, q = 0.3, δ = 1e-5 the printed pair has an ε below 2.9, where batches of a fixed size are above it.
"""

import pytest

from pldverify.certificate.certify import certify
from pldverify.mechanisms import (
    Gaussian,
    KJH19Substitute,
    KJH20WithReplacement,
    PoissonSubsampled,
    Query,
    SampledWithoutReplacement,
)


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


def test_a_pair_of_the_whole_batch_is_no_printed_pair() -> None:
    assert certify(Query(KJH19Substitute(Gaussian(2), 1), delta="1e-5"), 1000).verdict == "CERTIFIED"
