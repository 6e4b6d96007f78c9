"""The plain form of a query, and the page that describes it."""

import re
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest

import pldverify as pv
from pldverify import mechanisms
from pldverify.accountants import standalone
from pldverify.accountants.worker import plain
from pldverify.errors import NotSupported
from pldverify.mechanisms import (
    Composition,
    FinitePair,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
    SampledWithReplacement,
)
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.mechanism import Mechanism
from tests.unit.accountants import fake_adapter

PAGE = (Path(__file__).parents[3] / "docs" / "accountant_protocol.md").read_text("utf-8")


def test_a_query_is_exact_and_knows_no_class() -> None:
    query = Query(10**6 * PoissonSubsampled(Gaussian("1/3", 2), 0.1) + Laplace("0.5"), epsilon="-1.5")
    assert plain.query(query) == {
        "quantity": "delta",
        "target": "-3/2",
        "adjacency": "add-or-remove",
        "composition": [
            {"count": "1", "mechanism": {"kind": "laplace", "b": "1/2", "sensitivity": "1"}},
            {
                "count": "1000000",
                "mechanism": {
                    "kind": "poisson_subsampled",
                    "base": {"kind": "gaussian", "sigma": "1/3", "sensitivity": "2"},
                    "q": "3602879701896397/36028797018963968",
                },
            },
        ],
    }


def test_numbers_come_back_exactly_in_an_adapter() -> None:
    query = Query(7 * RandomizedResponse("0.6", 3) + PoissonSubsampled(Gaussian("1/3"), "1/7"), delta="1e-5")
    question = standalone.Question(plain.query(query))
    assert (question.quantity, question.given, question.target) == ("epsilon", "delta", 1e-5)
    assert question.rounded == {"delta": 1e-5}
    base = {"kind": "gaussian", "sigma": Fraction(1, 3), "sensitivity": 1}
    assert question.parts == [
        ({"kind": "poisson_subsampled", "base": base, "q": Fraction(1, 7)}, 1),
        ({"kind": "randomized_response", "p": Fraction(3, 5), "categories": 3}, 7),
    ]


def test_other_quantities_are_known_and_refused_by_who_has_none() -> None:
    accountant = fake_adapter.Rho()
    for query, quantity, given, target in (
        (pv.RenyiQuery(Gaussian(1), order="inf"), "rdp", "order", float("inf")),
        (pv.RenyiQuery(Gaussian(1), order="5/2"), "rdp", "order", 2.5),
        (pv.TailQuery(Gaussian(1), loss="-1/2"), "tail", "loss", -0.5),
        (pv.TradeOffQuery(Gaussian(1), alpha="1/4"), "trade-off", "alpha", 0.25),
    ):
        question = standalone.Question(plain.query(query))
        assert (question.quantity, question.given, question.target) == (quantity, given, target)
        with pytest.raises(NotImplementedError, match=f"fakelib/rho has no {quantity} at an? {given}"):
            standalone.steps(accountant, question)
    with pytest.raises(NotImplementedError, match="no mood is known here"):
        standalone.Question({**plain.query(Query(Gaussian(1), epsilon=1)), "quantity": "mood"})


def test_other_values_have_their_form_too() -> None:
    pair = plain.mechanism(FinitePair(["1/3", "2/3"], [1, 0]))
    assert pair == {"kind": "finite_pair", "p": ["1/3", "2/3"], "q": ["1", "0"]}
    own = plain.mechanism(DensityPair("t", (("-oo", "oo", "f(t)", "g(t)"),), is_integer=True))
    assert own["regions"] == [["-oo", "oo", "f(t)", "g(t)"]] and own["is_integer"] is True
    sizes = plain.mechanism(SampledWithReplacement(Gaussian(1), 5, 100))
    assert (sizes["m"], sizes["n"]) == ("5", "100")


class Strange(Gaussian):
    """A mechanism of somebody else."""


def test_a_mechanism_of_somebody_else_has_no_kind() -> None:
    with pytest.raises(NotSupported, match="no kind for gaussian"):
        plain.query(Query(Composition.of((Strange(1), 1)), delta="1e-5"))


def test_the_page_names_every_kind_with_its_parameters() -> None:
    public = [
        each for each in vars(mechanisms).values() if isinstance(each, type) and issubclass(each, Mechanism)
    ]
    ours = {
        each.__module__.rpartition(".")[2]: [field.name for field in fields(each) if field.compare]  # type: ignore[arg-type]
        for each in public
    }
    rows = dict(
        re.findall(r"^\| `(\w+)` \| (`.*) \|$", PAGE.partition("| kind |")[2].partition("\n\n")[0], re.M)
    )
    assert {kind: re.findall(r"`(\w+)`", row) for kind, row in rows.items()} == ours
    assert f'"{plain.PROTOCOL}"' in PAGE
