"""Cumulants of laws with finitely many losses."""

from functools import lru_cache

from pldverify.balls.ball import working
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant, of_atoms


@cumulant.register
def atomic(law: AtomicLaw, theta: float) -> Cumulant:
    return of_atoms([(log_mass + theta * loss, loss) for log_mass, loss in _atoms(law)])


@lru_cache(maxsize=32)
def _atoms(law: AtomicLaw) -> list[tuple[float, float]]:
    """Log of the mass, and the loss."""
    with working(53):
        return [(float(atom.first.log().mid()), float(atom.loss.mid())) for atom in law.atoms()]
