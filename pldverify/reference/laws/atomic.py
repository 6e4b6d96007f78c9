r"""Base of the laws with finitely many losses: everything follows from the list of outcomes.

An outcome has a mass under P and one under Q. Where both are positive it is an atom of the loss at log(p/q);
where q = 0 it belongs to δ_∞; where p = 0 the loss is −∞, and only Q sees it.
:math:`M(z) = \sum p\, e^{z \log(p/q)}` over the atoms, for every complex z.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, biggest, working
from pldverify.balls.compare import by_points, surely_at_most, surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.reference.laws.lattice import Lattice, is_mass, tilted_masses
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.outcome import Atom, Outcome
from pldverify.reference.laws.tilted_atoms import TiltedAtoms


class AtomicLaw(ABC):
    """A law that :meth:`outcomes` describes."""

    @property
    @abstractmethod
    def infinite_mass(self) -> Fraction | arb:
        """δ_∞ = P(q = 0): exact if rational, else a ball around a number > 0."""

    @abstractmethod
    def _outcomes(self) -> list[Outcome]:
        """All outcomes, at the working precision; :meth:`outcomes` checks them."""

    def outcomes(self) -> list[Outcome]:
        """All outcomes, at the working precision. Raises NoConvergence unless each mass is 0 or positive."""
        rows = self._outcomes()
        for row in rows:
            for mass in (row.first, row.second):
                if not is_mass(mass):
                    raise NoConvergence(f"{ctx.prec} bits can't tell a mass of {type(self).__name__} from 0")
        return rows

    def atoms(self) -> list[Atom]:
        """The finite losses in increasing order (of midpoints), at the working precision."""
        return _table(self, ctx.prec).atoms

    @property
    def largest_finite_loss(self) -> Fraction | arb:
        table = _table(self, ctx.prec)
        if not table.atoms:
            raise NoConvergence("no loss is finite")
        if table.exact is not None:
            return table.exact[-1]
        return _largest(self, ctx.prec)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        table = _table(self, ctx.prec)
        if table.exact is not None:
            sure = unsure = bisect_left(table.exact, s)
        else:
            point = ball(s)
            unsure = bisect_left(table.tops, True, key=lambda top: not surely_less(top, point))
            sure = bisect_left(table.bottoms, True, key=lambda bottom: bool(surely_at_most(point, bottom)))
        first, second = table.first[sure], table.second[sure]
        if unsure < sure:  # s is too close to an atom for this precision
            first, second = first.union(table.first[unsure]), second.union(table.second[unsure])
        return first, second

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        return self.tilted_atoms(theta).on_line(Fraction(0), step, count)

    def tilted_atoms(self, theta: Fraction) -> TiltedAtoms:
        """All atoms, at the working precision."""
        real, atoms = ball(theta), self.atoms()
        masses = [atom.first * (real * atom.loss).exp() for atom in atoms]
        return TiltedAtoms(masses, [atom.loss for atom in atoms], arb(0))

    def decay(self, theta: Fraction) -> Decay:
        return Decay()

    def lattice(self) -> Lattice | None:
        """Rational losses at one distance from each other lie on a lattice, and two losses always do."""
        table = _table(self, ctx.prec)
        losses, masses = table.exact, [atom.first for atom in table.atoms]
        if losses:
            steps = {b - a for a, b in pairwise(losses)} or {Fraction(1)}
            step = steps.pop()
            return Lattice(step, losses[0] / step, 0, masses) if step and not steps else None
        if len(masses) != 2:
            return None
        low, high = (atom.loss for atom in table.atoms)
        return Lattice(high - low, low / (high - low), 0, masses)

    def tilted_lattice(self, theta: Fraction) -> Lattice | None:
        lattice = self.lattice()
        return None if lattice is None else tilted_masses(lattice, theta)


@dataclass(frozen=True)
class _Table:
    """Atoms by loss, and sums of masses from each atom on."""

    atoms: list[Atom]
    exact: list[Fraction] | None
    bottoms: list[arb]
    tops: list[arb]
    first: list[arb]
    second: list[arb]


@remembered(32)
def _largest(law: AtomicLaw, prec: int) -> arb:
    """The largest loss; remembered, as an engine asks for it often."""
    table = _table(law, prec)
    with working(prec):
        return biggest(atom.loss.lower() for atom in table.atoms).union(table.tops[-1])


@remembered(32)
def _table(law: AtomicLaw, prec: int) -> _Table:
    with working(prec):
        finite = [o for o in law.outcomes() if not o.first.is_zero() and not o.second.is_zero()]
        exact = all(o.loss is not None for o in finite)
        pairs = [((o.first / o.second).log() if o.loss is None else ball(o.loss), o) for o in finite]
        if not all(loss.is_finite() for loss, _ in pairs):
            raise NoConvergence(f"{prec} bits do not enclose a loss of {type(law).__name__}")
        if exact:
            pairs.sort(key=lambda pair: pair[1].loss or Fraction(0))
        else:
            pairs = by_points(pairs, lambda pair: pair[0].mid())
        atoms = [Atom(loss, o.first, o.second) for loss, o in pairs]
        # running extremes of finite ends: from `bottoms` ≥ s on every later atom is ≥ s, and where `tops` < s
        # is certain, every atom up to there is < s
        bottoms = list(accumulate((atom.loss.lower() for atom in reversed(atoms)), _lower))[::-1]
        tops = list(accumulate((atom.loss.upper() for atom in atoms), _higher))
        first, second = ([arb(0)] for _ in range(2))
        for atom in reversed(atoms):
            first.append(first[-1] + atom.first)
            second.append(second[-1] + atom.second)
        losses = [o.loss for _, o in pairs if o.loss is not None] if exact else None
        return _Table(atoms, losses, bottoms, tops, first[::-1], second[::-1])


def _lower(a: arb, b: arb) -> arb:
    """The lower one of two points."""
    return b if surely_less(b, a) else a


def _higher(a: arb, b: arb) -> arb:
    """The higher one of two points."""
    return b if surely_less(a, b) else a
