"""A hand-made pair whose regions overlap is two copies of some outcomes, not the pair that it shows."""

import pytest
import sympy as sp

import pldverify as pv
from pldverify.errors import NotSupported
from pldverify.symbolic import Kind, derive

T = sp.Symbol("t", real=True)
HALF = sp.Rational(1, 2)


def pair(*rows: tuple[object, object, sp.Expr, sp.Expr]) -> pv.DensityPair:
    regions = tuple(tuple(sp.srepr(sp.sympify(x)) for x in row) for row in rows)
    return pv.DensityPair("t", regions)  # type: ignore[arg-type]


def test_regions_that_overlap_are_refused() -> None:
    """On (0, 1) twice: P is uniform, and so is Q, but the copies told them apart."""
    overlapping = pair((0, 1, 3 * HALF / 2, HALF / 2), (0, 1, HALF / 2, 3 * HALF / 2))
    assert [o.kind for o in derive(overlapping).failed] == [Kind.COVER]
    with pytest.raises(NotSupported, match="the regions follow each other"):
        pv.delta(overlapping, epsilon="0.1")


def test_regions_that_follow_each_other_are_evaluated() -> None:
    apart = pair((0, 1, 3 * HALF / 2, HALF / 2), (1, 2, HALF / 2, 3 * HALF / 2))
    assert not derive(apart).failed
    assert abs(float(pv.delta(apart, epsilon=0)) - 0.5) < 1e-12
