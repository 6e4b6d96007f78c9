"""A claim about fixed batches of what is ρ-zCDP is also read as one about Gaussian noise of that ρ.

That noise had σ = 1/√(8ρ) in the place of √(2/ρ), and so 16ρ: a replaced record moves the sum by 2C, which
gives (2C)²/2σ². Its reading was REFUTED of claims that hold of it.
"""

from fractions import Fraction

import pytest

from pldverify.mechanisms.as_composition import as_composition
from pldverify.rulings.cases import gaussian_of
from pldverify.values.concentrated import least_rho
from tests.unit.claims.claims import ruled


@pytest.mark.parametrize("rho", ["1/2", "2", "1/50"])
@pytest.mark.parametrize("promise", ["zcdp(rho={})", "sampled_without_replacement(zcdp(rho={}), q=0.5)"])
def test_the_noise_has_the_stated_rho(promise: str, rho: str) -> None:
    noise = gaussian_of(as_composition(promise.format(rho)))
    assert noise != as_composition(promise.format(rho))
    assert least_rho(noise, noise.adjacency).ends == (Fraction(rho), Fraction(rho))


def test_what_holds_of_the_noise_is_not_refuted() -> None:
    """At σ = 2 and q = 1/2, ε is below 5 at δ = 1e-5, as it is without sampling."""
    phase = {"mechanism": "expression", "expression": "sampled_without_replacement(zcdp(rho=1/2), q=0.5)"}
    found = ruled(phase, epsilon="5", delta="1e-5", adjacency="replace-one", exact=True)
    assert [str(reading.verdict) for reading in found.readings if "Gaussian" in reading.case.assumes] == [
        "CERTIFIED"
    ]
