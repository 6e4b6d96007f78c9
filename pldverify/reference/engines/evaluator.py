"""Evaluator: an engine at work on one composed loss, with explicit exact parameters. It proves; it never
searches.

:class:`Work` is the statement: which engine, of which loss, with which parameters. It is all that a proof
needs, so it is what a witness keeps. Whatever the parameters are, a value contains the truth; poor ones cost
width.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pldverify.balls import arb
from pldverify.balls.clock import spend
from pldverify.balls.memory import remembered
from pldverify.errors import InvalidInput, NotSupported
from pldverify.reference.laws.composed_loss import ComposedLoss

Quantity = Literal["delta", "tail"]
ENGINES: dict[str, type["Evaluator"]] = {}
"""Engines by name; one is entered when its file is imported."""
VALUE = 1e-5
"""Counted seconds of one value, at least: a caller that takes hundreds must not run past the clock."""


class Evaluator(ABC):
    """Answers for every ε, best near the one that its parameters were chosen for."""

    engine: ClassVar[str]
    quantities: ClassVar[tuple[str, ...]] = ("delta", "tail")

    def __init_subclass__(cls) -> None:
        if "engine" in vars(cls):  # what several engines share is none
            ENGINES[cls.engine] = cls

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Any) -> None:
        """Raises NotSupported for another quantity, NoConvergence for parameters that it cannot use."""
        if quantity not in self.quantities:
            raise NotSupported(
                f"{self.engine}: it encloses {' and '.join(self.quantities)}, and no {quantity}"
            )
        self.loss, self.quantity, self.parameters = loss, quantity, parameters

    @abstractmethod
    def value(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε). Raises NoConvergence."""

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        """Proved bounds of the error terms of :meth:`value`, by name; of a closed form rounding alone."""
        return {"rounding": self.value(epsilon).rad()}


@dataclass(frozen=True)
class Work:
    """The finite part of a ``quantity`` of a composed ``loss``, by an ``engine`` with exact
    ``parameters``.
    """

    engine: str
    loss: ComposedLoss
    quantity: Quantity
    parameters: Hashable

    def __hash__(self) -> int:
        """Without the parameters: they are long, and caches ask for it often."""
        return hash((self.engine, self.loss, self.quantity))

    @property
    def name(self) -> str:
        """The engine as the choice names it: a slope with what it is the slope of."""
        inner = getattr(self.parameters, "delta", None)
        return f"{inner.engine} {self.engine}" if isinstance(inner, Work) else self.engine

    def value(self, epsilon: Fraction) -> arb:
        """As :meth:`Evaluator.value`, remembered: a search and the proof ask the same."""
        spend(VALUE)
        return uncounted(self, epsilon)

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        """As :meth:`Evaluator.errors`."""
        return evaluator(self).errors(epsilon)


@remembered(3)
def evaluator(work: Work) -> Evaluator:
    """The engine set up; three at most are kept, since one may hold hundreds of MiB.

    Raises InvalidInput for an engine that this version does not have, as in a witness of an older one.
    """
    if work.engine not in ENGINES:
        raise InvalidInput(
            f"engine must be one of this version, {', '.join(ENGINES)}, got engine={work.engine!r}: "
            f"what another version has proved must be asked again"
        )
    return ENGINES[work.engine](work.loss, work.quantity, work.parameters)


@remembered(64)
def uncounted(work: Work, epsilon: Fraction) -> arb:
    """:meth:`Work.value` for who counts it as work by himself."""
    return evaluator(work).value(epsilon)
