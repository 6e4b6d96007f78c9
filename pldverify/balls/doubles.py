r"""Convolutions on a circle of n = 2^m points, in doubles, with a proved bound of the error.

The only file of the trusted rooms that computes in floats: +, − and × of IEEE doubles by numpy, rounded to
nearest. u = 2^−53; norms are Euclidean.

* **Complex numbers.** A sum errs by a factor 1 + ε with |ε| ≤ u, a product by |ε| ≤ √5 u < 3u (Brent,
  Percival, Zimmermann 2007; fused operations as well: Jeannerod, Kornerup, Louvet, Muller 2017).
* **Roots of unity** are products of two entries of tables whose entries err by 2u at most: by 7u.
* **Transform** (Stockham, radix 2). Each stage makes a + b and w(a − b) of a and b, √2 times a unitary map;
  computed, these err by at most ρ|a + b| and ρ|a − b|, ρ = 12u > (1 + u)(1 + 3u)(1 + 7u) − 1. So the
  transform of x is computed up to η√n‖x‖, η = (1 + ρ)^m − 1; likewise back, divided by n, which is exact.
  By induction over stages, each of its values is, too, up to η Σ|x_i|.
* **Powers.** Vectors x_i ≥ 0 are a_i + f_i; wanted is Π x_i^{k_i} − Π a_i^{k_i}, as convolutions. Rounding
  errors are relative to the f_i then, which may be small. N, F, Z = N + F are the transforms of a, f, x, and
  the triples (Z^m, N^m, D_m), D_m = Z^m − N^m, have the product (ZZ', NN', DZ' + ND').
* **Differences** of convolutions of x and of x' = x + d, as small beside them as d beside x: pairs (x, d) and
  (y, c) have the product (xy, d(y + c) + xc).
* **Errors** are carried along, value by value: x̂ for x, with |x̂ − x| ≤ e and |x̂|, |x| ≤ b. Then x̂ŷ errs by
  b_x e_y + b_y e_x + 3u b_x b_y at most, and x̂ + ŷ by e_x + e_y + u(b_x + b_y). These bounds are doubles
  themselves, rounded, and b leaves out that x̂ŷ and x̂ + ŷ are. If x and y have at least (1 − u)^i and
  (1 − u)^j of the bounds that they should have, the product has (1 − u)^{i+j+4} and the sum
  (1 − u)^{max(i,j)+3}; that of two triples of pairs has (1 − u)^{i+j+13}, and Z begins with i = 5. So with
  K = Σ k_l none has less than (1 − u)^{18K}. Before the way back ‖e‖/√n is lost, by Parseval; on it η‖b‖/√n.
* **Underflow**, flushed to 0 or not, errs by at most 2^−1020 in each of fewer than 2^60 operations, and later
  operations multiply that by 2^520 at most, as K² Π max(1, Σ x_i)^k ≤ 2^500 is asked for: 2^−400 is more
  than all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, nextafter
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import reserve
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.integers import MAX_LOG_SIZE, Rounding
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence

MAX_STEPS = 2**40
"""Cap on K."""
_PREC = 100
_PER_POINT = 2e-8
"""Seconds of a stage, per point."""
_MOST = 2.0**200
_ROW = 512
"""Points that are weighed with one table."""
_SURE = arb(2) ** -80
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

    def weigh(self, first: int, last: int, rate: arb, fall: arb | int = 0, part: arb | int = 0) -> arb:
        r"""Ball around :math:`\sum x_i e^{-rate (i - first)} (1 - part\, e^{-fall (i - first)})` over
        first ≤ i < last, n at most, i modulo n; fall, part ≥ 0.

        By Cauchy and Schwarz the error of the vector adds at most its norm times that of the factors, and
        |1 − part e^{−fall i}| ≤ |1 − part| + part · fall · i: two sums of powers.
        Raises NoConvergence unless 0 < rate, rate + fall < 600, known to 2^−80.
        """
        count, x = arb(max(last - first, 1)), (-2 * rate).exp()
        sizes = (1 / (1 - x)).min(count), (x * (1 + x) / (1 - x) ** 3).min(count**3)
        norm = abs(1 - ball(part)) * sizes[0].sqrt() + part * fall * sizes[1].sqrt()
        values = self.floats(first, last)
        return _weighed(values, rate) - part * _weighed(values, rate + fall) + _around_zero(norm * self.error)


def _weighed(values: Floats, rate: arb) -> arb:
    """Ball around Σ x_i e^{−rate i}.

    A table gives the factors within rows, up to 4u; balls those between them. A row of r products, summed in
    any order, errs by at most (r + 8)u times the sum of their sizes.
    """
    if not (surely_less(0, rate) and surely_less(rate, 600) and surely_less(rate.rad(), _SURE)):
        raise NoConvergence("the tilt is 0, or too steep for a grid")
    width = _ROW
    while width > 1 and not surely_less(rate * width, 600):  # the table has no denormals
        width //= 2
    part = np.zeros(max(-(-len(values) // width), 1) * width)
    part[: len(values)] = values
    products = part.reshape(-1, width) * np.array([_double((-rate * i).exp(), "up") for i in range(width)])
    total, size, turn, factor = arb(0), arb(0), arb(1), (-rate * width).exp()
    for row, most in zip(products.sum(axis=1).tolist(), abs(products).sum(axis=1).tolist(), strict=True):
        total, size, turn = total + turn * row, size + turn * most, turn * factor
    return total + _around_zero(size * (width + 16) * _unit() + arb(2) ** -400)


@dataclass(frozen=True)
class Row:
    """a (None for 0), f and k."""

    near: Floats | None
    far: Floats
    count: int


@dataclass(frozen=True)
class Known:
    """x̂, e and b."""

    values: Complexes
    error: Floats
    bound: Floats

    @staticmethod
    def transformed(values: Floats, eta: arb) -> "Known":
        found, off = _transform(values.astype(np.complex128)), _double(eta * _sum(abs(values)), "up")
        size = np.sqrt(found.real * found.real + found.imag * found.imag) * (1 + 2.0**-50)
        return Known(found, np.full(len(values), off), size + (off + 2.0**-500))  # for squares that underflow

    def __mul__(self, other: "Known") -> "Known":
        bound = self.bound * other.bound
        error = self.bound * other.error + other.bound * self.error + 2.0**-51 * bound
        return Known(self.values * other.values, error, bound)

    def __add__(self, other: "Known") -> "Known":
        bound = self.bound + other.bound
        return Known(self.values + other.values, self.error + other.error + 2.0**-53 * bound, bound)


@dataclass(frozen=True)
class Pair:
    """x and d."""

    value: Known
    change: Known

    def __mul__(self, other: "Pair") -> "Pair":
        changed = other.value + other.change
        return Pair(self.value * other.value, self.change * changed + self.value * other.change)

    def __add__(self, other: "Pair") -> "Pair":
        return Pair(self.value + other.value, self.change + other.change)


T = TypeVar("T", Known, Pair)


@dataclass(frozen=True)
class Triple(Generic[T]):
    """Z^m, with N^m and D_m where N is not 0."""

    whole: T
    rare: tuple[T, T] | None

    @staticmethod
    def of(near: T | None, far: T) -> "Triple[T]":
        return Triple(far, None) if near is None else Triple(near + far, (near, far))

    def times(self, other: "Triple[T]") -> "Triple[T]":
        whole = self.whole * other.whole
        if self.rare is None or other.rare is None:
            return Triple(whole, None)
        (near, difference), (other_near, other_difference) = self.rare, other.rare
        return Triple(whole, (near * other_near, difference * other.whole + near * other_difference))

    def power(self, k: int) -> "Triple[T]":
        if k == 1:
            return self
        half = self.power(k // 2)
        square = half.times(half)
        return square.times(self) if k % 2 else square


def convolved(rows: Sequence[Row]) -> Circle:
    """The convolution of all a + f, without that of all a. Raises NoConvergence."""
    with working(_PREC):
        eta, lost = _errors(rows)
        found = _composed(rows, lambda i, near: Known.transformed(_part(rows[i], near), eta))
        return _back(found, eta, lost)


def differences(rows: Sequence[Row], changes: Sequence[Row]) -> tuple[Circle, Circle]:
    """The convolution of all a + f, without that of all a; and by how much it grows if the changes, of either
    sign, are added to the rows. Raises NoConvergence.
    """

    def transformed(i: int, near: bool) -> Pair:
        return Pair(*(Known.transformed(_part(both[i], near), eta) for both in (rows, changes)))

    with working(_PREC):
        eta, lost = _errors(rows, changes)
        found = _composed(rows, transformed)
        return _back(found.value, eta, lost), _back(found.change, eta, lost)


def _part(row: Row, near: bool) -> Floats:
    part = row.near if near else row.far
    assert part is not None
    return part


def _errors(rows: Sequence[Row], changes: Sequence[Row] = ()) -> tuple[arb, arb]:
    """η, and by what bounds that are doubles must be multiplied."""
    n, steps = len(rows[0].far), sum(row.count for row in rows)
    if n < 2 or n & (n - 1) or n > 2**MAX_LOG_SIZE or steps > MAX_STEPS:
        raise NoConvergence(f"{n} points, {steps} factors: 2^{MAX_LOG_SIZE} and {MAX_STEPS} at most")
    eta, largest = (1 + 12 * _unit()) ** n.bit_length() - 1, ball(steps) ** 2
    for i, row in enumerate(rows):
        total = _total(row, n, 0.0) + sum(
            (_total(change, n, -_MOST) for change in changes[i : i + 1]), arb(0)
        )
        largest *= (total * (1 + eta)).max(arb(1)) ** row.count
        if not surely_at_most(largest, arb(2) ** 500):
            raise NoConvergence("sums grow beyond the range of doubles")
    return eta, 1 / (arb(n).sqrt() * (1 - 18 * steps * _unit()))


def _total(row: Row, n: int, least: float) -> arb:
    parts = [part for part in (row.near, row.far) if part is not None]
    if any(len(part) != n or not ((part >= least) & (part <= _MOST)).all() for part in parts):
        raise NoConvergence(f"vectors of one length, of numbers from {least:g} to {_MOST:g}, are needed")
    return sum((_sum(abs(part)) for part in parts), arb(0))


def _composed(rows: Sequence[Row], transformed: Callable[[int, bool], T]) -> T:
    whole: Triple[T] | None = None
    for i, row in enumerate(rows):
        near = None if row.near is None else transformed(i, True)
        one = Triple.of(near, transformed(i, False)).power(row.count)
        whole = one if whole is None else whole.times(one)
    assert whole is not None
    return whole.whole if whole.rare is None else whole.rare[1]


def _back(found: Known, eta: arb, lost: arb) -> Circle:
    values = np.conjugate(_transform(np.conjugate(found.values))).real / len(found.values)
    if not np.isfinite(values).all():
        raise NoConvergence("sums grow beyond the range of doubles")
    error = (_norm(found.error) + eta * _norm(found.bound)) * lost + arb(2) ** -400
    return Circle(values, error.upper())


def crossing(p: ArrayLike, q: ArrayLike, low: int, step: float, tilt: float, at: float) -> int:
    """A hint, p and q from index ``low`` on: the i for which the sum of (p_j − e^{at − step·j} q_j)
    e^{−tilt·step·j} over j ≥ i is largest.
    """
    first, second = np.asarray(p), np.asarray(q)
    places = np.arange(low, low + len(first))
    with np.errstate(over="ignore", invalid="ignore"):
        terms = np.exp(-tilt * step * (places - low)) * (first - np.exp(at - step * places) * second)
    sums = np.append(np.cumsum(terms[::-1])[::-1], 0.0)
    return low + int(np.argmax(np.nan_to_num(sums, nan=-inf)))


def placed(
    masses: Iterable[tuple[int, arb]], log_size: int, rounding: Rounding, beside: Floats | None = None
) -> Floats:
    """Masses ≥ 0 by index modulo 2^m, each rounded to its safe side; or what they are more than those
    ``beside``. Raises NoConvergence for what is no number, and where 2^m is beyond the cap.
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
        values[place] = _double(found.get(place, arb(0)) - ball(float(beside[place])), rounding)
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


def _norm(values: Floats) -> arb:
    return (_sum(values * values) + arb(2) ** -900).sqrt()


def _transform(x: Complexes) -> Complexes:
    """X_j = Σ x_i e^{−2π√−1 ij/n}."""
    half, done = len(x) // 2, 1
    reserve(_PER_POINT * len(x) * len(x).bit_length())
    roots = _roots(len(x))
    while half:
        a, b = x.reshape(2, half, done)
        y = np.empty((half, 2, done), np.complex128)
        np.add(a, b, out=y[:, 0])
        np.multiply(a - b, roots[::done, None], out=y[:, 1])
        x, half, done = y.reshape(-1), half // 2, 2 * done
    return x


@remembered(2)
def _roots(n: int) -> Complexes:
    """e^{−2π√−1 j/n}, j < n/2."""
    fine = 1 << (n.bit_length() // 2)
    rows = max(1, n // 2 // fine)
    coarse = [_root(Fraction(j * fine, n)) for j in range(rows)]
    table: Complexes = np.array(coarse)[:, None] * np.array([_root(Fraction(j, n)) for j in range(fine)])
    return table.reshape(-1)[: max(1, n // 2)]


def _root(part: Fraction) -> complex:
    with working(_PREC):
        angle = -2 * arb.pi() * ball(part)
        return complex(float(angle.cos()), float(angle.sin()))
