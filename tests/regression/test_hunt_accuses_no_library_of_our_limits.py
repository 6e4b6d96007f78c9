"""hunt told a MemoryError of our own limit as a crash, and missed the δ above 1 that came without it."""

from pathlib import Path

import pytest

import pldverify as pv
from pldverify.accountants.registry import accountant
from pldverify.accountants.worker import GIB, worker
from pldverify.cli.exits import Exit
from pldverify.cli.hunt import exit_code
from pldverify.hunt.grouping import KINDS, Group, cause
from pldverify.hunt.hunt import Hunt
from pldverify.hunt.score import looseness
from pldverify.hunt.words import title

FILE = Path(__file__).with_name("limits.py")


def hunted(name: str, timeout: float = 300) -> list[Group]:
    made = Hunt(
        [accountant(f"{FILE}:{name}")], minutes=60, questions=2, seed=2, timeout=timeout, memory=GIB // 2
    )
    made.run()
    return made.groups


@pytest.mark.parametrize("name", ["Allocates", "CrashesOnce", "SleepsOnce"])
def test_what_comes_without_the_limit_is_what_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "SleepsOnce":
        monkeypatch.setattr(worker, "_MORE", 1000)
    groups = hunted(name, 0.5 if name == "SleepsOnce" else 300)
    assert {group.cause.kind for group in groups} <= {"impossible", "violation", "loose"}
    assert groups[0].cause.kind in ("impossible", "violation")


@pytest.mark.parametrize(
    ("name", "timeout", "kind", "told"),
    [
        ("Burns", 0.5, "hang", "our limit of 2 s of processor time"),
        ("AllocatesTooMuch", 300, "memory", "our limit of 2 GiB of memory"),
    ],
)
def test_what_comes_again_names_the_larger_limit(
    name: str, timeout: float, kind: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_WAITS", 1000)
    (group,) = hunted(name, timeout)
    assert group.cause.kind == kind
    assert title(kind, group.worst).endswith(f"within {told}")


def test_what_sleeps_is_told_apart_from_what_computes() -> None:
    (waits,) = hunted("Sleeps", 0.2)
    assert waits.cause.kind == "waits" and exit_code([waits]) == Exit.UNDECIDED


@pytest.mark.parametrize(
    ("value", "query", "code"),
    [
        (1.0000000043, pv.Query(pv.Gaussian(1), epsilon=1), Exit.UNDECIDED),
        (-1e-300, pv.Query(pv.Gaussian(1), epsilon=1), Exit.REFUTED),
        (-0.5, pv.Query(pv.Gaussian(1), delta="1e-5"), Exit.REFUTED),
    ],
)
def test_impossible_numbers_come_first(value: float, query: pv.Query, code: Exit) -> None:
    found = pv.check(lambda query: value, query, direction="upper")
    why = cause(found)
    assert why is not None and why.kind == KINDS[0] == "impossible" and KINDS[1] == "invalid"
    assert exit_code([Group(why, found, found)]) == code


def test_nobody_asks_for_epsilon_at_delta_one() -> None:
    found = pv.check(lambda query: 1.0, pv.Query(pv.Gaussian(1), delta=1), direction="upper")
    assert found.verdict == "SOUND" and looseness(found) is None


def test_nobody_asks_what_a_bound_on_a_delta_near_one_gives_away_in_epsilon() -> None:
    query = pv.Query(10 * pv.Gaussian("0.5"), epsilon=1)
    found = pv.check(lambda query: 0.9984, query, direction="upper")
    assert found.verdict == "SOUND" and (found.tightness or 0) > 0.9 and looseness(found) is None
    small = pv.check(lambda query: 0.9984, pv.Query(pv.Gaussian(4), epsilon=1), direction="upper")
    assert looseness(small) is not None
