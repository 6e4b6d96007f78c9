"""Clocks: they stop long loops, the one that ends first holds, and they leave no trace."""

import time

import pytest

from pldverify.balls.clock import budget, spend
from pldverify.errors import NoConvergence


def burn(seconds: float) -> None:
    """Use processor time until a clock stops it, or all of it."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        spend()


def test_without_a_clock_nothing_stops() -> None:
    burn(0.02)


def test_a_clock_stops_what_takes_longer() -> None:
    with budget(0.01), pytest.raises(NoConvergence, match="not decided within 0 s"):
        burn(1)
    burn(0.02)


def test_the_clock_that_ends_first_holds() -> None:
    with budget(0.01), budget(60), pytest.raises(NoConvergence):
        burn(1)
    with budget(60):
        with budget(0.01), pytest.raises(NoConvergence):
            burn(1)
        burn(0.02)
