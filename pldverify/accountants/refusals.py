"""Refusals: one line for each question that several printed accountants have no answer for, else None."""

from pldverify.accountants.losses import loss
from pldverify.errors import NotSupported
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import relation


def other_relation(query: Query) -> str | None:
    """The query is not about adding or removing a record, which these papers' losses are."""
    if relation(query.adjacency) != "add-or-remove":
        return f"the losses are those of add or remove, got {query.adjacency}"
    return None


def unknown_loss(query: Query) -> str | None:
    """A mechanism's loss is infinite, or not in :mod:`~pldverify.accountants.losses`."""
    try:
        for mechanism, _ in query.composition.parts:
            loss(mechanism, "remove")
    except NotSupported as refusal:
        return str(refusal)
    return None


def out_of_range(query: Query) -> str | None:
    """ε < 0, or δ outside (0, 1)."""
    if query.epsilon is not None and query.epsilon < 0:
        return f"epsilon must be >= 0, got {float(query.epsilon):g}"
    return improper_delta(query)


def improper_delta(query: Query) -> str | None:
    """δ outside (0, 1)."""
    if query.delta is not None and not 0 < query.delta < 1:
        return f"delta must be in (0, 1), got {float(query.delta):g}"
    return None


def beyond_grid(query: Query, L: float) -> str | None:
    """ε outside of [0, L)."""
    if query.epsilon is not None and not 0 <= query.epsilon < L:
        return f"epsilon must be in [0, L) = [0, {L:g}), got {float(query.epsilon):g}"
    return None


def without_known_losses(query: Query) -> str | None:
    """Another relation, an unknown loss, ε < 0, or δ outside (0, 1)."""
    return other_relation(query) or unknown_loss(query) or out_of_range(query)
