r"""The Laplace mechanism.

Pair: :math:`P = \mathrm{Lap}(0, b)`, :math:`Q = \mathrm{Lap}(s, b)` with L1 sensitivity s. The loss is
s/b with probability 1/2, −s/b with probability e^{−s/b}/2, continuous in between. Symmetric.

**Dominance** in one coordinate: Zhu, Dong, Wang 2022 (arXiv 2106.08567), Proposition 12.

**Many coordinates**, independent noise of scale b = 1, moved by v with :math:`|v|_1 \le s`: dominated by one
coordinate moved by s, which is attained. Proof: dominance multiplies, so two coordinates, moved by a ≥ c > 0,
are enough, against one moved by a + c. Under P their loss is a + c − 2T, T = U + V independent, where U is 0
with probability 1/2 and else min(E, a), E exponential, and V the same with c; that of one coordinate is a + c
− 2Y, :math:`\Pr[Y > t] = e^{-t}/2` for 0 ≤ t < a + c. By integration :math:`e^t \Pr[T > t]` is (3 + t)/4 for
t < c, (2 + c)/4 for c ≤ t < a, and (1 + a + c − t)/4 from a to a + c: at least 1/2 up to some t, and below
from there on. So Pr[loss > x] is larger in one coordinate for large x, and then in two. Since
:math:`e^{-\epsilon} \delta(\epsilon) = \int_\epsilon^\infty e^{-x} \Pr[\text{loss} > x]\,dx`, and the
difference of these integrals ends at 0 for ε → −∞, as :math:`E[e^{-\text{loss}}] = 1` of both, it is ≥ 0
throughout. A shorter v: the pair is ordered in s.

Ordered in b: for b' > b, the characteristic functions of the noises have the ratio
:math:`(1+b^2u^2)/(1+b'^2u^2) = b^2/b'^2 + (1-b^2/b'^2)/(1+b'^2u^2)`, that of a mixture of 0 and Lap(b').
Independent noise of that law, added to both, turns the pair of b into that of b'. The pair is that of b/s
alone, so it is ordered in s too.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, positive, real, show


@dataclass(frozen=True)
class Laplace(Mechanism, expression="laplace", rises=("sensitivity",), falls=("b",)):
    """Laplace noise of scale ``b`` on a query of L1 sensitivity ``sensitivity`` (same unit).

    In the place of ``b`` its ``standard_deviation``, b√2, may be given. Raises InvalidInput unless both are
    > 0.

    δ(ε) = 1 − e^((ε − 1/b)/2) for 0 ≤ ε ≤ 1/b, and pure (1/b)-differential privacy:

    >>> float(pv.delta(pv.Laplace(b=1), epsilon=0))
    0.39346934028...
    >>> float(pv.epsilon(pv.Laplace(b=4), delta=0))
    0.25
    """

    b: Fraction
    sensitivity: Fraction = Fraction(1)

    def __init__(
        self, b: Number | None = None, sensitivity: Number = 1, *, standard_deviation: Number | None = None
    ) -> None:
        if (b is None) == (standard_deviation is None):
            raise InvalidInput("laplace must have exactly one of b and standard_deviation")
        if standard_deviation is not None:
            spread = positive(standard_deviation, "standard_deviation", real)
            b = f"{show(spread)}/sqrt(2)" if isinstance(spread, Fraction) else f"({spread.text})/sqrt(2)"
        vars(self).update(b=positive(b, "b", real), sensitivity=positive(sensitivity, "sensitivity", real))

    @property
    def noise_multiplier(self) -> Fraction:
        """b / sensitivity, all that privacy depends on."""
        return self.b / self.sensitivity
