"""Masses and cells of the checker's laws with few digits: where a unit of the last place is much, it shows on
which side of the truth each number is."""

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from pldverify import recheck

ONE, HALF = Fraction(1), Fraction(1, 2)


def exact(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def within(ends: Sequence[int], value: Any, fixed: recheck.Fixed) -> bool:
    """A number of the law in its ends; mpmath is exact but for the last digits."""
    return bool(ends[0] <= value * fixed.one + 1e-9 and value * fixed.one <= ends[1] + 1e-9)


# --- noise ---

SAMPLE = ((Fraction(0), Fraction(3, 4)), (ONE, Fraction(1, 4)))
PAIRS = {
    "gaussian": recheck.shifted(recheck.Gaussian, ONE),
    "sampled": recheck.Pair(recheck.Gaussian, SAMPLE, ((Fraction(0), ONE),)),
    "replaced": recheck.Pair(
        recheck.Gaussian, SAMPLE, ((-ONE, Fraction(1, 4)), (Fraction(0), Fraction(3, 4)))
    ),
    "laplace": recheck.shifted(recheck.Laplace, Fraction(3, 2), Fraction(1, 3)),
}


def below(pair: recheck.Pair, centres: Any, y: Any) -> Any:
    """The mass of a mixture below y."""

    def mass(x: Any) -> Any:
        if pair.noise is recheck.Gaussian:
            return mpmath.ncdf(x)
        return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2

    return mpmath.fsum(exact(w) * mass(y - exact(a)) for a, w in centres)


def loss(pair: recheck.Pair, y: Any) -> Any:
    """Of an outcome."""

    def density(centres: Any) -> Any:
        gaps = [(y - exact(a), exact(w)) for a, w in centres]
        square = pair.noise is recheck.Gaussian
        return mpmath.fsum(w * mpmath.exp(-x * x / 2 if square else -abs(x)) for x, w in gaps)

    return mpmath.log(density(pair.p) / density(pair.q))


def where(pair: recheck.Pair, wanted: Any, u: Any, v: Any) -> Any:
    """The outcome from u to v where the loss is that; or the nearer end."""
    for _ in range(60):
        middle = (u + v) / 2
        u, v = (middle, v) if loss(pair, middle) < wanted else (u, middle)
    return u


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells end at outcomes whose losses are less than they should be by more than a hair."""
    marks = recheck.Pair.marks

    def moved(pair: Any, h: Fraction, tail: float) -> list[tuple[int, Fraction]]:
        return [(j, y - Fraction(1, 500)) for j, y in marks(pair, h, tail)]

    monkeypatch.setattr(recheck.Pair, "marks", moved)


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("bits", [24, 31])
@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize("name", PAIRS)
def test_cells_of_noise_enclose_their_masses(name: str, remove: bool, bits: int) -> None:
    """P-masses; Q-masses times e^a from above, and from below after losses under a were raised to it."""
    pair, h, fixed, tail = PAIRS[name], Fraction(1, 32), recheck.Fixed(bits), 4.0
    cells = pair.step(h, remove, fixed, tail)
    pair = pair if remove else pair.turned
    with mpmath.workdps(30):
        at = [-30, *(exact(y) for _, y in pair.marks(h, tail)), 30]
        for cell, (u, v) in zip(cells, itertools.pairwise(at), strict=True):
            a = exact(cell.index * h)
            cut = where(pair, a, u, v)
            p, q, raised, kept = (
                below(pair, centres, end) - below(pair, centres, start)
                for centres, start, end in (
                    (pair.p, u, v),
                    (pair.q, u, v),
                    (pair.p, u, cut),
                    (pair.q, cut, v),
                )
            )
            assert within(cell.p, p, fixed) and q * mpmath.exp(a) * fixed.one <= cell.r[1] + 1e-9
            assert cell.r[0] <= (raised + kept * mpmath.exp(a)) * fixed.one + 1e-9


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("bits", [24, 31])
def test_what_is_left_of_a_batch_is_in_its_rest(bits: int) -> None:
    """Outcomes that neither have a gain in M against N nor in N against M: all others' masses are rounded."""
    pair, h, fixed = PAIRS["sampled"], Fraction(1, 8), recheck.Fixed(bits)
    *_, rest = recheck.Batch(pair).step(h, True, fixed, 4.0)
    up, down = (dict(law.marks(h, 4.0))[0] for law in (pair, pair.turned))
    with mpmath.workdps(30):
        others = 1 - below(pair, pair.p, exact(up)) + below(pair.turned, pair.turned.p, exact(down))
    assert rest.index == -1 and rest.p[1] >= (1 - others) * fixed.one - 1e-9


# --- guarantees ---


def levels(epsilon: Any, delta: Any, m: int) -> list[tuple[Any, Any]]:
    """(P-mass, Q-mass) of the pair of m records: where the m-fold g breaks, by g itself."""

    def g(x: Any) -> Any:
        return min(delta + mpmath.exp(epsilon) * x, 1 - mpmath.exp(-epsilon) * (1 - delta - x), 1)

    def power(x: Any) -> Any:
        for _ in range(m):
            x = g(x)
        return x

    breaks = [(1 - delta) / (1 + mpmath.exp(epsilon))]
    while breaks[-1] > 0 and len(breaks) < m:
        breaks.append(max((breaks[-1] - delta) * mpmath.exp(-epsilon), mpmath.mpf(0)))
    ends = [1 - power(x) for x in (mpmath.mpf(0), *breaks)]
    at = sorted({mpmath.mpf(0), *breaks, *ends, mpmath.mpf(1)})
    found = [(power(b) - power(a), b - a) for a, b in itertools.pairwise(at)]
    return [*found, (power(mpmath.mpf(0)), mpmath.mpf(0))]


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_masses_of_guarantees_enclose(m: int, seed: int) -> None:
    """Those of losses of one sign at least, and what is lost."""
    rng = random.Random(seed)
    for _ in range(40):
        fixed = recheck.Fixed(rng.randint(20, 30))
        epsilon, delta = Fraction(rng.randint(10, 90), 100), Fraction(rng.randint(1, 90), 1000)
        rows = recheck.stated(ONE, epsilon, delta, Fraction(m)).masses(fixed, 9.0)
        with mpmath.workdps(40):
            truths = levels(exact(epsilon), exact(delta), m)
            lost = truths[-1][0]
            assert within(rows[-2][0], lost, fixed) and rows[-2][1] == recheck.ZERO
            assert rows[-1] == rows[-2][::-1]
            for p, q in rows[:-2]:
                assert any(within(p, a, fixed) and within(q, b, fixed) for a, b in truths[:-1]), (p, q)


# --- hidden batches ---


@pytest.mark.parametrize("far", ["1/2", "1"])
def test_indices_between_coarse_marks_hold_no_more_than_there_is(
    far: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks miss their ratios by a share c that is not small here: what is kept is proved for any c. One
    batch is Gaussian noise of that distance, whose masses beyond any threshold are no less.
    """
    monkeypatch.setattr(recheck, "round", lambda y: round(y / 2**48) * 2**48, raising=False)
    law, fixed = recheck.thrown(2, Fraction(far), Fraction(0), True), recheck.Fixed(120)
    law.prepare(7.0, [0], 0.0, 1)
    rows = law.masses(fixed, 7.0)
    lost = [rows[-2][0][1], rows[-1][1][1]]
    assert all(0 <= x < fixed.one for x in lost) and max(lost) > fixed.one >> 30


# --- what is refused, and numbers ---


def test_a_ratio_that_does_not_rise_is_beyond() -> None:
    """One of Q's centres is above one of P's, though another is below all of them."""
    made = ((ONE, HALF), (ONE + 1, HALF))
    assert recheck.Pair(recheck.Gaussian, made, ((Fraction(0), HALF), (HALF, HALF))).outcomes == 3
    with pytest.raises(recheck.Beyond, match="ratio does not rise"):
        recheck.Pair(recheck.Gaussian, made, ((Fraction(0), HALF), (ONE * 3 / 2, HALF)))


@pytest.mark.parametrize(
    ("text", "square"), [("sqrt(2)*sqrt(3)", 6), ("sqrt(6)/sqrt(2)", 3), ("-sqrt(2)*-sqrt(3)", 6)]
)
def test_products_of_irrational_numbers_have_both_ends(text: str, square: int) -> None:
    low, high = recheck.enclosed(text)
    assert low < high < low + Fraction(1, 10**30)
    assert low**2 < square < high**2
