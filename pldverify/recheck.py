#!/usr/bin/env python3
r"""Decide the verdict of a certificate again: ``python recheck.py certificate.json``.

This file needs Python's standard library and nothing else: copy it anywhere. Of a certificate it uses claim,
adjacency, composition and assumptions. It trusts neither witness nor enclosure.

**Statement.** For an ordered pair (P, Q), :math:`\delta(\epsilon) = \sup_A P(A) - e^\epsilon Q(A)`; δ of an
adjacency is the greatest of its pairs' δ. δ is continuous and falls in ε; the true ε(δ) is the least ε ≥ 0
with δ(ε) ≤ δ. So at a claimed (ε, δ): δ(ε) ≤ δ proves "true ε ≤ ε"; δ(ε) > δ proves "true ε > ε"; δ(ε) < δ
with ε > 0 proves "true ε < ε". Bounds of δ(ε) from both sides, at one ε, decide.

**Upper: connect the dots** (Doroshenko et al. 2022). S = log(dP/dQ) is the loss. Outcomes with S in [a, a+h],
of masses p and q, become two outcomes, at a and a+h, of P-masses u, v and Q-masses :math:`ue^{-a},
ve^{-a-h}`, where u + v = p and :math:`ue^{-a} + ve^{-a-h} = q`, so :math:`v = (p - qe^a)/(1 - e^{-h})`, in
[0, p]. Under P :math:`e^{-S}` moves to the ends of its interval and keeps its mean. Given S there is a law on
the ends with mean :math:`e^{-S}`; read backwards it is a channel from the new pair to the old. So the new
pair dominates, in products too. δ of their product is :math:`\sum \prod_i P_i(g_i) (1 - e^{\epsilon - \sum
g_i})_+`, which grows with every mass and every loss. **Lemma U:** a P-mass may be rounded up and moved to a
greater loss, +∞ included.

**Lower: its mirror.** An outcome is observed by the index of its cell, a product by the sum of indices. That
is a post-processing. **Lemma L:** :math:`\delta(\epsilon) \ge \sum_g (P(g) - e^\epsilon Q(g))_+` over any
indices and any outcomes in them (the same for P and Q), P-masses rounded down and Q-masses up.

**A coarser grid.** Upper: the point (2i+1)h goes to its neighbours, with :math:`v/(u+v) = 1/(1 + e^{-h})`, as
above. Lower: cells 2i and 2i+1 become cell i.

**Arithmetic.** Integers of a stated scale, rounded outward. Floats choose cells, grids and cuts; integers
check what they choose, or it may be anything.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        del sys.path[0]  # the folder of this file: nothing in it may pass for the standard library
    import os

    def _end(kind, error, trace):  # type: ignore[no-untyped-def]
        """Of an error that nothing below catches: Python's own exit code, 1, would contradict a claim."""
        sys.__excepthook__(kind, error, trace)
        os._exit(130 if kind is KeyboardInterrupt else 70)

    sys.excepthook = _end
    if sys.version_info < (3, 8):
        sys.stderr.write("recheck.py needs Python 3.8 or later; nothing was checked\n")
        sys.exit(69)

import base64
import hashlib
import json
import math
import os
import re
import stat
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, Rounded
from fractions import Fraction
from itertools import product
from typing import Any, Callable, Tuple, TypeVar, Union

SCHEMA, PREDICATE = "pldverify-certificate/1", "urn:pldverify-certificate:1"
PAYLOAD, STATEMENT = "application/vnd.in-toto+json", "https://in-toto.io/Statement/v1"
MAX_BYTES, MAX_DEPTH, MAX_PARTS, MAX_COUNT, MAX_CHARS, MAX_EXPONENT = 4_000_000, 60, 60, 10**12, 400, 300
SIZES = (500, 2000, 8000, 32_000)
"""Cells of a grid: the next if the last one leaves the claim open."""
WORK = 1_000_000_000
"""Digits that are handled, at most: about a minute."""
Interval = Tuple[int, int]
"""Integers (l, u) with l ≤ x·2^bits ≤ u for the number x that is meant."""
ZERO: Interval = (0, 0)


class Rejected(Exception):
    """The file is no certificate of this schema, or was changed."""


class Beyond(Exception):
    """This checker can't decide the claim."""


class Fixed:
    r"""Functions in fixed point.

    **Lemma F (floors).** Let :math:`t_{n+1} = c_n t_n`, :math:`c_n \ge 0`; :math:`T_0 = t_0`, :math:`T_{n+1}
    = \lfloor c_n T_n \rfloor`; N the first n with :math:`T_n = 0`. If :math:`\sum_{n \ge m} c_m \cdots
    c_{n-1} \le A` for all m, then :math:`0 \le \sum t_n - \sum T_n \le NA`. Proof: each of N floors takes
    away less than 1, which later steps multiply, in all later terms together, by at most A.
    """

    def __init__(self, bits: int) -> None:
        self.bits, self.one = bits, 1 << bits
        fine = bits + 16
        # log 2 = Σ 1/(k 2^k): floors and the tail miss less than 2**16: it is in [ln2, ln2 + 2]
        self.ln2 = sum((1 << (fine - k)) // k for k in range(1, fine)) >> 16
        # π = 16 atan(1/5) − 4 atan(1/239), alternating series: below 20 floors and tails a term, < 2**31
        pi = 0
        for factor, n in ((16, 5), (-4, 239)):
            term, k = (self.one << 32) // n, 0
            while term:
                pi, term, k = pi + factor * (-1) ** k * (term // (2 * k + 1)), term // (n * n), k + 1
        cube = 1 << 3 * bits  # 1/√(2π) is the root of 2^(2 bits)/(2π)
        low, high = (pi >> 32) - 1, (pi >> 32) + 2
        self.norm = (math.isqrt(cube // (2 * high)), math.isqrt(cube // (2 * low)) + 1)

    def of(self, x: Fraction) -> Interval:
        return (x.numerator << self.bits) // x.denominator, -((-x.numerator << self.bits) // x.denominator)

    def times(self, a: Interval, b: Interval) -> Interval:
        """Of numbers ≥ 0."""
        return (a[0] * b[0]) >> self.bits, -((-a[1] * b[1]) >> self.bits)

    def over(self, a: Interval, b: Interval) -> Interval:
        """Of numbers ≥ 0, the divisor > 0."""
        if b[0] <= 0:
            raise Beyond("a divisor is too small for this precision")
        return (a[0] << self.bits) // b[1], -((-a[1] << self.bits) // b[0])

    def scientific(self, x: int) -> tuple[int, int, int]:
        r"""(l, u, n) with :math:`l 2^n \le 2^{bits} e^y \le u 2^n` for all y in [x, x + 2]/2^bits.

        Proof: n = ⌊x/ln2⌋, r = x − n·ln2 in [0, log 2). The true log 2 moves r by at most 2|n|, y by at most
        2; e^r ≤ 2 changes by at most 8|n| + 9. Its Taylor sum in floors is too small by at most 2N (Lemma F,
        A = e^r).
        """
        n, r = divmod(x, self.ln2)
        term, total, i = self.one, 0, 0
        while term:
            total, i = total + term, i + 1
            term = (term * r >> self.bits) // i
        slack = 2 * i + 8 * abs(n) + 16
        return total - slack, total + slack, n

    def exp(self, x: Fraction) -> Interval:
        low, high, n = self.scientific((x.numerator << self.bits) // x.denominator)
        return (low << n, high << n) if n >= 0 else (low >> -n, -(-high >> -n))

    def normal(self, x: Fraction) -> Interval:
        r"""Φ(x) = 1/2 + φ(x) Σ t_n, :math:`t_0 = x`, :math:`t_{n+1} = t_n x^2/(2n+3)`, for x ≥ 0.

        Proof: the series solves f' = 1 + xf, f(0) = 0, as (Φ − 1/2)/φ does. Cutting x to X/2^bits moves Φ by
        less than 1. X² is exact. A product of j factors is at most (x²/2)^j/j!, as (2m+3)(2m+5)… ≥ 2·4·…·2j;
        so A = e^{x²/2} in Lemma F, and the sum, times φ(x), is too small by at most N/√(2π) ≤ N.
        """
        cut = abs((x.numerator << self.bits) // x.denominator)
        square, term, total, n = cut * cut, cut, 0, 0
        while term:
            total, n = total + term, n + 1
            term = (term * square >> 2 * self.bits) // (2 * n + 1)
        low, high, e = self.scientific(-(square >> (self.bits + 1)) - 1)  # −x²/2 is in [that, that + 1]
        shift, half = 2 * self.bits - e, self.one >> 1
        left = max((low * self.norm[0] * total >> shift) - 1, 0)
        right = min((high * self.norm[1] * total >> shift) + n + 2, half)
        return (half + left, half + right) if x >= 0 else (half - right, half - left)


# --- one step --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Outcomes with losses in [index·h, (index+1)·h], after those below are raised to index·h (Lemma U).

    ``p``: their P-mass. ``r``: their Q-mass times e^(index·h); its lower end holds after losses are raised,
    for the upper side, its upper end before, for the lower side.
    """

    index: int
    p: Interval
    r: Interval


@dataclass(frozen=True)
class Step:
    """``top``: outcomes whose loss has no bound, for the upper side at +∞. ``infinite``: P-mass at +∞."""

    cells: list[Cell]
    top: Cell | None
    infinite: Interval


class Gaussian:
    """N(mu, 1) against N(0, 1): at outcome y the ratio is e^(mu·y − mu²/2), which rises."""

    most = None

    def __init__(self, mu: Fraction) -> None:
        self.mu = _within(mu, Fraction(1, 10**6), 30)

    def ends(self, fixed: Fixed) -> tuple[Interval, Interval | None]:
        """Least and greatest ratio; None for ∞."""
        return ZERO, None

    def hint(self, ratio: float) -> float | None:
        """An outcome with that ratio, nearly."""
        return math.log(ratio) / float(self.mu) + float(self.mu) / 2 if ratio > 0 else None

    def span(self, base: float, shifted: float) -> tuple[float, float]:
        """Log ratios that leave out e^−base of N(0, 1) and e^−shifted of N(mu, 1), nearly."""
        mu = float(self.mu)
        right = max(math.sqrt(2 * base), mu + math.sqrt(2 * max(shifted, 0.0)))
        return -mu * math.sqrt(2 * base) - mu * mu / 2, mu * right - mu * mu / 2

    def at(self, y: Fraction, fixed: Fixed) -> tuple[Interval, Interval, Interval]:
        """Ratio at y; P- and Q-mass of the outcomes up to y."""
        return fixed.exp(self.mu * y - self.mu**2 / 2), fixed.normal(y - self.mu), fixed.normal(y)


class Laplace:
    """Lap(c, 1) against Lap(0, 1): ratio e^(2y − c) for y in (0, c), e^−c below, e^c above."""

    def __init__(self, c: Fraction) -> None:
        self.c = _within(c, Fraction(1, 10**6), 100)
        self.most = self.c, Fraction(0)

    def ends(self, fixed: Fixed) -> tuple[Interval, Interval | None]:
        return fixed.exp(-self.c), fixed.exp(self.c)

    def hint(self, ratio: float) -> float | None:
        y = (math.log(ratio) + float(self.c)) / 2 if ratio > 0 else -1.0
        return y if 0 < y < float(self.c) else None

    def span(self, base: float, shifted: float) -> tuple[float, float]:
        return -float(self.c), float(self.c)

    def at(self, y: Fraction, fixed: Fixed) -> tuple[Interval, Interval, Interval]:
        if not 0 < y < self.c:
            raise Beyond("an outcome outside of (0, c)")
        (low, high), left = fixed.exp(-y), fixed.exp(y - self.c)
        base = (fixed.one - (high + 1 >> 1), fixed.one - (low >> 1))
        return fixed.exp(2 * y - self.c), (left[0] >> 1, left[1] + 1 >> 1), base


@dataclass(frozen=True)
class Noise:
    """Continuous noise of rising ratio w, in a Poisson sample with probability q: (1−q)Q + qP against Q
    ("remove"), or the reverse ("add"). The loss is ±log(1 − q + qw).
    """

    base: Gaussian | Laplace
    q: Fraction

    @property
    def most(self) -> tuple[Fraction, Fraction] | None:
        """As of Atoms."""
        return self.base.most if self.q == 1 else None

    def span(self, tail: float, remove: bool) -> tuple[float, float]:
        """Losses that leave out a mass of e^−tail, nearly: a hint."""
        return sampled(self.base.span(tail, tail + math.log(self.q) if remove else 0.0), self.q, remove)

    def step(self, h: Fraction, remove: bool, fixed: Fixed, tail: float) -> Step:
        r"""Cells between outcomes y_j whose loss is a_j = jh, or less by a hair.

        Each y_j comes from a float. With x_j = dQ/dP at y_j and ρ_j = x_j e^{a_j} it is checked that ρ_j ≥ 1
        (the loss is at most a_j), and that the y_j move one way. The ratio is monotone: between y_j and
        y_{j+1} losses are at most a_{j+1} and dQ/dP is at most x_j. Raising losses below a_j to a_j lowers
        the Q-mass by at most p(x_j − e^{−a_j}), so r by at most p(ρ_j − 1). Below the first y, x is at most
        its limit; where that is ∞ nothing is known of r. Above the last y the loss is at most its limit,
        checked likewise, or unbounded.
        """
        side, one = (1 if remove else -1), (fixed.one, fixed.one)
        rho = fixed.over if remove else fixed.times
        marks: list[tuple[int, Fraction]] = []
        low, high = (x / float(h) for x in self.span(tail, remove))
        for j in range(math.ceil(low), math.floor(high) + 2):
            loss = side * (j * float(h) - 1e-12 * (1 + abs(j * float(h))))
            hint = math.exp(loss) if self.q == 1 else (math.expm1(loss) + float(self.q)) / float(self.q)
            found = self.base.hint(hint)
            if found is not None and abs(found) < 110:
                marks.append((j, Fraction(round(found * 2**60), 2**60)))
            elif marks:
                break
        if not marks or any((b[1] - a[1]) * side <= 0 or b[0] != a[0] + 1 for a, b in zip(marks, marks[1:])):
            raise Beyond("no outcomes of the wanted losses were found")
        ends = self.base.ends(fixed)
        least, greatest = (x and mixed(self.q, one, x) for x in (ends if remove else ends[::-1]))
        index = marks[0][0] - 1
        start, last = fixed.exp(index * h), ((ZERO, ZERO) if remove else (one, one))
        kappa = None  # ρ − 1, None for ∞
        if least and (least[0] or not remove):
            kappa = rho(start, least)[1] - fixed.one
        cells = []
        for j, y in marks:
            ratio, shifted, base = self.base.at(y, fixed)
            here = (mixed(self.q, base, shifted), base) if remove else (base, mixed(self.q, base, shifted))
            a = fixed.exp(j * h)
            low_rho, high_rho = rho(a, mixed(self.q, one, ratio))
            if low_rho < fixed.one:
                raise Beyond("a loss can't be verified")
            cells.append(_cell(index, start, (last, here)[::side], kappa, fixed))
            index, start, last, kappa = j, a, here, high_rho - fixed.one
        top = _cell(index, start, (last, (one, one) if remove else (ZERO, ZERO))[::side], kappa, fixed)
        if greatest and (remove or greatest[0]) and rho(fixed.exp((index + 1) * h), greatest)[0] >= fixed.one:
            return Step([*cells, top], None, ZERO)
        return Step(cells, top, ZERO)


def sampled(logs: tuple[float, float], q: Fraction, remove: bool) -> tuple[float, float]:
    """Losses at log ratios."""
    low, high = (math.log1p(float(q) * math.expm1(x)) if q < 1 else x for x in logs)
    return (low, high) if remove else (-high, -low)


def mixed(q: Fraction, a: Interval, b: Interval) -> Interval:
    """(1 − q)a + qb."""
    n, d = q.numerator, q.denominator
    return ((d - n) * a[0] + n * b[0]) // d, -((-(d - n) * a[1] - n * b[1]) // d)


def _cell(index: int, a: Interval, between: Any, kappa: int | None, fixed: Fixed) -> Cell:
    """``between``: the (P-mass, Q-mass) up to one outcome and up to a greater one; ``a``: e^(index·h)."""
    p, q = ((max(v[0] - u[1], 0), max(v[1] - u[0], 0)) for u, v in zip(*between))
    low, high = fixed.times(q, a)
    raised = -(-p[1] * max(kappa or 0, 0) >> fixed.bits)
    return Cell(index, p, (0 if kappa is None else max(low - raised, 0), high))


@dataclass(frozen=True)
class Atoms:
    """Outcomes with (P-mass, Q-mass), exactly 0 where ZERO stands, in a Poisson sample with probability q.

    ``reach``: the greatest loss, or one beyond which the mass is e^−tail, nearly: a hint.
    ``most``: the greatest finite loss and the P-mass at +∞, where both are rational.
    """

    masses: Callable[[Fixed, float], list[tuple[Interval, Interval]]]
    reach: Callable[[float], float]
    q: Fraction = Fraction(1)
    most: tuple[Fraction, Fraction] | None = None

    def span(self, tail: float, remove: bool) -> tuple[float, float]:
        return sampled((-self.reach(tail), self.reach(tail)), self.q, remove)

    def step(self, h: Fraction, remove: bool, fixed: Fixed, tail: float) -> Step:
        """An atom in the cell of its loss: it is checked that q·e^((index+1)h) ≥ p, so the loss is at most
        (index+1)h. r is cut at p, which raises a loss below index·h to it. Where no q > 0 is known, the upper
        side has the mass at +∞; so has the lower side, where q is 0.
        """
        cells, infinite = [], [0, 0]
        for shifted, base in self.masses(fixed, tail):
            p, q = (mixed(self.q, base, shifted), base)[:: 1 if remove else -1]
            if q[0] <= 0:
                infinite = [infinite[0] + (p[0] if q == ZERO else 0), infinite[1] + p[1]]
            elif p != ZERO:
                index = math.floor((math.log(p[1]) - math.log(q[0])) / float(h) + 1e-9)
                if fixed.times(q, fixed.exp((index + 1) * h))[0] < p[1]:
                    raise Beyond("an atom's loss can't be verified")
                low, high = fixed.times(q, fixed.exp(index * h))
                cells.append(Cell(index, p, (min(low, p[0]), high)))
        return Step(cells, None, (infinite[0], infinite[1]))


Law = Union[Noise, Atoms]


def response(q: Fraction, p: Fraction, categories: Fraction) -> Atoms:
    """True answer with probability p, each of the others with r = (1 − p)/(k − 1)."""
    k = _integer(categories, 2, 10**9)
    r = (1 - _within(p, 0, 1)) / (k - 1)
    rows = [(a, b) for a, b in ((p, r), (r, p), ((k - 2) * r, (k - 2) * r)) if a or b]
    reach = abs(_log(p) - _log(r)) if p and r else 1.0
    return Atoms(lambda fixed, tail: [(fixed.of(a), fixed.of(b)) for a, b in rows], lambda tail: reach, q)


def stated(epsilon: Fraction, delta: Fraction = Fraction(0)) -> Atoms:
    """Any (ε, δ)-DP mechanism: loss ±ε, with δ at +∞ (Kairouz, Oh, Viswanath 2015, Theorem 3.1)."""

    def masses(fixed: Fixed, tail: float) -> list[tuple[Interval, Interval]]:
        low, high = fixed.exp(-epsilon)
        more = fixed.over(fixed.of(1 - delta), (fixed.one + low, fixed.one + high))
        less, out = fixed.times(more, (low, high)), fixed.of(delta)
        pairs = [(more, less), (less, more), (out, ZERO), (ZERO, out)]
        return [pair for pair in pairs if pair != (ZERO, ZERO)]

    _within(epsilon, 0, 100), _within(delta, 0, 1)
    return Atoms(masses, lambda tail: float(epsilon), most=(epsilon, delta) if delta < 1 else None)


def integer_noise(q: Fraction, scale: Fraction, sensitivity: Fraction, square: bool) -> Atoms:
    r"""Noise ∝ e^{−f(x)} on the integers, f = x²/2σ² (``square``) or |x|/b, around s against around 0:
    outcomes from s−X to X.

    Beyond X the weights add up to at most e^{−f(X)}/u, u = X/σ² or 1/b: their ratio is at most e^{−u}, and
    1/(e^u − 1) ≤ 1/u. The other outcomes have masses up to that beyond X − s; they have no q or no p here,
    which raises or drops them.
    """
    s, high = _integer(sensitivity, 1, 1000), 1500 if square else 300
    _within(scale, Fraction(1, 5), high)

    def f(x: int) -> Fraction:
        return x * x / (2 * scale**2) if square else x / scale

    def last(tail: float) -> int:
        return math.ceil(float(scale) * (math.sqrt(2 * tail) if square else tail)) + s + 2

    def masses(fixed: Fixed, tail: float) -> list[tuple[Interval, Interval]]:
        x = last(tail)
        if x > 15_000:
            raise Beyond("too many outcomes of integer noise")
        weights = [fixed.exp(-f(i)) for i in range(x + s + 1)]
        beyond = (0, fixed.times(weights[x], fixed.of(scale**2 / x if square else scale))[1])
        inner = [weights[0][end] + 2 * sum(w[end] for w in weights[1 : x + 1]) for end in (0, 1)]
        total = (inner[0], inner[1] + 2 * beyond[1])
        mass = [fixed.over(w, total) for w in weights]
        rest = (0, fixed.over(beyond, total)[1] + sum(m[1] for m in mass[x - s : x + 1]))
        outcomes = [(mass[abs(i - s)], mass[abs(i)]) for i in range(s - x, x + 1)]
        return [*outcomes, (rest, ZERO), (ZERO, rest), (rest, ZERO), (ZERO, rest)]

    most = None if square or q < 1 else (s / scale, Fraction(0))
    return Atoms(masses, lambda tail: float(f(last(tail)) - f(last(tail) - s)), q, most)


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


# --- products --------------------------------------------------------------------------------------------

EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, Rounded])


@dataclass
class Setting:
    """What measures of one attempt share: masses are integers times 10^−digits, grids h·2^level."""

    h: Fraction
    size: int
    digits: int
    fixed: Fixed
    work: list[int]
    constants: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    @property
    def scale(self) -> int:
        return int(10**self.digits)

    def spend(self, work: int) -> None:
        self.work[0] += work
        if self.work[0] > WORK:
            raise Beyond("more work than is allowed")

    def up(self, x: int) -> int:
        return -(-x * self.scale >> self.fixed.bits)

    def halving(self, level: int) -> tuple[int, int, int]:
        """Upper bounds of 1/(1 + e^−g), e^(g/2) and e^(−g/2), g = h·2^level."""
        if level not in self.constants:
            g, one = self.h * 2**level, self.fixed.one
            right = -(-one * one // (one + self.fixed.exp(-g)[0]))
            self.constants[level] = right, self.fixed.exp(g / 2)[1], self.fixed.exp(-g / 2)[1]
        return self.constants[level]

    def convolve(self, a: list[int], b: list[int]) -> list[int]:
        """The exact product of polynomials with coefficients ≥ 0, each packed into one decimal number."""
        most = max(a) * max(b) * min(len(a), len(b))  # no coefficient of the product is greater
        if most.bit_length() > 10_000:
            raise Beyond("the grid is too coarse for so many steps")
        width = len(str(most))
        self.spend(width * (len(a) + len(b)))
        packed = [Decimal("".join([f"{c:0{width}d}" for c in reversed(x)])) for x in (a, b)]
        text = str(EXACT.multiply(*packed)).zfill((len(a) + len(b) - 1) * width)
        return [int(text[i : i + width]) for i in range(len(text) - width, -1, -width)]


@dataclass(frozen=True)
class Upper:
    """Masses at losses (start + i)·h·2^level, and at +∞ (Lemma U)."""

    setting: Setting
    level: int
    start: int
    mass: list[int]
    infinite: int

    @staticmethod
    def of(step: Step, setting: Setting, level: int) -> Upper:
        """v rounded up, but at most p, and p − v: that moves mass up."""
        bits, up = setting.fixed.bits, setting.up
        spread = setting.fixed.one - setting.fixed.exp(-setting.h * 2**level)[1]  # 1 − e^−h, rounded down
        start, size = _extent(step.cells)
        mass = [0] * (size + 1)
        for cell in step.cells:
            right = min(-(-((cell.p[1] - cell.r[0]) << bits) // spread), cell.p[1])
            mass[cell.index - start] += up(cell.p[1] - right)
            mass[cell.index - start + 1] += up(right)
        return Upper(setting, level, start, mass, up(step.infinite[1] + (step.top.p[1] if step.top else 0)))

    def times(self, other: Upper) -> Upper:
        scale = self.setting.scale
        mass = [-(-c // scale) for c in self.setting.convolve(self.mass, other.mass)]
        whole = sum(other.mass) + other.infinite
        infinite = -(-(self.infinite * whole + sum(self.mass) * other.infinite) // scale)
        return replace(self, start=self.start + other.start, mass=mass, infinite=infinite)

    def trim(self, allowed: int) -> Upper:
        """Up to ``allowed`` mass from the top to +∞, and from the bottom to the least loss that is kept."""
        low, left, high, right = _ends(self.mass, allowed)
        mass = [self.mass[low] + left, *self.mass[low + 1 : high]]
        return replace(self, start=self.start + low, mass=mass, infinite=self.infinite + right)

    def coarser(self) -> Upper:
        right, bits, start = self.setting.halving(self.level)[0], self.setting.fixed.bits, self.start // 2
        mass = [0] * ((self.start + len(self.mass)) // 2 - start + 1)
        for i, m in enumerate(self.mass, self.start):
            moved = min(-(-m * right >> bits), m) if i % 2 else 0
            mass[i // 2 - start] += m - moved
            if moved:
                mass[i // 2 - start + 1] += moved
        return replace(self, level=self.level + 1, start=start, mass=mass)

    def delta(self, epsilon: Fraction) -> Fraction:
        """An upper bound of δ: e^(ε − loss) is rounded down, below 0 if need be."""
        fixed, g = self.setting.fixed, self.setting.h * 2**self.level
        first = max(math.floor(epsilon / g) + 1, self.start)
        power, step, total = fixed.exp(epsilon - first * g)[0], fixed.exp(-g)[0], 0
        for m in self.mass[first - self.start :]:
            total += m * (fixed.one - power)
            power = power * step >> fixed.bits
        return Fraction(total + (self.infinite << fixed.bits), self.setting.scale << fixed.bits)


@dataclass(frozen=True)
class Lower:
    """By cell, P-mass, and Q-mass times e^((start + i + shift)·h·2^level); P-mass at +∞ (Lemma L)."""

    setting: Setting
    level: int
    start: int
    shift: Fraction
    mass: list[int]
    q: list[int]
    infinite: int

    @staticmethod
    def of(step: Step, setting: Setting, level: int) -> Lower:
        fixed, scale, half = setting.fixed, setting.scale, setting.fixed.exp(setting.h * 2**level / 2)[1]
        cells = [*step.cells, *([step.top] if step.top else [])]
        start, size = _extent(cells)
        p, q = [0] * size, [0] * size
        for cell in cells:
            p[cell.index - start] += cell.p[0] * scale >> fixed.bits
            q[cell.index - start] += setting.up(-(-cell.r[1] * half >> fixed.bits))
        return Lower(setting, level, start, Fraction(1, 2), p, q, step.infinite[0] * scale >> fixed.bits)

    def times(self, other: Lower) -> Lower:
        scale = self.setting.scale
        p = [c // scale for c in self.setting.convolve(self.mass, other.mass)]
        q = [-(-c // scale) for c in self.setting.convolve(self.q, other.q)]
        whole = sum(other.mass) + other.infinite
        infinite = (self.infinite * whole + sum(self.mass) * other.infinite) // scale
        start, shift = self.start + other.start, self.shift + other.shift
        return replace(self, start=start, shift=shift, mass=p, q=q, infinite=infinite)

    def trim(self, allowed: int) -> Lower:
        """Cells at both ends with up to ``allowed`` P-mass are left out."""
        low, _, high, _ = _ends(self.mass, allowed)
        return replace(self, start=self.start + low, mass=self.mass[low:high], q=self.q[low:high])

    def coarser(self) -> Lower:
        """The tilt of the new cell is that of the middle between its two."""
        _, more, less = self.setting.halving(self.level)
        bits, odd = self.setting.fixed.bits, self.start % 2
        p, q = ([0] * odd + x + [0] * ((odd + len(x)) % 2) for x in (self.mass, self.q))
        p = [a + b for a, b in zip(p[::2], p[1::2])]
        q = [-(-(a * more + b * less) >> bits) for a, b in zip(q[::2], q[1::2])]
        shift = (self.shift + Fraction(1, 2)) / 2
        return replace(self, level=self.level + 1, start=self.start // 2, shift=shift, mass=p, q=q)

    def delta(self, epsilon: Fraction) -> Fraction:
        """A lower bound of δ: e^(ε − loss) is rounded up. Cells where it is large are left out."""
        fixed, g = self.setting.fixed, self.setting.h * 2**self.level
        first = max(math.floor((epsilon - 40) / g - self.shift), self.start)
        power, step, total = fixed.exp(epsilon - (first + self.shift) * g)[1], fixed.exp(-g)[1], 0
        for p, q in zip(self.mass[first - self.start :], self.q[first - self.start :]):
            total += max((p << fixed.bits) - q * power, 0)
            power = -(-power * step >> fixed.bits)
        return Fraction(total + (self.infinite << fixed.bits), self.setting.scale << fixed.bits)


Measure = TypeVar("Measure", Upper, Lower)


def _extent(cells: list[Cell]) -> tuple[int, int]:
    """First index, number of indices; any where there is no cell."""
    indices = [cell.index for cell in cells] or [0]
    size = max(indices) - min(indices) + 1
    if size > 100 * SIZES[-1]:
        raise Beyond("losses lie too far from each other")
    return min(indices), size


def _ends(mass: list[int], allowed: int) -> tuple[int, int, int, int]:
    """(low, mass below, high, mass from high on): up to ``allowed`` at each end; one entry at least stays."""
    low, left, high, right = 0, 0, len(mass), 0
    while low < len(mass) - 1 and left + mass[low] <= allowed:
        left, low = left + mass[low], low + 1
    while high > low + 1 and right + mass[high - 1] <= allowed:
        right, high = right + mass[high - 1], high - 1
    return low, left, high, right


def joined(a: Measure, b: Measure, allowed: int) -> Measure:
    """The product, on the coarser one's grid or one that is coarse enough."""
    while a.level < b.level:
        a = a.coarser()
    while b.level < a.level:
        b = b.coarser()
    whole = a.times(b).trim(allowed)
    while len(whole.mass) > whole.setting.size:
        whole = whole.coarser()
    return whole


def power(x: Measure, count: int, allowed: Fraction) -> Measure:
    """``count`` equal factors by repeated squaring; ``allowed`` mass may be cut at each of its stages."""
    result, done, rest = None, 1, count
    while True:
        cut = int(allowed * done / count * x.setting.scale)
        if rest % 2:
            result = x if result is None else joined(result, x, cut)
        rest //= 2
        if not rest and result is not None:
            return result
        x, done = joined(x, x, cut), 2 * done


# --- the claim -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    """What is claimed, of which laws (with counts), in which directions (True: "remove")."""

    relation: str
    epsilon: Fraction
    delta: Fraction
    parts: tuple[tuple[Law, int], ...]
    directions: tuple[bool, ...]


def bound(claim: Claim, remove: bool, kind: type[Measure], size: int, work: list[int]) -> Fraction:
    """A bound of δ(claim.epsilon) in one direction, by grids of up to ``size`` cells."""
    total = sum(count for _, count in claim.parts)
    small = claim.delta / 10**7 if claim.delta else Fraction(1, 10**30)
    digits = 6 + len(str(total * size)) + len(str(int(1 / small)))
    tail = math.log(total) - _log(small)
    spans = [law.span(tail, remove) for law, _ in claim.parts]
    farthest = max(max(map(abs, span)) for span in spans)
    if digits > 300 or farthest > 600:
        raise Beyond("δ is too small, or losses are too large")
    widths = [Fraction(max(int((b - a) / size * 2**50), 2**14), 2**50) for a, b in spans]
    setting = Setting(min(widths), size, digits, Fixed(64 + int(3.33 * digits + 3 * farthest)), work)
    whole = None
    for (law, count), width in zip(claim.parts, widths):
        level = int(width / setting.h).bit_length() - 1
        setting.spend(size * setting.fixed.bits * int(8 + tail / 8))
        step = law.step(setting.h * 2**level, remove, setting.fixed, tail)
        setting.spend(len(step.cells) * setting.fixed.bits * int(8 + tail / 8))
        block = power(kind.of(step, setting, level), count, small)
        whole = block if whole is None else joined(whole, block, int(small * setting.scale))
    return whole.delta(claim.epsilon) if whole else Fraction(0)


def decide(claim: Claim) -> tuple[str, str]:
    """CERTIFIED, REFUTED or UNDECIDED, and how: by finer and finer grids, the likely side of δ(ε) first."""
    lower, uppers, work, reason = Fraction(0), {d: Fraction(1) for d in claim.directions}, [0], ""
    exact = extreme(claim)
    if exact:
        return exact
    for size in SIZES:
        sides = (Lower, Upper) if lower + max(uppers.values()) > 2 * claim.delta else (Upper, Lower)
        for kind, remove in product(sides, claim.directions):
            if _by_delta(claim, lower, max(uppers.values())) != "UNDECIDED":
                break
            try:
                if kind is Lower:
                    lower = max(bound(claim, remove, Lower, size, work), lower)
                elif uppers[remove] >= claim.delta:
                    uppers[remove] = min(bound(claim, remove, Upper, size, work), uppers[remove])
            except (Beyond, ArithmeticError, ValueError, MemoryError) as beyond:  # of floats, too
                reason = f"; {beyond}"
                break
    found = _by_delta(claim, lower, max(uppers.values()))
    between = f"δ(ε) is in [{float(lower):.6g}, {float(max(uppers.values())):.6g}]"
    return found, between + (reason if found == "UNDECIDED" else "")


def extreme(claim: Claim) -> tuple[str, str] | None:
    """Decided by the greatest finite loss M and the mass L at +∞ alone, exactly, or None.

    δ(ε) = L from M on and δ(ε) > L before: the true ε is M at δ = L, there is none at δ < L, and at δ > L it
    is less than M, or M = 0.
    """
    rows = [(*law.most, count) for law, count in claim.parts if law.most]
    size = sum(count * (lost.denominator.bit_length() - 1) for _, lost, count in rows)
    if len(rows) < len(claim.parts) or size > 10**6:
        return None
    whole = sum(most * count for most, _, count in rows)
    lost = 1 - math.prod((1 - lost) ** count for _, lost, count in rows)
    at, less, tie = claim.epsilon, claim.delta < lost, claim.delta == lost
    above = less or (tie and whole > at)
    at_least = above or at == 0 or (tie and whole == at)
    below = at > 0 and not less and (whole < at or (whole == at and not tie))
    found = ruling(claim.relation, not less and whole <= at, above, at_least, below)
    how = f"from ε = {float(whole):.6g} on, δ(ε) is {float(lost):.6g}"
    return None if found == "UNDECIDED" else (found, how)


def _by_delta(claim: Claim, lower: Fraction, upper: Fraction) -> str:
    """See the statement at the top."""
    above, below = lower > claim.delta, upper < claim.delta and claim.epsilon > 0
    return ruling(claim.relation, upper <= claim.delta, above, above or claim.epsilon == 0, below)


def ruling(relation: str, at_most: bool, above: bool, at_least: bool, below: bool) -> str:
    """From what is proved of the true ε against the claimed one."""
    holds = {"<=": at_most, ">=": at_least, "=": at_most and at_least}[relation]
    fails = {"<=": above, ">=": below, "=": above or below}[relation]
    return "CERTIFIED" if holds else "REFUTED" if fails else "UNDECIDED"


# --- the certificate -------------------------------------------------------------------------------------

ASSUMPTIONS = {
    "releases": "nothing else that depends on the data is released",
    "noise": "each step's randomness is exact, independent and secret",
    "sensitivity": "each step's query has the stated sensitivity, per record",
    "poisson-sampling": "each record is in each batch independently, with the stated probability",
    "guarantee": "the guarantees that are stated of mechanisms hold",
}
"""What a verdict takes for granted; a certificate has to name what its composition needs."""
ADJACENCIES = ("add", "remove", "add-or-remove", "replace-one", "zero-out")
GUARANTEES = ("pure_dp", "approximate_dp", "gdp")
LAWS: dict[str, tuple[tuple[str, ...], Callable[..., Law]]] = {
    "gaussian": (("sigma", "sensitivity"), lambda q, sigma, s: Noise(Gaussian(s / sigma), q)),
    "laplace": (("b", "sensitivity"), lambda q, b, s: Noise(Laplace(s / b), q)),
    "gdp": (("mu",), lambda q, mu: Noise(Gaussian(mu), q)),
    "randomized_response": (("p", "categories"), response),
    "pure_dp": (("epsilon",), lambda q, e: stated(e)),
    "approximate_dp": (("epsilon", "delta"), lambda q, e, d: stated(e, d)),
    "discrete_gaussian": (("sigma", "sensitivity"), lambda q, sigma, s: integer_noise(q, sigma, s, True)),
    "discrete_laplace": (("b", "sensitivity"), lambda q, b, s: integer_noise(q, b, s, False)),
}
"""Parameters, and the law made of q and them. Pairs: Balle and Wang 2018; Zhu, Dong, Wang 2022 (Theorem 11:
Poisson sampling); Canonne, Kamath, Steinke 2020; Kairouz, Oh, Viswanath 2015.
"""
KEYS = {
    **dict.fromkeys(("schema", "adjacency", "standing", "verdict", "reason", "sha256"), str),
    **dict.fromkeys(("claim", "versions"), dict),
    **dict.fromkeys(("composition", "assumptions", "dominating_pairs"), list),
    **dict.fromkeys(("cause", "enclosure", "witness"), object),
}
NUMBER = re.compile(r"(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?:/([1-9]\d*))?", re.ASCII)
END = re.compile(r"(0|[1-9]\d*)(?:\*2\^(-?[1-9]\d{0,4})|/([1-9]\d*))?", re.ASCII)


def read(path: str) -> bytes:
    """A regular file of bounded size. Raises Rejected."""
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Rejected("it is not a regular file")
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Rejected(f"it can't be read: {error}") from None


def opened(data: bytes) -> tuple[dict[str, Any], list[str]]:
    """The certificate in a file, and what is to be said of its envelope, if it has one. Raises Rejected."""
    content = loads(data)
    if "payload" not in content:
        return _certificate(content), []
    payload, signatures = envelope(content)
    subject, predicate = statement(payload)
    document = _certificate(predicate)
    digests = [row.get("digest") for row in subject if isinstance(row, dict)]
    if document["sha256"] not in [digest.get("sha256") for digest in digests if isinstance(digest, dict)]:
        raise Rejected("the subject of its statement is something else")
    signed = "in an envelope whose signatures were not checked"
    return document, [signed if signatures else "in an envelope, but nobody signed it"]


def envelope(content: dict[str, Any]) -> tuple[bytes, list[bytes]]:
    """Payload and signatures of a DSSE envelope, not verified. Raises Rejected."""
    kind, payload, signatures = fields(content, payloadType=str, payload=str, signatures=list)
    if kind != PAYLOAD:
        raise Rejected(f"payloadType must be {PAYLOAD}")
    for row in signatures:
        fields(row, sig=str, **({"keyid": str} if isinstance(row, dict) and "keyid" in row else {}))
    try:
        found = [base64.b64decode(text, validate=True) for text in [payload, *(r["sig"] for r in signatures)]]
    except ValueError:
        raise Rejected("its payload and signatures must be base64") from None
    if not all(found):
        raise Rejected("its payload and signatures must not be empty")
    return found[0], found[1:]


def statement(payload: bytes) -> tuple[list[Any], dict[str, Any]]:
    """Subject and predicate of an in-toto statement about a certificate. Raises Rejected."""
    kinds = {"_type": str, "subject": list, "predicateType": str, "predicate": dict}
    kind, subject, of, predicate = fields(loads(payload), **kinds)
    if (kind, of) != (STATEMENT, PREDICATE):
        raise Rejected(f"its payload must be an in-toto statement of {PREDICATE}")
    return subject, predicate


def parse(data: bytes) -> dict[str, Any]:
    """The certificate in a file without an envelope. Raises Rejected."""
    return _certificate(loads(data))


def loads(data: bytes) -> dict[str, Any]:
    """A JSON object without floats, repeated keys, deep nesting or large integers. Raises Rejected."""
    if len(data) > MAX_BYTES:
        raise Rejected(f"it has more than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8")
        found = json.loads(
            text, object_pairs_hook=_object, parse_int=_small, parse_float=_refuse, parse_constant=_refuse
        )
    except (UnicodeError, json.JSONDecodeError) as error:
        raise Rejected(f"it is not JSON in UTF-8: {error}") from None
    except RecursionError:
        raise Rejected("it is nested too deep") from None
    if not isinstance(found, dict):
        raise Rejected("it is no JSON object")
    return found


def _certificate(document: dict[str, Any]) -> dict[str, Any]:
    """If it is one, with its own digest. Raises Rejected."""
    fields(document, **KEYS)
    if document["schema"] != SCHEMA:
        raise Rejected(f"schema must be {SCHEMA}")
    try:
        digest = hashlib.sha256(canonical(document)).hexdigest()
    except UnicodeError:
        raise Rejected("it has half a character") from None
    if document["sha256"] != digest:
        raise Rejected("its digest is not that of its content")
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise Rejected("a key comes twice")
    return dict(pairs)


def _small(text: str) -> int:
    if len(text) > 16 or abs(int(text)) >= 2**53:
        raise Rejected("an integer is too large")
    return int(text)


def _refuse(text: str) -> None:
    raise Rejected("numbers must be integers, or exact ones in strings")


def canonical(document: dict[str, Any]) -> bytes:
    """RFC 8785, of all but the digest: no spaces, keys in the order of UTF-16 units."""

    def ordered(value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Rejected(f"it is nested deeper than {MAX_DEPTH}")
        if isinstance(value, dict):
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return {key: ordered(value[key], depth + 1) for key in keys}
        return [ordered(item, depth + 1) for item in value] if isinstance(value, list) else value

    content = ordered({key: value for key, value in document.items() if key != "sha256"}, 0)
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def fields(value: Any, **kinds: Any) -> list[Any]:
    """The values of an object that has these keys, of these types. Raises Rejected."""
    if not isinstance(value, dict) or value.keys() != kinds.keys():
        raise Rejected(f"an object must have the keys {', '.join(kinds)}")
    for name, kind in kinds.items():
        if not isinstance(value[name], kind) or (kind is int and isinstance(value[name], bool)):
            raise Rejected(f"{name} is of another type")
    return [value[name] for name in kinds]


def number(text: object) -> Fraction:
    """A decimal or a fraction, ≥ 0. Raises Rejected; Beyond for what is no rational number."""
    if not isinstance(text, str) or len(text) > MAX_CHARS:
        raise Rejected(f"a number must be a string of at most {MAX_CHARS} characters")
    found = NUMBER.fullmatch(text)
    if not found or (found[2] and "e" in text.lower()):
        raise Beyond(f"{text[:40]!r} is no decimal and no fraction")
    if abs(Decimal(found[1]).adjusted()) > MAX_EXPONENT:
        raise Beyond(f"numbers within 10^±{MAX_EXPONENT} only")
    return Fraction(found[1]) / int(found[2] or 1)


def end(text: str) -> Fraction | float:
    """An end of an enclosure: ``m*2^e``, ``n/d`` or ``inf``. Raises Rejected."""
    found = END.fullmatch(text) if len(text) <= 4000 else None
    if not found and text != "inf":
        raise Rejected("an end of the enclosure must be m*2^e, n/d or inf, m and n ≥ 0")
    if not found:
        return math.inf
    return Fraction(int(found[1]), int(found[3] or 1)) * Fraction(2) ** int(found[2] or 0)


def _within(x: Fraction, low: Fraction | int, high: int) -> Fraction:
    if not low <= x <= high:
        raise Beyond(f"a parameter, or sensitivity over noise, from {low} to {high} only")
    return x


def _integer(x: Fraction, low: int, high: int) -> int:
    if x.denominator != 1:
        raise Rejected("categories and sensitivities of integer noise must be integers")
    return int(_within(x, low, high))


def law(mechanism: object, adjacency: str, needed: set[str]) -> Law:
    """The law of one step, and into ``needed`` what it assumes. Raises Rejected, Beyond."""
    name, values, base = fields(mechanism, name=str, parameters=dict, base=object)
    q = Fraction(1)
    if name == "poisson":
        q = number(fields(values, q=str)[0])
        if not 0 < q <= 1 or adjacency == "replace-one":
            raise Beyond("Poisson sampling with q in (0, 1] under add-or-remove only")
        needed.add("poisson-sampling")
        name, values, base = fields(base, name=str, parameters=dict, base=object)
    if name not in LAWS or base is not None or (q < 1 and name in GUARANTEES):
        raise Beyond(f"{', '.join(LAWS)}, and Poisson sampling of noise only")
    if "group" in values:
        raise Beyond("guarantees for groups of records")
    names, make = LAWS[name]
    numbers = [number(value) for value in fields(values, **dict.fromkeys(names, str))]
    needed.add("guarantee" if name in GUARANTEES else "sensitivity")
    if "sensitivity" in names:
        if not all(numbers):
            raise Rejected("noise and sensitivity must be > 0")
        numbers[1] *= 2 if adjacency == "replace-one" else 1  # one record leaves, another one comes
    return make(q, *numbers)


def claim_of(document: dict[str, Any]) -> Claim:
    """The claim; assumptions and enclosure must fit it. Raises Rejected, Beyond."""
    adjacency, verdict, steps = (document[name] for name in ("adjacency", "verdict", "composition"))
    keys = {"quantity": str, "relation": str, "epsilon": str, "delta": str}
    quantity, relation, epsilon, delta = fields(document["claim"], **keys)
    if (
        quantity != "epsilon"
        or relation not in ("<=", ">=", "=")
        or adjacency not in ADJACENCIES
        or verdict not in ("CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED")
    ):
        raise Rejected("quantity, relation, adjacency or verdict is none of those that are allowed")
    if document["standing"] != "exact":
        raise Beyond("certificates of what only bounds the true value")
    if adjacency == "zero-out":
        raise Beyond("claims for zero-out")
    if not 1 <= len(steps) <= MAX_PARTS:
        raise Beyond(f"compositions of 1 to {MAX_PARTS} kinds of mechanism only")
    needed, parts = {"releases", "noise"}, []
    for count, mechanism in (fields(step, count=int, mechanism=dict) for step in steps):
        if not 1 <= count <= MAX_COUNT:
            raise Rejected(f"count must be from 1 to {MAX_COUNT}")
        parts.append((law(mechanism, adjacency, needed), count))
    symmetric = all(one.q == 1 for one, _ in parts)
    directions = (True,) if symmetric else {"add": (False,), "remove": (True,)}.get(adjacency, (True, False))
    claim = Claim(relation, number(epsilon), number(delta), tuple(parts), directions)
    said = sorted(tuple(fields(row, id=str, text=str)) for row in document["assumptions"])
    if said != sorted((name, ASSUMPTIONS[name]) for name in needed) or claim.delta > 1:
        raise Rejected(f"its assumptions must be {', '.join(sorted(needed))}, and delta at most 1")
    if document["enclosure"] is not None:
        (low, high), at = map(end, fields(document["enclosure"], lower=str, upper=str)), claim.epsilon
        ruled = ruling(relation, high <= at, low > at, low >= at, high < at)
        told = ruled == "UNDECIDED" and document["reason"]  # why it is decided nevertheless
        if low > high or (verdict in ("CERTIFIED", "REFUTED") and ruled != verdict and not told):
            raise Rejected("the verdict does not follow from the enclosure")
    return claim


def recheck(document: dict[str, Any]) -> tuple[str, list[str]]:
    """CONFIRMED, CONTRADICTED or UNDECIDED, and lines to read. Raises Rejected."""
    verdict, text = document["verdict"], document["claim"]
    try:
        claim = claim_of(document)
        found, how = decide(claim)
    except Beyond as beyond:
        return "UNDECIDED", [f"UNDECIDED: beyond this checker: {beyond}"]
    lines = [
        f"claim: ε {claim.relation} {text['epsilon']} at δ = {text['delta']}, {document['adjacency']}",
        *(f"of: {step['count']} * {_plain(step['mechanism'])}" for step in document["composition"]),
        *(f"assumed: {row['text']}" for row in document["assumptions"]),
        f"found: {found}; {how}",
    ]
    if found == "UNDECIDED" or verdict not in ("CERTIFIED", "REFUTED"):
        return "UNDECIDED", [f"UNDECIDED: {verdict} is stated, {found} is found", *lines]
    outcome = "CONFIRMED" if found == verdict else "CONTRADICTED"
    return outcome, [f"{outcome}: {verdict}", *lines]


def _plain(mechanism: dict[str, Any]) -> str:
    inner = [_plain(mechanism["base"])] if mechanism["base"] else []
    values = [f"{key}={value}" for key, value in mechanism["parameters"].items()]
    return f"{mechanism['name']}({', '.join(inner + values)})"


CODES = {"CONFIRMED": 0, "CONTRADICTED": 1, "REJECTED": 2, "UNDECIDED": 3, "FAILED": 70, "UNWRITTEN": 74}


def main(arguments: list[str]) -> int:
    """Exit code: 0 confirmed, 1 contradicted, 2 rejected, 3 undecided, 70 an error in this file, 74 nothing
    could be written; and 69 Python is too old, 130 interrupted.
    """
    try:
        if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
            raise Rejected("usage: python recheck.py certificate.json")
        document, notes = opened(read(arguments[0]))
        outcome, lines = recheck(document)
        lines += notes
    except Rejected as reason:
        outcome, lines = "REJECTED", [f"REJECTED: {reason}"]
    except Exception as error:  # a crash ends in exit code 1 otherwise
        outcome, lines = "FAILED", [f"FAILED: an error of the checker, which says nothing: {error!r}"]
    return CODES[outcome if _written("\n".join(map(_visible, lines)) + "\n") else "UNWRITTEN"]


def _visible(line: str) -> str:
    """No line of a certificate steers a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def _written(text: str) -> bool:
    """Not to a closed output or a full disk. What is left in the buffer would end in an exit code, too."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
        return True
    except (OSError, ValueError, AttributeError):  # closed by its reader, by Python, by the caller
        sys.stdout = None
        return False


if __name__ == "__main__":
    if sys.stdout:
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # where ε can't be shown
    sys.exit(main(sys.argv[1:]))
