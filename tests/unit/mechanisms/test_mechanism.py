"""A mechanism is defined in one place: its file registers it, one line makes it public."""

from dataclasses import dataclass
from fractions import Fraction
from inspect import signature
from pathlib import Path

import pytest

import pldverify as pv
from pldverify import mechanisms
from pldverify.mechanisms.expression import MECHANISMS
from pldverify.mechanisms.mechanism import Mechanism

FOLDER = Path(mechanisms.__file__).parent
SHARED = {
    "__init__",
    "approximate_zcdp",
    "as_composition",
    "attained",
    "banded_matrix",
    "batches",
    "discrete_gaussians",
    "dp_sgd",
    "expression",
    "fixed_batch",
    "few_draws",
    "group",
    "halting",
    "hidden_batch",
    "inward",
    "matrix_mechanism",
    "mechanism",
    "noise_query",
    "one_sample",
    "point_query",
    "query",
    "random_allocation",
    "ranked",
    "rappor",
    "relations",
    "renyi_query",
    "selection",
    "subset_selection",
    "tail_query",
    "trade_off_query",
    "truncated_geometric",
    "vector",
    "winning",
}
FILES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in SHARED)
WITHOUT_EXPRESSION = {"density_pair"}  # its densities are no expression of numbers


def classes(stem: str) -> list[type]:
    return [
        value
        for value in vars(mechanisms).values()
        if isinstance(value, type) and value.__module__ == f"pldverify.mechanisms.{stem}"
    ]


@pytest.mark.parametrize("stem", FILES)
def test_every_file_is_one_public_mechanism_with_its_expression(stem: str) -> None:
    (kind,) = classes(stem)
    assert issubclass(kind, Mechanism)
    assert kind.__name__ in pv.__all__ and getattr(pv, kind.__name__) is kind
    names = [name for name, constructor in MECHANISMS.items() if constructor is kind]
    assert names == ([] if stem in WITHOUT_EXPRESSION else names[:1]) and len(names) <= 1


def test_an_expression_takes_the_fields_as_parameters() -> None:
    assert list(signature(MECHANISMS["discrete_laplace"]).parameters) == ["b", "sensitivity"]
    assert list(signature(MECHANISMS["poisson"]).parameters) == ["base", "q"]


def test_defining_a_mechanism_registers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mechanism, "expressions", {})

    @dataclass(frozen=True)
    class Planted(Mechanism, expression="planted"):
        base: Mechanism
        rates: tuple[Fraction, ...]
        n: int = 2
        flag: bool = False

    assert Mechanism.expressions == {"planted": Planted}
    rates = Fraction(1, 2), Fraction(1, 3)
    assert str(Planted(pv.Gaussian(2), rates)) == "planted(gaussian(sigma=2), rates=[0.5, 1/3])"
    assert str(Planted(pv.GDP(1), (), 10**18, True)) == (
        "planted(gdp(mu=1), rates=[], n=1000000000000000000, flag=True)"
    )
