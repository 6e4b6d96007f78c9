"""dp-accounting on a question: at its default discretisation interval, and at the one that it needs.

Its privacy loss distributions are built and composed as its ``PLDAccountant`` does, pessimistically; connect
the dots is asked for everywhere, also where its default is the coarser privacy buckets. *Within* means that
its ε differs from the truth by at most 1e-6 of ε, or 1e-9 where ε is below 1e-3; where the truth lies in its
enclosure is decided in the peer's favour. The interval is doubled or halved, and the quickest that is within
counts. The search ends where a process runs out of 60 s of processor time or of 4 GiB of address space, or
where three halvings in a row bring ε no nearer.
"""

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import pldverify as pv
from benchmarks.isolated import alone
from benchmarks.questions import Question
from pldverify.mechanisms.mechanism import Mechanism

DEFAULT = 1e-4
"""dp-accounting's value_discretization_interval."""
COARSEST = 0.1
SECONDS, BYTES = 60.0, 4 * 2**30
TOLERANCE, SMALL = 1e-6, Fraction(1, 1000)
_STUCK = 3
"""Halvings in a row that bring ε no nearer."""
Truth = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Attempt:
    """dp-accounting at one interval; ``error`` is relative to ε, or to 1e-3 where ε is smaller.

    A question that dp-accounting does not take has one attempt, which is ``refused``.
    """

    family: str
    seed: int
    number: int
    interval: float
    seconds: float = 0.0
    mebibytes: float = 0.0
    value: str = ""
    error: float | None = None
    reason: str = ""
    refused: bool = False

    @property
    def within(self) -> bool:
        return self.error is not None and self.error <= TOLERANCE


def attempts(asked: Question, truth: Truth) -> list[Attempt]:
    """The attempts of the search, the default first."""
    first = attempt(asked, truth, DEFAULT)
    if first.refused:
        return [first]
    tried = [first]
    if first.within:
        while tried[-1].within and 2 * tried[-1].interval <= COARSEST:
            tried.append(attempt(asked, truth, 2 * tried[-1].interval))
        return tried
    while tried[-1].error is not None and not tried[-1].within and not stuck(tried):
        tried.append(attempt(asked, truth, tried[-1].interval / 2))
    return tried


def stuck(tried: list[Attempt]) -> bool:
    """Whether the last halvings brought nothing."""
    errors = [one.error for one in tried if one.error is not None]
    return len(errors) > _STUCK and min(errors[-_STUCK:]) >= min(errors[:-_STUCK])


def attempt(asked: Question, truth: Truth, interval: float) -> Attempt:
    """Ask once, in a process of its own."""
    name = asked.name
    blank = Attempt(name.family, name.seed, name.number, interval)
    if refusal := refused(asked.composition, asked.query.adjacency):
        return dataclasses.replace(blank, reason=refusal, refused=True)
    outcome = alone(partial(epsilon, asked, interval), seconds=SECONDS, address_space=BYTES)
    spent = dataclasses.replace(blank, seconds=outcome.seconds, mebibytes=outcome.mebibytes)
    if outcome.value is None:
        return dataclasses.replace(spent, reason=outcome.failure)
    value = outcome.value
    if not math.isfinite(value):
        return dataclasses.replace(spent, value=repr(value), error=math.inf)
    return dataclasses.replace(spent, value=repr(value), error=error(Fraction(value), truth))


def error(value: Fraction, truth: Truth) -> float:
    """Distance to the enclosure, relative to ε, or to 1e-3."""
    lower, upper = truth
    return float(max(lower - value, value - upper, Fraction(0)) / max(lower, SMALL))


TAKEN = (pv.Gaussian, pv.Laplace, pv.DiscreteGaussian, pv.DiscreteLaplace)
"""Noises that dp-accounting has a distribution for, subsampled too."""


def refused(composition: pv.Composition, adjacency: str) -> str:
    """Why dp-accounting does not take the question, or nothing."""
    for mechanism, _ in composition.parts:
        base = mechanism.base if isinstance(mechanism, pv.PoissonSubsampled) else mechanism
        pair = isinstance(mechanism, pv.RandomizedResponse | pv.PureDP)
        if not pair and not isinstance(base, TAKEN):
            return f"no distribution of {mechanism}"
        if not pair and adjacency == "replace-one" and not isinstance(base, pv.Gaussian):
            return f"no replace-one for {mechanism}"
    return "" if adjacency in ("add-or-remove", "replace-one") else f"no {adjacency}"


def epsilon(asked: Question, interval: float) -> float:
    """Its ε(δ)."""
    total = None
    for mechanism, count in asked.composition.parts:
        one = distribution(mechanism, count, interval, asked.query.adjacency)
        total = one if total is None else total.compose(one)
    assert total is not None  # a composition has at least one mechanism
    return float(total.get_epsilon_for_delta(float(asked.delta)))


def distribution(mechanism: Mechanism, count: int, interval: float, adjacency: str) -> Any:
    """The distribution of ``count`` of them."""
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as made

    grid: dict[str, Any] = {"value_discretization_interval": interval}
    sampled = {**grid, "use_connect_dots": True}
    base = mechanism
    if isinstance(mechanism, pv.PoissonSubsampled):
        base, sampled["sampling_prob"] = mechanism.base, float(mechanism.q)
    match base:
        case pv.Gaussian():
            name = "REPLACE_ONE" if adjacency == "replace-one" else "ADD_OR_REMOVE_ONE"
            relation = NeighboringRelation[name]
            noise = float(base.noise_multiplier)
            if base is mechanism:  # one Gaussian stands for all, as in its accountant
                noise, count = noise / math.sqrt(count), 1
            one = made.from_gaussian_mechanism(noise, **sampled, neighboring_relation=relation)
        case pv.Laplace():
            one = made.from_laplace_mechanism(float(base.noise_multiplier), **sampled)
        case pv.DiscreteGaussian():
            one = made.from_discrete_gaussian_mechanism(float(base.sigma), base.sensitivity, **sampled)
        case pv.DiscreteLaplace():
            one = made.from_discrete_laplace_mechanism(1 / float(base.b), base.sensitivity, **sampled)
        case pv.RandomizedResponse():
            k = base.categories
            one = made.from_randomized_response(float((1 - base.p) * k / (k - 1)), k, **grid)
        case pv.PureDP():
            one = made.from_privacy_parameters(
                common.DifferentialPrivacyParameters(float(base.epsilon), 0), **grid
            )
        case _:
            raise TypeError(base)
    return one.self_compose(count)


def load() -> None:
    """Import dp-accounting before children are forked."""
    import dp_accounting.pld.privacy_loss_distribution  # noqa: F401
