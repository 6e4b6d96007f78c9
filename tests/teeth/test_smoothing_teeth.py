"""Planted errors in the smoothing engine, and parameters so poor that the term in question counts.

Every check passes for the honest line first. The truths are sums over all outcomes.
"""

import cmath
import math
from fractions import Fraction
from itertools import product as choices
from typing import Any

import pytest

from pldverify.balls.ball import lower, upper
from pldverify.reference.engines.inversion import smoothing
from pldverify.reference.laws import tilted_atoms
from pldverify.reference.laws.tilted_atoms import TiltedAtoms
from tests.teeth.planted import Plant, planted
from tests.unit.reference.engines.inversion.test_smoothing import (
    FIRST,
    PAIR,
    SECOND,
    by_hand,
    enumerated,
    law,
)

ATOM = Fraction("0.916290732")  # log(5/2)
LOSSES = [(float(p), math.log(p / q)) for p, q in zip(FIRST, SECOND, strict=True)]
RASH = {"log_delta": Fraction(9), "log_density": Fraction(9)}


def holds(module: Any, k: int, epsilon: Fraction, **parameters: Any) -> bool:
    value = module.Smoothing(law(k * PAIR), "delta", by_hand(**parameters)).value(epsilon)
    return bool(lower(value) <= enumerated(FIRST, SECOND, k, epsilon) <= upper(value))


@pytest.mark.parametrize(
    ("plant", "k", "epsilon", "parameters"),
    [
        pytest.param(("(v * (v / 8)", "(v / 3 * (v / 8)"), 1, ATOM, {}, id="a third of the smoothing error"),
        pytest.param(
            ("2 * arb.pi() / ball(p.step)", "2000 * arb.pi() / ball(p.step)"),
            3,
            Fraction(1),
            {"step": Fraction(1)},
            id="no alias",
        ),
        pytest.param((" = size * 2 / (h * edge)", " = arb(0)"), 6, Fraction(1), {"strides": 2}, id="no rest"),
        pytest.param(
            ("_rest_delta += n * stride *", "_rest_delta += 0 *"), 6, Fraction(1), RASH, id="nothing skipped"
        ),
        pytest.param(
            ("_rest_delta += n * stride *", "_rest_delta += n *"),
            12,
            Fraction(3),
            {
                "log_delta": Fraction(-3),
                "log_density": Fraction(-3),
                "stride": 64,
                "step": Fraction(1, 32),
                "theta": Fraction(1, 4),
            },
            id="one node of each stride",
        ),
        pytest.param(("acb(1) / 2", "acb(1)"), 3, Fraction(1), {}, id="node 0 twice"),
        pytest.param(("(z * (z + 1) - start)", "(z * z - start)"), 3, Fraction(1), {}, id="noise of mean 0"),
    ],
)
def test_a_term_that_counts(plant: Plant, k: int, epsilon: Fraction, parameters: dict[str, Any]) -> None:
    assert holds(smoothing, k, epsilon, **parameters)
    assert not holds(planted(smoothing, plant), k, epsilon, **parameters)


def skipped(module: Any, k: int, **parameters: Any) -> bool:
    """Whether what all skipped nodes add to the density is within its bound, stride by stride."""
    p = by_hand(**{**RASH, "variance": Fraction(1, 1000), "share": Fraction(0), **parameters})
    engine = module.Smoothing(law(k * PAIR), "delta", p)
    chosen = {run.first + i for run, _ in engine._runs for i in range(run.count)}
    theta, v, h, total = float(p.theta), float(p.variance), float(p.step), 0.0
    mass = sum(m * math.exp(theta * x) for m, x in LOSSES)
    for j in set(range(p.nodes)) - chosen:
        u = j * h
        value = sum(m * cmath.exp(complex(theta, u) * x) for m, x in LOSSES)
        total += (abs(value) / mass) ** k * math.exp(-v * u * u / 2)
    edge = h * p.nodes
    beyond = math.exp(-v * edge * edge / 2) * (1 + 1 / (v * h * edge))
    return total <= float(engine._rest_density.upper()) - beyond


ALONE = ("_GROUP = 32", "_GROUP = 1")


@pytest.mark.parametrize(
    ("plant", "k", "parameters"),
    [
        pytest.param(
            (" ** 2 + rise).sqrt()", " ** 2).sqrt()"), 40, {"stride": 64, "strides": 25}, id="no rise inside"
        ),
        pytest.param(
            (".sqrt() + self.omitted", ".sqrt()"),
            5,
            {"stride": 8, "strides": 200, "share": Fraction(3, 10)},
            id="no omitted",
        ),
        pytest.param(
            ("left.max(right)", "left.min(right)"), 5, {"stride": 2, "strides": 800}, id="the lower end"
        ),
    ],
)
def test_bounds_between_nodes(
    plant: Plant, k: int, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = planted(smoothing, ALONE)
    assert skipped(alone, k, **parameters)
    monkeypatch.setattr(TiltedAtoms, "most", planted(tilted_atoms, plant).TiltedAtoms.most)
    assert not skipped(alone, k, **parameters)


@pytest.mark.parametrize(
    ("plants", "k", "parameters"),
    [
        pytest.param(
            [ALONE, ("log += k * size", "log += 2 * k * size")],
            5,
            {"stride": 2, "strides": 800},
            id="squared",
        ),
        pytest.param(
            [("biggest(most[i : i + n])", "-biggest(-x for x in most[i : i + n])")],
            5,
            {"stride": 2, "strides": 800},
            id="the least of a group",
        ),
    ],
)
def test_bounds_of_skipped_nodes(plants: list[Plant], k: int, parameters: dict[str, Any]) -> None:
    assert skipped(smoothing, k, **parameters)
    assert not skipped(planted(smoothing, *plants), k, **parameters)


def test_a_density_without_its_rest() -> None:
    """The bound of g_v − g holds the density, a sum of normal ones, though the nodes end early."""

    def enough(module: Any) -> bool:
        v, point, total = 1e-4, 0.55, 0.0
        engine = module.Smoothing(law(3 * PAIR), "delta", by_hand(strides=30))
        for outcomes in choices(LOSSES, repeat=3):
            gap = point - sum(x for _, x in outcomes) - v / 2
            total += math.prod(m for m, _ in outcomes) * math.exp(-gap * gap / (2 * v))
        density = total / math.sqrt(2 * math.pi * v)
        return bool(engine._smoothed(Fraction(11, 20)) >= v * math.exp(v / 8) * density * (1 - 1e-9))

    assert enough(smoothing)
    assert not enough(planted(smoothing, ("density += self._size(epsilon) * self._rest_density", "pass")))
