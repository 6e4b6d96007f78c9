"""A sentence beside a verdict: by how much, and what it depends on."""

import math
from collections.abc import Sequence
from fractions import Fraction

from pldverify.claims.model import Claim
from pldverify.claims.ruling import Reading, brief, symbol
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import real
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.presentation import number
from pldverify.numbers.scientific import outward, scientific


def explain(claim: Claim, readings: Sequence[Reading]) -> str:
    """Of the first meaning by how much, then where another one differs; empty for what says itself."""
    first = [reading for reading in readings if reading.case == readings[0].case]
    sentences = [_amount(claim, first[0])]
    if first[0].verdict == "REFUTED" and len(first) > 1:
        sentences.append(_rounding(claim, first[1]))
    for other in readings:
        if other.kind == "literal" and other.verdict != first[0].verdict:
            sentences.append(f"{other.case.assumes or 'otherwise'}: {other.verdict}, {_amount(claim, other)}")
    return "; ".join(filter(None, sentences))


def _rounding(claim: Claim, rounded: Reading) -> str:
    return f"it rounds to {_printed(claim)}" if rounded.verdict == "CERTIFIED" else ""


def _amount(claim: Claim, reading: Reading) -> str:
    """How far the true value is from the claimed one, as far as that is proved."""
    value = real(str(_printed(claim)), "claimed")
    name, of = symbol(claim), reading.case.subject
    bound = reading.case.one_sided
    one_sided = bound or reading.lower == 0
    if one_sided and reading.verdict in ("CERTIFIED", "CONDITIONAL"):
        return f"the {of} {name} is at most {outward(reading.upper, 6, 1)}"
    if isinstance(value, Irrational):
        return ""
    if reading.lower > value:
        more = _difference(reading.lower - value, reading.upper - value)
        subject = f"proved upper bound on the {of} {name}" if bound else f"{of} {name}"
        return f"the {subject} exceeds {_printed(claim)} by {more}"
    if reading.upper < value:
        kept = "; as an upper bound it holds" if claim.relation == "=" else ""
        less = _difference(value - reading.upper, math.inf if bound else value - reading.lower)
        return f"the {of} {name} is {less} less than {_printed(claim)}{kept}"
    if reading.lower == reading.upper == value:
        return f"the {of} {name} is {_printed(claim)} exactly"
    return f"the {of} {name} is {'at most' if one_sided else 'in'} {_ends(reading, one_sided)}"


def _ends(reading: Reading, one_sided: bool) -> str:
    return outward(reading.upper, 6, 1) if one_sided else brief(reading.lower, reading.upper)


def _difference(lower: Bound, upper: Bound) -> str:
    if lower == math.inf or (lower == upper and Fraction(number(lower)) == lower):
        return number(lower)
    if upper == math.inf:
        return f"at least {scientific(Fraction(lower), 3, down=True)}"
    for digits in (3, 2):
        text = scientific(Fraction(lower), digits, down=True)
        if text == scientific(Fraction(upper), digits, down=True):
            return f"{text}…"
    return f"at least {scientific(Fraction(lower), 2, down=True)}"


def _printed(claim: Claim) -> str:
    if claim.rdp is not None:
        return str(claim.rdp.divergence)
    return str(next(value for value in (claim.epsilon, claim.rho, claim.mu) if value is not None))
