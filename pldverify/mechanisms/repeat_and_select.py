r"""The best of a random number of runs: tuning of hyperparameters, whose winner alone is shown.

``base`` runs K times on the same data, K drawn first and not shown; outputs have an order that doesn't look
at the data again (a score is part of the output), and the best of them is shown; of equal ones each is as
likely. Notation: Q and Q' the laws of one run on two neighbours, A and A' those of what is shown, f(x) = E
x^K, μ = E K = ``mean``, η = ``shape``.

======  ================================================  ==============================================
η       f(x)                                              K
======  ================================================  ==============================================
0       log(1 − (1 − γ)x) / log γ                         logarithmic
1       γx / (1 − (1 − γ)x)                               geometric
η > 0   ((1 − (1 − γ)x)^−η − 1)/(γ^−η − 1)                negative binomial, if it is not 0
∞       :math:`e^{\mu(x-1)}`                              Poisson; nothing is shown if it is 0
======  ================================================  ==============================================

γ is what makes f'(1) = μ (Papernot and Steinke 2022, arXiv 2110.03620, Definition 1).

**Above.** Let :math:`\hat\delta` be the largest δ(ε̂) of ``base`` in both directions, at any ε̂ ≥ 0, and

.. math:: r = \max(e^{\hat\epsilon}, 1 + \hat\delta(1-\gamma)/\gamma)^{1+\eta}, \qquad F = \mu;

for Poisson runs :math:`r = \exp(\mu(\hat\delta + e^{\hat\epsilon} - 1))` and :math:`F = \mu + e^{-\mu}`. Then
in a composition each such mechanism is its base, beside a factor F on δ and log r on ε:

.. math:: \delta(\epsilon) \le \prod F_i \cdot \delta_{\text{bases and others}}(\epsilon - \sum \log r_i).

*Proof.* Let U(y) be the probability that a run is worse than y, plus a share t of that it is as good. What
wins has

.. math:: A(dy) = \varphi(y)\, Q(dy), \qquad \varphi(y) = \int_0^1 f'(U_t(y))\,dt,

as :math:`f(Q(\le y)) - f(Q(< y))` is the probability of a winner as good as y, and those as good as y win in
proportion to Q. f' rises, so φ ≤ f'(1) = μ. And φ ≤ rφ': for one t let q = U_t(y) and q' that under Q'. 1 − q
and 1 − q' are powers of one test, so :math:`1 - q' \le e^{\hat\epsilon}(1 - q) + \hat\delta`. With w = γ + (1
− γ)(1 − q), which is at least γ, and w' alike, :math:`f'(q)/f'(q') = (w'/w)^{1+\eta}`, and :math:`w' \le
e^{\hat\epsilon} w + (1-\gamma)\hat\delta - \gamma(e^{\hat\epsilon} - 1)`. Divided by w that is at most
:math:`e^{\hat\epsilon}` where what is added is ≤ 0, and else largest at w = γ. For Poisson runs
:math:`f'(q)/f'(q') = e^{\mu(q - q')}`, and :math:`q - q' \le (e^{\hat\epsilon} - 1)(1 - q) + \hat\delta`.

Let Q and Q' be the laws of all steps together, each mechanism of this kind run once, whatever came before;
the laws of what is shown have densities Φ ≤ ΠF_i and Φ' ≥ Φ/Πr_i to them, and for every set

.. math:: \int (dA - e^\epsilon dA')_+ \le \int \Phi\, (dQ - e^{\epsilon - \sum \log r_i} dQ')_+.

Where K may be 0, tell beforehand which of the K are: that loses nothing, as it is seen. Given it, those steps
are none, and the others' factor is μ/(1 − f(0)). Fewer steps have at most the δ of all, r ≥ 1, and so the sum
over all cases is at most :math:`\prod (f_i(0) + \mu_i)` of it. ∎

**Moments.** For λ > 0 and M(λ) of one direction, the sum or integral of :math:`Q^{1+\lambda} Q'^{-\lambda}`,

.. math:: M_A(\lambda) \le \mu\, r_\lambda^\lambda M_Q(\lambda), \qquad
          r_\lambda = \max\Big(\frac{e^{\hat\epsilon}}{1 + 1/\lambda},
          1 + \hat\delta\frac{1-\gamma}{\gamma}\Big)^{1+\eta};

of Poisson runs :math:`r_\lambda = \exp\big(\mu(\hat\delta + (e^{\hat\epsilon} - 1 - 1/\lambda)_+)\big)`, and
:math:`e^{-\mu}` is added. As λ grows that is r.

*Proof.* :math:`a^{1+\lambda} b^{-\lambda}` is convex, so with both at one t :math:`\varphi^{1+\lambda}
\varphi'^{-\lambda} \le \int_0^1 f'(q)^{1+\lambda} f'(q')^{-\lambda}\,dt`. As :math:`f'(q) = \mu
(\gamma/w)^{1+\eta}`, that is :math:`\mu\, g^{1+\eta}` with :math:`g = (\gamma/w)(w'/w)^\lambda \le
(\gamma/w)(e^{\hat\epsilon} + \kappa/w)^\lambda`, κ = (1 − γ)δ̂ − γ(e^ε̂ − 1). Where κ ≥ 0 it falls in w, and
is greatest at γ. Else it rises as long as :math:`e^{\hat\epsilon} w < (1 + \lambda)|\kappa|`. If that is so
at no w ≥ γ, it is greatest at γ again, where :math:`e^{\hat\epsilon} + \kappa/\gamma = 1 + \hat\delta(1 -
\gamma)/\gamma`; if it is so at some, then at equality, where γ/w ≤ 1 and :math:`e^{\hat\epsilon} + \kappa/w =
e^{\hat\epsilon} \lambda/(1 + \lambda)`. For Poisson runs :math:`f'(q)^{1+\lambda} f'(q')^{-\lambda} = \mu
\exp \mu\big(\lambda(1 - q') - (1 + \lambda)(1 - q)\big)`, and :math:`\lambda(1 - q') \le \lambda
e^{\hat\epsilon}(1 - q) + \lambda\hat\delta`. That nothing is shown has :math:`e^{-\mu}` on both sides. Given
all that came before, the bases have at most the δ̂ and M of their pairs, so moments multiply. ∎

It is better than the above in many steps, where F counts each time, and for Poisson runs, as ε̂ may be log(1
+ 1/λ) for nothing. If the losses of the base are within ±ε in both directions, with none that is infinite,
those of the best are within (2 + η)ε, by ε̂ = ε and δ̂ = 0; of Poisson runs within ε + μ tanh(ε/2), by ε̂ = 0.
Randomised response with that loss has larger moments, as a chord lies above a convex function.

Papernot and Steinke's Theorems 2 and 6 say it with Markov's inequality in the place of δ̂; the latter leaves
out :math:`e^{-\mu}`. How far the ends are apart is measured in docs/selection.md.

**Below.** :mod:`pldverify.mechanisms.ranked`: who ranks outputs so that the worst losses win.

What is bounded is the worst of all ``base`` that its pair dominates, and of all orders.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.mechanisms.relations import RELATIONS, Relation
from pldverify.numbers.exact import Number, brief, rational, show
from pldverify.numbers.functions import Term, add, between, divide, ends, exp, log, multiply, power
from pldverify.numbers.order import infinite
from pldverify.numbers.witness import Bound

_BITS = 256
"""To which γ is enclosed, relative to its size."""
MOST_RUNS = 10**6
"""Cap on the mean number of runs, and on the shape."""


@dataclass(frozen=True)
class RepeatAndSelect(Mechanism, expression="repeat_and_select"):
    """The best of K runs of ``base``, a mechanism or a composition.

    ``mean`` is that of K, and ``shape`` its law: 1 geometric, 0 logarithmic, inf Poisson, others negative
    binomial without 0. Raises InvalidInput unless mean is from 1 to 10**6, shape from 0 to 10**6 or inf, both
    rational, and where γ can't be had: of a shape beyond about 50, which is nearly Poisson, or next to 0.

    >>> tuned = pv.RepeatAndSelect(pv.Gaussian(sigma=1), mean=10, shape=1)
    >>> found = pv.bracket(tuned, delta="1e-5", digits=3)
    >>> f"{float(found.lower):.2f} {float(found.upper):.2f}"
    '6.34 6.62'
    """

    base: Composition
    mean: Fraction
    shape: Bound

    tight_steps = 0  # it has no pair to attain

    def __init__(self, base: Composition | Mechanism, mean: Number, shape: Number) -> None:
        if not isinstance(base, Composition | Mechanism):
            raise InvalidInput(f"base must be a mechanism or a composition, got {brief(base)}")
        eta = math.inf if infinite(shape) else rational(shape, "shape")
        vars(self).update(base=composed(base), mean=rational(mean, "mean"), shape=eta)
        if not 1 <= self.mean <= MOST_RUNS:
            raise InvalidInput(f"mean must be from 1 to {MOST_RUNS}, got mean={show(self.mean)}")
        if not (self.poisson or 0 <= self.shape <= MOST_RUNS):
            raise InvalidInput(f"shape must be from 0 to {MOST_RUNS}, or inf, got shape={brief(shape)}")
        try:
            _ = self.poisson or self.gamma
        except InvalidInput:  # an exponent is too large, or a difference too small
            raise InvalidInput(
                f"shape must have a γ that is not too close to 0 or 1, or be inf, got shape={brief(shape)} "
                f"with mean={show(self.mean)}"
            ) from None

    @property
    def poisson(self) -> bool:
        """Whether K is a Poisson number, which may be 0."""
        return self.shape == math.inf

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(name for name in RELATIONS if self.base.has(name))

    @property
    def dominates(self) -> bool:
        """As far as the base's pair does."""
        return self.base.dominates

    @property
    def gamma(self) -> tuple[Fraction, Fraction]:
        """Fractions around γ, equal where it is one.

        >>> runs = pv.RepeatAndSelect(pv.Gaussian(1), mean=10, shape=0)
        >>> f"{float(runs.gamma[0]):.6f}", runs.gamma[0] < runs.gamma[1]
        ('0.026918', True)
        """
        return _gamma(self.mean, Fraction(self.shape))

    @property
    def factor(self) -> Fraction:
        """F, or a fraction above it: e^{−μ} ≤ 1/(1 + μ)."""
        return self.mean + (1 / (1 + self.mean) if self.poisson else 0)

    def generating(self, x: Term) -> Term:
        """f(``x``), for x in [0, 1].

        >>> print(pv.RepeatAndSelect(pv.Gaussian(1), mean=2, shape=1).generating(Fraction(1, 2)))
        1/3
        """
        if self.poisson:
            return exp(multiply(self.mean, add(x, Fraction(-1))))
        if self.mean == 1:
            return x
        eta, gamma = Fraction(self.shape), between(*self.gamma)
        rest = add(Fraction(1), multiply(add(gamma, Fraction(-1)), x))
        if eta == 0:
            return divide(log(rest), log(gamma))
        above, whole = (add(power(y, -eta), Fraction(-1)) for y in (rest, gamma))
        return divide(above, whole)


@lru_cache(maxsize=256)
def _gamma(mean: Fraction, eta: Fraction) -> tuple[Fraction, Fraction]:
    """The mean falls in γ, from ∞ to 1: halved until the ends agree, or are not told apart."""
    if mean == 1 or eta == 1:
        return 1 / mean, 1 / mean
    low, high = 1 / (2 * mean * mean), Fraction(1)
    while _mean(low, eta)[0] < mean:
        low /= 2 * mean
    while (high - low) * 2**_BITS > high:
        middle = (low + high) / 2
        least, most = _mean(middle, eta)
        if most < mean:
            high = middle
        elif least > mean:
            low = middle
        else:
            break
    return low, high


def _mean(gamma: Fraction, eta: Fraction) -> tuple[Bound, Bound]:
    """Around f'(1) = η(1 − γ)/(γ(1 − γ^η)), of η = 0 (1 − γ)/(γ log(1/γ))."""
    below = multiply(-gamma, log(gamma)) if eta == 0 else multiply(gamma, _less(power(gamma, eta)))
    return ends(divide((1 - gamma) * (eta or 1), below))


def _less(x: Term) -> Term:
    """1 − x."""
    return add(Fraction(1), multiply(Fraction(-1), x))
