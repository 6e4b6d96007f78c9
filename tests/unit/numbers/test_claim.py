"""Claims keep the very double that a subject returned."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pldverify.errors import SubjectFailure
from pldverify.numbers.claim import Claim, claimed_number


def test_a_claimed_float_is_that_double() -> None:
    assert claimed_number(0.1, "subject") == Fraction(3602879701896397, 36028797018963968)
    assert claimed_number(np.float64(0.1), "subject") == Fraction(0.1)
    assert claimed_number(math.inf, "subject") == math.inf


@pytest.mark.parametrize("value", [math.nan, -math.inf])
def test_what_is_no_number_is_a_failure_of_the_subject(value: float) -> None:
    with pytest.raises(SubjectFailure, match=r"^subject returned "):
        claimed_number(value, "subject")


def test_parameters_are_read_only() -> None:
    claim = Claim(Fraction(1), "upper", "subject", {"grid": "1e-4"})
    with pytest.raises(TypeError):
        claim.parameters["grid"] = "1e-3"  # type: ignore[index]


def test_a_number_of_any_size_is_printed() -> None:
    assert repr(Claim(Fraction(10**6000 + 1), "lower", "me")) == f"Claim(≥ 1.{'0' * 16}e6000, 'me')"
    assert repr(Claim(math.inf, "upper", "me")) == "Claim(≤ inf, 'me')"
