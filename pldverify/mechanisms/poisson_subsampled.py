r"""Poisson subsampling: every record takes part independently with the sampling probability q.

Pair in direction ``remove``: :math:`(1-q) Q + q P` against :math:`Q`; in direction ``add`` the reverse.
Dominance under add/remove, each direction composed with itself: Zhu, Dong, Wang 2022 (arXiv
2106.08567), Theorem 11; that the two directions differ and neither bounds the other in general:
Lebeda, Regehr, Kamath, Steinke 2024.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, probability, show


@dataclass(frozen=True)
class PoissonSubsampled(Mechanism):
    """``base`` run on a Poisson sample with sampling probability ``q``.

    Raises InvalidInput unless 0 < q ≤ 1 and ``base`` is a Gaussian.
    """

    base: Gaussian
    q: Fraction

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(self, base: Gaussian, q: Number) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.base, Gaussian):
            raise InvalidInput(f"base must be a Gaussian mechanism, got base={self.base}")
        object.__setattr__(self, "q", probability(self.q, "q", zero=False))

    def __str__(self) -> str:
        return f"poisson({self.base}, q={show(self.q)})"
