"""The words of a page: what was run, an adversary's odds, proofs."""

import math
import pickle
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.audit import one_run, one_run_gdp
from pldverify.certificate import curve, words
from pldverify.certificate.curve import points, shows
from pldverify.certificate.document import load
from pldverify.certificate.html_page import html
from pldverify.certificate.issue import document
from pldverify.certificate.odds import odds
from pldverify.certificate.plain import Told, figure, steps, training
from pldverify.certificate.proof import proof
from pldverify.claims.certificates import certificates
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import real
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule


@pytest.mark.parametrize("s", ["1", "2.5"])
def test_the_odds_are_those_of_neyman_and_pearson(s: str) -> None:
    """Of N(1, s²) against N(0, 1): Φ(1/2s), and Φ(Φ⁻¹(α) + 1/s)."""
    made = pv.certify(pv.Gaussian(s), epsilon=20, delta="1e-5")
    guess, _, test = odds(points(made.query, Fraction(6)), made)
    shift = 1 / mpmath.mpf(s)
    right = 100 * mpmath.ncdf(shift / 2)
    found = 100 * mpmath.ncdf(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf("0.01") - 1) + shift)
    for text, truth in ((guess, right), (test, found)):
        said = mpmath.mpf(re.findall(r"at most ([\d.]+) %", text)[0])
        assert truth <= said < truth * mpmath.mpf("1.01")


def certified(
    composition: Any, epsilon: Any = 20, adjacency: Any = "add-or-remove", delta: Any = "1e-5"
) -> Any:
    return pv.certify(composition, epsilon=epsilon, delta=delta, adjacency=adjacency)


def test_odds_are_told_from_above_alone() -> None:
    made, printed = certified(pv.Gaussian(1)), certified(pv.KJH19Substitute(pv.Gaussian(2), "0.3"), 9, None)
    found = points(made.query, Fraction(2))
    assert printed.truth_is == "lower bound"
    assert odds(found, printed) == [] == odds([], made)
    assert odds(found[1:], made) == []  # δ(0) is not among them
    assert len(odds(found, certified(pv.Gaussian(1), adjacency="add"))) == 2


def test_a_share_is_never_more_than_all() -> None:
    made = certified(pv.Gaussian("0.01"), 10**5)
    assert "at most 100 %" in odds(points(made.query, Fraction(1)), made)[1]


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1e-5"), ("0", "0.01"), ("ln(3)", 0), ("2", "1/3")])
def test_what_a_claim_allows_is_what_its_own_pair_attains(epsilon: Any, delta: Any) -> None:
    """(ε, δ)-DP by itself: (1 + δ(0))/2 of the pair that has just these numbers, by the reference."""
    made = certified(pv.Gaussian("0.3"), epsilon, delta=delta)
    (said,) = [text for text in odds(points(made.query, Fraction(4)), made) if "alone would allow" in text]
    share = Fraction(re.findall(r"allow up to ([\d.]+) %", said)[0]) / 100
    truth = (1 + pv.delta(pv.ApproximateDP(epsilon, delta), epsilon=0).upper) / 2
    assert truth <= share < truth * Fraction("1.01")


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 0), ("1/2", "1/10"), (0, "1/3")])
@pytest.mark.parametrize("adjacency", ["add", "remove"])
def test_a_claim_of_one_direction_allows_more(epsilon: Any, delta: Any, adjacency: str) -> None:
    """P = (1, 0) against Q = ((1 − δ)e^(−ε), …) is all that one direction forbids to exceed."""
    made = pv.certify(pv.Query(pv.PureDP(epsilon), delta=delta, adjacency=adjacency), epsilon)
    (said,) = [text for text in odds(points(made.query, Fraction(2)), made) if "alone would allow" in text]
    share = float(re.findall(r"allow up to ([\d.]+) %", said)[0]) / 100
    truth = 1 - (1 - Fraction(delta)) * math.exp(-Fraction(epsilon)) / 2
    assert truth <= share < truth * 1.01


def test_of_a_refuted_claim_both_ends_of_the_best_guess_are_told() -> None:
    made = certified(pv.Gaussian(1), 2)
    said = odds(points(made.query, Fraction(2)), made)
    assert made.verdict == "REFUTED" and "with probability 69.1 % or more" in said[2]  # Φ(1/2) = .69146
    assert not any(
        "or more" in text for text in odds(points(made.query, Fraction(2)), certified(pv.Gaussian(1)))
    )


def test_a_refutation_that_no_guess_shows_says_why() -> None:
    """69.2 % is proved and 88.1 % are allowed: a reader took the claim for true."""
    made = {epsilon: certified(pv.Gaussian(1), epsilon) for epsilon in ("1/4", 2, 9)}
    rare = {epsilon: odds(points(one.query, Fraction(2)), one)[1] for epsilon, one in made.items()}
    assert "allow up to 88.1 %. Such guesses do not exceed that" in rare[2]
    assert "rarer events" not in rare[9]  # CERTIFIED
    assert "rarer events" not in rare["1/4"]  # 56.3 % are allowed, the guess itself is better


@pytest.mark.parametrize(
    ("unit", "said"),
    [("patient", "is one patient."), ("one visit", "is one visit."), ("An image", "is An image.")],
)
def test_a_unit_has_one_number(unit: str, said: str) -> None:
    text = words.meaning(certified(pv.Gaussian(1)), Told(unit=unit))[0]
    assert text.endswith(f"One record {said}")


def test_the_profile_shows_the_ruling_at_the_claim() -> None:
    """Beside a refutation stood a table that was too weak for it."""
    made = certified(pv.ShuffledBatches(pv.Gaussian(1), batches=100), "4.6", "zero-out", "1e-6")
    found = points(made.query, Fraction(6), Fraction("4.6"))
    assert made.verdict == "REFUTED" and shows(found, made) and words.rests_on(found, made) == []
    assert any(words.row(point, Fraction("4.6"))[0] == "4.6 (claimed)" for point in found)
    weak = [point._replace(delta=replace(point.delta, lower=Fraction(0))) for point in found]
    assert not shows(weak, made) and "rests on the ε" in words.rests_on(weak, made)[0]


@pytest.mark.parametrize(
    ("composition", "relation", "epsilon", "said"),
    [
        (pv.Gaussian(1), "<=", 4, "told apart better than it promises"),
        (pv.ZCDP("1/2"), "<=", 4, "do not imply it"),
        (pv.Gaussian(1), ">=", 6, "That is proved, of"),
    ],
)
def test_a_refutation_says_of_what(composition: Any, relation: Any, epsilon: Any, said: str) -> None:
    made = pv.certify(composition, epsilon, delta="1e-5", relation=relation)
    assert made.verdict == "REFUTED" and words.ruled(made).split(". ", 1)[1].find(said) >= 0
    assert ("all the more" in words.if_one_fails(made)[0]) == (said == "told apart better than it promises")


@pytest.mark.parametrize(
    "composition", [pv.ZCDP("1/2"), pv.FinitePair(["0.9", "0.1"], ["0.1", "0.9"]), pv.GroupDP(1, 0, 3)]
)
def test_no_attack_on_what_was_run_follows_from_what_was_stated(composition: Any) -> None:
    """Of the worst mechanism with these guarantees a guess was promised for what was run."""
    made = certified(composition, "0.1", None)
    assert made.verdict == "REFUTED" and "do not imply it" in words.ruled(made)
    assert not any("or more" in text for text in odds(points(made.query, Fraction(2)), made))
    assert "Of what was run that is not proved" in words.if_one_fails(made)[0]


@pytest.mark.parametrize(
    ("relation", "epsilon", "verdict", "of_worst"),
    [
        (">=", "0.9", "CERTIFIED", True),
        ("=", "1", "CERTIFIED", True),
        ("=", "0.9", "REFUTED", True),
        (">=", "1.1", "REFUTED", False),
        ("=", "1.1", "REFUTED", False),
        ("<=", "1.1", "CERTIFIED", False),
    ],
)
def test_what_the_worst_mechanism_has_is_not_said_of_what_was_run(
    relation: Any, epsilon: str, verdict: str, of_worst: bool
) -> None:
    """Of a release that is promised to be 1-DP "ε ≥ 0.9" was proved, without a word of whose ε that is."""
    made = pv.certify(pv.PureDP(1), epsilon, delta=0, relation=relation)
    assert made.verdict == verdict
    assert ("of the worst mechanism" in words.ruled(made)) == of_worst
    assert ("may tell less" in words.if_one_fails(made)[0]) == of_worst


@pytest.mark.slow
def test_pairs_that_only_bound_show_no_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lower ends of their δ are not those of the mechanism."""
    monkeypatch.setattr(curve, "FINE", 1)  # steps of ε: the point at the claim would be enough to show it
    made = certified(2 * pv.SampledWithoutReplacement(pv.Gaussian(1), "0.016"), "2.65", "replace-one", "1e-6")
    assert made.verdict == "REFUTED" and made.truth_is == "upper bound"
    assert not shows(points(made.query, Fraction(6), Fraction("2.65")), made)


@pytest.mark.parametrize(
    ("composition", "said"),
    [
        (
            pv.dp_sgd(noise_multiplier=1.1, sampling_probability=0.01, steps=5),
            "5 times: .* 1.1 (as a double) times",
        ),
        (
            pv.Gaussian("sqrt(2)"),
            "Once: .* sqrt(2), where one record contributes at most 1, is added to a sum",
        ),
        (
            3 * pv.ShuffledBatches(pv.Gaussian(2), batches=10),
            "3 epochs: .* is added to the sum of each of the 10 batches that a random order",
        ),
        (
            3 * pv.ShuffledBatches(pv.Gaussian(2), batches=10, persistent=True),
            "3 epochs: .* that a random order of the records, drawn once for all epochs, is cut into",
        ),
        (pv.BallsAndBins(pv.Gaussian(2), batches=10), "Once: .* is put into one of these at random."),
        (pv.SampledWithReplacement(pv.Gaussian(1), m=1, n=10), ".*1 draw with replacement from 10 records."),
        (pv.SampledWithoutReplacement(pv.Gaussian(1), q="1/3"), ".*a share 1/3 (about 0.333) of the records"),
        (
            pv.ShuffledBatches(pv.Gaussian(2), batches=10, dropped="0.01"),
            "1 epoch: .* is cut into, a share 0.01 of it being left over.",
        ),
        (
            pv.PoissonSubsampled(pv.Gaussian(2), q="8/1875"),
            "Once: .* with probability 8/1875 (about 0.00427), independently",
        ),
        (pv.RandomizedResponse("0.7"), ""),
        (pv.PoissonSubsampled(pv.PureDP(1), q="0.1"), ""),
    ],
)
def test_every_part_is_told(composition: Any, said: str) -> None:
    ((sentence, mechanism),) = steps(pv.Query(composition, delta="0.1").composition)
    pattern = re.escape(said).replace(r"\.\*", ".*")
    assert re.match(pattern, sentence) and (sentence == "") == (said == "")
    assert " * " in mechanism


def test_a_double_is_told_from_the_decimal() -> None:
    assert figure(Fraction(0.1)) == "0.1 (as a double)" and figure(Fraction("0.1")) == "0.1"
    assert figure(Fraction(1, 3)) == "1/3" and figure(Fraction(1, 4)) == "0.25"


def test_a_run_is_told_as_far_as_it_is_known() -> None:
    run = pv.dp_sgd(noise_multiplier=1, sampling_probability="0.1", steps=20)
    assert training(run) == "Trained for 20 steps."
    assert (
        training(3 * pv.ShuffledBatches(pv.Gaussian(1), batches=9), epochs=Fraction(3), sampling="shuffled")
        == "Trained for 3 epochs."
    )


def test_a_large_delta_is_warned_of() -> None:
    certificate = pv.certify(pv.Query(pv.Gaussian(1), delta="1e-3"), 9)
    assert "1/n" in html(certificate, told=Told(records=Fraction(1000)))
    assert "1/n" not in html(certificate, told=Told(records=Fraction(999)))
    assert "1/n" not in html(certificate)


def test_the_page_of_an_account_says_that_it_was_not_run() -> None:
    phase = {
        "mechanism": "gaussian",
        "noise_multiplier": 1,
        "sampling": "shuffled",
        "accounted_as": "poisson",
    }
    claim = {"id": "a", "epsilon": "0.96", "delta": "1e-6", "unit": "patient", "adjacency": "zero-out"}
    sizes = {"batch_size": 10, "dataset_size": 1000, "epochs": 1}
    ruling = rule(Claim.model_validate({**claim, "phase": [{**phase, **sizes}]}))
    told = {issued.reading.case.role: issued.told() for issued in certificates([ruling])}
    assert told["run"].run == "Trained for 1 epoch on 1,000 records, in shuffled batches of 10."
    assert (
        told["accounted"].run == ""
        and words.run(told["accounted"]) != words.run(told["run"]) == "What was run, as stated"
    )
    assert told["run"].unit == "patient" and told["run"].records == 1000 and told["run"].subject == ("a",)


def test_no_gaussian_noise_was_stated_where_a_rho_was() -> None:
    claim = {"id": "a", "epsilon": "4.4", "delta": "1e-5", "phase": [{"mechanism": "zcdp", "rho": "1/2"}]}
    issued = certificates([rule(Claim.model_validate(claim))])
    told = {str(each.certificate.query.composition): each.told().ran for each in issued}
    assert told == {"zcdp(rho=0.5)": True, "gdp(mu=1)": False}


def test_a_reading_is_no_claim_where_more_is_released() -> None:
    made = pv.certify(pv.Gaussian(1), 4, delta="1e-5")
    assert "the claim is false all the more" in html(made)
    page = html(made, ["This is one reading of a claim."])
    assert "this reading is false all the more" in page and "the claim is false all the more" not in page


def test_the_day_is_that_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert words.today() == "1970-01-02"


def test_a_proof_is_of_its_adjacency_and_typeset() -> None:
    text = (
        "Head.\n\n**Add or remove.** A :math:`a < b`.\n\nmore A\n\n**Replace one** B.\n\n**Ordered** ``x``.\n"
    )
    found = str(proof(text + "\n.. math:: \\frac12", "remove"))
    assert "more A" in found and "B." not in found and "<code>x</code>" in found
    assert "<mo>&#x0003C;</mo>" in found and "<mfrac>" in found and ":math:" not in found
    replaced = str(proof(text, "replace-one"))
    assert "B." in replaced and "more A" not in replaced and "<code>x<" in replaced
    assert "<script" not in str(proof("<script> ``<script>`` **<script>** :math:`<script>`", "add"))


def test_what_is_saved_is_what_was_ruled(tmp_path: Path) -> None:
    certificate = pv.certify(pv.Laplace(b=1), 1, delta=0)
    files = pv.save(certificate, tmp_path / "new")
    assert [file.name for file in files] == ["certificate.json", "certificate.html"]
    assert load(files[0].read_text("utf-8")) == document(certificate)
    assert "CERTIFIED" in files[1].read_text("utf-8")
    claim = {"id": "a", "epsilon": "1", "delta": 0, "phase": [{"mechanism": "pure_dp", "epsilon": 1}]}
    names = [file.name for file in pv.save(rule(Claim.model_validate(claim)), tmp_path)]
    assert {"a.json", "a.html"} <= set(names) and len(set(names)) == len(names)
    with pytest.raises(InvalidInput, match="ruling must be one of certify"):
        pv.save("certificate", tmp_path)  # type: ignore[arg-type]


def test_audits_stand_on_a_page_beside(tmp_path: Path) -> None:
    """Statistics change neither the certificate nor its digest; 99 of 100 is too many for ε = 1."""
    ruling = pv.certify(pv.Laplace(b=1), 1, delta=0)
    alone, page = (file.read_text("utf-8") for file in ruling.save(tmp_path / "alone"))
    files = ruling.save(tmp_path / "audited", audits=[one_run(correct=99, guesses=100)])
    assert [file.name for file in files] == [
        "certificate.json",
        "certificate.html",
        "certificate~audits.html",
    ]
    certificate, linked, beside = (file.read_text("utf-8") for file in files)
    assert certificate == alone and "audits" not in page.lower()
    assert 'href="certificate~audits.html"' in linked and "statistics, no proof" in linked
    assert "<td>confidence 0.95</td>" in beside and "<td>proved</td>" in beside and "<td>SOUND</td>" in beside
    assert "is above the ε = 1 that is proved" in beside and "it is a miss" in beside
    with pytest.raises(InvalidInput, match="delta must be left out"):
        ruling.save(tmp_path / "other", audits=[one_run_gdp(correct=90, guesses=100)])
    assert not (tmp_path / "other").exists()


def test_beside_audits_an_equality_is_two_claims(tmp_path: Path) -> None:
    """1/2 is below the ε of Laplace noise, which is 1, and below what the audit shows."""
    ruling = pv.certify(pv.Laplace(b=1), "1/2", delta=0, relation="=")
    assert ruling.verdict == "REFUTED"
    *_, beside = ruling.save(tmp_path, audits=[one_run(correct=99, guesses=100)])
    page = beside.read_text("utf-8")
    assert "<td>UNSOUND</td>" in page and "<td>SOUND</td>" in page and "<td>UNDECIDED</td>" not in page
    assert "is above the ε ≤ 0.5 of claim" in page


def test_of_a_promise_no_attack_is_told() -> None:
    """Between the ends of ρ-zCDP lies a claim; the lower end is one mechanism's, not that of what was run."""
    undecided = pv.certify("zcdp(0.1)", epsilon="1.9", delta="1e-5")
    assert undecided.verdict == "UNDECIDED"
    assert "some attack reaches" not in html(undecided)


def test_a_ruling_saves_itself(tmp_path: Path) -> None:
    ruling = pv.certify(pv.Laplace(b=1), 1, delta=0)
    assert ruling == pv.certify(pv.Laplace(b=1), 1, delta=0) == pickle.loads(pickle.dumps(ruling))
    for file, other in zip(ruling.save(tmp_path / "new"), pv.save(ruling, tmp_path / "other"), strict=True):
        assert file.name == other.name and file.read_text("utf-8") == other.read_text("utf-8")
    claims = tmp_path / "claims.toml"
    claims.write_text(
        'schema = "pldverify-claims/1"\n[[claim]]\nid = "a"\nepsilon = "1"\ndelta = 0\n'
        'phase = [{mechanism = "pure_dp", epsilon = 1}]\n'
    )
    (read,) = pv.certify_file(claims)
    names = {file.name for file in read.save(tmp_path / "claims")}
    assert {"a.json", "a.html"} <= names == {file.name for file in (tmp_path / "claims").iterdir()}


@pytest.mark.parametrize(
    ("query", "epsilon", "absent"),
    [
        (
            pv.Query(100 * pv.TruncatedPoisson(pv.Gaussian(1), "0.9", 1000, 1), delta="1e-5"),
            "0.01",
            "at least",
        ),
        (pv.Query(pv.KJH20WithReplacement(pv.Gaussian(1), m=2, n=10), delta="1e-5"), 9, "at most"),
    ],
)
def test_nothing_is_said_of_an_end_that_is_not_proved(query: pv.Query, epsilon: Any, absent: str) -> None:
    """The pairs' own ends stood there as the mechanism's."""
    found = pv.certify(query, epsilon)
    assert found.verdict in ("UNDECIDED", "CONDITIONAL")
    assert not any("It is" in text for text in words.found(found))
    assert f"true ε, {absent}" not in dict(words.decimals(found)) and len(words.decimals(found)) <= 1


def test_the_odds_name_the_data_sets_of_their_adjacency() -> None:
    found = points(pv.Query(pv.Gaussian(1), delta="1e-5"), Fraction(2))
    assert "of one of the two data sets" in odds(found, certified(pv.Gaussian(1), 20, "replace-one"))[-1]
    assert "counts as nothing" in odds(found, certified(pv.Gaussian(1), 20, "zero-out"))[-1]


def test_a_run_of_nothing_and_random_allocation_in_words() -> None:
    assert training(pv.dp_sgd(noise_multiplier=1, sampling_probability="0.1", steps=0)).startswith(
        "Nothing was run"
    )
    ((sentence, _),) = steps(pv.random_allocation(pv.Gaussian(2), steps=12, participations=3))
    assert sentence.endswith(
        "What was run tells no more: each record in as many of all steps, drawn together."
    )


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (
            {
                "sampling": "truncated-poisson",
                "batch_size": 10,
                "dataset_size": 1000,
                "max_batch": 30,
                "epochs": 2,
            },
            "2 epochs (200 steps) on 1,000 records, in Poisson batches of 10 on average, "
            "cut at random to at most 30",
        ),
        (
            {"sampling": "fixed", "batch_size": 10, "dataset_size": 1000, "steps": 2},
            "2 steps on 1,000 records, in batches of 10, drawn without replacement",
        ),
        (
            {"sampling": "balls-and-bins", "batch_size": 10, "dataset_size": 1000, "epochs": 2},
            "2 epochs on 1,000 records, in batches of 10 on average, "
            "each record put into one of an epoch's at random",
        ),
        (
            {"sampling": "allocation", "steps": 100, "participations": 2},
            "100 steps, each record in 2 of them, drawn at random",
        ),
        (
            {"sampling": "cyclic-poisson", "sampling_probability": "0.1", "cycle_length": 16, "steps": 99},
            "99 steps, drawn in turn from 16 known groups of the records",
        ),
        (
            {
                "sampling": "cyclic-poisson",
                "batch_size": 10,
                "dataset_size": 800,
                "cycle_length": 8,
                "epochs": 1,
            },
            "1 epoch on 800 records, in Poisson batches of 10 on average, "
            "drawn in turn from 8 known groups of the records",
        ),
    ],
)
def test_a_run_says_how_its_batches_were_drawn(run: dict[str, Any], said: str) -> None:
    known: dict[str, Any] = {
        name: real(value, name) if name != "sampling" else value for name, value in run.items()
    }
    known.pop("sampling_probability", None)
    assert training(pv.dp_sgd(noise_multiplier=1, **run), **known) == f"Trained for {said}."


def test_no_text_of_a_claim_steers_a_page() -> None:
    phase = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "none", "steps": 1}
    claim = {
        "id": "a",
        "epsilon": "9",
        "delta": "1e-5",
        "title": "\x1b[31m",
        "unit": "\u202e",
        "phase": [phase],
    }
    told = next(certificates([rule(Claim.model_validate(claim))])).told()
    assert told.subject[0].isprintable() and told.unit.isprintable()
