"""Claims in CSV: a row says what a claim of a claims file says, for one phase of it.

Columns are the fields of the schema: ``id``, ``epsilon``, ``delta``, ``mechanism``, ``noise_multiplier``, …;
fields of fields have a dot (``source.url``, ``rdp.order``), and so have those of a phase that a claim has too
(``phase.epsilon``). An empty cell says nothing. A row whose ``id`` is that of the row above it is one more
phase of that claim; what it says of the claim must be the same, or empty.
"""

import csv
import io
from collections.abc import Iterator
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.foreign import FORMULA
from pldverify.numbers.exact import brief
from pldverify.rulings.model import Claim, Expression, Guarantee, Noise, Renyi, Source

_CLAIM = [name for name in Claim.model_fields if name not in ("phase", "rdp", "source", "deployment")]
_INSIDE = [
    *(f"rdp.{name}" for name in Renyi.model_fields),
    *(f"source.{name}" for name in Source.model_fields if name != "quotes"),
]
_PHASE = list(dict.fromkeys(name for kind in (Noise, Guarantee, Expression) for name in kind.model_fields))
_TRUTHS = {"true": True, "false": False}
Column = tuple[str, ...]
Cells = dict[Column, str | bool]
_ID = ("id",)


def claims_of(text: str) -> list[dict[str, Any]]:
    """The rows as claims of the schema, not yet validated. Raises InvalidInput for what is no such table.

    >>> claims_of("id,epsilon,delta,mechanism,phase.epsilon\\nsurvey,1,0,pure_dp,1\\n")
    [{'id': 'survey', 'epsilon': '1', 'delta': '0', 'phase': [{'mechanism': 'pure_dp', 'epsilon': '1'}]}]
    """
    claims: list[tuple[Cells, list[dict[str, Any]]]] = []
    for line, cells in _rows(text):
        said = {column: value for column, value in cells.items() if column[0] != "phase"}
        phase = {column[1]: value for column, value in cells.items() if column[0] == "phase"}
        if claims and (_ID not in said or claims[-1][0].get(_ID) == said[_ID]):
            _same(claims[-1][0], said, bool(phase), line)
            claims[-1][1].append(phase)
        else:
            claims.append((said, [phase] if phase else []))
    return [_nested(said) | ({"phase": phases} if phases else {}) for said, phases in claims]


def _rows(text: str) -> Iterator[tuple[int, Cells]]:
    """What the rows say, with their lines. Empty cells say nothing, beyond the last column, too."""
    lines = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    columns: list[Column] | None = None
    try:
        for cells in lines:
            while cells and not cells[-1].strip():
                cells.pop()
            if not cells:
                continue
            if columns is None:
                columns = _columns([cell.strip() for cell in cells])
                continue
            if len(cells) > len(columns):
                raise InvalidInput(
                    f"line {lines.line_num} must have at most {len(columns)} cells, got {len(cells)}"
                )
            found = {
                column: _value(column, cell.strip()) for column, cell in zip(columns, cells, strict=False)
            }
            yield lines.line_num, {column: value for column, value in found.items() if value != ""}
    except csv.Error as error:
        raise InvalidInput(f"line {lines.line_num}: {error}") from None
    if columns is None:
        raise InvalidInput("the first line must name columns, got an empty file")


def _columns(names: list[str]) -> list[Column]:
    columns = [_column(name) for name in names]
    if len(set(columns)) < len(columns) or _ID not in columns:
        said = ", ".join(names)
        raise InvalidInput(f"the first line must name columns, once each, id among them, got {said}")
    return columns


def _column(name: str) -> Column:
    """Where a cell of the column stands in a claim."""
    if name in _CLAIM or name in _INSIDE:
        return tuple(name.split("."))
    field = name.removeprefix("phase.")
    if field not in _PHASE:
        known = ", ".join([*_CLAIM, *(field for field in _PHASE if field not in _CLAIM), *_INSIDE])
        raise InvalidInput(f"column must be one of {known}, or phase.FIELD, got {brief(name)}")
    return "phase", field


def _value(column: Column, cell: str) -> str | bool:
    """A quote before what a spreadsheet takes for a formula is no part of it."""
    text = cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA) else cell
    return _TRUTHS.get(text.lower(), text) if column == ("exact",) else text


def _same(above: Cells, said: Cells, is_phase: bool, line: int) -> None:
    """Whether a row is one more phase of the claim above it. Raises InvalidInput."""
    if _ID not in said or not is_phase:
        must = "repeat its id" if _ID not in said else "have cells of that phase"
        raise InvalidInput(f"line {line}: a further phase of a claim must {must}")
    for column, value in said.items():
        if above.get(column) != value:
            must = f"as above, {brief(above.get(column, ''))}, or empty"
            name = ".".join(column)
            raise InvalidInput(f"line {line}: {name} of a further phase must be {must}, got {brief(value)}")


def _nested(cells: Cells) -> dict[str, Any]:
    claim: dict[str, Any] = {}
    for (first, *inner), value in cells.items():
        if inner:
            claim.setdefault(first, {})[inner[0]] = value
        else:
            claim[first] = value
    return claim
