"""Two known defects of choices and thresholds are found by whoever is not told of them."""

from pathlib import Path

import pytest

import pldverify as pv
from pldverify.accountants.registry import accountant
from pldverify.hunt.hunt import Hunt

PLANTED = Path(__file__).with_name("planted_choices.py")


@pytest.mark.parametrize(
    ("name", "expression", "delta"),
    [
        ("Choices", "10 * permute_and_flip(epsilon=1)", "0.1"),
        ("Thresholds", "thresholded_histogram(laplace(b=1), threshold=2)", "0.1"),
    ],
)
def test_a_planted_defect_is_unsound(name: str, expression: str, delta: str) -> None:
    assert pv.check(f"{PLANTED}:{name}", pv.Query(expression, delta=delta)).verdict == "UNSOUND"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Choices", "Thresholds"])
def test_a_hunt_finds_it_untold(name: str) -> None:
    hunt = Hunt([accountant(f"{PLANTED}:{name}")], minutes=10, questions=60, seed=1)
    hunt.run()
    assert "violation" in [group.cause.kind for group in hunt.groups]
