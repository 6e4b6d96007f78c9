"""Golden files: what is pinned, what is read back, and which way an answer has moved."""

import json
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.numbers.claim import Promise
from pldverify.testing import golden, golden_file
from pldverify.testing.golden import Move, freeze, moves
from pldverify.testing.golden_file import SCHEMA, read, write, written

MINE = """
import pldverify as pv

class Mine(pv.Accountant):
    direction = "upper"
    def supports(self, query):
        if query.quantity == "epsilon" and query.composition.steps == 1:
            return None
        return "one step at a δ"
    def claim(self, query):
        return 10.0
"""
QUERY = pv.Query(pv.Gaussian(1), delta="1e-5")  # ε = 4.377…


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}:Mine"


def answering(value: float) -> pv.Accountant:
    return pv.Accountant.of(lambda query: value, direction="upper", name="answering")


def pinned(before: str, query: pv.Query = QUERY) -> golden.Golden:
    """A file with one answer."""
    claim = pv.Claim(inf if before == "inf" else Fraction(before), "upper", "then")
    answers = [golden._pinned(query, claim)]
    return golden.Golden(
        schema=SCHEMA, pldverify="0", accountant="then", direction="upper", version="1", answers=answers
    )


def moved(before: str, after: float, query: pv.Query = QUERY) -> Move:
    (move,) = moves(pinned(before, query), answering(after))
    return move


def test_what_is_frozen_has_not_moved(mine: str, tmp_path: Path) -> None:
    found = freeze(mine)
    assert len(found.answers) > 5 and all(answer.claim == "10" for answer in found.answers)
    write(found, tmp_path / "golden.json")
    assert read(tmp_path / "golden.json") == found
    assert moves(found) == []


def test_the_truth_stands_beside_the_answer() -> None:
    (answer,) = pinned("5").answers
    assert answer.lower is not None and answer.upper is not None
    assert Fraction(answer.lower) < Fraction("4.377178095681224") < Fraction(answer.upper)
    assert answer.query() == QUERY


def test_divergences_and_type_two_errors_are_pinned_too() -> None:
    """Of one Gaussian step D is α/2, and the type II error at 1/2 is Φ(−1)."""
    for query, at, truth in (
        (pv.RenyiQuery(pv.Gaussian(1), order=3), "3", Fraction(3, 2)),
        (pv.TradeOffQuery(pv.Gaussian(1), alpha="0.5"), "1/2", Fraction("0.158655253931457")),
    ):
        (answer,) = pinned("5", query).answers
        assert answer.lower is not None and answer.upper is not None
        assert abs(Fraction(answer.lower) - truth) < 1e-14 and abs(Fraction(answer.upper) - truth) < 1e-14
        assert (answer.query(), Fraction(answer.at)) == (query, Fraction(at))


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [
        ("5", 4.5, "towards the truth"),
        ("4.5", 5.0, "away from the truth"),
        ("4", 4.2, "towards the truth"),
        ("5", 4.0, "towards the truth"),
        ("4.5", 4.0, "away from the truth"),
        ("inf", 9.0, "towards the truth"),
        ("9", inf, "away from the truth"),
    ],
)
def test_a_move_is_told_by_its_way(before: str, after: float, way: str) -> None:
    assert moved(before, after).way == way


def test_a_verdict_that_turns_is_told() -> None:
    text = str(moved("5", 4.0))
    assert text.startswith("towards the truth, now UNSOUND, was SOUND: ε at δ=1e-5 of gaussian(sigma=1)")
    assert "was 5, is 4\n" in text and "true value 4.37717809568122" in text


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (("0.01", "0"), ("0.000001", "0"), "another promise, now UNSOUND, was SOUND"),
        (("0.01", "0"), None, "another promise, now UNDECIDED, was SOUND"),
        (("0.01", "0"), ("0.02", "0"), None),
        (None, None, None),
    ],
)
def test_an_estimate_is_judged_by_the_promise_that_it_had(before: Any, after: Any, told: str | None) -> None:
    """What was pinned was judged by today's, and who promises more had not moved. True: 4.37717."""

    def claimed(promise: Any) -> pv.Claim:
        error = promise and Promise(*map(Fraction, promise))
        return pv.Claim(Fraction("4.378"), "estimate", "then", {}, error)

    class Estimate(pv.Accountant):
        name, direction = "then", "estimate"

        def supports(self, query: pv.Query) -> str | None:
            return None

        def claim(self, query: pv.Query) -> pv.Claim:
            return claimed(after)

    answers = [golden._pinned(QUERY, claimed(before))]
    file = golden.Golden(
        schema=SCHEMA, pldverify="0", accountant="then", direction="estimate", version="1", answers=answers
    )
    assert [str(move).partition(":")[0] for move in moves(file, Estimate())] == ([told] if told else [])
    silent = json.loads(written(file))
    for answer in silent["answers"]:
        del answer["promise"]
    assert moves(golden.Golden.model_validate(silent), Estimate()) == [], "a file that does not say it"


def test_rounding_is_no_move() -> None:
    assert moves(pinned("5"), answering(5 * (1 + 1e-11))) == []
    assert moves(pinned("inf"), answering(inf)) == []


def test_what_the_enclosure_does_not_tell_apart_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = golden.look_up(QUERY)
    assert wide is not None
    object.__setattr__(wide, "lower", Fraction(4))
    monkeypatch.setattr(golden, "look_up", lambda query: wide)
    assert moved("4.2", 4.1).way == "not proved which way"
    monkeypatch.setattr(golden, "look_up", lambda query: None)
    assert moved("5", 4.9).way == "not proved which way"


def test_of_a_bound_on_the_truth_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    known, query = golden.look_up(QUERY), pv.Query(pv.ZCDP(1), delta="1e-5")
    assert query.composition.standing != "exact"
    monkeypatch.setattr(golden, "look_up", lambda query: known)
    assert moved("9", 8.0, query).way == "not proved which way"
    assert moved("9", 8.0).way == "towards the truth"


BATCH = pv.SampledWithoutReplacement(pv.Gaussian(1), q="0.1")


@pytest.mark.parametrize(
    "query", [pv.RenyiQuery(BATCH, order=2), pv.Query(2 * BATCH, epsilon=1)], ids=["one batch", "two batches"]
)
def test_no_end_is_told_that_is_not_proved_of_the_true_value(query: pv.Query) -> None:
    """The divergence of one batch was called the true one, "towards" which answers moved; it only bounds."""
    assert golden._way(Fraction(9, 10), Fraction(8, 10), golden._proved(query)) == "not proved which way"
    move = moved("0.9", 0.8, query)
    assert "true value ≤" in str(move)
    assert move.to_json()["lower"] is None and move.to_json()["upper"] is not None
    (answer,) = pinned("0.9", query).answers
    assert answer.lower is None and answer.upper is not None


def test_an_answer_that_is_lost_is_told() -> None:
    def refuses(query: pv.Query) -> float:
        raise NotImplementedError("no more")

    (move,) = moves(pinned("5"), pv.Accountant.of(refuses, direction="upper"))
    assert (move.way, move.after) == ("no claim any more", None) and "no more" in str(move)


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(schema="pldverify-golden/2"),
        lambda document: document.update(more=1),
        lambda document: document["answers"][0].update(claim=5.0),
        lambda document: document["answers"][0].update(claim="five"),
        lambda document: document["answers"][0].update(quantity="noise"),
    ],
)
def test_what_is_no_golden_file_is_bad_input(change, tmp_path: Path) -> None:
    document = json.loads(written(pinned("5")))
    change(document)
    (tmp_path / "golden.json").write_text(json.dumps(document))
    with pytest.raises(InvalidInput, match="golden file must be of the schema pldverify-golden/1"):
        read(tmp_path / "golden.json")
    with pytest.raises(InvalidInput, match="must be a file that can be read"):
        read(tmp_path / "nothing.json")


@pytest.mark.slow
def test_pytest_tells_what_has_moved(mine: str, tmp_path: Path) -> None:
    from tests.unit.testing.test_pytest_plugin import run

    write(freeze(mine), tmp_path / "golden.json")
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    assert run(tmp_path, "--pldverify-golden=golden.json").returncode == 0
    (tmp_path / "mine.py").write_text(MINE.replace("10.0", "11.0"))
    done = run(tmp_path, "--pldverify-golden=golden.json")
    assert done.returncode == 1 and "FAILED golden::golden.json" in done.stdout, done.stdout
    assert "away from the truth: ε at δ=1e-5 of gaussian(sigma=1)" in done.stdout
    assert "was 10, is 11" in done.stdout and "Traceback" not in done.stdout
    (tmp_path / "golden.json").write_text("{}")
    done = run(tmp_path, "--pldverify-golden=golden.json")
    assert done.returncode == 1 and "golden file must be of the schema" in done.stdout
    assert "site-packages" not in done.stdout and "golden_file.py" not in done.stdout


@pytest.mark.parametrize("claim", ["1.2.3", "1/0", "1e5/3", "1.", ".5", "nan", "-inf", "1e5\n"])
def test_a_claim_that_is_no_number_is_bad_input(claim: str, tmp_path: Path) -> None:
    document = json.loads(written(pinned("10")))
    document["answers"][0]["claim"] = claim
    (tmp_path / "golden.json").write_text(json.dumps(document))
    with pytest.raises(InvalidInput, match="golden file must be of the schema"):
        read(tmp_path / "golden.json")


def test_all_numbers_that_are_written_are_read() -> None:
    for value in ("0", "10", "-0.5", "1e-300", "1.25e-40", "1/3", "-7/30", "inf"):
        assert golden_file.Pinned.model_validate({**pinned("10").answers[0].model_dump(), "claim": value})


def test_a_file_without_answers_pins_nothing(tmp_path: Path) -> None:
    document = {**json.loads(written(pinned("10"))), "answers": []}
    (tmp_path / "golden.json").write_text(json.dumps(document))
    with pytest.raises(InvalidInput, match="answers"):
        read(tmp_path / "golden.json")


def test_who_answers_nothing_can_not_be_frozen(tmp_path: Path) -> None:
    text = MINE.replace('return "one step at a δ"', 'return "never"').replace("return None", 'return "no"')
    (tmp_path / "silent.py").write_text(text)
    with pytest.raises(InvalidInput, match="must answer something"):
        freeze(f"{tmp_path / 'silent.py'}:Mine")


def test_another_direction_is_no_agreement() -> None:
    lower = pv.Accountant.of(lambda query: 10.0, direction="lower", name="lower")
    with pytest.raises(InvalidInput, match="direction of lower must be upper, as it was pinned"):
        moves(pinned("10"), lower)
