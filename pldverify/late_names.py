"""Public names of a package, each loaded when it is first used: they stand in the stub beside it, once.

A line ``from module import name as name`` of ``__init__.pyi`` tells type checkers what a name is, and
:func:`attach` where it is defined.
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data

_LINE = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)
_ALL = re.compile(r"^from (\S+) import \*", re.MULTILINE)


def homes(package: str) -> dict[str, str]:
    """Name ↦ module, of the stub beside a package's ``__init__.py``."""
    return {name: module for module, name in _LINE.findall(_stub(package))}


def attach(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package. A star in its stub means the classes of that module.

    >>> import pldverify as pv
    >>> "Gaussian" in dir(pv) and "delta" in dir(pv)
    True
    """
    known, rooms = homes(package), _ALL.findall(_stub(package))

    def classes() -> dict[str, type]:
        found = (vars(import_module(room)) for room in rooms)
        return {name: value for each in found for name, value in each.items() if isinstance(value, type)}

    def names() -> list[str]:
        return sorted({*known, *classes()})

    def late(name: str) -> object:
        if name == "__all__":
            return [each for each in names() if not each.startswith("_")]
        if known.get(name) == package:
            return import_module(f"{package}.{name}")
        if name in known:
            value = getattr(import_module(known[name]), name)
        elif not name.startswith("_") and name in (others := classes()):
            value = others[name]
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    return late, names


def _stub(package: str) -> str:
    """Also where the package is in a zip file."""
    return (get_data(package, "__init__.pyi") or b"").decode()
