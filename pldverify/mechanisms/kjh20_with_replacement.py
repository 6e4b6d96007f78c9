r"""The with-replacement pair of KJH20s B.4, as printed in (B.8).

:math:`P = \sum_\ell b_\ell N(\ell, \sigma^2)`, :math:`Q = \sum_\ell b_\ell N(-\ell, \sigma^2)`, ℓ ~ Bin(m,
1/n), in units of the sensitivity. (The text above (B.8) prints the second factor of :math:`b_\ell` as
:math:`(1/n)^{m-\ell}`; (B.8) itself has :math:`(1 - 1/n)^{m-\ell}`.) It does not dominate: the draws that
are not the changed record are other records, and with all others at −1 the data sets give :math:`\sum_\ell
b_\ell N(2\ell)` against N(0), which beats it at large ε (proved in tests/oracle/test_dominance.py).
``SampledWithReplacement`` is the pair to use. It is attained, with all other records at 0, so what it refutes
is refuted; what it proves is not. Symmetric.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Relation
from pldverify.numbers.exact import Number, brief, count

MAX_PRINTED_BATCH = 1000
"""Cap on m: the loss and its inverse need all m + 1 components."""


@dataclass(frozen=True)
class KJH20WithReplacement(Mechanism, expression="kjh20_with_replacement"):
    """The printed pair for ``base``, batch size ``m`` and ``n`` records; not a bound.

    Raises InvalidInput unless ``base`` is a Gaussian, m an integer from 1 to 1000, n an integer from 2.
    """

    base: Gaussian
    m: int
    n: int

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(self, base: Gaussian, m: Number, n: Number) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.base, Gaussian):
            raise InvalidInput(f"base must be a Gaussian mechanism, got base={brief(self.base)}")
        object.__setattr__(self, "m", count(self.m, "m", cap=MAX_PRINTED_BATCH))
        object.__setattr__(self, "n", count(self.n, "n"))
        if self.n == 1:
            raise InvalidInput("n must be an integer from 2 to 1000000000000, got n=1")

    @property
    def dominates(self) -> bool:
        """Never: with all other records at −1 the data sets have a greater δ."""
        return False

    @property
    def relations(self) -> tuple[Relation, ...]:
        return ("replace-one",)

    def __str__(self) -> str:
        return f"kjh20_with_replacement({self.base}, m={self.m}, n={self.n})"
