r"""δ(ε) from a composition that dominates this one, or is dominated: like steps counted together.

**Statement.** Let :math:`P_{\sigma,q} = (1 - q) N(0, \sigma^2) + q N(1, \sigma^2)`, :math:`Q_\sigma = N(0,
\sigma^2)`. If σ' ≤ σ and q' ≥ q, the pair :math:`(P_{\sigma',q'}, Q_{\sigma'})` dominates
:math:`(P_{\sigma,q}, Q_\sigma)`, in both directions. If every step of one composition has its own step in
another one that dominates it, and there are no more, δ(ε) of the first is at most that of the second, at
every ε. Random allocation is dominated by its base, as the step may be revealed: by joint convexity
(:mod:`pldverify.mechanisms.balls_and_bins`), H given the step is that of the base, whichever it is.

Proof: one Markov kernel maps both measures of the first pair to those of the second. Add independent
N(0, σ² − σ'²): that makes P_{σ,q'} and Q_σ of them. Then keep the outcome with probability q/q', else draw
another one from Q_σ: Q_σ stays what it is, and

.. math:: \tfrac{q}{q'}\bigl((1-q') N(0,\sigma^2) + q' N(1,\sigma^2)\bigr)
          + \bigl(1 - \tfrac{q}{q'}\bigr) N(0,\sigma^2) = P_{\sigma,q} .

The kernels of the steps together are a kernel of the composition; hockey-stick divergences do not grow under
one (data processing).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss, Proved
from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Law


@dataclass(frozen=True)
class Dominated(OfLoss):
    """δ(ε) is at most (``side`` upper) or at least (lower) what ``part`` proves of another loss.

    ``places[i]``: index, in the other loss, of the law that replaces law i of ``loss``.
    """

    places: tuple[int, ...]
    part: Proved
    side: Literal["upper", "lower"]

    asks = "delta"

    @property
    def engine(self) -> str:
        return self.part.engine

    def prove(self) -> tuple[Bound, Bound]:
        others = self.part.about.factors
        left = [k for _, k in others]
        if len(self.places) != len(self.loss.factors) or not set(self.places) <= set(range(len(others))):
            raise NoConvergence("dominated: not a place for each law")
        for (law, k), place in zip(self.loss.factors, self.places, strict=True):
            other = others[place][0]
            more, less = (other, law) if self.side == "upper" else (law, other)
            if not dominates(more, less):
                raise NoConvergence(f"dominated: {more} is not known to dominate {less}")
            left[place] -= k
        if any(left) or self.part.question != self.question:
            raise NoConvergence("dominated: not the same δ(ε) of as many steps")
        low, high = self.part.prove()
        return (Fraction(0), high) if self.side == "upper" else (low, Fraction(1))


def dominates(more: Law, less: Law) -> bool:
    """Whether the pair behind ``more`` is known to dominate that behind ``less``."""
    if isinstance(more, GaussianLaw) and isinstance(less, AllocationLaw):
        return more.variance * less.noise_multiplier**2 >= 1
    if not (isinstance(more, GaussianMixtureLaw) and isinstance(less, GaussianMixtureLaw)):
        return more == less
    rising = more.noise_multiplier <= less.noise_multiplier and more.q >= less.q
    return rising and more.direction == less.direction
