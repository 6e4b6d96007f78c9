"""One self-contained HTML page: no network, no font, and a policy that lets no other script run."""

import math
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment

from pldverify.foreign import brief, passage
from pldverify.report import figure, reproduction, tally
from pldverify.report.checks import CheckRecord
from pldverify.report.checks import checks as results
from pldverify.report.mechanism import shape
from pldverify.report.numerals import at_least, at_most, beyond
from pldverify.report.order import loosest, worst_first
from pldverify.report.record import SAYS, VERDICTS, Decomposition, Findings, Record, records
from pldverify.report.tally import Tally
from pldverify.web_page import digest, environment

_FOLDER = Path(__file__).with_name("page")

MOST_CELLS = 2_000
"""Findings that stand in the table, the worst ones."""
MOST_WORST = 10
"""Violations, and loosest bounds, that are listed."""
MOST_DECOMPOSITIONS = 20
"""Error budgets that are drawn."""
_MOST_TEXT = 1_000
"""Characters of what a subject said."""
_BAR = 260
"""Width of the longest bar of a decomposition."""


Cell = dict[str, Any]
"""A finding as a row of the table; every string in it is short, and none is escaped yet."""


def html(findings: Findings, checks: Iterable[Mapping[str, Any]] = ()) -> str:
    """The whole page, with what came of ``checks`` of the testing kit (``Result.to_json()``).

    Raises InvalidInput for what is no finding, or no result.

    >>> found = pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))
    >>> pv.report.html([found]).startswith("<!doctype html>")
    True
    """
    return _environment().get_template("page.html").render(_context(records(findings), results(checks)))


def _environment() -> Environment:
    found = environment(_FOLDER)
    found.filters |= {"brief": brief, "count": _count, "margin": _known, "pieces": _pieces}
    return found


def _context(found: Sequence[Record], checked: Sequence[CheckRecord]) -> dict[str, Any]:
    who, what = tally.accountant_names(found), tally.mechanism_names(found)
    standings = tally.standings(found)
    order = {name: index for index, name in enumerate(standing.accountant for standing in standings)}
    numbers = {accountant: order[name] for accountant, name in who.items()}
    ranked = worst_first(found)
    cells = [_cell(n, record, who, what) for n, record in enumerate(ranked[:MOST_CELLS], 1)]
    places = {id(record): cell for record, cell in zip(ranked, cells, strict=False)}
    script, style = _file("page.js"), _file("page.css")
    return {
        "script": script,
        "style": style,
        "policy": f"default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src {digest(script)}; style-src {digest(style)}",
        "total": Tally.of(found),
        "verdicts": [verdict for verdict in VERDICTS if any(cell["verdict"] == verdict for cell in cells)],
        "matrix": tally.matrix(found),
        "standings": standings,
        "numbers": order,
        "violations": [cell for cell in cells if cell["verdict"] == "UNSOUND"][:MOST_WORST],
        "loosest": [cell for r in loosest(found, MOST_WORST) if (cell := places.get(id(r))) is not None],
        "figures": figure.over_parameters(found, numbers, "ε"),
        "relative": figure.over_parameters([r for r in found if r.in_epsilon is None], numbers, "relative"),
        "time": figure.against_time(found, numbers, "ε"),
        "box": figure.BOX,
        "decompositions": list(_decompositions(found)),
        "decomposed": sum(record.error_budget is not None for record in found),
        "bar_width": _BAR,
        "cells": cells,
        "checks": checked[:MOST_CELLS],
        "checked": Counter(each.outcome for each in checked),
        "python": platform.python_version(),
    }  # fmt: skip


def _file(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _pieces(name: str) -> list[str]:
    """A name, cut where a line may end."""
    return re.split(r"(?<=[/(_])", name)


def _known(margin: float | None) -> str:
    return "–" if margin is None else at_least(margin)


def _count(value: int) -> str:
    return f"{value:,}"


def _cell(index: int, record: Record, who: dict[str, str], what: dict[str, str]) -> Cell:
    margin = record.margin
    return {
        "number": index,
        "verdict": record.verdict,
        "style": Tally.of([record]).worst.lower(),
        "accountant": who[record.accountant],
        "mechanism": what[shape(record.composition)],
        "question": brief(record.question, 160),
        "claim": f"{SAYS[record.direction]} {brief(record.shown.claim, _MOST_TEXT) or '–'}".strip(),
        "truth": brief(record.shown.truth, _MOST_TEXT) or "–",
        "margin": _margin(record),
        "seconds": f"{record.seconds:.2f}",
        "sort": {  # keys of the columns that are sorted as numbers
            "claim": _key(record.claim, record.claim_float),
            "truth": _key(record.upper, record.upper_float),
            "margin": _sorted(None if margin is None else -margin if record.verdict == "UNSOUND" else margin),
            "seconds": repr(record.seconds),
        },
        "details": list(_details(record)),
        "python": reproduction.python(record),
        "shell": reproduction.shell(record),
    }


def _sorted(margin: float | None) -> str:
    return "" if margin is None else repr(margin).replace("inf", "Infinity")


def _key(exact: str | None, double: float | None) -> str:
    if double is None:
        return "" if exact is None else "Infinity"
    return repr(double)


def _margin(record: Record) -> str:
    """What is given away, or minus what it is wrong by; an estimate's error."""
    if record.verdict == "UNSOUND" and record.excess is not None:
        return f"−{_at_least(record.excess, record.excess_float)} {record.unit}"
    if record.slack is not None:
        shown = f"{_at_least(record.slack, record.slack_float)} {record.unit}"
        in_epsilon = record.quantity != "epsilon" and record.tightness_float is not None
        return shown + (f" = {at_least(record.tightness_float or 0)} ε" if in_epsilon else "")
    if record.direction == "estimate" and record.error_float is not None:
        return f"error {record.error_float:+.2e} {record.unit}"
    return "–"


def _at_least(exact: str, double: float | None) -> str:
    return beyond(exact) if double is None else at_least(double)


def _details(record: Record) -> Iterator[tuple[str, str]]:
    """What there is to say, by name."""
    said = {
        "composition": record.composition,
        "adjacency": record.adjacency,
        "severity": record.severity or "",
        "reason": record.reason,
        "cause": record.cause or "",
        "claim, exactly": record.claim or "",
        "truth, lower end": record.lower or "",
        "truth, upper end": record.upper or "",
        "lower end by": record.lower_by or "",
        "upper end by": record.upper_by or "",
        "promised error": ", ".join(f"{name} {value}" for name, value in (record.promise or {}).items()),
        "accountant": f"{record.accountant} {record.version}",
        "its parameters": ", ".join(f"{name}={value!r}" for name, value in record.parameters.items()),
        "proved by": f"engine {record.engine}" if record.engine else "",
    }
    return ((name, passage(text, _MOST_TEXT)) for name, text in said.items() if text)


def _decompositions(found: Sequence[Record]) -> Iterator[dict[str, Any]]:
    with_one = [(record, record.error_budget) for record in found if record.error_budget is not None]
    for record, budget in with_one[:MOST_DECOMPOSITIONS]:
        yield {
            "title": f"{brief(record.accountant, 80)}: {brief(record.question, 160)}",
            "direction": budget.direction,
            "dominant": brief(budget.dominant, 80),
            "bars": list(_bars(budget)),
        }


def _bars(budget: Decomposition) -> Iterator[dict[str, Any]]:
    """Each term, as lengths on a log scale; the longest bar is the greatest size or promise."""
    sizes = [term.observed.size for term in budget.terms] + [term.promised for term in budget.terms]
    finite = [math.log10(size) for size in sizes if 0 < size < math.inf] or [0.0]
    low, high = math.floor(min(finite)) - 1, max(finite)

    def length(size: float) -> float:
        if size == math.inf:
            return _BAR
        return 0.0 if size <= 0 else round(_BAR * (math.log10(size) - low) / (high - low), 1)

    for term in budget.terms:
        size, promised = term.observed.size, term.promised
        yield {
            "name": brief(term.name, 60),
            "observed": length(size),
            "promised": None if promised == math.inf else length(promised),
            "verdict": term.verdict,
            "theorem": brief(term.theorem, 80),
            "size": "inf" if size == math.inf else at_most(size),
            "bound": "none" if promised == math.inf else at_most(promised),
        }
