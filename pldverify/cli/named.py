"""Mechanisms that a user's own Python file or module defines: ``./mine.py:pair`` and ``package.module:pair``.

Reading one runs that file or module, as ``python`` would, with the rights of whoever typed the command. What
it names may be a mechanism, a composition, a derivation (a pair of densities), or a function that returns
one; the arguments of ``./mine.py:pair(sigma=2)`` are the parameters of a derivation, or the function's.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from pldverify.errors import InvalidInput, PldverifyError
from pldverify.mechanisms.expression import REFERENCE, parse
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.irrational import Irrational

if TYPE_CHECKING:
    from pldverify.symbolic.derivation import Derivation

Result = TypeVar("Result")


def composition(text: str) -> Composition:
    """What an expression of the command line denotes, references read. Raises InvalidInput."""
    return parse(text, load)


def derivation(text: str, direction: Direction | None) -> "Derivation | None":
    """The derivation that ``text`` names, if it is a reference and nothing else; None otherwise."""
    if not REFERENCE.fullmatch(text.strip()):
        return None
    from pldverify.symbolic.derivation import Derivation
    from pldverify.symbolic.derive import derive

    found = find(text.strip())
    if isinstance(found, Derivation) and direction in (None, found.direction):
        return found
    if isinstance(found, Derivation):
        found = found.mechanism()
    return derive(found, direction=direction)  # type: ignore[arg-type]  # which it checks


def load(reference: str, arguments: Mapping[str, Fraction | Irrational]) -> Mechanism | Composition:
    """The mechanism or composition that a reference with arguments names. Raises InvalidInput."""
    found = find(reference)
    if callable(found):
        function, arguments = found, dict(arguments)
        found, arguments = _run(reference, lambda: function(**arguments)), {}
    made = getattr(found, "mechanism", None)
    if made is not None:
        found = made(**arguments)
    elif arguments:
        raise InvalidInput(f"{reference} must be a derivation or a function to take arguments")
    if not isinstance(found, Mechanism | Composition):
        kind = type(found).__name__
        raise InvalidInput(f"{reference} must be a mechanism, a composition or a derivation, got {kind}")
    return found


def find(reference: str) -> object:
    """The object that a reference names; its file or module is run once. Raises InvalidInput."""
    place, _, name = reference.rpartition(":")
    module = _module(place)
    if not hasattr(module, name):
        names = sorted(each for each in vars(module) if not each.startswith("_"))
        raise InvalidInput(f"{place} must define {name}, got {', '.join(names[:20]) or 'nothing'}")
    return getattr(module, name)


@lru_cache(maxsize=64)
def _module(place: str) -> ModuleType:
    return _file(place) if place.endswith(".py") else _importable(place)


def _file(place: str) -> ModuleType:
    path = Path(place).expanduser()
    if not path.is_file():
        raise InvalidInput(f"{place} must be a Python file, got none at {path.absolute()}")
    spec = importlib.util.spec_from_file_location(f"named_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InvalidInput(f"{place} must be a Python file")
    module, loader = importlib.util.module_from_spec(spec), spec.loader
    sys.path.insert(0, str(path.absolute().parent))  # as for a script: it may import its neighbours
    _run(place, lambda: loader.exec_module(module))
    return module


def _importable(place: str) -> ModuleType:
    sys.path.insert(0, "")  # as for python -m: modules of the folder that the command is run in
    return _run(place, lambda: importlib.import_module(place))


def _run(place: str, action: Callable[[], Result]) -> Result:
    """What the user's code returns; what it raises in one line."""
    try:
        return action()
    except PldverifyError as error:
        raise InvalidInput(f"{place} failed: {error}") from error
    except (Exception, SystemExit) as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise InvalidInput(f"{place} failed: {told}") from error
