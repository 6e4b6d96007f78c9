"""Error terms at parameters so poor that they matter: each is at least what it bounds.

A search makes these terms tiny, so that an answer does not show whether they are true. Here the cells are
coarse, the windows narrow and the tilts on both sides, and what is bounded is summed in floats.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import chain, repeat

import pytest
from flint import acb, arb

import pldverify as pv
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.reference.fast.mixture_lines import lines_over
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.lattice import HasLattice
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.smooth import Piece, SmoothLaw
from pldverify.reference.search.grid import Refining
from pldverify.reference.search.mixture import log_w


def law(mechanism: Mechanism, direction: Direction) -> Law:
    return product(as_composition(mechanism), direction).factors[0][0]


def number(value: arb) -> float:
    return float(value.mid())


# what a smooth law leaves out of its pieces

SMOOTH = {
    "printed with replacement": pv.KJH20WithReplacement(pv.Gaussian(2), 3, 5),
    "with replacement": pv.SampledWithReplacement(pv.Gaussian(2), 3, 5),
    "without replacement": pv.SampledWithoutReplacement(pv.Gaussian(2), "0.3"),
}


@pytest.mark.parametrize("theta", ["-3", "-1.5", "-0.75", "-0.25", "0.5", "2"])
@pytest.mark.parametrize("name", SMOOTH)
def test_omitted_mass_is_at_least_what_lies_beyond_narrow_pieces(name: str, theta: str) -> None:
    smooth, tilt = law(SMOOTH[name], "replace-one"), Fraction(theta)
    assert isinstance(smooth, SmoothLaw)
    with working(80):
        wide = smooth.pieces(tilt)
        narrow = [replace(piece, low=max(piece.low, Fraction(-1)), high=Fraction(2)) for piece in wide]
        beyond = sum(outside(before, after, float(tilt)) for before, after in zip(wide, narrow, strict=True))
        bound = smooth.omitted(tilt, narrow)
    assert 0 < beyond <= number(bound)


@pytest.mark.parametrize("theta", ["-2", "-0.5", "1"])
def test_components_that_do_not_count_are_in_the_omitted_mass(theta: str) -> None:
    mixture, tilt = law(pv.SampledWithReplacement(pv.Gaussian(8), 30, 200), "replace-one"), Fraction(theta)
    assert isinstance(mixture, SmoothLaw)
    with working(80):
        whole = mixture.pieces(tilt)
    with working(8):
        few = mixture.pieces(tilt)
        bound = mixture.omitted(tilt, whole[: len(few)])
    assert len(few) < len(whole)
    nothing = [replace(piece, high=piece.low) for piece in whole[len(few) :]]
    missing = sum(
        outside(piece, none, float(tilt)) for piece, none in zip(whole[len(few) :], nothing, strict=True)
    )
    assert 0 < missing <= number(bound.upper())


@pytest.mark.parametrize("name", SMOOTH)
def test_slopes_of_losses_are_their_derivatives(name: str) -> None:
    smooth = law(SMOOTH[name], "replace-one")
    assert isinstance(smooth, SmoothLaw)
    with working(120):
        for piece in smooth.pieces(Fraction(1)):
            for i in range(9):
                x = ball(piece.low + (piece.high - piece.low) * Fraction(i, 8))
                step = arb(2) ** -40
                rise = (piece.loss(acb(x + step)) - piece.loss(acb(x - step))).real / (2 * step)
                assert abs(number(abs(rise)) - number(piece.slope(x))) < 1e-12


@pytest.mark.parametrize("name", SMOOTH)
def test_errors_of_panels_are_in_every_node_of_a_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One panel is made to err by e^v at height v, and the others hardly."""
    smooth = law(SMOOTH[name], "replace-one")
    sizes = chain([arb(1)], repeat(arb(2) ** -200))
    monkeypatch.setattr("pldverify.reference.laws.smooth._error", lambda *_: (next(sizes), arb(1)))
    with working(64):
        for j, value in enumerate(smooth.on_line(Fraction(1), Fraction(1, 2), 6)):
            assert number(value.real.rad()) >= math.exp(j / 2)


def outside(wide: Piece, narrow: Piece, theta: float) -> float:
    """∫ g e^{θℓ} over what the wide piece has and the narrow one has not, by midpoints."""

    def value(x: float) -> float:
        return math.exp(number((wide.log_weight(acb(x)) + theta * wide.loss(acb(x))).real))

    ends = (
        (float(narrow.high), min(float(wide.high), 30.0)),
        (max(float(wide.low), -30.0), float(narrow.low)),
    )
    return sum(midpoints(value, low, high) for low, high in ends if low < high) * (1 - 1e-3)


def midpoints(value: Callable[[float], float], low: float, high: float) -> float:
    cells = math.ceil((high - low) * 40)
    width = (high - low) / cells
    return math.fsum(value(low + (i + 0.5) * width) for i in range(cells)) * width


# outcomes of the discrete Gaussian beyond a window


@pytest.mark.parametrize("sigma", ["0.7", "5", "12"])
@pytest.mark.parametrize("power", ["-2.5", "-0.5", "0.5", "3"])
@pytest.mark.parametrize("side", [1, -1])
def test_the_cut_of_a_window_is_at_least_the_sum_beyond_it(sigma: str, power: str, side: int) -> None:
    variance, p, s, q = Fraction(sigma) ** 2, Fraction(power), 2, Fraction(1, 10)
    chosen = PoissonDiscreteGaussianLaw(variance, s, q, "remove")
    edge = 3 + max(0, math.ceil(p * s))
    v = float(variance)

    def term(x: int) -> float:
        w = 1 - float(q) + float(q) * math.exp((2 * x * s - s * s) / (2 * v))
        return math.exp(-x * x / (2 * v) + float(p) * math.log(w))

    beyond = math.fsum(term(side * x) for x in range(edge, edge + math.ceil(30 * math.sqrt(v)) + 10))
    with working(80):
        assert beyond * (1 - 1e-12) <= number(chosen._cut(p, edge, side).upper())


# cells of lines parallel to the real axis

HEIGHTS = [Fraction(3, 2) / 2**j for j in range(5)]


@pytest.mark.parametrize("p", ["-1.5", "0", "0.5", "1", "3"])
def test_weights_of_lines_bound_their_cells_however_coarse(p: str) -> None:
    c, q, power = arb(1), arb(Fraction(1, 4).numerator) / 4, arb(p)
    edges = [arb(x) for x in (-1, 0, 1, 2)]  # most of the mass lies left of the first and right of the last
    with working(80):
        found = lines_over(c, q, power, arb(1), edges, HEIGHTS)
        assert found.lines
        for at, (weights, angles) in enumerate(found.lines):
            height = float(HEIGHTS[at])
            for i, (low, high) in enumerate(((-12, -1), (-1, 0), (0, 1), (1, 2), (2, 14))):
                true = midpoints(lambda x, b=height: modulus(x, b, float(power)), low, high)
                assert true * (1 - 1e-2) <= number(weights[i].upper())
                if i:
                    assert abs(number(angles[i]) - angle(low, height)) < 1e-12
            assert number(angles[0]) == 0


def w(x: float, b: float) -> complex:
    """w(x + ib) for c = 1, q = 1/4."""
    y = 0.25 * math.exp(x - 0.5)
    return 0.75 + y * complex(math.cos(b), math.sin(b))


def modulus(x: float, b: float, p: float) -> float:
    return math.exp((b * b - x * x) / 2) / math.sqrt(2 * math.pi) * abs(w(x, b)) ** p


def angle(x: float, b: float) -> float:
    value = w(x, b)
    return math.atan2(value.imag, value.real)


# ends of ranges


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("engine", [None, "lattice", "atoms"])
def test_a_response_that_is_never_true_has_losses_zero_and_infinite(k: int, engine: str | None) -> None:
    """P = (0, 1/2, 1/2), Q = (1/2, 0, 1/2): the loss is +∞ or 0 with probability 1/2 each."""
    response = pv.RandomizedResponse(0, categories=3)
    infinite = 1 - Fraction(1, 2**k)
    for epsilon, delta, tail in ((1, infinite, infinite), (-1, None, Fraction(1))):
        if delta is not None:
            assert delta in pv.delta(k * response, epsilon=epsilon, engine=engine)
        assert tail in pv.tail(k * response, epsilon=epsilon, engine=engine)


@pytest.mark.parametrize("p", ["0", "0.2", "0.5"])
def test_the_lattice_of_a_response_has_the_mass_of_its_finite_losses(p: str) -> None:
    response = law(pv.RandomizedResponse(p, categories=4), "remove")
    assert isinstance(response, HasLattice)
    whole = sum(response.lattice().masses, arb(0)) + ball(Fraction(response.infinite_mass))
    assert whole.contains(1) and whole.rad() < arb(2) ** -40


@pytest.mark.parametrize("loss", [-2, 0, 2])
def test_a_single_loss_at_the_edge_of_a_cell_has_a_cell(loss: int) -> None:
    end, gaussian = float(loss), law(pv.Gaussian(1), "remove")
    cells = Refining(gaussian, end, end, Fraction(1), lambda low, high: 1.0)
    assert cells.edges() == (loss, loss + 1)


def test_a_closed_form_without_bounds_from_outside_is_what_it_is() -> None:
    assert lower(-arb(3)) == -3
    assert upper(arb(3)) == 3


def test_a_power_of_two_beyond_all_rationals_is_an_infinite_bound() -> None:
    for exponent in (30_000, 10**9):
        huge = arb(2) ** exponent
        assert upper(huge) == math.inf and upper(-huge) == -Fraction(2**20_000)
        assert lower(-huge) == -math.inf and lower(huge) == Fraction(2**20_000)
        assert lower(1 / huge) == 0 < upper(1 / huge) == Fraction(1, 2**20_000)
        assert upper(-1 / huge) == 0 > lower(-1 / huge) == -Fraction(1, 2**20_000)


@pytest.mark.parametrize("x", [-800.0, -1.0, 0.0, 30.4, 30.6, 200.0, 2000.0])
def test_the_log_of_the_mixture_has_no_edge_and_no_overflow(x: float) -> None:
    value = log_w(1.0, 0.25, x)
    with working(200):
        true = (1 - arb(1) / 4 + (arb(x) - arb(1) / 2).exp() / 4).log()
    assert abs(value - number(true)) <= 1e-14 * (1 + abs(value))
