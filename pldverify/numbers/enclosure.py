"""Enclosure: a proved interval around the true value.

Only ``reference/engines/conclude.py`` makes one, from a statement that ball arithmetic or exact rationals
prove; nothing else in the package converts into it. Arithmetic with enclosures gives plain intervals.
"""

from dataclasses import dataclass, field

from pldverify.errors import OracleDisagreement
from pldverify.numbers.interval import Interval
from pldverify.numbers.witness import Bound, Witness

__all__ = ["Bound", "Enclosure"]


@dataclass(frozen=True, repr=False)
class Enclosure(Interval):
    """The true value lies in [lower, upper]: a theorem, up to bugs.

    It is an :class:`~pldverify.numbers.interval.Interval`: what it computes, compares, shows and becomes says
    that class. Two enclosures are equal if their ends and engines are.

    Attributes:
        lower, upper: exact Fractions; ``math.inf`` stands for +∞.
        engine: the engine that proved it.
        witness: the exact parameters and error terms of the proof, for :func:`pldverify.prove_again`.
        provenance: why this engine and not the others, and which direction, to read; no part of the proof.
        two_sided: whether it encloses the mechanisms' own value, between two pairs or more, where the
            dominating pair is not attained; else it is of the pair.

    >>> import pldverify as pv
    >>> delta = pv.delta(1000 * pv.PoissonSubsampled(pv.Gaussian(2), "0.02"), epsilon=1)
    >>> delta < "0.0003", f"{delta:.5g}"
    (True, '0.00029926')
    >>> batches = 2 * pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1")
    >>> pv.bracket(batches, epsilon=1).two_sided, pv.delta(batches, epsilon=1).two_sided
    (True, False)
    >>> f"{1 - delta:.12f}"
    '0.999700735804'
    """

    engine: str
    witness: Witness | None = field(default=None, compare=False)
    provenance: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    two_sided: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise OracleDisagreement(f"empty enclosure: lower={self.lower} > upper={self.upper}")

    def explain(self) -> str:
        """Lines to read: the interval, who proved it and why that engine, its parameters and error terms.

        >>> import pldverify as pv
        >>> print(pv.delta(pv.Gaussian(1), epsilon=1, digits=5).explain().splitlines()[1])
        22 proved digits, engine: threshold
        """
        return "\n".join([self.decimal(), self.proof(), *self.details()])

    def proof(self) -> str:
        """How many digits are proved, and by which engine.

        >>> import pldverify as pv
        >>> pv.delta(pv.Gaussian(1), epsilon=1, digits=5).proof()
        '22 proved digits, engine: threshold'
        """
        digits = self.digits
        told = f"{digits} proved digit{'' if digits == 1 else 's'}" if digits else "both ends are proved"
        return f"{'exact' if self.width == 0 else told}, engine: {self.engine}"

    def details(self) -> list[str]:
        """What :meth:`explain` says after the interval and the engine.

        >>> import pldverify as pv
        >>> "direction: remove and add alike" in pv.delta(pv.Gaussian(1), epsilon=1).details()
        True
        """
        from pldverify.numbers.presentation import error_line

        line = error_line((self.lower, self.upper))
        return [*([line] if line else []), *(f"{name}: {text}" for name, text in self.notes())]

    def notes(self) -> list[tuple[str, str]]:
        """The provenance, then the parameters and error terms of the witness, by name, to read.

        >>> import pldverify as pv
        >>> dict(pv.delta(pv.Gaussian(1), epsilon=1).notes())["direction"]
        'remove and add alike'
        """
        from pldverify.numbers.witness_rows import rows

        return [*self.provenance, *(rows(self.witness) if self.witness is not None else ())]

    def __repr__(self) -> str:
        return f"Enclosure({self.decimal()}, digits={self.digits}, engine={self.engine!r})"

    def _repr_html_(self) -> str:
        from pldverify.numbers.markup import html

        return html([("value", self.decimal()), ("proof", self.proof())])
