"""Store: findings and truths in an SQLite file that a sweep can be taken up from.

Every finding is written in one transaction with the truths that it brought, so that a process that is killed
loses what was running and no more. The file is in WAL mode: it can be read while a sweep writes, and two
sweeps may write in turn. Nothing in it is run, or unpickled, when it is read, and a row is as if it were not
there unless this user has sealed it (:mod:`pldverify.sweeps.seal`).

    findings(accountant, version, code, question, judge; limits, seconds, finding, seal)
    truths(question, reference, digits; kept, written)
    sources(name; text)                          versions of this machine's libraries, by the last sweep

The columns before the semicolon are the key: the same cell is never there twice. ``finding`` is the JSON of
``Finding.to_json``. At most ``TRUTHS`` truths are kept, the latest ones.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.sweeps.kept import Kept
from pldverify.sweeps.keys import Subject, truth_version, verdict_version
from pldverify.sweeps.seal import Seal

SCHEMA = 2
"""``user_version`` of the file."""
TRUTHS = 200_000
"""Cap on the truths kept in one file."""
_LONGEST = 100_000
"""Characters of a row; what is longer is computed again."""
_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
_TABLES = """
CREATE TABLE IF NOT EXISTS findings(
    accountant TEXT, version TEXT, code TEXT, question TEXT, judge TEXT,
    limits TEXT, seconds REAL, finding TEXT, seal TEXT,
    PRIMARY KEY(accountant, version, code, question, judge)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS truths(
    question TEXT, reference TEXT, digits INTEGER, kept TEXT, written INTEGER,
    PRIMARY KEY(question, reference, digits)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS truths_written ON truths(written);
CREATE TABLE IF NOT EXISTS sources(name TEXT PRIMARY KEY, text TEXT);
"""

FindingJSON = dict[str, Any]
"""What ``Finding.to_json`` returns."""


class Store:
    """A context manager. Without a path it stands in memory, and ends with the sweep.

    Raises InvalidInput for a file that is no store, or one of another schema, and without a key for seals.
    """

    def __init__(self, path: str | Path | None = None, *, truths: int = TRUTHS) -> None:
        self.path = path
        self._most, self._count, self._last = truths, 0, 0
        self._seal = Seal.of_this_process() if path is None else Seal.of_this_user()
        try:
            self._data = sqlite3.connect(
                ":memory:" if path is None else path, timeout=_PATIENCE, isolation_level=None
            )
            self._open()
        except sqlite3.Error as error:
            raise InvalidInput(f"store must be an SQLite file of sweeps, got {path}: {error}") from None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Everything is written already."""
        self._data.close()

    def findings(self, subject: Subject, limits: str) -> dict[str, FindingJSON]:
        """{key of a question: finding} of an accountant as it is now, judged as this version judges.

        Left out is what was stopped, or failed, under other limits: it may end otherwise under these.
        """
        rows = self._data.execute(
            "SELECT question, limits, finding, seal FROM findings "
            "WHERE accountant = ? AND version = ? AND code = ? AND judge = ?",
            (subject.name, subject.version, subject.code, verdict_version()),
        )
        found = (
            (question, then, json.loads(text))
            for question, then, text, seal in rows
            if self._seal.opens(seal, *_place(subject, question), then, text)
        )
        return {q: said for q, then, said in found if then == limits or said["verdict"] != "CRASHED"}

    def truths(self, question: str) -> list[Kept]:
        """What this version knows of a question."""
        rows = self._data.execute(
            "SELECT kept FROM truths WHERE question = ? AND reference = ?", (question, truth_version())
        )
        read = (Kept.read(text, question, truth_version(), self._seal) for (text,) in rows)
        return [kept for kept in read if kept is not None]

    def seconds(self) -> Iterator[tuple[str, float]]:
        """(accountant, mean seconds of a cell) of all that is there."""
        yield from self._data.execute("SELECT accountant, avg(seconds) FROM findings GROUP BY accountant")

    def put(
        self,
        subject: Subject,
        question: str,
        limits: str,
        finding: FindingJSON,
        seconds: float,
        truths: Iterable[Kept] = (),
    ) -> None:
        """Write a finding and what was learnt with it; a cell that is there already is replaced."""
        said = json.dumps(finding)
        place = _place(subject, question)
        seal = self._seal.on(*place, limits, said)
        with self._transaction():
            self._data.execute(
                "INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*place, limits, seconds, said, seal),
            )
            self._keep(question, truths)

    def describe(self, sources: dict[str, str]) -> None:
        """Write down what the last sweep ran with."""
        with self._transaction():
            self._data.executemany("INSERT OR REPLACE INTO sources VALUES (?, ?)", sources.items())

    def _keep(self, question: str, truths: Iterable[Kept]) -> None:
        for kept in truths:
            text = kept.text(question, truth_version(), self._seal)
            if len(text) <= _LONGEST:
                self._count, self._last = self._count + 1, self._last + 1
                row = (question, truth_version(), kept.digits, text, self._last)
                self._data.execute("INSERT OR REPLACE INTO truths VALUES (?, ?, ?, ?, ?)", row)
        if self._count > self._most:
            self._forget()

    def _forget(self) -> None:
        """Leave nine tenths of what may be kept, the latest ones."""
        self._data.execute(
            "DELETE FROM truths WHERE written <= (SELECT written FROM truths ORDER BY written DESC "
            "LIMIT 1 OFFSET ?)",
            (self._most - self._most // 10,),
        )
        self._recount()

    def _recount(self) -> None:
        counted = self._data.execute("SELECT count(*), coalesce(max(written), 0) FROM truths")
        self._count, self._last = counted.fetchone()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self._data:
            self._data.execute("BEGIN IMMEDIATE")
            yield

    def _open(self) -> None:
        with closing(self._data.execute("PRAGMA user_version")) as found:
            (schema,) = found.fetchone()
        known = self._data.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if schema not in (0, SCHEMA) or (schema == 0 and known):
            raise InvalidInput(f"store must be an SQLite file of sweeps, of schema {SCHEMA}, got {self.path}")
        self._data.execute("PRAGMA journal_mode = WAL")
        self._data.execute("PRAGMA synchronous = NORMAL")
        self._data.execute(f"PRAGMA user_version = {SCHEMA}")
        self._data.executescript(_TABLES)
        self._recount()


def _place(subject: Subject, question: str) -> tuple[str, ...]:
    """The key of a finding."""
    return subject.name, subject.version, subject.code, question, verdict_version()
