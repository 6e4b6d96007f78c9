r"""Chernoff's bound on the tail of a sum of losses (KH21 (5.3), (D.2); KJH20s (C.4))."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.upper_end import upper


def chernoff_tail(log_moment: Real, lam: Real, threshold: Real) -> arb:
    r"""Upper bound on :math:`\Pr[S \ge T]`, and for λ < 0 on :math:`\Pr[S \le T]`.

    .. math:: \Pr[S \ge T] \le e^{\log E[e^{\lambda S}] - \lambda T}, \qquad \lambda > 0.

    Proof: Markov's inequality for :math:`e^{\lambda S}`.
    Assumes: ``log_moment`` encloses log E[e^{λS}], a sum over the parts of a composition.
    Rounds: up. λ = 0, or a λ of unknown sign: +∞.
    """
    tilt = ball(lam)
    value = (ball(log_moment) - tilt * ball(threshold)).exp()
    return upper(value, bool(surely_less(0, tilt)) or bool(surely_less(tilt, 0)))
