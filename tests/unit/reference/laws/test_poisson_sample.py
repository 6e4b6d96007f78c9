"""Tails of Poisson samples: of a base of few outcomes by sums in rationals, and at the ends of the losses."""

import math
from fractions import Fraction as F

import mpmath as mp
import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_at_most
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.poisson_laplace import PoissonLaplaceLaw
from pldverify.reference.laws.poisson_sample import largest_sampled_loss, sampled_tails

ROWS = [(F(1, 10), F(0)), (F(4, 10), F(2, 10)), (F(3, 10), F(3, 10)), (F(2, 10), F(4, 10)), (F(0), F(1, 10))]
"""P and Q of each outcome: one that Q can't have, and one that P can't."""
RATE = F(1, 5)


def beyond(direction: Direction, x: arb) -> tuple[arb, arb]:
    """Both measures of the outcomes whose loss in that direction is at least ``x``."""
    first = second = F(0)
    for p, q in ROWS:
        a, b = (p, q) if direction == "remove" else (q, p)
        infinite = b == 0 and direction == "add"
        if infinite or (a and b and surely_at_most(x, (ball(a) / ball(b)).log())):
            first, second = first + a, second + b
    return ball(first), ball(second)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("s", ["-3", "-0.21", "-0.1", "0.01", "0.15", "0.21", "0.23", "3"])
def test_tails_are_sums_over_the_outcomes_of_the_sample(direction: Direction, s: str) -> None:
    first = second = finite = F(0)
    for p, q in ROWS:
        mixed = (1 - RATE) * q + RATE * p
        a, b = (mixed, q) if direction == "remove" else (q, mixed)
        finite += a if b else 0
        if b and (a and math.log(a / b) >= float(s)):
            first, second = first + a, second + b
    with working(80):
        found = sampled_tails(lambda x: beyond(direction, x), RATE, direction, F(s), ball(finite))
        for ours, exact in zip(found, (first, second), strict=True):
            assert ours.overlaps(ball(exact)) and float(ours.rad()) < 1e-20


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_next_to_the_end_of_the_losses_both_answers_are_enclosed(direction: Direction) -> None:
    law = GaussianMixtureLaw(F(1), F(1, 10), direction)
    with working(400):
        end = -(-ball(F(1, 10))).log1p()
    near = F(str(float(end.mid()))) if direction == "add" else -F(str(float(end.mid())))
    with working(30):
        first, second = law.tails(near)
    most = 1 if direction == "remove" else 0
    assert first.contains(most) and second.contains(most)
    beyond, within = (near + side * F(1, 10**30) * (1 if direction == "add" else -1) for side in (1, -1))
    with working(200):
        exact = [law.tails(point) for point in (beyond, within)]
    for row in exact:
        assert first.overlaps(row[0]) and second.overlaps(row[1])


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_odds_that_are_told_from_zero_and_whose_logarithm_is_not_finite(direction: Direction) -> None:
    """At 30 bits q e^x is proved to be > 0, and its quotient by q is not."""
    point = -F(496939562328232974643365734026916040659464055249620785577999, 2**200)
    s = point if direction == "remove" else -point
    for law in (
        GaussianMixtureLaw(F(1), F(133, 500), direction),
        PoissonLaplaceLaw(F(40), F(133, 500), direction),
    ):
        with working(30):
            found = law.tails(s)
        with working(200):
            exact = law.tails(s)
        for ours, truth in zip(found, exact, strict=True):
            assert ours.is_finite() and ours.overlaps(truth)


@pytest.mark.parametrize("c", ["2", "1/7"])
def test_laplace_from_a_ball_on(c: str) -> None:
    """Of both sides of an atom; and where the ball is a point, as from that number on."""
    law, size = LaplaceLaw(F(c)), F(c)
    with working(80):
        for s in (-size - 1, -size / 2, F(0), size / 3, size + 1):
            for ours, exact in zip(law.beyond(ball(s)), law.tails(s), strict=True):
                assert ours.overlaps(exact) and float(ours.rad()) < 1e-20
        for atom, sides in ((-size, (arb(1), arb(1))), (size, (arb(0), arb(0)))):
            found = law.beyond(ball(atom) + arb(0, "1e-15"))
            for part, side, exact in zip(found, sides, law.tails(atom), strict=True):
                assert part.contains(side) and part.overlaps(exact)


@pytest.mark.parametrize(("c", "q"), [("2", "1/10"), ("1/3", "9/10")])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_sampled_laplace_by_its_noise(c: str, q: str, direction: Direction) -> None:
    """{w ≥ e^s} is {t ≥ x} for the noise t, and its masses are those of two Laplace laws."""
    law = PoissonLaplaceLaw(F(c), F(q), direction)
    with mp.workdps(40):
        size, rate = (mp.mpf(x.numerator) / x.denominator for x in (F(c), F(q)))

        def above(x: mp.mpf, centre: mp.mpf) -> mp.mpf:
            return mp.exp(centre - x) / 2 if x > centre else 1 - mp.exp(x - centre) / 2

        for s in ("-0.05", "-0.01", "0", "0.02", "0.06"):
            way = mp.mpf(s) if direction == "remove" else -mp.mpf(s)
            x = (mp.log((mp.exp(way) - 1 + rate) / rate) + size) / 2  # the loss at the noise t is 2t − c
            base, other = above(x, mp.mpf(0)), above(x, size)
            mixed = (1 - rate) * base + rate * other
            exact = (mixed, base) if direction == "remove" else (1 - base, 1 - mixed)
            with working(120):
                for ours, value in zip(law.tails(F(s)), exact, strict=True):
                    assert abs(mp.mpf(str(ours.mid().str(35, radius=False))) - value) < mp.mpf("1e-30")


def test_the_largest_loss() -> None:
    with working(80):
        assert largest_sampled_loss(None, RATE, "remove") is None
        end = largest_sampled_loss(None, RATE, "add")
        assert end is not None and end.overlaps(-ball(1 - RATE).log())
        for direction, sign in (("remove", 1), ("add", -1)):
            exact = sign * (1 - ball(RATE) + ball(RATE) * ball(F(sign * 2)).exp()).log()
            found = largest_sampled_loss(F(2), RATE, direction)  # type: ignore[arg-type]
            assert found is not None and found.overlaps(exact)


@pytest.mark.parametrize("q", [F(1, 10**40), F(1, 3), 1 - F(1, 10**40)])
def test_the_largest_loss_of_a_record_that_is_missing_keeps_its_digits(q: F) -> None:
    """−log(1 − q) at 64 bits, next to 0 and next to 1."""
    with working(64):
        found = largest_sampled_loss(None, q, "add")
    assert found is not None
    with mp.workdps(120):
        true = -mp.log1p(-mp.mpf(q.numerator) / q.denominator)
        assert abs(mp.mpf(found.mid().str(40, radius=False)) / true - 1) < mp.mpf("1e-17")
    assert found.rel_accuracy_bits() > 55
