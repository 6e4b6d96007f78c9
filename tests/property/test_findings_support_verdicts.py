"""Whatever form a finding leaves in, the claim and the truth that it prints show its verdict."""

import csv
import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.cli.findings_table import _row
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.numbers import Enclosure
from pldverify.numbers.claim import Claim, Direction
from pldverify.report import records
from pldverify.report.html_page import _cell
from pldverify.report.mechanism import shape
from pldverify.rulings.finding import Finding
from pldverify.rulings.soundness import judge
from pldverify.values.value import of_pairs

Ends = tuple[Any, Any]
DIRECTIONS: tuple[Direction, ...] = ("upper", "lower")
MECHANISMS: tuple[Mechanism | Composition, ...] = (
    pv.Gaussian(sigma=1),  # exact
    100 * pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.01"),  # an upper bound alone
    pv.KJH19Substitute(pv.Gaussian(sigma=1), q="0.1"),  # a lower bound alone
)
SIZES = st.one_of(
    st.fractions(min_value=0, max_value=30, max_denominator=10**6),
    st.floats(min_value=1e-12, max_value=1e3).map(Fraction),
)
GAPS = st.sampled_from([Fraction(0), *(Fraction(1, 10**k) for k in (1, 2, 3, 6, 9, 10, 15, 40))])


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """The claim is an end, or at some small distance from one."""
    lower = draw(SIZES)
    upper = draw(st.one_of(st.just(inf), GAPS.map(lambda gap: lower * (1 + gap))))
    at = draw(st.sampled_from([lower, upper]))
    claimed = at if at == inf else at * (1 + draw(GAPS) * draw(st.sampled_from([1, -1])))
    composition, direction = draw(st.sampled_from(MECHANISMS)), draw(st.sampled_from(DIRECTIONS))
    query, claim = pv.Query(composition, delta="1e-5"), Claim(claimed, direction, "test")
    truth = Enclosure(lower, upper, "by hand")
    verdict = judge(claim, of_pairs(query, truth))
    return Finding(query, "test", "1", claim, truth, verdict, 0.5)


def number(text: str) -> Any:
    return inf if text == "inf" else Fraction(text)


def interval(text: str) -> Ends:
    """What a print says of the truth; None for an end that it does not tell."""
    if text in ("", "-", "–"):
        return None, None
    if text[0] in "≤<≥>":
        end = number(text[2:])
        return (None, end) if text[0] in "≤<" else (end, None)
    if text.startswith("["):
        low, high = text[1:-1].split(", ")
        return number(low), number(high)
    if text.endswith("…"):
        mantissa, _, power = text[:-1].partition("e")
        unit = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))
        return number(text[:-1]), number(text[:-1]) + unit
    middle, _, radius = text.partition(" ± ")
    return number(middle) - number(radius or "0"), number(middle) + number(radius or "0")


def forms(finding: Finding) -> Iterator[tuple[str, str, Ends]]:
    """(form, printed claim, printed truth)."""
    document = json.loads(json.dumps(finding.to_json()))
    record = records([document])[0]
    rows = dict(finding.rows())
    yield "rows", rows["claim"][4:], interval(rows.get("true ε", ""))
    _, claim, truth, *_ = _row(finding)
    yield "terminal", claim, interval(truth)
    cell = next(csv.DictReader(io.StringIO(pv.report.csv([record]))))
    low, high = (number(cell[end]) if cell[end] else None for end in ("truth_lower", "truth_upper"))
    yield "CSV", cell["claim"], (low, high)
    html = _cell(1, record, {record.accountant: ""}, {shape(record.composition): ""})
    yield "HTML", html["claim"][2:], interval(html["truth"])
    failure = ElementTree.fromstring(pv.report.junit([record]).encode()).find(".//failure")
    said = {"JUnit": "" if failure is None else failure.get("message", "")}
    for name, page in {**said, "Markdown": pv.report.markdown([record])}.items():
        told = re.search(r"claims ε [≤≥] (\S+), truth (.+?)(?:, wrong by|`|$)", page, re.MULTILINE)
        if told is not None:
            yield name, told[1], interval(told[2])
    found = json.loads(pv.report.sarif([record]))["runs"][0]["results"][0]["properties"]
    low, high = (number(found[end]) if found[end] else None for end in ("truthLower", "truthUpper"))
    yield "SARIF", found["claim"], (low, high)


def _shows(verdict: str, direction: str, claim: Any, truth: Ends) -> bool:
    low, high = truth
    holds = high is not None and high <= claim if direction == "upper" else low is not None and low >= claim
    fails = low is not None and low > claim if direction == "upper" else high is not None and high < claim
    return {"SOUND": holds, "UNSOUND": fails, "UNDECIDED": not holds and not fails}[verdict]


@given(findings())
def test_every_form_supports_the_verdict_and_holds_the_truth(finding: Finding) -> None:
    lower, upper = finding.proved.ends
    assert finding.claim is not None
    for form, claim, (low, high) in forms(finding):
        assert _shows(finding.verdict, finding.claim.direction, number(claim), (low, high)), form
        assert low is None or (lower is not None and low <= lower), form
        assert high is None or (upper is not None and high >= upper), form


@pytest.mark.parametrize("forms_of", ["JUnit", "Markdown"])
def test_the_forms_of_a_violation_are_read(forms_of: str) -> None:
    finding = pv.check(lambda query: 4.8, pv.Query(pv.Gaussian(1), delta="1e-6"), direction="upper")
    assert forms_of in {form for form, _, _ in forms(finding)}
