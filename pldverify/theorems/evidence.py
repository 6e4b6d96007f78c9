"""How evidence is put together: cases that are compared in balls, and what their outcome says of a statement.

A case is decided by :mod:`pldverify.balls.compare` or by exact rationals. A case that is not decided refutes
nothing and proves nothing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Literal, cast

from pldverify.balls import arb
from pldverify.balls.ball import ball, hull, working
from pldverify.balls.compare import at_most, less, surely_at_most, surely_less
from pldverify.errors import InvalidInput
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import real
from pldverify.theorems.record import Outcome, Run, Verdict

Value = arb | Fraction | int
"""A side of a case."""
PREC = 200
"""Bits at which cases are computed."""
_AGREE = Fraction(1, 10**9)
"""Largest relative width of two overlapping balls that support an equation."""


Relation = Literal["≤", "<", "="]


@dataclass(frozen=True)
class Case:
    """``left`` ⋈ ``right`` at one place, which ``label`` names."""

    label: str
    left: Value
    right: Value
    relation: Relation = "≤"

    def holds(self) -> bool | None:
        """Yes, no, or None for unknown."""
        if not isinstance(self.left, arb) and not isinstance(self.right, arb):
            return {"≤": self.left <= self.right, "<": self.left < self.right}.get(
                self.relation, self.left == self.right
            )
        left, right = ball(self.left), ball(self.right)
        if self.relation == "=":
            return False if surely_less(left, right) or surely_less(right, left) else None
        return (at_most if self.relation == "≤" else less)(left, right)

    def agrees(self) -> bool:
        """Whether an equation that is not decided has narrow balls on both sides."""
        left, right = ball(self.left), ball(self.right)
        gap, size = (left - right).abs_upper(), (abs(left) + abs(right)).upper()
        return self.relation == "=" and bool(surely_at_most(gap, size * ball(_AGREE)))

    def __str__(self) -> str:
        return f"{self.label}: left {shown(self.left)}, right {shown(self.right)}"


def enclosed(found: Enclosure) -> arb:
    """The ball between the ends of a proved enclosure."""
    return hull(found.lower, found.upper)


def shown(value: Value) -> str:
    """Ten digits of a ball; a rational as it is, or ten digits of it."""
    if not isinstance(value, arb) and len(str(value)) <= 12:
        return str(value)
    return str(ball(value).str(10, radius=True))


Cases = Callable[[], Iterable[Case]]
"""An attack: cases, computed when it runs."""


LEAST = 20
"""Cases that an attack needs to support a statement that has no proof."""


_STATED = re.compile(r"(?:(?P<label>.+): )?(?P<left>[^≤<=]+) (?P<relation>[≤<=]) (?P<right>[^≤<=]+)")
"""A case in a row."""


def stated(text: str) -> Cases:
    """The case of two numbers that a text states, behind what it is about.

    Numbers are written as everywhere: rational ones are exact, others enclosed. Raises InvalidInput.

    >>> from pldverify.theorems.evidence import attacked, stated
    >>> attacked(stated("σ = 2, √σ against 1: sqrt(2) ≤ 1"))().witness[:38]
    'violated at σ = 2, √σ against 1: left '
    """
    found = _STATED.fullmatch(text)
    if found is None:
        raise InvalidInput(f"a case must be two numbers with ≤, < or = between them, got {text!r}")
    sides = [real(found[side], "a case") for side in ("left", "right")]
    label, relation = found["label"] or text, cast(Relation, found["relation"])

    def cases() -> Iterable[Case]:
        left, right = (x if isinstance(x, Fraction) else hull(x.lower, x.upper) for x in sides)
        yield Case(label, left, right, relation)

    return cases


@dataclass(frozen=True)
class Attack:
    """REFUTED by a case that violates the statement; SUPPORTED by :data:`LEAST` that hold, if none does."""

    cases: Cases

    def __call__(self, least: int = LEAST) -> Outcome:
        """Runs it; a proof needs one case that holds."""
        held = open_ = 0
        with working(PREC):
            for case in self.cases():
                decided = case.holds()
                if decided is False:
                    return Outcome(Verdict.REFUTED, f"violated at {case}")
                if decided or case.agrees():
                    held += 1
                else:
                    open_ += 1
        if held < least:
            return Outcome(Verdict.NOT_CHECKABLE, f"{held} cases hold and {open_} are undecided: too few")
        return Outcome(
            Verdict.SUPPORTED, f"holds in {held} cases" + (f", {open_} undecided" if open_ else "")
        )


def attacked(cases: Cases) -> Attack:
    """See :class:`Attack`."""
    return Attack(cases)


def decided(cases: Cases) -> Run:
    """PROVED if the statement is the cases and each is decided; REFUTED by one that does not hold."""

    def run() -> Outcome:
        with working(PREC):
            found = list(cases())
            for case in found:
                if case.holds() is False:
                    return Outcome(Verdict.REFUTED, f"violated at {case}")
            if found and all(case.holds() for case in found):
                return Outcome(Verdict.PROVED, "; ".join(map(str, found[:2])) + ("; …" * (len(found) > 2)))
            return Outcome(Verdict.SUPPORTED, f"{len(found)} cases, not all decided")

    return run


def written(proof: str, *attacks: Run) -> Run:
    """PROVED by a proof that a person wrote and can read, if every attack on the statement fails.

    ``proof`` is its text, or ``module:name`` of a docstring that has it below "Proof".
    """

    def run() -> Outcome:
        text = docstring(proof) if proof.startswith("pldverify.") else proof
        if "Proof" not in text and proof.startswith("pldverify."):
            return Outcome(Verdict.NOT_CHECKABLE, f"{proof} has no proof")
        witnesses = []
        for attack in attacks:
            found = attack(1) if isinstance(attack, Attack) else attack()
            if found.verdict not in (Verdict.SUPPORTED, Verdict.PROVED):
                return found
            witnesses.append(found.witness)
        return Outcome(Verdict.PROVED, f"written proof: {proof} Attacked: {'; '.join(witnesses)}.")

    return run


def docstring(place: str) -> str:
    """The docstring of ``module:name``, or of the module."""
    module, _, name = place.partition(":")
    found = import_module(module)
    return (getattr(found, name) if name else found).__doc__ or ""


def refuting(facts: Run, why: str) -> Run:
    """REFUTED if the facts are proved: they contradict the statement, as ``why`` says."""

    def run() -> Outcome:
        found = facts()
        if found.verdict is not Verdict.PROVED:
            return Outcome(Verdict.SUPPORTED, f"not refuted: {found.witness}")
        return Outcome(Verdict.REFUTED, f"{why}: {found.witness}")

    return run


def necessary(without: Run) -> Run:
    """PROVED if the statement is refuted without a hypothesis in print, which is therefore needed."""

    def run() -> Outcome:
        found = without()
        if found.verdict is not Verdict.REFUTED:
            return Outcome(Verdict.NOT_CHECKABLE, f"not known to be needed: {found.witness}")
        return Outcome(Verdict.PROVED, f"without it: {found.witness}")

    return run


def corrected(wrong: Run, right: Run) -> Run:
    """CORRECTED if the print is refuted and the correction is proved or supported."""
    return _mended(wrong, right, Verdict.CORRECTED, "correction")


def conditional(without: Run, under: Run) -> Run:
    """CONDITIONAL if the print is refuted without a hypothesis, and proved or supported with it."""
    return _mended(without, under, Verdict.CONDITIONAL, "with the hypothesis")


def _mended(wrong: Run, right: Run, verdict: Verdict, word: str) -> Run:
    def run() -> Outcome:
        first = wrong()
        if first.verdict is not Verdict.REFUTED:
            return first
        second = right()
        if second.verdict not in (Verdict.PROVED, Verdict.ON_A_BOX, Verdict.SUPPORTED):
            return Outcome(Verdict.REFUTED, f"{first.witness}; {word}: {second.witness}")
        return Outcome(verdict, f"{first.witness}; {word}: {second.verdict.value}, {second.witness}")

    return run


def all_of(*runs: Run) -> Run:
    """The weakest of several outcomes that hold: PROVED, PROVED ON A BOX, SUPPORTED; else the first other."""
    order = (Verdict.PROVED, Verdict.ON_A_BOX, Verdict.SUPPORTED)

    def run() -> Outcome:
        found = [each() for each in runs]
        for outcome in found:
            if outcome.verdict not in order:
                return outcome
        worst = max(found, key=lambda outcome: order.index(outcome.verdict))
        return Outcome(worst.verdict, "; ".join(outcome.witness for outcome in found))

    return run


def not_checkable(why: str) -> Run:
    """NOT CHECKABLE, and why."""
    return lambda: Outcome(Verdict.NOT_CHECKABLE, why)
