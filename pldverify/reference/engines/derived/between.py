"""What several statements about one question prove together."""

from dataclasses import dataclass

from pldverify.balls import arb
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss


@dataclass(frozen=True)
class Between(Proved):
    """The intersection of the ``parts``, the leading one first."""

    parts: tuple[Proved, ...]

    @property
    def engine(self) -> str:
        return self.parts[0].engine

    @property
    def about(self) -> ComposedLoss:
        return self.parts[0].about

    @property
    def question(self) -> tuple[str, Bound]:
        return self.parts[0].question

    def prove(self) -> tuple[Bound, Bound]:
        if len({(part.about, part.question) for part in self.parts}) != 1:
            raise NoConvergence("between: not one question about one loss")
        ends = [part.prove() for part in self.parts]
        low, high = max(low for low, _ in ends), min(high for _, high in ends)
        if low > high:
            raise OracleDisagreement(f"two statements exclude each other: {low} > {high}")
        return low, high

    def errors(self) -> dict[str, arb]:
        return self.parts[0].errors()


def between(*parts: Proved) -> Proved:
    """One statement of several, each but once."""
    different = tuple(dict.fromkeys(parts))
    return different[0] if len(different) == 1 else Between(different)
