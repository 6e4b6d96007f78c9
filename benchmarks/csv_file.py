"""Rows of a dataclass as a CSV file."""

import csv
from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any


def write_rows(file: Path, kind: type[Any], rows: Iterable[Any]) -> None:
    """One line a row, below the names of the fields of ``kind``."""
    with file.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(field.name for field in fields(kind))
        writer.writerows(map(astuple, rows))
