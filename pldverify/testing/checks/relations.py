"""Metamorphic relations that compare two claims, by what true values satisfy, without an oracle."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, RandomizedResponse
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.testing.checks.check import Check
from pldverify.testing.checks.inequality import Pair, Pairs, ordered

CHECKS: list[Check] = []


def _relation(name: str, cause: str) -> Callable[[Pairs], Pairs]:
    """Make a check of the pairs of a relation."""

    def put(pairs: Pairs) -> Pairs:
        CHECKS.append(Check(name, cause, "relation", partial(ordered, pairs)))
        return pairs

    return put


def _with(query: Query, composition: Composition | Mechanism) -> Query:
    return replace(query, composition=as_composition(composition))


def _equal(first: Query, second: Query, why: str) -> Iterator[Pair]:
    yield first, second, why
    yield second, first, why


def _each(query: Query, change: Callable[[Mechanism], Mechanism | None]) -> Iterator[Query]:
    """The query with every mechanism changed; nothing where one can't be."""
    changed = [(change(mechanism), count) for mechanism, count in query.composition.parts]
    if all(mechanism is not None for mechanism, _ in changed):
        yield _with(query, Composition.of(*changed))  # type: ignore[arg-type]


@_relation("falls-with-target", "ε or δ over- or underflows, or a search stops early.")
def falls_with_target(query: Query) -> Iterator[Pair]:
    """δ falls in ε, and ε in δ."""
    if query.quantity == "delta":
        steps = [Fraction(x) for x in ("0.5", "2", "20", "800")]
        rising = [replace(query, epsilon=Fraction(query.epsilon or 0) + step) for step in steps]
    else:
        rising = [replace(query, delta=Fraction(query.delta or 0) * factor) for factor in (10, 100)]
    for less, more in zip(rising, [query, *rising], strict=False):
        yield less, more, f"{'δ' if query.quantity == 'delta' else 'ε'} falls"


@_relation("grows-with-steps", "The number of steps is wrapped, capped or not used.")
def grows_with_steps(query: Query) -> Iterator[Pair]:
    """One step more, or twice as many, never help."""
    first = query.composition.parts[0][0]
    for longer in (query.composition + first, 2 * query.composition):
        yield query, _with(query, longer), "more steps never help"


@_relation("grows-with-parts", "Different mechanisms are averaged, or some are left out.")
def grows_with_parts(query: Query) -> Iterator[Pair]:
    """A composition is at least as bad as each of its parts."""
    if len(query.composition.parts) > 1:
        for mechanism, count in query.composition.parts:
            yield _with(query, count * mechanism), query, "a part is no worse than the whole"


def _less_noise(mechanism: Mechanism) -> Mechanism | None:
    match mechanism:
        case Gaussian():
            return replace(mechanism, sigma=mechanism.sigma / 2)
        case Laplace():
            return replace(mechanism, b=mechanism.b / 2)
        case RandomizedResponse() if mechanism.p * mechanism.categories >= 1:  # likelier than another answer
            return replace(mechanism, p=(1 + mechanism.p) / 2)
        case PoissonSubsampled():
            base = _less_noise(mechanism.base)
            return None if base is None else replace(mechanism, base=base)  # type: ignore[arg-type]
    return None


@_relation("falls-with-noise", "The noise is inverted, or read from a table.")
def falls_with_noise(query: Query) -> Iterator[Pair]:
    """Half of the noise never helps."""
    for worse in _each(query, _less_noise):
        yield query, worse, "less noise never helps"


def _rarer(mechanism: Mechanism) -> Mechanism | None:
    return replace(mechanism, q=mechanism.q / 2) if isinstance(mechanism, PoissonSubsampled) else None


@_relation("grows-with-sampling", "A formula for small q is used for large ones.")
def grows_with_sampling(query: Query) -> Iterator[Pair]:
    """Half of the sampling probability never hurts."""
    for better in _each(query, _rarer):
        yield better, query, "rarer sampling never hurts"


@_relation("full-sample", "q = 1 is a special case that is missed.")
def full_sample(query: Query) -> Iterator[Pair]:
    """A sampling probability of 1 is no sampling."""

    def sampled(mechanism: Mechanism) -> Mechanism | None:
        return PoissonSubsampled(mechanism, 1) if isinstance(mechanism, Gaussian) else None

    for other in _each(query, sampled):
        yield from _equal(query, other, "q = 1 is no sampling")


@_relation("scaling", "The sensitivity is ignored, or used with another power than the noise.")
def scaling(query: Query) -> Iterator[Pair]:
    """Noise and sensitivity, both times 3: the same."""

    def scaled(mechanism: Mechanism) -> Mechanism | None:
        match mechanism:
            case Gaussian():
                return Gaussian(3 * mechanism.sigma, 3 * mechanism.sensitivity)
            case Laplace():
                return Laplace(3 * mechanism.b, 3 * mechanism.sensitivity)
        return None

    for other in _each(query, scaled):
        yield from _equal(query, other, "the unit of the query does not matter")


@_relation("gaussians-add-up", "Steps are counted wrongly, or their noise does not add up.")
def gaussians_add_up(query: Query) -> Iterator[Pair]:
    """k Gaussians of multiplier σ√k are one of multiplier σ."""

    def split(mechanism: Mechanism) -> Mechanism | None:
        return replace(mechanism, sigma=2 * mechanism.sigma) if isinstance(mechanism, Gaussian) else None

    for other in _each(query, split):
        yield from _equal(query, _with(query, 4 * other.composition), "4 Gaussians of 2σ are one of σ")


@_relation("adjacency", "One of the two directions is left out.")
def adjacency_is_the_worse(query: Query) -> Iterator[Pair]:
    """Add-or-remove is at least each of its directions."""
    directions: tuple[Adjacency, ...] = ("remove", "add")
    for direction in directions:
        yield replace(query, adjacency=direction), query, "add-or-remove covers both directions"


@_relation("integers", "The type of a parameter changes the path.")
def integers_are_nothing_special(query: Query) -> Iterator[Pair]:
    """A parameter next to an integer, with an answer next to that of the integer."""
    nearly = 1 - Fraction(1, 2**44)

    def moved(mechanism: Mechanism) -> Mechanism | None:
        return replace(mechanism, sigma=mechanism.sigma * nearly) if isinstance(mechanism, Gaussian) else None

    for other in _each(query, moved):
        yield from _equal(query, other, "σ and σ(1 − 2⁻⁴⁴) have one answer, to nine digits")
