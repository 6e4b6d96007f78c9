r"""Any ρ-zCDP mechanism (Bun and Steinke 2016).

ρ-zero-concentrated differential privacy says :math:`D_\alpha \le \rho\alpha` for all α > 1. That bounds δ(ε)
but fixes no dominating pair: mechanisms with the same ρ have different δ(ε) (the Gaussian one with
:math:`\sigma^2 = 1/2\rho` is only one of them). So there is no exact δ(ε) to enclose; conversions give upper
bounds.

Ordered in ρ: what bounds all ρ-zCDP mechanisms bounds those of ρ' < ρ, which are some of them.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, positive, real


@dataclass(frozen=True)
class ZCDP(Mechanism, expression="zcdp", rises=("rho",)):
    """Some mechanism that is known to be ``rho``-zCDP. Raises InvalidInput unless rho > 0.

    Housing unit tables of the US Census of 2020: ρ = 0.07, reported as ε = 2.47 at δ = 1e-10.

    >>> print(pv.certify(pv.Query(pv.ZCDP(rho="0.07"), delta="1e-10"), epsilon="2.47").verdict)
    CERTIFIED
    """

    rho: Fraction

    tight_steps = 0  # there is no pair to attain

    def __init__(self, rho: Number) -> None:
        vars(self).update(rho=positive(rho, "rho", real))
