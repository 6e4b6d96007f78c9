"""One question to every direction: who is asked what, and which value counts."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.conclude import look
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.directions import Evaluate, Found, Which, distinct, extreme
from tests.unit.reference.told import Told

WHOLE = Composition(((pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), 3),))
ENDS = {"remove": (Fraction(2, 10), Fraction(3, 10)), "add": (Fraction(1, 10), Fraction(25, 100))}
"""Of an enclosure of each direction."""


def telling(asked: list[tuple[Direction, Bound | None]]) -> Evaluate:
    def evaluate(way: Direction, bound: Bound | None) -> Found:
        asked.append((way, bound))
        statement = Told(*ENDS[way], "told", product(WHOLE, way))
        return look(statement), statement

    return evaluate


@pytest.mark.parametrize(
    ("which", "ends", "leading", "bound"),
    [
        ("largest", (Fraction(2, 10), Fraction(3, 10)), "remove", Fraction(2, 10)),
        ("smallest", (Fraction(1, 10), Fraction(25, 100)), "add", Fraction(3, 10)),
    ],
)
def test_the_extreme_of_both_directions(
    which: Which, ends: tuple[Fraction, Fraction], leading: str, bound: Fraction
) -> None:
    asked: list[tuple[Direction, Bound | None]] = []
    found = extreme(which, WHOLE, None, ("delta", Fraction(1)), telling(asked))
    assert (found.lower, found.upper) == ends
    assert asked == [("remove", None), ("add", bound)]  # the second one need not go beyond the first
    assert dict(found.provenance)["direction"] == leading


def test_directions_of_one_law_are_asked_once() -> None:
    whole = Composition(((pv.Laplace(1), 2),))
    assert distinct(whole, whole.directions("add-or-remove")) == ["remove"]


def test_a_refusal_of_one_direction_carries_what_is_proved_of_both() -> None:
    def evaluate(way: Direction, bound: Bound | None) -> Found:
        if way == "add":
            raise NoConvergence("no more")
        statement = Told(*ENDS[way], "told", product(WHOLE, way))
        return look(statement), statement

    def rough(whole: Composition, way: Direction) -> Told:
        return Told(Fraction(0), Fraction(1, 2), "rough", product(whole, way))

    for which, ends in (("largest", (Fraction(2, 10), Fraction(1, 2))), ("smallest", (0, Fraction(3, 10)))):
        with pytest.raises(NoConvergence, match="no more") as caught:
            extreme(which, WHOLE, None, ("delta", Fraction(1)), evaluate, rough)  # type: ignore[arg-type]
        assert caught.value.bracket is not None
        assert (caught.value.bracket.lower, caught.value.bracket.upper) == ends
    with pytest.raises(NoConvergence) as caught:  # of one direction nothing is proved
        extreme("largest", WHOLE, None, ("delta", Fraction(1)), evaluate)
    assert caught.value.bracket is None
