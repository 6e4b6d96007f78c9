"""Claims in CSV or a workbook: a row says what a claim of a claims file says, for one phase of it.

Columns are the fields of the schema: ``id``, ``epsilon``, ``delta``, ``mechanism``, ``noise_multiplier``, …;
fields of fields have a dot (``source.url``, ``rdp.order``), and so have those of a phase that a claim has too
(``phase.epsilon``). Some have another name, too (:data:`_ALIASES`). An empty cell says nothing. A row whose
``id`` is that of the row above it is one more phase of that claim; what it says of the claim must be the
same, or empty.
"""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from pldverify.claims.wrong import Place, sigma_said
from pldverify.errors import InvalidInput
from pldverify.foreign import FORMULA
from pldverify.late_names import needs
from pldverify.named import one_line
from pldverify.numbers.arithmetic import suggestion
from pldverify.numbers.exact import brief
from pldverify.rulings.model import Claim, Expression, Guarantee, Noise, Rate, Renyi, Source

_CLAIM = [name for name in Claim.model_fields if name not in ("phase", "rdp", "tpr", "source", "deployment")]
_INSIDE = [
    *(f"rdp.{name}" for name in Renyi.model_fields),
    *(f"tpr.{name}" for name in Rate.model_fields),
    *(f"source.{name}" for name in Source.model_fields if name != "quotes"),
]
_PHASE = list(dict.fromkeys(name for kind in (Noise, Guarantee, Expression) for name in kind.model_fields))
_ALIASES = {
    "name": "id",
    "eps": "epsilon",
    "ε": "epsilon",
    "δ": "delta",
    "σ": "sigma",
    "sampling_probability": "q",
    "sample_rate": "q",
    "sampling_rate": "q",
}
"""Names that others have for a column."""
_UNPACKED = 50_000_000
"""Bytes of a workbook when it is unpacked."""
_PLACES = re.compile(r"#?,?#*0\.(0+)")
"""Formats of a cell that say how many places it shows."""
_TRUTHS = {"true": True, "false": False}
Column = tuple[str, ...]
Cells = dict[Column, str | bool]
_ID = ("id",)


Rows = Iterator[tuple[int, list[str]]]
"""Lines, and their cells as text."""


def claims_of(rows: Rows) -> list[tuple[Place, dict[str, Any]]]:
    """The rows as claims of the schema, not yet validated, each with its place. Raises InvalidInput for what
    is no such table.

    >>> ((at, claim),) = claims_of(csv_rows("name;ε;delta;mechanism;phase.epsilon\\nsurvey;1;0;pure_dp;1\\n"))
    >>> at
    Place(line=2, words=(('id', 'name'),))
    >>> claim
    {'id': 'survey', 'epsilon': '1', 'delta': '0', 'phase': [{'mechanism': 'pure_dp', 'epsilon': '1'}]}
    """
    claims: list[tuple[int, Cells, list[dict[str, Any]]]] = []
    words: dict[str, str] = {}
    for line, cells in _said(rows, words):
        said = {column: value for column, value in cells.items() if column[0] != "phase"}
        phase = {column[1]: value for column, value in cells.items() if column[0] == "phase"}
        if claims and (_ID not in said or claims[-1][1].get(_ID) == said[_ID]):
            _same(claims[-1][1], said, bool(phase), line)
            claims[-1][2].append(phase)
        else:
            claims.append((line, said, [phase] if phase else []))
    return [
        (
            Place(line, (*sigma_said(phases), *words.items())),
            _nested(said) | ({"phase": phases} if phases else {}),
        )
        for line, said, phases in claims
    ]


def csv_rows(text: str) -> Rows:
    """Of CSV, between commas, or semicolons or tabs where the first line has those instead. Raises
    InvalidInput.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    between = next((sign for sign in ",;\t" if sign in first), ",")
    lines = csv.reader(io.StringIO(text), delimiter=between, strict=True)
    try:
        for cells in lines:
            yield lines.line_num, cells
    except csv.Error as error:
        raise InvalidInput(f"line {lines.line_num}: {error}") from None


def workbook_rows(path: Path) -> Rows:
    """Of the first sheet of a workbook (.xlsx): numbers in the digits that tell them, formulas as they were
    last computed.

    Raises MissingLibrary without openpyxl, InvalidInput for what is no workbook, and for a formula that was
    not computed, or to nothing.
    """
    with needs('workbooks need openpyxl: pip install "pldverify[excel]"'):
        from openpyxl import load_workbook
    try:
        with ZipFile(path) as parts:
            if sum(part.file_size for part in parts.infolist()) > _UNPACKED:
                raise InvalidInput(f"it must have at most {_UNPACKED} bytes when it is unpacked")
        with path.open("rb") as file:
            values, formulas = (
                [
                    [_shown(cell) for cell in row]
                    for row in load_workbook(file, read_only=True, data_only=computed).worksheets[0].rows
                ]
                for computed in (True, False)
            )
    except (OSError, InvalidInput):
        raise
    except Exception as error:  # of zip, XML, or its own
        raise InvalidInput(f"it must be a workbook: {one_line(error)}") from None
    for line, (row, said) in enumerate(zip(values, formulas, strict=True), 1):
        for value, formula in zip(row, said, strict=True):
            if value is None and formula is not None:  # an empty cell says nothing, and this one does
                raise InvalidInput(
                    f"line {line}: a formula must have a value, got {brief(formula)}: save the file in a "
                    "spreadsheet, which computes it, or write the value"
                )
        yield line, ["" if value is None else str(value) for value in row]


def _shown(cell: Any) -> Any:
    """A cell's value; of a number, with the zeros at its end that its format shows: 4.00 is not 4."""
    number = isinstance(cell.value, int | float)
    places = _PLACES.fullmatch(cell.number_format or "") if number else None
    digits, _, after = str(cell.value).partition(".")
    if places is None or not digits.lstrip("-").isdigit() or not (after or "0").isdigit():
        return cell.value
    return f"{digits}.{after.ljust(len(places[1]), '0')}"


def _said(rows: Rows, words: dict[str, str]) -> Iterator[tuple[int, Cells]]:
    """What the rows say, with their lines; ``words`` gets the names of columns that are none of the schema.
    Empty cells say nothing, beyond the last column, too.
    """
    columns: list[Column] | None = None
    found: Cells = {}
    for line, cells in rows:
        while cells and not cells[-1].strip():
            cells.pop()
        if not cells:
            continue
        if columns is None:
            names = [cell.strip() for cell in cells]
            columns = _columns(names)
            fields = [column[-1] for column in columns]
            once = [
                (field, name) for field, name in zip(fields, names, strict=True) if fields.count(field) == 1
            ]
            words.update({field: name for field, name in once if name != field})
            continue
        if len(cells) > len(columns):
            raise InvalidInput(f"line {line} must have at most {len(columns)} cells, got {len(cells)}")
        found = {column: _value(column, cell.strip()) for column, cell in zip(columns, cells, strict=False)}
        yield line, {column: value for column, value in found.items() if value != ""}
    if columns is None:
        raise InvalidInput("the first line must name columns, got an empty file")
    if not found:
        raise InvalidInput("a row must follow the first line, which names columns")


def _columns(names: list[str]) -> list[Column]:
    columns = [_column(name) for name in names]
    if len(set(columns)) < len(columns) or _ID not in columns:
        said = ", ".join(names)
        raise InvalidInput(f"the first line must name columns, once each, id among them, got {said}")
    return columns


def _column(said: str) -> Column:
    """Where a cell of the column stands in a claim."""
    plain = said.lower().replace(" ", "_")
    name = _ALIASES.get(plain, plain)
    if name in _CLAIM or name in _INSIDE:
        return tuple(name.split("."))
    field = name.removeprefix("phase.")
    if field not in _PHASE:
        near = suggestion(plain, [*_CLAIM, *_PHASE, *_INSIDE, *_ALIASES])
        raise InvalidInput(f"column must be a field of a claim or of a phase, got {brief(said)}{near}")
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
