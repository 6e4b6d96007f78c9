"""Grids: what they cover, how a family is filled and cut, and what is wrong in a file."""

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

import pldverify as pv
from pldverify.accountants.ask import refusal
from pldverify.accountants.registry import _ACCOUNTANTS, accountant
from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.mechanisms.expression import MECHANISMS
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.questions.family import Family
from pldverify.sweeps.families import FAMILIES
from pldverify.sweeps.grids import STANDARD_MOST, grid, most
from pldverify.sweeps.plan import plan

_BASELINES = ("basic-composition", "advanced-composition", "kairouz-oh-viswanath")
ONE = {"name": "one", "expression": "gaussian({sigma})", "values": {"sigma": [1, "0.1"]}, "delta": ["1e-5"]}


@pytest.fixture(scope="module")
def standard() -> pv.Grid:
    return grid("standard")


@pytest.mark.sample(33)
@pytest.mark.parametrize("name", list(_ACCOUNTANTS))
def test_standard_has_500_cells_for_each_accountant(standard: pv.Grid, name: str) -> None:
    try:
        subject = accountant(name)
    except MissingLibrary as missing:
        pytest.skip(str(missing))
    taken = (query for query in standard if refusal(subject, query.middle()) is None)
    assert len(list(islice(taken, 500))) == 500 <= STANDARD_MOST.first


def test_standard_asks_what_accountants_break_at(standard: pv.Grid) -> None:
    texts, steps = list(map(str, standard)), Counter(query.composition.steps for query in standard)
    assert {1, 1_000_000} <= set(steps)
    deltas = {query.delta for query in standard}
    assert {Fraction("1e-3"), Fraction("1e-15")} <= deltas
    assert {query.adjacency for query in standard} == {"add-or-remove", "add", "remove", "replace-one"}
    orders = {q.order for q in standard if isinstance(q, RenyiQuery)}
    assert {1, Fraction("1.0000001"), 2048} <= orders
    assert any(isinstance(q, NoiseQuery) for q in standard)
    for part in ("q=1e-9", "q=0.999999999", "poisson(discrete_gaussian", "pure_dp", "approximate_dp", "zcdp"):
        assert any(part in text for text in texts), part


def test_the_full_grid_asks_every_mechanism_that_an_accountant_takes() -> None:
    """The others are of print, groups, hidden or cut batches; the hunt and the hostile sweep draw them."""
    texts = "\n".join(text for each in FAMILIES for text in each.family.compositions())
    others = (
        "finite_pair group_dp mixture_of_gaussians kjh19_substitute kjh20_with_replacement shuffled "
        "balls_and_bins truncated_poisson shuffle_model renyi_dp"
    )
    missing = {name for name in MECHANISMS if not re.search(rf"\b{name}\(", texts)}
    assert missing == set(others.split())


@pytest.mark.slow
def test_the_first_of_a_library_is_asked_more_than_its_variants(standard: pv.Grid) -> None:
    names = "rdp/mironov-2017", "rdp/canonne-2020", "moments"
    planned = plan([accountant(name) for name in names], standard, most("standard"))
    asked = {name: {c.question for c in planned.cells if c.subject.name == name} for name in names}
    assert [len(asked[name]) for name in names] == [500, 125, 500]
    assert asked["rdp/canonne-2020"] < asked["rdp/mironov-2017"]


@pytest.mark.slow
def test_of_two_accountants_the_same_questions_are_chosen(standard: pv.Grid) -> None:
    planned = plan([accountant("rdp"), accountant("moments")], standard, most("standard"))
    asked = {
        name: {cell.question for cell in planned.cells if cell.subject.name == name}
        for name in ("rdp/canonne-2020", "moments")
    }
    assert len(asked["moments"]) == STANDARD_MOST.first and asked["moments"] == asked["rdp/canonne-2020"]
    assert planned.refused["moments"] == planned.refused["rdp/canonne-2020"] > 0


@pytest.mark.slow
def test_a_sweep_that_stops_early_has_asked_everyone(standard: pv.Grid) -> None:
    names = ["rdp/canonne-2020", "moments", "gdp/upper", "prv/upper", "prv/lower", *_BASELINES]
    planned = plan([accountant(name) for name in names], standard, most("standard"))
    counts = Counter(cell.subject.name for cell in planned.cells[: len(planned.cells) // 2])
    whole = Counter(cell.subject.name for cell in planned.cells)
    shares = [counts[name] / whole[name] for name in names]
    assert 0 < max(shares) < 2 * min(shares)
    first, later = (
        {cell.question for cell in half}
        for half in (planned.cells[: len(planned.cells) // 2], planned.cells[len(planned.cells) // 2 :])
    )
    assert len(first & later) < len(first) / 4, "a truth is asked for once"


def test_a_choice_grows_without_losing_any() -> None:
    def asked(number: int | None) -> list[pv.Query]:
        values = {"sigma": list(range(1, 40))}
        return list(Family("f", "gaussian({sigma})", values, delta=["1e-5"], at_most=number).questions())

    assert set(asked(5)) < set(asked(20)) < set(asked(None)) and len(asked(20)) == 20


def test_a_double_means_that_double_and_text_that_decimal() -> None:
    asked = Family("f", "gaussian({s})", {"s": [0.1, "0.1"]}, delta=["1e-5"]).questions()
    assert [query.composition.parts[0][0] for query in asked] == [pv.Gaussian(0.1), pv.Gaussian("0.1")]


def written(tmp_path: Path, *families: object, name: str = "g.json", **more: object) -> str:
    path = tmp_path / name
    path.write_text(json.dumps({"schema": "pldverify-grid/1", "family": list(families), **more}))
    return str(path)


def test_a_file_is_read(tmp_path: Path) -> None:
    other = {"name": "other", "expression": "laplace(1)", "order": [2.5], "alpha": ["0.1"]}
    other |= {"noise": [[1, "1e-5"]]}
    assert list(map(str, grid(written(tmp_path, ONE, other)))) == [
        "ε at δ=1e-5 of gaussian(sigma=1) [add-or-remove]",
        "ε at δ=1e-5 of gaussian(sigma=0.1) [add-or-remove]",
        "D of order 2.5 of laplace(b=1) [add-or-remove]",
        "type II error at α=0.1 of laplace(b=1) [add-or-remove]",
        "noise for ε=1 at δ=1e-5 of laplace(b=1) [add-or-remove]",
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sigma": [1]}, "family.0.sigma: Extra inputs are not permitted"),
        ({"delta": "1e-5"}, "family.0.delta: Input should be a valid list"),
        ({"delta": []}, "family one must ask for something"),
        ({"delta": [True]}, "family.0.delta.0"),
        ({"values": {}}, "family one must have a value for each place, got values for none and places sigma"),
        ({"values": {"sigma": [-1]}}, "family one: sigma must be > 0"),
        ({"expression": "os:{sigma}"}, "family one: got mechanism='os': mechanism must be one of"),
        ({"expression": "mine.py:pair(x={sigma})"}, "mine.py:pair must be read where code may be run"),
        ({"adjacency": ["near"]}, "family.0.adjacency.0"),
        ({"at_most": 0}, "family.0.at_most"),
        ({"noise": [["1"]]}, "family.0.noise.0"),
        ({"values": {"sigma": list(range(1, 2000))}, "delta": list(map(str, range(100)))}, "at most 100000"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(tmp_path: Path, change: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput) as error:
        grid(written(tmp_path, {**ONE, **change}))
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("quik", "grid must be one of quick, standard, full, or a .toml or .json file, got 'quik'"),
        ("none.toml", "grid none.toml can't be read: No such file or directory"),
    ],
)
def test_a_grid_that_is_none_is_told(name: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        grid(name)
