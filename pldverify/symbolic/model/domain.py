"""Where the variables of a derivation live, and how each is expressed by positive ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from random import Random

import sympy as sp

from pldverify.errors import InvalidInput

Interval = tuple[sp.Expr, sp.Expr]
Box = Mapping[sp.Symbol, tuple[Fraction, Fraction]]

MOST_TERMS = 256
"""Cap on the integers of which a statement is proved one by one."""


@dataclass(frozen=True)
class Variable:
    """An auxiliary variable (outcome t, loss s, ε) on an open interval.

    Attributes:
        symbol: the variable.
        lower, upper: end points, ±oo allowed; they may contain parameters.
        logarithmic: the end points are of e^symbol, as suits a loss.
        is_integer: integers lower ≤ symbol ≤ upper instead of an open interval.
    """

    symbol: sp.Symbol
    lower: sp.Expr
    upper: sp.Expr
    logarithmic: bool = False
    is_integer: bool = False

    def expressed(self) -> tuple[sp.Expr, list[sp.Symbol]]:
        """The variable in terms of fresh positive symbols, [] if it runs over all reals or integers."""
        lower, upper, name = self.lower, self.upper, self.symbol.name
        if self.is_integer and lower == upper:
            return lower, []
        if self.is_integer:
            k = sp.Dummy(f"{name}_k", integer=True, nonnegative=True)
            if lower.is_infinite and upper.is_infinite:
                return self.symbol, []
            return (upper - k if lower.is_infinite else lower + k), [k]
        v = sp.Dummy(f"{name}_v", positive=True)
        if self.logarithmic:
            inside = _between(lower, upper, v)
            return (self.symbol, []) if (lower, upper) == (0, sp.oo) else (sp.log(inside), [v])
        if lower.is_infinite and upper.is_infinite:
            return self.symbol, []
        return _between(lower, upper, v), [v]

    def plain(self) -> "Variable":
        """The same variable by its own ends instead of those of e^symbol."""
        if not self.logarithmic:
            return self
        low, high = (
            -sp.oo if end == 0 else end if end == sp.oo else sp.log(end) for end in (self.lower, self.upper)
        )
        return Variable(self.symbol, low, high)

    def terms(self, expression: sp.Expr) -> list[sp.Expr]:
        """``expression`` at each of finitely many integers; [] for other variables, or too many integers."""
        ends = (self.lower, self.upper)
        if not (self.is_integer and all(isinstance(end, sp.Integer) for end in ends)):
            return []
        low, high = map(int, ends)
        return (
            [expression.subs(self.symbol, n) for n in range(low, high + 1)] if high - low < MOST_TERMS else []
        )


def _between(lower: sp.Expr, upper: sp.Expr, v: sp.Symbol) -> sp.Expr:
    """A bijection of v > 0 onto (lower, upper)."""
    if upper.is_infinite:
        return lower + v
    if lower.is_infinite:
        return upper - v
    return (lower + upper * v) / (1 + v)


@dataclass(frozen=True)
class Domain:
    """The parameters with their open intervals, and the bounded box on which ball proofs run.

    Attributes:
        intervals: {parameter: (lower, upper)}.
        box: {parameter: (lower, upper)} inside the intervals, exact.
    """

    intervals: Mapping[sp.Symbol, Interval] = field(hash=False)
    box: Box = field(hash=False)

    @staticmethod
    def of(intervals: Mapping[sp.Symbol, Interval], box: Box | None = None) -> "Domain":
        """A domain with a default box for every parameter that ``box`` does not name."""
        full = {symbol: default_box(*interval) for symbol, interval in intervals.items()}
        return Domain(dict(intervals), {**full, **(box or {})})

    def facts(self) -> list[sp.Expr]:
        """What is positive by the intervals: symbol − lower and upper − symbol."""
        gaps = [(symbol - lower, upper - symbol) for symbol, (lower, upper) in self.intervals.items()]
        return [gap for pair in gaps for gap in pair if not gap.has(sp.oo, -sp.oo)]

    def samples(self, count: int = 6) -> Iterator[dict[sp.Symbol, Fraction]]:
        """Exact parameter points inside the box, for disproofs and for choosing branches.

        Integers are those of the interval next to such a point. Raises InvalidInput if it has none.
        """
        shares = [
            Fraction(1, 2),
            Fraction(1, 5),
            Fraction(7, 9),
            Fraction(1, 3),
            Fraction(3, 5),
            Fraction(6, 7),
        ]
        for i in range(count):
            point = {}
            for j, (symbol, (low, high)) in enumerate(self.box.items()):
                value = low + (high - low) * shares[(i * (j + 1) + j) % len(shares)]
                point[symbol] = self._integer_near(symbol, value) if symbol.is_integer else value
            yield point

    def _integer_near(self, symbol: sp.Symbol, value: Fraction) -> Fraction:
        lower, upper = self.intervals[symbol]
        least = -sp.oo if lower.is_infinite else floor(exact(lower)) + 1
        most = sp.oo if upper.is_infinite else ceil(exact(upper)) - 1
        if not least <= most:
            raise InvalidInput(f"({lower}, {upper}) must have an integer for {symbol}, got none")
        return Fraction(int(min(max(round(value), least), most)))

    def drawn(self, pick: Random) -> dict[sp.Symbol, Fraction]:
        """A random exact point of the intervals."""
        return {symbol: self._drawn(symbol, pick) for symbol in self.intervals}

    def _drawn(self, symbol: sp.Symbol, pick: Random) -> Fraction:
        lower, upper = self.intervals[symbol]
        size = positive(pick)
        if lower.is_infinite and upper.is_infinite:
            value = size * pick.choice((-1, 1))
        elif upper.is_infinite:
            value = exact(lower) + size
        elif lower.is_infinite:
            value = exact(upper) - size
        else:
            value = (exact(lower) + exact(upper) * size) / (1 + size)
        return self._integer_near(symbol, value) if symbol.is_integer else value


def positive(pick: Random) -> Fraction:
    """A random positive number, of a size between 1/320 and 320."""
    return Fraction(pick.randint(1, 40), pick.randint(1, 40)) * Fraction(2) ** pick.randint(-3, 3)


def default_box(lower: sp.Expr, upper: sp.Expr) -> tuple[Fraction, Fraction]:
    """A box inside an open interval: [1/10, 9/10] of a bounded one, [1/2, 2] from a half line's end."""
    if lower.is_infinite and upper.is_infinite:
        return Fraction(-2), Fraction(2)
    if upper.is_infinite:
        return exact(lower) + Fraction(1, 2), exact(lower) + 2
    if lower.is_infinite:
        return exact(upper) - 2, exact(upper) - Fraction(1, 2)
    low, high = exact(lower), exact(upper)
    return low + (high - low) / 10, high - (high - low) / 10


def exact(value: sp.Expr) -> Fraction:
    """A sympy rational as a Fraction. Raises InvalidInput."""
    if not isinstance(value, sp.Rational):
        raise InvalidInput(f"bounds must be rational numbers or ±oo, got {value}")
    return Fraction(int(value.p), int(value.q))
