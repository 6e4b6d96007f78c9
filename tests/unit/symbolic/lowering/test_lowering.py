"""Lowerings of one expression: sympy's value is in the ball; unknown nodes are refused."""

from collections.abc import Callable
from fractions import Fraction

import pytest
import sympy as sp
from flint import acb, arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from pldverify.errors import InvalidInput, NotSupported
from pldverify.symbolic import Derivation
from pldverify.symbolic.lowering import to_acb, to_arb
from pldverify.symbolic.model.densities import EPSILON, S

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True)

EXPRESSIONS = [
    x**2 - 3 * x + sp.Rational(1, 7),
    sp.exp(-(x**2)) / sp.sqrt(2 * sp.pi),
    sp.log(1 + x**2) * sp.atan(x),
    sp.erf(x) + sp.erfc(y) - sp.erfi(x / 4),
    sp.Abs(x - y) + sp.sign(x - y + sp.sqrt(2)),
    sp.Max(x, y, 1) - sp.Min(x, y),
    sp.sin(x) * sp.cosh(y / 3) + sp.tanh(x) - sp.cos(y) / (2 + sp.sinh(x) ** 2) + sp.tan(x / 100),
    sp.gamma(2 + x**2) / sp.factorial(3) + sp.loggamma(1 + y**2) + sp.binomial(7, 3),
    (1 + x**2) ** sp.Rational(1, 3) + (2 + y**2) ** x + sp.E**2,
    sp.Piecewise((x, x < 0), (x**2, x <= 1), (sp.Integer(1), True)),
    sp.Sum(sp.binomial(6, n) * x**n, (n, 0, 6)),
    sp.floor(x + sp.sqrt(2)) + sp.ceiling(y - sp.sqrt(3)),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("expression", EXPRESSIONS)
@settings(max_examples=25)
@given(st.fractions(-3, 3, max_denominator=50), st.fractions(-3, 3, max_denominator=50))
def test_two_ways(expression: sp.Expr, a: Fraction, b: Fraction) -> None:
    agree(expression, {x: a, y: b})


def agree(expression: sp.Expr, values: dict[sp.Symbol, Fraction], same: sp.Expr | None = None) -> None:
    """Sympy's value is in the ball; ``same`` is what sympy is asked where it has no value of that."""
    symbols = list(values)
    exact = {symbol: sp.Rational(value.numerator, value.denominator) for symbol, value in values.items()}
    estimate = (same or expression).subs(exact).evalf(80)
    with ctx.workprec(200):
        enclosure = to_arb(expression, symbols)(*values.values())
        rounding = arb(0, arb(2) ** -170) * (1 + abs(enclosure))
        assert enclosure.is_finite() and enclosure.rad() < arb("1e-40") * (1 + abs(enclosure))
        assert (enclosure + rounding).contains(arb(str(estimate)))


FORMULAS = [
    ("gaussian(sigma=2)", "remove"),
    ("poisson(gaussian(sigma=1), q=1/10)", "remove"),
    ("poisson(gaussian(sigma=1), q=1/10)", "add"),
    ("kjh19_substitute(gaussian(sigma=1), q=1/10)", "replace"),
    ("laplace(b=2)", "remove"),
    ("poisson(laplace(b=1), q=1/10)", "remove"),
]


@pytest.mark.parametrize(("text", "direction"), FORMULAS)
def test_derived_formulas_two_ways(text: str, direction: str, derived: Callable[..., Derivation]) -> None:
    found = derived(text, direction)
    piece = found.only_piece()
    t = found.outcome
    outcome = {t: Fraction(2, 5)}
    values = {s: sp.Rational(v.numerator, v.denominator) for s, v in {**found.values, **outcome}.items()}
    level = Fraction(int(piece.loss.subs(values).evalf(30) * 2**40), 2**40)
    for formula in (piece.loss, piece.slope, piece.region.p):
        agree(formula, {**found.values, **outcome})
    for formula in (piece.inverse, piece.jacobian, piece.density):
        assert formula is not None
        agree(formula, {**found.values, S: level})
    assert found.delta is not None
    agree(found.delta, {**found.values, EPSILON: level})


@pytest.mark.parametrize(
    ("sigma", "shift", "most"),
    [
        (Fraction(1, 2), Fraction(1, 3), 15),
        (Fraction(3), Fraction(7, 2), 90),
        pytest.param(Fraction(10), Fraction(-5), 300, marks=pytest.mark.slow),
    ],
)
def test_theta_series_two_ways(sigma: Fraction, shift: Fraction, most: int) -> None:
    """Terms beyond ±most are below e^{−400}."""
    s = sp.Symbol("s", positive=True)
    term = sp.exp(-((n - x) ** 2) / (2 * s**2))
    series = sp.Sum(term, (n, -sp.oo, sp.oo))
    finite = sp.Add(*(term.subs(n, k) for k in range(-most, most + 1)))
    agree(series, {s: sigma, x: shift}, same=finite)


@pytest.mark.parametrize("node", [sp.zeta(x), sp.besselj(0, x), sp.Function("f")(x), sp.Heaviside(x)])
def test_unknown_nodes_are_refused(node: sp.Expr) -> None:
    with pytest.raises(NotSupported, match="does not know the node"):
        to_arb(1 + node, [x])


def test_unknown_symbols_sums_and_values_are_refused() -> None:
    with pytest.raises(InvalidInput, match="symbols must be among x, got y"):
        to_arb(x + y, [x])
    with pytest.raises(NotSupported, match="Gaussian terms only"):
        to_arb(sp.Sum(1 / (1 + n**2), (n, -sp.oo, sp.oo)), [])
    with pytest.raises(NotSupported, match="summation bound"):
        to_arb(sp.Sum(n, (n, 0, x)), [x])(Fraction(1, 2))
    with pytest.raises(InvalidInput, match="a ball must be made from"):
        to_arb(x, [x])("1/2")  # type: ignore[arg-type]


def test_outside_its_domain_a_ball_is_not_finite() -> None:
    assert not to_arb(sp.log(x), [x])(-1).is_finite()
    assert not to_arb(1 / x, [x])(0).is_finite()
    assert not to_arb(sp.sqrt(x), [x])(arb(0, 1)).is_finite()
    assert not to_arb(sp.Piecewise((x, x < 0)), [x])(1).is_finite()


def test_an_undecided_branch_gives_the_hull() -> None:
    step = sp.Piecewise((sp.Integer(0), x < 0), (sp.Integer(1), True))
    value = to_arb(step, [x])(arb(0, 1))
    assert value.contains(0) and value.contains(1)


@pytest.mark.parametrize(
    "node", [sp.log(x), sp.sqrt(x), x ** sp.Rational(1, 3), sp.Abs(x), sp.sign(x), sp.Max(x, 0), sp.floor(x)]
)
def test_integrands_say_where_they_are_not_holomorphic(node: sp.Expr) -> None:
    integrand = to_acb(node, x)
    across = acb(arb(0, 1), arb(0, 1))
    assert not integrand(across, True).is_finite()
    assert integrand(acb(arb("2.5", "0.25")), True).is_finite()


@pytest.mark.parametrize(
    ("node", "exact"),
    [(sp.sqrt(x), Fraction(14, 3)), (sp.Abs(x - 2), Fraction(5, 2)), (sp.Max(x, 2), Fraction(8))],
)
def test_integrals_over_kinks_and_near_cuts_are_enclosed(node: sp.Expr, exact: Fraction) -> None:
    value = acb.integral(to_acb(node, x), 1, 4).real
    assert value.contains(arb(exact.numerator) / exact.denominator)
    assert value.rad() < arb("1e-6")
