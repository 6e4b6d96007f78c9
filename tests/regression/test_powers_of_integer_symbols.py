"""The base of a power needs a sign where the exponent is an integer symbol, as b^n = exp(n log|b|) shows.

The sign was asked of bases of non-integer powers only: (c − 1)^n on 0 < c < 2 was "proved" positive.
"""

import sympy as sp

from pldverify.symbolic import Kind, State
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.domain import Domain, Variable

C = sp.Symbol("c", positive=True)
N = sp.Symbol("n", integer=True, positive=True)
T = sp.Symbol("t", real=True)
PROVER = Prover(Domain.of({C: (sp.Integer(0), sp.Integer(2)), N: (sp.Integer(0), sp.oo)}))


def test_a_power_of_a_base_of_both_signs_has_no_sign() -> None:
    assert PROVER.sign((C - 1) ** N) is None
    weight = (C - 1) ** N / (1 + (C - 1) ** N)
    assert PROVER.positive("p > 0", weight, kind=Kind.POSITIVE).disproved


def test_an_odd_power_is_not_even() -> None:
    assert not PROVER.proves_equal((1 - T) ** N, (T - 1) ** N)
    assert PROVER.equal("false", (1 - T) ** N, (T - 1) ** N).disproved


def test_a_positive_base_is_enough() -> None:
    assert PROVER.sign(C**N) == 1
    assert PROVER.proves_equal((2 * C - C**2) ** N, C**N * (2 - C) ** N)
    over = [Variable(T, -sp.oo, sp.Integer(1))]
    assert (
        PROVER.equal("true", (1 - T) ** (N + 1), (1 - T) ** N - T * (1 - T) ** N, over).state is State.PROVED
    )
