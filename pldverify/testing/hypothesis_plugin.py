"""What Hypothesis finds by its entry point: ``st.from_type(pv.Gaussian)`` works without an import.

Hypothesis runs this when it is itself imported, so nothing but the mechanisms' classes is loaded here; a
strategy is made when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from pldverify import mechanisms as public
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def register() -> None:
    """Register strategies for mechanisms, compositions and queries."""
    from hypothesis.strategies import register_type_strategy

    for kind in (Mechanism, Composition, Query, *_kinds()):
        register_type_strategy(kind, _strategy)


def _kinds() -> list[type[Mechanism]]:
    """Public mechanisms; a user's own pair is drawn by nobody."""
    return [
        kind
        for name, kind in vars(public).items()
        if isinstance(kind, type) and issubclass(kind, Mechanism) and name != "DensityPair"
    ]


def _strategy(kind: type) -> "SearchStrategy[Any]":
    from pldverify.testing import strategies

    if kind is Query:
        return strategies.queries()
    if kind is Composition:
        return strategies.compositions()
    return strategies.mechanisms() if kind is Mechanism else strategies.mechanisms(kind)
