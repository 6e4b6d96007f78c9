"""Every engine proves its answers again without what only saves time."""

import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.evaluator import ENGINES
from pldverify.reference.fast import schedule
from pldverify.reference.laws import together
from pldverify.reference.laws.laplace import LaplaceLaw

STEP = "poisson(gaussian(sigma=1), q=0.01)"
NOISES = " + ".join(f"20 * poisson(gaussian(sigma={1 + i / 24:.4f}), q=0.01)" for i in range(24))
ASKED: dict[str, tuple[str, int | str, int]] = {  # composition, ε, digits
    "atoms": ("finite_pair(p=[0.6, 0.3, 0.1], q=[0.1, 0.3, 0.6])", 1, 12),
    "contour": (f"1000 * {STEP}", 1, 12),
    "grid": ("3 * poisson(laplace(b=2), q=0.1)", "0.1", 4),
    "lattice": ("30 * discrete_gaussian(sigma=5)", 1, 12),
    "parts": (f"randomized_response(p=0.75) + {STEP}", 1, 6),
    "residues": ("5 * laplace(b=4)", 1, 12),
    "smoothing": ("20 * laplace(b=10) + 20 * laplace(b=7)", 1, 3),
    "threshold": (STEP, 1, 12),
    "truncated": (f"50 * {STEP}", 1, 6),
}


def asked(engine: str) -> Enclosure:
    composition, epsilon, digits = ASKED[engine]
    return pv.delta(composition, epsilon=epsilon, adjacency="remove", digits=digits, engine=engine)


@pytest.mark.parametrize("engine", ASKED)
def test_every_engine_proves_again_without(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(engine)
    monkeypatch.setattr(schedule, "on_lines", None)
    monkeypatch.setattr(schedule, "decays", None)
    again = pv.prove_again(found, fast=False)
    assert again.engine == found.engine and again.overlaps(found)
    assert again.upper - again.lower <= 10 * (found.upper - found.lower)


def test_no_engine_is_left_out() -> None:
    assert set(ENGINES) - set(ASKED) == {"slope"}  # the derivative of another engine's values


@pytest.mark.slow
def test_a_schedule_is_proved_law_by_law(monkeypatch: pytest.MonkeyPatch) -> None:
    found = pv.delta(NOISES, epsilon=1, adjacency="remove", digits=3, engine="contour")
    assert pv.prove_again(found) == found
    monkeypatch.setattr(schedule, "on_lines", None)
    assert pv.prove_again(found, fast=False).overlaps(found)
    with pytest.raises(TypeError):
        pv.prove_again(found)


def test_a_wrong_line_is_seen_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error of what saves time: both proofs no longer agree."""
    lines = schedule.on_lines
    monkeypatch.setattr(
        schedule, "on_lines", lambda *a: [[z * (1 + arb(2) ** -30) for z in line] for line in lines(*a)]
    )
    found = asked("contour")
    assert not pv.prove_again(found, fast=False).overlaps(found)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_tails_are_proved_without(direction: Adjacency) -> None:
    found = pv.tail(f"1000 * {STEP}", epsilon=1, adjacency=direction, digits=6, engine="contour")
    assert pv.prove_again(found) == found
    again = pv.prove_again(found, fast=False)
    assert again.overlaps(found) and again.digits >= 5


def test_inside_every_law_is_asked_by_itself() -> None:
    before = together._asked()
    with pytest.raises(NoConvergence), together.by_themselves():
        assert together._asked() is not before
        assert together.decays([(LaplaceLaw(1), 3)], 1)[0][1] == 3  # type: ignore[arg-type]
        raise NoConvergence("planted")
    assert together._asked() is before
