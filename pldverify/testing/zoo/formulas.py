"""Faulty formulas: theorems that are used where they don't hold, and printed ones with a slip."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.gdp import GDPUpper
from pldverify.mechanisms import Gaussian
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Mutant, spoiled


class OfGaussians(Accountant):
    """ε at δ of Gaussian mechanisms, by a formula in ρ = Σ k/2σ² and log(1/δ)."""

    direction = "upper"
    library: ClassVar[str] = "pldverify"

    def __init__(self, name: str, formula: Callable[[float, float], float]) -> None:
        vars(self).update(name=name)
        self.formula = formula

    def claim(self, query: Query) -> float:
        """The formula. Refuses all else."""
        if not query.delta or query.delta == 1:
            raise NotImplementedError("only ε at a δ between 0 and 1")
        if query.adjacency == "replace-one":
            raise NotImplementedError("only records that are added or removed")
        rho = 0.0
        for mechanism, count in query.composition.parts:
            if not isinstance(mechanism, Gaussian):
                raise NotImplementedError("only Gaussian mechanisms")
            rho += count / (2 * float(mechanism.noise_multiplier) ** 2)
        return self.formula(rho, -math.log(query.delta))


def _gaussian(name: str, killer: str, fault: str, formula: Callable[[float, float], float]) -> Mutant:
    return Mutant(name, killer, fault, lambda: OfGaussians(name, formula))


def _best(bound: Callable[[float], float]) -> float:
    """The least over a grid of orders."""
    return min(bound(1 + 1.1**step / 100) for step in range(140))


def zcdp(rho: float, log_delta: float) -> float:
    """ρ + 2√(ρ log 1/δ): Bun and Steinke 2016, Proposition 1.3. Sound."""
    return rho + 2 * math.sqrt(rho * log_delta)


def renyi(rho: float, log_delta: float) -> float:
    """min over α of ρα + log(1/δ)/(α − 1): Mironov 2017, Proposition 3. Sound."""
    return _best(lambda alpha: rho * alpha + log_delta / (alpha - 1))


HONEST = (OfGaussians("zcdp", zcdp), OfGaussians("renyi", renyi))
"""What some of these are made of."""


def _order(change: Callable[[Fraction], Fraction]) -> Callable[[Query], Query]:
    def asked(query: Query) -> Query:
        if isinstance(query, RenyiQuery) and isinstance(query.order, Fraction):
            return replace(query, order=change(query.order))
        return query

    return asked


def _nested(query: Query) -> Query:
    """A count that is even was nested, and half of it is forgotten."""
    if not isinstance(query, RenyiQuery) or query.composition.parts[0][1] % 2:
        return query
    mechanism, count = query.composition.parts[0]
    return replace(query, composition=(count // 2) * mechanism)


def _of_large_order(value: float, query: Query) -> float:
    large = isinstance(query, RenyiQuery) and query.order > 100
    return 0.0 if large else value


def _halved(value: float, query: Query) -> float:
    return value / 2 if isinstance(query, RenyiQuery) else value


class TypeTwo(Accountant):
    """A type II error, by a function of the question."""

    direction = "lower"
    asks: ClassVar[tuple[type[Query], ...]] = (TradeOffQuery,)
    library: ClassVar[str] = "pldverify"

    def __init__(self, name: str, formula: Callable[[TradeOffQuery], float]) -> None:
        vars(self).update(name=name)
        self.formula = formula

    def claim(self, query: Query) -> float:
        """The formula."""
        assert isinstance(query, TradeOffQuery)  # nothing else is asked
        return self.formula(query)


def _of_removal(query: TradeOffQuery) -> float:
    return end(replace(query, adjacency="remove"), "lower")


def _rounded_apart(query: TradeOffQuery) -> float:
    """Of one Gaussian step: N(μ²/2, μ²) against N(−μ²/2, μ²), moved towards each other by a grid of 1e-4."""
    ((mechanism, count),) = query.composition.parts
    if not isinstance(mechanism, Gaussian) or count != 1:
        raise NotImplementedError("only one Gaussian step")
    mu = 1 / float(mechanism.noise_multiplier)
    return NormalDist().cdf(NormalDist().inv_cdf(1 - float(query.alpha)) - mu + 1e-4 / mu)


def _type_two(name: str, fault: str, formula: Callable[[TradeOffQuery], float]) -> Mutant:
    return Mutant(name, "trade-off", fault, lambda: TypeTwo(name, formula))


MUTANTS = (
    _gaussian(
        "classical-gaussian",
        "large-epsilon",
        "σ = √(2 log(1.25/δ))/ε is used where ε > 1.",
        lambda rho, log_delta: 2 * math.sqrt(rho * (log_delta + math.log(1.25))),
    ),
    _gaussian(
        "zcdp-without-factor",
        "one-step",
        "The factor 2 before √(ρ log 1/δ) is forgotten.",
        lambda rho, log_delta: rho + math.sqrt(rho * log_delta),
    ),
    _gaussian(
        "zcdp-without-rho",
        "large-epsilon",
        "The term ρ is forgotten.",
        lambda rho, log_delta: 2 * math.sqrt(rho * log_delta),
    ),
    _gaussian(
        "conversion-by-order",
        "large-epsilon",
        "log(1/δ) is divided by α, where α − 1 is meant.",
        lambda rho, log_delta: _best(lambda alpha: rho * alpha + log_delta / alpha),
    ),
    _gaussian(
        "conversion-of-moment",
        "large-epsilon",
        "D_α is used where the cumulant (α − 1) D_α is meant.",
        lambda rho, log_delta: _best(lambda alpha: (rho * alpha + log_delta) / (alpha - 1)),
    ),
    _gaussian(
        "orders-too-few",
        "tight",
        "The orders end at 3: sound, and loose.",
        lambda rho, log_delta: min(rho * alpha + log_delta / (alpha - 1) for alpha in (1.5, 2, 3)),
    ),
    _gaussian(
        "logarithm-of-base-ten",
        "one-step",
        "log₁₀ is used where the natural logarithm is meant.",
        lambda rho, log_delta: rho + 2 * math.sqrt(rho * log_delta / math.log(10)),
    ),
    Mutant("limit-sold-as-bound", "sampled", "The central limit theorem is reported as a bound.", GDPUpper),
    spoiled(
        "order-next-below",
        "renyi",
        "The divergence of order α is that of α − 1/4.",
        asked=_order(lambda order: order - Fraction(1, 4)),
    ),
    spoiled(
        "binomial-overflows",
        "renyi-grows",
        "The sum of order above 100 overflows, and is left out.",
        answered=_of_large_order,
    ),
    spoiled(
        "fractional-orders-rounded",
        "renyi-convex",
        "Orders that are no integers take the next one: sound.",
        asked=_order(lambda order: Fraction(math.ceil(order))),
    ),
    spoiled("nested-count-dropped", "renyi-adds-up", "A nested count is forgotten.", asked=_nested),
    spoiled("divergence-halved", "renyi", "Divergences are half of what they are.", answered=_halved),
    _type_two(
        "type-two-of-removal", "The type II error is that of removing, where adding has less.", _of_removal
    ),
    _type_two(
        "laws-rounded-apart",
        "The laws of the loss are rounded each by itself: together they are of no pair.",
        _rounded_apart,
    ),
)
