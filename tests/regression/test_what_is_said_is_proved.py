"""Verdicts that said more than was proved, each with the smallest input that showed it."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import pldverify as pv
from pldverify.certificate import curve, words
from pldverify.certificate.markdown_page import markdown
from pldverify.claims import tables
from pldverify.cli import main
from pldverify.errors import InvalidInput
from pldverify.rulings.ruling import told
from pldverify.values.value import known
from pldverify.values.verdict import SIGNS
from tests.unit.claims.claims import claim, noise, ruled, verdicts

ONE = {"sampling": "none", "q": None, "steps": 1}
ROOT = noise(**ONE, noise_multiplier="sqrt(2)")
"""ρ = 1/4, μ = 1/√2, D_2 = 1/2."""
ROOTS = [
    ROOT,
    noise(**ONE, noise_multiplier=None, standard_deviation=1, sensitivity="1/sqrt(2)"),
    noise(**ONE, noise_multiplier=None, standard_deviation="sqrt(2)", sensitivity=1),
    {"mechanism": "expression", "expression": "gaussian(sigma=sqrt(2))"},
    {"mechanism": "gdp", "mu": "1/sqrt(2)"},
]


def of(*phases: dict[str, Any], **claimed: Any) -> str:
    return str(ruled(*phases, **{"epsilon": None, "delta": None, **claimed}).verdict)


@pytest.mark.parametrize("phase", ROOTS, ids=str)
@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        ({"rho": "0.26"}, "CERTIFIED"),
        ({"rho": "0.24"}, "REFUTED"),
        ({"rho": "100", "relation": ">="}, "REFUTED"),
        ({"rho": "0.24", "relation": ">="}, "CERTIFIED"),
        ({"rho": "100", "relation": "="}, "REFUTED"),
        ({"mu": "0.71"}, "CERTIFIED"),
        ({"mu": "0.70"}, "REFUTED"),
        ({"mu": "100", "relation": ">="}, "REFUTED"),
        ({"rdp": {"order": 2, "divergence": "0.51"}}, "CERTIFIED"),
        ({"rdp": {"order": 2, "divergence": "0.49"}}, "REFUTED"),
        ({"rdp": {"order": 2, "divergence": "100"}, "relation": ">="}, "REFUTED"),
    ],
)
def test_an_irrational_parameter_is_not_an_infinite_one(phase, claimed, verdict: str) -> None:
    """ρ ≤ 0.26 was REFUTED, ρ ≥ 100 CERTIFIED: None became ∞."""
    assert of(phase, **claimed) == verdict


def test_an_irrational_step_among_others_is_enclosed() -> None:
    two = [ROOT, noise(**ONE)]  # 1/4 + 1/2
    assert (of(*two, rho="0.76"), of(*two, rho="0.74")) == ("CERTIFIED", "REFUTED")


RESPONSE = {"mechanism": "expression", "expression": "pure_dp(epsilon=2)"}
"""D_½ = 2 log cosh 1 = 0.86756, and D_α/α is at most 2 tanh 1 = 1.5232 for α > 1."""


@pytest.mark.parametrize("phase", [{"mechanism": "zcdp", "rho": "1.5232"}, RESPONSE])
def test_zcdp_says_nothing_of_small_orders_that_it_does_not_imply(phase: dict[str, Any]) -> None:
    """D_½ ≤ 0.7616 was CERTIFIED of it, as ρα, which holds from 1 on."""
    assert of(phase, rdp={"order": "0.5", "divergence": "0.7616"}) != "CERTIFIED"
    assert of(phase, rdp={"order": "0.5", "divergence": "1.5233"}) == "CERTIFIED"  # D_α does not fall in α


@pytest.mark.parametrize("order", ["0", "-1", "-0.5"])
def test_orders_are_above_0(order: str) -> None:
    """D₋₁ ≤ 0 was CERTIFIED."""
    with pytest.raises(InvalidInput, match="order must be > 0"):
        of(ROOT, rdp={"order": order, "divergence": "0"})


def test_the_order_infinity_is_one() -> None:
    assert of(RESPONSE, rdp={"order": "inf", "divergence": "2"}) == "CERTIFIED"
    assert of(RESPONSE, rdp={"order": "inf", "divergence": "1.99"}) == "REFUTED"
    assert of(ROOT, rdp={"order": "inf", "divergence": "1e9"}) == "REFUTED"


PART = noise(sampling="shuffled", q="0.03", steps=1)
"""One batch of an epoch: δ is at most that of Gaussian noise (Gaussian: ε(1e-5) = 4.377), and far smaller."""


def written(
    folder: Path, *phases: dict[str, Any], **claimed: Any
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The ruling as JSON, and every certificate, of a claims file by the command line."""
    row = {"id": "one", "epsilon": "1", "delta": "1e-6", "adjacency": "add-or-remove", **claimed}
    row = {name: value for name, value in row.items() if value is not None}
    file, out = folder / "claims.json", folder / "out"
    row["phase"] = [{name: str(value) for name, value in phase.items()} for phase in phases]
    file.write_text(json.dumps({"schema": "pldverify-claims/1", "claim": [row]}), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curve, "COARSE", 2)  # what is drawn is not asked here
        result = CliRunner().invoke(
            main, ["certify", str(file), "--json", "--out", str(out), "--html", f"{out}/"]
        )
    (ruling,) = json.loads(result.stdout)["rulings"]
    return ruling, [json.loads(path.read_text("utf-8")) for path in sorted(out.glob("*.json"))]


def test_no_certificate_says_more_than_its_reading(tmp_path: Path) -> None:
    """UNDECIDED was the ruling, REFUTED the certificate: of a composition that only bounds what was run."""
    ruling, documents = written(tmp_path, PART, epsilon="4.2", delta="1e-5", adjacency="zero-out")
    assert ruling["verdict"] == "UNDECIDED" and documents == []
    assert ruling["readings"][0]["lower"] is None and not ruling["readings"][0]["is_run"]
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "REFUTED" not in page.partition("<table>")[2]


def test_a_bound_of_what_was_run_is_not_told_as_its_value(tmp_path: Path) -> None:
    """The page of a part of an epoch, which only the whole one bounds, said "Proved: true ε = 2.31779"."""
    ruling, _ = written(tmp_path, PART, epsilon="9", delta="1e-5", adjacency="zero-out")
    assert ruling["verdict"] == "CERTIFIED" and ruling["readings"][0]["lower"] is None
    page = (tmp_path / "out" / "one.html").read_text("utf-8")
    assert "it bounds that from above" in page
    assert "Proved of this composition: true ε = " in page and "Proved: " not in page


def test_the_page_of_a_reading_says_which_one_it_is(tmp_path: Path) -> None:
    """UNDECIDED was the ruling, and its page said that the claim is false."""
    ruling, documents = written(tmp_path, noise(sampling="shuffled", q="0.1", steps=10))
    assert ruling["verdict"] == "UNDECIDED"
    own = next(each for each in ruling["readings"] if each["adjacency"] == "add-or-remove")
    assert (own["verdict"], own["lower"], own["upper"]) == ("UNDECIDED", None, None)
    assert own["reason"] == "nothing is proved of add-or-remove"
    page = (tmp_path / "out" / "one.html").read_text("utf-8")
    assert "The claim is false" not in page and "This reading is false. That is proved, of" in page
    assert "The verdict on the claim itself is UNDECIDED." in page
    assert [each["adjacency"] for each in documents] == ["zero-out", "zero-out"]


@pytest.mark.slow
def test_the_page_of_one_of_two_meanings_without_roundings_says_so(tmp_path: Path) -> None:
    """CONDITIONAL was the ruling, and the page said that the claim is false: two readings were taken for the
    two of one meaning.
    """
    run = noise(sampling="shuffled", accounted_as="poisson")
    ruling, _ = written(tmp_path, run, adjacency="zero-out", exact=True)
    assert ruling["verdict"] == "CONDITIONAL"
    assert [each["verdict"] for each in ruling["readings"]] == ["REFUTED", "CERTIFIED"]
    page = (tmp_path / "out" / "one.html").read_text("utf-8")
    assert "The claim is false" not in page and "The verdict on the claim itself is CONDITIONAL." in page


def test_a_reading_of_two_statements_has_no_certificate_of_one(tmp_path: Path) -> None:
    """The rounded reading of = carried the certificate of its ≤."""
    ruling, documents = written(tmp_path, noise(), epsilon="0.95", relation="=")
    assert [each["verdict"] for each in ruling["readings"]] == ["REFUTED", "CERTIFIED"]
    assert [each["claim"]["relation"] for each in documents] == ["="]


def test_fixed_batches_without_an_adjacency_are_conditional() -> None:
    """They were CERTIFIED, though nothing is proved of a record that is added."""
    for sampling in (
        {"sampling": "fixed_without_replacement"},
        {"sampling": "fixed_with_replacement", "q": None, "batch_size": 10, "dataset_size": 1000},
    ):
        found = ruled(noise(**sampling, steps=1), epsilon="100", adjacency=None)
        assert found.verdict == "CONDITIONAL", sampling
        assert (
            ruled(noise(**sampling, steps=1), epsilon="100", adjacency="replace-one").verdict == "CERTIFIED"
        )


@pytest.mark.parametrize(("adjacency", "own"), [(None, 3), ("add-or-remove", 2)])
def test_nothing_is_proved_of_a_record_added_to_shuffled_batches(adjacency: str | None, own: int) -> None:
    """Also where the composition that bounds them has a pair for it."""
    found = ruled(PART, epsilon="100", adjacency=adjacency)
    told = {
        reading.case.adjacency: reading.verdict for reading in found.readings if reading.kind == "literal"
    }
    assert len(told) == own and found.verdict == "CONDITIONAL"
    assert told["add-or-remove"] == "UNDECIDED" and told["zero-out"] == "CERTIFIED"


@pytest.mark.parametrize(
    "expression", ["pure_dp(epsilon=1)", "poisson(pure_dp(epsilon=1), q=0.5)", "zcdp(rho=1)", "gdp(mu=1)"]
)
def test_a_guarantee_in_an_expression_is_one(expression: str) -> None:
    """It was told as the mechanism's true value."""
    found = ruled({"mechanism": "expression", "expression": expression}, epsilon="0.001")
    assert found.readings[0].case.subject == "implied" and "the implied ε" in found.explanation


@pytest.mark.parametrize("claimed", [{"mu": "1.5"}, {"rho": "1"}, {"rdp": {"order": 2, "divergence": "1"}}])
def test_divergences_are_refused_where_there_is_no_pair(claimed: dict[str, Any]) -> None:
    """μ ≤ 1.5 was CERTIFIED of balls in bins under a relation that it has no pair for."""
    phase = {"mechanism": "expression", "expression": "balls_and_bins(gaussian(sigma=2), batches=5)"}
    with pytest.raises(InvalidInput, match="adjacency must be add-or-remove or zero-out"):
        of(phase, adjacency="replace-one", **claimed)


def test_the_value_of_a_printed_pair_is_not_called_true() -> None:
    """CONDITIONAL stood beside "the true ε is 5.19 less than 9"; that sampling's ε is 9.28."""
    phase = {"mechanism": "expression", "expression": "kjh19_substitute(gaussian(sigma=1), q=0.3)"}
    found = ruled(phase, epsilon="9", adjacency="replace-one")
    assert found.verdict == "CONDITIONAL" and "less than 9" not in str(found)
    sampling = pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.3")
    true = pv.epsilon(sampling, delta="1e-6", adjacency="replace-one")
    lower, upper = found.readings[0].proved.ends
    assert upper is None and lower is not None and lower <= true.lower


@pytest.mark.parametrize("claimed", ["1.19", "1.181", "1.1891", "1.1811"])
def test_the_printed_interval_supports_the_verdict(claimed: str) -> None:
    """Beside CERTIFIED 1.19 and REFUTED 1.181 stood "1.2 ± 0.019"."""
    flags = "--noise-multiplier 1.1 --batch-size 100 --dataset-size 6000 --epochs 3 --delta 1e-5"
    result = CliRunner().invoke(main, ["certify", *flags.split(), "--epsilon", claimed])
    verdict = result.stdout.partition(":")[0]
    line = next(line for line in result.stdout.splitlines() if line.startswith("true ε"))
    numbers = line.partition("ε")[2].strip(" =in[]")
    if "±" in numbers:
        middle, radius = map(Fraction, numbers.split("±"))
        low, high = middle - radius, middle + radius
    else:
        low, high = map(Fraction, numbers.split(","))
    assert {"CERTIFIED": high <= Fraction(claimed), "REFUTED": low > Fraction(claimed)}[verdict]


def test_the_print_supports_the_verdict_on_the_rounding_too() -> None:
    """Ends that the rounded reading alone had found were left out: [0.9501, 0.97] stood beside its
    CERTIFIED of ε ≤ 0.955.
    """
    literal, rounded = ruled(epsilon="0.95").readings
    assert (literal.verdict, rounded.verdict) == ("REFUTED", "CERTIFIED")
    wide = replace(literal, proved=known(Fraction("0.9501"), Fraction("0.97"), "a first look"))
    text = told(claim(epsilon="0.95"), wide, rounded)
    assert text == "true ε = 0.95421…"


def test_an_end_that_is_not_reached_is_told_as_one() -> None:
    """Beside REFUTED of ε ≥ 1e-400 stood "ε ≤ 1e-400"."""
    found = ruled({"mechanism": "zcdp", "rho": "0.009"}, epsilon="1e-400", delta="0.1", relation=">=")
    reading = found.readings[0]
    assert reading.verdict == "REFUTED" and reading.truth == "< 1.00000e-400"
    assert found.explanation.startswith("the implied ε is less than 1.00000e-400")


@pytest.mark.parametrize(
    ("relation", "epsilon"),
    [("<=", "0.99999999999999999999"), (">=", "1.00000000000000000001"), ("=", "1.00000000000000000001")],
)
def test_a_claim_is_not_rounded_to_another_one(epsilon: str, relation: Any) -> None:
    """Laplace noise of b = 1 is 1-DP: beside REFUTED stood "ε ≤ 1.0000000000000000", which is true."""
    found = pv.certify(pv.Laplace(b=1), epsilon, delta=0, relation=relation)
    assert words.claim(found) == f"ε {SIGNS[found.relation]} {epsilon} at δ = 0"
    assert found.rows()[1] == ("claim", f"ε {SIGNS[found.relation]} {epsilon}")


def test_a_claimed_double_is_told_in_few_digits() -> None:
    found = pv.certify(pv.Laplace(b=1), 1.1, delta=0)
    assert words.claim(found) == "ε ≤ 1.1 (as a double) at δ = 0"


def test_a_product_is_no_emphasis_of_markdown() -> None:
    """ "ε ≤ 2*3*4 at δ = 1/(2*50000*ln(50000))" was shown as "ε ≤ 234 at δ = 1/(250000ln(50000))"."""
    epsilon, delta = "2*3*4", "1/(2*50000*ln(50000))"
    page = tables.markdown([ruled(noise(**ONE), epsilon=epsilon, delta=delta)])
    assert r"ε ≤ 2\*3\*4 at δ = 1/(2\*50000\*ln(50000))" in page
    irrational = pv.certify("gaussian(2*sqrt(2)*3, sensitivity=sqrt(5))", "2*ln(2)*3", delta=delta)
    title = f"# CERTIFIED: `ε ≤ 2*ln(2)*3 at δ = {delta}`\n"
    said = markdown(irrational)
    assert said.startswith(title) and r"a standard deviation of 2\*sqrt(2)\*3, where" in said


@pytest.mark.parametrize(
    ("relation", "epsilon", "verdict"), [("<=", "100", "CONDITIONAL"), (">=", "1", "UNDECIDED")]
)
def test_a_printed_pair_beside_a_bound_bounds_from_above_alone(relation, epsilon: str, verdict: str) -> None:
    """ε ≥ 1 was CONDITIONAL, though one step of a shuffled run is only bounded from above."""
    text = "3*kjh19_substitute(gaussian(1), q=0.3) + 3*sampled_without_replacement(gaussian(2), q=0.1)"
    shuffled = noise(sampling="shuffled", q="0.03", steps=1)
    phases = shuffled, {"mechanism": "expression", "expression": text}
    found = ruled(*phases, epsilon=epsilon, delta="1e-5", adjacency="replace-one", relation=relation)
    assert found.verdict == verdict and {r.verdict for r in found.readings} == {verdict}


def test_the_mu_of_irrational_noise_is_finite() -> None:
    """It said "at most inf"."""
    found = ruled(ROOT, epsilon=None, delta=None, mu="0.7")
    assert "inf" not in str(found) and found.readings[0].proved.upper is not None


def test_near_misses_say_of_which_meaning_they_are() -> None:
    """They stood under another meaning's ruling without a word."""
    found = ruled(epsilon="0.9", adjacency=None)
    assert verdicts(found) == ["REFUTED", "REFUTED"] and found.misses
    assert all("add-or-remove" in str(miss) for miss in found.misses)
