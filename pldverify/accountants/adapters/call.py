"""Call: a library call written down before the library is there, so that a refusal needs no library."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from types import ModuleType
from typing import Any, Union

from pldverify.errors import NotSupported
from pldverify.numbers.exact import show

Argument = Union[
    int, float, bool, "Call", "Name", Sequence["Argument"], Mapping[int, float], Mapping[str, float]
]


@dataclass(frozen=True)
class Name:
    """What a module calls by a dotted name, such as a member of an enumeration."""

    dotted: str

    def find(self, module: ModuleType) -> Any:
        """What it stands for in ``module``."""
        return attrgetter(self.dotted)(module)

    def __str__(self) -> str:
        return self.dotted


@dataclass(frozen=True)
class Call:
    """``function(**arguments)`` of a module that is named when the call is made; nested calls go first.

    ``function`` may have dots: ``common.DifferentialPrivacyParameters``.
    """

    function: str
    arguments: Mapping[str, Argument]

    def make(self, module: ModuleType) -> Any:
        """Make the call on ``module`` and return what it returns."""
        made = {name: _made(value, module) for name, value in self.arguments.items()}
        return Name(self.function).find(module)(**made)

    def source(self, module: str) -> str:
        """The call as a line of Python, in which ``module`` is the name of the module.

        >>> step = Call("PoissonSampledDpEvent", {"q": 0.5, "event": Call("GaussianDpEvent", {"sigma": 1})})
        >>> step.source("dp")
        'dp.PoissonSampledDpEvent(q=0.5, event=dp.GaussianDpEvent(sigma=1))'
        """
        listed = ", ".join(f"{name}={_source(value, module)}" for name, value in self.arguments.items())
        return f"{module}.{self.function}({listed})"

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={_shown(value)}" for name, value in self.arguments.items())
        return f"{self.function}({listed})"


def _made(value: Argument, module: ModuleType) -> Any:
    if isinstance(value, Call):
        return value.make(module)
    if isinstance(value, Name):
        return value.find(module)
    return [_made(item, module) for item in value] if isinstance(value, list | tuple) else value


def _source(value: Argument, module: str) -> str:
    if isinstance(value, Call):
        return value.source(module)
    if isinstance(value, Name):
        return f"{module}.{value}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_source(item, module) for item in value)}]"
    return "float('inf')" if value == math.inf else repr(value)


def _shown(value: Argument) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value)


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
