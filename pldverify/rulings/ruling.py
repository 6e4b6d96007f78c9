"""Ruling: the verdict on a claim of a claims file, with every reading that it rests on."""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Literal

from pldverify.numbers.exact import real, show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.judged import Judged
from pldverify.numbers.presentation import number
from pldverify.numbers.word import Certification
from pldverify.rulings.cases import Case
from pldverify.rulings.certify import Certificate
from pldverify.rulings.model import Claim
from pldverify.values.value import Value, narrower
from pldverify.values.verdict import SIGNS, Relation, ends
from pldverify.values.verdict import Certification as Verdict

Kind = Literal["literal", "rounded"]
Statement = tuple[Relation, Fraction | Irrational]
"""How the true value stands to a number."""


_SYMBOLS = {"epsilon": "ε", "rho": "ρ", "mu": "μ", "rdp": "D_α", "tpr": "TPR", "advantage": "advantage"}
"""Of what may be claimed."""


@dataclass(frozen=True)
class Reading:
    """A verdict on one meaning of a claim.

    Attributes:
        kind: of the number as it stands, or of all numbers that round to it.
        says: what is judged, such as ``ε ≤ 6.865``.
        statements: the same, each of which must hold.
        verdict: on it, in this case.
        proved: the ends of the true value, each with what proves it.
        reason: why it is not decided, or how it was.
        certificate: the one that says all of this; None where it rests on a conversion, on two claims
            together, or on a composition that only bounds what was run and decides more than that.
        of_pairs: the pairs' value as text, where that bounds the true one from neither side.
    """

    case: Case
    kind: Kind
    says: str
    statements: tuple[Statement, ...]
    verdict: Verdict
    proved: Value
    reason: str = ""
    certificate: Certificate | None = None
    of_pairs: str = ""

    @property
    def truth(self) -> str:
        """What is proved of the true value, as text that supports the verdict."""
        return " ".join(self.proved.shown(*(ends(value) for _, value in self.statements))).strip()


@dataclass(frozen=True)
class Miss:
    """What would make a refuted claim true, proved on both sides of a grid.

    Attributes:
        name: of the parameter.
        value: with which the claim holds; with ``beyond``, its neighbour, it does not.
        case: the meaning of which that is proved, in words; empty where there is only one.
    """

    name: str
    value: Fraction
    beyond: Fraction
    case: str = ""

    def __str__(self) -> str:
        of = f" ({self.case})" if self.case else ""
        return f"{self.name} = {number(self.value)}{of} (not with {number(self.beyond)})"


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

        >>> from pldverify.rulings.model import Claim
        >>> from pldverify.rulings.rule import rule
        >>> phase = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "none", "steps": 1}
        >>> row = {"id": "one", "epsilon": "4.4", "delta": "1e-5", "adjacency": "add-or-remove"}
        >>> rule(Claim.model_validate({**row, "phase": [phase]})).rows()[:2]
        [('verdict', 'CERTIFIED'), ('claim', 'one: ε ≤ 4.4 at δ = 1e-5')]
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

        >>> from pldverify.rulings.model import Claim
        >>> from pldverify.rulings.rule import rule
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
                {
                    "parameter": m.name,
                    "value": number(m.value),
                    "not_with": number(m.beyond),
                    "case": m.case,
                }
                for m in self.misses
            ],
            "not_stated": list(self.not_stated),
            "note": self.claim.note,
            "seconds": round(self.seconds, 3),
        }


def says(claim: Claim, value: str | None = None, relation: Relation | None = None) -> str:
    """The claim in symbols, with another number in its place if one is given."""
    found = f"{symbol(claim)} {SIGNS[relation or claim.relation]} {value or claim.number}"
    if claim.delta is not None:
        return f"{found} at δ = {show(real(str(claim.delta), 'delta'))}"
    if claim.rdp is not None:
        return f"{found} at α = {claim.rdp.order}"
    if claim.tpr is not None:
        return f"{found} at FPR = {claim.tpr.fpr}"
    return found if claim.regret is None else f"{found} with regret {claim.regret}"


def symbol(claim: Claim) -> str:
    """Of what is claimed."""
    return _SYMBOLS[claim.quantity]


def told(claim: Claim, *readings: Reading) -> str:
    """The true value, as far as it is proved: text that supports the verdicts of readings of one case."""
    first, name = readings[0], symbol(claim)
    claimed = [ends(value) for reading in readings for _, value in reading.statements]
    sign, text = reduce(narrower, (reading.proved for reading in readings)).shown(*claimed)
    if text:
        return f"{first.case.subject} {name} {sign} {text}"
    nothing = f"nothing is proved of the {first.case.subject} {name}"
    return f"{nothing}; {first.of_pairs}" if first.of_pairs else nothing


def _reading_json(reading: Reading) -> dict[str, Any]:
    return {
        "assumes": reading.case.assumes,
        "role": reading.case.role,
        "subject": reading.case.subject,
        "kind": reading.kind,
        "says": reading.says,
        "verdict": str(reading.verdict),
        "composition": str(reading.case.composition),
        "is_run": reading.case.is_run,
        "adjacency": reading.case.adjacency,
        **reading.proved.to_json(),
        "reason": reading.reason,
    }
