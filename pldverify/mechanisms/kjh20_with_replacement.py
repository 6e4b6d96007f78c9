r"""The with-replacement pair of KJH20s B.4, as printed in (B.8).

:math:`P = \sum_\ell b_\ell N(\ell, \sigma^2)`, :math:`Q = \sum_\ell b_\ell N(-\ell, \sigma^2)`, ℓ ~ Bin(m,
1/n), in units of the sensitivity. (The text above (B.8) prints the second factor of :math:`b_\ell` as
:math:`(1/n)^{m-\ell}`; (B.8) itself has :math:`(1 - 1/n)^{m-\ell}`.) It does not dominate: the draws that
are not the changed record are other records, and with all others at −1 the data sets give :math:`\sum_\ell
b_\ell N(2\ell)` against N(0), which beats it at large ε (proved in tests/oracle/test_dominance.py).
``SampledWithReplacement`` is the pair to use. It is attained, with all other records at 0, so what it refutes
is refuted; what it proves is not. Symmetric.

Ordered in the base's parameters: independent noise, added to both, turns the pair of σ into that of a larger
σ.
"""

from dataclasses import dataclass

from pldverify.mechanisms.fixed_batch import FixedBatch, records
from pldverify.mechanisms.gaussian import Gaussian, a_gaussian
from pldverify.numbers.exact import Number, count

MAX_PRINTED_BATCH = 1000
"""Cap on m: the loss and its inverse need all m + 1 components."""


@dataclass(frozen=True)
class KJH20WithReplacement(FixedBatch, expression="kjh20_with_replacement"):
    """The printed pair for ``base``, batch size ``m`` and ``n`` records; not a bound.

    Raises InvalidInput unless ``base`` is a Gaussian, m an integer from 1 to 1000, n an integer from 2.

    >>> printed = pv.KJH20WithReplacement(pv.Gaussian(sigma=2), m=2, n=10)
    >>> printed.dominates
    False
    """

    base: Gaussian
    m: int
    n: int

    dominates = False  # with all other records at −1 the data sets have a greater δ

    def __init__(self, base: Gaussian, m: Number, n: Number) -> None:
        vars(self).update(base=a_gaussian(base), m=count(m, "m", cap=MAX_PRINTED_BATCH), n=records(n))
