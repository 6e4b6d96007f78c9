"""Keys: what makes two questions, two accountants and two versions of this package the same.

A key is a digest of everything that an answer can depend on, so an answer is found again only where nothing
of that has changed.
"""

import json
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import FunctionType, ModuleType

from pldverify.accountants import environments
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.command import Command
from pldverify.accountants.worker import objects
from pldverify.errors import MissingLibrary
from pldverify.mechanisms.query import Query
from pldverify.version import __version__

_PACKAGE = Path(__file__).parents[1]
_TRUTH = ("numbers", "mechanisms", "balls", "reference", "symbolic", "values")
"""Rooms that an enclosure depends on."""
_VERDICT = (*_TRUTH, "accountants", "rulings")
"""Rooms that a finding depends on."""
_LIBRARIES = ("python-flint", "numpy", "scipy")
_LENGTH = 32
"""Hexadecimal digits of a key: 128 bits."""


@dataclass(frozen=True)
class Subject:
    """What findings of an accountant are kept under.

    Attributes:
        name: of the accountant.
        version: of its library; "unknown" where nobody says it without running the library.
        code: digest of its settings and, where it is not one of ours, of the files that it stands in.
    """

    name: str
    version: str
    code: str


@lru_cache(maxsize=100_000)
def question(query: Query) -> str:
    """The key of a question, with every number exact.

    An accountant that passes whole numbers on as integers is another accountant, not another question.
    """
    return _digest([written(query)])


def written(value: object) -> str:
    """A query or an accountant as JSON that :func:`~pldverify.accountants.worker.objects.read` reads back.

    Raises InvalidInput for what another process could not make again.
    """
    return json.dumps(objects.write(value), separators=(",", ":"), sort_keys=True)


def subject(accountant: Accountant) -> Subject:
    """Raises InvalidInput for an accountant that another process could not make."""
    text = written(accountant)
    code = _digest([text, *(path.read_bytes() for path in _files(accountant))])
    return Subject(accountant.name, _version(accountant), code)


@lru_cache(maxsize=1)
def truth_version() -> str:
    """What proves truths: version and source of this package, as far as it proves, and of FLINT's binding."""
    return _source(_TRUTH)


@lru_cache(maxsize=1)
def verdict_version() -> str:
    """What makes findings: all that proves truths, the adapters, and the rulings."""
    return _source(_VERDICT)


def _source(rooms: Iterable[str]) -> str:
    paths = [path for room in rooms for path in sorted((_PACKAGE / room).rglob("*.py"))]
    versions = [f"{library} {_installed(library)}" for library in _LIBRARIES]
    return f"{__version__}+{_digest([*versions, *(path.read_bytes() for path in paths)])[:12]}"


def _version(accountant: Accountant) -> str:
    """Without importing the library."""
    library = accountant.library
    if library == "pldverify":
        return __version__
    try:
        return environments.find(library).version if _is_apart(accountant) else _installed(library)
    except MissingLibrary:
        return "unknown"


def _is_apart(accountant: Accountant) -> bool:
    program = getattr(accountant, "program", None)
    return not isinstance(accountant, Command) and program is not None and program(0) is not None


def _installed(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except (metadata.PackageNotFoundError, ValueError):
        return "unknown"


def _files(accountant: Accountant) -> list[Path]:
    """Files of the user's own that an accountant stands in, and those that these import as they are loaded;
    of ours :func:`verdict_version` speaks, of what is installed its version.
    """
    if isinstance(accountant, Command):
        found = (shutil.which(word) or word for word in accountant.words)
        return [path for path in map(Path, found) if path.is_file()]
    owners = [type(accountant), getattr(accountant, "function", None)]
    left = [getattr(owner, "__module__", None) for owner in owners]
    own = {file for name in left if (file := _file(name)) and not file.is_relative_to(_PACKAGE)}
    seen: set[object] = set()
    while left:
        name = left.pop()
        file = _file(name)
        if name in seen or file is None or (file not in own and _is_installed(file)):
            continue
        seen.add(name)
        own.add(file)
        for value in vars(sys.modules[str(name)]).values():
            left.append(value.__name__ if isinstance(value, ModuleType) else _module(value))
    return sorted(own)


def _module(value: object) -> object:
    """Where a class or a function stands; None for what has no such place."""
    return getattr(value, "__module__", None) if isinstance(value, type | FunctionType) else None


def _file(name: object) -> Path | None:
    """Of a module that is loaded."""
    file = getattr(sys.modules.get(str(name)), "__file__", None)
    return None if file is None else Path(file)


def _is_installed(file: Path) -> bool:
    """Whether it is ours, Python's own, or of another distribution."""
    paths = sysconfig.get_paths()
    folders = [_PACKAGE, *(Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))]
    return any(file.is_relative_to(folder) for folder in folders)


def _digest(parts: Iterable[str | bytes]) -> str:
    whole = sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(str(len(data)).encode() + b":" + data)
    return whole.hexdigest()[:_LENGTH]
