"""Strategies for numbers, all exact: an edge, or a decimal of two digits, or the double next to a decimal.

Each shrinks towards the simplest number of its kind, the first edge.
"""

import math
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import Number, nonnegative
from pldverify.questions.numbers import DELTA, EPSILON, Numbers

Strategy = SearchStrategy[Fraction]


def epsilons(min_value: Number = 0, max_value: Number = 100) -> Strategy:
    """ε in nats, from ``min_value`` to ``max_value``; shrinks towards 1.

    Raises InvalidInput for a negative bound, and where nothing is between them.

    >>> from hypothesis import find
    >>> from pldverify.testing import epsilons
    >>> find(epsilons(), lambda x: x > 0)
    Fraction(1, 1)
    """
    return _between(EPSILON, min_value, max_value)


def deltas(min_value: Number = 0, max_value: Number = 1) -> Strategy:
    """δ from ``min_value`` to ``max_value``; shrinks towards 1e-5. Raises as :func:`epsilons`."""
    return _between(DELTA, min_value, max_value)


def _between(numbers: Numbers, least: Number, most: Number) -> Strategy:
    low, high = nonnegative(least, "min_value"), nonnegative(most, "max_value")
    if low > high:
        raise InvalidInput(f"max_value must be at least min_value, got {least} and {most}")
    inside = [edge for edge in numbers.edges if low <= edge <= high]
    return _drawn(numbers, inside or [low], low, high)


@cache
def strategy(numbers: Numbers) -> Strategy:
    """Numbers of a parameter: edges, and what is usual."""
    if numbers.nature == "whole":
        usual = st.integers(int(numbers.low), int(numbers.high)).map(Fraction)
        return st.one_of(st.sampled_from(numbers.edges), usual)
    return _drawn(numbers, list(numbers.edges), numbers.low, numbers.high)


def _drawn(numbers: Numbers, edges: list[Fraction], low: Fraction, high: Fraction) -> Strategy:
    """No draw is filtered out, which would spoil the shrinking: what is outside becomes an end."""

    def clipped(x: Fraction) -> Fraction:
        return min(max(x, low), high)

    largest = math.ceil(math.log10(numbers.high)) - 2
    powers = st.integers(min(math.floor(math.log10(numbers.low)), largest), largest)
    decimals = st.builds(lambda digits, power: digits * Fraction(10) ** power, st.integers(1, 99), powers)
    doubles = decimals.map(lambda x: clipped(Fraction(float(x))))
    return st.one_of(st.sampled_from(edges), decimals.map(clipped), doubles)
