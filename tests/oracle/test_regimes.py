"""The regime matrix: its table keeps its promises, and a random sample of its cells is decided anew."""

import random
from fractions import Fraction

import pytest

from benchmarks import regimes

ROWS = {(r.composition, r.direction, r.level): r for r in regimes.finished(regimes.TABLE)}


@pytest.fixture(scope="module")
def cells() -> dict[tuple[str, str, str], regimes.Cell]:
    return {(c.label, c.direction, c.level): c for c in regimes.cells()}


def contradiction(old: regimes.Row, new: regimes.Row) -> bool:
    """Whether two enclosures of one number are disjoint, or one run decided what the other did not."""
    if old.status != new.status:
        return True
    if old.status != "decided" or old.epsilon != new.epsilon:
        return False
    return max(Fraction(old.lower), Fraction(new.lower)) > min(Fraction(old.upper), Fraction(new.upper))


def test_the_table_is_of_this_matrix(cells) -> None:
    assert set(ROWS) <= set(cells)
    assert len(ROWS) > 1000


def test_what_is_called_decided_has_the_digits() -> None:
    for row in ROWS.values():
        if row.status == "decided":
            low, high = Fraction(row.lower), Fraction(row.upper)
            # the table rounds outward to 16 digits
            allowed = regimes.WIDTH if row.engine in regimes.COARSE else Fraction(3, 10**regimes.DIGITS)
            assert 0 <= high - low <= allowed * (low + high) / 2, row


@pytest.mark.parametrize("size", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_a_random_sample_is_decided_again(cells, size: int) -> None:
    quick = [key for key, r in ROWS.items() if r.status != "undecided" and float(r.seconds or 0) < 0.5]
    keys = random.SystemRandom().sample([key for key in quick if key in cells], size)
    wrong = [key for key in keys if contradiction(ROWS[key], regimes.evaluate(cells[key]))]
    assert not wrong, wrong


def test_a_contradiction_is_seen() -> None:
    old = regimes.Row("x", "add", "bulk", "decided", "1", "0.1", "0.2")
    assert contradiction(old, regimes.Row("x", "add", "bulk", "decided", "1", "0.3", "0.4"))
    assert contradiction(old, regimes.Row("x", "add", "bulk", "undecided"))
    assert not contradiction(old, regimes.Row("x", "add", "bulk", "decided", "1", "0.15", "0.4"))
