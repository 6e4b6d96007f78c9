"""OverflowError of FLINT, AttributeError and TypeError of sympy left ``derive_pair``; now ours do."""

import pytest
import sympy as sp

from pldverify.errors import PldverifyError
from pldverify.symbolic import derive_pair

T = sp.Symbol("t", real=True)
B = sp.Symbol("a b", positive=True)
HUGE = sp.Integer(10) ** 400


@pytest.mark.parametrize(
    ("p", "q", "symbol", "assumptions"),
    [
        (HUGE * sp.exp(-HUGE * T), T**HUGE, T, {T: (0, sp.oo)}),
        ((1 + T) ** HUGE, sp.exp(-T), T, {T: (0, 1)}),
        (sp.exp(-T), sp.exp(-T), T, {"t": (0, 1)}),
        (sp.exp(-T), sp.exp(-T), T, {T: (0, 1), 3: (0, 1)}),
        (sp.exp(-T), B * sp.exp(-T), T, {T: (0, sp.oo), B: (0, 1)}),
    ],
)
def test_only_our_errors_leave(p: sp.Expr, q: sp.Expr, symbol: sp.Symbol, assumptions: dict) -> None:
    with pytest.raises(PldverifyError):
        derive_pair(p, q, symbol, assumptions)
