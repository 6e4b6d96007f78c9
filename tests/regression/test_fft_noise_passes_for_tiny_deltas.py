"""GLW21 and KH21 bound truncation and discretisation, and not the FFT's rounding: bounds on tiny δ are wrong.

Found by the standard grid in the papers' accountants as printed: the masses of a convolution are good to some
1e-16 in all, which at δ = 1e-15, or after 10⁶ steps at 1e-10, is no small part of δ.
"""

import pytest

import pldverify as pv


@pytest.mark.parametrize(
    ("accountant", "composition", "asked"),
    [
        ("prv/upper", "1000000 * poisson(gaussian(sigma=0.6), q=0.0001)", {"delta": "1e-10"}),
        ("prv/lower", "10000 * poisson(gaussian(sigma=3), q=0.001)", {"delta": "1e-15"}),
        ("prv/estimate", "10000 * poisson(gaussian(sigma=3), q=0.001)", {"delta": "1e-15"}),
        ("heterogeneous-fourier/lower", "gaussian(sigma=10)", {"delta": "1e-15"}),
        ("heterogeneous-fourier/lower", "poisson(gaussian(sigma=0.7), q=0.01)", {"epsilon": 8}),
    ],
)
def test_a_bound_in_print_is_wrong(accountant: str, composition: str, asked: dict[str, object]) -> None:
    found = pv.check(accountant, pv.Query(composition, **asked))  # type: ignore[arg-type]
    assert (found.verdict, found.severity) == ("UNSOUND", "material"), str(found)


@pytest.mark.parametrize("accountant", ["prv/upper", "prv/lower", "prv/estimate"])
def test_at_a_delta_that_is_not_tiny_the_same_is_sound(accountant: str) -> None:
    query = pv.Query("10000 * poisson(gaussian(sigma=3), q=0.001)", delta="1e-6")
    assert pv.check(accountant, query).verdict == "SOUND"
