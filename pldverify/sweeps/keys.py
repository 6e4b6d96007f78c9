"""Keys: what makes two questions, two accountants and two versions of this package the same.

A key is a digest of everything that an answer can depend on, so an answer is found again only where nothing
of that has changed.
"""

import json
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from pldverify.accountants import environments
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.command import Command
from pldverify.accountants.worker import objects
from pldverify.errors import MissingLibrary
from pldverify.mechanisms.query import Query
from pldverify.version import __version__

_PACKAGE = Path(__file__).parents[1]
_TRUTH = ("numbers", "mechanisms", "balls", "reference", "symbolic")
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
    """Files of the user's own that an accountant stands in; of ours :func:`verdict_version` speaks."""
    if isinstance(accountant, Command):
        found = (shutil.which(word) or word for word in accountant.words)
        return [path for path in map(Path, found) if path.is_file()]
    owners = [type(accountant), getattr(accountant, "function", None)]
    modules = {getattr(owner, "__module__", None) for owner in owners} - {None}
    paths = (getattr(sys.modules.get(str(name)), "__file__", None) for name in sorted(map(str, modules)))
    return [Path(path) for path in paths if path is not None and not Path(path).is_relative_to(_PACKAGE)]


def _digest(parts: Iterable[str | bytes]) -> str:
    whole = sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(str(len(data)).encode() + b":" + data)
    return whole.hexdigest()[:_LENGTH]
