"""sympy calls arctan(k) of an integer k ≥ 0 positive; at 0 it is 0. It is believed about symbols alone."""

import pytest
import sympy as sp

from pldverify.symbolic.check.algebra import Generators
from pldverify.symbolic.check.polynomials import Irreducible
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.domain import Domain

K = sp.Symbol("k", integer=True, nonnegative=True)
X = sp.Symbol("x", positive=True)
PROVER = Prover(Domain.of({}))


class Liar(sp.Function):
    """A function of which sympy believes everything."""

    is_real = is_positive = is_nonnegative = is_integer = is_finite = True


def test_the_arctangent_of_zero_is_not_positive() -> None:
    assert PROVER.sign(sp.atan(K)) is None
    assert PROVER.undefined(sp.log(sp.atan(K))) == [sp.atan(K)]
    assert PROVER.sign(sp.Sum(sp.atan(K) ** 2 * sp.exp(-(X**2)), (X, -sp.oo, sp.oo))) is None


@pytest.mark.parametrize("function", [sp.atan, sp.erf, sp.erfi, sp.gamma])
def test_at_positive_numbers_it_is(function: type) -> None:
    assert PROVER.sign(function(X)) == 1
    assert PROVER.undefined(sp.log(function(1 + K))) == []


def test_what_sympy_says_of_a_function_counts_for_nothing() -> None:
    lies = Liar(X)
    assert PROVER.undefined(sp.log(lies) + lies ** sp.Rational(1, 2)) == [lies]
    assert PROVER.undefined(X**lies) == [] and PROVER.undefined((X - 1) ** lies) == [X - 1]
    assert PROVER.sign(lies) is None
    with pytest.raises(Irreducible):
        Generators()._coefficient_sign(lies)
    assert PROVER.sign(sp.sqrt(lies**2 + 1)) is None
