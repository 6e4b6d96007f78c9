"""Laws of thresholded histograms: masses, and the loss at which noise and new keys meet."""

import math
from fractions import Fraction

import mpmath as mp
import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.law import with_tails, with_transform
from pldverify.reference.laws.thresholded import (
    RevealedKeyLaw,
    ThresholdedGaussianLaw,
    ThresholdedLaplaceLaw,
    ThresholdedLaw,
    thresholded_laplace,
)

F = Fraction
MOVE = F(1, 2)
LAWS = [
    kind(MOVE, F(margin), way)
    for kind in (ThresholdedLaplaceLaw, ThresholdedGaussianLaw)
    for margin in (2, 5)
    for way in ("remove", "add")
] + [ThresholdedGaussianLaw(MOVE, F(300), way) for way in ("remove", "add")]


def is_one(value: arb) -> bool:
    return bool((value - 1).contains(0)) and bool(value.rad() < 1e-20)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_both_measures_are_whole(law: ThresholdedLaw) -> None:
    """M(0) = P(S < ∞); M(−1) is what Q has where P has anything: all, or without what P alone would show."""
    with working(120):
        shown = law.meeting().shown
        seen, other = (with_transform(law).on_line(F(theta), F(0), 0)[0].real for theta in (0, -1))
        if law.direction == "remove":
            assert is_one(seen + shown) and is_one(other)
        else:
            assert is_one(seen) and is_one(other + shown)


def moment(law: ThresholdedLaw, z: complex) -> mp.mpc:
    """E e^{zS} in direction remove, or for ``add`` of −S under Q, by quadrature of the noise's density."""
    laplace = isinstance(law, ThresholdedLaplaceLaw)
    c, x = (mp.mpf(number.numerator) / number.denominator for number in (law.move, law.margin))
    top, shown = (mp.mpf(float(y.mid())) for y in (law.meeting().top, law.meeting().shown))
    if laplace:
        shown = mp.exp(-x) / 2
        top = c + 2 * mp.log(1 - shown)

        def density(s: mp.mpf) -> mp.mpf:
            return mp.exp((s - c) / 2) / 4
    else:
        shown = mp.ncdf(-x)

        def density(s: mp.mpf) -> mp.mpf:
            return mp.npdf(s, c * c / 2, c)

    first = (1 + shown) / 2 if laplace else mp.ncdf((c * c / 2 - top) / c)
    atoms = [(top, first - shown), *([(-c, mp.exp(-c) / 2)] if laplace else [])]
    w = z if law.direction == "remove" else -1 - z
    low = -c if laplace else min(c * c * (w.real + 0.5), top) - 12 * c
    whole = mp.quad(lambda s: density(s) * mp.exp(w * s), mp.linspace(low, top, 30))
    return whole + sum(mass * mp.exp(w * loss) for loss, mass in atoms)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_the_transform_is_that_of_the_density_and_decays(law: ThresholdedLaw) -> None:
    """On a line, to a double's digits of s*; no value exceeds what the decay says of all beyond."""
    with working(96), mp.workdps(20):
        for theta in (F(3, 2), F(-1, 2)):
            line, decay = with_transform(law).on_line(theta, F(3), 8), with_transform(law).decay(theta)
            for j in (0, 1, 8):
                known = moment(law, complex(theta, 3 * j))
                assert abs(complex(line[j].mid()) - complex(known)) < 1e-12 * abs(complex(line[0].mid()))
            for j in range(1, 9):
                assert surely_at_most(abs(line[j]), line[0].real * decay.log_sup(arb(3 * j)).exp())
            assert surely_less(decay.log_sup(arb(24)), 0)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_the_profile_is_the_noise_s_and_then_constant(law: ThresholdedLaw) -> None:
    with working(120):
        shown, top, _ = law.meeting()
        for s in (F(-3, 10), F(1, 100), F(2, 5)):
            s = s if law.direction == "remove" else -s
            if bool(ball(abs(s)) > top):
                continue
            first, second = with_tails(law).tails(s)
            found = first + (shown if law.direction == "remove" else 0) - ball(s).exp() * second
            p, q = law.noise.tails(s)  # symmetric
            assert (found - (p - ball(s).exp() * q)).contains(0)
        first, second = law.noise.tails(F(2, 5))
        least = first - ball(F(2, 5)).exp() * second
        assert bool(least > shown) is bool(top > ball(F(2, 5)))


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_beyond_the_end_are_no_losses_or_all(law: ThresholdedLaw) -> None:
    """Above s* nothing is finite; below −s* lies what a new key's absence leaves: all, but ρ under Q."""
    with working(120):
        shown, top, _ = law.meeting()
        end = F(float(top.mid())) + F(1, 1000)
        first, second = with_tails(law).tails(end if law.direction == "remove" else -end)
        if law.direction == "remove":
            assert first.is_zero() and second.is_zero()
        else:
            assert is_one(first) and is_one(second + shown)
        around = with_tails(law).tails(F(float((top if law.direction == "remove" else -top).mid())))
        with working(53):  # where s can't be told from the end, of both sides
            near = with_tails(law).tails(F(float((top if law.direction == "remove" else -top).mid())))
        assert all(wide.overlaps(one) for wide, one in zip(near, around, strict=True))


@pytest.mark.parametrize(("move", "margin"), [("1/2", "2"), ("3", "1/10"), ("1/300", "7"), ("1/2", "30")])
def test_where_gaussian_noise_and_new_keys_meet(move: str, margin: str) -> None:
    """At any precision the root of δ(s) = ρ is enclosed, and as well as the precision lets."""
    with mp.workdps(60):
        c, x = (mp.mpf(F(number).numerator) / F(number).denominator for number in (move, margin))

        def excess(t: mp.mpf) -> mp.mpf:
            s = c * c / 2 + c * t
            return mp.log(mp.ncdf(-t) - mp.exp(s) * mp.ncdf(-t - c)) - mp.log(mp.ncdf(-x))

        root = c * c / 2 + c * mp.findroot(excess, (x - 2, x), solver="anderson", tol=1e-50)
        for prec in (30, 53, 110):
            with working(prec):
                found = ThresholdedGaussianLaw(F(move), F(margin), "remove").meeting().top
            with working(250):
                assert found.contains(arb(mp.nstr(root, 55))) and found.rad() < 2.0 ** (15 - prec)


@pytest.mark.parametrize("prec", [53, 300])
def test_noise_that_hides_nearly_all_has_ends_at_any_precision(prec: int) -> None:
    """Of c = 1e-20 doubles can't tell δ(s) from 0, nor where it meets ρ."""
    with working(prec):
        shown, top, rest = ThresholdedGaussianLaw(F(1, 10**20), F(3), "remove").meeting()
        assert shown.is_finite() and top.is_finite() and rest.is_finite()
    with working(400), mp.workdps(100):  # δ(s) is 1 − e^s but for what noise of 10^17 deviations has
        assert top.overlaps(arb(mp.nstr(mp.log1p(-mp.ncdf(-3)), 95)))


@pytest.mark.parametrize("way", ["remove", "add"])
def test_strong_noise_leaves_new_keys_alone(way: Direction) -> None:
    law = thresholded_laplace(F(1, 100), F(1, 100), way)
    assert isinstance(law, RevealedKeyLaw)
    assert isinstance(thresholded_laplace(F(1), F(1), way), ThresholdedLaplaceLaw)


def test_a_threshold_far_above_costs_nothing() -> None:
    """What lies between the bulk and s* took more panels than there are: [96.7, 577.7]."""
    plain = pv.epsilon(100 * pv.Gaussian(1), delta="1e-6", digits=8)
    found = pv.bracket(100 * pv.ThresholdedHistogram(pv.Gaussian(1), 1000), delta="1e-6")
    assert found.overlaps(plain) and found.upper < plain.upper + F(1, 100)


def test_a_direction_that_tells_next_to_nothing_is_no_failure() -> None:
    """Its [0, 5e-92] was no answer to two digits, and the other one, Pr[noise ≥ 1 deviation], was lost."""
    found = pv.delta(pv.ThresholdedHistogram(pv.Gaussian(1000), 1001), epsilon="0.5", digits=15)
    assert abs(float(found) - math.erfc(math.sqrt(0.5)) / 2) < 1e-15
