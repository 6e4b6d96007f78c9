"""Reproduction: a query as one line of Python, to be pasted."""

from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.exact import show


def expression(query: Query) -> str:
    """Python that makes the query again, where ``pv`` is imported.

    >>> from pldverify.testing.reproduction import expression
    >>> expression(pv.Query(10 * pv.Gaussian(2), delta="1e-5", adjacency="add"))
    'pv.Query("10 * gaussian(sigma=2)", delta="0.00001", adjacency="add")'
    """
    composition = query.composition
    adjacency = "" if query.adjacency == composition.adjacency else f', adjacency="{query.adjacency}"'
    if isinstance(query, RenyiQuery):
        order = 'float("inf")' if isinstance(query.order, float) else f'"{show(query.order)}"'
        return f'pv.RenyiQuery("{composition}", order={order}{adjacency})'
    if query.delta is not None:
        return f'pv.Query("{composition}", delta="{show(query.delta)}"{adjacency})'
    assert query.epsilon is not None  # a query has exactly one of the two
    return f'pv.Query("{composition}", epsilon="{show(query.epsilon)}"{adjacency})'
