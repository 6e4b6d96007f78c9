"""Shrink: the simplest question that still shows a finding.

A question is simpler with fewer mechanisms, then with numbers of fewer digits that are nearer to 1, which is
the simplest of all. Each step makes the question simpler and keeps the kind of the finding, so the end comes.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from pldverify.hunt.knobs import Knob, composed, knobs, turned
from pldverify.hunt.simplicity import cost
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.rulings.finding import Finding

_LEAST = 0.05
"""Least fall of the cost that makes a question simpler."""
_SIMPLE = [Fraction(text) for text in ("1", "2", "1/2", "10", "1/10", "100", "1/100")]


def shrunk(
    finding: Finding,
    ask: Callable[[Query], Finding],
    same: Callable[[Finding], bool],
    goes_on: Callable[[], bool],
) -> Finding:
    """The finding on the simplest question that was found.

    Args:
        finding: what is shrunk.
        ask: the finding on another question.
        same: whether that one still shows it.
        goes_on: asked before each question.

    >>> import pldverify as pv
    >>> def half(query):
    ...     return 0.5
    >>> def ask(query):
    ...     return pv.check(half, query, direction="upper")
    >>> found = ask(pv.Query(700 * pv.Gaussian("12.3"), delta="3e-7"))
    >>> simplest = shrunk(found, ask, lambda other: other.verdict == "UNSOUND", lambda: True)
    >>> str(simplest.query)
    'ε at δ=0.1 of gaussian(sigma=1) [add-or-remove]'
    """
    tried = {finding.query}
    while True:
        better = _simpler(finding, ask, same, goes_on, tried)
        if better is None:
            return finding
        finding = better


def _simpler(
    finding: Finding,
    ask: Callable[[Query], Finding],
    same: Callable[[Finding], bool],
    goes_on: Callable[[], bool],
    tried: set[Query],
) -> Finding | None:
    known = cost(finding.query)
    offers = sorted({query for query in simpler(finding.query)} - tried, key=lambda q: (cost(q), str(q)))
    for query in offers:
        if cost(query) > known - _LEAST:
            break
        if not goes_on():
            break
        tried.add(query)
        other = ask(query)
        if same(other):
            return other
    return None


def simpler(query: Query) -> Iterator[Query]:
    """Questions next to this one that may be simpler.

    >>> import pldverify as pv
    >>> pv.Query(pv.Gaussian(1), delta="0.1") in list(simpler(pv.Query(pv.Gaussian(7), delta="0.1")))
    True
    """
    parts = list(query.composition.parts)
    fewer = [parts[:i] + parts[i + 1 :] for i in range(len(parts)) if len(parts) > 1]
    bare = [
        [*parts[:i], (mechanism.base, count), *parts[i + 1 :]]
        for i, (mechanism, count) in enumerate(parts)
        if isinstance(mechanism, PoissonSubsampled)
    ]
    yield from filter(None, (composed(query, others) for others in [*fewer, *bare]))
    if query.adjacency != query.composition.adjacency:
        yield replace(query, adjacency=query.composition.adjacency)
    for knob in knobs(query):
        for value in _values(knob):
            other = turned(query, knob, value)
            if other is not None:
                yield other


def _values(knob: Knob) -> Iterator[Fraction]:
    value = knob.value
    yield from _SIMPLE
    if value <= 0:
        return
    exponent = round(math.log10(value.numerator) - math.log10(value.denominator))
    nearer = exponent + (1 if exponent < 0 else -1)
    yield from (Fraction(10) ** each for each in (exponent, nearer, int(exponent / 2)))
    for digits in (1, 2, 3):
        if Fraction(1, 10**300) < value < 10**300:
            yield Fraction(f"{float(value):.{digits - 1}e}")
    if 0 < value < 1:
        if knob.part is None and knob.path == ("epsilon",):
            yield Fraction(0)
        beside = abs(value - Fraction(1, 2)) if value < Fraction(3, 4) else 1 - value
        if 0 < beside < Fraction(1, 10):
            near = Fraction(10) ** -max(1, round(-math.log10(beside)) // 2)
            yield from (Fraction(1, 2) - near, Fraction(1, 2) + near, 1 - near)
