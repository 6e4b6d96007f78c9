"""The only place where an Enclosure is made, from a statement that proves its ends."""

from collections.abc import Mapping

from pldverify.balls import arb
from pldverify.balls.ball import upper, working
from pldverify.balls.memory import forget
from pldverify.errors import InvalidInput
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.witness import Bound, Statement, Witness
from pldverify.reference import engines
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.together import by_themselves

_PREC = 64
"""Precision, in bits, at which a statement is asked; it sets what it needs, so any value is right."""


def conclude(statement: Statement, provenance: Mapping[str, str] | None = None) -> Enclosure:
    """The enclosure that ``statement`` proves, with its error terms and the ``provenance`` of the choice.

    Raises NoConvergence.
    """
    with working(_PREC):
        low, high = statement.prove()
        terms: dict[str, arb] = statement.errors() if isinstance(statement, Proved) else {}
        errors = tuple((name, upper(term)) for name, term in terms.items())
    return _made((low, high), Witness(statement, errors), provenance)


def look(statement: Statement, provenance: Mapping[str, str] | None = None) -> Enclosure:
    """:func:`conclude` without error terms, for an intermediate enclosure. Raises NoConvergence."""
    with working(_PREC):
        low, high = statement.prove()
    return _made((low, high), Witness(statement), provenance)


def _made(ends: tuple[Bound, Bound], witness: Witness, provenance: Mapping[str, str] | None) -> Enclosure:
    statement, notes = witness.statement, tuple((provenance or {}).items())
    return Enclosure(*ends, statement.engine, witness, notes, bool(getattr(statement, "two_sided", False)))


def prove_again(enclosure: Enclosure, *, fast: bool = True) -> Enclosure:
    """The same enclosure, proved from its witness alone: no search, nothing remembered of the first proof.

    Without ``fast`` nothing of ``reference/fast`` is used, which only saves time: the ends may then differ in
    their last digits, and a schedule of hundreds of laws takes minutes.

    Raises InvalidInput without a witness, NoConvergence where the witness proves nothing; without ``fast``
    also where a line needs too many nodes.

    >>> found = pv.delta(100 * pv.Gaussian(sigma=10), epsilon=1)
    >>> pv.prove_again(found) == found
    True
    """
    if not isinstance(enclosure, Enclosure) or enclosure.witness is None:
        raise InvalidInput("enclosure must have a witness to be proved again, got none")
    engines.load()
    forget()
    if fast:
        from pldverify.reference import fast as sooner

        sooner.load()
        return conclude(enclosure.witness.statement)
    with by_themselves():
        try:
            return conclude(enclosure.witness.statement)
        finally:
            forget()


def enclosed(lower: Bound, upper: Bound, name: str = "error budget", two_sided: bool = False) -> Enclosure:
    """An interval that a caller has proved in balls, without a witness: it can't be proved again."""
    return Enclosure(lower, upper, name, two_sided=two_sided)
