"""Planted errors in each step of the proofs about hidden batches, and the checks that find them."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms import shuffled_batches
from pldverify.reference.choice import settle
from pldverify.reference.engines.derived import both_sides
from pldverify.reference.engines.derived.both_sides import Attack, BothSides
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.laws.batch_sums import BatchSumsLaw, Events
from pldverify.reference.laws.composed_loss import ComposedLoss
from tests.oracle.test_hidden_batches import OFF, delta, worst_shuffled
from tests.teeth.planted import Plant, planted

CUT = Events((Fraction(5, 2),))


def test_a_wrong_gap_is_seen() -> None:
    wrong = planted(shuffled_batches, ('"zero-out": (2, 1)', '"zero-out": (2, 0)'))
    truth = worst_shuffled(2, 1, "zero-out", 0.02)
    for module, holds in ((shuffled_batches, True), (wrong, False)):
        first, second = module.ShuffledBatches(pv.Gaussian(1), 2).gaps["zero-out"]
        loss = ComposedLoss(((BatchSumsLaw(first, second, 2, Fraction(1), CUT), 1),))
        assert (settle(loss, "delta", Fraction(1), 6).enclosure.lower < truth * (1 + OFF)) is holds


def test_an_upper_end_by_poisson_batches_is_seen() -> None:
    """What the accounts of shuffled runs do."""
    truth = worst_shuffled(2, 1, "zero-out", 0.02)
    poisson = pv.delta(2 * pv.PoissonSubsampled(pv.Gaussian(1), "1/2"), epsilon=1, digits=6)
    assert (
        poisson.upper
        < truth * (1 - OFF)
        < pv.bracket(pv.ShuffledBatches(pv.Gaussian(1), 2), epsilon=1, seconds=60).upper
    )


def statement(expression: str, adjacency: str | None = None, **asked: str) -> BothSides:
    found = pv.bracket(expression, seconds=60, adjacency=adjacency, **asked)  # type: ignore[arg-type]
    assert found.witness is not None and isinstance(found.witness.statement, BothSides)
    return found.witness.statement


@cache
def forged() -> list[BothSides]:
    """Statements whose parts are true, but not of what they are said to prove."""
    honest = statement("shuffled(gaussian(1), batches=2)", delta="1e-3")
    smaller = statement("shuffled(gaussian(2), batches=2)", delta="1e-3")
    replaced = statement("shuffled(gaussian(1), batches=2)", "replace-one", delta="1e-3")
    (attack,) = honest.below
    other = Attack("add", attack.events, attack.part)
    assert isinstance(smaller.above, Directions)
    return [
        replace(honest, above=smaller.above),
        replace(honest, at=Fraction(1, 100)),
        replace(honest, below=replaced.below),
        replace(honest, below=(other,)),
        replace(honest, below=(replace(attack, events=(Events((Fraction(9),)),)),)),
        replace(honest, composition=smaller.composition, above=smaller.above),
        replace(honest, quantity="delta"),
        replace(honest, below=(Attack("replace", attack.events, attack.part),)),
    ]


@pytest.mark.sample(5)
@pytest.mark.parametrize("number", range(8))
def test_a_forged_statement_proves_nothing(number: int) -> None:
    with pytest.raises(NoConvergence, match="both sides"):
        forged()[number].prove()


@pytest.mark.parametrize(
    ("number", "plant"),
    [
        (0, ("self.above.composition in known", "True")),
        (4, ("(attack.part.about, attack.part.question) != (loss, (self.quantity, abs(self.at)))", "False")),
        (7, ("attack.direction not in (tuple(map(reverse, ways)) if backward else ways)", "False")),
    ],
)
def test_a_check_that_is_left_out_lets_a_forgery_pass(number: int, plant: Plant) -> None:
    wrong, false = planted(both_sides, plant), forged()[number]
    wrong.BothSides(**{name: getattr(false, name) for name in BothSides.__dataclass_fields__}).prove()


def backwards_holds(module: Any) -> bool:
    """At ε = −1/2, against the grid."""
    found = statement("shuffled(gaussian(1), batches=2)", epsilon="-0.5")
    low, high = module.BothSides(
        **{name: getattr(found, name) for name in BothSides.__dataclass_fields__}
    ).prove()
    first, second = (Counter({(a, 0.0): 1, (0.0, a): 1}) for a in (2.0, 1.0))
    truth = delta(first, second, 1.0, -0.5, 0.02)
    return bool(truth * 0.8 < low < truth * (1 + OFF) and truth * (1 - OFF) < high)


@pytest.mark.parametrize(
    "plant",
    [
        ("ball(self.at).exp() * ball(least)", "ball(least)"),
        ("- ball(self.at).expm1()", "+ ball(self.at).expm1()"),
    ],
)
def test_a_wrong_way_back_is_seen(plant: Plant) -> None:
    assert backwards_holds(both_sides)
    assert not backwards_holds(planted(both_sides, plant))
