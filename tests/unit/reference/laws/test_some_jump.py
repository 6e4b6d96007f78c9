"""Steps of which some jump: against powers of whole steps; and with planted bugs."""

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.reference.laws import some_jump
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.search.cumulant import cumulant
from tests.teeth.planted import Plant, planted


def part(sigma: str, q: str, cut: str, width: str) -> SoftPart:
    return SoftPart(
        GaussianMixtureLaw(Fraction(sigma), Fraction(q), "remove"), Fraction(cut), Fraction(width), True
    )


RARE = (((part("1", "1e-5", "11", "0.1"), 1000),), Fraction(11), Fraction(3))
OFTEN = (((part("0.2", "0.1", "2", "0.2"), 30),), Fraction(1, 5), Fraction(1, 50))
MIXED = (
    ((part("1", "0.01", "3", "0.4"), 40), (part("2", "0.005", "3", "0.4"), 30)),
    Fraction(3),
    Fraction(1),
)
CASES = [RARE, OFTEN, MIXED]


def right(module: Any, case: Any) -> bool:
    """Whether Π M^k − Π N^k, taken at so many bits that nothing cancels, is in the balls."""
    parts, theta, step = case
    with working(90):
        line = module.SomeJump(parts).on_line(theta, step, 4)
    with working(600):
        whole, near = ([acb(1)] * 5 for _ in range(2))
        for one, k in parts:
            rest, law = one.rest().on_line(theta, step, 4), one.law.on_line(theta, step, 4)
            near = [a * b**k for a, b in zip(near, rest, strict=True)]
            whole = [a * b**k for a, b in zip(whole, law, strict=True)]
        truth = [a - b for a, b in zip(whole, near, strict=True)]
        assert all(value.real.rad() < abs(truth[0]) * arb("1e-30") for value in truth)
        assert all(value.real.rad() < abs(truth[0]) * arb("1e-15") for value in line)
        return all(a.overlaps(b) for a, b in zip(line, truth, strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_transform_is_a_difference_of_powers(case: Any) -> None:
    assert right(some_jump, case)


@pytest.mark.parametrize(
    ("case", "plant"),
    [
        (RARE, ("rise.expm1()", "rise")),
        (RARE, ("(k * (far / near).log1p()", "(k * (far / near)")),
        (OFTEN, ("(near + far, k) for near, far, k in rows", "(far, k) for near, far, k in rows")),
        (MIXED, ("total *= value**k", "total = value**k")),
    ],
)
def test_a_planted_error_is_caught(case: Any, plant: Plant) -> None:
    assert not right(planted(some_jump, plant), case)


def exceeded(module: Any, case: Any) -> bool:
    parts, theta, step = case
    law = module.SomeJump(parts)
    with working(90):
        line = law.on_line(theta, 5 * step, 20)
        decay = law.decay(theta)
        bounds = [decay.log_sup(5 * arb(step.numerator) / step.denominator * j) for j in range(1, 21)]
        assert bounds[-1] < -1  # it bounds something
        return any(
            (abs(value) / line[0].real).log() > bound for value, bound in zip(line[1:], bounds, strict=True)
        )


@pytest.mark.parametrize("case", CASES)
def test_no_frequency_exceeds_the_bound(case: Any) -> None:
    assert not exceeded(some_jump, case)


@pytest.mark.parametrize(
    "plant",
    [
        ("acb(far * lines.log_sup(u).exp())", "acb(far * (3 * lines.log_sup(u)).exp())"),
        ("most = [(acb(near), ", "most = [(acb(near / 2), "),
    ],
)
def test_a_planted_error_of_the_decay_is_caught(plant: Plant) -> None:
    assert any(exceeded(planted(some_jump, plant), case) for case in CASES)


@pytest.mark.parametrize("case", CASES)
def test_the_search_knows_the_cumulants(case: Any) -> None:
    parts, theta, _ = case
    law = some_jump.SomeJump(parts)
    h = Fraction(1, 1000)
    with working(120):
        low, here, high = (float(law.on_line(theta + h * j, h, 0)[0].real.log()) for j in (-1, 0, 1))
    value, slope, curvature = cumulant(law, float(theta))
    assert math.isclose(value, here, rel_tol=1e-6)
    assert math.isclose(slope, (high - low) / 2 / float(h), rel_tol=1e-3)
    assert math.isclose(curvature, (high - 2 * here + low) / float(h) ** 2, rel_tol=2e-2)
