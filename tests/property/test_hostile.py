"""Extreme, finite and poor questions have no false answer; and the sweep sees one that is planted.

Questions come from ``benchmarks/hostile.py``, which asks two hundred thousand of them once; here, in two
child processes.
"""

import itertools
import math
import random
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

import pldverify as pv
from benchmarks import hostile
from benchmarks.hostile import (
    KINDS,
    Child,
    Extreme,
    Failed,
    Outcome,
    Tally,
    agree,
    answered,
    brute_force,
    convolved,
    exponential,
    load_everything,
    masses,
    parameter_classes,
    power,
    question,
    read,
    spoilt,
    sweep,
)
from pldverify.mechanisms.expression import MECHANISMS, parse
from pldverify.questions import draw
from pldverify.questions.kinds import KINDS as GRAMMAR

SEED = 11


@pytest.mark.parametrize("questions", [50, pytest.param(2000, marks=pytest.mark.slow)])
def test_questions_have_no_false_answer(questions: int) -> None:
    load_everything()
    tally = Tally()
    for outcome in sweep(iter(range(questions)), lambda n: question(SEED, n, 0.05), workers=2, limit=60.0):
        tally.add(outcome)
    assert tally.failures == {}
    assert tally.done == set(range(questions))
    for kind in KINDS:  # few of the extreme ones have an answer; a slow machine answers fewer
        assert tally.counts[f"{kind} compared"] > 0.1 * tally.counts[kind], kind


@pytest.mark.parametrize("kind", GRAMMAR)
def test_every_kind_is_drawn_with_extreme_numbers(kind: str) -> None:
    """A few of them are no mechanisms; the texts of the others are read again."""
    pick, made = random.Random(1), 0
    for _ in range(60):
        try:
            found = draw.mechanism(Extreme(pick), kind)
        except pv.errors.InvalidInput:
            continue
        assert parse(str(found)) == 1 * found
        made += 1
    assert made >= 5


def test_what_is_composed_has_every_mechanism() -> None:
    pick = random.Random(1)
    texts = [hostile.mechanism(pick) for _ in range(1500)]
    assert {text.partition("(")[0] for text in texts} == set(MECHANISMS)


@pytest.mark.parametrize("x", ["0", "1", "1e-300", "0.3333", "-2.5", "17", "300", "-700"])
def test_the_exponential_is_bracketed(x: str) -> None:
    low, high = exponential(Fraction(x))
    with mpmath.workdps(150):
        value = mpmath.exp(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator)
        assert mpmath.mpf(low.numerator) / low.denominator <= value
        assert value <= mpmath.mpf(high.numerator) / high.denominator
    assert (high - low) * 10**50 < high


@pytest.mark.parametrize("k", [1, 2, 3])
def test_brute_force_is_what_listing_every_outcome_gives(k: int) -> None:
    p = [Fraction(n, 12) for n in (5, 3, 2, 1, 1, 0)]
    q = [Fraction(n, 12) for n in (2, 2, 0, 2, 2, 4)]  # two outcomes are alike
    for weight in (Fraction(1, 2), Fraction(4, 3), Fraction(5)):
        delta = tail = Fraction(0)
        for outcome in itertools.product(range(6), repeat=k):
            a, b = math.prod(p[i] for i in outcome), math.prod(q[i] for i in outcome)
            delta += max(Fraction(0), a - weight * b)
            tail += a if a >= weight * b else 0
        found = convolved(power(masses(p, q), k - 1), masses(p, q))
        assert brute_force("delta", found, weight) == delta
        assert brute_force("tail", found, weight) == tail


def test_a_convolution_of_too_many_terms_is_refused() -> None:
    many = masses([Fraction(1, 400)] * 400, [Fraction(1, 400)] * 400)
    with pytest.raises(OverflowError):
        convolved(many, many)
    with pytest.raises(OverflowError):
        power(many, 3)


# planted errors


@pytest.mark.parametrize(
    "line",
    ["1 / 0", "pv.Enclosure(0, 2, 'x')", "pv.Enclosure(-1, 1, 'x')", "pv.Enclosure(0, float('nan'), 'x')"],
)
def test_what_no_true_answer_is_fails(line: str) -> None:
    with pytest.raises(Failed):
        answered(line, Outcome(0, "law"), 1.0)


def test_a_refusal_is_no_failure() -> None:
    assert answered("pv.delta(None, epsilon=1)", Outcome(0, "law"), 1.0) is None


def test_answers_that_exclude_each_other_fail() -> None:
    low, high = pv.Enclosure(Fraction(0), Fraction(1, 3), "a"), pv.Enclosure(Fraction(1, 2), Fraction(1), "b")
    agree(["one", "two"], [low, None], Outcome(0, "law"))
    with pytest.raises(Failed, match="do not overlap"):
        agree(["one", "none", "two"], [low, None, high], Outcome(0, "law"))


@pytest.mark.parametrize("kind", KINDS)
def test_false_answers_are_found_by_questions_of_every_kind(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth, turn = pv.delta, itertools.count()

    def false(*args: object, **asked: object) -> pv.Enclosure:
        answer = truth(*args, **asked)  # type: ignore[arg-type]
        shift = next(turn) % 2  # the first answer of each pair is true, or all are near 0
        return pv.Enclosure((answer.lower + shift) / 2, (answer.upper + shift) / 2, answer.engine)

    monkeypatch.setattr(pv, "delta", false)
    with pytest.raises(Failed):
        for number in range(40):
            KINDS[kind][1](random.Random(number), Outcome(number, kind), 0.2)


def test_parameters_are_spoilt_only_inside() -> None:
    classes = parameter_classes()
    assert any("contour" in kind.__module__ for kind in classes)
    line = "pv.delta(30 * pv.Gaussian(5), epsilon=2, digits=12, engine='contour')"
    good = eval(line, {"pv": pv})
    poor = []
    for seed in range(12):
        with spoilt(random.Random(seed), classes):
            poor.append(answered(line, Outcome(0, "poor"), 1.0))
    assert eval(line, {"pv": pv}) == good
    assert any(answer != good for answer in poor)
    assert all(answer is None or answer.overlaps(good) for answer in poor)


# children


def planted(number: int) -> Outcome:
    if number == 1:
        __import__("os").abort()
    if number == 2:
        while True:
            pass
    return Outcome(number, "law")


def test_a_child_that_dies_costs_one_question_and_is_replaced() -> None:
    found = {outcome.number: outcome for outcome in sweep(iter(range(4)), planted, workers=1, limit=0.5)}
    assert set(found) == set(range(4))
    assert {number for number, outcome in found.items() if outcome.failure} == {1, 2}
    assert "exit code -6" in found[1].failure and "limit" in found[2].failure


def test_a_child_answers_many_questions() -> None:
    child = Child(planted, 5.0)
    for number in (3, 4, 5):
        child.ask(number)
        assert child.pipe.recv().number == number
    child.end()


def test_a_run_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store"
    asked: list[int] = []

    def counted(seed: int, number: int, seconds: float) -> Outcome:
        return Outcome(number, "law", answers=1, failure="x" if number == 3 else "")

    def here(numbers, ask, *, workers):  # type: ignore[no-untyped-def]
        for number in numbers:
            asked.append(number)
            yield ask(number)

    monkeypatch.setattr(hostile, "question", counted)
    monkeypatch.setattr(hostile, "sweep", here)
    for questions in (5, 8):
        monkeypatch.setattr("sys.argv", ["hostile", "--questions", str(questions), "--store", str(store)])
        assert hostile.main() == 1
    assert asked == list(range(8))
    store.write_text(store.read_text("utf-8") + '{"torn', "utf-8")
    assert read(store, 1).done == set(range(8)) and set(read(store, 1).failures) == {3}
    assert read(store, 2).done == set()
