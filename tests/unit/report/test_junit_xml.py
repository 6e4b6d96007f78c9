"""JUnit XML: what CI systems count, well-formed whatever a subject said."""

from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pldverify import report
from tests.unit.report.findings import HOSTILE_FIELDS, LONG, SCRIPT, mixed, unsound

TEXTS = st.text(st.characters(), min_size=1).filter(lambda text: text.strip())
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "properties": set(),
    "property": {"name", "value"},
}
"""What the JUnit schema of Jenkins (junit-10.xsd) has of what is written here."""


def tree(*documents: dict[str, Any]) -> ElementTree.Element:
    return ElementTree.fromstring(report.junit(documents).encode("utf-8"))


def test_verdicts_are_outcomes() -> None:
    cases = tree(*mixed()).findall("./testsuite/testcase")
    outcomes = {tuple((child.tag, child.get("type")) for child in case) for case in cases}
    assert outcomes == {
        (), (("failure", "UNSOUND"),), (("error", "CRASHED"),), (("error", "INVALID"),),
        (("skipped", "UNDECIDED"),), (("skipped", "REFUSED"),),
    }  # fmt: skip


def test_counts_are_those_of_the_cases() -> None:
    root = tree(*mixed())
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        for name, tag in kinds.items():
            assert int(suite.get(name, "")) == len(suite.findall(f"testcase/{tag}"))
    assert root.get("tests") == "8" and root.get("failures") == "2" and root.get("errors") == "2"
    assert [suite.get("name") for suite in root] == ["planted/upper", "other", "third"]


def test_only_what_the_schema_has() -> None:
    for element in tree(*mixed()).iter():
        assert set(element.keys()) == ATTRIBUTES[element.tag]


def test_a_failure_says_what_is_wrong_and_how_to_see_it() -> None:
    (failure,) = tree(unsound()).iter("failure")
    message, text = failure.get("message", ""), failure.text or ""
    assert message == "UNSOUND (material): claims ε ≤ 0.5, truth [0.999999999999, 1], wrong by at least 0.499"
    assert "pldverify check planted/upper" in text and "planted/upper 1.0" in text


@given(st.fixed_dictionaries({name: TEXTS for name in HOSTILE_FIELDS}))
def test_any_text_is_well_formed(texts: dict[str, str]) -> None:
    assert [e.tag for e in tree(unsound(**texts)).iter()] == [e.tag for e in tree(unsound()).iter()]


def test_a_script_is_text_and_a_long_message_is_cut() -> None:
    text = report.junit([unsound(reason=SCRIPT + LONG, accountant=SCRIPT, query=LONG)])
    assert "<script" not in text and len(text) < 20_000
