"""The law of the promise for m records; its masses are attacked in tests/oracle/test_group_dp.py."""

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
