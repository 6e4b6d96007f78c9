"""Strategies for mechanisms, compositions and queries: one row a mechanism.

They shrink towards one Gaussian of σ = 1 and ε = 1. ``mechanisms()`` draws mechanisms whose pairs are
attained, defined under add-or-remove, and composed quickly; any other is drawn where its class is named.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pldverify import mechanisms as known
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.numbers.exact import brief, count
from pldverify.testing.numbers import counts, probabilities, scales
from pldverify.testing.numbers import deltas as deltas
from pldverify.testing.numbers import epsilons as epsilons

Mechanisms = SearchStrategy[Mechanism]

_SENSITIVITIES = scales("0.1", 10)
_STEPS = st.integers(1, 4)
_ASKED = st.sampled_from(["epsilon", "delta", "atom"])
_EPSILONS, _DELTAS = epsilons(), deltas()
_ADJACENCIES: tuple[Adjacency, ...] = ("add-or-remove", "remove", "add", "replace-one", "zero-out")
_GAUSSIANS = st.builds(known.Gaussian, scales()) | st.builds(known.Gaussian, scales(), _SENSITIVITIES)
_BASES = (
    _GAUSSIANS
    | st.builds(known.Laplace, scales())
    | st.builds(known.RandomizedResponse, probabilities("0.01"))
)


def _finite_pairs() -> SearchStrategy[known.FinitePair]:
    """Two distributions on two to five outcomes, where the masses of either may be 0."""
    masses = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5)
    possible = masses.filter(lambda rows: all(map(sum, zip(*rows, strict=True))))
    return possible.map(lambda rows: known.FinitePair(*map(_normalised, zip(*rows, strict=True))))


def _normalised(masses: tuple[int, ...]) -> list[Fraction]:
    return [Fraction(mass, sum(masses)) for mass in masses]


KINDS: dict[type[Mechanism], Callable[[], Mechanisms]] = {
    known.Gaussian: lambda: _GAUSSIANS,
    known.PoissonSubsampled: lambda: st.builds(known.PoissonSubsampled, _BASES, probabilities()),
    known.Laplace: lambda: st.builds(known.Laplace, scales(), st.just(Fraction(1)) | _SENSITIVITIES),
    known.RandomizedResponse: lambda: st.builds(
        known.RandomizedResponse, probabilities("0.01"), st.integers(2, 10)
    ),
    known.DiscreteGaussian: lambda: st.builds(known.DiscreteGaussian, scales("0.3", 10), _STEPS),
    known.DiscreteLaplace: lambda: st.builds(known.DiscreteLaplace, scales("0.3", 10), _STEPS),
    known.ApproximateDP: lambda: st.builds(known.ApproximateDP, epsilons(0, 5), deltas(0, "0.1")),
    known.PureDP: lambda: st.builds(known.PureDP, epsilons(0, 5)),
    known.GDP: lambda: st.builds(known.GDP, scales("0.05", 10)),
    known.FinitePair: _finite_pairs,
    known.ZCDP: lambda: st.builds(known.ZCDP, scales("0.01", 10)),
    known.Binomial: lambda: st.builds(
        known.Binomial, st.integers(4, 50), probabilities("0.1", "0.9"), _STEPS
    ),
    known.SampledWithoutReplacement: lambda: st.builds(
        known.SampledWithoutReplacement, _GAUSSIANS, probabilities("0.001")
    ),
    known.SampledWithReplacement: lambda: st.builds(
        known.SampledWithReplacement, _GAUSSIANS, st.integers(1, 10), st.integers(10, 1000)
    ),
    known.MixtureOfGaussians: lambda: st.builds(
        lambda sigma, q: known.MixtureOfGaussians(sigma, [0, 1, 2], [(1 - q) ** 2, 2 * q * (1 - q), q**2]),
        scales("0.3", 10),
        probabilities("0.001", "0.999"),
    ),
    known.KJH19Substitute: lambda: st.builds(known.KJH19Substitute, _GAUSSIANS, probabilities("0.001")),
    known.KJH20WithReplacement: lambda: st.builds(
        known.KJH20WithReplacement, _GAUSSIANS, st.integers(1, 10), st.integers(10, 1000)
    ),
    known.ShuffledBatches: lambda: st.builds(
        known.ShuffledBatches, _GAUSSIANS, st.integers(1, 1000), st.booleans()
    ),
    known.BallsAndBins: lambda: st.builds(known.BallsAndBins, _GAUSSIANS, st.integers(1, 1000)),
}
"""A strategy for every mechanism; the first eight are drawn where none is named."""

DEFAULT = tuple(islice(KINDS, 8))


def mechanisms(*kinds: type[Mechanism]) -> Mechanisms:
    """Mechanisms of these classes, or of :data:`DEFAULT`; shrinks towards a Gaussian of σ = 1.

    Raises InvalidInput for a class that has no strategy, as a pair of your own.

    >>> from pldverify.testing import mechanisms
    >>> mechanisms(pv.Gaussian, pv.Laplace).is_empty
    False
    """
    _require_known(kinds)
    return _mechanisms(kinds)


@cache
def _mechanisms(kinds: tuple[type[Mechanism], ...]) -> Mechanisms:
    return st.one_of([KINDS[kind]() for kind in kinds or DEFAULT])


def _require_known(kinds: tuple[object, ...]) -> None:
    for kind in kinds:
        if not isinstance(kind, type) or kind not in KINDS:
            names = ", ".join(each.__name__ for each in KINDS)
            raise InvalidInput(f"kinds must be among {names}, got {brief(kind)}")


def compositions(
    *kinds: type[Mechanism], max_steps: int = 1000, max_parts: int = 2
) -> SearchStrategy[Composition]:
    """Compositions of at most ``max_parts`` mechanisms, each up to ``max_steps`` times; shrinks towards one.

    Those that have no common neighbouring relation are not drawn. Raises InvalidInput as :func:`mechanisms`,
    and for numbers that are no counts >= 1.
    """
    _require_known(kinds)
    return _compositions(kinds, count(max_steps, "max_steps"), count(max_parts, "max_parts"))


@cache
def _compositions(
    kinds: tuple[type[Mechanism], ...], max_steps: int, max_parts: int
) -> SearchStrategy[Composition]:
    part = st.tuples(_mechanisms(kinds), counts(max_steps))
    parts = st.lists(part, min_size=1, max_size=max_parts)
    return parts.filter(_have_a_relation).map(lambda drawn: Composition.of(*drawn))


def queries(*kinds: type[Mechanism], max_steps: int = 1000, max_parts: int = 2) -> SearchStrategy[Query]:
    """Questions for δ(ε) and ε(δ), under each adjacency that the composition has; shrinks towards δ(1).

    Some ε are atoms of the loss: the largest loss of a mechanism, times a number of steps. Raises
    InvalidInput as :func:`compositions`.
    """
    return _queries(compositions(*kinds, max_steps=max_steps, max_parts=max_parts))


@st.composite
def _queries(draw: st.DrawFn, drawn: SearchStrategy[Composition]) -> Query:
    composition = draw(drawn)
    adjacencies = [rule for rule in _ADJACENCIES if composition.has(relation(rule))]
    adjacency = draw(st.sampled_from(adjacencies))
    asked = draw(_ASKED)
    if asked == "delta":
        return Query(composition, delta=draw(_DELTAS), adjacency=adjacency)
    at = draw(_EPSILONS)  # before an atom too: what takes fewer draws is simpler to Hypothesis
    if asked == "atom" and (atoms := _atoms(composition)):
        at = draw(st.sampled_from(atoms))
    return Query(composition, epsilon=at, adjacency=adjacency)


def _have_a_relation(parts: list[tuple[Mechanism, int]]) -> bool:
    return bool(set.intersection(*(set(mechanism.relations) for mechanism, _ in parts)))


def _atoms(composition: Composition) -> list[Fraction]:
    """Rational losses that have a mass, where they are known in a formula."""
    found = []
    for mechanism, steps in composition.parts:
        if isinstance(mechanism, known.Laplace | known.DiscreteLaplace):
            noise = mechanism.b / mechanism.sensitivity
            found += [1 / noise, steps / noise]
        elif isinstance(mechanism, known.PureDP | known.ApproximateDP):
            found += [mechanism.epsilon, steps * mechanism.epsilon]
    return found
