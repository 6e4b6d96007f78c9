"""What a law can tell, and tables that are refused."""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.lattice import HasLattice, Lattice, lattice_of, tilted
from pldverify.reference.laws.law import (
    HasAtoms,
    HasFiniteAtoms,
    HasTails,
    HasTransform,
    with_atoms,
    with_tails,
    with_transform,
)
from pldverify.reference.laws.sampled import up_to
from pldverify.reference.laws.tilted_atoms import TiltedAtoms


def law(mechanism: Any) -> Any:
    return product(as_composition(mechanism), "remove").factors[0][0]


GAUSSIAN, FINITE = law(pv.Gaussian(1)), law(pv.RandomizedResponse("0.7"))
DISCRETE, SAMPLED = law(pv.DiscreteGaussian(1)), law(pv.PoissonSubsampled(pv.DiscreteGaussian(1), "0.5"))
NEAR = up_to(GaussianMixtureLaw(Fraction(1), Fraction(1, 2), "remove"), Fraction(2))


@pytest.mark.parametrize(
    ("subject", "capabilities"),
    [
        (GAUSSIAN, {HasTails, HasTransform}),
        (FINITE, {HasTails, HasTransform, HasAtoms, HasFiniteAtoms, HasLattice}),
        (DISCRETE, {HasTails, HasTransform, HasAtoms, HasLattice}),
        (SAMPLED, {HasTails, HasTransform, HasAtoms}),
        (NEAR, {HasTransform}),
    ],
)
def test_a_law_has_just_these_methods(subject: Any, capabilities: set[type]) -> None:
    every = (HasTails, HasTransform, HasAtoms, HasFiniteAtoms, HasLattice)
    assert {each for each in every if isinstance(subject, each)} == capabilities


def test_what_a_law_lacks_is_refused() -> None:
    with pytest.raises(NotSupported, match="distribution functions of NearLaw"):
        with_tails(NEAR)
    with pytest.raises(NotSupported, match="losses of GaussianLaw are discrete"):
        with_atoms(GAUSSIAN)
    with pytest.raises(NotSupported, match="transform of int"):
        with_transform(3)
    with pytest.raises(NotSupported, match="no finite lattice"):
        tilted(GAUSSIAN, Fraction(1))
    assert lattice_of(GAUSSIAN) is None and lattice_of(SAMPLED) is None


@pytest.mark.parametrize("mass", [arb(-1), arb.nan()])
def test_tables_with_what_is_no_mass_are_refused(mass: arb) -> None:
    with pytest.raises(NoConvergence, match="mass"):
        Lattice(Fraction(1), Fraction(0), 0, [arb(1), mass])
    with pytest.raises(NoConvergence, match="mass"):
        TiltedAtoms([arb(1), mass], [arb(0), arb(1)], arb(0))


def test_losses_and_spacings_are_certain() -> None:
    with pytest.raises(NoConvergence, match="spacing"):
        Lattice(arb(0, 1), Fraction(0), 0, [arb(1)])
    with pytest.raises(NoConvergence, match="loss"):
        TiltedAtoms([arb(1)], [arb.pos_inf()], arb(0))


def test_a_lattice_whose_mass_may_be_zero_is_refused() -> None:
    class Vague:
        def lattice(self) -> Lattice:
            return Lattice(Fraction(1), Fraction(0), 0, [arb(0, 1)])

        def tilted_lattice(self, theta: Fraction) -> Lattice:
            return self.lattice()

    with pytest.raises(NoConvergence, match="from 0"):
        lattice_of(Vague())
