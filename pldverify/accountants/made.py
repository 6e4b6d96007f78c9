"""Made: an accountant of a class, an object or a function, or an error that says what is missing."""

import inspect
from typing import cast

from pldverify import named
from pldverify.accountants.accountant import Accountant, require
from pldverify.errors import InvalidInput
from pldverify.numbers.claim import Direction
from pldverify.numbers.exact import Number, brief


def made(thing: object, direction: Direction | None = None, error: Number | None = None) -> Accountant:
    """The accountant that an object is, a class makes, or a function becomes with a ``direction``.

    Raises InvalidInput for what is none, and for a direction or an error of what states its own.

    >>> from pldverify.accountants.made import made
    >>> made(lambda query: 0.0, "lower").direction
    'lower'
    """
    if isinstance(thing, type) and _claims(thing):
        thing = _instance(thing)
    if _claims(thing):
        return _stating(cast(Accountant, thing), direction, error)
    if isinstance(thing, type) or not callable(thing):
        raise InvalidInput(
            "accountant must be a name, a class or an object with a method claim, or a function of a query, "
            f"got {brief(thing)}"
        )
    if direction is None:
        called = getattr(thing, "__name__", type(thing).__name__)
        raise InvalidInput(
            f"function {called} must say what its number is: direction must be upper, lower or estimate, got "
            f"none; pv.Accountant.of({called}, direction=…) is an accountant"
        )
    return Accountant.of(thing, direction=direction, error=error)


def _claims(thing: object) -> bool:
    return (
        isinstance(thing, Accountant)
        or callable(getattr(thing, "claim", None))
        or (isinstance(thing, type) and issubclass(thing, Accountant))
    )


def _instance(kind: type) -> object:
    """An object of the class, made without arguments."""
    abstract = sorted(getattr(kind, "__abstractmethods__", ()))
    if abstract:
        raise InvalidInput(f"accountant {kind.__name__} must have a method {abstract[0]}, got none")
    try:
        inspect.signature(kind).bind()
    except TypeError as wrong:
        raise InvalidInput(
            f"accountant {kind.__name__} must be made before it is asked, {kind.__name__}(…): {wrong}"
        ) from None
    except ValueError:  # a class without a signature
        pass
    return named.run(kind.__name__, kind)


def _stating(accountant: Accountant, direction: Direction | None, error: Number | None) -> Accountant:
    """The accountant itself, whose own direction is not contradicted."""
    require(accountant)
    if direction not in (None, accountant.direction) or error is not None:
        raise InvalidInput(
            f"direction and error must be left out for accountant {accountant.name}, which states its own, "
            f"{accountant.direction}"
        )
    return accountant
