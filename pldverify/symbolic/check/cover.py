"""The pieces and atoms of a derivation are the outcomes of its densities, each once."""

from pldverify.symbolic.model.densities import Region
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Kind, Obligation, State


def cover_obligation(formulas: Formulas) -> Obligation:
    """Every region of the densities is a chain of parts with the same p and q, and no part is left over."""
    parts = [piece.region for piece in formulas.pieces] + [atom.region for atom in formulas.atoms]
    missing = [region for region in formulas.densities.regions if not _chained(region, parts)]
    statement = "the pieces and atoms cover all outcomes once"
    if missing or parts:
        how = f"{len(missing)} regions are not covered, {len(parts)} parts are in none"
        return Obligation(Kind.COVER, statement, State.FAILED, how)
    return Obligation(
        Kind.COVER, statement, State.PROVED, "each region is a chain of parts with its densities"
    )


def _chained(region: Region, parts: list[Region]) -> bool:
    """Take the parts from the lower to the upper end of ``region`` out of ``parts``."""
    point = None
    while point != region.upper:
        start = region.lower if point is None else point
        found = [r for r in parts if (r.lower, r.p, r.q) == (start, region.p, region.q)]
        if not found:
            return False
        parts.remove(found[0])
        point = found[0].upper
    return True
