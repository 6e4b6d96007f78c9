"""Search for the cut between near and far steps, and for the contour of the near ones, in floats.

Any value of the constants below is right: poor ones cost time or digits.
"""

import math
from collections.abc import Hashable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, LOG2_10, short, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.truncated import Parameters, near_steps
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.sampled import sampled, symmetric
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.plan import MAX_SECONDS, Plan
from pldverify.reference.search.size import MAX_PARTED, are_sampled, size_of_delta

_SLACK = 5.0
"""Nats by which log A should lie below the last digit of the far part."""
_TURNS = 200
"""Cap on the bisections of log λ."""
_TRIES = 4
"""How often δ_near is computed, with more digits each time."""
_MORE = 4
"""Digits added to those that seem to be missing."""
_FARTHEST = 64.0
"""Largest outcome x of a cut: a mass of e^{−2048} is beyond."""


def plan_truncated(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for δ of sampled Gaussians, ``remove`` or replace-one.

    Raises NotSupported for other losses and quantities, NoConvergence.
    """
    cut = Cut(product, quantity, epsilon, digits)
    many = _contour(cut.near, epsilon, digits, cut.size) if cut.reached else None
    return Plan(
        0.02 * len(product.factors) + (many.seconds if many is not None else 0.0),
        lambda: cut.work(None) if many is None else _refined(cut, many, epsilon, digits),
    )


class Cut:
    """The cuts, the near steps, whether their sums reach ε, and all parameters but the contour."""

    def __init__(self, product: ComposedLoss, quantity: Quantity, epsilon: Fraction, digits: int) -> None:
        if quantity != "delta" or not are_sampled(product):
            raise NotSupported(
                f"truncated: not the δ of at most {MAX_PARTED} sampled Gaussians, direction remove or "
                f"replace-one"
            )
        self.product = product
        self.size = size_of_delta(product, epsilon)
        other: float | None = None
        if symmetric(product):
            from pldverify.reference.search.two_sided import cut_losses  # loads numpy

            loss, other, self.lam = cut_losses(product, float(epsilon), digits, self.size)
            gap = loss - float(epsilon)
        else:
            gap, self.lam = _gap(product, digits)
        self.loss = float(epsilon) + gap
        self.cuts = _cuts(product, self.loss)
        self.others = _cuts(product, other) if other is not None else ()
        self.near = near_steps(product, self.cuts)
        self.bits = int(digits * LOG2_10 - math.log2(min(1.0, gap))) + 64
        with working(BOUND_BITS):
            self.reached = not self.near.ends_by(epsilon)

    def work(self, part: Hashable) -> Work:
        """The work with ``part``, the contour of the near steps; None if they don't reach ε."""
        assert part is None or isinstance(part, contour.Parameters)
        parameters = Parameters(self.cuts, part, short(self.lam), self.bits, self.others)
        return Work("truncated", self.product, "delta", parameters)


def _contour(near: ComposedLoss, epsilon: Fraction, digits: int, size: float | None) -> Plan:
    many = plan_contour(near, "delta", epsilon, digits=digits, size=size, cut=True)
    if many.seconds > MAX_SECONDS:
        raise NoConvergence(
            f"truncated: the contour would take {many.seconds:.0f} s (cap {MAX_SECONDS:.0f} s)"
        )
    return many


def _refined(cut: Cut, many: Plan, epsilon: Fraction, digits: int) -> Work:
    """More digits of δ_near, until δ has ``digits``: near a mode at the cut the saddle point overrates δ."""
    more = digits
    for turn in range(_TRIES):
        found = cut.work(many.build().parameters)
        missing = _missing(found.value(epsilon), digits)
        if missing <= 0 or turn == _TRIES - 1:
            break
        more += math.ceil(missing) + _MORE
        many = _contour(cut.near, epsilon, more, cut.size)
    return found


def _missing(value: arb, digits: int) -> float:
    """How many of ``digits`` decimal digits a ball lacks; at most 0 if it has all."""
    relative = (
        float((value.rad() / abs(value).upper()).log()) / math.log(10)
        if surely_less(0, value.rad())
        else -math.inf
    )
    return digits + relative


def _cuts(product: ComposedLoss, loss: float) -> tuple[Fraction, ...]:
    """For each law, the outcome with a loss of about ``loss``."""
    return tuple(short(min(_FARTHEST, outcome(law, loss))) for law, _ in sampled(product))


def _gap(product: ComposedLoss, digits: float) -> tuple[float, float]:
    """Gap B between the loss at the cut and ε for which A is negligible, and λ, in floats.

    At the best λ for a gap B, Chernoff's exponent is K(−1−λ) − λB with B = −K'(−1−λ). For B < 1 the far part
    P(F) − e^ε Q(F) is about B · P(F).
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
