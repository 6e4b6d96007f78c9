"""Certify: does a reported privacy budget hold?"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.group import group_size
from pldverify.mechanisms.mechanism import Standing
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.beside import beside, one_end
from pldverify.numbers.claim import Claim, Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number, brief, count, nonnegative, real, show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.json import exact, text
from pldverify.numbers.judged import Judged
from pldverify.numbers.presentation import as_double, number, read, told
from pldverify.numbers.word import Certification
from pldverify.rulings.decide import Decision, Truth, decide
from pldverify.rulings.soundness import Cause, Verdict, both, word
from pldverify.values.truth import bracket, truth
from pldverify.values.value import UNKNOWN, Value, narrower, of_pairs
from pldverify.values.verdict import SIGNS, Relation, ends, holds
from pldverify.values.verdict import Certification as Ruling
from pldverify.version import __version__

_MOST_DIGITS = 1000
"""That the reference gives."""
_SHOWN = 5
"""Digits of the true ε that are shown to people."""
_SECONDS = 1.0
"""Processor time for them."""
CLAIMS: dict[Relation, tuple[Direction, ...]] = {"<=": ("upper",), ">=": ("lower",), "=": ("upper", "lower")}
"""What a claim says of ε: that it equals a number is two claims."""
_HALVES = "that the true ε is no greater and that it is no smaller are decided one by one"
_BETWEEN = "the true ε is between the ends of the claimed one, which is irrational"
_RULINGS: dict[Verdict, Ruling] = {"SOUND": "CERTIFIED", "UNSOUND": "REFUTED", "UNDECIDED": "UNDECIDED"}


@dataclass(frozen=True, repr=False)
class Certificate(Judged):
    """The ruling on a claimed (ε, δ). It has no truth value: its verdict is compared,
    ``certificate.verdict == "CERTIFIED"``.

    Attributes:
        query: the composition with its adjacency and δ.
        epsilon: the claimed ε (nats).
        truth: the proved enclosure of the true ε, or of a bound on it (``truth_is``), as narrow as the
            verdict needs; None if the reference had none.
        verdict: CERTIFIED if the claim is proved, true ε <= claimed ε as a rule; REFUTED if its contrary is.
            CONDITIONAL if the claim is proved of a printed pair only, which does not dominate what it is
            printed for; UNDECIDED if the pair disproves it, but the mechanism may not.
        digits: significant digits that the reference was asked for; 0 where a bracket decided.
        version: of pldverify.
        reason: why it is UNDECIDED or CONDITIONAL, or how it was decided if not by ``truth``; else empty.
        cause: why it is UNDECIDED or CONDITIONAL, for programs; None for the others.
        relation: what is claimed: that the true ε is ``<=``, ``>=`` or ``=`` the claimed one, exactly.
        proved: the ends of the true ε of which the verdict is, each with what proves it.
    """

    query: Query
    epsilon: Fraction | Irrational
    truth: Enclosure | None
    verdict: Ruling  # type: ignore[assignment]  # of these words
    digits: int
    version: str
    reason: str = ""
    cause: Cause | None = None
    relation: Relation = "<="
    proved: Value = UNKNOWN

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", Certification(self.verdict))

    @property
    def truth_is(self) -> Standing:
        """What the pairs' ε is of the true one, see ``Composition.standing``."""
        return self.query.composition.standing

    @property
    def shown(self) -> tuple[str, str]:
        """What ``truth`` is called, and its text, which supports the verdict: one end, where the other one
        says nothing of the true ε; empty where there is none.
        """
        lower, upper, claimed = self.proved.lower, self.proved.upper, ends(self.epsilon)
        if self.truth is None:
            return "", ""
        if lower is not None and (upper is None or lower.strict):
            return "true ε", f"{'>' if lower.strict else '≥'} {one_end(lower.at, -1, claimed)}"
        if upper is not None and (lower is None or upper.strict):
            return "true ε", f"{'<' if upper.strict else '≤'} {one_end(upper.at, 1, claimed)}"
        if lower is None or upper is None:
            text = beside((self.truth.lower, self.truth.upper), claimed)
        else:
            text = beside((lower.at, upper.at), claimed)
        name = "ε of the pairs" if lower is None else "true ε"
        return name, f"in {text}" if text.startswith("[") else f"= {text}"

    @property
    def claimed(self) -> str:
        """The claimed ε as text: a double in the digits that tell it; else in 17 digits at most, or exactly
        where those would have another verdict.
        """
        if as_double(self.epsilon) is not None:
            return told(self.epsilon)
        short = number(self.epsilon)
        if isinstance(self.epsilon, Irrational):
            return short
        answers = {holds(self.relation, value, self.proved) for value in (read(short), self.epsilon)}
        return short if len(answers) == 1 else show(self.epsilon)

    def rows(self) -> list[tuple[str, str]]:
        """What it says, by name: the verdict, why, both numbers, what was asked and what proved it.

        >>> pv.certify(pv.Query(pv.Gaussian(1), delta="1e-6"), epsilon=5).rows()[0]
        ('verdict', 'CERTIFIED')
        """
        truth, records = self.truth, group_size(self.query.composition)
        found = {
            "verdict": str(self.verdict),
            "reason": self.reason,
            "claim": f"ε {SIGNS[self.relation]} {self.claimed}",
            self.shown[0]: self.shown[1].removeprefix("= "),
            "query": self.query.brief(),
            "record": f"a group of up to {records:,} records" if records > 1 else "",
            "proof": "" if truth is None else truth.proof(),
            "version": f"pldverify {self.version}",
        }
        return [(name, text) for name, text in found.items() if text]

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``: exact numbers are strings, ``_float`` keys the nearest doubles; an
        end of the true ε that is not proved is null.

        >>> found = pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon=1).to_json()
        >>> found["verdict"], found["epsilon"], found["truth_is"]
        ('CERTIFIED', '1', 'exact')
        """
        lower, upper = self.proved.ends
        return {
            "verdict": self.verdict,
            "query": str(self.query),
            "composition": str(self.query.composition),
            "adjacency": self.query.adjacency,
            "group_size": size if (size := group_size(self.query.composition)) > 1 else None,
            "delta": text(self.query.delta),
            "relation": self.relation,
            **exact(epsilon=self.epsilon, lower=lower, upper=upper),
            **self.proved.to_json(),
            "truth_is": self.truth_is,
            "engine": None if self.truth is None else self.truth.engine,
            "digits": self.digits,
            "version": self.version,
            "reason": self.reason,
            "cause": self.cause,
        }


def certify(
    query: Query | Composed,
    epsilon: Number,
    *,
    delta: Number | None = None,
    adjacency: Adjacency | None = None,
    relation: Relation = "<=",
    digits: int | None = None,
    engine: str | None = None,
) -> Certificate:
    """Rule on the claim that a composition is (epsilon, delta)-differentially private.

    Args:
        query: the composition, its adjacency and δ; or a composition, a mechanism or an expression of them
            in a string, with ``delta`` and, if it is not the composition's own, ``adjacency``.
        epsilon: the claimed ε in nats, >= 0.
        relation: ``>=`` claims that the true ε is no smaller, ``=`` that it is exactly that number.
        digits: significant digits of the true ε that the certificate is to show, 1 to 1000; left out, as
            many as the verdict needs.
        engine: the only one of ``reference.choice.ENGINES`` that is asked; rough bounds, which decide much,
            need none.

    Raises InvalidInput if the query asks for δ instead of ε, or an argument is not what is allowed.

    >>> training = 10_000 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01")
    >>> [str(pv.certify(training, epsilon=e, delta="1e-6").verdict) for e in ("6.91", "6.9")]
    ['CERTIFIED', 'REFUTED']

    >>> from pldverify.mechanisms import Gaussian, Query
    >>> certificate = certify(Query(Gaussian(1), delta="1e-5"), epsilon="4.3")
    >>> certificate.verdict
    'REFUTED'
    >>> assert certificate
    Traceback (most recent call last):
    pldverify.errors.NoTruthValue: a certificate is neither true nor false: write certificate.verdict == \
'CERTIFIED' (it is 'REFUTED')
    """
    if not isinstance(query, Query):
        if delta is None:
            raise InvalidInput(
                "delta must be given with a composition: certify(composition, epsilon, delta=…)"
            )
        query = Query(query, delta=delta, adjacency=adjacency)
    elif not (delta is None and adjacency is None):
        raise InvalidInput("delta and adjacency must be left out, as the query has them")
    if query.quantity != "epsilon":
        raise InvalidInput(f"query must have delta, to be certified for an epsilon, got query={query}")
    claimed = nonnegative(epsilon, "epsilon", real)
    if not isinstance(relation, str) or relation not in CLAIMS:
        raise InvalidInput(f"relation must be one of {', '.join(CLAIMS)}, got relation={brief(relation)}")
    wanted = None if digits is None else count(digits, "digits", cap=_MOST_DIGITS)
    reference: Truth = truth if engine is None else partial(truth, engine=engine)
    judge = partial(decide, query=query, truth=reference, bracket=bracket if engine is None else None)
    halves = [_decided(claimed, way, judge) for way in CLAIMS[relation]]
    decision = reduce(_together, halves)
    if wanted is not None:
        decision = _shown(decision, query, reference, wanted)
    answer = holds(relation, claimed, decision.value)
    if decision.verdict == "UNDECIDED" and answer is not None:  # by the digits that are to be shown
        decision = replace(decision, verdict=word(answer), reason="", cause=None)
    of_pairs = [half.of_pairs if half.cause == "PRINTED PAIR" else half.verdict for half in halves]
    conditional = decision.verdict == "UNDECIDED" and all(verdict == "SOUND" for verdict in of_pairs)
    return Certificate(
        query=query,
        epsilon=claimed,
        truth=decision.truth,
        verdict="CONDITIONAL" if conditional else _RULINGS[decision.verdict],
        digits=decision.digits,
        version=__version__,
        reason=decision.reason,
        cause=decision.cause,
        relation=relation,
        proved=decision.value,
    )


def narrowed(made: Certificate) -> Certificate:
    """For people: with a truth of a few digits where they are to be had soon, and which decides what the
    other did; what is proved is never less. What was left open is decided where that truth decides it.

    >>> training = 1000 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01")
    >>> made = pv.certify(training, epsilon=4, delta="1e-6")
    >>> made.truth.digits < 5 <= narrowed(made).truth.digits
    True
    """
    truth = made.truth
    if truth is None or truth.digits >= _SHOWN:
        return made
    try:
        found = bracket(made.query, lambda found: found.digits >= _SHOWN, _SECONDS)
    except NotSupported:
        return made
    before, after = (
        holds(made.relation, made.epsilon, of_pairs(made.query, each)) for each in (truth, found)
    )
    proved = narrower(made.proved, of_pairs(made.query, found))
    if made.verdict in ("UNDECIDED", "CONDITIONAL") and after is not None:
        made = replace(made, verdict=_RULINGS[word(after)], digits=0, reason="", cause=None)
        return replace(made, truth=found, proved=proved)
    inside = truth.lower <= found.lower and found.upper <= truth.upper
    return replace(made, truth=found if inside and before == after else truth, proved=proved)


def _decided(
    claimed: Fraction | Irrational, direction: Direction, judge: Callable[[Claim], Decision]
) -> Decision:
    """By the end of an irrational number that claims more; it is UNSOUND only where the other one is, too."""
    low, high = ends(claimed)
    more, less = (low, high) if direction == "upper" else (high, low)
    decision = judge(Claim(more, direction, "reported budget"))
    if decision.verdict != "UNSOUND" or low == high:
        return decision
    decision = judge(Claim(less, direction, "reported budget"))
    if decision.verdict != "SOUND":
        return decision
    return replace(decision, verdict="UNDECIDED", reason=_BETWEEN, cause="TOO WIDE")


def _together(first: Decision, second: Decision) -> Decision:
    """Of two claims, whose numbers are one: the decision that has the verdict of both, of the claim that
    doesn't even hold of the pairs, if there is one. If both are SOUND, by a truth that is that number, or
    else the reason says so.
    """
    value = narrower(first.value, second.value)
    first, second = replace(first, value=value), replace(second, value=value)
    if first.verdict == second.verdict == "SOUND":
        points = [each for each in (first, second) if each.truth is not None and each.truth.width == 0]
        return points[0] if points else replace(first, reason=first.reason or second.reason or _HALVES)
    decisive = [each for each in (first, second) if each.verdict == both(first.verdict, second.verdict)]
    return next((each for each in decisive if each.of_pairs != "SOUND"), decisive[0])


def _shown(decision: Decision, query: Query, reference: Truth, digits: int) -> Decision:
    """The same verdict with as many digits of the truth, if they can be had."""
    if decision.truth is not None and decision.truth.digits >= digits:
        return decision
    try:
        found = reference(query, digits)
        value = narrower(decision.value, of_pairs(query, found))
        return replace(decision, truth=found, digits=digits, value=value)
    except (NoConvergence, NotSupported):
        return decision
