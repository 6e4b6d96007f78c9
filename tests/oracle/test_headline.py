"""The two headline cells of DP-SGD, whose 30 digits were computed elsewhere, and what floats mean there.

The published digits belong to the doubles 0.01, 0.02 and 6.90735948; the decimals are other numbers.
"""

from fractions import Fraction

import pytest

import pldverify as pv
from tests.oracle.closed_forms import context, fraction, holds, inversion, real

PUBLISHED = {
    "sigma=1": ("1.00008374339481182039233926575e-6", 10_000, 1, 0.01, 6.90735948),
    "sigma=2": ("2.84694077982593001068435746803e-6", 500, 2, 0.02, 1.0),
}


def cell(name: str) -> tuple[pv.Composition, float]:
    _, k, sigma, q, epsilon = PUBLISHED[name]
    return k * pv.PoissonSubsampled(pv.Gaussian(sigma), q), epsilon


def last_place(text: str) -> tuple[Fraction, Fraction]:
    """All numbers within one unit of the last printed place: one print is cut off, the other one rounded."""
    digits = text.partition("e")[0]
    unit = Fraction(text.replace(digits, "1")) / 10 ** (len(digits) - 2)
    return Fraction(text) - unit, Fraction(text) + unit


@pytest.mark.parametrize("name", PUBLISHED)
def test_thirty_published_digits(name: str) -> None:
    composition, epsilon = cell(name)
    found = pv.delta(composition, epsilon=epsilon, digits=30)
    low, high = last_place(PUBLISHED[name][0])
    assert found.digits >= 30
    assert low < found.lower <= found.upper < high


@pytest.mark.parametrize("name", PUBLISHED)
def test_sixty_digits_refine_thirty(name: str) -> None:
    composition, epsilon = cell(name)
    coarse, fine = (pv.delta(composition, epsilon=epsilon, digits=digits) for digits in (30, 60))
    assert fine.digits >= 60
    assert fine.upper - fine.lower < (coarse.upper - coarse.lower) / 10**20
    assert coarse.overlaps(fine)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_against_brute_force_inversion(name: str, direction: str) -> None:
    mp = context(50)
    _, k, sigma, q, epsilon = PUBLISHED[name]
    parts = [(real(mp, sigma), real(mp, Fraction(q)), k)]
    eps = real(mp, Fraction(epsilon))
    tilts = {
        "sigma=1": {"remove": (3, 3.5), "add": (5, 4.5)},
        "sigma=2": {"remove": (10, 12), "add": (12, 11)},
    }
    first, second = (
        inversion(mp, parts, direction, eps, theta=mp.mpf(theta), period=mp.mpf(period))
        for theta, period in zip(tilts[name][direction], (30, 27), strict=True)
    )
    assert abs(first / second - 1) < mp.mpf(10) ** -31  # two contours with different errors
    found = pv.delta(cell(name)[0], epsilon=epsilon, adjacency=direction, digits=30)
    assert found.digits >= 30
    assert holds(found, fraction(first), 31)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_maximum_is_remove(name: str) -> None:
    composition, epsilon = cell(name)
    both, remove, add = (
        pv.delta(composition, epsilon=epsilon, adjacency=adjacency, digits=10)
        for adjacency in ("add-or-remove", "remove", "add")
    )
    assert add.upper < remove.lower
    assert both.overlaps(remove) and not both.overlaps(add)


def test_a_decimal_string_is_another_number_than_the_double() -> None:
    double = pv.delta(10_000 * pv.PoissonSubsampled(pv.Gaussian(1), 0.01), epsilon=6.90735948)
    decimal = pv.delta(10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), epsilon="6.90735948")
    assert not double.overlaps(decimal)
    # the doubles are off by some 1e-17 relative, and δ follows within two orders of magnitude
    relative = abs(Fraction(decimal.lower) / Fraction(double.lower) - 1)
    assert Fraction(1, 10**17) < relative < Fraction(1, 10**14)


@pytest.mark.parametrize("q", [0.01, "0.01"])
def test_only_one_of_both_has_the_published_digits(q: object) -> None:
    found = pv.delta(10_000 * pv.PoissonSubsampled(pv.Gaussian(1), q), epsilon=6.90735948)
    low, high = last_place(PUBLISHED["sigma=1"][0])
    assert (low < found.lower and found.upper < high) == isinstance(q, float)
