"""Chirp transforms, against sums of balls term by term."""

import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.balls.chirp import chirp_sums
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence


@pytest.mark.parametrize(("size", "count"), [(1, 5), (40, 0), (40, 7), (9, 60)])
@pytest.mark.parametrize("scale", ["1e-300", "1", "1e300"])
def test_the_sums_are_those_of_the_terms(size: int, count: int, scale: str) -> None:
    with working(90):
        angle = arb(0.75)
        terms = [arb(scale) * (acb(-((arb(n) - 3) ** 2) / 20, arb(n) / 3)).exp() for n in range(size)]
        found = chirp_sums(terms, angle, count)
    assert len(found) == count + 1
    with working(300):
        for j, value in enumerate(found):
            true = sum((c * acb(0, angle * n * j).exp() for n, c in enumerate(terms)), acb(0))
            assert value.overlaps(true)
            assert surely_less(value.real.rad() + value.imag.rad(), arb(scale) * arb(2) ** -80)


def test_radii_are_kept() -> None:
    with working(90):
        wide = [acb(1), acb(arb(0, 1), 0)]
        for value in chirp_sums(wide, arb(0), 3):
            assert value.real.contains(2) and value.real.contains(0)


def test_zeros_and_what_is_no_number() -> None:
    assert all(value.contains(0) for value in chirp_sums([acb(0)] * 3, arb(1), 4))
    with pytest.raises(NoConvergence, match="could not be evaluated"):
        chirp_sums([acb(1), acb("nan")], arb(1), 4)
