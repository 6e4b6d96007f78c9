r"""The obligations of a derivation, proved from the two densities and the formulas that it stores.

``obligations(forward, backward)`` takes the formulas of P‖Q and Q‖P. It restates loss, range, inverse,
Jacobian, ω, masses, atoms, total mass, δ(ε) and M(λ) from the densities and proves the stored formulas
equal. It calls nothing that produces a formula, so a wrong formula fails here, however it came about.
"""

from pldverify.symbolic.check.cover import cover_obligations
from pldverify.symbolic.check.delta import delta_obligations
from pldverify.symbolic.check.masses import atom_obligations, infinite_mass, piece_masses
from pldverify.symbolic.check.pieces import piece_obligations, tagged
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.check.reversal import reversal_obligations, transform_obligations
from pldverify.symbolic.check.total_mass import total_obligations
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.obligation import Obligation


def obligations(forward: Formulas, backward: Formulas) -> tuple[Obligation, ...]:
    """All obligations of P‖Q; ``backward`` holds the formulas of Q‖P."""
    densities = forward.densities
    prover = Prover(densities.domain)
    result = cover_obligations(forward, prover)
    for piece, tag in tagged(forward):
        result += piece_obligations(densities, piece, prover, tag)
        result += piece_masses(densities, piece, prover, tag)
    for atom in forward.atoms:
        result += atom_obligations(densities, atom, prover)
    result += [infinite_mass(forward, prover), *total_obligations(forward, prover)]
    result += delta_obligations(forward, prover)
    result += reversal_obligations(forward, backward, prover)
    result += transform_obligations(forward, backward, prover)
    return tuple(result)
