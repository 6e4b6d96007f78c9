"""Extreme questions about choices, votes, sparse vectors and the best of several runs: ends that hold."""

from random import Random

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.hunt.draws import Draws

KINDS = (
    "exponential",
    "permute_and_flip",
    "noisy_max",
    "above_threshold",
    "gaussian_above_threshold",
    "gnmax",
    "thresholded_histogram",
    "thresholded_histogram(gaussian)",
    "repeat_and_select",
    "repeat_and_select(laplace)",
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_extreme_questions_have_ends_that_are_proved_again(kind: str) -> None:
    _asked(kind, 40)


def test_one_extreme_question_has_ends() -> None:
    _asked("gnmax", 3)


def _asked(kind: str, draws: int) -> None:
    source = Draws(Random(f"{kind} 40"))
    for _ in range(draws):
        query = source.query(kind)
        try:
            found = pv.bracket(query, digits=1, seconds="0.3")
        except (InvalidInput, NotSupported):
            continue
        assert 0 <= found.lower <= found.upper, query
        try:
            again = pv.prove_again(found)
        except NoConvergence as reason:
            pytest.fail(f"{query}: {reason}")
        assert again.lower <= found.upper and found.lower <= again.upper, query
