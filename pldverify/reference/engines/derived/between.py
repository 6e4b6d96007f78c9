"""What several statements about one question prove together."""

from dataclasses import dataclass

from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfParts, Proved


@dataclass(frozen=True)
class Between(OfParts):
    """The intersection of the ``parts``, the leading one first."""

    parts: tuple[Proved, ...]

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


def between(*parts: Proved) -> Proved:
    """One statement of several, each but once. Raises NoConvergence where there is none."""
    different = tuple(dict.fromkeys(parts))
    if not different:
        raise NoConvergence("between: nothing is proved")
    return different[0] if len(different) == 1 else Between(different)
