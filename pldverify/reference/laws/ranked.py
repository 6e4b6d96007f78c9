r"""Who wins the best of several runs for some neighbours: a finite pair.

The probabilities of events are tails of the loss of one run; those of who wins are differences of f
(:mod:`pldverify.mechanisms.ranked`), rounded inward (:mod:`pldverify.mechanisms.inward`). What has no mass
under Q is exactly 0 there, as it is a loss of ∞.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.memory import remembered
from pldverify.mechanisms.inward import inward
from pldverify.mechanisms.ranked import Ranked
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.reference.laws.finite_pair import FinitePairLaw
from pldverify.reference.laws.law import Law, with_tails

_BITS = 320
"""Working precision; any is right, few bits cost width."""


@remembered(64)
def ranked(seen: Ranked, run: Law) -> FinitePairLaw | None:
    """The law of who wins, of P against Q, where ``run`` is the loss of one run; None where nothing of the
    loss is left.
    """
    with working(_BITS):
        first, second = events(seen, run)
        pair = inward(_winners(seen.asked, first), _winners(seen.asked, second))
    return None if pair is None else FinitePairLaw(pair.p, pair.q)


def events(seen: Ranked, run: Law) -> tuple[list[arb], list[arb]]:
    """Their probabilities under P and under Q, from 0 on, at the working precision."""
    infinite, tails = ball(run.infinite_mass), [with_tails(run).tails(s) for s in seen.thresholds]
    first = [arb(0), infinite, *(p + infinite for p, _ in tails), arb(1)]
    second = [arb(0), arb(0), *(q for _, q in tails), arb(1)]
    return _between(first, seen.events), _between(second, seen.events)


def _between(whole: Sequence[arb], places: Sequence[Fraction]) -> list[arb]:
    """Values between those of whole numbers on straight lines."""
    found = [arb(0)]
    for t in places:
        low = min(int(t), len(whole) - 2)
        found.append(whole[low] + ball(t - low) * (whole[low + 1] - whole[low]))
    return found


def _winners(asked: RepeatAndSelect, sums: Sequence[arb]) -> list[arb]:
    """The probabilities of who wins, last the best, and, where that may be, that nothing is shown."""
    worse = [ball(asked.generating(sums[-1] - x)) for x in sums[:-1]] + [ball(asked.generating(Fraction(0)))]
    rows = zip(sums[1:], pairwise(worse), strict=True)
    each = [arb(0) if x.is_zero() else high - low for x, (high, low) in rows]  # those before are in it
    shown = [*each, 1 - worse[0]]
    return [*shown, worse[-1]] if asked.poisson else shown
