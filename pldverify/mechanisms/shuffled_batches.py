r"""DP-SGD on shuffled batches: every epoch orders the records at random and cuts the order into T batches.

Each batch's sum of contributions, each of norm at most s, gets Gaussian noise; with T given, every record
takes part once an epoch. No dominating pair is known that is attained. Relation: ``zero-out``, and
``replace-one``; the order is that of the places, so both data sets of a pair have the same one. When a record
is removed all others move, batches change their size, and nothing here holds: a claim for add-or-remove is
not proved by this mechanism.

**Above.** Every pair of neighbours, adaptive queries included, is dominated by the base, of sensitivity s
(zero-out) or 2s (replace-one). Proof. Let π be the order, drawn without a look at the data, and P_π, Q_π the
outcomes given π. Given π the record takes part in one batch that is known; all other steps have, given the
history, the same law on both sides, and that one is a Gaussian pair at most so far apart, so :math:`H_\alpha
(P_\pi\|Q_\pi) \le H_\alpha(\text{base})` (Balle and Wang 2018, Theorem 8). With :math:`P = E_\pi P_\pi`,
:math:`Q = E_\pi Q_\pi`, joint convexity gives :math:`H_\alpha(P\|Q) \le E_\pi H_\alpha(P_\pi\|Q_\pi)`. It
holds given every history, so epochs compose: E of them are dominated by E-fold base. ∎

**Below.** Some neighbours have the pair (P_2, P_1) (zero-out), or (P_2, P_0) (replace-one) of
:mod:`pldverify.mechanisms.hidden_batch`, in an epoch. Proof (Chua et al. 2024, arXiv 2403.17673, section 4.2;
several epochs: arXiv 2411.04205). Contributions are numbers: every other record's is −s, the record's is s,
and in its place stands 0, or −s. Batch t has b_t records, a public number; to its sum add s·b_t. Then a batch
without the record has 0, its batch has 2s, or s, or 0. By symmetry of the order it is batch t with
probability b_t/n, and 1/T where all are as large. The adversary knows the data; queries needn't be adaptive.
The same neighbours in every epoch, whose orders are independent: the pair to the E-th power. ∎ Where the b_t
differ, a function of the T sums that their order does not change has the laws that it has under the pair: so
all attacks here, which see the largest of the sums and sums of one function of each
(:mod:`pldverify.reference.laws.batch_sums`), hold for batches of any sizes.

**What would be better above, and what fails.** The places of the others can't be revealed as in
:mod:`pldverify.mechanisms.balls_and_bins`: as sizes are fixed, they tell the record's. That (P_2, P_1)
dominates is proved nowhere; it would have to hold for all contributions of those who change places with the
record, which are vectors that earlier outcomes choose. For σ² ≥ 3/log T, arXiv 2605.06259 claims trade-off
functions of at least 1 − α − δ by the Berry-Esseen theorem, with δ of the order of T^{−1/2}: 1/100 at σ = 1
and T = 1.14·10⁶. A δ of 10⁻⁶ would take 10⁸ times as many batches, so that result, whose proof was not
checked here, says nothing of the budgets that are reported. Nothing here contradicts it: the attack has
δ(0) = .0023 there.

**When T does not divide n.** A smaller last batch counts as one of the T, and both sides hold. Where the rest
of the order is dropped, a record is there with probability 1 − ρ = ``dropped``, by symmetry. Above: it takes
part at most once. Below: a batch without the record has 0, so on the same data the pair is :math:`(\rho P_2 +
(1-\rho) P_0, \rho P_1 + (1-\rho) P_0)`, or :math:`(\rho P_2 + (1-\rho) P_0, P_0)`. So it is of a last epoch
that ends after T of its batches, ρ being their share of the records. Where records are repeated to fill the
last batch, a record may take part twice, and neither end holds. Batches that are empty don't count; then n ≥
T.

``persistent=True`` keeps one order, drawn once, for all epochs. Above: given it, E-fold base. Below: the
mean of E outcomes, each N(a e_t, σ²I) with one t, is one epoch's with σ/√E (and nothing is lost: it is
sufficient). All epochs of a composition share the order: that of a second run, drawn anew, can't be written.
An order that is not hidden (files that are read as they lie there) is no shuffling: it is
``E * base``, exactly.

Ordered in the base's parameters: noise added to every outcome before anyone sees it makes the mechanism with
a larger σ of one with a smaller one.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian, a_gaussian
from pldverify.mechanisms.hidden_batch import Gap, HiddenBatch
from pldverify.mechanisms.relations import Relation
from pldverify.numbers.exact import Number, brief, count, probability, rational


@dataclass(frozen=True)
class ShuffledBatches(HiddenBatch, expression="shuffled"):
    """One epoch of ``base`` on each of ``batches`` batches of a random order; ``E *`` it orders anew.

    ``persistent``: E epochs share one order, drawn once and hidden. ``dropped``: the share of the records
    that an order leaves over, which are in no batch of that epoch. ``base.sensitivity`` is the bound on one
    record's contribution. Raises InvalidInput unless ``base`` is a Gaussian, ``batches`` an integer from 1 to
    10**12, ``persistent`` True or False, in an expression 1 or 0, and ``dropped`` at least 0 and less than 1.

    Only a bracket of the true ε is known; under Poisson sampling it would be 0.95422:

    >>> found = pv.bracket(pv.ShuffledBatches(pv.Gaussian(sigma=1), batches=100), delta="1e-6")
    >>> f"{float(found.lower):.3f} {float(found.upper):.3f}"
    '4.682 4.887'
    >>> pv.Query(pv.ShuffledBatches(pv.Gaussian(sigma=1), batches=100), delta="1e-6").adjacency
    'zero-out'
    """

    base: Gaussian
    batches: int
    persistent: bool = False
    dropped: Fraction = Fraction(0)

    def __init__(
        self, base: Gaussian, batches: Number, persistent: bool = False, dropped: Number = 0
    ) -> None:
        vars(self).update(base=a_gaussian(base), batches=count(batches, "batches"))
        if persistent not in (0, 1):
            raise InvalidInput(f"persistent must be True or False, got persistent={brief(persistent)}")
        vars(self).update(persistent=bool(persistent))
        share = probability(rational(dropped, "dropped"), "dropped")
        if share == 1:
            raise InvalidInput("dropped must be less than 1, got dropped=1")
        vars(self).update(dropped=share)

    @property
    def gaps(self) -> dict[Relation, Gap]:
        return {"zero-out": (2, 1), "replace-one": (2, 0)}

    @property
    def kept(self) -> Fraction:
        return 1 - self.dropped

    def epochs(self, times: int) -> tuple[Fraction, int]:
        """σ² in units of the sensitivity, and how many draws of the batch; of a persistent order one.

        >>> import pldverify as pv
        >>> pv.ShuffledBatches(pv.Gaussian(2), batches=10, persistent=True).epochs(3)
        (Fraction(4, 3), 1)
        """
        variance, _ = super().epochs(times)
        return (variance / times, 1) if self.persistent else (variance, times)
