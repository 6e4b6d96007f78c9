"""Rule: the verdict on one claim: each meaning literally, and with the rounding of its number."""

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce

from pldverify.mechanisms.query import Query
from pldverify.numbers.exact import nonnegative, probability, real, show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.order import renyi_order
from pldverify.rulings.cases import Case, cases
from pldverify.rulings.certify import Certificate, certify, narrowed
from pldverify.rulings.combine import overall, together
from pldverify.rulings.explain import explain
from pldverify.rulings.measured import measured
from pldverify.rulings.misses import misses
from pldverify.rulings.model import Claim
from pldverify.rulings.printed import rounded_ends
from pldverify.rulings.ruling import Kind, Reading, Ruling, Statement, says
from pldverify.values.value import UNKNOWN, Value, narrower
from pldverify.values.verdict import Certification, Relation, all_hold, certification, holds

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
_NOTHING = "nothing is proved of {}"
_OPEN = "the proved ends leave it open"
_BOUNDED = "the composition only bounds what was run from above: the true value may be smaller"
_WORST = "of the worst mechanism that has the stated guarantees"


def rule(claim: Claim, file: str = "") -> Ruling:
    """The ruling on ``claim``. Raises InvalidInput, which names the field, where numbers are out of range.

    >>> from pldverify.rulings.model import Claim
    >>> run = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "poisson", "q": "0.01"}
    >>> row = {"id": "a", "epsilon": "0.95", "delta": "1e-6", "adjacency": "add-or-remove"}
    >>> row["phase"] = [{**run, "steps": 100}]
    >>> rule(Claim.model_validate(row)).explanation
    'the true ε exceeds 0.95 by 0.00421…; it rounds to 0.95'
    """
    began = time.process_time()
    value = _read(claim)
    readings = tuple(reading for case in cases(claim) for reading in _readings(claim, case, value))
    literal = [reading for reading in readings if reading.kind == "literal"]
    verdict = overall([(r.case.role, r.verdict) for r in literal]) if literal else "UNDECIDED"
    found = Ruling(
        claim,
        verdict,
        readings,
        explanation=_UNSAID if not readings else explain(claim, readings),
        misses=() if verdict == "UNDECIDED" else misses(claim, literal),
        not_stated=tuple(words for field, words in _NIST.items() if getattr(claim, field) is None),
        file=file,
    )
    return replace(found, seconds=time.process_time() - began)


def _read(claim: Claim) -> Fraction | Irrational:
    """The claimed number, after a look at those beside it: also where no phase is stated to ask them of.
    Raises InvalidInput.
    """
    if claim.delta is not None:
        probability(str(claim.delta), "delta", real)
    if claim.regret is not None:
        probability(str(claim.regret), "regret")
    if claim.tpr is not None:
        probability(str(claim.tpr.fpr), "fpr")
    if claim.rdp is not None:
        renyi_order(claim.rdp.order, real)
    return nonnegative(str(claim.number), _field(claim), real)


def _readings(claim: Claim, case: Case, value: Fraction | Irrational) -> Iterator[Reading]:
    yield _reading(claim, case, "literal", ((claim.relation, value),), says(claim))
    rounded = None if claim.exact else rounded_ends(str(claim.number))
    if rounded is not None:
        low, high = rounded
        parts: dict[Relation, tuple[Statement, ...]] = {
            "<=": (("<=", high),),
            ">=": ((">=", low),),
            "=": (("<=", high), (">=", low)),
        }
        within = " and ".join(says(claim, show(end), way) for way, end in parts[claim.relation])
        yield _reading(claim, case, "rounded", parts[claim.relation], within)


def _reading(claim: Claim, case: Case, kind: Kind, statements: tuple[Statement, ...], words: str) -> Reading:
    """Judged once: what leaves the program says what this object says."""
    reading = partial(Reading, case, kind, words, statements)
    if not case.has_pairs:
        return reading("UNDECIDED", UNKNOWN, _NOTHING.format(case.adjacency))
    if claim.epsilon is None:
        value = measured(claim, case.composition, case.adjacency, statements)
        value = value if case.is_run else value.above_alone  # what only bounds what was run bounds this, too
        verdict = certification(_hold(statements, value))
        why = _OPEN if verdict == "UNDECIDED" else _whose(case, statements, value)
        return reading(verdict, value, why)
    query = Query(case.composition, delta=str(claim.delta), adjacency=case.adjacency)
    made = [narrowed(certify(query, value, relation=way)) for way, value in statements]
    value = _seen(case, made)
    verdicts = [_verdict(case, each, value) for each in made]
    verdict = reduce(together, verdicts)
    decisive = made[verdicts.index(verdict)]  # the word of all is the word of one
    says_it = decisive.verdict == verdict
    why = decisive.reason if says_it else _BOUNDED
    return reading(
        verdict,
        value,
        why if verdict in ("UNDECIDED", "CONDITIONAL") else _whose(case, statements, value),
        decisive if len(made) == 1 and says_it else None,
        " ".join(decisive.shown) if case.composition.standing == "neither" else "",
    )


def _seen(case: Case, made: list[Certificate]) -> Value:
    """What is proved of what was run, by certificates on a composition that is that, or bounds it."""
    value = reduce(narrower, (each.proved for each in made))
    return value if case.is_run else value.above_alone


def _hold(statements: tuple[Statement, ...], value: Value) -> bool | None:
    return all_hold(holds(way, number, value) for way, number in statements)


def _verdict(case: Case, made: Certificate, value: Value) -> Certification:
    """By what is proved of what was run; of a printed pair alone a claim is CONDITIONAL, unless it is of more
    than what was run, and the claim that the true value is no smaller.
    """
    answer = holds(made.relation, made.epsilon, value)
    says_it = made.verdict == "CONDITIONAL" and (case.is_run or made.relation == "<=")
    conditional = answer is None and says_it
    return "CONDITIONAL" if conditional else certification(answer)


def _whose(case: Case, statements: tuple[Statement, ...], value: Value) -> str:
    """Of whom it is decided, where not of what was run: that may tell less than the worst mechanism, so only
    the upper end is its own.
    """
    return _WORST if case.subject == "implied" and _hold(statements, value.above_alone) is None else ""


def _field(claim: Claim) -> str:
    """The number's name in an error."""
    return "divergence" if claim.rdp is not None else claim.quantity
