"""Expressions of numbers: rational ones are exact, the others enclosed; any text is a number or bad input."""

import math
from fractions import Fraction
from operator import add, mul, sub, truediv

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pldverify.errors import InvalidInput
from pldverify.numbers import functions
from pldverify.numbers.exact import count, positive, probability, rational, real, show
from pldverify.numbers.interval import Interval
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.literal import MAX_BITS


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("256/60000", Fraction(256, 60000)),
        ("1%", Fraction(1, 100)),
        ("12.5 %", Fraction(1, 8)),
        ("10_000", Fraction(10_000)),
        ("2^10", Fraction(1024)),
        ("2**10", Fraction(1024)),
        ("2**-2", Fraction(1, 4)),
        ("-2^2", Fraction(-4)),  # as in Python, and in mathematics
        ("(-2)^2", Fraction(4)),
        ("2^3^2", Fraction(512)),
        ("1 - 2 - 3", Fraction(-4)),
        ("8 / 4 / 2", Fraction(1)),
        ("1 + 2 * 3", Fraction(7)),
        ("--3", Fraction(3)),
        ("+-3", Fraction(-3)),
        ("1/(3 - 1)", Fraction(1, 2)),
        ("sqrt(9/4)", Fraction(3, 2)),
        ("4^(1/2)", Fraction(2)),
        ("ln(1)", Fraction(0)),
        ("exp(0)", Fraction(1)),
        ("0 * sqrt(2)", Fraction(0)),
    ],
)
def test_what_is_rational_is_exact(text: str, meant: Fraction) -> None:
    assert real(text, "x") == rational(text, "x") == meant


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sqrt(2)", lambda: mpmath.sqrt(2)),
        ("ln(10)", lambda: mpmath.log(10)),
        ("log(10)", lambda: mpmath.log(10)),
        ("exp(-3)", lambda: mpmath.exp(-3)),
        ("1/(50000*ln(50000))", lambda: 1 / (50000 * mpmath.log(50000))),
        ("pi", lambda: mpmath.pi()),
        ("2^0.3", lambda: mpmath.power(2, mpmath.mpf(3) / 10)),
        ("(1 - sqrt(2))^3", lambda: (1 - mpmath.sqrt(2)) ** 3),
        ("10^-10 * pi - exp(1)/3", lambda: mpmath.pi() / 10**10 - mpmath.e() / 3),
    ],
)
def test_what_is_not_is_enclosed_and_never_rounded(text: str, value: object) -> None:
    found = real(text, "x")
    assert isinstance(found, Irrational)
    with mpmath.workdps(200):
        middle = rational(value(), "x")  # type: ignore[operator]
    assert found.lower < middle - abs(middle) / 10**190 < middle + abs(middle) / 10**190 < found.upper
    assert found.upper - found.lower < abs(middle) / 2**290
    assert show(found) == str(found) == text and real(show(found), "x") == found


def test_a_rounded_root_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The teeth of the test above: a root in doubles lies outside of the ends of the true one."""
    true = real("sqrt(2)", "x")
    monkeypatch.setitem(functions.FUNCTIONS, "sqrt", lambda a: Fraction(math.sqrt(a)))  # type: ignore[arg-type]
    planted = real("sqrt(2)", "x")
    assert isinstance(true, Irrational) and isinstance(planted, Fraction)
    assert not true.lower < planted < true.upper


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one", "must have a number, or one of exp, ln, log, sqrt, pi at character 1, got 'one'"),
        ("squrt(2)", r"\(did you mean sqrt\?\)"),
        ("1 2", "must have an operator or the end at character 3, got '2'"),
        ("(1", r"must have '\)' at character 3, got the end"),
        ("1,000", "write 1.000 or 1000"),
        ("50%%", "at character 4, got '%'"),
        ("(1)/0", r"must not divide by zero, got \(1\)/0"),
        ("1/(sqrt(2) - sqrt(2))", "must be defined: no division by 0"),
        ("sqrt(-1)", "must be defined: .* got sqrt"),
        ("ln(0)", "must be defined: .* got ln"),
        ("sqrt(2)^2 - 2", "must be told from 0"),
        ("2^(10^10)", "must have a moderate exponent"),
        ("2^2^2^2^2^2^2", "must have a moderate exponent"),
        ("exp(10^6)", "must have a moderate exponent"),
        ("exp(exp(exp(3)))", "must have a moderate exponent"),
        ("exp(9000) * exp(9000)", "must be of moderate size"),
        ("1e4000 * 1e4000", f"must be a ratio of integers of at most {MAX_BITS} bits"),
        ("sqrt", r"must have '\('"),
        ("(" * 60 + "1" + ")" * 60, "must nest at most 50 brackets"),
        ("^".join("1" * 60), "must nest at most 50 brackets"),
        ("__import__('os')", "must have a number, or one of"),
        ("1+" * 5000 + "1", "have at most 9000 characters, got 10001"),
    ],
)
def test_what_is_no_number_is_refused_with_the_place(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=f"^q must (.* )?{said}") as caught:
        real(text, "q")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 350


def test_commas_group_digits_where_that_is_asked_for() -> None:
    assert real("60,000", "n", groups=True) == 60_000
    assert real("256/60,000", "n", groups=True) == Fraction(256, 60_000)
    assert real("1,234,567.5", "n", groups=True) == Fraction(2469135, 2)
    for text in ("10,00", "1,0000", "1,2", "1_0,000", "a,000", ",100", "1,000,00"):
        with pytest.raises(InvalidInput):
            real(text, "n", groups=True)


@pytest.mark.parametrize("read", [count, positive, probability, rational])
def test_a_number_that_is_not_rational_is_refused_by_name(read: object) -> None:
    with pytest.raises(InvalidInput, match=r"^q must be rational, got q=1/pi$"):
        read("1/pi", "q")  # type: ignore[operator]


def test_order_is_certain_or_an_error() -> None:
    root = real("sqrt(2)", "x")
    assert isinstance(root, Irrational)
    assert 1 < root < 2 and root > 1 and root >= 1 and root <= 2 and not root < 1 and not root > 2
    assert positive(root, "x", real) == root and float(root) == math.sqrt(2)
    assert (root + Fraction(1)).lower == root.lower + 1 and (root - Fraction(1)).upper == root.upper - 1
    for compare in (root.__lt__, root.__gt__, root.__le__, root.__ge__):
        with pytest.raises(InvalidInput, match="must be told from"):
            compare(root.middle)


Tree = tuple[str, Fraction | None]
"""A text, and what it means by arithmetic of Fractions; None for a division by zero."""
NUMBERS: st.SearchStrategy[Tree] = st.sampled_from(
    [
        ("1", Fraction(1)),
        ("2", Fraction(2)),
        (".5", Fraction(1, 2)),
        ("10_000", Fraction(10_000)),
        ("1e-3", Fraction(1, 1000)),
        ("7%", Fraction(7, 100)),
    ]
)


def both(left: Tree, symbol: str, right: Tree) -> Tree:
    a, b = left[1], right[1]
    operate = {"+": add, "-": sub, "*": mul, "/": truediv}[symbol]
    value = None if a is None or b is None or (symbol == "/" and b == 0) else operate(a, b)
    return f"({left[0]} {symbol} {right[0]})", value


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.builds(both, inner, st.sampled_from("+-*/"), inner) | inner.map(
        lambda tree: (f"-({tree[0]})^2", None if tree[1] is None else -(tree[1] ** 2))
    )


@given(st.recursive(NUMBERS, larger, max_leaves=12))
@example(both(("-(2)^2", Fraction(-4)), "/", ("(1 - 1)", Fraction(0))))
def test_trees_of_rationals_mean_what_fractions_compute(tree: Tree) -> None:
    text, meant = tree
    if meant is None:
        with pytest.raises(InvalidInput):
            rational(text, "x")
    else:
        assert rational(text, "x") == meant


PIECES = st.sampled_from(
    [*"()+-*/^%,.", "**", "1", "0.5", "1e9", "1e-9", "sqrt", "ln", "exp", "pi", " ", "inf"]
)


@given(st.text(max_size=40) | st.lists(PIECES, max_size=40).map("".join))
def test_any_text_ends_in_a_number_or_in_bad_input(text: str) -> None:
    try:
        found = real(text, "x", groups=True)
    except InvalidInput as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(found, Fraction | Irrational)
        if isinstance(found, Irrational):
            assert found.lower < found.upper and found.lower * found.upper > 0


@pytest.mark.parametrize("text", ["1.5/2", "256.0/60000", "1e-5/3", "-.5/4"])
def test_a_decimal_is_divided(text):
    top, bottom = text.split("/")
    assert real(text, "q") == Fraction(top) / Fraction(bottom)


@pytest.mark.parametrize("other", [0.1, Interval(1, 2)])
def test_an_irrational_number_takes_nothing_that_is_rounded_or_wide(other):
    root = real("sqrt(2)", "sigma")
    for wrong in (lambda: root + other, lambda: root - other):
        with pytest.raises(TypeError):
            wrong()
    assert (root + 1).lower == root.lower + 1


def test_a_decimal_comma_is_answered_with_a_point() -> None:
    with pytest.raises(InvalidInput, match=r"got sigma='1,1': write 1\.1$"):
        real("1,1", "sigma")
