import json
import subprocess
import sys
from fractions import Fraction

import pytest

import pldverify
from pldverify.certificate.certify import certify
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
from pldverify.reference.engines.conclude import prove_again
from pldverify.reference.quantities.epsilon import epsilon

STEP = PoissonSubsampled(Gaussian(1), "0.01")
QUERY = Query(10_000 * STEP, delta="1e-6")


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    [
        # δ(6.90735948) = 1.00008374…e-6 > 1e-6, computed independently of this code: the true ε is above.
        ("6.90735948", "REFUTED"),
        # dp-accounting 0.6.0 says 6.907419 (pessimistic), prv-accountant 0.2.0 says 6.907499.
        ("6.91", "CERTIFIED"),
        ("6.9", "REFUTED"),
        (7, "CERTIFIED"),
        (0, "REFUTED"),
    ],
)
def test_a_dp_sgd_budget(epsilon, verdict: str) -> None:
    certificate = certify(QUERY, epsilon)
    assert certificate.verdict == verdict
    assert certificate.query == QUERY and certificate.epsilon == Fraction(epsilon)
    assert certificate.version == pldverify.__version__
    assert certificate.digits == 0 and certificate.reason == ""  # a bracket was enough
    truth = certificate.truth
    assert truth is not None and prove_again(truth) == truth
    assert truth.lower <= Fraction("6.907384495") <= truth.upper


def test_digits_are_asked_for_where_the_bracket_is_not_enough() -> None:
    true = epsilon(QUERY.composition, delta="1e-6", digits=30)
    above, below = Fraction(true.upper) + Fraction(1, 10**25), Fraction(true.lower) - Fraction(1, 10**25)
    for claim, verdict in ((above, "CERTIFIED"), (below, "REFUTED")):
        certificate = certify(QUERY, claim)
        assert (certificate.verdict, certificate.digits) == (verdict, 30)


@pytest.mark.parametrize("order", [1, -1])
def test_a_certificate_does_not_depend_on_earlier_ones(order: int) -> None:
    query = Query((20_000 + order) * STEP, delta="1e-6")
    found = {claim: certify(query, claim).truth for claim in ("100", "11", "10.6")[::order]}
    assert found["100"] is not None and found["100"].digits < 2
    assert [found[claim] and found[claim].digits for claim in found] == sorted(
        (found[claim].digits for claim in found), reverse=order < 0
    )


def test_json_round_trips() -> None:
    certificate = certify(QUERY, "6.91")
    data = json.loads(json.dumps(certificate.to_json(), allow_nan=False))
    assert certificate.truth is not None
    assert data["verdict"] == "CERTIFIED"
    assert Fraction(data["epsilon"]) == Fraction("6.91") and Fraction(data["delta"]) == Fraction(1, 10**6)
    assert Fraction(data["lower"]) == certificate.truth.lower
    assert Fraction(data["upper"]) == certificate.truth.upper
    assert data["composition"] == "10000 * poisson(gaussian(sigma=1), q=0.01)"
    assert data["upper_float"] == float(certificate.truth.upper)


def test_what_cannot_be_decided_is_said_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from pldverify import reference
    from pldverify.errors import NoConvergence
    from pldverify.reference.quantities import bracket

    def gives_up(*arguments: object, **options: object) -> None:
        raise NoConvergence("more than 10 nodes needed")

    monkeypatch.setattr(reference, "epsilon", gives_up)
    monkeypatch.setattr(reference, "delta", gives_up)
    monkeypatch.setattr(bracket, "epsilon_one_way", gives_up)
    monkeypatch.setattr(bracket, "delta_one_way", gives_up)
    certificate = certify(Query(10_001 * STEP, delta="1e-6"), "6.91")
    assert (certificate.verdict, certificate.cause) == ("UNDECIDED", "TOO WIDE")
    rough = certificate.truth
    assert rough is not None and rough.lower < Fraction("6.9") < Fraction("6.92") < rough.upper
    assert certificate.reason == f"proved: {rough}; more than 10 nodes needed"
    assert certify(certificate.query, "7.5").verdict == "CERTIFIED"  # by rough bounds
    assert certify(certificate.query, "0.3").verdict == "REFUTED"


@pytest.mark.parametrize(
    ("query", "epsilon", "message"),
    [
        (Query(STEP, epsilon=1), 1, "query must have delta"),
        (QUERY, -1, "epsilon must be >= 0, got epsilon=-1"),
        (QUERY, float("nan"), "epsilon must be finite"),
        (QUERY, "six", "epsilon must be a decimal"),
    ],
)
def test_bad_input(query: Query, epsilon, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        certify(query, epsilon)


def test_no_library_that_it_does_not_need_is_imported() -> None:
    code = (
        "import sys\n"
        "from pldverify.certificate.certify import certify\n"
        "from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query\n"
        "query = Query(10_000 * PoissonSubsampled(Gaussian(1), '0.01'), delta='1e-6')\n"
        "assert certify(query, '6.91').verdict == 'CERTIFIED'\n"
        "heavy = {'scipy', 'sympy', 'mpmath', 'matplotlib', 'dp_accounting', 'prv_accountant'}\n"
        "print(*heavy & {*sys.modules})\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
