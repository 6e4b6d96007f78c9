"""Tails from secants of δ: against closed forms, exact sums and the contour's own tails."""

from fractions import Fraction

import pytest
from flint import arb
from pldverify.reference.search.offer import Profile

import pldverify as pv
from pldverify.balls.ball import lower, upper
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.composition import as_composition
from pldverify.mechanisms.mechanism import Direction
from pldverify.reference.engines.closed.threshold import offer_threshold
from pldverify.reference.engines.inversion.slope import Slope, offer_contour_slope, offer_grid_slope
from pldverify.reference.laws.composed_loss import Product, product
from pldverify.reference.quantities.delta import enclose
from tests.oracle.closed_forms import context, fraction, normal_tail, real

STEPS = 1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")


def law(composition: pv.Composition | pv.Gaussian | pv.Laplace, direction: Direction = "remove") -> Product:
    return product(as_composition(composition), direction)


def single(mechanism: pv.Gaussian | pv.Laplace, digits: int) -> Slope:
    delta: Profile = offer_threshold(law(mechanism), "delta", Fraction(1), digits=2 * digits + 4).build()
    return Slope(delta, digits)


@pytest.mark.parametrize("digits", [3, 12, 30])
@pytest.mark.parametrize("epsilon", ["-2", "0", "1/3", "9"])
def test_a_gaussian(epsilon: str, digits: int) -> None:
    mp = context(80)
    truth = fraction(normal_tail(mp, real(mp, epsilon) - mp.mpf(1) / 2))  # S ~ N(1/2, 1)
    value = single(pv.Gaussian(1), digits).truth(Fraction(epsilon))
    assert lower(value) <= truth <= upper(value)
    assert value.rel_accuracy_bits() > 3.3 * digits - 4


@pytest.mark.parametrize("h", ["1", "1/100", "1e-12"])
@pytest.mark.parametrize("epsilon", ["-0.5", "0.99", "1", "1.5", "-1"])
def test_every_h_gives_bounds_also_at_an_atom(epsilon: str, h: str) -> None:
    # one Laplace loss: atoms at ±1, P(S ≥ ε) = 1 − e^{(ε−1)/2}/2 in between
    mp = context(80)
    eps, point = real(mp, epsilon), Fraction(epsilon)
    truth = mp.mpf(0) if eps > 1 else mp.mpf(1) if eps <= -1 else 1 - mp.exp((eps - 1) / 2) / 2
    slope = single(pv.Laplace(1), 20)
    low, high = slope.bounds(point, Fraction(h), slope.delta.truth(point))
    slack = Fraction(1, 10**12)  # 53 bits, by default
    assert lower(low) - slack <= fraction(truth) <= upper(high) + slack
    if abs(eps) == 1 and h == "1e-12":  # the atom stays open
        assert 0.4 * mp.exp((eps - 1) / 2) < float(high) - float(low) < 0.6


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("epsilon", ["-0.3", "0", "1"])
def test_the_contour_agrees_with_its_own_tail(epsilon: str, direction: Direction) -> None:
    whole, point = law(STEPS, direction), Fraction(epsilon)
    first, second = (
        enclose(whole, "tail", point, 12, names=(name,)) for name in ("contour slope", "contour")
    )
    assert first.overlaps(second)
    assert min(first.digits, second.digits) >= 12


@pytest.mark.parametrize("epsilon", ["0.1", "1.05", "1.95"])
def test_the_grid_agrees_with_exact_sums(epsilon: str) -> None:
    whole = law(2 * pv.PureDP("0.3") + 2 * pv.PureDP("0.7"))
    first, second = (
        enclose(whole, "tail", Fraction(epsilon), 6, names=(name,)) for name in ("grid slope", "atoms")
    )
    assert first.lower <= second.lower and second.upper <= first.upper
    assert first.digits >= 2


def test_tails_that_had_no_engine() -> None:
    many = pv.tail(1000 * pv.PoissonSubsampled(pv.Laplace(2), "0.01"), epsilon="0.2", digits=20)
    assert many.engine == "contour slope" and many.digits >= 20
    few = pv.tail(pv.Laplace(1) + pv.RandomizedResponse("0.7"), epsilon="0.5", engine="grid slope")
    assert few.digits >= 2
    # P(S_1 + S_2 ≥ 1/2) with S_2 = ±log(7/3): all that is needed is the tail of one Laplace loss
    mp = context(40)
    shift = mp.log(mp.mpf(7) / 3)
    above = 1 - mp.exp((mp.mpf(1) / 2 - shift - 1) / 2) / 2
    assert shift + mp.mpf(1) / 2 > 1  # ε + log(7/3) lies above the Laplace loss
    assert few.lower <= fraction(mp.mpf(7) / 10 * above) <= few.upper


def test_what_it_does_not_take() -> None:
    for offer in (offer_contour_slope, offer_grid_slope):
        with pytest.raises(NotSupported, match="no δ"):
            offer(law(STEPS), "delta", Fraction(1), digits=5)
    with pytest.raises(NoConvergence, match="predicted"):
        offer_grid_slope(law(STEPS), "tail", Fraction(1), digits=5)


def test_planted_bugs_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secant from the wrong side."""
    mp = context(80)
    truth = fraction(normal_tail(mp, mp.mpf(1) / 2))

    def wrong(self: Slope, epsilon: Fraction, h: Fraction, here: arb) -> tuple[arb, arb]:
        _, high = right(self, epsilon, h, here)
        return high, high

    right = Slope.bounds
    monkeypatch.setattr(Slope, "bounds", wrong)
    value = single(pv.Gaussian(1), 12).truth(Fraction(1))
    assert not lower(value) <= truth <= upper(value)
