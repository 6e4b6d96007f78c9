r"""Binary randomised response.

Pair: :math:`P = (p, 1-p)`, :math:`Q = (1-p, p)`: the true bit is reported with probability p. The loss is
±log(p/(1−p)); for p = 1 it is +∞ with probability 1. Symmetric.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, probability, show


@dataclass(frozen=True)
class RandomizedResponse(Mechanism):
    """Reports the true bit with probability ``p`` and the other one with 1 − p.

    Raises InvalidInput unless 0 ≤ p ≤ 1.
    """

    p: Fraction

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(self, p: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", probability(self.p, "p"))

    def __str__(self) -> str:
        return f"randomized_response(p={show(self.p)})"
