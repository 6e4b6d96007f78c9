"""Certify: does a reported privacy budget hold?"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pldverify.errors import InvalidInput
from pldverify.judge.decide import decide
from pldverify.judge.truth import bracket, truth
from pldverify.judge.verdict import Cause, Verdict
from pldverify.mechanisms.mechanism import STANDINGS, Standing
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number, rational, show
from pldverify.numbers.json import double, text
from pldverify.numbers.judged import Judged
from pldverify.numbers.presentation import number
from pldverify.numbers.word import Certification

Ruling = Literal["CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED"]

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
        verdict: CERTIFIED if true ε <= claimed ε is proved, REFUTED if true ε > claimed ε is. CONDITIONAL if
            the first is proved of a printed pair only, which does not dominate what it is printed for.
        digits: significant digits that the reference was asked for; 0 where a bracket decided.
        version: of pldverify.
        reason: why it is UNDECIDED or CONDITIONAL, or how it was decided if not by ``truth``; else empty.
        cause: why it is UNDECIDED or CONDITIONAL, for programs; None for the others.
    """

    query: Query
    epsilon: Fraction
    truth: Enclosure | None
    verdict: Ruling  # type: ignore[assignment]  # of these words
    digits: int
    version: str
    reason: str = ""
    cause: Cause | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", Certification(self.verdict))

    @property
    def truth_is(self) -> Standing:
        """What the pairs' ε is of the true one, see ``Composition.standing``."""
        return self.query.composition.standing

    def rows(self) -> list[tuple[str, str]]:
        """What it says, by name: the verdict, why, both numbers, what was asked and what proved it."""
        truth = self.truth
        found = {
            "verdict": str(self.verdict),
            "reason": self.reason,
            "claim": f"ε ≤ {number(self.epsilon)}",
            f"{STANDINGS[self.truth_is]} ε": "" if truth is None else str(truth),
            "query": str(self.query),
            "proof": "" if truth is None else truth.proof(),
            "version": f"pldverify {self.version}",
        }
        return [(name, text) for name, text in found.items() if text]

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``: exact numbers are strings, ``_float`` keys the nearest doubles."""
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

    >>> from pldverify.mechanisms import Gaussian, Query
    >>> certificate = certify(Query(Gaussian(1), delta="1e-5"), epsilon="4.3")
    >>> certificate.verdict
    'REFUTED'
    >>> assert certificate
    Traceback (most recent call last):
    pldverify.errors.NoTruthValue: a certificate is neither true nor false: write certificate.verdict == \
'CERTIFIED' (it is 'REFUTED')
    """
    from pldverify import __version__

    if query.quantity != "epsilon":
        raise InvalidInput(f"query must have delta, to be certified for an epsilon, got query={query}")
    claimed = rational(epsilon, "epsilon")
    if claimed < 0:
        raise InvalidInput(f"epsilon must be >= 0, got epsilon={show(claimed)}")
    decision = decide(Claim(claimed, "upper", "reported budget"), query, truth, bracket)
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
