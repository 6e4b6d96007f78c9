"""δ of few steps with a batch of fixed size: losses of 0 apart."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.clock import allowance
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import settle
from pldverify.reference.engines.evaluator import evaluator
from pldverify.reference.engines.inversion import atom_at_zero as module
from pldverify.reference.engines.inversion.atom_at_zero import AtomAtZero
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.nonzero_losses import NonzeroLosses
from pldverify.reference.search.atom_at_zero import plan_atom_at_zero

WITHOUT = pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1")
WITH = pv.SampledWithReplacement(pv.Gaussian(4), m=2, n=100)
LOUD = pv.SampledWithoutReplacement(pv.Gaussian("0.7"), q="0.9")


def law(mechanism: Mechanism, steps: int) -> ComposedLoss:
    return product(as_composition(steps * mechanism), "replace")


def zero(mechanism: Mechanism, steps: int, epsilon: str, digits: int = 12) -> Enclosure:
    return settle(
        law(mechanism, steps), "delta", Fraction(epsilon), digits, names=("atom at zero",)
    ).enclosure


def grid(mechanism: Mechanism, steps: int, epsilon: str) -> Enclosure:
    return settle(law(mechanism, steps), "delta", Fraction(epsilon), 3, names=("grid",)).enclosure


def overlaps(fine: Enclosure, coarse: Enclosure) -> bool:
    assert coarse.width < coarse.upper / 500
    return fine.lower <= coarse.upper and coarse.lower <= fine.upper


def two(c: float, q: float, epsilon: float) -> float:
    """δ of two steps by E[δ₁(ε − S)], in doubles."""

    def tail(x: float) -> float:
        return math.erfc(x / math.sqrt(2)) / 2

    def one(e: float) -> float:
        if e < 0:  # by symmetry of the pair
            return 1 - math.exp(e) + math.exp(e) * one(-e)
        x = (math.log((math.exp(e) - 1) / q + 1) + c * c / 2) / c
        return (1 - q) * tail(x) + q * tail(x - c) - math.exp(e) * tail(x)

    total = (1 - q) * math.erf(c / 2 / math.sqrt(2)) * one(epsilon)
    kink = (math.log((math.exp(epsilon) - 1) / q + 1) + c * c / 2) / c
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for low, high in ((c / 2, kink), (kink, kink + 3), (kink + 3, kink + 9)):
        for node, weight in zip(nodes, weights * (high - low) / 2, strict=True):
            x = (low + high) / 2 + (high - low) / 2 * node
            w = 1 - q + q * math.exp(c * x - c * c / 2)
            density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi) * weight
            total += density * (w * one(epsilon - math.log(w)) + one(epsilon + math.log(w)))
    return total


@pytest.mark.parametrize("epsilon", ["0.11", "0.7", "2", "12"])
def test_two_steps_are_an_integral_over_the_first(epsilon: str) -> None:
    found = zero(WITHOUT, 2, epsilon)
    assert found.digits >= 12
    assert float(found) == pytest.approx(two(1.0, 0.1, float(epsilon)), rel=1e-10, abs=0)


@pytest.mark.parametrize(
    ("mechanism", "steps", "epsilon"),
    [(WITHOUT, 2, "0"), (WITH, 2, "0.03"), (WITHOUT, 3, "1.5"), (WITHOUT, 10, "0.11"), (LOUD, 4, "0.5")],
)
def test_it_overlaps_with_the_grid(mechanism: Mechanism, steps: int, epsilon: str) -> None:
    assert overlaps(zero(mechanism, steps, epsilon, 6), grid(mechanism, steps, epsilon))


def test_the_side_of_small_losses_counts_a_part_of_the_mass(monkeypatch: pytest.MonkeyPatch) -> None:
    built = plan_atom_at_zero(law(LOUD, 4), "delta", Fraction(1, 2), digits=6).build()
    engine = evaluator(built)
    assert isinstance(engine, AtomAtZero) and engine.many is not None and engine.many.kernel.side == "lower"
    forget()
    monkeypatch.setattr(NonzeroLosses, "mass", lambda self: arb(1))
    with pytest.raises(OracleDisagreement):
        zero(LOUD, 4, "0.5", 6)


def test_a_planted_bug_in_two_losses_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = module._Profile._below
    monkeypatch.setattr(module._Profile, "_below", lambda self, power, a: whole(self, power, a) * 0.99)
    assert float(zero(WITHOUT, 2, "0.7")) != pytest.approx(two(1.0, 0.1, 0.7), rel=1e-5, abs=0)


def test_what_it_is_not_for() -> None:
    with pytest.raises(NotSupported, match="atom at zero"):
        plan_atom_at_zero(law(WITHOUT, 1), "delta", Fraction(1), digits=6)
    with pytest.raises(NotSupported, match="atom at zero"):
        plan_atom_at_zero(law(WITHOUT, 5), "tail", Fraction(1), digits=6)
    many = pv.SampledWithReplacement(pv.Gaussian(4), m=1000, n=100)
    with pytest.raises(NoConvergence, match="drawn more than 10 times"):
        plan_atom_at_zero(law(many, 5), "delta", Fraction(1), digits=6)
    with pytest.raises(NoConvergence, match="must be ≥ 0"):
        plan_atom_at_zero(law(WITHOUT, 2), "delta", Fraction(1), digits=6).build().value(Fraction(-1))


def test_the_allowance_ends_inside_of_an_integral() -> None:
    """Five components and 60 digits: half a minute if nothing stops it."""
    steps = pv.SampledWithReplacement(pv.Gaussian("0.5"), m=5, n=10)
    built = plan_atom_at_zero(law(steps, 2), "delta", Fraction(1, 2), digits=60).build()
    with allowance(0.02), pytest.raises(NoConvergence, match="far more work"):
        built.value(Fraction(1, 2))
