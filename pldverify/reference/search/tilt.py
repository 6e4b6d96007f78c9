"""Search for inversion parameters, in floats: they may be poor, they can't be wrong.

The saddle point of K(θ) − θε + log κ(θ) makes the integrand smallest; a larger θ shortens the period that
keeps the aliases small. Everything is judged by the predicted number of nodes.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pldverify.balls.ball import short
from pldverify.errors import NoConvergence
from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.table import Cumulant

_CHEAP = 100.0
"""Predicted nodes up to which the first tilt is taken that the next one does not improve on."""
_DEAR = 300.0
"""Predicted nodes from which on tilts below the saddle point are tried too."""
_LOOKS = 16
"""Cap on the λ tried for the shortest period."""
_NEAR = 0.15
"""Relative step of λ that ends the search for the shortest period."""
_SQUARE = 2.0
"""Logarithmic slope of a square: where the period needed grows faster, distances are bisected."""
_WORTH = 0.97
"""Part of the best period that a λ beyond ``_STEEP`` θ must beat for the search to go on."""
_STEEP = 10.0
"""Ratio λ/θ from which on ``_WORTH`` counts: of bounded losses the period falls up to any λ, but
transforms at large λ take many nodes."""
_FEW = 15.0
"""Predicted nodes that cost less than a trial of another tilt."""
_RARE = -5.0
"""Value of log M(0), the log of the mass, below which δ is never near 1."""
_MOST_NATS = 1e6
"""Cap on the nats between the terms of a sum and what it is asked to: more take too long, and memory."""
_SPARE_BITS = 8
"""Bits beyond those that the sum needs (of 1,000 random sums with 24, one had fewer than 22 left)."""
_PANEL_BITS = 24
"""The same where transforms are sums over panels, which lose some bits of their own."""
_ALLOCATED = 1.0
"""Saddle point of random allocation from which on a line left of −1 is cheaper: each unit costs a derivative
of the Laplace transform right of it; tuned on random allocations, a factor of 2 changes only time."""
_LEFT = 16
"""Cap on the tilts left of −1 that are tried, each √2 times as far from −1 as the last one."""
_FAR_LEFT = 1.5
"""Ratio of a tilt's cost to the least one at which the search left of −1 ends."""
_LOWER = (0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02)
"""Tilts below the saddle point that are tried, as parts of it."""


@dataclass(frozen=True)
class Tilt:
    """The starting point of an inversion engine.

    Attributes:
        kernel: what is inverted, and on which side of the pole.
        theta, below, above: θ and a λ on each side of it, rounded.
        period: R, long enough for the aliases to be small.
        log_size: K(θ) − θε.
        log_goal: log of the absolute error that the digits asked for allow.
        loss: nats lost by cancellation at θ.
        steep: whether θ is beyond the saddle point.
    """

    kernel: Kernel
    theta: Fraction
    below: Fraction
    above: Fraction
    period: float
    log_size: float
    log_goal: float
    loss: float
    steep: bool

    def bits(self, product: ComposedLoss, nodes: int, eps: float = 0.0) -> int:
        """Precision that the sum over ``nodes`` nodes needs, and the digits of M(0) minus it, near 1.

        Raises NoConvergence.
        """
        nats = self.log_size - self.log_goal + self.loss + math.log(product.steps) + math.log(nodes)
        if self.kernel.side != "upper":
            nats = max(nats, -self.log_goal + (max(0.0, eps) if self.kernel.side == "beyond" else 0.0))
        if nats > _MOST_NATS:
            raise NoConvergence(f"{self.kernel.side} side: a sum to e^−{nats:.3g} is beyond this machine")
        panels = any(isinstance(law, SmoothLaw) for law, _ in product.factors)
        return max(32, int(nats / math.log(2))) + (_PANEL_BITS if panels else _SPARE_BITS)


def tilt(
    product: ComposedLoss,
    name: str,
    epsilon: Fraction,
    *,
    digits: int,
    size: float | None = None,
    steep: bool = True,
    beyond: bool = False,
) -> Tilt:
    """Tilt, λ's and period for ``digits`` digits of f(ε), or of e^size where that is less; θ not beyond the
    saddle point unless ``steep``, and left of −1 only if ``beyond`` allows it.

    Raises NoConvergence.
    """
    eps = float(epsilon)
    kernel = _side(product, name, eps)
    centre, log_value = saddle(product, kernel, eps)
    if size is not None:
        log_value = min(log_value, size)
    goal = digits * math.log(10) + 5
    if kernel.side == "lower":
        log_value = 0.0  # the truth is M(0) − f, near 1
    if beyond and kernel.side == "upper" and centre > _ALLOCATED and _is_allocated(product):
        kernel = Kernel(kernel.name, "beyond" if kernel.name == "delta" else "lower")
        return _left(product, kernel, eps, log_value, goal)
    choices = []
    for part in _tilts(kernel) if steep else (1.0,):
        choices.append(_cost(product, kernel, eps, centre * part, log_value, goal))
        if min(choices)[0] < min(_CHEAP, choices[-1][0]):  # it rises from here on
            break
        if choices[-1][0] < _FEW:
            break
    if kernel.side == "upper" and min(choices)[0] > _DEAR:  # a heavy tail may make large tilts useless
        choices += [_cost(product, kernel, eps, centre * part, log_value, goal) for part in _LOWER]
    return _tilted(product, kernel, eps, min(choices), log_value - goal, centre)


def _left(product: ComposedLoss, kernel: Kernel, eps: float, log_value: float, goal: float) -> Tilt:
    """Left of −1, where transforms of random allocation are easy and losses have no heavy tail."""
    centre, choices = saddle(product, Kernel("delta", "beyond"), eps)[0], []
    for j in range(_LEFT):
        theta = -1 + (centre + 1) * 2.0 ** (j / 2)
        choices.append(_cost(product, kernel, eps, theta, log_value, goal))
        if choices[-1][0] > _FAR_LEFT * min(choices)[0]:
            break
    return _tilted(product, kernel, eps, min(choices), log_value - goal, centre)


def _is_allocated(product: ComposedLoss) -> bool:
    return any(isinstance(law, AllocationLaw) and law.direction == "remove" for law, _ in product.factors)


def _tilted(
    product: ComposedLoss,
    kernel: Kernel,
    eps: float,
    choice: tuple[float, float, float, float, float],
    log_goal: float,
    centre: float,
) -> Tilt:
    """Raises NoConvergence for a choice of no use."""
    cost, theta, below, above, period = choice
    if math.isinf(cost) or not 0 < period < math.inf:
        raise NoConvergence(f"no usable tilt at ε={eps:.6g}")
    size = cumulant(product, theta)[0] - theta * eps
    return Tilt(
        kernel,
        short(theta),
        short(below),
        short(above),
        period,
        size,
        log_goal,
        max(0.0, log_size(kernel, theta)),
        abs(theta) > abs(centre),
    )


def _side(product: ComposedLoss, name: str, eps: float) -> Kernel:
    """The kernel left of the pole at 0 where f is near its total mass, right of it otherwise."""
    log_mass, mean, variance = cumulant(product, 0.0)
    kernel = "delta" if name == "delta" else "tail"
    near_one = mean - eps > math.sqrt(variance) and log_mass > _RARE
    return Kernel(kernel, "lower" if near_one else "upper")  # type: ignore[arg-type]


def saddle(product: ComposedLoss, kernel: Kernel, eps: float) -> tuple[float, float]:
    """θ that minimises K(θ) − θε + log κ(θ), and the saddle-point estimate of log f(ε)."""
    return saddle_of(partial(cumulant, product), kernel, eps)


def saddle_of(
    cumulants: Callable[[float], Cumulant], kernel: Kernel, eps: float, start: float = 0.5
) -> tuple[float, float]:
    """The same of any K, searched from the distance ``start`` from the pole on."""
    left, right = _strip(kernel)
    # s > 0 measures the distance from a pole, at 0 or −1; it may be unbounded or end at the other pole
    sign = 1.0 if left == 0.0 else -1.0
    origin = left if sign > 0 else right
    end = math.inf if math.isinf(left) or math.isinf(right) else 1.0
    low, high, s = 0.0, end, start
    value = curvature = 0.0
    for _ in range(200):
        theta = origin + sign * s
        try:
            k0, k1, k2 = cumulants(theta)
        except (NoConvergence, OverflowError):
            high, s = s, (low + s) / 2
            continue
        d1, d2 = log_slopes(kernel, theta)
        gradient, curvature = sign * (k1 - eps + d1), k2 + d2
        value = k0 - theta * eps + log_size(kernel, theta)
        if abs(gradient) <= 0.01 * math.sqrt(curvature) or high - low < 1e-9 * s:
            break
        low, high = (s, high) if gradient < 0 else (low, s)
        step = s - gradient / curvature
        limit = min(high, 8 * s)
        s = step if max(low, s / 8) < step < limit else (low + limit) / 2 if low else min(limit, s) / 2
        if low and math.isinf(high) and not low < step < 8 * low:
            s = 4 * low
    return origin + sign * s, value - math.log(2 * math.pi * curvature) / 2


def _tilts(kernel: Kernel) -> tuple[float, ...]:
    return (1.0, 1.4, 2.0, 2.8) if kernel.side == "upper" else (1.0,)


def _cost(
    product: ComposedLoss, kernel: Kernel, eps: float, theta: float, log_value: float, goal: float
) -> tuple[float, float, float, float, float]:
    """(predicted nodes, θ, λ below, λ above, period) for one θ."""
    try:
        k0, _, k2 = cumulant(product, theta)
        k2 = min(k2, cumulant(product, theta / 2)[2])  # a far mode adds to the variance, not to the decay
    except (NoConvergence, OverflowError):
        return math.inf, theta, 0.0, 0.0, 1.0
    k2 = max(k2, 1e-30)  # a single atom may be all that is left
    room = goal - log_value
    spread = math.sqrt(2 * (room + max(0.0, k0 - theta * eps + log_value)) / k2)
    spread = min(spread, 10 * abs(theta) + 10)
    if kernel.side == "upper":
        above, period = _shortest(product, kernel, eps, theta, room, spread)
        below, period = 0.0, max(period, room / theta)
    else:
        pole = -1.0 if kernel.side == "beyond" else 0.0
        below, period = _shortest(product, kernel, eps, theta, room, -spread)
        above, period = pole, max(period, (room - pole * eps) / (pole - theta))
    edge = math.sqrt(2 * max(1.0, goal + k0 - theta * eps - log_value) / k2)
    return edge * period, theta, below, above, period


def _shortest(
    product: ComposedLoss, kernel: Kernel, eps: float, theta: float, room: float, spread: float
) -> tuple[float, float]:
    """λ that allows the shortest period, and that period; λ − θ has the sign of ``spread``.

    By Newton's method where the period needed grows like a square of λ − θ; where it grows like the
    exponential of one, Newton's steps would be tiny, and λ − θ is bisected.
    """
    end = -1.0 if (kernel.name, kernel.side) == ("delta", "lower") else -math.inf  # of the allowed λ
    best, period, distance = theta, math.inf, max(spread, end - theta)
    near, far = 0.0, math.inf  # distances that are too short and too long
    for _ in range(_LOOKS):
        lam, total = theta + distance, math.inf
        with suppress(NoConvergence, OverflowError):
            k0, k1, k2 = cumulant(product, lam)
            if kernel.name == "delta" and kernel.side == "upper":
                log = math.log(lam / (1 + lam))
                k0, k1, k2 = k0 + lam * log - math.log1p(lam), k1 + log, k2 + 1 / (lam + lam * lam)
            total, slope = room + k0 - lam * eps, distance * (k1 - eps)
        if not total < math.inf:
            far = min(far, abs(distance))
            distance = _inside(distance, near, far)
            continue
        needed = max(0.0, total / abs(distance))
        worth = needed < _WORTH * period
        if needed < period:
            best, period = lam, needed
        if not worth and lam > _STEEP * theta > 0:
            break
        near, far = (near, abs(distance)) if slope > total else (abs(distance), far)
        if slope > _SQUARE * abs(total):
            distance = _inside(distance, near, far)
            continue
        curvature = distance * k2  # of (λ − θ)² times the slope of what is needed, by Newton's method
        step = (total - slope) / curvature if curvature else 0.0
        following = max(distance * min(3.0, max(0.3, 1 + step / distance)), end - theta)
        if abs(following - distance) < _NEAR * abs(distance):
            break
        known = near < abs(following) < far or math.isinf(far)
        distance = following if known else _inside(distance, near, far)
    return best, period


def _inside(distance: float, near: float, far: float) -> float:
    """A distance with size between ``near`` and ``far`` and the sign of ``distance``."""
    return math.copysign(math.sqrt(near * far) if near else far / 2, distance)


def _strip(kernel: Kernel) -> tuple[float, float]:
    """Open interval of the allowed θ."""
    if kernel.side == "upper":
        return 0.0, math.inf
    if kernel.side == "beyond":
        return -math.inf, -1.0
    return (-1.0 if kernel.name == "delta" else -math.inf), 0.0


def log_size(kernel: Kernel, theta: float) -> float:
    """log κ(θ) on the real line."""
    return -math.log(abs(theta)) - (math.log(abs(1 + theta)) if kernel.name == "delta" else 0.0)


def log_slopes(kernel: Kernel, theta: float) -> tuple[float, float]:
    """First and second derivative of :func:`log_size`."""
    first, second = -1 / theta, 1 / theta**2
    if kernel.name == "delta":
        first, second = first - 1 / (1 + theta), second + 1 / (1 + theta) ** 2
    return first, second
