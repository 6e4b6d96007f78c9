"""Objects: an accountant and a query as JSON, and back in the process that asks.

A value is written as

    null, true, false, "text"              itself
    {"int": "5"}  {"fraction": "1/3"}      an exact number
    {"float": "0x1.8p+0"}                  a double, exactly; "nan", "inf" and "-inf" are doubles too
    {"tuple": [value, …]}  {"list": [value, …]}
    {"import": "module:name"}              a class or a function at the top of a module
    {"object": "module:name", "fields": {"name": value, …}}
                                           a dataclass by the arguments that make it again, or what has
                                           no attributes by its class

Only the process under test reads these: we write them, so they are trusted there, and nothing of it is ever
read back (answers are :mod:`pldverify.accountants.worker.messages`).
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from types import FunctionType

from pldverify.accountants.worker.lines import JSON
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief

_READERS: dict[str, Callable[[str], object]] = {"int": int, "fraction": Fraction, "float": float.fromhex}


def write(value: object) -> JSON:
    """The JSON of a value. Raises InvalidInput for what another process could not make again."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return {"int": str(value)}
        case Fraction():
            return {"fraction": str(value)}
        case float():
            return {"float": float(value).hex()}
        case tuple():
            return {"tuple": [write(item) for item in value]}
        case list():
            return {"list": [write(item) for item in value]}
        case type() | FunctionType():
            return {"import": _address(value)}
    return _object(value)


def read(value: JSON) -> object:
    """The value that :func:`write` wrote. Raises what importing and constructing raise."""
    match value:
        case {"object": str(address), "fields": dict(arguments)}:
            return _imported(address)(**{name: read(item) for name, item in arguments.items()})
        case {"import": str(address)}:
            return _imported(address)
        case {"tuple": list(items)}:
            return tuple(map(read, items))
        case {"list": list(items)}:
            return list(map(read, items))
        case dict():
            ((kind, text),) = value.items()
            return _READERS[kind](str(text))
    return value


def _object(value: object) -> JSON:
    if is_dataclass(value):
        arguments = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    elif not getattr(value, "__dict__", {"slots": None}):
        arguments = {}
    else:
        raise InvalidInput(
            f"accountant must be a dataclass, or have no attributes, to go to a worker, got {brief(value)}"
        )
    return {
        "object": _address(type(value)),
        "fields": {name: write(item) for name, item in arguments.items()},
    }


def _address(value: type | FunctionType) -> str:
    """``module:name`` of what can be imported by it. Raises InvalidInput."""
    address = f"{value.__module__}:{value.__qualname__}"
    try:
        found = None if value.__module__ == "__main__" else _imported(address)
    except (AttributeError, ImportError):
        found = None
    if found is not value:
        raise InvalidInput(f"accountant must be importable by module and name, got {address}")
    return address


def _imported(address: str) -> Callable[..., object]:
    module, _, name = address.partition(":")
    found: Callable[..., object] = getattr(import_module(module), name)
    return found
