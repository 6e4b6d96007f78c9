"""SARIF: what the standard requires of a log, a tool, a rule and a result."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify import report
from tests.unit.report.findings import HOSTILE_FIELDS, LONG, SCRIPT, finding, mixed, unsound

TEXTS = st.text(st.characters(), min_size=1).filter(lambda text: text.strip())
KINDS = {"notApplicable", "pass", "fail", "review", "open", "informational"}
LEVELS = {"none", "note", "warning", "error"}


def run(*documents: dict[str, Any]) -> dict[str, Any]:
    log = json.loads(report.sarif(documents).encode("utf-8"))
    assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"]
    (only,) = log["runs"]
    return only


def results(*documents: dict[str, Any]) -> list[dict[str, Any]]:
    return run(*documents)["results"]


def test_every_result_has_its_rule() -> None:
    made = run(*mixed())
    rules = made["tool"]["driver"]["rules"]
    assert made["tool"]["driver"]["name"] == "pldverify"
    for result in made["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert len({rule["id"] for rule in rules}) == len(rules) == 6


def test_kind_and_level_are_those_of_the_standard() -> None:
    for result in results(*mixed()):
        assert result["kind"] in KINDS and result["level"] in LEVELS
        assert (result["level"] == "none") == (result["kind"] != "fail"), "3.27.10: a level is of failures"


@pytest.mark.parametrize(
    ("severity", "level"), [("material", "error"), ("rounding-level", "warning"), (None, "warning")]
)
def test_what_may_be_rounding_is_a_warning(severity: str | None, level: str) -> None:
    assert results(unsound(severity=severity))[0]["level"] == level


def test_a_fingerprint_is_of_the_question() -> None:
    def fingerprint(document: dict[str, Any]) -> str:
        return results(document)[0]["partialFingerprints"]["question/v1"]

    assert fingerprint(finding()) == fingerprint(unsound(seconds=9.0, version="2"))
    assert fingerprint(finding()) != fingerprint(finding(delta="1e-7"))


def test_the_message_is_plain_text() -> None:
    (result,) = results(finding(query="[click](http://example.org) {0}", composition="x"))
    assert result["message"]["text"].startswith(r"\[click\](http://example.org) {{0}}")


@given(st.fixed_dictionaries({name: TEXTS for name in (*HOSTILE_FIELDS, "delta")}))
def test_any_text_is_json(texts: dict[str, str]) -> None:
    assert len(results(unsound(**texts))) == 1


def test_a_long_message_is_cut() -> None:
    assert len(report.sarif([unsound(reason=SCRIPT + LONG, accountant=LONG, query=LONG)])) < 20_000
