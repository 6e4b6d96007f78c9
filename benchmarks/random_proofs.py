"""Random signs and equalities for the prover of ``pldverify.symbolic``: nothing that it proves may be false.

    python benchmarks/random_proofs.py [--first SEED] [--count N]

A statement is made from its seed alone: powers with numbers, roots and symbols as exponents, logarithms,
exponentials, Abs, arctan and floor, in positive, bounded and real parameters, and integers of each sign.
An equality is one that holds under a hypothesis only, such as (ab)^n = a^n b^n, √(a²) = a,
log(ab) = log a + log b, with random a, b and n. What the prover calls proved is evaluated in
mpmath, which knows nothing of the prover, at exact points, special and random ones. A statement is *false* if

* a sign is proved of an expression that has another one there, or no real value at all,
* an equality is proved of sides that have real values there and differ,
* the prover refutes what it has proved.

The sides are kept as they were written, so that what sympy makes of them counts too. The exit code is 1 if
any was false.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import mpmath
import sympy as sp

from pldverify.errors import OracleDisagreement
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.domain import Domain, Variable

DIGITS = 60
POINTS = 24
TIE = mpmath.mpf(10) ** (10 - DIGITS)
LARGEST = 10**5
"""Of the binary logarithm of a power and the argument of an exponential: beyond it neither would end."""
ZERO, ONE, TWO, HALF = sp.Integer(0), sp.Integer(1), sp.Integer(2), sp.Rational(1, 2)

INTERVALS: dict[sp.Symbol, tuple[sp.Expr, sp.Expr]] = {
    sp.Symbol("c", positive=True): (ZERO, TWO),
    sp.Symbol("q", positive=True): (ZERO, ONE),
    sp.Symbol("sigma", positive=True): (ZERO, sp.oo),
    sp.Symbol("r", real=True): (-ONE, ONE),
    sp.Symbol("n", integer=True, positive=True): (ZERO, sp.oo),
    sp.Symbol("m", integer=True): (-sp.oo, ZERO),
    sp.Symbol("j", integer=True): (sp.Integer(-3), sp.Integer(3)),
    sp.Symbol("k", integer=True, nonnegative=True): (-ONE, sp.oo),
}
T = sp.Symbol("t", real=True)
ENDS = ((-sp.oo, sp.oo), (ZERO, sp.oo), (-ONE, ONE), (sp.Integer(-2), ZERO), (ONE, sp.Integer(3)))
SPECIAL = [Fraction(x) for x in ("0", "1", "-1", "1/2", "-1/2", "2", "-2", "3/2")]
EXPONENTS = (TWO, sp.Integer(3), -ONE, -TWO, sp.Integer(4), HALF, -HALF, sp.Rational(1, 3), sp.Rational(3, 2))


@dataclass(frozen=True)
class Statement:
    """``left`` has a sign (``right`` is None), or equals ``right``, for t in an interval; as written."""

    left: sp.Expr
    right: sp.Expr | None
    over: Variable

    def __str__(self) -> str:
        said = f"sign of {self.left}" if self.right is None else f"{self.left} = {self.right}"
        return f"{said}, t in ({self.over.lower}, {self.over.upper})"


def written(function: Callable[..., sp.Expr], *arguments: sp.Expr) -> sp.Expr:
    return function(*arguments, evaluate=False)


def leaf(pick: random.Random) -> sp.Expr:
    x = pick.choice([T, T, *INTERVALS])
    kind = pick.random()
    if kind < 0.5:
        return x
    if kind < 0.6:
        return pick.choice((ONE, TWO, HALF, sp.Integer(-1), sp.Integer(3)))
    number = pick.choice((ONE, TWO, HALF))
    return pick.choice((x - number, number - x, x + number))


def expression(pick: random.Random, depth: int) -> sp.Expr:
    """A random expression, not evaluated."""
    if depth == 0 or pick.random() < 0.1:
        return leaf(pick)
    inner, kind = expression(pick, depth - 1), pick.random()
    if kind < 0.2:
        return written(sp.Add, inner, expression(pick, depth - 1))
    if kind < 0.4:
        return written(sp.Mul, inner, expression(pick, depth - 1))
    if kind < 0.6:
        return written(sp.Pow, inner, pick.choice(EXPONENTS))
    if kind < 0.75:
        return written(sp.Pow, inner, pick.choice([*INTERVALS, T]))
    return written(pick.choice((sp.exp, sp.log, sp.Abs, sp.atan, sp.floor, sp.erf, sp.tanh, sp.Abs)), inner)


def rules(pick: random.Random) -> list[tuple[sp.Expr, sp.Expr]]:
    """Pairs of sides that are equal under a hypothesis, with random parts; a few are never equal."""
    a, b = (expression(pick, pick.choice((0, 0, 1))) for _ in range(2))
    p, k = pick.choice([*EXPONENTS, *INTERVALS]), pick.choice([*INTERVALS])
    minus, square = written(sp.Mul, sp.Integer(-1), a), written(sp.Pow, a, TWO)
    power, product = written(sp.Pow, a, p), written(sp.Mul, a, b)
    logarithm = written(sp.log, a)
    return [
        (written(sp.Pow, product, p), written(sp.Mul, power, written(sp.Pow, b, p))),
        (written(sp.Pow, minus, p), power),
        (written(sp.Pow, square, written(sp.Mul, HALF, p)), power),
        (written(sp.Pow, written(sp.Abs, a), p), power),
        (written(sp.Pow, square, HALF), a),
        (written(sp.Abs, a), a),
        (written(sp.Abs, product), written(sp.Mul, written(sp.Abs, a), b)),
        (written(sp.log, product), written(sp.Add, logarithm, written(sp.log, b))),
        (written(sp.log, square), written(sp.Mul, TWO, logarithm)),
        (written(sp.exp, written(sp.Mul, p, logarithm)), power),
        (written(sp.exp, written(sp.Mul, p, written(sp.log, written(sp.Abs, a)))), power),
        (power, written(sp.Mul, a, written(sp.Pow, a, p - 1))),
        (written(sp.Pow, power, k), written(sp.Pow, a, p * k)),
        (written(sp.Mul, power, written(sp.Pow, a, k)), written(sp.Pow, a, p + k)),
        (written(sp.atan, minus), written(sp.Mul, sp.Integer(-1), written(sp.atan, a))),
        (written(sp.erf, minus), written(sp.erf, a)),
        (written(sp.floor, a), a),
        (written(sp.floor, written(sp.Add, a, k)), written(sp.Add, written(sp.floor, a), k)),
        (written(sp.Pow, written(sp.Add, power, ONE), TWO), 1 + 2 * power + written(sp.Pow, power, TWO)),
    ]


def statement(seed: int) -> Statement:
    pick = random.Random(seed)
    over = Variable(T, *pick.choice(ENDS))
    if pick.random() < 0.5:
        return Statement(expression(pick, pick.choice((1, 2, 2, 3))), None, over)
    left, right = pick.choice(rules(pick))
    if pick.random() < 0.5:  # in a larger expression
        more, outside = expression(pick, 1), pick.choice((sp.Add, sp.Mul))
        left, right = (written(outside, side, more) for side in (left, right))
    return Statement(left, right, over)


def evaluated(e: sp.Basic) -> sp.Expr:
    """What sympy makes of an expression as it is written."""
    return e.func(*map(evaluated, e.args)) if e.args else e


FUNCTIONS = {
    sp.exp: mpmath.exp,
    sp.log: mpmath.log,
    sp.Abs: abs,
    sp.atan: mpmath.atan,
    sp.floor: mpmath.floor,
    sp.erf: mpmath.erf,
    sp.tanh: mpmath.tanh,
}


def value(e: sp.Basic, point: dict[sp.Basic, mpmath.mpf]) -> mpmath.mpf | None:
    """The real value at a point; None where there is none, or an integer that mpmath can not tell."""
    try:
        with mpmath.workdps(DIGITS):
            found = _value(e, point)
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return found if isinstance(found, mpmath.mpf) and mpmath.isfinite(found) else None


def _value(e: sp.Basic, point: dict[sp.Basic, mpmath.mpf]) -> mpmath.mpf:
    if e in point:
        return point[e]
    if isinstance(e, sp.Rational):
        return mpmath.mpf(int(e.p)) / int(e.q)
    if e in (sp.pi, sp.E):
        return +(mpmath.pi if e == sp.pi else mpmath.e)
    arguments = [_value(a, point) for a in e.args]
    if any(isinstance(a, mpmath.mpc) for a in arguments):
        raise ValueError(f"no real value in {e}")
    if isinstance(e, sp.Add):
        return mpmath.fsum(arguments)
    if isinstance(e, sp.Mul):
        return mpmath.fprod(arguments)
    if isinstance(e, sp.Pow):
        return real_power(*arguments)
    if type(e) not in FUNCTIONS:
        raise ValueError(f"mpmath is not asked for {e}")
    if isinstance(e, sp.floor) and 0 < abs(arguments[0] - mpmath.nint(arguments[0])) < TIE:
        raise ValueError("too close to an integer")
    if isinstance(e, sp.exp) and abs(arguments[0]) > LARGEST:
        raise OverflowError
    return FUNCTIONS[type(e)](arguments[0])


def real_power(base: mpmath.mpf, power: mpmath.mpf) -> mpmath.mpf:
    if abs(power) * max(1, abs(mpmath.mag(base) if base else 0)) > LARGEST:
        raise OverflowError
    if power == mpmath.nint(power):
        return base ** int(power)
    if base < 0:
        raise ValueError("no real value")
    return base**power


def points(seed: int, over: Variable) -> Iterator[dict[sp.Basic, mpmath.mpf]]:
    """Exact points of the domain: special numbers, and random ones."""
    pick = random.Random(-seed - 1)
    for _ in range(POINTS):
        point = {x: inside(*ends, bool(x.is_integer), pick) for x, ends in INTERVALS.items()}
        yield point | {T: inside(over.lower, over.upper, False, pick)}


def inside(lower: sp.Expr, upper: sp.Expr, is_integer: bool, pick: random.Random) -> mpmath.mpf:
    while True:
        special = pick.choice(SPECIAL)
        x = special if pick.random() < 0.5 else special + Fraction(pick.randint(-40, 40), pick.randint(1, 9))
        x = Fraction(round(x)) if is_integer else x
        if lower < sp.Rational(x.numerator, x.denominator) < upper:
            with mpmath.workdps(DIGITS):
                return mpmath.mpf(x.numerator) / x.denominator


def ending(seed: int) -> tuple[str, str]:
    """(proved sign, proved equality, not proved or FALSE; what is wrong)."""
    asked = statement(seed)
    left, right = (None if e is None else evaluated(e) for e in (asked.left, asked.right))
    if any(e is not None and e.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I) for e in (left, right)):
        return "no statement", ""
    prover = Prover(Domain.of(INTERVALS))
    try:
        if right is None:
            sign = prover.sign(left, [asked.over])
            return ("not proved", "") if sign is None else _sign_attacked(seed, asked, left, sign)
        return (
            _equality_attacked(seed, asked)
            if prover.proves_equal(left, right, [asked.over])
            else ("not proved", "")
        )
    except OracleDisagreement as error:
        return "FALSE", str(error)


def _sign_attacked(seed: int, asked: Statement, left: sp.Expr, sign: int) -> tuple[str, str]:
    for point in points(seed, asked.over):
        found, seen = value(asked.left, point), value(left, point)
        if seen is None and too_large(left, point):
            continue
        said = seen if found is None else found
        if said is None or mpmath.sign(said) != sign:
            return "FALSE", f"sign {sign}, but {said} at {shown(point)}"
    return "proved sign", ""


def too_large(e: sp.Expr, point: dict[sp.Basic, mpmath.mpf]) -> bool:
    """Whether a value is missing because a power is too large to be taken."""
    try:
        with mpmath.workdps(DIGITS):
            _value(e, point)
    except OverflowError:
        return True
    except (ZeroDivisionError, ValueError):
        return False
    return False


def _equality_attacked(seed: int, asked: Statement) -> tuple[str, str]:
    for point in points(seed, asked.over):
        first, second = value(asked.left, point), value(asked.right, point)
        if first is None or second is None:
            continue
        scale = max(1, abs(first), abs(second))
        if abs(first - second) > scale * mpmath.mpf(10) ** (-DIGITS // 2):
            return "FALSE", f"{mpmath.nstr(first, 9)} against {mpmath.nstr(second, 9)} at {shown(point)}"
    return "proved equality", ""


def shown(point: dict[sp.Basic, mpmath.mpf]) -> str:
    return ", ".join(f"{x} = {mpmath.nstr(v, 6)}" for x, v in point.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=20_000)
    options = parser.parse_args()
    endings: Counter[str] = Counter()
    try:
        for seed in range(options.first, options.first + options.count):
            how, detail = ending(seed)
            endings[how] += 1
            if how == "FALSE":
                print(f"FALSE: seed {seed}: {statement(seed)}\n    {detail}", flush=True)
    except KeyboardInterrupt:
        print(f"stopped after {endings.total()} statements")
    for how, times in endings.most_common():
        print(f"{times:8d}  {how}")
    return int(endings["FALSE"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
