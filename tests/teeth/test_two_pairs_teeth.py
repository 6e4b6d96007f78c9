"""Planted errors in what is proved between two pairs, and the checks that find them."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms import attained
from pldverify.reference.engines.derived import both_sides
from pldverify.reference.engines.derived.both_sides import Attack, BothSides
from pldverify.reference.engines.derived.directions import Directions
from tests.oracle.test_fixed_batches import KINDS
from tests.oracle.test_hidden_batches import OFF, delta, power
from tests.teeth.planted import Plant, planted

STEPS = "50 * sampled_without_replacement(gaussian({}), q=1/4)"


def statement(sigma: int = 1, **asked: str) -> BothSides:
    found = pv.bracket(STEPS.format(sigma), seconds=60, digits=2, **asked)  # type: ignore[arg-type]
    assert found.witness is not None and isinstance(found.witness.statement, BothSides)
    return found.witness.statement


@cache
def forged() -> list[BothSides]:
    """Statements whose parts are true, but not of what they are said to prove."""
    honest, smaller = statement(delta="1e-3"), statement(2, delta="1e-3")
    assert isinstance(honest.above, Directions)
    (of_pair,), (attack, _) = honest.above.parts, honest.below
    return [
        replace(honest, above=smaller.above),
        replace(honest, below=(Attack("replace", (), of_pair),)),  # the pair is not attained
        replace(smaller, below=honest.below),
        replace(honest, below=(replace(attack, direction="remove"),)),
        replace(honest, at=Fraction(1, 100)),
        replace(honest, quantity="delta"),
        replace(honest, below=statement(delta="1e-5").below),
        replace(honest, composition=smaller.composition),
    ]


@pytest.mark.parametrize("number", range(8))
def test_a_forged_statement_proves_nothing(number: int) -> None:
    with pytest.raises(NoConvergence, match="both sides"):
        forged()[number].prove()


@pytest.mark.parametrize("number", [1, 2])
def test_a_check_that_is_left_out_lets_a_forgery_pass(number: int) -> None:
    check = "(attack.part.about, attack.part.question) != (loss, (self.quantity, abs(self.at)))"
    wrong, false = planted(both_sides, (check, "False")), forged()[number]
    wrong.BothSides(**{name: getattr(false, name) for name in BothSides.__dataclass_fields__}).prove()


def test_below_zero_the_other_direction_counts() -> None:
    """δ at ε < 0 of one direction alone, and of both."""
    whole = "20 * poisson(zcdp(1/2), q=1/10)"
    noise = "20 * poisson(gdp(1), q=1/10)"
    for adjacency in ("remove", "add", "add-or-remove"):
        found = pv.bracket(whole, epsilon="-0.5", adjacency=adjacency, seconds=10)  # type: ignore[arg-type]
        true = pv.delta(noise, epsilon="-0.5", adjacency=adjacency, digits=6)  # type: ignore[arg-type]
        assert true.lower * Fraction("0.999") < found.lower <= true.upper <= found.upper


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (("2 * mechanism.sensitivity)", "3 * mechanism.sensitivity)"), 0),
        (("2 * k * base.sensitivity", "2 * (k + 1) * base.sensitivity"), 1),
        (("Fraction(n - 1) ** (m - k)", "Fraction(n - 1) ** k"), 1),
    ],
)
def test_more_than_a_data_set_has_is_seen(plant: Plant, kind: int) -> None:
    """Against every batch of a few records."""
    batches, mechanism, records = KINDS[kind]
    pair = [power(batches([x, *[-1.0] * (records - 1)]), 2) for x in (1.0, -1.0)]
    truth = delta(*pair, 0.8, 1.0, 0.05)
    for module, holds in ((attained, True), (planted(attained, plant), False)):
        composition, adjacency = module.attained(2 * mechanism, "replace-one")
        found = pv.delta(composition, epsilon=1, adjacency=adjacency, digits=4)
        assert (found.lower < truth * (1 + OFF)) is holds


def test_a_fixed_batch_beside_a_hidden_one_is_not_above_what_it_attains() -> None:
    """It was: the attack on the hidden batch stood beside the pair that only bounds."""
    fixed = 5 * pv.SampledWithoutReplacement(pv.Gaussian(1), "1/4")
    known, adjacency = attained.attained(fixed, "replace-one")  # type: ignore[misc]  # it has one
    alone = pv.epsilon(known, delta="1e-2", adjacency=adjacency, digits=3)
    whole = fixed + pv.ShuffledBatches(pv.Gaussian(50), 4)
    both = pv.bracket(whole, delta="1e-2", adjacency="replace-one", seconds=1)
    of_pair = pv.epsilon(fixed, delta="1e-2", digits=3)
    assert 0 < both.lower < alone.lower * (1 + 1e-2) < of_pair.lower


@pytest.mark.slow
def test_a_fixed_batch_beside_a_hidden_one_has_no_lower_end_of_its_dominating_pair() -> None:
    """The same, and it is near what is attained."""
    fixed = "5 * sampled_without_replacement(gaussian(1), q=1/4)"
    whole = f"{fixed} + shuffled(gaussian(50), batches=4)"
    alone = pv.bracket(fixed, delta="1e-2", seconds=20)
    both = pv.bracket(whole, delta="1e-2", adjacency="replace-one", seconds=20)
    assert alone.lower * (1 - 1e-2) < both.lower < alone.lower * (1 + 1e-2) < pv.epsilon(fixed, delta="1e-2")
