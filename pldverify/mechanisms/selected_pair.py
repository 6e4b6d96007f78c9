r"""What some neighbours of the best of several runs have: ranks by which the largest losses win.

Notation of :mod:`pldverify.mechanisms.repeat_and_select`. Let A_1 ⊂ A_2 ⊂ … ⊂ A_m be events of the output of
``base``, of probabilities y_j under P and x_j under Q, x_0 = y_0 = 0: the base, post-processed, has the
outcomes A_j without A_{j−1}, and what is beyond A_m. That is best; then comes outcome 1, then 2, to m. That
wins the jth with probability

.. math:: f(x_m - x_{j-1}) - f(x_m - x_j)

under Q, with y in the place of x under P, the best with 1 − f(x_m), and nothing is shown with f(0). Under P
the best are rarer, so fewer runs are beaten by them, and those that P has more often win more often still.

**Events** are told by numbers. Of Gaussian noise, or what is promised to be ρ-zCDP or to have Rényi
divergences, which Gaussian noise has, and of one Laplace mechanism: t is that the loss is above that of a
threshold −t, from the middle of the two means on, in units of the noise. Of one mechanism of finitely many
outcomes, ε- and (ε, δ)-DP among them: t is the first t of them in falling order of p/q, with a coin for the
last one. For all other bases nothing is known. Any events prove; which tell much is a search
(:mod:`pldverify.reference.search.neighbours`).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.inward import inward
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.functions import Term, add, divide, exp, multiply, normal_tail, root

_LESS = Fraction(-1)
"""For differences."""


@lru_cache(maxsize=64)
def selected_pair(asked: RepeatAndSelect, moved: int, events: tuple[Fraction, ...]) -> FinitePair | None:
    """Who wins, of the outcomes told above, rounded inward; None where nothing is known or nothing is lost.

    ``moved``: how far noise sees the query move, in sensitivities: 1, or 2 for a replaced record. ``events``
    rise: of others it is None.

    >>> from pldverify.mechanisms.selected_pair import selected_pair
    >>> tuned = pv.RepeatAndSelect(pv.PureDP(epsilon=1), mean=100, shape=1)
    >>> float(pv.epsilon(selected_pair(tuned, 1, (Fraction(1, 64), Fraction(1))), delta=0))
    2.9...
    """
    try:
        chances = of_events(asked.base, moved)
        if chances is None or not all(a < b for a, b in pairwise(events)):
            return None
        sides = zip((Fraction(0), Fraction(0)), *map(chances, events), strict=True)
        second, first = (_winners(asked, side) for side in sides)
    except InvalidInput:  # an exponent is too large
        return None
    return inward(first, second)


def _winners(asked: RepeatAndSelect, events: Sequence[Term]) -> list[Term]:
    """The probabilities of who wins, last the best, and, where that may be, that nothing is shown."""
    best = [add(events[-1], multiply(_LESS, x)) for x in events[:-1]]
    worse = [*map(asked.generating, best), asked.generating(Fraction(0))]
    alike = [isinstance(x, Fraction) and isinstance(y, Fraction) and x == y for x, y in pairwise(events)]
    rows = zip(alike, pairwise(worse), strict=True)
    each = [Fraction(0) if same else add(high, multiply(_LESS, low)) for same, (high, low) in rows]
    shown = [*each, add(Fraction(1), multiply(_LESS, worse[0]))]
    return [*shown, worse[-1]] if asked.poisson else shown


def of_events(base: Composition, moved: int) -> Callable[[Fraction], tuple[Term, Term]] | None:
    """(x, y) of an event; None where nothing is known."""
    kinds = [mechanism for mechanism, _ in base.parts]
    if all(isinstance(m, Gaussian | GDP | ZCDP | RenyiDP) for m in kinds):
        square = sum((k * _square(m, moved) for m, k in base.parts), Fraction(0))
        half = multiply(Fraction(1, 2), root(square))
        return lambda t: (normal_tail(add(-t, half)), normal_tail(add(-t, multiply(_LESS, half))))
    if base.steps > 1:
        return None
    if isinstance(kinds[0], Laplace):
        c = moved / kinds[0].noise_multiplier
        return lambda t: (_laplace_tail(-t + c / 2), _laplace_tail(-t - c / 2))
    known = outcomes(kinds[0])
    return None if known is None else lambda t: (_first(known[1], t), _first(known[0], t))


def outcomes(mechanism: Mechanism) -> tuple[list[Term], list[Term]] | None:
    """The pair of a mechanism of finitely many outcomes, in falling order of p/q; None of all others."""
    rows: list[tuple[Term, Term]]
    match mechanism:
        case PureDP() | ApproximateDP():
            delta = mechanism.delta if isinstance(mechanism, ApproximateDP) else Fraction(0)
            low = divide(1 - delta, add(Fraction(1), exp(mechanism.epsilon)))
            high = add(1 - delta, multiply(_LESS, low))
            rows = [(delta, Fraction(0)), (high, low), (low, high), (Fraction(0), delta)]
        case RandomizedResponse():
            high, low = max(mechanism.p, mechanism.other), min(mechanism.p, mechanism.other)
            rows = [(high, low), (1 - high - low, 1 - high - low), (low, high)]
        case FinitePair(p, q):
            rows = [*sorted(zip(p, q, strict=True), key=lambda row: row[0] / (row[0] + row[1] or 1))[::-1]]
        case _:
            return None
    real = [row for row in rows if row[0] != 0 or row[1] != 0]
    return [p for p, _ in real], [q for _, q in real]


def _first(masses: Sequence[Term], t: Fraction) -> Term:
    """The mass of the first t."""
    found: Term = Fraction(0)
    for j, mass in enumerate(masses):
        if t > j:
            found = add(found, multiply(min(Fraction(1), t - j), mass))
    return found


def _square(mechanism: Mechanism, moved: int) -> Fraction:
    """μ² of Gaussian noise that the mechanism is, or may be."""
    match mechanism:
        case Gaussian():
            return (moved / mechanism.noise_multiplier) ** 2
        case GDP():
            return Fraction(mechanism.mu) ** 2
        case ZCDP() | RenyiDP():
            return 2 * mechanism.rho
    raise TypeError(mechanism)


def _laplace_tail(x: Fraction) -> Term:
    half = multiply(Fraction(1, 2), exp(-abs(x)))
    return half if x >= 0 else add(Fraction(1), multiply(_LESS, half))
