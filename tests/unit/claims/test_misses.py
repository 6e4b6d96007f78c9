"""Near misses: both neighbours are decided."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.claims.misses import _first
from tests.unit.claims.claims import noise, ruled

MISSES = ruled(epsilon="0.95").misses


def verdict(
    epsilon: str = "0.95", delta: Fraction | str = "1e-6", sigma: object = 1, steps: object = 100
) -> str:
    run = pv.Composition.of((pv.PoissonSubsampled(pv.Gaussian(sigma), "0.01"), steps))  # type: ignore[arg-type]
    return str(pv.certify(pv.Query(run, delta=delta), epsilon).verdict)


def test_what_would_hold_holds_and_its_neighbour_does_not() -> None:
    delta, sigma, steps = MISSES
    assert [miss.name for miss in MISSES] == ["δ", "noise multiplier", "steps"]
    assert (verdict(delta=delta.value), verdict(delta=delta.beyond)) == ("CERTIFIED", "REFUTED")
    assert (verdict(sigma=sigma.value), verdict(sigma=sigma.beyond)) == ("CERTIFIED", "REFUTED")
    assert (verdict(steps=steps.value), verdict(steps=steps.beyond)) == ("CERTIFIED", "REFUTED")


def test_what_holds_misses_nothing() -> None:
    assert ruled(epsilon="1").misses == ()
    assert ruled({"mechanism": "pure_dp", "epsilon": 1}, epsilon="0.9", delta=0).misses == ()


def test_different_noises_have_no_one_noise() -> None:
    found = ruled(noise(), noise(noise_multiplier=2), epsilon="0.5").misses
    assert [miss.name for miss in found] == ["δ"]


@pytest.mark.parametrize("edge", [1, 2, 3, 17, 100])
def test_the_search_finds_the_edge(edge: int) -> None:
    assert _first(lambda i: "CERTIFIED" if i >= edge else "REFUTED", 0, 100) == edge


def test_a_search_that_is_not_proved_finds_nothing() -> None:
    assert _first(lambda i: "REFUTED", 0, 100) is None
    assert _first(lambda i: "CERTIFIED" if i > 60 else "UNDECIDED" if i == 60 else "REFUTED", 0, 100) is None
    assert _first(lambda i: "CERTIFIED", 0, 0) is None
