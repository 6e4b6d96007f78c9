r"""Coupled losses have close privacy curves (GLW21 Lemmas 5.2 and 5.3, Theorem 5.5)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def coupling_shift(width: Real, k: int, eta: Real) -> arb:
    r"""Upper bound on a shift t with :math:`\Pr[|\sum Y_i - \sum\tilde Y_i| > t] \le \eta`.

    .. math:: t = w\sqrt{\tfrac k2\log\tfrac2\eta},

    w the width of an interval that contains each :math:`Y_i - \tilde Y_i` almost surely, which has mean 0.
    Printed, Lemma 5.3: :math:`h\sqrt{2k\log(2/\eta)}` for |Yᵢ − Ỹᵢ| ≤ h, which is w = 2h. Theorem 5.5 has
    w = h, because within a cell Yᵢ − Ỹᵢ runs through an interval of the cell's width.
    Proof: Hoeffding's inequality for independent differences.
    Assumes: w ≥ 0, k ≥ 1, 0 < η ≤ 2, equal means, which DiscretizePRV ensures in exact arithmetic. Rounds:
    up; a failed hypothesis gives +∞.
    """
    w, e = ball(width), ball(eta)
    if not (surely_less(0, e) and surely_at_most(e, 2)):
        return arb.pos_inf()
    value = w * (arb(k) / 2 * (2 / e).log()).sqrt()
    return upper(value, bool(surely_at_most(0, w)), k >= 1)


def coupling_band(above: Real, below: Real, eta: Real) -> tuple[arb, arb]:
    r"""(lower, upper) of :math:`\delta_{\tilde Y}(\varepsilon)`, from δ_Y at ε + t (``above``) and ε − t
    (``below``).

    .. math:: \delta_Y(\varepsilon + t) - \eta \le \delta_{\tilde Y}(\varepsilon) \le \delta_Y(\varepsilon
              - t) + \eta.

    Proof: GLW21 Lemma 5.2: :math:`\delta_Y(\varepsilon) = \Pr[Y \ge \varepsilon + Z]`, Z ~ Exp(1)
    independent of Y, and :math:`|Y - \tilde Y| \le t` outside an event of probability η. Both roles may be
    exchanged. Assumes: η ≥ 0. Rounds: outward; a failed hypothesis gives (−∞, +∞).
    """
    e = ball(eta)
    if not surely_at_most(0, e):
        return arb.neg_inf(), arb.pos_inf()
    return -upper(e - ball(above)), upper(e + ball(below))
