"""Runs of DP-SGD in the words of their configurations: noise multiplier, batch and data set size, epochs."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.numbers.exact import Number, brief, count, nonnegative, positive, probability, rational, real

_NOTHING = PureDP(0)
"""What depends on no record."""


def dp_sgd(
    *,
    noise_multiplier: Number,
    batch_size: Number | None = None,
    dataset_size: Number | None = None,
    sampling_probability: Number | None = None,
    epochs: Number | None = None,
    steps: Number | None = None,
) -> Composition:
    """The composition that a run of DP-SGD is, every batch a Poisson sample.

    Args:
        noise_multiplier: standard deviation of the noise on the sum of clipped gradients, over the clipping
            norm; >= 0.
        batch_size, dataset_size: the expected size of a batch, and the number of records: the sampling
            probability is q = batch_size / dataset_size, exactly.
        sampling_probability: q itself, in place of both.
        epochs: passes over the data, any number > 0; or
        steps: the number of noisy steps.

    **Steps of epochs**: steps = ⌈epochs / q⌉ = ⌈epochs · dataset_size / batch_size⌉, exactly: none is left
    out, as TensorFlow Privacy counts. Opacus counts int(epochs / q) with q = 1/⌈dataset_size / batch_size⌉;
    ``sampling_probability`` and ``steps`` say that. What is returned shows q and the number of steps.

    **Nothing run** (no steps, q = 0, epochs = 0) is :class:`PureDP` with ε = 0. **No noise** publishes
    whatever was sampled: :class:`ApproximateDP` with δ = 1, in the sample.

    A number means what it says: ``0.01`` without quotes is a double, 2e-19 above 1/100, and ``"0.01"`` is
    1/100 (as is ``"1/100"``); accountants that work in floats can't tell, proofs can.

    Raises InvalidInput for a number out of range, and unless q and the steps are each given in one way.

    >>> import pldverify as pv
    >>> run = pv.dp_sgd(noise_multiplier="1.1", batch_size=256, dataset_size=60_000, epochs=15)
    >>> print(run)
    3516 * poisson(gaussian(sigma=1.1), q=8/1875)
    >>> print(pv.epsilon(run, delta="1e-5", digits=6))
    1.13387 ± ...
    """
    q = _probability(batch_size, dataset_size, sampling_probability)
    if (epochs is None) == (steps is None):
        raise InvalidInput("dp_sgd must have exactly one of epochs and steps")
    if steps is not None:
        times = _times(steps, "steps")
    else:
        passes = nonnegative(epochs, "epochs")
        times = _times(math.ceil(passes / q) if q else 0, "steps")
    return _whole([(step(noise_multiplier, q), times)])


def from_opacus_history(history: Any) -> Composition:
    """The composition that an Opacus accountant's ``history`` records.

    Args:
        history: (noise multiplier, sampling probability, number of steps) each; or what has one: an Opacus
            accountant, or an ``opacus.PrivacyEngine``.

    Its floats are doubles, and mean them. Raises InvalidInput.

    >>> import pldverify as pv
    >>> print(pv.from_opacus_history([(1.5, "0.01", 1000), (1.0, "0.01", 500)]))
    500 * poisson(gaussian(sigma=1), q=0.01) + 1000 * poisson(gaussian(sigma=1.5), q=0.01)
    """
    history = getattr(getattr(history, "accountant", history), "history", history)
    if isinstance(history, str) or not isinstance(history, Iterable):
        raise InvalidInput(
            "history must be triples (noise multiplier, q, steps), or an Opacus accountant or PrivacyEngine, "
            f"got {brief(history)}"
        )
    parts: list[tuple[Mechanism, int]] = []
    for i, row in enumerate(history):
        if not isinstance(row, tuple | list) or len(row) != 3:
            raise InvalidInput(f"history[{i}] must be (noise multiplier, q, steps), got {brief(row)}")
        noise, q, steps = row
        chance = probability(q, f"history[{i}]: q")
        parts.append((step(noise, chance), _times(steps, f"history[{i}]: steps")))
    return _whole(parts)


def step(noise_multiplier: Number, q: Fraction) -> Mechanism:
    """One step: Gaussian noise on a Poisson sample, or on all records. Raises InvalidInput."""
    noise = nonnegative(noise_multiplier, "noise_multiplier", real)
    if q == 0:
        return _NOTHING
    base = Gaussian(noise) if noise != 0 else ApproximateDP(0, 1)
    return PoissonSubsampled(base, q) if q < 1 else base


def _whole(parts: Iterable[tuple[Mechanism, int]]) -> Composition:
    """Of the parts that were run."""
    run = [(mechanism, times) for mechanism, times in parts if times and mechanism != _NOTHING]
    return Composition.of(*(run or [(_NOTHING, 1)]))


def _times(value: object, name: str) -> int:
    """An integer from 0 on. Raises InvalidInput."""
    return 0 if rational(value, name) == 0 else count(value, name)


def _probability(batch: object, records: object, given: object) -> Fraction:
    """q, from what is given. Raises InvalidInput unless that is one of both ways."""
    if given is not None and batch is None and records is None:
        return probability(given, "sampling_probability")
    if given is not None or batch is None or records is None:
        raise InvalidInput("dp_sgd must have batch_size and dataset_size, or else sampling_probability")
    q = positive(batch, "batch_size") / count(records, "dataset_size")
    if q > 1:
        raise InvalidInput(f"batch_size must be at most dataset_size, got {batch} of {records}")
    return q
