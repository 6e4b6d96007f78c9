"""Moves: a question next to another one, for local optimisation."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

from pldverify.hunt.draws import Draws
from pldverify.hunt.knobs import Knob, composed, knobs, turned
from pldverify.mechanisms.query import Query
from pldverify.questions.numbers import NOISE

_FACTORS = ("1/10", "1/2", "4/5", "99/100", "101/100", "5/4", 2, 10)
_TRIES = 20
"""Moves that are tried before a question is given up."""


def moved(query: Query, random: Random) -> Query:
    """``query`` with one number changed, another mechanism more or less, or itself where all tries fail."""
    for _ in range(_TRIES):
        other = random.choice(_MOVES)(query, random)
        if other is not None and other != query:
            return other
    return query


def _scaled(query: Query, random: Random) -> Query | None:
    """One number times a factor; a probability sometimes as far from 1 as it was from 0."""
    knob = random.choice(knobs(query))
    value = knob.value * Fraction(random.choice(_FACTORS))
    if 0 < knob.value < 1 and random.random() < 0.1:
        value = 1 - knob.value
    return turned(query, knob, _short(knob, value))


def _rounded(query: Query, random: Random) -> Query | None:
    """One number a whole one: libraries may go another way for it."""
    knob = random.choice(knobs(query))
    return turned(query, knob, Fraction(max(1, round(knob.value))))


def _dropped(query: Query, random: Random) -> Query | None:
    parts = list(query.composition.parts)
    if len(parts) == 1:
        return None
    parts.pop(random.randrange(len(parts)))
    return composed(query, parts)


def _joined(query: Query, random: Random) -> Query | None:
    """One part twice, its second one with other noise, or what its first number is."""
    parts = query.composition.parts
    at = random.randrange(len(parts))
    numbers = [knob for knob in knobs(query) if knob.part == at][1:]
    other = turned(query, numbers[0], Draws(random).number(NOISE)) if numbers else None
    return None if other is None else composed(query, [*parts, *other.composition.parts])


def _short(knob: Knob, value: Fraction) -> Fraction:
    """Two digits of what is far from 1, so that numbers stay short; whole where it must be."""
    if knob.whole:
        return Fraction(max(1, round(value)))
    if value >= 1 or value <= Fraction(1, 2):
        return Fraction(f"{float(value):.2e}") if 1e-300 < value < 1e300 else value
    return 1 - Fraction(f"{float(1 - value):.2e}")


_MOVES: list[Callable[[Query, Random], Query | None]] = [*[_scaled] * 8, _dropped, _joined, _rounded]
