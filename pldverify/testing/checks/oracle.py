"""Oracle checks: claims against proved enclosures, by regime; where a claim fails says what is wrong.

Wrong at rounding level is a cause of its own, and is kept out of the regimes.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf

from pldverify.judge.severity import RELATIVE
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Enclosure
from pldverify.testing.checks.check import Break, Check, Fault
from pldverify.testing.checks.questions import renyi_queries
from pldverify.testing.checks.regimes import REGIMES, Regime
from pldverify.testing.checks.subject import Subject, judged


def all_queries(level: str) -> list[Query]:
    """The questions of every regime."""
    return list(dict.fromkeys(query for regime in REGIMES for query in regime.queries(level)))


def sound(queries_of: Regime | None, subject: Subject) -> Iterator[Break]:
    """Claims that are proved wrong, by more than rounding."""
    queries = renyi_queries() if queries_of is None else queries_of.queries(subject.level)
    for query in queries:
        yield from _unsound(subject, query, rounding=False)


def rounding(subject: Subject) -> Iterator[Break]:
    """Claims that are proved wrong, by rounding alone."""
    for query in all_queries(subject.level):
        yield from _unsound(subject, query, rounding=True)


def _unsound(subject: Subject, query: Query, *, rounding: bool) -> Iterator[Break]:
    claim = subject.claim(query)
    if claim is None:
        return
    decision = judged(claim, query)
    if decision.verdict == "UNSOUND" and (decision.severity == "rounding-level") == rounding:
        side = {"upper": "too small", "lower": "too large", "estimate": "outside of its promise"}
        yield Break(
            "UNSOUND",
            (query,),
            (claim,),
            f"the claim is {side[claim.direction]} ({decision.severity})",
            _excess(claim, decision.truth),
        )


def _excess(claim: Claim, truth: Enclosure | None) -> float:
    """How far the claim is from the truth that excludes it; infinite where that does not."""
    if truth is None or claim.value in truth or inf in (claim.value, truth.lower, truth.upper):
        return inf
    value = Fraction(claim.value)
    return float(max(Fraction(truth.lower) - value, value - Fraction(truth.upper)))


def tight(subject: Subject) -> Iterator[Break]:
    r"""Claims that are proved to give away more than was said, z in ε.

    An upper bound c of δ(ε) is that tight iff :math:`c \le \delta(\varepsilon - z)`, and of ε(δ) iff c − z is
    a lower bound; mirrored for lower bounds.
    """
    if subject.tightness is None:
        return
    for query in all_queries(subject.level):
        claim = subject.claim(query)
        if claim is None or claim.direction == "estimate":
            continue
        opposite = _opposite(claim, query, subject.tightness)
        if opposite is None or judged(*opposite).verdict != "UNSOUND":
            continue
        message = f"the claim gives away more than {float(subject.tightness):g} in ε"
        yield Break("LOOSE", (query,), (claim,), message, float(subject.tightness))


def _opposite(claim: Claim, query: Query, allowed: Fraction) -> tuple[Claim, Query] | None:
    """The claim from the other side that holds iff this one is tight; None where all is tight enough."""
    sign = 1 if claim.direction == "upper" else -1
    other = replace(claim, direction="lower" if sign == 1 else "upper")
    if query.quantity == "delta":
        assert isinstance(query.epsilon, Fraction)  # of a regime
        epsilon = query.epsilon - sign * allowed
        relaxed = replace(other, value=Fraction(claim.value) * (1 - sign * RELATIVE))
        return None if epsilon < 0 else (relaxed, replace(query, epsilon=epsilon))
    if claim.value == inf:
        return (other, query) if sign == 1 else None
    value = Fraction(claim.value) - sign * allowed
    return None if value <= 0 else (replace(other, value=value), query)


def answers(subject: Subject) -> Iterator[Break]:
    """Queries that are not refused, and have no claim."""
    for query in [*all_queries(subject.level), *renyi_queries()]:
        subject.claim(query)
        answer = subject.answer(query)
        if answer.failure is not None and answer.failure.kind != "REFUSED":
            fault: Fault = "INVALID" if answer.failure.kind == "INVALID" else "CRASHED"
            yield Break(fault, (query,), (None,), str(answer.failure), inf)


CHECKS = (
    Check("answers", "It fails where it should answer or refuse.", "oracle", answers),
    *(Check(regime.name, regime.cause, "oracle", partial(sound, regime)) for regime in REGIMES),
    Check("renyi", "The Rényi divergence is wrong.", "oracle", partial(sound, None)),
    Check("rounding", "Right to nine digits, but rounded to the wrong side.", "oracle", rounding),
    Check("tight", "Sound, but it gives away more than was said.", "oracle", tight),
)
