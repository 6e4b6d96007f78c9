r"""An accountant's own grid masses, convolved without floating-point error.

Masses :math:`w_i` at integers i, composed modulo N, :math:`\hat w(\alpha) = \sum w_i e^{i\alpha i}`,
:math:`\alpha_j = 2\pi j/N`, and the kernel :math:`\psi_i = 1 - e^{\varepsilon - ih}` on the integers with
:math:`\varepsilon < ih`, :math:`i < \mathrm{end}`:

.. math:: \sum_i \psi_i\, b_i = \frac1N \sum_{|j| \le N/2} \prod_m \hat w_m(\alpha_j)^{k_m}\,
          \hat\psi(\alpha_j),
          \qquad \hat\psi(\alpha) = \sum_i \psi_i e^{-i\alpha i}.

Few frequencies matter, as a power decays fast: nested boxes under the masses bound :math:`|\hat w|` beyond
the last one (``reference.lattice``). The frequencies are not summed mass by mass: integer moments of
blocks of masses are exact, and a short Taylor series of the exponential within a block has a proved rest.
Where too many frequencies matter, integers are convolved instead.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pldverify.balls import acb, acb_mat, arb, arb_poly, fmpz, fmpz_mat, fmpz_poly
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.balls.integers import at_least_one
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.reference.engines.inversion.lattice import Boxes
from pldverify.reference.lemmas.layers import unimodal

Vector = NDArray[np.float64]

BITS = 180
"""Masses are integers in units of 2^−BITS, rounded down; what is lost is counted."""
PREC = 256
"""Precision in bits; any value is right: a poor one costs width."""
_LARGE = 4
"""Masses must be below it: it bounds the integers that they become."""
MAX_WORK = 60_000_000
"""Cap on frequencies times blocks times moments."""
MAX_POLY = 2**20
"""Cap on N log₂ k for the convolution of integers: some 10 s."""
POWERS = 10
"""Moments kept of each block of masses; any value is right: few cost width."""
_BLOCKS = 2000
"""Blocks of masses at most, each with its moments; any value is right: it costs time."""
_RATIO = 0.02
"""Change of log mass within a cell of the nested boxes; any value is right: a poor one costs width."""
_TINY = 5e-324
"""The least double: a goal may be below it."""
_RADIUS = 0.2
"""Angle, in radians, of half a block at the highest frequency: Taylor's series of few terms will do there."""
_BELOW = 1 - 2.0**-50
"""Factor that makes a long double, rounded to a double, a lower bound again."""


@dataclass(frozen=True)
class GridPart:
    """Masses ≥ 0, ``masses[i]`` at the integer ``first`` + i, composed ``count`` times.

    Doubles, or long doubles of at most 64 bits. Raises InvalidInput unless the count is at least 1.
    """

    masses: Vector
    first: int
    count: int

    def __post_init__(self) -> None:
        at_least_one(self.count)

    @cached_property
    def integers(self) -> list[int]:
        """⌊w · 2^BITS⌋, exactly; in three steps of 60 bits where these are 64-bit integers."""
        if np.max(self.masses, initial=0.0) >= _LARGE:
            return [(p << BITS) // q for p, q in (mass.as_integer_ratio() for mass in self.masses)]
        third, rest, limbs = BITS // 3, self.masses, []
        for _ in range(3):
            scaled = np.ldexp(rest, third)
            whole = np.floor(scaled)
            limbs.append(whole.astype(np.int64).tolist())
            rest = scaled - whole  # exact: the fractional part of a double
        return [(a << 2 * third) + (b << third) + c for a, b, c in zip(*limbs, strict=True)]

    @property
    def lost(self) -> Fraction:
        """Upper bound of what rounding masses down to units of 2^−BITS loses."""
        return Fraction(len(self.masses), 2**BITS)

    @cached_property
    def total(self) -> Fraction:
        """Upper bound of the sum of the masses."""
        return Fraction(sum(self.integers), 2**BITS) + self.lost

    @cached_property
    def power_sums(self) -> tuple[int, Vector, Vector, Vector]:
        """Blocks of some length: it, their centres c, Σ w_i (i − c)^m and Σ w_i |i − c|^m, m < POWERS.

        In doubles, the sums of shape (blocks, POWERS); :meth:`log_moment` knows their rounding.
        """
        used = np.flatnonzero(self.masses)
        if not len(used):
            return 1, np.zeros(0), np.zeros((0, POWERS)), np.zeros((0, POWERS))
        low, masses = self.first + int(used[0]), self.masses[used[0] : used[-1] + 1]
        length = math.ceil(len(masses) / _BLOCKS)
        count = math.ceil(len(masses) / length)
        padded = np.zeros(count * length)
        padded[: len(masses)] = masses
        rows, offsets = padded.reshape(count, length), np.arange(length) - length // 2
        rows_used = np.flatnonzero(rows.max(axis=1) > 0)
        powers = np.cumprod(np.vstack([np.ones(length), *[offsets] * (POWERS - 1)]), axis=0)
        signed = np.stack([(rows[rows_used] * p).sum(axis=1) for p in powers], axis=1)
        sizes = np.stack([(rows[rows_used] * abs(p)).sum(axis=1) for p in powers], axis=1)
        centres = (low + rows_used * length + length // 2).astype(np.float64)
        return length, centres, signed, sizes

    def log_moment(self, lam: Fraction, step: Fraction) -> arb:
        r"""Upper bound of log Σ w_i e^{λih}: in each block the Taylor polynomial of e^{λh(i − c)}, its rest.

        A sum of N products of m + 1 roundings errs by at most :math:`(N + m)u/(1 - (N + m)u)` of the sum of
        their sizes, and by N of the least double.
        """
        length, centres, signed, sizes = self.power_sums
        x = ball(lam) * ball(step)
        terms = [x**m / arb(m + 1).gamma() for m in range(POWERS)]
        reach = abs(x) * (length // 2)
        rest = reach**POWERS / arb(POWERS + 1).gamma() * reach.exp()
        slack = ball(Fraction(length + 2 * POWERS, 2**52))
        least = length * arb(2) ** -1074
        total = arb(0)
        for centre, row, size in zip(centres.tolist(), signed.tolist(), sizes.tolist(), strict=True):
            polynomial = size[0] * (1 + slack) * rest
            for term, value, bound in zip(terms, row, size, strict=True):
                polynomial += term * value + abs(term) * (bound * slack + least)
            crude = reach.exp() * (size[0] * (1 + slack) + least)
            total += (x * int(centre)).exp() * polynomial.min(crude).upper()
        return total.log().upper() if surely_less(0, total) else arb.neg_inf()

    def about_log_moment(self, lam: float, step: float) -> float:
        """log of the moment in doubles, for searches."""
        _, centres, signed, _ = self.power_sums
        if not len(centres):
            return -math.inf
        x = lam * step
        with np.errstate(all="ignore"):
            inner = signed @ np.cumprod([1.0, *(x / m for m in range(1, POWERS))])
            top = x * centres + np.log(inner)
            most = np.nanmax(top)
            return float(most + np.log(np.nansum(np.exp(top - most))))


@dataclass(frozen=True)
class Kernel:
    """1 − e^{ε − ih} on ε < ih, ``least`` ≤ i < ``end``; ``start`` is the first such i."""

    step: Fraction
    epsilon: Fraction
    end: int
    least: int | None = None

    @property
    def start(self) -> int:
        """Least i with ih > ε, from ``least`` on."""
        above = math.floor(self.epsilon / self.step) + 1
        return above if self.least is None else max(above, self.least)

    def transform(self, angle: arb) -> acb:
        """Σ ψ_i e^{−i·angle·i}, two geometric sums; angle in (−2π, 2π)."""
        start, end, h = self.start, self.end, ball(self.step)
        if end <= start:
            return acb(0)
        turn = acb(0, -angle).exp()
        first = acb(end - start) if angle.is_zero() else (turn**start - turn**end) / (1 - turn)
        shrunk = turn * (-h).exp()
        gap = ball(self.epsilon - start * self.step).exp()
        lead = acb(0, -angle * start).exp() * gap
        second = lead * (1 - shrunk ** (end - start)) / (1 - shrunk)
        return first - second


def wrapped_sum(parts: Sequence[GridPart], period: int, kernel: Kernel, *, goal: Fraction) -> arb:
    """Ball around Σ ψ_i b_i for the composition modulo ``period``, of radius near ``goal`` or less.

    The window of i is [end − period, end). Raises NoConvergence where both routes are too long.
    """
    if kernel.start < kernel.end - period:
        raise InvalidInput(f"epsilon must be on the grid, got epsilon={float(kernel.epsilon):g} below it")
    with working(PREC):
        found = _frequencies(parts, period, goal)
        if found is not None:
            return _by_frequencies(parts, period, kernel, *found)
        steps = sum(part.count.bit_length() for part in parts)
        if period * steps > MAX_POLY:
            raise NoConvergence(
                f"budget: an exact convolution of {period} masses needs too many frequencies and is too long "
                f"(cap {MAX_POLY} masses times squarings, got {period * steps})"
            )
        return _by_convolution(parts, period, kernel)


def _frequencies(parts: Sequence[GridPart], period: int, goal: Fraction) -> tuple[int, arb] | None:
    """(J, bound on Π|ŵ|^k beyond J): enough frequencies for ``goal``, or None if they are too many."""
    profiles = [(_boxes(part), ball(part.total), part) for part in parts]
    target = math.log(max(float(goal), _TINY))

    def decay(j: int) -> float:
        with working(64):
            angle = 2 * arb.pi() * j / period
            return math.fsum(
                part.count * (float(boxes.log_sup(angle).mid()) + float(mass.log().mid()))
                for boxes, mass, part in profiles
            )

    half, j = period // 2, 8
    while j < half and decay(j) + math.log(4 * period / j) > target:
        j = math.ceil(j * 1.2)
        blocks, moments, _ = _blocking(j, period)
        live = sum(math.ceil(_extent(part.masses) / blocks) for part in parts)
        if j * live * moments > MAX_WORK:
            return None
    if j >= half:
        return None
    angle = 2 * arb.pi() * j / period
    bound = arb(0)
    for boxes, mass, part in profiles:
        bound += part.count * (boxes.log_sup(angle) + mass.log())
    return j, bound.exp().upper()


def _extent(masses: Vector) -> int:
    used = np.flatnonzero(masses)
    return int(used[-1] - used[0] + 1) if len(used) else 1


def _blocking(j: int, period: int) -> tuple[int, int, float]:
    """(block length, Taylor terms, log of the Taylor rest) for frequencies up to j."""
    angle = 2 * math.pi * j / period
    length = max(1, min(1024, int(2 * _RADIUS / angle)))
    y = angle * length / 2
    terms, rest = 1, y
    while rest > 2.0**-BITS and length > 1:
        terms += 1
        rest *= y / terms
    return length, terms, rest


def _by_frequencies(parts: Sequence[GridPart], period: int, kernel: Kernel, last: int, rho: arb) -> arb:
    step = 2 * arb.pi() / period
    values = [acb(1)] * (last + 1)
    for part in parts:
        line = _line(part, step, last, period)
        values = [v * w**part.count for v, w in zip(values, line, strict=True)]
    total = (values[0] * kernel.transform(arb(0))).real
    for j in range(1, last + 1):
        total += 2 * (values[j] * kernel.transform(step * j)).real
    # beyond: at most N frequencies, |ψ̂| ≤ 2/|1 − z| + 2/|1 − rz| with |1 − rz|² ≥ 4r sin²
    sine = (step * last / 2).sin().min((step * last / 4).sin())
    size = (1 + (ball(kernel.step) / 2).exp()) / sine
    rest = (rho * size).upper()
    return total / period + arb(0, rest)


def _line(part: GridPart, step: arb, last: int, period: int) -> list[acb]:
    """ŵ(j·step) for j = 0 … last, with a proved radius."""
    used = np.flatnonzero(part.masses)
    if len(used) == 0:
        return [acb(0)] * (last + 1)
    low, masses = int(used[0]), part.masses[used[0] : used[-1] + 1]
    length, terms, _ = _blocking(last, period)
    count = math.ceil(len(masses) / length)
    integers = part.integers[low : low + len(masses)] + [0] * (count * length - len(masses))
    middle = length // 2
    offsets = range(-middle, length - middle)
    powers = fmpz_mat(length, terms, [fmpz(o) ** m for o in offsets for m in range(terms)])
    moments = fmpz_mat(count, length, integers) * powers
    unit = arb(2) ** -BITS
    centres = [part.first + low + b * length + middle for b in range(count)]
    rows = _turns(centres, step, last)
    sums = acb_mat(rows) * acb_mat(count, terms, [acb(arb(e)) for e in moments.entries()])
    reach = step * (length - middle if length > middle else 1)
    lost = ball(part.lost)
    mass = ball(part.total)
    values = []
    for j in range(last + 1):
        factor, value = acb(1), acb(0)
        for m in range(terms):
            value += sums[j, m] * factor
            factor *= acb(0, step * j) / (m + 1)
        rest = lost
        if length > 1:  # |e^{iy} − Σ_{m<M} (iy)^m/m!| ≤ |y|^M/M!
            rest += mass * (reach * j) ** terms / arb(terms + 1).gamma()
        wobble = arb(0, rest.upper())
        values.append(value * unit + acb(wobble, wobble if j else 0))
    return values


def _turns(points: list[int], step: arb, last: int) -> list[list[acb]]:
    """e^{i·step·j·point}, a row for each j = 0 … last; short chains, as balls of rotations grow."""
    width = math.isqrt(last) + 1
    small = [[acb(0, step * (j * c)).exp() for c in points] for j in range(width)]
    rows: list[list[acb]] = []
    for giant in range(0, last + 1, width):
        large = [acb(0, step * (giant * c)).exp() for c in points]
        rows += [[a * b for a, b in zip(large, row, strict=True)] for row in small]
    return rows[: last + 1]


def _boxes(part: GridPart) -> Boxes:
    """Nested boxes under the masses, from cells on which they vary little; total mass 1."""
    used = np.flatnonzero(part.masses)
    masses = part.masses[used[0] : used[-1] + 1] if len(used) else np.zeros(1)
    floor = masses.max() * 1e-8 + 5e-324
    level = np.floor(np.log(np.maximum(masses, floor)) / _RATIO)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(level)) + 1])
    ends = np.concatenate([starts[1:], [len(masses)]])
    if len(starts) > 20_000:  # ragged masses: equal cells
        starts = np.arange(0, len(masses), max(1, len(masses) // 5000))
        ends = np.concatenate([starts[1:], [len(masses)]])
    lows = np.minimum.reduceat(masses, starts) * _BELOW
    with working(64):
        whole = ball(part.total)
        heights, spans = unimodal([(arb(float(v)) / whole).lower().max(arb(0)) for v in lows])
        widths = [int(ends[right] - starts[left]) for left, right in spans]
        return Boxes([h * w for h, w in zip(heights, widths, strict=True)], widths)


def _by_convolution(parts: Sequence[GridPart], period: int, kernel: Kernel) -> arb:
    """Integers, rounded down after every product; the mass that is missing in the end is all that is lost."""
    result, whole, first = fmpz_poly([1 << BITS]), Fraction(1), 0
    for part in parts:
        folded = [0] * period
        for i, value in enumerate(part.integers):
            folded[i % period] += value
        power, k = fmpz_poly(folded), part.count
        while k:
            if k & 1:
                result = _fold(result * power, period)
            k >>= 1
            if k:
                power = _fold(power * power, period)
        whole *= (part.total) ** part.count
        first += part.first * part.count
    coefficients = result.coeffs()
    kept = Fraction(int(sum(coefficients, fmpz(0))), 2**BITS)
    base, top = kernel.end - period, kernel.end
    values = [fmpz(0)] * period
    for i, coefficient in enumerate(coefficients):
        values[(i + first - base) % period] = coefficient
    start = max(kernel.start, base)
    if start >= top:
        return arb(0)
    tail = fmpz_poly(values[start - base :])
    h = ball(kernel.step)
    plain, decayed = arb(tail(fmpz(1))), arb_poly(tail)((-h).exp())
    scale: arb = arb(2) ** -BITS
    found: arb = scale * (plain - ball(kernel.epsilon - start * kernel.step).exp() * decayed)
    return found.lower().union((found + ball(whole - kept)).upper())


def _fold(poly: fmpz_poly, period: int) -> fmpz_poly:
    """Modulo x^period − 1, in units of 2^−BITS, rounded down."""
    low, high = poly.truncate(period), poly.right_shift(period)
    return (low + high) // fmpz(1 << BITS)


def unwrapped_sum(
    parts: Sequence[GridPart], kernel: Kernel, *, n: int, outside: Callable[[int, int], arb], goal: Fraction
) -> arb:
    """Ball around Σ ψ_i b_i of the composition on all integers, ψ without an end.

    ``outside(low, high)`` bounds the mass of the composition outside of low ≤ i < high; the period grows from
    2n until that is below ``goal``, or until nothing can wrap. ε may lie below the window: ψ begins with it,
    and what is below counts as outside.
    """
    lowest = sum(part.first * part.count for part in parts)
    highest = sum((part.first + len(part.masses) - 1) * part.count for part in parts)
    period = 2 * n
    while True:
        end = period // 2
        with working(PREC):
            beyond = outside(end - period, end)
        if surely_less(beyond, ball(goal)) or period > 64 * n:
            break
        period *= 2
    if highest - lowest < period:
        end, beyond = highest + 1, arb(0)
        period = end - lowest
    window = Kernel(kernel.step, kernel.epsilon, end, least=end - period)
    value = wrapped_sum(parts, period, window, goal=goal)
    with working(PREC):
        return value + beyond * arb(0, 1)
