"""Vectors of integers with discrete Gaussian noise: what they are made of, and what they refuse."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse


def test_coordinates_become_a_composition() -> None:
    made = pv.discrete_gaussians([2, 3, 2], [1, 0, 1])
    assert made == pv.Composition.of((pv.DiscreteGaussian(2), 2))
    assert pv.discrete_gaussians("1.5", [1, 2]) == pv.DiscreteGaussian("1.5") + pv.DiscreteGaussian("1.5", 2)


def test_an_l2_bound_becomes_a_promise() -> None:
    assert pv.discrete_gaussians(3, l2_sensitivity=2) == pv.Composition.of((pv.ZCDP(Fraction(2, 9)), 1))
    ((promise, _),) = pv.discrete_gaussians(1, l2_sensitivity="sqrt(2)").parts
    assert promise.rho.lower < 1 < promise.rho.upper  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "3 * discrete_gaussians(sigma=[20, 30], sensitivities=[1, 2])",
        "discrete_gaussians(2, l2_sensitivity=sqrt(2)) + gaussian(1)",
    ],
)
def test_an_expression_is_read_and_printed_in_names_of_mechanisms(text: str) -> None:
    composition = parse(text)
    assert "discrete_gaussians" not in str(composition)
    assert parse(str(composition)) == composition


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sigma": 1}, "exactly one of sensitivities and l2_sensitivity"),
        ({"sigma": 1, "sensitivities": [1], "l2_sensitivity": 1}, "exactly one of"),
        ({"sigma": [1, 2], "sensitivities": [1]}, "as long as sensitivities, got 2 and 1"),
        ({"sigma": 1, "sensitivities": [0, 0]}, "one coordinate that moves"),
        ({"sigma": 1, "sensitivities": ["0.5"]}, r"sensitivities\[0\] must be an integer from 0"),
        ({"sigma": 1, "sensitivities": [-1]}, r"sensitivities\[0\] must be an integer from 0"),
        ({"sigma": 1, "sensitivities": 3}, "must be a list of numbers"),
        ({"sigma": 1, "sensitivities": []}, "1 to 100000 numbers"),
        ({"sigma": [0], "sensitivities": [1]}, r"sigma\[0\] must be > 0"),
        ({"sigma": [1, 2], "l2_sensitivity": 1}, "sigma must be one number"),
        ({"sigma": 1, "l2_sensitivity": 0}, "l2_sensitivity must be > 0"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.discrete_gaussians(**arguments)
