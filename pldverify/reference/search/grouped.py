"""Groups of similar laws of a schedule: each is replaced by one law, chosen in floats."""

import math
from collections import defaultdict
from functools import lru_cache
from typing import Literal

from pldverify.balls.ball import short
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.search.halved import halved, middle

Side = Literal["upper", "lower", "between"]
"""Whether the law in the place of a group dominates its laws, is dominated by them, or lies between."""
Groups = tuple[ComposedLoss, tuple[int, ...]]
_TURNS = 12
"""Steps of the bisection of a group's width."""
_WIDEST = 8.0
"""Largest width of a group: log of the ratio of its parameters, where the bisection begins."""


@lru_cache(maxsize=16)
def grouped(loss: ComposedLoss, most: int, side: Side) -> Groups:
    """A loss of about ``most`` laws at most; and for each law of ``loss`` the index of its group in it."""
    if len(loss.factors) <= most:
        return loss, tuple(range(len(loss.factors)))
    places_of_laws = _places(loss)

    def few(width: float) -> bool:
        return len(set(_cells(places_of_laws, width))) <= most

    _, widest = halved(0.0, _WIDEST, few, middle, _TURNS)
    members: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, cell in enumerate(_cells(places_of_laws, widest)):
        members[cell].append(i)
    factors, places = list[tuple[Law, int]](), [0] * len(loss.factors)
    for group in members.values():
        for i in group:
            places[i] = len(factors)
        laws = [loss.factors[i][0] for i in group]
        factors.append((_instead(laws, side), sum(loss.factors[i][1] for i in group)))
    return ComposedLoss(tuple(factors)), tuple(places)


Place = tuple[object, float, float]
"""What the laws of a group must share, log σ and log q."""


def _places(loss: ComposedLoss) -> list[Place]:
    return [
        (law.direction, math.log(law.noise_multiplier), math.log(law.q))
        if isinstance(law, GaussianMixtureLaw)
        else (law, 0.0, 0.0)
        for law, _ in loss.factors
    ]


def _cells(places: list[Place], width: float) -> list[tuple[object, ...]]:
    """The group of each law: σ and q of a group differ by a factor of e^{``width``} at most."""
    return [(like, math.floor(sigma / width), math.floor(q / width)) for like, sigma, q in places]


def _instead(laws: list[Law], side: Side) -> Law:
    """The law that takes the place of a group."""
    mixtures = [law for law in laws if isinstance(law, GaussianMixtureLaw)]
    if not mixtures:
        return laws[0]
    sigmas, rates = [law.noise_multiplier for law in mixtures], [law.q for law in mixtures]
    if side == "between":
        sigma, q = (short(math.exp(math.fsum(map(math.log, row)) / len(row))) for row in (sigmas, rates))
    else:
        sigma, q = (min(sigmas), max(rates)) if side == "upper" else (max(sigmas), min(rates))
    return GaussianMixtureLaw(sigma, q, mixtures[0].direction)
