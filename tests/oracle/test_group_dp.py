"""(ε, δ)-DP for m records against linear programs: the best event over all chains of m + 1 laws.

For an event of r outcomes P_0(S) − e^t P_m(S) is linear in the masses, and so is what the promise asks of
each two neighbours, with a slack for every outcome. No line of it is shared with the package.
"""

import math

import numpy as np
import pytest
from scipy.optimize import linprog

import pldverify as pv

OUTCOMES = 8
"""More change nothing: the best pair has at most m + 2 losses."""


def best(epsilon: float, delta: float, m: int, t: float) -> float:
    """The largest δ(t)."""
    n, pairs = OUTCOMES, [(i + a, i + 1 - a) for i in range(m) for a in (0, 1)]
    size = (m + 1) * n + len(pairs) * n
    rows, most = [], []
    for place, (p, q) in enumerate(pairs):
        slack = (m + 1 + place) * n
        for j in range(n):
            row = np.zeros(size)
            row[[p * n + j, q * n + j, slack + j]] = 1, -math.exp(epsilon), -1
            rows, most = [*rows, row], [*most, 0.0]
        row = np.zeros(size)
        row[slack : slack + n] = 1
        rows, most = [*rows, row], [*most, delta]
    laws = np.array([[float(i * n <= j < (i + 1) * n) for j in range(size)] for i in range(m + 1)])
    found = []
    for event in range(1, n):
        less = np.zeros(size)
        less[:event], less[m * n : m * n + event] = -1, math.exp(t)
        answer = linprog(less, np.array(rows), most, laws, np.ones(m + 1), method="highs")
        found.append(-answer.fun)
    return max(0.0, *found)


@pytest.mark.parametrize(
    ("epsilon", "delta", "m", "t"),
    [
        ("0.49", "0.1", 2, "0.563"),
        ("1.211", "0.001", 3, "0.719"),
        ("0.06", "0.02", 3, "0.124"),
        ("1.28", "0.2", 3, "0.899"),  # all is lost
        ("1.024", "0.2", 3, "0.917"),
        ("0.918", "0.1", 3, "1.492"),
        ("1.267", "0.001", 2, "0.844"),
        ("0.492", "0", 2, "0.096"),
        ("0.451", "0.02", 3, "0.708"),
        ("0.693", "0.1", 3, "-0.4"),
    ],
)
def test_delta_is_that_of_the_best_chain(epsilon: str, delta: str, m: int, t: str) -> None:
    found = pv.delta(pv.GroupDP(epsilon, delta, m), epsilon=t)
    assert best(float(epsilon), float(delta), m, float(t)) == pytest.approx(float(found), rel=1e-9, abs=1e-12)


def test_a_promise_that_is_kept_twice_as_well_would_be_seen() -> None:
    found = pv.delta(pv.GroupDP("0.49", "0.05", 2), epsilon="0.563")
    assert best(0.49, 0.1, 2, 0.563) > 1.1 * float(found)
