r"""The PRV accountant of GLW21: DiscretizePRV with the mean matched, ComposePRV, errors by Theorem 5.5.

Notation: Y is the privacy loss random variable (the loss under P), h the mesh, L the truncation with
L ∈ h/2 + hℤ, the grid is {ih : |i| ≤ m}, m = (L − h/2)/h, shifted by the mean correction μ. δ_Ỹ is the
curve of the discretised composition; Theorem 5.5: δ_Ỹ(ε + ε_err) − δ_err ≤ δ(ε) ≤ δ_Ỹ(ε − ε_err) + δ_err.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pldverify.accountants import fft_grid
from pldverify.accountants.losses import Loss, loss
from pldverify.accountants.printed import Printed, Said, greatest
from pldverify.accountants.rdp import RDP
from pldverify.accountants.refusals import without_known_losses
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.claim import Direction as ClaimDirection
from pldverify.numbers.claim import Promise

Vector = NDArray[np.float64]

_NODES = 32
"""Gauss-Legendre nodes of each interval between cuts, for the mean of the loss."""


@dataclass(frozen=True)
class Discrete:
    """A distribution on {start + ih : 0 ≤ i < len(masses)}."""

    masses: Vector
    start: float
    h: float

    def delta(self, epsilon: float) -> float:
        """δ_Ỹ(ε) = E[(1 − e^{ε − Ỹ})₊]."""
        x = self.start + self.h * np.arange(len(self.masses))
        return float(-np.sum(np.expm1(np.minimum(epsilon - x, 0.0)) * self.masses))

    def epsilon(self, delta: float) -> float:
        """Greatest ε with δ_Ỹ(ε) ≥ delta, by bisection over the grid's range; +∞ for delta ≤ 0."""
        if delta <= 0:
            return math.inf
        low, high = self.start, self.start + self.h * len(self.masses)
        if self.delta(low) < delta:
            return -math.inf
        while high - low > 1e-13 * max(1.0, abs(high)):
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) >= delta else (low, middle)
        return low


def mesh(k: int, *, eps_error: float, delta_error: float) -> float:
    r"""h of Theorem 5.5: :math:`\varepsilon_{err} / \sqrt{\tfrac k2 \log(12/\delta_{err})}`."""
    if not (eps_error > 0 and 0 < delta_error < 1):
        raise InvalidInput(
            f"eps_error must be > 0 and delta_error in (0, 1), got {eps_error!r}, {delta_error!r}"
        )
    return eps_error / math.sqrt(k / 2 * math.log(12 / delta_error))


def truncation(composition: Composition, *, eps_error: float, delta_error: float) -> float:
    r"""L of (9), with Rényi DP for the upper bounds on ε_M that Remark 5.6 allows:

    :math:`L \ge 2 + \max\{\varepsilon_{err} + \varepsilon_M(\delta_{err}/4), \max_i
    \varepsilon_{M_i}(\delta_{err}/8k)\}`.
    """

    def epsilon(part: Composition, delta: float) -> float:
        return float(RDP().claim(Query(part, delta=delta)).value)

    single = [
        epsilon(Composition.of((m, 1)), delta_error / (8 * composition.steps)) for m, _ in composition.parts
    ]
    return 2 + max(eps_error + epsilon(composition, delta_error / 4), *single)


def snap(L: float, h: float) -> tuple[float, int]:
    """The least L' ≥ L in h/2 + hℤ, and m with L' = h/2 + mh. Raises InvalidInput for grids beyond memory."""
    if not (0 < L < math.inf and 0 < h < math.inf):
        raise InvalidInput(f"L and h must be > 0 and finite, got L={L!r}, h={h!r}")
    m = max(1, math.ceil(L / h - 0.5))
    if 2 * m + 1 > fft_grid.MAX_POINTS:
        raise InvalidInput(
            f"2L/h must be at most {fft_grid.MAX_POINTS} to work within 1 GiB, got L={L:g}, h={h:g}"
        )
    return h / 2 + m * h, m


def discretize(prv: Loss, *, L: float, h: float) -> Discrete:
    """DiscretizePRV (Algorithm 2): cell masses of Y, normalised, shifted to the mean of Y given |Y| ≤ L."""
    L, m = snap(L, h)
    edges = h * (np.arange(-m, m + 2, dtype=np.float64) - 0.5)
    above, below = prv.above(edges), 1 - prv.above(edges)
    # the smaller of the two tails keeps its digits
    q = np.where(edges[:-1] > 0, above[:-1] - above[1:], below[1:] - below[:-1])
    q = q / np.sum(q)
    mu = truncated_mean(prv, L) - float(np.sum(h * np.arange(-m, m + 1) * q))
    return Discrete(q, mu - m * h, h)


def truncated_mean(prv: Loss, L: float) -> float:
    r""":math:`E[Y \mid |Y| \le L]`, from the tails by parts: Gauss-Legendre between the knots of the loss.

    :math:`E[Y; |Y| \le L] = \int_0^L P(Y > s)\,ds - \int_{-L}^0 P(Y \le s)\,ds - L\,P(Y > L) + L\,P(Y < -L)`.
    """
    cuts = np.unique(np.clip(np.array([-L, *prv.knots, 0.0, L]), -L, L))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    middle, half = (cuts[1:] + cuts[:-1]) / 2, (cuts[1:] - cuts[:-1]) / 2
    s = middle[:, None] + half[:, None] * nodes
    tail = prv.above(s.ravel()).reshape(s.shape)
    integrand = np.where(middle[:, None] > 0, tail, tail - 1)
    total = float(np.sum(half * (integrand @ weights)))
    out_above = float(prv.above(np.array([L]))[0])
    out_below = 1 - float(prv.above(np.array([np.nextafter(-L, -math.inf)]))[0])
    return (total - L * out_above + L * out_below) / (1 - out_above - out_below)


def compose_prv(parts: Sequence[tuple[Loss, int]], *, L: float, h: float) -> Discrete:
    """ComposePRV (Algorithm 1): circular convolution of the discretised variables on (−L, L] by FFT."""
    discretes = [(discretize(prv, L=L, h=h), k) for prv, k in parts]
    size = len(discretes[0][0].masses)
    spectra = [(np.fft.rfft(np.fft.ifftshift(part.masses)), k) for part, k in discretes]
    masses = np.fft.fftshift(np.fft.irfft(fft_grid.product(spectra), size))
    m = (size - 1) // 2
    shift = sum(k * (part.start + m * h) for part, k in discretes)
    return Discrete(masses, shift - m * h, h)


_SIDES: dict[ClaimDirection, int] = {"upper": 1, "estimate": 0, "lower": -1}
"""How often both errors are added to an answer."""


@dataclass(frozen=True)
class PRVUpper(Printed):
    """GLW21: the upper end, δ_Ỹ(ε − ε_err) + δ_err.

    Attributes:
        eps_error: ε_err of Theorem 5.5 (nats).
        delta_error: δ_err; the paper's figure 2 has 1e-10. Where δ is given and smaller, δ/1000 takes its
        place.
    """

    eps_error: float = 0.1
    delta_error: float = 1e-10

    name: ClassVar[str] = "prv/upper"
    direction: ClassVar[ClaimDirection] = "upper"

    def __post_init__(self) -> None:
        mesh(1, eps_error=self.eps_error, delta_error=self.delta_error)

    def supports(self, query: Query) -> str | None:
        """None, or one line: a mechanism with infinite or unknown loss, ε < 0, δ outside (0, 1)."""
        return without_known_losses(query)

    def answer(self, query: Query) -> Said:
        """Maximum over the directions of the query. Raises InvalidInput."""
        delta_error = self._delta_error(query)
        composition = query.composition
        h = mesh(composition.steps, eps_error=self.eps_error, delta_error=delta_error)
        L, _ = snap(truncation(composition, eps_error=self.eps_error, delta_error=delta_error), h)
        values = [
            self._one_direction(query, side, L, h, delta_error)
            for side in query.composition.directions(query.adjacency)
        ]
        settings = {
            "eps_error": f"{self.eps_error:g}",
            "delta_error": f"{delta_error:g}",
            "h": repr(h),
            "L": repr(L),
        }
        promise = Promise(Fraction(self.eps_error), Fraction(delta_error))
        return greatest(values), settings, promise if self.direction == "estimate" else None

    def _delta_error(self, query: Query) -> float:
        return self.delta_error if query.delta is None else min(self.delta_error, float(query.delta) / 1000)

    def _one_direction(self, query: Query, side: Direction, L: float, h: float, delta_error: float) -> float:
        parts = [(loss(mechanism, side), k) for mechanism, k in query.composition.parts]
        composed = compose_prv(parts, L=L, h=h)
        if query.epsilon is not None:
            return self._delta(composed, float(query.epsilon), delta_error)
        return max(0.0, self._epsilon(composed, float(query.delta or 0), delta_error))

    def _delta(self, composed: Discrete, epsilon: float, delta_error: float) -> float:
        side = _SIDES[self.direction]
        moved = composed.delta(epsilon - side * self.eps_error) + side * delta_error
        return min(1.0, moved) if side > 0 else max(0.0, moved) if side < 0 else moved

    def _epsilon(self, composed: Discrete, delta: float, delta_error: float) -> float:
        side = _SIDES[self.direction]
        return composed.epsilon(delta - side * delta_error) + side * self.eps_error


@dataclass(frozen=True)
class PRVEstimate(PRVUpper):
    """GLW21: δ_Ỹ(ε) itself, which Theorem 5.5 promises to be within (ε_err, δ_err)."""

    name: ClassVar[str] = "prv/estimate"
    direction: ClassVar[ClaimDirection] = "estimate"


@dataclass(frozen=True)
class PRVLower(PRVUpper):
    """GLW21: the lower end, δ_Ỹ(ε + ε_err) − δ_err."""

    name: ClassVar[str] = "prv/lower"
    direction: ClassVar[ClaimDirection] = "lower"
