"""Finding: one accountant, one query, one verdict, and both numbers."""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.accountants.ask import UNKNOWN
from pldverify.mechanisms.query import PROBABILITIES, Query
from pldverify.numbers.beside import beside, claim_beside, one_end
from pldverify.numbers.claim import SAYS, Claim
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.ends import width
from pldverify.numbers.exact import show
from pldverify.numbers.json import double, exact, text
from pldverify.numbers.judged import Judged
from pldverify.numbers.presentation import read
from pldverify.numbers.scientific import outward
from pldverify.numbers.word import Soundness
from pldverify.rulings.soundness import Cause, Outcome, Severity, Verdict, judge
from pldverify.values.value import UNKNOWN as NOTHING
from pldverify.values.value import Value, narrower, of_pairs

SCHEMA = "pldverify-finding/2"

UNITS = {"epsilon": "ε", "delta": "δ", "rdp": "D", "noise": "σ", "tail": "P", "trade-off": "β"}
"""What an answer to a query is called, by quantity."""

POINTS = ("order", "alpha", "loss")
"""Where a divergence, a trade-off and a tail are asked for: fields of their queries."""


@dataclass(frozen=True, repr=False)
class Finding(Judged):
    """What an accountant said about a query, and whether it holds. It has no truth value: its verdict is
    compared, ``finding.verdict == "SOUND"``.

    >>> half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
    >>> finding = pv.check(half, pv.Query(2 * pv.Gaussian(1), delta="1e-6"))
    >>> finding.verdict, finding.severity
    ('UNSOUND', 'material')

    Attributes:
        query: what was asked.
        accountant: registry name.
        version: of the accountant's library.
        claim: the answer; None if the accountant refused or failed, and ``reason`` says how.
        truth: the proved enclosure of the pairs' value; None if the reference could not answer. What it
            proves of the true value says ``proved``.
        verdict: SOUND and UNSOUND are proved; UNDECIDED is a claim of which neither is; REFUSED, CRASHED and
            INVALID are no claims.
        seconds: of the accountant, see :class:`~pldverify.accountants.ask.Answer`.
        reason: why it is not decided, or how it was decided if not by ``truth``; else empty.
        cause: why it is not decided, for programs; None if it is decided.
        severity: of an UNSOUND claim: ``material`` or ``rounding-level`` (within 1e-9 of the true value,
            relatively, within 1e-12 where that is 0, or within the smallest double) if that is proved, else
            ``undecided``; None for all else.
        slack_in_epsilon: what a SOUND bound on δ gives away in ε at least; None for all else.
        decided: what is proved of the true value where it was decided.
    """

    query: Query
    accountant: str
    version: str
    claim: Claim | None
    truth: Enclosure | None
    verdict: Outcome  # type: ignore[assignment]  # of these words
    seconds: float
    reason: str = ""
    cause: Cause | None = None
    severity: Severity | None = None
    slack_in_epsilon: Bound | None = None
    decided: Value = NOTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", Soundness(self.verdict))

    @property
    def proved(self) -> Value:
        """The ends of the true value, each with what proves it; None where nothing is."""
        return narrower(self._of_pairs, self.decided)

    @property
    def _of_pairs(self) -> Value:
        return of_pairs(self.query, self.truth)

    @property
    def shown(self) -> dict[str, str]:
        """The claim and what is proved of the true value as text that supports the verdict, and its ends as
        decimals, rounded outward; empty where there is none.

        >>> query = pv.Query(pv.Gaussian(1), delta="1e-6")
        >>> pv.check(lambda query: 5, query, direction="upper").shown["truth"]
        '4.88655…'
        """
        lower, upper = self.proved.ends
        claim, claimed = "", []
        if self.claim is not None:
            value = self.claim.value
            most = [(Fraction(1), Fraction(1))] if self.query.quantity in PROBABILITIES else []
            claim = claim_beside(value, (lower, upper), *most)
            claimed = [(value, value), (read(claim), read(claim))]
        sign, text = self.proved.shown(*claimed)
        return {
            "claim": claim,
            "truth": text if sign in ("=", "in") else f"{sign} {text}".strip(),
            "lower": "" if lower is None else one_end(lower, -1, *claimed),
            "upper": "" if upper is None else one_end(upper, 1, *claimed),
        }

    @property
    def slack(self) -> Bound | None:
        """What a SOUND bound gives away at least, >= 0, in the unit of the claim; None for all else."""
        return self._margin("SOUND")

    @property
    def tightness(self) -> Bound | None:
        """What a SOUND bound gives away at least, in ε; None for all else, and where it is not known."""
        return self.slack if self.query.quantity == "epsilon" else self.slack_in_epsilon

    @property
    def excess(self) -> Bound | None:
        """What an UNSOUND bound is wrong by at least, > 0, in the unit of the claim; None for all else."""
        return self._margin("UNSOUND")

    @property
    def error(self) -> float | None:
        """Claim minus the middle of what is proved of the true value, in double precision; None unless it and
        both ends are known and finite.
        """
        if self.claim is None:
            return None
        ends = [end for end in (self.claim.value, *self.proved.ends) if end is not None]
        if len(ends) < 3 or math.inf in ends:
            return None
        value, lower, upper = (Fraction(end) for end in ends)
        return double(value - (lower + upper) / 2)

    @property
    def speaker(self) -> str:
        """Who was asked: the accountant, with the version if there is one.

        >>> pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6")).speaker.split()[0]
        'gdp/upper'
        """
        return self.accountant if self.version == UNKNOWN else f"{self.accountant} {self.version}"

    def rows(self) -> list[tuple[str, str]]:
        """What it says, by name: the verdict, why, both numbers, who and what was asked.

        >>> dict(pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6")).rows())["accountant"].split()[0]
        'gdp/upper'
        """
        claim, unit, shown = self.claim, UNITS[self.query.quantity], self.shown
        found = {
            "verdict": str(self.verdict),
            "reason": self.reason,
            "claim": "" if claim is None else f"{unit} {SAYS[claim.direction]} {shown['claim']}",
            f"true {unit}": shown["truth"],
            f"{unit} of the pairs": "" if shown["truth"] else self._pairs,
            "severity": self.severity or "",
            "slack": _at_least(self.slack),
            "slack in ε": _at_least(self.slack_in_epsilon),
            "excess": _at_least(self.excess),
            "accountant": self.speaker,
            "query": self.query.brief(),
        }
        return [(name, text) for name, text in found.items() if text]

    @property
    def _pairs(self) -> str:
        return "" if self.truth is None else beside((self.truth.lower, self.truth.upper))

    def to_json(self) -> dict[str, object]:
        """A dictionary for ``json.dumps``.

        Exact numbers are strings that ``Fraction`` reads back, ``inf`` for infinity; keys that end in
        ``_float`` hold the nearest double, null where it is infinite. ``lower`` and ``upper`` are the ends of
        the true value, ``lower_by`` and ``upper_by`` what proves them: null where nothing does. ``shown`` is
        what reports print.

        >>> pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6")).to_json()["verdict"]
        'SOUND'
        """
        claim, query, proved = self.claim, self.query, self.proved
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "severity": self.severity,
            "accountant": self.accountant,
            "version": self.version,
            "query": str(query),
            "composition": str(query.composition),
            "adjacency": query.adjacency,
            "quantity": query.quantity,
            "delta": text(query.delta),
            "epsilon": text(query.epsilon),
            **{name: text(getattr(query, name, None)) for name in POINTS},
            "direction": None if claim is None else claim.direction,
            **proved.to_json(),
            **exact(
                claim=None if claim is None else claim.value,
                lower=proved.ends[0],
                upper=proved.ends[1],
                slack=self.slack,
                excess=self.excess,
                tightness=self.tightness,
            ),
            "error_float": self.error,
            "promise": _promise(claim),
            "parameters": {} if claim is None else dict(claim.parameters),
            "shown": self.shown,
            "engine": None if self.truth is None else self.truth.engine,
            "seconds": self.seconds,
            "reason": self.reason,
            "cause": self.cause,
        }

    def _margin(self, verdict: Verdict) -> Bound | None:
        """Distance from the claim to the nearer end of the enclosure, where it has that verdict and the
        enclosure shows it of the true value, on the side where the pairs bound that.
        """
        if self.verdict != verdict or self.claim is None or self.truth is None:
            return None
        if judge(self.claim, self._of_pairs) != verdict:
            return None
        value, lower, upper = self.claim.value, self.truth.lower, self.truth.upper
        near = upper if value >= upper else lower
        return width((min(value, near), max(value, near)))


def _at_least(margin: Bound | None) -> str:
    """Three digits, rounded down."""
    if margin is None:
        return ""
    return f"at least {outward(margin, 3, -1)}"


def _promise(claim: Claim | None) -> dict[str, str] | None:
    if claim is None or claim.promise is None:
        return None
    return {"epsilon": show(claim.promise.epsilon), "delta": show(claim.promise.delta)}
