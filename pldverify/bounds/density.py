r"""Supremum of the density of the Poisson-subsampled Gaussian's loss (KJH19 Lemma 12, KJH20s Lemma D.2).

With μ₀ the density of N(0, σ²), :math:`y = e^{(2t-1)/2\sigma^2}`, w = 1 − q + qy and s = log w(t) the loss,
:math:`\omega(s) = \mu_0 w\,dt/ds = (\sigma^2/q)\,\mu_0 w^2/y` for ``remove`` and
:math:`(\sigma^2/q)\,\mu_0 w/y` for ``add``; and :math:`\mu_0 y^m = e^{m(m-1)/2\sigma^2} N(m, \sigma^2)`.
So ω is a mixture of normal densities in t:

.. math:: \omega_{remove} = \tfrac{\sigma^2}{q}\big[(1-q)^2 e^{1/\sigma^2}\varphi_{-1} + 2q(1-q)\varphi_0 +
          q^2\varphi_1\big], \qquad
          \omega_{add} = \tfrac{\sigma^2}{q}\big[(1-q) e^{1/\sigma^2}\varphi_{-1} + q\varphi_0\big].
"""

from typing import Literal

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def density_supremum(sigma: Real, q: Real, direction: Literal["remove", "add"] = "remove") -> arb:
    r"""Upper bound B on :math:`\sup_s \omega(s)`; the total variation of ω is at most 2B.

    .. math:: B = \frac{\sigma}{q\sqrt{2\pi}}\big[p\,e^{1/\sigma^2} + 1 - p\big], \qquad
              p = (1-q)^2 \text{ (remove)},\ 1-q \text{ (add)}.

    Printed, for ``remove``: :math:`\frac{\sigma}{q\sqrt{2\pi}} e^{1/\sigma^2}`, true and implied by this.
    Proof: each normal density above is at most :math:`1/\sqrt{2\pi\sigma^2}` and varies by twice that.
    Assumes: σ > 0, 0 < q ≤ 1. Rounds: up; a failed hypothesis gives +∞.
    """
    s, p = ball(sigma), ball(q)
    if not (surely_less(0, s) and surely_less(0, p) and surely_at_most(p, 1)):
        return arb.pos_inf()
    weight = (1 - p) ** (2 if direction == "remove" else 1)
    return upper(s / (p * (2 * arb.pi()).sqrt()) * (1 + weight * (1 / (s * s)).expm1()))
