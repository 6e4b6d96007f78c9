"""What some neighbours have at every step refutes claims of what is only bounded from above."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.attained import attained
from tests.unit.claims.claims import noise, ruled

WITHOUT = "sampled_without_replacement(gaussian(sigma=2, sensitivity=3), q=1/4)"


@pytest.mark.parametrize(
    ("composition", "other"),
    [
        (f"7 * {WITHOUT}", "7 * poisson(gaussian(sigma=2, sensitivity=6), q=0.25)"),
        (f"2 * {WITHOUT} + gaussian(sigma=1)", None),
        ("2 * sampled_with_replacement(gaussian(sigma=1), m=2, n=10)", None),
        ("2 * kjh19_substitute(gaussian(sigma=1), q=0.1)", ""),
        (
            WITHOUT,
            "poisson(gaussian(sigma=2, sensitivity=6), q=0.25)",
        ),  # of its own pair each δ alone is attained
        ("7 * poisson(gaussian(sigma=2), q=1/4)", ""),  # its own pair is
        (
            f"2 * {WITHOUT} + laplace(b=1)",
            "laplace(b=1, sensitivity=2) + 2 * poisson(gaussian(sigma=2, sensitivity=6), q=0.25)",
        ),
        (
            f"{WITHOUT} + zcdp(rho=1/2)",
            "gdp(mu=1) + poisson(gaussian(sigma=2, sensitivity=6), q=0.25)",
        ),
        (
            f"{WITHOUT} + shuffled(gaussian(1), batches=3)",
            "poisson(gaussian(sigma=2, sensitivity=6), q=0.25)",
        ),
        (
            f"{WITHOUT} + poisson(gaussian(1), q=1/2)",
            "poisson(gaussian(sigma=1), q=0.5) + poisson(gaussian(sigma=2, sensitivity=6), q=0.25)",
        ),
        ("2 * sampled_without_replacement(gaussian(sqrt(2)), q=1/4)", ""),
    ],
)
def test_what_is_attained(composition: str, other: str | None) -> None:
    found = attained(as_composition(composition), "replace-one")
    if other == "":
        assert found is None
        return
    assert found is not None and found[1] == "add-or-remove"
    if other is not None:
        assert str(found[0]) == other


def test_what_is_zcdp_has_gaussian_noise_on_a_sample_too() -> None:
    found = attained(as_composition("3 * poisson(zcdp(2), q=0.5) + gaussian(1)"), "add")
    assert found is not None and (str(found[0]), found[1]) == (
        "gaussian(sigma=1) + 3 * poisson(gdp(mu=2), q=0.5)",
        "add",
    )
    irrational = attained(as_composition("zcdp(1)"), "add-or-remove")
    assert irrational is not None
    ((mechanism, _),) = irrational[0].parts
    assert isinstance(mechanism, pv.GDP) and 0 < 2 - mechanism.mu**2 < Fraction(1, 2**250)


def test_draws_with_replacement_are_binomial() -> None:
    found = attained(
        as_composition("2 * sampled_with_replacement(gaussian(sigma=1), m=2, n=10)"), "replace-one"
    )
    assert found is not None
    ((mechanism, times),) = found[0].parts
    assert isinstance(mechanism, pv.MixtureOfGaussians) and times == 2
    assert mechanism.sensitivities == (0, 2, 4)
    assert mechanism.probabilities == (Fraction(81, 100), Fraction(18, 100), Fraction(1, 100))


def test_probabilities_of_many_draws_are_rounded_down() -> None:
    found = attained(
        as_composition("2 * sampled_with_replacement(gaussian(1), m=100, n=1000)"), "replace-one"
    )
    assert found is not None
    ((mechanism, _),) = found[0].parts
    assert isinstance(mechanism, pv.MixtureOfGaussians) and len(mechanism.probabilities) == 31
    for draws, chance in list(enumerate(mechanism.probabilities))[1:]:
        exact = comb(100, draws) * Fraction(999) ** (100 - draws) / Fraction(1000) ** 100
        assert 0 <= exact - chance < Fraction(1, 2**290)
    assert sum(mechanism.probabilities) == 1


FIXED: dict[str, Any] = noise(sampling="fixed_without_replacement", q="0.1", noise_multiplier="2/3", steps=55)


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        ({"epsilon": "1", "delta": "1e-6"}, "REFUTED"),
        ({"epsilon": "1", "delta": "1e-6", "relation": ">="}, "CERTIFIED"),
        ({"epsilon": "1e4", "delta": "1e-6"}, "CERTIFIED"),
        ({"rdp": {"order": 2, "divergence": "0.1"}}, "REFUTED"),
    ],
)
def test_a_claim_of_a_fixed_batch_is_refuted_by_what_is_attained(
    claimed: dict[str, Any], verdict: str
) -> None:
    changed = {"epsilon": None, "delta": None} | claimed
    found = ruled(FIXED, **changed, adjacency="replace-one")
    assert found.verdict == verdict
    assert found.readings[0].certificate is None or found.readings[0].certificate.verdict == verdict
