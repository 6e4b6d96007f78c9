r"""Total masses of P and Q, from the densities alone.

From the masses of the parts, where all are known; finitely many integers are written out; else by a rule of
:mod:`pldverify.symbolic.check.total_rules`. What is left is enclosed by rigorous quadrature if there are no
parameters, which is no proof of 1 and is not called one.
"""

import sympy as sp

from pldverify.balls import ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.symbolic.check.measure import ROUGHEST_TOTAL, TOTAL_BITS, total_mass
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.check.total_rules import RULES
from pldverify.symbolic.model.densities import Densities
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Kind, Obligation, State

ONE = sp.Integer(1)


def total_obligations(formulas: Formulas, prover: Prover) -> list[Obligation]:
    """∫ω = 1 − δ_∞, which with the atoms says that P (and Q) have total mass 1."""
    return [
        _total(formulas, index, f"{claim} ({name} has total mass 1)", prover)
        for index, name, claim in ((0, "P", "∫ω = 1 − δ_∞"), (1, "Q", "∫e^(−s) ω(s) ds = Q(p > 0)"))
    ]


def _total(formulas: Formulas, index: int, statement: str, prover: Prover) -> Obligation:
    densities = formulas.densities
    known = [piece.masses for piece in formulas.pieces]
    if all(masses is not None for masses in known):
        parts = [(atom.p, atom.q)[index] for atom in formulas.atoms]
        parts += [masses[index] for masses in known if masses is not None]
        return prover.equal(statement, sp.Add(*parts), ONE, kind=Kind.TOTAL_MASS)
    pairs = [(region, (region.p, region.q)[index]) for region in densities.regions]
    written = [densities.outcome(region).terms(density) for region, density in pairs]
    if all(written):
        terms = [term for row in written for term in row]
        return prover.equal(statement, sp.Add(*terms), ONE, kind=Kind.TOTAL_MASS)
    for rule in RULES:
        how = rule(densities, pairs, prover)
        if how is not None:
            return Obligation(Kind.TOTAL_MASS, statement, State.PROVED, how)
    return _enclosed(densities, index, statement)


def _enclosed(densities: Densities, index: int, statement: str) -> Obligation:
    with ctx.workprec(TOTAL_BITS):
        enclosed = None if densities.domain.intervals else total_mass(densities, index)
    if enclosed is None or not surely_less(enclosed.rad(), ball(ROUGHEST_TOTAL)):
        how = "no antiderivative of known form"
        return Obligation(Kind.TOTAL_MASS, statement, State.FAILED, how)
    if not enclosed.contains(1):
        how = f"it is {enclosed.str(20)}"
        return Obligation(Kind.TOTAL_MASS, statement, State.FAILED, how, disproved=True)
    how = f"it is {enclosed.str(20)}, by rigorous quadrature; enclosures carry what is left"
    return Obligation(Kind.TOTAL_MASS, statement, State.PROVED_ON_A_BOX, how)
