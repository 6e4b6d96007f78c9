"""Atoms: losses that have a mass, where δ(ε) has a kink."""

import math
from fractions import Fraction

from pldverify.mechanisms import (
    ApproximateDP,
    DiscreteLaplace,
    GroupDP,
    Laplace,
    PureDP,
    RandomizedResponse,
)
from pldverify.mechanisms.mechanism import Composition, Mechanism


def atoms(composition: Composition) -> list[Fraction]:
    """The largest loss of each mechanism that is known in a formula, and that of all its steps.

    The loss of a response is no fraction; the double next to it stands for it.

    >>> atoms(3 * pv.Laplace(2) + pv.Gaussian(1))
    [Fraction(1, 2), Fraction(3, 2)]
    """
    found = []
    for mechanism, steps in composition.parts:
        loss = _largest(mechanism)
        found += [] if loss is None else [loss, steps * loss]
    return list(dict.fromkeys(found))


def _largest(mechanism: Mechanism) -> Fraction | None:
    match mechanism:
        case Laplace(b, size) | DiscreteLaplace(b, size):
            return Fraction(size) / b
        case PureDP(epsilon) | ApproximateDP(epsilon, _):
            return epsilon
        case GroupDP(epsilon, 0, m):
            return m * epsilon
        case RandomizedResponse(p, categories=2) if 0 < p < 1 and 2 * p != 1:
            return Fraction(abs(math.log(p / (1 - p))))
    return None
