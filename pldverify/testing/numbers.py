"""Strategies for numbers, all exact: a decimal of two digits, or an edge, or the double next to a decimal.

Each shrinks towards the simplest number of its kind: 1, and 1e-5 for δ. Half of the draws are edges, where
accountants change their formulas: integers, 1/2, 0 and 1 and their neighbours.
"""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import Number, nonnegative

Numbers = SearchStrategy[Fraction]

_NEXT_TO_1 = Fraction(1) - Fraction(1, 2**53)
"""The largest double below 1."""


def epsilons(min_value: Number = 0, max_value: Number = 100) -> Numbers:
    """ε in nats, from ``min_value`` to ``max_value``; shrinks towards 1.

    Raises InvalidInput for a negative bound, and where nothing is between them.

    >>> from hypothesis import find
    >>> from pldverify.testing import epsilons
    >>> find(epsilons(), lambda x: x > 3)  # an edge, and so simpler than 4
    Fraction(10, 1)
    """
    edges = (1, 0, "1e-9", "0.001", "0.1", "0.5", 2, 10, 30, 100, 700)
    return _between(min_value, max_value, edges, (-4, 1))


def deltas(min_value: Number = 0, max_value: Number = 1) -> Numbers:
    """δ from ``min_value`` to ``max_value``; shrinks towards 1e-5. Raises as :func:`epsilons`."""
    edges = ("1e-5", "1e-10", "1e-16", "1e-30", "1e-100", "0.001", "0.5", _NEXT_TO_1, 0, 1)
    return _between(min_value, max_value, edges, (-30, -2))


def scales(min_value: Number = "0.05", max_value: Number = 100) -> Numbers:
    """σ, b, or another amount of noise > 0; shrinks towards 1. Raises InvalidInput as :func:`epsilons`."""
    edges = (1, 2, 4, 10, "0.5", "0.3", "0.05", "0.7", 100)
    return _between(min_value, max_value, edges, (-2, 1))


def probabilities(min_value: Number = "1e-6", max_value: Number = 1) -> Numbers:
    """Sampling and other probabilities; shrinks towards 1. Raises InvalidInput as :func:`epsilons`."""
    edges = (1, "0.5", "0.01", "0.1", "1e-6", _NEXT_TO_1, "0.9", "0.001")
    return _between(min_value, max_value, edges, (-6, -2))


def counts(max_value: int = 1000) -> SearchStrategy[int]:
    """Numbers of steps; shrinks towards 1."""
    edges = [k for k in (1, 2, 3, 4, 10, 100, 1000, 10_000, 100_000) if k <= max_value]
    return st.one_of(st.sampled_from(edges), st.integers(1, max_value))


def _between(least: Number, most: Number, edges: Sequence[Number], powers: tuple[int, int]) -> Numbers:
    """No draw is filtered out, which would spoil the shrinking: what is outside becomes an end."""
    low, high = nonnegative(least, "min_value"), nonnegative(most, "max_value")
    if low > high:
        raise InvalidInput(f"max_value must be at least min_value, got {least} and {most}")

    def clipped(x: Fraction) -> Fraction:
        return min(max(x, low), high)

    inside = [edge for edge in (nonnegative(edge, "edge") for edge in edges) if low <= edge <= high]
    decimals = _decimals(*powers)
    return st.one_of(
        st.sampled_from(inside or [low]),
        decimals.map(clipped),
        decimals.map(lambda x: clipped(Fraction(float(x)))),
    )


def _decimals(lowest: int, highest: int) -> Numbers:
    """m · 10^e, m from 1 to 99, e from ``lowest`` to ``highest``; shrinks towards m = 1 and e next to 0."""
    return st.builds(
        lambda digits, power: digits * Fraction(10) ** power,
        st.integers(1, 99),
        st.integers(lowest, highest),
    )
