"""Draws: random questions, many of them next to the edges where accountants break.

Numbers are decimals of few digits, or a little beside 0, 1/2 and 1; whole numbers are frequent, because some
libraries go another way for integers. Steps go from 1 to 10⁶, δ from 1e-1 to 1e-18, ε from 0, by way of the
losses of a mechanism's atoms, to 100.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    ApproximateDP,
    Binomial,
    DiscreteGaussian,
    DiscreteLaplace,
    FinitePair,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    RandomizedResponse,
    SampledWithoutReplacement,
    SampledWithReplacement,
)
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery

_ADJACENCIES: tuple[Adjacency, ...] = ("replace-one", "remove", "add")
_MOST_PARTS = 3


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
                return self._query(kind, asks)
            except InvalidInput:  # no common relation, or beyond what a parameter may be
                continue

    def _query(self, kind: str, asks: type[Query]) -> Query:
        if asks is NoiseQuery:
            step = self._unit(kind)
            return NoiseQuery(self.steps() * step, epsilon=self._budget(), delta=self.delta())
        composition = self.composition(kind)
        adjacency = self.adjacency()
        if asks is RenyiQuery:
            return RenyiQuery(composition, order=self.order(), adjacency=adjacency)
        if self.random.random() < 0.5:
            return Query(composition, delta=self.delta(), adjacency=adjacency)
        return Query(composition, epsilon=self.epsilon(composition), adjacency=adjacency)

    def composition(self, kind: str) -> Composition:
        """One mechanism, most often; several parameters of a kind, or several kinds, else."""
        parts = [(self.mechanism(kind), self.steps())]
        while len(parts) < _MOST_PARTS and self.random.random() < 0.25:
            other = kind if self.random.random() < 0.5 else self.random.choice(KINDS)
            parts.append((self.mechanism(other), self.steps()))
        return Composition.of(*parts)

    def mechanism(self, kind: str) -> Mechanism:
        """A mechanism of that kind."""
        return _MAKERS[kind](self)

    def adjacency(self) -> Adjacency | None:
        """Mostly the composition's own."""
        return None if self.random.random() < 0.75 else self.random.choice(_ADJACENCIES)

    def steps(self) -> int:
        """1 every third time, up to 100 every third time, else up to 10⁶, log-uniform."""
        pick = self.random.random()
        if pick < 1 / 3:
            return 1
        return int(self.near(10 ** self.random.uniform(0, 2 if pick < 2 / 3 else 6), digits=3))

    def delta(self) -> Fraction:
        """Powers of ten and what lies between; half of them tiny."""
        exponent = self.random.uniform(-18, -9) if self.random.random() < 0.5 else self.random.uniform(-9, 0)
        return self.near(10**exponent, digits=self.random.choice((1, 2))) or Fraction(1, 10)

    def epsilon(self, composition: Composition) -> Fraction:
        """0, next to 0, up to 100, or at the largest losses of the steps."""
        pick = self.random.random()
        if pick < 0.1:
            return Fraction(0)
        losses = [loss for part in composition.parts for loss in _atoms(*part)]
        if pick < 0.35 and losses:
            return self.random.choice(losses)
        return self._budget() if pick < 0.8 else self.near(10 ** self.random.uniform(-9, -2))

    def order(self) -> Fraction:
        """Next to 1, whole, broken, far out."""
        pick = self.random.random()
        if pick < 0.3:
            return 1 + self.near(10 ** self.random.uniform(-9, 0))
        if pick < 0.7:
            return Fraction(self.random.choice((2, 3, 4, 8, 16, 64, 256, 1024)))
        return self.near(10 ** self.random.uniform(0.05, 4))

    def noise(self) -> Fraction:
        """σ, b: whole every third time, from 1/50 to 1000 with rare exceptions."""
        pick = self.random.random()
        if pick < 1 / 3:
            return Fraction(self.random.choice((1, 1, 2, 3, 5, 10, 20, 50, 100)))
        low, high = (-3.0, 4.0) if pick > 0.97 else (-1.7, 3.0) if pick > 0.85 else (-0.5, 1.5)
        return self.near(10 ** self.random.uniform(low, high))

    def part(self) -> Fraction:
        """A probability > 0: log-uniform, next to 0, 1/2 and 1, and these."""
        pick = self.random.random()
        if pick < 0.6:
            return self.near(10 ** self.random.uniform(-5, -0.05))
        beside = Fraction(1, 10 ** self.random.randint(1, 12))
        if pick < 0.7:
            return beside
        middle = Fraction(self.random.choice((1, 2, 2)), 2)
        return middle - beside if pick < 0.9 else middle

    def size(self) -> Fraction:
        """A sensitivity: mostly 1."""
        return Fraction(self.random.choice((1, 1, 1, 1, 1, 1, 2, 3, 10, "1/2", "0.1")))

    def whole(self) -> int:
        """A sensitivity of integers."""
        return self.random.choice((1, 1, 1, 1, 2, 3, 10))

    def near(self, value: float, digits: int = 2) -> Fraction:
        """A decimal of few digits next to ``value``.

        >>> Draws(Random(1)).near(1.2345)
        Fraction(6, 5)
        """
        return Fraction(f"{value:.{digits - 1}e}")

    def _budget(self) -> Fraction:
        return self.near(10 ** self.random.uniform(-2, 2), digits=self.random.choice((1, 2)))

    def _unit(self, kind: str) -> Mechanism:
        if kind == "laplace":
            return Laplace(1)
        return Gaussian(1) if kind == "gaussian" else PoissonSubsampled(Gaussian(1), self.part())

    def pair(self) -> FinitePair:
        """Two to four outcomes; some may be impossible under P or Q."""
        outcomes = self.random.randint(2, 4)
        weights: Sequence[list[int]] = [
            [self.random.choice((0, 1, 1, 2, 5, 100)) for _ in range(outcomes)] for _ in range(2)
        ]
        p, q = ([Fraction(w, sum(row) or 1) for w in row] for row in weights)
        return FinitePair(p, q)


def _discrete(draws: Draws) -> Mechanism:
    return DiscreteGaussian(draws.noise(), draws.whole())


_MAKERS: dict[str, Callable[[Draws], Mechanism]] = {
    "gaussian": lambda d: Gaussian(d.noise(), d.size()),
    "poisson_gaussian": lambda d: PoissonSubsampled(Gaussian(d.noise()), d.part()),
    "laplace": lambda d: Laplace(d.noise(), d.size()),
    "poisson_laplace": lambda d: PoissonSubsampled(Laplace(d.noise()), d.part()),
    "randomized_response": lambda d: RandomizedResponse(d.part(), d.random.choice((2, 2, 2, 3, 10))),
    "discrete_laplace": lambda d: DiscreteLaplace(d.noise(), d.whole()),
    "discrete_gaussian": _discrete,
    "poisson_discrete_gaussian": lambda d: PoissonSubsampled(DiscreteGaussian(d.noise()), d.part()),
    "poisson_discrete_laplace": lambda d: PoissonSubsampled(DiscreteLaplace(d.noise()), d.part()),
    "finite_pair": lambda d: d.pair(),
    "pure_dp": lambda d: PureDP(d.near(10 ** d.random.uniform(-3, 1))),
    "approximate_dp": lambda d: ApproximateDP(d.near(10 ** d.random.uniform(-3, 1)), d.delta()),
    "zcdp": lambda d: ZCDP(d.near(10 ** d.random.uniform(-4, 1))),
    "gdp": lambda d: GDP(d.near(10 ** d.random.uniform(-2, 0.5))),
    "binomial": lambda d: Binomial(d.random.choice((1, 2, 10, 100, 10_000)), d.part()),
    "without_replacement": lambda d: SampledWithoutReplacement(Gaussian(d.noise()), d.part()),
    "with_replacement": lambda d: SampledWithReplacement(
        Gaussian(d.noise()), d.random.choice((1, 2, 10)), d.random.choice((2, 100, 10_000))
    ),
}
KINDS = tuple(_MAKERS)
"""What a composition may begin with."""


def _atoms(mechanism: Mechanism, count: int) -> list[Fraction]:
    """ε where δ has a kink: the losses of atoms of one step, and of all steps together."""
    match mechanism:
        case Laplace(b, size) | DiscreteLaplace(b, size):
            loss: Any = Fraction(size) / b
        case PureDP(epsilon) | ApproximateDP(epsilon, _):
            loss = epsilon
        case RandomizedResponse(p, categories=2) if 0 < p < 1 and 2 * p != 1:
            loss = Fraction(abs(math.log(p / (1 - p))))
        case _:
            return []
    return [loss, loss * count] if count > 1 else [loss]
