"""The prover: what it calls proved is true, what it calls disproved is false, and the rest is neither."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from pldverify.errors import OracleDisagreement
from pldverify.symbolic import Kind, State
from pldverify.symbolic.check.algebra import Generators
from pldverify.symbolic.check.prover import Prover, positive_on_box
from pldverify.symbolic.model.domain import Domain, Variable

X = sp.Symbol("x", real=True)
N = sp.Symbol("n", integer=True)
M = sp.Symbol("m_", integer=True, positive=True)
A, B = sp.Symbol("a", positive=True), sp.Symbol("b", positive=True)
ZERO, ONE = sp.Integer(0), sp.Integer(1)
PROVER = Prover(Domain.of({A: (ZERO, sp.oo)}))
UNIT = [Variable(X, ZERO, ONE)]


def test_an_equality_ends_in_three_ways() -> None:
    proved = PROVER.equal("a", (X + A) ** 2, X**2 + 2 * A * X + A**2, UNIT, kind=Kind.LOSS)
    assert proved.state is State.PROVED and proved.kind is Kind.LOSS and proved.argument == proved.how
    false = PROVER.equal("b", X, X + A, UNIT, correction="x − a")
    assert false.state is State.FAILED and false.disproved and false.right == "x − a"
    assert false.argument == f"disproved: {false.how}"
    unknown = PROVER.equal("c", sp.sin(X) ** 2 + sp.cos(X) ** 2, ONE, UNIT)
    assert unknown.state is State.FAILED and not unknown.disproved
    assert unknown.argument == f"no proof found: {unknown.how}"


def test_logarithms_of_surds_are_equal_by_their_exponentials() -> None:
    above, below = (sp.log(sp.sqrt(A + 1) + side) for side in (1, -1))
    assert PROVER.proves_equal(above + below, sp.log(A))
    assert not PROVER.proves_equal(above + below, -sp.log(A))


def test_a_correction_is_told_only_of_what_is_disproved() -> None:
    unknown = PROVER.equal("c", sp.sin(X) ** 2 + sp.cos(X) ** 2, ONE, UNIT, correction="nothing")
    assert unknown.right == ""


def test_nothing_missing_is_ever_equal() -> None:
    for value in (sp.nan, sp.zoo, sp.oo):
        assert not PROVER.proves_equal(value, value)
        assert PROVER.equal("nan", value, ONE).state is State.FAILED


@pytest.mark.parametrize(
    ("expression", "variable", "sign"),
    [
        (X, Variable(X, ZERO, ONE), 1),
        (1 - X, Variable(X, ZERO, ONE), 1),
        (X - 1, Variable(X, ZERO, ONE), -1),
        (X, Variable(X, -ONE, ONE), None),
        (sp.exp(X) - 2, Variable(X, sp.Integer(2), sp.oo, logarithmic=True), 1),
        (sp.log(2) - X, Variable(X, ZERO, sp.Integer(2), logarithmic=True), 1),
        (N**2 - N, Variable(N, ZERO, ONE, is_integer=True), 0),
        (N**2 - N, Variable(N, ZERO, sp.Integer(2), is_integer=True), None),
        ((N - 2) * (N - 5) + 3, Variable(N, ZERO, sp.Integer(9), is_integer=True), 1),
        (sp.log(X), Variable(X, -sp.oo, sp.oo), None),
        (sp.log(1 + X) - sp.Rational(1, 2), Variable(X, ZERO, sp.oo), None),
        (sp.log(sp.E + X) - 1, Variable(X, ZERO, sp.oo), 1),
        (sp.log(1 / (sp.E + X)) + 1, Variable(X, ZERO, sp.oo), -1),
        (X * sp.log(1 + A), Variable(X, -sp.oo, sp.oo), None),
        ((X + A) * sp.log(1 + A) - A, Variable(X, ZERO, sp.oo), None),
        ((X**2 - 1) / (X - 1), Variable(X, ZERO, sp.oo), None),  # undefined at 1
        (N - M + 1, Variable(N, M, M + 3, is_integer=True), 1),
        (M - N + 1, Variable(N, ZERO, M, is_integer=True), 1),
        (M - N - 1, Variable(N, ZERO, M - 2, is_integer=True), 1),
        (M - N, Variable(N, ZERO, M, is_integer=True), None),
    ],
)
def test_signs(expression: sp.Expr, variable: Variable, sign: int | None) -> None:
    assert PROVER.sign(expression, [variable]) == sign


def test_finitely_many_integers_are_taken_one_by_one_and_too_many_are_not() -> None:
    wiggle = (N - 2) * (N - 5) + 3  # 2 or −1/4 + 3 at the middle: not negative at an integer
    assert PROVER.sign(wiggle - sp.Rational(1, 2), [Variable(N, ZERO, sp.Integer(200), is_integer=True)]) == 1
    assert PROVER.sign(wiggle - 1, [Variable(N, ZERO, sp.Integer(200), is_integer=True)]) is None
    assert Variable(N, ZERO, sp.Integer(256), is_integer=True).terms(N) == []
    assert Variable(N, ZERO, A, is_integer=True).terms(N) == []
    assert Variable(X, ZERO, ONE).terms(X) == []


def test_arguments_of_logarithms_and_roots_need_proved_signs() -> None:
    assert PROVER.undefined(sp.log(X) + sp.sqrt(A), UNIT) == []
    assert PROVER.undefined(sp.log(X) + sp.sqrt(X - 1), UNIT) == [X - 1]
    assert PROVER.undefined(sp.log(sp.log(X)), UNIT) == [sp.log(X)]
    assert PROVER.undefined(sp.sqrt((X - 3) ** 2 + A), UNIT) == []
    assert PROVER.undefined((X - 2) ** A, UNIT) == [X - 2]
    assert PROVER.undefined((X - 2) ** 3 / (X - 2), UNIT) == []


@pytest.mark.parametrize("argument", [1 - X**2, 1 + X**3, 1 + X, 2 + X**2 - A * X, X**2 + X**4])
def test_a_sum_with_a_positive_term_need_not_be_positive(argument: sp.Expr) -> None:
    """Over all reals; the last one is 0 at 0."""
    assert PROVER.undefined(sp.log(argument)) == [argument]


def test_a_box_is_named_and_a_counterexample_beats_it() -> None:
    box = {A: (Fraction(1, 2), Fraction(2)), X: (Fraction(0), Fraction(1))}
    found = PROVER.positive("sin", 2 - sp.sin(A * X), UNIT, kind=Kind.MONOTONE, box=box)
    assert found.state is State.PROVED_ON_A_BOX and found.kind is Kind.MONOTONE
    false = PROVER.positive("x − 2", X - 2, UNIT, kind=Kind.MONOTONE, box=box)
    assert false.state is State.FAILED and false.disproved


def test_a_false_rule_is_seen_at_random_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted algebra for which everything is 0 and positive: proved, and refuted at once."""
    monkeypatch.setattr(Generators, "is_zero", lambda *_: True)
    monkeypatch.setattr(Generators, "sign", lambda *_: 1)
    with pytest.raises(OracleDisagreement):
        PROVER.equal("false", X, X + A / 10**30, UNIT)
    with pytest.raises(OracleDisagreement):
        Prover(Domain.of({})).positive(
            "false", N, [Variable(N, -sp.oo, sp.oo, is_integer=True)], kind=Kind.LOSS
        )
    assert PROVER.equal("true", sp.sin(X) ** 2 + sp.cos(X) ** 2, ONE, UNIT).state is State.PROVED


def test_points_of_an_attack_lie_in_the_domain() -> None:
    """Integers 3 ≤ t ≤ n, a loss in (log a, ∞), a symbol that is no variable, a negative parameter."""
    m = sp.Symbol("m", integer=True)
    domain = Domain.of({A: (ZERO, ONE), M: (sp.Integer(3), sp.oo), m: (-sp.oo, ZERO)})
    over = [Variable(N, sp.Integer(3), M, is_integer=True), Variable(X, A, sp.oo, logarithmic=True)]
    seen = 0
    gaps = [N - 3, M - N, 1 - A, A, sp.exp(X) - A, -m - 1, B]
    for point, functions in Prover(domain)._points(gaps, over):
        values = [f(*point.values()) for f in functions]
        assert all(float(v) >= 0 for v in values), point
        seen += 1
    assert seen >= 50


def test_symbols_of_one_name_are_not_attacked() -> None:
    """Balls know symbols by their names: x − x is 0 there."""
    assert list(PROVER._points([X - sp.Symbol("x", positive=True)], [])) == []


def test_what_balls_can_not_decide_is_given_up() -> None:
    """0 everywhere, or at one end, and no midpoint tells."""
    assert positive_on_box(sp.sin(X) ** 2 + sp.cos(X) ** 2 - 1, {X: (Fraction(1), Fraction(2))}, cap=50) == 0
    assert positive_on_box(X, {X: (Fraction(0), Fraction(1))}, cap=50) == 0


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-4, 4))
def test_a_box_is_never_wrong(a: int, b: int, c: int) -> None:
    box = {X: (Fraction(-1), Fraction(1))}
    expression = a * X**2 + b * X + c + sp.sin(X) / 8
    if positive_on_box(expression, box):
        points = [Fraction(k, 10) for k in range(-10, 11)]
        assert all(float(expression.subs(X, sp.Rational(str(p)))) > 0 for p in points)
