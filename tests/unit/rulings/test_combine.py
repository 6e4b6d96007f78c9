"""The verdict on a claim, by the verdicts on what it may mean."""

import pytest

from pldverify.rulings.combine import overall

TRUE, FALSE, OPEN, IF = "CERTIFIED", "REFUTED", "UNDECIDED", "CONDITIONAL"


@pytest.mark.parametrize(
    ("readings", "verdict"),
    [
        ([("run", TRUE)], TRUE),
        ([("run", FALSE)], FALSE),
        ([("run", IF)], IF),
        ([("run", TRUE), ("accounted", FALSE)], TRUE),
        ([("run", FALSE), ("accounted", TRUE)], IF),
        ([("run", FALSE), ("accounted", OPEN)], FALSE),
        ([("run", OPEN), ("accounted", FALSE)], OPEN),
        ([("run", OPEN), ("accounted", TRUE)], IF),
        ([("run", FALSE), ("possible", TRUE)], IF),
        ([("assumed", FALSE)], OPEN),
        ([("assumed", TRUE)], IF),
        ([("possible", TRUE), ("possible", TRUE)], TRUE),
        ([("possible", FALSE), ("possible", FALSE)], FALSE),
        ([("possible", TRUE), ("possible", FALSE)], IF),
        ([("possible", FALSE), ("possible", OPEN)], OPEN),
        ([("possible", IF), ("possible", OPEN)], IF),
    ],
)
def test_what_was_run_decides_and_of_what_may_be_meant_all_must_agree(readings, verdict: str) -> None:
    assert overall(readings) == verdict
