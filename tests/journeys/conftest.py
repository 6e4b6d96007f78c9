"""One installation for all journeys."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.journeys.installed import Installed, install


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One process at a time."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Installed once, however many processes test."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with alone(shared / "installed.lock"):
        note = shared / "installed.json"
        if not note.exists():
            (folder := shared / "installed").mkdir()
            made = install(folder)
            note.write_text(json.dumps([str(path) for path in vars(made).values()]), "utf-8")
    return Installed(*map(Path, json.loads(note.read_text("utf-8"))))
