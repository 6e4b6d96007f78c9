r"""What ω_max of the Gaussian has outside of the grid (KH21 E.1, Lemma 1 and Corollary 2)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def omega_max_rest(sigma: Real, lam: Real, L: Real, step: Real) -> arb:
    r"""Upper bound on :math:`E[e^{\lambda\omega_{\max}^\infty}] - E[e^{\lambda\omega_{\max}}]`, λ of
    either sign.

    .. math:: e^{\lambda(\lambda+1)/2\sigma^2} \Big( e^{2\lambda_+\Delta x} \Pr[Z > L - 2\Delta x] +
              e^{\lambda_-\Delta x}
              \Pr[Z < -L] \Big), \qquad Z \sim N\big(\tfrac{1+2\lambda}{2\sigma^2}, \tfrac1{\sigma^2}\big),

    λ₊ = max(λ, 0), λ₋ = max(−λ, 0).
    Printed (E.3): :math:`e^{3\lambda/2\sigma^2}(\Pr[Z < -L] + \Pr[Z > L - \Delta x])`. The factor is that
    of λ = 2 only, too small for λ > 2. The proof also compares e^{λs_i} max_{[s_{i−1}, s_i]} ω with an
    integral over one cell, which needs two cells and the factor e^{2λΔx}: so the print is too small at λ = 2
    as well. Corollary 2 prints the same for −ω, with λ > 0 in the place of −λ.
    Proof: for a cell right of the grid ω falls, so the maximum is at s_{i−1} and is at most the mean over
    [s_{i−2}, s_{i−1}], where e^{λs_i} ≤ e^{2λ₊Δx}e^{λs}. Left of it ω rises, the maximum is at s_i, and
    the cell is [s_i, s_{i+1}], where e^{λs_i} ≤ e^{λ₋Δx}e^{λs}; s_{i+1} ≤ −L. Then ∫_A e^{λs}ω =
    e^{λ(λ+1)/2σ²} Pr[Z ∈ A]. Assumes: σ > 0, Δx > 0, mode 1/2σ² ≤ L − 2Δx, L > 0. Rounds: up; a failed
    hypothesis gives +∞.
    """
    s, tilt, edge, h = ball(sigma), ball(lam), ball(L), ball(step)
    if not (surely_less(0, s) and surely_less(0, h) and surely_less(0, edge)):
        return arb.pos_inf()
    mean, root = (1 + 2 * tilt) / (2 * s * s), arb(2).sqrt()
    above = ((edge - 2 * h - mean) * s / root).erfc() / 2
    below = ((edge + mean) * s / root).erfc() / 2
    factor = (tilt * (tilt + 1) / (2 * s * s)).exp()
    zero = arb(0)
    value = factor * ((2 * tilt.max(zero) * h).exp() * above + ((-tilt).max(zero) * h).exp() * below)
    return upper(value, bool(surely_at_most(1 / (2 * s * s), edge - 2 * h)))


def printed_omega_max_rest(sigma: Real, lam: Real, L: Real, step: Real) -> arb:
    """KH21 (E.3) as printed, λ > 0; refuted, see :func:`omega_max_rest`. Another λ gives +∞."""
    s, tilt, edge, h = ball(sigma), ball(lam), ball(L), ball(step)
    mean, root = (1 + 2 * tilt) / (2 * s * s), arb(2).sqrt()
    outside = ((edge - h - mean) * s / root).erfc() / 2 + ((edge + mean) * s / root).erfc() / 2
    return upper((3 * tilt / (2 * s * s)).exp() * outside, bool(surely_less(0, tilt)))
