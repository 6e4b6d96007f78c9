r"""Losses of fixed-size batches under replace-one: Gaussian mixtures against N(0), symmetrised.

Component ℓ with probability :math:`v_\ell`, in units of the noise: :math:`w = 1 - q + q e^{cx - c^2/2}`
with shift :math:`c = c_\ell`. The profile for α ≥ 1 is that of :math:`\varphi w` against φ, ℓ known, and
for α ≤ 1 that of the reverse, so the loss is

* log w > 0 at x > c/2, with density :math:`v_\ell \varphi w` in x;
* −log w < 0 at x > c/2, with density :math:`v_\ell \varphi`;
* 0 with the rest: :math:`v_\ell (1 - q)(1 - 2\Phi(-c/2))` in all.

Q-masses are those of the opposite losses. **Cut**: beyond X ≥ c/2 there is w ≥ 1, so for p ≤ 0
:math:`\int_X^\infty \varphi w^p` is at most the integral of φ; for p ≥ 0 and r = pc, as the slope of log w is
at most c, at most :math:`w(X)^p e^{r^2/2 - rX}\,\Phi(r - X)`. **Path**: both integrals may leave the axis at
c/2, with the signs of b as in ``kinked_lines.py``; what is cut grows as in ``strip_lines.py`` at most.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.shifted_gaussian import ends, height, width
from pldverify.reference.laws.lattice import is_mass
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.kinked_lines import KinkedLines, kinked_line
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_outcome, mixture_slope
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import growth

MAX_COMPONENTS = 2_000
"""Cap on the components that count."""
LINES = (Fraction(3, 2), Fraction(4, 5), Fraction(2, 5), Fraction(1, 5), Fraction(1, 10))
"""Angles cb of the lines that bound the decay."""


@dataclass(frozen=True)
class ShiftedGaussianLaw(SmoothLaw):
    """``shift`` = c₁ and how the record is drawn.

    ``draws`` = 0 < q < 1: one component. ``draws`` = (m, n): c_ℓ = ℓc₁, v_ℓ ∝ Bin(m, 1/n) at ℓ = 1 … m, and
    q = 1 − (1 − 1/n)^m.
    """

    shift: Fraction
    draws: Fraction | tuple[int, int]

    @property
    def largest_finite_loss(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        point = ball(abs(s))
        first = second = arb(0)  # P and Q of the losses beyond |s|, away from 0
        components, rest = self.components()
        for level, share in components:
            c, q = ball(level), self.drawn()
            x = mixture_outcome(c, q, point)
            near, far = normal_tail(x), normal_tail(x - c)
            first += share * ((1 - q) * near + q * far)
            second += share * near
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

    def pieces(self, theta: Fraction) -> list[Piece]:
        rows = self._counting(theta)
        return [piece for level, share in rows for piece in self._sides(level, share, theta)]

    def densest(self, theta: Fraction) -> list[Piece]:
        level, share = self._counting(theta)[0]
        up, down = self._sides(level, share, theta)
        return [down, up]

    def kinked_lines(self, theta: Fraction) -> KinkedLines:
        """Bound of M without its atom."""
        pieces, tilt, q = self.pieces(theta), ball(theta), self.drawn()
        mass, omitted = self.on_line(theta, Fraction(0), 0)[0].real, self.omitted(theta, pieces)
        counting = zip(self._counting(theta), pieces[::2], pieces[1::2], strict=True)
        components = [(ball(level), share, up, down) for (level, share), up, down in counting]
        lines = (
            kinked_line(components, q, tilt, mass, omitted * self._growth(tilt, part), part) for part in LINES
        )
        return KinkedLines([line for line in lines if line is not None])

    def _growth(self, tilt: arb, part: Fraction) -> arb:
        """The largest ``growth`` of any component where cb = ``part``: b is largest for the first one."""
        c = ball(self.shift)
        return growth(tilt, ball(part) / c, c)

    def _counting(self, theta: Fraction) -> list[tuple[Fraction, arb]]:
        """The components that count at θ: the first one, and those of more than 2^{−prec} of it."""
        rows, _ = self.components()
        sizes = [share * _bound(ball(level), ball(theta)) for level, share in rows]
        goal = sizes[0] * arb(2) ** (-ctx.prec - 16)
        return [row for row, size in zip(rows, sizes, strict=True) if not surely_less(size, goal)]

    def _sides(self, level: Fraction, share: arb, theta: Fraction) -> tuple[Piece, Piece]:
        c, q, log_share = ball(level), self.drawn(), share.log()
        half = (2 * arb.pi()).log() / 2

        def loss(x: acb) -> acb:
            return mixture_loss(c, q, x)

        def plain(x: acb) -> acb:
            return log_share - half - x * x / 2

        def slope(x: arb) -> arb:
            return mixture_slope(c, q, x)

        (up, down), wide, high = ends(level, theta), width(level), max(Fraction(0), height(level))
        return (
            Piece(level / 2, up, lambda x: plain(x) + loss(x), loss, slope, wide, level, high),
            Piece(level / 2, down, plain, lambda x: -loss(x), slope, wide, level, -high),
        )

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        rows, left_out = self.components()
        counting = self._counting(theta)
        tilt, total, q = ball(theta), arb(0), self.drawn()
        for (level, share), up, down in zip(counting, pieces[::2], pieces[1::2], strict=True):
            c = ball(level)
            beyond = cut_tail(c, q, theta + 1, ball(up.high)) + cut_tail(c, q, -theta, ball(down.high))
            total += share * growth(tilt, ball(up.height), c) * beyond  # on both paths
        kept = {level for level, _ in counting}
        for level, share in rows:
            if level not in kept:
                total += share * _bound(ball(level), tilt)
        if not left_out.is_zero() and not isinstance(self.draws, Fraction):
            total += self._far(*self.draws, len(rows), tilt)
        return total.upper()

    def _far(self, m: int, n: int, listed: int, tilt: arb) -> arb:
        """Bound of the components that the list leaves out."""
        ratio, total = ball(Fraction(1, n - 1)), self.drawn()
        term, bound = 1 - total, arb(0)
        for level in range(1, m + 1):
            term *= ratio * (m - level + 1) / level
            if level > listed:
                bound += term / total * _bound(ball(level * self.shift), tilt)
        return bound


def cut_tail(c: arb, q: arb, p: Fraction, edge: arb) -> arb:
    """Bound of ∫ φ w^p beyond ``edge``; +∞ unless ``edge`` ≥ c/2."""
    if not surely_at_most(c / 2, edge):
        return arb.pos_inf()
    if p <= 0:
        return normal_tail(edge)
    power, rate = ball(p), ball(p) * c
    growth_there = power * mixture_loss(c, q, edge) + rate * rate / 2 - rate * edge
    return growth_there.exp() * normal_tail(edge - rate)


def _bound(c: arb, theta: arb) -> arb:
    """Bound of the transform of one component: each half and the atom."""
    one = arb(1)
    return one + (c * c * theta * (theta + 1) / 2).exp().max(one) * 2
