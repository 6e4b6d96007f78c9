"""Rule: the verdict on one claim: each meaning literally, and with the rounding of its number."""

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from pldverify.certificate.certify import Certificate, certify
from pldverify.certificate.certify import Ruling as Verdict
from pldverify.claims.cases import Case, cases
from pldverify.claims.combine import overall, together
from pldverify.claims.concentrated import judge as judge_divergence
from pldverify.claims.explain import explain
from pldverify.claims.misses import misses
from pldverify.claims.model import Claim, Relation
from pldverify.claims.printed import rounded_ends
from pldverify.claims.ruling import Kind, Reading, Ruling, says
from pldverify.errors import NotSupported
from pldverify.judge.truth import bracket
from pldverify.mechanisms.query import Query
from pldverify.numbers.exact import nonnegative, real, show
from pldverify.numbers.irrational import Irrational

_SHOWN = 5
"""Digits of the true value that are shown."""
_SECONDS = 1.0
"""Processor time for them."""
_NIST = {
    "unit": "unit of privacy",
    "adjacency": "adjacency",
    "trust_model": "trust model",
    "accountant": "accountant",
    "other_releases": "other releases and tuning",
    "implementation": "implementation of the noise",
    "source": "source",
}
"""What an evaluation after NIST SP 800-226 asks, by field; phases and parameters are required."""
_UNSAID = "no mechanism is stated: there is nothing to judge the claim by"
_UNJUDGED = "no adjacency is stated, and nothing is proved of {}"
_ZERO_OUT = "proved for a record in whose place zero stands, not for one that is added or removed"


def rule(claim: Claim, file: str = "") -> Ruling:
    """The ruling on ``claim``. Raises InvalidInput, which names the field, where numbers are out of range.

    >>> from pldverify.claims.model import Claim
    >>> run = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "poisson", "q": "0.01"}
    >>> row = {"id": "a", "epsilon": "0.95", "delta": "1e-6", "adjacency": "add-or-remove"}
    >>> row["phase"] = [{**run, "steps": 100}]
    >>> rule(Claim.model_validate(row)).explanation
    'the true ε exceeds 0.95 by 0.00421…; it rounds to 0.95'
    """
    began = time.process_time()
    readings = tuple(reading for case in cases(claim) for reading in _readings(claim, case))
    literal = [reading for reading in readings if reading.kind == "literal"]
    verdict: Verdict = (
        overall([(r.case.role, _of_the_claim(claim, r)) for r in literal]) if literal else "UNDECIDED"
    )
    if literal and verdict == "REFUTED" and literal[0].case.implied:
        readings = tuple(_not_implied(r) if r.case.implied else r for r in readings)
    found = Ruling(
        claim,
        verdict,
        readings,
        explanation=_UNSAID if not readings else explain(claim, readings),
        misses=misses(claim, [r for r in literal if _of_the_claim(claim, r) == r.verdict]),
        not_stated=tuple(words for field, words in _NIST.items() if getattr(claim, field) is None),
        file=file,
    )
    return replace(found, seconds=time.process_time() - began)


def _of_the_claim(claim: Claim, reading: Reading) -> Verdict:
    """What refutes a claim for one relation leaves it open for another one."""
    case = reading.case
    other = case.unjudged or (case.zero_out and claim.adjacency not in (None, "zero-out"))
    return "UNDECIDED" if other and reading.verdict == "REFUTED" else reading.verdict


def _not_implied(reading: Reading) -> Reading:
    words = "of the worst mechanism that has the stated guarantees"
    return replace(reading, reason="; ".join(filter(None, (reading.reason, words))))


def _readings(claim: Claim, case: Case) -> Iterator[Reading]:
    printed = str(_claimed(claim))
    value = nonnegative(printed, _field(claim), real)
    yield _reading(claim, case, "literal", [(claim.relation, value)], says(claim))
    ends = None if claim.exact else rounded_ends(printed)
    if ends is not None:
        low, high = ends
        parts: dict[Relation, list[tuple[Relation, Fraction | Irrational]]] = {
            "<=": [("<=", high)],
            ">=": [(">=", low)],
            "=": [("<=", high), (">=", low)],
        }
        within = " and ".join(says(claim, show(end), way) for way, end in parts[claim.relation])
        yield _reading(claim, case, "rounded", parts[claim.relation], within)


def _reading(
    claim: Claim,
    case: Case,
    kind: Kind,
    parts: list[tuple[Relation, Fraction | Irrational]],
    words: str,
) -> Reading:
    found = [_of_a_bound(_judged(claim, case, kind, value, way, words), value, way) for way, value in parts]
    whole = found[0]
    for other in found[1:]:
        worse = other if together(whole.verdict, other.verdict) != whole.verdict else whole
        whole = replace(worse, verdict=together(whole.verdict, other.verdict))
    return _as_far_as_it_holds(claim, whole)


def _judged(
    claim: Claim, case: Case, kind: Kind, value: Fraction | Irrational, way: Relation, words: str
) -> Reading:
    if claim.epsilon is None:
        return judge_divergence(claim, case, kind, value, way, words)
    query = Query(case.composition, delta=str(claim.delta), adjacency=case.adjacency)
    certificate = _certificate(query, value, way)
    truth = certificate.truth
    lower, upper = (Fraction(0), float("inf")) if truth is None else (truth.lower, truth.upper)
    reason = certificate.reason if certificate.verdict in ("UNDECIDED", "CONDITIONAL") else ""
    return Reading(case, kind, words, certificate.verdict, lower, upper, reason, certificate)


def _certificate(query: Query, value: Fraction | Irrational, way: Relation) -> Certificate:
    """With a truth of a few digits where they are to be had soon."""
    made = certify(query, value, relation=way)
    if made.truth is None or made.truth.digits >= _SHOWN:
        return made
    try:
        return replace(made, truth=bracket(query, lambda found: found.digits >= _SHOWN, _SECONDS))
    except NotSupported:
        return made


def _of_a_bound(reading: Reading, value: Fraction | Irrational, way: Relation) -> Reading:
    """A bound from above certifies upper claims alone, and refutes what is greater than it alone."""
    least = value.lower if isinstance(value, Irrational) else value
    shown = {"CERTIFIED": way == "<=", "REFUTED": way == ">=" or reading.upper < least}
    if reading.case.bound_only and not shown.get(reading.verdict, True):
        return replace(reading, verdict="UNDECIDED", reason="the true value may be smaller")
    return reading


def _as_far_as_it_holds(claim: Claim, reading: Reading) -> Reading:
    """Zero-out is not add-or-remove, and a relation that is not stated may be another one."""
    case, decided = reading.case, reading.verdict
    if case.zero_out and claim.adjacency not in (None, "zero-out") and decided == "CERTIFIED":
        return replace(reading, verdict="CONDITIONAL", reason=_ZERO_OUT)
    if case.unjudged and decided == "CERTIFIED":
        return replace(reading, verdict="CONDITIONAL", reason=_UNJUDGED.format(case.unjudged))
    return reading


def _claimed(claim: Claim) -> str | int:
    if claim.rdp is not None:
        return claim.rdp.divergence
    return next(value for value in (claim.epsilon, claim.rho, claim.mu) if value is not None)


def _field(claim: Claim) -> str:
    return next((name for name in ("epsilon", "rho", "mu") if getattr(claim, name) is not None), "divergence")
