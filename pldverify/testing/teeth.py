"""Teeth: which check kills which faulty accountant."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.numbers.arithmetic import suggestion
from pldverify.testing.checks.run import CHECKS, run
from pldverify.testing.checks.subject import Level, Subject
from pldverify.testing.zoo.mutant import Mutant
from pldverify.testing.zoo.mutants import MUTANTS

TIGHTNESS = Fraction(1, 100)
"""Slack in ε that the check ``tight`` allows a mutant; relations are checked as for exact answers."""


@dataclass(frozen=True)
class KillMatrix:
    """Checks that each mutant broke.

    Attributes:
        killed: {mutant: names of the checks}, in the order of the checks.
    """

    killed: dict[str, tuple[str, ...]]

    @property
    def survivors(self) -> list[str]:
        """Mutants that their own check, the one that names the cause, did not kill."""
        return [name for name, checks in self.killed.items() if MUTANTS[name].killer not in checks]


def kill_matrix(
    mutants: Iterable[Mutant] | None = None,
    *,
    level: Level = "quick",
    done: Callable[[str], None] = lambda name: None,
) -> KillMatrix:
    """Run all checks on every mutant, or on these; each check ends at its first break."""
    killed = {}
    for mutant in MUTANTS.values() if mutants is None else mutants:
        killed[mutant.name] = tuple(name for name in CHECKS if kills(mutant, name, level))
        done(mutant.name)
    return KillMatrix(killed)


def kills(mutant: Mutant, check: str, level: Level = "quick") -> bool:
    """Whether the check breaks on the mutant."""
    tightness = TIGHTNESS if check == "tight" else None
    subject = Subject(mutant.make(), level, tightness)
    return bool(run(CHECKS[check], subject, mutant.name, most=1).breaks)


def chosen(names: Iterable[str]) -> list[Mutant]:
    """The mutants of these names, or all. Raises InvalidInput."""
    found = []
    for name in names:
        if name not in MUTANTS:
            meant = suggestion(name, list(MUTANTS))
            raise InvalidInput(f"got mutant={name!r}{meant}: pldverify teeth --list shows all of them")
        found.append(MUTANTS[name])
    return found or list(MUTANTS.values())
