"""Reproduction: a query, and a claimed number, as Python to be pasted behind ``import pldverify as pv``."""

from dataclasses import fields
from fractions import Fraction
from math import inf

from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import show


def expression(query: Query) -> str:
    """Python that makes the query again.

    >>> from pldverify.testing.reproduction import expression
    >>> expression(pv.Query(10 * pv.Gaussian(2), delta="1e-5", adjacency="add"))
    'pv.Query("10 * gaussian(sigma=2)", delta="1e-5", adjacency="add")'
    >>> expression(pv.TradeOffQuery(pv.Gaussian(2), alpha="0.05"))
    'pv.TradeOffQuery("gaussian(sigma=2)", alpha="0.05")'
    """
    composition = query.composition
    asked = {
        field.name: getattr(query, field.name)
        for field in fields(query)
        if field.name not in ("composition", "adjacency")
    }
    given = [f", {name}={_written(value)}" for name, value in asked.items() if value is not None]
    adjacency = "" if query.adjacency == composition.adjacency else f', adjacency="{query.adjacency}"'
    return f'pv.{type(query).__name__}("{composition}"{"".join(given)}{adjacency})'


def _written(value: Bound) -> str:
    return 'float("inf")' if value == inf else f'"{show(value)}"'  # type: ignore[arg-type]  # finite


def literal(value: Bound) -> str:
    """Python for exactly this number: a double where it is one, else a ``Fraction``, which is to be imported.

    >>> from pldverify.testing.reproduction import literal
    >>> literal(Fraction(0.1)), literal(Fraction(1, 3)), literal(float("inf"))
    ('0.1', 'Fraction("1/3")', 'float("inf")')
    """
    if value == inf:
        return 'float("inf")'
    try:
        nearest = float(value)
    except OverflowError:
        nearest = inf
    return repr(nearest) if nearest == value else f'Fraction("{Fraction(value)}")'
