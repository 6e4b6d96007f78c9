r"""What some neighbours of sparse vectors and of report noisy max have: finite pairs, by integrals in balls.

With f and F the density and distribution function of the noise, Laplace or normal, of scale 1:

* **It halts** (:mod:`pldverify.mechanisms.halting`). z is the threshold's noise in its scale s, and a level
  is passed with the probability :math:`(a^n b)^t`, a = F((sz − v)/s_q), b = F((sz − w)/s_q). It halts there
  at one that falls with :math:`a^n (1 - b) \sum_{i < t} (a^n b)^i`. So the probabilities of the outcomes are
  integrals of f(z) times sums of products of these.
* **One of n wins** against m (:mod:`pldverify.mechanisms.winning`):
  :math:`n \int f(z)\, F(z)^{n-1} F(z - v)^m\, dz`.

Between corners, at 0 and where an argument of F is 0, that is entire: Laplace noise has :math:`F(x) =
e^x/2` below 0 and :math:`1 - e^{-x}/2` above. Where an argument of F is beyond L, the answer counts as
certain: it is another one with at most the probability of the tail at L, and so, given z, one of k answers is
with at most k times that, which no probability of an outcome errs by more than. The integral over \|z\| ≤ L
is enclosed by FLINT (Johansson 2018, arXiv 1802.07942), stretch by stretch, and what is beyond is at most
twice the tail at L, as all that f is multiplied by is in [0, 1]. The pair is rounded inward
(:mod:`pldverify.mechanisms.inward`).
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.halting import Halting, Level
from pldverify.mechanisms.inward import inward
from pldverify.mechanisms.winning import Winning
from pldverify.reference.laws.finite_pair import FinitePairLaw

_BITS = 96
"""Working precision; any is right, few bits cost width."""
_TOLERANCE = arb(2) ** -72
"""Width at which an integral is done; any is right."""
_FAR = {True: 80, False: 12}
"""L of Laplace and of normal noise: the tails are 9e-36 and 2e-33; any is right."""
_FEW = 3
"""Turns up to which it is told whether none was above or one that rises; any is right."""
Between = Callable[[Fraction, Fraction], Callable[[acb], acb]]
"""An integrand's factor, entire on the stretch from a corner to the next one."""


@remembered(256)
def halting(seen: Halting) -> FinitePairLaw | None:
    """The law of the outcomes, of P against Q; None where rounding leaves nothing of the loss."""
    return _law(lambda levels: _outcomes(seen, levels), seen.levels, seen.others)


@remembered(256)
def winning(seen: Winning) -> FinitePairLaw | None:
    """The law of whether one of the n wins, likewise."""
    return _law(lambda lead: _wins(seen, lead), seen.lead, seen.lead + seen.asked.loss(seen.moves))


def _law(outcomes: Callable[..., list[arb]], *sides: object) -> FinitePairLaw | None:
    with working(_BITS):
        pair = inward(*map(outcomes, sides))
    return None if pair is None else FinitePairLaw(pair.p, pair.q)


def _outcomes(seen: Halting, levels: Sequence[Level]) -> list[arb]:
    """The probabilities: it halts at one that falls, not at all, at one that rises; the last two as one where
    none rises, or many queries come in turn.
    """
    falling = _halts(seen, levels, falling=True)
    turns = sum(level.times for level in levels)
    if not any(level.rising for level in levels) or turns > _FEW:
        return [falling, 1 - falling]
    never = _halts(seen, levels, falling=False)
    return [falling, never, 1 - falling - never]


def _halts(seen: Halting, levels: Sequence[Level], falling: bool) -> arb:
    """That it halts at one that is ``falling``, or not at all."""
    asked = seen.asked
    if laplace := isinstance(asked, AboveThreshold):
        scale, unit = asked.b, asked.query_b
    else:
        scale, unit = asked.sigma, asked.query_sigma
    reach = _FAR[laplace] * unit

    def between(low: Fraction, high: Fraction) -> Callable[[acb], acb]:
        def answer(value: Fraction) -> Callable[[acb], tuple[acb, acb]]:
            """That it stays below, and not."""
            if scale * low >= value + reach:
                return lambda z: (acb(1), acb(0))
            if scale * high <= value - reach:
                return lambda z: (acb(0), acb(1))
            before = scale * (low + high) < 2 * value
            wide, middle, narrow = ball(scale), ball(value), ball(unit)

            def near(z: acb) -> tuple[acb, acb]:
                x = (wide * z - middle) / narrow
                if laplace:
                    return _laplace(x, before), _laplace(-x, not before)
                return _normal(x), _normal(-x)

            return near

        rows = [(answer(v), n, answer(w), times) for v, n, w, times in reversed(levels)]

        def chance(z: acb) -> acb:
            found = acb(0 if falling else 1)
            for rising, n, last, times in rows:
                before, (below, above) = rising(z)[0] ** n, last(z)
                passed = before * below
                if falling:
                    here = before * above
                    for _doubling in range(times.bit_length() - 1):  # the sum of 2t powers from that of t
                        here *= 1 + passed
                        passed *= passed
                    found = here + passed * found
                else:
                    found *= passed**times
            return found

        return chance

    values = (x for level in levels for x in (level.high, level.low))
    sides = (-1, 0, 1) if laplace else (-1, 1)
    corners = ((x + side * reach) / scale for x in values for side in sides)
    others = sum(times * (n + 1) for _, n, _, times in levels) * _beyond(laplace)
    return (_integral(laplace, corners, between) + others.union(-others)).max(arb(0))


def _wins(seen: Winning, lead: Fraction) -> list[arb]:
    n, m = seen.candidates, seen.others

    def between(low: Fraction, high: Fraction) -> Callable[[acb], acb]:
        first, second = low + high < 0, low + high < 2 * lead
        return lambda z: _laplace(z, first) ** (n - 1) * _laplace(z - ball(lead), second) ** m

    wins = n * _integral(True, [lead], between)
    return [wins, 1 - wins]


def _integral(laplace: bool, corners: Iterable[Fraction], between: Between) -> arb:
    """∫ f(z) g(z) dz, g in [0, 1] being ``between`` from each corner to the next one."""
    far = Fraction(_FAR[laplace])
    stretches = pairwise(sorted({-far, Fraction(0), far, *(x for x in corners if abs(x) < far)}))
    parts = (_stretch(laplace, low, high, between(low, high)) for low, high in stretches)
    return sum(parts, 2 * _beyond(laplace)).max(arb(0))


def _beyond(laplace: bool) -> arb:
    """One tail at L, and 0."""
    far = ball(_FAR[laplace])
    return arb(0).union((-far).exp() / 2 if laplace else normal_tail(far))


def _stretch(laplace: bool, low: Fraction, high: Fraction, factor: Callable[[acb], acb]) -> arb:
    before = low + high < 0

    def integrand(z: acb, _: bool) -> acb:
        if laplace:
            return factor(z) * (z if before else -z).exp() / 2
        return factor(z) * (-(z**2) / 2).exp() / (2 * arb.pi()).sqrt()

    ends = acb(ball(low)), acb(ball(high))
    return acb.integral(integrand, *ends, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE).real


def _laplace(x: acb, before: bool) -> acb:
    """F below 0, or above."""
    return x.exp() / 2 if before else 1 - (-x).exp() / 2


def _normal(x: acb) -> acb:
    return normal_tail(-x)
