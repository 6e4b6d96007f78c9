"""Evidence from derivations: what :mod:`pldverify.symbolic` proves or disproves of a printed formula."""

from dataclasses import dataclass
from functools import cache

from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.derivation import Derivation
from pldverify.symbolic.expression import derive_expression
from pldverify.symbolic.model.obligation import Obligation, State
from pldverify.theorems.record import Outcome, Verdict

MECHANISMS = {
    "binomial": "binomial(n=100, p=1/2)",
    "gaussian": "gaussian(sigma=2)",
    "response": "randomized_response(p=3/4)",
    "sampled": "poisson(gaussian(sigma=1), q=1/100)",
    "substitute": "kjh19_substitute(gaussian(sigma=1), q=1/100)",
    "with_replacement": "kjh20_with_replacement(gaussian(sigma=1), m=2, n=10)",
}
"""Mechanisms that the papers treat, by the name that rows use; parameters are symbols in the derivation."""


@dataclass(frozen=True)
class Obliged:
    """Evidence: the obligations of a derivation whose statement begins with one of ``says``.

    ``source`` must be part of an obligation's source. Parameters are symbols: a proof is for all of them.
    """

    expression: str
    says: tuple[str, ...]
    direction: Direction | None = None
    source: str = ""

    def obligations(self) -> list[Obligation]:
        """The obligations of this statement and source."""
        return [
            o
            for o in derivation(self.expression, self.direction).obligations
            if o.statement.startswith(self.says) and self.source in o.source
        ]

    def __call__(self) -> Outcome:
        """Runs it."""
        found = self.obligations()
        if not found:
            return Outcome(
                Verdict.NOT_CHECKABLE, f"{self.expression} has no obligation {self.says} {self.source}"
            )
        for o in found:
            if o.state is State.FAILED:
                verdict = Verdict.REFUTED if o.disproved else Verdict.NOT_CHECKABLE
                return Outcome(verdict, f"{o.statement}: {o.argument}")
        boxed = any(o.state is State.PROVED_ON_A_BOX for o in found)
        return Outcome(
            Verdict.ON_A_BOX if boxed else Verdict.PROVED,
            "; ".join(f"{o.statement}: {o.argument}" for o in found),
        )


@cache
def derivation(expression: str, direction: Direction | None) -> Derivation:
    """Derived once a process."""
    return derive_expression(expression, direction=direction)
