r"""The Laplace mechanism.

Pair: :math:`P = \mathrm{Lap}(0, b)`, :math:`Q = \mathrm{Lap}(s, b)` with L1 sensitivity s. The loss is
s/b with probability 1/2, −s/b with probability e^{−s/b}/2, continuous in between. Symmetric.
Dominance: Zhu, Dong, Wang 2022 (arXiv 2106.08567), Proposition 12 for one coordinate.

Ordered in b: for b' > b, the characteristic functions of the noises have the ratio
:math:`(1+b^2u^2)/(1+b'^2u^2) = b^2/b'^2 + (1-b^2/b'^2)/(1+b'^2u^2)`, that of a mixture of 0 and Lap(b').
Independent noise of that law, added to both, turns the pair of b into that of b'. The pair is that of b/s
alone, so it is ordered in s too.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, positive, real, show


@dataclass(frozen=True)
class Laplace(Mechanism, expression="laplace", rises=("sensitivity",), falls=("b",)):
    """Laplace noise of scale ``b`` on a query of L1 sensitivity ``sensitivity`` (same unit).

    Raises InvalidInput unless both are > 0.

    δ(ε) = 1 − e^((ε − 1/b)/2) for 0 ≤ ε ≤ 1/b, and pure (1/b)-differential privacy:

    >>> float(pv.delta(pv.Laplace(b=1), epsilon=0))
    0.39346934028...
    >>> float(pv.epsilon(pv.Laplace(b=4), delta=0))
    0.25
    """

    b: Fraction
    sensitivity: Fraction = Fraction(1)

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(self, b: Number, sensitivity: Number = 1) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "b", positive(self.b, "b", real))
        object.__setattr__(self, "sensitivity", positive(self.sensitivity, "sensitivity", real))

    @property
    def noise_multiplier(self) -> Fraction:
        """b / sensitivity, all that privacy depends on."""
        return self.b / self.sensitivity

    def __str__(self) -> str:
        tail = "" if self.sensitivity == 1 else f", sensitivity={show(self.sensitivity)}"
        return f"laplace(b={show(self.b)}{tail})"
