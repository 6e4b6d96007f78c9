"""Plans of the parts engine: sums of finitely many losses beside a closed form, or one loss in cells."""

import math
from fractions import Fraction
from functools import cache

from pldverify.balls import arb
from pldverify.balls.ball import LOG2_10, ball, biggest, rounded, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.closed import residues, threshold
from pldverify.reference.engines.closed.parts import NONE, Parameters, beyond, cell, enclosed
from pldverify.reference.engines.evaluator import Quantity, Work, evaluator
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.law import with_tails
from pldverify.reference.search.closed_forms import plan_residues, plan_threshold, precise
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.sums import NOTHING, size_of

MAX_SUMS = 20_000
"""Cap on the sums of the losses with finitely many values."""
MAX_CELLS = 100_000
"""Cap on the cells of one loss."""
_MOST_CUTS = 8000
"""Cap on the cells that are cut one by one, before they are divided into equal pieces."""
_PIECES = 16.0
"""Cap on the pieces that every cell is then divided into; their error falls as the square."""
_LOST = 0.05
"""Relative width below which the error falls as the square of the cells (at half of it to a few per cent)."""
MOST = 6.1
"""Cap on the digits of δ: one digit more takes three times as many cells."""
TAIL = 3.1
"""Cap on the digits of a tail: one digit more takes ten times as many cells."""
_SECONDS = 4e-4
"""Predicted seconds are this times 10^{d/2} for d digits of δ, 10^d of a tail (observed: a third to three
times that; in far tails, where cells are narrow, thirty times)."""
_SPARE = 96
"""Bits beyond those of the digits: δ of one step and masses of narrow cells are small differences."""
Ends = tuple[Fraction | None, Fraction | None]


def plan_parts(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for losses with finitely many values beside others of closed form, or for two losses.

    Raises NotSupported for other losses, NoConvergence for too many rows.
    """
    finite: Factors = tuple((law, k) for law, k in loss.factors if hasattr(law, "outcomes"))
    others: Factors = tuple((law, k) for law, k in loss.factors if not hasattr(law, "outcomes"))
    if not finite and loss.steps == 2:
        return _plan_cells(loss, quantity, epsilon, digits)
    if not finite or not others:
        raise NotSupported("parts: not finitely many losses beside others, nor two losses")
    return _plan_sums(loss, finite, ComposedLoss(others), quantity, epsilon, digits)


def _plan_sums(
    loss: ComposedLoss,
    finite: Factors,
    others: ComposedLoss,
    quantity: Quantity,
    epsilon: Fraction,
    digits: int,
) -> Plan:
    """Sums of the ``finite`` losses beside those of ``others`` in closed form."""
    given = plan_threshold if others.steps == 1 else plan_residues
    rest = given(others, quantity, Fraction(0), digits=digits)
    sums = NOTHING
    with working(64):
        for law, k in finite:
            sums = sums.plus(size_of(law, k))
    if sums.sums > MAX_SUMS:
        raise NoConvergence(f"parts: {sums.sums} sums of losses (cap {MAX_SUMS})")
    seconds = 1e-4 + 2 * rest.seconds + sums.sums * (2e-4 + rest.seconds / 4)

    def work(bits: int) -> Work:
        if others.steps == 1:
            inner = Work("threshold", others, quantity, threshold.Parameters(bits))
        else:
            inner = Work("residues", others, quantity, residues.Parameters(bits + 2 * others.steps))
        return Work("parts", loss, quantity, Parameters(finite, inner, (), 1, bits))

    start = int((digits + 4) * LOG2_10) + 64
    return Plan(seconds, lambda: precise(work, start, epsilon, digits), math.inf)


def _plan_cells(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, digits: int) -> Plan:
    """Plan for two losses: the first in cells, the other in closed form."""
    law, other = (law for law, k in loss.factors for _ in range(k))
    order = 2 if quantity == "delta" else 1
    goal = min(float(digits), MOST if order == 2 else TAIL)
    with_tails(law)
    with_tails(other)
    bits = int(goal * LOG2_10) + _SPARE
    rest = Work("threshold", ComposedLoss(((other, 1),)), quantity, threshold.Parameters(bits))
    split = ((law, 1),)

    def build() -> Work:
        with working(bits):
            cuts, lost = _cuts(split, rest, epsilon, goal)
        pieces = math.ceil((lost * 10**goal) ** (1 / order))
        while True:
            if pieces * len(cuts) > MAX_CELLS:
                raise NoConvergence(f"parts: {MAX_CELLS} cells are not enough")
            work = Work("parts", loss, quantity, Parameters(split, rest, cuts, pieces, bits))
            if _width(work.value(epsilon)) <= 10**-goal:
                return work
            pieces = math.ceil(1.2 * pieces)

    return Plan(_SECONDS * 10 ** (goal / order), build, goal)


def _cuts(split: Factors, rest: Work, epsilon: Fraction, digits: float) -> tuple[tuple[Fraction, ...], float]:
    """Cuts of few cells, and the relative width that they lose.

    Cells are halved where they lose most; those without an end are cut farther and farther out until they
    lose nothing.
    """
    other, whole = evaluator(rest), rest.loss.finite_mass()
    masses = cache(lambda cut: beyond(split[0][0], cut))
    g = cache(lambda loss: other.value(epsilon - loss))
    half, goal = rounded(epsilon / 2), 10**-digits
    width = abs(half) / 4 or Fraction(1, 1024)
    found: dict[Ends, arb] = {}
    fresh: list[Ends] = [(None, half), (half, None)]
    while fresh:
        for low, high in fresh:
            spend()
            row = cell(low, high, masses(low), NONE if high is None else masses(high))
            found[low, high] = enclosed(row, g, whole, rest.quantity == "delta")
        if len(found) > _MOST_CUTS:
            raise NoConvergence(f"parts: {_MOST_CUTS} cells do not show how much is lost")
        total = sum(found.values(), arb(0))
        lost = _width(total)
        if lost <= max(goal, min(_LOST, _PIECES**2 * goal)):
            least = total.lower() * ball(Fraction(goal)) / 20
            losing = {ends: value.rad() for ends, value in found.items() if None in ends}
        else:
            losing = {ends: value.rad() for ends, value in found.items()}
            least = biggest(losing.values()) / 8
        worst = [ends for ends, radius in losing.items() if not surely_less(radius, least)]
        fresh = []
        for low, high in worst:
            del found[low, high]
            ends = [end for end in (low, high) if end is not None]
            if len(ends) == 2:
                middle = (ends[0] + ends[1]) / 2
            else:
                middle, width = ends[0] + (width if high is None else -width), 2 * width
            fresh += [(low, middle), (middle, high)]
    return tuple(sorted(low for low, _ in found if low is not None)), lost


def _width(value: arb) -> float:
    """Relative width."""
    return float(2 * value.rad() / value.lower()) if surely_less(0, value) else math.inf
