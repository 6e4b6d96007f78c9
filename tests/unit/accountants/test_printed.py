"""What the printed accountants share: a NaN in one direction is never passed over."""

import math
from dataclasses import dataclass

import pytest

from pldverify.accountants.ask import ask
from pldverify.accountants.printed import Printed, Said, greatest
from pldverify.mechanisms import Gaussian, Query


@pytest.mark.parametrize("values", [[0.1, math.nan], [math.nan, 0.1], [math.nan]])
def test_a_nan_is_the_greatest(values: list[float]) -> None:
    assert math.isnan(greatest(iter(values)))


def test_the_greatest_of_numbers() -> None:
    assert greatest([0.1, math.inf, 0.2]) == math.inf
    assert greatest([0.1, 0.3, 0.2]) == 0.3


@dataclass(frozen=True)
class Planted(Printed):
    """Answers one direction with a NaN."""

    name = "planted"

    def supports(self, query: Query) -> str | None:
        return None

    def answer(self, query: Query) -> Said:
        return greatest([0.1, math.nan]), {"grid": "none"}, None


def test_a_printed_accountant_with_a_nan_has_no_claim() -> None:
    answer = ask(Planted(), Query(Gaussian(1), delta="1e-5"))
    assert answer.claim is None and answer.failure is not None
    assert answer.failure.kind == "INVALID"
