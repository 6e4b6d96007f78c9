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

**Queries** (integer noise, choices, thresholds, reports) are the last section. Who has a certificate of
training need not read it, and may delete it: the rest is below 1,000 lines of code, and says the same.
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

import base64
import hashlib
import json
import math
import os
import re
from collections import namedtuple
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, Rounded
from fractions import Fraction
from typing import Any, Callable, Tuple

SCHEMA, PREDICATE = "pldverify-certificate/1", "urn:pldverify-certificate:1"
PAYLOAD, STATEMENT = "application/vnd.in-toto+json", "https://in-toto.io/Statement/v1"
MAX_BYTES, MAX_DEPTH, MAX_PARTS, MAX_COUNT, MAX_CHARS, MAX_EXPONENT = 4_000_000, 60, 60, 10**12, 400, 300
MAX_CENTRES, MAX_OUTCOMES, FAR = 60, 10_000, Fraction(10**100)
SIZES, FINER = (500, 2000, 8000, 32_000), 8
"""How many outcomes cut a step (the next if the claim stays open), and indices between two, in the mean."""
WORK, LONGEST = 1_000_000_000, 100_000
"""Digits that are handled, at most: about a minute; and bits of a power before the point."""
Interval = Tuple[int, int]
"""Integers (l, u) with l ≤ x·2^bits ≤ u for the number x that is meant."""
ZERO: Interval = (0, 0)
Range = Tuple[Fraction, Fraction]
"""What encloses a number: both ends are equal where it is rational."""


class Rejected(Exception):
    """The file is no certificate of this schema, or was changed."""


class Beyond(Exception):
    """This checker can't decide the claim."""


def beyond_if(found: object, text: str) -> None:
    if found:
        raise Beyond(text)


def reject_if(found: object, text: str) -> None:
    if found:
        raise Rejected(text)


def added(numbers: Any) -> Interval:
    """Of intervals."""
    lows, highs = zip(ZERO, *numbers)
    return sum(lows), sum(highs)


class Fixed:
    r"""Functions in fixed point.

    **Lemma F (floors).** Let :math:`t_{n+1} = c_n t_n`, :math:`c_n \ge 0`; :math:`T_0 = t_0`, :math:`T_{n+1}
    = \lfloor c_n T_n \rfloor`; N the first n with :math:`T_n = 0`. If :math:`\sum_{n \ge m} c_m \cdots
    c_{n-1} \le A` for all m, then :math:`0 \le \sum t_n - \sum T_n \le NA`. Proof: each of N floors takes
    away less than 1, which later steps multiply, in all later terms together, by at most A.
    """

    def __init__(self, bits: int) -> None:
        beyond_if(bits > 3500, "more digits than are kept")
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
        beyond_if(b[0] <= 0, "a divisor is too small for this precision")
        return (a[0] << self.bits) // b[1], -((-a[1] << self.bits) // b[0])

    def shares(self, weights: list[Interval], more: int = 0) -> list[Interval]:
        """Of numbers ≥ 0 in their sum and up to ``more``."""
        low, high = (sum(weight[end] for weight in weights) for end in (0, 1))
        return [self.over(weight, (low, high + more)) for weight in weights]

    def mean(self, weights: Any, values: Any) -> Interval:
        """Of numbers ≥ 0, with the weights in (anything, weight) pairs."""
        rows = [(w.numerator, w.denominator, x) for (_, w), x in zip(weights, values)]
        return sum(n * x[0] // d for n, d, x in rows), sum(-(-n * x[1] // d) for n, d, x in rows)

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
        beyond_if(n > LONGEST, "a power that is too large")
        return (low << n, high << n) if n >= 0 else (low >> -n, -(-high >> -n))

    def normal(self, x: Fraction) -> Interval:
        r"""Φ(x) = 1/2 + φ(x) Σ t_n, :math:`t_0 = x`, :math:`t_{n+1} = t_n x^2/(2n+3)`, for x ≥ 0.

        Proof: the series solves f' = 1 + xf, f(0) = 0, as (Φ − 1/2)/φ does. Cutting x to X/2^bits moves Φ by
        less than 1. X² is exact. A product of j factors is at most (x²/2)^j/j!, as (2m+3)(2m+5)… ≥ 2·4·…·2j;
        so A = e^{x²/2} in Lemma F, and the sum, times φ(x), is too small by at most N/√(2π) ≤ N.
        """
        if 5 * x * x > 7 * self.bits:  # e^(−x²/2) < 2^−bits
            return (self.one - 1, self.one) if x > 0 else (0, 1)
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


Cell = namedtuple("Cell", "index p r endless width", defaults=(False, 1))
"""Outcomes with losses in [index·h, (index+width)·h], after those below are raised to index·h (Lemma U).
``p``: their P-mass. ``r``: their Q-mass times e^(index·h); its lower end holds after losses are raised, for
the upper side, its upper end before, for the lower side. ``endless``: nothing is known above index·h, so
they are at +∞ for the upper side; without an index they are so for both.
"""
Gaussian, Laplace = "gaussian", "laplace"
"""Shapes of noise: the densities e^{−x²/2}/√(2π) and ∝ e^{−g(|x|)}, which are log-concave: g is 0 up to the
first of some corners (s, c), and its slope grows by c > 0 at each, to 1; e^{−|x|}/2 with the corner 0 alone.
"""
Centres = Tuple[Tuple[Fraction, Fraction], ...]
"""(centre, weight > 0) each, in units of the noise; the weights add up to 1."""


class Law:
    """One step. ``most``: the greatest finite loss and the P-mass at +∞, where both are rational.
    ``symmetric``: whether both directions have one δ. ``outcomes``: what makes a cell dear. ``rho``: of
    zCDP, if it is known. ``prepare``: makes what all cells need, and counts the work, if that is dear.
    """

    most: tuple[Fraction, Fraction] | None = None
    symmetric, outcomes = True, 1
    rho: Any = None
    prepare: Any = None

    def moments(self, remove: bool) -> tuple[list[Any], Any]:
        """Points (λ, upper bound of log E e^{λ loss}), from (0, 0) on, and the ρ that is known to hold at all
        λ. The logarithm of a moment is convex in λ: between points chords bound it.
        """
        return [], Fraction(WIDE.of(self.rho)[1], WIDE.one)


class Pair(Law):
    r"""One log-concave noise f around centres a with weights w, P, and around centres b with weights v, Q; no
    a is less than any b. P against Q ("remove"), or Q against P ("add").

    **Lemma M:** the ratio :math:`R(y) = \sum_a w_a f(y-a) / \sum_b v_b f(y-b)` does not fall in y. Proof: log
    f is concave, so for a ≥ b and x ≤ y, :math:`f(y-a) f(x-b) \ge f(x-a) f(y-b)`: both sides have
    arguments of one sum, and those on the left lie between those on the right. Times :math:`w_a v_b`, summed
    over all a and b, that is R(y) ≥ R(x), as f > 0. So outcomes with ratios in an interval are an interval.
    """

    def __init__(self, noise: str, p: Centres, q: Centres, corners: Any = ((0, 1),)) -> None:
        low, high = min(b for b, _ in q), max(a for a, _ in p)
        found = len(p) + len(q) > MAX_CENTRES or min(a for a, _ in p) < max(b for b, _ in q)
        beyond_if(found, f"noise with more than {MAX_CENTRES} centres, or whose ratio does not rise")
        self.noise, self.p, self.q, self.corners, self.outcomes = noise, p, q, corners, len(p) + len(q) - 1
        # beyond the ends the ratio of Laplace noise stays what it is
        self.far, self.ends = high - low, (low - corners[-1][0], high + corners[-1][0])
        self.most = (self.far, Fraction(0)) if noise is Laplace and self.outcomes == 1 else None
        self.rho = self.far**2 / 2 if alone(self) else None
        self.symmetric = sorted(q) == sorted((low + high - a, w) for a, w in p)  # f is even
        self.hints = [[(float(max(min(a, FAR), -FAR)), _log(w)) for a, w in rows] for rows in (p, q)]

    @property
    def turned(self) -> Pair:
        """Q against P is P against Q of outcomes −y, as f is even."""
        p, q = (tuple((-a, w) for a, w in rows) for rows in (self.q, self.p))
        return Pair(self.noise, p, q, self.corners)

    def unbounded(self, remove: bool) -> bool:
        """Whether losses have no bound: an outermost centre is one law's alone."""
        return self.noise is Gaussian and self.ends[remove] not in [a for a, _ in (self.p, self.q)[remove]]

    def limits(self, fixed: Fixed) -> list[Interval | None]:
        """Greatest and least dQ/dP; None for ∞ and 0, or nearly."""
        weights = [[sum(w for a, w in x if a == y) for x in (self.p, self.q)] for y in self.ends]
        found = [fixed.of(v / w) if w else ZERO for w, v in weights]
        found = [self.at(y, fixed)[0] for y in self.ends] if self.noise is Laplace else found
        return [x if x[0] > 0 else None for x in found]

    def depth(self, x: Any) -> Any:
        """g(|x|)."""
        return sum(c * max(abs(x) - s, 0) for s, c in self.corners)

    def tilt(self, a: Any, y: Any) -> Any:
        """log f(y − a)/f(y), exactly for exact numbers."""
        return a * y - a * a / 2 if self.noise is Gaussian else self.depth(y) - self.depth(y - a)

    def tail(self, x: Fraction, fixed: Fixed) -> Interval:
        r""":math:`\int_x^\infty e^{-g}`, x ≥ 0: with the slope σ it falls by σ times that from s to t."""
        slopes = [sum(c for _, c in self.corners[: k + 1]) for k in range(len(self.corners))]
        ends = [*(fixed.exp(-self.depth(max(s, x))) for s, _ in self.corners), ZERO]
        falls = [(max(a[0] - b[1], 0), a[1] - b[0]) for a, b in zip(ends, ends[1:])]
        flat = fixed.of(Fraction(max(self.corners[0][0] - x, 0)))
        return fixed.mean([(0, 1), *((0, Fraction(1) / slope) for slope in slopes)], [flat, *falls])

    def below(self, x: Fraction, fixed: Fixed) -> Interval:
        """The mass of f below x."""
        if self.noise is Gaussian:
            return fixed.normal(x)
        above, half = (self.tail(y, fixed) for y in (abs(x), Fraction(0)))
        low, high = fixed.over(above, (2 * half[0], 2 * half[1]))
        return (low, high) if x < 0 else (fixed.one - high, fixed.one - low)

    def log(self, y: float) -> float:
        """log R(y), nearly."""
        rows: Any = ([w + self.tilt(a, y) for a, w in centres] for centres in self.hints)
        p, q = (max(x) + math.log(sum(math.exp(each - max(x)) for each in x)) for x in rows)
        return float(p - q)

    def window(self, tail: float) -> tuple[float, float]:
        """Outcomes that leave out a P-mass of e^−tail, nearly."""
        if self.noise is Laplace:
            return float(self.ends[0]), float(self.ends[1])
        rows = [(a, math.sqrt(2 * max(tail + w, 0.0))) for a, w in self.hints[0]]
        return min(a - reach for a, reach in rows), max(a + reach for a, reach in rows)

    def span(self, tail: float, remove: bool) -> Any:
        """Losses in the window: a hint."""
        law = self if remove else self.turned
        return tuple(map(law.log, law.window(tail)))

    def outcome(self, log: float, low: float, high: float) -> float:
        """Between ``low`` and ``high``, with that log ratio, nearly: by secants through points on both sides,
        and by halves at every third step, as they creep where the ratio is nearly constant.
        """
        y, left, right = low, self.log(low) - log, self.log(high) - log
        for step in range(1, 200):
            y = (low + high) / 2 if step % 3 == 0 else low - left * (high - low) / (right - left or 1.0)
            gap = self.log(y) - log
            if abs(gap) <= 1e-13 * (1 + abs(log)):
                break
            low, left, high, right = (y, gap, high, right) if gap < 0 else (low, left, y, gap)
        return y

    def at(self, y: Fraction, fixed: Fixed) -> tuple[Interval, Interval, Interval]:
        """dQ/dP at y; P- and Q-mass of the outcomes up to y."""
        sides, one = (self.p, self.q), (fixed.one, fixed.one)
        densities = [fixed.mean(x, [fixed.exp(self.tilt(a, y)) if a else one for a, _ in x]) for x in sides]
        p, q = (fixed.mean(x, [self.below(y - a, fixed) for a, _ in x]) for x in sides)
        return fixed.over(*densities[::-1]), p, q

    def step(self, h: Fraction, remove: bool, fixed: Fixed, tail: float) -> list[Cell]:
        r"""Cells between outcomes y_j whose loss is a_j = jh, or less by a hair.

        Each y_j comes from a float. With x_j = dQ/dP at y_j it is checked that :math:`x_j e^{a_j} \ge 1` (the
        loss is at most a_j), and that the y_j rise. The ratio is monotone (Lemma M): between y_j and y_{j+1}
        losses S are at most a_{j+1} and :math:`e^{-S} \le x_j`. Raising losses below a_j to a_j leaves
        :math:`\min(e^{-S}, e^{-a_j}) \ge e^{-S} \min(1, e^{-a_j}/x_j)` of e^−S, so r is at least the Q-mass
        times e^{a_j} or over x_j. Below the first y, x is at most its limit; where that is ∞ nothing is known
        of r. Above the last y the loss is at most its limit, checked likewise, or unbounded. No cell has
        losses on both sides of 0.
        """
        if not remove:
            return self.turned.step(h, True, fixed, tail)
        marks, whole, (limit, least) = self.marks(h, tail), (fixed.one, fixed.one), self.limits(fixed)
        gaps = [(y - x, i, j) for (i, x), (j, y) in zip(marks, marks[1:])]
        found = not marks or any(move <= 0 or i >= j or i < 0 < j for move, i, j in gaps)
        beyond_if(found, "no outcomes of the wanted losses were found")
        index, before, cells = marks[0][0] - 1, [ZERO, ZERO], []
        ends = [(j, *self.at(y, fixed)) for j, y in marks]
        for j, x, *masses in [*ends, (marks[-1][0] + 1, least, whole, whole)]:
            known = x and fixed.times(fixed.exp(j * h), x)[0] >= fixed.one
            beyond_if(not known and masses[0] != whole, "a loss can't be verified")
            p, q = ((max(v[0] - u[1], 0), max(v[1] - u[0], 0)) for u, v in zip(before, masses))
            low, high = fixed.times(q, fixed.exp(index * h))
            r = (min(low, fixed.over(q, limit)[0]) if limit else 0, high)
            cells.append(Cell(index, p, r, not known, j - index))
            index, limit, before = j, x, masses
        return cells

    def marks(self, h: Fraction, tail: float) -> list[tuple[int, Fraction]]:
        """(j, an outcome whose loss is nearly jh, rather less): hints. Cells end at a loss of 0."""
        (low, high), width, found = self.window(tail), float(h), []
        least, greatest = self.span(tail, True)
        stride = (high - low) * FINER * width / (greatest - least)
        j, last = math.ceil(least / width), math.floor(greatest / width)
        while j <= last + 1:
            loss, ahead = j * width - 1e-12 * (1 + abs(j * width)), j
            if least < loss < greatest:
                low = self.outcome(loss, low, high)
                found.append((j, Fraction(round(low * 2**60), 2**60)))
                ahead = min(math.floor(self.log(low + stride) / width), 0 if j < 0 else last)
            j = max(j + 1, ahead)
        return found


def shifted(noise: str, move: Fraction, q: Fraction = Fraction(1), corners: Any = ((0, 1),)) -> Any:
    """Noise that moves with probability q against noise that doesn't: a Poisson sample, or all records."""
    moved = tuple(row for row in ((Fraction(0), 1 - q), (move, q)) if row[1])
    # what does not move says nothing
    return Pair(noise, moved, ((Fraction(0), Fraction(1)),), corners) if move else stated(q, move)


class Batch(namedtuple("Batch", "pair"), Law):
    """Batches of a fixed size, drawn without replacement, one record replaced: of a pair N, M = (1 − q)N +
    qN', the law whose losses above 0 are those of M against N and whose losses below 0 are those of N against
    M, both where M > N; the rest of the mass has loss 0. Upper bounds only. For α ≥ 1 its δ is
    :math:`H_\\alpha(M\\|N)`, for α ≤ 1 :math:`H_\\alpha(N\\|M)`: what dominates, its own reverse
    (pldverify/mechanisms/sampled_without_replacement.py; Zhu, Dong, Wang 2022, Theorem 11).
    """

    outcomes = 3

    def span(self, tail: float, remove: bool) -> tuple[float, float]:
        high = self.pair.span(tail, True)[1]
        return -high, high

    def step(self, h: Fraction, remove: bool, fixed: Fixed, tail: float) -> list[Cell]:
        """M > N lies in the cells of M against N from a loss of 0 on, and the last: the others' losses are
        checked to be at most 0. Cells of N against M below 0 lie in M ≥ N likewise, or are at +∞. The rest,
        up to 1, has a loss of 0 at most, and gets 0; or more, where the first hold it.
        """
        up, down = (self.pair.step(h, way, fixed, tail) for way in (True, False))
        cells = [c for c in up[:-1] if c.index >= 0] + up[-1:] + [c for c in down if c.index < 0]
        return [*cells, Cell(-1, (0, max(fixed.one - sum(c.p[0] for c in cells), 0)), ZERO)]


class Known(Law):
    """One of several laws, drawn with these weights, and it is known which; the weights add up to at most 1,
    and what they lack of it is lost, as is what is too rare. δ is the mean of theirs. Upper bounds only.
    """

    def __init__(self, rows: list[tuple[Fraction, Any]]) -> None:
        self.rows = [row for row in rows if row[0] > 0]
        self.symmetric = all(law.symmetric for _, law in self.rows)
        self.outcomes = sum(law.outcomes for _, law in self.rows)

    def often(self, tail: float) -> list[tuple[Fraction, Any, float]]:
        """Those that are not too rare, with what counts as a tail of theirs."""
        return [(w, law, tail + _log(w)) for w, law in self.rows if tail + _log(w) > 8]

    def span(self, tail: float, remove: bool) -> tuple[float, float]:
        lows, highs = zip(*(law.span(near, remove) for _, law, near in self.often(tail)))
        return min(lows), max(highs)

    def step(self, h: Fraction, remove: bool, fixed: Fixed, tail: float) -> list[Cell]:
        cells, lost = [], 1 - sum((w for w, _, _ in self.often(tail)), Fraction(0))
        for w, law, near in self.often(tail):
            for c in law.step(h, remove, fixed, near):
                cells.append(c._replace(p=fixed.mean([(0, w)], [c.p]), r=fixed.mean([(0, w)], [c.r])))
        return [*cells, Cell(None, (0, fixed.of(lost)[1]), ZERO, True)]


def chances(n: int, q: Fraction, size: int) -> list[Interval]:
    """Pr[Bin(n, q) = i] of all i < size, as in WIDE: each, times (n − i)q/((i + 1)(1 − q)), is the next."""
    beyond_if(q >= 1 or n * q > 1000 or size > 10_000, "too large batches, or q = 1")
    low, high = (n * x for x in _ln(1 - q, 1 - q))
    found = [(WIDE.exp(low)[0], WIDE.exp(high)[1])]
    for i in range(size - 1):
        found.append(WIDE.times(found[-1], WIDE.of((n - i) * q / ((i + 1) * (1 - q)))))
    return found


def drawn(m: int, n: int, far: Fraction, low: Fraction) -> tuple[Any, Any, Any]:
    r"""m draws of n records with replacement, one record replaced: it is drawn j times with probability b_j,
    and moves by 2Cj. ``Batch`` of these, q = 1 − b_0, with weights b_j/q, and it is known which, dominates.
    Proof, α ≥ 1, β = 1 + (α − 1)/q: let ω and ω' be both sides' laws given j ≥ 1, N that given j = 0. As for
    ``Batch`` :math:`H_\alpha` is at most q times a mean of :math:`H_\beta` of ω against ω' and against N.
    Given j, the other m − j draws have one law, and so have the j in N: sums are at most 2Cj apart. Joint
    convexity (Balle, Barthe, Gaboardi 2018, Theorem 10). **Below:** all others contribute −C, the record C or
    −C. Weights are rounded down; the rest is lost above, and moves by 0 below.
    """
    none, *rest = chances(m, Fraction(1, n), min(m, 20) + 1)  # more often is rare
    q, weights = 1 - Fraction(none[0], WIDE.one), [Fraction(x, WIDE.one) for x, _ in rest]
    known = [(w / q, Batch(shifted(Gaussian, j * far, q))) for j, w in enumerate(weights, 1)]
    moves, rare = [j * low for j in range(len(rest) + 1)], 1 - sum(weights, Fraction(0))
    return Known(known), mixture(q, Fraction(1), moves, [rare, *weights]), int(m == 1)


def truncated(q: Fraction, sizes: list[int], whole: Pair, part: Pair, replaced: bool) -> tuple[Any, Any, Any]:
    r"""Of n records, each in a sample with probability q, at most B are kept, drawn at random.
    K others are in the sample; say it is known whether K < B. If so, nothing is cut: ``whole``. If not,
    either the record is kept, beside a set S of B − 1 others, or S and one more, y, are. Whatever K is, (S,
    y) has one law; so given these the record is kept with probability q' = E[qB/(K + 1) | K ≥ B] = Pr[Bin(n,
    q) > B]B/(n Pr[K ≥ B]). In its place is y, at most 2C away: a Poisson sample of q' and 2C, or, if it is
    replaced, ``Batch``. By joint convexity the mean of both cases dominates. **Below:** all others contribute
    0, so it is noise that moves by C with probability q Pr[K < B] + Pr[Bin(n, q) > B]B/n.
    """
    n, most = sizes
    laws, share, far = (chances(n - 1, q, most), chances(n, q, most + 1)), Fraction(most, n), 2 - replaced
    found: Any = [1 - Fraction(sum(x[end] for x in law), WIDE.one) for law in laws for end in (1, 0)]
    cut_low, cut_high, more_low, more_high = found  # ends of Pr[K ≥ B], of Pr[Bin(n, q) > B]
    rate = min(q, share * more_high / max(cut_low, Fraction(1, WIDE.one)))
    cut = shifted(Gaussian, far * whole.far, rate)
    above = Known([(1 - cut_high, whole), (cut_low, Batch(cut) if replaced else cut)])
    return above, shifted(Gaussian, far * part.far / 2, q * (1 - cut_high) + share * max(more_low, 0)), 0


def mixture(q: Fraction, sigma: Fraction, moves: list[Fraction], chances: list[Fraction]) -> Pair:
    """Gaussian noise that moves by one of several distances."""
    if len(moves) != len(chances) or sum(chances) != 1 or not any(map(all, zip(moves, chances))):
        raise Rejected("sensitivities and probabilities must be as many, with a sum of 1, and move something")
    rows = tuple((move / sigma, w) for move, w in zip(moves, chances) if w)
    return Pair(Gaussian, rows, ((Fraction(0), Fraction(1)),))


_Atoms = namedtuple(
    "_Atoms", "masses q most symmetric endless prepare rho", defaults=(1, None, True, False, None, None)
)


class Atoms(_Atoms, Law):
    """Outcomes with (P-mass, Q-mass), exactly 0 where ZERO stands, in a Poisson sample with probability q.

    ``most``: the greatest finite loss and the P-mass at +∞, where both are rational. ``endless``: whether
    losses have no bound.
    """

    def unbounded(self, remove: bool) -> bool:
        """Whether losses surely have no bound."""
        sure = self.endless and (remove or self.q == 1)  # who is added to a sample loses at most −log(1 − q)
        if self.prepare:
            return sure
        return sure or any(p[0] > 0 and q == ZERO for p, q in self.rows(Fixed(200), 30.0, remove))

    def rows(self, fixed: Fixed, tail: float, remove: bool) -> list[tuple[Interval, Interval]]:
        """(P-mass, Q-mass) of the outcomes."""
        mean, weights = fixed.mean, ((0, 1 - self.q), (1, self.q))
        rows = [(mean(weights, (q, p)), q) for p, q in self.masses(fixed, tail)]
        return rows if remove else [(q, p) for p, q in rows]

    def span(self, tail: float, remove: bool) -> tuple[float, float]:
        """Losses of outcomes whose mass is about e^−tail or more: a hint."""
        rows = self.rows(Fixed(64 + int(1.5 * tail)), tail, remove)
        logs = [math.log(p[1]) - math.log(q[0]) for p, q in rows if q[0] > 0 and p[1] >> 64]
        logs = logs or [side * float(self.most[0]) for side in (-1, 1) if self.most]  # of few bits none
        return min([-1e-3, *logs]), max([1e-3, *logs])

    def step(self, h: Fraction, remove: bool, fixed: Fixed, tail: float) -> list[Cell]:
        """An atom in the cell of its loss: it is checked that q·e^((index+1)h) ≥ p, so the loss is at most
        (index+1)h. r is cut at p, which raises a loss below index·h to it. Where no q > 0 is known, the upper
        side has the mass at +∞; so has the lower side, where q is 0.
        """
        found: dict[int, list[Any]] = {}
        cells = []
        for p, q in self.rows(fixed, tail, remove):
            if q[0] <= 0:
                cells.append(Cell(None, (p[0] if q == ZERO else 0, p[1]), ZERO, True))
            elif p != ZERO:
                index = math.floor((math.log(p[1]) - math.log(q[0]) + 2e-12) / float(h) + 1e-9)
                found.setdefault(index, []).append((p, q))
        for index, rows in found.items():
            least, more = fixed.exp(index * h), fixed.exp((index + 1) * h)
            beyond_if(any(fixed.times(q, more)[0] < p[1] for p, q in rows), "a loss can't be verified")
            r = [fixed.times(q, least) for _, q in rows]
            lows = sum(min(low, p[0]) for (low, _), (p, _) in zip(r, rows))
            cells.append(Cell(index, added(p for p, _ in rows), (lows, added(r)[1])))
        return cells


class Concentrated(Law):
    r"""Any ρ-zCDP mechanism, in a Poisson sample with probability q: an upper bound without a pair.

    **Moments.** R = dP/dQ of the mechanism, whose divergences are finite, so E_Q[R] = 1; :math:`E_Q[R^j] \le
    e^{\rho j(j-1)}`; w = 1 − q + qR. "remove", k = λ + 1 an integer: :math:`E_Q[w^k] \le \sum_j \binom{k}{j}
    (1-q)^{k-j} q^j e^{\rho j(j-1)}`. "add": in R :math:`w^{-\lambda}` has a second derivative of at most
    :math:`\lambda(\lambda+1) q^2 (1-q)^{-\lambda-2}`, so, by Taylor's theorem at 1, its mean is at most 1
    plus half of that times :math:`E_Q[(R-1)^2] \le e^{2\rho} - 1`; and at most :math:`1 - q + qe^{\rho
    k(k-1)}`, as :math:`\int Q^k P^{1-k}` is convex in P, 1 at P = Q, and ρ-zCDP goes both ways: near q = 1
    Taylor's is too large. And "add" has losses of at most −log(1 − q): at λ = 10^9 nothing else counts.

    Or any mechanism whose moments are promised at some ``points`` and nowhere beyond; ``rho``: of Gaussian
    noise that keeps the promise.
    """

    def __init__(self, q: Fraction, rho: Fraction, points: Any = ()) -> None:
        self.q, self.rho, self.symmetric, self.points = q, rho, q == 1, points

    def moments(self, remove: bool) -> tuple[list[Any], Any]:
        """At λ = 0, 1, …, as far as they may be less than the base's. All rise with q, "remove" as a mean of
        what rises with j, and q is rounded up to 200 bits after the point. Beyond ``points`` nothing
        is known, which is more than any claim allows.
        """
        n, d, rho = -((-self.q.numerator << 200) // self.q.denominator), 1 << 200, self.rho
        found = list(self.points)
        more = [WIDE.exp(rho * j * (j - 1))[1] - WIDE.one for j in range(66) if rho * j * (j - 1) <= 699]
        for k in range(1, len(more) if n < d and len(more) > 2 else 1):  # λ + 1
            rows = [math.comb(k, j) * (d - n) ** (k - j) * n**j * more[j] for j in range(k + 1)]
            taylor = -(-k * (k - 1) * n**2 * d ** (k - 1) * more[2] // (2 * (d - n) ** (k + 1)))
            x = WIDE.one + (-(-sum(rows) // d**k) if remove else min(taylor, -(-n * more[k] // d)))
            found.append((Fraction(k - 1), _ln(Fraction(x, WIDE.one), Fraction(x, WIDE.one))[1]))
        if n < d and not remove:
            most = -_ln(1 - Fraction(n, d), 1 - Fraction(n, d))[0]
            found = [*(found or [(0, 0)]), (Fraction(10**9), 10**9 * most)]
        return found, 10**999 if self.points else super().moments(remove)[1]


def renyi(q: Fraction, orders: list[Fraction], divergences: list[Fraction]) -> Any:
    """D_α ≤ τ both ways at some orders α (Mironov 2017): log E e^{λ loss} ≤ λτ at λ = α − 1, and ≤ 0 at 0.
    Gaussian noise has D_α = ρα, so it keeps all promises for ρ = min τ/α. Where τ = 0 both laws are equal.
    """
    beyond_if(not 0 < len(orders) == len(divergences) <= 100 or min(orders) <= 1, "up to 100 orders above 1")
    points = sorted((a - 1, (a - 1) * t) for a, t in zip(orders, divergences))
    rho = min(t / a for a, t in zip(orders, divergences))
    return Concentrated(q, rho, [(0, 0), *points]) if rho else stated(q, rho)


def stated(q: Fraction, e: Fraction, d: Fraction = Fraction(0), m: Fraction = Fraction(1)) -> Atoms:
    r"""Any (ε, δ)-DP mechanism, m records apart (one: Kairouz, Oh, Viswanath 2015, Theorem 3.1).

    Along m + 1 data sets, for all S, P_{j+1}(S) ≤ g(P_j(S)), g(x) = min(δ + e^ε x, 1 − e^−ε(1 − δ − x), 1).
    g rises, so P_m(S) is at most the m-fold g of P_0(S). That is concave, the best tests of one pair, which
    dominates. A mechanism whose laws P_j on [0, 1] have the j-fold g as distribution functions, j the number
    of records of some kind, is (ε, δ)-DP, as g is concave, and has that pair.

    **The pair.** g has the slope e^ε up to x_0 = (1 − δ)/(1 + e^ε), e^−ε from there on, and takes x_j =
    (x_{j−1} − δ)e^−ε to x_{j−1}. So between x_j, or 0 where that is more, or j = m, and x_{j−1} the m-fold g
    has the slope e^{(2j−m)ε}: from there Q has its losses (2j − m)ε ≥ 0. As 1 − g is its own inverse, the
    pair is its own mirror image: the same are the P-masses of losses −(2j − m)ε. The rest is lost.
    """
    n = _integer(m, 1, 1000)
    _within(m * e, 0, 100), _within(d, 0, 1)

    def masses(fixed: Fixed, tail: float) -> list[tuple[Interval, Interval]]:
        (low, high), lost, rows = fixed.exp(-e), fixed.of(d), []
        last = fixed.over(fixed.times((low, high), fixed.of(1 - d)), (fixed.one + low, fixed.one + high))
        for j in range(1, n + 1):
            least, most = last[0] - lost[1], last[1] - lost[0]
            beyond_if(least <= 0 < most and j < n, "a mass that may be 0")
            here = fixed.times((max(least, 0), max(most, 0)), (low, high)) if j < n else ZERO
            q, growth = (max(last[0] - here[1], 0), last[1] - here[0]), fixed.exp((2 * j - n) * e)
            if 2 * j >= n and last[1] > 0:
                rows += [(fixed.times(q, growth), q), (q, fixed.times(q, growth))][: 1 + (2 * j > n)]
            last = here
        sums = [sum(p[end] for p, _ in rows) for end in (1, 0)]
        rest = (max(fixed.one - sums[0], 0), fixed.one - sums[1])
        return [*rows, *([(rest, ZERO), (ZERO, rest)] if d else [])]

    whole = (n * e, d) if (q == 1 or e == d == 0) and d < 1 and (n == 1 or not d) else None
    return Atoms(masses, q, whole, q == 1)


def thrown(batches: int, a: Fraction, b: Fraction, above: bool) -> Atoms:
    r"""T independent standard normals, one of which, drawn at random, is moved by a in P and by b in Q.

    Each normal y becomes an index i, where r(y) = e^{ay − a²/2} is about iTg; the sum I of the indices is
    observed. With masses Z, A and B of the indices of a normal that stays, or moves by a, or by b, P(I) is
    the coefficient of Z^(T−1)A, Q(I) that of Z^(T−1)B, whichever it is that moves. Where these are rounded
    down and small ones left out, each lacks at most what all together lack of 1. **Below:** i depends on
    nothing but y.

    **Above**, b = 0. Between two marks r is from iTg(1 − c) to (i + 1)Tg(1 + c), as is checked; N(a, 1) and
    N(0, 1) have the masses p and q there. As for connected dots, two outcomes with these ratios, and with
    Q-masses u and v so that q and p are the sums, dominate. Of the first we keep the Q-mass (1 − c)u, of the
    second v, with P-masses so that the ratios are iTg and (i + 1)Tg; the rest is told apart, and lost. A
    channel makes y of this, moved or not, so T such outcomes that are independent dominate. Where none is
    lost, P is Q times the mean of T ratios iTg, which is gI. So Q has masses Z^T, P those times gI.
    """
    move = float(min(a + 2 * b / 3, Fraction(20)))  # what tells best, nearly; for b = 0 it has to be a
    deviation = math.sqrt(math.expm1(move**2) / batches)  # of the mean of all r

    def sums(tail: float, work: list[int]) -> tuple[int, list[int], list[int]]:
        """A scale, and the masses of P and Q times it: of all grids."""
        size, unit = int(tail / 2.3) + 6 + len(str(batches)), float(batches)
        fixed = Fixed(int(3.4 * size) + 100)
        setting, one = Setting(Fraction(1), 10**6, 10 ** (size + 8), fixed, work), fixed.one
        top = math.exp(min(move * (move / 2 + math.sqrt(2 * max(tail - 7, 1.0))) - math.log(unit), 9.0))
        fine = max(deviation / math.sqrt(unit) / 200, (top + 16 * min(deviation, 1 + top)) / 2**14)
        spend(work, 2 * (int(top / fine) + 2) * dear(fixed.bits, tail))
        hints = (math.log(i * fine * unit) / move + move / 2 for i in range(1, int(top / fine) + 2))
        marks = [Fraction(round(y * 2**60), 2**60) for y in hints]
        ends = [[ZERO, *(fixed.normal(y - x) for y in marks), (one, one)] for x in (Fraction(0), a, b)]
        rows = [[(max(v[0] - u[1], 0), v[1] - u[0]) for u, v in zip(row, row[1:])] for row in ends]
        mass, g, c = [0] * (len(marks) + 1), Fraction(fine), 0
        for i, y in enumerate(marks if above else [], 1):
            low, high = fixed.over(fixed.exp(a * y - a * a / 2), fixed.of(i * g * batches))
            c = max(c, one - low, high - one)
        for i, (q, p) in enumerate(zip(rows[0], rows[1][: len(marks) * above])):
            (low, high), whole = fixed.over(p, fixed.of(g * batches)), one + (2 * i + 1) * c
            first = (q[0] * (i + 1) * (one + c) - high * one) // whole
            mass[i] += max(first * (one - c) >> fixed.bits, 0)
            mass[i + 1] += max((low * one - q[1] * i * (one - c)) // whole, 0)
        lows = [mass, *([low for low, _ in row] for row in rows)][not above :][:3]
        kept = [[x * setting.scale >> fixed.bits for x in row] for row in lows]
        still, moved, other = (Lower(setting, 0, 0, x, 0) for x in kept)  # rounds down, and has no Q-masses
        others = power(still, batches - 1, Fraction(1, 10**size), 0)
        if above:
            found = others.times(still)
            return setting.scale, [int(m * g * i) for i, m in enumerate(found.mass, found.start)], found.mass
        return setting.scale, others.times(moved).mass, others.times(other).mass

    return counted(sums, above, endless=True)


def counted(sums: Any, above: bool, symmetric: bool = False, endless: bool = False) -> Atoms:
    """Outcomes whose P- and Q-masses, times a scale, ``sums`` rounds down or leaves out: each lacks at most
    what all together lack of 1. ``above``: what they lack is told, and lost.
    """
    known: dict[float, Any] = {}

    def prepare(tail: float, work: list[int], epsilon: float, total: int) -> None:
        known[tail] = known.get(tail) or sums(tail, work)

    def masses(fixed: Fixed, tail: float) -> list[tuple[Interval, Interval]]:
        scale, *laws = known[tail]
        floors: Any = [[m * fixed.one // scale for m in law] for law in laws]
        lost = [fixed.one - sum(law) for law in floors]
        found: Any = [tuple((x, x + (0 if above else d)) for x, d in zip(row, lost)) for row in zip(*floors)]
        return [*found, *([((0, lost[0]), ZERO), (ZERO, (0, lost[1]))] if above else [])]

    return Atoms(masses, symmetric=symmetric, endless=endless, prepare=prepare)


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


# --- products --------------------------------------------------------------------------------------------


def spend(work: list[int], digits: int) -> None:
    work[0] += digits
    beyond_if(work[0] > WORK, "more work than is allowed")


def dear(bits: int, tail: float) -> int:
    """Digits that are handled for one function of so many bits. A series has more terms far out, and the
    time of a product grows with the square of its bits.
    """
    return bits * max(bits, 400) // 400 * int(8 + tail / 8)


EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, Rounded])


class Setting(namedtuple("Setting", "h size scale fixed work")):
    """What measures of one attempt share: masses are integers over ``scale``, grids h·2^level."""

    def up(self, x: int) -> Any:
        return -(-x * self.scale >> self.fixed.bits)

    def convolve(self, a: list[int], b: list[int]) -> list[int]:
        """The exact product of polynomials with coefficients ≥ 0, each packed into one decimal number."""
        most = max(*a, 1) * max(*b, 1) * min(len(a), len(b))  # no coefficient of the product is greater
        width, length = len(str(most)), len(a) + len(b)
        beyond_if(width > 3000 or width * length > 6 * 10**7, "too many digits, or cells of so many")
        spend(self.work, width * length)
        packed = [Decimal("".join([f"{c:0{width}d}" for c in reversed(x)])) for x in (a, b)]
        text = str(EXACT.multiply(*packed)).zfill((length - 1) * width)
        return [int(text[i : i + width]) for i in range(len(text) - width, -1, -width)]


_Measure = namedtuple("_Measure", "setting level start mass infinite shift q", defaults=(Fraction(0), None))


class Measure(_Measure):
    """P-masses at (start + i + shift)·h·2^level, and at +∞. ``q``: Q-masses times e^loss; None: the same."""

    up = 1

    def over(self, x: int, y: int) -> int:
        """P-masses are rounded up for upper bounds, down for lower ones; Q-masses, −over(−x, y), not so."""
        return -(-x // y) if self.up else x // y

    def times(self: Any, other: Any) -> Any:
        scale, setting = self.setting.scale, self.setting
        mass = [self.over(c, scale) for c in setting.convolve(self.mass, other.mass)]
        q = self.q and [-(-c // scale) for c in setting.convolve(self.q, other.q)]
        whole = sum(other.mass) + other.infinite
        infinite = self.over(self.infinite * whole + sum(self.mass) * other.infinite, scale)
        start, shift = self.start + other.start, self.shift + other.shift
        return self._replace(start=start, mass=mass, infinite=infinite, shift=shift, q=q)

    def trim(self: Any, allowed: int) -> Any:
        """Up to ``allowed`` mass at each end is left out; or, ``up``, goes to +∞ from the top, and from the
        bottom to the least loss that is kept. One entry at least stays.
        """
        mass, low, left, high, right = self.mass, 0, 0, len(self.mass), 0
        while low < len(mass) - 1 and left + mass[low] <= allowed:
            left, low = left + mass[low], low + 1
        while high > low + 1 and right + mass[high - 1] <= allowed:
            right, high = right + mass[high - 1], high - 1
        mass, q = [mass[low] + self.up * left, *mass[low + 1 : high]], self.q and self.q[low:high]
        return self._replace(start=self.start + low, mass=mass, infinite=self.infinite + self.up * right, q=q)

    def pairs(self, masses: list[int]) -> list[tuple[int, int]]:
        """The masses at 2i and 2i + 1, which become i."""
        masses = [0] * (self.start % 2) + masses + [0, 0]
        return list(zip(masses[::2], masses[1::2]))

    def delta(self, epsilon: Fraction) -> Fraction:
        """A bound of δ, Σ (p − e^(ε − loss) q)₊, whose other terms are 0, or are left out."""
        fixed, g = self.setting.fixed, self.setting.h * 2**self.level
        first = max(math.floor((epsilon - 40) / g - self.shift), self.start)
        power, step = (fixed.exp(x)[1 - self.up] for x in (epsilon - (first + self.shift) * g, -g))
        total, at = self.infinite << fixed.bits, first - self.start
        for p, q in zip(self.mass[at:], (self.q or self.mass)[at:]):
            total += max((p << fixed.bits) - q * power, 0)
            power = -self.over(-power * step, fixed.one)
        return Fraction(total, self.setting.scale << fixed.bits)


class Upper(Measure):
    """Connected dots (Lemma U)."""

    @staticmethod
    def of(cells: list[Cell], setting: Setting, level: int) -> Upper:
        """v rounded up, but at most p, and p − v: that moves mass up."""
        bits, up = setting.fixed.bits, setting.up
        g, widths = setting.h * 2**level, {cell.width for cell in cells}
        spread = {n: setting.fixed.one - setting.fixed.exp(-g * n)[1] for n in widths}  # 1 − e^−ng, or less
        start, size = _extent(cells)
        mass = [0] * (size + 1)
        for cell in cells:
            if not cell.endless:
                right = min(-(-((cell.p[1] - cell.r[0]) << bits) // spread[cell.width]), cell.p[1])
                mass[cell.index - start] += up(cell.p[1] - right)
                mass[cell.index - start + cell.width] += up(right)
        return Upper(setting, level, start, mass, up(sum(cell.p[1] for cell in cells if cell.endless)))

    def coarser(self) -> Upper:
        fixed, rows = self.setting.fixed, self.pairs(self.mass)
        least = fixed.one + fixed.exp(-self.setting.h * 2**self.level)[0]
        moved = [min(-((-odd << fixed.bits) // least), odd) for _, odd in rows]
        mass = [a + b - here + before for (a, b), here, before in zip(rows, moved, [0, *moved])]
        return self._replace(level=self.level + 1, start=self.start // 2, mass=mass)


class Lower(Measure):
    """By cell (Lemma L)."""

    up = 0

    @staticmethod
    def of(cells: list[Cell], setting: Setting, level: int) -> Lower:
        """A cell becomes the index in its middle."""
        fixed, scale, (start, size) = setting.fixed, setting.scale, _extent(cells)
        half, widths = setting.h * 2**level / 2, {cell.width for cell in cells}
        tilt = {n: fixed.exp(half * ((n - 1) // 2 * 2 + 1))[1] for n in widths}
        p, q = [0] * size, [0] * size
        for cell in cells:
            if cell.index is not None:
                at = cell.index - start + (cell.width - 1) // 2
                p[at] += cell.p[0] * scale >> fixed.bits
                q[at] += setting.up(-(-cell.r[1] * tilt[cell.width] >> fixed.bits))
        infinite = sum(cell.p[0] for cell in cells if cell.index is None) * scale >> fixed.bits
        return Lower(setting, level, start, p, infinite, Fraction(1, 2), q)

    def coarser(self: Any) -> Any:
        """The tilt of the new cell is that of the middle between its two."""
        fixed, half = self.setting.fixed, self.setting.h * 2**self.level / 2
        more, less = fixed.exp(half)[1], fixed.exp(-half)[1]
        mass = [a + b for a, b in self.pairs(self.mass)]
        q = [-(-(a * more + b * less) >> fixed.bits) for a, b in self.pairs(self.q)]
        shift = (self.shift + Fraction(1, 2)) / 2
        return self._replace(level=self.level + 1, start=self.start // 2, shift=shift, mass=mass, q=q)


def _extent(cells: list[Cell]) -> tuple[int, int]:
    """First index, number of indices; any where there is no cell."""
    ends = [j for c in cells if c.index is not None for j in (c.index, c.index + c.width)] or [0, 1]
    beyond_if(max(ends) - min(ends) > 10 * FINER * SIZES[-1], "losses lie too far from each other")
    return min(ends), max(ends) - min(ends)


def raised(x: Any, level: int) -> Any:
    while x.level < level:
        x = x.coarser()
    return x


def joined(a: Any, b: Any, allowed: int) -> Any:
    """The product, on the coarser one's grid or one that is coarse enough."""
    whole = raised(a, b.level).times(raised(b, a.level)).trim(allowed)
    while len(whole.mass) > whole.setting.size:
        whole = whole.coarser()
    return whole


def power(x: Any, count: int, allowed: Fraction, growth: int = 4) -> Any:
    """``count`` equal factors by squaring; ``allowed`` mass may be cut at last, half of it a stage before.
    Grids of n factors are n^(growth/10) times as coarse: they are rarer, and what all cost falls with n.
    """
    if count == 1:
        return x
    half, cut = power(x, count // 2, allowed / 2, growth), int(allowed * x.setting.scale)
    whole = joined(joined(half, half, cut), x, cut) if count % 2 else joined(half, half, cut)
    return raised(whole, x.level + (growth * (count.bit_length() - 1) + 5) // 10)


# --- closed forms ----------------------------------------------------------------------------------------


def gaussian(mu: Fraction, epsilon: Fraction, fixed: Fixed) -> Interval:
    r"""δ of N(μ, 1) against N(0, 1): Φ(a) − e^ε Φ(−b), a = μ/2 − ε/μ, b = μ/2 + ε/μ (Balle and Wang 2018).

    As b² = a² + 2ε, :math:`e^\epsilon \Phi(-b) = \varphi(a) m(b)` with Mills' ratio m, :math:`1/b - 1/b^3 < m
    < 1/b - 1/b^3 + 3/b^5`; for b ≤ 40 it is computed as it stands.
    """
    a, b = mu / 2 - epsilon / mu, mu / 2 + epsilon / mu
    low, high = fixed.normal(a)
    if 5 * a * a > 7 * fixed.bits:
        return (low - 1, high) if a > 0 else (0, high)  # m(b) < 1, φ(a) < one unit
    if b <= 40:
        less = fixed.times(fixed.exp(epsilon), fixed.normal(-b))
    else:
        density = fixed.times(fixed.norm, fixed.exp(-a * a / 2))
        mills = fixed.of(1 / b - 1 / b**3)[0], fixed.of(1 / b - 1 / b**3 + 3 / b**5)[1]
        less = fixed.times(density, mills)
    return low - less[1], high - less[0]


def converted(parts: Any, remove: bool, epsilon: Fraction, fixed: Fixed) -> int:
    r"""δ ≤ :math:`E e^{(\alpha-1)(S-\epsilon)} (1-1/\alpha)^\alpha/(\alpha-1)` of what is ρ-zCDP, rounded up.

    Proof, α > 1: for u ≥ 0, :math:`1 - e^{-u} \le c e^{(\alpha-1)u}`, where c, the greatest value of the
    quotient, is at :math:`e^{-u} = 1 - 1/\alpha`, and is :math:`(1-1/\alpha)^\alpha/(\alpha-1)`. Take u =
    loss − ε, and means: :math:`E e^{(\alpha-1) S} \le e^{(\alpha-1)\alpha\rho}` (Canonne, Kamath, Steinke
    2020, Proposition 12), or what else is known.
    The power is rounded up by the first terms of the series of its logarithm. Any α > 1 will do.
    """
    rows: Any = [(*law.moments(remove), k) for law, k in parts]
    best, middle = fixed.one, float(epsilon / sum(law.rho * k for law, k in parts) + 1) / 2
    tried = {Fraction(max(round(middle * 2 ** (i / 64) * 2**12), 1), 2**12) for i in range(-160, 400)}
    for lam in tried.union(*([a for a, _ in points[1:]] for points, _, _ in rows)):
        size = -lam * epsilon
        for x, rho, k in rows:
            chords = [u + (lam - a) * (v - u) / (b - a) for (a, u), (b, v) in zip(x, x[1:]) if a < lam <= b]
            size += k * min([rho * lam * (lam + 1), *chords])
        best = min(best, markov(size, lam, fixed))
    return best


def power_of(lam: Fraction) -> Fraction:
    """At least log (1 − 1/α)^α, α = λ + 1."""
    return sum((-1 / (n * (lam + 1) ** (n - 1)) for n in range(1, 12)), Fraction(0))


def markov(size: Fraction, lam: Fraction, fixed: Fixed) -> int:
    """The bound of ``converted`` at α = λ + 1, of the logarithm of :math:`E e^{\\lambda(S - \\epsilon)}`."""
    size += power_of(lam)
    return min(int(-(-fixed.exp(max(size, Fraction(-3000)))[1] // lam)), fixed.one) if size < 1 else fixed.one


# --- the claim -------------------------------------------------------------------------------------------


Claim = namedtuple("Claim", "relation epsilon delta parts directions under", defaults=(None,))
"""What is claimed, of which laws (with counts), in which directions (True: "remove").

Upper bounds are of these; lower ones of ``under``, if it is another claim: of laws that some neighbours have,
at the other ends of numbers that are enclosed; and of that of other neighbours under it, and so on. Without
parts nothing is known on that side.
"""


def bound(claim: Claim, remove: bool, kind: Any, size: int, work: list[int]) -> Fraction:
    """A bound of δ(claim.epsilon) in one direction, each step cut into nearly ``size`` cells.
    In closed form: one Gaussian; and what is zCDP, where that is enough or all that is known, beside Gaussian
    noise, N(μ, 1) being μ²/2-zCDP (Bun and Steinke 2016, Proposition 1.6), and beside (0, δ)-DP: where none
    of these has its loss of +∞, which has at most the sum of their δ, their losses are 0. Approximate zCDP is
    such a composition of two.
    """
    total, grid = sum(count for _, count in claim.parts), FINER * size
    small = claim.delta / 10**7 if claim.delta else Fraction(1, 10**30)
    digits = 6 + len(str(total * grid)) + len(str(int(1 / small)))
    fixed = Fixed(64 + int(3.33 * digits + 1.5 * min(claim.epsilon, Fraction(800))))
    if total == 1 and alone(claim.parts[0][0]):
        return Fraction(gaussian(claim.parts[0][0].far, claim.epsilon, fixed)[kind is Upper], fixed.one)
    tail = math.log(total) - _log(small)
    for prepare in filter(None, (law.prepare for law, _ in claim.parts)):
        prepare(tail, work, float(claim.epsilon), total)
    known, others = ([row for row in claim.parts if (row[0].rho is None) is x] for x in (False, True))
    bare = any(isinstance(law, Concentrated) for law, _ in known)
    if kind is Upper and known and all(law.most and not law.most[0] for law, _ in others):
        tried = 500 + sum(len(getattr(law, "points", ())) for law, _ in known)
        spend(work, len(known) * tried * dear(WIDE.bits, 0.0))
        lost = sum((law.most[1] * k for law, k in others), Fraction(0))
        found = lost + Fraction(converted(known, remove, claim.epsilon, fixed), fixed.one)
        if bare or found <= claim.delta:
            return found
    beyond_if(bare, "zCDP beside what has other losses")
    spans = [law.span(tail, remove) for law, _ in claim.parts]
    farthest = max(abs(float(end)) for span in spans for end in span)
    widths = [Fraction(max(int((b - a) / grid * 2**50), 2**14), 2**50) for a, b in spans]
    setting = Setting(min(widths), grid, 10**digits, Fixed(64 + int(3.33 * digits + 1.5 * farthest)), work)
    whole, price = None, dear(setting.fixed.bits, tail)
    for (law, count), width in zip(claim.parts, widths):
        level = int(width / setting.h).bit_length() - 1
        spend(work, size * price * law.outcomes)
        step = law.step(setting.h * 2**level, remove, setting.fixed, tail)
        spend(work, len(step) * price)
        block = power(kind.of(step, setting, level), count, small)
        whole = block if whole is None else joined(whole, block, int(small * setting.scale))
    return whole.delta(claim.epsilon) if whole else Fraction(0)


def decide(claim: Claim, work: int | None = None, cells: int | None = None) -> tuple[str, str]:
    """CERTIFIED, REFUTED or UNDECIDED, and how: by finer and finer grids, the likely side of δ(ε) first."""
    of: dict[Any, list[Claim]] = {Upper: [claim], Lower: [claim.under or claim]}
    while of[Lower][-1].under:
        of[Lower].append(of[Lower][-1].under)
    reason, lower, uppers = "", Fraction(0), {d: Fraction(1) for d in claim.directions}
    spent = [WORK - (WORK if work is None else work)]
    exact = extreme(claim)
    if exact:
        return exact
    for size in SIZES if cells is None else [n for n in SIZES if n < cells] + [cells]:
        sides = (Lower, Upper) if lower + max(uppers.values()) > 2 * claim.delta else (Upper, Lower)
        best = Fraction(0), of[Lower][0]
        turns = [(x, one, way) for x in sides for one in of[x] for way in one.directions if one.parts]
        for kind, one, remove in turns:
            if _by_delta(claim, lower, max(uppers.values())) != "UNDECIDED":
                break
            try:
                open_ = uppers.get(remove, 1) >= claim.delta  # or this direction has less than δ
                if kind is Lower and open_:
                    best = max(best, (bound(one, remove, kind, size, spent), one), key=lambda row: row[0])
                    lower = max(lower, best[0])
                elif open_:
                    uppers[remove] = min(bound(claim, remove, Upper, size, spent), uppers[remove])
            except (Beyond, ArithmeticError, ValueError, MemoryError) as beyond:  # of floats, too
                reason = f"; {beyond}"
        of[Lower] = [best[1]]  # of all neighbours
    found = _by_delta(claim, lower, max(uppers.values()))
    between = f"δ(ε) is in [{float(lower):.6g}, {float(max(uppers.values())):.6g}]"
    return found, between + (reason if found == "UNDECIDED" else "")


def extreme(claim: Claim) -> tuple[str, str] | None:
    """Decided by losses without a bound, or by the greatest finite loss M and the mass L at +∞ alone,
    exactly, or None.

    δ(ε) = L from M on and δ(ε) > L before: the true ε is M at δ = L, there is none at δ < L, and at δ > L it
    is less than M, or M = 0. Where losses have no bound, δ(ε) > 0 at every ε.
    """
    under, how, high, strict = claim.under or claim, [], math.inf, False
    endless = (one.unbounded(way) for one, _ in under.parts for way in under.directions)
    low: Any = math.inf if not under.delta and any(endless) else 0
    for one, upper in ((claim, True), (under, False)):
        rows = [(*law.most, count) for law, count in one.parts if law.most]
        size = sum(count * (lost.denominator.bit_length() - 1) for _, lost, count in rows)
        if not rows or len(rows) < len(one.parts) or size > 10**6:
            continue
        m, lost = sum(x * k for x, _, k in rows), 1 - math.prod((1 - x) ** k for _, x, k in rows)
        at = ("at least ", "at most ")[upper] if claim.under else ""
        how.append(f"from ε = {Decimal(m.numerator) / m.denominator:.6g} on, δ(ε) is {at}{float(lost):.6g}")
        if upper and lost <= one.delta:
            high, strict = m, lost < one.delta
        elif not upper and lost >= one.delta:
            low = max(low, m if lost == one.delta else math.inf)
    below = high < claim.epsilon or (strict and high == claim.epsilon > 0)
    found = ruling(claim.relation, high <= claim.epsilon, low > under.epsilon, low >= under.epsilon, below)
    return None if found == "UNDECIDED" else (found, "; ".join(dict.fromkeys(how)) or "no ε is enough")


def _by_delta(claim: Claim, lower: Fraction, upper: Fraction) -> str:
    """See the statement at the top."""
    under = claim.under or claim
    above, below = lower > under.delta, upper < claim.delta and claim.epsilon > 0
    return ruling(claim.relation, upper <= claim.delta, above, above or under.epsilon == 0, below)


def ruling(relation: str, at_most: bool, above: bool, at_least: bool, below: bool) -> str:
    """From what is proved of the true ε against the claimed one."""
    holds = {"<=": at_most, ">=": at_least, "=": at_most and at_least}[relation]
    fails = {"<=": above, ">=": below, "=": above or below}[relation]
    return "CERTIFIED" if holds else "REFUTED" if fails else "UNDECIDED"


# --- the certificate -------------------------------------------------------------------------------------

HIDDEN, FIXED = "hidden-batches", "fixed-batches"
ASSUMPTIONS = {
    "releases": "nothing else that depends on the data is released",
    "noise": "each step's randomness is exact, independent and secret",
    "sensitivity": "each step's query has the stated sensitivity, per record",
    "poisson-sampling": "each record is in each batch independently, with the stated probability",
    FIXED: "each batch is drawn as stated, independently of the others",
    HIDDEN: "each record's batch is drawn as stated, and stays secret",
    "draws": "moves of queries, numbers of runs and orders of reports are drawn as stated, and stay secret",
    "guarantee": "the guarantees that are stated of mechanisms hold",
    "pairs": "the pairs that are stated dominate all neighbours",
}
"""What a verdict takes for granted; a certificate has to name what its composition needs."""
ADJACENCIES = ["add", "remove", "add-or-remove", "replace-one", "zero-out"]
VERDICTS = ["CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED"]
STANDINGS = ["exact", "upper bound", "lower bound", "neither"]
CLAIM = {"quantity": ["epsilon"], "relation": ["<=", ">=", "="], "epsilon": str, "delta": str}
LAWS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "gaussian": (("sigma", "sensitivity"), lambda q, sigma, s: shifted(Gaussian, s / sigma, q)),
    "laplace": (("b", "sensitivity"), lambda q, b, s: shifted(Laplace, s / b, q)),
    "mixture_of_gaussians": (("sigma", "sensitivities", "probabilities"), mixture),
    "gdp": (("mu",), lambda q, mu: shifted(Gaussian, mu, q)),
    "pure_dp": (("epsilon",), stated),
    "approximate_dp": (("epsilon", "delta"), stated),
    "zcdp": (("rho",), lambda q, rho: Concentrated(q, rho) if rho else stated(q, rho)),
    "group_dp": (("epsilon", "delta", "m"), stated),
    "renyi_dp": (("orders", "divergences"), renyi),
}
"""Parameters, and the law made of q and them. Pairs: Balle and Wang 2018; Zhu, Dong, Wang 2022 (Theorem 11:
Poisson sampling); Canonne, Kamath, Steinke 2020; Kairouz, Oh, Viswanath 2015; Choquette-Choo et al. 2023.
"""
ATTAINED: Any = {
    name: (0, lambda law, m: shifted(Gaussian, root(2 * law.rho, False), law.q) if law.rho else law)
    for name in ("zcdp", "renyi_dp")
}
"""Where the law above is attained up to some step only: that step, and what some neighbours have, of the law
made of the smaller ends: in every step for m = 2; m = 1000 for a step alone, of m cells; or several of these.
"""
GIVEN = dict.fromkeys(tuple(LAWS)[3:], "guarantee")
RATIONAL: set[str] = set()
"""What has rational parameters only. Of all else δ is proved to be monotone in each, and falls in FALLS."""
FALLS, LISTS = {"sigma", "b"}, {"sensitivities", "probabilities", "orders", "divergences"}
SCALED: dict[str, str] = {}
"""What a parameter is multiplied by."""
EVEN: dict[str, Any] = {}
"""The second parameter of what can be replaced only so."""
PLAIN, (ADDED, OTHER, ZEROED) = LAWS.keys() - {"mixture_of_gaussians"}, ADJACENCIES[2:]
ONE, TWO = ("gaussian",), ("gaussian", "laplace")
NOISE, POISSON = {*TWO}, {*TWO, "gdp", "pure_dp", "approximate_dp", "zcdp"}
AROUND: Any = {
    "": ((), set(), "noise", {ADDED: LAWS, ZEROED: PLAIN, OTHER: PLAIN}),
    "poisson": (("q",), set(), "poisson-sampling", {ADDED: POISSON, ZEROED: NOISE, OTHER: ONE}),
    "sampled_without_replacement": (("q",), set(), FIXED, {OTHER: TWO}),
    "sampled_with_replacement": (("m", "n"), set(), FIXED, {OTHER: ONE}),
    "truncated_poisson": (("q", "dataset_size", "max_batch"), set(), FIXED, {ADDED: ONE, OTHER: ONE}),
    "shuffled": (("batches", "dropped", "persistent"), set(), HIDDEN, {ZEROED: ONE, OTHER: ONE}),
    "balls_and_bins": (("batches", "participations"), {"steps"}, HIDDEN, {ADDED: ONE, ZEROED: ONE}),
}
"""What runs a mechanism: what it says, what it may say, what it assumes, and what has a proved pair or bound
in it, under which relation.
"""
INSIDE: dict[str, Callable[..., Any]] = {}
"""Other ways to run one: of what is said, both laws, and the greater and the smaller ends."""
WHOLE: dict[str, Callable[..., Any]] = {}
"""What reads its own parameters."""
FLAG = re.compile(r"--work [1-9]\d{0,14}|--cells [1-9]\d{0,4}", re.ASCII)
WORDS = {"schema": [SCHEMA], "adjacency": ADJACENCIES, "standing": STANDINGS, "verdict": VERDICTS}
ROWS, REST = ("composition", "assumptions", "dominating_pairs"), ("cause", "enclosure", "witness")
TYPES = zip((("reason", "sha256"), ("claim", "versions"), ROWS, REST), (str, dict, list, object))
KEYS: Any = {**WORDS, **{name: kind for names, kind in TYPES for name in names}}
NUMBER = re.compile(r"(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?:/([1-9]\d*))?", re.ASCII)
TOKEN = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|sqrt|exp|ln|log|[-+*/()]", re.ASCII)
END = re.compile(r"(0|[1-9]\d*)(?:\*2\^(-?[1-9]\d{0,4})|/([1-9]\d*))?", re.ASCII)


def read(path: str) -> bytes:
    """A regular file of bounded size. Raises Rejected."""
    reject_if(os.path.exists(path) and not os.path.isfile(path), "it is not a regular file")
    try:
        with open(path, "rb") as file:
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
    reject_if({"sha256": document["sha256"]} not in digests, "the subject of its statement is something else")
    signed = "in an envelope whose signatures were not checked"
    return document, [signed if signatures else "in an envelope, but nobody signed it"]


def envelope(content: dict[str, Any]) -> tuple[bytes, list[bytes]]:
    """Payload and signatures of a DSSE envelope, not verified. Raises Rejected."""
    _, payload, signatures = fields(content, payloadType=[PAYLOAD], payload=str, signatures=list)
    for row in signatures:
        fields(row, sig=str, **({"keyid": str} if isinstance(row, dict) and "keyid" in row else {}))
    try:
        found = [base64.b64decode(text, validate=True) for text in [payload, *(r["sig"] for r in signatures)]]
    except ValueError:
        raise Rejected("its payload and signatures must be base64") from None
    reject_if(not all(found), "its payload and signatures must not be empty")
    return found[0], found[1:]


def statement(payload: bytes) -> tuple[list[Any], dict[str, Any]]:
    """Subject and predicate of an in-toto statement about a certificate. Raises Rejected."""
    words = {"_type": [STATEMENT], "predicateType": [PREDICATE]}
    subject, _, _, predicate = fields(loads(payload), subject=list, **words, predicate=dict)
    return subject, predicate


def parse(data: bytes) -> dict[str, Any]:
    """The certificate in a file without an envelope. Raises Rejected."""
    return _certificate(loads(data))


def loads(data: bytes) -> dict[str, Any]:
    """A JSON object without floats, repeated keys, deep nesting or large integers. Raises Rejected."""
    reject_if(len(data) > MAX_BYTES, f"it has more than {MAX_BYTES} bytes")
    try:
        found: dict[str, Any] = json.loads(data.decode("utf-8"), object_pairs_hook=_object, **HOOKS)
    except (UnicodeError, json.JSONDecodeError, RecursionError) as error:
        raise Rejected(f"it is not JSON in UTF-8, or nested too deep: {error}") from None
    reject_if(not isinstance(found, dict), "it is no JSON object")
    return found


def _certificate(document: dict[str, Any]) -> dict[str, Any]:
    """If it is one, with its own digest. Raises Rejected."""
    fields(document, **KEYS)
    try:
        digest = hashlib.sha256(canonical(document)).hexdigest()
    except UnicodeError:
        raise Rejected("it has half a character") from None
    reject_if(document["sha256"] != digest, "its digest is not that of its content")
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    reject_if(len(dict(pairs)) != len(pairs), "a key comes twice")
    return dict(pairs)


def _small(text: str) -> int:
    wrong = not re.fullmatch(r"-?\d{1,16}", text) or abs(int(text)) >= 2**53
    reject_if(wrong, "numbers must be integers that are not too large, or exact ones in strings")
    return int(text)


HOOKS: Any = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), _small)


def canonical(document: dict[str, Any]) -> bytes:
    """RFC 8785, of all but the digest: no spaces, keys in the order of UTF-16 units."""

    def ordered(value: Any, depth: int) -> Any:
        reject_if(depth > MAX_DEPTH, f"it is nested deeper than {MAX_DEPTH}")
        if isinstance(value, dict):
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return {key: ordered(value[key], depth + 1) for key in keys}
        return [ordered(item, depth + 1) for item in value] if isinstance(value, list) else value

    content = ordered({key: value for key, value in document.items() if key != "sha256"}, 0)
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def fields(value: Any, **kinds: Any) -> list[Any]:
    """The values of an object that has these keys, of these types or in these lists. Raises Rejected."""
    reject_if(not isinstance(value, dict) or value.keys() != kinds.keys(), f"keys must be {', '.join(kinds)}")
    for name, kind in kinds.items():
        if isinstance(kind, list):
            reject_if(value[name] not in kind, f"{name} must be {' or '.join(kind)}")
        elif not isinstance(value[name], kind) or (kind is int and isinstance(value[name], bool)):
            raise Rejected(f"{name} is of another type")
    return [value[name] for name in kinds]


def number(text: Any) -> Fraction:
    """A decimal or a fraction, ≥ 0. Raises Rejected; Beyond for what is no rational number."""
    reject_if(not isinstance(text, str) or len(text) > MAX_CHARS, "numbers must be short strings")
    found: Any = NUMBER.fullmatch(text)
    beyond_if(not found or (found[2] and "e" in text.lower()), f"{text[:40]!r} is no decimal and no fraction")
    beyond_if(abs(Decimal(found[1]).adjusted()) > MAX_EXPONENT, f"numbers within 10^±{MAX_EXPONENT} only")
    return Fraction(found[1]) / int(found[2] or 1)


def enclosed(text: object) -> Range:
    """A number ≥ 0 twice, or what encloses an expression, as in Python. Raises Rejected, Beyond."""
    if not isinstance(text, str) or NUMBER.fullmatch(text) or len(text) > MAX_CHARS:
        return (number(text),) * 2
    tokens = TOKEN.findall(text)
    beyond_if("".join(tokens) != "".join(text.split()), f"{text[:40]!r} is not made of decimals")
    tokens = ["end", *tokens[::-1]]
    found = _read(tokens, 0)
    beyond_if(tokens != ["end"] or found[0] < 0, "numbers ≥ 0, whose brackets close")
    return found


def _read(tokens: list[str], floor: int) -> Range:
    """Up to an operator that binds no closer than ``floor``. A token is one frame of Python's at most."""
    token = tokens.pop()
    if NUMBER.fullmatch(token):
        found = (number(token),) * 2
    elif token in ("+", "-"):
        found = _product((Fraction(f"{token}1"),) * 2, _read(tokens, 2))
    else:
        called = token == "(" or (token in FUNCTIONS and tokens.pop() == "(")
        beyond_if(not called, f"a number with {token[:40]!r}")
        low, high = found = _read(tokens, 0)
        if tokens.pop() != ")" or (low <= 0 and token not in ("(", "exp")):
            raise Beyond("numbers whose brackets close; roots and logarithms of numbers above 0")
        found = _cut(*FUNCTIONS[token](low, high)) if token != "(" else found
    while BINDS.get(tokens[-1], 0) > floor:
        sign = tokens.pop()
        low, high = _read(tokens, BINDS[sign])
        beyond_if(sign == "/" and low <= 0 <= high, "a number that is divided by 0")
        low, high = (-high, -low) if sign == "-" else (low, high)
        if sign in "+-":
            found = _cut(found[0] + low, found[1] + high)
        else:
            found = _product(found, (low, high) if sign == "*" else (1 / high, 1 / low))
    return found


def _cut(low: Fraction, high: Fraction) -> Range:
    """Short exact numbers stay; others are rounded outward."""
    beyond_if(max(abs(low), abs(high)) > 2**2000, "a number is too large")
    if low == high and low.denominator.bit_length() < 2000:
        return low, high
    return Fraction(WIDE.of(low)[0], WIDE.one), Fraction(WIDE.of(high)[1], WIDE.one)


def _product(a: Range, b: Range) -> Range:
    products = [x * y for x in a for y in b]
    return _cut(min(products), max(products))


def _exp(low: Fraction, high: Fraction) -> Range:
    beyond_if(max(abs(low), abs(high)) > 700, "a power that is too large")
    return Fraction(WIDE.exp(low)[0], WIDE.one), Fraction(WIDE.exp(high)[1], WIDE.one)


def _ln(low: Fraction, high: Fraction) -> Range:
    """ln x = y + ln(1 + u), u = xe^−y − 1, of any y; u − u² ≤ ln(1 + u) ≤ u for |u| ≤ 1/4."""
    x, y = Fraction(_log(low)), Fraction(_log(high))
    u, v = low * _exp(-x, -x)[0] - 1, high * _exp(-y, -y)[1] - 1
    beyond_if(max(abs(u), abs(v)) > Fraction(1, 4), "a logarithm that floats miss")
    return x + u - u * u, y + v


def end(text: str) -> Fraction | float:
    """An end of an enclosure: ``m*2^e``, ``n/d`` or ``inf``. Raises Rejected."""
    if text == "inf":
        return math.inf
    found: Any = END.fullmatch(text[:4001])
    reject_if(not found or len(text) > 4000, "an end of the enclosure must be m*2^e, n/d or inf, m and n ≥ 0")
    return Fraction(int(found[1]), int(found[3] or 1)) * Fraction(2) ** int(found[2] or 0)


def _within(x: Fraction, low: Fraction | int, high: int) -> Fraction:
    beyond_if(not low <= x <= high, f"a parameter, or sensitivity over noise, from {low} to {high} only")
    return x


WIDE = Fixed(2000)
FUNCTIONS: Any = {"sqrt": lambda a, b: (root(a, False), root(b, True)), "exp": _exp, "ln": _ln, "log": _ln}
BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}


def _integer(x: Fraction, low: int, high: int) -> int:
    reject_if(x.denominator != 1, "counts, and moves of integers, must be integers")
    return int(_within(x, low, high))


def law(mechanism: object, adjacency: str, needed: set[str], alone: bool = False) -> Any:
    """Of one step, a law above all neighbours, one that some have, and until which step the first is, None:
    any; and into ``needed`` what it assumes. Raises Rejected, Beyond.
    """
    name, values, base = fields(mechanism, name=str, parameters=dict, base=object)
    if name in WHOLE:
        return WHOLE[name](values, base, adjacency, needed)
    relation = adjacency if adjacency in ("replace-one", "zero-out") else "add-or-remove"
    around, outer = (name, values) if name in AROUND else ("", {})
    if around:
        name, values, base = fields(base, name=str, parameters=dict, base=object)
    keys, more, assumed, bases = AROUND[around]
    if name not in bases.get(relation, ()) or base is not None:
        raise Beyond(f"{around or 'a mechanism'} of {name[:40]!r} under {adjacency}")
    names, make = LAWS[name]
    ends = [_ends_of(name, *row) for row in zip(names, fields(values, **dict.fromkeys(names, (str, list))))]
    needed |= {assumed, GIVEN.get(name, "sensitivity"), *["draws"] * (name == "mixture_of_gaussians")}
    replaced = relation == "replace-one"
    beyond_if(replaced and name in EVEN and ends[1][0] != EVEN[name], "uneven or monotone scores, replaced")
    if replaced and names[-1] == "sensitivity":
        ends[-1] = tuple(2 * x for x in ends[-1])  # one record leaves, another comes
    texts = fields(outer, **dict.fromkeys((*keys, *(more & outer.keys())), str))
    least, most = enclosed(texts[0]) if keys[:1] == ("q",) else (Fraction(1), Fraction(1))
    beyond_if(least <= 0 or most > 1, "Poisson sampling and batches with q in (0, 1] only")
    smaller, greater = ([row[up ^ (key in FALLS)] for key, row in zip(names, ends)] for up in (False, True))
    tight, had = ATTAINED.get(name, (None, lambda law, m: law))
    whole, part = make(most, *greater), had(make(least, *smaller), 1000 if alone else 2)
    if assumed is HIDDEN:
        return _hidden(around == "balls_and_bins", texts, whole.far, part.far, replaced)
    if around in INSIDE:
        return INSIDE[around](texts, whole, part, greater, smaller)
    if around == "sampled_with_replacement":
        m, n = (_integer(number(text), 1, MAX_COUNT) for text in texts)
        return drawn(m, n, whole.far, part.far)
    if around == "sampled_without_replacement":
        return (Batch(whole), part, 1) if least < 1 else (whole, part, tight)
    if around and replaced:
        whole, part = _replaced(whole, most), _replaced(part, least)
    sizes = [_integer(number(text), 1, MAX_COUNT) for text in texts[1:]]
    if sizes and sizes[1] < sizes[0]:
        return truncated(number(texts[0]), sizes, whole, part, replaced)
    return whole, part, tight


def _hidden(once: bool, texts: list[str], far: Fraction, low: Fraction, replaced: bool) -> Any:
    """Shuffled batches, or, ``once``, one of T drawn at random: the batch revealed dominates both.

    Where it is drawn at random the others' batches do not depend on it: they may be revealed, and ``thrown``
    dominates. A contribution of r ≤ 1 times C, of any direction that depends on what was, is made of C by
    more noise. A k-subset of the steps is one of each of k blocks, if they are revealed, too: upper bounds.
    """
    plain = tuple(texts[1:]) in (("0", "False"), ("1",))
    n = [_integer(number(text), 1, MAX_COUNT) for text in (texts if once else texts[:1])]
    order = texts[2:] in (["True"], ["False"]) and number(texts[1]) < 1
    if not (order or n[1:] == [1] or (len(n) > 2 and 1 < n[1] > abs(n[2] - n[0] * n[1]))):
        raise Rejected("what is said of batches does not go together")
    a, b = (low, Fraction(0)) if replaced or once else (2 * low, low)
    attack = thrown(n[0], a, b, False) if n[0] > 1 else shifted(Gaussian, a - b)
    fits = once and 1 < n[0] <= 10**4 and far * (far / 2 + 6) < 9 + math.log(n[0])
    above = thrown(n[0], far, Fraction(0), True) if fits else shifted(Gaussian, far)
    return above, attack if plain else None, 0 if once and not plain else None


def _replaced(pair: Pair, q: Fraction) -> Pair:
    """A sampled record that moves Gaussian noise by C is replaced by one that moves it by −C, 2C away."""
    rest, move = ((Fraction(0), 1 - q),) if q < 1 else (), pair.ends[1] / 2
    return Pair(Gaussian, ((move, q), *rest), ((-move, q), *rest))


def _ends_of(name: str, key: str, value: Any) -> tuple[Any, Any]:
    """A parameter, twice or enclosed; lists of exact numbers."""
    if key == "monotone":
        reject_if(value not in ("True", "False"), "it is True or False")
        return (Fraction(value == "True"),) * 2
    reject_if(isinstance(value, list) != (name in LISTS or key in LISTS), f"{key} is of another type")
    if isinstance(value, list):
        exact = [number(each) for each in value[: MAX_OUTCOMES + 1]]
        if len(exact) > MAX_OUTCOMES or sum(each.denominator.bit_length() for each in exact) > 10**5:
            raise Beyond(f"more than {MAX_OUTCOMES} outcomes, or too many digits of them")
        return exact, exact
    low, high = _product(enclosed(value), enclosed(SCALED[name])) if name in SCALED else enclosed(value)
    reject_if(key in (*FALLS, "sensitivity") and not low, "noise and sensitivity must be > 0")
    found = low < high and (name in RATIONAL or (key == "p" and 2 * low <= 1))
    beyond_if(found or high - low > low / 2**100, f"an irrational {key} of {name}")
    return low, high


def one_gaussian(parts: list[tuple[Any, int]], upper: bool) -> tuple[tuple[Any, int], ...]:
    """Gaussian noise adds up to one of μ² = Σ kμ², whose root is rounded to its side."""
    plain = [(law, k) for law, k in parts if alone(law)]
    if sum(k for _, k in plain) < 2:
        return tuple(parts)
    mu = root(sum((k * law.far**2 for law, k in plain), Fraction(0)), upper)
    return (*(row for row in parts if row not in plain), (shifted(Gaussian, mu), 1))


def alone(law: Any) -> bool:
    """Whether it is Gaussian noise, not sampled."""
    return isinstance(law, Pair) and law.noise is Gaussian and law.outcomes == 1


def root(x: Fraction, upper: bool) -> Fraction:
    """√x, rounded to 200 bits after the point or more: up or down."""
    bits = 200 + max(x.denominator.bit_length() - x.numerator.bit_length(), 0)
    floor = math.isqrt((x.numerator << 2 * bits) // x.denominator)
    return Fraction(floor + 1 if upper and Fraction(floor, 1 << bits) ** 2 != x else floor, 1 << bits)


def claim_of(document: dict[str, Any]) -> Claim:
    """The claim; standing, assumptions and enclosure must fit it. Raises Rejected, Beyond."""
    adjacency, verdict, steps = (document[name] for name in ("adjacency", "verdict", "composition"))
    _, relation, epsilon, delta = fields(document["claim"], **CLAIM)
    beyond_if(not 1 <= len(steps) <= MAX_PARTS, f"compositions of 1 to {MAX_PARTS} kinds only")
    needed, known = {"releases", "noise"}, []
    for count, mechanism in (fields(step, count=int, mechanism=dict) for step in steps):
        reject_if(not 1 <= count <= MAX_COUNT, f"count must be from 1 to {MAX_COUNT}")
        known.append((law(mechanism, adjacency, needed, len(steps) == count == 1), count))
    numbers = enclosed(epsilon), enclosed(delta)
    claim = _claimed(relation, adjacency, numbers, known, document["standing"])
    said = sorted(tuple(fields(row, id=str, text=str)) for row in document["assumptions"])
    if said != sorted((name, ASSUMPTIONS[name]) for name in needed) or claim.delta > 1:
        raise Rejected(f"its assumptions must be {', '.join(sorted(needed))}, and delta at most 1")
    if document["enclosure"] is not None:
        (low, high), (least, most) = map(end, fields(document["enclosure"], lower=str, upper=str)), numbers[0]
        ruled = ruling(relation, high <= least, low > most, low >= most, high < least)
        told = ruled == "UNDECIDED" and document["reason"]  # why it is decided nevertheless
        if low > high or (verdict in ("CERTIFIED", "REFUTED") and ruled != verdict and not told):
            raise Rejected("the verdict does not follow from the enclosure")
    return claim


def _claimed(relation: str, adjacency: str, numbers: Any, known: list[Any], told: str) -> Claim:
    """Upper bounds need a law above every step. Lower ones need some steps: who doesn't look at the others
    knows no more. A weaker standing than what is derived takes away what it doesn't say. Raises Rejected.
    """
    exact = all(tight is None or sum(k for _, k in known) <= tight for (_, _, tight), _ in known)
    reject_if(not exact and told in ("exact", "lower bound"), "pairs that only bound are said to be attained")
    weaker = told == "neither" or (exact and told != "exact")
    ways = {"add": (False,), "remove": (True,)}.get(adjacency, (True, False))

    def side(upper: bool, under: Claim | None, turn: int = 0) -> Claim:
        kept = not weaker or told == ("upper bound" if upper else "lower bound")
        laws = [(one[not upper], count) for one, count in known if kept and one[not upper]]
        laws = [(x[min(turn, len(x) - 1)] if isinstance(x, list) else x, count) for x, count in laws]
        parts = one_gaussian(laws if not upper or len(laws) == len(known) else [], upper)
        both = (True,) if all(one.symmetric for one, _ in parts) else ways
        return Claim(relation, numbers[0][not upper], numbers[1][not upper], parts, both, under)

    under = None
    for turn in range(max(len(part) if isinstance(part, list) else 1 for (_, part, _), _ in known))[::-1]:
        under = side(False, under, turn)
    return side(True, under)


def recheck(document: dict[str, Any], **limits: int) -> tuple[str, list[str]]:
    """CONFIRMED, CONTRADICTED or UNDECIDED, and lines to read. Raises Rejected."""
    verdict, text = document["verdict"], document["claim"]
    try:
        found, how = decide(claim_of(document), **limits)
    except Beyond as beyond:
        return "UNDECIDED", [f"UNDECIDED: beyond this checker: {beyond}"]
    lines = [
        f"claim: ε {text['relation']} {text['epsilon']} at δ = {text['delta']}, {document['adjacency']}",
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
    inner += [f"{key}={value}" for key, value in mechanism["parameters"].items()]
    return f"{mechanism['name']}({', '.join(inner)})"


CODES = {"CONFIRMED": 0, "CONTRADICTED": 1, "REJECTED": 2, "UNDECIDED": 3, "FAILED": 70, "UNWRITTEN": 74}


def main(arguments: list[str]) -> int:
    """Exit code: 0 confirmed, 1 contradicted, 2 rejected, 3 undecided, 70 an error in this file, or a Python
    before 3.8, 74 nothing could be written; and 130 interrupted.
    """
    try:
        *flags, path = arguments or ["-h"]
        limits = dict(zip(flags[::2], flags[1::2]))
        right = map(FLAG.fullmatch, map(" ".join, limits.items()))
        if len(flags) != 2 * len(limits) or not all(right) or path[:1] == "-":
            raise Rejected("usage: python recheck.py [--work DIGITS] [--cells NUMBER] certificate.json")
        document, notes = opened(read(path))
        outcome, lines = recheck(document, **{name[2:]: int(value) for name, value in limits.items()})
        lines += notes
    except Rejected as reason:
        outcome, lines = "REJECTED", [f"REJECTED: {reason}"]
    except Exception as error:  # a crash ends in exit code 1 otherwise
        outcome, lines = "FAILED", [f"FAILED: an error of the checker, which says nothing: {error!r}"]
    try:
        sys.stdout.write("\n".join(map(_visible, lines)) + "\n")
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        # closed by its reader, by Python, by the caller; a full disk
        sys.stdout, outcome = None, "UNWRITTEN"  # what is left in the buffer would end in an exit code, too
    return CODES[outcome]


def _visible(line: str) -> str:
    """No line of a certificate steers a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


# --- queries ---------------------------------------------------------------------------------------------
# What answers queries: integer noise, responses, stated outcomes, choices, thresholds, shuffled reports. What
# trains does not need this section: without it these are beyond the checker, all else is as it is with it.


def listed(q: Fraction, p: list[Fraction], base: list[Fraction]) -> Atoms:
    """Outcomes of these probabilities, with the record and without it."""
    reject_if(len(p) != len(base) or {sum(p), sum(base)} != {1}, "both laws must be as long, of sum 1")
    rows = [(a, b) for a, b in zip(p, base) if a or b]
    even = q == 1 and sorted(rows) == sorted((b, a) for a, b in rows)
    return Atoms(lambda fixed, tail: [(fixed.of(a), fixed.of(b)) for a, b in rows], q, None, even)


def response(q: Fraction, p: Fraction, categories: Fraction) -> Atoms:
    """True answer with probability p, each of the others with r = (1 − p)/(k − 1)."""
    k = _integer(categories, 2, 10**9)
    r = (1 - _within(p, 0, 1)) / (k - 1)
    return listed(q, [p, r, (k - 2) * r], [r, p, (k - 2) * r])


def binomial(q: Fraction, n: Fraction, p: Fraction, sensitivity: Fraction) -> Atoms:
    """s + Bin(n, p) against Bin(n, p)."""
    size, nothing = _integer(n, 1, 1000), [Fraction(0)] * _integer(sensitivity, 1, 2000)
    beyond_if(not 0 < p < 1 or size * p.denominator.bit_length() > 4000, "binomial noise of a short p only")
    law = [math.comb(size, i) * p**i * (1 - p) ** (size - i) for i in range(size + 1)]
    return listed(q, nothing + law, law + nothing)


def discrete_gaussian(q: Fraction, sigma: Fraction, sensitivity: Fraction) -> Atoms:
    r"""Noise ∝ e^{−x²/2σ²} on the integers, around s against around 0: outcomes from s−X to X.

    Beyond X the weights add up to at most e^{−X²/2σ²}/u, u = X/σ²: their ratio is at most e^{−u}, and
    1/(e^u − 1) ≤ 1/u. The other outcomes have the rest of both laws; they have no q or no p here, which
    raises or drops them.
    """
    s = _integer(sensitivity, 1, 1000)
    _within(sigma, Fraction(1, 5), 1500)

    def masses(fixed: Fixed, tail: float) -> list[tuple[Interval, Interval]]:
        x = math.ceil(float(sigma) * math.sqrt(2 * tail)) + s + 2
        beyond_if(x > 15_000, "too many outcomes of integer noise")
        weights = [fixed.exp(-(i * i) / (2 * sigma**2)) for i in range(x + 1)]
        beyond = fixed.times(weights[x], fixed.of(sigma**2 / x))[1]
        mass = fixed.shares([*weights[:0:-1], *weights], 2 * beyond)
        outcomes = list(zip(mass, mass[s:]))
        rest = (0, fixed.one - sum(p[0] for p, _ in outcomes))
        return [*outcomes, (rest, ZERO), (ZERO, rest)]

    return Atoms(masses, q, None, q == 1, True)


def geometric(q: Fraction, eta: Fraction, n: Fraction, inner: Fraction | None = None) -> Atoms:
    r"""Q-masses ∝ 1, x, …, xⁿ, x = e^{−η/n}, those between both ends times ``inner``, by default 1 − x; P
    backwards: losses from −η to η.

    By default it is noise ∝ e^{−|x|/b} on the integers, around n against around 0, n = bη: all outcomes up to
    0 have one ratio, those from n on another one, and are told together: the weights of either sum up to
    1/(1 − x) times that of 0, or of n.
    """
    _within(eta, 0, 5000)
    size = _integer(n, 1, 1000)

    def masses(fixed: Fixed, tail: float) -> list[tuple[Interval, Interval]]:
        first, *more, last = (fixed.exp(-eta * i / size) for i in range(size + 1))
        low, high = (more or [last])[0]
        factor = fixed.of(inner) if inner else (max(fixed.one - high, 0), fixed.one - low)
        law = fixed.shares([first, *(fixed.times(w, factor) for w in more), last])
        return list(zip(law[::-1], law))

    return Atoms(masses, q, (eta, Fraction(0)) if q == 1 else None, q == 1)


def told(pair: Pair, share: Fraction = Fraction(1, 2)) -> Atoms:
    r"""Whether noise is above a share of the move, by default the middle: what two candidates tell.

    **Permute-and-flip** is report noisy max with exponential noise of scale 2Δ/ε, as Ding et al. (2021) show.
    Scores that move by h make it hε/Δ-DP: given all other noise, a candidate's has to exceed a threshold that
    moves by 2h at most. So along a straight line of scores the probability y of any set has, in units of the
    move that lead from one neighbour to the other, |y'| ≤ min(y, 1 − y), and y is at most as far as Laplace
    noise of scale 1 takes its distribution function, whose derivative that is: the pair of Laplace noise that
    moves by ε dominates, or by ε/2 where all scores move one way, as only differences count. Two candidates'
    noise differs by Laplace noise: with leads of d and d + 2Δ all thresholds are attained in one step, one
    of them in all.
    **GNMax**: a vote moves one count down and one up: N(0, σ²) on both, √2 apart, is post-processed. Of two
    classes, the first ahead by 1 and by −1, their noise differs by N(0, 2σ²): the middle.
    """

    def masses(fixed: Fixed, tail: float) -> Any:
        below = pair.at(pair.far * share, fixed)[1:]
        return [below, tuple((fixed.one - high, fixed.one - low) for low, high in below)]

    return Atoms(masses, symmetric=2 * share == 1)


def ahead(pair: Pair, turn: int) -> Atoms:
    """GNMax, two classes, one ahead by d + 1 votes or by d − 1: it wins with Φ((d + 1)h) or Φ((d − 1)h),
    h half of the move. This h is not too large, and by less than 2^−100 of it too small: the first chance is
    not too large, the second not too small, but less. So they are those of a worse test. Where a few of many
    steps that turn out so lose ε together, or a bit more, δ(ε) is large; any d will do.
    """
    h, lead = pair.far / 2, [1]

    def prepare(tail: float, work: list[int], epsilon: float, total: int) -> None:
        loss = epsilon * (0.9, 0.95, 1, 1.1)[turn % 4] / min((1, 2, 3, 4, 6, 9, 14)[turn // 4], total)
        lead[0] = max(round(loss / (2 * float(h) ** 2)), 1)

    def masses(fixed: Fixed, tail: float) -> Any:
        places = (lead[0] + 1) * h, (lead[0] - 1) * h * (1 + Fraction(1, 2**100))
        return [tuple(fixed.normal(way * y) for y in places) for way in (1, -1)]

    return Atoms(masses, symmetric=False, prepare=prepare)


def exponential(q: Fraction, epsilon: Fraction, one_way: Fraction, times: Fraction) -> Atoms:
    r"""A candidate with probability ∝ e^{εu/2Δ}; scores u move by at most Δ, all one way in one of two cases.

    Log-odds move by at most η, ε or ε/2. So R = dP/dQ is in :math:`[e^{t-\eta}, e^t]` for some t, and
    :math:`E_Q(R - \alpha)_+`, convex in R, at most that of the binary pair G_t on both ends: :math:`q_t(e^t -
    e^s)` at α = e^s, :math:`q_t = (e^{\eta-t} - 1)/(e^\eta - 1)` (Dong, Durfee, Rogers 2020), largest at
    t = (η + s)/2,

    .. math:: D(\alpha) = (e^{\eta/2} - \sqrt\alpha)^2/(e^\eta - 1), \qquad -\eta \le s \le \eta.

    **Above.** D is convex, 0 from s = η on, 1 − α up to −η. A pair whose profile joins points of D by lines
    dominates every step, whatever came before. From s_i = η(2i − n)/n to the next one the slope is
    :math:`(1 - 2e^{\eta/2}/(e^{s_i/2} + e^{s_{i+1}/2}))/(e^\eta - 1)`; at s_i it grows by the Q-mass, ∝
    :math:`e^{-s_i/2}`, at both ends half of that. And η²/8-zCDP: K(λ) = log E_P e^{λS} has K'' ≤ η²/4, a
    variance on an interval of length η, and K(−1) = K(0) = 0: K ≤ λ(λ + 1)η²/8 (Cesar, Rogers 2021).

    **Below.** Two candidates have any log-odds a and a + η, so any G_t in all steps: t = η/2. For one step
    alone some t attains D at the claimed ε, where a pair with the profile D of which only one of m cells is
    told has no more: by D' these have Q-masses ∝ :math:`e^{-\eta i/m}`, P-masses are these backwards.
    """
    eta = epsilon / (1 + one_way) / _integer(times, 1, 1)
    return geometric(q, eta, Fraction(1000), Fraction(2))._replace(rho=eta**2 / 8)


def noisy_max(q: Fraction, b: Fraction, one_way: Fraction, sensitivity: Fraction) -> Any:
    r"""Laplace noise with blunt corners, moved by c = 2Δ/b, or Δ/b if all scores move one way. Upper bounds.

    Let the scores go from one neighbour's to the other's on a line, x from 0 to c, and y(x) be the
    probability of a set of outputs. Then \|y'\| ≤ ψ(y) = min(y, 3y/4 + 0.0552, y/2 + 0.1193, y/4 + 0.2077,
    0.3205) up to y = 1/2, ψ(1 − y) = ψ(y): the first line as scores that move by h make it 2h/b-DP, and only
    differences count, the others as is proved in pldverify/mechanisms/noisy_max.py. Let F' = ψ(F) for a
    distribution function F, and y(0) = F(t); then y(c) ≤ F(t + c) by comparison. That is the power of the
    best test of the density f against f moved by c, and concave in y(0). The slopes of log f are those of the
    lines, which meet at 0.2208, 0.2564, 0.3536 and 0.4512; corners that come sooner only raise them. So steps
    multiply, whatever scores depend on.
    """
    corners = tuple((Fraction(x, 500), Fraction(1, 4)) for x in (76, 234, 413, 489))
    return shifted(Laplace, (2 - one_way) * sensitivity / b, q, corners)


def thresholded(texts: list[str], pair: Pair, part: Pair, greater: Any, smaller: Any) -> Any:
    r"""Noisy counts of the keys that some record has, shown from a threshold on; a record adds ``most``.

    If others have the key, both sides show noise: ``pair``. If not, the record's key is shown with
    probability ρ = Pr[most + noise ≥ threshold] at most, or it is not. Who is told all with probability ρ,
    and else gets ``pair``, of profile D, has :math:`\rho + (1 - \rho)D(s)` at any s. That is at least D(s) ≤
    1; and, as D(s) ≥ 1 − e^s, at least ρ and :math:`1 - (1 - \rho)e^s`, which are all that (ρ, 1 − ρ) against
    (0, 1) has in both directions. **Below**: ``pair``, in the limit of many records of one key.
    """
    scale, most = greater
    beyond_if(greater != smaller, "a histogram with irrational noise")
    shown = Fraction(pair.below((most - number(texts[0])) / scale, WIDE)[1], WIDE.one)
    return Known([(1 - shown, pair)]), part, 1


def passed(noise: str, sigma: Fraction, stages: Any, tail: float, work: list[int]) -> tuple[int, Any]:
    r"""Bits, and the chance that each of some stages (v, n) is passed and all before it: that n independent
    noises are below σz − v, z being one noise of all stages. What it is where z is rare is left open.

    **Laplace noise.** Between 0 and all v/σ the distribution functions are :math:`e^{\sigma z - v}/2` or 1 −
    :math:`e^{v - \sigma z}/2`: with the density what is passed is a sum of exponentials, whose integrals are
    known.

    **Gaussian noise.** The trapezoidal rule of step η errs by at most :math:`2N/(e^{2\pi a/\eta} - 1)`, if
    the integrand is analytic up to a from the real line, and its modulus has integrals of at most N there
    (Trefethen, Weideman 2014, Theorem 5.1). As :math:`|\varphi(x + iy)| = \varphi(x) e^{y^2/2}`, that of Φ is
    at most :math:`e^{y^2/2}`, and N, of n noises in all, :math:`e^{Ca^2/2}`, C = 1 + nσ². Take a = 2π/Cη: the
    error is below :math:`3e^{-2\pi^2/C\eta^2}`, and :math:`2\pi^2 > 19`.
    """
    total, far, found = sum(n for _, n in stages), int(tail) + 37, [[0, 0] for _ in stages]
    fixed = Fixed(256 + 2 * far + (4 * total if noise is Laplace else 0))
    bits, half, error = fixed.bits, fixed.one >> 1, fixed.exp(Fraction(-far))[1]
    fine = math.isqrt(int((tail + 40) * (1 + sigma**2 * total) / 19)) + 1
    wide = (math.isqrt(2 * far) + 3) * fine if noise is Gaussian else -1
    cuts = sorted({x for x in (-far, 0, far, *(v / sigma for v, _ in stages)) if abs(x) <= far})
    spend(work, (2 * wide + 2) * (4 * dear(bits, tail + 40) + total * bits // 8))
    spend(work, len(cuts) * (total + 1) ** 2 * bits * (noise is Laplace))

    def product(x: Any, y: Any) -> Interval:
        ends = [a * b for a in x for b in y]
        return min(ends) >> bits, -(-max(ends) >> bits)

    def gain(j: int, x: Any, y: Any) -> None:
        found[j] = [a + b for a, b in zip(found[j], product(x, y))]

    for z in [Fraction(i, fine) for i in range(-wide, wide + 1)]:
        left = fixed.times(fixed.norm, fixed.exp(-z * z / 2))
        below = {v: fixed.normal(sigma * z - v) for v in {v for v, _ in stages}}
        for j, (v, n) in enumerate(stages):
            for _ in range(n):
                left = fixed.times(left, below[v])
            gain(j, left, fixed.of(Fraction(1, fine)))
    for low, high in zip(cuts, cuts[1:]) if noise is Laplace else []:
        terms, areas, sign = {0: (half, half)}, {}, 1 if high <= 0 else -1
        for j, (v, n) in enumerate(stages):
            way = 1 if sigma * high <= v else -1
            factor = [way * (x + i >> 1) for i, x in enumerate(fixed.exp(-way * v))]
            for _ in range(n):
                moved = {k + way: product(x, factor) for k, x in terms.items()}
                kept = terms if way < 0 else {}
                pairs = {k: (kept.get(k, ZERO), moved.get(k, ZERO)) for k in {*kept, *moved}}
                terms = {k: (x[0] + y[0], x[1] + y[1]) for k, (x, y) in pairs.items()}
            for k, x in terms.items():
                mu = k * sigma + sign
                if k not in areas:
                    a, b = (fixed.exp(mu * y) for y in ((low, high) if mu > 0 else (high, low)))
                    fall, flat = (b[0] - a[1], b[1] - a[0]), fixed.of(Fraction(high - low))
                    areas[k] = fixed.mean([(0, abs(1 / mu))], [fall]) if mu else flat
                gain(j, x, areas[k])
    return bits, [(max(low - error, 0), high + error) for low, high in found]


def seen(noise: str, sigma: Fraction, stages: Any, winners: int = 0) -> Atoms:
    """Which of some stages (v, n, m) is not passed, of v in P and v + m in Q; or, ``winners``, whether one of
    so many candidates wins: each does if it passes all.
    """
    known: Any = {}

    def prepare(tail: float, work: list[int], epsilon: float, total: int) -> None:
        laws = []
        for way in (0, 1) if tail not in known else ():
            bits, chances = passed(noise, sigma, [(v + way * m, n) for v, n, m in stages], tail, work)
            if winners:
                chances = [[winners * x for x in chances[-1]]]
            chain = [(1 << bits,) * 2, *chances, ZERO]
            laws.append([(max(a[0] - b[1], 0), a[1] - b[0]) for a, b in zip(chain, chain[1:])])
            known[tail] = bits, laws

    def masses(fixed: Fixed, tail: float) -> Any:
        bits, laws = known.get(tail, (0, ()))
        move = fixed.bits
        return list(zip(*[[(x << move >> bits, -(-y << move >> bits)) for x, y in law] for law in laws]))

    return Atoms(masses, symmetric=False, prepare=prepare)


def stops(law: Halting, turn: int) -> Atoms:
    """Some times n queries that rise, and one that falls. By turns the first are higher, and an end at the
    other rarer, which loses more. Any prove.
    """
    (threshold, move), many, turned = law.moves, law.cap > 15, turn > 3
    sigma, low, wide = move / threshold, Fraction(1, 16), Fraction(0)
    n, times = min(max(math.ceil(4 / sigma), 4), 32) if turned else 4, 4
    if law.noise is Gaussian:
        n, turned = 1 if many else law.cap - 1, False
        times, wide = min(law.cap // (n + 1), 50), sigma / 2 * many
        low, turn = Fraction(-5 - 2 * times.bit_length(), 8), turn + 4
    rises = low + Fraction(turn - 7 if turned else turn - 4, 5)
    falls = Fraction(0) if law.one_way and n else -move
    pair = [row for row in ((rises, n, move), (low, 1, falls)) if row[1]]
    shifts = [wide * (1 if 2 * i >= times else -1) for i in range(times)]
    return seen(law.noise, sigma, [(v + x - m / 2, n, m) for x in shifts for v, n, m in pair])


CONTESTS = ((2, 2, 0), (2, 3, 0), (2, 3, 8), (1, 3, -5), (1, 5, -16), (1, 5, -5), (1, 5, 10), (1, 8, 0))


def wins(c: Fraction, turn: int) -> Atoms:
    """Report noisy max: whether one of n candidates wins against m, whose lead of v grows by c."""
    n, m, lead = CONTESTS[turn]
    v = Fraction(lead, 80) + (Fraction(turn, 19) - Fraction(1, 2)) * c
    return seen(Laplace, Fraction(1), [(v, m, c), (Fraction(0), n - 1, 0)], n)


def least(value: Callable[[Any], Any], places: list[Any]) -> Any:
    """Where a function is least that falls and then rises; a place, if it doesn't."""
    low, high = 0, len(places) - 1
    while low < high:
        middle = (low + high) // 2
        falls = value(places[middle]) >= value(places[middle + 1])
        low, high = (middle + 1, high) if falls else (low, middle)
    return places[low]


class Halting(Concentrated):
    r"""Where AboveThreshold ends: at the first of some answers above a threshold, all with one kind of noise.
    Queries move by at most Δ, ``threshold`` in units of its noise, a = ``answer`` in units of theirs;
    ``one_way``: all in one direction. ``cap``: at most so many; 0: any number.

    **Moments.** Until the end all answers are "below", so queries are one sequence. With threshold z the n-th
    ends it with the probability :math:`S_n h_n`, :math:`S_n = \prod_{i<n} (1 - h_i)`. In the other data set
    put z + θΔ for z, 0 ≤ θ ≤ 1: there queries rise by at most u = (1 − θ)a, and fall by d = (1 + θ)a, or, if
    all rise, θa. If all fall put z − θΔ: u = θa, d = (1 − θ)a. By Hölder's inequality, :math:`(\int x)^\alpha
    (\int y)^{1-\alpha} \le \int x^\alpha y^{1-\alpha}` for α = λ + 1, :math:`E e^{\lambda S}` is at most
    that of the threshold's noise, moved so far, times the largest :math:`\sum_n (S_n h_n)^\alpha (S_n'
    h_n')^{1-\alpha}` of one z, "no end" being an n. If what that is from the second query on is at most R, 1
    where there is none, it is at most :math:`g = h^\alpha h'^{1-\alpha} + R (1 - h)^\alpha (1 -
    h')^{1-\alpha}`. So R becomes the largest g, ``cap`` times; without a cap any R ≥ 1 will do that no g
    exceeds.

    **Corners.** g is convex in h', so largest where h' is least or greatest. Queries that fall have h = F(y)
    and h' = F(y − d), a convex curve, as F is log-concave. Between two points it is in the triangle of these
    and of the corner where their tangents meet. :math:`x^\alpha x'^{1-\alpha}` is convex and of degree 1, so
    g is at most the largest of the three; and points are between two corners. For queries that rise exchange
    h and h' with 1 − h and 1 − h', d with u. **Tails.** With Laplace noise the curve is straight up to y = 0
    and from y = d on, to (0, 0), where g is R, and to (1, 1), where it is 1. With Gaussian noise, up to the
    first y, :math:`h^\alpha h'^{1-\alpha} \le \int \varphi(t)^\alpha \varphi(t - d)^{1-\alpha} =
    e^{\lambda\alpha d^2/2} \Phi(y + \lambda d)`, by Hölder's inequality, and 1 − h ≤ 1 − h' ≤ 1. From the
    last y on :math:`h^\alpha h'^{1-\alpha} \le h'(y)^{-\lambda}`, and the other term is likewise at most
    the same with Φ(−y − λd).

    **Losses** with Laplace noise: put z + Δ for z; its density falls by a factor of at most e^−``threshold``,
    no 1 − h falls, and the end's own query by at most 2Δ, so e^−2a; if all rise, by Δ; if all fall, with z as
    it is, by Δ.
    """

    def __init__(self, noise: str, threshold: Fraction, answer: Fraction, one_way: Any, cap: int) -> None:
        super().__init__(Fraction(1), (threshold**2 + answer**2) / 2, [(0, 0)])
        self.noise, self.moves, self.one_way, self.cap = noise, (threshold, answer), one_way, cap
        self.fixed = Fixed(256)
        self.known: dict[Fraction, Fraction] = {}
        self.curves: dict[Fraction, Any] = {}
        self.most = (threshold + (2 - one_way) * answer, Fraction(0)) if noise is Laplace else None

    def prepare(self, tail: float, work: list[int], epsilon: float, total: int) -> None:
        """Moments at multiples of 1/4, as a search for the least bound of δ asks them; another chooses θ."""
        middle, limit = (epsilon / total / float(self.rho) + 1) / 2, Fraction(epsilon) / total
        most = min(40 / math.sqrt(self.rho), 2.0**53)  # ρλ² = 100: moments of e^700 have no logarithm here

        def value(lam: Fraction) -> Fraction:
            return total * (self.moment(lam, work) - lam * limit) + power_of(lam) - Fraction(_log(lam))

        tried = (min(middle * 2 ** (2 + i / 16), most) for i in range(-40, 100))
        self.moment(least(value, sorted({Fraction(max(round(x), 1), 4) for x in tried})), work)
        self.points = [(0, 0), *sorted(self.known.items())]

    def moment(self, lam: Fraction, work: list[int]) -> Fraction:
        if lam not in self.known:
            size, ways = 32 if self.noise is Gaussian else 512, [(1, -1, 1, 1)]
            ways = [(1, -1, 0, 1), (0, 1, 1, -1)] if self.one_way else ways
            costs: Any = [lambda x, way=way: self.cost(int(4 * lam), x, way, work) for way in ways]
            most = max(cost(least(cost, [Fraction(i, size) for i in range(size + 1)])) for cost in costs)
            self.known[lam] = _ln(*[Fraction(most, self.fixed.one)] * 2)[1]
        return self.known[lam]

    def cost(self, quarters: int, share: Fraction, way: Any, work: list[int]) -> int:
        """A bound of E e^{λ loss}, λ = quarters/4, for one θ; the threshold's: Mironov 2017, Table II."""
        fixed, one, lam, (x, answer) = self.fixed, self.fixed.one, Fraction(quarters, 4), self.moves
        x, up, down = share * x, (way[0] + way[1] * share) * answer, (way[2] + way[3] * share) * answer
        rows = self.corners(quarters, down, work) + [(b, a) for a, b in self.corners(quarters, up, work)]
        moved, worst = fixed.exp(lam * (lam + 1) * x * x / 2)[1], one
        if self.noise is Laplace:
            near, far = fixed.exp(lam * x)[1], fixed.exp(-(lam + 1) * x)[1]
            moved = math.ceil(((lam + 1) * near + lam * far) / (2 * lam + 1))
            if max(b for _, b in rows) >= one:
                return int(FAR * (1 + up)) * one  # a search finds its way
            worst = max(one, *(-(-a * one // (one - b)) for a, b in rows))
        for _ in range(self.cap):
            a, b = max(rows, key=lambda row: row[0] * one + row[1] * worst)
            worst, rows = a - (-b * worst >> fixed.bits), [row for row in rows if row[1] >= b]
            spend(work, len(rows) * fixed.bits)  # steeper ones may be more where R has grown
        return -(-moved * worst >> fixed.bits)

    def corners(self, quarters: int, move: Fraction, work: list[int]) -> list[tuple[int, int]]:
        """Upper bounds of both terms of g without R: in all corners, and in the tails. None for h = h', where
        g is at most R or 1.
        """
        fixed, one, bits, rows = self.fixed, self.fixed.one, self.fixed.bits, []
        places = [Fraction(i, 8) + Fraction(i, 32) ** 3 for i in range(-62, 46)]
        places = places if self.noise is Gaussian else [move * i / 16 for i in range(17)]
        if move and move not in self.curves:
            pair = shifted(self.noise, move)
            spend(work, len(places) * dear(bits, 100.0))
            self.curves[move] = [pair.at(y, fixed) for y in places]

        def grown(x: int, y: int) -> int:
            """x (x/y)^λ, rounded up."""
            beyond_if(y <= 0, "an answer that is too sure")
            root, left = math.isqrt(math.isqrt(-(-(x << 4 * bits) // y)) + 1) + 1, quarters
            while left:
                beyond_if(root.bit_length() > LONGEST, "a power that is too large")
                x, root, left = -(-x * root >> bits) if left % 2 else x, -(-root * root >> bits), left // 2
            return x

        at = self.curves.get(move, [])
        spend(work, len(at) * 8 * bits)
        for (w, other, h), (less, others, more) in zip(at, at[1:]):
            # dh/dh', h', h: in h' their tangents meet by e beyond the first
            beyond_if(w[0] <= less[1], "slopes that can't be told apart")
            ends = [(more[i] - h[1 - i] << bits) - less[1 - i] * (others[1 - i] - other[i]) for i in (0, 1)]
            low, high = max(ends[0] // (w[1] - less[0]), 0), -(-ends[1] // (w[0] - less[1]))
            above = grown(h[1] - (-w[1] * high >> bits), other[0] + low)
            rows.append((above, grown(one - h[0] - (w[0] * low >> bits), one - other[1] - high)))
        if at and self.noise is Gaussian:
            x, y = Fraction(quarters, 4) * move, move * move / 2
            left, right = (
                fixed.times(fixed.exp(x * x / 2 + quarters * y / 4), fixed.normal(end))[1]
                for end in (places[0] + x, -places[-1] - x)
            )
            rows += [(left, one), (grown(one, at[-1][1][0]), right)]
        return rows


def tuned(rho: Fraction, mean: Fraction, poisson: bool) -> Concentrated:
    r"""The best of K runs of any ρ-zCDP mechanism; K is geometric, or Poisson. An upper bound.

    μ = E K, f(x) = E x^K. One run has the laws Q and Q' on two neighbours; outputs are ranked, whatever the
    data are. What is shown has the density :math:`\int_0^1 f'(U_t)\,dt` to Q, U_t the probability of what is
    worse and a share t of what is as good; to Q' likewise. As :math:`a^{1+\lambda} b^{-\lambda}` is jointly
    convex, :math:`E e^{\lambda S}` is at most one run's times the greatest :math:`G = f'(U)^{1+\lambda}
    f'(U')^{-\lambda}`. Let δ̂ ≥ δ(ε̂) of one run; u = 1 − U and u' = 1 − U' are one test's: u' ≤ e^ε̂ u + δ̂.

    **Geometric**, γ = 1/μ: f'(U) = μ(γ/w)², w = γ + (1 − γ)u. So G = μg², :math:`g =
    (\gamma/w)(w'/w)^\lambda`, and w' ≤ e^ε̂ w + κ, κ = (1 − γ)δ̂ − γ(e^ε̂ − 1). Let b = 1 + δ̂(μ − 1), which
    is e^ε̂ + κ/γ. If κ ≥ 0, the bound of g falls in w ≥ γ, and is :math:`b^\lambda` at γ. If not, it rises
    while e^ε̂ w < (1 + λ)|κ|, and falls from there on: it is greatest at γ again, or there, where w'/w ≤ e^ε̂
    λ/(1 + λ) and γ/w ≤ 1. So :math:`G \le \mu r^{2\lambda}`, r = max(b, e^ε̂ λ/(1 + λ)).

    **Poisson**: f'(U) = μe^{−μu}: log(G/μ) = μ(λu' − (1 + λ)u) ≤ μλ(δ̂ + (e^ε̂ − 1 − 1/λ)₊); that nothing is
    shown adds e^−μ. (pldverify/mechanisms/repeat_and_select.py; Papernot and Steinke 2022.)

    So there are points (λ, log of that). Each ε̂ has the λ that suits it, by floats; any will do.
    """
    law, fixed = Concentrated(Fraction(1), rho, [(0, 0)]), Fixed(200)

    def exact(x: float) -> Fraction:
        return Fraction(max(round(x * 2**20), 1), 2**20)

    def loss(e: Fraction) -> Fraction:
        """δ̂, by the order at which the logarithm of its bound has the derivative 0, nearly."""
        r, y = float(rho), float(e)
        lam = exact(2 ** crossing(lambda x: r * (2 * 2**x + 1) - math.log1p(2**-x) > y, -20.0, 20.0))
        return Fraction(markov(rho * lam * (lam + 1) - lam * e, lam, fixed), fixed.one)

    def prepare(tail: float, work: list[int], epsilon: float, total: int) -> None:
        spend(work, 4000 * dear(fixed.bits, 0.0))
        points, start, none = [(Fraction(0), Fraction(0))], 0.0, Fraction(0)
        more = Fraction(0) if poisson else mean - 1
        if more:
            start = crossing(lambda x: math.exp(x) > 1 + float(loss(exact(x)) * more), 0.0, 20.0)
        for i in range(-160, 33):
            e = exact(start + 2 ** (i / 16))
            d, grown = loss(e), Fraction(fixed.exp(e)[1], fixed.one)
            lam = exact(1 / max(math.exp(e) / float(1 + d * more) - 1, 2**-20))
            r = log_up(max(1 + d * more, grown * lam / (lam + 1)), fixed) * 2
            if poisson:
                r = mean * (d + max(grown - 1 - 1 / lam, Fraction(0)))
            size = lam * (r + rho * (lam + 1))
            if poisson:
                none = Fraction(fixed.exp(-mean - size)[1], fixed.one)
            points.append((lam, size + log_up(mean + none, fixed)))
        law.points = sorted(points)

    law.prepare = prepare
    return law


def crossing(above: Callable[[float], bool], low: float, high: float) -> float:
    """Where something becomes true, nearly: a hint."""
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if above(middle) else (middle, high)
    return high


def log_up(x: Fraction, fixed: Fixed) -> Fraction:
    """At least log x, x ≥ 1, hardly more."""
    found = Fraction(math.ceil(_log(x) * 2**40) + 1, 2**40)
    beyond_if(fixed.exp(found)[0] < fixed.of(x)[1], "a logarithm that floats miss")
    return found


def ranked(one: Any, mean: Fraction, poisson: bool) -> Atoms:
    r"""Who wins of K runs with loss S, ranked so: best is S < s, then greater S before less, told by some
    thresholds; of pure DP s is ε, and coins part the rest. That is a law some neighbours have. If a run is
    at least as good as the jth with probability u_j under P, x_j under Q, the best is with 1 − f(1 − u_j),
    which rises in u_j. As the best is rarer under P, the others win more often: by f'(1 − u)/f'(1 − x), of u
    and x at s. So s is chosen where that gains most, for Gaussian noise of that ρ; any will do.
    """
    cut, noise = [Fraction(0)], isinstance(one, Pair)

    def wins(u: Interval, fixed: Fixed) -> Interval:
        if poisson:
            (_, high), (low, _) = (fixed.exp(-mean * x / fixed.one) for x in u)
            return fixed.one - high, fixed.one - low
        ends = [mean * x * fixed.one / (fixed.one + (mean - 1) * x) for x in u]
        return math.floor(ends[0]), math.ceil(ends[1])

    def masses(fixed: Fixed, tail: float) -> Any:
        if noise:
            gap = one.far + math.ceil(math.sqrt(2 * tail)) - cut[0]
            first: Any = fixed.normal(cut[0] - one.far), fixed.normal(cut[0])
            steps = [cut[0] + gap * i / 500 for i in range(500, 0, -1)]
            more: Any = [(fixed.normal(one.far - y), fixed.normal(-y)) for y in steps]
        else:
            pair, first = one.masses(fixed, tail)
            more = [[fixed.mean([(0, Fraction(i, 500))], [x]) for x in pair] for i in range(500)]
        above: Any = [first, *(map(added, zip(first, row)) for row in more), ((fixed.one,) * 2,) * 2]
        best = [(ZERO, ZERO), *([wins(x, fixed) for x in row] for row in above)]
        rows: Any = [zip(*two) for two in zip(best, best[1:])]
        return [tuple((max(b[0] - a[1], 0), max(b[1] - a[0], 0)) for a, b in row) for row in rows]

    def prepare(tail: float, work: list[int], epsilon: float, total: int) -> None:
        spend(work, 2000 * dear(200, tail))
        rough, m = Fixed(64), float(mean)

        def gain(y: Fraction) -> float:
            sides = (rough.normal(x)[1] / rough.one for x in (y - one.far, y))
            p, q = (-m * u if poisson else -2 * math.log1p((m - 1) * u) for u in sides)
            return float(p - max(epsilon / total - p + q - one.rho, 0) ** 2 / (4 * one.rho))

        if noise:
            cut[0] = max((one.far / 2 + Fraction(i, 32) for i in range(-160, 161)), key=gain)

    return Atoms(masses, endless=noise, prepare=prepare)


def reports(n: int, x: Fraction, k: int, above: bool, clones: bool) -> Atoms:
    r"""n users' reports, shuffled; the value of one of them is 0 in P and 1 in Q. x: p of randomised response
    over k categories, r = (1 − p)/(k − 1) < p; or ``clones``: ε of all that is ε-DP, t = p/r = e^ε.

    The pair is (c, a): c reports are in {0, 1}, a of them 0. Of the others c' are, with a binomial law, a' of
    them 0 by fair coins. With their law, z = 1 − p − r: :math:`P(c, a) = p \Pr[c - 1, a - 1] + r \Pr[c - 1,
    a] + z \Pr[c, a]`; Q has p and r exchanged.

    **Above, randomised response.** It says a uniform category with probability kr, else the truth. It is told
    who of the others told the truth, and what; and of the rest and the one user, who says none of {0, 1}.
    What is left is (c, a), c' ~ Bin(n − 1, 2r), or, with probability z, nothing.
    **Clones** (Feldman, McMillan, Talwar 2021). R_0 and R_1, the one's laws, are mixtures of Q_0 = (tR_0 −
    R_1)/(t − 1) and Q_1 alike with weights p and r, p + r = 1. All others have R_i ≥ R_0/t, R_1/t, so at
    least (R_0 + R_1)/2t = (Q_0 + Q_1)/2t: with probability 1/t user i tosses a coin between Q_0 and Q_1. It
    is told what the others report, and how many are of Q_0 and of Q_1: c' ~ Bin(n − 1, 1/t), z = 0.
    **Below.** All others have the value 2: c' ~ Bin(n − 1, 2r). For k = 2 it is 1: c = n, and each is 0 with
    probability r. These are what is seen, or functions of it. Of ε-DP it is randomised response.

    A range of c' counts as its least one above, its greatest one below: who sees fewer can toss coins.
    """

    def sums(tail: float, work: list[int]) -> tuple[int, list[int], list[int]]:
        size = int(tail / 2.3) + 9
        fixed, rare = Fixed(int(3.4 * size) + 100), Fraction(1, 10**size)
        setting = Setting(Fraction(1), 10**6, 10 ** (size + 8), fixed, work)
        one, scale, hidden = fixed.one, setting.scale, k == 2 and not above
        t = fixed.exp(x) if clones else fixed.of(x * (k - 1) / (1 - x))
        p, r, z = fixed.shares([t, (one, one), ((k - 2) * one,) * 2])

        def binomial(m: int, chance: Interval) -> Any:
            lows = [y * scale >> fixed.bits for y in (max(one - chance[1], 0), chance[0])]
            return power(Lower(setting, 0, 0, lows, 0), m, rare, 0) if m else Lower(setting, 0, 0, [scale], 0)

        chance = fixed.over((one, one), t) if clones and above else (2 * r[0], 2 * r[1])
        others = Lower(setting, 0, n - 1, [scale], 0) if hidden else binomial(n - 1, chance)
        coin, width = r if hidden else (one // 2, one // 2), 1 + (not hidden) * others.start // 200
        law, step = (binomial(m, coin) for m in (others.start + (not above) * (width - 1), width))
        rows = [(z[0] * (scale if above else others.mass[0]) >> fixed.bits,) * 2]
        for i in range(0, len(others.mass), width):
            here, beside = (sum(others.mass[j : j + width]) for j in (i, i + 1))
            a, b = ((here * y[0] + (not above) * beside * z[0] // 2) >> fixed.bits for y in (p, r))
            spend(work, 2000 * len(law.mass))
            for u, v in zip([0, *law.mass], [*law.mass, 0]):
                rows.append(((a * u + b * v) // scale, (b * u + a * v) // scale))
            law = law.times(step).trim(int(rare * scale))
        return (scale, *map(list, zip(*rows)))

    return counted(sums, above, symmetric=not (k == 2 and not above))


def shuffled(texts: list[str], whole: Any, part: Any, greater: Any, smaller: Any) -> Any:
    """Of ε-DP, two or three categories are attained: three are better from about log 2 on."""
    clones = len(greater) == 1
    n, k = _integer(number(texts[0]), 1, 10**9), 2 if clones else _integer(greater[1], 2, 10**9)
    wrong = not clones and (k * smaller[0] <= 1 or greater[0] >= 1)
    beyond_if(texts[1] != "False" or wrong, "users alike, or a response that tells nothing, or all")
    few = k + (clones and smaller[0] > Fraction(7, 10))
    return reports(n, greater[0], k, True, clones), reports(n, smaller[0], few, False, clones), 0


def selected(values: Any, inner: Any, adjacency: str, needed: set[str]) -> Any:
    r"""The best of several runs. Of pure ε-DP losses are at most 3ε, or ε + μ tanh(ε/2): with ``repeated``,
    f'(U)/f'(U') adds (w'/w)² ≤ e^2ε, as ε̂ = ε has δ̂ = 0; or e^{μ(u' − u)}, and u' − u ≤ tanh(ε/2).
    """
    text, mean, shape = fields(values, base=str, mean=str, shape=str)
    found: Any = re.fullmatch(r"(gdp|zcdp|pure_dp)\(([a-z]+)=(.*)\)", text, re.DOTALL)
    beyond_if(
        not found or inner is not None or shape not in ("1", "inf"),
        "the best of runs of this kind, or of so many",
    )
    needed.add("draws")
    base = {"name": found[1], "parameters": {found[2]: found[3]}, "base": None}
    whole, part, _ = law(base, adjacency, needed)
    runs, poisson = _within(number(mean), 1, 10**6), shape == "inf"
    if not isinstance(whole, Atoms):
        return tuned(whole.rho, runs, poisson), ranked(part, runs, poisson), 0
    e = whole.most[0]
    above = e + runs * (1 - 2 / (_exp(e, e)[1] + 1)) if poisson else 3 * e
    return stated(Fraction(1), above), ranked(part, runs, poisson), 0


QUERIES: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "discrete_gaussian": (("sigma", "sensitivity"), discrete_gaussian),
    "discrete_laplace": (("b", "sensitivity"), lambda q, b, s: geometric(q, s / b, s)),
    "binomial": (("n", "p", "sensitivity"), binomial),
    "randomized_response": (("p", "categories"), response),
    "finite_pair": (("p", "q"), listed),
    "gnmax": (("sigma",), lambda q, sigma: shifted(Gaussian, 1 / sigma, q)),
    "exponential": (("epsilon", "monotone", "times"), exponential),
    "permute_and_flip": (("epsilon", "monotone"), lambda q, e, one: shifted(Laplace, e / (1 + one), q)),
    "noisy_max": (("b", "monotone", "sensitivity"), noisy_max),
    "above_threshold": (
        ("b", "monotone", "query_b", "sensitivity"),
        lambda q, b, one, other, s: Halting(Laplace, s / b, s / other, one, 0),
    ),
    "gaussian_above_threshold": (
        ("sigma", "monotone", "query_sigma", "queries", "sensitivity"),
        lambda q, b, one, other, k, s: Halting(Gaussian, s / b, s / other, one, _integer(k, 1, 10**4)),
    ),
}
SHARES = tuple(Fraction(i, 16) for i in range(8, 16))
LAWS.update(QUERIES)
PLAIN.update(QUERIES)
NOISE.update(tuple(QUERIES)[:3])
POISSON.update(tuple(QUERIES)[:5])
RATIONAL.update(("discrete_gaussian", "binomial", "finite_pair"))
FALLS.update(("query_sigma", "query_b"))
LISTS.add("finite_pair")
GIVEN["finite_pair"], SCALED["gnmax"], EVEN["binomial"] = "pairs", "sqrt(1/2)", Fraction(1, 2)
EVEN.update(dict.fromkeys(("exponential", "permute_and_flip", *tuple(QUERIES)[-2:]), 0))
ATTAINED.update(
    {
        "gnmax": (0, lambda law, m: [told(law), *(ahead(law, turn) for turn in range(28))]),
        "noisy_max": (0, lambda law, m: [wins(law.far, turn) for turn in range(8)]),
        **dict.fromkeys(tuple(QUERIES)[-2:], (0, lambda law, m: [stops(law, turn) for turn in range(20)])),
        "exponential": (1, lambda law, m: geometric(law.q, law.most[0] * (m - 1) / m, m - 1, Fraction(1))),
        "permute_and_flip": (
            1,
            lambda law, m: law if m > 2 or not law.most[0] else [told(law, x) for x in SHARES],
        ),
    }
)
AROUND["shuffle_model"] = ("n", "alike"), set(), "draws", {OTHER: ("randomized_response", "pure_dp")}
AROUND["thresholded_histogram"] = ("threshold",), set(), "noise", {ADDED: TWO, ZEROED: TWO}
INSIDE.update(shuffle_model=shuffled, thresholded_histogram=thresholded)
WHOLE["repeat_and_select"] = selected

# --- what runs it -----------------------------------------------------------------------------------------


if __name__ == "__main__":
    if sys.stdout:
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # where ε can't be shown
    sys.exit(main(sys.argv[1:]))
