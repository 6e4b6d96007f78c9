"""Questions: queries written as texts."""

from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery

Row = tuple[str, str, str, str]
"""A composition, ε of δ(ε) or "", δ of ε(δ) or "", an adjacency or ""."""

RENYI_ORDERS = ("1.5", "2", "3", "8", "32", "256")
RENYI_COMPOSITIONS = (
    "gaussian(sigma=2)",
    "10 * laplace(b=2)",
    "poisson(gaussian(sigma=1), q=0.1)",
    "100 * poisson(gaussian(sigma=2), q=0.01)",
)
LEVELS = ("0.001", "0.05", "0.5")
TRADE_OFF_COMPOSITIONS = (
    "gaussian(sigma=1)",
    "4 * laplace(b=2)",
    "poisson(gaussian(sigma=1), q=0.3)",
    "100 * poisson(gaussian(sigma=2), q=0.01)",
)
"""Type I errors, and of what; the smaller of two directions changes between them."""


def question(composition: str, epsilon: str, delta: str, adjacency: str) -> Query:
    """A query from a row of texts."""
    rule: Adjacency | None = adjacency or None  # type: ignore[assignment]
    return Query(composition, epsilon or None, delta or None, rule)


def rows(
    compositions: str, epsilons: str = "", deltas: str = "", adjacencies: str = ""
) -> tuple[tuple[str, str, str, str], ...]:
    """Every composition (one a line) with every ε, every δ, under every adjacency (in words)."""
    rules = adjacencies.split() or [""]
    found = []
    for composition in filter(None, map(str.strip, compositions.splitlines())):
        for rule in rules:
            found += [(composition, epsilon, "", rule) for epsilon in epsilons.split()]
            found += [(composition, "", delta, rule) for delta in deltas.split()]
    return tuple(found)


def renyi_queries() -> list[Query]:
    """Questions for divergences."""
    return [
        RenyiQuery(as_composition(whole), order=order)
        for whole in RENYI_COMPOSITIONS
        for order in RENYI_ORDERS
    ]


def trade_off_queries() -> list[Query]:
    """Questions for type II errors."""
    return [
        TradeOffQuery(as_composition(whole), alpha=level)
        for whole in TRADE_OFF_COMPOSITIONS
        for level in LEVELS
    ]
