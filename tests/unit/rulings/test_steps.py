"""Fractions and epochs of a phase."""

from fractions import Fraction
from typing import Any

import pytest

from pldverify.errors import InvalidInput
from pldverify.rulings.model import Noise
from pldverify.rulings.steps import epochs, fraction
from tests.unit.claims.claims import noise


def phase(**changes: Any) -> Noise:
    return Noise.model_validate(noise(**changes))


def test_a_batch_is_part_of_the_records() -> None:
    sizes = {"q": None, "dataset_size": 60}
    assert fraction(phase(batch_size=60, **sizes)) == 1
    assert fraction(phase(batch_size="7.5", **sizes)) == Fraction(1, 8)
    with pytest.raises(InvalidInput, match="batch_size must be at most dataset_size, got 61 of 60"):
        fraction(phase(batch_size=61, **sizes))


@pytest.mark.parametrize(("steps", "begun"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3)])
def test_an_epoch_that_has_begun_counts(steps: int, begun: int) -> None:
    """Three whole batches of 0.3 an epoch."""
    assert epochs(phase(sampling="shuffled", q="0.3"), steps) == begun
