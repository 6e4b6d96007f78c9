"""Queries for a point of another curve: exact numbers at the door, nothing beside them."""

import pickle
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.accountants.worker import objects, plain
from pldverify.errors import InvalidInput
from pldverify.mechanisms.point_query import PointQuery

ALL = (
    (pv.RenyiQuery, "order", "5/2", "rdp"),
    (pv.TailQuery, "loss", "-1/2", "tail"),
    (pv.TradeOffQuery, "alpha", "1/20", "trade-off"),
)


@pytest.mark.parametrize(("kind", "name", "value", "quantity"), ALL)
def test_one_point(kind: Any, name: str, value: str, quantity: str) -> None:
    query = kind(2 * pv.Gaussian(3), **{name: value})
    assert isinstance(query, PointQuery) and query.quantity == quantity and query.given == name
    assert getattr(query, name) == Fraction(value) and (query.epsilon, query.delta) == (None, None)
    assert query == kind("2 * gaussian(3)", **{name: value}) and len({query, query}) == 1
    assert query.adjacency == "add-or-remove"
    assert pickle.loads(pickle.dumps(query)) == query
    assert objects.read(objects.write(query)) == query  # what goes to a worker
    asked = plain.query(query)
    assert (asked["quantity"], asked["target"]) == (quantity, value)


@pytest.mark.parametrize(("kind", "name", "value", "quantity"), ALL)
def test_what_is_no_such_query(kind: Any, name: str, value: str, quantity: str) -> None:
    with pytest.raises(InvalidInput, match=f"must have an? {name}, and no epsilon or delta"):
        kind(pv.Gaussian(1), epsilon=1, **{name: value})
    with pytest.raises(InvalidInput, match=name):
        kind(pv.Gaussian(1))
    with pytest.raises(InvalidInput):
        kind(pv.Gaussian(1), adjacency="sideways", **{name: value})


@pytest.mark.parametrize(
    ("kind", "name", "bad"), [(pv.TradeOffQuery, "alpha", "2"), (pv.TailQuery, "loss", "inf")]
)
def test_points_outside(kind: Any, name: str, bad: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        kind(pv.Gaussian(1), **{name: bad})


@pytest.mark.parametrize(("kind", "name"), [(pv.TradeOffQuery, "alpha"), (pv.TailQuery, "loss")])
def test_irrational_parameters_are_refused(kind: Any, name: str) -> None:
    with pytest.raises(InvalidInput, match="must have rational numbers"):
        kind("gaussian(sqrt(2))", **{name: "1/2"})


def test_what_rises_with_less_privacy() -> None:
    step = pv.Gaussian(1)
    assert pv.Query(step, epsilon=1).rises is pv.RenyiQuery(step, order=2).rises is True
    assert pv.TradeOffQuery(step, alpha="1/2").rises is False
    assert pv.TailQuery(step, loss=1).rises is None
