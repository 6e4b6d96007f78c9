"""Users' own pairs, referenced and composed: against the built-in twin where there is one, else brute force.

Brute force is mpmath: the convolution of two logistic losses, and quadrature of moments in the outcome.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
import pytest
import sympy as sp

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.enclosure import Enclosure

T = sp.Symbol("t", real=True)
N = sp.Symbol("n", integer=True)
R = sp.Rational


def normal(mean: object, scale: object = 1) -> sp.Expr:
    return sp.exp(-((T - mean) ** 2) / (2 * scale**2)) / sp.sqrt(2 * sp.pi) / scale


def logistic(mean: object) -> sp.Expr:
    return sp.exp(-(T - mean)) / (1 + sp.exp(-(T - mean))) ** 2


def quartic(mean: object) -> sp.Expr:
    return 2 / sp.gamma(R(1, 4)) * sp.exp(-((T - mean) ** 4))


def laplace(mean: object) -> sp.Expr:
    return sp.exp(-sp.Abs(T - mean)) / 2


def cut_laplace(mean: object) -> sp.Expr:
    """Laplace noise cut to ±3: supports that differ."""
    inside = sp.And(mean - 3 < T, mean + 3 > T)
    return sp.Piecewise((sp.exp(-sp.Abs(T - mean)) / (2 - 2 * sp.exp(-3)), inside), (0, True))


PAIRS: dict[str, tuple[sp.Expr, sp.Expr, dict[sp.Symbol, tuple[object, object]]]] = {
    "Gaussian": (normal(1), normal(0), {}),
    "far Gaussian": (normal(2), normal(0), {}),
    "Laplace": (laplace(1), laplace(0), {}),
    "logistic": (logistic(R(1, 2)), logistic(0), {}),
    "mixture": (R(9, 10) * normal(0) + R(1, 10) * normal(1), normal(0), {}),
    "other mixture": (R(4, 5) * normal(0) + R(1, 5) * normal(1), normal(0), {}),
    "three": (R(7, 10) * normal(0) + R(1, 5) * normal(1) + R(1, 10) * normal(2), normal(0), {}),
    "both sides": ((normal(0) + normal(1)) / 2, (normal(0) + normal(-1)) / 2, {}),
    "quartic": (quartic(R(1, 4)), quartic(0), {}),
    "widths": (normal(0), normal(0, 2), {}),
    "cut Laplace": (cut_laplace(R(1, 2)), cut_laplace(0), {}),
    "common cut": (sp.exp(-T) / (1 - sp.exp(-R(1))), sp.exp(T) / (sp.E - 1), {T: (0, 1)}),
    "clamped": (
        sp.Piecewise((1 - sp.exp(-R(1)), N < 1), (sp.exp(-R(1)) / 2, True)),
        sp.Piecewise((1 - sp.exp(-R(1, 2)), N < 1), (sp.exp(-R(1, 2)) / 2, True)),
        {N: (0, 2)},
    ),
    "masses": (R(27, 65) * R(2, 3) ** N, R(1, 4) + 0 * N, {N: (0, 3)}),
}


@cache
def own(name: str) -> DensityPair:
    p, q, assumptions = PAIRS[name]
    return pv.derive_pair(p, q, N if (p + q).has(N) else T, assumptions).mechanism()


TWINS: dict[str, tuple[Mechanism, str]] = {
    "Gaussian": (pv.Gaussian(1), "far Gaussian"),
    "Laplace": (pv.Laplace(1), "Gaussian"),
    "mixture": (pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), "other mixture"),
}
"""The built-in one, and another pair that must be told apart."""

QUESTIONS: dict[str, Callable[[object], Enclosure]] = {
    "δ of one": lambda m: pv.delta(m, epsilon="0.05", digits=12),
    "δ of many": lambda m: pv.delta(200 * m, epsilon="1.5", digits=12),  # type: ignore[operator]
    "δ, add": lambda m: pv.delta(200 * m, epsilon="1", digits=12, adjacency="add"),  # type: ignore[operator]
    "ε": lambda m: pv.epsilon(200 * m, delta="1e-5", digits=8),  # type: ignore[operator]
    "Rényi": lambda m: pv.rdp(10 * m, order=3, digits=12),  # type: ignore[operator]
    "Poisson": lambda m: pv.delta(200 * pv.PoissonSubsampled(m, "0.2"), epsilon="1", digits=10),  # type: ignore[arg-type]
    "mixed": lambda m: pv.delta(50 * m + 3 * pv.Laplace(2) + pv.Gaussian(2), epsilon=2, digits=10),  # type: ignore[operator]
}


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("name", "question"),
    [
        ask for ask in product(TWINS, QUESTIONS) if ask != ("mixture", "Poisson")
    ],  # that twin is sampled already
)
def test_a_users_pair_is_its_built_in_twin(name: str, question: str) -> None:
    ask, (twin, _) = QUESTIONS[question], TWINS[name]
    answer = ask(own(name))
    assert answer.digits >= 8 and answer.overlaps(ask(twin))


@pytest.mark.parametrize("name", TWINS)
def test_another_pair_is_told_apart(name: str) -> None:
    twin, other = TWINS[name]
    ask = QUESTIONS["δ of many"]
    assert not ask(own(other)).overlaps(ask(twin))


@pytest.mark.parametrize("way", ["remove", "add"])
@pytest.mark.parametrize(
    ("count", "epsilon", "digits"), [(1, "0.05", 12), pytest.param(100, "0.5", 10, marks=pytest.mark.slow)]
)
def test_a_sampled_pair_is_the_mixture_written_out(way: str, count: int, epsilon: str, digits: int) -> None:
    sampled = count * pv.PoissonSubsampled(own("Gaussian"), "0.1")
    written = pv.delta(count * own("mixture"), epsilon=epsilon, adjacency=way, digits=digits)
    assert pv.delta(sampled, epsilon=epsilon, adjacency=way, digits=digits).overlaps(written)


def moment(name: str, lam: Fraction, support: list[object]) -> mpmath.mpf:
    """M(λ) by quadrature over the outcomes."""
    p, q, _ = PAIRS[name]
    integrand = sp.lambdify(T, p ** (lam + 1) * q ** (-lam), "mpmath")
    with mpmath.workdps(30):
        return mpmath.quad(integrand, support)


REAL_LINE: list[object] = [-40, -10, -3, -1, 0, 1, 3, 10, 40]


@pytest.mark.parametrize(
    ("name", "support"),
    [
        ("logistic", REAL_LINE),
        ("three", REAL_LINE),
        ("both sides", REAL_LINE),
        ("quartic", [-6, -2, -1, 0, 1, 2, 6]),
        ("widths", REAL_LINE),
        ("common cut", [0, 1]),
    ],
)
@pytest.mark.parametrize("lam", ["1/2", "3"])
def test_moments_are_those_of_quadrature(name: str, support: list[object], lam: str) -> None:
    found = pv.mgf(own(name), order=Fraction(lam), adjacency="remove", digits=18)
    value = moment(name, Fraction(lam), support)
    assert found.digits >= 18
    assert abs(mpmath.mpf(float(found.lower)) / value - 1) < 1e-14
    assert abs(mpmath.mpf(float(moment(name, Fraction(lam) + Fraction(1, 1000), support))) / value - 1) > 1e-6


@pytest.mark.slow
def test_two_logistic_steps_are_the_convolution_of_their_losses() -> None:
    """The loss of one has density e^{s/2}/(4 sinh(c/2)) on (−c, c), so that of two is known."""
    c, epsilon = mpmath.mpf(1) / 2, mpmath.mpf(1) / 2

    def density(s: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(s / 2) / (4 * mpmath.sinh(c / 2)) ** 2 * (2 * c - abs(s))

    brute = mpmath.quad(lambda s: density(s) * (1 - mpmath.exp(epsilon - s)), [epsilon, 2 * c])
    found = pv.delta(2 * own("logistic"), epsilon="1/2", digits=6)
    assert found.digits >= 6 and float(found.lower) <= float(brute) * (1 + 1e-12)
    assert float(found.upper) >= float(brute) * (1 - 1e-12)


@pytest.mark.parametrize("name", ["logistic", "three", "both sides", "common cut", "cut Laplace"])
def test_a_thousand_steps_have_15_digits(name: str) -> None:
    loss = pv.moments(own(name), adjacency="remove", digits=4).mean
    found = pv.delta(1000 * own(name), epsilon=round(1000 * float(loss.upper)), adjacency="remove", digits=15)
    assert found.engine == "contour" and found.digits >= 15 and found.lower > 0


@pytest.mark.parametrize(("name", "epsilon"), [("logistic", "2"), ("common cut", "3")])
def test_the_line_and_the_grid_agree(name: str, epsilon: str) -> None:
    line, grid = (
        pv.delta(12 * own(name), epsilon=epsilon, adjacency="remove", digits=4, engine=engine)
        for engine in ("contour", "grid")
    )
    assert line.overlaps(grid) and line.digits >= 4 and grid.digits >= 3


@pytest.mark.slow
def test_supports_that_differ_lose_infinitely_much() -> None:
    """P(q = 0) of noise cut to ±3 and moved by 1/2: the mass of the last half."""
    lost = (mpmath.exp(-mpmath.mpf("2.5")) - mpmath.exp(-3)) / (2 - 2 * mpmath.exp(-3))
    found = pv.delta(4 * own("cut Laplace"), epsilon=3, digits=12, adjacency="remove")
    assert abs(float(found.lower) / float(1 - (1 - lost) ** 4) - 1) < 1e-12
    assert pv.rdp(own("cut Laplace"), order=2).lower == float("inf")
    sampled = pv.delta(pv.PoissonSubsampled(own("cut Laplace"), "0.1"), epsilon=3, adjacency="remove")
    assert abs(float(sampled.lower) / float(lost / 10) - 1) < 1e-12


def test_lattice_masses_compose() -> None:
    """A geometric law cut to 0 … 3 against the uniform one, as a pair of vectors."""
    twin = pv.FinitePair([Fraction(27, 65) * Fraction(2, 3) ** n for n in range(4)], ["1/4"] * 4)
    for mechanism in (lambda m: 10 * m, lambda m: 10 * pv.PoissonSubsampled(m, "0.3")):
        answer, truth = (
            pv.delta(mechanism(m), epsilon="0.7", digits=12, adjacency="remove")
            for m in (own("masses"), twin)
        )
        assert answer.digits >= 12 and answer.overlaps(truth)


def test_clamping_beyond_both_centres_loses_nothing() -> None:
    """Laplace noise around 1/2 and 0 clamped to [−1, 2]; the mass of an end lies on an interval beside it."""

    def clamped(mean: object) -> sp.Expr:
        ends = (sp.exp(-(mean + 1)) / 2, T < -1), (laplace(mean), T < 2), (sp.exp(-(2 - mean)) / 2, True)
        return sp.Piecewise(*ends)

    pair = pv.derive_pair(clamped(R(1, 2)), clamped(0), T, {T: (-2, 3)}).mechanism()
    for count, epsilon in ((1, "0.2"), (1000, "130")):
        ours, twin = (
            pv.delta(count * each, epsilon=epsilon, adjacency="remove", digits=12)
            for each in (pair, pv.Laplace(2))
        )
        assert ours.digits >= 12 and ours.overlaps(twin)


def test_clamped_outcomes_compose() -> None:
    found = pv.delta(30 * own("clamped"), epsilon=1, digits=10)
    assert found.digits >= 10 and 0 < found.lower < 1


@pytest.mark.slow
def test_tails_trade_offs_and_distribution_functions() -> None:
    mechanism, twin = 100 * own("mixture"), 100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    for ask in (
        lambda m: pv.tail(m, epsilon="0.7", digits=3),
        lambda m: pv.privacy_loss_cdf(m, epsilon="0.7", digits=3),
        lambda m: pv.trade_off(m, alpha="0.1", digits=3),
    ):
        assert ask(mechanism).overlaps(ask(twin))


def test_moments_that_diverge_are_refused() -> None:
    """N(0, 4) against N(0, 1): M(λ) = ∞ from λ = 1/3 on."""
    with pytest.raises((NotSupported, pv.errors.NoConvergence)):
        pv.rdp(own("widths"), order=2, adjacency="add")


def test_what_is_no_pair_is_refused() -> None:
    with pytest.raises(InvalidInput, match="base must be"):
        pv.PoissonSubsampled("logistic", "0.1")  # type: ignore[arg-type]
