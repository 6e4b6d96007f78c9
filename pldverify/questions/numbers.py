"""Numbers: what a parameter may be, by its usual range and the edges where accountants change formulas."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

Nature = Literal["amount", "share", "whole"]
"""A number >= 0, a probability, an integer >= 0."""


@dataclass(frozen=True)
class Numbers:
    """Numbers of one parameter.

    Attributes:
        nature: what is a number of this parameter at all.
        low, high: the usual ones lie between, evenly in the logarithm; ``low`` is above 0.
        edges: numbers worth asking, the simplest first; some are beyond ``low`` or ``high``.
    """

    nature: Nature
    low: Fraction
    high: Fraction
    edges: tuple[Fraction, ...]

    @classmethod
    def of(cls, nature: Nature, low: str, high: str, edges: str = "") -> "Numbers":
        """From texts, the edges in words.

        >>> Numbers.of("amount", "0.1", "10", "1 2").edges
        (Fraction(1, 1), Fraction(2, 1))
        """
        return cls(nature, Fraction(low), Fraction(high), tuple(map(Fraction, edges.split())))

    def up_to(self, most: int) -> "Numbers":
        """Those that are at most so large."""
        inside = tuple(edge for edge in self.edges if edge <= most)
        return replace(self, high=min(self.high, Fraction(most)), edges=inside)


_NEXT_TO_1 = str(1 - Fraction(1, 2**53))
"""The largest double below 1."""

NOISE = Numbers.of("amount", "0.1", "100", "1 2 4 10 0.5 0.3 0.05 0.7 100")
"""σ and b."""
GRAINS = Numbers.of("amount", "0.3", "10", "1 2 4 10 0.5 0.3 0.7")
"""σ and b of noise on the integers."""
SIZE = Numbers.of("amount", "0.1", "10", "1 2 3 10 0.5 0.1")
"""A sensitivity."""
WHOLE = Numbers.of("whole", "1", "4", "1 2 3 4")
"""A sensitivity of integers."""
RATE = Numbers.of("share", "1e-6", "1", f"1 0.5 0.01 0.1 1e-6 {_NEXT_TO_1} 0.9 0.001")
"""A sampling probability."""
CHANCE = Numbers.of("share", "0.01", "1", f"1 0.5 0.01 0.1 {_NEXT_TO_1} 0.9 0.75")
"""How often a response is true."""
COIN = Numbers.of("share", "0.1", "0.9", "0.5 0.1 0.9")
"""A success of a trial; 0 and 1 are no trial."""
CATEGORIES = Numbers.of("whole", "2", "10", "2 3 10")
TRIALS = Numbers.of("whole", "4", "50", "4 10 50")
BATCHES = Numbers.of("whole", "1", "1000", "1 2 10 1000")
"""Batches of an epoch."""
DRAWS = Numbers.of("whole", "1", "10", "1 2 10")
"""Records of a sample with replacement."""
RECORDS = Numbers.of("whole", "10", "1000", "10 100 1000")
"""Records of a data set."""
BUDGET = Numbers.of("amount", "1e-3", "5", "1 0 1e-9 0.001 0.1 0.5 2 5")
"""ε of a mechanism that is known by it."""
SHARPNESS = Numbers.of("amount", "1e-3", "5", "1 0.001 0.1 0.5 2 5")
"""ε of a choice by scores."""
THRESHOLD = Numbers.of("amount", "2", "1000", "10 2 50 1000")
"""Of a noisy count, to which a record adds 1."""
TIMES = Numbers.of("whole", "1", "10", "1 2 3 10")
"""Choices at once."""
RUNS = Numbers.of("amount", "1", "1000", "1 2 10 100 1.5 1000")
"""How often a mechanism is run in the mean, of which the best is shown."""
FAILURE = Numbers.of("share", "1e-18", "0.1", "1e-5 1e-10 1e-16 1e-100 0.001 0 0.1")
"""δ of a mechanism that is known by it."""
RHO = Numbers.of("amount", "0.01", "10", "1 2 4 10 0.5 0.3 0.05")
MU = Numbers.of("amount", "0.05", "10", "1 2 4 10 0.5 0.3 0.05")
OUTCOMES = Numbers.of("whole", "2", "5", "2 3 4 5")
MASS = Numbers.of("amount", "1", "10", "1 0 2 5 100")
"""Of one outcome; those of all are divided by their sum."""
STEPS = Numbers.of("whole", "1", "1e6", "1 2 3 4 10 100 1000 10000 100000 1000000")

EPSILON = Numbers.of("amount", "1e-4", "100", "1 0 1e-9 0.001 0.1 0.5 2 10 30 100 700")
"""ε at which δ is asked, in nats."""
DELTA = Numbers.of(
    "share", "1e-12", "0.5", f"1e-5 1e-3 0.1 1e-8 1e-10 1e-16 1e-30 1e-100 0.5 {_NEXT_TO_1} 0 1"
)
"""δ at which ε is asked."""
ORDER = Numbers.of("amount", "1.01", "1e4", "2 3 4 8 16 64 256 1024 1.000000001 1.00001 1.1 1.5")
"""Of a Rényi divergence."""
LEVEL = Numbers.of("share", "1e-6", "1", "0.05 0.001 0.5 1e-6 0.999")
"""A type I error."""
