"""Faulty calibrations: noise that is too little for an (ε, δ), and searches that end elsewhere."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

from pldverify.mechanisms import Gaussian, Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.testing.zoo.mutant import Answered, Asked, Cage, Spoiled, counts, each

MUTANTS = Cage()


class Calibration(Spoiled):
    """It has the noise that is enough, and nothing else."""

    asks: ClassVar[tuple[type[Query], ...]] = (NoiseQuery,)


def _answers(name: str, change: Answered) -> Calibration:
    return Calibration(name, answered=change)


def _asks(name: str, change: Asked) -> Calibration:
    return Calibration(name, asked=change)


@MUTANTS.made("noise", _answers)
def calibration_stops_early(value: float, query: Query) -> float:
    """The search for the noise ends at one decimal, below."""
    return math.floor(10 * value) / 10


@MUTANTS.made("rounding", _answers)
def noise_at_the_root(value: float, query: Query) -> float:
    """A root of δ(ε) − δ is returned, whichever side it lies on."""
    return value * (1 - 1e-10)


@MUTANTS.made("noise-range", _answers)
def bracket_of_noise_too_small(value: float, query: Query) -> float:
    """The noise is searched for up to 100."""
    return min(value, 100.0)


@MUTANTS.made("noise-steps", lambda name, change: _asks(name, counts(change)))
def calibration_loses_a_step(k: int) -> int:
    """The search for the noise composes one step less."""
    return k - 1


@MUTANTS.made("noise-sensitivity", lambda name, change: _asks(name, each(change)))
def noise_for_sensitivity_one(mechanism: Mechanism) -> Mechanism:
    """Noise is scaled by the sensitivity, and counted at 1."""
    return (
        replace(mechanism, sensitivity=Fraction(1))
        if isinstance(mechanism, Gaussian | Laplace)
        else mechanism
    )


@MUTANTS.made("tight", _answers)
def noise_doubled(value: float, query: Query) -> float:
    """Twice the noise that is enough: sound, and loose."""
    return 2 * value
