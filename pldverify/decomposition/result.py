"""An error budget: a printed number's error as a signed sum of terms, each next to its promise."""

import math
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from pldverify.decomposition.term import Term
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.json import exact
from pldverify.numbers.scientific import outward, scientific
from pldverify.reference.engines.conclude import enclosed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pldverify.decomposition.printed_table import PrintedTable

_SHORT = 3
"""Significant digits of the ends of an interval in the table."""
HEADINGS = ("term", "observed", "promised", "verdict", "theorem")


@dataclass(frozen=True, repr=False)
class ErrorBudget:
    """The error of one printed δ(ε), in the direction that decided it.

    Attributes:
        query, accountant, direction: the question, who answered, and the ordered pair.
        printed: the exact number that the accountant printed.
        true: the enclosed δ(ε) of that direction's pairs, which is the true one where they are attained and
            dominate.
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
        return enclosed(self.printed - upper, self.printed - lower)

    @property
    def sum(self) -> Enclosure:
        """The sum of the terms; encloses the same number as :attr:`total`."""
        lower = sum((Fraction(term.observed.lower) for term in self.terms), Fraction(0))
        upper = sum((Fraction(term.observed.upper) for term in self.terms), Fraction(0))
        return enclosed(lower, upper)

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of the terms that are outside of their bounds, proved."""
        return tuple(term.name for term in self.terms if term.verdict == "OUTSIDE")

    @property
    def dominant(self) -> str:
        """Name of the term with the greatest proved size: where the error comes from."""
        return max(self.terms, key=lambda term: term.size).name

    @property
    def title(self) -> str:
        """Whose error, of which question, in which direction."""
        return f"{self.accountant}: {self.query}, direction {self.direction}"

    @property
    def start(self) -> str:
        """What the terms start from: the true δ, or that of pairs that are not it."""
        return "true δ" if self.query.composition.standing == "exact" else "δ of the pairs"

    def rows(self) -> list[tuple[str, ...]]:
        """Texts to read, under the headings term, observed, promised, verdict, theorem.

        >>> from pldverify.accountants.fourier import Fourier
        >>> query = pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01"), epsilon="0.5")
        >>> [row[0] for row in pv.error_budget(Fourier(n=2_000, L=6.0), query).rows()][:2]
        ['true δ', 'tail']
        """
        return [
            (self.start, str(self.true), "", "", ""),
            *((t.name, _signed(t.observed), _promise(t), str(t.verdict), t.theorem) for t in self.terms),
            ("printed", scientific(self.printed, 17), "", "", ""),
            ("total error", _signed(self.total), f"sum of the terms: {_signed(self.sum)}", "", ""),
        ]

    def table(self) -> "PrintedTable":
        """For people: ``print`` shows it as text, rich in colours and as wide as there is room.

        >>> from pldverify.accountants.fourier import Fourier
        >>> query = pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01"), epsilon="0.5")
        >>> budget = pv.error_budget(Fourier(n=2_000, L=6.0), query)
        >>> len(budget.table().columns) > 2
        True
        """
        from pldverify.decomposition.printed_table import printed_table

        return printed_table(self.title, HEADINGS, self.rows())

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        rows = [f"{name} {observed} {verdict}".rstrip() for name, observed, _, verdict, _ in self.rows()]
        return f"ErrorBudget({self.title}: {'; '.join(rows)})"

    def _repr_html_(self) -> str:
        from pldverify.numbers.markup import html

        return f"<p>{escape(self.title)}</p>\n{html(self.rows(), HEADINGS)}"

    def _repr_latex_(self) -> str:
        from pldverify.numbers.markup import latex

        return latex([HEADINGS, *self.rows()])

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Waterfall on a log scale: sizes of the terms, with their bounds; needs matplotlib.

        >>> from pldverify.accountants.fourier import Fourier
        >>> query = pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01"), epsilon="0.5")
        >>> budget = pv.error_budget(Fourier(n=2_000, L=6.0), query)
        >>> axes = budget.plot()
        >>> axes.get_title() != ""
        True
        """
        from pldverify.decomposition.plot import plot

        return plot(self.title, self.start, self.true, self.terms, self.printed, axes)

    def to_json(self) -> dict[str, object]:
        """Exact fractions as text, with doubles beside them.

        >>> from pldverify.accountants.fourier import Fourier
        >>> query = pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01"), epsilon="0.5")
        >>> budget = pv.error_budget(Fourier(n=2_000, L=6.0), query)
        >>> budget.to_json()["dominant"]
        'discretisation'
        """
        return {
            "accountant": self.accountant,
            "query": str(self.query),
            "direction": self.direction,
            **exact(printed=self.printed),
            "true": _interval(self.true),
            "true_is": self.query.composition.standing,
            "terms": [_term(term) for term in self.terms],
            "total": _interval(self.total),
            "sum": _interval(self.sum),
            "broken": list(self.broken),
            "dominant": self.dominant,
        }


def _interval(value: Enclosure) -> dict[str, object]:
    return {**exact(lower=value.lower, upper=value.upper)}


def _term(term: Term) -> dict[str, object]:
    return {
        "name": term.name,
        "observed": _interval(term.observed),
        "promised_low_float": _finite(term.low),
        "promised_high_float": _finite(term.high),
        "verdict": term.verdict,
        "theorem": term.theorem,
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
    return f"[{outward(lower, _SHORT, -1)}, {outward(upper, _SHORT, 1)}]"


def _promise(term: Term) -> str:
    if term.verdict == "NO BOUND":
        return "-"
    return f"[{outward(term.low, _SHORT, -1)}, {outward(term.high, _SHORT, 1)}]"
