"""Composition: a multiset of mechanisms, because order does not matter and cost must not grow with counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import MAX_COUNT, count


@dataclass(frozen=True)
class Composition:
    """Non-adaptive or adaptive composition of independent mechanisms; the dominating pairs multiply.

    Attributes:
        parts: distinct mechanisms with their counts (1 to 10**12), in a canonical order.
    """

    parts: tuple[tuple[Mechanism, int], ...]

    @staticmethod
    def of(*parts: tuple[Mechanism, object]) -> "Composition":
        """Build from (mechanism, count) pairs; equal mechanisms merge. Raises InvalidInput."""
        counts: dict[Mechanism, int] = {}
        for mechanism, times in parts:
            counts[mechanism] = counts.get(mechanism, 0) + count(times, "count")
        for times in counts.values():
            count(times, "count")
        if not counts:
            raise InvalidInput("composition must have at least one mechanism, got none")
        return Composition(tuple(sorted(counts.items(), key=lambda part: str(part[0]))))

    @property
    def counts(self) -> Mapping[Mechanism, int]:
        """{mechanism: count}."""
        return dict(self.parts)

    @property
    def steps(self) -> int:
        """Number of mechanisms, with multiplicity."""
        return sum(times for _, times in self.parts)

    def __rmul__(self, times: object) -> "Composition":
        factor = count(times, "count")
        return Composition.of(*((m, k * factor) for m, k in self.parts))

    def __add__(self, other: "Mechanism | Composition") -> "Composition":
        return Composition.of(*self.parts, *as_composition(other).parts)

    def __str__(self) -> str:
        return " + ".join(f"{k} * {m}" if k > 1 else str(m) for m, k in self.parts)


def as_composition(value: object) -> Composition:
    """A mechanism alone is a composition of one. Raises InvalidInput for anything else."""
    if isinstance(value, Composition):
        return value
    if isinstance(value, Mechanism):
        return Composition.of((value, 1))
    raise InvalidInput(f"composition must be a mechanism or a composition, got {value!r}")


__all__ = ["MAX_COUNT", "Composition", "as_composition"]
