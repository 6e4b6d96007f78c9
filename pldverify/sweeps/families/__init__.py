"""Families of the built-in grids, a kind of mechanism a file: the settings where accountants break."""

from pldverify.sweeps.families import (
    calibration,
    choices,
    divergences,
    laws,
    mixed,
    responses,
    sampled,
    training,
)
from pldverify.sweeps.families.sized import Sized

FAMILIES: tuple[Sized, ...] = (
    *training.FAMILIES,
    *laws.FAMILIES,
    *sampled.FAMILIES,
    *responses.FAMILIES,
    *mixed.FAMILIES,
    *divergences.FAMILIES,
    *training.TRADE_OFFS,
    *calibration.FAMILIES,
    *choices.FAMILIES,
)
