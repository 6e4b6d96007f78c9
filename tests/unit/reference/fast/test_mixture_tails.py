"""What a trapezoidal sum of φ w^p leaves out, against the sum itself."""

from fractions import Fraction

import pytest
from flint import arb

from pldverify.balls.ball import ball, working
from pldverify.reference.fast import mixture_tails as lemma
from pldverify.reference.fast.mixture_tails import mixture_tail
from pldverify.reference.lemmas.mixture_loss import mixture_loss

F = Fraction
STEP = F(1, 4)
CASES = [  # c, q, p, edges, side: between two peaks, before and beyond them
    ("2", "1/10", "40", ["40", "20", "0"], -1),
    ("2", "1/10", "40", ["70", "50", "25", "3", "0"], -1),
    ("1", "1e-6", "20", ["6", "12", "16", "20"], 1),
    ("1", "1e-6", "20", ["6"], 1),
    ("1/10", "1/100", "1/2", ["3"], 1),
    ("1/10", "1/100", "1/2", ["-2"], -1),
    ("3", "1/2", "-2", ["1/2"], 1),
    ("3", "1/2", "-2", ["-3"], -1),
    ("10/3", "1/100", "1000", ["3300", "3000", "1600", "0"], -1),
    ("10", "1/2", "1/2", ["49/10"], 1),  # the slope of log w still grows beyond the edge
    ("10", "1/2", "9/10", ["9/2"], 1),  # and w makes another peak there
    ("2", "1/2", "9/10", ["1"], -1),  # w is as large to the left
    ("1", "1/2", "2", ["3"], 1),
]


def omitted(c: Fraction, q: Fraction, p: Fraction, edge: Fraction, side: int, step: Fraction = STEP) -> arb:
    """h Σ φ w^p over nodes beyond ``edge``, the first next to it, as far as they count."""
    total = arb(0)
    for j in range(int((60 if abs(edge) < 60 else 5000) / step)):
        x = ball(edge + side * step * j)
        total += (ball(p) * mixture_loss(ball(c), ball(q), x) - x * x / 2).exp()
    return total * ball(step) / (2 * arb.pi()).sqrt()


def bound(c: str, q: str, p: str, edges: list[str], side: int, step: Fraction = STEP) -> arb:
    points = [ball(F(x)) for x in edges]
    return mixture_tail(ball(F(c)), ball(F(q)), ball(F(p)), points, side, ball(step))


@pytest.mark.parametrize("step", [F(1, 9), STEP, F(4)])
@pytest.mark.parametrize("case", CASES)
def test_the_bound_holds(case: tuple[str, str, str, list[str], int], step: Fraction) -> None:
    """With narrow steps an integral counts, with wide ones the first node."""
    c, q, p, edges, side = case
    with working(120):
        assert omitted(F(c), F(q), F(p), F(edges[0]), side, step) < bound(*case, step)


def test_cells_bound_well() -> None:
    """Chords lose little: at order 1000 the bound is e^{−300} of the mass, where the sum is e^{−437}."""
    with working(120):
        mass = omitted(F("10/3"), F("1/100"), F(1000), F(3000), 1).log()
        assert bound("10/3", "1/100", "1000", ["3300", "3000", "1600", "0"], -1).log() < mass - 300


@pytest.mark.parametrize(
    "case",
    [
        ("2", "1/10", "40", ["20", "40"], -1),  # inwards
        ("2", "1/10", "40", ["20", "20"], 1),
        ("2", "1/10", "-1", ["20", "40"], 1),  # w^p has no chord above it
    ],
)
def test_without_its_hypotheses_it_bounds_nothing(case: tuple[str, str, str, list[str], int]) -> None:
    with working(120):
        assert bound(*case) == arb.pos_inf()


@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("mixture_slope", lambda c, q, x: arb(100)),  # a line below the concave function
        ("normal_tail", lambda x: arb(0)),
        ("pairwise", lambda rows: ()),  # cells forgotten
    ],
)
def test_planted_errors_are_caught(name: str, plant: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemma, name, plant)
    with working(120):
        held = [
            omitted(F(c), F(q), F(p), F(e[0]), side) < bound(c, q, p, e, side) for c, q, p, e, side in CASES
        ]
    assert not all(held)
