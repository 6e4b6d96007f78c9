"""The law of the promise for m records; its masses are attacked in tests/oracle/test_group_dp.py."""

import math
from fractions import Fraction

import pytest

from pldverify.balls.ball import ball, working
from pldverify.reference.laws.group_dp import GroupDPLaw


@pytest.mark.parametrize(
    ("delta", "m", "count"), [("1e-5", 3, 4), ("0.15", 3, 2), ("0.1", 4, 3), ("0.35", 2, 1)]
)
def test_losses_lie_on_the_lattice(delta: str, m: int, count: int) -> None:
    """With much δ there are fewer than m + 1."""
    law = GroupDPLaw(Fraction(1, 2), Fraction(delta), m)
    with working(100):
        lattice, atoms = law.lattice(), law.atoms()
        assert isinstance(lattice.spacing, Fraction) and isinstance(lattice.offset, Fraction)
        places = [(lattice.offset + lattice.first + i) * lattice.spacing for i in range(len(lattice.masses))]
        assert len(atoms) == len(places) == count
        assert all(ball(place).overlaps(atom.loss) for place, atom in zip(places, atoms, strict=True))
        assert float(sum((atom.first for atom in atoms), law.infinite_mass)) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("epsilon", "delta", "lost"),
    [(20, "1/2", True), (1, "1/2", True), (20, "0.49", False), (700, "1e-30", False), (9, "0.51", True)],
)
def test_of_two_records_all_is_lost_from_a_half_on(epsilon: int, delta: str, lost: bool) -> None:
    """Of 1/2 exactly, and of e^−700 that is left, no precision told."""
    law = GroupDPLaw(Fraction(epsilon), Fraction(delta), 2)
    assert law.loses_all() == lost
    with working(60):
        assert lost or float(law.atoms()[-1].first) == pytest.approx(
            float(1 - 2 * Fraction(delta)) * math.exp(-epsilon), rel=1e-12, abs=0
        )
