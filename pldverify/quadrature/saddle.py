r"""Search for the real part θ of the line of the inversion integral, with quadrature of low order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pldverify.errors import NoConvergence
from pldverify.quadrature.arithmetic import real
from pldverify.quadrature.inversion import Parts
from pldverify.quadrature.samples import Diverges

_GOLDEN = (math.sqrt(5) - 1) / 2
"""Part of the interval that is left by a step of golden section."""
_ROUGH = 2
"""Order of the quadrature rule: 6 nodes a panel."""
_STEPS = 9
"""Steps of golden section in log θ over a factor of 4; twice as many for θ in (−1, 0)."""
_LEAST = 1e-4
"""Least θ searched."""
_MOST = 1e6
"""Largest θ searched."""


class Cumulant:
    """K(θ) = Σ k log M(θ) in floats, +∞ where M diverges; remembered."""

    def __init__(self, mp: Any, parts: Parts) -> None:
        self._mp, self._parts = mp, parts
        self._found: dict[float, float] = {}

    def __call__(self, theta: float) -> float:
        if theta not in self._found:
            self._found[theta] = self._value(theta)
        return self._found[theta]

    def mean(self) -> float:
        """The mean of the composed loss, where it is finite."""
        mp = self._mp
        total = mp.mpf(0)
        for law, k in self._parts:
            rows = law.rows(mp.mpf(0), order=_ROUGH)
            total += k * mp.fsum(mass * loss for mass, loss in rows) / mp.fsum(mass for mass, _ in rows)
        return float(total)

    def _value(self, theta: float) -> float:
        mp, total = self._mp, 0.0
        try:
            for law, k in self._parts:
                mass = mp.fsum(m for m, _ in law.rows(mp.mpf(theta), order=_ROUGH))
                total += float(k * mp.log(mass)) if mass > 0 else -math.inf
        except Diverges:
            return math.inf
        return total


def log_kernel(theta: float) -> float:
    """−log|θ(1 + θ)|."""
    return -math.log(abs(theta)) - math.log1p(theta)


def line_for_epsilon(cumulant: Cumulant, epsilon: float) -> float:
    """θ at which the integrand is smallest: above 0 for ε above the mean of the loss, else in (−1, 0)."""

    def size(theta: float) -> float:
        return cumulant(theta) - theta * epsilon + log_kernel(theta)

    if epsilon >= cumulant.mean():
        return _least(size)
    between = _golden(lambda v: size(-1 / (1 + math.exp(v))), -8.0, 8.0, 2 * _STEPS)
    return -1 / (1 + math.exp(between))


def line_for_delta(cumulant: Cumulant, log_delta: float) -> tuple[float, float]:
    """(θ, ε) at which the integrand's size is δ, for the least such ε."""

    def epsilon(theta: float) -> float:
        return (cumulant(theta) + log_kernel(theta) - log_delta) / theta

    theta = _least(epsilon)
    return theta, epsilon(theta)


def _least(function: Callable[[float], float]) -> float:
    """An argument near the least value of a function that falls, then rises."""
    best = 1.0
    while math.isinf(function(best)) and best > _LEAST:
        best /= 2
    value = function(best)
    for factor in (2.0, 0.5):
        while _LEAST < best * factor < _MOST and function(best * factor) < value:
            best *= factor
            value = function(best)
    found = math.exp(_golden(lambda v: function(math.exp(v)), math.log(best / 2), math.log(best * 2), _STEPS))
    if math.isinf(function(found)):
        raise NoConvergence("quadrature: no line on which the transform is finite was found")
    return found


def _golden(function: Callable[[float], float], low: float, high: float, steps: int) -> float:
    """The golden section for a function with one minimum."""
    for _ in range(steps):
        a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return (low + high) / 2


def exact(mp: Any, theta: float) -> Any:
    """θ as a number of the context."""
    from fractions import Fraction

    return real(mp, Fraction(theta))
