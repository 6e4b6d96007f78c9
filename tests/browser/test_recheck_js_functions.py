"""Function by function, the checker in JavaScript gives the integers that the checker in Python gives.

Or what the definition says, where Python has the function itself. Floats, which only choose, are the same in
both (``same_floats``), so nothing may differ: no unit in the last place, no end of a limit, no hint.
"""

import json
import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.two_checkers import JAVASCRIPT, NUMBERS, certificate, comparable, one, python, sealed, stated
from pldverify import recheck
from tests.browser.node import Ask, asking

FUNCTIONS = Path(__file__).with_name("functions.js")
LN2 = 0.6931471805599453
MAX_PRIME = 94_000_000
"""Of recheck.js: products of two numbers below it are exact doubles."""


# --- the same floats ---


def log(x: Any) -> float:
    """As in ``functions.js``: of + − × ÷ alone, and a multiple of 2^−60."""
    if isinstance(x, int) and x.bit_length() > 1000:
        return log(float(x >> x.bit_length() - 1000)) + (x.bit_length() - 1000) * LN2
    x, e = float(x), 0
    if not 0 < x < math.inf:
        raise ValueError("math domain error")
    for k in (512, 256, 128, 64, 32, 16, 8, 4, 2, 1):
        if x >= 2.0**k:
            x, e = x / 2.0**k, e + k
        if x < 2.0**-k:
            x, e = x * 2.0**k, e - k
    if x > 1.5:
        x, e = x / 2, e + 1
    t, series = (x - 1) / (x + 1), 0.0
    for i in range(16, -1, -1):
        series = series * t * t + 1 / (2 * i + 1)
    return math.floor((2 * t * series + e * LN2) * 2.0**60 + 0.5) / 2**60


def exp(x: float) -> float:
    n = math.floor(x / LN2 + 0.5)
    r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10
    series, half = 1.0, n // 2
    for i in range(20, 0, -1):
        series = 1 + (series * r) / i
    return series * 2.0**half * 2.0 ** (n - half)


def in_order(numbers: Any, start: Any = 0) -> Any:
    """The sum, one after the other: later Pythons' own is of more digits."""
    for each in numbers:
        start = start + each
    return start


@contextmanager
def same_floats() -> Iterator[None]:
    """Logarithms and powers of the Python checker are those of ``functions.js``."""
    own = {"log": log, "exp": exp, "expm1": lambda x: exp(x) - 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "math", SimpleNamespace(**vars(math) | own))
        patch.setattr(recheck, "sum", in_order, raising=False)
        yield


# --- what is compared ---


def shown(x: Any) -> Any:
    """As ``shown`` in ``functions.js`` has it."""
    if x is None or x is ... or isinstance(x, bool | str):
        return x
    if isinstance(x, Fraction | int):
        return str(x)
    if isinstance(x, float):
        return str(int(x)) if x.is_integer() and abs(x) < 2**53 else x
    if isinstance(x, recheck.Measure):
        return shown([x.level, x.start, x.mass, x.infinite, x.shift, x.q])
    if isinstance(x, recheck.Cell):
        return shown([x.index, x.p, x.r, x.endless, x.width])
    if isinstance(x, recheck.Claim):
        return shown([*x[:3], [*x.parts], *x[4:]])
    if isinstance(x, recheck.Law):
        pair, known = isinstance(x, recheck.Pair), isinstance(x, recheck.Known)
        centres = [x.noise, x.p, x.q, x.ends, x.far] if pair else []  # type: ignore[attr-defined]
        more = x.rows if known else [getattr(x, "pair", None if pair else getattr(x, "q", None))]  # type: ignore[attr-defined]
        return shown([type(x).__name__, x.symmetric, x.outcomes, x.most, x.rho, centres, [*more]])
    return [shown(each) for each in x]


def tried(find: Callable[[], Any]) -> Any:
    """What it is, or why there is none; errors of floats and integers have other words in JavaScript."""
    try:
        return shown(find())
    except (recheck.Beyond, recheck.Rejected) as error:
        return [type(error).__name__, str(error)]
    except (ArithmeticError, ValueError):
        return ["Beyond", ...]


def alike(ours: Any, theirs: Any) -> bool:
    """Whether both are the same, but for the words that are left open."""
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(alike, ours, theirs))
    return ours is ... or (type(ours) is type(theirs) and ours == theirs)


def any_order(rows: Any) -> list[str]:
    return sorted(json.dumps(shown(row), separators=(",", ":")) for row in rows)


Row = Any
Table = dict[str, tuple[Callable[[Row], Any], list[Row]]]
"""Of a function in ``functions.js``: what it should give for a row, and rows."""


@cache
def expected(table: Callable[[], Table], every: int) -> dict[str, tuple[list[Row], list[Any]]]:
    """One of so many rows, and what they should give: found once, as many planted errors are shown them."""
    with same_floats():
        return {
            name: (rows[::every], [tried(partial(find, row)) for row in rows[::every]])
            for name, (find, rows) in table().items()
        }


def compared(ask: Ask, table: Callable[[], Table], every: int = 1) -> None:
    for name, (rows, ours) in expected(table, every).items():
        theirs = ask("(name, rows) => rows.map((row) => tried(() => ASKED[name](row)))", name, rows)
        for row, a, b in zip(rows, ours, theirs, strict=True):
            assert alike(a, b), (name, row, a, b)


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with asking(JAVASCRIPT, FUNCTIONS) as ask:
        yield ask


# --- constants, integers, rational numbers ---


def constants(_: Row) -> Any:
    c = recheck
    around = [
        [name, keys, sorted(may), assumed, [[way, sorted(x)] for way, x in bases.items()]]
        for name, (keys, may, assumed, bases) in c.AROUND.items()
    ]
    return [
        *(c.SCHEMA, c.PREDICATE, c.PAYLOAD, c.STATEMENT, c.MAX_BYTES, c.MAX_DEPTH, c.MAX_PARTS, c.MAX_COUNT),
        *(c.MAX_CHARS, c.MAX_EXPONENT, c.MAX_CENTRES, c.MAX_OUTCOMES, float(c.FAR), c.SIZES, c.FINER, c.WORK),
        *(c.ADJACENCIES, c.VERDICTS, c.STANDINGS, [*c.ASSUMPTIONS.items()]),
        [[name, names] for name, (names, _) in c.LAWS.items()],
        *(
            *(sorted(x) for x in (c.NOISE, c.POISSON, c.PLAIN, c.FALLS, c.LISTS, c.RATIONAL)),
            *([*x.items()] for x in (c.GIVEN, c.SCALED)),
            [*c.KEYS],
        ),
        *(around, c.WIDE.bits, [*c.BINDS.items()]),
    ]


def whole(row: Row) -> Any:
    a, b = map(int, row)
    return [a // b, -(-a // b), max(a, b), min(a, b), abs(a), 2 * a + b, math.gcd(a, b)]


def of(row: Row) -> Any:
    return Fraction(*map(int, row))


def rationals(row: Row) -> Any:
    x, y = map(Fraction, row)
    order = (x > y) - (x < y)
    return [
        *(x + y, x - y, x * y, -x, abs(x), (x > 0) - (x < 0), x**3, order, x < y, x == y, x // 1),
        *(float(x), float(x), 2 * x + y, max(x, y), max(x, y), min(x, y), min(x, y)),
        *(tried(lambda: x / y), tried(lambda: 1 / y), x and recheck._log(abs(x))),
    ]


def same(row: Row) -> Any:
    x, y = ([tuple(map(Fraction, pair)) for pair in pairs] for pairs in row)
    return [sorted(x) == sorted(y)] * 2


def fractions(rng: random.Random, count: int, digits: int = 9) -> list[str]:
    """Of all sizes, whole ones and 0 among them."""
    return [
        str(Fraction(rng.randint(-(10 ** rng.randint(0, digits)), 10**digits), 10 ** rng.randint(0, digits)))
        for _ in range(count)
    ]


def arithmetic() -> Table:
    rng = random.Random(1)
    small = [[str(a), str(b)] for a in range(-9, 10) for b in range(1, 6)]
    large = [[str(rng.randint(-(10**40), 10**40)), str(rng.randint(1, 10**20))] for _ in range(40)]
    naturals = [*range(70), *(2**k + j for k in range(6, 90, 7) for j in (-1, 0, 1))]
    naturals += [*(k * k + j for k in (99, 10**30 + 7) for j in (-1, 0, 1)), 10**99]
    near = [0.0, 0.25, -0.25, 1.5, -7.25, 2.0**-60, -(2.0**-60), 2.0**70, 0.1, 1e-19]
    parts = [["0", "1/2"], ["1", "1/4"], ["-1", "1/4"], ["1", "1/3"]]
    pairs = fractions(rng, 240), fractions(rng, 240)
    equal = [[x, x] for x in fractions(rng, 9)]
    return {
        "constants": (constants, [None]),
        "whole": (whole, [*small, *large]),
        "natural": (lambda x: [int(x).bit_length() or 1, math.isqrt(int(x))], [*map(str, naturals[1:])]),
        "float": (lambda x: [Fraction(math.floor(x * 2**60 + 0.5), 2**60), math.trunc(x)], near),
        "real": (lambda x: 1.5 if x else 1 // 0, [1.5, None]),
        "of": (of, [*small, *([a, f"-{b}"] for a, b in small), ["3", "0"], ["0", "0"]]),
        "rationals": (rationals, [*map(list, zip(*pairs, strict=True)), *equal, ["0", "0"], ["1/3", "0"]]),
        "logs": (
            lambda text: recheck._log(Fraction(text)),
            ["1/3", "1", f"{10**400 + 1}/3", f"7/{10**350}", str(2**1000), str(2**1001 + 1), str(3**631)],
        ),
        "same": (
            same,
            [
                [parts, parts[::-1]],
                [parts, parts[:3]],
                [parts, [*parts[:3], ["1", "1/4"]]],
                [parts[:2], [["0", "1/2"], ["1", "1/3"]]],
                [parts[:2], [["1", "1/2"], ["0", "1/4"]]],
                [[], []],
                [[parts[0]], [parts[1]]],
            ],
        ),
    }


# --- fixed point ---


def constructed(bits: Row) -> Any:
    fixed = recheck.Fixed(bits)
    return [fixed.one, fixed.ln2, fixed.norm]


def fixed(row: Row) -> Any:
    bits, (x, y, v) = row[0], map(Fraction, row[1:])
    of = recheck.Fixed(bits)
    a, b = of.of(abs(x)), of.of(abs(y))
    return [
        *(of.of(x), of.of(y), of.times(a, b), of.over(a, of.of(1 + abs(y)))),
        of.mean([(0, v), (0, Fraction(1, 2))], [a, b]),
        *(of.exp(x), of.exp(y), of.normal(x), of.normal(y)),
        of.scientific((x.numerator << bits) // x.denominator),
    ]


def over(row: Row) -> Any:
    bits, a, b = row
    return recheck.Fixed(bits).over(tuple(map(int, a)), tuple(map(int, b)))


def gaussian(row: Row) -> Any:
    return recheck.gaussian(*map(Fraction, row[:2]), recheck.Fixed(row[2]))


def fixed_point() -> Table:
    rng = random.Random(2)
    ends = ["0", "1", "-1", "1/1000000000", "-1/1000000000", "70", "-70", "6999/100", "701/10", "-701/10"]
    rows = [[bits, x, y, "1/3"] for bits in (9, 60) for x, y in zip(ends, reversed(ends), strict=True)]
    for _ in range(160):
        x, y = (Fraction(rng.randint(-(10**7), 10**7), 10 ** rng.randint(6, 9)) for _ in range(2))
        rows.append([rng.randint(8, 70), str(x), str(y), str(Fraction(rng.randint(0, 99), 100))])
    both = [
        ["1", "1/2"],
        ["1/100", "1"],
        ["3", "0"],
        ["140", "1"],
        ["1/10", "8"],
        ["80", "3200"],
        ["81", "2"],
    ]
    both += [
        ["100", "5000"],
        ["2", "76"],
        ["2", "78"],
        ["40", "800"],
        ["40", "801"],
        ["1", "69"],
        ["1", "71"],
    ]
    both += [["84", "3528"], ["84", "3500"], ["141", "1"], ["139", "1"]]
    return {
        "constructed": (constructed, [*range(5, 64), 100, 333, 1000, 3500, 3501]),
        "fixed": (fixed, rows),
        "over": (over, [[9, ["3", "4"], [b, "9"]] for b in ("-1", "0", "1")]),
        "gaussian": (gaussian, [[mu, epsilon, bits] for mu, epsilon in both for bits in (30, 130)]),
    }


# --- laws ---


def made(row: Row) -> Any:
    name, q, values = row
    if name == "pair":
        centres = [tuple(tuple(map(Fraction, each)) for each in side) for side in values[1:]]
        return recheck.Pair({"gaussian": recheck.Gaussian, "laplace": recheck.Laplace}[values[0]], *centres)
    numbers = [[*map(Fraction, each)] if isinstance(each, list) else Fraction(each) for each in values]
    return recheck.LAWS[name][1](Fraction(q), *numbers)


def cut_law(law: Any, h: Fraction, bits: int, tail: float) -> Any:
    spent: list[int] = []
    of = recheck.Fixed(bits)
    bounded = isinstance(law, recheck.Pair | recheck.Atoms)
    return [
        [
            tried(lambda way=way: law.unbounded(way)) if bounded else None,  # type: ignore[misc]
            tried(lambda way=way: law.span(tail, way)),  # type: ignore[misc]
            tried(lambda way=way: any_order(law.step(h, way, of, tail))),  # type: ignore[misc]
            spent,
        ]
        for way in (True, False)
    ]


def pair(row: Row) -> Any:
    noise, p, q, y, remove, tail, bits = row
    law, of, at = made(["pair", "1", [noise, p, q]]), recheck.Fixed(bits), Fraction(y)
    return [
        *(law, recheck.alone(law), law.unbounded(True), law.unbounded(False), law.limits(of), law.at(at, of)),
        *(
            law.below(at, of),
            law.tilt(law.p[0][0], at),
            law.hints,
            law.window(tail),
            law.turned.window(tail),
            law.span(tail, remove),
        ),
        law.log(float(at)),
    ]


def marked(row: Row) -> Any:
    law, h, remove, bits, marks = row
    one = made(law) if remove else made(law).turned
    one.marks = lambda *_: [(j, Fraction(y)) for j, y in marks]
    return one.step(Fraction(h), True, recheck.Fixed(bits), 9.0)


def known(row: Row) -> Any:
    rows, h, bits, tail = row
    law = recheck.Known([(Fraction(w), made(each)) for w, each in rows])
    return [law, law.often(tail), cut_law(law, Fraction(h), bits, tail)]


def moments(row: Row) -> Any:
    return [recheck.Concentrated(*map(Fraction, row)).moments(way) for way in (True, False)]


def misled(row: Row) -> Any:
    """By floats that are wrong."""
    share, cells, h, bits = row
    law = recheck.Atoms(lambda *_: [tuple(tuple(map(int, x)) for x in both) for both in cells])
    wrong = SimpleNamespace(**vars(recheck.math) | {"log": lambda x: share * log(x)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "math", wrong)
        step = tried(lambda: law.step(Fraction(h), True, recheck.Fixed(bits), 9.0))
        return [step, tried(lambda: recheck._ln(Fraction(99), Fraction(99)))]


CENTRES: list[Any] = [
    ["gaussian", [["1", "1"]], [["0", "1"]]],
    ["gaussian", [["0", "2/3"], ["1/2", "1/3"]], [["0", "1"]]],
    ["gaussian", [["0", "1/2"], ["1", "1/4"], ["5/2", "1/4"]], [["0", "1"]]],
    ["gaussian", [["2", "1/3"], ["0", "2/3"]], [["-2", "1/3"], ["0", "2/3"]]],
    ["gaussian", [["2", "1/4"], ["0", "3/4"]], [["-2", "1/3"], ["0", "2/3"]]],
    ["gaussian", [["1", "1/2"], ["2", "1/2"]], [["0", "1/4"], ["1", "3/4"]]],
    ["gaussian", [["1", "1/2"], ["3", "1/2"]], [["0", "1/2"], ["1", "1/2"]]],
    ["laplace", [["1", "1"]], [["0", "1"]]],
    ["laplace", [["0", "9/10"], ["3", "1/10"]], [["0", "1"]]],
    ["laplace", [["0", "1/2"], ["1", "1/2"]], [["-1", "1/2"], ["0", "1/2"]]],
]
STEEP: list[Any] = [
    ["zcdp", "1/3", ["1"]],
    ["pure_dp", "1", ["1/3"]],
    ["approximate_dp", "1/2", ["1/2", "1/9"]],
    ["approximate_dp", "1", ["0", "0"]],
    ["approximate_dp", "1", ["1", "1"]],
    ["group_dp", "1", ["3/10", "1/100", "4"]],
    ["group_dp", "1", ["3/10", "0", "3"]],
    ["group_dp", "1", ["1/2", "1/5", "5"]],
    ["group_dp", "1", ["0", "1/4", "4"]],
    ["group_dp", "1", ["0", "0", "3"]],
    ["group_dp", "1", ["0", "1/3", "3"]],
    ["group_dp", "1", ["1", "1/1000000", "3"]],
    ["discrete_gaussian", "1", ["3/2", "2"]],
    ["discrete_gaussian", "1/4", ["1", "1"]],
    ["discrete_laplace", "1", ["1", "1"]],
    ["discrete_laplace", "1/3", ["5/4", "3"]],
    ["binomial", "1", ["5", "1/2", "1"]],
    ["binomial", "1/2", ["4", "1/3", "2"]],
    ["randomized_response", "1", ["7/10", "4"]],
    ["randomized_response", "1/5", ["7/10", "2"]],
    ["randomized_response", "1", ["1", "3"]],
    ["finite_pair", "1", [["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"]]],
    ["finite_pair", "1", [["1/4", "3/4", "0"], ["3/4", "1/4", "0"]]],
    ["finite_pair", "2/3", [["1/4", "3/4"], ["3/4", "1/4"]]],
    ["exponential", "1", ["3", "1", "1"]],
    ["renyi_dp", "1", [["2", "3"], ["0", "1"]]],
]
ENDS: list[Any] = [
    ["group_dp", "1", ["1/20", "0", "1000"]],
    ["group_dp", "1", ["1/20", "0", "1001"]],
    ["group_dp", "1", ["1/20", "0", "0"]],
    ["group_dp", "1", ["1/20", "0", "3/2"]],
    ["pure_dp", "1", ["100"]],
    ["approximate_dp", "1", ["100", "1/1000000000"]],
    ["group_dp", "1", ["43", "0", "2"]],
    ["pure_dp", "1", ["1001/10"]],
    ["approximate_dp", "1", ["1", "11/10"]],
    ["discrete_gaussian", "1", ["1500", "1"]],
    ["discrete_gaussian", "1", ["1501", "1"]],
    ["discrete_gaussian", "1", ["1/5", "1"]],
    ["discrete_gaussian", "1", ["1/6", "1"]],
    ["discrete_gaussian", "1", ["3", "1000"]],
    ["discrete_gaussian", "1", ["3", "1001"]],
    ["discrete_gaussian", "1", ["3", "0"]],
    *(["exponential", "1", row] for row in (["5000", "0", "1"], ["5001", "0", "1"], ["0", "0", "1"])),
    *(["renyi_dp", "1", row] for row in ([[], []], [["2"], []], [["1"], ["1"]], [["2"] * 101, ["1"] * 101])),
    *(["exponential", "1", ["1", "0", times]] for times in ("0", "2", "3/2")),
    ["discrete_laplace", "1", ["300", "2"]],
    ["discrete_laplace", "1", ["301", "2"]],
    ["binomial", "1", ["1000", "1/2", "1"]],
    ["binomial", "1", ["1001", "1/2", "1"]],
    ["binomial", "1", ["3", "1/2", "2000"]],
    ["binomial", "1", ["3", "1/2", "2001"]],
    ["binomial", "1", ["3", "0", "1"]],
    ["binomial", "1", ["3", "1", "1"]],
    ["binomial", "1", ["1000", "1/1024", "1"]],
    ["binomial", "1", ["5", "1/" + str(2**1999), "1"]],
    ["binomial", "1", ["5", "1/" + str(2**2000), "1"]],
    ["binomial", "1", ["0", "1/2", "1"]],
    ["binomial", "1", ["2", "1/2", "0"]],
    ["randomized_response", "1", ["1/2", "1"]],
    ["randomized_response", "1", ["1/2", "2"]],
    ["randomized_response", "1", ["1/2", "1000000000"]],
    ["randomized_response", "1", ["1/2", "1000000001"]],
    ["randomized_response", "1", ["3/2", "2"]],
    ["finite_pair", "1", [["1/2", "1/2"], ["1"]]],
    ["finite_pair", "1", [["1/2", "1/3"], ["1/2", "1/2"]]],
    ["finite_pair", "1", [["1/2", "1/2"], ["1/2", "1/3"]]],
    ["zcdp", "1", ["0"]],
    ["zcdp", "1", ["1"]],
    ["gdp", "1/2", ["0"]],
    ["gdp", "1/2", ["2"]],
]
"""At the ends of what is allowed, on both sides."""


def centres(count: int, above: str = "1", below: str = "0") -> Any:
    """Of a mixture of that many, all at one place."""
    return ["pair", "1", ["gaussian", [[above, f"1/{count}"]] * count, [[below, "1"]]]]


def laws() -> Table:
    rng = random.Random(3)
    pairs = [
        [*each, str(Fraction(rng.randint(-300, 300), 100)), remove, tail, bits]
        for each in CENTRES
        for remove in (True, False)
        for tail, bits in ((9.0, 24), (30.0, 50))
    ]
    plain = [["pair", "1", each] for each in CENTRES]
    cuts = [
        [each, h, bits, tail] for each in plain for h, bits, tail in (("1/4", 56, 9.0), ("1/10", 70, 16.0))
    ]
    cuts += [[each, "1/7", bits, 12.0] for each in STEEP[1:] for bits in (50, 61)]
    one_step = plain[1], "1/2", True, 30
    marks = [
        [[0, "1"], [1, "2"]], [[1, "2"], [0, "1"]], [[0, "2"], [1, "1"]], [[0, "1"], [0, "2"]], [],
        [[0, "1"], [1, "1"]], [[-1, "-3"], [1, "1"]], [[-1, "-3"], [0, "-1"], [2, "1"]], [[-2, "-4"], [-1,
        "-3"]],
        [[0, "0"], [1, "4"]], [[0, "-9"], [1, "-8"], [2, "-7"]],
    ]  # fmt: skip
    rare = ["pair", "1", ["gaussian", [["0", "1/1000"], ["1", "999/1000"]], [["0", "1"]]]]  # less than a unit
    few = [("1/2", plain[0]), ("1/3", plain[7]), ("1/100", plain[1])]
    chances = [[5, "1/3", 4], [5, "1/3", 6], [2, "99/100", 3], [10**6, "1/1000000", 3], [10, "1", 2]]
    chances += [[2000, "1/2", 2], [2001, "1/2", 2], [9, "1/2", 10_001], [9, "1/2", 10_000], [9, "1/2", 10]]
    moves = [["0", "1"], ["1", "1"], ["0", "0"], ["1", "2", "3"]]
    weights = [["1/2", "1/2"], ["1", "0"], ["0", "1"], ["1/2", "1/3"], ["1/6", "1/3", "1/2"]]
    rates = [["1/3", "12"], ["1/50", "100"], ["1/50", "50"], ["9/10", "20"], ["1", "1"], ["1/3", "400"]]
    sizes = [["1/3", 9, 4], ["1/2", 3, 1], ["9/10", 5, 3], ["1/10", 40, 5]]
    return {
        "pair": (pair, [*pairs, *([*each[2], "1", True, 9.0, 20] for each in
                                  (centres(59), centres(60), centres(2, "-1"), centres(2, "0")))]),
        "marks": (
            lambda row: [law.marks(Fraction(row[1]), row[2]) for law in (made(row[0]), made(row[0]).turned)],
            [[each, h, 16.0] for each in plain for h in ("1/5", "1/40")],
        ),
        "marked": (marked, [[*one_step, each] for each in marks]
                   + [[plain[0], "1/2", False, 30, each] for each in marks]
                   + [[plain[8], "1/2", way, 30, each] for way in (True, False) for each in marks[:3]]
                   + [[rare, "1/2", way, 8, [[0, "-3"]]] for way in (True, False)]),
        "cuts": (lambda row: cut_law(made(row[0]), Fraction(row[1]), *row[2:]), cuts),
        "batch": (
            lambda row: cut_law(recheck.Batch(made(row[0])), Fraction(row[1]), *row[2:]),
            [[plain[at], h, 50, 12.0] for at in (0, 1, 8) for h in ("1/4", "1/9")],
        ),
        "known": (known, [[few, "1/4", 64, tail] for tail in (14.0, 13.0, 12.6, 9.0)]
                  + [[[("0", plain[0]), ("1", plain[1])], "1/4", 60, 12.0], [few[1:2], "1/4", 60, 11.0],
                     [[("1/2", STEEP[2]), ("1/2", STEEP[1])], "1/4", 60, 20.0]]),
        "chances": (lambda row: recheck.chances(row[0], Fraction(row[1]), row[2]), chances),
        "drawn": (lambda row: recheck.drawn(*row[:2], *map(Fraction, row[2:])),
                  [[1, 5, "1", "1/2"], [2, 4, "2", "2"], [30, 100, "1/2", "1/3"], [2, 1, "1", "1"]]),
        "truncated": (
            lambda row: recheck.truncated(Fraction(row[0]), row[1:3], made(row[3]), made(row[4]), row[5]),
            [[*size, plain[0], plain[1], way] for size in sizes for way in (True, False)],
        ),
        "mixture": (lambda row: recheck.mixture(Fraction(row[0]), Fraction(row[1]), *([*map(Fraction,
        x)] for x in row[2:])),
                    [["1", sigma, *both] for sigma in ("2", "0") for both in product(moves, weights)]),
        "other": (lambda row: recheck._replaced(made(row[0]), Fraction(row[1])),
                  [[plain[1], "1/3"], [plain[0], "1"]]),
        "masses": (lambda row: any_order(made(row[0]).masses(recheck.Fixed(row[1]), row[2])),
                   [[each, bits, 9.0] for each in STEEP[1:] for bits in (12, 33)]
                   + [[["discrete_laplace", "1", ["300", "998"]], 8, tail] for tail in (46.6666, 46.67)]),
        "misled": (misled, [[share, [[p, ["100", "100"]]], "9/100", 12] for share in (1.0, 0.9, 0.94, 0.96)
                            for p in (["90", "110"], ["110", "110"], ["108", "109"])]),
        "moments": (moments, rates),
        "made": (made, [*STEEP, *ENDS]),
    }  # fmt: skip


def thrown(row: Row) -> Any:
    """Of no more than ``most`` bits inside."""
    batches, a, b, above, tail, bits, most = row
    every, work = recheck.Fixed, [0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "Fixed", lambda given: every(min(given, most)))
        law = recheck.thrown(batches, Fraction(a), Fraction(b), above)
        law.prepare(tail, work, 0.0, 1)
        return [law.endless, any_order(law.masses(every(bits), tail)), work[0]]


def hidden_batches() -> Table:
    """With few bits units are seen; of 40 batches grids would be coarser if they grew."""
    rows = [
        [2, "1", "0", True, 3.0, 60, 3500],
        [2, "1", "0", True, 3.0, 60, 36],
        [3, "3/4", "3/8", False, 3.0, 60, 40],
        [40, "3/2", "0", True, 3.0, 60, 50],
        [40, "3/4", "3/8", False, 8.0, 60, 50],
        [2, "1/2", "0", False, 16.0, 60, 40],
    ]
    return {"thrown": (thrown, rows)}


def prepared(row: Row) -> Any:
    """What is made before cells are, of both sides."""
    mechanism, tail, epsilon, steps, some = row
    adjacency = "add" if "True" in mechanism else "replace-one"
    above, below, _ = recheck.law(json.loads(mechanism), adjacency, set())
    found, work, fixed = [], [0], recheck.Fixed(90)
    for at, law in enumerate([above, *(below if isinstance(below, list) else [below])]):
        if at in some:
            if law.prepare:
                law.prepare(tail, work, epsilon, steps)
            masses = (
                tried(lambda law=law: any_order(law.masses(fixed, tail))) if hasattr(law, "masses") else None
            )
            found.append([getattr(law, "points", None), masses])
    return [found, work[0]]


def queries() -> Table:
    """Of all turns that neighbours are tried in, of both noises and numbers of runs."""
    every = [*range(40)]
    shuffled = {"name": "shuffle_model", "parameters": {"n": "6", "alike": "False"}}
    best = [
        {"base": base, "mean": mean, "shape": shape}
        for base in ("zcdp(rho=0.02)", "pure_dp(epsilon=0.5)")
        for mean, shape in (("3", "1"), ("1", "1"), ("5", "inf"))
    ]
    responses = [
        ("pure_dp", {"epsilon": "1/2"}),
        ("pure_dp", {"epsilon": "2"}),
        ("randomized_response", {"p": "0.7", "categories": "2"}),
        ("randomized_response", {"p": "0.6", "categories": "4"}),
    ]
    rows: list[tuple[Any, float, float, int, list[int]]] = [
        (one("noisy_max", b="4", sensitivity="1", monotone="False"), 9.0, 0.5, 3, every),
        (one("above_threshold", b="4", query_b="8", sensitivity="1", monotone="False"), 9.0, 0.5, 3, every),
        (one("above_threshold", b="8", query_b="3", sensitivity="1", monotone="False"), 9.0, 0.1, 1, every),
        *(
            (
                one("gaussian_above_threshold", sigma=sigma, query_sigma=other, queries=k, sensitivity="1",
                    monotone="False"),
                9.0, 1.0, 3, some,
            )
            for sigma, other, k, some in (
                ("4", "8", "5", [0, 1, 20]), ("8", "3", "20", [3]), ("5", "5", "1", [0, 2])
            )
        ),
        *((one("gnmax", sigma=sigma), 9.0, epsilon, steps, every)
          for sigma, epsilon, steps in (("5", 1.5, 1), ("20", 0.4, 10))),
        (one("permute_and_flip", epsilon="1", monotone="False"), 9.0, 0.5, 3, every),
        *(
            ({"name": "repeat_and_select", "parameters": values, "base": None}, 17.0, 0.7, 2, every)
            for values in best
        ),
        (one("gaussian_above_threshold", sigma="4", query_sigma="8", queries="3", sensitivity="1",
             monotone="True"), 9.0, 1.0, 3, [0, 1]),
        (one("above_threshold", b="4", query_b="8", sensitivity="1", monotone="True"), 9.0, 0.5, 3, [0, 9]),
        *((shuffled | {"base": one(name, **values)}, 9.0, 0.5, 1, every) for name, values in responses),
        ({**shuffled, "parameters": {"n": "500", "alike": "False"}, "base": one("pure_dp", epsilon="1")},
         9.0, 0.5, 1, every),
    ]  # fmt: skip
    return {"queries": (prepared, [[json.dumps(mechanism), *row] for mechanism, *row in rows])}


# --- products of polynomials ---


def prime(p: int) -> bool:
    return p > 1 and all(p % k for k in range(2, math.isqrt(p) + 1))


def primes(row: Row) -> Any:
    n, bound = row[0], int(row[1])
    found: list[int] = []
    for p in range((MAX_PRIME - 1) // n * n + 1, n, -n):
        if math.prod(found) > bound:
            break
        found += [p] * prime(p)
    recheck.beyond_if(math.prod(found) <= bound, "too many digits, or cells of so many")
    return found


def cyclic(row: Row) -> Any:
    a, b, n, p = row
    found = [0] * n
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[(i + j) % n] += int(x) * int(y)
    return [x % p for x in found]


def spent(row: Row) -> Any:
    allowed, works = row
    heard = []
    for work in works:
        allowed -= work
        heard.append(1 - allowed / recheck.WORK)
        if allowed < 0:
            return [["Beyond", "more work than is allowed"], heard]
    return [[None] * len(works), heard]


class Asked(Exception):
    """A product would be computed now."""


def convolved(row: Row) -> Any:
    """What would be asked of the product."""
    bits, low, high = row
    work = [0]
    one = recheck.Setting(Fraction(1), 9, 1000, recheck.Fixed(20), work)

    def stop(_: Any) -> None:
        raise Asked

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "Decimal", stop)
        with pytest.raises(Asked):
            one.convolve([2**bits] * low, [1] * high)
    return [[low, high, 2**bits * min(low, high)], work]


def setting(row: Row) -> Any:
    h, digits, bits, x, level = row
    one = recheck.Setting(Fraction(h), 9, 10**digits, recheck.Fixed(bits), [0])
    return [one.up(int(x)), one.h * 2**level, one.scale]


def polynomials() -> Table:
    rng = random.Random(4)
    ps = [5, 17, 67_108_837, next(p for p in range(MAX_PRIME - 1, 0, -1) if prime(p))]
    ps = [p for p in ps if prime(p)]
    modular = [[a, b, p, k] for p in ps for a in (0, 1, p // 2, p - 2, p - 1) for b in (0, 1, p // 3, p - 1)
               for k in (1, 2, p - 2)]  # fmt: skip
    waves = []
    for n, p in ((2, 5), (4, 5), (8, 17), (16, 67_108_913 if prime(67_108_913) else 17), (32, 97)):
        sides = [[str(rng.randrange(10**20)) for _ in range(size)] for size in (n // 2, n // 2 + 1)]
        waves.append([*sides, n, p])
    limits = [
        [9990, 9, 500],
        [9990, 513, 600],
        [9995, 16, 16],
        [9995, 15, 40],
        [9995, 31, 32],
        [9995, 32, 33],
    ]
    limits += [[9980, 10_000, 10_000], [9985, 10_007, 10_002], [9985, 10_004, 10_000], [0, 1, 9], [3, 1, 1]]
    limits += [[bits, 2, 3] for bits in range(9950, 10_002)]
    every = math.prod(p for p in range(2**16 + 1, MAX_PRIME, 2**16) if prime(p))  # the least is 2^16 + 1
    return {
        "modular": (lambda x: [sum(x[:2]) - x[2] * (sum(x[:2]) >= x[2]), x[0] * x[1] % x[2], pow(x[0], x[3],
        x[2])],
                    modular),
        "primes": (primes, [[n, str(bound)] for n in (2**22, 2**24, 2**25, 2**26)
                            for bound in (1, 2**25, 2**26, 2**60, 2**200)]
                   + [[2**16, str(every - less)] for less in (0, 1)]),
        "cyclic": (cyclic, waves),
        "spender": (spent, [[10, [3, 7]], [10, [3, 8]], [10, [11, 1]], [0, [0]], [10**9, [10**8] * 3]]),
        "setting": (setting, [[h, 3, bits, x, level] for h in ("1/3", "1/50") for bits in (9, 40)
                              for x, level in (("5", 0), ("-7", 1), ("1024", 3))]),
        "convolved": (convolved, limits),
    }  # fmt: skip


# --- measures ---


def measure(kind: Any, row: Row, given: Row) -> Any:
    h, size, digits, bits = row
    level, start, mass, infinite, q, shift = given
    of = recheck.Setting(Fraction(h), size, 10**digits, recheck.Fixed(bits), [0])
    more = () if kind is recheck.Upper else (Fraction(shift), [*map(int, q)])
    return kind(of, level, start, [*map(int, mass)], int(infinite), *more)


def measures(row: Row) -> Any:
    setting, one, two, allowed, epsilon, count = row
    found = []
    for kind in (recheck.Upper, recheck.Lower):
        x, y = (measure(kind, setting, each) for each in (one, two))
        cut = int(allowed)
        same = [x.times(y)] if x.level == y.level else []
        found.append([
            *same, x.trim(cut), x.coarser(), x.delta(Fraction(epsilon)), x.pairs(x.mass),
            recheck.joined(x, y, cut), recheck.power(x, count, Fraction(cut, x.setting.scale)),
        ])  # fmt: skip
    return found


def gathered(row: Row) -> Any:
    (h, size, digits, bits), level, cells = row
    rows = [
        recheck.Cell(index, tuple(map(int, p)), tuple(map(int, r)), endless, width)
        for index, width, endless, p, r in cells
    ]
    of = recheck.Setting(Fraction(h), size, 10**digits, recheck.Fixed(bits), [0])
    return [[recheck._extent(rows), kind.of(rows, of, level)] for kind in (recheck.Upper, recheck.Lower)]


def steps_and_products() -> Table:
    rng = random.Random(5)

    def given(length: int, level: int) -> Row:
        mass, q = ([str(rng.choice([0, rng.randrange(1000), 10**6])) for _ in range(length)] for _ in "pq")
        return [level, rng.randint(-4, 4), mass, str(rng.choice([0, 77])), q, rng.choice(["1/2", "3/4"])]

    rows = []
    for number in range(40):
        setting = [f"1/{rng.randint(2, 30)}", rng.choice([3, 4, 8]), rng.choice([3, 6]), rng.randint(8, 40)]
        one, two = given(rng.randint(1, 7), number % 2), given(rng.randint(1, 7), number % 3)
        allowed = rng.choice([0, 1, int(one[2][0]), int(one[2][-1]), 1500, 10**9])
        epsilon = str(Fraction(rng.randint(0, 100), rng.choice([7, 30])))
        rows.append([setting, one, two, str(allowed), epsilon, rng.choice([1, 2, 3, 5, 8])])
    far = given(9, 0)
    rows += [[["20", 9, 3, 20], far, far, "0", epsilon, 2] for epsilon in ("40", "41", "79", "100")]
    cells = []
    for _ in range(30):
        some = []
        for index in rng.choices(range(-4, 5), k=rng.randint(1, 4)):
            p, r = (sorted(rng.choices(range(300), k=2)) for _ in "pr")
            r = [min(r[0], p[0]), r[1]]
            some.append(
                [index, rng.choice([1, 1, 2, 3, 4]), rng.random() < 0.2, [*map(str, p)], [*map(str, r)]]
            )
        some.append([None, 1, True, ["3", "5"], ["0", "0"]])
        cells.append(
            [
                [f"1/{rng.randint(2, 9)}", 9, rng.choice([2, 4]), rng.choice([9, 20])],
                1,
                some[rng.random() < 0.2 :],
            ]
        )
    cells += [[["1/1000000", 9, 2, 9], 0, [[0, 1, False, ["3", "5"], ["1", "2"]]]],
              [["1/3", 9, 2, 9], 0, [[None, 1, True, ["3", "5"], ["0", "0"]]]]]  # fmt: skip
    reach = 10 * recheck.FINER * recheck.SIZES[-1]
    extents = [
        [],
        [[None, 1]],
        [[0, reach]],
        [[0, reach + 1]],
        [[3, 1], [-2, 2]],
        [[-5, 9], [None, 1], [-1, 1]],
    ]
    return {
        "measures": (measures, rows),
        "gathered": (gathered, cells),
        "extent": (lambda row: recheck._extent([recheck.Cell(i, 0, 0, False, w) for i, w in row]), extents),
    }


# --- bounds ---


def bound(row: Row) -> Any:
    parts, epsilon, delta, size = row
    known = [(made(each), k) for each, k in parts]
    claim = recheck.Claim("=", Fraction(epsilon), Fraction(delta), known, (True, False))
    found = []
    for kind, way in product((recheck.Upper, recheck.Lower), (True, False)):
        work = [0]
        found.append([tried(lambda: recheck.bound(claim, way, kind, size, work)), work[0]])  # noqa: B023
    return found


def converted(row: Row) -> Any:
    parts, remove, epsilon, bits = row
    known = [(made(each), k) for each, k in parts]
    return recheck.converted(known, remove, Fraction(epsilon), recheck.Fixed(bits))


def bounds() -> Table:
    gaussian = [["pair", "1", each] for each in CENTRES]
    zcdp, sampled, gdp = ["zcdp", "1", ["1/9"]], ["zcdp", "1/3", ["12"]], ["gdp", "1", ["1/2"]]
    rows = [[[[each, 3]], "1/2", "1/1000", 9] for each in (*gaussian[1:4], *gaussian[7:9], *STEEP[1:21:3])]
    rows += [
        [[[gaussian[0], 1]], "1", "1/100", 9],
        [[[gaussian[0], 2]], "1", "0", 9],
        [[[gaussian[1], 5], [STEEP[14], 2]], "1", "1/100000", 8],
        [[[STEEP[4], 2], [gaussian[7], 33], [gaussian[1], 1]], "2", "0", 6],
        [[[zcdp, 3], [gaussian[1], 2]], "3", "1/1000", 9],
        [[[["renyi_dp", "1", [["2", "8"], ["1/50", "1/10"]]], 3], [zcdp, 1]], "3", "1/1000", 9],
        [[[["gdp", "1/2", ["1/100000000000"]], 2]], "0", "1/1000", 9],
        [[[["gaussian", "1", ["1/300", "1"]], 3]], "1", "1/1000", 9],
        *([[[gaussian[0], 1]], epsilon, "1/1000", 9] for epsilon in ("799", "801", "900")),
        [[], "1", "1/1000", 9],
    ]
    given = [
        [[[zcdp, 2], [gdp, 3]], True, "1/2", 60],
        [[[sampled, 1], [gdp, 3]], True, "4", 60],
        [[[sampled, 2]], True, "60", 60],
    ]
    given += [[[[["zcdp", "9/10", ["100"]], 2], [zcdp, 1]], False, "300", 40]]
    renyi = ["renyi_dp", "1", [["8", "2", "2"], ["1/10", "1/20", "1/50"]]]
    given += [[[[renyi, 3], [zcdp, 1]], True, epsilon, 60] for epsilon in ("1/2", "3")]
    given += [[[[["renyi_dp", "1", [["3/2"], ["5"]]], 1], [sampled, 2]], True, "60", 60]]
    given += [[[[["exponential", "1", ["1", "0", "1"]], 30]], False, "5", 60]]
    return {"bound": (bound, rows), "converted": (converted, given)}


# --- decisions ---


def stub(claim: Row) -> Any:
    """A claim whose laws only say what ``extreme`` asks of them."""
    if claim is None:
        return None
    parts = tuple(
        (
            SimpleNamespace(
                most=most and tuple(map(Fraction, most)),
                unbounded=lambda way, ways=unbounded: ways[way],
                symmetric=False,
            ),
            count,
        )
        for most, unbounded, count in claim["laws"]
    )
    under = claim["under"] and stub(claim["under"] | {"relation": claim["relation"], "under": None})
    numbers = Fraction(claim["epsilon"]), Fraction(claim["delta"])
    return recheck.Claim(claim["relation"], *numbers, parts, tuple(claim["directions"]), under)


def decided(row: Row) -> Any:
    claim, limits, bounds = row
    claims, said = stub(claim), []

    def told(of: Any, way: Any, kind: Any, size: int, work: Any) -> Fraction:
        following = bounds[len(said) % len(bounds)]
        said.append([of is claims, way, kind is recheck.Upper, size])
        work[0] += 1000
        recheck.beyond_if(work[0] > recheck.WORK, "more work than is allowed")
        recheck.beyond_if(following is None, "none here")
        return Fraction(following)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "bound", told)
        return [recheck.decide(claims, **limits), said]


def decisions() -> Table:
    rng = random.Random(6)

    def laws(many: list[int]) -> Row:
        lost = ["0", "0", "1/3", "1/7"]
        return [
            [
                [rng.choice(["1", "2", "1/2"]), rng.choice(lost)] if rng.random() < 0.85 else None,
                [rng.random() < 0.1, rng.random() < 0.1],
                rng.choice([1, 2, 3]),
            ]
            for _ in range(rng.choice(many))
        ]

    def claim(many: list[int], epsilons: list[str], deltas: list[str]) -> Row:
        ways = [[True], [False], [True, False]]
        said = [
            {
                "epsilon": rng.choice(epsilons),
                "delta": rng.choice(deltas),
                "laws": laws(many),
                "directions": rng.choice(ways),
            }
            for _ in range(2)
        ]
        under = rng.choice([None, said[1]])
        return said[0] | {"relation": rng.choice(["<=", ">=", "="]), "under": under}

    sums = ["0", "1", "2", "3", "1/2", "4"]
    exact = [claim([1, 1, 2], sums, ["0", "1/3", "1/7", "5/9", "1/2"]) for _ in range(500)]
    lost = [["1", "1/1024"], [False, False], 10**5]
    exact += [
        {
            "relation": "<=",
            "epsilon": "200000",
            "delta": delta,
            "laws": [[*lost[:2], count]],
            "directions": [True],
            "under": None,
        }
        for count, delta in ((3, "1"), (3, "1/2"), (10**5, "1"), (10**5 + 1, "1"))
    ]
    asked = []
    for _ in range(150):
        values = [rng.choice(["0", "1/4", "1/2", "3/4", "1", None]) for _ in range(rng.randint(1, 5))]
        asked.append([
            claim([0, 1, 1, 2], ["0", "1", "1"], ["1/4", "1/3", "1/2", "3/4", "1/100"]),
            rng.choice([{}, {}, {"cells": 2000}, {"cells": 700}, {"work": 1000}, {"work": 999},
                {"work": 4500, "cells": 9}]),
            values,
        ])  # fmt: skip
    by = [[each, str(Fraction(a, 9)), str(Fraction(b, 9))] for a, b in product((0, 3, 4, 5), (3, 4, 5, 9))
          for each in (claim([1], ["0", "1"], ["3/9", "4/9", "5/9"]) for _ in range(9))]  # fmt: skip
    rulings = [[relation, *row] for relation in ("<=", ">=", "=") for row in product((False, True), repeat=4)]
    return {
        "extreme": (lambda row: recheck.extreme(stub(row)), exact),
        "decided": (decided, asked),
        "byDelta": (lambda row: recheck._by_delta(stub(row[0]), *map(Fraction, row[1:])), by),
        "ruling": (lambda row: recheck.ruling(*row), rulings),
    }


# --- what is read ---


def law_of(row: Row) -> Any:
    needed: set[str] = set()
    found = recheck.law(json.loads(row[0]), row[1], needed, *row[2:])
    return [
        found,
        sorted(needed),
        [None if getattr(x, "prepare", None) else printed(x, 9.0) for x in found[:2]],
    ]


def printed(law: Any, tail: float) -> Any:
    """What a law of atoms gives them, to more bits than irrational numbers are enclosed to."""
    if not isinstance(law, recheck.Atoms):
        return None
    if law.prepare:
        law.prepare(tail, [0], 0.0, 1)
    return tried(lambda: any_order(law.masses(recheck.Fixed(240), tail))[:9])


def hidden(row: Row) -> Any:
    once, texts, far, low, replaced = row
    return recheck._hidden(once, texts, Fraction(far), Fraction(low), replaced)


def hidden_masses(row: Row) -> Any:
    return [printed(law, 3.0) for law in hidden(row)[:2]]


def canonical(text: str) -> Any:
    return recheck.canonical(json.loads(text)).decode()


def loads(text: str) -> Any:
    """Where JSON ends is said in other words."""
    try:
        return recheck.canonical(recheck.loads(text.encode())).decode()
    except recheck.Rejected as reason:
        raise recheck.Rejected(str(reason).partition(": ")[0]) from None


def padded(row: Row) -> Any:
    size, depth = row
    recheck.reject_if(size > recheck.MAX_BYTES, f"it has more than {recheck.MAX_BYTES} bytes")
    recheck.reject_if(depth > 990, "it is not JSON in UTF-8, or nested too deep")
    return 1


def read_fields(row: Row) -> Any:
    kinds = {"text": str, "integer": int, "object": dict, "list": list, "both": (str, list), "any": object}
    found = recheck.fields(json.loads(row[0]), **{name: kinds[kind] for name, kind in row[1].items()})
    return [json.dumps({} if isinstance(x, dict) else x, separators=(",", ":")) for x in found]


def envelope(text: str) -> Any:
    payload, signatures = recheck.envelope(json.loads(text))
    return [payload.decode(), bool(signatures)]


def end(text: str) -> Any:
    found = recheck.end(text)
    return [1, 0] if found == math.inf else [found.numerator % 10**40, found.denominator % 10**40]


def numbers() -> Table:
    long = "1" * 398
    texts = [
        *NUMBERS, long + "/3", f"0.{long}", f"0.{long}1", f"1/{long}", f"1/{long}1", "1e300", "9.9e300",
        "10e300", "1e301",
        "1e-300", "0.1e-299", "0.1e-300", "1e-301", "0e300", "0e999", "00.50", "1E+2", "1e-2", "5/3", "5/0",
        "05/03",
        "1e2/3", "1.5/3", "-1", "+1", "", " 1", "1 ", "1\n", "1_0", "\u0661", "exp(700)", "exp(701)",
        "exp(-700)",
        "sqrt(1e300)*sqrt(1e300)*1e2", "1e300*1e300", "exp(690)*exp(690)*exp(6)",
        "exp(690)*exp(690)*exp(7)", "1/exp(700)",
        "ln(1e300)", "ln(1+1e-9)", "ln(1/3)+2", "log(7)", "log(10", "exp 1", "sqrt(2)*exp(1)-1",
        "2-(1-sqrt(2))*3",
        "(sqrt(2)-2)*(1-sqrt(3))", "sqrt(2)-2+(3-sqrt(5))", "3/(2-sqrt(2))", "3/(sqrt(2)-2)",
        "-3/(sqrt(2)-2)",
        "1/(sqrt(2)-sqrt(2))", "2*3-4/8+1", "2-3-4+9", "64/2/4*2", "2+3*4-5", "-2*-3", "-(2)-(-3)",
        "1-(2-3)", "++1", "--1",
        "exp(-ln(2))", "sqrt(0)", "ln(0)", "sqrt(-1)", "ln(sqrt(2)-sqrt(2))", "exp(0-1)", "foo(1)",
        "(1)(2)", "1)(", "e", "end",
        "𝟏" * 399, "𝟏" * 400,
        "𝟏" * 401, "x" * 400, "x" * 401, "x" * 800, "x" * 801, "𝟏" * 30 + "x" * 30, "1+" * 199 + "1",
        "1+" * 199 + "11",
        "1+" * 200 + "1", "(" * 199 + "1" + ")" * 199, "1+\u00a01", "1\u2003+\u30001", "1\x1f+\x851",
        "1\u200b+1", "1\ufeff+1",
    ]  # fmt: skip
    ends = ["inf", "0", "1", "01", "3*2^5", "3*2^-5", "3*2^0", "3*2^99999", "3*2^100000", "3*2^-99999",
        "4/6", "4/0", "4/06",
            "-1", "1*2^", "1" * 4000, "1" * 4001, "1/" + "3" * 3998, "1/" + "3" * 3999, "", "Inf",
            "1*2^+3"]  # fmt: skip
    rng = random.Random(7)
    wide = [
        str(Fraction(n, d))
        for n, d in ((1, 3), (-1, 3), (5, 1), (-7, 2), (0, 1), (2**2000, 1), (2**2000 + 1, 1))
    ]
    wide += ["1/" + str(2**1998), "1/" + str(2**1999), "1/" + str(2**2000)]
    spans = (
        [[a, b] for a in wide[:5] for b in wide[:5]]
        + [[x, x] for x in wide]
        + [["1/3", wide[-1]], ["-" + wide[6], "1"]]
    )
    powers = [
        [a, b] for a in ("0", "1/3", "-5", "700", "-700") for b in ("2", "700", "-700", "7001/10", "-7001/10")
    ]
    logs = [[str(Fraction(rng.randint(1, 10**6), 10 ** rng.randint(1, 9)))] * 2 for _ in range(20)] + [
        ["1/3", "1/2"],
        ["1", "1"],
    ]
    roots = [
        [x, way]
        for x in ("0", "2", "4", "1/9", "9/16", "1/" + "9" * 90, "9" * 80, "2/3")
        for way in (True, False)
    ]
    limits = [[x, 1, 5] for x in ("0", "1", "3", "5", "6", "9/2", "1/2")]
    values = [
        ["gaussian", "sigma", "sqrt(2)"], ["discrete_gaussian", "sigma", "sqrt(2)"], ["binomial", "p",
        "sqrt(2)/2"],
        ["randomized_response", "p", "sqrt(2)/2"], ["randomized_response", "p", "sqrt(2)/3"],
        ["randomized_response", "p", "0.3"], ["randomized_response", "p", "exp(0)/2"], ["gaussian", "sigma",
        ["1"]],
        ["finite_pair", "p", "1"], ["finite_pair", "p", ["1/3", "0.5"]], ["finite_pair", "q", ["sqrt(2)"]],
        ["mixture_of_gaussians", "sensitivities", ["1", "2"]], ["mixture_of_gaussians", "probabilities", "1"],
        ["mixture_of_gaussians", "sigma", "2"], ["mixture_of_gaussians", "sigma", ["2"]], ["finite_pair",
        "p", [1]],
        ["finite_pair", "p", ["1"] * 10_000], ["finite_pair", "p", ["1"] * 10_001],
        ["finite_pair", "p", ["1/" + str(2**999)] * 100], ["finite_pair", "p",
        ["1/" + str(2**999)] * 99 + ["1/" + str(2**1000)]],
    ]  # fmt: skip
    return {
        "number": (recheck.number, [*texts, 7, None]),
        "enclosed": (recheck.enclosed, [*texts, 7, None]),
        "end": (end, ends),
        "cut": (lambda row: recheck._cut(*map(Fraction, row)), spans),
        "product": (lambda row: recheck._product(*([*map(Fraction, x)] for x in row)),
                    [[a, b] for a in spans[:25:3] for b in spans[:25:4]]),
        "exponential": (lambda row: recheck._exp(*map(Fraction, row)), powers),
        "logarithm": (lambda row: recheck._ln(*map(Fraction, row)), logs),
        "root": (lambda row: recheck.root(Fraction(row[0]), row[1]), roots),
        "within": (lambda row: recheck._within(Fraction(row[0]), *row[1:]), limits),
        "integer": (lambda row: recheck._integer(Fraction(row[0]), *row[1:]), limits),
        "counts": (lambda row: [recheck._integer(recheck.number(x), 1, recheck.MAX_COUNT) for x in row],
                   [["1", "7"], ["0"], ["1e12"], [str(10**12 + 1)], ["1.5"]]),
        "endsOf": (lambda row: recheck._ends_of(*row), values),
        "general": (lambda text: f"{float(Fraction(text)):.6g}",
                    ["0", "1/10000", "1/10001", "99999/1000000000", "999999", "1000000", "9999994/10",
                    "9999995/10",
                     "1/3", "100", "-1/3", "1/100", str(10**300), "1/" + str(10**300), "123456789",
                     "1/1000"]),
    }  # fmt: skip


def claims() -> list[str]:
    """Of one mechanism, with one thing changed: words, counts, assumptions, enclosures."""
    noise = one("gaussian", sigma="2", sensitivity="1")
    base = stated([(2, noise)], "remove", epsilon="2", delta="0.01", relation="<=")
    steps, said, claim = base["composition"], base["assumptions"], base["claim"]
    found: list[dict[str, Any]] = [
        *(base | {"claim": claim | {"relation": relation}} for relation in ("<=", ">=", "=", "<", "==", "")),
        *(base | {"claim": claim | {"quantity": quantity}} for quantity in ("delta", "Epsilon", "")),
        *(
            base | {"claim": claim | {"delta": delta}}
            for delta in ("0", "1", "1.1", "exp(1)/exp(1)", "sqrt(2)")
        ),
        *(base | {"claim": claim | {"epsilon": epsilon}} for epsilon in ("0", "-1", "ln(2)")),
        *(base | {"standing": standing} for standing in (*recheck.STANDINGS, "known", "")),
        *(base | {"adjacency": adjacency} for adjacency in (*recheck.ADJACENCIES, "none")),
        *(base | {"verdict": verdict} for verdict in (*recheck.VERDICTS, "certified")),
        *(base | {"composition": steps * many} for many in (0, 1, 60, 61)),
        *(base | {"composition": [steps[0] | {"count": k}]} for k in (-1, 0, 1, 10**12, 10**12 + 1)),
        *(base | {"assumptions": rows} for rows in (said[::-1], said[1:], said[:-1], [], [*said, said[0]])),
        *(base | {"assumptions": [*said[:-1], said[-1] | {key: "x"}]} for key in ("id", "text")),
    ]
    ends = ("0", "1", "2", "3", "inf")
    found += [
        base
        | {
            "claim": claim | {"relation": relation},
            "verdict": verdict,
            "enclosure": {"lower": low, "upper": high},
        }
        for relation in ("<=", ">=", "=")
        for verdict in ("CERTIFIED", "REFUTED")
        for low, high in product(ends, ends)
    ]
    loose = {"enclosure": {"lower": "0", "upper": "3"}}
    found += [base | loose | {"reason": reason, "verdict": verdict} for reason in ("", "why")
              for verdict in recheck.VERDICTS]  # fmt: skip
    return [*map(json.dumps, found)]


def attained() -> Table:
    """What some neighbours have, in a step alone and in several."""
    mechanisms = [
        one("zcdp", rho="1/9"),
        one("renyi_dp", orders=["8", "2"], divergences=["1/10", "1/20"]),
        one("gnmax", sigma="2"),
        one("permute_and_flip", epsilon="1", monotone="True"),
        one("permute_and_flip", epsilon="0", monotone="False"),
        one("exponential", epsilon="3", monotone="True", times="1"),
    ]
    rows = [[json.dumps(each), "add", alone] for each in mechanisms for alone in (True, False)]
    return {"lawOf": (law_of, rows)}


def files() -> Table:
    rng = random.Random(8)
    documents = []
    while len(documents) < 120:
        document = certificate(rng)
        slow = "balls_and_bins", "shuffled"
        if not any(step["mechanism"]["name"] in slow for step in document["composition"]):
            documents.append(json.dumps(document))
    steps = [
        (json.dumps(step["mechanism"]), json.loads(text)["adjacency"])
        for text in documents
        for step in json.loads(text)["composition"]
    ]
    noise = one("gaussian", sigma="2", sensitivity="1")
    once = [["1", "1"], ["2", "1"], ["2", "1", "2"], ["2", "2"], ["2", "2", "4"], ["2", "2", "5"], ["2",
        "2", "6"], ["2",
        "2", "2"],
            ["3", "1", "9"], ["2", "0"], ["2", "2", "3"], ["10001", "1"], ["10000", "1"], ["2", "1",
            "3"]]  # fmt: skip
    shuffled = [["2", "0", "False"], ["2", "0", "True"], ["2", "1/2", "True"], ["2", "1", "True"], ["1",
        "0", "False"],
                ["2", "0.0", "False"], ["2", "0", "false"], ["2", "0", ""]]  # fmt: skip
    batches = [
        [True, texts, far, "1/3", way]
        for texts in once
        for far in ("1", "2", "7/5", "3/2", "29/20")
        for way in (True, False)
    ]
    batches += [[False, texts, "1", "1/3", way] for texts in shuffled for way in (True, False)]
    around = [
        (json.dumps(one(name, noise, **said)), way)
        for name, said in (
            ("poisson", {"q": "0.3"}), ("poisson", {"q": "1"}), ("poisson", {"q": "0"}), ("poisson",
            {"q": "1.1"}),
            ("poisson", {"q": "sqrt(2)*sqrt(2)/2"}),
            ("poisson", {"q": "sqrt(2)/2"}), ("poisson", {"p": "1"}), ("poisson", {"q": ["1"]}),
            ("sampled_without_replacement", {"q": "1/3"}), ("sampled_without_replacement", {"q": "1"}),
            ("sampled_with_replacement", {"m": "1", "n": "3"}), ("sampled_with_replacement", {"m": "2",
            "n": "3"}),
            ("truncated_poisson", {"q": "1/3", "dataset_size": "5", "max_batch": "5"}),
            ("truncated_poisson", {"q": "1/3", "dataset_size": "5", "max_batch": "4"}),
            ("balls_and_bins", {"batches": "2", "participations": "2", "steps": "4"}),
        )
        for way in recheck.ADJACENCIES
    ]  # fmt: skip
    bases = [
        one("gaussian", sigma="0", sensitivity="1"), one("gaussian", sigma="1", sensitivity="0"),
            one("gaussian", sigma="1"),
        one("binomial", n="3", p="1/3", sensitivity="1"), one("binomial", n="3", p="1/2", sensitivity="1"),
        one("gaussian", sigma="1", sensitivity="1") | {"base": noise}, one("unknown"), one(""),
            one("pure_dp", epsilon="1"),
        one("finite_pair", p=["1/2", "1/2"], q=["1/3", "2/3"]), one("zcdp", rho="1/9"), one("gdp",
            mu="sqrt(2)"),
        one("randomized_response", p="0.7", categories="3"), one("poisson", one("zcdp", rho="0.2"), q="1/2"),
        one("poisson", one("gaussian", sigma="sqrt(2)", sensitivity="sqrt(3)"), q="exp(-1)"), [], "x",
        one("discrete_laplace", b="2", sensitivity="1"), one("poisson", one("group_dp", epsilon="1",
            delta="0", m="2"), q="0.5"),
        one("permute_and_flip", epsilon="sqrt(2)", monotone="False"), one("gnmax", sigma="1.5"),
        *(one("exponential", epsilon="sqrt(2)", monotone=way, times="1") for way in ("False", "True")),
    ]  # fmt: skip
    around += [(json.dumps(base), way) for base in bases for way in recheck.ADJACENCIES]
    shapes = ['{"a": 1, "b": "x"}', '{"a": 1}', '{"a": "1", "b": "x"}', '{"a": true, "b": "x"}', "[]", "7",
        '{"a": 1, "c": "x"}',
              '{"a": [], "b": "x"}', '{"a": {}, "b": "x"}', '{"a": null, "b": "x"}',
              '{"a": 1, "b": "x", "c": 1}']  # fmt: skip
    kinds = [{"a": kind, "b": "text"} for kind in ("text", "integer", "object", "list", "both", "any")]
    head = {"payloadType": recheck.PAYLOAD}
    rows: list[Any] = [
        head | {"payload": payload, "signatures": signatures}
        for payload in ("YQ==", "YWI=", "YWJj", "YQ=", "Y===", "YQ", "", "Y Q=", "YQ==YQ==", "YQ==\n")
        for signatures in ([], [{"sig": "YQ=="}], [{"sig": "YQ==", "keyid": "k"}], [{"sig": ""}],
            [{"sig": "*"}], [{"keyid": "k"}], [7])
    ]  # fmt: skip
    rows += [head | {"payload": "YQ=="}, {"payloadType": "x", "payload": "YQ==", "signatures": []}]
    deep = [f'{{"a": {"[" * n}{"]" * n}}}' for n in (1, 59, 60, 61)] + [
        '{"a":' * n + "1" + "}" * n for n in (60, 61, 62)
    ]
    texts = [
        *(f'{{"a": {x}}}' for x in (
            "9007199254740991", "9007199254740992", "-9007199254740991", "-900719925474099",
            "900719925474099", "-0", "0", "1.0",
            "1e2", "-", "01", "NaN", "-Infinity", "Infinity", "1000000000000000", "10000000000000000",
            "true", "null",
            '"NaN: NaN"', '"\\u0000"', '"1.5"', '"a\\"b: {"', '["x:", {"b": 1, "b": 1}]',
            '{"b": 1, "c": {"b": 1}}', '"\\\\"', '": "',
        )),
        '{"a": 1, "a": 2}', '{"a": 1, "\\u0061": 2}', '{"b": 1, "a": {"c": 1, "b": []}}',
        '{"\U0001f600": 1, "\uffff": 2, "é": 3}',
        '{"__proto__": 1}', '{"__proto__": 1, "__proto__": 1}', "[1]", '"x"', "7", "", "{",
        '{"a" : 1 , "b":[1,2]}', '{"a":1}}', *deep,
    ]  # fmt: skip
    said = ["a", "'", '"', "'\"", "\\", "\\'", "a\tb\n\r", "é\u200b\u2028\ufeff\xad",
        "\x7f\x80\xa0\xff\u0100", "\U000e0001\U0001f600",
            "x" * 41, "𝟏" * 41, "", " ", "\ue000\U000f0000"]  # fmt: skip
    spaces = [[4_000_000, 1], [4_000_001, 1], [0, 990], [0, 991]]
    return {
        "claimOf": (lambda text: recheck.claim_of(json.loads(text)), [*claims(), *documents]),
        "lawOf": (law_of, [*map(list, [*around, *steps])]),
        "hidden": (hidden, batches),
        "hiddenMasses": (
            hidden_masses,
            [
                [True, ["2", "1"], "1", "3/4", False],
                [False, ["2", "0", "False"], "1", "3/8", True],
                [False, ["2", "0", "False"], "1", "3/8", False],
            ],
        ),
        "fields": (read_fields, [[shape, each] for shape in shapes for each in kinds]),
        "envelope": (envelope, [*map(json.dumps, rows)]),
        "canonical": (canonical, [text for text in (*deep, '{"b": 1, "a": "é\\n\\u0007\\""}',
        '{"a": "\\ud83d\\ude00"}')]),
        "loads": (loads, texts),
        "padded": (padded, spaces),
        "shownText": (lambda text: [recheck._visible(f"{[text]}"[1:-1]), recheck._visible(text)], said),
        "start": (lambda text: recheck._visible(repr(text[:40])), said),
        "failed": (lambda _: ["FAILED", ["FAILED: an error of the checker, which says nothing: Typ"]],
                   [None]),
        "excuse": (lambda name: recheck.reject_if(name == "Rejected", "b") or "a",
                   ["Beyond", "RangeError", "Rejected"]),
        "plain": (lambda text: recheck._visible(recheck._plain(json.loads(text))),
        [json.dumps(x) for x in bases[:14]]),
        "oneGaussian": (
            lambda row: recheck.one_gaussian([(made(each), k) for each, k in row[0]], row[1]),
            [[[[["pair", "1", CENTRES[at]], k] for at, k in rows], way] for way in (True, False)
             for rows in ([(0, 1)], [(0, 2)], [(0, 1), (1, 1), (0, 1)], [(1, 3)], [(7, 2), (0, 3)], [])],
        ),
    }  # fmt: skip


# --- the tests ---

TABLES = (
    arithmetic,
    fixed_point,
    polynomials,
    steps_and_products,
    decisions,
    numbers,
    attained,
    files,
    laws,
    bounds,
    hidden_batches,
    queries,
)


WORKER = Path(__file__).with_name("worker.js")


def in_a_worker(path: Path) -> None:
    """There a message is answered by shares of the work, and at last by what is said of the file."""
    step = one("randomized_response", p="0.7", categories="2")
    data = sealed(stated([(2, step)], epsilon="1", delta="0.3", relation="<="))
    with asking(WORKER, path) as ask:
        told = ask("(data) => { onmessage({ data: Uint8Array.from(data) }); return heard; }", [*data])
    shares, outcome, lines = [each.get("share") for each in told[:-1]], told[-1]["outcome"], told[-1]["lines"]
    assert len(shares) > 1 and shares == sorted(shares) and 0 < shares[0] < shares[-1] < 1
    assert (outcome, comparable(lines)) == ("CONFIRMED", comparable(python(data, {})[1]))


def test_in_a_worker() -> None:
    in_a_worker(JAVASCRIPT)


DEAR = (files, laws, bounds, hidden_batches, queries)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_functions_give_what_they_give_in_python(ask: Ask, table: Callable[[], Table]) -> None:
    compared(ask, table, 15 if table in DEAR else 1)


@pytest.mark.slow
@pytest.mark.parametrize("table", DEAR, ids=lambda table: table.__name__)
def test_all_rows_of_dear_functions(ask: Ask, table: Callable[[], Table]) -> None:
    compared(ask, table)


@pytest.mark.parametrize(
    ("old", "new", "table"),
    [
        ("(a.below(b) ? b : a)", "(a.below(b) ? a : b)", arithmetic),
        ("2n * i + 8n * absolute(n) + 16n", "2n * i + 8n * absolute(n) + 17n", fixed_point),
        ("if (c < 1) beyond(", "if (c <= 1) beyond(", polynomials),
        ("left + mass[low] <= allowed", "left + mass[low] < allowed", steps_and_products),
        ("high.below(claim.epsilon) ||", "claim.epsilon.below(high) ||", decisions),
        ("text.length <= 4000", "text.length <= 3999", numbers),
    ],
)
def test_a_planted_error_is_seen(tmp_path: Path, old: str, new: str, table: Callable[[], Table]) -> None:
    source = JAVASCRIPT.read_text("utf-8")
    assert source.count(old) == 1
    (tmp_path / "recheck.js").write_text(source.replace(old, new), "utf-8")
    with asking(tmp_path / "recheck.js", FUNCTIONS) as ask, pytest.raises(AssertionError):
        compared(ask, table)
