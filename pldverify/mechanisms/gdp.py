r"""Any μ-GDP mechanism (Dong, Roth, Su 2022).

μ-Gaussian differential privacy says that telling the neighbours apart is at least as hard as telling N(0, 1)
from N(μ, 1): by definition, the pair :math:`P = N(\mu, 1)`, :math:`Q = N(0, 1)` dominates, whatever the
adjacency. It is the Gaussian mechanism with σ = 1/μ. Symmetric.

Ordered in μ, as the Gaussian mechanism is in σ.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, positive, real


@dataclass(frozen=True)
class GDP(Mechanism, expression="gdp", rises=("mu",)):
    """Some mechanism that is known to be ``mu``-GDP. Raises InvalidInput unless mu > 0.

    As private as Gaussian noise of multiplier 1/μ, by definition:

    >>> pv.delta(pv.GDP(mu=2), epsilon=1).overlaps(pv.delta(pv.Gaussian(sigma="0.5"), epsilon=1))
    True
    """

    mu: Fraction

    def __init__(self, mu: Number) -> None:
        vars(self).update(mu=positive(mu, "mu", real))
