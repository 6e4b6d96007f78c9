"""Findings as a table for people."""

import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pldverify.judge.finding import Finding
from pldverify.judge.verdict import Outcome, Severity, Verdict
from pldverify.mechanisms.mechanism import Standing
from pldverify.numbers.enclosure import Bound, Enclosure, scientific

_WIDTH = 160
_BOUNDS: dict[Standing, str] = {"exact": "", "upper bound": "≤ ", "lower bound": "≥ ", "neither": "? "}
_STYLES: dict[Outcome, str] = {
    "SOUND": "green",
    "UNSOUND": "bold red",
    "UNDECIDED": "yellow",
    "REFUSED": "dim",
    "CRASHED": "magenta",
    "INVALID": "magenta",
}

_SEVERITIES: dict[Severity | None, str] = {"rounding-level": " (rounding)", "undecided": " (how far?)"}


def print_findings(findings: Sequence[Finding]) -> None:
    """An accountant's table on standard output, why the undecided are undecided, counts; then the totals."""
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH)
    subjects = dict.fromkeys(finding.accountant for finding in findings)
    for subject in subjects:
        rows = [finding for finding in findings if finding.accountant == subject]
        console.print(_table(Text(" ".join((subject, *_versions(rows)))), rows))
        refusals = Counter(finding.reason for finding in rows if finding.verdict == "REFUSED")
        for reason, times in refusals.items():
            console.print(f"{times} REFUSED: {reason}", style="dim", markup=False, highlight=False)
        for finding in rows:
            if finding.reason and finding.verdict != "REFUSED":
                note = f"{finding.verdict}  {finding.query}: {finding.reason}"
                console.print(note, style="dim", markup=False, highlight=False, soft_wrap=True)
        if len(subjects) > 1:
            console.print(f"{subject}: {_counts(rows)}", markup=False, highlight=False)
    console.print(_counts(findings), highlight=False)


def _counts(findings: Sequence[Finding]) -> str:
    """Verdicts, and what else there was; how many of the UNSOUND are wrong at rounding level only."""
    totals = Counter(finding.verdict for finding in findings)
    rounding = sum(finding.severity == "rounding-level" for finding in findings)
    notes = {"UNSOUND": f" ({rounding} at rounding level)"} if rounding else {}
    shown = [each for each in _STYLES if totals[each] or each in get_args(Verdict)]
    return ", ".join(f"{totals[each]} {each}{notes.get(each, '')}" for each in shown)


def _versions(findings: Sequence[Finding]) -> list[str]:
    """More than one only if a process died before it could say which it is."""
    return list(dict.fromkeys(finding.version for finding in findings))


def _table(title: Text, findings: Sequence[Finding]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("query", overflow="fold")
    for heading in ("claim", "truth"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for heading in ("slack or error", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for finding in findings:
        table.add_row(
            Text(str(finding.query).removesuffix(" [add-or-remove]")),
            "-" if finding.claim is None else _short(finding.claim.value),
            "-" if finding.truth is None else _BOUNDS[finding.truth_is] + _truth(finding.truth),
            finding.verdict + _SEVERITIES.get(finding.severity, ""),
            _slack(finding),
            f"{finding.seconds:.2f}",
            style=_STYLES[finding.verdict],
        )
    return table


def _short(value: Bound) -> str:
    return "inf" if isinstance(value, float) else scientific(value, 9)


def _truth(truth: Enclosure) -> str:
    """Nine digits if they are proved, else the enclosure itself."""
    if truth.digits >= 9 and not isinstance(truth.lower, float):
        return scientific((Fraction(truth.lower) + Fraction(truth.upper)) / 2, 9)
    return truth.decimal()


def _slack(finding: Finding) -> str:
    """What a sound bound gives away, an unsound one (minus sign) is wrong by, or an estimate's error."""
    unit = {"epsilon": "ε", "delta": "δ", "rdp": "D", "noise": "σ"}[finding.query.quantity]
    if finding.slack is not None:
        in_epsilon = finding.slack_in_epsilon
        return f"{_margin(finding.slack)} {unit}" + (f" = {_margin(in_epsilon)} ε" if in_epsilon else "")
    if finding.excess is not None:
        return f"-{_margin(finding.excess)} {unit}"
    if finding.claim is not None and finding.claim.direction == "estimate" and finding.error is not None:
        return f"error {finding.error:+.2e} {unit}"
    return "-"


def _margin(margin: Bound) -> str:
    return "inf" if isinstance(margin, float) else scientific(margin, 3)
