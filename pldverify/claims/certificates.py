"""Certificates of rulings: one for each reading that has one, in files by the claim's id."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pldverify.certificate.plain import Told, training
from pldverify.foreign import visible
from pldverify.mechanisms.batches import SIZES
from pldverify.numbers.exact import real
from pldverify.numbers.irrational import Irrational
from pldverify.rulings.certify import Certificate
from pldverify.rulings.model import Noise
from pldverify.rulings.ruling import Reading, Ruling

_LONGEST = 80
"""Characters of a file's name that come into a certificate's; file systems take some 255 bytes."""


@dataclass(frozen=True)
class Issued:
    """A certificate that says what a reading says, and the name of its file without the ending."""

    name: str
    ruling: Ruling
    reading: Reading
    certificate: Certificate

    def about(self) -> list[str]:
        """Which reading this is, and the verdict on the claim itself, where the certificate is not that of
        the claim as it stands.
        """
        case, rounded = self.reading.case, self.reading.kind == "rounded"
        said = []
        several = sum(reading.kind == "literal" for reading in self.ruling.readings) > 1
        if rounded or case.role != "run" or several or not case.is_run:
            how = "with the rounding of its number" if rounded else "literally"
            said = [
                f"This is one reading of the claim {self.ruling.claim.id}, {self.ruling.says}: "
                f"{case.assumes or 'as stated'}, {how}.",
                f"The verdict on the claim itself is {self.ruling.verdict}.",
            ]
        if not case.is_run:
            said.append("The composition is not what was run: it bounds that from above.")
        if case.subject == "implied":
            said.append("It is of the worst mechanism that has the stated guarantees.")
        return said

    def told(self) -> Told:
        """What the claim says of the run beside its composition."""
        claim, runs = self.ruling.claim, [one for one in self.ruling.claim.phase if isinstance(one, Noise)]
        sizes = {name: _number(getattr(runs[0], name), name) for name in SIZES} if len(runs) == 1 else {}
        drawn: Any = None if not runs or runs[0].sampling == "none" else runs[0].sampling
        case = self.reading.case
        ran = case.is_run and case.is_stated and case.role != "accounted"
        single = len(claim.phase) == 1 and any(sizes.values()) and ran
        run = training(self.certificate.query.composition, **sizes, sampling=drawn) if single else ""
        source = [] if claim.source is None else [claim.source.title, claim.source.url]
        named = [
            claim.title or claim.id,
            claim.accountant and f"The claimed numbers come from {claim.accountant}",
            *source,
        ]
        records = sizes.get("dataset_size")
        return Told(
            run,
            records if isinstance(records, Fraction) else None,
            visible(claim.unit or ""),
            tuple(visible(text) for text in named if text),
            f"{self.name}.json",
            ran,
        )


def _number(said: str | int | None, name: str) -> Fraction | Irrational | None:
    return None if said is None else real(str(said), name)


def certificates(rulings: Sequence[Ruling], reserved: Sequence[str] = ()) -> Iterator[Issued]:
    """One for each reading that has one.

    The first reading's name is the claim's ``<id>``, or ``<file>.<id>`` where files have the same; those of
    others say what is other, as ``<id>.poisson-batches.rounded``; a name that is taken, or ``reserved``, gets
    ``-2``, …. What rests on a conversion or on two claims together has none.
    """
    times, taken = Counter(ruling.claim.id for ruling in rulings), set(reserved)
    for ruling in rulings:
        stem = ruling.claim.id
        if times[stem] > 1:
            file = Path(ruling.file).stem.encode("ascii", "replace").decode().replace("?", "_")
            stem = f"{file[:_LONGEST]}.{stem}"
        made = [(r, r.certificate) for r in ruling.readings if r.certificate is not None]
        for reading, certificate in made:
            name = ".".join([stem, *_other(reading, made[0][0])])
            yield Issued(_free(name, taken), ruling, reading, certificate)


def _other(reading: Reading, first: Reading) -> list[str]:
    """What tells a reading from the first one, as parts of a file's name."""
    case = re.sub(r"[^a-z0-9]+", "-", reading.case.assumes.lower()).strip("-")[:_LONGEST]
    return [
        *([case or "as-stated"] if reading.case != first.case else []),
        *([reading.kind] if reading.kind != first.kind else []),
    ]


def _free(wanted: str, taken: set[str]) -> str:
    """The name, made one that no other file has; systems that ignore case are thought of."""
    name, times = wanted, 1
    while name.lower() in taken:
        times += 1
        name = f"{wanted}-{times}"
    taken.add(name.lower())
    return name
