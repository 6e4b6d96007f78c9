r"""The largest of T batch sums, in closed form.

With k coordinates of mean a and T − k of mean 0, all normal of variance σ² and independent, the largest one
has the distribution function :math:`F_a(c) = \Phi((c-a)/\sigma)^k\,\Phi(c/\sigma)^{T-k}`, whichever
coordinates these are: so that is its law under :math:`P_a` of :mod:`pldverify.mechanisms.hidden_batch`, too.
"""

from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail


def sides(
    mean: int, cut: Fraction, batches: int, variance: Fraction, participations: int = 1
) -> tuple[arb, arb]:
    """Pr[largest ≤ cut] and Pr[largest > cut], each to the working precision where it is small; k is
    ``participations``.
    """
    sigma = ball(variance).sqrt()
    own, other = ball(cut - mean) / sigma, ball(cut) / sigma
    k = participations
    log = k * (-normal_tail(own)).log1p() + (batches - k) * (-normal_tail(other)).log1p()
    return log.exp(), -log.expm1()
