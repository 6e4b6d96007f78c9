r"""DP-SGD on balls-and-bins batches: every epoch throws each record, on its own, into one of T batches.

Also called random allocation (arXiv 2502.08202). Each batch's sum of contributions, each of norm at most s,
gets Gaussian noise (Chua et al. 2024, arXiv 2412.16802). A record that is removed, or whose contribution
becomes zero, leaves the others in their batches, so ``add-or-remove`` and ``zero-out`` have one pair, in
units of s,

.. math:: P = \frac1T \sum_{t=1}^T N(e_t, \sigma^2 I_T) \quad\text{against}\quad Q = N(0, \sigma^2 I_T) .

Q has nothing hidden.

**It dominates,** adaptive queries included. Proof. The batches of the other records do not depend on that of
the record: given them, subtract their contributions, which the history determines. With the record in batch t
the outcome of step i is then :math:`N(g_i, \sigma^2 I)` for i = t and N(0, σ²I) for i ≠ t, where the
contribution g_i, of norm r_i s with r_i ≤ 1 and direction u_i, is a function of the outcomes before. From a
vector z of P or Q, in units of s, a channel makes such outcomes, whatever t is: at step i,
:math:`y_i = s(r_i z_i + \sqrt{1 - r_i^2}\,\sigma \xi)\,u_i` with normal ξ, and independent noise in all other
directions. N(1, σ²) becomes one around r_i s, N(0, σ²) one around 0. At last take the mean over the batches
of the others: they have one law on both sides, so H is at most the mean of H given them (joint convexity).
∎ **It is attained**: all others contribute 0, the record s.

**k of T steps** (``random_allocation.py``), for each record a subset of k drawn at random: :math:`P = E_S
N(\sum_{t \in S} e_t, \sigma^2 I)`, by the same proof. Draw the subset as a random partition of
the steps into k blocks of given sizes, and one step of each block: all subsets are as likely as before. Given
the partition the pair is the product of one of balls and bins for each block, whichever it is, and Q is the
same; so by joint convexity that product dominates, in both directions. It is attained where the blocks are
known, and where k = 1.

**Bins that are kept** for E epochs, drawn once and hidden: by the same proof :math:`P = \frac1T \sum_t N(1_t,
\sigma^2 I)`, where :math:`1_t` is 1 at step t of every epoch, and the mean of its E outcomes tells all (it is
sufficient): one epoch with σ/√E.

**From below**, of a subset: some neighbours have (P, Q) itself, where all others contribute 0. A function of
the T outcomes that their order does not change has one law under all subsets, so under P; sums of one
function of each outcome are such (:mod:`pldverify.reference.laws.batch_sums`).

Ordered in the base's parameters, as the pair is: noise is added to every coordinate.
"""

from dataclasses import dataclass

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian, a_gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import ONE_RECORD_LESS
from pldverify.numbers.exact import Number, count


@dataclass(frozen=True)
class BallsAndBins(Mechanism, expression="balls_and_bins"):
    """One epoch of ``base`` on each of ``batches`` batches, to which records are sent at random.

    ``base.sensitivity`` is the bound on one record's contribution. With ``participations`` k > 1 the batches
    are a kth of so many ``steps``, of which each record is in k at random
    (:func:`pldverify.random_allocation`); then the pair only bounds. Raises InvalidInput unless ``base`` is a
    Gaussian, ``batches`` an integer from 1 to 10**12, and steps/k, where k > 1, rounded to it up or down.

    >>> print(pv.epsilon(20 * pv.BallsAndBins(pv.Gaussian(sigma=4), batches=1000), delta="1e-6", digits=6))
    0.13284... ± ...
    """

    base: Gaussian
    batches: int
    participations: int = 1
    steps: int | None = None

    relations = ONE_RECORD_LESS

    def __init__(
        self, base: Gaussian, batches: Number, participations: Number = 1, steps: Number | None = None
    ) -> None:
        vars(self).update(base=a_gaussian(base), batches=count(batches, "batches"))
        k = count(participations, "participations")
        vars(self).update(participations=k, steps=None if steps is None else count(steps, "steps"))
        if k == 1 and self.steps is not None:
            raise InvalidInput(f"steps must be left out of one participation, got steps={self.steps}")
        if k > 1 and (self.steps is None or abs(self.steps - k * self.batches) >= k):
            raise InvalidInput(
                f"steps must be less than {k} from {k} * batches={k * self.batches}, got steps={self.steps}"
            )

    @property
    def tight_steps(self) -> int | None:
        """Any number; none for a share of a subset."""
        return 0 if self.participations > 1 else None
