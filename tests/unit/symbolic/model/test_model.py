"""The data of derivations: variables, boxes, keys, obligations, and that files keep all of it."""

from dataclasses import fields, replace
from fractions import Fraction
from random import Random

import pytest
import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.symbolic import Kind, Obligation, State
from pldverify.symbolic.families import gaussian, laplace
from pldverify.symbolic.families.table import FAMILIES
from pldverify.symbolic.model.densities import Densities, Region, T
from pldverify.symbolic.model.domain import Domain, Variable, default_box, exact
from pldverify.symbolic.model.formulas import Formulas, Piece, require
from pldverify.symbolic.model.serial import dumps, loads

ONE, ZERO = sp.Integer(1), sp.Integer(0)
A = sp.Symbol("a", positive=True)
X = sp.Symbol("x", real=True)


@pytest.mark.parametrize("ends", [(0, 1), (-2, 5), (3, sp.oo), (-sp.oo, 3)])
def test_a_bounded_variable_is_expressed_by_a_positive_one(ends: tuple[object, object]) -> None:
    lower, upper = map(sp.sympify, ends)
    expressed, (fresh,) = Variable(X, lower, upper).expressed()
    for value in (sp.Rational(1, 1000), ONE, sp.Integer(1000)):
        assert lower < expressed.subs(fresh, value) < upper


def test_a_loss_is_expressed_by_its_exponential_and_by_itself() -> None:
    loss = Variable(X, ZERO, sp.Integer(2), logarithmic=True)
    expressed, (fresh,) = loss.expressed()
    assert sp.simplify(sp.exp(expressed).subs(fresh, 1) - 1) == 0
    assert loss.plain() == Variable(X, -sp.oo, sp.log(2))
    assert Variable(X, ONE, sp.oo, logarithmic=True).plain() == Variable(X, ZERO, sp.oo)
    assert Variable(X, ZERO, ONE).plain() == Variable(X, ZERO, ONE)


def test_boxes_lie_inside_their_intervals() -> None:
    for lower, upper in ((ZERO, ONE), (ZERO, sp.oo), (-sp.oo, ZERO), (-sp.oo, sp.oo)):
        low, high = default_box(lower, upper)
        assert lower < sp.Rational(str(low)) < sp.Rational(str(high)) < upper
    with pytest.raises(InvalidInput, match="rational"):
        exact(sp.sqrt(2))


@pytest.mark.parametrize(
    "ends", [(-sp.oo, ZERO), (sp.Integer(-5), sp.Integer(-2)), (-sp.oo, sp.oo), (ZERO, sp.oo)]
)
def test_points_lie_in_the_domain(ends: tuple[sp.Expr, sp.Expr]) -> None:
    """Integers too, also where all are negative."""
    pick = Random(1)
    for symbol in (X, sp.Symbol("n", integer=True)):
        domain = Domain.of({symbol: ends})
        for point in (*domain.samples(), *(domain.drawn(pick) for _ in range(50))):
            value = sp.Rational(point[symbol].numerator, point[symbol].denominator)
            assert ends[0] < value < ends[1] and (value.is_integer or symbol == X)


def test_an_interval_without_an_integer_has_no_point() -> None:
    with pytest.raises(InvalidInput):
        next(Domain.of({sp.Symbol("n", integer=True): (ZERO, ONE)}).samples())


def test_the_key_of_a_pair_holds_everything() -> None:
    base = Densities("title", T, (Region(ZERO, ONE, ONE, 2 * T),), Domain.of({A: (ZERO, sp.oo)}))
    others = [
        replace(base, symbol=sp.Symbol("t", integer=True)),
        replace(base, regions=(Region(ZERO, ONE, ONE, 3 * T**2),)),
        replace(base, regions=(replace(base.regions[0], ratio=1 / (2 * T)),)),
        replace(base, domain=Domain.of({sp.Symbol("a", positive=True, integer=True): (ZERO, sp.oo)})),
        replace(base, domain=Domain.of({A: (ZERO, ONE)})),
        replace(base, domain=Domain.of({A: (ZERO, sp.oo)}, {A: (Fraction(1), Fraction(3))})),
        replace(base, outcome_box=(ZERO, ONE)),
    ]
    keys = {densities.key() for densities in (base, *others)}
    assert len(keys) == 1 + len(others)
    assert replace(base, title="another title").key() == base.key()


def test_swapping_twice_is_nothing() -> None:
    for densities in (gaussian.DENSITIES, laplace.DENSITIES):
        assert densities.swapped() != densities and densities.swapped().swapped() == densities


def test_files_keep_every_field_of_an_obligation() -> None:
    found = Obligation(Kind.DELTA, "δ = δ", State.FAILED, "at 1", "KH21", "δ", disproved=True)
    densities = Densities("title", T, (Region(ZERO, ONE, ONE, ONE),), Domain.of({}))
    formulas = Formulas("f", "remove", densities, (), (), ZERO, None, None, (found,))
    assert loads(dumps(formulas)) == formulas
    for kind in Kind:
        changed = replace(formulas, obligations=(replace(found, kind=kind),))
        assert loads(dumps(changed)).obligations[0].kind is kind


def test_what_is_not_there_is_nan() -> None:
    assert require(None) is sp.nan and require(ONE) is ONE
    assert {f.name for f in fields(Piece)} >= {"p_integral", "q_integral", "tilted_integral"}


def test_every_mechanism_with_a_pair_has_one_family() -> None:
    assert len(FAMILIES) == 21  # of blunted Laplace noise no derivation is made
