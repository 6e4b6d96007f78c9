r"""Inequalities: two claims, the first of which is about at most the true value of the second.

Claims keep an inequality of the true values up to what they may give away, z in ε. An upper bound c of δ that
is tight to z has :math:`\delta(\varepsilon) \le c \le \delta(\varepsilon - z)`, so from :math:`\delta_1 \le
\delta_2` at every ε follows

    c_1(ε) ≤ δ_1(ε − z) ≤ δ_2(ε − z) ≤ c_2(ε − z),

and the second query is asked at ε − z. Lower bounds give the same. For ε(δ), c_1 ≤ c_2 + z. An
estimate, wrong on either side, has 2z, and what it promises as its error besides. So a break is a proof
that two claims are not both sound and tight to z: INCONSISTENT.
Rounding of 1e-9, relatively, breaks nothing.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Bound
from pldverify.rulings.severity import ABSOLUTE, RELATIVE
from pldverify.testing.checks.check import Break, double, inconsistent
from pldverify.testing.checks.subject import Subject

Pair = tuple[Query, Query, str]
"""Two queries, the first with at most the true value of the second, and why in a few words."""
Pairs = Callable[[Query], Iterator[Pair]]


def ordered(pairs: Pairs, subject: Subject) -> Iterator[Break]:
    """Breaks of a relation that is given by pairs, from every seed."""
    for seed in subject.seeds:
        for less, more, why in pairs(seed):
            yield from compared(subject, less, more, why)


def compared(subject: Subject, less: Query, more: Query, why: str) -> Iterator[Break]:
    allowance = subject.allowance
    if more.quantity == "delta":
        assert isinstance(more.epsilon, Fraction)  # of a seed
        if more.epsilon < allowance:
            return
        more, allowance = replace(more, epsilon=more.epsilon - allowance), Fraction(0)
    first, second = subject.value(less), subject.value(more)
    if first is None or second is None:
        return
    subject.compared += 1
    if not exceeds(first, second + allowance + subject.error(less, more), more.quantity):
        return
    size = _above(first, second)
    message = f"{why}: the first claim is at most the second, but it is {size:.3g} above"
    yield inconsistent(subject, (less, more), message, size)


def exceeds(first: Bound, second: Bound, quantity: str) -> bool:
    """Whether the first is greater, by more than rounding; a δ is never too small to be compared."""
    if second == math.inf:
        return False
    floor = Fraction(0) if quantity == "delta" else ABSOLUTE
    return first > Fraction(second) + abs(Fraction(second)) * RELATIVE + floor


def _above(first: Bound, second: Bound) -> float:
    return math.inf if first == math.inf else double(Fraction(first) - Fraction(second))
