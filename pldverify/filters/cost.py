r"""What a query costs, as an upper bound that is proved, in a currency in which costs add up.

======  =========================================================  ==============================
by      cost of a mechanism                                        sum of a composition
======  =========================================================  ==============================
rdp     :math:`D_\alpha`, at each order α                          bounds :math:`D_\alpha`
zcdp    the least ρ with :math:`D_\alpha \le \alpha\rho`, α > 1    bounds ρ
gdp     :math:`\mu^2` of the least μ with :math:`T \ge G_\mu`      bounds :math:`\mu^2`
======  =========================================================  ==============================

A cost is that of the worst neighbours, so it holds whatever was seen before. Costs are exact rationals: the
upper ends of what is proved of each mechanism, times its count.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Literal

from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import brief, show
from pldverify.numbers.order import renyi_order

By = Literal["rdp", "zcdp", "gdp"]
"""The currency of a budget."""
Costs = Mapping[Bound, Fraction | None]
"""{order: cost}; zCDP and GDP have one cost, at the order 1. None: no finite one is proved."""
ONE = Fraction(1)
"""The key of a cost that is of no order."""


def costs(composition: Composition, by: By, orders: tuple[Bound, ...], adjacency: Adjacency) -> Costs:
    """The cost of a composition at each of the ``orders``. Raises InvalidInput where a mechanism has no pair
    under ``adjacency``.
    """
    composition.directions(adjacency)
    return {
        order: _summed(composition, partial(_cost, by=by, order=order, adjacency=adjacency))
        for order in orders
    }


def larger_order(value: object) -> Bound:
    """A Rényi order above 1: below, its divergence bounds no δ. Raises InvalidInput."""
    order = renyi_order(value)
    if order <= 1:
        raise InvalidInput(f"order must be > 1, or inf, got order={brief(value)}")
    return order if isinstance(order, Fraction) else math.inf


def shown(bound: Bound) -> str:
    """An order or a cost as text."""
    return "inf" if bound == math.inf else show(Fraction(bound))


def _summed(composition: Composition, cost: Callable[[Mechanism], Fraction | None]) -> Fraction | None:
    if not composition.dominates:
        return None
    total = Fraction(0)
    for mechanism, times in composition.parts:
        one = cost(mechanism)
        if one is None:
            return None
        total += times * one
    return total


def _cost(mechanism: Mechanism, by: By, order: Bound, adjacency: Adjacency) -> Fraction | None:
    from pldverify.values.least import gdp, zcdp

    if by == "rdp":
        return _divergence(mechanism, order, adjacency)
    _, found = (zcdp if by == "zcdp" else gdp)(Composition.of((mechanism, 1)), adjacency=adjacency).ends
    if found is None or found == math.inf:
        return None
    return Fraction(found) if by == "zcdp" else Fraction(found) ** 2


def _divergence(mechanism: Mechanism, order: Bound, adjacency: Adjacency) -> Fraction | None:
    """D_α; where there is no pair that has one, what is known of it by ρ-zCDP or as stated."""
    from pldverify.reference.quantities.questions import rdp
    from pldverify.values.divergences import divergence

    try:
        found = rdp(mechanism, order=order, adjacency=adjacency).upper
        return None if found == math.inf else Fraction(found)
    except (NotSupported, NoConvergence):
        end = divergence(Composition.of((mechanism, 1)), adjacency, order).upper
        return None if end is None or end.at == math.inf else Fraction(end.at)
