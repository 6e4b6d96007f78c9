"""Faulty numerics: tails that are cut, floors of noise, infinite masses that are lost, searches that stop."""

import math
from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms import ApproximateDP, Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.testing.zoo.mutant import Cage, at_delta, at_epsilon, each, of_delta, of_epsilon, parts

MUTANTS = Cage()


@MUTANTS.asked("tiny-delta", at_delta)
def fft_floor(delta: Fraction) -> Fraction:
    """δ below 1e-16 is lost in rounding noise, and answered as 1e-16."""
    return max(delta, Fraction(1, 10**16)) if delta else delta


@MUTANTS.answered("tiny-delta", of_delta)
def far_tail_cut(value: float) -> float:
    """The tail is cut where it is below 1e-15."""
    return 0.0 if value < 1e-15 else value


@MUTANTS.answered("tiny-delta", of_delta)
def noise_floor_subtracted(value: float) -> float:
    """A bound of the rounding error is subtracted, not added."""
    return max(0.0, value - 1e-14)


@MUTANTS.asked("infinite-loss", each)
def infinite_mass_dropped(mechanism: Mechanism) -> Mechanism:
    """δ_∞ is left out."""
    return replace(mechanism, delta=Fraction(0)) if isinstance(mechanism, ApproximateDP) else mechanism


@MUTANTS.asked("infinite-loss", parts)
def infinite_mass_not_composed(mechanism: Mechanism, count: int) -> tuple[Mechanism, int]:
    """δ_∞ of one step stands for that of all."""
    if isinstance(mechanism, ApproximateDP):
        return replace(mechanism, delta=mechanism.delta / count), count
    return mechanism, count


@MUTANTS.answered("infinite-loss")
def delta_at_the_infinite_mass(value: float, query: Query) -> float:
    """δ = δ_∞ has ε = 0."""
    masses = {m.delta for m, _ in query.composition.parts if isinstance(m, ApproximateDP)}
    return 0.0 if query.delta in masses else value


@MUTANTS.answered("infinite-loss", of_epsilon)
def minus_one_for_impossible(value: float) -> float:
    """ε = −1 where there is none."""
    return -1.0 if value == math.inf else value


@MUTANTS.answered("falls-with-target")
def overflow_of_exp(value: float, query: Query) -> float:
    """exp(ε) overflows, and δ is 1."""
    return 1.0 if query.epsilon is not None and query.epsilon > 700 else value


@MUTANTS.answered("large-epsilon")
def underflow_of_tail(value: float, query: Query) -> float:
    """A tail underflows at large ε."""
    return 0.0 if query.epsilon is not None and query.epsilon > 20 else value


@MUTANTS.answered("much-noise")
def difference_cancels(value: float, query: Query) -> float:
    """δ is 0 where two numbers agree in floats."""
    noisy = all(isinstance(m, Gaussian) and m.sigma >= 1000 for m, _ in query.composition.parts)
    return 0.0 if noisy else value


@MUTANTS.answered("epsilon-zero")
def delta_of_zero(value: float, query: Query) -> float:
    """`epsilon or default` takes 0 for missing."""
    return 0.0 if query.epsilon == 0 else value


@MUTANTS.answered("epsilon-zero")
def not_clamped(value: float, query: Query) -> float:
    """ε below 0 next to δ = 1."""
    return value - 0.1 if query.delta is not None and query.delta > Fraction(1, 2) else value


@MUTANTS.answered("range", direction="lower")
def lower_not_clamped(value: float, query: Query) -> float:
    """An error is subtracted from a lower bound, which becomes negative."""
    return value - 1e-3


@MUTANTS.answered("range", of_delta)
def upper_not_clamped(value: float) -> float:
    """A factor is put on an upper bound of δ, which exceeds 1."""
    return value * 1.001


@MUTANTS.asked("convex", at_epsilon)
def epsilon_on_a_grid(epsilon: Fraction) -> Fraction:
    """ε is rounded down to a grid: sound."""
    return math.floor(4 * epsilon) / Fraction(4)


@MUTANTS.asked("atoms", at_epsilon)
def loss_rounded_left(epsilon: Fraction) -> Fraction:
    """Losses are rounded down to a grid."""
    cell = Fraction(3, 10)
    return math.ceil(epsilon / cell) * cell


@MUTANTS.answered("round-trip", of_epsilon)
def search_is_generous(value: float) -> float:
    """The search for ε stops 5 % above."""
    return value * 1.05


@MUTANTS.answered("one-step", of_epsilon)
def search_returns_the_middle(value: float) -> float:
    """The search for ε returns the middle of its bracket."""
    return value * 0.999


@MUTANTS.answered("one-step", of_epsilon)
def search_stops_early(value: float) -> float:
    """The search for ε stops at one decimal, below."""
    return math.floor(value * 10) / 10 if value < math.inf else value


@MUTANTS.answered("large-epsilon", of_epsilon)
def root_bracket_too_small(value: float) -> float:
    """ε is searched for up to 20."""
    return min(value, 20.0)


@MUTANTS.answered("rounding")
def rounded_to_nearest(value: float, query: Query) -> float:
    """Bounds are rounded to twelve digits, to the wrong side."""
    return value * (1 - 1e-12)


@MUTANTS.answered("rounding", direction="lower")
def lower_rounded_up(value: float, query: Query) -> float:
    """A lower bound is rounded up."""
    return value * (1 + 1e-12)


@MUTANTS.answered("one-step", direction="lower")
def lower_is_an_estimate(value: float, query: Query) -> float:
    """An estimate, a thousandth above, is sold as a lower bound."""
    return value * 1.001


@MUTANTS.answered("one-step", of_delta)
def running_minimum(value: float) -> float:
    """A curve that wavers by a hundredth is repaired by its running minimum, which keeps every trough."""
    return value * 0.99


@MUTANTS.asked("atoms", at_delta)
def delta_zero_is_small(delta: Fraction) -> Fraction:
    """δ = 0 is taken for 1e-6."""
    return delta or Fraction(1, 10**6)


@MUTANTS.asked("one-step", at_epsilon)
def epsilon_shifted(epsilon: Fraction) -> Fraction:
    """The error of the loss is allowed for on the wrong side."""
    return epsilon + Fraction(1, 1000)


@MUTANTS.answered("tight")
def failure_in_words(value: float, query: Query) -> float:
    """It is sure of nothing: ε = ∞, δ = 1."""
    return 1.0 if query.quantity == "delta" else math.inf
