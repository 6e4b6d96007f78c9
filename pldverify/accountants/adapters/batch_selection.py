"""jax-privacy's batch selection strategies, read as compositions of the noise that is added to their batches.

Its events (``jax_privacy.experimental.accounting``, and those of its BandMF plans) are dp-accounting's, and
are read as such. Strategies that have none there are read here, by the names of their classes. Groups that a
strategy draws at random are hidden: balls in bins that are kept, and one order of the records that is kept.
"""

from collections.abc import Callable
from typing import Any

from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.batches import NOTHING
from pldverify.mechanisms.dp_sgd import dp_sgd
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.shuffled_batches import ShuffledBatches
from pldverify.numbers.exact import Number, brief, count, positive, real, show
from pldverify.numbers.irrational import Irrational


def from_batch_selection(
    strategy: Any, *, noise_multiplier: Number, dataset_size: Number | None = None
) -> Composition:
    """DP-SGD on the batches that a strategy of ``jax_privacy.batch_selection`` selects.

    Args:
        strategy: ``CyclicPoissonSampling``, truncated or not, ``FixedBatchSampling``, ``BallsInBinsSampling``
            or ``RandomAllocationSampling``.
        noise_multiplier: standard deviation of the noise on the sum of clipped gradients, over the clipping
            norm; > 0.
        dataset_size: the number of records, where batches are of a fixed size or have a largest one, or
            groups are split evenly.

    Bins are kept through all cycles, and so are the groups of cyclic sampling with probability 1: split
    evenly they are one order of the records, else bins. Raises NotSupported for other strategies and for
    hidden groups that are sampled from, InvalidInput for numbers out of range and cycles that are cut short.

    A strategy is known by its name and fields:

    >>> class BallsInBinsSampling:
    ...     iterations, cycle_length = 400, 100
    >>> print(from_batch_selection(BallsInBinsSampling(), noise_multiplier=4))
    balls_and_bins(gaussian(sigma=2), batches=100)
    """
    name = type(strategy).__name__
    if name not in _STRATEGIES:
        raise NotSupported(f"pldverify has no mechanism for {brief(name)}{_KNOWN.get(name, '')}")
    noise = positive(noise_multiplier, "noise_multiplier", real)
    return _STRATEGIES[name](strategy, noise, dataset_size)


def _cyclic(strategy: Any, noise: Any, records: Any) -> Composition:
    groups, most = count(strategy.cycle_length, "cycle_length"), strategy.truncated_batch_size
    q = strategy.sampling_prob
    if groups > 1 and (q != 1 or most is not None):
        raise NotSupported(
            "pldverify has no mechanism for CyclicPoissonSampling from groups that are drawn at random and "
            'hidden: dp_sgd(sampling="cyclic-poisson") is of known groups, and an upper bound'
        )
    if groups > 1:
        if strategy.partition_type.name == "INDEPENDENT":
            return _kept(strategy, noise, BallsAndBins)
        if count(_needed(records, strategy), "dataset_size") % groups:
            raise InvalidInput(
                f"cycle_length must divide dataset_size, as the rest is left out, got {groups} and {records}"
            )
        return _kept(strategy, noise, ShuffledBatches)
    run: dict[str, Any] = {"noise_multiplier": noise, "steps": strategy.iterations}
    if most is None:
        return dp_sgd(sampling_probability=q, **run)
    size = count(_needed(records, strategy), "dataset_size")
    share: dict[str, Any] = {"batch_size": positive(q, "sampling_prob") * size, "dataset_size": size}
    return dp_sgd(sampling="truncated-poisson", max_batch=most, **share, **run)


def _fixed(strategy: Any, noise: Any, records: Any) -> Composition:
    return dp_sgd(
        sampling="fixed-with-replacement" if strategy.replace else "fixed",
        noise_multiplier=noise,
        steps=strategy.iterations,
        batch_size=strategy.batch_size,
        dataset_size=_needed(records, strategy),
    )


def _balls_in_bins(strategy: Any, noise: Any, records: Any) -> Composition:
    return _kept(strategy, noise, BallsAndBins)


def _kept(strategy: Any, noise: Any, kind: type[BallsAndBins] | type[ShuffledBatches]) -> Composition:
    """Batches that are drawn once, for all epochs: proved where the mechanisms are."""
    batches = count(strategy.cycle_length, "cycle_length")
    if not strategy.iterations:
        return Composition.of((NOTHING, 1))
    epochs, rest = divmod(count(strategy.iterations, "iterations"), batches)
    if rest:
        raise InvalidInput(
            f"iterations must be whole cycles, got {strategy.iterations} iterations of cycle_length {batches}"
        )
    if kind is ShuffledBatches:
        return Composition.of((ShuffledBatches(Gaussian(noise), batches, persistent=True), epochs))
    text = noise.text if isinstance(noise, Irrational) else show(noise)
    each: Any = noise if epochs == 1 else real(f"({text})/sqrt({epochs})", "noise_multiplier")
    return Composition.of((BallsAndBins(Gaussian(each), batches), 1))


def _allocation(strategy: Any, noise: Any, records: Any) -> Composition:
    if getattr(strategy, "cycle_length", 1) != 1:
        raise NotSupported("pldverify has no mechanism for RandomAllocationSampling from hidden groups")
    return dp_sgd(
        sampling="allocation",
        noise_multiplier=noise,
        steps=strategy.iterations,
        participations=strategy.total_participations,
    )


def _needed(records: Any, strategy: Any) -> Any:
    if records is None:
        raise InvalidInput(f"dataset_size must be given for {type(strategy).__name__}")
    return records


_STRATEGIES: dict[str, Callable[[Any, Any, Any], Composition]] = {
    "BallsInBinsSampling": _balls_in_bins,
    "CyclicPoissonSampling": _cyclic,
    "FixedBatchSampling": _fixed,
    "RandomAllocationSampling": _allocation,
}
"""By the names of their classes."""
_KNOWN = {
    "BMinSepSampling": ": Monte Carlo estimates are published (arXiv 2602.09338)",
    "UserSelectionStrategy": ": its base_strategy is read, a record being a user",
}
"""What is said of strategies that are refused."""
