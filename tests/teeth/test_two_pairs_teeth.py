"""Planted errors in what is proved between two pairs, and the checks that find them."""

from dataclasses import replace
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms import attained
from pldverify.reference.engines.derived import both_sides
from pldverify.reference.engines.derived.both_sides import TwoPairs
from tests.oracle.test_fixed_batches import KINDS
from tests.oracle.test_hidden_batches import OFF, delta, power
from tests.teeth.planted import Plant, planted

STEPS = "2 * sampled_without_replacement(gaussian({}), q=1/4)"


def statement(sigma: int = 1, **asked: str) -> TwoPairs:
    found = pv.bracket(STEPS.format(sigma), seconds=60, digits=2, **asked)  # type: ignore[arg-type]
    assert found.witness is not None and isinstance(found.witness.statement, TwoPairs)
    return found.witness.statement


def forged() -> list[TwoPairs]:
    """Statements whose parts are true, but not of what they are said to prove."""
    honest, smaller = statement(delta="1e-3"), statement(2, delta="1e-3")
    return [
        replace(honest, above=smaller.above),
        replace(honest, below=honest.above),  # the pair is not attained
        replace(smaller, below=honest.below),
        replace(honest, at=Fraction(1, 100)),
        replace(honest, quantity="delta"),
        replace(honest, below=statement(delta="1e-5").below),
        replace(honest, composition=smaller.composition),
    ]


@pytest.mark.parametrize("number", range(7))
def test_a_forged_statement_proves_nothing(number: int) -> None:
    with pytest.raises(NoConvergence, match="both sides"):
        forged()[number].prove()


def test_a_check_that_is_left_out_lets_a_forgery_pass() -> None:
    wrong = planted(both_sides, ("(part.composition, part.adjacency) != pair or", "False or"))
    for false in forged()[:3]:
        wrong.TwoPairs(**{name: getattr(false, name) for name in TwoPairs.__dataclass_fields__}).prove()


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (("2 * base.sensitivity)", "3 * base.sensitivity)"), 0),
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


def test_a_fixed_batch_beside_a_hidden_one_has_no_lower_end_of_its_dominating_pair() -> None:
    """It had: the attack on the hidden batch stood beside the pair that only bounds."""
    fixed = "5 * sampled_without_replacement(gaussian(1), q=1/4)"
    whole = f"{fixed} + shuffled(gaussian(50), batches=4)"
    alone = pv.bracket(fixed, delta="1e-2", seconds=20)
    both = pv.bracket(whole, delta="1e-2", adjacency="replace-one", seconds=20)
    assert alone.lower * (1 - 1e-2) < both.lower < alone.lower * (1 + 1e-2) < pv.epsilon(fixed, delta="1e-2")
