"""Malformed and extreme input ends in an answer or a PldverifyError; and the fuzzer sees what does not.

Questions come from ``benchmarks/fuzz.py``, which asks a hundred thousand of them in processes of their own:
``python benchmarks/fuzz.py``. Here a few run in this process.
"""

import math
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pldverify as pv
from benchmarks.fuzz import BAD, ask, made, nonsense, outcomes, question

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
SECONDS = 0.1
"""Budget of a question."""


@settings(max_examples=5000 if NIGHTLY else 250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_every_question_ends_well(pick: random.Random) -> None:
    found = ask(0, question(pick), SECONDS)
    assert found.ending not in BAD, found


@pytest.mark.slow
def test_a_thousand_questions_in_processes_of_their_own() -> None:
    found = list(outcomes(list(range(1000))))
    assert len(found) == 1000
    assert [one for one in found if one.ending in BAD] == []


PLANTED = {
    0: ("'an answer'", "str"),
    1: ("1 / 0", "exception"),
    2: ("pv.delta(None, epsilon=1)", "InvalidInput"),
    3: ("__import__('os').abort()", "crash"),
    4: ("pv.Enclosure(math.nan, 1, 'test')", "OracleDisagreement"),
    5: ("[None for _ in iter(int, 1)]", "crash"),
    6: ("next(_ for _ in iter(int, 1) if _)", "hang"),
    7: ("cli('delta', 'gaussian(1)')", "int"),
}


def test_planted_bugs_are_found_and_cost_no_other_question() -> None:
    found = {one.seed: one for one in outcomes(list(PLANTED), make=lambda seed: PLANTED[seed][0], limit=0.5)}
    endings = {seed: one.ending for seed, one in found.items()}
    allowed = {seed: {ending} for seed, (_, ending) in PLANTED.items()}
    allowed[5] |= {"exception", "hang"}  # as memory or time runs out first
    assert {seed for seed in PLANTED if endings.get(seed) not in allowed[seed]} == set()
    assert found[3].question == PLANTED[3][0]


def test_answers_that_no_truth_has_are_nonsense() -> None:
    half = pv.Enclosure(0, 2, "test")
    assert "out of range" in nonsense("pv.delta(x)", half)
    assert nonsense("pv.rdp(x)", half) == ""
    assert "out of range" in nonsense("pv.rdp(x)", pv.Enclosure(-1, 2, "test"))
    assert nonsense("pv.epsilon(x)", math.nan) == "NaN"


def test_a_seed_makes_the_same_question_again() -> None:
    assert made(17) == made(17)
    assert len({made(seed) for seed in range(100)}) > 90
