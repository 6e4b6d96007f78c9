"""Random questions ε(δ) as users ask them: a family, a seed and a number make one, the same everywhere.

Ranges are uniform in the logarithm unless a family says otherwise, and numbers have three significant digits,
as users write them. What is asked is ε(δ), δ from 1e-10 to 1e-4.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TypeVar

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import show
from pldverify.questions.family import Family
from pldverify.questions.numbers import Numbers
from pldverify.questions.written import families

T = TypeVar("T")
DELTA = (1e-10, 1e-4)
SHOWN = 20
"""Most different mechanisms that are written out as code."""
Parts = list[tuple[Mechanism, int]]


@dataclass(frozen=True)
class Name:
    """All that it takes to make a question again."""

    family: str
    seed: int
    number: int


@dataclass(frozen=True)
class Question:
    """ε(``delta``) of ``composition``; ``adjacency`` None is the composition's own."""

    name: Name
    composition: pv.Composition
    delta: str
    adjacency: Adjacency | None = None

    @property
    def query(self) -> pv.Query:
        """What an accountant is asked."""
        return pv.Query(self.composition, delta=self.delta, adjacency=self.adjacency)

    def code(self, digits: int) -> str:
        """Python that asks it; many mechanisms are made again from the name."""
        ending = f', adjacency="{self.adjacency}"' if self.adjacency else ""
        if len(self.composition.parts) <= SHOWN:
            what = " + ".join(f"{k} * {code(m)}" for m, k in self.composition.parts)
        else:
            name = self.name
            what = f'question(Name("{name.family}", {name.seed}, {name.number})).composition'
        return f'pv.epsilon({what}, delta="{self.delta}"{ending}, digits={digits})'


def question(name: Name) -> Question:
    """The question of that name. Raises KeyError for an unknown family."""
    pick = random.Random(f"{name.seed} {name.family} {name.number}")
    family = FAMILIES[name.family]
    delta = decimal(log_uniform(pick, *DELTA))
    if isinstance(family, Family):
        return Question(name, family.drawn(Usual(pick)), delta, family.adjacency[0])
    return Question(name, pv.Composition.of(*family(pick)), delta)


def code(value: object) -> str:
    """Python that makes a mechanism, what is default left out, or a number of one."""
    if isinstance(value, Mechanism):
        given = [(field, getattr(value, field.name)) for field in fields(value)]  # type: ignore[arg-type]
        arguments = ", ".join(code(number) for field, number in given if number != field.default)
        return f"pv.{type(value).__name__}({arguments})"
    return f'"{show(value)}"' if isinstance(value, Fraction) else repr(value)


# random numbers


def log_uniform(pick: random.Random, low: float, high: float) -> float:
    return low * (high / low) ** pick.random()


def whole(pick: random.Random, low: int, high: int) -> int:
    """A whole number, uniform in the logarithm."""
    return min(high, max(low, round(log_uniform(pick, low, high))))


def decimal(value: float, digits: int = 3) -> str:
    return f"{value:.{digits - 1}e}"


class Usual:
    """A source that keeps to the ranges, with three digits."""

    def __init__(self, pick: random.Random) -> None:
        self.pick = pick

    def number(self, numbers: Numbers) -> Fraction:
        low, high = float(numbers.low), float(numbers.high)
        if numbers.nature == "whole":
            return Fraction(whole(self.pick, int(low), int(high)))
        return Fraction(decimal(log_uniform(self.pick, low, high)))

    def choice(self, options: Sequence[T]) -> T:
        return self.pick.choice(options)


def shares(pick: random.Random, parts: int) -> list[float]:
    """Positive numbers of sum 1, of different sizes."""
    weights = [log_uniform(pick, 1, 30) for _ in range(parts)]
    return [weight / sum(weights) for weight in weights]


def split(pick: random.Random, total: int, parts: int) -> list[int]:
    """Positive whole numbers of sum ``total``, which is at least ``parts``."""
    cuts = sorted(pick.sample(range(1, total), parts - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]


# families


def census(pick: random.Random) -> Parts:
    """1 to 400 discrete Gaussians with up to 20 different σ, which share a ρ of zCDP from 0.01 to 10."""
    total = whole(pick, 1, 400)
    counts = split(pick, total, pick.randint(1, min(20, total)))
    rho = log_uniform(pick, 0.01, 10)
    each = zip(counts, shares(pick, len(counts)), strict=True)
    return [(pv.DiscreteGaussian(decimal((k / (2 * share * rho)) ** 0.5)), k) for k, share in each]


def laplace(pick: random.Random) -> Parts:
    """1 to 5000 counts and sums with up to 8 different scales; their losses' deviation is 0.05 to 5."""
    total = whole(pick, 1, 5000)
    counts = split(pick, total, pick.randint(1, min(8, total)))
    variance = log_uniform(pick, 0.05, 5) ** 2
    each = zip(counts, shares(pick, len(counts)), strict=True)
    return [(pv.Laplace(decimal((k / (share * variance)) ** 0.5)), k) for k, share in each]


def randomised_response(pick: random.Random) -> Parts:
    """1 to 1000 answers to up to 5 questions of 2 to 50 categories, each with a local ε of 0.1 to 5."""
    total = whole(pick, 1, 1000)
    parts = []
    for k in split(pick, total, pick.randint(1, min(5, total))):
        categories = pick.choice((2, 2, whole(pick, 3, 50)))
        odds = 2.718281828459045 ** log_uniform(pick, 0.1, 5)
        parts.append((pv.RandomizedResponse(decimal(odds / (odds + categories - 1), 4), categories), k))
    return parts


def schedules(pick: random.Random) -> Parts:
    """2 to 1000 phases of 1 to 1000 steps: the noise falls or grows, or the batches of a data set do."""
    phases, steps = whole(pick, 2, 1000), whole(pick, 1, 1000)
    of_noise = pick.random() < 0.5
    records = whole(pick, 10**4, 10**7)
    batch = log_uniform(pick, 1e-4 * records, 0.05 * records)
    noise, change = log_uniform(pick, 0.6, 5), log_uniform(pick, 1.05, 4) ** pick.choice((-1, 1))
    geometric = pick.random() < 0.5
    parts = []
    for i in range(phases):
        t = i / (phases - 1)
        factor = change**t if geometric else 1 + (change - 1) * t
        sigma = noise * factor if of_noise else noise
        size = batch if of_noise else batch * factor
        rate = Fraction(max(1, round(size)), records)
        parts.append((pv.PoissonSubsampled(pv.Gaussian(decimal(sigma, 6)), rate), steps))
    return parts


def discrete_gaussian(pick: random.Random) -> Parts:
    """σ from 0.5 to 10⁶, sensitivity 1 or up to σ; ρ of zCDP from 0.001 to 10, but at most 10⁶ steps."""
    sigma, rho = log_uniform(pick, 0.5, 1e6), log_uniform(pick, 1e-3, 10)
    sensitivity = max(1, round(sigma * log_uniform(pick, 1e-3, 1))) if pick.random() < 0.5 else 1
    steps = min(10**6, max(1, round(2 * rho * (sigma / sensitivity) ** 2)))
    return [(pv.DiscreteGaussian(decimal(sigma), sensitivity), steps)]


def pure_dp(pick: random.Random) -> Parts:
    """1 to 1000 releases with up to 5 different ε of 0.001 to 2."""
    total = whole(pick, 1, 1000)
    counts = split(pick, total, pick.randint(1, min(5, total)))
    return [(pv.PureDP(decimal(log_uniform(pick, 1e-3, 2))), k) for k in counts]


def mixed(pick: random.Random) -> Parts:
    """A Gaussian, subsampled or not, beside one or two other families in a few steps."""
    noise, q = log_uniform(pick, 0.6, 10), log_uniform(pick, 1e-3, 0.1)
    sampled_laplace = FAMILIES["poisson-laplace"]
    others = (laplace, census, randomised_response, pure_dp, sampled_laplace)
    beside = pick.sample(others, pick.choice((1, 1, 2)))
    sampled = pick.random() < 0.5
    k = whole(pick, 1, 10**4 if sampled else 100)
    first: Mechanism = pv.Gaussian(decimal(noise if sampled else noise * k**0.5))
    parts: Parts = [(pv.PoissonSubsampled(first, decimal(q)) if sampled else first, k)]
    for family in beside:
        found = family.drawn(Usual(pick)).parts if isinstance(family, Family) else family(pick)[:3]
        parts += [(m, min(steps, whole(pick, 1, 20))) for m, steps in found]
    return parts


_POISSON = "{k} * poisson(gaussian({sigma}), q={q})"
_FIXED = "{k} * sampled_without_replacement(gaussian({sigma}), q={q})"
_REPLACED = "q 1e-6..1e-3 0.05..0.9 | sigma 0.4..10 | k 1..100000"
RANGES = {
    "dp-sgd": f"{_POISSON} | sigma 0.4..10 | q 1e-5..0.3 | k 10..1000000",
    "federated-poisson": f"{_POISSON} | sigma 0.4..10 | q 1e-6..1e-2 | k 10..5000",
    "federated-fixed": f"{_FIXED} | sigma 0.4..10 | q 1e-6..1e-2 | k 10..5000",
    "replace-poisson": f"{_POISSON} | {_REPLACED} | adjacency replace-one",
    "replace-fixed": f"{_FIXED} | {_REPLACED}",
    "poisson-laplace": "{k} * poisson(laplace({b}), q={q}) | b 0.3..10 | q 1e-4..0.3 | k 1..10000",
    "poisson-discrete-gaussian": "{k} * poisson(discrete_gaussian({sigma}), q={q}) "
    "| sigma 0.5..20 | q 1e-4..0.3 | k 1..10000",
}
"""Families whose numbers are independent. Clients of federated rounds come at random, or so many of them."""
FAMILIES: dict[str, Family | Callable[[random.Random], Parts]] = {
    **{name: families(text)[0] for name, text in RANGES.items()},
    "census": census,
    "laplace": laplace,
    "randomised-response": randomised_response,
    "schedules": schedules,
    "discrete-gaussian": discrete_gaussian,
    "pure-dp": pure_dp,
    "mixed": mixed,
}
