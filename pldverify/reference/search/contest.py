r"""Which candidates tell most of report noisy max: a search in floats, with numpy, that proves nothing.

Whether one of n wins against m others that lead by v (:mod:`pldverify.mechanisms.winning`), for the ε or δ
that is asked: some n and m and all leads are tried, and the best ones more finely. Other candidates in each
step, by what was seen before, have no more than 2 % of ε more in ten steps, and no values of up to eight
candidates were found whose names tell more in many.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pldverify.mechanisms.noisy_max import NoisyMax
from pldverify.mechanisms.winning import Winning
from pldverify.reference.search.golden import golden_section
from pldverify.reference.search.halting import worth

Floats = NDArray[np.float64]
_FEW = (1, 2, 3, 4, 6)
"""How many candidates there may be."""
_OTHERS = (1, 2, 3, 4, 5, 6, 8, 12)
"""How many others."""
_LEADS = 25
"""Leads that are tried."""
_FAR = 4.0
"""The largest lead halfway between P and Q, in units of b, beyond c/2."""
_FINER = 3
"""Candidates of which leads are tried more finely."""
_CLOSE = 0.001
"""Width in the lead at which that ends, in units of b."""
_PLACES = np.linspace(-20.0, 40.0, 2001)
"""Where the largest noise may be, in units of b."""
_DENSITY = np.exp(-abs(_PLACES)) / 2 * (_PLACES[1] - _PLACES[0])
_GRID = 2**12
"""Leads are multiples of b through it."""


@lru_cache(maxsize=256)
def best(
    asked: NoisyMax, moves: int, steps: int, epsilon: Fraction | None, delta: Fraction | None, way: int
) -> Winning:
    """The neighbours with the largest δ of so many steps at ``epsilon``, or ε at ``delta``; of Q against P
    where ``way`` is −1.
    """
    c = float(asked.loss(moves))
    at, target = None if epsilon is None else float(epsilon), float(delta or 0)

    def value(first: float, second: float) -> float:
        return worth(steps, at, target, np.array([first, 1 - first]), np.array([second, 1 - second]))

    def near(n: int, m: int, lead: float) -> float:
        return value(*wins(n, m, np.array([lead - c / 2, lead + c / 2])).tolist())

    leads = (_FAR + c / 2) * np.linspace(-1.0, 1.0, _LEADS)
    step = float(leads[1] - leads[0])
    with np.errstate(all="ignore"):
        rows = []
        for m in _OTHERS:
            below = [_below(_PLACES[:, None] - (leads + moved)) ** m for moved in (-c / 2, c / 2)]
            for n in _FEW:
                chances = ((_largest(n) @ x).tolist() for x in below)
                rows += [(value(*pair), n, m, x) for *pair, x in zip(*chances, leads.tolist(), strict=True)]
        lead_of = {(n, m): lead for _, n, m, lead in sorted(rows)}  # the best one comes last
        last = list(dict.fromkeys((n, m) for _, n, m, _ in sorted(rows, reverse=True)))[:_FINER]
        found = []
        for n, m in last:
            lead = lead_of[n, m]
            finer = golden_section(lambda x: -near(n, m, x), lead - step, lead + step, _CLOSE)  # noqa: B023
            found.append((near(n, m, finer), n, m, finer))
    _, n, m, halfway = max(found)
    exact = Fraction(round(halfway * _GRID), _GRID)
    if way < 0:
        n, m, exact = m, n, -exact
    return Winning(asked, moves, n, m, exact - asked.loss(moves) / 2)


def wins(n: int, m: int, leads: Floats) -> Floats:
    """The chances that one of n wins against m that lead by so much."""
    return np.asarray(_largest(n) @ _below(_PLACES[:, None] - leads) ** m)


def _largest(n: int) -> Floats:
    """The chances of the largest noise of n at each place."""
    return np.asarray(n * _DENSITY * _below(_PLACES) ** (n - 1))


def _below(x: Floats) -> Floats:
    """The distribution function of the noise."""
    less = np.exp(-abs(x)) / 2
    return np.asarray(np.where(x < 0, less, 1 - less))
