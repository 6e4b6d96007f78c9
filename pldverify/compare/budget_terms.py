"""An error budget: a printed number's error as a signed sum of terms, each next to its promise."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pldverify.mechanisms.mechanism import Direction
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Bound, Enclosure, scientific

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.table import Table

Verdict = Literal["INSIDE", "OUTSIDE", "UNDECIDED", "NO BOUND"]


@dataclass(frozen=True)
class Term:
    """One step from one problem to the next.

    Attributes:
        name: ``tail``, ``truncation``, ``periodisation``, ``discretisation``, ``rounding`` or ``margin``.
        observed: signed change of δ, enclosed.
        low, high: what the theorem promises of the change; ±inf where it promises nothing.
        theorem: which one.
    """

    name: str
    observed: Enclosure
    low: Bound
    high: Bound
    theorem: str

    @property
    def verdict(self) -> Verdict:
        """INSIDE and OUTSIDE the promise are proved; NO BOUND where nothing is promised on either side."""
        if self.low == -math.inf and self.high == math.inf:
            return "NO BOUND"
        if self.low <= self.observed.lower and self.observed.upper <= self.high:
            return "INSIDE"
        if self.observed.upper < self.low or self.high < self.observed.lower:
            return "OUTSIDE"
        return "UNDECIDED"

    @property
    def size(self) -> Bound:
        """A lower bound on |observed|; 0 where the sign is not known."""
        return max(Fraction(0), self.observed.lower, -self.observed.upper)


@dataclass(frozen=True)
class ErrorBudget:
    """The error of one printed δ(ε), in the direction that decided it.

    Attributes:
        query, accountant, direction: the question, who answered, and the ordered pair.
        printed: the exact number that the accountant printed.
        true: the enclosed δ(ε) of that direction.
        terms: in the order in which the problems replace each other.
    """

    query: Query
    accountant: str
    direction: Direction
    printed: Fraction
    true: Enclosure
    terms: tuple[Term, ...]

    @property
    def total(self) -> Enclosure:
        """printed − true, from the truth alone."""
        lower, upper = Fraction(self.true.lower), Fraction(self.true.upper)
        return Enclosure(self.printed - upper, self.printed - lower, "error budget")

    @property
    def sum(self) -> Enclosure:
        """The sum of the terms; encloses the same number as :attr:`total`."""
        lower = sum((Fraction(term.observed.lower) for term in self.terms), Fraction(0))
        upper = sum((Fraction(term.observed.upper) for term in self.terms), Fraction(0))
        return Enclosure(lower, upper, "error budget")

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of the terms that are outside of their bounds, proved."""
        return tuple(term.name for term in self.terms if term.verdict == "OUTSIDE")

    @property
    def dominant(self) -> str:
        """Name of the term with the greatest proved size: where the error comes from."""
        return max(self.terms, key=lambda term: term.size).name

    def table(self) -> "Table":
        """For people, with rich."""
        from rich.table import Table

        title = f"{self.accountant}: {self.query}, direction {self.direction}"
        table = Table(title=title, title_justify="left")
        for heading in ("term", "observed", "promised", "verdict", "theorem"):
            table.add_column(heading, overflow="fold")
        table.add_row("true δ", str(self.true), "", "", "")
        for term in self.terms:
            table.add_row(term.name, _signed(term.observed), _promise(term), term.verdict, term.theorem)
        table.add_row("printed", scientific(self.printed, 17), "", "", "")
        table.add_row("total error", _signed(self.total), f"sum of the terms: {_signed(self.sum)}", "", "")
        return table

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Waterfall on a log scale: sizes of the terms, with their bounds; needs matplotlib."""
        from pldverify.compare.budget_plot import plot

        return plot(self, axes)

    def to_json(self) -> dict[str, object]:
        """Exact fractions as text, with doubles beside them."""
        from pldverify.compare.exact_json import double, text

        def interval(value: Enclosure) -> dict[str, object]:
            return {
                "lower": text(value.lower),
                "upper": text(value.upper),
                "lower_float": double(value.lower),
                "upper_float": double(value.upper),
            }

        return {
            "accountant": self.accountant,
            "query": str(self.query),
            "direction": self.direction,
            "printed": text(self.printed),
            "printed_float": double(self.printed),
            "true": interval(self.true),
            "terms": [
                {
                    "name": term.name,
                    "observed": interval(term.observed),
                    "promised_low_float": _finite(term.low),
                    "promised_high_float": _finite(term.high),
                    "verdict": term.verdict,
                    "theorem": term.theorem,
                }
                for term in self.terms
            ],
            "total": interval(self.total),
            "sum": interval(self.sum),
            "broken": list(self.broken),
            "dominant": self.dominant,
        }


def _finite(value: Bound) -> float | str:
    """A double; ``inf`` or ``-inf``, which JSON has no number for, also for what overflows."""
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf if value > 0 else -math.inf
    return nearest if math.isfinite(nearest) else str(nearest)


def _signed(value: Enclosure) -> str:
    """Short: three digits where the sign is proved, else the interval."""
    lower, upper = Fraction(value.lower), Fraction(value.upper)
    if lower * upper > 0 and value.digits >= 2:
        return scientific((lower + upper) / 2, int(min(6, value.digits)))
    return f"[{_outward(lower, -1)}, {_outward(upper, 1)}]"


def _promise(term: Term) -> str:
    if term.verdict == "NO BOUND":
        return "-"
    return f"[{_outward(term.low, -1)}, {_outward(term.high, 1)}]"


def _outward(value: Bound, side: int) -> str:
    """Three digits, rounded towards ``side``."""
    if value in (math.inf, -math.inf):
        return str(value)
    exact = Fraction(value)
    text = scientific(exact, 3, up=exact * side > 0)
    shown = Fraction(text)
    if (shown - exact) * side >= 0:
        return text
    return scientific(shown + side * abs(shown) / 100, 3, up=True)
