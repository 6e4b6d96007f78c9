"""All faulty accountants by name."""

from pldverify.testing.zoo import (
    behaviour,
    calibrations,
    directions,
    filters,
    formulas,
    grid,
    numerics,
    parameters,
    steps,
)
from pldverify.testing.zoo.mutant import Mutant

_CAGES = (steps, parameters, directions, numerics, behaviour, formulas, calibrations, grid, filters)

MUTANTS: dict[str, Mutant] = {mutant.name: mutant for cage in _CAGES for mutant in cage.MUTANTS}
