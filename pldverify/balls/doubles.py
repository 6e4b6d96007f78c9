r"""Convolutions on a circle of n = 2^m points, in doubles, with a proved bound of the error.

The only file of the trusted rooms that computes in floats: +, − and × of IEEE doubles by numpy, rounded to
nearest. u = 2^−53; norms are Euclidean.

* **Complex numbers.** A sum errs by a factor 1 + ε with |ε| ≤ u, a product by |ε| ≤ √5 u < 3u (Brent,
  Percival, Zimmermann 2007; fused operations as well: Jeannerod, Kornerup, Louvet, Muller 2017).
* **Roots of unity** are products of two entries of tables whose entries err by 2u at most: by 7u.
* **Transform** (Stockham, radix 2). Each stage makes a + b and w(a − b) of a and b, √2 times a unitary map;
  computed, it errs by at most ρ times its norm, ρ = 12u > (1 + u)(1 + 3u)(1 + 7u) − 1. So the transform X of
  x is computed up to η√n‖x‖, η = (1 + ρ)^m − 1; likewise back, divided by n, which is exact.
* **Powers.** Vectors x_i ≥ 0 are a_i + f_i; wanted is Π x_i^{k_i} − Π a_i^{k_i}, as convolutions. Rounding
  errors are relative to the f_i then, which may be small. N, F, Z = N + F are the transforms of a, f, x.
  Triples (Z^m, N^m, D_m), D_m = Z^m − N^m, have the product (ZZ', NN', DZ' + ND'). With A ≥ |Z|, |N|, both
  computed and exact, |D_m| ≤ c_m|F|, c_m = A^{m−1} if a = 0, and mA^{m−1} otherwise; for several laws, let
  C_i be c_i times A_l^{k_l} of all others, but 0 for an earlier one whose a is 0.

  *Inputs.* F is computed up to η√n‖f‖, N up to η√n‖a‖. In D there is one factor F_i, and at most k_l others
  of law l: D moves by at most √n η (Σ C_i‖f_i‖ + Σ C_i S_i Σ k_l(‖a_l‖ + ‖f_l‖)/A_l), S_i = Σ f_i ≥ |F_i|.
  *Products.* With r = 1 + 5u and K = Σ k_l, the computed Z^m errs by (r^{2m−1} − 1)A^m, and D_m by
  (r^{3m−1} − 1)c_m|F|, F the computed one: factors that err by r^p and r^q make a product that errs by
  r^{p+q+1}, and a sum of two by one more. By Parseval what comes back errs by that over √n; the way back adds
  η times the norm, at most √n Σ C_i‖f_i‖.
* **Underflow**, flushed to 0 or not, errs by at most 2^−1020 in each of fewer than 2^60 operations, and later
  operations multiply that by 2^520 at most, as K Π max(1, A^k) ≤ 2^500 is asked for: 2^−400 is more than all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, nextafter

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

    def weigh(self, first: int, last: int, rate: arb) -> arb:
        r"""Ball around :math:`\sum x_i e^{-rate (i - first)}` over first ≤ i < last, n at most, i modulo n.

        A table gives the factors within rows, up to 4u; balls those between them. A row of r products,
        summed in any order, errs by at most (r + 8)u times the sum of their sizes. By Cauchy and Schwarz the
        error of the vector adds at most its norm times that of the factors, a geometric sum.
        Raises NoConvergence unless 0 < rate < 600, known to 2^−80.
        """
        if not (surely_less(0, rate) and surely_less(rate, 600) and surely_less(rate.rad(), _SURE)):
            raise NoConvergence("the tilt is 0, or too steep for a grid")
        width = _ROW
        while width > 1 and not surely_less(rate * width, 600):  # the table has no denormals
            width //= 2
        rows = -(-(last - first) // width)
        part = np.zeros(max(rows, 1) * width)
        part[: last - first] = self.floats(first, last)
        inside = np.array([_double((-rate * i).exp(), "up") for i in range(width)])
        products = part.reshape(-1, width) * inside
        total, size, turn, factor = arb(0), arb(0), arb(1), (-rate * width).exp()
        for row, most in zip(products.sum(axis=1).tolist(), abs(products).sum(axis=1).tolist(), strict=True):
            total, size, turn = total + turn * row, size + turn * most, turn * factor
        norm = (1 / (1 - (-2 * rate).exp())).min(arb(max(last - first, 1))).sqrt()
        error = size * (width + 16) * _unit() + norm * self.error + arb(2) ** -400
        return total + _around_zero(error)


@dataclass(frozen=True)
class Row:
    """a (None for 0), f and k."""

    near: Floats | None
    far: Floats
    count: int


def convolved(rows: Sequence[Row]) -> Circle:
    """The convolution of all a + f, without that of all a. Raises NoConvergence."""
    n, steps = len(rows[0].far), sum(row.count for row in rows)
    if n < 2 or n & (n - 1) or n > 2**MAX_LOG_SIZE or steps > MAX_STEPS:
        raise NoConvergence(f"{n} points, {steps} factors: 2^{MAX_LOG_SIZE} and {MAX_STEPS} at most")
    with working(_PREC):
        unit = _unit()
        eta = (1 + 12 * unit) ** n.bit_length() - 1
        spread = eta * arb(n).sqrt()
        largest, moved, norm, sums = arb(1), arb(0), arb(0), arb(0)  # Π A^k, Σ k(‖a‖ + ‖f‖)/A, Σ C‖f‖, Σ CS
        whole: Triple | None = None
        for row in rows:
            near = np.zeros(n) if row.near is None else row.near
            _check(near, n)
            _check(row.far, n)
            lengths = _norm(near) + _norm(row.far)
            bound = _sum(near) + _sum(row.far) + spread * lengths
            power = bound**row.count
            some = power / bound * (1 if row.near is None else row.count)
            earlier = arb(1) if whole is None else whole.near_bound
            norm = norm * power + earlier * some * _norm(row.far)
            sums = sums * power + earlier * some * _sum(row.far)
            moved += row.count * lengths / bound
            largest *= power.max(arb(1))
            if not surely_at_most(largest * steps, arb(2) ** 500):
                raise NoConvergence("sums grow beyond the range of doubles")
            one = Triple.of(near, row.far, arb(0) if row.near is None else bound).power(row.count)
            whole = one if whole is None else whole.times(one)
        assert whole is not None
        products = ((1 + 5 * unit) ** (3 * steps) - 1) * (1 + eta)
        before = eta * (norm + sums * moved) + products * norm
        error = before + eta * (norm + before) + arb(2) ** -400
        back = np.conjugate(_transform(np.conjugate(whole.difference))).real / n
        if not np.isfinite(back).all():
            raise NoConvergence("sums grow beyond the range of doubles")
        return Circle(back, error.upper())


@dataclass(frozen=True)
class Triple:
    """Z^m, N^m and D_m, and a bound of |N^m|."""

    whole: Complexes
    near: Complexes
    difference: Complexes
    near_bound: arb

    @staticmethod
    def of(near: Floats, far: Floats, near_bound: arb) -> "Triple":
        first, second = (_transform(values.astype(np.complex128)) for values in (near, far))
        return Triple(first + second, first, second, near_bound)

    def times(self, other: "Triple") -> "Triple":
        return Triple(
            self.whole * other.whole,
            self.near * other.near,
            self.difference * other.whole + self.near * other.difference,
            self.near_bound * other.near_bound,
        )

    def power(self, k: int) -> "Triple":
        if k == 1:
            return self
        half = self.power(k // 2)
        square = half.times(half)
        return square.times(self) if k % 2 else square


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


def placed(masses: Iterable[tuple[int, arb]], log_size: int, rounding: Rounding) -> Floats:
    """Masses ≥ 0 by index modulo 2^m, each rounded to its safe side. Raises NoConvergence for what is no
    number, and where 2^m is beyond the cap.
    """
    if not 1 <= log_size <= MAX_LOG_SIZE:
        raise NoConvergence(f"a circle of 2^{log_size} points (cap 2^{MAX_LOG_SIZE})")
    found: dict[int, arb] = {}
    for index, mass in masses:
        place = index % 2**log_size
        found[place] = found[place] + mass if place in found else mass
    values = np.zeros(2**log_size)
    for place, mass in found.items():
        values[place] = _double(mass, rounding)
    return values


def _double(mass: arb, rounding: Rounding) -> float:
    """float() errs by less than a unit of the last place, so the next double is on the safe side."""
    end = mass.upper() if rounding == "up" else mass.lower()
    if end.is_zero():
        return 0.0
    value = nextafter(float(end), inf if rounding == "up" else -inf)
    if not isfinite(value):
        raise NoConvergence("a mass is no number, or beyond the range of doubles")
    return max(value, 0.0)


def _unit() -> arb:
    return arb(2) ** -53


def _around_zero(radius: arb) -> arb:
    return (-radius).union(radius)


def _sum(values: Floats) -> arb:
    """An upper bound, whatever the order: n − 1 sums and a product err by a factor 1 + u each."""
    return ball(float(values.sum())) * (1 + 2 * len(values) * _unit())


def _norm(values: Floats) -> arb:
    return (_sum(values * values) + arb(2) ** -900).sqrt()


def _check(values: Floats, n: int) -> None:
    if len(values) != n or not ((values >= 0) & (values <= 2.0**200)).all():
        raise NoConvergence("vectors of one length, of numbers from 0 to 2^200, are needed")


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
