"""Calibration: the smallest noise, or the most sampling or steps, that keep δ(ε) ≤ δ, on a stated grid."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Mechanism
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import MAX_COUNT, positive, probability, rational, show
from pldverify.reference.delta import delta as delta_of

Parameter = Literal["sigma", "q", "steps"]

_DIGITS = (3, 6, 12, 25, 50)
"""Digits of δ(ε) until it is told from the target."""


@dataclass(frozen=True)
class Calibration:
    """Two neighbouring grid points, one on each side of the target.

    Attributes:
        value: the parameter that passes.
        passes: δ(ε) at ``value``; its upper end is at most the target.
        fails: δ(ε) at the next grid point of less privacy; its lower end exceeds the target. None where
            ``value`` is the last grid point of the range.
    """

    value: Fraction
    passes: Enclosure
    fails: Enclosure | None


def calibrate(
    build: Callable[[Fraction], Composition | Mechanism],
    *,
    parameter: Parameter,
    epsilon: object,
    delta: object,
    low: object,
    high: object,
    resolution: object,
    adjacency: Adjacency | None = None,
) -> Calibration:
    """The smallest ``sigma``, or the largest ``q`` or ``steps``, with a proof of δ(``epsilon``) ≤ ``delta``.

    Args:
        build: the composition at an exact value of the parameter (for ``steps`` an integer).
        parameter: which way privacy improves: up with ``sigma``, down with ``q`` and ``steps``.
        epsilon: in nats.
        delta: the target, 0 < delta < 1.
        low, high: ends of the range of the parameter, > 0.
        resolution: the candidates are its multiples in [low, high], at most 10**12 of them.
        adjacency: as in :func:`pldverify.reference.delta`.

    What is proved: ``value`` passes, and its neighbour on the grid fails. That δ(ε) is monotone in the
    parameter only steers the bisection; it is what makes the value the best of the whole range.
    Raises InvalidInput, also where the most private candidate fails; NotSupported; NoConvergence where an
    enclosure of 50 digits contains the target. Each look at δ(ε) has its own budget of time.
    """
    eps, target = rational(epsilon, "epsilon"), probability(delta, "delta", zero=False, one=False)
    step = positive(resolution, "resolution")
    if parameter not in get_args(Parameter):
        raise InvalidInput(f"parameter must be one of {', '.join(get_args(Parameter))}, got {parameter!r}")
    if parameter == "steps" and step.denominator != 1:
        raise InvalidInput(f"resolution must be an integer for steps, got resolution={show(step)}")
    first = math.ceil(positive(low, "low") / step)
    last = math.floor(positive(high, "high") / step)
    if not 0 <= last - first < MAX_COUNT:
        raise InvalidInput(
            f"low and high must have 1 to {MAX_COUNT} multiples of resolution={show(step)} between them, got "
            f"{last - first + 1}"
        )

    def look(index: int) -> Enclosure:
        composition = as_composition(build(index * step))
        for digits in _DIGITS:
            value = delta_of(composition, epsilon=eps, adjacency=adjacency, digits=digits)
            if target not in value or value.upper == target:
                return value
        raise NoConvergence(
            f"calibrate: {len(_DIGITS)} looks of up to {_DIGITS[-1]} digits do not tell δ(ε) from "
            f"delta={show(target)} at {parameter}={show(index * step)}"
        )

    private, open_ = (last, first) if parameter == "sigma" else (first, last)
    passes = look(private)
    if passes.upper > target:
        raise InvalidInput(
            f"{parameter} must reach delta={show(target)} between low and high, got δ(ε) ≥ "
            f"{float(passes.lower):.6g} at {parameter}={show(private * step)}"
        )
    fails = look(open_) if open_ != private else passes
    if fails.upper <= target:
        return Calibration(open_ * step, fails, None)
    while abs(open_ - private) > 1:
        middle = (open_ + private) // 2
        value = look(middle)
        if value.upper <= target:
            private, passes = middle, value
        else:
            open_, fails = middle, value
    return Calibration(private * step, passes, fails)
