r"""Convolutions on a circle of n = 2^m points, in doubles, with a proved bound of the error.

The only file of the trusted rooms that computes in floats: +, −, × and √ of IEEE doubles by numpy, rounded
to nearest. u = 2^−53; norms are Euclidean.

* **Complex numbers.** A sum errs by a factor 1 + ε with |ε| ≤ u, a product by |ε| ≤ √5 u < 3u (Brent,
  Percival, Zimmermann 2007; fused operations as well: Jeannerod, Kornerup, Louvet, Muller 2017).
* **Roots of unity** are products of two entries of tables whose entries err by 2u at most: by 7u.
* **Transform** (Stockham, radix 2; of the columns of a table, then, turned by roots, of its rows). Each of m
  stages makes a + b and w(a − b) of a and b, √2 times a unitary map; computed, these err by at most ρ|a + b|
  and ρ|a − b|, ρ = 12u > (1 + u)(1 + 3u)(1 + 7u) − 1, and turns by less. So the transform of x is computed up
  to η√n‖x‖, η = (1 + ρ)^{m+1} − 1; likewise back, divided by n, which is exact. By induction over stages,
  each of its values is, too, up to η Σ|x_i|. Half of them tell the others, as vectors are real.
* **Powers** of vectors x_i ≥ 0, Π x_i^{k_i} as a convolution, are powers of their transforms.
* **Differences** of convolutions of x and of x' = x + d, as small beside them as d beside x: pairs (x, d) and
  (y, c) have the product (xy, d(y + c) + xc).
* **Errors** are carried along, value by value: x̂ for x, with |x̂ − x| ≤ e and |x̂|, |x| ≤ b. Then x̂ŷ errs by
  b_x e_y + b_y e_x + 3u b_x b_y at most, and x̂ + ŷ by e_x + e_y + u(b_x + b_y). These bounds are doubles
  themselves, rounded, and b leaves out that x̂ŷ and x̂ + ŷ are. If x and y have at least (1 − u)^i and
  (1 − u)^j of the bounds that they should have, the product has (1 − u)^{i+j+4} and the sum
  (1 − u)^{max(i,j)+3}; that of two pairs has (1 − u)^{i+j+10}, and x begins with i = 2. So with K = Σ k_l
  none has less than (1 − u)^{12K}. Before the way back ‖e‖/√n is lost, by Parseval; on it η‖b‖/√n.
* **Underflow**, flushed to 0 or not, errs by at most 2^−1020 in each of fewer than 2^60 operations, and later
  operations multiply that by 2^520 at most, as K² Π max(1, Σ x_i + Σ |d_i|)^k ≤ 2^500 is asked for:
  2^−400 is more than all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite, nextafter, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import reserve, spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.integers import MAX_LOG_SIZE, Rounding
from pldverify.balls.memory import remembered
from pldverify.errors import InvalidInput, NoConvergence

MAX_STEPS = 2**40
"""Cap on K: the factor 1 − 12Ku of the error bound stays near 1."""
MAX_POINTS = 2**23
"""Cap on the points of all rows together: some 800 MiB."""
_PART = 2**14
"""Values of a spectrum in one slice; any value is right: it bounds memory."""
_PREC = 100
"""Precision, in bits, of tables before they become doubles, and of error bounds: far above 53, as the entries
may err by 2u."""
_PER_POINT = 1e-8
"""Counted seconds of one stage of a transform, per point."""
_PER_POWER = 4e-8
"""Counted seconds of one doubling of a power, per value of the spectrum."""
_COLUMNS = 64
"""Columns of the table transformed together; any value is right: what fits into a cache is fast."""
_MOST = 2.0**200
"""Largest size of an entry of a vector: sums of entries and of their squares don't overflow."""
_ROW = 512
"""Points weighed with one table of factors; any value is right: it costs time."""
_SURE = arb(2) ** -80
"""Radius below which a rate is known, for ``fall`` relative to its size: tables then err by 4u at most."""
Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True)
class Circle:
    """The vector that is meant is ``values`` but for ``error``, in the Euclidean norm."""

    values: Floats
    error: arb

    def floats(self, first: int, last: int) -> Floats:
        """Values from index ``first`` to before ``last``, modulo n."""
        return self.values[np.arange(first, last) % len(self.values)]

    def weigh(self, first: int, last: int, rate: arb, less: tuple[arb, arb] | None = None) -> arb:
        r"""Ball around :math:`\sum x_i e^{-rate (i - first)}` over first ≤ i < last, n at most, i modulo n;
        each term times :math:`1 - part\, e^{-fall (i - first)}` if ``less`` = (part, fall), ≥ 0, is given.

        By Cauchy and Schwarz the error of the vector adds at most its norm times that of the factors, and
        |1 − part e^{−fall i}| ≤ |1 − part| + part min(1, fall i): sums of powers.
        Raises NoConvergence unless 0 < rate, rate + fall < 600, both known to 2^−80, ``fall`` relatively.
        """
        with working(max(ctx.prec, _PREC)):
            values, count = self.floats(first, last), arb(max(last - first, 1))
            x, gap = (-2 * rate).exp(), -(-2 * rate).expm1()
            norm = (1 / gap).min(count).sqrt()
            if less is not None:
                part, fall = less
                places = (x * (1 + x) / gap**3).min(count**3).sqrt()
                norm = abs(1 - part) * norm + part * norm.min(fall * places)
            return _weighed(values, rate, less) + _around_zero(norm * self.error)


def _weighed(values: Floats, rate: arb, less: tuple[arb, arb] | None) -> arb:
    """Ball around Σ x_i e^{−rate i}, each times 1 − part e^{−fall i}, at ``_PREC`` bits or more.

    At i = jw + r the latter is (1 − p) + p (1 − e^{−fall r}), p = part e^{−fall jw}: what is small is never a
    difference of doubles. Tables give the factors of r, each up to 4u; balls those of j. A row of w products
    of three, summed in any order, errs by at most (w + 16)u times the sum of their sizes; 8u more, as that is
    a double itself.
    """
    part, fall = less or (arb(0), arb(0))
    known = surely_less(rate.rad(), _SURE) and surely_at_most(fall.rad(), _SURE * fall)
    if not (surely_less(0, rate) and surely_less(rate + fall, 600) and known):
        raise NoConvergence("the tilt is 0, or too steep for a grid")
    width = _ROW
    while width > 1 and not surely_less(rate * width, 600):  # the table has no denormals
        width //= 2
    padded = np.zeros(max(-(-len(values) // width), 1) * width)
    padded[: len(values)] = values
    rows, found = padded.reshape(-1, width), []
    for table in ([(-rate * i).exp() for i in range(width)], [-(-fall * i).expm1() for i in range(width)]):
        rows = rows * np.array([_double(factor, "up") for factor in table])
        found += [rows.sum(axis=1).tolist(), abs(rows).sum(axis=1).tolist()]
    total, size, turn = arb(0), arb(0), arb(1)
    for first, most, second, other in zip(*found, strict=True):
        rest = 1 - part
        total, size = (
            total + turn * (rest * first + part * second),
            size + turn * (abs(rest) * most + part * other),
        )
        turn, part = turn * (-rate * width).exp(), part * (-fall * width).exp()
    return total + _around_zero(size * (width + 24) * _unit() + arb(2) ** -400)


@dataclass(frozen=True)
class Row:
    """x and k. Raises InvalidInput unless k ≥ 1."""

    values: Floats
    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InvalidInput(f"count must be >= 1, got count={self.count}")


@dataclass(frozen=True)
class Known:
    """x̂, e and b."""

    values: Complexes
    error: Floats
    bound: Floats

    def __mul__(self, other: "Known") -> "Known":
        bound = self.bound * other.bound
        error = self.bound * other.error + other.bound * self.error + 2.0**-51 * bound
        return Known(self.values * other.values, error, bound)

    def __add__(self, other: "Known") -> "Known":
        bound = self.bound + other.bound
        return Known(self.values + other.values, self.error + other.error + 2.0**-53 * bound, bound)


@dataclass(frozen=True)
class Spectrum:
    """X̂ of a real vector up to its middle, as the others are conjugates of these; and what all err by."""

    values: Complexes
    error: float

    @staticmethod
    def of(values: Floats, eta: arb) -> "Spectrum":
        found = _transform(values.astype(np.complex128))[: len(values) // 2 + 1].copy()
        return Spectrum(found, _double(eta * _sum(abs(values)), "up"))

    def part(self, place: slice) -> Known:
        values = self.values[place]
        size = np.sqrt(values.real * values.real + values.imag * values.imag) * (1 + 2.0**-50)
        size += self.error + 2.0**-500  # for squares that underflow
        return Known(values, np.full(len(values), self.error), size)


@dataclass(frozen=True)
class Pair:
    """x, and d if there is one."""

    value: Known
    change: Known | None

    @staticmethod
    def part(spectra: Sequence[Spectrum], place: slice) -> "Pair":
        value, *change = (spectrum.part(place) for spectrum in spectra)
        return Pair(value, change[0] if change else None)

    def parts(self) -> list[Known]:
        return [self.value] if self.change is None else [self.value, self.change]

    def __mul__(self, other: "Pair") -> "Pair":
        value = self.value * other.value
        if self.change is None or other.change is None:
            return Pair(value, None)
        return Pair(value, self.change * (other.value + other.change) + self.value * other.change)

    def power(self, k: int) -> "Pair":
        """k ≥ 1 of them."""
        if k == 1:
            return self
        half = self.power(k // 2)
        square = half * half
        return square * self if k % 2 else square


def convolved(rows: Sequence[Row]) -> Circle:
    """The convolution of all rows. Raises NoConvergence."""
    return _convolved(rows)[0]


def differences(rows: Sequence[Row], changes: Sequence[Row]) -> tuple[Circle, Circle]:
    """The convolution of all rows; and by how much it grows if the changes, of either sign, are added to
    these. Raises NoConvergence.
    """
    value, change = _convolved(rows, changes)
    return value, change


def _convolved(*tables: Sequence[Row]) -> list[Circle]:
    """A part of the spectrum at a time."""
    with working(_PREC):
        eta = _checked(*tables)
        n, steps = len(tables[0][0].values), sum(row.count for row in tables[0])
        spectra = [[Spectrum.of(row.values, eta) for row in rows] for rows in zip(*tables, strict=True)]
        sums = [Sum(np.empty(n, np.complex128)) for _ in tables]
        doublings = sum(row.count.bit_length() for row in tables[0])
        for start in range(0, n // 2 + 1, _PART):
            place = slice(start, min(start + _PART, n // 2 + 1))
            spend(_PER_POWER * (place.stop - start) * doublings)
            powers = (Pair.part(x, place).power(row.count) for x, row in zip(spectra, tables[0], strict=True))
            for total, known in zip(sums, prod(powers, start=next(powers)).parts(), strict=True):
                total.put(place, known)
        spectra.clear()  # they take as much memory as the way back
        return [one.circle(eta, steps) for one in sums]


@dataclass
class Sum:
    """A spectrum that is being found, and the sums of squares of e and b."""

    values: Complexes
    error: arb = field(default_factory=arb)
    bound: arb = field(default_factory=arb)

    def put(self, place: slice, known: Known) -> None:
        self.values[place] = known.values
        self.error += 2 * _squares(known.error)
        self.bound += 2 * _squares(known.bound)

    def circle(self, eta: arb, steps: int) -> Circle:
        """On the way back."""
        n = len(self.values)
        self.values[n // 2 + 1 :] = np.conjugate(self.values[1 : n // 2][::-1])
        back = _transform(np.conjugate(self.values, out=self.values)).real / n
        if not np.isfinite(back).all():
            raise NoConvergence("sums grow beyond the range of doubles")
        error = (self.error.sqrt() + eta * self.bound.sqrt()) / arb(n).sqrt() / (1 - 12 * steps * _unit())
        return Circle(back, (error + arb(2) ** -400).upper())


def _checked(rows: Sequence[Row], changes: Sequence[Row] = ()) -> arb:
    """η, where all caps are kept."""
    n, steps = len(rows[0].values), sum(row.count for row in rows)
    if n < 2 or n & (n - 1) or n > 2**MAX_LOG_SIZE or steps > MAX_STEPS or n * len(rows) > MAX_POINTS:
        raise NoConvergence(
            f"{len(rows)} vectors of {n} points, {steps} factors: at most 2^{MAX_LOG_SIZE} points each, "
            f"{MAX_POINTS} in all and {MAX_STEPS} factors"
        )
    eta, largest = (1 + 12 * _unit()) ** n.bit_length() - 1, ball(steps) ** 2
    for i, row in enumerate(rows):
        total = _total(row, n, 0.0) + (_total(changes[i], n, -_MOST) if changes else arb(0))
        largest *= (total * (1 + eta)).max(arb(1)) ** row.count
        if not surely_at_most(largest, arb(2) ** 500):
            raise NoConvergence("sums grow beyond the range of doubles")
    return eta


def _total(row: Row, n: int, least: float) -> arb:
    if len(row.values) != n or not ((row.values >= least) & (row.values <= _MOST)).all():
        raise NoConvergence(f"vectors of one length, of numbers from {least:g} to {_MOST:g}, are needed")
    return _sum(abs(row.values))


def crossing(p: ArrayLike, q: ArrayLike, low: int, step: Fraction, tilt: Fraction, at: Fraction) -> int:
    """A hint, p and q from index ``low`` on: the i for which the sum of (p_j − e^{at − step·j} q_j)
    e^{−tilt·step·j} over j ≥ i is largest.
    """
    first, second, (h, rate, epsilon) = np.asarray(p), np.asarray(q), map(float, (step, tilt, at))
    places = np.arange(low, low + len(first))
    with np.errstate(over="ignore", invalid="ignore"):
        terms = np.exp(-rate * h * (places - low)) * (first - np.exp(epsilon - h * places) * second)
    sums = np.append(np.cumsum(terms[::-1])[::-1], 0.0)
    return low + int(np.argmax(np.nan_to_num(sums, nan=-inf)))


def placed(
    masses: Iterable[tuple[int, arb]], log_size: int, rounding: Rounding, beside: Floats | None = None
) -> Floats:
    """Masses ≥ 0 by index modulo 2^m, each rounded to its safe side, but not below 0; or by how much these
    are more than those ``beside``: products of masses below 0 would be on neither side of what is meant.
    Raises NoConvergence for what is no number, and where 2^m is beyond the cap.
    """
    if not 1 <= log_size <= MAX_LOG_SIZE:
        raise NoConvergence(f"a circle of 2^{log_size} points (cap 2^{MAX_LOG_SIZE})")
    found: dict[int, arb] = {}
    for index, mass in masses:
        place = index % 2**log_size
        found[place] = found[place] + mass if place in found else mass
    values = np.zeros(2**log_size)
    if beside is None:
        for place, mass in found.items():
            values[place] = max(_double(mass, rounding), 0.0)
        return values
    for place in {*found, *np.flatnonzero(beside).tolist()}:
        least = -float(beside[place])
        values[place] = max(_double(found.get(place, arb(0)) + ball(least), rounding), least)
    return values


def _double(mass: arb, rounding: Rounding) -> float:
    """float() errs by less than a unit of the last place, so the next double is on the safe side."""
    end = mass.upper() if rounding == "up" else mass.lower()
    if end.is_zero():
        return 0.0
    value = nextafter(float(end), inf if rounding == "up" else -inf)
    if not isfinite(value):
        raise NoConvergence("a mass is no number, or beyond the range of doubles")
    return value


def _unit() -> arb:
    return arb(2) ** -53


def _around_zero(radius: arb) -> arb:
    return (-radius).union(radius)


def _sum(values: Floats) -> arb:
    """An upper bound, whatever the order: n − 1 sums and a product err by a factor 1 + u each."""
    return ball(float(values.sum())) * (1 + 2 * len(values) * _unit())


def _squares(values: Floats) -> arb:
    """An upper bound of their sum, whatever underflows."""
    return _sum(values * values) + arb(2) ** -900


def _transform(x: Complexes) -> Complexes:
    """X_j = Σ x_i e^{−2π√−1 ij/n}: columns of a table, turned, then its rows, as many as a cache holds."""
    n, rows = len(x), 1 << len(x).bit_length() // 2
    columns, roots = n // rows, _roots(n)
    reserve(_PER_POINT * n * n.bit_length())
    turned, found = np.empty((rows, columns), np.complex128), np.empty((columns, rows), np.complex128)
    for j in range(0, columns, _COLUMNS):
        place = slice(j, j + _COLUMNS)
        turns = roots[np.outer(np.arange(rows), np.arange(columns)[place])]
        turned[:, place] = _stages(x.reshape(rows, columns)[:, place], roots[::columns]) * turns
    for j in range(0, rows, _COLUMNS):
        place = slice(j, j + _COLUMNS)
        found[:, place] = _stages(turned[place].T, roots[::rows])
    return found.reshape(-1)


def _stages(x: Complexes, roots: Complexes) -> Complexes:
    """The transforms of all columns, with the roots of their length."""
    shape, half, turns = x.shape, len(x) // 2, roots
    while half:
        a, b = x.reshape(2, half, -1)
        y = np.empty((half, 2, a.shape[1]), np.complex128)
        np.add(a, b, out=y[:, 0])
        np.multiply(a - b, turns[:half, None], out=y[:, 1])
        x, half, turns = y, half // 2, turns[::2]
    return x.reshape(shape)


@remembered(2)
def _roots(n: int) -> Complexes:
    """e^{−2π√−1 j/n}, j < n."""
    fine = 1 << (n.bit_length() // 2)
    coarse = [_root(Fraction(j * fine, n)) for j in range(n // fine)]
    table: Complexes = np.array(coarse)[:, None] * np.array([_root(Fraction(j, n)) for j in range(fine)])
    return table.reshape(-1)


def _root(part: Fraction) -> complex:
    with working(_PREC):
        angle = -2 * arb.pi() * ball(part)
        return complex(float(angle.cos()), float(angle.sin()))
