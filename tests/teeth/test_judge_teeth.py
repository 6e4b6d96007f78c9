"""Planted bugs in accountants that a check must find, each beside the honest one that it must not accuse."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import mpmath
import pytest

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.registry import accountant
from pldverify.mechanisms import Composition, Gaussian, PoissonSubsampled, Query
from pldverify.numbers import Claim
from pldverify.numbers.claim import Direction
from pldverify.rulings.check import check
from pldverify.sweeps.sweep import sweep
from tests.unit.accountants import subjects
from tests.unit.accountants.subjects import Subject

STEP = PoissonSubsampled(Gaussian(1), "0.01")
DP_SGD = Query(10_000 * STEP, delta="1e-6")


@dataclass(frozen=True)
class Wrapped:
    """An accountant that asks another one and spoils the question or the answer."""

    honest: Accountant
    factor: Fraction = Fraction(1)
    steps_lost: int = 0
    sigma_factor: Fraction = Fraction(1)

    name = "test-library/wrapped"
    library = "test-library"

    @property
    def direction(self) -> Direction:
        return self.honest.direction

    def version(self) -> str:
        return self.honest.version()

    def supports(self, query: Query) -> str | None:
        return self.honest.supports(query)

    def claim(self, query: Query) -> Claim:
        parts = []
        for mechanism, count in query.composition.parts:
            assert isinstance(mechanism, PoissonSubsampled) and isinstance(mechanism.base, Gaussian)
            base = Gaussian(mechanism.base.sigma * self.sigma_factor)
            parts.append((PoissonSubsampled(base, mechanism.q), count - self.steps_lost))
        claim = self.honest.claim(replace(query, composition=Composition.of(*parts)))
        return replace(claim, value=claim.value * self.factor)


@pytest.mark.parametrize("query", [DP_SGD, Query(10_000 * STEP, epsilon="6.90735948")])
@pytest.mark.parametrize(
    ("bug", "verdict"),
    [
        ({}, "SOUND"),
        ({"factor": Fraction(99, 100)}, "UNSOUND"),
        ({"steps_lost": 1}, "UNSOUND"),
        ({"sigma_factor": Fraction(10_001, 10_000)}, "UNSOUND"),
    ],
    ids=["honest", "0.99 of the answer", "one step less", "a little more noise"],
)
def test_an_upper_bound_that_says_too_little(bug, verdict: str, query: Query) -> None:
    assert check(Wrapped(accountant("dp-accounting/pld"), **bug), query).verdict == verdict


@pytest.mark.parametrize(
    ("bug", "verdict"),
    [({}, "SOUND"), ({"factor": Fraction(11, 10)}, "UNSOUND"), ({"steps_lost": -2_000}, "UNSOUND")],
    ids=["honest", "1.1 of the answer", "2000 steps more"],
)
def test_a_lower_bound_that_says_too_much(bug, verdict: str) -> None:
    assert check(Wrapped(accountant("dp-accounting/pld-optimistic"), **bug), DP_SGD).verdict == verdict


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(Fraction(1), "SOUND"), (Fraction(98, 100), "UNSOUND"), (Fraction(102, 100), "UNSOUND")],
)
def test_an_estimate_that_breaks_its_promise(factor: Fraction, verdict: str) -> None:
    """The promise is ±0.1 at ε = 6.9, and 2 % is 0.14."""
    assert check(Wrapped(accountant("prv-accountant/estimate"), factor), DP_SGD).verdict == verdict


def normal_cdf(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def one_step_delta(query: Query, direction: str) -> float:
    """δ(ε) of one Poisson-sampled Gaussian step of sensitivity 1, from the threshold of its loss.

    With w(t) = 1 − q + q e^{(2t−1)/2σ²}: remove is N(0)-mixture mass above w = e^ε less e^ε times the base's;
    add is the base's mass below w = e^{−ε} less e^ε times the mixture's.
    """
    (mechanism, _), *_ = query.composition.parts
    assert isinstance(mechanism, PoissonSubsampled) and query.epsilon is not None
    q, sigma, epsilon = float(mechanism.q), float(mechanism.base.sigma), float(query.epsilon)
    level = math.exp(epsilon if direction == "remove" else -epsilon)
    if level <= 1 - q:
        return 0.0
    t = sigma**2 * math.log((level - (1 - q)) / q) + 1 / 2
    below_base = normal_cdf(t / sigma)
    below = (1 - q) * below_base + q * normal_cdf((t - 1) / sigma)
    if direction == "remove":
        return (1 - below) - math.exp(epsilon) * (1 - below_base)
    return below_base - math.exp(epsilon) * below


@dataclass(frozen=True)
class OneStep:
    """The closed form in doubles, a millionth on the safe side; ``swapped`` takes the wrong direction."""

    direction: Direction
    swapped: bool = False

    name = "test-library/one-step"
    library = "test-library"

    def version(self) -> str:
        return "1"

    def supports(self, query: Query) -> str | None:
        return None

    def claim(self, query: Query) -> Claim:
        wrong = {"remove": "add", "add": "remove"}[query.adjacency]
        delta = Fraction(one_step_delta(query, wrong if self.swapped else query.adjacency))
        margin = Fraction(1, 10**6) * (1 if self.direction == "upper" else -1)
        return Claim(delta * (1 + margin), self.direction, self.name)


@pytest.mark.parametrize("epsilon", ["0.05", "0.09"])
@pytest.mark.parametrize(
    ("adjacency", "direction"), [("remove", "upper"), ("add", "lower"), ("remove", "lower"), ("add", "upper")]
)
def test_swapped_directions(adjacency, direction: Direction, epsilon: str) -> None:
    """δ of remove is above δ of add here, so the swap breaks upper for remove and lower for add."""
    query = Query(PoissonSubsampled(Gaussian(1), "0.1"), epsilon=epsilon, adjacency=adjacency)
    assert check(OneStep(direction), query).verdict == "SOUND"
    breaks = (adjacency, direction) in {("remove", "upper"), ("add", "lower")}
    assert check(OneStep(direction, swapped=True), query).verdict == ("UNSOUND" if breaks else "SOUND")


@dataclass(frozen=True)
class Constant:
    """An accountant that always says ``value``, an upper bound."""

    value: Fraction

    name = "test-library/constant"
    library = "test-library"
    direction: Direction = "upper"

    def version(self) -> str:
        return "1"

    def supports(self, query: Query) -> str | None:
        return None

    def claim(self, query: Query) -> Claim:
        return Claim(self.value, self.direction, self.name)


def test_a_double_is_judged_as_the_double_that_it_is() -> None:
    """The double 0.1 is 6e-18 above 1/10, and δ grows with q: a bound for the middle holds for one only."""
    with mpmath.workdps(40):
        q = (mpmath.mpf(1) / 10 + mpmath.mpf(0.1)) / 2
        epsilon = mpmath.mpf(1) / 20
        t = mpmath.log((mpmath.exp(epsilon) - (1 - q)) / q) + mpmath.mpf(1) / 2
        above_base = mpmath.ncdf(-t)
        delta = (1 - q) * above_base + q * mpmath.ncdf(1 - t) - mpmath.exp(epsilon) * above_base
        constant = Constant(Fraction(mpmath.nstr(delta, 35)))
    exact, rounded = (
        Query(PoissonSubsampled(Gaussian(1), q), epsilon="0.05", adjacency="remove") for q in ("0.1", 0.1)
    )
    assert check(constant, exact).verdict == "SOUND"
    assert check(constant, rounded).verdict == "UNSOUND"


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (subjects.raises, "raised ZeroDivisionError: the grid is empty"),
        (subjects.nan, "which is not a claim"),
        (subjects.eats_memory, "raised MemoryError"),
        (subjects.exits, "ended its process (exit code 7: last words)"),
    ],
)
def test_what_is_no_answer_is_never_sound(behave, reason: str) -> None:
    (found,) = sweep([Subject(behave)], [Query(Gaussian(1), delta="1e-5")], timeout=600)
    assert found.verdict == ("INVALID" if behave is subjects.nan else "CRASHED")
    assert found.claim is None
    assert reason in found.reason
