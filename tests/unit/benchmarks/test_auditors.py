"""The chances of what an auditor sees, against all ways in which it comes about."""

from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest

from benchmarks import auditors

T, F = Fraction(4, 5), Fraction(1, 3)


def all_ways(sides: tuple[bool, ...]) -> dict[tuple[bool, ...], Fraction]:
    """Canaries fall into the upper half or not, and within each half into any order."""
    found: dict[tuple[bool, ...], Fraction] = {}
    for halves in product((True, False), repeat=len(sides)):
        mass = Fraction(1)
        for was_in, is_high in zip(sides, halves, strict=True):
            rate = T if was_in else F
            mass *= rate if is_high else 1 - rate
        upper = [i for i, is_high in enumerate(halves) if is_high]
        lower = [i for i, is_high in enumerate(halves) if not is_high]
        share = mass / factorial(len(upper)) / factorial(len(lower))
        for first, second in product(permutations(upper), permutations(lower)):
            seen = tuple(sides[i] for i in (*first, *second))
            found[seen] = found.get(seen, Fraction(0)) + share
    return found


def test_an_order_has_the_chance_of_all_its_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditors, "PAIR", 2)
    ways = all_ways((True, True, False, False))
    assert {seen: auditors.chance(seen, "pair", T, F) for seen in auditors.orders("pair")} == ways
    monkeypatch.setattr(auditors, "ONE", 3)
    mixed: dict[tuple[bool, ...], Fraction] = {}
    for sides in product((True, False), repeat=3):
        for seen, mass in all_ways(sides).items():
            mixed[seen] = mixed.get(seen, Fraction(0)) + mass / 8
    assert {seen: auditors.chance(seen, "one", T, F) for seen in auditors.orders("one")} == mixed


@pytest.mark.parametrize("game", ["pair", "one"])
def test_all_counts_have_the_chance_1(game: str) -> None:
    rows = list(auditors.counts(game))
    assert sum(auditors.chance_of_counts(seen, high, game, T, F) for seen, high in rows) == 1


@pytest.mark.parametrize(
    ("bound", "verdict", "misses"), [(0.0, "SOUND", 0), (50.0, "UNSOUND", 1), (None, "SOUND", 0)]
)
def test_what_always_says_the_same_misses_always_or_never(
    bound: Any, verdict: str, misses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditors, "ONE", 3)
    monkeypatch.setattr(auditors, "COUNTED", 3)
    for auditor in ("one_run", "clopper_pearson, fixed"):
        rows = list(auditors.judged("us", auditor, lambda _, rows, __: [bound] * len(rows), Fraction(1, 20)))
        assert len(rows) == 20
        assert all(row.verdict == verdict and row.misses == misses for row in rows)
    assert "| us | clopper_pearson, fixed | 1/20 |" in list(auditors.table(rows))[-1]


def test_ours_are_sound_where_they_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditors, "ONE", 6)
    monkeypatch.setattr(auditors, "COUNTED", 6)
    for auditor in auditors.OURS:
        rows = auditors.judged("pldverify", auditor, auditors.own, Fraction(2, 5))
        assert {row.verdict for row in rows} == {"SOUND"}
