"""Runs of DP-SGD in the words of their configurations: noise multiplier, batch and data set size, epochs."""

import math
from collections.abc import Iterable
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.batches import BARE, NOTHING, SCHEMES, Batches, Sampling, share, wrong
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.numbers.exact import Number, brief, count, nonnegative, probability, real


def dp_sgd(
    *,
    noise_multiplier: Number,
    batch_size: Number | None = None,
    dataset_size: Number | None = None,
    sampling_probability: Number | None = None,
    epochs: Number | None = None,
    steps: Number | None = None,
    sampling: Sampling = "poisson",
    max_batch: Number | None = None,
    participations: Number | None = None,
    cycle_length: Number | None = None,
) -> Composition:
    """The composition that a run of DP-SGD is, by how its batches were drawn.

    Args:
        noise_multiplier: standard deviation of the noise on the sum of clipped gradients, over the clipping
            norm; >= 0.
        batch_size, dataset_size: the size of a batch, the expected one where it is random, and the number of
            records: a share q = batch_size / dataset_size of them, exactly.
        sampling_probability: q itself, in place of both.
        epochs: passes over the data, any number > 0; or
        steps: the number of noisy steps.
        sampling: ``"poisson"``, each record with probability q; ``"truncated-poisson"``, cut at random to
            at most ``max_batch`` of ``dataset_size`` records; ``"fixed"``, ``"fixed-with-replacement"``, so
            many; ``"shuffled"``, a new order for each epoch, cut into 1/q batches; ``"balls-and-bins"``, each
            record put into one of 1/q batches at random, anew for each epoch; ``"allocation"``, each record
            in ``participations`` of all ``steps``, drawn at random; ``"cyclic-poisson"``, from
            ``cycle_length`` known groups in turn, where ``sampling_probability`` is that within the group.

    **Steps of epochs**: steps = ⌈epochs / q⌉ = ⌈epochs · dataset_size / batch_size⌉, exactly: none is left
    out, as TensorFlow Privacy counts. Opacus counts int(epochs / q) with q = 1/⌈dataset_size / batch_size⌉;
    ``sampling_probability`` and ``steps`` say that. What is returned shows q and the number of steps.

    **Nothing run** (no steps, q = 0, epochs = 0) is :class:`PureDP` with ε = 0. **No noise** publishes
    whatever was sampled: :class:`ApproximateDP` with δ = 1, in the sample.

    A number means what it says: ``0.01`` without quotes is a double, 2e-19 above 1/100, and ``"0.01"`` is
    1/100 (as is ``"1/100"``); accountants that work in floats can't tell, proofs can.

    Raises InvalidInput for a number out of range, unless q and the steps are each given in one way, for what
    the scheme needs or has no use of, and where what was drawn isn't said wholly: shuffled batches and balls
    and bins are of whole epochs and of 1/q batches, an integer.

    >>> import pldverify as pv
    >>> run = pv.dp_sgd(noise_multiplier="1.1", batch_size=256, dataset_size=60_000, epochs=15)
    >>> print(run)
    3516 * poisson(gaussian(sigma=1.1), q=8/1875)
    >>> print(pv.epsilon(run, delta="1e-5", digits=6))
    1.13387 ± ...
    >>> sizes = {"batch_size": 60, "dataset_size": 60_000, "epochs": 20}
    >>> print(pv.dp_sgd(noise_multiplier=4, sampling="balls-and-bins", **sizes))
    20 * balls_and_bins(gaussian(sigma=4), batches=1000)
    """
    if not isinstance(sampling, str) or sampling not in SCHEMES:
        raise InvalidInput(f"sampling must be one of {', '.join(SCHEMES)}, got {brief(sampling)}")
    given = {
        "batch_size": batch_size,
        "dataset_size": dataset_size,
        "sampling_probability": sampling_probability,
        "epochs": epochs,
        "steps": steps,
        "max_batch": max_batch,
        "participations": participations,
        "cycle_length": cycle_length,
    }
    fault = wrong({name for name, value in given.items() if value is not None}, sampling)
    if fault is not None:
        raise InvalidInput(fault)
    part = share(batch_size, dataset_size, sampling_probability, cycle_length, "sampling_probability")
    if steps is not None:
        times = count(steps, "steps", least=0)
    else:
        passes = nonnegative(epochs, "epochs")
        times = count(math.ceil(passes / part) if part else 0, "steps", least=0)
    batches = Batches(part, batch_size, dataset_size, None, max_batch, participations, cycle_length)
    return SCHEMES[sampling].of(_base(noise_multiplier), batches, times)


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
        drawn = Batches(probability(q, f"history[{i}]: q"))
        whole = SCHEMES["poisson"].of(_base(noise), drawn, count(steps, f"history[{i}]: steps", least=0))
        parts += [part for part in whole.parts if part[0] != NOTHING]
    return Composition.of(*(parts or [(NOTHING, 1)]))


def _base(noise_multiplier: Number) -> Mechanism:
    """What a step does to its batch. Raises InvalidInput."""
    noise = nonnegative(noise_multiplier, "noise_multiplier", real)
    return Gaussian(noise) if noise != 0 else BARE
