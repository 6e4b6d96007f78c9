"""Search for the cut of the near steps, and where the far mode misleads saddle points, in floats."""

import math
from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, LOG2_10, short, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.truncated import Parameters, mixtures, near_steps
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.gaussian_mixture import nodes_for_moments
from pldverify.reference.laws.hints.log_concave import log_w
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.plan import Plan

_SLACK = 5.0
"""Nats that A should be below the last digit of what is far."""
_TURNS = 200
MAX_LAWS = 20
"""Cap on distinct laws."""
_RARE = 1e-3
"""Expected losses of about ε, under the tilted law, below which the bulk decides."""
_MOST_SECONDS = 15.0
_TRIES, _MORE = 4, 4
"""How often more digits of δ_near are asked for, and how many more than seem to be missing."""
_FARTHEST = 64.0
"""Outcome up to which there is any need for a cut: e^{−2048} is beyond."""


def plan_truncated(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Raises NotSupported unless it is the δ of Poisson-subsampled Gaussians, ``remove``; NoConvergence."""
    if quantity != "delta" or not may_mislead(product):
        raise NotSupported(
            f"truncated: not the δ of at most {MAX_LAWS} Poisson-subsampled Gaussians, direction remove"
        )
    gap, lam = _gap(product, digits)
    cuts = _cuts(product, float(epsilon) + gap)
    near = near_steps(product, cuts)
    bits = int(digits * LOG2_10 - math.log2(gap)) + 64
    with working(BOUND_BITS):
        reached = not near.ends_by(epsilon)
    many = _contour(near, epsilon, digits) if reached else None

    def work(part: contour.Parameters | None) -> Work:
        return Work("truncated", product, quantity, Parameters(cuts, part, short(lam), bits))

    return Plan(
        0.02 * len(product.factors) + (many.seconds if many is not None else 0.0),
        lambda: work(None) if many is None else _refined(near, many, epsilon, digits, work),
    )


def _contour(near: ComposedLoss, epsilon: Fraction, digits: int) -> Plan:
    many = plan_contour(near, "delta", epsilon, digits=digits)
    if many.seconds > _MOST_SECONDS:
        raise NoConvergence(
            f"truncated: the contour would take {many.seconds:.0f} s (cap {_MOST_SECONDS:.0f} s)"
        )
    return many


def _refined(
    near: ComposedLoss, many: Plan, epsilon: Fraction, digits: int, work: Callable[[contour.Parameters], Work]
) -> Work:
    """With more digits of δ_near while its saddle point has overrated δ: next to the cut there is a mode."""
    more = digits
    for turn in range(_TRIES):
        parameters = many.build().parameters
        assert isinstance(parameters, contour.Parameters)
        found = work(parameters)
        missing = _missing(found.value(epsilon), digits)
        if missing <= 0 or turn == _TRIES - 1:
            break
        more += math.ceil(missing) + _MORE
        many = _contour(near, epsilon, more)
    return found


def _missing(value: arb, digits: int) -> float:
    """How many of ``digits`` digits a ball has not."""
    relative = (
        float((value.rad() / abs(value).upper()).log()) / math.log(10)
        if surely_less(0, value.rad())
        else -math.inf
    )
    return digits + relative


def may_mislead(product: ComposedLoss) -> bool:
    """Whether a far mode may mislead saddle points."""
    try:
        return len(mixtures(product)) <= MAX_LAWS
    except NotSupported:
        return False


def single_losses_count(product: ComposedLoss, epsilon: float, theta: float) -> bool:
    """Whether single losses of about ε count among those that are tilted by θ: then saddle points mislead."""
    return may_mislead(product) and any(
        k * _share_beyond(law, epsilon / 2, theta + 1) > _RARE for law, k in mixtures(product)
    )


def _share_beyond(law: GaussianMixtureLaw, loss: float, p: float) -> float:
    """Share of ∫ φ w^p that has a larger loss."""
    c, q = 1 / float(law.noise_multiplier), float(law.q)
    rows = [(log_w(c, q, x), x) for x in nodes_for_moments(c, q, p)[0]]
    logs = [p * s - x * x / 2 for s, x in rows]
    peak = max(logs)
    weights = [math.exp(log - peak) for log in logs]
    return math.fsum(w for w, (s, _) in zip(weights, rows, strict=True) if s > loss) / math.fsum(weights)


def _cuts(product: ComposedLoss, loss: float) -> tuple[Fraction, ...]:
    """The outcomes of each law that lose about ``loss``."""
    return tuple(short(min(_FARTHEST, outcome(law, loss))) for law, _ in mixtures(product))


def _gap(product: ComposedLoss, digits: int) -> tuple[float, float]:
    """How far the cut's loss exceeds ε for A not to matter, and λ, in floats.

    At the best λ for a gap B, Chernoff's exponent is K(−1−λ) − λB with B = −K'(−1−λ). What is far, less e^ε
    times its second measure, is about the part B of it, for B < 1.
    """
    low, high, lam = 0.0, math.inf, 1.0
    for _ in range(_TURNS):
        value, slope, _ = cumulant(product, -1 - lam)
        gap = -slope
        if not gap > 0:
            break
        short_by = value - lam * gap + digits * math.log(10) + _SLACK - min(0.0, math.log(gap))
        if -1 < short_by < 1:
            return gap, lam
        low, high = (lam, high) if short_by > 0 else (low, lam)
        lam = 4 * lam if math.isinf(high) else math.sqrt(low * high) if low else lam / 4
    raise NoConvergence("truncated: nothing bounds how far the other losses may be below 0")
