"""Objects: an accountant and a query as JSON, and back in the process that asks.

A value is written as

    null, true, false, "text"              itself
    {"int": "5"}  {"fraction": "1/3"}      an exact number
    {"float": "0x1.8p+0"}                  a double, exactly; "nan", "inf" and "-inf" are doubles too
    {"tuple": [value, …]}  {"list": [value, …]}
    {"dict": [[value, value], …]}
    {"import": "module:name"}              a class or a function of a module or a file
    {"wrapped": "module:name"}             the function that was decorated under this name
    {"object": "module:name", "fields": {"name": value, …}}
                                           a dataclass by the arguments that make it again
    {"object": "module:name", "attributes": {"name": value, …}}
                                           any other object by its class and its attributes

A module that the process could not find by its name is named by its file (:mod:`pldverify.named`).

Only the process under test reads these: we write them, so they are trusted there, and nothing of it is ever
read back (answers are :mod:`pldverify.accountants.worker.messages`).
"""

from collections.abc import Callable
from contextlib import suppress
from copyreg import __newobj__  # type: ignore[attr-defined]  # what protocol 2 makes objects by
from dataclasses import fields, is_dataclass
from fractions import Fraction
from sys import meta_path, modules
from types import FunctionType
from typing import cast

from pldverify import named
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
        case dict():
            return {"dict": [[write(key), write(item)] for key, item in value.items()]}
        case type() | FunctionType():
            kind, address = _address(value)
            return {kind: address}
    return _object(value)


def read(value: JSON) -> object:
    """The value that :func:`write` wrote. Raises what importing and constructing raise."""
    match value:
        case {"object": str(address), "fields": dict(arguments)}:
            return _class(address)(**{name: read(item) for name, item in arguments.items()})
        case {"object": str(address), "attributes": dict(attributes)}:
            made: object = object.__new__(_class(address))
            vars(made).update({name: read(item) for name, item in attributes.items()})
            return made
        case {"import": str(address)}:
            return named.find(address)
        case {"wrapped": str(address)}:
            return named.find(address).__wrapped__  # type: ignore[attr-defined]
        case {"tuple": list(items)}:
            return tuple(map(read, items))
        case {"list": list(items)}:
            return list(map(read, items))
        case {"dict": list(items)}:
            return {read(key): read(item) for key, item in cast(list[tuple[JSON, JSON]], items)}
        case dict():
            ((kind, text),) = value.items()
            return _READERS[kind](str(text))
    return value


def _object(value: object) -> JSON:
    if is_dataclass(value):
        kind, parts = (
            "fields",
            {field.name: getattr(value, field.name) for field in fields(value) if field.init},
        )
    else:
        kind, parts = "attributes", _attributes(value)
    _, address = _address(type(value))
    return {"object": address, kind: {name: write(item) for name, item in parts.items()}}


def _attributes(value: object) -> dict[str, object]:
    """All that there is of an object beside its class. Raises InvalidInput where there is more."""
    kind = type(value)
    with suppress(Exception):  # what can't be taken apart may raise anything
        parts = value.__reduce_ex__(2)
        whole = parts[:2] == (__newobj__, (kind,)) and not any(parts[3:])
        if whole and isinstance(parts[2], dict | None) and not hasattr(kind, "__setstate__"):
            return parts[2] or {}
    raise InvalidInput(
        "accountant must be a dataclass, or have attributes that are numbers, texts and the like, to go to a "
        f"worker, got {brief(value)}"
    )


def _address(value: type | FunctionType) -> tuple[str, str]:
    """How another process finds it, ``import`` or ``wrapped``, and by which name. Raises InvalidInput."""
    address = f"{_place(value.__module__)}:{value.__qualname__}"
    found: object = None
    if value.__module__ != "__main__" and named.is_reference(address):  # each process has a main of its own
        found = modules.get(value.__module__)
        for part in value.__qualname__.split("."):
            found = getattr(found, part, None)
    if found is value:
        return "import", address
    if found is not None and getattr(found, "__wrapped__", None) is value:
        return "wrapped", address
    raise InvalidInput(f"accountant must be importable by module and name, got {address}")


def _place(module: str) -> str:
    """What another process calls a module: its name, or its file where it could not find that name."""
    path = getattr(modules.get(module), "__file__", None)
    return module if path is None or module in (path, "__main__") or _findable(module, path) else path


def _findable(module: str, path: str) -> bool:
    """Whether import machinery finds the module at that path by its name, and not because it is there."""
    places, package = None, ""
    for part in module.split("."):
        package = f"{package}.{part}".lstrip(".")
        found = (finder.find_spec(package, places) for finder in meta_path)
        spec = next(filter(None, found), None)
        if spec is None:
            return False
        places = spec.submodule_search_locations
    return spec is not None and spec.origin == path


def _class(address: str) -> type:
    return cast(type, named.find(address))
