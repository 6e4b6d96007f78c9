"""Interval: exact ends, and arithmetic with them. It says of no engine that it has proved anything.

An :class:`~pldverify.numbers.enclosure.Enclosure` is an interval that an engine has proved; what is computed
from enclosures is a plain interval again. What the operators do stands in ``arithmetic.py``, how intervals
are shown in ``presentation.py`` and ``format_spec.py``, what else they become in ``conversion.py``.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pldverify.numbers.witness import Bound

if TYPE_CHECKING:
    from decimal import Decimal

    Operand: TypeAlias = "Interval | int | float | str | Fraction | Decimal"

Side = Literal["lower", "upper"]


@dataclass(frozen=True, repr=False)
class Interval:
    """All numbers from ``lower`` to ``upper``, both exact; ±∞ are ends too.

    Ends and operands are read as every number is: a decimal string means that decimal, a float that double.
    ``+ - * /``, powers with an integer, ``-x`` and ``abs`` are exact, :meth:`exp` and :meth:`log` are rounded
    outward: a result contains the value of the operation for all numbers of the operands. Operands are
    independent: ``x - x`` contains 0 and is not 0. Raises InvalidInput for a division by what contains 0.

    ``<``, ``<=``, ``>`` and ``>=`` answer True or False where it is so for all numbers of both sides, and
    raise :class:`~pldverify.errors.Undecided` otherwise. ``==`` asks whether both are the same interval, of
    the same class, with the same ends; it says nothing of the numbers in them, and no interval equals a
    number.

    >>> from pldverify import Interval
    >>> x = Interval("0.1", "0.2")
    >>> 10 * x + 1
    Interval([2.00000, 3.00000])
    >>> x < "0.3", x >= "0.3"
    (True, False)
    >>> x < "0.15"
    Traceback (most recent call last):
    pldverify.errors.Undecided: [0.100000, 0.200000] < 0.15 holds for some of the numbers only: \
compare .lower or .upper, or ask for more digits
    """

    lower: Bound
    upper: Bound

    def __init__(self, lower: "Operand", upper: "Operand") -> None:
        from pldverify.numbers.ends import read

        low, high = read(lower, upper)
        vars(self).update(lower=low, upper=high)

    @property
    def width(self) -> Bound:
        """``upper - lower``: 0 where both are the same infinity, +∞ where one is infinite."""
        from pldverify.numbers.ends import width

        return width((self.lower, self.upper))

    @property
    def midpoint(self) -> Bound:
        """``(lower + upper) / 2``, exactly; the infinite end where one is infinite, 0 where both are ±∞.

        >>> Interval("0.1", "0.2").midpoint
        Fraction(3, 20)
        """
        from pldverify.numbers.ends import midpoint

        return midpoint((self.lower, self.upper))

    @property
    def radius(self) -> Bound:
        """``width / 2``, exactly: no number of the interval is farther from the midpoint.

        >>> Interval("0.1", "0.2").radius
        Fraction(1, 20)
        """
        return self.width / 2

    @property
    def digits(self) -> int | float:
        """Proved significant decimal digits: floor(−log10(radius / |midpoint|)), ∞ if exact, ≥ 0."""
        from pldverify.numbers.presentation import digits

        return digits((self.lower, self.upper))

    def __contains__(self, value: Fraction | int | float) -> bool:
        return bool(self.lower <= value <= self.upper)

    def overlaps(self, other: "Interval") -> bool:
        """Whether both can be true of one number.

        >>> Interval(0, 1).overlaps(Interval(1, 2))
        True
        """
        return bool(self.lower <= other.upper and other.lower <= self.upper)

    def __add__(self, other: "Operand") -> "Interval":
        return self._with("+", other)

    __radd__ = __add__

    def __sub__(self, other: "Operand") -> "Interval":
        return self._with("-", other)

    def __rsub__(self, other: "Operand") -> "Interval":
        return (-self)._with("+", other)

    def __mul__(self, other: "Operand") -> "Interval":
        return self._with("*", other)

    __rmul__ = __mul__

    def __truediv__(self, other: "Operand") -> "Interval":
        return self._with("/", other)

    def __rtruediv__(self, other: "Operand") -> "Interval":
        return (self**-1)._with("*", other)

    def __pow__(self, power: int) -> "Interval":
        from pldverify.numbers.interval_arithmetic import to_the

        ends = to_the((self.lower, self.upper), power)
        return NotImplemented if ends is None else Interval(*ends)

    def __neg__(self) -> "Interval":
        return Interval(-self.upper, -self.lower)

    def __abs__(self) -> "Interval":
        from pldverify.numbers.interval_arithmetic import size

        return Interval(*size((self.lower, self.upper)))

    def exp(self) -> "Interval":
        """e to every number of the interval, rounded outward, to some 20 digits beyond its own width.

        >>> f"{Interval(1, 1).exp():.20g}"
        '2.7182818284590452354'
        """
        from pldverify.numbers.interval_functions import exp

        return Interval(*exp((self.lower, self.upper)))

    def log(self) -> "Interval":
        """The natural logarithm, as :meth:`exp`; −∞ at 0. Raises InvalidInput for negative numbers.

        >>> print(Interval(0, 1).log())
        [-inf, 0]
        """
        from pldverify.numbers.interval_functions import log

        return Interval(*log((self.lower, self.upper)))

    def _with(self, sign: str, other: object) -> "Interval":
        """``self`` on the left of an operator."""
        from pldverify.numbers.interval_arithmetic import operate

        ends = self._ends(other)
        return NotImplemented if ends is None else Interval(*operate(sign, (self.lower, self.upper), ends))

    def _ends(self, other: object) -> tuple[Bound, Bound] | None:
        """Both ends of an operand; None for what is no number. Raises InvalidInput."""
        from pldverify.numbers.ends import point

        return (other.lower, other.upper) if isinstance(other, Interval) else point(other)

    def __lt__(self, other: "Operand") -> bool:
        return self._ordered("<", other)

    def __le__(self, other: "Operand") -> bool:
        return self._ordered("<=", other)

    def __gt__(self, other: "Operand") -> bool:
        return self._ordered(">", other)

    def __ge__(self, other: "Operand") -> bool:
        return self._ordered(">=", other)

    def _ordered(self, sign: str, other: object) -> bool:
        """Raises Undecided where it holds for some of the numbers only."""
        from pldverify.numbers.interval_arithmetic import ordered

        ends = self._ends(other)
        return NotImplemented if ends is None else ordered(sign, (self.lower, self.upper), ends)

    def __float__(self) -> float:
        """The double nearest to the midpoint: no bound; :meth:`to_float` is one."""
        from pldverify.numbers.conversion import nearest

        return nearest(self.midpoint)

    def to_float(self, side: Side) -> float:
        """A double on or beyond an end: at most ``lower``, or at least ``upper``.

        >>> Interval("0.1", "0.1").to_float("lower")
        0.09999999999999999
        """
        from pldverify.numbers.conversion import to_float

        return to_float((self.lower, self.upper), side)

    def to_decimal(self, side: Side, digits: int = 17) -> "Decimal":
        """A decimal of ``digits`` significant digits on or beyond an end.

        >>> (1 / Interval(3, 3)).to_decimal("upper", digits=5)
        Decimal('0.33334')
        """
        from pldverify.numbers.conversion import to_decimal

        return to_decimal((self.lower, self.upper), side, digits)

    def to_mpf(self, side: Side, digits: int = 30) -> Any:
        """An ``mpmath.mpf`` of some ``digits`` significant digits on or beyond an end.

        mpmath rounds what is computed with it to its own precision.

        >>> Interval("0.5", "0.6").to_mpf("lower")
        mpf('0.5')
        """
        from pldverify.numbers.conversion import to_mpf

        return to_mpf((self.lower, self.upper), side, digits)

    def to_iv(self, digits: int = 30) -> Any:
        """An interval of mpmath, ``mpmath.iv.mpf``, that contains this one.

        >>> 1 / Interval(3, 3).to_iv() * 3
        mpi('0.99999999999999989', '1.0000000000000002')
        """
        from pldverify.numbers.conversion import to_iv

        return to_iv((self.lower, self.upper), digits)

    def to_arb(self, digits: int = 30) -> Any:
        """A ball of python-flint, ``flint.arb``, that contains the interval; made with ``digits`` digits.

        >>> Interval(1, 2).to_arb().contains(1)
        True
        """
        from pldverify.numbers.conversion import to_arb

        return to_arb((self.lower, self.upper), digits)

    def decimal(self) -> str:
        """Decimal text whose interval contains [lower, upper]: ``m ± r`` with the proved digits, 1000 at
        most; both ends where fewer than two are proved, unless 0 lies between them.

        >>> Interval("0.1999", "0.2001").decimal()
        '0.200 ± 0.00010'
        """
        from pldverify.numbers.presentation import decimal

        return decimal((self.lower, self.upper))

    def __format__(self, spec: str) -> str:
        """As a float is formatted, without an unproved digit: see ``format_spec.py``."""
        from pldverify.numbers.format_spec import formatted

        return formatted((self.lower, self.upper), spec) if spec else str(self)

    def __str__(self) -> str:
        return self.decimal()

    def __repr__(self) -> str:
        return f"Interval({self.decimal()})"

    def _repr_latex_(self) -> str:
        from pldverify.numbers.markup import latex_number

        return f"${latex_number(self.decimal())}$"
