r"""A quantity asked at numbers that are enclosed, such as δ = 1/(N ln N) and σ = √2, from both ends.

Hypothesis: the quantity is monotone in each of these numbers. Statement: the value lies between those at the
two corners where each number is at the end that makes it least, or greatest. Proof: move one number after the
other from a corner to where it is; the value moves one way.

In a parameter of a mechanism δ(ε), ε(δ), every Rényi divergence and the trade-off function are monotone where
the mechanism is ordered in it, see :mod:`pldverify.mechanisms.mechanism`; P(S ≥ ε) need not be. In their
arguments: δ(ε) and P(S ≥ ε) fall in ε, ε(δ) falls in δ, a trade-off function in α; the divergence rises with
its order (van Erven and Harremoës 2014, Theorem 3).
"""

from dataclasses import dataclass

from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.both_sides import BothSides
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.zcdp import AtMost

Corner = tuple[Composition, Bound]

_QUESTIONS = {
    "delta": ("largest of delta", 1, -1),
    "epsilon": ("largest of epsilon", 1, -1),
    "tail": ("largest of tail", 0, -1),
    "rdp": ("largest of rdp", 1, 1),
    "trade-off": ("smallest of trade-off", -1, -1),
}
"""What a statement asks, and whether it rises (1) or falls (−1) with less privacy, and with its argument."""


@dataclass(frozen=True)
class Ends:
    """``quantity`` at ``at``, by one statement at each corner."""

    composition: Composition
    adjacency: str
    quantity: str
    at: Bound | Irrational
    least: Directions | AtMost | BothSides
    greatest: Directions | AtMost | BothSides

    @property
    def engine(self) -> str:
        return self.greatest.engine

    @property
    def two_sided(self) -> bool:
        """Whether the lower end is proved of the mechanisms, not of pairs that may not be attained."""
        return isinstance(self.least, BothSides)

    def prove(self) -> tuple[Bound, Bound]:
        asked = corners(self.composition, self.quantity, self.at)
        for part, (whole, at) in zip((self.least, self.greatest), asked, strict=True):
            question = _QUESTIONS[self.quantity][0], at
            if (part.composition, part.adjacency, part.question) != (whole, self.adjacency, question):
                raise NoConvergence("ends: not the question at its corners")
        return self.least.prove()[0], self.greatest.prove()[1]


def corners(composition: Composition, quantity: str, at: Bound | Irrational) -> tuple[Corner, Corner]:
    """Where the quantity is least, and where it is greatest, in rational numbers.

    Raises InvalidInput where it is not monotone in an irrational parameter.
    """
    _, rises_with_loss, rises = _QUESTIONS[quantity]
    if not rises_with_loss and not composition.is_exact:
        raise InvalidInput(f"parameters must be rational for {quantity}, got {composition}")
    wholes = composition.ends()[:: rises_with_loss or 1]
    points = (at.lower, at.upper)[::rises] if isinstance(at, Irrational) else (at, at)
    return (wholes[0], points[0]), (wholes[1], points[1])
