"""Composition: a multiset of mechanisms, because order does not matter and cost must not grow with counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import (
    BOTH_RELATIONS,
    Adjacency,
    Direction,
    Mechanism,
    directions,
    relation,
)
from pldverify.numbers.exact import MAX_COUNT, brief, count


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
        whole = Composition(tuple(sorted(counts.items(), key=lambda part: str(part[0]))))
        if not any(whole.has(name) for name in BOTH_RELATIONS):
            raise InvalidInput(
                "composition must have one neighbouring relation, got mechanisms of add-or-remove only ("
                f"{whole.without('replace-one')}) and of replace-one only ({whole.without('add-or-remove')})"
            )
        return whole

    @property
    def counts(self) -> Mapping[Mechanism, int]:
        """{mechanism: count}."""
        return dict(self.parts)

    @property
    def steps(self) -> int:
        """Number of mechanisms, with multiplicity."""
        return sum(times for _, times in self.parts)

    def without(self, name: str) -> Mechanism | None:
        """A mechanism that has no pair under the relation ``name``, if there is one."""
        return next((m for m, _ in self.parts if name not in m.relations), None)

    def has(self, name: str) -> bool:
        """Whether every mechanism has a pair under the relation ``name``."""
        return self.without(name) is None

    @property
    def adjacency(self) -> Adjacency:
        """The default: ``add-or-remove``, or ``replace-one`` where only that is defined."""
        return "add-or-remove" if self.has("add-or-remove") else "replace-one"

    def directions(self, adjacency: str | None = None) -> tuple[Direction, ...]:
        """The ordered pairs to maximise over; None for :attr:`adjacency`.

        Raises InvalidInput for an unknown adjacency, or one under which a mechanism has no pair.
        """
        asked = self.adjacency if adjacency is None else adjacency
        ordered = directions(asked)
        stranger = self.without(relation(asked))
        if stranger is not None:
            raise InvalidInput(
                f"adjacency must be {' or '.join(stranger.relations)} for {stranger}, got adjacency={asked!r}"
            )
        return ordered

    @property
    def tight(self) -> bool:
        """Whether the pairs' δ is attained; if not, it only bounds the truth from above."""
        limits = [m.tight_steps for m, _ in self.parts if m.tight_steps is not None]
        return all(self.steps <= limit for limit in limits)

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
    raise InvalidInput(f"composition must be a mechanism or a composition, got {brief(value)}")


__all__ = ["MAX_COUNT", "Composition", "as_composition"]
