r"""One epoch of random allocation: the Laplace transform of R = dP/dQ under Q, inverted by mpmath.

R is the mean of T lognormal variables W of mean 1 (:mod:`pldverify.mechanisms.balls_and_bins`), so
:math:`\varphi(s) = E[e^{-sR}] = E[e^{-sW/T}]^T`, an integral in one variable. φ(s)/s² is the transform of
:math:`E(K - R)_+`, and φ(s)/s that of Q(R ≤ K), in K. With K = e^ε,

.. math:: \delta_{P\|Q} = 1 - K + E(K - R)_+, \quad P(R \ge K) = \delta_{P\|Q} + K\,Q(R > K),

and with K = e^{−ε}, :math:`\delta_{Q\|P} = E(K - R)_+/K`. No line of it is shared with the law of the
engines, whose contour is another one, of moments.
"""

from __future__ import annotations

from typing import Any

from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.quadrature.arithmetic import Clock, Real, real

_REACH = 13
"""Standard deviations of the noise that are summed, on each side."""
_NODES = 12
"""Nodes of the sum in a standard deviation, or in one of log W, at the first level."""
_LEAST = 24
"""Degree of the inversion at the first level."""


class AllocatedStep:
    """The profile of one epoch, by de Hoog's inversion; one ``level`` more makes the sum and it finer."""

    method = "mpmath: the Laplace transform of dP/dQ, inverted by de Hoog's method"

    def __init__(self, mp: Any, step: BallsAndBins, direction: Direction, level: int, clock: Clock) -> None:
        self._mp, self._forward, self._clock = mp, direction == "remove", clock
        self._batches, self._degree = step.batches, _LEAST + 6 * level
        c = 1 / real(mp, step.base.noise_multiplier)
        nodes = _NODES * (1 + level) * max(1, int(mp.ceil(c)))
        self._rows = [
            (mp.npdf(y) / nodes, mp.exp(c * y - c * c / 2) / step.batches)
            for y in (mp.mpf(i) / nodes for i in range(-_REACH * nodes, _REACH * nodes + 1))
        ]
        self._known: dict[Any, Any] = {}

    def at(self, epsilon: Real) -> tuple[Real, Real]:
        mp = self._mp
        k = mp.exp(epsilon if self._forward else -epsilon)
        put, below = self._inverted(2, k), self._inverted(1, k)
        if not self._forward:
            return put / k, below
        delta = 1 - k + put
        return delta, delta + k * (1 - below)

    def _inverted(self, power: int, k: Real) -> Real:
        """The function of K with the transform φ(s)/s^power."""
        return self._mp.invertlaplace(
            lambda s: self._transform(s) / s**power, k, method="dehoog", degree=self._degree
        )

    def _transform(self, s: Any) -> Any:
        if s not in self._known:
            self._clock.check("the transform of an allocation")
            one = self._mp.fsum(mass * self._mp.exp(-s * w) for mass, w in self._rows)
            self._known[s] = one**self._batches
        return self._known[s]


def allocated(whole: Composition) -> BallsAndBins | None:
    """The only step of a composition, if it is an allocation."""
    ((first, times), *others) = whole.parts
    return first if isinstance(first, BallsAndBins) and times == 1 and not others else None
