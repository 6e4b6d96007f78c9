"""Layers under a density bound its characteristic function from one frequency on."""

from fractions import Fraction

import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls.ball import ball, working
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.layers import Layers, _envelope


@given(st.floats(0.001, 60), st.floats(0, 40))
def test_envelope_is_above_the_kernel_and_all_that_follows(x: float, more: float) -> None:
    y = arb(x) + arb(more)
    assert _envelope(arb(x)).upper() >= abs(y.sin() / y).lower()


@given(st.floats(0.5, 60), st.floats(0, 0.99))
def test_envelope_of_a_wide_ball_is_that_of_its_lower_end(x: float, relative: float) -> None:
    wide = arb(x, x * relative)
    assert _envelope(wide).upper() >= _envelope(wide.lower()).lower()


@pytest.mark.parametrize("x", [arb(0), arb(0, 1), arb(-1), arb(1, 5)])
def test_envelope_where_the_argument_may_be_zero(x: arb) -> None:
    assert _envelope(x).upper() >= 1


def test_the_second_peak() -> None:
    # sin y/y has its stationary points where tan y = y
    worst = max(abs(float((arb(y) / 1000).sin() / (arb(y) / 1000))) for y in range(3142, 40_000))
    assert 0.2172 < worst < float(_envelope(arb(4)).mid()) < 0.2173


@st.composite
def histograms(draw: st.DrawFn) -> tuple[list[Fraction], list[Fraction]]:
    """Edges and heights of total mass at most 1."""
    cells = draw(st.integers(1, 12))
    widths = [Fraction(draw(st.integers(1, 20)), 10) for _ in range(cells)]
    masses = [Fraction(draw(st.integers(0, 30))) for _ in range(cells)]
    total = sum(masses) + draw(st.integers(1, 10))
    edges = [Fraction(draw(st.integers(-20, 20)))]
    for width in widths:
        edges.append(edges[-1] + width)
    return edges, [m / total / w for m, w in zip(masses, widths, strict=True)]


@given(histograms(), st.floats(0.01, 30), st.floats(0, 20))
def test_deficit_is_below_the_true_one(
    histogram: tuple[list[Fraction], list[Fraction]], u: float, more: float
) -> None:
    edges, heights = histogram
    layers = Layers.under([ball(e) for e in edges], [ball(h) for h in heights])
    with working(100):
        v = arb(u) + arb(more)
        # |φ(v)| of the histogram, the missing mass being an atom that may have any phase
        transform, mass = acb(0), arb(0)
        for left, right, height in zip(edges, edges[1:], heights, strict=False):
            turn = (acb(0, v * ball(right)).exp() - acb(0, v * ball(left)).exp()) / acb(0, v)
            transform += ball(height) * turn
            mass += ball(height) * ball(right - left)
        most = abs(transform) + 1 - mass
        assert (1 - layers.deficit(arb(u))).upper() >= most.lower()


@given(histograms())
def test_layers_hold_no_more_mass_than_the_histogram(
    histogram: tuple[list[Fraction], list[Fraction]],
) -> None:
    edges, heights = histogram
    layers = Layers.under([ball(e) for e in edges], [ball(h) for h in heights])
    mass = sum((h * (r - le) for le, r, h in zip(edges, edges[1:], heights, strict=False)), Fraction(0))
    assert sum(layers.masses, arb(0)).lower() <= ball(mass).upper()


def test_a_unimodal_step_function_keeps_all_of_its_mass() -> None:
    edges = [arb(i) for i in range(5)]
    heights = [arb(1) / 8, arb(1) / 2, arb(1) / 4, arb(1) / 8]
    layers = Layers.under(edges, heights)
    assert sum(layers.masses, arb(0)).contains(1)
    assert [float(w) for w in layers.halfwidths] == [2.0, 1.0, 0.5]


def test_a_valley_is_cut_down_to_its_floor() -> None:
    layers = Layers.under([arb(i) for i in range(4)], [arb(1) / 2, arb(1) / 10, arb(1) / 4])
    assert sum(layers.masses, arb(0)).overlaps(ball(Fraction(1, 2) + Fraction(1, 10) * 2))


@pytest.mark.parametrize("bad", [arb.nan(), arb(-1), arb(0, 1)])
def test_heights_that_prove_nothing_count_as_zero(bad: arb) -> None:
    layers = Layers.under([arb(0), arb(1), arb(2)], [bad, arb(1) / 2])
    assert sum(layers.masses, arb(0)).upper() <= arb(1) / 2


def test_a_cell_of_no_certain_width_proves_nothing() -> None:
    # true width somewhere in [0.1, 3.9]: only the smallest may be used
    layers = Layers([arb(1)], [arb(2, 1.9)])
    x = arb("0.1")
    assert layers.deficit(arb(1)) <= 1 - x.sin() / x


class TestDecay:
    def test_nothing_known_is_no_decay(self) -> None:
        assert Decay().log_sup(arb(5)).is_zero()

    def test_gauss_is_exact(self) -> None:
        assert Decay(gauss=arb(3)).log_sup(arb(2)).contains(-6)

    def test_the_smaller_bound_wins(self) -> None:
        layers = Layers([arb(1) / 2], [arb(1)])
        with_both, alone = Decay(layers, over_u=arb(1)), Decay(layers)
        assert with_both.log_sup(arb(1000)).contains((1 / arb(1000)).log())
        assert with_both.log_sup(arb(1000)) < alone.log_sup(arb(1000))

    def test_a_bound_that_is_no_number_is_no_decay(self) -> None:
        assert Decay(Layers([arb.nan()], [arb(1)])).log_sup(arb(5)) >= 0

    @pytest.mark.parametrize(("mass", "asked"), [("1/10", False), ("1/2", True)])
    def test_lines_are_asked_where_layers_leave_little(self, mass: str, asked: bool) -> None:
        """A bound that falls faster is worth its price where |φ| may be 0.5, but not where it is 0.9."""
        layers = Layers([ball(Fraction(mass))], [arb(1)])
        calls = []

        class Steep:
            def log_sup(self, u: arb) -> arb:
                calls.append(u)
                return -u

        found, alone = Decay(layers, lines=Steep).log_sup(arb(1000)), Decay(layers).log_sup(arb(1000))
        assert bool(calls) == asked
        assert found.mid() == (-1000 if asked else alone.mid())
