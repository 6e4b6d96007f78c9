r"""The substitute pair of KJH19 section 5.3 and KJH20s B.3, as printed.

:math:`P = q N(1, \sigma^2) + (1-q) N(0, \sigma^2)` and :math:`Q = q N(-1, \sigma^2) + (1-q) N(0, \sigma^2)`,
in units of the sensitivity. KJH19 prints it for a batch "randomly drawn … of size L", KJH20s for sampling
without replacement. It does not dominate there: when the changed record is not drawn another one is, and
with all others at −1 the data sets give :math:`q N(2) + (1-q) N(0)` against N(0), which beats it (proved in
tests/oracle/test_dominance.py). ``SampledWithoutReplacement`` is the pair for that sampling.

It is attained, with all other records at 0, so what it refutes is refuted; but what it proves holds for q = 1
alone. Under Poisson sampling, where nothing takes the place of a record that is not drawn, the same pair does
dominate: see ``PoissonSubsampled``. Symmetric.

Ordered in q and in the base's parameters, as the pair of Poisson sampling is.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.fixed_batch import FixedBatch
from pldverify.mechanisms.gaussian import Gaussian, a_gaussian
from pldverify.numbers.exact import Number, probability, real


@dataclass(frozen=True)
class KJH19Substitute(FixedBatch, expression="kjh19_substitute", rises=("q",)):
    """The printed pair for ``base`` and the sampling ratio ``q``; not a bound for fixed-size batches.

    Raises InvalidInput unless ``base`` is a Gaussian and 0 < q ≤ 1.

    What holds for the printed pair is no proof for the mechanism:

    >>> printed = pv.KJH19Substitute(pv.Gaussian(sigma=2), q="0.3")
    >>> printed.dominates
    False
    >>> print(pv.certify(pv.Query(printed, delta="1e-5"), epsilon="2.9").verdict)
    CONDITIONAL
    """

    base: Gaussian
    q: Fraction

    def __init__(self, base: Gaussian, q: Number) -> None:
        vars(self).update(base=a_gaussian(base), q=probability(q, "q", real, zero=False))

    @property
    def dominates(self) -> bool:
        """Only where every record is in the batch."""
        return self.q == 1
