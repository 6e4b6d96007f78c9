"""Faulty numerics: tails that are cut, floors of noise, infinite masses that are lost, searches that stop."""

import math
from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms import ApproximateDP, Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.testing.zoo.mutant import at_delta, at_epsilon, each, of, parts, spoiled


def _without_infinity(mechanism: Mechanism) -> Mechanism:
    return replace(mechanism, delta=Fraction(0)) if isinstance(mechanism, ApproximateDP) else mechanism


def _infinity_once(mechanism: Mechanism, count: int) -> tuple[Mechanism, int]:
    if isinstance(mechanism, ApproximateDP):
        return replace(mechanism, delta=mechanism.delta / count), count
    return mechanism, count


def _at_the_mass(value: float, query: Query) -> float:
    masses = {m.delta for m, _ in query.composition.parts if isinstance(m, ApproximateDP)}
    return 0.0 if query.delta in masses else value


def _impossible(value: float, query: Query) -> float:
    return -1.0 if query.quantity == "epsilon" and value == math.inf else value


def _overflow(value: float, query: Query) -> float:
    return 1.0 if query.epsilon is not None and query.epsilon > 700 else value


def _underflow(value: float, query: Query) -> float:
    return 0.0 if query.epsilon is not None and query.epsilon > 20 else value


def _cancelled(value: float, query: Query) -> float:
    noisy = all(isinstance(m, Gaussian) and m.sigma >= 1000 for m, _ in query.composition.parts)
    return 0.0 if noisy else value


def _near_zero(value: float, query: Query) -> float:
    return 0.0 if query.epsilon == 0 else value


def _without_clamp(value: float, query: Query) -> float:
    return value - 0.1 if query.delta is not None and query.delta > Fraction(1, 2) else value


def _grid(query: Query, up: bool) -> Query:
    assert isinstance(query.epsilon, Fraction)
    cell = Fraction(1, 4) if not up else Fraction(3, 10)
    return replace(query, epsilon=(math.ceil if up else math.floor)(query.epsilon / cell) * cell)


def _rounded_down(query: Query) -> Query:
    return query if query.epsilon is None else _grid(query, False)


def _rounded_up(query: Query) -> Query:
    return query if query.epsilon is None else _grid(query, True)


MUTANTS = (
    spoiled(
        "fft-floor",
        "tiny-delta",
        "δ below 1e-16 is lost in rounding noise, and answered as 1e-16.",
        asked=at_delta(lambda delta: max(delta, Fraction(1, 10**16)) if delta else delta),
    ),
    spoiled(
        "far-tail-cut",
        "tiny-delta",
        "The tail is cut where it is below 1e-15.",
        answered=of("delta", lambda value: 0.0 if value < 1e-15 else value),
    ),
    spoiled(
        "noise-floor-subtracted",
        "tiny-delta",
        "A bound of the rounding error is subtracted, not added.",
        answered=of("delta", lambda value: max(0.0, value - 1e-14)),
    ),
    spoiled("infinite-mass-dropped", "infinite-loss", "δ_∞ is left out.", asked=each(_without_infinity)),
    spoiled(
        "infinite-mass-not-composed",
        "infinite-loss",
        "δ_∞ of one step stands for that of all.",
        asked=parts(_infinity_once),
    ),
    spoiled("delta-at-the-infinite-mass", "infinite-loss", "δ = δ_∞ has ε = 0.", answered=_at_the_mass),
    spoiled("minus-one-for-impossible", "infinite-loss", "ε = −1 where there is none.", answered=_impossible),
    spoiled("overflow-of-exp", "falls-with-target", "exp(ε) overflows, and δ is 1.", answered=_overflow),
    spoiled("underflow-of-tail", "large-epsilon", "A tail underflows at large ε.", answered=_underflow),
    spoiled(
        "difference-cancels", "much-noise", "δ is 0 where two numbers agree in floats.", answered=_cancelled
    ),
    spoiled(
        "delta-of-zero", "epsilon-zero", "`epsilon or default` takes 0 for missing.", answered=_near_zero
    ),
    spoiled("not-clamped", "epsilon-zero", "ε below 0 next to δ = 1.", answered=_without_clamp),
    spoiled(
        "lower-not-clamped",
        "range",
        "An error is subtracted from a lower bound, which becomes negative.",
        answered=lambda value, query: value - 1e-3,
        direction="lower",
    ),
    spoiled(
        "upper-not-clamped",
        "range",
        "A factor is put on an upper bound of δ, which exceeds 1.",
        answered=of("delta", lambda value: value * 1.001),
    ),
    spoiled("epsilon-on-a-grid", "convex", "ε is rounded down to a grid: sound.", asked=_rounded_down),
    spoiled("loss-rounded-left", "atoms", "Losses are rounded down to a grid.", asked=_rounded_up),
    spoiled(
        "search-is-generous",
        "round-trip",
        "The search for ε stops 5 % above.",
        answered=of("epsilon", lambda value: value * 1.05),
    ),
    spoiled(
        "search-returns-the-middle",
        "one-step",
        "The search for ε returns the middle of its bracket.",
        answered=of("epsilon", lambda value: value * 0.999),
    ),
    spoiled(
        "search-stops-early",
        "one-step",
        "The search for ε stops at one decimal, below.",
        answered=of("epsilon", lambda value: math.floor(value * 10) / 10 if value < math.inf else value),
    ),
    spoiled(
        "root-bracket-too-small",
        "large-epsilon",
        "ε is searched for up to 20.",
        answered=of("epsilon", lambda value: min(value, 20.0)),
    ),
    spoiled(
        "rounded-to-nearest",
        "rounding",
        "Bounds are rounded to twelve digits, to the wrong side.",
        answered=lambda value, query: value * (1 - 1e-12),
    ),
    spoiled(
        "lower-rounded-up",
        "rounding",
        "A lower bound is rounded up.",
        answered=lambda value, query: value * (1 + 1e-12),
        direction="lower",
    ),
    spoiled(
        "delta-zero-is-small",
        "atoms",
        "δ = 0 is taken for 1e-6.",
        asked=at_delta(lambda delta: delta or Fraction(1, 10**6)),
    ),
    spoiled(
        "epsilon-shifted",
        "one-step",
        "The error of the loss is allowed for on the wrong side.",
        asked=at_epsilon(lambda epsilon: epsilon + Fraction(1, 1000)),
    ),
    spoiled(
        "failure-in-words",
        "tight",
        "It is sure of nothing: ε = ∞, δ = 1.",
        answered=lambda value, query: 1.0 if query.quantity == "delta" else math.inf,
    ),
)
