"""Findings for people: a row of numbers below each query; one number a line where the terminal is narrow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from rich.text import Text

from pldverify.accountants.ask import UNKNOWN
from pldverify.cli.console import GAP, output, say
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.scientific import scientific
from pldverify.rulings.finding import UNITS, Finding
from pldverify.rulings.soundness import Outcome, Severity, Verdict

_STYLES: dict[Outcome, str] = {
    "SOUND": "green",
    "UNSOUND": "bold red",
    "UNDECIDED": "yellow",
    "REFUSED": "dim",
    "CRASHED": "magenta",
    "INVALID": "magenta",
}
_SEVERITIES: dict[Severity | None, str] = {"rounding-level": " (rounding)", "undecided": " (how far?)"}
_HEADINGS = ("verdict", "claim", "truth", "slack or error", "seconds")

_ASKED = "composition"
"""Setting of an adapter that says what the library was asked."""

_REWRITTEN = "rewritten"
"""Setting of an adapter that says how that is in other words than what was typed."""

Row = tuple[str, ...]


def print_findings(findings: Sequence[Finding]) -> None:
    """Numbers that are none; each accountant's rows on standard output, and why a verdict is what it is; then
    the totals, and on what machine where rounding decides.
    """
    from pldverify.sweeps.summary import is_rounding

    for finding in findings:
        if (wrong := _impossible(finding)) is not None:
            say(f"{wrong}: {_question(finding)}", "bold red")
    subjects = dict.fromkeys(finding.accountant for finding in findings)
    for subject in subjects:
        mine = [finding for finding in findings if finding.accountant == subject]
        _print_rows(" ".join((subject, *_versions(mine))), mine)
        if len(subjects) > 1:
            say(f"{subject}: {_counts(mine)}")
        say("")
    say(_counts(findings))
    if rounded := sum(is_rounding(finding.to_json()) for finding in findings):
        say(rounding_level(rounded))


def rounding_level(times: int) -> str:
    """That so many verdicts are those of this machine."""
    from pldverify.accountants.machine import machine

    verdicts = "1 verdict is" if times == 1 else f"{times} verdicts are"
    return f"{verdicts} at rounding level, and may be another one elsewhere: this is {machine()}"


def _impossible(finding: Finding) -> str | None:
    """Who said what number that is none of its kind; None where nobody did."""
    from pldverify.accountants.ask import impossible

    if finding.verdict == "INVALID":
        return finding.reason
    wrong = finding.claim and impossible(finding.claim, finding.query)
    return f"{finding.speaker}: {wrong}" if wrong else None


def _counts(findings: Sequence[Finding]) -> str:
    """Verdicts, and what else there was; how many of the UNSOUND are wrong at rounding level only."""
    totals = Counter(finding.verdict for finding in findings)
    rounding = sum(finding.severity == "rounding-level" for finding in findings)
    notes = {"UNSOUND": f" ({rounding} at rounding level)"} if rounding else {}
    shown = [each for each in _STYLES if totals[each] or each in get_args(Verdict)]
    return ", ".join(f"{totals[each]} {each}{notes.get(each, '')}" for each in shown)


def _versions(findings: Sequence[Finding]) -> list[str]:
    """None of what has none; more than one only if a process died before it could say which it is."""
    return [each for each in dict.fromkeys(finding.version for finding in findings) if each != UNKNOWN]


def _print_rows(title: str, findings: Sequence[Finding]) -> None:
    console = output()
    console.print(Text(title, style="bold"))
    asked = [finding for finding in findings if finding.verdict != "REFUSED"]
    rows = [_row(finding) for finding in asked]
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
    narrow = sum(widths) + len(GAP) * len(widths) > console.width
    if rows and not narrow:
        console.print(Text(_aligned(_HEADINGS, widths), style="dim"), soft_wrap=True)
    for finding, row in zip(asked, rows, strict=True):
        say(_question(finding))
        for line in _stacked(row) if narrow else [_aligned(row, widths)]:
            console.print(Text(line, style=_STYLES[finding.verdict]), soft_wrap=True)
        if finding.reason:
            say(GAP + finding.reason, "dim")
        for line in _asked_as(finding):
            say(GAP + line, "dim")
    _print_refusals([finding for finding in findings if finding.verdict == "REFUSED"])


def _asked_as(finding: Finding) -> Iterator[str]:
    """What the library was asked: where it was in other words, and of an UNSOUND answer."""
    settings = {} if finding.claim is None else finding.claim.parameters
    if _REWRITTEN in settings:
        yield f"asked in other words: {settings[_REWRITTEN]}"
    if _ASKED in settings and (_REWRITTEN in settings or finding.verdict == "UNSOUND"):
        yield f"asked as {settings[_ASKED]}"


def _print_refusals(findings: Sequence[Finding]) -> None:
    """Each reason once, and the questions that were refused for it."""
    for reason, times in Counter(finding.reason for finding in findings).items():
        say(f"{times} REFUSED: {reason}", "dim")
        for finding in findings:
            if finding.reason == reason:
                say(GAP + _question(finding), "dim")


def _question(finding: Finding) -> str:
    return str(finding.query).removesuffix(" [add-or-remove]")


def _aligned(row: Row, widths: Sequence[int]) -> str:
    """The verdict to the left, numbers to the right."""
    numbers = [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
    return GAP + GAP.join([row[0].ljust(widths[0]), *numbers])


def _stacked(row: Row) -> Iterator[str]:
    """Three lines: verdict and slack, claim, truth."""
    verdict, claim, truth, slack, _ = row
    yield f"{GAP}{verdict}{'' if slack == '-' else f'{GAP}{slack}'}"
    yield f"{GAP}claim {claim}"
    yield f"{GAP}truth {truth}"


def _row(finding: Finding) -> Row:
    shown = finding.shown
    return (
        finding.verdict + (_undecided(finding) or _SEVERITIES.get(finding.severity, "")),
        shown["claim"] or "-",
        shown["truth"] or "-",
        _slack(finding),
        f"{finding.seconds:.2f}",
    )


def _undecided(finding: Finding) -> str:
    """Why it is not decided, in a word or two."""
    return f" ({finding.cause.lower()})" if finding.verdict == "UNDECIDED" and finding.cause else ""


def _slack(finding: Finding) -> str:
    """What a sound bound gives away, an unsound one (minus sign) is wrong by, or an estimate's error."""
    unit = UNITS[finding.query.quantity]
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
