r"""Loss of :math:`P = \sum_i a_i N(ic, 1)` against :math:`Q = \sum_j b_j N(-jc, 1)`, whole or up to a cut.

Notation as in ``gaussian_stretches.py``. With b at the level 0 alone this is a mixture of Gaussians against
the base, direction ``remove``; with a there alone, direction ``add`` of the same; with a = b what sampling a
record that is replaced leaves of the pair (KJH19 section 5.3, KJH20s B.4): ℓ is odd then, and both directions
coincide.

**Outcome** of the loss s: let A and B be f₊ and f₋ without the level 0, of weights a₀ and b₀. It is the root
of :math:`h = \log A - \log(e^s b_0 - a_0 + e^s B)`, where the second logarithm is one at all. log A rises, at
least like c times the least level of A, and B falls: the root lies within h over that slope. Newton's method
finds it.

**Cut** at x_c (``near.py``): :math:`M_c(z) = \int_{-\infty}^{x_c} \varphi f_+^{z+1} f_-^{-z} dx`.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb, arb_poly, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.reference.laws.gaussian_stretches import GaussianStretches, Stretch
from pldverify.reference.laws.lattice import is_mass
from pldverify.reference.lemmas.gaussian_sum import GaussianSum

_STEPS = 200
"""Cap on the steps of Newton's method; the root is enclosed afterwards, so any value is right."""
_SPARE = 8
"""Newton's method stops at steps of 2^(_SPARE − precision), relative to 1 + |x|: bits that it leaves."""
_NEXT = 4
"""Jumps between levels that count as one another's neighbours: f has its zeros where two terms meet."""
_WIDER = Fraction(7, 5)
"""By how much more a box may turn where there are more than two terms: their sum is enclosed less well."""
Rows = tuple[tuple[int, Fraction], ...]
"""(level, weight), rising, with weights > 0 of sum 1."""


@dataclass(frozen=True)
class Draws:
    """The levels ℓ = 0 … m with the weights of Bin(m, 1/n), n ≥ 2."""

    m: int
    n: int


Mixture = Rows | Draws
BASE: Rows = ((0, Fraction(1)),)
"""N(0)."""


@dataclass(frozen=True)
class GaussianPairLaw(GaussianStretches):
    """``shift`` = c > 0; ``first`` tells a, ``second`` b. Not both are :data:`BASE`."""

    shift: Fraction
    first: Mixture
    second: Mixture

    @property
    def symmetric(self) -> bool:
        """Whether both directions coincide."""
        return self.first == self.second

    @property
    def drawn(self) -> Fraction | None:
        """q where a = b has the weights 1 − q and q at the levels 0 and 1."""
        rows = self.first
        two = self.symmetric and not isinstance(rows, Draws) and [level for level, _ in rows] == [0, 1]
        return rows[1][1] if two else None  # type: ignore[index]

    @property
    def largest_finite_loss(self) -> arb | None:
        return _end_of(self.first, self.second)

    def sums(self) -> tuple[GaussianSum, GaussianSum]:
        """f₊ and f₋."""
        return _sum(self.shift, self.first, 1, ctx.prec), _sum(self.shift, self.second, -1, ctx.prec)

    def beyond(self, x: arb) -> tuple[arb, arb]:
        """P and Q of the outcomes from x on."""
        c = ball(self.shift)
        first, second = weights(self.first, ctx.prec), weights(self.second, ctx.prec)
        return (
            sum((w * normal_tail(x - c * level) for level, w in first), arb(0)),
            sum((w * normal_tail(x + c * level) for level, w in second), arb(0)),
        )

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        most, least = _end_of(self.first, self.second), _end_of(self.second, self.first)
        if most is not None and surely_at_most(most, ball(s)):
            return arb(0), arb(0)
        if least is not None and surely_at_most(ball(s), -least):
            return arb(1), arb(1)
        (p, q), (r, t) = map(self.beyond, self.outcome(s))
        return p.union(r), q.union(t)

    def loss(self, x: arb) -> arb:
        """ℓ."""
        up, down = self.sums()
        return (up.log(acb(x)) - down.log(acb(x))).real

    def outcome(self, s: Fraction) -> tuple[arb, arb]:
        """An outcome of at most, and one of at least, the loss s; −∞ and ∞ where none is found."""
        if self.first == BASE or (self.symmetric and s < 0):  # x → −x turns ℓ into −ℓ of the other pair
            low, high = GaussianPairLaw(self.shift, self.second, self.first)._root(-s)
            return -high, -low
        return self._root(s)

    def _root(self, s: Fraction) -> tuple[arb, arb]:
        c, growth = ball(self.shift), ball(s).exp()
        (up, up_rest), (down, down_rest) = (
            _moved(self.shift, m, ctx.prec) for m in (self.first, self.second)
        )
        constant = (1 - down_rest) * ball(s).expm1() + up_rest - down_rest
        slopes = up.derivative(), down.derivative()

        def gap(x: arb) -> tuple[arb, arb]:
            y = (c * x).exp()
            left, right = up(y), constant + growth * down(1 / y)
            return (left / right).log(), c * (
                y * slopes[0](y) / left + growth * slopes[1](1 / y) / (y * right)
            )

        x = arb(0)
        for _ in range(_STEPS):
            height, rate = gap(x)
            step = (height / rate).mid()
            x = (x - step).mid()
            if surely_at_most(abs(step), (abs(x) + 1) * arb(2) ** (_SPARE - ctx.prec)):
                break
        least = next(level for level in range(1, len(up)) if not up[level].is_zero())
        radius = (abs(gap(x)[0]) / (c * least)).upper()
        return (x - radius, x + radius) if radius.is_finite() else (arb.neg_inf(), arb.pos_inf())

    def stretches(self, theta: Fraction) -> list[Stretch]:
        return self.up_to(None)

    def up_to(self, cut: Fraction | None) -> list[Stretch]:
        """All up to an outcome."""
        turns = _turns(self.first, self.shift), _turns(self.second, self.shift)
        return [Stretch(self.shift, *self.sums(), turns, arb(1), high=cut)]


def _end_of(first: Mixture, second: Mixture) -> arb | None:
    """The supremum of the losses; None for ∞."""
    if first != BASE or isinstance(second, Draws) or second[0][0]:
        return None
    return -ball(second[0][1]).log()


def weights(mixture: Mixture, prec: int) -> list[tuple[int, arb]]:
    """Levels and weights; ``prec`` is the working precision."""
    return _drawn(mixture, prec) if isinstance(mixture, Draws) else [(j, ball(w)) for j, w in mixture]


@remembered(16)
def _drawn(draws: Draws, prec: int) -> list[tuple[int, arb]]:
    m, n = draws.m, draws.n
    ratio, rows = ball(Fraction(1, n - 1)), [ball(1 - Fraction(1, n)) ** m]
    for level in range(1, m + 1):
        rows.append(rows[-1] * ratio * (m - level + 1) / level)
    if not all(map(is_mass, rows)):
        raise NoConvergence(f"mixture: {prec} bits can't tell a component's weight from 0")
    return list(enumerate(rows))


@remembered(32)
def _moved(shift: Fraction, mixture: Mixture, prec: int) -> tuple[arb_poly, arb]:
    """f without the level 0, as a polynomial in e^{cx}, and the sum of its weights; ``prec`` is the working
    precision.
    """
    c, rows = ball(shift), [(level, w) for level, w in weights(mixture, prec) if level]
    terms = [arb(0)] * (rows[-1][0] + 1 if rows else 1)
    for level, w in rows:
        terms[level] = w * (-c * c * (level * level) / 2).exp()
    return arb_poly(terms), sum((w for _, w in rows), arb(0))


@remembered(32)
def _sum(shift: Fraction, mixture: Mixture, side: int, prec: int) -> GaussianSum:
    """``prec`` is the working precision."""
    return GaussianSum(ball(shift), weights(mixture, prec), side)


@remembered(64)
def _turns(mixture: Mixture, shift: Fraction) -> Fraction:
    """Units ic that f turns by between zeros: all of its levels, or some times the largest jump along those
    whose terms are ever the largest.
    """
    if isinstance(mixture, Draws):
        return _WIDER * min(mixture.m, _NEXT)
    c = ball(shift)
    points = [(level, (ball(w).log() - c * c * level * level / 2).mid()) for level, w in mixture]
    hull: list[tuple[int, arb]] = []
    for point in points:
        while len(hull) > 1 and _below(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    jump = max((b[0] - a[0] for a, b in pairwise(hull)), default=0)
    most = min(points[-1][0], _NEXT * jump) if jump else points[-1][0]
    return (_WIDER if len(points) > 2 else 1) * Fraction(most)


def _below(a: tuple[int, arb], b: tuple[int, arb], c: tuple[int, arb]) -> bool:
    """Whether b lies below the line from a to c."""
    return surely_at_most((b[1] - a[1]) * (c[0] - a[0]), (c[1] - a[1]) * (b[0] - a[0]))
