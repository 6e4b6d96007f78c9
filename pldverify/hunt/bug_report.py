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
from pldverify.web_page import filled

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
    return filled(
        __file__,
        "bug_report.md",
        title=f"{finding.speaker}: {title(kind, finding)}",
        severity=SEVERITIES[kind],
        numbers=[(name, " ".join(text.split()).replace("|", "\\|")) for name, text in _numbers(finding)],
        alone=_alone(finding, accountant, limits),
        asked=_asked(finding, accountant, limits),
        heading=_WHY.get(kind, "Why this is a bug"),
        why=fill(why(kind, finding), 100),
        known=_known(finding),
        second=_second(finding, limits),
        versions=_versions(finding),
        seed=seed,
        group=group,
    )


def _numbers(finding: Finding) -> list[tuple[str, str]]:
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
    return rows


def _margins(finding: Finding) -> list[tuple[str, Bound | None]]:
    return [
        ("wrong by at least", finding.excess),
        ("gives away at least", finding.slack),
        ("gives away in ε at least", finding.slack_in_epsilon),
    ]


def _alone(finding: Finding, accountant: Accountant, limits: Limits) -> dict[str, str] | None:
    """Python that asks the library alone, what it prints if that is not the claim, and what the library warns
    of; None where the accountant has none.
    """
    snippet = snippet_of(accountant, finding.query)
    if snippet is None:
        return None
    program = getattr(accountant, "program", lambda memory: None)(limits.memory)
    python = (sys.executable,) if program is None else (program[0], "-I")
    settings = {} if finding.claim is None else finding.claim.parameters
    found = ran((*python, "-W", "ignore", "-c", snippet), limits)
    return {
        "python": _shown(snippet, found),
        "other": "" if _is_claimed(finding, found) else _said(finding),
        "warned": str(settings.get("warnings", "")),
    }


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


def _shown(python: str, found: Ran) -> str:
    """Python, and what it prints."""
    return "\n".join(["```python", python, found.comment(), "```"])


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


def _asked(finding: Finding, accountant: Accountant, limits: Limits) -> str:
    query, named = finding.query, reference(accountant)
    if named is None:
        kind = code(type(accountant).__qualname__)
        return f"An object of Python was asked, {kind}, with {expression(query)}."
    name, direction = named
    stated = f', direction="{direction}"' if direction else ""
    given = f"{json.dumps(name, ensure_ascii=False)}, {expression(query)}{stated}, timeout=20"
    longer = Limits(_LONGER * limits.processor, _LONGER * limits.clock, limits.memory)
    lines = f"import pldverify as pv\nprint(pv.check({given}))"
    return _shown(lines, ran((sys.executable, "-c", lines), longer))


def _known(finding: Finding) -> str:
    if finding.truth is None:
        return f"{markdown(finding.reason or 'It is not known; the finding does not rest on it')}."
    how = f"{markdown(finding.reason)}. " if finding.verdict == "UNSOUND" and finding.reason else ""
    engine = finding.truth.engine
    return fill(
        f"pldverify {__version__} encloses it in proved intervals (ball arithmetic, engine {engine}). {how}",
        100,
    )


def _second(finding: Finding, limits: Limits) -> tuple[str, Ran] | None:
    """A command that asks for the truth again by another method, and what it prints; of ε and δ alone."""
    query = finding.query
    if finding.truth is None or query.quantity not in ("epsilon", "delta"):
        return None
    given = "delta" if query.quantity == "epsilon" else "epsilon"
    words = [query.quantity, str(query.composition), f"--{given}", show(getattr(query, given))]
    if query.adjacency != query.composition.adjacency:
        words += ["--adjacency", query.adjacency]
    words = ["pldverify", *words, "--second-opinion"]
    return shlex.join(words), ran((sys.executable, "-m", *words), limits)


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
