"""What an audit says: a number of its own kind, which is no proved end and never meets one."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import NoTruthValue
from pldverify.numbers.exact import show
from pldverify.numbers.scientific import outward

_DIGITS = 6
"""Digits of a bound that are shown, rounded down."""


class Drawn:
    """A lower bound that was drawn from samples.

    It has no order, no truth value and no ends: what is proved of a mechanism is not compared with it but by
    a reader, who takes the assumptions and the chance of a miss into account.
    """

    def __bool__(self) -> bool:
        raise NoTruthValue("a bound of an audit is neither true nor false: read its number and confidence")


@dataclass(frozen=True)
class Confidence(Drawn):
    """A lower bound on ε that was drawn from samples.

    Attributes:
        epsilon: the true ε (nats) is at least that, with ``confidence``.
        delta: at this δ.
        confidence: a bound above the true ε has at most the probability 1 − confidence, over runs.
        method: how it was drawn.
        assumes: sentences that it takes for granted.
    """

    epsilon: Fraction
    delta: Fraction
    confidence: Fraction
    method: str
    assumes: tuple[str, ...]

    @property
    def bound(self) -> Fraction:
        """The number, ε."""
        return self.epsilon

    def __str__(self) -> str:
        return (
            f"ε ≥ {outward(self.epsilon, _DIGITS, -1)} at δ = {show(self.delta)} with confidence "
            f"{show(self.confidence)}, by {self.method}"
        )


@dataclass(frozen=True)
class GaussianConfidence(Drawn):
    """A lower bound on μ of Gaussian DP that was drawn from samples.

    Attributes:
        mu: the true μ is at least that, with ``confidence``.
        confidence, method, assumes: as of :class:`Confidence`.
    """

    mu: Fraction
    confidence: Fraction
    method: str
    assumes: tuple[str, ...]

    @property
    def bound(self) -> Fraction:
        """The number, μ."""
        return self.mu

    def __str__(self) -> str:
        shown = outward(self.mu, _DIGITS, -1)
        return f"μ ≥ {shown} with confidence {show(self.confidence)}, by {self.method}"
