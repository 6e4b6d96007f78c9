"""How batches are drawn, by name: one table for ``pv.dp_sgd``, the flags of a run and claims files.

A scheme is refused where what was drawn isn't said wholly: epochs that are cut short, data that the batches
of an epoch do not divide, groups of different sizes. What is proved of each stands in the file of its
mechanism. **Cyclic Poisson sampling** (arXiv 2306.08153): the records are in b groups that are known, which
group a record is in depends on no other record, and step t samples from group t mod b. A record of the first
group takes part in ⌈steps/b⌉ steps, the others in no more; given the history, the steps of other groups have
one law on both sides. So it is that many steps of Poisson sampling, attained. Where the groups are drawn at
random and hidden it is an upper bound (joint convexity).
"""

from collections.abc import Callable, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.random_allocation import random_allocation
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.shuffled_batches import ShuffledBatches
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.numbers.exact import Number, count, positive, probability, show

Sampling = Literal[
    "poisson",
    "truncated-poisson",
    "fixed",
    "fixed-with-replacement",
    "shuffled",
    "balls-and-bins",
    "allocation",
    "cyclic-poisson",
]
NOTHING = PureDP(0)
"""What depends on no record."""
BARE = ApproximateDP(0, 1)
"""No noise: whatever was sampled is published."""


@dataclass(frozen=True)
class Batches:
    """What is known of the batches of a run.

    Attributes:
        share: of the records that are in a batch, on average; 0 where that isn't said, as no scheme needs it.
        batch_size, dataset_size: whose ratio it is; None where the ratio itself was given.
        per_epoch: batches of an epoch, where that is not 1/share.
        max_batch, participations, cycle_length: as in :func:`pldverify.dp_sgd`.
    """

    share: Fraction = Fraction(0)
    batch_size: Number | None = None
    dataset_size: Number | None = None
    per_epoch: int | None = None
    max_batch: Number | None = None
    participations: Number | None = None
    cycle_length: Number | None = None


@dataclass(frozen=True)
class Scheme:
    """One way to draw batches.

    Attributes:
        said: in words.
        sized: the same, of batches of a size.
        needs: what must be given, beside the steps or epochs and the share of the records.
        without: what must not, beside what only other schemes need.
    """

    said: str
    sized: str
    make: Callable[[Any, Batches, int], Composition]
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def refused(self) -> list[str]:
        """What must not be given."""
        return [*self.without, *(name for name in EXTRA if name not in self.needs)]

    def of(self, base: Mechanism, batches: Batches, steps: int) -> Composition:
        """So many steps of ``base`` on such batches; of nothing where there are none. Raises InvalidInput."""
        if not steps or (not batches.share and self is not SCHEMES["allocation"]):
            return Composition.of((NOTHING, 1))
        return self.make(base, batches, steps)


def _poisson(base: Any, batches: Batches, steps: int) -> Composition:
    return Composition.of((_sampled(base, batches.share), steps))


def _sampled(base: Any, q: Fraction) -> Mechanism:
    return PoissonSubsampled(base, q) if q < 1 else base


def _truncated(base: Any, batches: Batches, steps: int) -> Composition:
    if base == BARE:
        raise InvalidInput("noise_multiplier must be > 0 for sampling = truncated-poisson, got 0")
    sizes: tuple[Any, Any] = batches.dataset_size, batches.max_batch
    return Composition.of((TruncatedPoisson(base, batches.share, *sizes), steps))


def _fixed(base: Any, batches: Batches, steps: int) -> Composition:
    if batches.batch_size is not None:
        count(batches.batch_size, "batch_size")
    return Composition.of((SampledWithoutReplacement(base, batches.share), steps))


def _with_replacement(base: Any, batches: Batches, steps: int) -> Composition:
    sizes = count(batches.batch_size, "batch_size"), count(batches.dataset_size, "dataset_size")
    return Composition.of((SampledWithReplacement(base, *sizes), steps))


def _in_epochs(
    sampling: str, kind: Callable[[Any, int], Mechanism], base: Any, batches: Batches, steps: int
) -> Composition:
    """Whole epochs of so many batches each. Raises InvalidInput."""
    each = Fraction(batches.per_epoch) if batches.per_epoch is not None else 1 / batches.share
    if each.denominator > 1:
        raise InvalidInput(
            f"an epoch must have a whole number of batches for sampling = {sampling}, got {show(each)} "
            f"of them: an expression says how many it has, such as {_EXPRESSIONS[sampling]}"
        )
    if steps % each:
        raise InvalidInput(
            f"steps must be whole epochs for sampling = {sampling}, got {steps} steps of {each} an epoch"
        )
    return Composition.of((base if base == BARE else kind(base, int(each)), int(steps / each)))


_EXPRESSIONS = {
    "shuffled": '"15 * shuffled(gaussian(sigma=1.1), batches=235)"',
    "balls-and-bins": '"15 * balls_and_bins(gaussian(sigma=1.1), batches=235)"',
}
"""What says the number of batches."""


def _allocation(base: Any, batches: Batches, steps: int) -> Composition:
    times = count(batches.participations, "participations")
    if base == BARE and times <= steps:
        return Composition.of((base, times))
    return random_allocation(base, steps=steps, participations=times)


def _cyclic(base: Any, batches: Batches, steps: int) -> Composition:
    groups = count(batches.cycle_length, "cycle_length")
    records = batches.dataset_size
    if records is not None and count(records, "dataset_size") % groups:
        raise InvalidInput(
            f"cycle_length must divide dataset_size for sampling = cyclic-poisson, got {groups} groups of "
            f"{records} records: sampling_probability says the probability within a group"
        )
    if (q := batches.share * groups) > 1:
        raise InvalidInput(
            "batch_size must be at most dataset_size / cycle_length for sampling = cyclic-poisson"
        )
    return Composition.of((_sampled(base, q), -(-steps // groups)))


SCHEMES: dict[Sampling, Scheme] = {
    "poisson": Scheme("Poisson batches", "Poisson batches of {} on average", _poisson),
    "truncated-poisson": Scheme(
        "truncated Poisson batches",
        "Poisson batches of {} on average",
        _truncated,
        ("batch_size", "dataset_size", "max_batch"),
        ("sampling_probability",),
    ),
    "fixed": Scheme("batches without replacement", "batches of {}, drawn without replacement", _fixed),
    "fixed-with-replacement": Scheme(
        "batches with replacement",
        "batches of {}, drawn with replacement",
        _with_replacement,
        ("batch_size", "dataset_size"),
        ("sampling_probability",),
    ),
    "shuffled": Scheme(
        "shuffled batches", "shuffled batches of {}", partial(_in_epochs, "shuffled", ShuffledBatches)
    ),
    "balls-and-bins": Scheme(
        "balls-and-bins batches",
        "batches of {} on average, each record put into one of an epoch's at random",
        partial(_in_epochs, "balls-and-bins", BallsAndBins),
    ),
    "allocation": Scheme(
        "random allocation",
        "batches of {} on average",
        _allocation,
        ("steps", "participations"),
        ("epochs", "sampling_probability", "batch_size", "dataset_size"),
    ),
    "cyclic-poisson": Scheme(
        "cyclic Poisson batches",
        "Poisson batches of {} on average",
        _cyclic,
        ("cycle_length",),
    ),
}
"""The schemes by their names."""
EXTRA = ("max_batch", "participations", "cycle_length")
"""What some scheme needs, and all others refuse."""
SIZES = ("batch_size", "dataset_size", "epochs", "steps", *EXTRA)
"""What is said of the size of a run."""


def share(batch: object, records: object, q: object, groups: object, name: str) -> Fraction:
    """Of the records that are in a batch, on average; 0 where that isn't said. Raises InvalidInput.

    ``q``, called ``name``, is the probability within a group where ``groups`` take turns.
    """
    if q is not None:
        return probability(q, name) / (1 if groups is None else count(groups, "cycle_length"))
    if batch is None:
        return Fraction(0)
    size, among = positive(batch, "batch_size"), count(records, "dataset_size")
    if size > among:
        raise InvalidInput(f"batch_size must be at most dataset_size, got {show(size)} of {among}")
    return size / among


def wrong(given: Set[str], *drawn: Sampling, say: Callable[[str], str] = str) -> str | None:
    """What is wrong with these arguments of a run, in one sentence; None for nothing.

    ``say`` is how an argument is called. Where several schemes may have been used, what any of them needs
    must be given, and what none has a use for is refused.

    >>> wrong({"batch_size", "dataset_size", "steps"}, "truncated-poisson")
    'max_batch must be given for sampling = truncated-poisson'
    """
    sampling = say("sampling")
    for scheme in drawn:
        for name in SCHEMES[scheme].needs:
            if name not in given:
                return f"{say(name)} must be given for {sampling} = {scheme}"
    useless = [name for name in SCHEMES[drawn[0]].refused if all(name in SCHEMES[x].refused for x in drawn)]
    for name in useless:
        if name in given:
            return f"{say(name)} must be left out for {sampling} = {', '.join(drawn)}"
    q, batch, records, steps, epochs = map(
        say, ("sampling_probability", "batch_size", "dataset_size", "steps", "epochs")
    )
    sizes = given & {"batch_size", "dataset_size"}
    faults = {
        f"{q} must be given, or {batch} with {records}": not sizes
        and "sampling_probability" not in given
        and "sampling_probability" not in useless,
        f"{q} must stand without {batch} and {records}": bool(sizes) and "sampling_probability" in given,
        f"{batch} and {records} must be given together": len(sizes) == 1,
        f"{steps} or {epochs} must be given": given.isdisjoint({"steps", "epochs"}),
        f"{steps} must stand without {epochs}": given >= {"steps", "epochs"},
    }
    return next((text for text, holds in faults.items() if holds), None)
