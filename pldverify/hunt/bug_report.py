"""Bug report: Markdown ready to paste into the tracker of a library. What it tells to run was run."""

import json
import platform
import shlex
import sys
from importlib import metadata
from textwrap import fill

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.machine import machine
from pldverify.accountants.reference import reference
from pldverify.accountants.worker import Limits
from pldverify.errors import NotSupported
from pldverify.foreign import code, markdown
from pldverify.hunt.grouping import LIMITED, Group, Kind
from pldverify.hunt.reproduction import Ran, ran
from pldverify.hunt.words import QUANTITIES, SEVERITIES, title, why
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import show
from pldverify.numbers.presentation import number
from pldverify.numbers.scientific import outward
from pldverify.rulings.finding import Finding
from pldverify.testing.reproduction import expression
from pldverify.version import __version__

_SIGNS = {"upper": "≤", "lower": "≥", "estimate": "≈"}
_WHY: dict[Kind, str] = {
    "loose": "Why this is loose",
    "vacuous": "Why this is loose",
    **dict.fromkeys(LIMITED, "Why this is told"),
}
_LONGER = 4
"""Factor on the limits of a library for the run that asks it again and proves the truth beside it."""
_BESIDE = ("numpy", "scipy")
"""Libraries whose versions may matter."""


def bug_report(group: Group, accountant: Accountant, seed: int, limits: Limits) -> str:
    """The report on the worst finding of a group; ``seed`` is that of the hunt. All that it tells to run is
    run here, each within the ``limits``.
    """
    finding, kind = group.worst, group.cause.kind
    also = f" The same: {', '.join(group.also)}." if group.also else ""
    return "\n".join(
        [
            f"# {markdown(f'{finding.speaker}: {title(kind, finding)}')}",
            "",
            f"**Severity** {SEVERITIES[kind]}.",
            "",
            *_numbers(finding, kind),
            "",
            "## To reproduce",
            "",
            *_reproduction(finding, accountant, limits),
            "",
            f"## {_WHY.get(kind, 'Why this is a bug')}",
            "",
            fill(why(kind, finding), 100),
            "",
            "## How the true value is known",
            "",
            *_truth(finding, limits),
            "",
            "## Versions",
            "",
            f"{_versions(finding)}. Found by `pldverify hunt` with seed {seed}, "
            f"{group.times} {'time' if group.times == 1 else 'times'}, first as: {group.found.query}.{also}",
            "",
        ]
    )


def _numbers(finding: Finding, kind: Kind) -> list[str]:
    claim, shown = finding.claim, finding.shown
    unit = QUANTITIES[finding.query.quantity]
    rows = [("asked", str(finding.query))]
    if claim is not None:
        rows.append(("claimed", f"{unit} {_SIGNS[claim.direction]} {shown['claim']}"))
    if shown["truth"]:
        rows.append(("proved", f"true {unit}: {shown['truth']}"))
    elif finding.query.quantity == "noise" and finding.reason:
        rows.append(("proved", finding.reason))
    rows += [(name, outward(margin, 3, -1)) for name, margin in _margins(finding) if margin is not None]
    if finding.reason and claim is None:
        rows.append(("said", markdown(finding.reason)))
    return ["| | |", "|---|---|", *(f"| {name} | {_escaped(text)} |" for name, text in rows)]


def _margins(finding: Finding) -> list[tuple[str, Bound | None]]:
    return [
        ("wrong by at least", finding.excess),
        ("gives away at least", finding.slack),
        ("gives away in ε at least", finding.slack_in_epsilon),
    ]


def _reproduction(finding: Finding, accountant: Accountant, limits: Limits) -> list[str]:
    snippet = snippet_of(accountant, finding.query)
    if snippet is None:
        return _asked(finding, accountant, limits)
    program = getattr(accountant, "program", lambda memory: None)(limits.memory)
    python = (sys.executable,) if program is None else (program[0], "-I")
    settings = {} if finding.claim is None else finding.claim.parameters
    warned = [f"It warns: {code(str(settings['warnings']))}", ""] if "warnings" in settings else []
    found = ran((*python, "-W", "ignore", "-c", snippet), limits)
    other = [] if _is_claimed(finding, found) else ["", f"In the hunt it was {_said(finding)}."]
    return [
        *_shown(snippet, found),
        *other,
        "",
        *warned,
        "Judged by pldverify:",
        "",
        *_asked(finding, accountant, limits),
    ]


def _is_claimed(finding: Finding, found: Ran) -> bool:
    """Whether the last line that was printed is the claim, to the last bit of a double."""
    if finding.claim is None:
        return found.ending != "" or not found.lines
    try:
        return bool(float(found.lines[-1]) == float(finding.claim.value))
    except (IndexError, ValueError, OverflowError):
        return False


def _said(finding: Finding) -> str:
    return markdown(finding.reason) if finding.claim is None else number(finding.claim.value)


def _shown(python: str, found: Ran) -> list[str]:
    """Python, and what it prints."""
    return ["```python", python, found.comment(), "```"]


def snippet_of(accountant: Accountant, query: Query) -> str | None:
    """Lines of Python that ask the library alone; None where the accountant has none."""
    make = getattr(accountant, "snippet", None)
    if make is None:
        return None
    try:
        found: str | None = make(query)
    except (NotSupported, NotImplementedError):
        return None
    return found


def _asked(finding: Finding, accountant: Accountant, limits: Limits) -> list[str]:
    query, named = finding.query, reference(accountant)
    if named is None:
        kind = code(type(accountant).__qualname__)
        return [f"An object of Python was asked, {kind}, with {expression(query)}."]
    name, direction = named
    stated = f', direction="{direction}"' if direction else ""
    given = f"{json.dumps(name, ensure_ascii=False)}, {expression(query)}{stated}, timeout=20"
    longer = Limits(_LONGER * limits.processor, _LONGER * limits.clock, limits.memory)
    lines = f"import pldverify as pv\nprint(pv.check({given}))"
    return _shown(lines, ran((sys.executable, "-c", lines), longer))


def _truth(finding: Finding, limits: Limits) -> list[str]:
    truth, query = finding.truth, finding.query
    if truth is None:
        return [f"{markdown(finding.reason or 'It is not known; the finding does not rest on it')}."]
    is_odd = query.quantity not in ("epsilon", "delta")
    how = f"{markdown(finding.reason)}. " if finding.verdict == "UNSOUND" and finding.reason else ""
    told = fill(
        f"pldverify {__version__} encloses it in proved intervals (ball arithmetic, engine {truth.engine}). "
        f"{how}",
        100,
    )
    if is_odd:
        return [told]
    given = "delta" if query.quantity == "epsilon" else "epsilon"
    value = show(getattr(query, given))
    words = [query.quantity, str(query.composition), f"--{given}", value]
    if query.adjacency != query.composition.adjacency:
        words += ["--adjacency", query.adjacency]
    words.append("--second-opinion")
    found = ran((sys.executable, "-m", "pldverify", *words), limits)
    if found.is_stopped:
        return [told, "", f"A second opinion, by mpmath quadrature, {found.ending}."]
    said = ["```console", f"$ pldverify {shlex.join(words)}", *found.lines, "```"]
    return [told, "", "Again, with a second opinion by mpmath quadrature:", "", *said]


def _versions(finding: Finding) -> str:
    beside = [f"{name} {found}" for name in _BESIDE if (found := _version(name))]
    if finding.severity == "rounding-level":
        beside.append(machine())
    library = f"{finding.accountant.partition('/')[0]} {finding.version}"
    return ", ".join(
        [markdown(library), f"Python {platform.python_version()}", *beside, f"pldverify {__version__}"]
    )


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
