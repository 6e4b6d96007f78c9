"""Nothing that the prover proves is false at points where mpmath evaluates it; and the search sees what is.

Statements come from ``benchmarks/random_proofs.py``, which asks twenty thousand of them. Here a few hundred.
"""

import os
from collections import Counter

import pytest
import sympy as sp

from benchmarks.random_proofs import ending, statement
from pldverify.symbolic.check.algebra import Generators
from pldverify.symbolic.check.prover import Prover

COUNT = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 100


def test_no_proof_is_false() -> None:
    endings: Counter[str] = Counter()
    for seed in range(COUNT):
        how, detail = ending(seed)
        assert how != "FALSE", (seed, str(statement(seed)), detail)
        endings[how] += 1
    assert endings["proved sign"] > COUNT / 10 and endings["proved equality"] > COUNT / 10


def test_the_sign_of_a_base_was_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was once: bases of powers whose exponent is an integer symbol may have any sign."""
    honest = Prover.undefined

    def careless(self: Prover, expression: sp.Expr, variables: object = ()) -> list[sp.Expr]:
        powers = {p: sp.Integer(1) for p in expression.atoms(sp.Pow) if p.exp.is_integer}
        return honest(self, expression.xreplace(powers), variables)  # type: ignore[arg-type]

    monkeypatch.setattr(Prover, "undefined", careless)
    monkeypatch.setattr(Prover, "attack", lambda *_: None)
    assert any(ending(seed)[0] == "FALSE" for seed in range(100, 400))


def test_a_false_rule_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prover, "attack", lambda *_: None)
    monkeypatch.setattr(Generators, "is_zero", lambda *_: True)
    assert any(ending(seed)[0] == "FALSE" for seed in range(100))
