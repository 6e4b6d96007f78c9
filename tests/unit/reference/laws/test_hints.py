"""Hints, and choices of laws, may be absurd: what is proved with them still holds, or nothing is proved."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb

from pldverify.balls.ball import ball, working
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence
from pldverify.reference.fast import gaussian_mixture
from pldverify.reference.fast.concave_trapezoid import ConcaveRule, log_peak
from pldverify.reference.fast.mixture_lines import lines_over
from pldverify.reference.laws import (
    discrete_gaussian,
    gaussian_stretches,
    poisson_discrete_gaussian,
    shifted_gaussian,
    smooth,
)
from pldverify.reference.laws.gaussian_pair import BASE, Draws, GaussianPairLaw
from pldverify.reference.laws.law import with_transform
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.laws.poisson_laplace import PoissonLaplaceLaw

F = Fraction
MIXTURE = gaussian_mixture.ByTrapezoid(F(1), F(1, 5), "remove")
DRAWN = ((0, F(4, 5)), (1, F(1, 5)))
THREE = ((0, F(3, 4)), (1, F(1, 8)), (3, F(1, 8)))
SUBSTITUTE = GaussianPairLaw(F(1), DRAWN, DRAWN)
FIXED = shifted_gaussian.ShiftedGaussianLaw(F(1), F(1, 5))
LAWS: dict[str, Any] = {
    "mixture": MIXTURE,
    "mixture, add": gaussian_mixture.ByTrapezoid(F(1), F(1, 5), "add"),
    "near": NearLaw(GaussianPairLaw(F(1), DRAWN, BASE), F(3)),
    "near, replaced": NearLaw(SUBSTITUTE, F(3)),
    "near, fixed size": NearLaw(FIXED, F(3)),
    "substitute": SUBSTITUTE,
    "printed": GaussianPairLaw(F(1), Draws(2, 10), Draws(2, 10)),
    "fixed size": FIXED,
    "mixture of Gaussians": GaussianPairLaw(F(1), THREE, BASE),
    "mixture of Gaussians, add": GaussianPairLaw(F(1), BASE, THREE),
    "discrete": discrete_gaussian.DiscreteGaussianLaw(F(2), 1),
    "narrow discrete": discrete_gaussian.DiscreteGaussianLaw(F(1, 10), 1),
    "sampled discrete": poisson_discrete_gaussian.PoissonDiscreteGaussianLaw(F(2), 1, F(1, 5), "add"),
}
THETA, STEP, COUNT = F(5, 2), F(3), 4
NODES = 200
"""No hint asks for more of anything, so that the test is quick."""


class Noise:
    """Numbers that were right once."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, x: Fraction) -> Fraction:
        kind = self.random.randrange(8)
        if kind < 5:
            return x
        if kind == 5:
            return self.random.choice([F(0), -x, F(-1), F(1, 1000), F(30)])
        return x * F(self.random.choice([1, 2, 3, 5]), self.random.choice([1, 2, 3, 5])) + self.random.choice(
            [0, 0, F(1, 3), F(-1, 3)]
        )

    def whole(self, n: int) -> int:
        return max(-NODES, min(NODES, round(self.number(F(n)))))

    def spoil(self, value: Any) -> Any:
        if isinstance(value, range):
            low, high = self.whole(value.start), self.whole(value.stop)
            return range(low, high)
        if isinstance(value, int):
            return self.whole(value)
        if isinstance(value, Fraction):
            return self.number(value)
        if isinstance(value, list):
            return [self.spoil(x) for x in value] if self.random.random() < 0.5 else value
        if hasattr(value, "_replace"):
            return type(value)(*map(self.spoil, value))
        if isinstance(value, tuple):
            return tuple(map(self.spoil, value))
        names = ("eta", "first", "last", "strip", "peaks")
        return type(value)(*(self.spoil(getattr(value, name)) for name in names))

    def around(self, hint: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: self.spoil(hint(*arguments))


HINTS = {
    gaussian_mixture: (
        "trapezoid",
        "concave_rule",
        "bulk",
        "reach",
        "heights",
        "peak_near",
    ),
    smooth: ("panels",),
    discrete_gaussian: ("reach", "dual_reach"),
    poisson_discrete_gaussian.PoissonDiscreteGaussianLaw: ("window",),
    gaussian_stretches.Stretch: ("_end",),
    gaussian_stretches: ("_short",),
}


@pytest.fixture(autouse=True)
def _no_lie_is_remembered() -> Iterator[None]:
    yield
    forget()


def spoil(patch: pytest.MonkeyPatch, seed: int) -> None:
    noise = Noise(seed)
    forget()
    for owner, names in HINTS.items():
        for name in names:
            patch.setattr(owner, name, noise.around(getattr(owner, name)))
    patch.setattr(gaussian_mixture, "_PLENTY", 0)  # the other rule, too
    for name in ("_WIDTH", "_HIGHEST", "_PATHS"):
        patch.setattr(gaussian_stretches, name, noise.spoil(getattr(gaussian_stretches, name)))


def line(law: Any, theta: Fraction) -> list[acb]:
    return with_transform(law).on_line(theta, STEP, COUNT)


@pytest.mark.sample(11)
@pytest.mark.parametrize("theta", [THETA, F(-13, 10), F(-1, 3)])
@pytest.mark.parametrize("name", LAWS)
def test_transforms_overlap_whatever_the_hints_say(
    name: str, theta: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    law, told = LAWS[name], 0
    with working(64):
        try:
            honest = line(law, theta)
        except NoConvergence:
            assert theta < -1  # outside of the domain
            return
        for seed in range(16):
            with monkeypatch.context() as patch:
                spoil(patch, seed)
                try:
                    poor = line(law, theta)
                except (NoConvergence, ArithmeticError):
                    continue
            told += any(a.real.mid() != b.real.mid() for a, b in zip(honest, poor, strict=True))
            for a, b in zip(honest, poor, strict=True):
                assert a.overlaps(b) or not b.is_finite(), seed
    assert told > 0  # some hints were poor and something was proved all the same


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", LAWS)
def test_bounds_of_the_decay_hold_whatever_the_hints_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law = LAWS[name]
    with working(64):
        honest = line(law, THETA)
        sizes = [(abs(value) / honest[0].real).log() for value in honest[1:]]
        for seed in range(10):
            with monkeypatch.context() as patch:
                spoil(patch, seed)
                try:
                    decay = with_transform(law).decay(THETA)
                    bounds = [decay.log_sup(ball(STEP * j)) for j in range(1, COUNT + 1)]
                    if decay.lines is not None:
                        bounds += [decay.lines().log_sup(ball(STEP * j)) for j in range(1, COUNT + 1)]
                except (NoConvergence, ArithmeticError):
                    continue
            for size, bound in zip(sizes * 2, bounds, strict=False):
                assert not bound < size, seed


def test_a_spoilt_hint_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the error of its rule the transform is wrong: the comparison has teeth."""
    with working(64):
        honest = line(MIXTURE, THETA)
        monkeypatch.setattr(gaussian_mixture, "mixture_tail", lambda *_: arb(0))
        grid = gaussian_mixture.trapezoid
        monkeypatch.setattr(
            gaussian_mixture, "trapezoid", lambda *arguments: grid(*arguments)._replace(first=-3, last=5)
        )
        poor = line(MIXTURE, THETA)
    assert not all(a.overlaps(b) for a, b in zip(honest, poor, strict=True))


@pytest.mark.parametrize(
    "change",
    [{"eta": F(0)}, {"eta": F(-1, 4)}, {"strip": F(0)}, {"strip": F(-1)}, {"first": 999}, {"last": -999}],
)
def test_a_rule_without_nodes_or_strip_is_refused(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = gaussian_mixture.trapezoid
    monkeypatch.setattr(gaussian_mixture, "trapezoid", lambda *arguments: rule(*arguments)._replace(**change))
    with working(64), pytest.raises(NoConvergence, match="has no nodes"):
        line(MIXTURE, THETA)


@pytest.mark.parametrize("change", [{"panels": 0}, {"panels": -3}, {"order": 0}, {"turns": 2}])
def test_panels_that_do_not_cover_the_path_are_refused(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    panels = smooth.panels
    monkeypatch.setattr(smooth, "panels", lambda *arguments: panels(*arguments)._replace(**change))
    law = PoissonLaplaceLaw(F(1), F(1, 5), "remove")  # it stays on the axis
    with working(64), pytest.raises(NoConvergence, match="has no panels"):
        line(law, THETA)


@pytest.mark.parametrize("low", [F(-2), F(-1)])
@pytest.mark.parametrize("down", [F(-17, 20), F(-3, 2)])
@pytest.mark.parametrize("name", ["near", "near, replaced", "near, fixed size", "substitute"])
def test_a_path_below_the_axis_is_not_taken(
    name: str, down: Fraction, low: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left out grows there, and its bound is that of a path above."""
    theta, step, count = F(-1, 3), F(10), 6
    with working(64):
        honest = LAWS[name].on_line(theta, step, count)
        forget()
        end = gaussian_stretches.Stretch._end
        monkeypatch.setattr(gaussian_stretches, "_PATHS", (down, down))
        monkeypatch.setattr(
            gaussian_stretches.Stretch,
            "_end",
            lambda law, theta, way, height: low if way < 0 else end(law, theta, way, height),
        )
        assert all(piece.height == 0 for piece in LAWS[name].pieces(theta))
        for a, b in zip(honest, LAWS[name].on_line(theta, step, count), strict=True):
            assert a.overlaps(b)


def test_lines_over_cells_that_do_not_rise_bound_nothing() -> None:
    c, q, one = arb(1), arb("0.2"), arb(1)
    for edges in ([arb(1), arb(0)], [arb(0), arb(0)], [arb(0), arb(0, 1)]):
        assert lines_over(c, q, one, one, edges, [F(1)]).lines == []
    for height in (F(0), F(-1), F(8, 5)):  # cb ≥ π/2
        assert lines_over(c, q, one, one, [arb(0), arb(1)], [height]).lines == []


@pytest.mark.parametrize(("eta", "strip"), [("-1/4", "1/2"), ("0", "1/2"), ("1/4", "-1/2"), ("1/4", "0")])
def test_a_concave_rule_without_step_or_strip_bounds_nothing(eta: str, strip: str) -> None:
    rule = ConcaveRule(F(eta), -40, 40, F(strip), (F(-2), F(-2)))
    with working(80):
        assert not rule.errors(arb(1), arb("0.3"), F(-2), arb(0), 1)[0].is_finite()
        assert not log_peak(arb(1), arb("0.3"), arb(0, 1), arb(0), arb(0)).is_finite()  # p ≤ 0 is not certain
