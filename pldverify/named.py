"""Named: Python objects that a user names, ``package.module:name`` and ``folder/file.py:name``.

Reading one runs that module or file, as ``python`` would, with the rights of whoever asked. A file is a
module whose name is its absolute path, and runs again when it has changed.
"""

import ast
import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from pldverify.errors import InvalidInput, MissingLibrary, PldverifyError
from pldverify.foreign import visible

Result = TypeVar("Result")

_MAX_MESSAGE = 300
"""Characters of a foreign error message that are shown."""
_OURS = str(Path(__file__).parent)
_sources: dict[str, bytes] = {}
"""What the files that were run held then."""


def is_reference(text: str) -> bool:
    """Whether ``text`` is written as a reference.

    >>> from pldverify.named import is_reference
    >>> is_reference("mine.py:Moments"), is_reference("dp-accounting/pld")
    (True, False)
    """
    place, _, name = text.rpartition(":")
    return bool(place) and all(part.isidentifier() for part in name.split("."))


def find(reference: str) -> object:
    """The object that a reference names. Raises InvalidInput, with the line of the user's that failed.

    >>> from pldverify.named import find
    >>> find("fractions:Fraction")
    <class 'fractions.Fraction'>
    """
    place, _, name = reference.rpartition(":")
    found: object = _file(place) if place.endswith(".py") else _importable(place)
    for part in name.split("."):
        if not hasattr(found, part):
            names = sorted(each for each in vars(found) if not each.startswith("_"))
            raise InvalidInput(f"{place} must define {name}, got {', '.join(names[:20]) or 'nothing'}")
        found = getattr(found, part)
    return found


def defined(place: str) -> dict[str, str]:
    """The classes and functions of a Python file, which is not run, each with its docstring. Raises
    InvalidInput for a file that can't be read.
    """
    path = Path(place).expanduser()
    try:
        body = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidInput(f"{place} must be a Python file, got {one_line(error)}") from None
    kinds = ast.ClassDef | ast.FunctionDef
    return {
        each.name: ast.get_docstring(each) or ""
        for each in body
        if isinstance(each, kinds) and not each.name.startswith("_")
    }


def run(place: str, action: Callable[[], Result]) -> Result:
    """What the user's code returns. Raises InvalidInput: what it raised, and on which line of its own;
    MissingLibrary.
    """
    try:
        return action()
    except MissingLibrary:
        raise
    except (Exception, SystemExit) as error:
        kind = "" if isinstance(error, PldverifyError) else f"{type(error).__name__}: "
        raise InvalidInput(f"{place} failed: {kind}{one_line(error)}{own_line(error)}") from error


def one_line(said: object) -> str:
    """The text of what somebody else's code said, on one visible line, cut at 300 characters.

    >>> from pldverify.named import one_line
    >>> one_line(["two", 2])
    "['two', 2]"
    """
    try:
        text = str(said)
    except Exception:  # its own __str__, or an integer of too many digits
        return f"a {type(said).__name__} without a text"
    words = " ".join(text[: 10 * _MAX_MESSAGE].split()) or "no message"
    shown = visible(words)
    return shown if len(shown) <= _MAX_MESSAGE else shown[: _MAX_MESSAGE - 1] + "…"


def own_line(error: BaseException) -> str:
    """Where in the user's own file an error came from, ``" (mine.py, line 3: import nothing)"``; "" unknown.

    That is the deepest line of the first file that is neither ours nor Python's import machinery.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((_OURS, "<frozen importlib", str(importlib.__file__)))
    ]
    own = [frame for frame in frames if frame.filename == frames[0].filename]
    if not own or isinstance(error, SyntaxError):  # which says it itself
        return ""
    line = f": {one_line(own[-1].line)}" if own[-1].line else ""
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno}{line})"


def _file(place: str) -> ModuleType:
    path = Path(place).expanduser().absolute()
    if not path.is_file():
        raise InvalidInput(f"{place} must be a Python file, got none at {path}")
    name, source = str(path), path.read_bytes()
    if _sources.get(name) != source or name not in sys.modules:
        _look_in(str(path.parent))  # as for a script: it may import its neighbours
        module = ModuleType(name)
        module.__file__ = name
        sys.modules[name] = module  # dataclasses look their module up
        try:
            run(place, lambda: exec(compile(source, name, "exec"), vars(module)))
        except BaseException:
            del sys.modules[name]
            raise
        _sources[name] = source
    return sys.modules[name]


def _importable(place: str) -> ModuleType:
    if place not in sys.modules:
        _look_in("")  # as for python -m: modules of the folder that the command is run in
    return run(place, lambda: importlib.import_module(place))


def _look_in(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)
