"""What is loaded late: public names of a package when they are first used, and what an extra brings.

Public names stand in the stub beside the package, once. A line ``from module import name as name`` of
``__init__.pyi`` tells type checkers what a name is, and :func:`attach` where it is defined.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import get_data

from pldverify.errors import MissingLibrary

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


@contextmanager
def needs(told: str) -> Iterator[None]:
    """What is imported inside may be missing. Raises MissingLibrary with that message.

    >>> from pldverify.late_names import needs
    >>> with needs("this needs nothing: pip install nothing"):
    ...     import nothing
    Traceback (most recent call last):
    pldverify.errors.MissingLibrary: this needs nothing: pip install nothing
    """
    try:
        yield
    except ImportError:
        raise MissingLibrary(told) from None


def _stub(package: str) -> str:
    """Also where the package is in a zip file."""
    return (get_data(package, "__init__.pyi") or b"").decode()
