"""Accountant: the base class of everybody's accountants, and a function as one."""

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args, overload

from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction
from pldverify.numbers.exact import Number, brief, nonnegative

Asked = Callable[[Query], Any]
"""A function of a query; it returns a number, or a claim."""


class _Default:
    """What an object says unless it, or its class, has an attribute of that name.

    A class has none, or dataclasses would take it for the default of their fields.
    """

    def __init__(self, of: Callable[[type], object]) -> None:
        self._of = of

    def __get__(self, instance: object, owner: type) -> object:
        if instance is None:
            raise AttributeError("only objects have this default")
        return self._of(owner)


def _library(owner: object) -> str:
    """The package that the class or the function stands in, or its file."""
    module: str = getattr(owner, "__module__", None) or type(owner).__module__
    return Path(module).stem if module.endswith(".py") else module.partition(".")[0]


class Accountant(ABC):
    """A subject: it answers queries in its own arithmetic, may be wrong, and is never repaired.

    Derive from it, say ``direction`` and write :meth:`claim`; the rest has defaults. A number that it returns
    is a claim: that double, to the last bit. ``raise NotImplementedError("why")`` refuses a query.

    Attributes:
        direction: what its number is meant to be, ``upper``, ``lower`` or ``estimate``.
        error: what an estimate is wrong by at most, in the unit of the answer; None: it promises nothing.
        name: what findings call it; left out, the name of the class. No two in a sweep have the same.
        library: the package that it comes from; left out, the one that the class stands in. In a sweep each
            library has a process of its own.
        asks: the classes of queries that it may be asked; left out, those for ε and δ.

    >>> import math
    >>> import pldverify as pv
    >>> class ZCDP(pv.Accountant):
    ...     direction = "upper"
    ...     def claim(self, query):
    ...         if query.delta is None or query.adjacency == "replace-one":
    ...             raise NotImplementedError("it has ε at a given δ, of a record added or removed")
    ...         rho = sum(k / (2 * float(m.noise_multiplier) ** 2) for m, k in query.composition.parts)
    ...         return rho + 2 * math.sqrt(rho * math.log(1 / float(query.delta)))
    >>> pv.check(ZCDP(), pv.Query(100 * pv.Gaussian(20), delta="1e-6")).verdict
    'SOUND'
    """

    asks: ClassVar[tuple[type[Query], ...]] = (Query,)

    if TYPE_CHECKING:

        @property
        def error(self) -> Number | None: ...
        @property
        def direction(self) -> Direction: ...
        @property
        def name(self) -> str: ...
        @property
        def library(self) -> str: ...
    else:
        name = _Default(lambda owner: owner.__qualname__.rpartition("<locals>.")[2])
        library = _Default(_library)
        error = _Default(lambda owner: None)

    def version(self) -> str:
        """The library's version, ``unknown`` if it has none. A library is loaded here, so that :meth:`claim`
        is timed without it.

        >>> import pldverify as pv
        >>> pv.Accountant.of(lambda query: 1.0, direction="upper").version() == pv.__version__
        True
        """
        from importlib import metadata  # a hundredth of a second, which a certificate has no use for

        said = getattr(sys.modules.get(self.library), "__version__", None)
        try:
            return said if isinstance(said, str) else metadata.version(self.library)
        except (metadata.PackageNotFoundError, ValueError):
            return "unknown"

    def supports(self, query: Query) -> str | None:
        """None if the query has an answer, else one line that says why not.

        >>> import pldverify as pv
        >>> class Gaussians(pv.Accountant):
        ...     direction = "upper"
        ...     def supports(self, query):
        ...         strange = [m for m, _ in query.composition.parts if not isinstance(m, pv.Gaussian)]
        ...         return f"nothing is known of {strange[0]}" if strange else None
        ...     def claim(self, query):
        ...         return float("inf")
        >>> pv.check(Gaussians(), pv.Query(pv.Laplace(1), delta="1e-5")).reason
        'Gaussians does not support this: nothing is known of laplace(b=1)'
        """
        return None

    @abstractmethod
    def claim(self, query: Query) -> Claim | Number:
        """The answer: a number, or a ``pv.Claim`` with settings. Raises NotImplementedError to refuse.

        >>> import pldverify as pv
        >>> class Settings(pv.Accountant):
        ...     direction = "upper"
        ...     def claim(self, query):
        ...         return pv.Claim(5.5, "upper", "my paper", {"grid": "1e-4"})
        >>> finding = pv.check(Settings(), pv.Query(pv.Gaussian(1), delta="1e-5"))
        >>> finding.verdict, dict(finding.claim.parameters)
        ('SOUND', {'grid': '1e-4'})
        """

    @overload
    @staticmethod
    def of(
        function: Asked, *, direction: Direction, error: Number | None = None, name: str | None = None
    ) -> "Function": ...
    @overload
    @staticmethod
    def of(
        function: None = None,
        *,
        direction: Direction,
        error: Number | None = None,
        name: str | None = None,
    ) -> Callable[[Asked], "Function"]: ...
    @staticmethod
    def of(
        function: Asked | None = None,
        *,
        direction: Direction,
        error: Number | None = None,
        name: str | None = None,
    ) -> "Function | Callable[[Asked], Function]":
        """An accountant that asks ``function(query)``; without a function, a decorator.

        Raises InvalidInput for a function that takes no query, an unknown direction, an error that is
        negative, or of what is no estimate.

        >>> import pldverify as pv
        >>> @pv.Accountant.of(direction="lower")
        ... def nothing(query):
        ...     return 0.0
        >>> nothing.name, nothing.direction, pv.check(nothing, pv.Query(pv.Gaussian(1), epsilon=1)).verdict
        ('nothing', 'lower', 'SOUND')
        """
        if function is not None:
            return _function(function, direction, error, name)
        return lambda decorated: _function(decorated, direction, error, name)


@dataclass(frozen=True)
class Function(Accountant):
    """A function as an accountant, see :meth:`Accountant.of`; it can still be called."""

    function: Asked
    direction: Direction
    error: Fraction | None = None
    name: str = ""

    @property
    def library(self) -> str:
        """The package that the function stands in."""
        return _library(self.function)

    @property
    def __wrapped__(self) -> Asked:
        """The function that a decorated name hides."""
        return self.function

    def __call__(self, query: Query) -> Any:
        return self.function(query)

    def claim(self, query: Query) -> Any:
        """What the function returns."""
        return self.function(query)


def _function(function: Asked, direction: Direction, error: Number | None, name: str | None) -> Function:
    if not callable(function):
        raise InvalidInput(f"function must be callable with a query, got {brief(function)}")
    called = name or str(getattr(function, "__name__", type(function).__name__))
    try:
        inspect.signature(function).bind(None)
    except TypeError as wrong:
        raise InvalidInput(f"{called} must take one argument, the query: {wrong}") from None
    except ValueError:  # a builtin, or from C: unknown until it is called
        pass
    made = Function(function, direction, None if error is None else nonnegative(error, "error"), called)
    require(made)
    return made


def require(accountant: Accountant) -> None:
    """Raise InvalidInput, which says what is missing, for what is no accountant."""
    called = f"accountant {type(accountant).__name__}"
    for method in ("claim", "supports", "version"):
        if not callable(getattr(accountant, method, None)):
            raise InvalidInput(f"{called} must have a method {method}; pv.Accountant has the defaults")
    for text in ("name", "library"):
        if not isinstance(getattr(accountant, text, None), str) or not getattr(accountant, text):
            raise InvalidInput(f"{called} must have a {text}, a text; pv.Accountant has the defaults")
    allowed = get_args(Direction)
    direction = getattr(accountant, "direction", None)
    if direction not in allowed:
        said = "none" if direction is None else f"direction={brief(direction)}"
        raise InvalidInput(
            f"accountant {accountant.name} must say what its number is: direction must be one of "
            f"{', '.join(allowed)}, got {said}"
        )
    error = getattr(accountant, "error", None)
    if error is not None:
        nonnegative(error, f"error of accountant {accountant.name}")
        if direction != "estimate":
            raise InvalidInput(f"accountant {accountant.name} must be an estimate to have an error")
