"""Ruling: the verdict on a claim of a claims file, with every reading that it rests on."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from pldverify.certificate.certify import Certificate
from pldverify.certificate.certify import Ruling as Verdict
from pldverify.claims.cases import Case
from pldverify.claims.model import Claim
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import real, show
from pldverify.numbers.json import text
from pldverify.numbers.judged import Judged
from pldverify.numbers.presentation import number, pair
from pldverify.numbers.scientific import outward, scientific
from pldverify.numbers.word import Certification

Kind = Literal["literal", "rounded"]
SIGNS = {"<=": "≤", ">=": "≥", "=": "="}


@dataclass(frozen=True)
class Reading:
    """A verdict on one meaning of a claim.

    Attributes:
        kind: of the number as it stands, or of all numbers that round to it.
        says: the statement that is judged, such as ``ε ≤ 6.865``.
        verdict: on it, in this case.
        lower, upper: proved ends of the true value, or of a bound on it.
        reason: why it is not decided, or how it was.
        certificate: what it rests on; None where it rests on a conversion.
    """

    case: Case
    kind: Kind
    says: str
    verdict: Verdict
    lower: Bound
    upper: Bound
    reason: str = ""
    certificate: Certificate | None = None

    @property
    def truth(self) -> str:
        """The proved ends as text: the digits that both share, with one more, else both."""
        if self.lower == self.upper:
            return number(self.lower)
        return brief(self.lower, self.upper)


def brief(lower: Bound, upper: Bound) -> str:
    """The first digits of both ends where at least four are the same, else the pair of them.

    >>> brief(Fraction("6.907380"), Fraction("6.907389")), brief(Fraction(0), Fraction(2))
    ('6.90738…', '[0, 2.00000]')
    """
    if lower > 0 and upper != math.inf:
        for digits in (6, 5, 4):
            down = scientific(Fraction(lower), digits, down=True)
            if down == scientific(Fraction(upper), digits, down=True):
                return f"{down}…"
    return pair((lower, upper))


@dataclass(frozen=True)
class Miss:
    """What would make a refuted claim true, proved on both sides of a grid.

    Attributes:
        name: of the parameter.
        value: with which the claim holds; with ``beyond``, its neighbour, it does not.
    """

    name: str
    value: Fraction
    beyond: Fraction

    def __str__(self) -> str:
        return f"{self.name} = {number(self.value)} (not with {number(self.beyond)})"


@dataclass(frozen=True, repr=False)
class Ruling(Judged):
    """The ruling on one claim. It has no truth value: its verdict is compared.

    Attributes:
        verdict: CERTIFIED or REFUTED of what was run, literally; CONDITIONAL where that depends on what is
            not stated, or differs from what was accounted for; else UNDECIDED.
        readings: the literal ones first, each beside its rounding-aware one.
        explanation: a sentence: by how much, and why.
        misses: with which noise, steps or δ a refuted claim would hold.
        not_stated: what an evaluation after NIST SP 800-226 must know, and the claim does not say.
        file: where the claim stands.
        seconds: processor time.
    """

    claim: Claim
    verdict: Verdict  # type: ignore[assignment]  # of these words
    readings: tuple[Reading, ...]
    explanation: str
    misses: tuple[Miss, ...] = ()
    not_stated: tuple[str, ...] = ()
    file: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", Certification(self.verdict))

    @property
    def says(self) -> str:
        """The claim, literally."""
        return says(self.claim)

    def rows(self) -> list[tuple[str, str]]:
        """What it says, by name.

        >>> from pldverify.claims.model import Claim
        >>> from pldverify.claims.rule import rule
        >>> phase = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "none", "steps": 1}
        >>> row = {"id": "one", "epsilon": "4.4", "delta": "1e-5", "adjacency": "add-or-remove"}
        >>> rule(Claim.model_validate({**row, "phase": [phase]})).rows()[:2]
        [('verdict', 'CERTIFIED'), ('claim', 'one: ε ≤ 4.4 at δ = 0.00001')]
        """
        found = [("verdict", str(self.verdict)), ("claim", f"{self.claim.id}: {self.says}")]
        for reading in self.readings:
            name = "literally" if reading.kind == "literal" else "rounded"
            assumes = f" ({reading.case.assumes})" if reading.case.assumes else ""
            parts = [reading.says, told(self.claim, reading), reading.reason]
            found.append((name, f"{reading.verdict}{assumes}: {'; '.join(filter(None, parts))}"))
        found += [("why", self.explanation)] if self.explanation else []
        found += [("would hold with", str(miss)) for miss in self.misses]
        if self.not_stated:
            found.append(("not stated", ", ".join(self.not_stated)))
        return found

    def to_json(self) -> dict[str, Any]:
        """A dictionary for ``json.dumps``: exact numbers are strings.

        >>> from pldverify.claims.model import Claim
        >>> from pldverify.claims.rule import rule
        >>> phase = {"mechanism": "pure_dp", "epsilon": "0.11", "times": 4}
        >>> claim = Claim.model_validate({"id": "sum", "epsilon": "0.4", "delta": 0, "phase": [phase]})
        >>> found = rule(claim).to_json()
        >>> found["verdict"], found["readings"][0]["lower"], found["explanation"]
        ('REFUTED', '0.44', 'the implied ε exceeds 0.4 by 0.04; it rounds to 0.4')
        """
        return {
            "file": self.file,
            "id": self.claim.id,
            "verdict": str(self.verdict),
            "claim": self.says,
            "readings": [_reading_json(reading) for reading in self.readings],
            "explanation": self.explanation,
            "would_hold_with": [
                {"parameter": m.name, "value": number(m.value), "not_with": number(m.beyond)}
                for m in self.misses
            ],
            "not_stated": list(self.not_stated),
            "note": self.claim.note,
            "seconds": round(self.seconds, 3),
        }


def says(claim: Claim, value: str | None = None, relation: str | None = None) -> str:
    """The claim in symbols, with another number in its place if one is given."""
    sign = SIGNS[relation or claim.relation]
    if claim.epsilon is not None:
        return f"ε {sign} {value or claim.epsilon} at δ = {show(real(str(claim.delta), 'delta'))}"
    if claim.rdp is not None:
        return f"D_α {sign} {value or claim.rdp.divergence} at α = {claim.rdp.order}"
    return f"ρ {sign} {value or claim.rho}" if claim.rho is not None else f"μ {sign} {value or claim.mu}"


def symbol(claim: Claim) -> str:
    """Of what is claimed."""
    named = (("ε", claim.epsilon), ("ρ", claim.rho), ("μ", claim.mu), ("D_α", claim.rdp))
    return next(name for name, value in named if value is not None)


def told(claim: Claim, reading: Reading) -> str:
    """The true value, as far as it is proved."""
    name, subject = symbol(claim), reading.case.subject
    if reading.upper == math.inf and reading.lower == 0:
        return f"nothing is proved of the {subject} {name}"
    if reading.case.one_sided:
        return f"{subject} {name} ≤ {outward(reading.upper, 6, 1)}"
    return f"{subject} {name} {'in' if '[' in reading.truth else '='} {reading.truth}"


def _reading_json(reading: Reading) -> dict[str, Any]:
    return {
        "assumes": reading.case.assumes,
        "role": reading.case.role,
        "kind": reading.kind,
        "says": reading.says,
        "verdict": str(reading.verdict),
        "composition": str(reading.case.composition),
        "adjacency": reading.case.adjacency,
        "lower": text(reading.lower),
        "upper": text(reading.upper),
        "reason": reading.reason,
    }
