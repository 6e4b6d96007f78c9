r"""Poisson-subsampled Gaussians sooner: each by a trapezoidal rule, a schedule of them together.

Laws of one direction that differ in σ alone, or in q alone, are one analytic function of σ² or q: at every z
on a line :math:`M(z)` is interpolated in :math:`\zeta = (t-a)/(t+a)`, t = σ² or q, from a few nodes, which
are laws of the same kind (``interpolation.py``), with a bound on a disc (``mixture_disc.py``).
A thousand laws cost a few dozen.

For decays, laws whose σ and q differ by little share one: every step of the bound (``gaussian_mixture.py``)
is in balls, and holds for all parameters and all M(θ) in them. Which laws go together, and where, is a matter
of hints; that each law counts once, and goes with its like alone, is checked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pldverify.balls import acb, arb, arb_mat
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid, mixture_decay
from pldverify.reference.fast.hints.schedule import Stencil, neighbours, runs, stencils
from pldverify.reference.fast.interpolation import Nodes
from pldverify.reference.fast.mixture_disc import growth_in_q, growth_in_variance
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Decay, HasTransform, Law, with_transform

_COLUMNS = 256
"""Nodes of a line that are interpolated at once; any number is right, a large one costs memory."""


def of_one_direction(laws: Sequence[Law]) -> list[GaussianMixtureLaw]:
    """The laws, if all are Poisson-subsampled Gaussians of one direction. Raises NoConvergence."""
    mixtures = [law for law in laws if isinstance(law, GaussianMixtureLaw)]
    if len(mixtures) < len(laws) or len({law.direction for law in mixtures}) != 1:
        raise NoConvergence("schedule: laws of several kinds or directions have nothing in common")
    return mixtures


@dataclass(frozen=True)
class Family:
    """The laws of one direction with one σ, or with one q, where σ ``moves``."""

    moves: bool
    fixed: Fraction
    like: GaussianMixtureLaw

    @staticmethod
    def of(laws: Sequence[Law], moves: bool) -> "Family":
        """Raises NoConvergence for laws that are not of one family."""
        mixtures = of_one_direction(laws)
        fixed = {law.q if moves else law.noise_multiplier for law in mixtures}
        if len(fixed) > 1:
            raise NoConvergence("schedule: laws that differ in both parameters are no family")
        return Family(moves, fixed.pop(), mixtures[0])

    def law(self, parameter: Fraction) -> GaussianMixtureLaw:
        """Of a node that a hint may have chosen. Raises NoConvergence."""
        if parameter <= 0:
            raise NoConvergence("schedule: a node of the interpolation is no parameter")
        sigma, q = (parameter, self.fixed) if self.moves else (self.fixed, parameter)
        return ByTrapezoid(sigma, q, self.like.direction)

    def parameter(self, law: Law) -> Fraction:
        mixture = cast(GaussianMixtureLaw, law)
        return mixture.noise_multiplier if self.moves else mixture.q

    def variable(self, parameter: Fraction) -> Fraction:
        """What is analytic: σ², or q."""
        return parameter**2 if self.moves else parameter

    def growth(self, centre: Fraction, radius: Fraction, theta: Fraction, reach: Fraction) -> arb:
        """Bound of |M(θ + iu)|, |u| ≤ ``reach``, on the disc, relative to max(1, M(θ)) at the edge."""
        a, r = ball(centre), ball(radius)
        if self.moves:
            return growth_in_variance(a, r)
        return growth_in_q(a, r, ball(self.fixed**2), ball(self.like.power(theta)), ball(reach))

    def size(self, stencil: Stencil, theta: Fraction, reach: Fraction) -> arb:
        """Bound of |M(θ + iu)| on the disc; +∞ where the edge lies inside of it."""
        k = (1 + stencil.radius) / (1 - stencil.radius)
        edge = self.variable(stencil.edge)
        beyond = edge <= stencil.centre / k if self.moves else edge >= stencil.centre * k
        mass = self.law(stencil.edge).on_line(theta, Fraction(0), 0)[0].real
        growth = self.growth(stencil.centre, stencil.radius, theta, reach)
        return growth * mass.max(arb(1)) if beyond else arb.pos_inf()


def _sooner(law: Law) -> HasTransform:
    return ByTrapezoid.of(law) if isinstance(law, GaussianMixtureLaw) else with_transform(law)


def on_lines(laws: Sequence[Law], theta: Fraction, step: Fraction, count: int) -> list[list[acb]]:
    """M(θ + i j step), j = 0 … count, of each law, as its ``on_line`` would give it."""
    rows: dict[int, list[acb]] = {}
    for moves, members in runs(laws):
        family = Family.of([laws[i] for i in members], moves)
        places = {family.parameter(laws[i]): i for i in members}
        for stencil in stencils(family, list(places), theta, step * count):
            lines = _interpolated(family, stencil, theta, step, count)
            rows.update((places[t], line) for t, line in zip(stencil.asked, lines, strict=True))
    return [rows[i] if i in rows else _sooner(law).on_line(theta, step, count) for i, law in enumerate(laws)]


def _interpolated(
    family: Family, stencil: Stencil, theta: Fraction, step: Fraction, count: int
) -> list[list[acb]]:
    """The lines of the laws that are asked for, from those at the nodes."""

    def place(parameter: Fraction) -> Fraction:
        t = family.variable(parameter)
        return (t - stencil.centre) / (t + stencil.centre)

    nodes = Nodes(tuple((place(x), -place(y)) for x, y in stencil.pairs), stencil.radius)
    with working(BOUND_BITS):
        size = family.size(stencil, theta, step * count)
    laws = [family.law(t) for pair in stencil.pairs for t in pair]
    known = [law.on_line(theta, step, count) for law in laws]
    weights, errors = zip(*nodes.at([place(t) for t in stencil.asked]), strict=True)
    with_errors = arb_mat(
        [[*row, arb(0, (size * e).upper())] for row, e in zip(weights, errors, strict=True)]
    )
    known.append(
        [acb(1, j > 0) for j in range(count + 1)]
    )  # each part errs by its row's last entry; not Im at 0
    lines: list[list[acb]] = [[] for _ in stencil.asked]
    for start in range(0, count + 1, _COLUMNS):
        some = [line[start : start + _COLUMNS] for line in known]
        real = with_errors * arb_mat([[z.real for z in line] for line in some])
        imag = with_errors * arb_mat([[z.imag for z in line] for line in some])
        for line, xs, ys in zip(lines, real.tolist(), imag.tolist(), strict=True):
            line += [acb(x, y) for x, y in zip(xs, ys, strict=True)]
    return lines


def decays(factors: Iterable[tuple[Law, int]], theta: Fraction) -> list[tuple[Decay, int]]:
    """Decays and how often they count: neighbouring laws of a schedule share one.

    M(θ) = E[w^p] is monotone in σ and in q (``mixture_disc.py``): that of each law lies between those
    of the least noise and largest q, and of the most noise and smallest q.
    """
    factors = list(factors)
    laws = [law for law, _ in factors]
    found: list[tuple[Decay, int]] = []
    groups, alone = neighbours(laws)
    if sorted([*alone, *(i for group in groups for i in group)]) != list(range(len(laws))):
        raise NoConvergence("schedule: each law counts once, in a group or alone")
    for group in groups:
        members = of_one_direction([laws[i] for i in group])
        sigmas, qs = [law.noise_multiplier for law in members], [law.q for law in members]
        corners = (min(sigmas), max(qs)), (max(sigmas), min(qs))
        ends = [ByTrapezoid(*corner, members[0].direction) for corner in corners]
        mass, sigma, q = (
            first.union(last)
            for first, last in (
                [law.on_line(theta, Fraction(0), 0)[0].real for law in ends],
                [ball(law.noise_multiplier) for law in ends],
                [ball(law.q) for law in ends],
            )
        )
        spend()
        shared = mixture_decay(members[len(group) // 2], theta, 1 / sigma, q, mass)
        found.append((shared, sum(factors[i][1] for i in group)))
    return found + [(_sooner(laws[i]).decay(theta), factors[i][1]) for i in alone]
