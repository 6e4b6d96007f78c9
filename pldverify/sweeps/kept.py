"""Kept: what the reference said of a question, as a row of a store, and back.

An enclosure is kept by its ends, exact fractions in hexadecimal digits, and by the engine that proved it.
Its witness is dropped: a verdict needs the ends alone, and what is read back can't be proved again from a
file, so ``pv.prove_again`` refuses it. A refusal is kept too: it has cost as much as an answer.

What a row says is believed like the computation that it stands for, so it is used only by the version and
source that wrote it (:func:`~pldverify.sweeps.keys.truth_version`), and only under its writer's seal.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pldverify.errors import NoConvergence, NotSupported
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.sweeps.seal import Seal

Outcome = Enclosure | NoConvergence | NotSupported
BRACKET = 0
"""In place of digits: what was proved soon, however wide."""


@dataclass(frozen=True)
class Kept:
    """What the reference said, in plain data.

    Attributes:
        digits: that it was asked for, or BRACKET.
        kind: ``enclosure``, or the error's class.
        message: of the error.
        lower, upper, engine: of the enclosure, or of what was proved nevertheless; empty if nothing was.
        two_sided: whether it was of the mechanisms, and not of pairs.
        exhausted: of a bracket: its time was up before it was enough.
    """

    digits: int
    kind: Literal["enclosure", "NoConvergence", "NotSupported"]
    message: str = ""
    lower: str = ""
    upper: str = ""
    engine: str = ""
    two_sided: bool = False
    exhausted: bool = False

    @staticmethod
    def of(digits: int, outcome: Outcome, exhausted: bool = False) -> "Kept":
        """The row of an outcome."""
        if isinstance(outcome, Enclosure):
            return Kept(digits, "enclosure", "", *_told(outcome), exhausted)
        if isinstance(outcome, NotSupported):
            return Kept(digits, "NotSupported", str(outcome))
        found = outcome.bracket
        told = _told(found) if isinstance(found, Enclosure) else ("", "", "", False)
        return Kept(digits, "NoConvergence", str(outcome), *told)

    def outcome(self) -> Outcome:
        """What was said then; errors are to be raised."""
        from pldverify.reference.engines.conclude import enclosed

        ends = (_read(self.lower), _read(self.upper)) if self.engine else None
        found = None if ends is None else enclosed(*ends, self.engine, self.two_sided)
        if self.kind == "NotSupported":
            return NotSupported(self.message)
        if self.kind == "NoConvergence" or found is None:
            return NoConvergence(self.message, found)
        return found

    def text(self, question: str, version: str, seal: Seal) -> str:
        """A seal on the row, its question and its version, and the row in JSON."""
        body = json.dumps(vars(self), sort_keys=True)
        return f"{seal.on(body, question, version)} {body}"

    @staticmethod
    def read(text: str, question: str, version: str, seal: Seal) -> "Kept | None":
        """The row that :meth:`text` wrote under that seal; None for any other text, question or version."""
        found, _, body = text.partition(" ")
        return Kept(**json.loads(body)) if seal.opens(found, body, question, version) else None


def tried(ask: Callable[[], Enclosure]) -> Outcome:
    """What the reference says when it is asked."""
    try:
        return ask()
    except (NoConvergence, NotSupported) as failure:
        return failure


def given(outcome: Outcome) -> Enclosure:
    """Raises what is no enclosure."""
    if isinstance(outcome, Enclosure):
        return outcome
    raise outcome


def _told(found: Enclosure) -> tuple[str, str, str, bool]:
    return _written(found.lower), _written(found.upper), found.engine, found.two_sided


def _written(end: Bound) -> str:
    """Hexadecimal: the interpreter reads no decimal integer of more than 4300 digits."""
    if end == math.inf:
        return "inf"
    number = Fraction(end)
    return f"{number.numerator:x}/{number.denominator:x}"


def _read(text: str) -> Bound:
    if text == "inf":
        return math.inf
    numerator, denominator = (int(part, 16) for part in text.split("/"))
    return Fraction(numerator, denominator)
