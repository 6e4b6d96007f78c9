r"""The Gaussian mechanism.

Pair: :math:`P = N(s, \sigma^2)`, :math:`Q = N(0, \sigma^2)` with sensitivity :math:`s`; it dominates
every pair of neighbouring data sets whose sums differ by at most s in the Euclidean norm (Balle and
Wang 2018, Theorem 8). Symmetric: both directions have one privacy profile.

Ordered in σ: independent noise N(0, σ'² − σ²), added to both, turns the pair of σ into that of σ' > σ. The
pair is that of σ/s alone, so it is ordered in s too.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, brief, positive, real, show


@dataclass(frozen=True)
class Gaussian(Mechanism, expression="gaussian", rises=("sensitivity",), falls=("sigma",)):
    """Gaussian noise of standard deviation ``sigma`` on a query of L2 sensitivity ``sensitivity``.

    Both in the unit of the query. Raises InvalidInput unless both are > 0.

    δ(1) = Φ(−1/2) − e Φ(−3/2) at σ = 1 (Balle and Wang, 2018), and a Rényi divergence of α/(2σ²):

    >>> float(pv.delta(pv.Gaussian(sigma=1), epsilon=1))
    0.126936737506...
    >>> float(pv.rdp(pv.Gaussian(sigma=2), order=8))
    1.0
    >>> pv.Gaussian(sigma=6, sensitivity=2).noise_multiplier
    Fraction(3, 1)
    """

    sigma: Fraction
    sensitivity: Fraction = Fraction(1)

    def __init__(self, sigma: Number, sensitivity: Number = 1) -> None:
        vars(self).update(
            sigma=positive(sigma, "sigma", real),
            sensitivity=positive(sensitivity, "sensitivity", real),
        )

    @property
    def noise_multiplier(self) -> Fraction:
        """sigma / sensitivity, all that privacy depends on."""
        return self.sigma / self.sensitivity

    def __str__(self) -> str:
        tail = "" if self.sensitivity == 1 else f", sensitivity={show(self.sensitivity)}"
        return f"gaussian(sigma={show(self.sigma)}{tail})"


def a_gaussian(base: object) -> Gaussian:
    """``base``, where it must be a Gaussian mechanism. Raises InvalidInput."""
    if not isinstance(base, Gaussian):
        raise InvalidInput(f"base must be a Gaussian mechanism, got base={brief(base)}")
    return base
