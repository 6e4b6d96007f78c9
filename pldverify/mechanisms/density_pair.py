r"""A pair of densities that a user wrote: regions of outcomes with one expression for each density.

Pair: P and Q with the given densities, on the reals or on the integers; it dominates what it is, a mechanism
whose outcome on two neighbouring data sets has these laws, or a post-processing of it. The two directions
differ in general. ``pldverify.symbolic.derive_pair(…).mechanism(…)`` makes one.
"""

from dataclasses import dataclass, field

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism

Region = tuple[str, str, str, str]
"""(lower, upper, p, q) as texts in sympy's ``srepr``."""


@dataclass(frozen=True)
class DensityPair(Mechanism):
    """Regions in increasing order with the densities on them, in the outcome ``symbol`` alone.

    Attributes:
        symbol: name of the outcome.
        regions: (lower, upper, p, q) each, sympy ``srepr`` texts.
        is_integer: whether the outcomes are integers.

        shown: the same for reading, if there is something better than the texts.

    Two pairs are equal if their texts are. Raises InvalidInput for no regions or a text that is empty.

    :func:`pldverify.derive_pair` makes one of two sympy densities:

    >>> import sympy as sp
    >>> t = sp.Symbol("t", real=True)
    >>> normal = sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi)
    >>> pair = pv.derive_pair(normal.subs(t, t - 1), normal, t).mechanism()
    >>> pair.symbol, pair.is_integer
    ('t', False)
    >>> float(pv.delta(100 * pair, epsilon=60)) == float(pv.delta(100 * pv.Gaussian(sigma=1), epsilon=60))
    True
    """

    symbol: str
    regions: tuple[Region, ...]
    is_integer: bool = False
    shown: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        vars(self).update(regions=tuple(tuple(region) for region in self.regions))
        if not self.regions:
            raise InvalidInput("regions must have at least one region, got none")
        for region in self.regions:
            if len(region) != 4 or not all(isinstance(text, str) and text for text in region):
                raise InvalidInput(f"regions must be (lower, upper, p, q) in texts, got {region!r}")

    def __str__(self) -> str:
        texts = "; ".join(f"{lower} to {upper}: {p} | {q}" for lower, upper, p, q in self.regions)
        shown = self.shown or texts
        return f"density_pair({self.symbol}{' integer' if self.is_integer else ''}; {shown})"
