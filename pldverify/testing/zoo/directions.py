"""Faulty directions and relations of neighbours."""

from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.testing.zoo.mutant import Asked, spoiled


def _as(asked: Adjacency, answered: Adjacency) -> Asked:
    return lambda query: replace(query, adjacency=answered) if query.adjacency == asked else query


def _swapped(query: Query) -> Query:
    return _as("add", "remove")(query) if query.adjacency == "add" else _as("remove", "add")(query)


def _replaced(query: Query) -> Query:
    known = query.composition.has("add-or-remove")
    return _as("replace-one", "add-or-remove")(query) if known else query


def _clipped(query: Query) -> Query:
    return replace(query, epsilon=max(query.epsilon, Fraction(0))) if query.epsilon is not None else query


MUTANTS = (
    spoiled(
        "add-alone",
        "adjacency",
        "Of add-or-remove only one direction is computed.",
        asked=_as("add-or-remove", "add"),
    ),
    spoiled("directions-swapped", "direction-remove", "Add and remove are exchanged.", asked=_swapped),
    spoiled(
        "symmetric-by-default",
        "direction-add",
        "A flag for asymmetric pairs is not handed on: add is answered by remove.",
        asked=_as("add", "remove"),
    ),
    spoiled(
        "replace-one-as-remove",
        "replace-one",
        "The relation of neighbours is compared by identity, and never found.",
        asked=_replaced,
    ),
    spoiled("negative-epsilon-clipped", "dual", "ε below 0 is taken for 0.", asked=_clipped),
)
