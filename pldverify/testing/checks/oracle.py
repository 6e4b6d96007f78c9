"""Oracle checks: claims against proved enclosures, by regime; where a claim fails says what is wrong.

Wrong at rounding level is a cause of its own, and is kept out of the regimes.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import inf

from pldverify.mechanisms.query import Query
from pldverify.named import own_line
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.presentation import number
from pldverify.testing.checks.check import Break, Check, Fault, double
from pldverify.testing.checks.questions import NOISE, REGIMES, RENYI, TRADE_OFF
from pldverify.testing.checks.subject import Subject


def all_queries(level: str) -> list[Query]:
    """The questions of every regime."""
    return list(dict.fromkeys(query for regime in REGIMES for query in regime.queries(level)))


def noise_queries(level: str) -> list[Query]:
    """The questions for noise."""
    return list(dict.fromkeys(query for regime in NOISE for query in regime.queries(level)))


def questions(level: str) -> list[Query]:
    """All points of curves that are asked of an accountant."""
    return [*all_queries(level), *RENYI.queries(level), *TRADE_OFF.queries(level)]


def sound(queries: Callable[[str], list[Query]], subject: Subject) -> Iterator[Break]:
    """Claims that are proved wrong, by more than rounding; which are asked depends on the level."""
    for query in queries(subject.level):
        yield from _unsound(subject, query, rounding=False)


def rounding(subject: Subject) -> Iterator[Break]:
    """Claims that are proved wrong, by rounding alone."""
    for query in [*questions(subject.level), *noise_queries(subject.level)]:
        yield from _unsound(subject, query, rounding=True)


def _unsound(subject: Subject, query: Query, *, rounding: bool) -> Iterator[Break]:
    claim = subject.claim(query)
    if claim is None:
        return
    decision = subject.judge(claim, query)
    if decision.verdict == "UNSOUND" and (decision.severity == "rounding-level") == rounding:
        promise = f"outside of its promise, {_promised(claim, query)}"
        side = {"upper": "too small", "lower": "too large", "estimate": promise}
        yield Break(
            "UNSOUND",
            (query,),
            (claim,),
            f"the claim is {side[claim.direction]} ({decision.severity})",
            _excess(claim, decision.truth),
        )


def _promised(claim: Claim, query: Query) -> str:
    promise = claim.promise or Promise(Fraction(0), Fraction(0))
    units = {"rdp": ("D", "δ"), "trade-off": ("ε", "β"), "tail": ("ε", "P")}.get(query.quantity, ("ε", "δ"))
    errors = dict(zip(units, (promise.epsilon, promise.delta), strict=True))
    return " and ".join(f"{number(error)} in {unit}" for unit, error in errors.items() if error) or "0"


def _excess(claim: Claim, truth: Enclosure | None) -> float:
    """How far the claim is from the truth that excludes it; infinite where that does not."""
    if truth is None or claim.value in truth or inf in (claim.value, truth.lower, truth.upper):
        return inf
    value = Fraction(claim.value)
    return double(max(Fraction(truth.lower) - value, value - Fraction(truth.upper)))


def tight(subject: Subject) -> Iterator[Break]:
    """Claims that are proved to give away more than was said; estimates, to be farther from the truth."""
    if subject.tightness is None:
        return
    for query in [*all_queries(subject.level), *noise_queries(subject.level)]:
        claim = subject.claim(query)
        if claim is not None and subject.looseness(claim, query) == "UNSOUND":
            size = f"{float(subject.tightness):g} in ε"
            message = f"the claim gives away more than {size}"
            if claim.direction == "estimate":
                message = f"the claim is farther from the truth than {size}"
            yield Break("LOOSE", (query,), (claim,), message, float(subject.tightness))


def answers(subject: Subject) -> Iterator[Break]:
    """Queries that are not refused, and have no claim."""
    for query in [*questions(subject.level), *noise_queries(subject.level)]:
        subject.compared += subject.claim(query) is not None
        answer = subject.answer(query)
        if answer.failure is not None and answer.failure.kind != "REFUSED":
            fault: Fault = "INVALID" if answer.failure.kind == "INVALID" else "CRASHED"
            cause = answer.failure.__cause__
            where = "" if cause is None else own_line(cause)
            yield Break(fault, (query,), (None,), f"{answer.failure}{where}", inf)


CHECKS = (
    Check("answers", "It fails where it should answer or refuse.", "oracle", answers),
    *(
        Check(regime.name, regime.cause, "oracle", partial(sound, regime.queries))
        for regime in (*REGIMES, RENYI, TRADE_OFF, *NOISE)
    ),
    Check("rounding", "Right to nine digits, but rounded to the wrong side.", "oracle", rounding),
    Check("tight", "Sound, but it gives away more than was said.", "oracle", tight),
)
