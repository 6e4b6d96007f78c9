r"""The disk cache of derivations.

Derivations take seconds and depend on nothing but the family, so they are kept as JSON files under
``PLDVERIFY_CACHE_DIR``, else ``$XDG_CACHE_HOME/pldverify``, else ``~/.cache/pldverify``. The file name is a
digest of the key, the versions of pldverify and sympy and the source of this package, so that a change of
any of them asks for a new file. A file that cannot be read, or is not complete, counts as absent: the
derivation is made again and the file replaced. Files are written to a temporary name and renamed.

The cache holds JSON with sympy's ``srepr`` strings, read by a whitelist of constructors: a file that somebody
put there can say something false, as any file in the user's own cache directory can, but it cannot
run code. Where the directory cannot be written, nothing is kept and nothing fails.
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import sympy as sp

from pldverify import __version__
from pldverify.errors import InvalidInput
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.serial import dumps, loads


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
    return directory() / f"derivation-{sha256(full.encode()).hexdigest()[:32]}.json"


def recall(key: str, make: Callable[[], Formulas]) -> Formulas:
    """The cached derivation of ``key``, or what ``make`` returns, which is then kept."""
    path = path_of(key)
    try:
        return loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, InvalidInput):
        pass
    formulas = make()
    with suppress(OSError):
        _write(path, dumps(formulas))
    return formulas


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
