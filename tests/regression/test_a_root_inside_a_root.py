"""√x inside of the radicand of another root: it became 1 where √x stood nowhere else.

So (√(1 + √x) + 1)² = 2 √(1 + √x) + 3 was "proved"; it holds at x = 1 alone.
"""

import sympy as sp

from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.domain import Domain

X = sp.Symbol("x", positive=True)
PROVER = Prover(Domain.of({X: (sp.Integer(0), sp.oo)}))
ROOT = sp.sqrt(1 + sp.sqrt(X))


def test_a_nested_root_keeps_its_radicand() -> None:
    assert not PROVER.proves_equal((ROOT + 1) ** 2, 2 * ROOT + 3)
    assert PROVER.proves_equal((ROOT + 1) ** 2, 2 * ROOT + 2 + sp.sqrt(X))
