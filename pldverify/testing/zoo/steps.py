"""Faulty compositions: steps that are lost, and mechanisms that are mixed up."""

import math
from dataclasses import replace

from pldverify.mechanisms import Gaussian, PoissonSubsampled
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Cage, counts, parts

MUTANTS = Cage()


def _samples(mechanism: Mechanism) -> bool:
    return isinstance(mechanism, PoissonSubsampled) and mechanism.q < 1


@MUTANTS.asked("many-steps", counts)
def steps_written_down(k: int) -> int:
    """The number of steps is a constant of the code, 100."""
    return 100


@MUTANTS.asked("many-steps", counts)
def one_step_lost(k: int) -> int:
    """Off by one in the number of steps."""
    return k - 1


@MUTANTS.asked("gaussians-add-up", counts)
def count_ignored(k: int) -> int:
    """Every mechanism counts once."""
    return 1


@MUTANTS.asked("delta-zero")
def count_forgotten_at_delta_zero(query: Query) -> Query:
    """ε at δ = 0 is that of one step of each mechanism."""
    if query.delta != 0:
        return query
    once = Composition.of(*((mechanism, 1) for mechanism, _ in query.composition.parts))
    return replace(query, composition=once)


@MUTANTS.asked("many-steps", counts)
def steps_of_epochs(k: int) -> int:
    """Three epochs of 75 batches are int(3 / (1 / 75)) = 224 steps."""
    return int((k / 75) / (1 / 75))


@MUTANTS.asked("grows-with-steps", parts)
def steps_wrapped(mechanism: Mechanism, count: int) -> tuple[Mechanism, int]:
    """The number of sampled batches is kept in six bits."""
    return mechanism, max(1, count % 64) if _samples(mechanism) else count


@MUTANTS.asked("sampled", parts)
def budget_checked_after_the_step(mechanism: Mechanism, count: int) -> tuple[Mechanism, int]:
    """Training runs one batch more than is accounted for."""
    return mechanism, max(1, count - 1) if _samples(mechanism) else count


@MUTANTS.asked("few-steps", counts)
def few_steps_are_one(k: int) -> int:
    """Two and three steps take the path of one."""
    return 1 if k <= 3 else k


@MUTANTS.asked("grows-with-parts")
def noise_averaged(query: Query) -> Query:
    """Gaussians of different noise are composed with their mean noise."""
    known = [(noise_and_q(mechanism), count) for mechanism, count in query.composition.parts]
    noises = [(row[0], count) for row, count in known if row is not None and row[1] == 1]
    if len(noises) < max(2, len(known)):
        return query
    steps = query.composition.steps
    return replace(query, composition=steps * Gaussian(sum(noise * k for noise, k in noises) / steps))


@MUTANTS.asked("mixed")
def first_mechanism_only(query: Query) -> Query:
    """All but the first mechanism is forgotten."""
    return replace(query, composition=Composition.of(*query.composition.parts[:1]))


@MUTANTS.asked("mixed")
def third_mechanism_lost(query: Query) -> Query:
    """Two mechanisms are composed, others lost."""
    return replace(query, composition=Composition.of(*query.composition.parts[:2]))


@MUTANTS.answered("many-steps")
def square_root_of_steps(value: float, query: Query) -> float:
    """ε is taken to grow with √k, the term in k is left out."""
    if query.delta is None or query.composition.steps == 1:
        return value
    mechanism, count = query.composition.parts[0]
    return math.sqrt(count) * end(replace(query, composition=1 * mechanism), "upper")


@MUTANTS.asked("many-steps", counts)
def half_of_the_steps(k: int) -> int:
    """Steps of local clients are counted for half of them."""
    return k // 2


@MUTANTS.asked("many-steps", counts)
def large_counts_capped(k: int) -> int:
    """A grid that was made for 500 steps is asked for more."""
    return min(k, 500)
