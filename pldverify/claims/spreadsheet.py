"""Claims in CSV: a row says what a claim of a claims file says, for one phase of it.

Columns are the fields of the schema: ``id``, ``epsilon``, ``delta``, ``mechanism``, ``noise_multiplier``, …;
fields of fields have a dot (``source.url``, ``rdp.order``), and so have those of a phase that a claim has too
(``phase.epsilon``). An empty cell says nothing. A row whose ``id`` is that of the row above it is one more
phase of that claim; what it says of the claim must be the same, or empty.
"""

import csv
import io
from typing import Any

from pldverify.claims.model import Claim, Expression, Guarantee, Noise, Renyi, Source
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief

_CLAIM = [name for name in Claim.model_fields if name not in ("phase", "rdp", "source", "deployment")]
_INSIDE = [
    *(f"rdp.{name}" for name in Renyi.model_fields),
    *(f"source.{name}" for name in Source.model_fields if name != "quotes"),
]
_PHASE = list(dict.fromkeys(name for kind in (Noise, Guarantee, Expression) for name in kind.model_fields))
_TRUTHS = {"true": True, "false": False}


def claims_of(text: str) -> list[dict[str, Any]]:
    """The rows as claims of the schema, not yet validated. Raises InvalidInput for what is no such table.

    >>> claims_of("id,epsilon,delta,mechanism,phase.epsilon\\nsurvey,1,0,pure_dp,1\\n")
    [{'id': 'survey', 'epsilon': '1', 'delta': '0', 'phase': [{'mechanism': 'pure_dp', 'epsilon': '1'}]}]
    """
    lines = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        columns = [_column(name.strip()) for name in next(lines, [])]
        if len(set(columns)) < len(columns) or ("id",) not in columns:
            raise InvalidInput(f"the first line must name columns, once each, id among them, got {columns}")
        claims: list[dict[str, Any]] = []
        for cells in lines:
            if any(cell.strip() for cell in cells):
                _add(claims, _said(columns, cells, lines.line_num), lines.line_num)
    except csv.Error as error:
        raise InvalidInput(f"line {lines.line_num}: {error}") from None
    return claims


def _column(name: str) -> tuple[str, ...]:
    """Where a cell of the column stands in a claim."""
    if name in _CLAIM or name in _INSIDE:
        return tuple(name.split("."))
    field = name.removeprefix("phase.")
    if field not in _PHASE:
        known = ", ".join([*_CLAIM, *(field for field in _PHASE if field not in _CLAIM), *_INSIDE])
        raise InvalidInput(f"column must be one of {known}, or phase.FIELD, got {brief(name)}")
    return "phase", field


def _said(columns: list[tuple[str, ...]], cells: list[str], line: int) -> dict[str, Any]:
    """The claim of one row."""
    if len(cells) > len(columns):
        raise InvalidInput(f"line {line} must have at most {len(columns)} cells, got {len(cells)}")
    claim: dict[str, Any] = {}
    for (first, *inner), cell in zip(columns, cells, strict=False):
        if text := cell.strip().removeprefix("'"):
            value = _TRUTHS.get(text.lower(), text) if first == "exact" else text
            if inner:
                claim.setdefault(first, {})[inner[0]] = value
            else:
                claim[first] = value
    phase = claim.pop("phase", None)
    return claim if phase is None else {**claim, "phase": [phase]}


def _add(claims: list[dict[str, Any]], claim: dict[str, Any], line: int) -> None:
    """One claim more, or one phase more of the last one."""
    if not claims or "id" not in claim or claims[-1].get("id") != claim["id"]:
        claims.append(claim)
        return
    last = claims[-1]
    for name, value in claim.items():
        if name != "phase" and last.get(name) != value:
            above = f"as above, {brief(last.get(name))}, or empty"
            raise InvalidInput(f"line {line}: {name} of a further phase must be {above}, got {brief(value)}")
    last.setdefault("phase", []).extend(claim.get("phase", []))
