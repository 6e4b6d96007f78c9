"""What a certificate says, for a reader who knows neither the field nor this package."""

import math
import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from pldverify.certificate.curve import DIGITS, Point, shows
from pldverify.certificate.issue import consists_of, promised
from pldverify.certificate.plain import NOTHING, Told, figure
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.group import group_size
from pldverify.mechanisms.mechanism import Standing
from pldverify.numbers.exact import show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.scientific import outward, scientific
from pldverify.numbers.witness import Bound
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import SIGNS, ends, holds

_RULED = {
    "CERTIFIED": "{} is true. That is proved, of what is stated and assumed below.",
    "REFUTED": "{} is false. That is proved, of what is stated and assumed below.",
    "CONDITIONAL": "{} is proved of a pair of distributions that a paper prints, and that does not "
    "bound all neighbours. It says nothing of the mechanism itself.",
    "UNDECIDED": "{} is neither proved nor disproved.",
}
_NOT_KEPT = (
    "There are neighbouring data sets that can be told apart better than it promises. It does not follow "
    "that a record of the data set at hand was exposed."
)
_NOT_IMPLIED = (
    "The guarantees or pairs that are stated do not imply it: there are mechanisms that have them and do not "
    "keep it, even if what was run does."
)
_OF_WORST = (
    "It is so of the worst mechanism that has the guarantees or pairs that are stated. What was run may tell "
    "less."
)
_TWO_ENDS = (
    "The claimed ε lies between these two ends. Of such a run no more is known here: no attack exceeds the "
    "upper end, and some attack reaches the lower one."
)
NEIGHBOURS = {
    "add-or-remove": "one of them has one record more",
    "add": "one of them has one record more; events are bounded where the record is missing, by their "
    "probability where it is there, and not the other way round",
    "remove": "one of them has one record more; events are bounded where the record is there, by their "
    "probability where it is missing, and not the other way round",
    "replace-one": "they have as many records, and differ in one",
    "zero-out": "one record of one of them counts as nothing in the other: it keeps its place, "
    "and contributes 0",
}
_OF_PAIRS: dict[Standing, str] = {
    "exact": "This is the δ of the worst mechanism that has the guarantees or pairs that are stated: what "
    "was run has at most that, and may have less.",
    "upper bound": "This is the δ of pairs of distributions that bound all neighbours, and may not be "
    "attained: the mechanism's δ is at most that, and may be smaller.",
    "lower bound": "This is the δ of pairs of distributions that do not bound all neighbours: the "
    "mechanism's δ is at least that, and may be greater.",
    "neither": "This is the δ of pairs of distributions that neither bound all neighbours nor are all "
    "attained: the mechanism's δ may be smaller or greater.",
}
"""What a profile of the pairs says of the mechanism, where it is not the mechanism's own; if it is exact,
of one of which guarantees or pairs are stated.
"""
_OWN = "FILE.py:NAME"
"""What a user puts in the place of densities of their own, in a command."""
_DECIMALS = 15
"""Digits of the ends of what is proved."""
_FACTOR = 700
"""A greater ε has no double for e^ε."""


def claim(certificate: Certificate) -> str:
    """What is claimed.

    >>> from pldverify.certificate.words import claim
    >>> claim(pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon=1))
    'ε ≤ 1 at δ = 0'
    >>> claim(pv.certify(pv.Laplace(b=1), epsilon=1.1, delta=1e-5))
    'ε ≤ 1.1 (as a double) at δ = 1e-5 (as a double)'
    """
    delta = figure(certificate.query.delta or Fraction(0))
    return f"ε {SIGNS[certificate.relation]} {certificate.claimed} at δ = {delta}"


def whose(certificate: Certificate) -> str:
    """Of what the drawn profile is.

    >>> from pldverify.certificate.words import whose
    >>> [whose(pv.certify(m, epsilon=2, delta=0)) for m in (pv.Laplace(b=1), pv.PureDP(1))]
    ['the mechanism', 'the worst mechanism that has what is stated']
    """
    if certificate.truth_is != "exact":
        return "the pairs"
    worst = promised(certificate.query.composition)
    return "the worst mechanism that has what is stated" if worst else "the mechanism"


def of_pairs(certificate: Certificate) -> str:
    """What the drawn profile says of the mechanism; nothing where it is its own.

    >>> from pldverify.certificate.words import of_pairs
    >>> of_pairs(pv.certify(pv.Laplace(b=1), epsilon=2, delta=0))
    ''
    """
    return "" if whose(certificate) == "the mechanism" else _OF_PAIRS[certificate.truth_is]


def ruled(certificate: Certificate, what: str = "The claim") -> str:
    """The verdict in a sentence, and of what it is, where that is not what was run."""
    said = _RULED[certificate.verdict].format(what)
    refuted = certificate.verdict == "REFUTED" and certificate.relation == "<="
    if of_worst(certificate):
        return f"{said} {_NOT_IMPLIED if refuted else _OF_WORST}"
    return f"{said} {_NOT_KEPT}" if refuted else said


def of_worst(certificate: Certificate) -> bool:
    """Whether it is decided of the worst mechanism that has the guarantees or pairs that are stated, and not
    of what was run: of that, which tells no more, only the upper end is proved.

    >>> from pldverify.certificate.words import of_worst
    >>> [of_worst(pv.certify("pure_dp(1)", e, delta=0, relation=">=")) for e in ("0.9", "1.1")]
    [True, False]
    """
    if certificate.verdict not in ("CERTIFIED", "REFUTED") or not promised(certificate.query.composition):
        return False
    return holds(certificate.relation, certificate.epsilon, certificate.proved.above_alone) is None


def found(certificate: Certificate, told: Told = NOTHING) -> list[str]:
    """The proved value, how far the claimed one is from it, and why the ruling is no other."""
    said = []
    if certificate.truth is not None:
        of = "" if told.ran else " of this composition"
        said.append(f"Proved{of}: {' '.join(certificate.shown)} at this δ.")
        said += _distance(certificate)
    two_sided = certificate.truth is not None and certificate.truth.two_sided
    if two_sided and certificate.cause == "TOO WIDE" and not promised(certificate.query.composition):
        return [*said, _TWO_ENDS]
    return said + [f"{text[0].upper()}{text[1:]}." for text in [certificate.reason] if text]


def _distance(certificate: Certificate) -> list[str]:
    """By how much the true ε is proved to be another one."""
    low, high = (Fraction(end) for end in ends(certificate.epsilon))
    least, most = certificate.proved.ends
    if least is not None and least > high:
        above = "" if least == math.inf else f", by at least {at_least(least - high)}"
        return [f"It is greater than the claimed one{above}."]
    if most is not None and most < low:
        return [f"It is smaller than the claimed one, by at least {at_least(low - Fraction(most))}."]
    return []


def meaning(certificate: Certificate, told: Told = NOTHING) -> list[str]:
    """What (ε, δ) promises, of what and against whom."""
    unit = (
        f"One record is {_one(told.unit)}."
        if told.unit
        else (
            "What one record is was not stated: a training example, say, or all that is known of one person."
        )
    )
    records = group_size(certificate.query.composition)
    if records > 1:
        unit += f" What is called one record here is a group of up to {records:,} records."
    delta = certificate.query.delta or Fraction(0)
    epsilon = float(ends(certificate.epsilon)[1]) if certificate.epsilon < _FACTOR else math.inf
    factor = f" Here e^ε is about {math.exp(epsilon):.4g}." if epsilon < _FACTOR else ""
    return [
        f"Two data sets are neighbours if {NEIGHBOURS[certificate.query.adjacency]}. {unit}",
        "Somebody who knows all other records, sees everything that is released (of a training run the "
        "model after every step: who sees the last one alone may learn less) and computes without limit "
        "looks for some event in it, to tell two neighbours apart. The promise is: on one the event is at "
        f"most e^ε times as probable as on the other, plus δ.{factor}{_chance(delta)} The smaller ε and δ "
        "are, the less can be learnt of a single record.",
        "The true ε at a δ is the smallest one for which the promise is kept, for all neighbours and events. "
        "Numbers for other neighbours or another δ cannot be compared with it.",
    ]


def _chance(delta: Fraction | Irrational) -> str:
    """δ in words, where these are short."""
    if not isinstance(delta, Fraction) or not delta.numerator == 1 < delta.denominator < 10**15:
        return ""
    return f" This δ is one in {delta.denominator:,}."


def _one(unit: str) -> str:
    """The unit with a number before it, once."""
    return unit if unit.lower().startswith(("one ", "a ", "an ", "all ", "each ", "1 ")) else f"one {unit}"


def run(told: Told) -> str:
    """The heading above the composition."""
    return "What was run, as stated" if told.ran else "What this reading is of, not what was stated to be run"


def stated(told: Told) -> list[str]:
    """Where the composition comes from."""
    return ["So it was stated to pldverify, which saw nothing of the run."] if told.ran else []


def if_one_fails(certificate: Certificate, what: str = "The claim") -> list[str]:
    """What follows where something that is assumed does not hold."""
    if of_worst(certificate):
        return ["Of what was run that is not proved: it may tell less than what is stated of it allows."]
    if certificate.verdict == "REFUTED" and certificate.relation == "<=":
        return [
            f"If more is released, {what[0].lower()}{what[1:]} is false all the more. If less is, such as "
            "the last model alone, or the noise or the batches are others than stated, or no record can "
            "contribute as much, nothing is proved of what was run."
        ]
    if certificate.verdict in ("CERTIFIED", "REFUTED"):
        return ["If one of these does not hold, nothing is proved of what was run."]
    return []


def warnings(certificate: Certificate, told: Told) -> list[str]:
    """What a reader should know who knows only that the claim is true.

    >>> from pldverify.certificate.plain import Told
    >>> found = pv.certify(pv.Query(pv.Gaussian(1), delta="0.001"), epsilon=4)
    >>> [text[:43] for text in warnings(found, Told(records=Fraction(60)))]
    []
    >>> [text[:43] for text in warnings(found, Told(records=Fraction(6000)))]
    ['δ is not below 1/n, with n = 6,000 records:']
    """
    delta = certificate.query.delta or Fraction(0)
    if told.records is None or ends(delta)[1] * told.records < 1:
        return []
    return [
        f"δ is not below 1/n, with n = {figure(told.records)} records: whoever publishes one of them as it "
        "is, drawn at random, keeps the promise with ε = 0 and δ = 1/n. Much smaller δ are customary."
    ]


def rests_on(found: Sequence[Point], certificate: Certificate) -> list[str]:
    """What the ruling rests on, where the points of the profile do not show it; why points are coarse."""
    said = []
    if found and not shows(found, certificate):
        said.append("The ruling rests on the ε proved above: these points do not show it by themselves.")
    if any(
        point.delta.digits < DIGITS and not point.delta.two_sided for point in found
    ):  # else they stay apart
        said.append("Where both ends of δ are apart, no more digits are proved within the time of a page.")
    return said


def decimals(certificate: Certificate) -> list[tuple[str, str]]:
    """The ends of the true ε that are proved, by name, rounded outward."""
    least, most = certificate.proved.ends
    lower = [] if least is None else [("true ε, at least", outward(least, _DECIMALS, -1))]
    return lower + ([] if most is None else [("true ε, at most", outward(most, _DECIMALS, 1))])


def today() -> str:
    """The day on which a page is made, or that of ``SOURCE_DATE_EPOCH`` (seconds), as ISO 8601 in UTC."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(given), UTC) if given.isdecimal() else datetime.now(UTC)
    return now.date().isoformat()


def by_hand(certificate: Certificate) -> str:
    """What the command can't say of densities that a user wrote; they have no expression."""
    own = any(isinstance(mechanism, DensityPair) for mechanism in consists_of(certificate.query.composition))
    return f", where {_OWN} is what has these densities," if own else ""


def command(certificate: Certificate) -> str:
    """What asks for the ruling again, in a shell."""
    query, sign = certificate.query, "" if certificate.relation == "<=" else f"{certificate.relation} "
    return shlex.join(
        [
            *("pldverify", "certify", _OWN if by_hand(certificate) else str(query.composition)),
            *("--delta", show(query.delta or Fraction(0)), "--epsilon", sign + show(certificate.epsilon)),
            *("--adjacency", query.adjacency),
        ]
    )


def row(point: Point, claimed: Bound | None = None) -> tuple[str, str, str]:
    """ε, and both ends of δ."""
    epsilon = show(point.epsilon) + (" (claimed)" if point.epsilon == claimed else "")
    return epsilon, at_least(point.delta.lower), at_most(point.delta.upper)


def at_least(value: Bound) -> str:
    """Rounded down."""
    return scientific(Fraction(value), 4, down=True)


def at_most(value: Bound) -> str:
    """Rounded up."""
    return scientific(Fraction(value), 4, up=True)
