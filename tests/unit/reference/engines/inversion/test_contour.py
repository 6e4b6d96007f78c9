r"""The contour proof with parameters chosen by hand, good and poor: width changes, truth does not.

The truth of the cells below comes from ``tests/oracle/closed_forms.py``.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb
from typing import Literal

import pytest
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.engines.inversion.contour import Contour, Parameters
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.law import with_transform
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    holds,
    inversion,
    mixture_after,
    next_to_the_largest_loss,
    normal_tail,
    real,
)


def law(composition: pv.Composition | pv.Gaussian, direction: Direction = "remove") -> ComposedLoss:
    return product(as_composition(composition), direction)


GAUSS = law(pv.Gaussian(1))  # μ = 1
GOOD = Parameters("upper", Fraction(2), Fraction(0), Fraction(6), Fraction(1, 4), 60, 120)
LEFT = Parameters("lower", Fraction(-1, 2), Fraction(-1), Fraction(0), Fraction(1, 8), 120, 120)
BEYOND = Parameters("beyond", Fraction(-3), Fraction(-7), Fraction(-1), Fraction(1, 4), 60, 120)


def gauss_truth(epsilon: Fraction) -> Fraction:
    mp = context(60)
    return fraction(gaussian_delta(mp, mp.mpf(1))(real(mp, epsilon)))


def encloses(contour: Contour, epsilon: Fraction, truth: Fraction) -> bool:
    value = contour.value(epsilon)
    return bool(lower(value) <= truth <= upper(value))


def width(contour: Contour, epsilon: Fraction) -> Fraction:
    value = contour.value(epsilon)
    return Fraction(upper(value)) - Fraction(lower(value))


@pytest.mark.parametrize("steps", [1, 10])
@pytest.mark.parametrize(("parameters", "log"), [(GOOD, Fraction(3)), (LEFT, Fraction(-1, 8))])
def test_all_is_relative_to_the_transform_at_the_tilt(
    steps: int, parameters: Parameters, log: Fraction
) -> None:
    """log M(θ) = θ(θ + 1)/2 of one Gaussian mechanism; at the next node |M| is smaller."""
    contour = Contour(law(steps * pv.Gaussian(1)), "delta", parameters)
    assert contour.log_mass.contains(ball(steps * log).mid()) and contour.log_mass.rel_accuracy_bits() > 60


@pytest.mark.parametrize("epsilon", [Fraction(-3), Fraction(0), Fraction(1), Fraction(7, 2), Fraction(9)])
@pytest.mark.parametrize("parameters", [GOOD, LEFT, BEYOND])
def test_good_parameters(parameters: Parameters, epsilon: Fraction) -> None:
    contour = Contour(GAUSS, "delta", parameters)
    assert encloses(contour, epsilon, gauss_truth(epsilon))
    if abs(epsilon) < 4:
        assert width(contour, epsilon) < Fraction(1, 10**8)


@settings(max_examples=60, deadline=None)
@given(
    st.fractions(Fraction(1, 50), 8, max_denominator=100),
    st.fractions(Fraction(1, 50), 9, max_denominator=100),
    st.fractions(Fraction(1, 20), 6, max_denominator=100),
    st.integers(1, 30),
    st.integers(30, 120),
    st.fractions(-4, 9, max_denominator=20),
)
def test_any_parameters_right_of_the_pole(
    theta: Fraction, above: Fraction, step: Fraction, nodes: int, bits: int, epsilon: Fraction
) -> None:
    parameters = Parameters("upper", theta, Fraction(0), theta + above, step, nodes, bits)
    assert encloses(Contour(GAUSS, "delta", parameters), epsilon, gauss_truth(epsilon))


@settings(max_examples=40, deadline=None)
@given(
    st.fractions(Fraction(-49, 50), Fraction(-1, 50), max_denominator=100),
    st.fractions(Fraction(1, 20), 6, max_denominator=100),
    st.integers(1, 30),
    st.fractions(-9, 4, max_denominator=20),
)
def test_any_parameters_left_of_the_pole(
    theta: Fraction, step: Fraction, nodes: int, epsilon: Fraction
) -> None:
    parameters = Parameters("lower", theta, Fraction(-1), Fraction(0), step, nodes, 80)
    assert encloses(Contour(GAUSS, "delta", parameters), epsilon, gauss_truth(epsilon))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["upper", "lower"]),
    st.fractions(Fraction(1, 20), 3, max_denominator=100),
    st.fractions(Fraction(1, 20), 3, max_denominator=100),
    st.integers(1, 40),
    st.fractions(-4, 6, max_denominator=20),
)
def test_any_parameters_of_the_tail(
    side: Literal["upper", "lower"], size: Fraction, step: Fraction, nodes: int, epsilon: Fraction
) -> None:
    sign = 1 if side == "upper" else -1
    ends = sorted((Fraction(0), 3 * sign * size))
    parameters = Parameters(side, sign * size, ends[0], ends[1], step, nodes, 80)
    mp = context(50)
    truth = fraction(normal_tail(mp, real(mp, epsilon) - mp.mpf(1) / 2))
    assert encloses(Contour(GAUSS, "tail", parameters), epsilon, truth)


MIXED = 12 * pv.Gaussian(6) + pv.PoissonSubsampled(pv.Gaussian("1.5"), "0.25")


@cache
def mixed_truth(direction: Direction) -> Fraction:
    """δ(1/2) of ``MIXED``."""
    mp = context(30)
    other = gaussian_delta(mp, mp.mpf(12) / 36)
    return fraction(mixture_after(mp, mp.mpf("1.5"), mp.mpf("0.25"), direction, other)(mp.mpf("0.5")))


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(["remove", "add"]),
    st.fractions(Fraction(1, 10), 6, max_denominator=100),
    st.fractions(Fraction(1, 10), 4, max_denominator=100),
    st.integers(1, 25),
)
def test_any_parameters_of_a_mixed_composition(
    direction: Direction, theta: Fraction, step: Fraction, nodes: int
) -> None:
    parameters = Parameters("upper", theta, Fraction(0), theta + 3, step, nodes, 90)
    contour = Contour(law(MIXED, direction), "delta", parameters)
    assert encloses(contour, Fraction(1, 2), mixed_truth(direction))


@pytest.mark.parametrize(
    "poor",
    [
        {"below": Fraction(3)},  # both λ above θ: aliases below would have no bound
        {"above": Fraction(1)},
        {"below": Fraction(2)},
        {"below": Fraction(0), "above": Fraction(0)},
        {"step": Fraction(0)},
        {"step": Fraction(-1, 4)},
        {"nodes": 0},
    ],
)
def test_parameters_that_prove_nothing_are_refused(poor: dict[str, object]) -> None:
    with pytest.raises(NoConvergence):
        Contour(GAUSS, "delta", replace(GOOD, **poor)).value(Fraction(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "parameters",
    [
        replace(GOOD, theta=Fraction(-1, 2), below=Fraction(-1)),  # θ outside the kernel's strip
        replace(LEFT, theta=Fraction(1, 2), above=Fraction(1)),
        replace(LEFT, theta=Fraction(-3, 2), below=Fraction(-2)),
        replace(GOOD, below=Fraction(-1)),  # a λ outside of it
        replace(LEFT, above=Fraction(1)),
    ],
)
def test_tilts_outside_the_strip_never_lie(parameters: Parameters) -> None:
    epsilon = Fraction(1)
    try:
        contour = Contour(GAUSS, "delta", parameters)
        assert encloses(contour, epsilon, gauss_truth(epsilon))
    except NoConvergence:
        pass


def test_terms_of_the_error_shrink_where_they_should() -> None:
    epsilon = Fraction(1)
    terms = Contour(GAUSS, "delta", GOOD).errors(epsilon)
    cut, alias = terms["cut"], terms["alias"]
    more_cut = Contour(GAUSS, "delta", replace(GOOD, nodes=30)).errors(epsilon)["cut"]
    coarse = Contour(GAUSS, "delta", replace(GOOD, step=Fraction(1, 2), nodes=30))
    more_alias = coarse.errors(epsilon)["alias"]
    assert 0 < cut < more_cut
    assert 0 < alias < more_alias


@pytest.mark.parametrize("nodes", [1, 3, 5, 8, 20])
@pytest.mark.parametrize("quantity", ["delta", "tail"])
def test_the_cut_bounds_what_is_cut(quantity: Literal["delta", "tail"], nodes: int) -> None:
    epsilon = Fraction(1)
    short, long = (Contour(GAUSS, quantity, replace(GOOD, nodes=count)) for count in (nodes, 200))
    with working(120):
        sums = [contour._central(epsilon) for contour in (short, long)]
        assert abs(sums[0] - sums[1]) < short.errors(epsilon)["cut"]


def test_the_sum_is_the_truth_plus_all_aliases() -> None:
    # T = Σ_m e^{θmR} f(ε + mR), with a period so short that many terms count
    parameters = replace(GOOD, step=Fraction(2), nodes=40)
    contour, epsilon = Contour(GAUSS, "delta", parameters), Fraction(1)
    mp = context(50)
    period, profile = mp.pi, gaussian_delta(mp, mp.mpf(1))
    exact = mp.fsum(mp.exp(2 * m * period) * profile(1 + m * period) for m in range(-40, 30))
    with working(120):
        total = contour._central(epsilon)
    assert abs(fraction(exact) / Fraction(lower(total)) - 1) < Fraction(1, 10**20)
    alias = contour.errors(epsilon)["alias"]
    assert float(alias.mid()) >= float(exact - profile(mp.mpf(1)))


@pytest.mark.parametrize("epsilon", ["-18", "0", "1/2", "9"])
def test_tails_of_a_gaussian_loss_beside_atoms(epsilon: str) -> None:
    # one Gaussian loss N(1/8, 1/4), whose decay must not be spent on the kernel's, and ten steps of ±1/3
    mp = context(60)
    odds, total = mp.exp(mp.mpf(1) / 3), mp.mpf(0)
    for i in range(11):
        mass = comb(10, i) * odds**i / (1 + odds) ** 10
        shift = mp.mpf(2 * i - 10) / 3
        total += mass * normal_tail(mp, (real(mp, epsilon) - shift - mp.mpf(1) / 8) * 2)
    found = pv.tail(10 * pv.PureDP("1/3") + pv.Gaussian(2), epsilon=epsilon, engine="contour")
    assert found.digits >= 30
    assert holds(found, total, 50)


def test_the_tail_needs_a_density() -> None:
    with pytest.raises(NotSupported):
        Contour(law(50 * pv.Laplace(1)), "tail", GOOD)


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("theta", ["-0.3", "0.5", "4", "15"])
@pytest.mark.parametrize(
    "mechanism",
    [
        pv.PoissonSubsampled(pv.Gaussian(1), "0.05"),
        pv.PoissonSubsampled(pv.Gaussian("0.5"), "0.9"),
        pv.PoissonSubsampled(pv.Gaussian(7), "0.3"),
        pv.Gaussian(2),
        pv.Laplace("0.7"),
    ],
)
def test_decay_bounds_the_characteristic_function(
    mechanism: pv.PoissonSubsampled, theta: str, direction: Direction
) -> None:
    ((single, _),) = law(mechanism, direction).factors  # type: ignore[arg-type]
    tilt = Fraction(theta)
    bound = with_transform(single).decay(tilt)
    with working(100):
        values = single.on_line(tilt, Fraction(1, 3), 300)
        for j in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 300):
            u = ball(Fraction(j, 3))
            size = abs(values[j]) / values[0].real
            assert (size - bound.log_sup(u).exp()).lower() <= 0
            if bound.over_u is not None:
                assert (size - bound.over_u / u).lower() <= 0


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("theta", ["-0.4", "0.5", "3", "9.5"])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.1"), ("0.4", "0.7"), ("3", "0.01")])
def test_the_transform_against_arb_integration(sigma: str, q: str, theta: str, direction: Direction) -> None:
    # acb.integral is rigorous on its own: ∫ φ w^{z+1} (or φ w^{−z}) over ±30 standard deviations and more
    ((single, _),) = law(pv.PoissonSubsampled(pv.Gaussian(sigma), q), direction).factors  # type: ignore[arg-type]
    tilt, step = Fraction(theta), Fraction(3, 2)
    with working(100):
        values = single.on_line(tilt, step, 6)
        c, rate = 1 / ball(Fraction(sigma)), ball(Fraction(q))
        norm = 1 / (2 * arb.pi()).sqrt()
        for j in (0, 1, 4, 6):
            z = acb(ball(tilt), ball(step * j))
            power = z + 1 if direction == "remove" else -z

            def density(x: acb, analytic: bool, power: acb = power) -> acb:
                ratio = 1 + rate * (c * x - c * c / 2).expm1()
                return norm * (power * ratio.log(analytic=analytic) - x * x / 2).exp()

            truth = acb.integral(density, acb(-30), acb(30 + 12 * float(c)))
            assert values[j].overlaps(truth + acb(arb(0, 1e-60), arb(0, 1e-60)))
            assert abs(values[j]).rad() < values[0].real * arb(1e-20)


def test_cost_does_not_grow_with_the_count() -> None:
    parameters = Parameters("upper", Fraction(5), Fraction(0), Fraction(9), Fraction(1, 5), 100, 150)
    whole = law(10**8 * pv.PoissonSubsampled(pv.Gaussian(5), "1e-4"))
    contour = Contour(whole, "delta", parameters)
    mp = context(40)
    truth = inversion(
        mp, [(mp.mpf(5), real(mp, "1e-4"), 10**8)], "remove", mp.mpf(1), theta=mp.mpf(5), period=mp.mpf(24)
    )
    value = contour.value(Fraction(1))
    slack = Fraction(1, 10**15) * fraction(truth)
    assert lower(value) - slack <= fraction(truth) <= upper(value) + slack


@pytest.mark.slow
def test_a_period_has_the_unit_of_what_epsilon_leaves() -> None:
    """That is 5e-10: a least period of 1e-6 nats asked for 86587 nodes in x times 17244."""
    mp = context(25)
    steps = 10 * pv.PoissonSubsampled(pv.Gaussian("0.5"), "1e-5")
    found = pv.delta(steps, epsilon="1e-4", adjacency="add", digits=12, engine="contour")
    numbers = mp.mpf(1) / 2, real(mp, "1e-5"), 10, real(mp, "1e-4")
    theta = mp.mpf(5 * 10**10)
    truth = next_to_the_largest_loss(mp, *numbers, theta=theta, period=220 / theta)
    again = next_to_the_largest_loss(mp, *numbers, theta=theta * 7 / 5, period=190 / theta)
    assert abs(truth - again) < truth / 10**18
    assert holds(found, truth, 18) and found.digits >= 12


def test_many_factors_cost_few_digits() -> None:
    """250 distinct laws turn by some 30 radians in all: multiplied one by one, boxes would grow by 10⁷."""
    parts = [pv.PoissonSubsampled(pv.Gaussian(1 + Fraction(i, 250)), q="0.01") for i in range(250)]
    schedule = law(Composition.of(*((part, 1) for part in parts)), "add")
    setup = Contour(
        schedule,
        "delta",
        Parameters("upper", Fraction(63), Fraction(0), Fraction(102), Fraction(48), 1, 100),
    )
    first, last = setup._run._matrix.entries()[:2]
    assert len(schedule.factors) == 250
    assert last.real.rad() < abs(first) / 10**24
