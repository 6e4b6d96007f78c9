import itertools
import json
import subprocess
import sys
from fractions import Fraction
from math import prod
from typing import Any

import pytest

import pldverify
from pldverify import recheck
from pldverify.certificate.issue import document
from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    ZCDP,
    ApproximateDP,
    Composition,
    DiscreteLaplace,
    FinitePair,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
    TruncatedPoisson,
)
from pldverify.reference.engines.conclude import prove_again
from pldverify.reference.quantities.questions import epsilon
from pldverify.rulings.certify import certify
from pldverify.rulings.decide import Decision

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
        "from pldverify.rulings.certify import certify\n"
        "from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query\n"
        "query = Query(10_000 * PoissonSubsampled(Gaussian(1), '0.01'), delta='1e-6')\n"
        "assert certify(query, '6.91').verdict == 'CERTIFIED'\n"
        "heavy = {'scipy', 'sympy', 'mpmath', 'matplotlib', 'dp_accounting', 'prv_accountant'}\n"
        "print(*heavy & {*sys.modules})\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


TIES = [
    (ApproximateDP("4", "4.08e-8") + PureDP("0.1"), "4.08e-8", "4.1"),
    (3 * ApproximateDP("0.1", "1/3") + 7 * PureDP("0.1"), "19/27", "1"),
    (2048 * Laplace("0.5"), "0", "4096"),
    (RandomizedResponse("0.7"), "0.4", "0"),
    (3 * RandomizedResponse("0.7"), "0.568", "0"),
    (2 * RandomizedResponse("0.5", categories=4) + FinitePair(["0.3", "0.7"], ["0.7", "0.3"]), None, "0"),
]


@pytest.mark.parametrize(("composition", "delta", "epsilon"), TIES, ids=str)
def test_a_claim_that_equals_the_truth_is_decided(composition: Any, delta: str | None, epsilon: str) -> None:
    """All of these were UNDECIDED: a ball around 4.1 never leaves 4.1 out."""
    target = Fraction(delta) if delta is not None else distance(composition)
    certificate = certify(Query(composition, delta=target), epsilon)
    assert (certificate.verdict, certificate.digits) == ("CERTIFIED", 0)
    if epsilon != "0":
        below = certify(Query(composition, delta=target), Fraction(epsilon) - Fraction(1, 10**100))
        assert (below.verdict, below.digits) == ("REFUTED", 0)
    else:
        below = certify(Query(composition, delta=target - Fraction(1, 10**30)), 0)
        assert below.verdict == "REFUTED"


def distance(composition: Composition) -> Fraction:
    """δ(0) by brute force over all outcomes."""
    vectors = []
    for mechanism, k in composition.parts:
        if isinstance(mechanism, FinitePair):
            pair = list(zip(mechanism.p, mechanism.q, strict=True))
        else:
            assert isinstance(mechanism, RandomizedResponse)
            p, r = mechanism.p, mechanism.other
            pair = [(p, r), (r, p), *[(r, r)] * (mechanism.categories - 2)]
        vectors += [pair] * k
    products = (tuple(map(prod, zip(*each, strict=True))) for each in itertools.product(*vectors))
    return sum((max(Fraction(0), p - q) for p, q in products), Fraction(0))


def test_what_zcdp_proves_is_certified_and_what_gaussian_noise_has_is_refuted() -> None:
    gaussian = pldverify.epsilon("gaussian(1/sqrt(5.26))", delta="1e-10")
    verdicts = {"17.91": "CERTIFIED", "17.44": "CERTIFIED", "17.43": "UNDECIDED", "16.7": "REFUTED"}
    for claim, verdict in verdicts.items():
        certificate = certify(Query(ZCDP("2.63"), delta="1e-10"), claim)
        assert (certificate.verdict, certificate.truth_is) == (verdict, "upper bound")
        lower = certificate.proved.ends[0]
        assert lower is not None and 0 < lower <= gaussian.upper


@pytest.mark.parametrize(
    ("relation", "epsilon", "verdict"),
    [
        # ε(1e-6) is 6.907384…, see above
        (">=", "6.9", "CERTIFIED"),
        (">=", "6.91", "REFUTED"),
        (">=", 0, "CERTIFIED"),
        ("=", "6.91", "REFUTED"),
        ("=", "6.9", "REFUTED"),
        ("<=", "6.91", "CERTIFIED"),
    ],
)
def test_relations(relation, epsilon, verdict: str) -> None:
    certificate = certify(QUERY, epsilon, relation=relation)
    assert (certificate.verdict, certificate.relation) == (verdict, relation)
    assert certificate.to_json()["relation"] == relation
    truth = certificate.truth
    assert truth is not None and prove_again(truth) == truth
    if epsilon and verdict == "REFUTED":
        assert Fraction(epsilon) not in truth


def test_exactly_the_true_value() -> None:
    """Randomised response with p = 3/4 has ε(0) = ln 3, a rational number never; pure DP has ε(0) itself."""
    pure = Query(PureDP("0.5"), delta=0)
    assert certify(pure, "0.5", relation="=").verdict == "CERTIFIED"
    assert certify(pure, "0.5000000000000001", relation="=").verdict == "REFUTED"
    response = Query(RandomizedResponse("3/4"), delta=0)
    assert certify(response, "ln(3)").verdict in ("CERTIFIED", "UNDECIDED")
    assert certify(response, "ln(3)", relation="=").verdict == "UNDECIDED"
    assert certify(response, "ln(4)", relation="=").verdict == "REFUTED"


def test_a_pair_that_only_bounds_supports_no_lower_claim() -> None:
    both = Query(100 * TruncatedPoisson(Gaussian(1), "0.9", 1000, 1), delta="1e-3")
    assert certify(both, "0.01", relation=">=").verdict == "UNDECIDED"
    assert certify(both, 30, relation=">=").verdict == "REFUTED"
    assert certify(both, 30, relation="=").verdict == "REFUTED"


TWO_BATCHES = Query(2 * SampledWithoutReplacement(Gaussian(1), "0.016"), delta="1e-6")


def test_what_some_neighbours_have_decides_below_a_pair_that_only_bounds() -> None:
    """Two steps with q = 0.016, σ = 1: the fixed batch's account by Poisson batches (ε = 2.65) is false, as
    a data set has 5.359.
    """
    assert certify(TWO_BATCHES, "2.65").verdict == "REFUTED"
    assert certify(TWO_BATCHES, "2.65", relation=">=").verdict == "CERTIFIED"


@pytest.mark.slow
def test_what_some_neighbours_have_decides_next_to_it() -> None:
    assert certify(TWO_BATCHES, "5.35").verdict == "REFUTED"
    assert certify(TWO_BATCHES, "5.35", relation=">=").verdict == "CERTIFIED"


@pytest.mark.slow
def test_between_what_neighbours_have_and_the_pair_nothing_is_decided() -> None:
    """Of the same two steps."""
    open_ = certify(TWO_BATCHES, "5.361")
    assert (open_.verdict, open_.cause) == ("UNDECIDED", "UPPER BOUND ONLY")
    lower, upper = open_.proved.ends
    assert lower is not None and upper is not None and 5.359 < lower < 5.361 < upper < 5.363


@pytest.mark.parametrize("relation", ["<=", "="])
def test_digits_that_are_shown_decide(relation) -> None:
    """UNDECIDED stood beside 130 digits that refute it."""
    gaussian = Query(Gaussian(1), delta="1e-5")
    true = epsilon(gaussian.composition, delta="1e-5", digits=130)
    below = Fraction(int(true.lower * 10**100), 10**100)
    found = certify(gaussian, below, relation=relation, digits=130)
    assert (found.verdict, found.reason, found.cause) == ("REFUTED", "", None)
    assert found.proved.lower is not None and found.proved.lower.at > below


def test_digits_and_engine() -> None:
    plain, long = certify(QUERY, "6.91"), certify(QUERY, "6.91", digits=25)
    assert plain.truth is not None and long.truth is not None
    assert plain.verdict == long.verdict == "CERTIFIED"
    assert plain.truth.digits < 25 <= long.truth.digits and long.digits == 25
    assert certify(QUERY, "6.91", digits=1).truth == plain.truth
    by_engine = certify(QUERY, "6.9073845", engine="contour")
    assert by_engine.truth is not None and by_engine.truth.engine == "contour"
    assert certify(QUERY, "6.9073845", engine="lattice").verdict == "UNDECIDED"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"relation": "<"}, "relation must be one of <=, >=, =, got relation='<'"),
        ({"relation": None}, "relation must be one of"),
        ({"digits": 0}, "digits must be an integer from 1 to 1000, got digits=0"),
        ({"digits": 1001}, "digits must be an integer from 1 to 1000, got digits=1001"),
        ({"engine": "grids"}, "engine must be one of"),
    ],
)
def test_bad_options(options, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        certify(QUERY, "6.91", **options)


@pytest.mark.parametrize(
    ("composition", "delta", "epsilon"),
    [
        (Laplace(1), 0, 1),
        (ApproximateDP(1, "1e-3"), "1e-3", 1),
        (PureDP(1) + ApproximateDP("1/2", "1e-9"), "1e-9", "1.5"),
        (DiscreteLaplace(2, sensitivity=3), 0, "1.5"),
    ],
)
def test_equality_rests_on_one_point(composition: Any, delta: Any, epsilon: Any) -> None:
    """The enclosure [0, 1] of one half supported no "=", and the checker said so."""
    found = certify(Query(composition, delta=delta), epsilon, relation="=")
    assert found.verdict == "CERTIFIED" and found.truth is not None and not found.reason
    assert found.truth.lower == found.truth.upper == Fraction(epsilon)
    content = json.dumps(document(found).to_json()).encode()
    assert recheck.recheck(recheck.parse(content))[0] == "CONFIRMED"


SOUND, WIDE = Decision("SOUND", None, 15), Decision("UNDECIDED", None, 15, "wide", "TOO WIDE")
OF_PAIR = Decision("UNDECIDED", None, 15, "printed", "PRINTED PAIR", of_pairs="SOUND")
NOT_OF_PAIR = Decision("UNDECIDED", None, 15, "not even", "PRINTED PAIR", of_pairs="UNSOUND")
REFUTED = Decision("UNSOUND", None, 15)


@pytest.mark.parametrize(
    ("halves", "verdict", "reason"),
    [
        ((SOUND, SOUND), "CERTIFIED", "one by one"),
        ((SOUND, WIDE), "UNDECIDED", "wide"),
        ((OF_PAIR, SOUND), "CONDITIONAL", "printed"),
        ((OF_PAIR, OF_PAIR), "CONDITIONAL", "printed"),
        ((OF_PAIR, WIDE), "UNDECIDED", "wide"),
        ((OF_PAIR, NOT_OF_PAIR), "UNDECIDED", "not even"),
        ((OF_PAIR, REFUTED), "REFUTED", ""),
        ((WIDE, REFUTED), "REFUTED", ""),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_equality_is_what_both_halves_are(
    halves: tuple[Decision, Decision], verdict: str, reason: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = list(halves[::order])
    monkeypatch.setattr("pldverify.rulings.certify.decide", lambda *rest, **more: left.pop(0))
    found = certify(Query(Gaussian(1), delta="1e-5"), 1, relation="=")
    assert found.verdict == verdict and reason in found.reason


def test_the_print_beside_a_verdict_by_delta_supports_it() -> None:
    """A δ certified the claim, and beside it stood an ε that is rounded to above it."""
    query = Query("5 * binomial(n=40, p=0.3, sensitivity=2)", delta="0.01", adjacency="remove")
    certificate = certify(query, "3.935769")
    name, text = certificate.shown
    lower, upper = certificate.proved.ends
    assert (certificate.verdict, name) == ("CERTIFIED", "true ε") and lower is not None and upper is not None
    low, high = (Fraction(end) for end in text.removeprefix("in [").removesuffix("]").split(", "))
    assert low <= lower and upper <= high <= Fraction("3.935769")


def test_pairs_that_tell_nothing_of_the_mechanisms_are_shown_as_pairs() -> None:
    cut = "truncated_poisson(gaussian(sigma=1), q=0.1, dataset_size=100, max_batch=20)"
    query = Query(f"{cut} + kjh19_substitute(gaussian(sigma=1), q=0.5)", delta="0.1")
    certificate = certify(query, "0.1")
    assert certificate.proved.is_unknown and certificate.shown[0] == "ε of the pairs"


def test_a_composition_is_certified_without_a_query() -> None:
    query = Query(5 * Gaussian(4), delta="1e-5", adjacency="replace-one")
    found = certify(5 * Gaussian(4), 6, delta="1e-5", adjacency="replace-one")
    assert found == certify(query, 6) == certify("5 * gaussian(4)", 6, delta="1e-5", adjacency="replace-one")
    for wrong in (
        {"query": 5 * Gaussian(4)},
        {"query": query, "delta": 0},
        {"query": query, "adjacency": "add"},
    ):
        with pytest.raises(InvalidInput, match="delta"):
            certify(epsilon=6, **wrong)
