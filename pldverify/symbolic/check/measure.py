r"""Mass of one density between two points, in balls.

From a proved antiderivative where there is one, else by ``acb.integral`` of the lowered density, which is
rigorous: the integrand says where it is not holomorphic. Infinite ends without antiderivative need a proved
exponential decay: if :math:`(\log p)' \le -c` on :math:`[T, \infty)`, then
:math:`\int_T^\infty p \le p(T)/c`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, isfinite, log2

import sympy as sp

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NotSupported
from pldverify.symbolic.check.limits import between
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.lowering.to_arb import to_acb, to_arb
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Domain, Variable

_STARTS = range(-80, 160)
"""A decline is looked for from some fourth powers of 2 on."""

_TRIED = (0, 1, 2, 4, 8, 12, 20)
"""Which of those that look good are tried."""

_GUESS_BITS = 64
"""Precision of what looks good; any value is right."""

NO_PARAMETERS = Domain.of({})

TOTAL_BITS = 128
"""Precision at which a total mass without antiderivative is compared with 1."""

ROUGHEST_TOTAL = Fraction(1, 10**12)
"""Largest radius of a total mass that decides whether it is 1."""

_LOWER, _UPPER = sp.Symbol("lower_end", real=True), sp.Symbol("upper_end", real=True)
"""Ends that a mass is a function of."""

FARTHEST = 2**20
"""The farthest point at which an infinite end is cut."""


@dataclass(frozen=True)
class Measure:
    """One density on one region: its mass between two points."""

    region: Region
    density: sp.Expr
    outcome: sp.Symbol
    integral: sp.Expr | None

    def mass(self, lower: arb | None, upper: arb | None) -> arb:
        """∫ (or Σ) from ``lower`` to ``upper``; None is the end of the region."""
        if self.outcome.is_integer:
            return self._sum(lower, upper)
        if self.integral is not None:
            return self._by_antiderivative(lower, upper)
        return self._by_quadrature(lower, upper)

    def _by_antiderivative(self, lower: arb | None, upper: arb | None) -> arb:
        ends = (
            self.region.lower if lower is None else _LOWER,
            self.region.upper if upper is None else _UPPER,
        )
        value = _lowered(self.integral, self.outcome, *ends)
        return value(*(end for end in (lower, upper) if end is not None))

    def _by_quadrature(self, lower: arb | None, upper: arb | None) -> arb:
        rest = arb(0)
        if lower is None:
            lower, omitted = (
                self._cut(-1) if self.region.lower.is_infinite else (to_arb(self.region.lower, [])(), arb(0))
            )
            rest += omitted
        if upper is None:
            upper, omitted = (
                self._cut(1) if self.region.upper.is_infinite else (to_arb(self.region.upper, [])(), arb(0))
            )
            rest += omitted
        value = acb.integral(to_acb(self.density, self.outcome), acb(lower), acb(upper)).real
        return value + arb(0).union(rest)

    def _cut(self, side: int) -> tuple[arb, arb]:
        """A far point and a bound of the mass beyond it, by proved exponential decay."""
        return far_point(self.region, self.density, self.outcome, side)

    def _sum(self, lower: arb | None, upper: arb | None) -> arb:
        """Σ over the integers between the two points, both included; ambiguous end points widen the ball."""
        return self._from(
            None if lower is None else _ceilings(lower), None if upper is None else _floors(upper)
        )

    def _from(self, first: tuple[int, ...] | None, last: tuple[int, ...] | None) -> arb:
        choices = [(a, b) for a in (first or (None,)) for b in (last or (None,))]
        values = [self._between_integers(a, b) for a, b in choices]
        hull = values[0]
        for value in values[1:]:
            hull = hull.union(value)
        return hull

    def _between_integers(self, first: int | None, last: int | None) -> arb:
        low = self.region.lower if first is None else sp.Max(self.region.lower, first)
        high = self.region.upper if last is None else sp.Min(self.region.upper, last)
        if low > high:
            return arb(0)
        if self.integral is not None:
            value = _between(self.integral, self.outcome, low, high)
            if value is not None:
                return to_arb(value, [])()
        if low.is_infinite or high.is_infinite:
            raise NotSupported(f"an infinite sum needs a geometric density, got {self.density}")
        function = to_arb(self.density, [self.outcome])
        return sum((function(n) for n in range(int(low), int(high) + 1)), start=arb(0))


def total_mass(densities: Densities, index: int) -> arb | None:
    """Total mass of P (``index`` 0) or Q (1) of a pair without parameters, by quadrature.

    None if a tail has no proved bound, or for integers.
    """
    if densities.is_integer:
        return None
    total = arb(0)
    try:
        for region in densities.regions:
            density = (region.p, region.q)[index]
            if density != 0:
                total += Measure(region, density, densities.symbol, None).mass(None, None)
    except NotSupported:
        return None
    return total if total.is_finite() else None


@lru_cache(maxsize=256)
def _lowered(integral: sp.Expr, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> Callable[..., arb]:
    """The difference of an antiderivative as a function of those ends that are ``_LOWER`` and ``_UPPER``."""
    value = _between(integral, t, lower, upper)
    if value is None:
        raise NotSupported(f"the antiderivative {integral} has no known limit")
    return to_arb(value, [end for end in (lower, upper) if end in (_LOWER, _UPPER)])


def _between(integral: sp.Expr | None, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> sp.Expr | None:
    return None if integral is None else between(integral, t, lower, upper, Prover(NO_PARAMETERS).sign)


def _ceilings(value: arb) -> tuple[int, ...]:
    return tuple(sorted({exact_integer(value.lower().ceil()), exact_integer(value.upper().ceil())}))


def _floors(value: arb) -> tuple[int, ...]:
    return tuple(sorted({exact_integer(value.lower().floor()), exact_integer(value.upper().floor())}))


def exact_integer(value: arb) -> int:
    """The integer that an exact ball is. Raises NotSupported where the ball holds none or several."""
    number = value.unique_fmpz()
    if number is None:
        raise NotSupported(f"the precision does not decide an integer in {value.str(5)}")
    return int(number)


def far_point(region: Region, density: sp.Expr, t: sp.Symbol, side: int) -> tuple[arb, arb]:
    """A point T of the region where its infinite end may be cut, and a bound of the mass beyond it.

    Where the density declines at a rate of at least r beyond T, that mass is at most p(T)/r. T is where that
    begins, doubled until it is negligible at the working precision. Raises NotSupported.
    """
    far, rate = decline((-side * sp.diff(density, t) / density,), region, t, side)
    function = to_arb(density, [t])
    while far <= FARTHEST:
        beyond = function(side * far) / ball(rate)
        if surely_at_most(0, beyond) and surely_less(beyond, arb(2) ** -ctx.prec):
            return ball(side * far), beyond.upper()
        far *= 2
    raise NotSupported(f"no proved decay of {density} before {FARTHEST}")


@lru_cache(maxsize=256)
def decline(rates: tuple[sp.Expr, ...], region: Region, t: sp.Symbol, side: int) -> tuple[Fraction, Fraction]:
    """(T, r): from T on, inside of the region on its infinite ``side``, all ``rates`` are at least r > 0.

    Raises NotSupported where none is proved.
    """
    prover, other = Prover(NO_PARAMETERS), region.lower if side == 1 else region.upper
    for start, least in _good(rates, t, side, other):
        at = sp.Rational(start.numerator, start.denominator)
        ends = (at, sp.oo) if side == 1 else (-sp.oo, -at)
        rate = sp.Rational(least.numerator, least.denominator)
        if all(prover.sign(each - rate, [Variable(t, *ends)]) == 1 for each in rates):
            return start, least
    raise NotSupported(f"no proved decay towards {'+' if side == 1 else '−'}∞ at a rate {rates[0]}")


def _good(
    rates: tuple[sp.Expr, ...], t: sp.Symbol, side: int, other: sp.Expr
) -> list[tuple[Fraction, Fraction]]:
    """(T, r) from which on the rates look good; a choice. Where they don't later on, no proof would end."""
    found: list[tuple[Fraction, float]] = []
    with ctx.workprec(_GUESS_BITS):
        nearest = None if other.is_infinite else to_arb(side * other, [])()
        functions = [to_arb(each, [t]) for each in rates]
        for power in _STARTS:
            start = Fraction(2) ** (power // 4) * Fraction(4 + power % 4, 4)
            if nearest is not None and not surely_less(nearest, ball(start)):
                continue
            values = [float(each(side * start).mid()) for each in functions]
            if not all(map(isfinite, values)):
                continue
            least = min(values)
            found = [(at, min(rate, least)) for at, rate in [*found, (start, least)]]
            if least * float(start) <= 1:
                found = []
    told = [(start, Fraction(2) ** floor(log2(least / 2))) for start, least in found]
    return [told[place] for place in _TRIED if place < len(told)]
