"""Privacy-loss budgets of the US Census of 2020, as the OpenDP deployments registry prints them.

Rows of deployments/census_redistricting_data.yaml and deployments/census_demographic_and_housing.yaml in
opendp/deployments-registry-data at commit 3e9c812: ρ of all discrete Gaussians together, ε at δ = 1e-10.
"""

from fractions import Fraction

import pytest

import pldverify as pv

PRINTED = [("0.07", "2.47"), ("4.96", "26.34"), ("7.70", "34.33")]


@pytest.mark.parametrize(("rho", "epsilon"), PRINTED)
def test_rho_implies_the_printed_epsilon(rho: str, epsilon: str) -> None:
    assert pv.certify(pv.Query(pv.ZCDP(rho), delta="1e-10"), epsilon).verdict == "CERTIFIED"


def test_one_row_needs_the_mechanism_and_not_its_rho_alone() -> None:
    """ρ = 2.56 is rounded: the conversion gives 17.158 > 17.14. The noise itself does, with room."""
    assert pv.certify(pv.Query(pv.ZCDP("2.56"), delta="1e-10"), "17.14").verdict == "UNDECIDED"
    tables = pv.discrete_gaussians(sigma=20, sensitivities=[1] * 2048)
    assert sum(k * Fraction(1, 2 * mechanism.sigma**2) for mechanism, k in tables.parts) == Fraction("2.56")  # type: ignore[attr-defined]
    assert pv.certify(pv.Query(tables, delta="1e-10"), "17.14").verdict == "CERTIFIED"
    assert pv.certify(pv.Query(tables, delta="1e-10"), "16.47").verdict == "REFUTED"
