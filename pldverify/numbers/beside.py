"""Proved ends as text that stands beside a verdict: the text alone supports what they decide.

All text is rounded outward, so it contains the interval. It has as many digits as it takes to say of the
claimed number what the ends say: that it lies above them, below them, or is one of them.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pldverify.numbers.ends import Ends, infinite
from pldverify.numbers.exact import show
from pldverify.numbers.presentation import centred, read
from pldverify.numbers.scientific import order, outward, scientific
from pldverify.numbers.witness import Bound

Text = tuple[str, Bound | None, Bound | None]
"""What is printed, and the ends that it has."""
_DIGITS = (6, 9, 12, 18, 30, 60, 120, 300, 1000)
"""Significant digits of ends, tried in turn: a factor of 2 changes only how long a print is."""
_FEWEST = 4
"""Digits that both ends must share to be printed as one number with "…" behind it."""


def beside(ends: Ends, *claimed: Ends) -> str:
    """``m ± r``, or ``[lower, upper]`` where that says more.

    >>> beside((Fraction("1.18113"), Fraction("1.18903")), (Fraction("1.19"), Fraction("1.19")))
    '[1.18113, 1.18903]'
    >>> beside((Fraction("6.907384"), Fraction("6.907385")), (Fraction("6.9"), Fraction("6.9")))
    '6.907384 ± 1.0e-6'
    """
    return _first([centred(ends)], ends, claimed)


def brief(ends: Ends, *claimed: Ends) -> str:
    """The first digits that both ends share, with "…" behind them; both ends where that says more.

    >>> brief((Fraction("6.907380"), Fraction("6.907389")), (Fraction("6.9"), Fraction("6.9")))
    '6.90738…'
    """
    if ends[0] == ends[1] and not infinite(ends[0]) and len(text := show(Fraction(ends[0]))) <= _DIGITS[2]:
        return text
    return _first([*_shared(ends), centred(ends, _DIGITS[0])], ends, claimed)


def one_end(value: Bound, side: int, *claimed: Ends) -> str:
    """An end alone, rounded up for ``side`` 1, down for −1.

    >>> one_end(Fraction(2, 3), 1, (Fraction("0.6666667"), Fraction(1)))
    '0.666666667'
    """
    exact: tuple[Bound | None, Bound | None] = (None, value) if side > 0 else (value, None)
    for digits in _DIGITS:
        text = outward(value, digits, side)
        if _keeps(_printed(text, side), exact, claimed):
            return text
    return show(Fraction(value))


def claim_beside(value: Bound, *all_ends: tuple[Bound | None, Bound | None]) -> str:
    """A claimed number, to nearest, with as many digits as it takes to stand to all ends as it does.

    >>> claim_beside(Fraction("6.90738412345"), (Fraction("6.907384123"), Fraction("6.907384124")))
    '6.90738412345'
    """
    if infinite(value):
        return str(value)
    exact = Fraction(value)
    if len(whole := show(exact)) <= _DIGITS[1]:
        return whole
    for digits in _DIGITS[1:]:
        text = scientific(exact, digits)
        if all(_place(ends, (read(text),) * 2) == _place(ends, (exact, exact)) for ends in all_ends):
            return text
    return whole


def _first(texts: "list[Text]", ends: Ends, claimed: Sequence[Ends]) -> str:
    for text, lower, upper in [*texts, *_pairs(ends)]:
        if _keeps((lower, upper), ends, claimed):
            return text
    return f"[{', '.join('inf' if infinite(end) else show(Fraction(end)) for end in ends)}]"


def _shared(ends: Ends) -> "list[Text]":
    """Digits that both ends begin with, rounded down."""
    lower, upper = ends
    if infinite(upper) or not lower > 0:
        return []
    for digits in range(_DIGITS[0], _FEWEST - 1, -1):
        down = scientific(Fraction(lower), digits, down=True)
        if down == scientific(Fraction(upper), digits, down=True):
            unit = Fraction(10) ** (order(Fraction(lower)) - digits + 1)
            return [(f"{down}…", Fraction(down), Fraction(down) + unit)]
    return []


def _pairs(ends: Ends) -> Iterator[Text]:
    for digits in _DIGITS:
        low, high = outward(ends[0], digits, -1), outward(ends[1], digits, 1)
        text = low if low == high else f"[{low}, {high}]"
        yield text, _printed(low, -1)[0], _printed(high, 1)[1]


def _printed(text: str, side: int) -> tuple[Bound | None, Bound | None]:
    value = read(text)
    return (None, value) if side > 0 else (value, None)


def _keeps(
    printed: tuple[Bound | None, Bound | None],
    ends: tuple[Bound | None, Bound | None],
    claimed: Sequence[Ends],
) -> bool:
    """Whether the printed ends stand to the claimed numbers as the proved ones do."""
    return all(_place(printed, each) == _place(ends, each) for each in claimed)


def _place(ends: tuple[Bound | None, Bound | None], claimed: Ends) -> tuple[bool, bool, bool, bool]:
    (lower, upper), (low, high) = ends, claimed
    return (
        upper is not None and upper <= low,
        upper is not None and upper < low,
        lower is not None and lower >= high,
        lower is not None and lower > high,
    )
