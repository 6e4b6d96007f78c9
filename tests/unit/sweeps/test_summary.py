"""Summary: what is counted of each accountant, and the worst first."""

import math
from typing import Any

from pldverify.cli import sweep_output
from pldverify.sweeps.summary import is_rounding, summaries


def finding(verdict: str, **more: Any) -> dict[str, Any]:
    """As ``Finding.to_json`` gives it, of what a summary reads."""
    plain = {
        "accountant": "a",
        "version": "1",
        "query": "q",
        "claim": "1",
        "claim_float": 1.0,
        "cause": None,
        "severity": None,
        "tightness_float": None,
        "excess_float": None,
        "upper_float": 2.0,
        "lower": "2",
        "lower_float": 2.0,
        "slack_float": None,
        "quantity": "epsilon",
        "direction": "upper",
        "seconds": 0.5,
        "reason": "",
        "shown": {"claim": "1", "truth": "2"},
    }
    sizes = {name: more.get(f"{name}_float") for name in ("tightness", "excess")}
    exact = {name: None if size is None else str(size) for name, size in sizes.items()}
    return {**plain, "verdict": verdict, **exact, **more}


FOUND = [
    finding("SOUND", tightness_float=0.1),
    finding("SOUND", tightness_float=0.3),
    finding("UNSOUND", severity="rounding-level", excess_float=1e-15, query="rounding"),
    finding("UNSOUND", severity="material", excess_float=0.1, query="small"),
    finding("UNSOUND", severity="material", excess_float=1.0, query="large"),
    finding("UNDECIDED", cause="NO PROMISE"),
    finding("UNDECIDED", cause="TOO WIDE"),
    finding("CRASHED", cause="TIMED OUT", claim=None, seconds=60.0),
    finding("SOUND", accountant="b"),
]


def test_what_is_counted() -> None:
    a, b = summaries(FOUND)
    assert (a.accountant, b.accountant) == ("a", "b")
    assert (a.answered, a.decided) == (6, 5), "an estimate without a promise, and no answer, are not counted"
    assert a.tightness == (0.2, 0.3) and b.tightness is None
    assert [each["query"] for each in a.unsound] == ["large", "small", "rounding"]
    assert [(verdict, cause, times) for verdict, cause, times, _ in a.reasons()] == [
        ("CRASHED", "TIMED OUT", 1),
        ("UNDECIDED", "NO PROMISE", 1),
        ("UNDECIDED", "TOO WIDE", 1),
    ]
    assert a.seconds == 0.5


def test_infinity_is_the_most_and_the_worst() -> None:
    """It has no double, so it was left out: "1 ε at most" of two claims, of which one is ε ≤ ∞."""
    some = [finding("SOUND", tightness_float=1.0069), finding("SOUND", tightness="inf")]
    (summary,) = summaries(
        [*some, *FOUND[2:5], finding("UNSOUND", severity="material", excess="inf", query="all")]
    )
    assert summary.tightness == (math.inf, math.inf)
    assert [each["query"] for each in summary.unsound] == ["all", "large", "small", "rounding"]
    said = [line.strip() for line, _ in sweep_output._lines(summary, 0)]
    assert "sound bounds give away at least inf ε in the median, inf ε at the worst" in said
    said = [line.strip() for line, _ in sweep_output._lines(summaries(some[:1])[0], 0)]
    assert "sound bounds give away at least 1 ε in the median, 1 ε at the worst" in said


def test_what_is_said_is_what_the_finding_shows() -> None:
    said = finding("UNSOUND", severity="material", shown={"claim": "0", "truth": "1.00000e-1389"})
    assert sweep_output._claim(said) == "says ≤ 0, true is 1.00000e-1389"
    noise = finding("UNSOUND", shown={"claim": "2", "truth": ""}, reason="ε is 1.1 there")
    assert sweep_output._claim(noise) == "says ≤ 2, ε is 1.1 there"


def test_impossible_numbers_are_told_before_all_else() -> None:
    odd = [
        finding("SOUND", quantity="delta", claim="1.0000000043", claim_float=1.0000000043, query="above"),
        finding("UNSOUND", severity="material", claim="-1", claim_float=-1.0, query="below"),
        finding("SOUND", claim="3", claim_float=3.0),
        finding("SOUND", claim="inf", claim_float=None),
    ]
    (summary,) = summaries(odd)
    assert [each["query"] for each in summary.impossible] == ["above", "below"]
    said = [line.strip() for line, _ in sweep_output._lines(summary, 0)]
    first = next(i for i, line in enumerate(said) if line.startswith("impossible: 1.0000000043: above"))
    assert said[first + 1] == "impossible: -1.0: below"
    assert not any(line.startswith("UNSOUND") for line in said[:first])


def test_rounding_level_has_two_sides() -> None:
    assert is_rounding(finding("UNSOUND", severity="rounding-level"))
    assert is_rounding(finding("SOUND", slack_float=1e-9)) and not is_rounding(
        finding("SOUND", slack_float=1e-8)
    )
    assert not is_rounding(finding("SOUND", slack_float=0.0, lower_float=0.0))
    assert not is_rounding(finding("SOUND")) and not is_rounding(finding("SOUND", lower_float=None))
