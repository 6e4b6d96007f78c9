r"""The discrete Laplace (two-sided geometric) mechanism.

Noise on the integers with :math:`\Pr[x] = \frac{1-r}{1+r} r^{|x|}`, :math:`r = e^{-1/b}` (Ghosh, Roughgarden,
Sundararajan 2012). Pair: the noise around s against the noise around 0, with integer sensitivity s (2s under
replace-one). Losses are :math:`\{-s, -s+2, \dots, s\}/b`. Dominance as for the discrete Gaussian: the noise
is log-concave and even. Symmetric: both directions have one profile.

Ordered in b: for r' > r, the characteristic functions of the noises have the ratio of :math:`1 - 2r\cos u +
r^2 = \tfrac{r}{r'}(1 - 2r'\cos u + r'^2) + (1-\tfrac{r}{r'})(1-rr')` to :math:`1 - 2r'\cos u + r'^2`, up to a
positive factor: that of a mixture of 0 and the noise of r'. Independent noise of that law, added to both,
turns the pair of b into that of b'.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, count, positive, real


@dataclass(frozen=True)
class DiscreteLaplace(Mechanism, expression="discrete_laplace", falls=("b",)):
    """Discrete Laplace noise of scale ``b`` on an integer query of sensitivity ``sensitivity``.

    Raises InvalidInput unless b > 0 and sensitivity is an integer from 1 to 10**4.

    The loss is at most sensitivity/b, so ε(0) is that:

    >>> float(pv.epsilon(pv.DiscreteLaplace(b=4), delta=0))
    0.25
    """

    b: Fraction
    sensitivity: int = 1

    def __init__(self, b: Number, sensitivity: Number = 1) -> None:
        vars(self).update(b=positive(b, "b", real), sensitivity=count(sensitivity, "sensitivity", cap=10**4))
