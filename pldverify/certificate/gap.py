"""The gap between the ε of batches that hide a record, shuffled ones as a rule, and their Poisson account."""

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from pldverify.certificate import words
from pldverify.certificate.issue import promised
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import show
from pldverify.values.truth import bracket

_DIGITS = 4
"""Significant digits asked of each ε."""


@dataclass(frozen=True)
class Gap:
    """The true ε of what was run, and that of ``account``, the same question of Poisson batches."""

    account: Query
    true: Enclosure
    accounted: Enclosure

    def sentences(self, ran: bool = True) -> list[str]:
        """What was run, or was not and is looked at, what is often accounted for instead, and how far apart
        they are proved to be.
        """
        said = [
            "In every epoch each record is in one batch at most. Many programs that compute an ε assume "
            "something else: that each record is in each batch independently, with the same chance (Poisson "
            "sampling)."
        ]
        least, most = self.true.lower, self.accounted.upper
        if math.inf in (least, most) or least <= most:
            return [*said, "No gap between the two is proved here."]
        low, high = words.at_least(least), words.at_most(most)
        gap = Fraction(low) - Fraction(high)  # of what is printed
        said.append(
            f"Computed in that way, for {self.account.composition}, ε at this δ is at most {high}. The ε of "
            f"{'what was run' if ran else 'this composition'} is at least {low}."
        )
        return [*said, f"So the Poisson account is too small by at least {show(gap)}."] if gap > 0 else said


def gap(query: Query, truth: Enclosure | None = None) -> Gap | None:
    """None where no record's batch is hidden, nothing is proved, or not of what was run: pairs that may not
    be attained, and promises, have a greater ε. A ``truth`` that some attack has proved is taken for what was
    run.
    """
    from pldverify.reference.quantities.same_attack import attacked

    account = poisson_account(query)
    if account is None or not query.composition.tight or promised(query.composition):
        return None
    with suppress(NotSupported):
        true = truth if truth is not None and attacked(truth) else _epsilon(query)
        return Gap(account, true, _epsilon(account))
    return None


def poisson_account(query: Query) -> Query | None:
    """The same question of Poisson batches that are as large in the mean, as they are often accounted for;
    None where no record's batch is hidden.

    >>> from pldverify.certificate.gap import poisson_account
    >>> shuffled = 2 * pv.ShuffledBatches(pv.Gaussian(sigma=1), batches=100)
    >>> print(poisson_account(pv.Query(shuffled, delta="1e-6")).composition)
    200 * poisson(gaussian(sigma=1), q=0.01)
    """
    parts = query.composition.parts
    if not any(isinstance(mechanism, BallsAndBins | HiddenBatch) for mechanism, _ in parts):
        return None
    with suppress(InvalidInput):  # too many steps, or another relation
        whole = Composition.of(*(_as_poisson(*part) for part in parts))
        return Query(whole, delta=query.delta, adjacency=query.adjacency)
    return None


def _as_poisson(mechanism: Mechanism, times: int) -> tuple[Mechanism, int]:
    if not isinstance(mechanism, BallsAndBins | HiddenBatch):
        return mechanism, times
    kept = mechanism.kept if isinstance(mechanism, HiddenBatch) else Fraction(1)
    sampled = PoissonSubsampled(mechanism.base, kept / mechanism.batches)
    return sampled, times * mechanism.batches


def _epsilon(query: Query) -> Enclosure:
    return bracket(query, lambda found: found.digits >= _DIGITS)
