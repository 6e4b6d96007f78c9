"""Certify: does a reported privacy budget hold?"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from pldverify.errors import InvalidInput
from pldverify.judge.decide import decide
from pldverify.judge.truth import bracket, truth
from pldverify.judge.verdict import Cause, Verdict, ends
from pldverify.mechanisms.mechanism import Standing
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number, nonnegative, real
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.json import double, text

Ruling = Literal["CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED"]

_BETWEEN = "the true ε is between the ends of the claimed one, which is irrational"
_RULINGS: dict[Verdict, Ruling] = {"SOUND": "CERTIFIED", "UNSOUND": "REFUTED", "UNDECIDED": "UNDECIDED"}


@dataclass(frozen=True)
class Certificate:
    """The ruling on a claimed (ε, δ).

    Attributes:
        query: the composition with its adjacency and δ.
        epsilon: the claimed ε (nats).
        truth: the proved enclosure of the true ε, or of a bound on it (``truth_is``), as narrow as the
            verdict needs; None if the reference had none.
        verdict: CERTIFIED if true ε <= claimed ε is proved, REFUTED if true ε > claimed ε is. CONDITIONAL if
            the first is proved of a printed pair only, which does not dominate what it is printed for.
        digits: significant digits that the reference was asked for; 0 where a bracket decided.
        version: of pldverify.
        reason: why it is UNDECIDED or CONDITIONAL, or how it was decided if not by ``truth``; else empty.
        cause: why it is UNDECIDED or CONDITIONAL, for programs; None for the others.
    """

    query: Query
    epsilon: Fraction | Irrational
    truth: Enclosure | None
    verdict: Ruling
    digits: int
    version: str
    reason: str = ""
    cause: Cause | None = None

    @property
    def truth_is(self) -> Standing:
        """What the pairs' ε is of the true one, see ``Composition.standing``."""
        return self.query.composition.standing

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``: exact numbers are strings, ``_float`` keys the nearest doubles.

        >>> found = pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon=1).to_json()
        >>> found["verdict"], found["epsilon"], found["truth_is"]
        ('CERTIFIED', '1', 'exact')
        """
        lower, upper = (None, None) if self.truth is None else (self.truth.lower, self.truth.upper)
        return {
            "verdict": self.verdict,
            "query": str(self.query),
            "composition": str(self.query.composition),
            "adjacency": self.query.adjacency,
            "delta": text(self.query.delta),
            "epsilon": text(self.epsilon),
            "lower": text(lower),
            "upper": text(upper),
            "epsilon_float": double(self.epsilon),
            "lower_float": double(lower),
            "upper_float": double(upper),
            "truth_is": self.truth_is,
            "engine": None if self.truth is None else self.truth.engine,
            "digits": self.digits,
            "version": self.version,
            "reason": self.reason,
            "cause": self.cause,
        }


def certify(query: Query, epsilon: Number) -> Certificate:
    """Rule on the claim that the query's composition is (epsilon, query.delta)-differentially private.

    Raises InvalidInput if the query asks for δ instead of ε, or epsilon is not a finite number >= 0.

    >>> training = 10_000 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01")
    >>> query = pv.Query(training, delta="1e-6")
    >>> print(pv.certify(query, epsilon="6.91").verdict, pv.certify(query, epsilon="6.9").verdict)
    CERTIFIED REFUTED
    """
    from pldverify import __version__

    if query.quantity != "epsilon":
        raise InvalidInput(f"query must have delta, to be certified for an epsilon, got query={query}")
    claimed = nonnegative(epsilon, "epsilon", real)
    low, high = ends(claimed)
    decision = decide(Claim(low, "upper", "reported budget"), query, truth, bracket)
    if decision.verdict == "UNSOUND" and low < high:
        decision = decide(Claim(high, "upper", "reported budget"), query, truth, bracket)
        if decision.verdict == "SOUND":
            decision = replace(decision, verdict="UNDECIDED", reason=_BETWEEN, cause="TOO WIDE")
    return Certificate(
        query=query,
        epsilon=claimed,
        truth=decision.truth,
        verdict="CONDITIONAL" if decision.cause == "PRINTED PAIR" else _RULINGS[decision.verdict],
        digits=decision.digits,
        version=__version__,
        reason=decision.reason,
        cause=decision.cause,
    )
