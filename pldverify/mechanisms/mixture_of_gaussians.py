r"""The mixture-of-Gaussians mechanism: Gaussian noise on a query whose sensitivity is random.

Pair: :math:`P = \sum_i w_i N(c_i, \sigma^2)` against :math:`Q = N(0, \sigma^2)`, c_i ≥ 0 with probability w_i
(Choquette-Choo, Ganesh, Steinke, Thakurta 2023, arXiv 2310.15526; Ganesh 2024, arXiv 2401.10294). Direction
``remove`` is P‖Q, ``add`` Q‖P.

**Dominance.** Let neighbours have the outputs :math:`N(x_i, \sigma^2 I)` with probability w_i, and
:math:`N(0, \sigma^2 I)`, up to a shift that both share, in any dimension, with :math:`|x_i| \le c_i`. Then
the pair dominates theirs in both directions. Proof, in units of σ: under N(0, I) the ratio of their densities
is :math:`\sum_i w_i e^{Y_i - \mathrm{Var} Y_i/2}` with jointly Gaussian :math:`Y_i = \langle x_i, t\rangle`,
of covariances :math:`\langle x_i, x_j\rangle \le c_i c_j`, which are those of :math:`c_i t` in one dimension.
Kahane's inequality (1985): if all covariances rise, the expectation of a convex function of the sum does not
fall. (Between both, at :math:`\sqrt{s}Y' + \sqrt{1-s}Y`, its derivative is :math:`\frac12 \sum_{ij} w_i w_j
(K'_{ij} - K_{ij}) E[F'' e^{\dots} e^{\dots}] \ge 0`.) With :math:`F(r) = (r - \alpha)_+`, a limit of smooth
convex functions, this is the profile of P‖Q at every α ≥ 0; and the profile at all α is that of Q‖P too.

**Groups under Poisson sampling.** m records are in the data or not, all of them together; each takes part
with probability q in each step, independently, and contributes a vector of norm at most C, which may depend
on all earlier outputs. Given those, and given which other records take part, which has one law with the group
and without it, the outputs are as above with :math:`x_S = \sum_{i \in S} v_i`, :math:`|x_S| \le C|S|`; joint
convexity of the divergence takes the mean over the others. So every step is dominated, whatever came before,
by Binomial(m, q) many C, and pairs of adaptive steps multiply (Zhu, Dong, Wang 2022, Theorem 10). Attained by
records that contribute one constant vector of norm C. A group of fewer records is covered: replace x_i by 0.
Not covered: some records of the group added and others removed, or replaced.

Given only for ``add-or-remove``. The same for other random sensitivities, if which c_i it is has one law
whatever came before, or the w_i of a bound in stochastic order.

Ordered in σ: independent noise, added to both, turns the pair of σ into that of a larger σ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, lcm

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.vector import vector
from pldverify.numbers.exact import Number, nonnegative, positive, probability, show

MAX_LEVELS = 1000
"""Cap on the largest sensitivity in units of the one that all are multiples of."""


@dataclass(frozen=True)
class MixtureOfGaussians(Mechanism, expression="mixture_of_gaussians"):
    """Noise of standard deviation ``sigma`` on a query of sensitivity ``sensitivities[i]`` with probability
    ``probabilities[i]``.

    Sensitivities may be 0 and must be multiples of one unit, at most 1000 times it; the probabilities must
    sum to exactly 1, so decimals should be strings. Raises InvalidInput.

    A group of two records, each in the batch with probability 1/10:

    >>> pair = pv.MixtureOfGaussians(1, sensitivities=[0, 1, 2], probabilities=["0.81", "0.18", "0.01"])
    >>> float(pv.delta(pair, epsilon=1, adjacency="remove"))
    0.00382605181578...
    """

    sigma: Fraction
    sensitivities: tuple[Fraction, ...]
    probabilities: tuple[Fraction, ...]

    relations = ("add-or-remove",)

    def __init__(
        self, sigma: Number, sensitivities: Sequence[Number], probabilities: Sequence[Number]
    ) -> None:
        noise = positive(sigma, "sigma")
        moves = vector(sensitivities, "sensitivities", nonnegative)
        chances = vector(probabilities, "probabilities", probability)
        if len(moves) != len(chances):
            raise InvalidInput(
                f"probabilities must be as long as sensitivities, got {len(chances)} and {len(moves)}"
            )
        if sum(chances) != 1:
            raise InvalidInput(
                f"probabilities must sum to exactly 1, got a sum of {show(sum(chances, Fraction(0)))[:40]}"
            )
        vars(self).update(sigma=noise, sensitivities=moves, probabilities=chances)
        if not self.unit:
            raise InvalidInput("sensitivities must have one > 0 of positive probability, got none")
        if self.levels[-1][0] > MAX_LEVELS:
            raise InvalidInput(
                f"sensitivities must be at most {MAX_LEVELS} times the unit that all are multiples of, got "
                f"{self.levels[-1][0]} times {show(self.unit)[:40]}"
            )

    @cached_property
    def unit(self) -> Fraction:
        """The largest number that all sensitivities which occur are multiples of; 0 where none is > 0."""
        used = [c for c, w in zip(self.sensitivities, self.probabilities, strict=True) if w]
        whole = lcm(*(c.denominator for c in used))
        return Fraction(reduce(gcd, (int(c * whole) for c in used), 0), whole)

    @cached_property
    def levels(self) -> tuple[tuple[int, Fraction], ...]:
        """(sensitivity in units, probability > 0), rising."""
        chances: dict[int, Fraction] = {}
        for c, w in zip(self.sensitivities, self.probabilities, strict=True):
            if w:
                level = int(c / self.unit)
                chances[level] = chances.get(level, Fraction(0)) + w
        return tuple(sorted(chances.items()))
