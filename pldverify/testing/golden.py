r"""Golden regression: an accountant's answers are pinned, and a later one is told which way it has moved.

An answer c′ is *nearer* to the true value t than c iff |c′ − t| < |c − t|. Of an enclosure [l, u] of t it is
proved iff it holds at both ends: :math:`|c' - t| - |c - t|` is monotone in t. Truths are proved again when an
answer has moved; the ends in the file are for people. Where the pairs only bound the true value, the other
end is not known, and nothing is said of the way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Literal

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import ask_here
from pldverify.accountants.registry import accountant as accountant_of
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.numbers.beside import beside
from pldverify.numbers.claim import Claim, Direction, Promise
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.json import text
from pldverify.numbers.presentation import number as shown
from pldverify.numbers.scientific import outward
from pldverify.rulings.decide import look_up
from pldverify.rulings.severity import RELATIVE
from pldverify.rulings.soundness import Verdict
from pldverify.testing.checks.oracle import questions
from pldverify.testing.checks.subject import Level
from pldverify.testing.golden_file import ASKED, SCHEMA, Golden, Pinned, number
from pldverify.testing.judged import judged
from pldverify.values.value import Value, of_pairs
from pldverify.version import __version__

Way = Literal[
    "towards the truth", "away from the truth", "not proved which way", "no claim any more", "another promise"
]
_DIGITS = 20
"""Significant digits of the ends in a file, rounded outward."""
_NO_TRUTH = "not known"


@dataclass(frozen=True)
class Move:
    """An answer that is not the one that was pinned, by more than 1e-9 of it, or that promises another error
    and so has another verdict.

    Attributes:
        query: what was asked.
        before, after: the answers; after is None where there is none any more, and ``reason`` says why.
        way: which way it has moved, proved.
        proved: the ends of the true value.
        verdicts: of both answers.
    """

    query: Query
    before: Bound
    after: Bound | None
    way: Way
    proved: Value
    verdicts: tuple[Verdict, Verdict] | None = None
    reason: str = ""

    def __str__(self) -> str:
        now = f"is {shown(self.after)}" if self.after is not None else self.reason
        lines = [f"{self.way}{self._turned}: {self.query}", f"  was {shown(self.before)}, {now}"]
        lower, upper = self.proved.ends
        if lower is not None and upper is not None:
            true = beside((lower, upper))
        else:
            true = " ".join(self.proved.shown()) or _NO_TRUTH
        return "\n".join([*lines, f"  true value {true}"])

    @property
    def _turned(self) -> str:
        """What it is now, where it was something else."""
        if self.verdicts is None or self.verdicts[0] == self.verdicts[1]:
            return ""
        return f", now {self.verdicts[1]}, was {self.verdicts[0]}"

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``; exact numbers are strings."""
        lower, upper = self.proved.ends
        return {
            "query": str(self.query),
            "way": self.way,
            "before": text(self.before),
            "after": text(self.after),
            "lower": text(lower),
            "upper": text(upper),
            "verdicts": None if self.verdicts is None else [str(verdict) for verdict in self.verdicts],
            "reason": self.reason,
        }


def freeze(
    name: str,
    *,
    direction: Direction | None = None,
    level: Level = "quick",
    done: Callable[[int, Query], None] = lambda asked, query: None,
) -> Golden:
    """The answers of an accountant to the questions of the testing kit, each with what is proved of it.

    Args:
        name: what ``pv.check`` takes in a text.
        direction: of a plain function.
        done: is told how many questions are answered, and the last one.

    Raises InvalidInput for what is no accountant, and for one that answers nothing.
    """
    accountant = accountant_of(name, direction)
    queries = questions(level)
    answers = []
    for asked, query in enumerate(queries, 1):
        claim = ask_here(accountant, query).claim
        if claim is not None:
            answers.append(_pinned(query, claim))
        done(asked, query)
    if not answers:
        raise InvalidInput(
            f"accountant must answer something, got no claim of {name} to {len(queries)} questions"
        )
    return Golden(
        schema=SCHEMA,
        pldverify=__version__,
        accountant=name,
        direction=accountant.direction,
        version=accountant.version(),
        answers=answers,
    )


def moves(golden: Golden, accountant: Accountant | None = None) -> list[Move]:
    """What is not as it was pinned, of the accountant that the file names, or of another one.

    Raises InvalidInput where the file names none, and where its numbers have another direction now: nothing
    that was pinned says what those should be.
    """
    subject = accountant or _named(golden)
    if subject.direction != golden.direction:
        raise InvalidInput(
            f"direction of {subject.name} must be {golden.direction}, as it was pinned, "
            f"got {subject.direction}"
        )
    found = (_move(subject, pinned) for pinned in golden.answers)
    return [move for move in found if move is not None]


def _named(golden: Golden) -> Accountant:
    """The accountant of the file; one that is a plain function has its direction there."""
    try:
        return accountant_of(golden.accountant)
    except InvalidInput:
        return accountant_of(golden.accountant, golden.direction)


def _pinned(query: Query, claim: Claim) -> Pinned:
    lower, upper = _proved(query).ends
    return Pinned(
        composition=str(query.composition),
        quantity=query.quantity,  # type: ignore[arg-type]  # of the four that are asked
        at=str(text(getattr(query, ASKED[query.quantity][1]))),
        adjacency=query.adjacency,
        claim=str(text(claim.value)),
        promise=_promised(claim),
        lower=None if lower is None else outward(lower, _DIGITS, -1),
        upper=None if upper is None else outward(upper, _DIGITS, 1),
    )


def _proved(query: Query) -> Value:
    """The ends of the true value, as far as the reference's first answer proves them."""
    return of_pairs(query, look_up(query))


def _move(accountant: Accountant, pinned: Pinned) -> Move | None:
    query, before = pinned.query(), number(pinned.claim)
    answer = ask_here(accountant, query)
    if answer.claim is None:
        return Move(query, before, None, "no claim any more", _proved(query), reason=str(answer.failure))
    after = answer.claim.value if answer.claim.value == inf else Fraction(answer.claim.value)
    same, promised = _same(before, after), answer.claim.promise
    if "promise" in pinned.model_fields_set:  # older files don't say
        promised = pinned.promise and Promise(*map(Fraction, pinned.promise))
    if same and promised == answer.claim.promise:
        return None
    was, now = (
        judged(Claim(value, answer.claim.direction, "pinned", {}, promise), query).verdict
        for value, promise in ((before, promised), (after, answer.claim.promise))
    )
    if same and was == now:
        return None
    proved = _proved(query)
    way: Way = "another promise" if same else _way(before, after, proved)
    return Move(query, before, after, way, proved, (was, now))


def _promised(claim: Claim) -> tuple[str, str] | None:
    promise = claim.promise
    return None if promise is None else (str(text(promise.epsilon)), str(text(promise.delta)))


def _same(before: Bound, after: Bound) -> bool:
    if inf in (before, after):
        return before == after
    return abs(Fraction(after) - Fraction(before)) <= RELATIVE * abs(Fraction(before))


def _way(before: Bound, after: Bound, proved: Value) -> Way:
    ends = [end for end in proved.ends if end is not None]
    if len(ends) < 2:
        return "not proved which way"
    if all(_nearer(after, before, end) for end in ends):
        return "towards the truth"
    if all(_nearer(before, after, end) for end in ends):
        return "away from the truth"
    return "not proved which way"


def _nearer(one: Bound, other: Bound, truth: Bound) -> bool:
    """Whether the first is nearer to the truth; of an infinite one only what is infinite is near."""
    return _distance(one, truth) < _distance(other, truth)


def _distance(value: Bound, truth: Bound) -> Bound:
    if value == truth:
        return Fraction(0)
    return inf if inf in (value, truth) else abs(Fraction(value) - Fraction(truth))
