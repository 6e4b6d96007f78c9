"""A sentence beside a verdict: by how much, and what it depends on."""

import math
from collections.abc import Sequence
from fractions import Fraction

from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import real
from pldverify.numbers.presentation import number
from pldverify.numbers.scientific import scientific
from pldverify.rulings.model import Claim
from pldverify.rulings.ruling import Reading, symbol, told
from pldverify.values.value import Value
from pldverify.values.verdict import ends

_WORDS = {
    "=": "is",
    "in": "is in",
    "≤": "is at most",
    "≥": "is at least",
    "<": "is less than",
    ">": "is more than",
    "": "",
}


def explain(claim: Claim, readings: Sequence[Reading]) -> str:
    """Of the first meaning by how much, then where another one differs; empty for what says itself."""
    first = [reading for reading in readings if reading.case == readings[0].case]
    sentences = [_amount(claim, first[0])]
    if first[0].verdict == "REFUTED" and len(first) > 1:
        sentences.append(_rounding(claim, first[1]))
    others = [r for r in readings if r.kind == "literal" and r.verdict != first[0].verdict]
    if others and first[0].case.assumes:
        sentences[0] = f"{first[0].case.assumes}: {sentences[0]}"
    for other in others:
        sentences.append(f"{other.case.assumes or 'otherwise'}: {other.verdict}, {_amount(claim, other)}")
    return "; ".join(filter(None, sentences))


def _rounding(claim: Claim, rounded: Reading) -> str:
    return f"it rounds to {claim.number}" if rounded.verdict == "CERTIFIED" else ""


def _amount(claim: Claim, reading: Reading) -> str:
    """How far the true value is from the claimed one, as far as that is proved."""
    lower, upper = reading.proved.ends
    if lower is None and upper is None:
        return told(claim, reading)
    printed, subject = claim.number, f"the {reading.case.subject} {symbol(claim)}"
    low, high = ends(real(str(printed), "claimed"))
    if lower is not None and high < lower < math.inf:
        more = _difference(lower - high, None if upper is None or upper == math.inf else upper - low)
        return f"{subject} exceeds {printed} by {more}"
    if upper is not None and upper < low and (lower or claim.relation != "<="):
        kept = "; as an upper bound it holds" if claim.relation == "=" else ""
        less = _difference(low - upper, None if lower is None else high - lower)
        return f"{subject} is {less} less than {printed}{kept}"
    if lower == upper == low == high:
        return f"{subject} is {printed} exactly"
    sign, text = Value(reading.proved.lower if lower else None, reading.proved.upper).shown((low, high))
    return f"{subject} {_WORDS[sign]} {text}" if text else told(claim, reading)


def _difference(lower: Bound, upper: Bound | None) -> str:
    if lower == math.inf or (lower == upper and Fraction(number(lower)) == lower):
        return number(lower)
    if upper is None:
        return f"at least {scientific(Fraction(lower), 3, down=True)}"
    for digits in (3, 2):
        text = scientific(Fraction(lower), digits, down=True)
        if text == scientific(Fraction(upper), digits, down=True):
            return f"{text}…"
    return f"at least {scientific(Fraction(lower), 2, down=True)}"
