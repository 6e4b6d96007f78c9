"""Planted errors in what is proved of events of batch sums, and what finds them: the chances of the same
events by plain convolution, and the exact curve of the pair.
"""

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from pldverify.balls import arb, doubles
from pldverify.balls.ball import working
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.reference.laws import batch_sums, largest_batch
from tests.oracle.test_batch_sums import OFF, exact
from tests.teeth.planted import Plant, planted

NEAR, TINY = 1e-9, 1e-11
"""What the plain convolution errs by, and points may miss where little comes back: relative, and beside."""


def look(module: Any, log_size: int, first: int = 1) -> Any:
    """A circle of 2^5 points is so small that much comes back."""
    tilts = Fraction(-1, 5), Fraction(1, 20), Fraction(2, 5)
    return module.Look(Fraction(1), Fraction(1, 8), 12, first, log_size, tilts)


def law(module: Any, gap: tuple[int, int], batches: int, seen: Any, k: int = 1, kept: str = "1") -> Any:
    cells = module.Cells(Fraction(-6), Fraction(1, 4), 60)
    events = module.Events((), cells, (seen,))
    return module.BatchSumsLaw(*gap, batches, Fraction(2), events, k, Fraction(kept))


def plain(module: Any, whole: Any) -> tuple[float, float]:
    """Q and P of the event of the only look, from all sums."""
    cells, (seen,) = whole.events.cells, whole.events.looks
    edges = np.array([float(cells.start + i * cells.width) for i in range(cells.number + 1)])
    with working(100):
        means = (0, whole.first, whole.second)
        values = np.array(module._values(whole, seen, *batch_sums._three_masses(whole)))
    rows, rho, k = [], float(whole.kept), whole.participations
    for mean in means:
        masses = np.diff(ndtr(np.concatenate([[-np.inf], (edges - mean) / 2**0.5, [np.inf]])))
        rows.append(np.bincount(values - values.min(), masses))
    others = np.ones(1)
    for _ in range(whole.batches - k):
        others = np.convolve(others, rows[0])
    start = max(seen.first - whole.batches * int(values.min()), 0)
    end = max(start, seen.first + 2**seen.log_size // 2 - whole.batches * int(values.min()))
    sums = []
    for row in rows[1:]:
        sums.append(others)
        for _ in range(k):
            sums[-1] = np.convolve(sums[-1], rho * row + (1 - rho) * rows[0])
    p, q = (float(row[start:end].sum()) for row in sums)
    return q, p


def point(module: Any, whole: Any) -> tuple[float, float]:
    with working(120):
        q, p = module._looked(whole, whole.events.looks[0], *module._three_masses(whole))
    return float(q), float(p)


def points_hold(module: Any) -> bool:
    """Of each look on its safe side; and near, where the circle holds all."""
    for gap, k, kept in (((2, 1), 1, "1"), ((1, 2), 1, "0.7"), ((2, 0), 1, "1"), ((1, 0), 2, "1")):
        for batches in (k, 2, 4):
            for size, first in ((5, 1), (5, -3), (10, 1), (10, 30), (10, -30)):
                whole = law(module, gap, batches, look(module, size, first), k, kept)
                try:
                    (q, p), (other, one) = point(module, whole), plain(module, whole)
                except OracleDisagreement:
                    return False
                near = size == 5 or (p > one * (1 - NEAR) - TINY and q < other * (1 + NEAR) + TINY)
                if not (p <= one * (1 + NEAR) and q >= other * (1 - NEAR) and near):
                    return False
    return True


def test_honest_points_hold() -> None:
    assert points_hold(batch_sums)


@pytest.mark.parametrize(
    "plant",
    [
        (" - _come_back(look, counts, zero, first)\n", "\n"),
        ("(theta - tilt) * nearest_one", "(tilt - theta) * nearest_one"),
        ("(below, s - n // 2)", "(below, s - 2 * n)"),
        ("counts = law.batches - law.participations, ", "counts = law.batches, "),
        ("counts = law.batches - law.participations, law", "counts = law.batches - 1, 1  # law"),
        ("zip((zero, one), counts", "zip((zero, zero), counts"),
        ("rest * x + rho * y", "rho * x + rest * y"),
        ("scale *= moment**count", "scale *= moment"),
        ("(-theta * look.first)", "(-theta * (look.first + 1))"),
        ("end = look.first + 2", "end = look.first + 2 * 2"),
        ('second, "up")', 'zero, "up")'),
        ("- mean) / sigma for i", "- 2 * mean) / sigma for i"),
        ("if rising else above - next_above", "if rising else above"),
    ],
)
def test_a_wrong_chance_is_seen(plant: Plant) -> None:
    assert not points_hold(planted(batch_sums, plant))


def what_comes_back_holds(module: Any) -> bool:
    """All sums are s + N: e^{θN} comes back, and Markov's inequality is one of equal numbers."""
    for first, batches in ((-9, 1), (0, 2), (9, 4)):
        seen = look(module, 5, first)
        with working(100):
            each, truth = (first + 32) // batches, arb("1.6").exp()
            last = first + 32 - (batches - 1) * each
            found = module._come_back(seen, (batches - 1, 1), {each: arb(1)}, {last: arb(1)})
        if not 1 - NEAR < float(found / truth) < 1.02:
            return False
    return True


@pytest.mark.parametrize(
    "plant",
    [
        ("(theta - tilt) * nearest_one", "(tilt - theta) * nearest_one"),
        ("(above, s + n)", "(above, s + n + 1)"),
        ("nearest_one - theta * s)", "nearest_one - 2 * theta * s)"),
        ("** counts[0] * _moment(one, tilt)", "* _moment(one, tilt)"),
        ("** counts[0] * _moment(one, tilt)", "** sum(counts) * _moment(one, tilt)"),
        ("total += moment", "total += 0 * moment"),
    ],
)
def test_a_wrong_bound_of_what_comes_back_is_seen(plant: Plant) -> None:
    assert what_comes_back_holds(batch_sums)
    assert not what_comes_back_holds(planted(batch_sums, plant))


def curve_holds(module: Any) -> bool:
    """The law of a few cuts has at most the δ of the pair, and where one of them is best nearly that."""
    events = module.Events(tuple(Fraction(i, 4) for i in range(-4, 17)))
    try:
        outcomes = module.BatchSumsLaw(2, 0, 2, Fraction(1), events).outcomes()
    except NoConvergence:  # a mass is below 0
        return False
    masses = [(float(row.first.mid()), float(row.second.mid())) for row in outcomes]
    for epsilon in (-0.6, 0.0, 0.4, 0.8, 1.6):
        found = sum(max(p - exp(epsilon) * q, 0.0) for p, q in masses)
        truth = exact((2, 0), 2, 1.0, epsilon)
        if not truth * 0.9 < found < truth * (1 + OFF):
            return False
    return True


@pytest.mark.parametrize(
    "plant",
    [
        ("while len(found) > 1 and _turns", "while False and _turns"),
        ("steps = ((q - old_q, p - old_p)", "steps = ((q - old_q, p)"),
        ("_point(p, q) for p, q in", "_point(q, p) for p, q in"),
    ],
)
def test_a_wrong_hull_is_seen(plant: Plant) -> None:
    assert curve_holds(batch_sums)
    assert not curve_holds(planted(batch_sums, plant))


@pytest.mark.parametrize(
    "plant",
    [("ball(cut - mean)", "ball(cut - mean * mean)"), ("(batches - k) * (-", "(batches - 2) * (-")],
)
def test_a_wrong_law_of_the_largest_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = planted(batch_sums)
    wrong.sides = planted(largest_batch, plant).sides
    assert not curve_holds(wrong)


def sides_are_safe(module: Any) -> bool:
    """With one batch nothing is convolved: the event is x > 3/2, where both densities are equal."""
    whole = module.BatchSumsLaw(2, 1, 1, Fraction(1), law(module, (2, 1), 1, look(module, 8)).events)
    with working(120):
        q, p = module._looked(whole, whole.events.looks[0], *module._three_masses(whole))
        tail = (arb(1) / 8).sqrt().erfc() / 2  # Φ(−1/2)
        exact_q, exact_p = (
            Fraction(int(m)) * Fraction(2) ** int(e) for m, e in map(_parts, (tail, 1 - tail))
        )
    return q > exact_q and p < exact_p and q - exact_q < Fraction(1, 50)


def _parts(value: arb) -> tuple[int, int]:
    return value.mid().man_exp()  # type: ignore[return-value]


@pytest.mark.parametrize("ends", ["lower(q), lower(p)", "upper(q), upper(p)"])
def test_a_point_on_the_wrong_side_is_seen(ends: str) -> None:
    assert sides_are_safe(batch_sums)
    assert not sides_are_safe(planted(batch_sums, ("upper(q), lower(p)", ends)))


@pytest.mark.parametrize("plant", [('first, "down")', 'first, "up")'), ('second, "up")', 'second, "down")')])
def test_masses_on_the_wrong_side_are_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Doubles err by less than the bound of the transform, so coarser ones take their place."""
    honest = doubles.placed

    def coarse(masses: Any, log_size: int, rounding: str) -> doubles.Floats:
        return honest(masses, log_size, "up") * (1 + 2.0**-8 if rounding == "up" else 1 - 2.0**-8)

    monkeypatch.setattr(doubles, "placed", coarse)
    assert sides_are_safe(batch_sums)
    assert not sides_are_safe(planted(batch_sums, plant))
