"""Atoms under a tilt: what is left out stays inside of the balls, and the bend bounds a second difference."""

from fractions import Fraction

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.law import with_atoms
from pldverify.reference.laws.tilted_atoms import TiltedAtoms

LAWS = [
    pv.FinitePair(["0.5", "0.3", "0.2"], ["0.2", "0.3", "0.5"]),
    pv.Binomial(n=40, p="0.3"),
    pv.PoissonSubsampled(pv.DiscreteGaussian(2), "0.1"),
    pv.DiscreteGaussian(5, sensitivity=2),
    pv.DiscreteLaplace(3),
    pv.RandomizedResponse("0.7"),
    pv.ApproximateDP("0.5", "0.01"),
]


def atoms_of(mechanism: Mechanism, direction: Direction, theta: Fraction) -> TiltedAtoms:
    ((law, _),) = product(as_composition(mechanism), direction).factors
    return with_atoms(law).tilted_atoms(theta)


@pytest.mark.parametrize("theta", [Fraction(-1, 2), Fraction(0), Fraction(7, 3)])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("mechanism", LAWS)
def test_transform(mechanism: Mechanism, direction: Direction, theta: Fraction) -> None:
    """Against the transform of the law, of which lattices have their own."""
    ((law, _),) = product(as_composition(mechanism), direction).factors
    with working(90):
        atoms, step = with_atoms(law).tilted_atoms(theta), Fraction(3, 7)
        line = law.on_line(theta, step, 5)
        for whole in (atoms, atoms.without(0.01), atoms.without(0.4)):
            assert whole.transform().overlaps(line[0].real)
            late = whole.on_line(2 * step, step, 3)
            for mine, theirs in zip(whole.on_line(Fraction(0), step, 5), line, strict=True):
                assert mine.overlaps(theirs)
            for mine, theirs in zip(late, line[2:], strict=True):
                assert mine.overlaps(theirs)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3])
def test_without(share: float) -> None:
    with working(90):
        atoms = atoms_of(pv.Binomial(n=40, p="0.3"), "remove", Fraction(1))
        fewer = atoms.without(share)
        gone = len(atoms.masses) - len(fewer.masses)
        assert (gone > 0) == (share > 0)
        assert (fewer.mass() + fewer.omitted).overlaps(atoms.mass())
        assert not fewer.omitted > arb(share) * atoms.mass() * (1 + arb(2) ** -60)
        # the largest stay
        least = min(mass.mid() for mass in fewer.masses)
        assert sum(mass.mid() < least for mass in atoms.masses) == gone


@pytest.mark.parametrize("mechanism", LAWS)
def test_bend(mechanism: Mechanism) -> None:
    """(2f(u) − f(u−h) − f(u+h))/2h², f = |Σ m e^{iux}|², is at most the bend, and near it at u = 0."""
    with working(200):
        atoms, h = atoms_of(mechanism, "remove", Fraction(1, 2)), Fraction(1, 10**12)
        for u in (Fraction(0), Fraction(1, 3), Fraction(9, 2)):
            before, here, after = (abs(value) ** 2 for value in atoms.sums(u - h, h, 2))
            bend = (2 * here - before - after) / (2 * ball(h) ** 2)
            assert bend < atoms.bend() * (1 + arb(10) ** -15)
            assert u or bend > atoms.bend() * (1 - arb(10) ** -15)
