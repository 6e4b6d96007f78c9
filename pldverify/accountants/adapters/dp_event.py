r"""dp-accounting's trees of events: read as compositions, and written.

An event describes a mechanism and names no neighbours: its noise multiplier is noise over the bound C on one
record's value, which is our ``sensitivity`` (:math:`\sigma/C`, 1 for a Gaussian that an event gives). So the
composition is the same for every relation, and the question chooses one of those that its mechanisms have:
a batch of a fixed size has replace-one alone. dp-accounting's accountants take one relation for all events;
its ``REPLACE_SPECIAL``, a record replaced by a zero, is our add-or-remove for noise on sums. Under
``REPLACE_ONE`` its RDP accountant reads a noise multiplier as noise over how far a *replaced* record moves
the sum, which may be 2C: there it answers for twice the noise that the event has.

Events on vectors are read as one coordinate, as dp-accounting's accountants read them too. A float means its
double.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

from pldverify.accountants.adapters import dp_accounting_events as events
from pldverify.accountants.standalone import Doubles
from pldverify.errors import InvalidInput, MissingLibrary, NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.fixed_batch import Base as BatchBase
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.matrix_mechanism import tree_aggregation
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians
from pldverify.mechanisms.one_sample import OneSample, on_one_sample
from pldverify.mechanisms.poisson_subsampled import Base, PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.random_allocation import random_allocation
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.truncated_poisson import TruncatedPoisson
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import brief, count, nonnegative, positive, probability, rational

Counts = Mapping[Mechanism, int]

_MAX_DEPTH = 200
"""Cap on the depth of nested events: it bounds the recursion."""
_SUM = Fraction(1, 2**40)
"""Largest distance from 1 of the sum of a mixture's probabilities, which are doubles."""


def from_dp_event(event: Any) -> Composition:
    """The composition that a dp-accounting event describes, or the ledger of one of its accountants.

    Read are ``Composed``, ``SelfComposed``, ``Gaussian``, ``Laplace``, ``DiscreteGaussian`` in one dimension,
    ``DiscreteLaplace``, ``RandomizedResponse``, ``ZCDp`` with xi = 0, ``EpsilonDelta``, ``NoOp``,
    ``PoissonSampled`` of one of our bases, or of mechanisms on one sample that we have a law of,
    ``TruncatedSubsampledGaussian``, ``SampledWithoutReplacement`` and ``SampledWithReplacement`` of one of
    theirs, ``RandomAllocation`` of a Gaussian, ``MixtureOfGaussians`` with sensitivities >= 0,
    ``SingleEpochTreeAggregation``, ``RepeatAndSelect``, and ``NonPrivate``, which publishes all. Neighbours
    are the question's: an event names none.

    Raises MissingLibrary without dp-accounting, InvalidInput for what is neither or has a number out of
    range, NotSupported for all other events; the message names the event.

    >>> import dp_accounting
    >>> step = dp_accounting.PoissonSampledDpEvent(0.25, dp_accounting.GaussianDpEvent(2.0))
    >>> print(from_dp_event(dp_accounting.SelfComposedDpEvent(step, 100)))
    100 * poisson(gaussian(sigma=2), q=0.25)
    """
    kind = _events().DpEvent
    if not isinstance(event, kind) and isinstance(getattr(event, "ledger", None), kind):
        event = event.ledger  # of a PrivacyAccountant: all that it has composed
    if not isinstance(event, kind):
        raise InvalidInput(f"event must be a DpEvent or an accountant of dp-accounting, got {brief(event)}")
    parts = _read(event, 0, {})
    return Composition.of(*(parts or {PureDP(0): 1}).items())


def to_dp_event(composition: Composed) -> Any:
    """The dp-accounting event that describes a composition: a ``ComposedDpEvent`` of its mechanisms.

    Its numbers are the doubles next to ours, so ``from_dp_event(to_dp_event(c))`` has the privacy of c where
    these are doubles, and that of numbers 2^−53 apart otherwise. Events have no sensitivity: a noise
    multiplier is noise over sensitivity.

    Raises MissingLibrary without dp-accounting, NotSupported for a mechanism that has no event, or one that
    the installed version lacks.

    >>> import pldverify as pv
    >>> pv.to_dp_event("100 * poisson(gaussian(2), q=1/4)")
    SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.25, event=...), count=100)
    """
    try:
        return events.whole(as_composition(composition).middle(), Doubles().double).make(_events())
    except NotImplementedError as refusal:
        raise NotSupported(str(refusal)) from None
    except AttributeError as missing:
        raise NotSupported(f"the installed version of dp-accounting has no {missing.name}") from None


def _events() -> Any:
    """The module of dp-accounting that defines events. Raises MissingLibrary."""
    if find_spec("dp_accounting") is None:
        raise MissingLibrary(
            "events need the library dp-accounting, which is not installed: "
            'pip install "pldverify[accountants]"'
        )
    from dp_accounting import dp_event

    return dp_event


def _read(event: Any, depth: int, known: dict[int, Counts]) -> Counts:
    """Mechanisms with counts, none for what has no effect; an event that comes again is read once.

    Raises InvalidInput, NotSupported.
    """
    if depth > _MAX_DEPTH:
        raise InvalidInput(f"events must nest at most {_MAX_DEPTH} deep, got more")
    if id(event) not in known:
        known[id(event)] = _fresh(event, depth, known)
    return known[id(event)]


def _fresh(event: Any, depth: int, known: dict[int, Counts]) -> Counts:
    name = type(event).__name__
    found: Mechanism | Composition | None
    match name:
        case "NoOpDpEvent":
            return {}
        case "ComposedDpEvent":
            total: Counter[Mechanism] = Counter()
            for each in event.events:
                total.update(_read(each, depth + 1, known))
            return total
        case "SelfComposedDpEvent":
            times = count(event.count, f"{name}.count") if event.count else 0
            inside = _read(event.event, depth + 1, known)
            return {mechanism: k * times for mechanism, k in inside.items() if times}
        case "RepeatAndSelectDpEvent":
            inside = _read(event.event, depth + 1, known)
            parts = Composition.of(*(inside or {PureDP(0): 1}).items())
            found = RepeatAndSelect(parts, event.mean, event.shape)
        case _ if name in _SAMPLED:
            base = _alone(name, _read(event.event, depth + 1, known))
            found = _SAMPLED[name](event, base) if base is not None else None
        case _ if name in _SINGLE:
            found = _SINGLE[name](event)
        case _:
            raise NotSupported(f"pldverify has no mechanism for {name}")
    return {} if found is None else dict(composed(found).parts)


def _alone(name: str, parts: Counts) -> Mechanism | None:
    """The one mechanism that runs on a sample, or stands for all that do."""
    if not parts:
        return None
    try:
        return on_one_sample(Composition.of(*parts.items()))
    except InvalidInput as reason:
        raise NotSupported(f"pldverify has no mechanism for {name}: {reason}") from None


def _poisson(event: Any, base: Mechanism) -> Mechanism | None:
    if not isinstance(base, Base):
        raise NotSupported(f"pldverify has no mechanism for PoissonSampledDpEvent of {base}")
    q = probability(event.sampling_probability, "sampling_probability")
    if q == 1 and isinstance(base, OneSample | ZCDP):
        raise NotSupported(f"pldverify has no mechanism for PoissonSampledDpEvent of all records: {base}")
    return PoissonSubsampled(base, q) if q else None


def _truncated(event: Any) -> Mechanism | None:
    base = Gaussian(positive(event.noise_multiplier, "noise_multiplier"))
    q = probability(event.sampling_probability, "sampling_probability")
    if not (q and event.dataset_size and event.truncated_batch_size):
        return None
    return TruncatedPoisson(base, q, event.dataset_size, event.truncated_batch_size)


def _allocation(event: Any, base: Mechanism) -> Composition | None:
    """Each record is in ``num_selected`` of ``num_steps`` runs, every subset as likely."""
    if not isinstance(base, Gaussian):
        raise NotSupported(f"pldverify has no mechanism for RandomAllocationDpEvent of {base}")
    if not event.num_selected:
        return None
    return random_allocation(base, steps=event.num_steps, participations=event.num_selected)


def _tree(event: Any) -> Mechanism:
    """A record is in one step of one of the trees, of which the deepest dominates: all nodes of the others
    have one law on both sides.
    """
    steps = event.step_counts
    counts = steps if isinstance(steps, Iterable) else [steps]
    leaves = [count(each, "step_counts") for each in counts]
    if not leaves:
        raise InvalidInput("SingleEpochTreeAggregationDpEvent.step_counts must have a tree, got none")
    return tree_aggregation(positive(event.noise_multiplier, "noise_multiplier"), max(leaves))


def _without_replacement(event: Any, base: Mechanism) -> Mechanism:
    batch, records = count(event.sample_size, "sample_size"), count(event.source_dataset_size, "dataset size")
    share = Fraction(batch, records)
    if isinstance(base, ZCDP) and share < 1:
        return SampledWithoutReplacement(base, share)
    return SampledWithoutReplacement(_of_batches(event, base), share)


def _with_replacement(event: Any, base: Mechanism) -> Mechanism:
    return SampledWithReplacement(_of_batches(event, base), event.sample_size, event.source_dataset_size)


def _of_batches(event: Any, base: Mechanism) -> BatchBase:
    if not isinstance(base, BatchBase):
        raise NotSupported(f"pldverify has no mechanism for {type(event).__name__} of {base}")
    return base


def _randomized_response(event: Any) -> Mechanism | None:
    k = count(event.num_buckets, "num_buckets")
    noise = probability(event.noise_parameter, "noise_parameter")
    return None if k == 1 else RandomizedResponse(1 - noise * (k - 1) / k, k)


def _mixture(event: Any) -> Mechanism | None:
    """Some N(c_i, σ²) against N(0, σ²): a Poisson sample where c_i is 0 or c.

    The probabilities are doubles, whose sum may not be 1: that of the least c_i is what the others leave.
    """
    moves = [rational(c, "sensitivities") for c in event.sensitivities]
    chances = [probability(p, "sampling_probs") for p in event.sampling_probs]
    if len(moves) != len(chances) or abs(sum(chances, Fraction(0)) - 1) > _SUM:
        raise InvalidInput("MixtureOfGaussiansDpEvent must have a probability for each sensitivity, of sum 1")
    moving = {c for c, p in zip(moves, chances, strict=True) if c and p}
    if any(c < 0 for c in moving):
        raise NotSupported(f"pldverify has no mechanism for {brief(event)}: sensitivities >= 0 alone")
    if not moving:
        return None
    if len(moving) > 1:
        least = moves.index(min(moves))
        chances[least] += 1 - sum(chances, Fraction(0))
        return MixtureOfGaussians(event.standard_deviation, moves, chances)
    base = Gaussian(event.standard_deviation, moving.pop())
    q = sum((p for c, p in zip(moves, chances, strict=True) if c), Fraction(0))
    return PoissonSubsampled(base, q) if len(moves) > 1 else base


def _discrete_gaussian(event: Any) -> Mechanism:
    if getattr(event, "dimension", 1) != 1:
        raise NotSupported(f"pldverify has no mechanism for {brief(event)}: one dimension alone")
    return DiscreteGaussian(event.sigma, event.sensitivity)


def _zcdp(event: Any) -> Mechanism | None:
    if event.xi != 0:
        raise NotSupported(f"pldverify has no mechanism for {brief(event)}: xi = 0 alone")
    rho = nonnegative(event.rho, "rho")
    return ZCDP(rho) if rho else None


def _epsilon_delta(event: Any) -> Mechanism:
    return ApproximateDP(event.epsilon, event.delta) if event.delta else PureDP(event.epsilon)


_SINGLE: dict[str, Callable[[Any], Mechanism | None]] = {
    "DiscreteGaussianDpEvent": _discrete_gaussian,
    "DiscreteLaplaceDpEvent": lambda event: DiscreteLaplace(
        1 / positive(event.noise_parameter, "noise_parameter"), event.sensitivity
    ),
    "EpsilonDeltaDpEvent": _epsilon_delta,
    "GaussianDpEvent": lambda event: Gaussian(positive(event.noise_multiplier, "noise_multiplier")),
    "LaplaceDpEvent": lambda event: Laplace(positive(event.noise_multiplier, "noise_multiplier")),
    "MixtureOfGaussiansDpEvent": _mixture,
    "NonPrivateDpEvent": lambda event: ApproximateDP(0, 1),
    "RandomizedResponseDpEvent": _randomized_response,
    "SingleEpochTreeAggregationDpEvent": _tree,
    "TruncatedSubsampledGaussianDpEvent": _truncated,
    "ZCDpEvent": _zcdp,
}
"""Events of one mechanism, by the names of their classes: an older version lacks some. None has no effect."""
_SAMPLED: dict[str, Callable[[Any, Mechanism], Mechanism | Composition | None]] = {
    "PoissonSampledDpEvent": _poisson,
    "RandomAllocationDpEvent": _allocation,
    "SampledWithReplacementDpEvent": _with_replacement,
    "SampledWithoutReplacementDpEvent": _without_replacement,
}
"""Events that run another one on a sample."""
