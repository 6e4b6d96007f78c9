"""Metamorphic relations of one curve: the range, convexity, inverse and mirror of a privacy profile."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.questions.written import queries
from pldverify.rulings.severity import ABSOLUTE, RELATIVE
from pldverify.testing.checks.check import Break, Check, double, inconsistent
from pldverify.testing.checks.inequality import exceeds
from pldverify.testing.checks.subject import Subject


def range_of_claims(subject: Subject) -> Iterator[Break]:
    """0 ≤ δ ≤ 1 and 0 ≤ ε. An upper bound above 1 is true, and says nothing that 1 does not. A lower bound
    of ε may be below 0 by what it may give away.
    """
    for query in [*subject.seeds, *_far_seeds()]:
        value = subject.value(query)
        of_delta, error = query.quantity == "delta", subject.error(query)
        below = ABSOLUTE + error + (0 if of_delta else subject.allowance)
        subject.compared += value is not None
        if value is None or (value >= -below and (not of_delta or value <= 1 + RELATIVE + error)):
            continue
        unit = "δ" if of_delta else "ε"
        size = double(max(-value, value - 1))
        yield inconsistent(subject, (query,), f"no {unit} is {double(value):.3g}", size)


def _far_seeds() -> list[Query]:
    """Where numbers are close to the ends of their range."""
    return queries("gaussian(sigma=1000); 1000 * gaussian(sigma=1) | epsilon 0.1 5 | delta 0.9")


def convex(subject: Subject) -> Iterator[Break]:
    r"""δ is convex in :math:`x = e^\varepsilon`: at a middle point at most the mean of two others.

    Asked at e^ε = x, x + d, x + 2d with doubles for ε; the weights are those of the doubles.
    """
    for seed in subject.seeds:
        if seed.quantity != "delta":
            continue
        start = float(seed.epsilon or 0) + float(subject.allowance)
        for step in (0.1, 1.0):
            spots = [math.log(math.exp(start) + j * step) for j in range(3)]
            shift = float(subject.allowance)
            ends = [replace(seed, epsilon=Fraction(spot - shift)) for spot in (spots[0], spots[2])]
            middle = replace(seed, epsilon=Fraction(spots[1]))
            yield from _bent(subject, middle, ends, shift)


def _bent(subject: Subject, middle: Query, ends: list[Query], shift: float) -> Iterator[Break]:
    value, low, high = subject.value(middle), subject.value(ends[0]), subject.value(ends[1])
    if value is None or low is None or high is None:
        return
    subject.compared += 1
    x, a, b = (math.exp(float(q.epsilon or 0) + s) for q, s in ((middle, 0.0), *((e, shift) for e in ends)))
    weight = Fraction((x - a) / (b - a))
    chord = (1 - weight) * Fraction(low) + weight * Fraction(high)
    if exceeds(value, chord + subject.error(middle, *ends), "delta"):
        size = double(Fraction(value) - chord)
        message = (
            f"δ is convex in exp(ε): the first claim is at most a mean of the others, but {size:.3g} above"
        )
        yield inconsistent(subject, (middle, *ends), message, size)


def round_trip(subject: Subject) -> Iterator[Break]:
    """ε at the δ that was claimed at an ε is that ε, up to what both may give away.

    With c ≥ δ(ε) it is at most ε, with c < δ(ε) at least. Where δ is flat the two are far apart, so that it
    is asked beside c, by the rounding that is allowed.
    """
    below = subject.accountant.direction == "lower"
    beside = 1 - RELATIVE if below else 1 + RELATIVE
    for seed in subject.seeds:
        claimed = subject.value(seed) if seed.quantity == "delta" else None
        if claimed is None or not 0 < claimed * beside < 1 or subject.error(seed):
            continue
        back = replace(seed, epsilon=None, delta=Fraction(claimed) * beside)
        again = subject.value(back)
        if again is None:
            continue
        subject.compared += 1
        epsilon, z = Fraction(seed.epsilon or 0), subject.allowance + subject.error(back)
        wrong = exceeds(epsilon, again + z, "epsilon") if below else exceeds(again, epsilon + z, "epsilon")
        if wrong:
            size = math.inf if again == math.inf else abs(double(again - epsilon))
            message = f"ε at the claimed δ is the ε that was asked, but it is {size:.3g} away"
            yield inconsistent(subject, (seed, back), message, size)


def dual(subject: Subject) -> Iterator[Break]:
    r"""The directions mirror each other: :math:`\delta_{add}(\varepsilon) = 1 - e^\varepsilon + e^\varepsilon
    \delta_{remove}(-\varepsilon)`, and the same with add and remove exchanged.

    Of claims c that are tight to z, with :math:`s = e^{\varepsilon - z}`: c_add(ε) ≤ 1 − s + s·c_remove(x),
    at x = z − ε for upper bounds, and at x = −ε for lower ones and for estimates, wrong by z on either side.
    """
    upper, z = subject.accountant.direction == "upper", subject.tightness or Fraction(0)
    for seed in subject.seeds:
        if seed.quantity != "delta":
            continue
        ways: tuple[tuple[Adjacency, Adjacency], ...] = (("add", "remove"), ("remove", "add"))
        for here, there in ways:
            query = replace(seed, adjacency=here)
            at = Fraction(seed.epsilon or 0) - z
            if at < 0:  # nothing was said of how tight it is there
                continue
            mirror = replace(seed, epsilon=-at if upper else -at - z, adjacency=there)
            value, other = subject.value(query), subject.value(mirror)
            if value is None or other is None:
                continue
            subject.compared += 1
            scale = Fraction(math.exp(float(at)))
            size = double(Fraction(value) - (1 - scale + scale * Fraction(other)))
            if size > max(1.0, float(scale)) * (1e-9 + float(subject.error(query, mirror))):
                message = (
                    f"−ε in one direction mirrors ε in the other, but the first claim is {size:.3g} above"
                )
                yield inconsistent(subject, (query, mirror), message, size)


CHECKS = (
    Check(
        "range", "Errors are subtracted or added, and the result is not clipped.", "relation", range_of_claims
    ),
    Check("convex", "ε is rounded to a grid, or read from a table.", "relation", convex),
    Check("round-trip", "ε(δ) is not the inverse of δ(ε).", "relation", round_trip),
    Check("dual", "δ at ε < 0 is clipped, or its directions are not exchanged.", "relation", dual),
)
