"""Kinds: a row a mechanism, and every row makes one."""

import pytest

from pldverify import mechanisms
from pldverify.mechanisms.expression import MECHANISMS
from pldverify.mechanisms.mechanism import Mechanism, parameters
from pldverify.mechanisms.one_sample import OneSample
from pldverify.mechanisms.poisson_subsampled import Base
from pldverify.questions.draw import mechanism
from pldverify.questions.kinds import BASES, KINDS, of_kind
from tests.unit.questions.sources import Simplest


def missing(names: list[str]) -> set[str]:
    """Mechanisms that have no row."""
    return set(names) - {kind.partition("(")[0] for kind in KINDS}


def test_every_mechanism_has_a_row() -> None:
    assert missing(list(MECHANISMS)) == set()


def test_a_mechanism_without_a_row_would_be_seen() -> None:
    assert missing([*MECHANISMS, "my_mechanism"]) == {"my_mechanism"}


def test_what_is_sampled_is_what_may_be() -> None:
    others = {mechanisms.DensityPair, mechanisms.GDP, mechanisms.ZCDP, OneSample}
    assert {of_kind(base) for base in BASES} == set(Base.__args__) - others


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_makes_its_mechanism_and_names_its_parameters(kind: str) -> None:
    made = mechanism(Simplest(), kind)
    assert type(made) is of_kind(kind)
    assert set(KINDS[kind]) <= {field.name for field in parameters(made)}


def test_every_parameter_of_a_mechanism_is_drawn_by_some_row() -> None:
    for kind in {of_kind(kind) for kind in KINDS}:
        rows = [set(row) for name, row in KINDS.items() if of_kind(name) is kind]
        made = mechanism(Simplest(), next(name for name in KINDS if of_kind(name) is kind))
        assert set.union(*rows) == {field.name for field in parameters(made)}, kind


def test_kinds_are_of_mechanisms() -> None:
    assert all(issubclass(of_kind(kind), Mechanism) for kind in KINDS)
