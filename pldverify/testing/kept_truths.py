"""KeptTruths: proved enclosures for tests, kept on disk by exact question and by who proved them.

A file holds one answer (:mod:`pldverify.sweeps.kept`) under the user's seal; one that is damaged, of another
user, or of another version or source of pldverify, is as if it were not there. Where the folder or the key of
seals cannot be written, nothing is kept and nothing fails.
"""

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pldverify.accountants.accountant import Accountant, Asked
from pldverify.accountants.ask import ask_here
from pldverify.accountants.registry import accountant as accountant_of
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number
from pldverify.rulings.check import finding
from pldverify.rulings.finding import Finding
from pldverify.sweeps import keys
from pldverify.sweeps.kept import Kept, given, tried
from pldverify.sweeps.seal import Seal
from pldverify.testing.record import note
from pldverify.values.truth import truth

Whole = Composition | Mechanism | str
_DIGITS = 15
"""Significant digits that are proved where none are asked for."""


class KeptTruths:
    """What the fixture ``pldverify`` is: the truth, asked once and kept.

    An enclosure that is read from a file has the ends and the engine of the one that was proved; its proof is
    not kept, so ``pv.prove_again`` refuses it.

    Attributes:
        folder: where answers are kept; None: nowhere but in this process.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder: Path | None = None
        self._seal = Seal.of_this_process()
        if folder is not None:
            with suppress(InvalidInput):  # no key
                self._seal, self.folder = Seal.of_this_user(), folder

    def delta(
        self,
        composition: Whole,
        *,
        epsilon: Number,
        adjacency: Adjacency | None = None,
        digits: int = _DIGITS,
    ) -> Enclosure:
        """δ(ε), as ``pv.delta``."""
        return self.truth(Query(composition, epsilon=epsilon, adjacency=adjacency), digits)

    def epsilon(
        self, composition: Whole, *, delta: Number, adjacency: Adjacency | None = None, digits: int = _DIGITS
    ) -> Enclosure:
        """ε(δ) in nats, as ``pv.epsilon``."""
        return self.truth(Query(composition, delta=delta, adjacency=adjacency), digits)

    def rdp(
        self, composition: Whole, *, order: Number, adjacency: Adjacency | None = None, digits: int = _DIGITS
    ) -> Enclosure:
        """The Rényi divergence in nats, as ``pv.rdp``."""
        whole = as_composition(composition)
        return self.truth(RenyiQuery(whole, order=order, adjacency=adjacency), digits)

    def truth(self, query: Query, digits: int = _DIGITS) -> Enclosure:
        """What the query asks for. Raises NoConvergence, NotSupported, as the reference did."""
        version = keys.truth_version()
        name = f"{digits} {keys.question(query)}"
        kept = self._read(name, version)
        if kept is None:
            kept = Kept.of(digits, tried(lambda: truth(query, digits)))
            self._write(name, version, kept.text(name, version, self._seal))
        return given(kept.outcome())

    def check(
        self,
        accountant: str | Accountant | type[Accountant] | Asked,
        query: Query,
        *,
        direction: Direction | None = None,
        error: Number | None = None,
    ) -> Finding:
        """``pv.check``, judged by what is kept; the finding goes into ``--pldverify-report``."""
        subject = accountant_of(accountant, direction, error)
        return note(finding(subject.name, query, ask_here(subject, query), self.truth))

    def _file(self, name: str, version: str) -> Path | None:
        digest = sha256(f"{name}\n{version}".encode()).hexdigest()[:32]
        return None if self.folder is None else self.folder / f"{digest}.json"

    def _read(self, name: str, version: str) -> Kept | None:
        file = self._file(name, version)
        if file is None:
            return None
        try:
            return Kept.read(file.read_text("utf-8"), name, version, self._seal)
        except (OSError, UnicodeDecodeError):
            return None

    def _write(self, name: str, version: str, text: str) -> None:
        file = self._file(name, version)
        if file is None:
            return
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(temporary, file)
