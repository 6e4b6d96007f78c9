r"""The moments accountant (Abadi et al. 2016): log moments :math:`\alpha(\lambda)` of the loss at λ = 1, …,
32.

:math:`\alpha(\lambda) = \lambda\,D_{\lambda+1}`, additive under composition (Theorem 2.1), and
:math:`\delta = \min_\lambda e^{\alpha(\lambda)-\lambda\varepsilon}` (Theorem 2.2; KH21 (A.1)). It is the
Rényi accountant over integer orders λ + 1 with Mironov's conversion.
"""

from dataclasses import dataclass
from typing import ClassVar

from pldverify.accountants.rdp import RDPMironov


@dataclass(frozen=True)
class Moments(RDPMironov):
    """The moments accountant of Abadi et al. 2016, with λ up to 32 as in their experiments.

    Attributes:
        orders: λ + 1.
    """

    orders: tuple[float, ...] = tuple(range(2, 34))

    name: ClassVar[str] = "moments"
