"""How many of each verdict: in all, by accountant, by accountant and mechanism."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from pldverify.foreign import brief
from pldverify.report.mechanism import shape
from pldverify.report.record import VERDICTS, Record

MOST_ACCOUNTANTS = 60
"""Rows of a matrix; what is beyond them is counted together."""
MOST_MECHANISMS = 24
"""Columns of a matrix; likewise."""
OTHERS = "(all others)"


@dataclass(frozen=True)
class Tally:
    """Counts of some findings.

    Attributes:
        verdicts: how many of each, in the order of ``VERDICTS``; absent ones left out.
        material: how many of the UNSOUND are proved to be wrong by more than rounding.
    """

    total: int
    verdicts: dict[str, int]
    material: int

    @classmethod
    def of(cls, found: Iterable[Record]) -> "Tally":
        """Counts them."""
        found = list(found)
        counts = Counter(record.verdict for record in found)
        material = sum(record.severity == "material" for record in found)
        return cls(len(found), {v: counts[v] for v in VERDICTS if counts[v]}, material)

    @property
    def worst(self) -> str:
        """The verdict to colour it by; ``ROUNDING`` where no UNSOUND is proved material."""
        first = next(iter(self.verdicts), "NONE")
        return "ROUNDING" if first == "UNSOUND" and not self.material else first

    @property
    def notes(self) -> list[str]:
        """``3 UNSOUND (1 material)`` and so on."""
        return [f"{n} {v}{self._severity(n) if v == 'UNSOUND' else ''}" for v, n in self.verdicts.items()]

    def _severity(self, unsound: int) -> str:
        return "" if self.material == unsound else f" ({self.material} material)"


@dataclass(frozen=True)
class Matrix:
    """Accountants by mechanisms.

    Attributes:
        mechanisms: headings of the columns.
        rows: an accountant, and its tally for each mechanism; None where it was not asked.
    """

    mechanisms: list[str]
    rows: list[tuple[str, list[Tally | None]]]


@dataclass(frozen=True)
class Standing:
    """One accountant: its counts, and medians and extremes over what they are known of.

    Attributes: slack, violation: of SOUND and UNSOUND claims, in ε.
    """

    accountant: str
    versions: str
    tally: Tally
    median_slack: float | None
    worst_slack: float | None
    worst_violation: float | None
    median_seconds: float


def names(values: Iterable[str], most: int) -> dict[str, str]:
    """What each value is listed under: itself, shortened, or ``OTHERS`` beyond the most frequent ones."""
    counts = Counter(values)
    kept = {value for value, _ in counts.most_common(most)}
    return {value: brief(value, 80) if value in kept else OTHERS for value in counts}


def matrix(found: Sequence[Record]) -> Matrix:
    """Accountants in the order of the findings, mechanisms likewise; what is too much in a last one."""
    who, what = accountant_names(found), mechanism_names(found)
    cells: dict[tuple[str, str], list[Record]] = {}
    for record in found:
        cells.setdefault((who[record.accountant], what[shape(record.composition)]), []).append(record)
    columns = _last(dict.fromkeys(what.values()))
    rows = _last(dict.fromkeys(who.values()))
    tallies = {place: Tally.of(records) for place, records in cells.items()}
    return Matrix(columns, [(row, [tallies.get((row, column)) for column in columns]) for row in rows])


def accountant_names(found: Sequence[Record]) -> dict[str, str]:
    """What each accountant is listed under."""
    return names((record.accountant for record in found), MOST_ACCOUNTANTS)


def mechanism_names(found: Sequence[Record]) -> dict[str, str]:
    """What each shape of a composition is listed under."""
    return names((shape(record.composition) for record in found), MOST_MECHANISMS)


def standings(found: Sequence[Record]) -> list[Standing]:
    """Each accountant's, in the order of the findings."""
    who = accountant_names(found)
    mine: dict[str, list[Record]] = {name: [] for name in _last(dict.fromkeys(who.values()))}
    for record in found:
        mine[who[record.accountant]].append(record)
    return [_standing(name, records) for name, records in mine.items()]


def _standing(name: str, found: list[Record]) -> Standing:
    slacks = [r.in_epsilon for r in found if r.verdict == "SOUND" and r.in_epsilon is not None]
    violations = [r.in_epsilon for r in found if r.verdict == "UNSOUND" and r.in_epsilon is not None]
    versions = list(dict.fromkeys(record.version for record in found))
    return Standing(
        name,
        brief(", ".join(versions[:3]), 80) + (f" and {len(versions) - 3} more" if len(versions) > 3 else ""),
        Tally.of(found),
        median(slacks) if slacks else None,
        max(slacks, default=None),
        max(violations, default=None),
        median(record.seconds for record in found),
    )


def _last(listed: Iterable[str]) -> list[str]:
    """In order, the others last."""
    return sorted(listed, key=lambda name: name == OTHERS)
