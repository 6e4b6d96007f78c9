"""Metamorphic relations of Rényi divergences: how they grow, bend and add up."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.testing.checks.check import Break, Check, double, inconsistent
from pldverify.testing.checks.inequality import compared, exceeds
from pldverify.testing.checks.questions import RENYI
from pldverify.testing.checks.subject import Subject

_TRIPLES = (
    (Fraction(2), Fraction(3), Fraction(4)),
    (Fraction(2), Fraction(5, 2), Fraction(3)),
    (Fraction(8), Fraction(16), Fraction(32)),
)
"""Orders α, in increasing order, at which convexity is checked."""


def renyi_grows(subject: Subject) -> Iterator[Break]:
    """Rényi divergences grow with the order."""
    queries = RENYI.queries()
    for less, more in pairwise(queries):
        if less.composition == more.composition:
            yield from compared(subject, less, more, "the Rényi divergence grows with the order")


def renyi_convex(subject: Subject) -> Iterator[Break]:
    """(α − 1) D_α is convex in α, a cumulant."""
    for composition in dict.fromkeys(query.composition for query in RENYI.queries()):
        for orders in _TRIPLES:
            queries = [RenyiQuery(composition, order=order) for order in orders]
            known = [value for query in queries if (value := subject.value(query)) is not None]
            if len(known) < len(queries) or math.inf in known:
                continue
            subject.compared += 1
            low, value, high = (
                (order - 1) * Fraction(claim) for order, claim in zip(orders, known, strict=True)
            )
            weight = Fraction(orders[1] - orders[0]) / (orders[2] - orders[0])
            chord = (1 - weight) * low + weight * high
            error = (orders[-1] - 1) * (subject.allowance + subject.error(*queries))
            if exceeds(value, chord + error, "rdp"):
                size = double(value - chord)
                message = f"(α − 1)·D is convex in α, but in the middle it is {size:.3g} above the chord"
                yield inconsistent(subject, tuple(queries), message, size)


def renyi_additive(subject: Subject) -> Iterator[Break]:
    """The divergence of two equal compositions is twice that of one."""
    for query in RENYI.queries():
        twice = replace(query, composition=2 * query.composition)
        one, two = subject.value(query), subject.value(twice)
        if one is None or two is None or math.inf in (one, two):
            continue
        subject.compared += 1
        z = 2 * (subject.allowance + subject.error(twice, query))
        if exceeds(two, 2 * one + z, "rdp") or exceeds(2 * one, two + z, "rdp"):
            size = abs(double(two - 2 * one))
            message = f"the first claim is twice the second, but it is {size:.3g} away"
            yield inconsistent(subject, (twice, query), message, size)


CHECKS = (
    Check("renyi-grows", "A divergence over- or underflows at large orders.", "relation", renyi_grows),
    Check(
        "renyi-convex", "Orders of different kinds take formulas that don't agree.", "relation", renyi_convex
    ),
    Check(
        "renyi-adds-up", "The number of steps does not multiply the divergence.", "relation", renyi_additive
    ),
)
