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
from pldverify.numbers.claim import Direction
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Cage, Mutant

MUTANTS = Cage()


class _ByFormula(Accountant):
    """A number of a formula, into which each class puts something else."""

    direction: Direction = "upper"
    library: ClassVar[str] = "pldverify"

    def __init__(self, name: str, formula: Callable[..., float]) -> None:
        vars(self).update(name=name)
        self.formula = formula


class OfGaussians(_ByFormula):
    """ε at δ of Gaussian mechanisms, by a formula in ρ = Σ k/2σ² and log(1/δ)."""

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


class TypeTwo(_ByFormula):
    """A type II error, by a function of the question."""

    direction = "lower"
    asks: ClassVar[tuple[type[Query], ...]] = (TradeOffQuery,)

    def claim(self, query: Query) -> float:
        """The formula."""
        return self.formula(query)


@MUTANTS.made("large-epsilon", OfGaussians)
def classical_gaussian(rho: float, log_delta: float) -> float:
    """σ = √(2 log(1.25/δ))/ε is used where ε > 1."""
    return 2 * math.sqrt(rho * (log_delta + math.log(1.25)))


@MUTANTS.made("one-step", OfGaussians)
def zcdp_without_factor(rho: float, log_delta: float) -> float:
    """The factor 2 before √(ρ log 1/δ) is forgotten."""
    return rho + math.sqrt(rho * log_delta)


@MUTANTS.made("large-epsilon", OfGaussians)
def zcdp_without_rho(rho: float, log_delta: float) -> float:
    """The term ρ is forgotten."""
    return 2 * math.sqrt(rho * log_delta)


@MUTANTS.made("large-epsilon", OfGaussians)
def conversion_by_order(rho: float, log_delta: float) -> float:
    """log(1/δ) is divided by α, where α − 1 is meant."""
    return _best(lambda alpha: rho * alpha + log_delta / alpha)


@MUTANTS.made("large-epsilon", OfGaussians)
def conversion_of_moment(rho: float, log_delta: float) -> float:
    """D_α is used where the cumulant (α − 1) D_α is meant."""
    return _best(lambda alpha: (rho * alpha + log_delta) / (alpha - 1))


@MUTANTS.made("tight", OfGaussians)
def orders_too_few(rho: float, log_delta: float) -> float:
    """The orders end at 3: sound, and loose."""
    return min(rho * alpha + log_delta / (alpha - 1) for alpha in (1.5, 2, 3))


@MUTANTS.made("one-step", OfGaussians)
def logarithm_of_base_ten(rho: float, log_delta: float) -> float:
    """log₁₀ is used where the natural logarithm is meant."""
    return rho + 2 * math.sqrt(rho * log_delta / math.log(10))


MUTANTS.append(
    Mutant("limit-sold-as-bound", "sampled", "The central limit theorem is reported as a bound.", GDPUpper)
)


def _order(change: Callable[[Fraction], Fraction]) -> Callable[[Query], Query]:
    def asked(query: Query) -> Query:
        if isinstance(query, RenyiQuery) and isinstance(query.order, Fraction):
            return replace(query, order=change(query.order))
        return query

    return asked


@MUTANTS.asked("renyi", _order)
def order_next_below(order: Fraction) -> Fraction:
    """The divergence of order α is that of α − 1/4."""
    return order - Fraction(1, 4)


@MUTANTS.answered("renyi-grows")
def binomial_overflows(value: float, query: Query) -> float:
    """The sum of order above 100 overflows, and is left out."""
    large = isinstance(query, RenyiQuery) and query.order > 100
    return 0.0 if large else value


@MUTANTS.asked("renyi-convex", _order)
def fractional_orders_rounded(order: Fraction) -> Fraction:
    """Orders that are no integers take the next one: sound."""
    return Fraction(math.ceil(order))


@MUTANTS.asked("renyi-adds-up")
def nested_count_dropped(query: Query) -> Query:
    """A nested count is forgotten."""
    if not isinstance(query, RenyiQuery) or query.composition.parts[0][1] % 2:
        return query
    mechanism, count = query.composition.parts[0]
    return replace(query, composition=(count // 2) * mechanism)  # an even count was nested in 2


@MUTANTS.answered("renyi")
def divergence_halved(value: float, query: Query) -> float:
    """Divergences are half of what they are."""
    return value / 2 if isinstance(query, RenyiQuery) else value


def _fractional(change: Callable[[float], float]) -> Callable[[float, Query], float]:
    def answered(value: float, query: Query) -> float:
        whole = not isinstance(query, RenyiQuery) or query.order == math.inf or query.order % 1 == 0
        return value if whole else change(value)

    return answered


@MUTANTS.answered("renyi", _fractional)
def sign_of_a_series_lost(value: float) -> float:
    """A term of a fractional order's series has the wrong sign, and the divergence becomes negative."""
    return -value


@MUTANTS.answered("renyi", _fractional)
def series_stopped_early(value: float) -> float:
    """The series of a fractional order stops before its terms have become small."""
    return value * 0.97


class Moments(_ByFormula):
    """D_α of Gaussian noise, by a function of α, σ and the count."""

    asks: ClassVar[tuple[type[Query], ...]] = (RenyiQuery,)

    def claim(self, query: Query) -> float:
        """The formula, and times the count."""
        assert isinstance(query, RenyiQuery)  # nothing else is asked
        ((mechanism, count), *others) = query.composition.parts
        if others or not isinstance(mechanism, Gaussian) or not 1 < query.order < math.inf:
            raise NotImplementedError("only one Gaussian mechanism, of order > 1")
        return count * self.formula(float(query.order), float(mechanism.noise_multiplier))


@MUTANTS.made("renyi-grows", Moments)
def mean_over_a_cut_domain(alpha: float, sigma: float) -> float:
    """The mean of (p/q)^α is taken over twelve standard deviations, and high orders live beyond."""
    beyond = (alpha - 12 * sigma) / sigma  # the integrand is a Gaussian around α
    kept = math.erfc(beyond / math.sqrt(2)) / 2
    return alpha / (2 * sigma**2) + math.log(kept) / (alpha - 1) if kept else 0.0


@MUTANTS.made("trade-off", TypeTwo)
def type_two_of_removal(query: TradeOffQuery) -> float:
    """The type II error is that of removing, where adding has less."""
    return end(replace(query, adjacency="remove"), "lower")


@MUTANTS.made("trade-off", TypeTwo)
def laws_rounded_apart(query: TradeOffQuery) -> float:
    """The laws of the loss are rounded each by itself: together they are of no pair."""
    ((mechanism, count),) = query.composition.parts
    if not isinstance(mechanism, Gaussian) or count != 1:
        raise NotImplementedError("only one Gaussian step")
    mu = 1 / float(mechanism.noise_multiplier)  # N(μ²/2, μ²) and N(−μ²/2, μ²), nearer by a grid of 1e-4
    return NormalDist().cdf(NormalDist().inv_cdf(1 - float(query.alpha)) - mu + 1e-4 / mu)
