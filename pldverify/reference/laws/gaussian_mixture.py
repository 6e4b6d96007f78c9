r"""Loss of the Poisson-subsampled Gaussian: :math:`P = (1-q)N(0,\sigma^2) + qN(1,\sigma^2)` and
:math:`Q = N(0,\sigma^2)`.

In the coordinate x = t/σ with c = 1/σ,

.. math:: w(x) = p/q\,(x) = 1 - q + y(x), \qquad y(x) = q\, e^{cx - c^2/2} .

Transforms and decays are those of the pair of Gaussian mixtures that it is
(``gaussian_pair.py``); ``fast/gaussian_mixture.py`` has the same sooner.

**Decay like 1/u.** With :math:`M(\theta) = E_Q[w^p]`, p = θ + 1 (``remove``) or −θ (``add``), and φ the
standard normal density the tilted loss has, in x, the density :math:`f = \varphi(x+c) w^{p+1}
e^{c^2}/(qcE_Q[w^p])` with respect to ds. It has at most three critical points (its logarithmic derivative is
a line minus a multiple of the sigmoid y/w), so its total variation is at most four times its supremum, and
an integration by parts gives :math:`|\varphi_\theta(u)| \le 4\sup f/u`.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.gaussian import gaussian_tails
from pldverify.reference.laws.gaussian_pair import BASE, GaussianPairLaw
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.poisson_sample import PoissonLaw


@dataclass(frozen=True)
class GaussianMixtureLaw(PoissonLaw):
    """``noise_multiplier`` = σ/sensitivity and sampling probability ``q`` < 1, exact."""

    noise_multiplier: Fraction
    q: Fraction
    direction: Direction

    def unsampled(self, x: arb) -> tuple[arb, arb]:
        return gaussian_tails(1 / ball(self.noise_multiplier), x)

    def power(self, theta: Fraction) -> Fraction:
        """p of M(θ) = E[w^p] under Q."""
        return theta + 1 if self.direction == "remove" else -theta

    def pair(self) -> GaussianPairLaw:
        """The same, with levels 0 and 1."""
        drawn = ((0, 1 - self.q), (1, self.q))
        return GaussianPairLaw(
            1 / self.noise_multiplier, *((drawn, BASE) if self.direction == "remove" else (BASE, drawn))
        )

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        return self.pair().on_line(theta, step, count)

    def decay(self, theta: Fraction) -> Decay:
        c, q, r = 1 / ball(self.noise_multiplier), ball(self.q), ball(self.power(theta) + 1)
        mass = self.on_line(theta, Fraction(0), 0)[0].real
        over_u = over_u_scale(c, q, mass) * supremum(c, q, r)
        return replace(self.pair().decay(theta), over_u=over_u if over_u.is_finite() else None)


def over_u_scale(c: arb, q: arb, mass: arb) -> arb:
    """4 sup f for each unit of :func:`supremum`, given M(θ)."""
    return 4 * (c * c).exp() / (q * c * mass * (2 * arb.pi()).sqrt())


def supremum(c: arb, q: arb, r: arb) -> arb:
    """Upper bound of √(2π) sup φ(x + c) w^r: each term of a bound on w^r at its own maximum.

    φ(x + c) e^{r(cx − c²/2)} is largest at x = (r − 1)c, where it is e^{c²(r² − 3r)/2}/√(2π). For r < 0 w^r
    is at most (1 − q)^r.
    """
    if surely_less(r, 0):
        return (1 - q) ** r
    peak = (c * c * (r * r - 3 * r) / 2).exp()
    a, b = (1 - q, q) if surely_at_most(1, r) or surely_at_most(r, 0) else (arb(1), arb(1))
    # w ≤ 2 max(1 − q, y)
    return (a + b * peak).min(2**r * ((1 - q) ** r + q**r * peak))
