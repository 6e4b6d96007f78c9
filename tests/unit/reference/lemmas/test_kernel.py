"""Kernels: the table of the module docstring, row by row, against atoms whose truth is elementary."""

from fractions import Fraction

import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls.ball import ball
from pldverify.reference.lemmas.kernel import Kernel

ROWS = [
    (Kernel("delta", "upper"), "0.7", lambda x: max(0.0, 1 - _exp(-x))),
    (Kernel("delta", "lower"), "-0.4", lambda x: min(1.0, _exp(-x))),
    (Kernel("delta", "beyond"), "-1.6", lambda x: max(0.0, _exp(-x) - 1)),
    (Kernel("tail", "upper"), "0.7", lambda x: float(x > 0)),
    (Kernel("tail", "lower"), "-0.7", lambda x: float(x < 0)),
]


def _exp(x: float) -> float:
    return float(arb(x).exp().mid())


@pytest.mark.parametrize(("kernel", "theta", "truth"), ROWS)
@pytest.mark.parametrize("x", [-1.5, -0.1, 0.2, 2.0])
def test_the_inversion_of_an_atom(kernel: Kernel, theta: str, truth: object, x: float) -> None:
    # E over a Gaussian of variance v around x: smooth enough for a plain sum, and close to the atom itself
    v, step, total = arb("1e-6"), arb("0.01"), arb(0)
    for j in range(700_00 // 10):
        z = acb(arb(theta), step * 10 * j / 10)
        term = ((z * x) + v * z * z / 2).exp() * kernel.value(z)
        total += term.real * (1 if j else arb(1) / 2)
    value = float((total * step / arb.pi()).mid())
    # cut at u = 70: the tails of 1/u and 1/u² oscillate, so the rest is below 2/(70² |x|) + e^{…} aliases
    assert abs(value - truth(x)) < 0.35 / (70 * min(abs(x), 1)) + 1e-6  # type: ignore[operator]


@given(st.floats(0, 50), st.floats(-30, 30))
def test_chernoff_constants_of_delta(lam: float, x: float) -> None:
    # (1 − e^{−x})_+ ≤ c(λ) e^{λx} for every x
    bound = Kernel("delta", "upper").chernoff(Fraction(lam)) * (arb(lam) * arb(x)).exp()
    assert bound.upper() >= (1 - (-arb(x)).exp()).lower()


@given(st.floats(0.001, 50))
def test_the_constant_of_delta_is_attained(lam: float) -> None:
    size = arb(lam)
    x = (1 + 1 / size).log()
    attained = (1 - (-x).exp()) * (-size * x).exp()
    assert Kernel("delta", "upper").chernoff(Fraction(lam)).overlaps(attained)


@given(st.floats(-1, 0), st.floats(-30, 30))
def test_chernoff_constant_left_of_the_pole(lam: float, x: float) -> None:
    bound = Kernel("delta", "lower").chernoff(Fraction(lam)) * (arb(lam) * arb(x)).exp()
    assert bound.upper() >= arb(1).min((-arb(x)).exp()).lower()


@pytest.mark.parametrize(
    ("kernel", "lam"),
    [
        (Kernel("delta", "upper"), Fraction(-1, 10)),
        (Kernel("delta", "lower"), Fraction(1, 10)),
        (Kernel("delta", "lower"), Fraction(-11, 10)),
        (Kernel("tail", "upper"), Fraction(-1)),
        (Kernel("tail", "lower"), Fraction(1)),
    ],
)
def test_a_forbidden_tilt_bounds_nothing(kernel: Kernel, lam: Fraction) -> None:
    assert not kernel.chernoff(lam).is_finite()


def alias(kernel: Kernel, theta: Fraction, period: arb, chernoffs: list[tuple[Fraction, arb]]) -> arb:
    """Bound of all aliases at ε = 0."""
    return sum((size for _, size in kernel.aliases(theta, period, chernoffs)), arb(0))


@pytest.mark.parametrize(("kernel", "theta", "truth"), ROWS)
@pytest.mark.parametrize("x", [-2.3, 0.4, 3.1])
@pytest.mark.parametrize("period", [2.0, 5.0])
def test_aliases_of_an_atom_are_bounded(
    kernel: Kernel, theta: str, truth: object, x: float, period: float
) -> None:
    # S = x at ε = 0: f(ε + mR) = truth(x − mR), log M(λ) = λx
    t = float(theta)
    sides = (Fraction(0), Fraction(3)) if t > 0 else (Fraction(-1), Fraction(0))
    sides = (Fraction(-3), Fraction(-1)) if kernel.side == "beyond" else sides
    aliases = sum(_exp(t * m * period) * truth(x - m * period) for m in range(-60, 61) if m)  # type: ignore[operator]
    bound = alias(kernel, Fraction(theta), arb(period), [(lam, ball(lam) * arb(x)) for lam in sides])
    assert float(bound.upper().mid()) >= aliases * (1 - 1e-12)


@pytest.mark.parametrize("sides", [(1, 2), (-2, -1)])
def test_tilts_on_one_side_bound_nothing(sides: tuple[int, int]) -> None:
    """The aliases of the other side would be left out."""
    for kernel, centre in ((Kernel("delta", "upper"), 3), (Kernel("tail", "lower"), -3)):
        chernoffs = [(Fraction(centre + side), arb(0)) for side in sides]
        assert not alias(kernel, Fraction(centre), arb(9), chernoffs).is_finite()


def test_no_distance_between_tilts_bounds_nothing() -> None:
    half = Fraction(1, 2)
    assert not alias(Kernel("delta", "upper"), half, arb(9), [(half, arb(0))]).is_finite()
