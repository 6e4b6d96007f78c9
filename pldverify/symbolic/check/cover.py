"""The pieces and atoms of a derivation are the outcomes of its densities, each once."""

from itertools import pairwise

from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Kind, Obligation, State


def cover_obligations(formulas: Formulas, prover: Prover) -> list[Obligation]:
    """The regions do not overlap, and each is a chain of parts; no part is left over."""
    return [_apart(formulas.densities, prover), _covered(formulas, prover)]


def _apart(densities: Densities, prover: Prover) -> Obligation:
    """Every region begins where the one before it has ended, or later."""
    statement, step = "the regions follow each other", 1 if densities.is_integer else 0
    for before, after in pairwise(densities.regions):
        bounded = not before.upper.is_infinite and not after.lower.is_infinite
        gap = after.lower - before.upper - step if bounded else None
        if gap is None or prover.sign(gap) not in (0, 1):
            how = f"whether {after.lower} comes after {before.upper}"
            return Obligation(Kind.COVER, statement, State.FAILED, how)
    return Obligation(Kind.COVER, statement, State.PROVED, "signs of the differences of their ends")


def _bounded(region: Region) -> bool:
    return not region.lower.is_infinite and not region.upper.is_infinite


def _covered(formulas: Formulas, prover: Prover) -> Obligation:
    parts = [piece.region for piece in formulas.pieces] + [atom.region for atom in formulas.atoms]
    statement = "the pieces and atoms cover all outcomes once"
    step = 1 if formulas.densities.is_integer else 0
    backward = [r for r in parts if _bounded(r) and prover.sign(r.upper + step - r.lower) not in (0, 1)]
    if backward:
        how = f"whether {backward[0].upper} comes after {backward[0].lower}"
        return Obligation(Kind.COVER, statement, State.FAILED, how)
    missing = [region for region in formulas.densities.regions if not _chained(region, parts, step)]
    if missing or parts:
        how = f"{len(missing)} regions are not covered, {len(parts)} parts are in none"
        return Obligation(Kind.COVER, statement, State.FAILED, how)
    how = "each region is a chain of parts with its densities, none of which ends before it begins"
    return Obligation(Kind.COVER, statement, State.PROVED, how)


def _chained(region: Region, parts: list[Region], step: int) -> bool:
    """Take the parts from the lower to the upper end of ``region`` out of ``parts``."""
    point = None
    while point != region.upper:
        start = region.lower if point is None else point + step
        found = [r for r in parts if (r.lower, r.p, r.q) == (start, region.p, region.q)]
        if not found:
            return False
        parts.remove(found[0])
        point = found[0].upper
    return True
