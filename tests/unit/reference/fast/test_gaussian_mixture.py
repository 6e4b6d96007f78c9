"""Lines of the Poisson-subsampled Gaussian have the digits of the precision that they are asked at."""

from fractions import Fraction

import pytest

from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.fast.hints import gaussian_mixture as hints
from pldverify.reference.fast.schedule import Family
from pldverify.reference.laws import gaussian_mixture
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw, supremum

BITS, LOST = 165, 12


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("sigma", "q", "theta", "step", "shifted"),
    [("5.23", "0.00095", 10, "4", True), ("0.5", "0.1", 1, "8", True), ("1", "0.01", 3, "0.25", False)],
)
def test_a_shifted_line_loses_no_digits(
    sigma: str, q: str, theta: int, step: str, shifted: bool, direction: Direction
) -> None:
    """Terms on Im x = b are e^{b²/2} times as large as their sum: all that enters has bits for that."""
    law = ByTrapezoid(Fraction(sigma), Fraction(q), direction)
    tilt, height, count = Fraction(theta), Fraction(step), 32
    rule = hints.trapezoid(1 / float(sigma), float(q), float(law.power(tilt)), float(height) * count, BITS)
    assert (rule.shift > 0) == shifted
    with working(BITS):
        line = law.on_line(tilt, height, count)
        room = ball(Fraction(1, 2 ** (BITS - LOST))) * line[0].real
        for value in line:
            assert surely_less(value.real.rad() + value.imag.rad(), room)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("sigma", "q", "theta"),
    [
        ("1", "0.01", "3"),
        ("0.5", "0.3", "-0.5"),
        ("4", "0.001", "40"),
        ("2", "0.9", "-3"),
        ("0.3", "0.2", "1"),
    ],
)
def test_both_transforms_and_decays_agree(sigma: str, q: str, theta: str, direction: Direction) -> None:
    """The law's own panels and the trapezoidal rule share no bound of an error."""
    law, tilt = GaussianMixtureLaw(Fraction(sigma), Fraction(q), direction), Fraction(theta)
    with working(80):
        own = law.on_line(tilt, Fraction(2), 6)
        sooner = ByTrapezoid.of(law).on_line(tilt, Fraction(2), 6)
        assert all(a.overlaps(b) for a, b in zip(own, sooner, strict=True))
        assert min(line[0].real.rel_accuracy_bits() for line in (own, sooner)) > 60
        decays = law.decay(tilt), ByTrapezoid.of(law).decay(tilt)
        for j, value in enumerate(own[1:], 1):
            size = (abs(value) / own[0].real).log()
            assert not any(surely_less(decay.log_sup(ball(2 * j)), size) for decay in decays)
            assert not any(surely_less(decay.over_u.log(), size + ball(2 * j).log()) for decay in decays)


def test_a_supremum_that_is_too_small_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    law, theta = GaussianMixtureLaw(Fraction(1), Fraction(1, 2), "remove"), Fraction(1)

    def bounded() -> bool:
        with working(80):
            line, over_u = law.on_line(theta, Fraction(1, 2), 6), law.decay(theta).over_u
            sizes = (abs(value) / line[0].real * j / 2 for j, value in enumerate(line) if j)
            return over_u is not None and not any(surely_less(over_u, size) for size in sizes)

    assert bounded()
    monkeypatch.setattr(gaussian_mixture, "supremum", lambda c, q, r: supremum(c, q, r) / 10)
    assert not bounded()


def test_exchanged_directions_would_be_seen() -> None:
    """The planted error: one of both directions is asked for the other."""
    law = GaussianMixtureLaw(Fraction(1), Fraction(1, 100), "remove")
    other = ByTrapezoid(Fraction(1), Fraction(1, 100), "add")
    with working(80):
        assert not law.on_line(Fraction(3), Fraction(0), 0)[0].overlaps(
            other.on_line(Fraction(3), Fraction(0), 0)[0]
        )


def test_a_node_with_negative_noise_proves_nothing() -> None:
    """What a hint of a schedule may say: only σ² was looked at, and a false line came of it."""
    with working(64), pytest.raises(NoConvergence, match="σ > 0"):
        ByTrapezoid(Fraction(-1, 4), Fraction(1, 2), "remove").on_line(Fraction(-1, 2), Fraction(3), 2)
    like = ByTrapezoid(Fraction(1, 4), Fraction(1, 2), "remove")
    with pytest.raises(NoConvergence, match="no parameter"):
        Family(True, Fraction(1, 2), like).law(Fraction(-1, 4))
