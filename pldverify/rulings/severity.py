r"""Severity: how wrong an UNSOUND bound is.

A claim c of a true value t is wrong at *rounding level* if :math:`|c - t| \le 10^{-9} t`, or
:math:`|c - t| \le 10^{-12}` where t = 0, or if :math:`|c - t| \le 2^{-1074}`, the least double: so
of a δ of 1e-350 that is said to be 0. All else is *material*. These are claims about t again, so they are
decided as the claim was, in exact arithmetic: for t > 0

    an upper bound c < t is at rounding level  iff  max(c/(1 − 10⁻⁹), c + 2⁻¹⁰⁷⁴) is an upper bound of t
    a lower bound c > t is at rounding level   iff  min(c/(1 + 10⁻⁹), c − 2⁻¹⁰⁷⁴) is a lower bound of t

and t = 0 iff 0 is an upper bound of t, for no ε and no δ is negative. What is proved of neither is undecided.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from pldverify.numbers.claim import Claim
from pldverify.rulings.soundness import Severity, Verdict

RELATIVE = Fraction(1, 10**9)
"""Largest relative error that is rounding-level."""
ABSOLUTE = Fraction(1, 10**12)
"""Largest size of a claim that may stand for 0, in units of the claim: ε in nats, δ, ρ or μ."""
SMALLEST = Fraction(1, 2**1074)
"""The least double above 0."""

_SEVERITIES: dict[Verdict, Severity] = {
    "SOUND": "rounding-level",
    "UNSOUND": "material",
    "UNDECIDED": "undecided",
}


def severity(claim: Claim, decide: Callable[[Claim], Verdict]) -> Severity:
    """The severity of an UNSOUND bound, its value exact; ``decide`` judges claims about the same true value.

    >>> from fractions import Fraction
    >>> import pldverify as pv
    >>> from pldverify.rulings.severity import severity
    >>> def of_one(claim):
    ...     return "SOUND" if claim.value >= 1 else "UNSOUND"
    >>> severity(pv.Claim(1 - Fraction(1, 10**10), "upper", "doctest"), of_one)
    'rounding-level'
    """
    if -ABSOLUTE <= claim.value <= ABSOLUTE:
        zero = decide(replace(claim, value=Fraction(0), direction="upper"))
        if zero != "UNSOUND":  # then the true value is 0, or may be
            return _SEVERITIES[zero]
    if claim.value < 0 or claim.value == math.inf:
        return "material"
    value = Fraction(claim.value)
    if claim.direction == "upper":
        moved = max(value / (1 - RELATIVE), value + SMALLEST)
    else:
        moved = min(value / (1 + RELATIVE), value - SMALLEST)
    return _SEVERITIES[decide(replace(claim, value=moved))]
