"""Evidence from derivations: what :mod:`pldverify.symbolic` proves or disproves of a printed formula."""

from functools import cache

from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.derivation import Derivation
from pldverify.symbolic.expression import derive_expression
from pldverify.symbolic.model.obligation import State
from pldverify.theorems.record import Outcome, Run, Verdict

SAMPLED = "poisson(gaussian(sigma=1), q=1/100)"
GAUSSIAN = "gaussian(sigma=2)"
SUBSTITUTE = "kjh19_substitute(gaussian(sigma=1), q=1/100)"
WITH_REPLACEMENT = "kjh20_with_replacement(gaussian(sigma=1), m=2, n=10)"
RESPONSE = "randomized_response(p=3/4)"


def obliged(expression: str, *says: str, direction: Direction | None = None, source: str = "") -> Run:
    """What became of the obligations of a derivation whose statement begins with one of ``says``.

    ``source`` must be part of an obligation's source. Parameters are symbols: a proof is for all of them.
    """

    def run() -> Outcome:
        found = [
            o
            for o in derivation(expression, direction).obligations
            if o.statement.startswith(says) and source in o.source
        ]
        if not found:
            return Outcome(Verdict.NOT_CHECKABLE, f"{expression} has no obligation {says} {source}")
        for o in found:
            if o.state is State.FAILED:
                verdict = Verdict.REFUTED if o.disproved else Verdict.NOT_CHECKABLE
                return Outcome(verdict, f"{o.statement}: {o.argument}")
        boxed = any(o.state is State.PROVED_ON_A_BOX for o in found)
        return Outcome(
            Verdict.ON_A_BOX if boxed else Verdict.PROVED,
            "; ".join(f"{o.statement}: {o.argument}" for o in found),
        )

    return run


@cache
def derivation(expression: str, direction: Direction | None) -> Derivation:
    """Derived once a process."""
    return derive_expression(expression, direction=direction)
