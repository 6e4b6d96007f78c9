"""What a sweep shows people: what matters of each accountant."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pldverify.cli.console import GAP, say
from pldverify.numbers.claim import SAYS
from pldverify.numbers.json import size
from pldverify.report.numerals import at_least

if TYPE_CHECKING:
    from pldverify.sweeps.session import Session
    from pldverify.sweeps.store import FindingJSON
    from pldverify.sweeps.summary import Summary

_WORST = 3
"""UNSOUND findings that are named for each accountant."""
_ORDER = ("SOUND", "UNSOUND", "UNDECIDED", "CRASHED", "INVALID", "REFUSED")


def print_sweep(session: "Session") -> None:
    """Print what was found so far."""
    from pldverify.cli.findings_table import rounding_level
    from pldverify.sweeps.summary import is_rounding, summaries

    findings = session.findings()
    for summary in summaries(findings):
        for line, style in _lines(summary, session.refused.get(summary.accountant, 0)):
            say(line, style)
        say("")
    if rounded := sum(map(is_rounding, findings)):
        say(rounding_level(rounded))
    say(_total(session, findings))


def _lines(summary: "Summary", refused: int) -> Iterator[tuple[str, str]]:
    """(text, style) of one accountant."""
    yield " ".join((summary.accountant, *summary.versions)), "bold"
    yield f"{GAP}{_counts(summary)}; {summary.decided} of {summary.answered} claims decided", ""
    if summary.tightness is not None:
        middle, worst = (at_least(slack, 2) for slack in summary.tightness)
        yield f"{GAP}sound bounds give away at least {middle} ε in the median, {worst} ε at the worst", ""
    yield f"{GAP}{summary.seconds:.2g} s a claim; {refused} questions of the grid are not for it", "dim"
    for finding in summary.impossible[:_WORST]:
        yield f"{GAP}impossible: {finding['claim_float']!r}: {finding['query']}", "bold red"
    for finding in summary.unsound[:_WORST]:
        yield f"{GAP}UNSOUND ({finding['severity']}): {_claim(finding)}: {finding['query']}", "bold red"
    if len(summary.unsound) > _WORST:
        yield f"{GAP}UNSOUND: {len(summary.unsound) - _WORST} more", "red"
    for verdict, cause, times, first in summary.reasons():
        text = f"{GAP}{times} {verdict} ({cause.lower()}), such as {first['query']}: {first['reason']}"
        yield text, "dim" if verdict == "REFUSED" else "magenta"


def _counts(summary: "Summary") -> str:
    verdicts = summary.verdicts
    material = sum(each["severity"] == "material" for each in summary.unsound)
    notes = {"UNSOUND": f" ({material} material)"} if summary.unsound else {}
    return ", ".join(
        f"{verdicts[word]} {word}{notes.get(word, '')}"
        for word in _ORDER
        if verdicts[word] or word in ("SOUND", "UNSOUND")
    )


def _claim(finding: "FindingJSON") -> str:
    """What was said, and what is true; of noise the reason says what is true of it."""
    shown = finding["shown"]
    said = f"{SAYS[finding['direction']]} {shown['claim']}"
    if not shown["truth"]:
        return f"says {said}, {finding['reason']}"
    excess = size(finding["excess"], finding["excess_float"])
    off = f" (off by {at_least(excess, 2)})" if excess else ""
    return f"says {said}, true is {shown['truth']}{off}"


def _total(session: "Session", findings: list["FindingJSON"]) -> str:
    there = f", {session.before} of them from before" if session.before else ""
    return f"{len(findings)} of {session.total} cells{there}"
