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
from pldverify.numbers.irrational import Irrational


@dataclass(frozen=True)
class Gaussian(Mechanism, expression="gaussian", rises=("sensitivity",), falls=("sigma",)):
    """Gaussian noise of standard deviation ``sigma`` on a query of L2 sensitivity ``sensitivity``.

    Both in the unit of the query. In the place of ``sigma`` its other names may be given:
    ``standard_deviation``, which is the same, or ``noise_multiplier``, σ over the sensitivity. Raises
    InvalidInput unless both are > 0.

    δ(1) = Φ(−1/2) − e Φ(−3/2) at σ = 1 (Balle and Wang, 2018), and a Rényi divergence of α/(2σ²):

    >>> float(pv.delta(pv.Gaussian(sigma=1), epsilon=1))
    0.126936737506...
    >>> float(pv.rdp(pv.Gaussian(sigma=2), order=8))
    1.0
    >>> pv.Gaussian(sigma=6, sensitivity=2).noise_multiplier
    Fraction(3, 1)
    >>> print(pv.Gaussian(noise_multiplier=3, sensitivity=2))
    gaussian(sigma=6, sensitivity=2)
    """

    sigma: Fraction
    sensitivity: Fraction = Fraction(1)

    def __init__(
        self,
        sigma: Number | None = None,
        sensitivity: Number = 1,
        *,
        standard_deviation: Number | None = None,
        noise_multiplier: Number | None = None,
    ) -> None:
        names = ("sigma", "standard_deviation", "noise_multiplier")
        values = (sigma, standard_deviation, noise_multiplier)
        given = [(name, value) for name, value in zip(names, values, strict=True) if value is not None]
        if len(given) != 1:
            raise InvalidInput(f"gaussian must have exactly one of {', '.join(names)}, got {len(given)}")
        name, value = given[0]
        unit, noise = positive(sensitivity, "sensitivity", real), positive(value, name, real)
        if name == "noise_multiplier" and unit != 1:
            noise = positive(product(noise, unit), "sigma", real)
        vars(self).update(sigma=noise, sensitivity=unit)

    @property
    def noise_multiplier(self) -> Fraction:
        """sigma / sensitivity, all that privacy depends on."""
        return self.sigma / self.sensitivity


def a_gaussian(base: object) -> Gaussian:
    """``base``, where it must be a Gaussian mechanism. Raises InvalidInput."""
    if not isinstance(base, Gaussian):
        raise InvalidInput(f"base must be a Gaussian mechanism, got base={brief(base)}")
    return base


def product(x: Fraction | Irrational, y: Fraction | Irrational) -> Number:
    """x · y; what is irrational as a text."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    return f"({show(x)})*({show(y)})"
