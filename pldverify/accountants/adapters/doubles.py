"""Doubles: exact parameters in double precision."""

from fractions import Fraction

from pldverify.errors import NotSupported
from pldverify.numbers.exact import show


class Doubles:
    """Rounds exact parameters to the doubles that a library takes, and remembers which ones that changed.

    With ``integers`` a whole number is passed as the ``int`` that a user may write, and not as a double:
    some libraries go another way for it.
    """

    def __init__(self, *, integers: bool = False) -> None:
        self._changed: dict[str, float] = {}
        self._integers = integers

    def __call__(self, value: Fraction, name: str) -> float:
        """The double nearest to ``value``. Raises NotSupported on overflow, and on underflow to zero."""
        try:
            number = float(value)
        except OverflowError:
            raise NotSupported(f"{name}={show(value)} is beyond the largest double") from None
        if number == 0 != value:
            raise NotSupported(f"{name}={show(value)} is below the smallest double")
        if Fraction(number) != value:
            self._changed[name] = number
        return int(number) if self._integers and value.denominator == 1 else number

    def __str__(self) -> str:
        """The parameters that are no doubles, with the double that stood in for each."""
        return ", ".join(f"{name}={number!r}" for name, number in self._changed.items()) or "none"
