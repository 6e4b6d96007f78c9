"""Pairs of Gaussian mixtures: tails, what is left out, and laws that they have in common with others."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws import gaussian_pair, gaussian_stretches
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import BASE, Draws, GaussianPairLaw, Mixture, weights
from tests.oracle.closed_forms import context, holds, normal_tail, real
from tests.teeth.planted import Plant, planted

F = Fraction
THREE = ((0, F(7, 10)), (1, F(1, 5)), (3, F(1, 10)))
WITHOUT_ZERO = ((1, F(7, 10)), (2, F(1, 5)), (4, F(1, 10)))
TWO = ((0, F(9, 10)), (1, F(1, 10)))
LAWS = {
    "remove": GaussianPairLaw(F(1, 2), THREE, BASE),
    "add": GaussianPairLaw(F(1, 2), BASE, THREE),
    "remove, without zero": GaussianPairLaw(F(1, 2), WITHOUT_ZERO, BASE),
    "add, without zero": GaussianPairLaw(F(1, 2), BASE, WITHOUT_ZERO),
    "replaced": GaussianPairLaw(F(3), TWO, TWO),
    "both": GaussianPairLaw(F(1, 2), ((0, 1 - F(1, 10**6)), (1, F(1, 10**6))), TWO),
    "draws": GaussianPairLaw(F(1, 4), Draws(2, 100), Draws(2, 100)),
    "many draws": GaussianPairLaw(F(1, 4), Draws(7, 10), Draws(7, 10)),
}
TEN = 10 * pv.KJH20WithReplacement(pv.Gaussian(4), m=2, n=100)


def rows(mp: Any, mixture: Mixture) -> list[tuple[int, Any]]:
    """Levels and weights, as they are written."""
    if isinstance(mixture, Draws):
        m, n = mixture.m, mixture.n
        return [(j, mp.binomial(m, j) * mp.mpf(n - 1) ** (m - j) / mp.mpf(n) ** m) for j in range(m + 1)]
    return [(j, real(mp, w)) for j, w in mixture]


def odds(mp: Any, law: GaussianPairLaw, x: Any) -> tuple[Any, Any]:
    """f₊ and f₋."""
    c = real(mp, law.shift)
    first, second = (
        mp.fsum(w * mp.exp(side * c * j * x - (c * j) ** 2 / 2) for j, w in rows(mp, mixture))
        for mixture, side in ((law.first, 1), (law.second, -1))
    )
    return first, second


def number(mp: Any, value: arb) -> Any:
    return mp.mpf(value.upper().str(15, radius=False)) if value.is_finite() else mp.inf


def omitted(law: GaussianPairLaw, theta: str, module: Any = gaussian_stretches) -> bool:
    """Whether what pieces leave out is bounded, and the honest pieces leave out little."""
    mp, tilt = context(20), real(context(20), theta)

    def integrand(x: Any) -> Any:
        up, down = odds(mp, law, x)
        return mp.npdf(x) * up ** (tilt + 1) * down**-tilt

    with working(64):
        (honest,) = law.stretches(F(theta))
        stretch = module.Stretch(**{name: getattr(honest, name) for name in vars(honest)})
        piece = stretch.piece(F(theta))
        low, high = float(piece.low), float(piece.high)
        whole = mp.quad(integrand, [low + (high - low) * j / 16 for j in range(17)])
        small = bool(number(mp, stretch.omitted(F(theta), piece, arb(0))) <= mp.mpf(2) ** -64 * whole)
        narrow = replace(piece, low=piece.low / 2, high=piece.high / 2)
        bound = number(mp, stretch.omitted(F(theta), narrow, arb(0)))
    ends = [(low / 2, low * j / 8) for j in (6, 10)], [(high / 2, high * j / 8) for j in (6, 10)]
    beyond = mp.fsum(abs(mp.quad(integrand, [a, b])) for (a, _), (_, b) in (ends[0], ends[1]))
    return small and bool(beyond <= bound * (1 + mp.mpf(10) ** -12))


@pytest.mark.sample(2)
@pytest.mark.parametrize("theta", ["36", "0.5", "-0.25", "-0.75", "-3"])
@pytest.mark.parametrize("name", LAWS)
def test_what_is_omitted_is_bounded_and_small(name: str, theta: str) -> None:
    assert omitted(LAWS[name], theta)


PLANTS: list[Plant] = [
    ("(self.down, ball(-theta))", "(self.down, ball(theta))"),
    ("(piece.high, 1, self.high)", "(piece.high, 1, piece.high)"),
    ("(ctx.prec + _SPARE) * arb(2).log()", "arb(9)"),
    ("return self.share * sum(bounds, arb(0))", "return arb(0)"),
]


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_planted_errors_in_what_is_omitted_are_caught(plant: Plant) -> None:
    assert not omitted(LAWS["replaced"], "0.5", planted(gaussian_stretches, plant))


def off(law: GaussianPairLaw, s: str, bits: int, module: Any = gaussian_pair) -> bool:
    """Whether tails aren't those of an outcome that loses s."""
    mp = context(60)
    goal, c = real(mp, s), real(mp, law.shift)

    def gap(x: Any) -> Any:
        up, down = odds(mp, law, x)
        return mp.log(up) - mp.log(down) - goal

    low, high = mp.mpf(-200), mp.mpf(200)
    for _ in range(190):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) < 0 else (low, middle)
    with working(bits):
        found = module.GaussianPairLaw(law.shift, law.first, law.second).tails(F(s))
    for side, mixture, tail in ((1, law.first, found[0]), (-1, law.second, found[1])):
        exact = mp.fsum(w * normal_tail(mp, low - side * c * j) for j, w in rows(mp, mixture))
        if not tail.overlaps(arb(mp.nstr(exact, 45))) or not tail.rad() < exact * mp.mpf(2) ** (20 - bits):
            return True
    return False


@pytest.mark.sample(7)
@pytest.mark.parametrize("bits", [60, 120])
@pytest.mark.parametrize("s", ["-0.3", "-0.01", "0.00001", "0.06", "4"])
@pytest.mark.parametrize("name", [name for name in LAWS if name != "both"])
def test_tails_are_those_of_an_outcome(name: str, s: str, bits: int) -> None:
    law = LAWS[name]
    with working(64):
        for end, side in (
            (law.largest_finite_loss, 1),
            (GaussianPairLaw(law.shift, law.second, law.first).largest_finite_loss, -1),
        ):
            if end is not None and end < side * ball(F(s)):
                assert law.tails(F(s)) == ((0, 0) if side == 1 else (1, 1))
                return
    assert not off(law, s, bits)


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (("(1 - down_rest) * ball(s).expm1()", "ball(s).expm1()"), "replaced"),
        (("up_rest - down_rest", "up_rest"), "both"),
        (("return -high, -low", "return low, high"), "add"),
        (("constant + growth * down(1 / y)", "constant + down(1 / y)"), "replaced"),
        (("w * normal_tail(x + c * level)", "w * normal_tail(x - c * level)"), "replaced"),
    ],
    ids=str,
)
def test_planted_errors_in_tails_are_caught(plant: Plant, name: str) -> None:
    assert off(LAWS[name], "0.06", 100, planted(gaussian_pair, plant))


def test_where_no_outcome_is_found_nothing_is_claimed() -> None:
    """Newton's method stopped at once: its radius is that of the truth, or there is none."""
    law = LAWS["draws"]
    with working(60):
        honest = law.outcome(F(1))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gaussian_pair, "_STEPS", 0)
            low, high = law.outcome(F(1))
            assert low < honest[0] and honest[1] < high
        assert not LAWS["remove"]._root(F(-9))[0].is_finite()  # no loss is so low


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_two_components_are_the_sampled_gaussian(direction: Direction) -> None:
    """The same law in two files: tails, transform and decay."""
    drawn = ((0, F(4, 5)), (1, F(1, 5)))
    new = GaussianPairLaw(F(2, 3), *((drawn, BASE) if direction == "remove" else (BASE, drawn)))
    old = GaussianMixtureLaw(F(3, 2), F(1, 5), direction)
    with working(120):
        for s in ("-0.3", "-0.1", "0", "0.05", "0.2", "1"):
            for a, b in zip(new.tails(F(s)), old.tails(F(s)), strict=True):
                assert (a - b).contains(0) and (a - b).rad() < 1e-30
        for theta in (F(3, 2), F(-1, 2), F(-2)):
            for x, y in zip(new.on_line(theta, F(2), 5), old.on_line(theta, F(2), 5), strict=True):
                assert x.overlaps(y) and abs(x - y).upper() < arb(10) ** -25
            floor = (abs(new.on_line(theta, F(5), 1)[1]) / new.on_line(theta, F(1), 0)[0].real).log()
            assert not floor > new.decay(theta).log_sup(ball(5))


def test_without_a_zero_no_loss_is_the_largest() -> None:
    assert LAWS["add, without zero"].largest_finite_loss is None
    assert LAWS["draws"].largest_finite_loss is None and LAWS["remove"].largest_finite_loss is None
    top = LAWS["add"].largest_finite_loss
    assert top is not None and top.overlaps(-(arb(7) / 10).log())
    with working(100):
        for s in (F(-40), F(40)):
            first, second = LAWS["remove, without zero"].tails(s)
            assert first.is_finite() and not first < ball(s).exp() * second


@pytest.mark.parametrize("adjacency", ["remove", "add"])
def test_compositions_overlap_with_the_grid(adjacency: Any) -> None:
    step = pv.MixtureOfGaussians(2, [0, 1, 2], ["0.81", "0.18", "0.01"])
    fine = pv.delta(200 * step, epsilon=1, adjacency=adjacency, digits=10, engine="contour")
    coarse = pv.delta(200 * step, epsilon=1, adjacency=adjacency, digits=2, engine="grid")
    assert fine.digits >= 10 and fine.overlaps(coarse)
    assert pv.prove_again(fine).overlaps(fine)


def test_what_is_omitted_grows_on_lines() -> None:
    """By what a negative power may grow there, at θ = −30: the largest level turns furthest."""
    law = GaussianPairLaw(F(1, 2), THREE, BASE)
    with working(80):
        theta = F(-30)
        lines = law.lines(theta, arb(1))
        assert lines is not None
        (stretch,), (piece,) = law.stretches(theta), law.pieces(theta)
        first = [cells[0] for cells in lines().lines]
        still = [stretch.omitted(theta, piece, ball(F(4, 3) / 2**j)) for j in range(len(first))]
        assert all(cell.angle.is_zero() for cell in first) and len(first) > 2
        assert all(cell.weight.overlaps(part) for cell, part in zip(first, still, strict=True))
        assert still[0] > 2 * stretch.omitted(theta, piece, arb(0))


def single_step(mp: Any, eps: Any) -> Any:
    """δ(ε) of one printed step at any real ε: the loss exceeds ε from x on."""
    law = LAWS["draws"]

    def loss(x: Any) -> Any:
        up, down = odds(mp, law, x)
        return mp.log(up / down)

    x = mp.findroot(lambda x: loss(x) - eps, (-60, 60), solver="anderson")
    first, second = (
        mp.fsum(w * normal_tail(mp, x + sign * mp.mpf(j) / 4) for j, w in rows(mp, law.first))
        for sign in (-1, 1)
    )
    return first - mp.exp(eps) * second


@pytest.mark.slow
def test_delta_of_two_steps_is_an_integral_of_closed_forms() -> None:
    mp = context(18)
    eps = mp.mpf("0.05")

    def integrand(x: Any) -> Any:
        up, down = odds(mp, LAWS["draws"], x)
        return mp.npdf(x) * up * single_step(mp, eps - mp.log(up / down))

    truth = mp.quad(integrand, [-9, -4, 0, 4, 9, 13])
    two = 2 * pv.KJH20WithReplacement(pv.Gaussian(4), m=2, n=100)
    assert holds(pv.delta(two, epsilon="0.05", digits=12, engine="contour"), truth, 11)


@pytest.mark.parametrize("epsilon", ["0.0005", "0.02"])
def test_ten_steps_overlap_with_the_grid(epsilon: str) -> None:
    fine = pv.delta(TEN, epsilon=epsilon, digits=12, engine="contour")
    coarse = pv.delta(TEN, epsilon=epsilon, digits=2, engine="grid")
    assert fine.digits >= 12 and coarse.lower <= fine.upper and fine.lower <= coarse.upper
    assert coarse.width < coarse.upper / 50


def test_one_printed_draw_is_poisson_sampling() -> None:
    printed = 50 * pv.KJH20WithReplacement(pv.Gaussian(2), m=1, n=25)
    sampled = 50 * pv.PoissonSubsampled(pv.Gaussian(2), "0.04")
    ends = [pv.delta(steps, epsilon="0.5", adjacency="replace-one") for steps in (printed, sampled)]
    assert ends[0] == ends[1]


def test_weights_that_may_be_nothing_are_refused() -> None:
    with working(4), pytest.raises(NoConvergence, match="can't tell a component's weight from 0"):
        weights(Draws(2000, 2), 4)
