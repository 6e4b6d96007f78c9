"""Outlines of closed transforms, and closed sums on the circle, against the transforms point by point."""

from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st

from pldverify.balls.ball import BOUND_BITS, working
from pldverify.reference.laws import discrete_gaussian, laplace
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.lattice import circle_of, place_of, tilted
from pldverify.reference.laws.law import outline_of
from tests.teeth.planted import Plant, planted

THETAS = st.fractions(-3, 8, max_denominator=20)
LAWS = st.one_of(
    st.builds(
        DiscreteGaussianLaw,
        st.one_of(st.fractions(Fraction(1, 2), 3), st.fractions(1, 10**6)).filter(lambda v: v > 0),
        st.integers(1, 9),
    ),
    st.builds(LaplaceLaw, st.fractions(Fraction(1, 500), 6, max_denominator=500)),
)


def inside(law: Any, theta: Fraction, start: Fraction, width: Fraction, share: Fraction) -> bool:
    """Whether \\|M/M(θ)| is at most the bound on its interval, the third of some."""
    with working(BOUND_BITS):
        most = law.outline(theta).most(start, width, 3)[2]
    with working(150):
        u = start + (2 + share) * width
        whole, value = law.on_line(theta, u, 1) if u else law.on_line(theta, Fraction(1), 0) * 2
        return not most < abs(value / whole.real).lower()


@given(LAWS, THETAS, st.floats(-6, 7), st.floats(-9, 3), st.fractions(0, 1, max_denominator=9))
def test_no_value_exceeds_its_outline(
    law: Any, theta: Fraction, place: float, size: float, share: Fraction
) -> None:
    """Intervals from far below the period of the returns to many of them."""
    assert inside(law, theta, Fraction(10**place), Fraction(10**size), share)


@pytest.mark.parametrize("theta", ["-1/2", "0", "3"])
@pytest.mark.parametrize("law", [LaplaceLaw(Fraction(1, 9)), DiscreteGaussianLaw(Fraction(9), 2)])
def test_short_intervals_are_tight(law: Any, theta: str) -> None:
    with working(100):
        u = Fraction(13, 7)
        (most,) = law.outline(Fraction(theta)).most(u, Fraction(1, 10**9), 1)
        whole, value = law.on_line(Fraction(theta), u, 1)
        assert not most < abs(value / whole) and most <= abs(value / whole) * arb("1.06")


def test_a_return_is_seen_inside() -> None:
    for law, period in (
        (LaplaceLaw(Fraction(1, 100)), Fraction("314.15926")),
        (DiscreteGaussianLaw(Fraction(25), 1), Fraction("157.07963")),
    ):
        (most,) = outline_of(law, Fraction(2)).most(period - 3, Fraction(8), 1)  # type: ignore[union-attr]
        assert most >= arb("0.999" if law == DiscreteGaussianLaw(Fraction(25), 1) else "0.99")


POINTS = [
    (theta, Fraction(a, 10), Fraction(b, 10), share)
    for theta in (Fraction(-1, 2), Fraction(0), Fraction(2))
    for a in (0, 1, 7, 30, 100, 310)
    for b in (0, 1, 20)
    for share in (Fraction(0), Fraction(1, 2), Fraction(1))
]


@pytest.mark.parametrize(
    ("module", "name", "arguments", "plant"),
    [
        pytest.param(
            laplace, "LaplaceLaw", (Fraction(1),), ("(off - reach)", "(off + 0 * reach)"), id="no width"
        ),
        pytest.param(
            laplace, "LaplaceLaw", (Fraction(4),), ("+ weight * slope", "+ 0 * slope"), id="no density"
        ),
        pytest.param(
            laplace, "LaplaceLaw", (Fraction(4),), ("(arb.pi() * far).sin()", "(arb.pi() * far).cos()"),
            id="sine and cosine",
        ),
        pytest.param(
            discrete_gaussian, "DiscreteGaussianLaw", (Fraction(1), 1), (" - half) for j", ") for j"),
            id="discrete Gaussian, no width",
        ),
        pytest.param(
            discrete_gaussian, "DiscreteGaussianLaw", (Fraction(1), 1), ("(width) / 2", "(width) / 4"),
            id="half of the width",
        ),
    ],
)  # fmt: skip
def test_planted_outlines(module: Any, name: str, arguments: tuple[Any, ...], plant: Plant) -> None:
    assert all(inside(getattr(module, name)(*arguments), *point) for point in POINTS)
    assert not all(inside(getattr(planted(module, plant), name)(*arguments), *point) for point in POINTS)


# the circle


CIRCLES = st.builds(
    DiscreteGaussianLaw, st.fractions(Fraction(1, 2), 400, max_denominator=100), st.integers(1, 30)
)


def on_circle(module: Any, law: DiscreteGaussianLaw, theta: Fraction, period: int) -> bool:
    """The closed sums against those over the masses, one by one, and the bounds against both."""
    with working(120):
        masses = tilted(law, theta)
        circle = module.Circle(law, theta)
        closed = circle.values(period, period // 2)
        for j, value in enumerate(closed):
            angle = 2 * arb.pi() * j / period
            places = range(masses.first, masses.first + len(masses.masses))
            total = sum(
                (m * acb(0, angle * n).exp() for n, m in zip(places, masses.masses, strict=True)), acb(0)
            )
            rest = arb(0, masses.omitted)
            if not value.overlaps(total + acb(rest, rest)):
                return False
        sizes = [abs(value) / abs(closed[0]) for value in closed]
        sups = [circle.log_sup(Fraction(j, period)).exp() for j in range(len(closed))]
        return not any(sup < size.lower() for i, sup in enumerate(sups) for size in sizes[i:])


@settings(max_examples=40, deadline=None)
@given(CIRCLES, st.fractions(-2, 4, max_denominator=20), st.integers(1, 15).map(lambda n: 2 * n + 1))
def test_the_closed_sum_is_that_over_the_masses(
    law: DiscreteGaussianLaw, theta: Fraction, period: int
) -> None:
    assert on_circle(discrete_gaussian, law, theta, period)
    assert circle_of(law, theta) is not None
    assert place_of(law) == (tilted(law, theta).spacing, tilted(law, theta).offset)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(("turn * value for turn", "value for turn"), id="not turned"),
        pytest.param(
            ("/ _sums(v, Fraction(0), [arb(0)])[0].real\n        places", "\n        places"),
            id="no normaliser",
        ),
        pytest.param(
            (".beyond(ball(place)).log()", ".beyond(ball(2 * place)).log()"), id="a bound further away"
        ),
    ],
)
def test_planted_circles(plant: Plant) -> None:
    law = DiscreteGaussianLaw(Fraction(2), 3)
    assert on_circle(discrete_gaussian, law, Fraction(1, 3), 9)
    assert not on_circle(planted(discrete_gaussian, plant), law, Fraction(1, 3), 9)


def test_small_noise_is_summed_over_its_masses() -> None:
    law = DiscreteGaussianLaw(Fraction(1, 5), 1)
    assert circle_of(law, Fraction(1)) is None and outline_of(law, Fraction(1)) is None
    assert place_of(law) == (5, Fraction(-1, 2))
