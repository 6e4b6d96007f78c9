r"""Moments of a loss rounded up to the grid (Koskela et al. 2021, Lemma 7, as quoted in KH21 D.1)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most
from pldverify.bounds.upper_end import upper


def grid_log_moment(log_moment: Real, lam: Real, step: Real) -> arb:
    r"""Upper bound on :math:`\log E[e^{\lambda S^R}]` of one loss, S ≤ S^R ≤ S + Δx, for λ of either sign.

    .. math:: E[e^{\lambda S^R}] \le e^{\max(\lambda, 0)\Delta x}\, E[e^{\lambda S}].

    Printed, for 0 < λ < 1/Δx: :math:`E[e^{\lambda S}]/(1 - \lambda\Delta x)`, true, larger, and with a
    hypothesis that this does not need; for −λ the same as here.
    Proof: e^{λS^R} ≤ e^{λS + λΔx} for λ > 0, and ≤ e^{λS} for λ ≤ 0.
    Assumes: Δx ≥ 0. Rounds: up; a failed hypothesis gives +∞.
    """
    h, tilt = ball(step), ball(lam)
    return upper(ball(log_moment) + tilt.max(arb(0)) * h, bool(surely_at_most(0, h)))
