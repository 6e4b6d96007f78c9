"""Random, poor and absurd exact parameters, handed to every engine: it refuses, or its value holds the truth.

An engine trusts no search. So whatever the parameters are, the value overlaps what another engine, or the
same with good parameters, encloses to 6 digits. Planted errors must be seen by the same questions.
"""

import os
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import lower, upper
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import settle
from pldverify.reference.engines.closed import atoms, parts, residues, threshold
from pldverify.reference.engines.convolution import grid
from pldverify.reference.engines.evaluator import ENGINES, Quantity, Work
from pldverify.reference.engines.inversion import (
    contour,
    lattice,
    slope,
    smoothing,
    truncated,
)
from pldverify.reference.engines.inversion.inversion_sum import InversionSum
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.law import HasFiniteAtoms
from pldverify.reference.lemmas.kernel import Kernel, Side

COUNT = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 60
Pick = random.Random
Drawn = tuple[ComposedLoss, Quantity, Any]
STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.2")
LAPLACE, RESPONSE = pv.Laplace(1), pv.RandomizedResponse("0.7")
PAIR = pv.FinitePair(["1/2", "1/3", "1/6"], ["1/5", "2/5", "2/5"])
WITHOUT = pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1")
EPSILONS = tuple(Fraction(text) for text in ("-0.7", "0", "0.3", "1.5", "4"))


@cache
def law(composition: pv.Composition, direction: str) -> ComposedLoss:
    return product(composition, direction)  # type: ignore[arg-type]


def either(pick: Pick, composition: Any) -> ComposedLoss:
    return law(as_composition(composition), pick.choice(["add", "remove"]))


def rational(pick: Pick, low: float, high: float) -> Fraction:
    return Fraction(pick.randint(int(low * 64), int(high * 64)), 64)


def bits(pick: Pick) -> int:
    return pick.choice([30, 35, 53, 64, 100])


def line(pick: Pick, most: float = 8) -> contour.Parameters:
    """Side, tilt, λ's, step and nodes that may contradict each other, and seldom do."""
    side: Side = pick.choice(["upper", "lower", "beyond"])
    if pick.random() < 0.1:  # whatever comes
        theta, below, above = (rational(pick, -2, most) for _ in range(3))
    elif side == "upper":
        theta = rational(pick, 0.1, most)
        below, above = Fraction(0), theta + rational(pick, 0.1, most)
    elif side == "beyond":
        theta = -1 - rational(pick, 0.1, most)
        below, above = theta - rational(pick, 0.1, most), Fraction(-1)
    else:
        theta, below, above = -rational(pick, 0.1, 0.9), Fraction(-1), Fraction(0)
    step = rational(pick, 0.05, 3) if pick.random() < 0.95 else rational(pick, -1, 0)
    return contour.Parameters(side, theta, below, above, step, pick.randint(0, 25), bits(pick))


def draw_threshold(pick: Pick) -> Drawn:
    mechanism = pick.choice([STEP, LAPLACE, RESPONSE, PAIR, pv.Gaussian(2)])
    return either(pick, mechanism), pick.choice(["delta", "tail"]), threshold.Parameters(bits(pick))


def draw_residues(pick: Pick) -> Drawn:
    steps = pick.choice([3 * LAPLACE, 9 * pv.Laplace(2) + LAPLACE])
    return either(pick, steps), pick.choice(["delta", "tail"]), residues.Parameters(bits(pick))


def draw_atoms(pick: Pick) -> Drawn:
    loss = either(pick, 3 * PAIR + 2 * RESPONSE)
    rows = [(factor, k) for factor, count in loss.factors for k in (1,) * count]
    pick.shuffle(rows)
    if pick.random() < 0.2:
        rows = rows[1:]  # not the composition
    at = pick.randint(0, len(rows))
    outer, inner = (ComposedLoss.of(tuple(part)).factors for part in (rows[:at], rows[at:]))
    return loss, pick.choice(["delta", "tail"]), atoms.Parameters(outer, inner, bits(pick))


def draw_parts(pick: Pick) -> Drawn:
    """Responses beside one step, or one of two steps in cells."""
    quantity: Quantity = pick.choice(["delta", "tail"])
    if pick.random() < 0.5:
        loss = either(pick, 3 * RESPONSE + STEP)
        rows = sorted(loss.factors, key=lambda row: isinstance(row[0], HasFiniteAtoms))
        cuts: list[Fraction] = []
    else:
        loss = either(pick, pick.choice([2 * STEP, STEP + LAPLACE, LAPLACE + pv.Gaussian(2)]))
        rows = [(factor, 1) for factor, k in loss.factors for _ in range(k)]
        quantity = "delta" if pick.random() < 0.8 else quantity
        cuts = sorted(rational(pick, -3, 5) for _ in range(pick.randint(1, 20)))
    asked: Quantity = quantity if pick.random() < 0.9 else "tail"
    rest = Work("threshold", ComposedLoss((rows[0],)), asked, threshold.Parameters(bits(pick)))
    kept = tuple(rows[1:]) if pick.random() < 0.9 else ()
    return loss, quantity, parts.Parameters(kept, rest, tuple(cuts), pick.randint(0, 9), bits(pick))


def draw_lattice(pick: Pick) -> Drawn:
    start, nodes = line(pick), pick.randint(0, 30)
    period = pick.choice([2 * nodes + 1, pick.randint(1, 61)])
    parameters = lattice.Parameters(
        start.side, start.theta, start.below, start.above, period, nodes, bits(pick)
    )
    steps = pick.choice([9 * RESPONSE, 4 * pv.DiscreteLaplace(2, sensitivity=3)])
    return either(pick, steps), pick.choice(["delta", "tail"]), parameters


def draw_contour(pick: Pick) -> Drawn:
    steps = pick.choice(
        [
            20 * STEP,
            12 * pv.Gaussian(6) + STEP,
            3 * pv.Gaussian(2) + 4 * LAPLACE,
            9 * RESPONSE,
            3 * pv.BallsAndBins(pv.Gaussian(1), batches=5) + pv.ApproximateDP("0.3", "0.1"),
        ]
    )
    return either(pick, steps), pick.choice(["delta", "tail"]), line(pick)


def draw_truncated(pick: Pick) -> Drawn:
    loss = law(pick.choice([2 * STEP, 20 * STEP]), "remove")
    many = line(pick) if pick.random() < 0.8 else None
    cuts = (rational(pick, -3, 9),)
    return loss, "delta", truncated.Parameters(cuts, many, rational(pick, -2, 12), bits(pick))


def draw_smoothing(pick: Pick) -> Drawn:
    start = line(pick)
    parameters = smoothing.Parameters(
        start.side,
        start.theta,
        start.below,
        start.above,
        Fraction(1, 10 ** pick.randint(0, 5)),
        start.step,
        pick.choice([0, 1, 2, 3, 8, 32]),
        pick.randint(0, 30),
        pick.choice([Fraction(0), Fraction(1, 20), Fraction(2, 5), Fraction(2)]),
        bits(pick),
        rational(pick, -30, 9),
        rational(pick, -30, 9),
    )
    return either(pick, pick.choice([5 * PAIR, 9 * RESPONSE])), "delta", parameters


def draw_slope(pick: Pick) -> Drawn:
    loss = either(pick, 20 * STEP)
    other = loss if pick.random() < 0.9 else law(19 * STEP, "remove")
    delta = Work("contour", other, "delta", line(pick))
    return loss, "tail", slope.Parameters(delta, rational(pick, -0.2, 2), bits(pick))


def draw_grid(pick: Pick) -> Drawn:
    loss = either(pick, pick.choice([2 * STEP, 3 * LAPLACE, 2 * LAPLACE + RESPONSE]))
    return loss, "delta", cells_of(pick, loss)


def cells_of(pick: Pick, loss: ComposedLoss) -> grid.Parameters:
    """Of a grid for each law, in windows that may be anywhere."""
    cells, bits_of_integers = [], pick.choice([0, 0, 0, 0, 64, 300])
    for _ in loss.factors:
        edges = sorted(pick.sample(range(-60, 60), pick.randint(2, 30)))
        if pick.random() < 0.05:
            edges.reverse()
        cut = pick.choice([None, None, pick.randint(-60, 60)]) if not bits_of_integers else None
        cells.append(grid.Cells(tuple(edges), rational(pick, -3, 3), cut))
    step = rational(pick, 0.02, 0.5) if pick.random() < 0.95 else Fraction(0)
    theta = rational(pick, -1 if pick.random() < 0.1 else 0, 600 if bits_of_integers == 64 else 6)
    below, above = theta - rational(pick, -0.1, 5), theta + rational(pick, -0.1, 5)
    size = pick.randint(0, 9)
    top, near = rational(pick, -0.1, 5), rational(pick, -0.1, 5)
    first = pick.randint(-300, 60)
    tilts = below, above, top, near
    return grid.Parameters(theta, step, tuple(cells), first, size, *tilts, bits_of_integers)


DRAWS: dict[str, Callable[[Pick], Drawn]] = {
    "threshold": draw_threshold,
    "residues": draw_residues,
    "atoms": draw_atoms,
    "parts": draw_parts,
    "lattice": draw_lattice,
    "contour": draw_contour,
    "truncated": draw_truncated,
    "smoothing": draw_smoothing,
    "slope": draw_slope,
    "grid": draw_grid,
}


@cache
def truth(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction) -> Enclosure | None:
    """δ_∞ included; None where no engine knows."""
    try:
        return settle(loss, quantity, epsilon, 6).enclosure
    except NoConvergence:
        return None


def answers(name: str, count: int = COUNT) -> tuple[int, list[str]]:
    """How many questions were answered, and which of them wrongly."""
    pick, answered, wrong = random.Random(name), 0, []
    for _ in range(count):
        loss, quantity, parameters = DRAWS[name](pick)
        epsilon = pick.choice(EPSILONS)
        try:
            value: arb = ENGINES[name](loss, quantity, parameters).value(epsilon) + loss.infinite_mass()
        except (NoConvergence, NotSupported):
            continue
        except OracleDisagreement as contradiction:
            wrong.append(f"{contradiction}: {parameters}")
            continue
        known = truth(loss, quantity, epsilon)
        answered += 1
        if known is not None and not (lower(value) <= known.upper and known.lower <= upper(value)):
            wrong.append(f"{quantity}({epsilon}) = {known!r}, not {value}: {parameters}")
    return answered, wrong


def test_every_engine_is_drawn() -> None:
    assert set(DRAWS) == set(ENGINES)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", DRAWS)
def test_poor_parameters_cost_width_and_never_truth(name: str) -> None:
    answered, wrong = answers(name)
    assert wrong == []
    assert answered >= COUNT // 6


def cut_of_a_thousandth(patch: pytest.MonkeyPatch) -> None:
    errors = InversionSum._errors

    def less(self: InversionSum, epsilon: Fraction) -> tuple[arb, arb]:
        cut, alias = errors(self, epsilon)
        return cut / 1000, alias

    patch.setattr(InversionSum, "_errors", less)


def no_alias(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Kernel, "aliases", lambda *_: [])


def nothing_comes_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(grid.Grid, "_come_back", lambda self, start: arb(0))


def cells_as_narrow_as_their_means(patch: pytest.MonkeyPatch) -> None:
    convex = parts._convex
    patch.setattr(parts, "_convex", lambda *of: convex(*of).lower())


def no_lower_end(patch: pytest.MonkeyPatch) -> None:
    enclosed = parts.enclosed
    patch.setattr(parts, "enclosed", lambda *of: enclosed(*of).upper())


def nothing_recovered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(truncated.Truncated, "_recovered", lambda self, epsilon: arb(0))


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("contour", cut_of_a_thousandth),
        ("contour", no_alias),
        ("lattice", no_alias),
        ("parts", cells_as_narrow_as_their_means),
        ("parts", no_lower_end),
        ("truncated", cut_of_a_thousandth),
        ("truncated", nothing_recovered),
        ("smoothing", cut_of_a_thousandth),
        ("smoothing", no_alias),
        ("slope", cut_of_a_thousandth),
        ("grid", nothing_comes_back),
    ],
)
def test_planted_errors_are_seen(name: str, plant: Callable[[pytest.MonkeyPatch], None]) -> None:
    answers(name, 60)  # the truths, honestly
    forget()
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        _, wrong = answers(name, 60)
    forget()
    assert wrong
