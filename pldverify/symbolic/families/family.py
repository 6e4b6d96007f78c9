"""What a family hands to the builder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Obligation

Printed = Callable[[Formulas, Formulas, Prover], list[Obligation]]
"""(P‖Q, Q‖P, prover) → the statements of papers about P‖Q, each proved or disproved."""


@dataclass(frozen=True)
class Family:
    """A pair with symbolic parameters, and the values that one mechanism gives them.

    Attributes:
        key: name of the family with its structural parameters; one derivation serves all equal keys.
        densities: P and Q; the direction ``add`` (or ``replace-back``) swaps them.
        values: {parameter name: exact value}.
        notes: units and conventions, for the reader.
        printed: the printed statements, or None.
    """

    key: str
    densities: Densities
    values: Mapping[str, Fraction] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    printed: Printed | None = None


def forward(direction: Direction) -> bool:
    """Whether the ordered pair is (P, Q)."""
    return direction in ("remove", "replace")


def moves(direction: Direction) -> int:
    """How many sensitivities neighbours are apart."""
    return 2 if direction in ("replace", "replace-back") else 1
