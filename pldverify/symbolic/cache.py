r"""The disk cache of derivations.

Derivations take seconds and depend on nothing but the family, so they are kept as JSON files under
``PLDVERIFY_CACHE_DIR``, else ``$XDG_CACHE_HOME/pldverify``, else ``~/.cache/pldverify``. The file name is a
digest of the key, the versions of pldverify and sympy and the source of this package, so that a change of
any of them asks for a new file. A file that cannot be read, or is not complete, counts as absent: the
derivation is made again and the file replaced. Files are written to a temporary name and renamed.

A file is believed: who may write it can make a derivation say something false, but run no code (see
:mod:`pldverify.symbolic.model.serial`). So files lie in a folder ``derivations`` that is the user's alone;
one that belongs to somebody else, or that others may enter, is not used. Where the folder cannot be written,
or its owner is not known, nothing is kept and nothing fails.
"""

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.serial import dumps, loads
from pldverify.version import __version__


def directory() -> Path:
    """Where the cache lives."""
    chosen = os.environ.get("PLDVERIFY_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pldverify"


@lru_cache(maxsize=1)
def _source_digest() -> str:
    digest = sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def path_of(key: str) -> Path:
    """The file of a key, whether it exists or not."""
    full = "\n".join((key, __version__, sp.__version__, _source_digest()))
    return directory() / "derivations" / f"derivation-{sha256(full.encode()).hexdigest()[:32]}.json"


def recall(key: str, make: Callable[[], Formulas]) -> Formulas:
    """The cached derivation of ``key``, or what ``make`` returns, which is then kept."""
    path = path_of(key)
    if not _is_ours(path.parent):
        return make()
    try:
        return loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, InvalidInput):
        pass
    formulas = make()
    with suppress(OSError):
        _write(path, dumps(formulas))
    return formulas


def _is_ours(folder: Path) -> bool:
    """Whether a folder, made if it is not there, is this user's, and nobody else has any right to it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()  # of a link itself, which is none
    except OSError:
        return False
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    return private and hasattr(os, "geteuid") and found.st_uid == os.geteuid()


def _write(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
