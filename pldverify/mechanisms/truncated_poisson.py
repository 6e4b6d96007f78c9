r"""Poisson batches with a largest size: a sample of more than B records is cut to B of them, at random.

The data have n records (the larger data set, where one is missing in the other); each takes part with
probability q, independently; of a sample of more than B a uniform subset of B is kept. The mechanism adds
Gaussian noise to the sum of the contributions, each of norm at most C (arXiv 2508.15089).

**Pair.** K ~ Bin(n − 1, q) other records are in the sample, τ = Pr[K ≥ B]. Say it is known whether K < B.

* K < B, with probability 1 − τ: nothing is cut, and the pair is that of Poisson sampling, q and C.
* K ≥ B: if the record r is in the sample, it is kept with probability B/(K + 1), beside a uniform subset S of
  B − 1 of the others; else a uniform subset of B of the others is, S and one more, y. Whatever K is, (S, y)
  has one law, so given these r is there with probability

  .. math:: \hat q = E[qB/(K + 1) \mid K \ge B] = \frac{B}{n\tau} \Pr[\mathrm{Bin}(n, q) > B] < q,

  and in its place y, which contributes a vector of norm C, too. So given S and y the outputs are
  :math:`(1 - \hat q) N(v_y) + \hat q N(v_r)` up to a shift, and

  - without r, N(v_y): the pair of Poisson sampling with :math:`\hat q` and 2C, which bounds |v_r − v_y|;
  - with another record in its place, or a contribution of 0, :math:`(1 - \hat q) N(v_y) + \hat q N(v')`: the
    pair of :mod:`pldverify.mechanisms.sampled_without_replacement` with :math:`\hat q` and 2C, whose proof
    has these three Gaussians, no two of them more than 2C apart.

**Proof.** (K ≥ B, S, y) has one law under both data sets, so by joint convexity the profile is at most the
mean of those above: that of the mixture of two pairs, which of them known. It holds at every step whatever
came before, and pairs of adaptive steps multiply. Where K < B, under replace-one, the pair is that of
:mod:`pldverify.mechanisms.poisson_subsampled`. ∎

It bounds: nobody is told whether K < B, and no other record contributes vectors that show it and cancel r as
well. **Below**: where all others contribute 0, r is in the batch with probability
:math:`\bar q = E[\min(\mathrm{Bin}(n, q), B)]/n`, and :math:`(1 - \bar q) N(0) + \bar q N(C)` against N(0)
is attained at every step, under both relations, and in both directions.

Ordered in the base's parameters, as the pairs are: noise added to all.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.gaussian import Gaussian, a_gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, count, probability, rational
from pldverify.numbers.powers import power

_FEW = 200
"""Records up to which the mean batch is exact."""
_BITS = 128
"""Of the fixed point in which the mean batch is bounded."""
_LARGEST = 10**6
"""Largest batch for which a lower bound of the kept rate is computed: its powers have so many bits."""


@dataclass(frozen=True)
class TruncatedPoisson(Mechanism, expression="truncated_poisson"):
    """``base`` run on a Poisson sample of ``dataset_size`` records, cut to ``max_batch`` at random.

    Raises InvalidInput unless ``base`` is a Gaussian, 0 < q ≤ 1 rational, and the others are integers from 1
    to 10**12.

    Where the cut is far from the mean, 500, it costs next to nothing:

    >>> step = pv.TruncatedPoisson(pv.Gaussian(sigma=1), q="0.01", dataset_size=50_000, max_batch=700)
    >>> found = pv.bracket(1000 * step, delta="1e-6", digits=3, seconds=20)
    >>> found.overlaps(pv.epsilon("1000 * poisson(gaussian(1), q=0.01)", delta="1e-6"))
    True
    """

    base: Gaussian
    q: Fraction
    dataset_size: int
    max_batch: int

    # a contribution of 0 is a replaced record: zero-out is covered by replace-one
    relations = ("add-or-remove", "replace-one")

    def __init__(self, base: Gaussian, q: Number, dataset_size: Number, max_batch: Number) -> None:
        vars(self).update(
            base=a_gaussian(base),
            q=probability(rational(q, "q"), "q", zero=False),
            dataset_size=count(dataset_size, "dataset_size"),
            max_batch=count(max_batch, "max_batch"),
        )

    @property
    def tight_steps(self) -> int | None:
        """None at all, unless no sample is too large."""
        return None if self.max_batch >= self.dataset_size else 0

    @property
    def least_q(self) -> Fraction:
        r"""A lower bound of :math:`\bar q`, 0 where none is known; itself for few records.

        :math:`E[\min(X, B)] = nq - E[(X - B)_+]`, and for r > 1 and integers :math:`(x)_+ \le r^x/(r - 1)`,
        so the last term is at most :math:`(1 - q + qr)^n r^{-B}/(r - 1)`. Any r ≤ 2 will do. Rounds down.
        """
        n, most = self.dataset_size, self.max_batch
        if most >= n or self.q == 1:
            return self.q * min(Fraction(1), Fraction(most, n))
        if n <= _FEW:
            chances = [math.comb(n, i) * self.q**i * (1 - self.q) ** (n - i) for i in range(n + 1)]
            return sum((min(i, most) * chance for i, chance in enumerate(chances)), Fraction(0)) / n
        near = (Fraction(most - times * math.isqrt(most), n) for times in range(1, 5))
        return max(self._least(q) for q in (self.q, *near) if q <= self.q)

    def _least(self, q: Fraction) -> Fraction:
        """The bound with a smaller q, which has smaller samples."""
        n, most = self.dataset_size, self.max_batch
        if not 0 < q * n < most <= _LARGEST:
            return Fraction(0)
        best = Fraction(most) * (1 - q) / ((n - most) * q)  # where it is best, but for r − 1
        r = Fraction(min(2048, math.ceil(best * 1024) + 1), 1024)
        growth = power(1 - q + q * r, n, _BITS, "upper") / power(r, most, _BITS, "lower")
        beyond = Fraction(math.ceil(growth / (r - 1) * 2**_BITS), 2**_BITS)
        return max(Fraction(0), q - beyond / n)
