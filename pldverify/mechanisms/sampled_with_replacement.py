r"""Fixed-size sampling with replacement, under replace-one.

A batch is m independent uniform draws from n records; the mechanism adds Gaussian noise to the sum of the
drawn contributions, each of norm at most C. The changed record is drawn ℓ times, ℓ ~ Bin(m, 1/n) with
probabilities :math:`b_\ell`.

**Pair.** For α ≥ 1 every two neighbours have

.. math:: H_\alpha \le g(\alpha) = \sum_{\ell \ge 1} b_\ell H_\beta(N(2C\ell, \sigma^2)\|N(0, \sigma^2)),
          \qquad \beta = 1 + \frac{\alpha - 1}{1 - b_0}

(Balle, Barthe, Gaboardi 2018, Theorem 10, with the group profiles of the Gaussian mechanism, whose sum ℓ
changes move by up to 2Cℓ); for α < 1 set :math:`g(\alpha) = 1 - \alpha + \alpha g(1/\alpha)`. g is convex, so
it is the profile of a pair, and that is the pair: on α ≥ 1 it is the mixture, with known ℓ and weights
:math:`b_\ell/(1 - b_0)`, of the pairs :math:`b_0 N(0) + (1 - b_0) N(2C\ell)` against N(0). Symmetric.

It dominates. For m = 1 it is the pair of ``SampledWithoutReplacement`` with q = 1/n: exact for one step, and
an upper bound for more, as no one pair of neighbours has both halves of its profile. For m ≥ 2 it is not
known to be the smallest pair of even one step: δ is an upper bound, within 5 % of the worst of the enumerated
small data sets for ε ≤ 1, but several times it where draws of ℓ ≥ 2 rule.

The pair :math:`\sum b_\ell N(\pm\ell)` of KJH20s B.4 is beaten: see ``KJH20WithReplacement``. So is the
natural candidate :math:`\sum b_\ell N(2\ell)` against N(0), by B.4's, near ε = 0
(tests/oracle/test_dominance.py): no one data set is the worst for all ε.

**Other bases.** The theorem is of any base; H_β of the group of ℓ records is that of Laplace noise which
moves by 2Cℓ, and of what a promise implies for ℓ records, :math:`(\ell\epsilon, \delta\,(e^{\ell\epsilon} -
1)/(e^\epsilon - 1))`-DP (Vadhan 2017, Lemma 2.2), again symmetric pairs, in the place of N(2Cℓ), N(0). The
largest ℓ, of probability below 2^−200 together, count as lost, with loss ±∞.

Ordered in the base's parameters: independent noise, added to both, turns every N(2Cℓ), N(0) into that of a
larger σ, so g falls, and the pair with the greater profile has the other one as a post-processing
(Blackwell).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.fixed_batch import MAX_BATCH, MAX_DRAWS, Base, FixedBatch, a_base, draws, records
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.group import group
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.numbers.exact import Number, count, real, show


@dataclass(frozen=True)
class SampledWithReplacement(FixedBatch, expression="sampled_with_replacement"):
    """``base`` run on ``m`` uniform draws with replacement from ``n`` records.

    ``base.sensitivity`` is C, the bound on one record's contribution; ``base`` may be a promise, too. Raises
    InvalidInput unless ``base`` is a Gaussian, m an integer from 1 to 10**5, n an integer from 2 to 10**12;
    or a Laplace mechanism, PureDP or ApproximateDP, and m at most 1000.

    One draw of ten is a batch of a tenth:

    >>> draw = pv.SampledWithReplacement(pv.Gaussian(sigma=1), m=1, n=10)
    >>> batch = pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.1")
    >>> pv.delta(draw, epsilon="0.5", digits=6).overlaps(pv.delta(batch, epsilon="0.5", digits=6))
    True
    """

    base: Base
    m: int
    n: int

    def __init__(self, base: Base, m: Number, n: Number) -> None:
        most = MAX_BATCH if isinstance(base, Gaussian) else MAX_DRAWS
        vars(self).update(base=a_base(base), m=count(m, "m", cap=most), n=records(n))

    @property
    def tight_steps(self) -> int | None:
        """One for m = 1, as for a batch without replacement; for m ≥ 2 no data sets attain the profile."""
        return 1 if self.m == 1 else 0

    @property
    def components(self) -> tuple[tuple[Fraction, SampledWithoutReplacement], ...]:
        """Of other bases than Gaussian noise: probabilities and the pairs of which it is known which one it
        is, δ of ℓ records rounded up. What the probabilities lack of 1 is lost.
        """
        how = draws(self.m, self.n)
        rows = ((share, _of_several(self.base, level)) for level, share in how.levels)
        return tuple((share, SampledWithoutReplacement(base.ends()[1], how.q)) for share, base in rows)


def _of_several(base: Base, draws: int) -> Any:
    """What bounds the base for so many draws of the record, as if for one."""
    match base:
        case PureDP(epsilon):
            return PureDP(_number(f"{draws}*({show(epsilon)})"))
        case ApproximateDP(epsilon, delta):
            more, each = f"{draws}*({show(epsilon)})", show(epsilon)
            times = f"(exp({more})-1)/(exp({each})-1)" if epsilon and delta else draws
            return ApproximateDP(_number(more), min(_number(f"({show(delta)})*{times}"), 1))
    return group(base, draws).parts[0][0]


def _number(text: str) -> Any:
    return real(text, "base")
