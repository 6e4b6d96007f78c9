"""Interpolation: the polynomial with its error contains the function, however poor the nodes."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.fast.interpolation import Nodes

HALF = Fraction(1, 2)
places = st.integers(1, 49).map(lambda n: Fraction(n, 100))


def pole(t: Fraction) -> arb:
    """1/(1 − t): at most 2 where |t| < 1/2."""
    return 1 / (1 - ball(t))


def interpolated(nodes: Nodes, t: Fraction) -> tuple[arb, arb]:
    ((weights, error),) = nodes.at([t])
    values = [pole(s) for s in nodes.points()]
    return sum((w * v for w, v in zip(weights, values, strict=True)), arb(0)), 2 * error


@given(st.sets(places, min_size=1, max_size=6), st.integers(-499, 499).map(lambda n: Fraction(n, 1000)))
def test_the_function_is_contained(offsets: set[Fraction], t: Fraction) -> None:
    with working(100):
        value, error = interpolated(Nodes(tuple((x, x) for x in sorted(offsets)), HALF), t)
        assert not surely_less(error, abs(value - pole(t)))


@given(st.lists(st.tuples(places, places), min_size=1, max_size=5), st.integers(-499, 499))
def test_pairs_need_not_be_symmetric(pairs: list[tuple[Fraction, Fraction]], place: int) -> None:
    try:
        nodes = Nodes(tuple(pairs), HALF)
    except NoConvergence:
        return
    with working(100):
        value, error = interpolated(nodes, Fraction(place, 1000))
        assert not surely_less(error, abs(value - pole(Fraction(place, 1000))))


def test_the_bound_is_no_worse_than_needed() -> None:
    """Of f(t) = Π (t² − x_i²) the polynomial is 0: an error a third as large would not contain f."""
    offsets, t = [Fraction(n, 100) for n in (2, 5, 8)], Fraction(1, 10)
    with working(100):
        ((_, error),) = Nodes(tuple((x, x) for x in offsets), HALF).at([t])
        size, truth = arb(1), arb(1)
        for x in offsets:
            size *= ball(HALF**2 + x**2)
            truth *= ball(t**2 - x**2)
        assert surely_less(abs(truth), size * error)
        assert surely_less(size * error / 3, abs(truth))


def test_at_a_node_the_value_is_its_own() -> None:
    nodes = Nodes(((Fraction(1, 8), Fraction(1, 4)), (Fraction(1, 3), Fraction(1, 3))), HALF)
    for s in nodes.points():
        with working(100):
            value, error = interpolated(nodes, s)
            assert value.overlaps(pole(s)) and value.rel_accuracy_bits() > 90
            assert surely_less(error, arb(2) ** -60)


def test_outside_of_the_disc_nothing_is_known() -> None:
    for t in (HALF, -HALF, Fraction(2)):
        ((_, error),) = Nodes(((Fraction(1, 8), Fraction(1, 8)),), HALF).at([t])
        assert not error.is_finite()


@pytest.mark.parametrize(
    "pairs",
    [
        (),
        ((Fraction(0), Fraction(1, 4)),),
        ((Fraction(1, 4), Fraction(-1, 4)),),
        ((HALF, HALF),),
        ((Fraction(1, 100), Fraction(49, 100)), (Fraction(1, 100), Fraction(1, 4))),
    ],
)
def test_unusable_nodes_are_refused(pairs: tuple) -> None:
    with pytest.raises(NoConvergence, match="nodes must lie apart"):
        Nodes(pairs, HALF)
