"""The checker that was written from docs/certificates.md, on the stored certificates and on forged ones."""

import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from benchmarks.two_checkers import certificate, one, python, sealed
from tests.unit.certificate import third_checker
from tests.unit.test_recheck import STORED, signed, stored

READ = ["dp-sgd-certified", "dp-sgd-refuted", "laplace-certified", "mixed-refuted"]


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(third_checker, "CELLS", 2**13)


def test_the_page_is_enough(coarse: None) -> None:
    """Certified and refuted, confirmed; the contrary is contradicted; what was changed is rejected."""
    document = stored("laplace-certified")
    assert third_checker.checked(signed(document)) == "CONFIRMED"
    assert third_checker.checked(signed(document | {"verdict": "REFUTED"})) == "CONTRADICTED"
    assert third_checker.checked(json.dumps(document | {"verdict": "REFUTED"}).encode()) == "REJECTED"
    assert (
        third_checker.checked(signed(document | {"assumptions": document["assumptions"][1:]})) == "REJECTED"
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(STORED.iterdir()), ids=lambda path: path.stem)
def test_of_the_stored_certificates_it_confirms_those_of_the_table(path: Any) -> None:
    found = third_checker.checked(path.read_bytes())
    assert found == ("CONFIRMED" if path.stem in READ else "UNDECIDED")


@pytest.mark.slow
def test_no_verdict_of_it_is_another_ones_contrary() -> None:
    """On random certificates, as recheck.py decides them."""
    both = 0
    for at in range(30):
        data = sealed(certificate(random.Random(f"third {at}")))
        found = {python(data, {"cells": 300})[0], third_checker.checked(data)}
        assert found != {"CONFIRMED", "CONTRADICTED"}, at
        both += found in ({"CONFIRMED"}, {"CONTRADICTED"})
    assert both >= 5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*(3-(1-1/4))", Fraction(9, 2)),
        ("8/2/2", 2),
        ("2*-3+7", 1),
        ("sqrt(2*(7/100))", 0.14**0.5),
        ("ln(exp(3)) - log( 1 )", 3),
    ],
)
def test_numbers_are_read_as_the_page_says(text: str, value: Any) -> None:
    assert third_checker.number(text) == pytest.approx(float(value), rel=1e-14, abs=0)


def test_two_responses_against_all_four_outcomes(coarse: None) -> None:
    """δ of two randomised responses, p = 3/4, is 9/16 − e/16 at ε = 1: of both answers 'with', alone."""
    law = third_checker.law(one("randomized_response", p="0.75", categories="2"), "remove")
    least, most = third_checker.profile([(2, law)], False, 1.0)
    truth = 9 / 16 - np.e / 16
    assert least <= truth <= most and most - least < 1e-3
