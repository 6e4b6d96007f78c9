r"""What wraps around, and what lies beyond the grid (KH21 Theorem 1, Theorem 7 of the proofs)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.upper_end import upper


def periodisation(log_up: Real, log_down: Real, lam: Real, L: Real) -> arb:
    r"""Upper bound on :math:`|\delta(\varepsilon) - \tilde\delta(\varepsilon)|` for losses on the grid.

    .. math:: \Pr[S \ge L] + \Pr[S < -L] \le (e^{\alpha^+(\lambda)} + e^{\alpha^-(\lambda)})\, e^{-\lambda L}.

    Printed: the same times :math:`1/(1 - e^{-2L\lambda}) > 1`: true, and not needed. The printed proof
    bounds the windows [(2n−1)L, (2n+1)L) by overlapping tails.
    Proof: with ψ = (1 − e^{ε−s}) on (ε, L), δ̃ = E[ψ(S mod 2L)] and δ differ only where S ∉ [−L, L), and both
    integrands are in [0, 1] there. The bound holds for the wrapped part and for the tail alone, and for
    their difference. Assumes: λ > 0, −L ≤ ε < L, α± = log E[e^{±λS}] of the composition on the grid.
    Rounds: up; a failed hypothesis gives +∞.
    """
    tilt, edge = ball(lam), ball(L)
    value = (ball(log_up) - tilt * edge).exp() + (ball(log_down) - tilt * edge).exp()
    return upper(value, bool(surely_less(0, tilt)), bool(surely_less(0, edge)))
