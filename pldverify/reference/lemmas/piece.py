r"""One integral of a transform: :math:`\int g e^{z\ell} dx` over an interval, g and ℓ analytic near it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb


@dataclass(frozen=True)
class Piece:
    """∫ g e^{zℓ} from ``low`` to ``high``; ℓ is monotone.

    Attributes:
        log_weight: log g.
        loss: ℓ.
        slope: |ℓ'| on the real line.
        width: half-width of a panel on which log g and ℓ are tame; a hint.
        rate: size of |ℓ'|; a hint.
        height: b of a path along Im x = b, which Im ℓ ≥ 0 allows instead of the real axis: e^{ivℓ} does not
            turn there but fall. 0: there is none.
        corners: whether that path goes up from ``low``, and whether it comes down to ``high``; where it does
            not, the law bounds what lies beyond.
    """

    low: Fraction
    high: Fraction
    log_weight: Callable[[acb], acb]
    loss: Callable[[acb], acb]
    slope: Callable[[arb], arb]
    width: Fraction
    rate: Fraction
    height: Fraction = Fraction(0)
    corners: tuple[bool, bool] = (True, False)
