"""Faulty directions and relations of neighbours."""

from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.testing.zoo.mutant import Cage, at_epsilon

MUTANTS = Cage()


def _as(query: Query, asked: Adjacency, answered: Adjacency) -> Query:
    return replace(query, adjacency=answered) if query.adjacency == asked else query


@MUTANTS.asked("adjacency")
def add_alone(query: Query) -> Query:
    """Of add-or-remove only one direction is computed."""
    return _as(query, "add-or-remove", "add")


@MUTANTS.asked("direction-remove")
def directions_swapped(query: Query) -> Query:
    """Add and remove are exchanged."""
    return _as(query, "add", "remove") if query.adjacency == "add" else _as(query, "remove", "add")


@MUTANTS.asked("direction-add")
def symmetric_by_default(query: Query) -> Query:
    """A flag for asymmetric pairs is not handed on: add is answered by remove."""
    return _as(query, "add", "remove")


@MUTANTS.asked("replace-one")
def replace_one_as_remove(query: Query) -> Query:
    """The relation of neighbours is compared by identity, and never found."""
    known = query.composition.has("add-or-remove")
    return _as(query, "replace-one", "add-or-remove") if known else query


@MUTANTS.asked("dual", at_epsilon)
def negative_epsilon_clipped(epsilon: Fraction) -> Fraction:
    """ε below 0 is taken for 0."""
    return max(epsilon, Fraction(0))
