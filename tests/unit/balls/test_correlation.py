"""Correlations in fixed point, against sums of balls term by term."""

import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.balls.compare import surely_less
from pldverify.balls.correlation import MAX_BITS, correlated
from pldverify.errors import NoConvergence


def _numbers(count: int, turn: str) -> list[acb]:
    return [
        (acb(-((arb(j) - 20) ** 2) / 50, arb(turn) * j)).exp() + acb(arb(0, arb("1e-25")))
        for j in range(count)
    ]


@pytest.mark.parametrize("bits", [20, 64, 200])
def test_the_sums_are_those_of_the_terms(bits: int) -> None:
    with working(100):
        weights, rows = _numbers(7, "0.3"), [_numbers(30, "-1.1"), _numbers(7, "2")]
        for values, found in zip(rows, correlated(weights, rows, bits), strict=True):
            sums = [
                sum((w * values[i + m] for m, w in enumerate(weights)), acb(0))
                for i in range(len(values) - 6)
            ]
            assert len(found) == len(sums) and all(a.overlaps(b) for a, b in zip(found, sums, strict=True))
            assert all(surely_less(x.real.rad() + x.imag.rad(), arb("1e-4")) for x in found)


def test_radii_are_kept() -> None:
    with working(100):
        wide = [acb(arb(0, 1), 0), acb(1)]
        ((found,),) = correlated([acb(1), acb(0)], [wide], 64)
        assert found.real.contains(1) and found.real.contains(-1)


def test_radii_of_all_weights_add_up() -> None:
    with working(100):
        wide = [acb(arb(0, 1), 0)] * 3
        ((found,),) = correlated(wide, [[acb(1)] * 3], 64)
        assert found.real.contains(3) and found.real.contains(-3)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(NoConvergence, match="could not be evaluated"):
        correlated([acb(1)], [[acb(arb("nan"))]], 64)
    with pytest.raises(NoConvergence, match="cap"):
        correlated([acb(1)], [[acb(1)]], MAX_BITS + 1)
