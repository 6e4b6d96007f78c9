"""The chances of what a tester of DP-Auditorium sees, against all samples; and its δ against closed forms."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import exp

import pytest

from benchmarks import auditorium

T, F = Fraction(4, 5), Fraction(1, 3)


def test_a_mix_of_rows_has_the_chance_of_all_samples_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows: all 256 values of eight bits."""
    monkeypatch.setattr(auditorium, "PAIRS", 2)
    found: Counter[tuple[int, ...]] = Counter()
    for bits in product((0, 1), repeat=8):
        mass = Fraction(1)
        seen = Counter[int]()
        for xa, xb, ya, yb in (bits[:4], bits[4:]):
            for bit, rate in ((xa, T), (xb, T), (ya, F), (yb, F)):
                mass *= rate if bit else 1 - rate
            seen[2 * (xa != ya) - (xa != xb) - (ya != yb)] += 1
        found[tuple(seen[kind] for kind in auditorium.KINDS)] += mass  # type: ignore[assignment]  # fractions
    kinds = auditorium.chances_of_kinds(T, F)
    assert {mix: auditorium.chance_of_mix(mix, kinds) for mix in auditorium.mixes()} == found


def test_delta_of_a_bit() -> None:
    growth = exp(0.1)
    assert float(auditorium.true_delta(T, F, both=False)) == pytest.approx(0.8 - growth / 3, rel=1e-9, abs=0)
    back = auditorium.true_delta(Fraction(1, 100), Fraction(1, 2), both=True)
    assert float(back) == pytest.approx(max(0.99 - growth / 2, 0.5 - growth / 100), rel=1e-9, abs=0)
    assert auditorium.true_delta(T, T, both=True) == 0


@pytest.mark.parametrize(("bound", "verdict", "misses"), [(-1.0, "SOUND", 0), (2.0, "UNSOUND", 1)])
def test_what_always_says_the_same_misses_always_or_never(
    bound: float, verdict: str, misses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditorium, "PAIRS", 3)
    monkeypatch.setattr(auditorium, "COUNTED", 5)
    for tester, rows in (("mmd", len(auditorium.mixes())), ("histogram", len(auditorium.counts()))):
        found = list(auditorium.judged(tester, [bound] * rows, Fraction(1, 20)))
        assert len(found) == 20 and {row.verdict for row in found} == {verdict}
        assert all(row.misses == pytest.approx(misses, rel=1e-9, abs=0) for row in found)
    assert "| histogram | 1/20 |" in list(auditorium.table(found))[-1]
