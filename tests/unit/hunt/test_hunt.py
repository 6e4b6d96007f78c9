"""The hunt finds what was planted, each defect once, and brings it down to the simplest question."""

from pathlib import Path

import pytest

from pldverify.accountants.registry import accountant
from pldverify.errors import InvalidInput
from pldverify.hunt.hunt import Hunt

PLANTED = f"{Path(__file__).with_name('planted.py')}:Planted"


@pytest.fixture(scope="module")
def hunt() -> Hunt:
    made = Hunt([accountant(PLANTED)], minutes=60, questions=120, seed=3)
    made.run()
    return made


def test_every_defect_is_found_once(hunt: Hunt) -> None:
    kinds = [group.cause.kind for group in hunt.groups]
    assert {"violation", "crash", "invalid", "loose"} <= set(kinds)
    assert kinds.count("crash") == kinds.count("invalid") == kinds.count("loose") == 1
    assert kinds == sorted(kinds, key=["invalid", "violation", "crash", "rounding", "loose"].index)


def test_the_forgotten_count_is_shown_on_the_simplest_question(hunt: Hunt) -> None:
    worst = next(group for group in hunt.groups if group.cause.kind == "violation")
    assert (worst.worst.verdict, worst.worst.severity) == ("UNSOUND", "material")
    assert worst.worst.claim is not None and worst.worst.claim.value == 0  # infinitely bad, and yet shrunk
    ((mechanism, count),) = worst.worst.query.composition.parts
    assert (str(mechanism), count) == ("gaussian(sigma=1)", 2)


def test_the_loosest_bound_is_the_one_that_is_three_times_too_large(hunt: Hunt) -> None:
    loosest = hunt.groups[-1].worst
    assert loosest.query.delta is not None and loosest.query.delta > 0.01
    assert loosest.tightness is not None and loosest.truth is not None
    assert float(loosest.tightness) > 0.5 * float(loosest.truth.upper)


@pytest.mark.slow
def test_questions_of_one_seed_are_the_same(hunt: Hunt) -> None:
    def asked(seed: int) -> list[str]:
        heard: list[str] = []
        made = Hunt(
            [accountant(PLANTED)],
            minutes=60,
            questions=3,
            seed=seed,
            on_progress=lambda now: heard.append(now.now.partition("; ")[2]),
        )
        made.run()
        return heard[:3]

    assert asked(5) == asked(5) != asked(6)


@pytest.mark.slow
def test_what_was_found_is_there_after_an_interruption() -> None:
    def stop(now: object) -> None:
        if made.questions >= 25:
            raise KeyboardInterrupt

    made = Hunt([accountant(PLANTED)], minutes=60, seed=3, on_progress=stop)
    with pytest.raises(KeyboardInterrupt):
        made.run()
    assert "violation" in {group.cause.kind for group in made.groups}
    assert made.report(made.groups[0]).startswith("# Planted")


def test_time_must_be_positive() -> None:
    with pytest.raises(InvalidInput, match="minutes must be > 0"):
        Hunt([accountant(PLANTED)], minutes=0)


def test_a_bug_of_ours_is_told_and_ends_no_hunt(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr("pldverify.hunt.panel.finding", broken)
    made = Hunt([accountant(PLANTED)], minutes=60, questions=120, seed=3)
    made.run()
    assert list(made.broken) == ["IndexError: list index out of range"]
    assert made.groups == []
