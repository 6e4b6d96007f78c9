r"""Calibration: the smallest noise, or the most sampling or steps, that keep δ(ε) ≤ δ, on a stated grid.

Most candidates lie far from the target, where no digit of δ(ε) is needed and an engine may not reach any. So
each is bracketed (:mod:`pldverify.reference.quantities.bracket`), until the target is excluded.

Where a mechanism hides its batches, what is looked at is the composition with all of them revealed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, get_args

from pldverify.balls.clock import SECONDS, clock
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.hidden_batch import hides, revealed
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import MAX_COUNT, brief, nonnegative, positive, probability, show
from pldverify.reference.engines.conclude import conclude
from pldverify.reference.quantities.both_sides import both_sides
from pldverify.reference.quantities.bracket import Narrowing
from pldverify.reference.search.halved import halved

Parameter = Literal["sigma", "q", "steps"]

_SECONDS = 200
"""Processor seconds of a whole search; each candidate has the time of one call."""


@dataclass(frozen=True)
class Calibration:
    """Two neighbouring grid points, one on each side of the target.

    Attributes:
        value: the parameter that passes.
        passes: δ(ε) at ``value``; its upper end is at most the target. Both are as wide as the proof allows:
            ask :func:`pldverify.delta` for digits.
        fails: δ(ε) at the next grid point of less privacy; its lower end exceeds the target. Of shuffled
            batches its upper end does, and nothing is proved from below: there it is not proved to pass. None
            where ``value`` is the last grid point of the range.

    Both are of the pairs of a composition, whose ``standing`` says what that means for the mechanism.
    """

    value: Fraction
    passes: Enclosure
    fails: Enclosure | None


def calibrate(
    build: Callable[[Fraction], Composed],
    *,
    parameter: Parameter,
    epsilon: object,
    delta: object,
    low: object,
    high: object,
    resolution: object,
    adjacency: Adjacency | None = None,
) -> Calibration:
    """The smallest ``sigma``, or the largest ``q`` or ``steps``, with a proof of δ(``epsilon``) ≤ ``delta``.

    Args:
        build: the composition at an exact value of the parameter (for ``steps`` an integer).
        parameter: which way privacy improves: up with ``sigma``, down with ``q`` and ``steps``.
        epsilon: in nats, ≥ 0.
        delta: the target, 0 < delta < 1.
        low, high: ends of the range of the parameter, > 0.
        resolution: the candidates are its multiples in [low, high], at most 10**12 of them.
        adjacency: as in :func:`pldverify.reference.quantities.delta`.

    What is proved: ``value`` passes, and its neighbour on the grid fails; of shuffled batches, that this is
    what the batches revealed give. That δ(ε) is monotone in the
    parameter only steers the bisection; it is what makes the value the best of the whole range.
    Raises InvalidInput, also where the most private candidate fails; NotSupported; NoConvergence where the
    best enclosure, asked for 15 digits at most, contains the target, after 20 s of processor time for one
    candidate, and after 200 s in all; an end of the range that is not told stops the search only if it ends
    there.

    Gaussian noise for (1, 1e-5), where the classical √(2 ln(1.25/δ)) asks for σ = 4.85:

    >>> found = pv.calibrate(
    ...     pv.Gaussian, parameter="sigma", epsilon=1, delta="1e-5", low=1, high=10, resolution="0.001"
    ... )
    >>> float(found.value)
    3.731
    >>> float(found.passes.upper) < 1e-5 < float(found.fails.lower)
    True
    """
    eps, target = nonnegative(epsilon, "epsilon"), probability(delta, "delta", zero=False, one=False)
    step = positive(resolution, "resolution")
    if parameter not in get_args(Parameter):
        raise InvalidInput(
            f"parameter must be one of {', '.join(get_args(Parameter))}, got {brief(parameter)}"
        )
    if parameter == "steps" and step.denominator != 1:
        raise InvalidInput(f"resolution must be an integer for steps, got resolution={show(step)}")
    first = math.ceil(positive(low, "low") / step)
    last = math.floor(positive(high, "high") / step)
    if not 0 <= last - first < MAX_COUNT:
        raise InvalidInput(
            f"low and high must have 1 to {MAX_COUNT} multiples of resolution={show(step)} between them, got "
            f"{brief(last - first + 1)}"
        )

    def look(index: int) -> Enclosure:
        composition = as_composition(build(index * step))
        try:
            return _compared(composition, adjacency, eps, target)
        except NoConvergence as reason:
            raise NoConvergence(f"calibrate: at {parameter}={show(index * step)}: {reason}") from None

    with clock(_SECONDS):
        return _bisected(look, first, last, step, parameter, target)


def _bisected(
    look: Callable[[int], Enclosure], first: int, last: int, step: Fraction, parameter: str, target: Fraction
) -> Calibration:
    """The candidate on the open side of which ``look`` first exceeds the target."""
    seen: dict[int, Enclosure] = {}
    untold: dict[int, NoConvergence] = {}

    def passes(index: int) -> bool:
        seen[index] = look(index)
        return seen[index].upper <= target

    def at_end(index: int, guess: bool) -> bool:
        """Whether an end of the range passes; a guess where it is not told, on which no answer may rest."""
        try:
            return passes(index)
        except NoConvergence as reason:
            untold[index] = reason
            return guess

    private, open_ = (last, first) if parameter == "sigma" else (first, last)
    if not at_end(private, True):
        raise InvalidInput(
            f"{parameter} must reach delta={show(target)} between low and high, got δ(ε) ≥ "
            f"{float(seen[private].lower):.6g} at {parameter}={show(private * step)}"
        )
    if open_ != private and not at_end(open_, False):
        open_, private = halved(open_, private, passes, _middle, last - first)
    else:
        private = open_
    for index in (private, open_):
        if index in untold:
            raise untold[index]
    return Calibration(private * step, seen[private], seen[open_] if open_ != private else None)


def _middle(low: int, high: int) -> int | None:
    return (low + high) // 2 if abs(high - low) > 1 else None


def _compared(
    composition: Composition, adjacency: Adjacency | None, epsilon: Fraction, target: Fraction
) -> Enclosure:
    """δ(ε), told from the target. Raises NoConvergence."""
    relation = adjacency or composition.adjacency
    asked = Query(composition, epsilon=epsilon, adjacency=relation)
    narrowing = Narrowing(replace(asked, composition=revealed(composition)))
    found = narrowing.until(lambda found: _tells(found, target), SECONDS)
    if not _tells(found, target):
        why = dict(found.provenance).get("why not narrower", "")
        raise NoConvergence(f"δ(ε) = {found} is not told from delta={show(target)}: {why}")
    if hides(composition):
        return conclude(both_sides(asked, found, ()))
    assert found.witness is not None  # a narrowing keeps its statements
    return conclude(found.witness.statement)


def _tells(found: Enclosure, target: Fraction) -> bool:
    return found.upper <= target or found.lower > target
