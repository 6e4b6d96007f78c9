"""The two rules of the algebra: what they prove is true, and what is false is never proved."""

from contextlib import suppress

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from pldverify.symbolic.check.algebra import Generators
from pldverify.symbolic.check.polynomials import Irreducible
from pldverify.symbolic.check.prover import Prover, positive_on_box
from pldverify.symbolic.model.domain import Domain, Variable
from pldverify.symbolic.model.obligation import Kind, State

x, y = sp.symbols("x y", positive=True)
t = sp.Symbol("t", real=True)
q = sp.Symbol("q", positive=True)
UNIT = Domain.of({q: (sp.Integer(0), sp.Integer(1))})
R = sp.Rational


@pytest.mark.parametrize(
    "identity",
    [
        sp.exp(x + y) - sp.exp(x) * sp.exp(y),
        sp.log(x * y) - sp.log(x) - sp.log(y),
        sp.exp(sp.log(x) / 2) - sp.sqrt(x),
        sp.sqrt(x**2 + 2 * x + 1) - x - 1,
        (sp.sqrt(x + 1) - 1) * (sp.sqrt(x + 1) + 1) - x,
        (sp.sqrt(sp.sqrt(x + 1) + 1) - 1) ** 2 * (sp.sqrt(sp.sqrt(x + 1) + 1) + 1) ** 2 - x - 1,
        sp.erfc(t) + sp.erf(t) - 1,
        sp.erf(-t) + sp.erf(t),
        sp.erf(sp.sqrt(2) * t) - sp.erf(2 * t / sp.sqrt(2)),
        sp.tanh(x) - (sp.exp(2 * x) - 1) / (sp.exp(2 * x) + 1),
        x**t * x**y - x ** (t + y),
        sp.exp(sp.log(x) ** 2) - x ** sp.log(x),
        sp.log(8) - 3 * sp.log(2),
        sp.sqrt(sp.expand((x - 1) ** 4)) - (x - 1) ** 2,
        sp.sqrt(36 * x) - 6 * sp.sqrt(x),
    ],
)
def test_identities_reduce_to_zero(identity: sp.Expr) -> None:
    assert Generators().is_zero(identity)


@pytest.mark.parametrize(
    "falsehood",
    [
        sp.sqrt(t**2) - t,
        sp.sqrt((x - 1) ** 2) - (x - 1),
        sp.sqrt((x - 1) ** 3) - 1,
        sp.exp(x) - 1 - x,
        sp.erf(t) - t,
        sp.log(x + y) - sp.log(x) - sp.log(y),
        sp.erf(x / (1 + x)) - sp.erf(x),
        sp.erf(x / 2) - sp.erf(x),
        sp.exp(x) ** 2 - sp.exp(x**2),
        sp.sqrt(x**2 + y**2) - x - y,
        x - x * (1 + R(1, 10**40)),
    ],
)
def test_falsehoods_do_not(falsehood: sp.Expr) -> None:
    with suppress(Irreducible):
        assert not Generators().is_zero(falsehood)


def test_a_logarithm_of_something_negative_proves_nothing() -> None:
    with pytest.raises(Irreducible):
        Generators().is_zero(sp.log(-x - 1) - sp.log(-x - 1, evaluate=False) + sp.log(-x - 2))


@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (x**2 + x * y, 1),
        (-x / (1 + y), -1),
        (t**2 + 1, 1),
        (t**2 - t + 1, 1),
        (sp.sqrt(x**2 + y) - x, 1),
        (x - sp.sqrt(x**2 + y), -1),
        (sp.exp(x) - 1, 1),
        (2 * sp.exp(x) - 1, 1),
        (1 - sp.exp(-x * y), 1),
        (sp.exp(t) + 1, 1),
        (sp.E - 2 + x, 1),
        (sp.E * sp.exp(x) - 2, 1),
        (sp.erf(R(1, 2)) - 1, -1),
        (sp.erf(-R(1, 2)) + 1, 1),
        (t, None),
        (x - y, None),
        (t**2, None),
        (x - 1, None),
        (sp.exp(x) - 2, None),
        (sp.exp(t) - 1, None),
        (t + 1, None),
        (sp.E - 3 - x, -1),
        (sp.E - 3 + x, None),
        (sp.E * x - 3 * x + 1, None),
        (sp.atan(R(1, 2)) + sp.atan(R(1, 3)) - sp.pi / 4, None),
        (sp.exp(30 * x + 4 * y) + sp.exp(2 * y) - 2, 1),
        pytest.param(sp.exp(300 * x + 40 * y) + sp.exp(20 * y) - 2, 1, marks=pytest.mark.slow),
        (x - x, 0),
    ],
)
def test_signs(expression: sp.Expr, sign: int | None) -> None:
    assert Generators().sign(expression) == sign


def test_bounded_variables_are_expressed_by_positive_ones() -> None:
    prover = Prover(UNIT)
    assert prover.sign(1 - q) == 1
    assert prover.sign(q - 2) == -1
    assert prover.sign(q - R(1, 2)) is None
    s = sp.Symbol("s", real=True)
    above = [Variable(s, 1 - q, sp.oo, logarithmic=True)]
    assert prover.sign(sp.exp(s) - (1 - q), above) == 1
    assert (
        prover.sign(
            sp.log((sp.exp(s) - 1 + q) / q) / q, [Variable(s, sp.Integer(1), sp.oo, logarithmic=True)]
        )
        == 1
    )


@pytest.mark.parametrize(
    ("polynomial", "sign"),
    [(x + 1, 1), (-x * y - 1, -1), (x - 1, None), (t**2 + 1, 1), (-(t**2) - x, -1), (-(t**2), None)],
)
def test_terms_of_one_sign(polynomial: sp.Expr, sign: int | None) -> None:
    """One of them must be nowhere 0."""
    assert Generators()._coefficient_sign(polynomial) == sign


@pytest.mark.parametrize("unknown", [sp.floor(x), sp.Max(x, t), 1 + sp.exp(sp.ceiling(t))])
def test_a_node_without_generators_has_no_value(unknown: sp.Expr) -> None:
    assert not Generators().knows(unknown)


polynomials = st.lists(st.integers(-3, 3), min_size=1, max_size=4)


@given(polynomials, polynomials, st.integers(0, 2))
def test_a_claimed_sign_is_the_sign_everywhere(top: list[int], bottom: list[int], shape: int) -> None:
    base = [x, sp.exp(x), sp.sqrt(x + 1)][shape]
    numerator = sum((c * base**i for i, c in enumerate(top)), start=sp.Integer(0))
    denominator = sum((c * base**i for i, c in enumerate(bottom)), start=sp.Integer(0))
    if denominator == 0:
        return
    quotient = numerator / denominator
    sign = Generators().sign(quotient)
    if sign is None:
        return
    for point in (R(1, 100), R(1, 3), R(1), R(5, 2), R(40)):
        if denominator.subs(x, point) == 0:  # a pole, where the quotient is nothing
            continue
        value = quotient.subs(x, point)
        assert sp.sign(sp.N(value, 60)) == sign


@given(polynomials, polynomials)
def test_products_equal_their_expansions_and_nothing_else(a: list[int], b: list[int]) -> None:
    first = sum((c * sp.exp(i * t) for i, c in enumerate(a)), start=sp.Integer(0))
    second = sum((c * sp.exp(-i * t) for i, c in enumerate(b)), start=sp.Integer(0))
    product = sp.expand(first * second)
    assert Generators().is_zero(first * second - product)
    assert not Generators().is_zero(first * second - product - sp.exp(t) / 10**30)


def test_the_prover_has_three_ends() -> None:
    prover = Prover(UNIT)
    assert prover.equal("a", q * (1 - q), q - q**2).state is State.PROVED
    wrong = prover.equal("b", q * (1 - q), q + q**2, correction="minus")
    assert wrong.disproved and wrong.right == "minus"
    unknown = prover.equal("c", sp.sin(q) ** 2 + sp.cos(q) ** 2, sp.Integer(1))
    assert unknown.state is State.FAILED and not unknown.disproved
    assert unknown.argument == f"no proof found: {unknown.how}"


def test_signs_on_a_box_are_called_that() -> None:
    prover = Prover(UNIT)
    box = dict(UNIT.box)
    found = prover.positive("d", sp.sin(q) - q / 2, kind=Kind.POSITIVE, box=box)
    assert found.state is State.PROVED_ON_A_BOX and "q ∈ [1/10, 9/10]" in found.how
    assert prover.positive("e", sp.sin(q) - R(9, 10) * q, kind=Kind.POSITIVE, box=box).state is State.FAILED
    assert positive_on_box(sp.sin(q) - q, box) == 0


@pytest.mark.parametrize(
    ("polynomial", "sign"),
    [
        (x**2 - x + 1, 1),
        (-(x**2) + x - 1, -1),
        (t**4 - t + 1, 1),
        (-(t**4) + t - 1, -1),
        (x**2 - 3 * x + 1, None),
        (t**3 - t + 1, None),
    ],
)
def test_a_polynomial_without_roots_has_one_sign(polynomial: sp.Expr, sign: int | None) -> None:
    """x > 0, t real."""
    assert Generators._univariate_sign(sp.Poly(polynomial)) == sign


@pytest.mark.parametrize(("power", "sign"), [(2, 1), (4, 1), (1, None), (3, None)])
def test_numbers_as_coefficients_of_powers_of_a_real(power: int, sign: int | None) -> None:
    assert Generators().sign((sp.sqrt(2) - 1) * t**power + sp.sqrt(3) - 1) == sign


def test_a_surd_that_may_vanish_has_no_sign() -> None:
    """−x + √(x²) is 0, and neither negative as −x is nor positive."""
    assert Generators()._surd_sign(-x, sp.Integer(1), x**2) is None
    assert Generators()._surd_sign(-x, sp.Integer(2), x**2) == 1
    assert Generators()._surd_sign(-2 * x, sp.Integer(1), x**2) == -1


def test_a_sum_of_powers_has_the_sign_of_its_base_at_most() -> None:
    k = sp.Symbol("k", integer=True, nonnegative=True)
    for base, sign in ((x, 1), (1 + x, 1), (t, None), (x - 1, None)):
        assert Generators().sign(sp.Sum(base**k * sp.binomial(3, k), (k, 0, 3))) == sign
    for empty in ((5, 3), (2, 1)):
        assert Generators().sign(sp.Sum(x**k, (k, *empty))) is None


def test_a_root_of_a_negative_factor_is_that_of_its_modulus() -> None:
    """√(2 − 2t) √(1 − t) = √2 (1 − t) for t < 1, and not √2 (t − 1)."""
    prover, below = Prover(Domain.of({})), [Variable(t, -sp.oo, sp.Integer(1))]
    product = sp.sqrt(2 - 2 * t) * sp.sqrt(1 - t)
    assert prover.proves_equal(product, sp.sqrt(2) * (1 - t), below)
    assert not prover.proves_equal(product, sp.sqrt(2) * (t - 1), below)
    known = Generators(known=[1 - x])
    assert known.is_zero(sp.sqrt(2 - 2 * x) * sp.sqrt(1 - x) - sp.sqrt(2) * (1 - x))
    assert known.is_zero(sp.sqrt((1 - x) * (t + 2)) - sp.sqrt(1 - x) * sp.sqrt(t + 2))  # of unknown sign
    assert not known.is_zero(sp.sqrt((1 - x) * (t + 2)))
