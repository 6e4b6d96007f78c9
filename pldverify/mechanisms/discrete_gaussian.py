r"""The discrete Gaussian mechanism.

Noise on the integers with :math:`\Pr[x] \propto e^{-x^2/2\sigma^2}` (Canonne, Kamath, Steinke 2020). Pair:
:math:`P = N_Z(s, \sigma^2)` and :math:`Q = N_Z(0, \sigma^2)` with integer sensitivity s (2s under
replace-one). Dominance: the noise is log-concave and even, so for a query that moves by 0 ≤ d ≤ s the ratio
P(x − d)/P(x) increases in x, the best test is :math:`\{x \ge \tau\}`, and its probability under the
shifted law grows with d; a move by −d is the mirror image. Symmetric: both directions have one profile.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, count, positive


@dataclass(frozen=True)
class DiscreteGaussian(Mechanism, expression="discrete_gaussian"):
    """Discrete Gaussian noise of parameter ``sigma`` on an integer query of sensitivity ``sensitivity``.

    Raises InvalidInput unless sigma > 0 and sensitivity is an integer from 1 to 10**6.

    Not far from the continuous one, whose δ(1) is 0.126937 at σ = 1:

    >>> float(pv.delta(pv.DiscreteGaussian(sigma=1), epsilon=1))
    0.141351339405...
    """

    sigma: Fraction
    sensitivity: int = 1

    def __init__(self, sigma: Number, sensitivity: Number = 1) -> None:
        vars(self).update(
            sigma=positive(sigma, "sigma"), sensitivity=count(sensitivity, "sensitivity", cap=10**6)
        )
