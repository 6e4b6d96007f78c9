"""The checker in JavaScript says what that in Python says: of forgeries, random certificates, functions."""

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import pytest

from benchmarks.two_checkers import (
    JAVASCRIPT,
    NUMBERS,
    Answer,
    Case,
    case,
    comparable,
    encoded,
    python,
)
from pldverify import recheck
from tests.browser.conftest import PATIENCE
from tests.unit.test_recheck import FORGERIES, HOSTILE, STORED, put, signed, stored

SOURCE = JAVASCRIPT.read_text("utf-8")
TRAINING = re.sub(r"// --- queries .*?(?=// --- what runs it )", "", SOURCE, flags=re.DOTALL)
"""The file without its last section."""
ASK = """(cases) => cases.map(({ data, limits }) => {
  const { outcome, lines } = checked(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), limits);
  return [outcome, lines];
})"""
Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def window(browser: Any) -> Iterator[Any]:
    """A page for one checker after the other: a new one costs more than what most of them are asked."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def load(window: Any) -> Callable[..., Ask]:
    """``load(source)``: a checker in an empty page, where the one before has been, and what asks it."""

    def load(source: str = SOURCE) -> Ask:
        window.goto("about:blank")
        window.add_script_tag(content=source)
        return lambda expression, *arguments: window.evaluate(expression, *arguments)

    return load


@pytest.fixture
def ask(load: Callable[..., Ask]) -> Ask:
    return load()


@cache
def by_python(data: bytes, limits: tuple[tuple[str, int], ...]) -> Answer:
    """Asked once: all planted errors are shown the same files."""
    return python(data, dict(limits))


def differences(ask: Ask, cases: list[Case]) -> list[tuple[Answer, Answer]]:
    """What both say, where it is not the same."""
    ours = (by_python(data, tuple(limits.items())) for data, limits in cases)
    answers = zip(ours, ask(ASK, [encoded(*each) for each in cases]), strict=True)
    return [(a, (b, c)) for a, (b, c) in answers if a[0] != b or comparable(a[1]) != comparable(c)]


def forged(name: str, changes: list[tuple[Any, ...]]) -> bytes:
    found = stored(name)
    for value, *where in changes:
        found = put(found, value, *where)
    return signed(found)


VECTORS = [path.read_bytes() for path in sorted(STORED.iterdir())]
QUICK = [path.read_bytes() for path in sorted(STORED.iterdir()) if "balls-and-bins" not in path.name]
"""The law of balls and bins takes a second whatever the limits are."""
FORGED = [forged(*each) for each in FORGERIES.values()]
STRANGE = [forged("dp-sgd-certified", [each]) for each in HOSTILE.values()]
TEXTS = [
    b"", b"{", b"[]", b"1", b"nul", b'{"a": 1} x', b'{"a": 1, "a": 1}', b'{"a": 1.0}', b'{"a": NaN}',
    b'{"a": 9007199254740993}', b'{"a": -0}', b'{"a": "\x01"}', b'{"a": "\\x"}', b'{"a": "\\ud800"}',
    b"\xff{}", b'{"a": 01}', b"\xef\xbb\xbf{}", b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'{"payload": ""}',
    b'{"__proto__": 1}', b" " * 4_000_001,
    VECTORS[0].replace(b"exact", b"ex\xffct"),
    VECTORS[0].replace(b"{", b'{"\\u0001\xc3\xa9":1,', 1),
]  # fmt: skip


# --- the same answers ---


@pytest.mark.parametrize("cells", [50, pytest.param(32_000, marks=pytest.mark.slow)])
def test_certificates_forgeries_and_hostile_ones_have_the_same_outcome(ask: Ask, cells: int) -> None:
    """And the outcomes are those that are known: stored ones are confirmed, no forgery is. Small grids leave
    some open, and of what is dear every fourth is enough for them.
    """
    few = 4 if cells == 50 else 1
    known, forged = (
        [(data, {"cells": cells}) for data in rows[::few]] for rows in (VECTORS[::-1], FORGED[::-1])
    )
    strange = [(data, {"cells": 50}) for data in (*STRANGE[::few], *TEXTS)]
    assert differences(ask, [*known, *forged, *strange]) == []
    found = [
        {outcome for outcome, _ in ask(ASK, [encoded(*each) for each in rows])} for rows in (known, forged)
    ]
    assert found[0] - ({"UNDECIDED"} if few > 1 else set()) == {"CONFIRMED"}
    assert "CONFIRMED" not in found[1] and (few > 1 or found[1] == {"CONTRADICTED", "REJECTED"})


def test_what_trains_needs_no_section_on_queries(load: Callable[[str], Ask]) -> None:
    """Without it the file says the same of training, and of queries that they are beyond it."""
    names = ("laplace", "dp-sgd", "groups", "sampled-zcdp", "truncated-poisson", "shuffled-batches")
    ask, known = load(TRAINING), [name for name in names if (STORED / f"{name}-refuted.json").exists()]
    trains = [((STORED / f"{name}-refuted.json").read_bytes(), {"cells": 50}) for name in known]
    assert len(known) >= 4 and differences(ask, trains) == []
    names = ("gnmax", "noisy-max", "above-threshold", "selected-zcdp", "shuffle-model")
    queries = [((STORED / f"{name}-refuted.json").read_bytes(), {"cells": 50}) for name in names]
    said = ask(ASK, [encoded(*each) for each in queries])
    assert all(lines[0].startswith("UNDECIDED: beyond this checker: ") for _, lines in said)


def test_other_words_are_rejected(ask: Ask) -> None:
    """One word at a time: all others are right."""
    words = [
        ("<", "claim", "relation"), ("delta", "claim", "quantity"), ("add-one", "adjacency"),
        ("TRUE", "verdict"), ("known", "standing"),
    ]  # fmt: skip
    cases: list[Case] = [(forged("laplace-certified", [word]), {"cells": 50}) for word in words]
    assert differences(ask, cases) == []
    assert {outcome for outcome, _ in ask(ASK, [encoded(*each) for each in cases])} == {"REJECTED"}


@pytest.mark.parametrize("count", [30, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_certificates_have_the_same_outcome(ask: Ask, count: int) -> None:
    """``python -m benchmarks.two_checkers`` asks for more of them."""
    cases = [case(f"alike {number}") for number in range(count)]
    assert differences(ask, cases) == []
    assert {python(*each)[0] for each in cases} == {"CONFIRMED", "CONTRADICTED", "REJECTED", "UNDECIDED"}


@pytest.mark.parametrize(
    ("work", "files"),
    [(10**5, QUICK), (3 * 10**6, QUICK), pytest.param(2 * 10**7, VECTORS, marks=pytest.mark.slow)],
    ids=["1e5", "3e6", "2e7"],
)
def test_work_is_counted_alike(ask: Ask, work: int, files: list[bytes]) -> None:
    assert differences(ask, [(data, {"work": work, "cells": 300}) for data in files]) == []


PLANTS = [
    ("/ (2n * n + 1n)) [found", "/ (2n * n + 3n)) [found"),
    ("if (!known && masses[0] !== whole) beyond", "if (known && masses[0] !== whole) beyond"),
    ("- q[at + i] * weight, 0n)", ", 0n)"),
    ("if (allowed < 0) beyond", "if (allowed > 0) beyond"),
    ('"<=": atMost, ">=": atLeast', '"<=": atLeast, ">=": atMost'),
    ('if (replaced && names.includes("sensitivity"))', 'if (!replaced && names.includes("sensitivity"))'),
    ('told === (upper ? "upper bound" : "lower bound")', 'told === (upper ? "lower bound" : "upper bound")'),
    ("(x * 2 ** 32) | 0;", "(x * 2 ** 28) | 0;"),
    ("keys -= Object.keys(value).length;", "keys = 0;"),
    ("times(added(u, p - v, p), powers[at]", "times(added(u, v, p), powers[at]"),
    ("fatal: true, ", ""),
    ("clones && above ? fixed.over", "!clones && above ? fixed.over"),
    ("(b * u + a * v) / scale]", "(b * v + a * u) / scale]"),
    ("logUp(mean.plus(none), fixed)", "logUp(ONE.plus(none), fixed)"),
    (": TWO.times(logUp(", ": ONE.times(logUp("),
    ("d * unit + (n - d) * x", "d * unit + n * x"),
    ("gathered([first[side], x])", "gathered([first[1 - side], x])"),
    ("for (let i = 0; i < this.cap; i++)", "for (let i = 1; i < this.cap; i++)"),
    ("const way = v.below(sigma.times(high)) ? -1 : 1", "const way = v.below(sigma.times(low)) ? -1 : 1"),
    ("[v.plus(m.times(way)), n]", "[v.minus(m.times(way)), n]"),
    ("found = -((-found * root) >> bits);", "found = (found * root) >> (bits + 1n);"),
]
"""Errors in the checker."""
SEEN: list[Case] = [
    *((data, {"cells": 90}) for data in TEXTS),
    *(case(f"gate {number}") for number in range(50)),
    (forged("laplace-certified", [("lower bound", "standing")]), {"cells": 300}),
    (QUICK[0], {"work": 3 * 10**6, "cells": 300}),
    *((path.read_bytes(), {"cells": 60}) for path in sorted(STORED.glob("[sagn][ehao]*ed.json"))),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("old", "new"), PLANTS)
def test_a_planted_error_is_seen(load: Callable[[str], Ask], old: str, new: str) -> None:
    assert SOURCE.count(old) == 1
    assert differences(load(SOURCE.replace(old, new)), SEEN)


# --- single functions ---


def fraction(x: Any) -> list[str]:
    return [str(Fraction(x).numerator), str(Fraction(x).denominator)]


INTEGERS = """([bits, rows]) => rows.map((row) => {
  const fixed = new Fixed(bits), [x, y] = row.map(([n, d]) => Q.of(BigInt(n), BigInt(d)));
  const [a, b] = [fixed.of(x.abs()), fixed.of(y.abs().plus(ONE))], weights = [[NIL, HALF], [NIL, x.abs()]];
  const found = [a, fixed.times(a, b), fixed.over(a, b), fixed.mean(weights, [a, b]), fixed.exp(x)];
  const more = [fixed.normal(x), gaussian(x.abs(), y.abs(), fixed)];
  return [...found, ...more].map((interval) => interval.map(String));
})"""


def integers(bits: int, x: Fraction, y: Fraction) -> list[tuple[int, int]]:
    fixed, weights = recheck.Fixed(bits), [(0, Fraction(1, 2)), (0, abs(x))]
    a, b = fixed.of(abs(x)), fixed.of(abs(y) + 1)
    found = [
        a,
        fixed.times(a, b),
        fixed.over(a, b),
        fixed.mean(weights, [a, b]),
        fixed.exp(x),
        fixed.normal(x),
    ]
    return [*found, recheck.gaussian(abs(x), abs(y), fixed)]


def unlike(ask: Ask, bits: int) -> bool:
    """Whether any integer of fixed-point functions is another than in Python."""
    rng = random.Random(bits)
    rows = [
        [Fraction(rng.randint(-(10**9), 10**9), 10 ** rng.randint(7, 10)) for _ in range(2)]
        for _ in range(20)
    ]
    middle = [Fraction(rng.randint(84 * 10**6, 120 * 10**6), 10**6) for _ in range(10)]
    rows += [[mu, mu**2 / 2] for mu in middle]  # Mills' ratio beyond 40, where the density is large
    found = ask(INTEGERS, [bits, [[fraction(x) for x in row] for row in rows]])
    return any(
        [tuple(map(int, each)) for each in row] != integers(bits, *asked)
        for row, asked in zip(found, rows, strict=True)
    )


@pytest.mark.parametrize("bits", [20, 400, pytest.param(3000, marks=pytest.mark.slow)])
def test_integers_are_the_same_to_the_last_unit(ask: Ask, bits: int) -> None:
    """Those of functions that no float chooses; Python's are proved, and held against mpmath."""
    assert not unlike(ask, bits)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("up = (a, b) => -down(-a, b);", "up = (a, b) => down(a, b);"),
        ("-((-a[1] * b[1]) >> this.bits)", "(a[1] * b[1]) >> this.bits"),
        ("const slack = 2n * i", "const slack = i"),
        ("squareRoot(cube / (2n * low)) + 1n", "squareRoot(cube / (2n * low))"),
    ],
)
def test_one_unit_less_is_seen(load: Callable[[str], Ask], old: str, new: str) -> None:
    assert SOURCE.count(old) == 1
    assert unlike(load(SOURCE.replace(old, new)), 20)


FAR = """(rows) => rows.map(([name, key, text]) => {
  const parameters = new Map([...LAWS.get(name)[0].map((each) => [each, "1"]), [key, text]]);
  const mechanism = new Map([["name", name], ["parameters", parameters], ["base", null]]);
  return lawOf(mechanism, "replace-one", new Set()).slice(0, 2).map(({ far }) => [far.n, far.d].map(String));
})"""
IRRATIONAL = [
    ("gaussian", "sigma", "sqrt(3)"),
    ("laplace", "sensitivity", "exp(-1/3)"),
    ("gdp", "mu", "2*exp(-1/7)"),
]


def far(ask: Ask) -> list[list[Fraction]]:
    """How far apart the centres of the law above and of that below are."""
    return [[Fraction(int(n), int(d)) for n, d in row] for row in ask(FAR, IRRATIONAL)]


def test_each_side_takes_its_end_of_an_irrational_parameter(ask: Ask) -> None:
    for (name, key, text), found in zip(IRRATIONAL, far(ask), strict=True):
        values = dict.fromkeys(recheck.LAWS[name][0], "1") | {key: text}
        laws = recheck.law({"name": name, "parameters": values, "base": None}, "replace-one", set())[:2]
        assert found == [law.far for law in laws] and 0 < found[0] - found[1] < Fraction(1, 10**50)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("up !== FALLS.includes(names[i])", "up === FALLS.includes(names[i])"),
        ("[root(a, false), root(b, true)]", "[root(a, false), root(b, false)]"),
    ],
)
def test_another_end_is_seen(load: Callable[[str], Ask], old: str, new: str) -> None:
    assert SOURCE.count(old) == 1
    assert far(load(SOURCE.replace(old, new))) != far(load())


DISCRETE = """(rows) => rows.map(([name, texts, q, count, epsilon]) => {
  const values = texts.map((text) => (Array.isArray(text) ? text.map(number) : number(text)));
  const law = LAWS.get(name)[1](number(q), ...values);
  const claim = { epsilon: number(epsilon), delta: number("1e-5"), parts: [[law, count]] };
  return [Lower, Upper].flatMap((kind) => [true, false].map((remove) => {
    let spent = 0;
    const found = bound(claim, remove, kind, 40, (work) => { spent += work; });
    return [found.n, found.d, spent].map(String);
  }));
})"""


def test_bounds_of_discrete_losses_are_the_same_rational_numbers(ask: Ask) -> None:
    """By the same work. Counts are such that grids become coarser."""
    rows: list[Any] = [
        ["randomized_response", ["0.7", "3"], "0.1", 150, "0.5"],
        ["pure_dp", ["0.3"], "1", 20, "2"],
        ["approximate_dp", ["0.1", "1e-3"], "1/3", 7, "0.01"],
        ["finite_pair", [["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"]], "1", 33, "1.5"],
        ["discrete_laplace", ["2.5", "2"], "0.2", 9, "0.7"],
        ["binomial", ["30", "0.3", "1"], "1", 5, "1"],
        ["exponential", ["0.7", "0", "1"], "1", 9, "1.3"],
        ["exponential", ["0.1", "0", "1"], "1", 200, "3.4"],
    ]
    for row, found in zip(rows, ask(DISCRETE, rows), strict=True):
        name, texts, q, count, epsilon = row
        values = [[*map(Fraction, text)] if isinstance(text, list) else Fraction(text) for text in texts]
        law = recheck.LAWS[name][1](Fraction(q), *values)
        claim = recheck.Claim("<=", Fraction(epsilon), Fraction(1, 10**5), ((law, count),), (True, False))
        asked = [(kind, remove) for kind in (recheck.Lower, recheck.Upper) for remove in (True, False)]
        works = [[0] for _ in asked]
        expected = [
            recheck.bound(claim, *way[::-1], 40, work) for way, work in zip(asked, works, strict=True)
        ]
        assert [(Fraction(int(n), int(d)), [int(spent)]) for n, d, spent in found] == [
            *zip(expected, works, strict=True)
        ], name


CELLS = """([bits, h, rows]) => rows.map(([name, texts, q, remove, marks]) => {
  const values = texts.map((text) => (Array.isArray(text) ? text.map(number) : number(text)));
  const law = LAWS.get(name)[1](number(q), ...values), fixed = new Fixed(bits);
  const way = marks && !remove ? law.turned : law;
  if (marks) way.marks = () => marks.map(([j, n, d]) => [j, Q.of(BigInt(n), BigInt(d))]);
  const cells = way.step(number(h), Boolean(marks) || remove, fixed, 4);
  return cells.map(({ index, width = 1, p, r, endless = false }) => (
    [index, width, endless, ...p.map(String), ...r.map(String)]));
})"""
LOSSES: list[tuple[str, list[Any], str]] = [
    ("gaussian", ["1", "1"], "1/4"),
    ("gaussian", ["2", "3"], "1"),
    ("laplace", ["2", "3"], "1/3"),
    ("laplace", ["1", "1"], "1"),
    ("randomized_response", ["0.7", "3"], "0.1"),
    ("approximate_dp", ["0.5", "0.03"], "1/3"),
    ("group_dp", ["0.3", "0.01", "3"], "1"),
    ("group_dp", ["0.3", "0.2", "4"], "1"),
    ("discrete_gaussian", ["2", "1"], "0.3"),
    ("discrete_laplace", ["2.5", "2"], "1"),
    ("finite_pair", [["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"]], "0.9"),
    ("binomial", ["9", "0.3", "1"], "1"),
    ("exponential", ["3", "1", "1"], "1"),
    ("noisy_max", ["2", "0", "1"], "1"),
]
"""Mechanisms, their parameters, and q."""


def test_cells_are_the_same_integers(ask: Ask) -> None:
    """With few bits, where a unit is much. Outcomes that floats choose are given, and a little early."""
    for bits in (24, 37):
        rows: list[Any] = []
        expected: list[Any] = []
        for name, texts, q in LOSSES:
            values = [[*map(Fraction, text)] if isinstance(text, list) else Fraction(text) for text in texts]
            law = recheck.LAWS[name][1](Fraction(q), *values)
            for remove in (True, False):
                marks, one, way = None, law, remove
                if isinstance(law, recheck.Pair):
                    one, way = law if remove else law.turned, True
                    marks = [(j, y - Fraction(1, 500)) for j, y in one.marks(Fraction(1, 16), 4.0)]
                    one.marks = lambda *_, marks=marks: marks  # type: ignore[method-assign, misc]
                rows.append([name, texts, q, remove, marks and [[j, *fraction(y)] for j, y in marks]])
                cells = one.step(Fraction(1, 16), way, recheck.Fixed(bits), 4.0)
                expected.append(
                    [[c.index, c.width, c.endless, *map(str, c.p), *map(str, c.r)] for c in cells]
                )
                one.__dict__.pop("marks", None)
        found = ask(CELLS, [bits, "1/16", rows])
        for row, ours, theirs in zip(rows, expected, found, strict=True):
            assert sorted(map(str, ours)) == sorted(map(str, theirs)), row[:4]


ENCLOSED = """(texts) => texts.map((text) => {
  try {
    return enclosed(text).map((x) => [x.n, x.d].map(String));
  } catch (error) {
    return null;
  }
})"""
TEXTS_OF_NUMBERS = [
    *NUMBERS,
    *(
        f"{a}{sign}{b}"
        for sign in "+-*/"
        for a in ("sqrt(3)", "exp(1/3)", "2")
        for b in ("sqrt(2)", "exp(-1/7)")
    ),
    "2-(sqrt(2)-sqrt(3))",
    "-(1-sqrt(2))",
    "exp(sqrt(2))",
    "sqrt(sqrt(5))",
    "exp(-sqrt(2))*7",
]


def test_numbers_have_the_same_ends(ask: Ask) -> None:
    """Of expressions, to the last unit; those of logarithms begin at a float."""
    decided = 0
    for text, found in zip(TEXTS_OF_NUMBERS, ask(ENCLOSED, TEXTS_OF_NUMBERS), strict=True):
        try:
            expected: Any = [fraction(x) for x in recheck.enclosed(text)]
        except (recheck.Beyond, ArithmeticError):
            expected = None
        if "l" not in text or expected is None:
            assert found == expected, text
            decided += expected is not None
    assert decided > 40


def test_logarithms_lie_between_their_ends(ask: Ask) -> None:
    """A float is next to them; what it misses has to be on its side, to the last unit."""
    arguments = [f"{n}/{d}" for n in range(1, 12) for d in range(1, 8)]
    with mpmath.workdps(150):
        for x, found in zip(arguments, ask(ENCLOSED, [f"3+ln({x})" for x in arguments]), strict=True):
            low, high = (mpmath.mpf(int(n)) / int(d) for n, d in found)
            assert low <= 3 + mpmath.log(mpmath.mpf(int(x.split("/")[0])) / int(x.split("/")[1])) <= high, x


MEASURES = """(rows) => rows.map(([h, digits, bits, start, cells, count, epsilon]) => {
  const fixed = new Fixed(bits), setting = new Setting(number(h), 6, digits, fixed, () => {});
  const given = cells.map(([width, endless, p, r], i) => (
    { index: start + i, width, endless, p: p.map(BigInt), r: r.map(BigInt) }));
  return [Upper, Lower].map((kind) => {
    const x = repeated(kind.of(given, setting, 1), count, Q.of(1, 50)), delta = x.delta(number(epsilon));
    const [masses, infinite] = [[...x.mass, ...(x.q ?? [])].map(String), String(x.infinite)];
    return [x.start, x.level, masses, infinite, String(delta.n), String(delta.d)];
  });
})"""


def test_measures_are_the_same_integers(ask: Ask) -> None:
    """With few digits: cells become masses, these are composed, cut and made coarser, and bound δ."""
    rng = random.Random(8)
    rows: list[Any] = []
    expected = []
    for _ in range(60):
        bits, digits, start = rng.randint(12, 30), rng.randint(2, 5), rng.randint(-5, 3)
        cells = []
        for _ in range(rng.randint(1, 5)):
            p = sorted(rng.sample(range(2**bits // 5), 2))
            r = sorted(rng.choices(range(p[0] + 1), k=2))
            cells.append([rng.choice([1, 1, 3]), rng.random() < 0.2, p, r])
        row = [
            f"1/{rng.randint(3, 40)}",
            digits,
            bits,
            start,
            cells,
            rng.randint(1, 5),
            f"0.{rng.randint(0, 9)}",
        ]
        rows.append([*row[:4], [[w, e, [*map(str, p)], [*map(str, r)]] for w, e, p, r in cells], *row[5:]])
        setting = recheck.Setting(Fraction(row[0]), 6, 10**digits, recheck.Fixed(bits), [0])
        given = [
            recheck.Cell(start + i, tuple(p), tuple(r), endless, width)
            for i, (width, endless, p, r) in enumerate(cells)
        ]
        both = []
        for kind in (recheck.Upper, recheck.Lower):
            x: Any = recheck.power(kind.of(given, setting, 1), row[5], Fraction(1, 50))
            delta = fraction(x.delta(Fraction(row[6])))
            both.append(
                [x.start, x.level, [str(m) for m in (*x.mass, *(x.q or ()))], str(x.infinite), *delta]
            )
        expected.append(both)
    assert ask(MEASURES, rows) == expected


CONVOLVE = """([a, b, bound]) => (
  convolve(a.map(BigInt), b.map(BigInt), BigInt(bound)).map((c) => c.toString(16)))"""


@pytest.mark.parametrize(
    ("sizes", "digits"), [((3, 900), 30), ((9, 9), 1), ((700, 500), 60), ((40, 90), 250)]
)
def test_products_are_those_of_polynomials(ask: Ask, sizes: tuple[int, int], digits: int) -> None:
    """Packed into one integer by Python."""
    rng = random.Random(digits)
    a, b = ([rng.choice([0, 10**digits - 1, rng.randrange(10**digits)]) for _ in range(n)] for n in sizes)
    width = 8 * digits + 64
    whole = sum(c << (width * i) for i, c in enumerate(a)) * sum(c << (width * i) for i, c in enumerate(b))
    expected = [(whole >> (width * i)) & ((1 << width) - 1) for i in range(sum(sizes) - 1)]
    found = ask(CONVOLVE, [[hex(c) for c in a], [hex(c) for c in b], hex(max(expected))])
    assert [int(c, 16) for c in found] == expected


def test_digests_and_numbers_are_those_of_python(ask: Ask) -> None:
    rng = random.Random(1)
    data = [rng.randbytes(n) for n in (0, 1, 55, 56, 63, 64, 65, 1000)]
    found = ask("(rows) => rows.map((row) => sha256(Uint8Array.from(row)))", [list(each) for each in data])
    assert found == [hashlib.sha256(each).hexdigest() for each in data]
    values = [
        Fraction(rng.randrange(1, 10**9)) ** rng.choice([1, 9]) / 10 ** rng.randint(0, 120)
        for _ in range(300)
    ]
    values += [Fraction(n, 64) for n in range(64)] + [Fraction(9999996, 10**k) for k in range(1, 20)]
    found = ask(
        "(rows) => rows.map((row) => Q.of(...row.map(BigInt))).map((x) => [x.double(), general(x)])",
        [fraction(x) for x in values],
    )
    assert [float(value) for value, _ in found] == [float(x) for x in values]
    assert [shown for _, shown in found] == [f"{float(x):.6g}" for x in values]


# --- the file ---


def test_it_is_one_small_file_that_asks_for_nothing() -> None:
    assert code_lines(TRAINING) <= 1000 and code_lines(SOURCE) <= 1300
    assert not re.search(
        r"\b(import|eval|fetch|XMLHttpRequest|importScripts|Function|WebSocket)\b[(\s]", SOURCE
    )
    assert "</" not in SOURCE and "<!--" not in SOURCE  # it stands in pages


def code_lines(source: str) -> int:
    """Lines that hold code: no blank ones, no comments, no brackets alone, which Python has not."""
    bare = re.sub(r"^\s*/\*\*.*?\*/|^\s*//.*?$", "", source, flags=re.DOTALL | re.MULTILINE)
    return sum(bool(line.strip("{}[]();, ")) for line in bare.splitlines())


def test_the_page_of_certificates_names_this_very_file() -> None:
    page = (Path(recheck.__file__).parents[1] / "docs" / "certificates.md").read_text("utf-8")
    told = f"It has {len(SOURCE.splitlines()):,} lines, of which {code_lines(SOURCE):,} are code"
    assert hashlib.sha256(SOURCE.encode()).hexdigest() in page and told in " ".join(page.split())
