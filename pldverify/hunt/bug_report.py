"""Bug report: Markdown ready to paste into the tracker of a library."""

import platform
from importlib import metadata
from textwrap import fill

from pldverify import __version__
from pldverify.accountants.accountant import Accountant
from pldverify.errors import NotSupported
from pldverify.foreign import code, markdown
from pldverify.hunt.grouping import Group, Kind
from pldverify.hunt.words import QUANTITIES, SEVERITIES, title, why
from pldverify.mechanisms.mechanism import STANDINGS
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import show
from pldverify.numbers.presentation import number
from pldverify.numbers.scientific import outward
from pldverify.rulings.finding import Finding

_SIGNS = {"upper": "≤", "lower": "≥", "estimate": "≈"}
_BESIDE = ("numpy", "scipy")
"""Libraries whose versions may matter."""


def bug_report(group: Group, accountant: Accountant, seed: int) -> str:
    """The report on the worst finding of a group; ``seed`` is that of the hunt."""
    finding, kind = group.worst, group.cause.kind
    also = f" The same: {', '.join(group.also)}." if group.also else ""
    return "\n".join(
        [
            f"# {markdown(f'{finding.accountant} {finding.version}: {title(kind, finding)}')}",
            "",
            f"**Severity** {SEVERITIES[kind]}.",
            "",
            *_numbers(finding, kind),
            "",
            "## To reproduce",
            "",
            *_reproduction(finding, accountant),
            "",
            f"## Why this is {'a bug' if kind not in ('loose', 'vacuous') else 'loose'}",
            "",
            fill(why(kind, finding), 100),
            "",
            "## How the true value is known",
            "",
            *_truth(finding),
            "",
            "## Versions",
            "",
            f"{_versions(finding)}. Found by `pldverify hunt` with seed {seed}, "
            f"{group.times} {'time' if group.times == 1 else 'times'}, first as: {group.found.query}.{also}",
            "",
        ]
    )


def question(query: Query) -> str:
    """The question as a call of Python that asks us."""
    expression, adjacency = f'"{query.composition}"', ""
    if query.adjacency != query.composition.adjacency:
        adjacency = f', adjacency="{query.adjacency}"'
    if isinstance(query, RenyiQuery):
        return f"RenyiQuery({expression}, order={_text(query.order)}{adjacency})"
    if isinstance(query, NoiseQuery):
        return (
            f"NoiseQuery({expression}, epsilon={_text(query.epsilon)}, delta={_text(query.delta)}{adjacency})"
        )
    given = "delta" if query.quantity == "epsilon" else "epsilon"
    return f"pv.Query({expression}, {given}={_text(getattr(query, given))}{adjacency})"


def _text(value: object) -> str:
    return f'"{show(value)}"' if value is not None else "None"  # type: ignore[arg-type]  # queries are exact


def _numbers(finding: Finding, kind: Kind) -> list[str]:
    claim, truth = finding.claim, finding.truth
    unit = QUANTITIES[finding.query.quantity]
    rows = [("asked", str(finding.query))]
    if claim is not None:
        rows.append(("claimed", f"{unit} {_SIGNS[claim.direction]} {number(claim.value)}"))
    if truth is not None:
        rows.append(("proved", f"{STANDINGS[finding.truth_is]} {unit}: {truth.decimal()}"))
    elif finding.query.quantity == "noise" and finding.reason:
        rows.append(("proved", finding.reason))
    rows += [(name, outward(margin, 3, -1)) for name, margin in _margins(finding) if margin is not None]
    if finding.reason and claim is None:
        rows.append(("said", markdown(finding.reason)))
    if kind == "hang":
        rows.append(("seconds", f"stopped after {finding.seconds:.0f}"))
    return ["| | |", "|---|---|", *(f"| {name} | {_escaped(text)} |" for name, text in rows)]


def _margins(finding: Finding) -> list[tuple[str, Bound | None]]:
    return [
        ("wrong by at least", finding.excess),
        ("gives away at least", finding.slack),
        ("gives away in ε at least", finding.slack_in_epsilon),
    ]


def _reproduction(finding: Finding, accountant: Accountant) -> list[str]:
    snippet = snippet_of(accountant, finding.query)
    if snippet is None:
        return _asked(finding)
    printed = "" if finding.claim is None else f"\n# prints {_printed(finding.claim.value)}"
    settings = {} if finding.claim is None else finding.claim.parameters
    warned = [f"It warns: {code(str(settings['warnings']))}", ""] if "warnings" in settings else []
    return ["```python", snippet + printed, "```", "", *warned, "Judged by pldverify:", "", *_asked(finding)]


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


def _asked(finding: Finding) -> list[str]:
    query = finding.query
    room = {RenyiQuery: "renyi_query", NoiseQuery: "noise_query"}.get(type(query))
    kind = type(query).__name__
    more = [f"from pldverify.mechanisms.{room} import {kind}"] if room else []
    asked = f'print(pv.check("{finding.accountant}", {question(query)}, timeout=60))'
    return ["```python", "import pldverify as pv", *more, asked, "```"]


def _truth(finding: Finding) -> list[str]:
    truth, query = finding.truth, finding.query
    if truth is None:
        return [f"{markdown(finding.reason or 'It is not known; the finding does not rest on it')}."]
    is_odd = query.quantity not in ("epsilon", "delta")
    how = f"{markdown(finding.reason)}. " if finding.verdict == "UNSOUND" and finding.reason else ""
    second = "" if is_odd else "A second opinion by mpmath quadrature:"
    told = fill(
        f"pldverify {__version__} encloses it in proved intervals (ball arithmetic, engine {truth.engine}). "
        f"{how}{second}",
        100,
    )
    if is_odd:
        return [told]
    given = "delta" if query.quantity == "epsilon" else "epsilon"
    value = show(getattr(query, given))
    adjacency = f" --adjacency {query.adjacency}" if query.adjacency != query.composition.adjacency else ""
    command = (
        f'pldverify {query.quantity} "{query.composition}" --{given} {value}{adjacency} --second-opinion'
    )
    return [told, "", "```", command, "```"]


def _versions(finding: Finding) -> str:
    beside = [f"{name} {found}" for name in _BESIDE if (found := _version(name))]
    library = f"{finding.accountant.partition('/')[0]} {finding.version}"
    return ", ".join(
        [markdown(library), f"Python {platform.python_version()}", *beside, f"pldverify {__version__}"]
    )


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _printed(value: Bound) -> str:
    try:
        return repr(float(value))
    except OverflowError:
        return str(value)


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
