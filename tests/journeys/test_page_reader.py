"""Somebody who knows no privacy is sent a page, and answers five questions from its text alone: what was run,
what was promised, is it true, how sure is that, who can check it?
"""

import re
from html import unescape

import pytest

from tests.journeys.installed import Installed

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

RUN = ["--sigma", "1.1", "--batch-size", "100", "--dataset-size", "6000", "--epochs", "3"]


@pytest.fixture(scope="module")
def text(installed: Installed) -> str:
    made = ["--delta", "1e-3", "--epsilon", "1.19", "--html", "sent.html", "--out", "sent.json"]
    assert installed.pldverify("certify", *RUN, *made).startswith("CERTIFIED: ε ≤ 1.19 at δ = 0.001\n")
    page = (installed.folder / "sent.html").read_text("utf-8")
    assert "default-src &#39;none&#39;" in page, "it needs no network"
    shown = re.sub(r"(?s)<(script|style|math)\b.*?</\1>", "", page)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            "What was run?",
            [
                "Trained for 3 epochs (180 steps) on 6,000 records, in Poisson batches of 100 on average.",
                "Gaussian noise, of a standard deviation of 1.1 times what one record contributes at most",
                "saw nothing of the run",
            ],
        ),
        (
            "What was promised?",
            [
                "Two data sets are neighbours if one of them has one record more.",
                "on one the event is at most e^ε times as probable as on the other, plus δ",
                "guesses which of them was used, is right with probability at most",
            ],
        ),
        ("Is it true?", ["The claim is true. That is proved, of what is stated"]),
        (
            "How sure is that?",
            [
                "each step's randomness is exact, independent and secret.",
                "If one of these does not hold, nothing is proved of what was run.",
            ],
        ),
        ("Who can check it?", ["pldverify recheck", "recheck.py, which needs Python alone"]),
    ],
)
def test_a_question_is_answered(text: str, question: str, answers: list[str]) -> None:
    assert [answer for answer in answers if answer not in text] == [], question


def test_a_large_delta_is_warned_of(text: str) -> None:
    """1e-3 is more than 1/6,000: whoever publishes a record at random keeps such a promise."""
    assert "δ is not below 1/n, with n = 6,000 records" in text


def test_nothing_of_our_source_is_shown(text: str) -> None:
    for raw in (":math:", ":mod:", "**", "``", "Traceback", "None,", "*2^"):
        assert raw not in text, raw


@pytest.mark.usefixtures("text")
def test_the_commands_on_it_run(installed: Installed) -> None:
    assert installed.pldverify("recheck", "sent.json").startswith("CONFIRMED: CERTIFIED\n")
