r"""What some neighbours of sparse vectors and of report noisy max have: finite pairs, by integrals in balls.

With f and F the density and distribution function of the noise, Laplace or normal, of scale 1:

* **It halts** (:mod:`pldverify.mechanisms.halting`). z is the threshold's noise in its scale s: n queries of
  the value v are all below with the probability :math:`F((sz - v)/s_q)^n`. The chance of an outcome is, from
  the last level of a turn to the first, this times that of the later levels, plus the rest where the level
  has the outcome. Where a turn has it with h and is passed with the probability a, t turns have it with
  :math:`h \sum_{i < t} a^i`, and from 2t it is that times :math:`1 + a^t`. So the probabilities of the
  outcomes are integrals of f(z) times sums of products of these.
* **One of n wins** against m (:mod:`pldverify.mechanisms.winning`):
  :math:`n \int f(z)\, F(z)^{n-1} F(z - v)^m\, dz`.

Of normal noise that is entire, of Laplace noise between corners, at 0 and where an argument of F is 0:
:math:`F(x) = e^x/2` below 0 and :math:`1 - e^{-x}/2` above. Where an argument of F is beyond L, the answer
counts as certain, for Laplace noise and where normal noise on answers is far narrower than the threshold's:
it is another one with at most the probability of the tail at L, and so, given z, one of k answers is with at
most k times that, which no probability of an outcome errs by more than. The integral over \|z\| ≤ L is
enclosed by FLINT (Johansson 2018, arXiv 1802.07942), stretch by stretch, and what is beyond is at most twice
the tail at L, as all that f is multiplied by is in [0, 1]. The pair is rounded inward
(:mod:`pldverify.mechanisms.inward`).
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import dropwhile, pairwise

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.halting import Halting, Level
from pldverify.mechanisms.inward import inward
from pldverify.mechanisms.winning import Winning
from pldverify.reference.laws.finite_pair import FinitePairLaw

_BITS = 160
"""Working precision; any is right, few bits cost width."""
_TOLERANCE = arb(2) ** -120
"""Width at which an integral is done; any is right, and what is rarer tells nothing."""
_FAR = {True: Fraction(80), False: Fraction(13)}
"""L of Laplace and of normal noise: the tails are 9e-36 and 6e-39; any is right."""
_NARROW = 8
"""σ/σ_q from which normal answers beyond L are certain, which is sooner there; any is right."""
Turns = tuple[tuple[Level, ...], ...]
Between = Callable[[Fraction, Fraction], Callable[[acb], acb]]
"""An integrand's factor, entire on the stretch from a corner to the next one."""


@remembered(256)
def halting(seen: Halting) -> FinitePairLaw | None:
    """The law of the outcomes, of P against Q; None where rounding leaves nothing of the loss."""
    return _law(lambda turns: _outcomes(seen, turns), seen.queries, seen.turns, seen.others)


@remembered(256)
def winning(seen: Winning) -> FinitePairLaw | None:
    """The law of whether one of the n wins, likewise."""
    return _law(lambda lead: _wins(seen, lead), 1, seen.lead, seen.lead + seen.asked.loss(seen.moves))


def _law(outcomes: Callable[..., list[arb]], queries: int, *sides: object) -> FinitePairLaw | None:
    with working(_BITS + queries.bit_length()):  # a power of a ball is so much wider
        pair = inward(*map(outcomes, sides))
    return None if pair is None else FinitePairLaw(pair.p, pair.q)


def _outcomes(seen: Halting, turns: Turns) -> list[arb]:
    """The probabilities of the outcomes, that of nothing above first."""
    others = [_halts(seen, turns, j) for j in range(1, 1 + max(level.seen for level in seen.levels))]
    return [1 - sum(others, arb(0)), *others]


def _halts(seen: Halting, turns: Turns, outcome: int) -> arb:
    asked = seen.asked
    if laplace := isinstance(asked, AboveThreshold):
        scale, unit = asked.b, asked.query_b
    else:
        scale, unit = asked.sigma, asked.query_sigma
    sides = (-1, 0, 1) if laplace else (-1, 1) if scale > _NARROW * unit else ()
    reach = _FAR[laplace] * unit

    def between(low: Fraction, high: Fraction) -> Callable[[acb], acb]:
        def below(value: Fraction) -> Callable[[acb], acb]:
            wide, middle, narrow = ball(scale), ball(value), ball(unit)
            if sides and scale * low >= value + reach:
                return lambda z: acb(1)
            if sides and scale * high <= value - reach:
                return lambda z: acb(0)
            if not laplace:
                return lambda z: normal_tail((middle - wide * z) / narrow)
            before = scale * (low + high) < 2 * value
            return lambda z: _laplace((wide * z - middle) / narrow, before)

        rows = [[(below(v), n, told == outcome) for v, n, _, told in turn[::-1]] for turn in turns[::-1]]

        def chance(z: acb) -> acb:
            found = acb(0)
            for turn in dropwhile(lambda turn: not any(told for *_, told in turn), rows):
                here, passed = acb(0), acb(1)
                for stays, n, told in turn:
                    stay = stays(z) ** n
                    here = stay * here + (1 - stay if told else 0)
                    passed *= stay
                for _doubling in range(seen.times.bit_length() - 1):
                    here *= 1 + passed
                    passed *= passed
                found = here + passed * found
            return found

        return chance

    corners = ((level.value + side * reach) / scale for turn in turns for level in turn for side in sides)
    others = seen.queries * _beyond(laplace) if sides else arb(0)
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
    far = _FAR[laplace]
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
