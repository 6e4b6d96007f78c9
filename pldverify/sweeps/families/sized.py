"""Sized: a family, and how much of it each built-in grid asks."""

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from pldverify.questions.family import Family
from pldverify.questions.written import families

Size = Literal["quick", "standard", "full"]
_HEAD = re.compile(r"^(\S.*) \((\d+), (\d+)\):", re.MULTILINE)


@dataclass(frozen=True)
class Sized:
    """``quick`` and ``standard`` are numbers of questions; ``full`` asks all."""

    family: Family
    quick: int
    standard: int

    def at(self, size: Size) -> Family:
        """The family of a grid."""
        sizes = {"quick": self.quick, "standard": self.standard, "full": None}
        return replace(self.family, at_most=sizes[size])


def sized(text: str, **more: Any) -> tuple[Sized, ...]:
    """Families as they are written, each behind ``name (quick, standard):``; ``more`` of all of them."""
    _, *pieces = _HEAD.split(text)
    rows = zip(pieces[::4], pieces[1::4], pieces[2::4], pieces[3::4], strict=True)
    return tuple(
        Sized(replace(family, name=name, **more), int(quick), int(standard))
        for name, quick, standard, written in rows
        for family in families(written)
    )
