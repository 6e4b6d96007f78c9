"""Call: a library call written down before the library is there, so that a refusal needs no library."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any, Union

from pldverify.errors import NotSupported
from pldverify.numbers.exact import show

Argument = Union[int, float, bool, "Call"]


@dataclass(frozen=True)
class Call:
    """``function(**arguments)`` of a module that is named when the call is made; nested calls go first."""

    function: str
    arguments: Mapping[str, Argument]

    def make(self, module: ModuleType) -> Any:
        """Make the call on ``module`` and return what it returns."""
        made = {k: v.make(module) if isinstance(v, Call) else v for k, v in self.arguments.items()}
        return getattr(module, self.function)(**made)

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        return f"{self.function}({listed})"


class Doubles:
    """Rounds exact parameters to the doubles that a library takes, and remembers which ones that changed."""

    def __init__(self) -> None:
        self._changed: dict[str, float] = {}

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
        return number

    def __str__(self) -> str:
        """The parameters that are no doubles, with the double that stood in for each."""
        return ", ".join(f"{name}={number!r}" for name, number in self._changed.items()) or "none"
