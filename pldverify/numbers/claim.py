"""Claim: a number that a subject (an accountant, a paper, a model card) asserts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from pldverify.errors import SubjectFailure
from pldverify.numbers.scientific import scientific
from pldverify.numbers.witness import Bound

Direction = Literal["upper", "lower", "estimate"]
SAYS: dict[Direction, str] = {"upper": "≤", "lower": "≥", "estimate": "≈"}
"""What a claim says of the true number."""
_SHOWN = 17
"""Digits of it that are printed."""


@dataclass(frozen=True)
class Promise:
    """The error that an estimate promises: |value − true ε(δ')| ≤ epsilon for a δ' with |δ' − δ| ≤ delta.

    For a claim about δ(ε): |value − true δ(ε')| ≤ delta for an ε' with |ε' − ε| ≤ epsilon.
    """

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True, repr=False)
class Claim:
    """What a subject said.

    >>> import pldverify as pv
    >>> pv.Claim(0.1, "upper", "a model card").value == 0.1
    True
    >>> pv.Claim(0.1, "upper", "a model card")
    Claim(≤ 0.10000000000000001, 'a model card')

    Attributes:
        value: the exact number said (a float is that double), or ``math.inf``.
        direction: ``upper`` (pessimistic), ``lower`` (optimistic) or ``estimate``.
        source: who said it, with version.
        parameters: the subject's settings, by name.
        promise: the error bound that comes with an estimate, if one does.
    """

    value: Bound
    direction: Direction
    source: str
    parameters: Mapping[str, str] = field(default_factory=dict, compare=False, hash=False)
    promise: Promise | None = None

    def __post_init__(self) -> None:
        vars(self).update(parameters=MappingProxyType(dict(self.parameters)))

    def __repr__(self) -> str:
        """The number to 17 digits, which identify a double; a fraction may have a million of them."""
        value = self.value if self.value == math.inf else scientific(Fraction(self.value), _SHOWN)
        return f"Claim({SAYS[self.direction]} {value}, {self.source!r})"

    @property
    def exact(self) -> "Claim":
        """The same numbers as Fractions: arithmetic with doubles would round."""
        value: Bound = math.inf if self.value == math.inf else Fraction(self.value)
        promise = self.promise and Promise(Fraction(self.promise.epsilon), Fraction(self.promise.delta))
        return replace(self, value=value, promise=promise)

    def __reduce__(self) -> tuple[object, ...]:
        """A mapping proxy does not pickle."""
        return Claim, (self.value, self.direction, self.source, dict(self.parameters), self.promise)


def claimed_number(value: float, source: str) -> Bound:
    """The exact number that a subject returned; a NaN or −∞ is a failure of the subject, not a number."""
    number = float(value)
    if math.isnan(number) or number == -math.inf:
        raise SubjectFailure(f"{source} returned {number}, which is not a privacy parameter")
    return math.inf if number == math.inf else Fraction(number)
