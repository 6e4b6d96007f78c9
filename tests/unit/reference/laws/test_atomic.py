"""Lattices of finitely many outcomes: of rational losses at one distance, and of two losses."""

from dataclasses import dataclass
from fractions import Fraction as F

import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.reference.laws.approximate_dp import ApproximateDPLaw
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.discrete_laplace import DiscreteLaplaceLaw
from pldverify.reference.laws.group_dp import GroupDPLaw
from pldverify.reference.laws.outcome import Outcome


@dataclass(frozen=True)
class Listed(AtomicLaw):
    """Outcomes of these rational losses, all of one P-mass."""

    losses: tuple[F, ...]
    infinite_mass = F(0)

    def _outcomes(self) -> list[Outcome]:
        share = F(1, len(self.losses))
        return [Outcome(ball(share), ball(share) * ball(-loss).exp(), loss) for loss in self.losses]


@pytest.mark.parametrize(
    ("law", "spacing", "offset", "count"),
    [
        (ApproximateDPLaw(F(1, 3), F(1, 100)), F(2, 3), F(-1, 2), 2),
        (ApproximateDPLaw(F(0), F(1, 4)), F(1), F(0), 1),
        (DiscreteLaplaceLaw(F(5, 2), 4), F(4, 5), F(-2), 5),
        (GroupDPLaw(F(1, 2), F(1, 10**6), 3), F(1), F(-3, 2), 4),
        (Listed((F(7), F(1), F(4))), F(3), F(1, 3), 3),
    ],
)
def test_rational_losses_at_one_distance(law: AtomicLaw, spacing: F, offset: F, count: int) -> None:
    with working(80):
        found = law.lattice()
        assert found is not None and (found.spacing, found.offset, found.first) == (spacing, offset, 0)
        assert len(found.masses) == count and found.omitted == 0
        for i, (atom, mass) in enumerate(zip(law.atoms(), found.masses, strict=True)):
            assert atom.loss.overlaps(ball((offset + i) * spacing))
            assert atom.first.overlaps(mass)


@pytest.mark.parametrize("losses", [(0, 1, 3), (2, 2, 4), (1, 1)])
def test_rational_losses_at_other_distances_have_no_lattice(losses: tuple[int, ...]) -> None:
    with working(80):
        assert Listed(tuple(map(F, losses))).lattice() is None


def test_two_losses_that_are_not_rational() -> None:
    @dataclass(frozen=True)
    class Two(Listed):
        def _outcomes(self) -> list[Outcome]:
            return [Outcome(arb(2) / 3, arb(1) / 3), Outcome(arb(1) / 3, arb(2) / 3)]

    with working(80):
        found = Two(()).lattice()
        assert found is not None and isinstance(found.spacing, arb) and isinstance(found.offset, arb)
        assert found.spacing.overlaps(2 * arb(2).log()) and found.offset.overlaps(-arb(1) / 2)
        assert found.masses[0].overlaps(arb(1) / 3) and found.masses[1].overlaps(arb(2) / 3)
