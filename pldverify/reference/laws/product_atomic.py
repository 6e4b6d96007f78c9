r"""Loss of several mechanisms with finitely many outcomes each: their product, one law.

Of k copies of a law with outcomes i the outcomes with the same numbers :math:`j_1 + j_2 + \dots = k` of each
are one, of mass :math:`\binom{k}{j_1, j_2, \dots} \prod p_i^{j_i}` under P, and likewise under Q.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from pldverify.balls import arb
from pldverify.balls.clock import paced
from pldverify.errors import NotSupported
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome

MAX_OUTCOMES = 5_000
"""Cap on the outcomes."""


@dataclass(frozen=True)
class ProductAtomicLaw(AtomicLaw):
    """``factors``: (law, count)."""

    factors: tuple[tuple[AtomicLaw, int], ...]

    @property
    def infinite_mass(self) -> Fraction:
        """Of laws whose δ_∞ is rational."""
        return 1 - prod(((1 - law.infinite_mass) ** k for law, k in self.factors), start=Fraction(1))  # type: ignore[return-value]

    def _outcomes(self) -> list[Outcome]:
        tables = [(law.outcomes(), k) for law, k in self.factors]
        size = prod(comb(k + len(rows) - 1, k) for rows, k in tables)
        if size > MAX_OUTCOMES:
            raise NotSupported(f"mechanisms on one sample: {size} outcomes (cap {MAX_OUTCOMES})")
        found = [Outcome(arb(1), arb(1))]
        for rows, k in tables:
            more = list(_powers(rows, k))
            found = [Outcome(a * p, b * q) for a, b, _ in paced(found) for p, q, _ in more]
        return found


def _powers(rows: list[Outcome], k: int) -> Iterator[Outcome]:
    """All numbers of each outcome that sum to ``k``."""
    (first, second, _), *rest = rows
    if not rest:
        yield Outcome(first**k, second**k)
        return
    for j in range(k + 1):
        for p, q, _ in _powers(rest, k - j):
            yield Outcome(comb(k, j) * first**j * p, comb(k, j) * second**j * q)
