"""A plant is a change of one line of source."""

from pathlib import Path
from types import ModuleType
from typing import Any

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.reference.engines.evaluator import ENGINES

Plant = tuple[str, str]


class NoSuchLine(AssertionError):
    """The line to be changed does not stand in the source, or more than once."""


def planted(module: ModuleType, *plants: Plant) -> Any:
    """A copy of ``module`` with other lines."""
    source = Path(str(module.__file__)).read_text("utf-8")
    for old, new in plants:
        if source.count(old) != 1:
            raise NoSuchLine(f"{old!r} is not one line of {module.__name__}")
        source = source.replace(old, new)
    copy, known = ModuleType(module.__name__), (ENGINES, Mechanism.expressions)
    honest = [dict(table) for table in known]
    exec(compile(source, str(module.__file__), "exec"), copy.__dict__)
    for table, names in zip(known, honest, strict=True):
        table.update(names)  # type: ignore[arg-type]  # what is defined is known by its name at once
    return copy
