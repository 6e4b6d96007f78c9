"""Which findings come first: what is wrong, by how much; then what failed; then what is loose."""

from collections.abc import Sequence

from pldverify.report.record import Record

_FIRST = {"CRASHED": 3, "INVALID": 4, "UNDECIDED": 5, "SOUND": 6, "REFUSED": 7}
_SEVERITIES = {"material": 0, "undecided": 1, "rounding-level": 2}


def worst_first(found: Sequence[Record]) -> list[Record]:
    """UNSOUND by severity and size, then failures, then open questions, then SOUND by what is given away."""
    return sorted(found, key=_rank)


def loosest(found: Sequence[Record], most: int) -> list[Record]:
    """The SOUND ones that give away most, in ε, then relatively; those that give away nothing left out."""
    loose = [record for record in found if record.verdict == "SOUND" and record.in_epsilon]
    return worst_first(loose)[:most]


def _rank(record: Record) -> tuple[int, float, float]:
    first = (
        _SEVERITIES.get(record.severity or "", 1) if record.verdict == "UNSOUND" else _FIRST[record.verdict]
    )
    in_epsilon, relative = record.in_epsilon or 0.0, record.relative or 0.0
    sizes = (relative, in_epsilon) if record.verdict == "UNSOUND" else (in_epsilon, relative)
    return first, -sizes[0], -sizes[1]
