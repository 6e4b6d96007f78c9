r"""Losses of fixed-size batches under replace-one: Gaussian mixtures against N(0), symmetrised.

Component ℓ with probability :math:`v_\ell`, in units of the noise: :math:`w = 1 - q + q e^{cx - c^2/2}`
with shift :math:`c = c_\ell`. The profile for α ≥ 1 is that of :math:`\varphi w` against φ, ℓ known, and
for α ≤ 1 that of the reverse, so the loss is

* log w > 0 at x > c/2, with density :math:`v_\ell \varphi w` in x: a stretch with f₊ = w;
* −log w < 0 at x > c/2, with density :math:`v_\ell \varphi`: with f₋(y) = w at y = −x < −c/2;
* 0 with the rest: :math:`v_\ell (1 - q)(1 - 2\Phi(-c/2))` in all.

Q-masses are those of the opposite losses. Notation as in ``gaussian_stretches.py``.

**Cut** at x_c > c/2 (``near.py``): what is left out has losses of at least log w(x_c), the masses of φw and
φ.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.balls.normal import normal_tail
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.reference.laws.gaussian_stretches import GaussianStretches, Stretch
from pldverify.reference.laws.lattice import is_mass
from pldverify.reference.lemmas.gaussian_sum import GaussianSum
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_outcome

MAX_COMPONENTS = 2_000
"""Cap on the components that count."""


@dataclass(frozen=True)
class ShiftedGaussianLaw(GaussianStretches):
    """``shift`` = c₁ and how the record is drawn.

    ``draws`` = 0 < q < 1: one component. ``draws`` = (m, n): c_ℓ = ℓc₁, v_ℓ ∝ Bin(m, 1/n) at ℓ = 1 … m, and
    q = 1 − (1 − 1/n)^m. ``most``: c_ℓ up to this ℓ alone, with weights that are as large to one another.
    """

    shift: Fraction
    draws: Fraction | tuple[int, int]
    most: int | None = None

    @property
    def largest_finite_loss(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        point, q = ball(abs(s)), self.drawn()
        first = second = arb(0)  # P and Q of the losses beyond |s|, away from 0
        components, rest = self.components()
        for level, share in components:
            c = ball(level)
            with_it, without = _beyond(c, q, mixture_outcome(c, q, point))
            first += share * with_it
            second += share * without
        first, second = first + arb(0).union(rest), second + arb(0).union(rest)
        return (first, second) if s > 0 else (1 - second, 1 - first)

    def drawn(self) -> arb:
        """q."""
        if isinstance(self.draws, Fraction):
            return ball(self.draws)
        m, n = self.draws
        return -(m * ball(-Fraction(1, n)).log1p()).expm1()

    def components(self) -> tuple[list[tuple[Fraction, arb]], arb]:
        """(c_ℓ, v_ℓ), and a bound of the weights left out."""
        if isinstance(self.draws, Fraction):
            return [(self.shift, arb(1))], arb(0)
        m, n = self.draws
        ratio = ball(Fraction(1, n - 1))
        total = self.drawn()
        term = 1 - total
        goal, rows = arb(2) ** (-4 * ctx.prec - 200), []
        for level in range(1, m + 1):
            term *= ratio * (m - level + 1) / level
            rows.append((level * self.shift, term / total))
            if not is_mass(rows[-1][1]):
                raise NoConvergence(f"mixture: {ctx.prec} bits can't tell a component's weight from 0")
            if self.most is not None:
                if level == self.most:
                    whole = sum((share for _, share in rows), arb(0))
                    return [(shift, share / whole) for shift, share in rows], arb(0)
                continue
            fall = ratio * (m - level) / (level + 1)  # the terms fall at least that fast from here on
            if surely_less(fall, arb(1) / 2) and surely_less(term, goal * total):
                return rows, (term / total * fall * 2).upper()
            if level > MAX_COMPONENTS:
                raise NoConvergence(f"mixture: more than {MAX_COMPONENTS} components count")
        return rows, arb(0)

    def points(self) -> list[tuple[arb, arb]]:
        rows, _ = self.components()
        mass = sum((share * (1 - 2 * normal_tail(ball(level) / 2)) for level, share in rows), arb(0))
        return [(arb(0), (1 - self.drawn()) * mass)]

    def stretches(self, theta: Fraction) -> list[Stretch]:
        return [stretch for row in self._counting(theta) for stretch in self.sides(*row)]

    def sides(self, level: Fraction, share: arb, cut: Fraction | None = None) -> tuple[Stretch, Stretch]:
        """A component's losses below 0, and those above up to an outcome."""
        c, q = ball(level), self.drawn()
        drawn, base, one, none = ((0, 1 - q), (1, q)), ((0, arb(1)),), Fraction(1), Fraction(0)
        down = GaussianSum(c, base, 1), GaussianSum(c, drawn, -1)
        up = GaussianSum(c, drawn, 1), GaussianSum(c, base, -1)
        return (
            Stretch(level, *down, (none, one), share, high=-level / 2),
            Stretch(level, *up, (one, none), share, level / 2, cut),
        )

    def up_to(self, cut: Fraction) -> list[Stretch]:
        """The losses below 0 and those above up to an outcome, of one component. Raises InvalidInput."""
        self._one()
        return list(self.sides(self.shift, arb(1), cut))

    def loss(self, x: arb) -> arb:
        """log w, of one component. Raises InvalidInput."""
        return mixture_loss(*self._one(), x)

    def beyond(self, x: arb) -> tuple[arb, arb]:
        """Both measures of the outcomes from x > c/2 on, of one component. Raises InvalidInput, and
        NoConvergence where x is not above c/2.
        """
        c, q = self._one()
        if not surely_less(c / 2, x):
            raise NoConvergence(f"near: no loss is above 0 up to the outcome {float(x.mid()):.6g}")
        return _beyond(c, q, x)

    def _one(self) -> tuple[arb, arb]:
        """c and q."""
        if not isinstance(self.draws, Fraction):
            raise InvalidInput(f"law must have one component, got draws={self.draws}")
        return ball(self.shift), ball(self.draws)

    def _counting(self, theta: Fraction) -> list[tuple[Fraction, arb]]:
        """The components that count at θ: the first one, and those of more than 2^{−prec} of it."""
        rows, _ = self.components()
        sizes = [share * _bound(ball(level), ball(theta)) for level, share in rows]
        goal = sizes[0] * arb(2) ** (-ctx.prec - 16)
        return [row for row, size in zip(rows, sizes, strict=True) if not surely_less(size, goal)]

    def left_out(self, theta: Fraction) -> arb:
        """Of the components that don't count, and those that the list leaves out."""
        rows, rest = self.components()
        kept, tilt = {level for level, _ in self._counting(theta)}, ball(theta)
        total = sum((share * _bound(ball(level), tilt) for level, share in rows if level not in kept), arb(0))
        if rest.is_zero() or isinstance(self.draws, Fraction):
            return total
        m, n = self.draws
        ratio, drawn = ball(Fraction(1, n - 1)), self.drawn()
        term = 1 - drawn
        for level in range(1, m + 1):
            term *= ratio * (m - level + 1) / level
            if level > len(rows):
                total += term / drawn * _bound(ball(level * self.shift), tilt)
        return total


def _beyond(c: arb, q: arb, x: arb) -> tuple[arb, arb]:
    """Masses of φw and φ from x on."""
    base = normal_tail(x)
    return (1 - q) * base + q * normal_tail(x - c), base


def _bound(c: arb, theta: arb) -> arb:
    """Bound of the transform of one component: each half and the atom."""
    one = arb(1)
    return one + (c * c * theta * (theta + 1) / 2).exp().max(one) * 2
