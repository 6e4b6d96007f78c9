import json
import math
from fractions import Fraction

import pytest

from pldverify.accountants.worker import objects
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Binomial, Gaussian, Query
from pldverify.mechanisms.renyi_query import RenyiQuery


def test_it_has_an_exact_order_and_no_epsilon_or_delta() -> None:
    query = RenyiQuery(2 * Gaussian(1), order="1.5")
    assert (query.order, query.epsilon, query.delta, query.quantity) == (Fraction(3, 2), None, None, "rdp")
    assert query.adjacency == "add-or-remove" and query.composition.steps == 2
    assert RenyiQuery(Gaussian(1), order="inf").order == math.inf
    assert query != Query(2 * Gaussian(1), epsilon="1.5")
    assert len({query, RenyiQuery(2 * Gaussian(1), order="3/2"), RenyiQuery(2 * Gaussian(1), order=2)}) == 2


@pytest.mark.parametrize("order", [None, 0, -1, "two", float("nan")])
def test_what_is_no_order_is_refused(order: object) -> None:
    with pytest.raises(InvalidInput, match="order must be"):
        RenyiQuery(Gaussian(1), order=order)


def test_what_a_query_refuses_it_refuses() -> None:
    with pytest.raises(InvalidInput, match="no epsilon or delta"):
        RenyiQuery(Gaussian(1), epsilon=1, order=2)
    with pytest.raises(InvalidInput, match="adjacency"):
        RenyiQuery(Binomial(10, "1/3"), order=2, adjacency="replace-one")


@pytest.mark.parametrize("order", ["3/2", "inf"])
def test_it_arrives_in_a_worker_as_it_was(order: str) -> None:
    query = RenyiQuery(2 * Gaussian(1), order=order, adjacency="add")
    assert objects.read(json.loads(json.dumps(objects.write(query)))) == query
