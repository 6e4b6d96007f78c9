"""Poor rules with proved errors, against fine sums in mpmath; and the bound of the peak."""

import math
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from pldverify.balls.ball import ball, dyadic, lower, upper, working
from pldverify.reference.fast.concave_trapezoid import ConcaveRule, log_peak
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.fast.hints.log_concave import BITS, Exponent, concave_rule, peak_near
from tests.oracle.closed_forms import context, fraction, mixture_integral, real

Rule = tuple[Fraction, int, int, Fraction]


def with_peaks(rule: Rule, sigma: str, q: str, p: str, v: str) -> ConcaveRule:
    """Near the maxima of G, as far as floats tell."""
    c, strip = 1 / float(Fraction(sigma)), float(rule[3])
    tau, shift = float(Fraction(v)) * math.tan(c * strip), -math.log(max(1e-9, math.cos(c * strip))) / c
    powers = float(Fraction(p)), min(0.0, float(Fraction(p)) + tau)
    near, moved = (peak_near(c, float(Fraction(q)), power, shift) for power in powers)
    return ConcaveRule(*rule, (near, moved))


# σ, q, p, v, and a rule so poor that its error counts; the share of the bound that the error must use up
POOR = [
    ("7.3", "0.0031", "-0.433", "0.02", (Fraction(489, 256), -7, 7, Fraction(423, 128)), 0.99),
    ("3.2", "0.076", "-183", "230", (Fraction(417, 512), -15, 9, Fraction(545, 256)), 0.2),
    ("2", "0.3", "-1", "0", (Fraction(1, 8), -20, 14, Fraction(2)), 0.3),  # cut on both sides
    ("0.7", "0.2", "-40", "5", (Fraction(1, 4), -14, -1, Fraction(1, 2)), 1e-6),
    ("1", "0.9", "-3", "1.5", (Fraction(3, 4), -12, 6, Fraction(3, 5)), 1e-6),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("sigma", "q", "p", "v", "rule", "share"), POOR)
def test_a_poor_rule_errs_by_no_more_than_it_says(
    sigma: str, q: str, p: str, v: str, rule: Rule, share: float
) -> None:
    mp = context(40)
    found = with_peaks(rule, sigma, q, p, v)
    parameters = real(mp, sigma), real(mp, q)
    eta = real(mp, found.eta)
    with working(120):
        c = 1 / ball(Fraction(sigma))
        errors = found.errors(c, ball(Fraction(q)), Fraction(p), ball(Fraction(v) / 4), 4)
    for j in range(5):
        power = mp.mpc(real(mp, p), real(mp, Fraction(v) * j / 4))
        poor = mixture_integral(mp, *parameters, power, eta * found.first, eta * found.last + eta / 2, eta)
        fine = mixture_integral(mp, *parameters, power, mp.mpf(-45), mp.mpf(20), mp.mpf(1) / 16)
        error = fraction(abs(poor - fine))
        assert error <= upper(errors[j])
    assert error >= Fraction(share) * upper(errors[-1])  # the comparison means something


@pytest.mark.parametrize(("p", "q"), [("-1e3", "0.5"), ("-1e6", "1e-4"), ("-1e8", "1e-4"), ("-1e10", "1e-8")])
@pytest.mark.parametrize("sigma", ["0.2", "1", "30"])
def test_large_tilts(sigma: str, q: str, p: str) -> None:
    with working(80):
        law = ByTrapezoid(Fraction(sigma), Fraction(q), "add")
        value = law.on_line(-Fraction(p), Fraction(0), 0)[0].real
        assert value.rel_accuracy_bits() > 45
    mp = context(30)
    with working(80):
        shape = Exponent.of(1 / Fraction(sigma), Fraction(q), Fraction(p))
        floor = shape.value(shape.mode()) - 60
        low, high = (real(mp, dyadic(shape.edge(shape.mode(), floor, side))) for side in (-1, 1))
    parameters = real(mp, sigma), real(mp, q), real(mp, p), low, high
    truth, other = (fraction(mixture_integral(mp, *parameters, (high - low) / n)) for n in (300, 301))
    slack = truth / 10**16
    assert abs(truth - other) < slack
    assert lower(value) - slack <= truth <= upper(value) + slack


@settings(max_examples=40, deadline=None)
@given(
    st.floats(-1.5, 0.7), st.floats(-6, -0.01), st.floats(-3, 6), st.floats(0, 3), *[st.floats(-60, 10)] * 2
)
def test_the_peak_is_bounded_from_any_point(
    log_c: float, log_q: float, log_p: float, s: float, x: float, near: float
) -> None:
    """Every point gives a bound, which no G(x) may exceed."""
    with working(100):
        c, q, p = arb(10**log_c), arb(10**log_q), -arb(10**log_p)
        point = arb(x)
        w = 1 - q + q * (c * point - c * c / 2).exp()
        assert not p * w.log() - (point + arb(s)) ** 2 / 2 > log_peak(c, q, p, arb(s), arb(near))


@pytest.mark.parametrize(
    ("strip", "first", "last", "height"),
    [
        ("1.58", -40, 40, "0"),  # ca ≥ π/2
        ("0.8", -40, 40, "3"),  # τ > |p|
        ("0.5", 0, 40, "0"),  # the first node is beyond the mode
        ("0.5", -40, -16, "0"),  # the last one is before it
    ],
)
def test_nothing_is_claimed_where_nothing_is_proved(strip: str, first: int, last: int, height: str) -> None:
    rule = with_peaks((Fraction(1, 4), first, last, Fraction(strip)), "1", "0.3", "-2", height)
    with working(80):
        errors = rule.errors(arb(1), arb("0.3"), Fraction(-2), ball(Fraction(height)), 1)
    assert all(error == arb.pos_inf() for error in errors)


@pytest.mark.parametrize(
    ("c", "q"), [("-1", "0.3"), ("0", "0.3"), ("1", "0"), ("1", "-1e-9"), ("1", "1"), ("1 +/- 2", "0.3")]
)
def test_nothing_is_claimed_of_what_is_no_mixture(c: str, q: str) -> None:
    rule = with_peaks((Fraction(1, 4), -40, 40, Fraction(1, 2)), "1", "0.3", "-2", "0")
    with working(80):
        for shift, chance in ((arb(c), arb(q)), (arb(1), arb("0.5", "0.5"))):
            errors = rule.errors(shift, chance, Fraction(-2), arb(0), 1)
            assert all(error == arb.pos_inf() for error in errors)


def test_rules_bracket_the_mode_and_keep_to_their_strip() -> None:
    for height in (0.0, 3.0, 1e4):
        rule = concave_rule(2.0, 1e-3, -50.0, height, 80)
        with working(100):
            errors = rule.errors(arb(2), arb("0.001"), Fraction(-50), arb(height), 1)
        assert all(error.is_finite() for error in errors)


@pytest.mark.parametrize("c", ["0.02", "0.2", "1", "20"])
@pytest.mark.parametrize("q", ["1e-8", "0.1", "0.999"])
@pytest.mark.parametrize("p", ["-0.01", "-1", "-300", "-1e7"])
def test_the_exponent_is_level_at_its_mode(c: str, q: str, p: str) -> None:
    """Also where Newton's method jumps from end to end of its bracket: c = 0.2, q = 0.999, p = −300."""
    for s in (0, 3):
        with working(BITS):
            shape = Exponent.of(Fraction(c), Fraction(q), Fraction(p), s)
            mode = shape.mode()
            assert abs(shape.slope(mode)) * shape.deviation(mode) < arb("1e-6")
