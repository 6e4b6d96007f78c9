r"""Approximate zCDP: what is ρ-zCDP but for an event of probability δ (Bun and Steinke 2016, Definition 8.1).

For all neighbours there are events E and E' of probability at least 1 − δ, given which the outputs have
:math:`D_\alpha \le \rho\alpha` for all α > 1, both ways.

**It is told as two mechanisms**, ρ-zCDP and (0, δ)-DP, of which everything known holds:

* *Above.* Thinned to exactly 1 − δ, the outputs are :math:`P = (1-\delta) P_E + \delta P'`, :math:`Q =
  (1-\delta) Q_E + \delta Q'`, also adaptively: at each step whatever came before. In a composition let m be
  the product of all 1 − δ_i, and P*, Q* that of all :math:`P_E, Q_E` and of the other mechanisms. For every
  set A

  .. math:: P(A) - e^\epsilon Q(A) \le 1 - m + m\,(P^*(A) - e^\epsilon Q^*(A)),

  so :math:`\delta(\epsilon) \le 1 - m + m\,\delta^*(\epsilon)`: that of the composition in which each of
  these steps shows plainly who it was with probability δ_i, and else is ρ_i-zCDP.
* *Below.* A mechanism that does so with Gaussian noise is δ-approximately ρ-zCDP: E is that it does not.
"""

from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import Number


def approximate_zcdp(rho: Number, delta: Number) -> Composition:
    """Some mechanism that is known to be ``delta``-approximately ``rho``-zCDP.

    Raises InvalidInput unless rho is > 0 and delta is in [0, 1].

    >>> found = pv.bracket(pv.approximate_zcdp(rho="0.07", delta="1e-11"), delta="1e-10", digits=1)
    >>> f"{float(found.lower):.2f} {float(found.upper):.2f}"
    '2.28 2.39'
    """
    return Composition.of((ZCDP(rho), 1), (ApproximateDP(0, delta), 1))
