r"""The exponential mechanism: candidate r with probability proportional to exp(εu_r/2Δ).

Each score u_r moves by at most Δ between neighbours (McSherry, Talwar 2007). It is report noisy max with
Gumbel noise of scale b = 2Δ/ε on each score. Log-odds of two candidates move by at most η = ε, so the loss is
of **bounded range**: within [t − η, t], for a t of the two neighbours. Of monotone scores, which move all in
one direction, η = ε/2. (A library that doubles the exponent for them has η = its epsilon.)

**One pair of neighbours.** Let G_t be the binary pair of losses t and t − η, 0 < t < η: with
:math:`q_t = (e^{\eta - t} - 1)/(e^\eta - 1)`, Q = (q_t, 1 − q_t) and P = (e^t q_t, e^{t−η}(1 − q_t)). It
dominates every pair of losses within [t − η, t] (Dong, Durfee, Rogers 2020): :math:`H_\alpha = E_Q[(R -
\alpha)_+]` is convex in R = dP/dQ, so to move the mass of R to the ends of its interval, its mean 1 kept,
only adds; and dominance multiplies. It is attained, in all steps: two candidates, the lead of the first one
moved by 2Δ (monotone: Δ), have any log-odds a and a + η, and as a goes through the reals t does through (0,
η). For t outside of that P = Q. Scores may be any real numbers.

**Pair.** That of logistic noise, Logistic(η) against Logistic(0) of scale 1. Proof. The profile of G_t at s,
for t − η ≤ s ≤ t, is :math:`q_t(e^t - e^s)`, largest at t = (η + s)/2:

.. math:: \sup_t \delta_t(s) = \frac{(e^{\eta/2} - e^{s/2})^2}{e^\eta - 1}, \qquad |s| \le \eta,

which is that of logistic noise: its best tests are thresholds, and at any threshold x its two probabilities,
:math:`1/(1 + e^{-x})` and :math:`1/(1 + e^{-x - \eta})`, are a G_t. So it dominates steps whatever came
before, and every δ(ε) of one step is attained, as is every level of its trade-off function: q_t for some t.
Symmetric, as η − t takes the place of t in the other direction.

**Several steps**, each with a t of its own. *Adaptive*: ``k * exponential(…)`` composes logistic pairs, an
upper bound. From below, some neighbours have a G_t in all steps (:mod:`pldverify.mechanisms.attained`). For
small η the logistic loss has the variance η²/3, that of G_t is at most η²/4, so ε(δ) of the logistic pairs
of many steps is a factor of 1.15 (small δ) to 1.33 (δ near 1) above that. There the divergences below are the
better upper bound (:mod:`pldverify.reference.laws.bounded_range`), and ``pv.bracket`` takes the least. The
best adaptive bound is open here.
*Not adaptive*: ``exponential(…, times=k)`` is k choices whose scores are fixed before the first, exactly:

.. math:: \delta(s) = \max_{0 \le l < k} \Pr[I_p \le l] - e^s \Pr[I_q \le l], \qquad
          t = \frac{s + (l + 1)\eta}{k + 1} \in (0, \eta),

:math:`I_q \sim \mathrm{Bin}(k, 1 - q_t)` and :math:`I_p \sim \mathrm{Bin}(k, 1 - e^t q_t)` the number of
steps with the loss t − η (Dong, Durfee, Rogers 2020, Theorem 4.1 and its optimum over t). Proof. (1) *Equal t
are the worst.* Two steps with t_1 + t_2 = 2τ have losses 2τ, 2τ − η, 2τ − 2η. Q-mass 1 and mean 1 of R leave
one freedom, and more mass at the top is more in the convex order: mass moves from the middle to both ends.
The top has :math:`q_{t_1} q_{t_2} = (e^{2\eta - 2\tau} - e^\eta(e^{-t_1} + e^{-t_2}) + 1)/(e^\eta - 1)^2`,
largest for t_1 = t_2 = τ. So averaging two t dominates, beside any other steps, and by repetition, and
continuity, all t equal to their mean do. (2) *The best t.* δ is the largest of :math:`g_l(t) = \Pr[I_p \le l]
- e^s \Pr[I_q \le l]` over all l, as only these sets are best tests. For l = k it is 1 − e^s. With :math:`p =
e^t q_t`, :math:`p' = -e^t/(e^\eta - 1)`, :math:`q' = -e^{\eta - t}/(e^\eta - 1)` and :math:`d\Pr[I_p \le
l]/dp = k\binom{k-1}{l} p^{k-1-l}(1-p)^l`, g_l' has the sign of :math:`e^{s + \eta - t} - e^{kt - l\eta}`:
positive up to the t above, then negative. On the ends of (0, η) g_l is 1 − e^s and 0. So where that t is
inside, g_l is largest there; where it isn't, g_l is at most one of the ends, and for |s| < kη some t is
inside: :math:`0 < s + (l + 1)\eta < (k + 1)\eta` for some l of 0 … k − 1. ∎

Each δ(ε) is attained, so the profile is a largest one, and convex: it has a pair, which dominates beside all
other steps.

**Zero-concentrated**: η²/8-zCDP (Cesar, Rogers 2021). Proof. :math:`K(\lambda) = \log E_P[e^{\lambda S}]` has
:math:`K'' \le \eta^2/4`, a variance on an interval of length η, and K(−1) = K(0) = 0, as losses are finite.
So :math:`K(\lambda) - \lambda(\lambda + 1)\eta^2/8` is concave, 0 at −1 and at 0: at most 0 for λ > 0. ∎
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import ONE_RECORD_LESS, RELATIONS, Relation
from pldverify.mechanisms.selection import truth
from pldverify.numbers.exact import Number, count, positive, real

MAX_TIMES = 300
"""Cap on the choices that are not adaptive: each is one more event to compare."""


@dataclass(frozen=True)
class Exponential(Mechanism, expression="exponential", rises=("epsilon",)):
    """The exponential mechanism with exponent ``epsilon`` u/2Δ, Δ being the most that a score moves.

    ``monotone``: between neighbours all scores move in one direction. ``times``: so many choices, their
    scores fixed before the first of them. Raises InvalidInput unless epsilon > 0 and times is an integer from
    1 to 300.

    δ(0) = tanh(ε/4):

    >>> float(pv.delta(pv.Exponential(epsilon=1), epsilon=0))
    0.24491866240...

    Ten choices that are fixed before the first, and ten of which each may depend on those before:

    >>> fixed, adaptive = pv.Exponential(epsilon="0.1", times=10), 10 * pv.Exponential(epsilon="0.1")
    >>> float(pv.epsilon(fixed, delta="1e-6"))
    0.6286...
    >>> pv.Composition.of((fixed, 1)).standing, adaptive.standing
    ('exact', 'upper bound')
    """

    epsilon: Fraction
    monotone: bool = False
    times: int = 1

    tight_steps = 1  # compositions are bounded, not attained

    def __init__(self, epsilon: Number, monotone: bool = False, times: Number = 1) -> None:
        vars(self).update(
            epsilon=positive(epsilon, "epsilon", real),
            monotone=truth(monotone, "monotone"),
            times=count(times, "times", cap=MAX_TIMES),
        )

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Δ is of the relation that is meant; monotone scores are of a record that is there or not."""
        return ONE_RECORD_LESS if self.monotone else RELATIONS

    @property
    def tight_rates(self) -> bool:
        """Of a single choice; of more a level between the best tests of two l is attained by no t."""
        return self.times == 1

    @property
    def range(self) -> Fraction:
        """η, the length of the interval that the loss of one choice is in."""
        return self.epsilon / 2 if self.monotone else self.epsilon
