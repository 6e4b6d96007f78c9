r"""Tail of the privacy loss of an (ε, δ)-DP algorithm (GLW21 Lemma 5.4)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def loss_tail(epsilon: Real, delta: Real, reverse_delta: Real, t: Real) -> arb:
    r"""Upper bound on :math:`\Pr[|Y| \ge \varepsilon + t]` from δ(ε) of both directions.

    .. math:: \Pr[|Y| \ge \varepsilon + t] \le \frac{\delta + e^{-\varepsilon-t}\,\delta'}{1 - e^{-t}}.

    Printed: :math:`\delta(1 + e^{-\varepsilon-t})/(1 - e^{-t})`, the case δ' = δ. The lemma calls the
    algorithm (ε, δ)-DP; δ(P‖Q) ≤ δ alone is not enough.
    Proof: δ ≥ E[(1 − e^{ε−Y})₊] ≥ (1 − e^{−t})P(Y ≥ ε + t); and P(Y ≤ −a) ≤ e^{−a}Q(Y ≤ −a), where −Y is
    the loss of the reverse direction under Q.
    Assumes: t > 0, ε ≥ −t. Rounds: up; a failed hypothesis gives +∞.
    """
    eps, gap = ball(epsilon), ball(t)
    value = (ball(delta) + (-eps - gap).exp() * ball(reverse_delta)) / -(-gap).expm1()
    return upper(value, bool(surely_less(0, gap)), bool(surely_at_most(0, eps + gap)))
