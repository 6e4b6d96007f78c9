"""Budgets that somebody published, each certified in the notation of its source.

``tests/data/reported_budgets.json`` has them with repository, commit, file and the words that were quoted.
All of them hold: their accountants rounded up, or took a looser conversion.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.installed import Installed

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

BUDGETS = json.loads((Path(__file__).parents[1] / "data" / "reported_budgets.json").read_text("utf-8"))
RULE = """
import json, sys
import pldverify as pv

NOTATIONS = {
    "expression": lambda text: text,
    "dp_sgd": lambda run: pv.dp_sgd(**run),
    "opacus_history": lambda rows: pv.from_opacus_history([tuple(row) for row in rows]),
}
budget = json.loads(%r)
((notation, run),) = budget["notation"].items()
query = pv.Query(NOTATIONS[notation](run), delta=budget["delta"])
less = "0.9 * " + budget["epsilon"]
print(pv.certify(query, budget["epsilon"]).verdict, pv.certify(query, less).verdict, query.composition)
"""


def rule(installed: Installed, budget: dict[str, Any]) -> list[str]:
    """The verdict on what was published, the verdict on a tenth less, and the composition."""
    return installed.python(RULE % json.dumps(budget)).strip().split(" ", 2)


def test_ten_budgets_in_three_notations() -> None:
    assert len({budget["id"] for budget in BUDGETS}) >= 10
    assert {notation for budget in BUDGETS for notation in budget["notation"]} == {
        "expression",
        "dp_sgd",
        "opacus_history",
    }
    for budget in BUDGETS:
        assert set(budget["source"]) == {"repo", "commit", "path"} and budget["quotes"]


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget["id"])
def test_a_published_budget_is_certified(installed: Installed, budget: dict[str, Any]) -> None:
    verdict, _, _ = rule(installed, budget)
    assert verdict == "CERTIFIED"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("registry-google-mobility-places", "REFUTED"),  # pure DP adds up: nothing is given away
        ("registry-meta-urls-eps", "REFUTED"),
        ("dprandp-linearprobe-eps1", "REFUTED"),
        ("dprandp-cifar10-eps1", "REFUTED"),
        ("registry-census_redistricting_data-rho0.07", "REFUTED"),  # by Gaussian noise of this ρ
    ],
)
def test_a_tenth_less_is_not(installed: Installed, name: str, verdict: str) -> None:
    (budget,) = (budget for budget in BUDGETS if budget["id"] == name)
    assert rule(installed, budget)[1] == verdict


@pytest.mark.parametrize(
    ("name", "composition"),
    [
        ("opacus-mnist-readme-6.86", "11250 * poisson(gaussian(sigma=0.7), q=0.004)"),
        ("opacus-mnist-readme-2.91", "15000 * poisson(gaussian(sigma=1.1), q=0.004)"),
    ],
)
def test_a_notation_means_what_its_library_ran(installed: Installed, name: str, composition: str) -> None:
    (budget,) = (budget for budget in BUDGETS if budget["id"] == name)
    assert rule(installed, budget)[2] == composition
