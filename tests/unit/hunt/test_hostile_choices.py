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


@pytest.mark.parametrize(
    "extreme",
    [
        "10**9 * gnmax(sigma=1e-6)",
        "repeat_and_select(pure_dp(epsilon=300), mean=1000000, shape=0)",
        "repeat_and_select(gaussian(sigma=1e-9), mean=1.5, shape=inf)",
    ],
)
def test_an_extreme_question_has_ends(extreme: str) -> None:
    found = pv.bracket(extreme, delta="1e-50", digits=1, seconds="0.3")
    assert 0 <= found.lower <= found.upper and pv.prove_again(found).upper == found.upper


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
