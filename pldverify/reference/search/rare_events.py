"""Search for where jumps begin, and for Chernoff's bound of the steps without one, in floats."""

import math
from contextlib import suppress
from fractions import Fraction

from pldverify.balls.ball import LOG2_10, short
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.rare_events import Jump, Parameters, Parts, steps_with_jumps
from pldverify.reference.engines.inversion.truncated import mixtures
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.tilt import saddle
from pldverify.reference.search.truncated import MAX_LAWS, may_mislead

_WIDTHS = (0.8, 0.4, 0.2, 0.1, 0.05)
"""τ that are tried, until the price rises."""
_SLACK = 3.0
"""Nats that δ_N should be below the last digit."""
_HALVINGS, _SECTIONS = 7, 14
_MORE = 2
"""Digits more than wanted: the saddle point of what has two modes overrates δ."""
_LEAST, _MOST = 1e-3, 1.0
"""Parts of ε that jumps may begin at."""
_KERNEL = Kernel("delta", "upper")
Chosen = tuple[Parts, tuple[float, ...], float]
"""What jumps, x₂ of each law, and λ."""


def plan_rare_events(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Raises NotSupported unless it is the δ of Poisson-subsampled Gaussians, ``remove``; NoConvergence."""
    if quantity != "delta" or not may_mislead(product):
        raise NotSupported(
            f"rare events: not the δ of at most {MAX_LAWS} Poisson-subsampled Gaussians, direction remove"
        )
    if epsilon <= 0:
        raise NoConvergence("rare events: ε is not above 0")
    best, trouble = (
        None,
        NoConvergence("rare events: steps without a jump count too much, wherever jumps begin"),
    )
    for width in _WIDTHS:
        split = _split(product, epsilon, digits + _MORE, width)
        if split is None:
            continue
        try:
            plan = _plan(product, split, epsilon, digits + _MORE)
        except NoConvergence as reason:
            trouble = reason
            continue
        if best is not None and plan.seconds > best.seconds:
            break
        best = plan
    if best is None:
        raise trouble
    return best


def _split(product: ComposedLoss, epsilon: Fraction, digits: int, width: float) -> Chosen | None:
    """The largest jumps that leave nothing to steps without one, x₂ and λ; None if there are none."""
    low, high, found = math.log(_LEAST), math.log(_MOST), None
    for _ in range(_HALVINGS):
        middle, fits = (low + high) / 2, False
        with suppress(NoConvergence, ArithmeticError, ValueError):  # beyond the range of floats
            parts = _parts(product, math.exp(middle) * float(epsilon), width)
            _, size = saddle(steps_with_jumps(parts), _KERNEL, float(epsilon))
            goal = size - digits * math.log(10) - _SLACK
            ends = tuple(_end(part, k, goal) for part, k in parts)
            lam, none = _chernoff(parts, ends, float(epsilon))
            fits = none < goal
        if fits:
            low, found = middle, (parts, ends, lam)
        else:
            high = middle
    return found


def _plan(product: ComposedLoss, chosen: Chosen, epsilon: Fraction, digits: int) -> Plan:
    """Raises NoConvergence."""
    parts, ends, lam = chosen
    some = plan_contour(steps_with_jumps(parts), "delta", epsilon, digits=digits)

    def build() -> Work:
        parameters = some.build().parameters
        assert isinstance(parameters, contour.Parameters)
        jumps = tuple(
            Jump(part.cut, part.width, short(end)) for (part, _), end in zip(parts, ends, strict=True)
        )
        bits = int(digits * LOG2_10) + 64
        return Work("rare events", product, "delta", Parameters(jumps, parameters, short(lam), bits))

    return Plan(0.05 + some.seconds, build)


def _parts(product: ComposedLoss, loss: float, width: float) -> Parts:
    """Jumps from about ``loss`` on."""
    return tuple(
        (SoftPart(law, short(outcome(law, loss)), short(width), True), k) for law, k in mixtures(product)
    )


def _end(part: SoftPart, k: int, goal: float) -> float:
    """x₂ beyond which log of what does not jump is about ``goal``."""
    from pldverify.reference.search.cumulants.soft_part import log_moment  # loads numpy

    nats = math.log(k) + log_moment(part, 0.0) - goal
    return float(part.cut) + float(part.width) * math.sqrt(2 * max(1.0, nats))


def _chernoff(parts: Parts, ends: tuple[float, ...], eps: float) -> tuple[float, float]:
    """λ, and log of the bound of δ_N with it, by golden section in log λ (floats)."""
    from pldverify.reference.search.cumulants.soft_part import log_small  # loads numpy

    def size(log_lam: float) -> float:
        lam = math.exp(log_lam)
        moments = (k * log_small(part, end, lam) for (part, k), end in zip(parts, ends, strict=True))
        return math.fsum(moments) - lam * eps - math.log1p(lam)

    low, high = math.log(0.05), math.log(1e4 / eps + 1)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(_SECTIONS):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if size(a) < size(b) else (a, high)
    return math.exp(low), size(low)
