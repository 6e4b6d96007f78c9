"""Value: what is proved of one true number, from below and from above.

An end is a proved number, or None where nothing is proved: never ∞ or 0 for unknown. A pair of distributions
that is attained by neighbours gives the end from below, one that dominates all neighbours the end from above,
so an enclosure of the pairs' value gives both, one, or none. What sees less than the pairs do (an attack)
gives the end from below alone; a guarantee that is stated the end from above alone.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.query import Query
from pldverify.numbers.beside import brief, one_end
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.ends import Ends
from pldverify.numbers.json import text

ATTAINED = "some neighbours have the pair"
DOMINATED = "the pair dominates all neighbours"


@dataclass(frozen=True)
class End:
    """A proved end.

    Attributes:
        at: the exact number; ``math.inf`` is +∞, proved.
        by: what proves it, to read.
        strict: whether the true number is proved to lie beyond it.
    """

    at: Bound
    by: str
    strict: bool = False


@dataclass(frozen=True)
class Value:
    """A true number that is at least ``lower`` and at most ``upper``, as far as that is proved.

    Raises OracleDisagreement where the ends contradict each other.

    >>> from pldverify.values.value import End, Value
    >>> Value(upper=End(Fraction(1, 2), "a lemma")).lower is None
    True
    """

    lower: End | None = None
    upper: End | None = None

    def __post_init__(self) -> None:
        if self.lower is not None and self.upper is not None and self.lower.at > self.upper.at:
            raise OracleDisagreement(f"proved ends contradict each other: {self.lower} > {self.upper}")

    @property
    def ends(self) -> tuple[Bound | None, Bound | None]:
        """The numbers alone."""
        lower = None if self.lower is None else self.lower.at
        return lower, None if self.upper is None else self.upper.at

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is proved."""
        return self.lower is None and self.upper is None

    @property
    def above_alone(self) -> "Value":
        """What remains for what the composition only bounds."""
        return Value(upper=self.upper)

    def shown(self, *claimed: Ends) -> tuple[str, str]:
        """A sign, and the digits that both ends share, or both of them, or the one that is known or lies
        strictly at a claimed number, as text that says of the claimed numbers what the ends say; both empty
        where nothing is proved.

        >>> from pldverify.values.value import known
        >>> known(Fraction("1.18113"), Fraction("1.18903"), "a lemma").shown((Fraction("1.19"),) * 2)
        ('in', '[1.18113, 1.18903]')
        """
        lower, upper = self.ends
        touched = {end for ends in claimed for end in ends}
        if upper and lower == 0 and 0 not in touched:
            lower = None  # no ε, ρ, μ or divergence is negative: it says nothing
        above = self.lower is not None and self.lower.strict and lower in touched
        below = self.upper is not None and self.upper.strict and upper in touched
        if above and upper is not None and all(upper > low for low, _ in claimed):
            upper = None  # it says nothing of what is claimed
        if below and lower is not None and all(lower < high for _, high in claimed):
            lower = None
        if (above or below) and lower is not None and upper is not None:
            signs = (">" if above else "≥", "<" if below else "≤")
            return signs[0], f"{one_end(lower, -1, *claimed)} and {signs[1]} {one_end(upper, 1, *claimed)}"
        if lower is not None and upper is not None:
            text = brief((lower, upper), *claimed)
            return "in" if text.startswith("[") else "=", text
        if self.upper is not None and upper is not None:
            return "<" if self.upper.strict else "≤", one_end(self.upper.at, 1, *claimed)
        if self.lower is None or lower is None:
            return "", ""
        return ">" if self.lower.strict else "≥", one_end(lower, -1, *claimed)

    def __str__(self) -> str:
        return " ".join(self.shown()).strip() or "unknown"

    def to_json(self) -> dict[str, str | bool | None]:
        """Exact numbers as strings, ``inf`` for +∞, null for what is not proved; and whether the true number
        is proved to lie beyond an end.

        >>> pv.gdp("discrete_gaussian(2)").to_json()["upper"] is None
        True
        """
        lower, upper = self.ends
        return {
            "lower": text(lower),
            "upper": text(upper),
            "lower_by": None if self.lower is None else self.lower.by,
            "upper_by": None if self.upper is None else self.upper.by,
            "lower_strict": None if self.lower is None else self.lower.strict,
            "upper_strict": None if self.upper is None else self.upper.strict,
        }


UNKNOWN = Value()


def known(lower: Bound, upper: Bound, by: str) -> Value:
    """Both ends, by one proof."""
    return Value(End(lower, by), End(upper, by))


def range_of(most: Bound) -> Value:
    """What is true of every mechanism: no ε, δ and divergence is negative, and none exceeds ``most``."""
    return known(Fraction(0), most, "by definition")


def enclosed(found: Enclosure) -> Value:
    """Both ends of the very number that is enclosed."""
    return known(found.lower, found.upper, f"engine {found.engine}")


def narrower(first: Value, second: Value) -> Value:
    """What both prove together."""
    lowers = [value.lower for value in (first, second) if value.lower is not None]
    uppers = [value.upper for value in (first, second) if value.upper is not None]
    return Value(
        max(lowers, key=lambda end: (end.at, end.strict), default=None),
        min(uppers, key=lambda end: (end.at, not end.strict), default=None),
    )


def of_pairs(query: Query, found: Enclosure | None) -> Value:
    """What an enclosure of the pairs' value proves of the mechanisms'; of one between two pairs both ends.

    Where ``query.rises``, the value of a pair that another one dominates is at most that one's; False: at
    least; None: dominance says nothing of it, so only pairs of which both is known tell anything.
    """
    if found is None:
        return UNKNOWN
    if found.two_sided:
        return Value(End(found.lower, ATTAINED), End(found.upper, DOMINATED))
    rises, dominates = query.rises, query.composition.dominates
    attained = query.composition.attained if query.of_whole_pair else query.composition.tight
    both = attained and dominates
    from_below, from_above = {True: (attained, dominates), False: (dominates, attained), None: (both, both)}[
        rises
    ]
    words = {True: (ATTAINED, DOMINATED), False: (DOMINATED, ATTAINED), None: (ATTAINED, DOMINATED)}[rises]
    return Value(
        End(found.lower, f"{words[0]}, engine {found.engine}") if from_below else None,
        End(found.upper, f"{words[1]}, engine {found.engine}") if from_above else None,
    )
