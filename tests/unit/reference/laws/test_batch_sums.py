"""Events of batch sums: their data are validated before they are used, and no data make a wrong law."""

from fractions import Fraction
from math import inf

import pytest

from pldverify.balls import arb
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.reference.laws.batch_sums import (
    BatchSumsLaw,
    Cells,
    Events,
    Look,
    _point,
    corners,
    upper_hull,
)

TILTS = (Fraction(-1, 10), Fraction(1, 20), Fraction(1, 5))
GOOD = {"threshold": 1, "step": Fraction(1, 8), "most": 9, "first": 1, "log_size": 8, "tilts": TILTS}
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": 0},
        {"step": Fraction(-1, 8)},
        {"most": 0},
        {"most": 2**9},
        {"first": 2**61},
        {"log_size": 0},
        {"log_size": 23},
        {"tilts": (Fraction(-1), Fraction(0), Fraction(1))},
        {"tilts": (Fraction(1), HALF, Fraction(2))},
        {"tilts": (Fraction(-1), HALF, HALF)},
        {"tilts": (Fraction(-1), HALF, Fraction(501))},
    ],
)
def test_a_look_must_be_an_event(wrong: dict[str, object]) -> None:
    with pytest.raises(NoConvergence, match="no event"):
        Look(**(GOOD | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("cells", [Cells(ZERO, ONE, 0), Cells(ZERO, ONE, 5_000), Cells(ZERO, ZERO, 9)])
def test_cells_must_be_few_and_have_a_width(cells: Cells) -> None:
    with pytest.raises(NoConvergence, match="cells"):
        Events((), cells)


def test_events_must_be_few() -> None:
    with pytest.raises(NoConvergence, match="too many"):
        Events((ONE,) * 2_001)


def test_the_hull_is_from_corner_to_corner() -> None:
    assert upper_hull([]) == [(ZERO, ZERO), (ONE, ONE)]
    points = [(Fraction(1, 4), HALF), (HALF, HALF), (HALF, Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 9))]
    assert upper_hull(points) == [(ZERO, ZERO), (Fraction(1, 4), HALF), (HALF, Fraction(3, 4)), (ONE, ONE)]


def test_points_on_one_line_are_one_outcome() -> None:
    assert upper_hull([(HALF, HALF), (Fraction(1, 3), Fraction(1, 3)), (ONE, HALF)]) == [
        (ZERO, ZERO),
        (ONE, ONE),
    ]


def test_what_is_no_number_is_no_event() -> None:
    assert _point(arb(inf), arb("nan")) == (ONE, ZERO)
    assert _point(arb("0.5 +/- 1"), arb("0.5 +/- 1")) == (ONE, ZERO)
    with pytest.raises(OracleDisagreement, match="enclosed by"):
        _point(arb(2), arb(0))


def test_no_event_is_no_loss() -> None:
    law = BatchSumsLaw(2, 1, 9, ONE, Events())
    (outcome,) = law.outcomes()
    assert float(outcome.first) == float(outcome.second) == 1.0


@pytest.mark.parametrize("variance", ["1e-40", "1e-3", "1e9", "1e60"])
@pytest.mark.parametrize("start", ["-1e40", "-9", "1e12"])
@pytest.mark.parametrize("batches", [1, 2, 10**12])
def test_absurd_numbers_make_no_loss_of_nothing(variance: str, start: str, batches: int) -> None:
    """Whatever is asked for, all corners are between those of no event and of one batch that is known."""
    cells = Cells(Fraction(start), Fraction(1, 3), 40)
    looks = tuple(Look(Fraction(c), Fraction(1, 10**9), 2**8, 1, 8, TILTS) for c in ("1e-30", "1", "1e30"))
    law = BatchSumsLaw(2, 1, batches, Fraction(variance), Events((Fraction(start),), cells, looks))
    try:
        found = corners(law)
    except NoConvergence:
        return
    for q, p in found:
        assert q <= p <= 1
        if Fraction(variance) >= 10**9:  # a batch that is known has a total variation of 1/√(2πσ²)
            assert p - q < Fraction(1, 10_000)
