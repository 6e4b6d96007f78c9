r"""dp-accounting's events: the DpEvent that a mechanism is, and how a composition of them is written.

Parameters mean what the events' own documentation says:

* ``GaussianDpEvent`` and ``LaplaceDpEvent`` add noise to a sum of values of norm at most C, and their
  ``noise_multiplier`` is s/C: sigma / sensitivity here, under each relation. Under REPLACE_ONE a replaced
  value moves the sum by 2C. ``PLDAccountant`` takes N(C) against N(−C) for it, as this package does;
  ``RdpAccountant`` does not double C, and its answers are what is judged.
* ``RandomizedResponseDpEvent`` answers at random, uniformly on all k categories, with probability
  (1 − p)k/(k − 1); it is known under REPLACE_ONE, where it is exactly our pair, and so symmetric.
* ``SampledWithoutReplacementDpEvent`` has the sizes m and n of q = m/n in lowest terms.
* ``MixtureOfGaussiansDpEvent`` with sensitivities (0, s) and probabilities (1 − q, q) is the
  Poisson-subsampled Gaussian mechanism.
* ``RepeatAndSelectDpEvent`` has the mean and the shape that ours has, on the composition that is run.
* ``ZCDpEvent`` is any mechanism that is ρ-zCDP.

A Gaussian mechanism of σ is four of 2σ on the same records, also inside of a sample: that is how a nested
event says it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from pldverify.accountants.adapters.adapter import Asked
from pldverify.accountants.standalone import Call, Steps
from pldverify.errors import NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians
from pldverify.mechanisms.one_sample import OneSample
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.mechanisms.zcdp import ZCDP

Double = Callable[[Fraction, str], float]
"""A parameter of that name in double precision."""
_HALVES = 4
"""How many Gaussian mechanisms with noise 2σ compose to one with σ."""


def event(mechanism: Mechanism, double: Double) -> Call:
    """The event of a mechanism. Raises NotSupported where there is none."""
    match mechanism:
        case Gaussian() | Laplace():
            name = "GaussianDpEvent" if isinstance(mechanism, Gaussian) else "LaplaceDpEvent"
            return Call(name, {"noise_multiplier": double(mechanism.noise_multiplier, "noise_multiplier")})
        case DiscreteLaplace(b, sensitivity):
            parameter = double(1 / b, "noise_parameter")
            return Call("DiscreteLaplaceDpEvent", {"noise_parameter": parameter, "sensitivity": sensitivity})
        case PoissonSubsampled(base, q):
            return poisson(event(base, double), double(q, "q"))
        case SampledWithoutReplacement():
            return without_replacement(mechanism, event(mechanism.base, double))
        case RandomizedResponse():
            return Call("RandomizedResponseDpEvent", buckets(mechanism, double))
        case RepeatAndSelect(base, mean, shape):
            law = shape if isinstance(shape, float) else double(shape, "shape")
            runs = {"mean": double(mean, "mean"), "shape": law}
            return Call("RepeatAndSelectDpEvent", {"event": whole(base, double), **runs})
        case ZCDP(rho):
            return Call("ZCDpEvent", {"rho": double(rho, "rho")})
        case DiscreteGaussian(sigma, sensitivity):
            noise = {"sigma": double(sigma, "sigma"), "sensitivity": sensitivity}
            return Call("DiscreteGaussianDpEvent", noise)
        case SampledWithReplacement(base, m, n):
            sizes = {"source_dataset_size": n, "sample_size": m}
            return Call("SampledWithReplacementDpEvent", {**sizes, "event": event(base, double)})
        case BallsAndBins(base, batches, 1):
            chosen = {"num_selected": 1, "num_steps": batches}
            return Call("RandomAllocationDpEvent", {"event": event(base, double), **chosen})
        case MixtureOfGaussians(sigma, moves, chances):
            return _mixture(sigma, moves, [double(p, "p") for p in chances], double)
        case OneSample(composition):
            return whole(composition, double)
        case TruncatedPoisson(base, q, n, largest):
            sample = {"dataset_size": n, "sampling_probability": double(q, "q")}
            noise = {"noise_multiplier": double(base.noise_multiplier, "noise_multiplier")}
            cut = {"truncated_batch_size": largest}
            return Call("TruncatedSubsampledGaussianDpEvent", {**sample, **cut, **noise})
        case PureDP(epsilon=0):
            return Call("NoOpDpEvent", {})
        case PureDP(epsilon):
            return Call("EpsilonDeltaDpEvent", {"epsilon": double(epsilon, "epsilon"), "delta": 0.0})
        case ApproximateDP(epsilon, delta):
            given = {"epsilon": double(epsilon, "epsilon"), "delta": double(delta, "delta")}
            return Call("EpsilonDeltaDpEvent", given)
    raise NotSupported(f"dp-accounting has no event for {mechanism}")


def nested_event(mechanism: Mechanism, double: Double) -> Call:
    """As :func:`event`, a sampled Gaussian mechanism being four of twice the noise on the same sample."""
    match mechanism:
        case PoissonSubsampled(Gaussian() as base, q):
            return poisson(_four(base, double), double(q, "q"))
        case SampledWithoutReplacement(Gaussian() as base):
            return without_replacement(mechanism, _four(base, double))
    return event(mechanism, double)


def mixture_event(mechanism: Mechanism, double: Double) -> Call:
    """A Gaussian mechanism, Poisson-subsampled or not, as a mixture of Gaussians. Raises NotSupported."""
    match mechanism:
        case Gaussian(sigma, sensitivity):
            moves, chances = [sensitivity], [1.0]
        case PoissonSubsampled(Gaussian(sigma, sensitivity), q):
            moves, chances = (
                [0 * sensitivity, sensitivity],
                [double(1 - q, "1-q"), double(q, "q")],
            )
        case _:
            raise NotSupported(f"{mechanism} is no mixture of Gaussians")
    return _mixture(sigma, moves, chances, double)


def whole(composition: Composition, double: Double) -> Call:
    """The event of a composition, as one would write it."""
    steps = [_repeated(event(mechanism, double), count) for mechanism, count in composition.parts]
    return steps[0] if len(steps) == 1 else Call("ComposedDpEvent", {"events": steps})


def in_one(steps: Steps) -> Call:
    """The whole composition as one nested event."""
    events = [_self_composed(call, count) for call, count in steps]
    return Call("ComposedDpEvent", {"events": events})


def poisson(inner: Call, q: float) -> Call:
    """An event on a Poisson sample."""
    return Call("PoissonSampledDpEvent", {"sampling_probability": q, "event": inner})


def without_replacement(mechanism: SampledWithoutReplacement, inner: Call) -> Call:
    """An event on a batch of a fixed size."""
    sizes = {"source_dataset_size": mechanism.q.denominator, "sample_size": mechanism.q.numerator}
    return Call("SampledWithoutReplacementDpEvent", {**sizes, "event": inner})


def buckets(mechanism: RandomizedResponse, double: Double) -> dict[str, float]:
    """Parameters of randomised response. Raises NotSupported where it lies more often than at random."""
    k = mechanism.categories
    if k * mechanism.p < 1:
        raise NotSupported(f"dp-accounting needs p >= 1/{k}: {mechanism}")
    return {
        "noise_parameter": double((1 - mechanism.p) * k / (k - 1), "noise_parameter"),
        "num_buckets": k,
    }


def is_randomized_response(question: Asked) -> bool:
    """Whether the composition is of randomised response alone. Raises NotSupported for it beside others."""
    randomized = [isinstance(mechanism, RandomizedResponse) for mechanism, _ in question.parts]
    if any(randomized) and not all(randomized) and question.adjacency != "replace-one":
        raise NotSupported(
            "no neighbouring relation of dp-accounting covers randomised response and noise addition"
        )
    return all(randomized)


def _four(base: Gaussian, double: Double) -> Call:
    return _self_composed(event(Gaussian(2 * base.sigma, base.sensitivity), double), _HALVES)


def _repeated(call: Call, count: int) -> Call:
    return call if count == 1 else _self_composed(call, count)


def _self_composed(call: Call, count: int) -> Call:
    return Call("SelfComposedDpEvent", {"event": call, "count": count})


def _mixture(sigma: Fraction, moves: Sequence[Fraction], chances: list[float], double: Double) -> Call:
    return Call(
        "MixtureOfGaussiansDpEvent",
        {
            "standard_deviation": double(sigma, "sigma"),
            "sensitivities": [double(move, "sensitivity") for move in moves],
            "sampling_probs": chances,
        },
    )
