"""Reading claims files: TOML, JSON, CSV or a workbook by our schema, YAML of the OpenDP deployments registry.

A claim that is wrong is told apart from those that can be judged.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pldverify.claims.registry import claim_of
from pldverify.claims.spreadsheet import claims_of, csv_rows, workbook_rows
from pldverify.claims.wrong import Place, sigma_said, wrong
from pldverify.errors import InvalidInput
from pldverify.foreign import brief as short
from pldverify.numbers.exact import brief
from pldverify.numbers.user_file import data, sized, text
from pldverify.rulings.model import MOST, SCHEMA, Claim

ENDINGS = (".toml", ".json", ".csv", ".xlsx", ".yaml", ".yml")


@dataclass(frozen=True)
class BadClaim:
    """A claim that is not judged.

    Attributes:
        file, claim: where it stands; by its place where it has no id.
        reason: field, value, and what is allowed.
        line: of a table.
    """

    file: str
    claim: str
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        return f"{self.file}{line}: claim {self.claim}: {self.reason}"


def read(path: str | Path) -> list[Claim | BadClaim]:
    """The claims of a file in its order. Raises InvalidInput where the file itself can't be read."""
    return [claim for claim, _ in with_places(path)]


def with_places(path: str | Path) -> list[tuple[Claim | BadClaim, Place]]:
    """The claims as :func:`read`, each with its place in the file. Raises InvalidInput."""
    place = Path(path)
    if place.suffix.lower() not in ENDINGS:
        raise InvalidInput(f"claims file must end in {', '.join(ENDINGS)}, got {place}")
    ending = place.suffix.lower()
    if ending in (".yaml", ".yml"):
        return [(claim_of(text(place, str(place)), place), Place())]
    if ending in (".csv", ".xlsx"):
        table = _table(place)
        rows = _rows({"schema": SCHEMA, "claim": [row for _, row in table]}, place)
        places = [at for at, _ in table]
    else:
        rows = _rows(data(place, str(place)), place)
        places = [Place(None, sigma_said(_phases(row))) for row in rows]
    found = [_claim(row, i, place, places[i]) for i, row in enumerate(rows)]
    times = Counter(claim.id for claim in found if isinstance(claim, Claim))
    told = [
        BadClaim(
            str(place),
            claim.id,
            f"id must be unique in a file, got {claim.id} {times[claim.id]} times",
            at.line,
        )
        if isinstance(claim, Claim) and times[claim.id] > 1
        else claim
        for claim, at in zip(found, places, strict=True)
    ]
    return list(zip(told, places, strict=True))


def _phases(row: Any) -> list[dict[str, Any]]:
    """The phases of what may be no claim yet."""
    phases = row.get("phase") if isinstance(row, dict) else None
    return [phase for phase in phases if isinstance(phase, dict)] if isinstance(phases, list) else []


def _table(place: Path) -> list[tuple[Place, dict[str, Any]]]:
    """Claims with their places. Raises InvalidInput, MissingLibrary."""
    try:
        if place.suffix.lower() == ".csv":
            return claims_of(csv_rows(text(place, str(place))))
        return claims_of(workbook_rows(sized(place, str(place))))
    except OSError as error:
        raise InvalidInput(f"{place} can't be read: {error.strerror}") from None
    except InvalidInput as error:
        raise InvalidInput(f"{place}: {error}" if str(place) not in str(error) else str(error)) from None


def _rows(document: Any, place: Path) -> list[Any]:
    """The claims of a document of our schema. Raises InvalidInput."""
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise InvalidInput(f"{place}: schema must be {SCHEMA}, got {brief(schema)}")
    strange = sorted(document.keys() - {"schema", "claim"})
    if strange:
        raise InvalidInput(f"{place}: must have schema and claim alone, got {short(', '.join(strange), 200)}")
    rows = document.get("claim")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST:
        raise InvalidInput(f"{place}: claim must be a list of 1 to {MOST} claims")
    return rows


def _claim(row: Any, index: int, place: Path, at: Place) -> Claim | BadClaim:
    name = row.get("id") if isinstance(row, dict) else None
    told = name if isinstance(name, str) and name else f"number {index + 1}"
    try:
        return Claim.model_validate(row)
    except ValidationError as error:
        return BadClaim(str(place), brief(told).strip("'"), wrong(error, at), at.line)
    except RecursionError:
        return BadClaim(str(place), brief(told).strip("'"), "it is nested too deeply", at.line)
