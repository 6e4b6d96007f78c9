"""GLW21 and KH21 bound truncation and discretisation, and not the FFT's rounding: bounds on tiny δ are wrong.

Found by the standard grid in the papers' accountants as printed: the masses of a convolution are good to some
1e-16 in all, which at δ = 1e-15, or after 10⁶ steps at 1e-10, is no small part of δ. The noise is of either
sign and depends on the processor, so each is asked of ten compositions.
"""

import pytest

import pldverify as pv


@pytest.mark.parametrize(
    ("accountant", "composition", "least", "asked"),
    [
        ("prv/upper", "{} * poisson(gaussian(sigma=0.6), q=0.0001)", 1_000_000, {"delta": "1e-10"}),
        ("prv/lower", "{} * poisson(gaussian(sigma=3), q=0.001)", 10_000, {"delta": "1e-15"}),
        ("prv/estimate", "{} * poisson(gaussian(sigma=3), q=0.001)", 10_000, {"delta": "1e-15"}),
        ("heterogeneous-fourier/lower", "gaussian(sigma={})", 10, {"delta": "1e-15"}),
        ("heterogeneous-fourier/lower", "poisson(gaussian(sigma=0.7), q=0.0{})", 10, {"epsilon": 8}),
    ],
)
def test_a_bound_in_print_is_wrong(
    accountant: str, composition: str, least: int, asked: dict[str, object]
) -> None:
    texts = (composition.format(n) for n in range(least, least + 10))
    found = (pv.check(accountant, pv.Query(text, **asked)) for text in texts)  # type: ignore[arg-type]
    assert any((one.verdict, one.severity) == ("UNSOUND", "material") for one in found)


@pytest.mark.parametrize("accountant", ["prv/upper", "prv/lower", "prv/estimate"])
def test_at_a_delta_that_is_not_tiny_the_same_is_sound(accountant: str) -> None:
    query = pv.Query("10000 * poisson(gaussian(sigma=3), q=0.001)", delta="1e-6")
    assert pv.check(accountant, query).verdict == "SOUND"
