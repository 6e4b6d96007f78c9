"""Draws: random questions by a seed, many of them next to the edges where accountants break.

Numbers are edges, or decimals of few digits, or a little beside 0, 1/2 and 1; whole numbers are frequent,
because some libraries go another way for integers. Now and then an amount is a hundred times beyond what is
usual.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import TypeVar

from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.questions import draw
from pldverify.questions.kinds import KINDS
from pldverify.questions.numbers import BUDGET, DELTA, RATE, STEPS, Numbers

T = TypeVar("T")

FIRST = (*KINDS, *("gaussian", "gaussian(sensitivity)", "poisson(gaussian)") * 2)
"""Kinds that a composition may begin with; those that every accountant has come three times as often."""
_BEYOND = 100
"""Factor by which an amount may leave its usual range."""


class Draws:
    """Questions from a seeded generator; the same seed draws the same ones."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def query(self, kind: str, asks: type[Query] = Query) -> Query:
        """A question of the class ``asks`` about a composition whose first mechanism is of that ``kind``.

        >>> draws = Draws(Random(1))
        >>> isinstance(draws.query("laplace"), Query)
        True
        """
        while True:
            try:
                if asks is NoiseQuery:
                    whole = int(self.number(STEPS)) * self._unit(kind)
                    return NoiseQuery(whole, epsilon=self.number(BUDGET), delta=self.number(DELTA))
                return draw.query(self, self.composition(kind), asks)
            except InvalidInput:  # beyond what a parameter may be
                continue

    def composition(self, kind: str) -> Composition:
        """One mechanism, most often; several parameters of a kind, or several kinds, else.

        In one step every third time, in at most a hundred every third time.
        """
        steps = STEPS.up_to(self.random.choice((1, 100, 10**6)))
        return draw.composition(self, [kind], [kind] * len(KINDS) + list(KINDS), steps=steps)

    def number(self, numbers: Numbers) -> Fraction:
        """An edge every second time, else evenly in the logarithm; what may be 1 often beside 0, 1/2
        and 1."""
        pick = self.random.random()
        if numbers.edges and pick < 0.5:
            return self.random.choice(numbers.edges)
        if numbers.nature == "share" and numbers.high == 1 and pick < 0.7:
            beside = Fraction(1, 10 ** self.random.randint(1, 12))
            return self.random.choice((beside, Fraction(1, 2) - beside, 1 - beside))
        far = _BEYOND if numbers.nature == "amount" and pick > 0.95 else 1
        low, high = math.log10(numbers.low / far), math.log10(numbers.high * far)
        value = 10 ** self.random.uniform(low, high)
        if numbers.nature == "whole" or (value >= 1 and pick > 0.8):
            return Fraction(round(Fraction(f"{value:.2e}")))
        return Fraction(f"{value:.{self.random.choice((0, 1))}e}")

    def choice(self, options: Sequence[T]) -> T:
        return self.random.choice(options)

    def _unit(self, kind: str) -> Mechanism:
        """A mechanism of noise 1, whose noise is asked for."""
        if kind.startswith("laplace"):
            return Laplace(1)
        return (
            Gaussian(1) if kind.startswith("gaussian") else PoissonSubsampled(Gaussian(1), self.number(RATE))
        )
