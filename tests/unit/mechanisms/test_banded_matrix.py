"""BandMF: the norms of the columns of the matrix itself, group by group."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.expression import parse
from pldverify.numbers.exact import show

BANDS = [Fraction(3), Fraction(-2), Fraction(1, 2)]


def matrix(bands: list[Fraction], steps: int) -> list[list[Fraction]]:
    """Lower triangular, with these in its diagonals."""
    zero = Fraction(0)
    return [[bands[i - j] if 0 <= i - j < len(bands) else zero for j in range(steps)] for i in range(steps)]


def norms(rows: list[list[Fraction]], group: int, groups: int) -> list[Fraction]:
    """Squared, of the columns of the steps of a group, the greatest first."""
    return sorted((sum(row[t] ** 2 for row in rows) for t in range(group, len(rows), groups)), reverse=True)


@pytest.mark.parametrize("steps", [2, 3, 4, 5, 6, 7, 8])
def test_it_is_the_worst_group_of_all(steps: int) -> None:
    rows = matrix(BANDS, steps)
    every = [norms(rows, group, 3) for group in range(3)]
    made = pv.banded_matrix(sigma=4, coefficients=BANDS, steps=steps, q="0.1")
    squares = [pv.PoissonSubsampled(pv.Gaussian(4, f"sqrt({show(square)})"), "0.1") for square in every[0]]
    assert made == pv.Composition.of(*((each, 1) for each in squares))
    for other in every[1:]:  # no more steps, and each of them no greater
        assert all(a >= b for a, b in zip(every[0], other, strict=False)) and len(other) <= len(every[0])


def test_columns_of_a_group_have_no_row_in_common() -> None:
    rows = matrix(BANDS, 8)
    for group in range(3):
        for row in rows:
            assert sum(row[t] != 0 for t in range(group, 8, 3)) <= 1


def test_without_sampling_it_is_a_matrix_mechanism() -> None:
    bands = [Fraction(1), Fraction(1, 2)]
    known = pv.matrix_mechanism(2, matrix(bands, 6), participations=3, stride=2)
    found = pv.epsilon(pv.banded_matrix(2, bands, 6), delta="1e-6", digits=6)
    assert found.overlaps(pv.epsilon(known, delta="1e-6", digits=6))


def test_one_band_is_dp_sgd() -> None:
    found = parse("banded_matrix(sigma=2, coefficients=[1], steps=100, q=0.01)")
    assert found == pv.dp_sgd(noise_multiplier=2, sampling_probability="0.01", steps=100)
    cyclic = {"sampling": "cyclic-poisson", "cycle_length": 2, "sampling_probability": "0.01"}
    assert pv.banded_matrix(2, [1, 0], 99, "0.01") == pv.dp_sgd(noise_multiplier=2, steps=99, **cyclic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"coefficients": []}, "coefficients must have 1 to 10000 numbers, got 0"),
        ({"coefficients": 3}, "coefficients must be a list of numbers, got coefficients=3"),
        ({"coefficients": "12"}, "coefficients must be a list of numbers"),
        ({"coefficients": [0, 0]}, "coefficients must have one that is not zero"),
        ({"coefficients": [1, "x"]}, r"coefficients\[1\] must be"),
        ({"steps": 0}, "steps must be an integer from 1"),
        ({"q": 0}, "q must be in"),
        ({"sigma": 0}, "sigma must be > 0"),
        ({"sampling": "poison"}, "banded_matrix must have sampling = cyclic-poisson"),
    ],
)
def test_bad_numbers_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidInput, NotSupported), match=f"^{message}"):
        pv.banded_matrix(**{"sigma": 1, "coefficients": [1], "steps": 5, **arguments})


@pytest.mark.parametrize("sampling", ["balls-and-bins", "b-min-separation"])
def test_other_batches_are_refused_with_what_is_known(sampling: str) -> None:
    with pytest.raises(NotSupported, match=f"sampling = {sampling} no pair is known .* is an upper bound"):
        pv.banded_matrix(1, [1, "1/2"], 5, "0.1", sampling=sampling)
