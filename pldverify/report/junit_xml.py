"""JUnit XML: a suite for each accountant, a case for each question, as CI systems read it."""

from collections.abc import Sequence
from xml.etree import ElementTree as xml

from pldverify.foreign import brief, passage
from pldverify.report import reproduction
from pldverify.report.numerals import at_least
from pldverify.report.record import SAYS, Findings, Record, records

_MOST_TEXT = 2_000
"""Characters of a failure."""
_OUTCOMES = {
    "UNSOUND": "failure",
    "CRASHED": "error",
    "INVALID": "error",
    "UNDECIDED": "skipped",
    "REFUSED": "skipped",
}
"""What a verdict is there; SOUND passes."""


def junit(findings: Findings) -> str:
    """The document. UNSOUND is a failure, CRASHED and INVALID are errors; UNDECIDED and REFUSED are skipped,
    since neither was shown to be wrong, with the reason.

    Raises InvalidInput for what is no finding.

    >>> found = pv.check("gdp", pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), delta="1e-6"))
    >>> pv.report.junit([found]).splitlines()[1][:56]
    '<testsuites name="pldverify" tests="1" failures="1" erro'
    """
    found = records(findings)
    suites: dict[str, list[Record]] = {}
    for record in found:
        suites.setdefault(record.accountant, []).append(record)
    root = xml.Element("testsuites", {"name": "pldverify", **_counts(found, skipped=False)})
    for accountant, mine in suites.items():
        suite = xml.SubElement(root, "testsuite", {"name": brief(accountant, 200), **_counts(mine)})
        properties = xml.SubElement(suite, "properties")
        xml.SubElement(properties, "property", name="version", value=brief(mine[0].version, 200))
        for record in mine:
            _case(suite, record)
    xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{xml.tostring(root, encoding="unicode")}\n'


def _counts(found: Sequence[Record], *, skipped: bool = True) -> dict[str, str]:
    outcomes = [_OUTCOMES.get(record.verdict) for record in found]
    counts = {
        "tests": str(len(found)),
        "failures": str(outcomes.count("failure")),
        "errors": str(outcomes.count("error")),
    }
    if skipped:  # the published schema has it of a suite alone
        counts["skipped"] = str(outcomes.count("skipped"))
    return counts | {"time": f"{sum(record.seconds for record in found):.3f}"}


def _case(suite: xml.Element, record: Record) -> None:
    names = {"name": brief(record.question, 300), "classname": brief(record.accountant, 200)}
    case = xml.SubElement(suite, "testcase", {**names, "time": f"{record.seconds:.3f}"})
    outcome = _OUTCOMES.get(record.verdict)
    if outcome is not None:
        how = {"type": record.verdict, "message": brief(headline(record), 300)}
        xml.SubElement(case, outcome, how).text = passage(_text(record), _MOST_TEXT)


def headline(record: Record) -> str:
    """One line: what was claimed, what is true, by how much it is wrong; or why there is no verdict."""
    if record.verdict in ("SOUND", "UNSOUND"):
        said = f"{record.unit} {SAYS[record.direction]} {record.shown.claim or '–'}"
        true = record.shown.truth or "–"
        wrong = "" if record.excess is None else f", wrong by at least {at_least(record.margin or 0)}"
        return f"{record.verdict}{_severity(record)}: claims {said}, truth {true}{wrong}"
    return f"{record.verdict}: {record.reason}"


def _severity(record: Record) -> str:
    return f" ({record.severity})" if record.severity in ("material", "rounding-level") else ""


def _text(record: Record) -> str:
    lines = [
        headline(record),
        record.reason,
        f"of {record.query}",
        f"by {record.accountant} {record.version}",
    ]
    return "\n".join([*(brief(line, _MOST_TEXT // 2) for line in lines if line), reproduction.shell(record)])
