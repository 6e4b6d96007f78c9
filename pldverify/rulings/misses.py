"""Near misses: with which noise, steps or δ a refuted claim would hold, proved on both sides.

That ε falls in σ and rises in steps only steers the search: both neighbours are judged.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial

from pldverify.errors import NotSupported
from pldverify.mechanisms import Composition, Gaussian, PoissonSubsampled
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, real
from pldverify.numbers.scientific import order
from pldverify.rulings.cases import Case, drawn
from pldverify.rulings.measured import measured
from pldverify.rulings.model import Claim, Noise
from pldverify.rulings.ruling import Miss, Reading
from pldverify.values.truth import bracket, by_attack
from pldverify.values.value import of_pairs
from pldverify.values.verdict import Certification, certification
from pldverify.values.verdict import holds as at_most

_DIGITS = 4
"""Significant digits of the noise or δ that is found."""
_SECONDS = 1.0
"""Processor seconds for δ."""
_LOOK = 0.5
"""Processor seconds to decide the claim for one other noise, or for fewer steps."""
_FARTHEST = 8
"""Largest noise tried, as a multiple of the stated one."""
Holds = Callable[[Composition], Certification]
"""Whether the claim is true of a composition."""


def misses(claim: Claim, literal: Sequence[Reading]) -> tuple[Miss, ...]:
    """Near misses of an upper claim, for its first refuted meaning; named if there are several meanings."""
    refuted = next((r for r in literal if r.verdict == "REFUTED" and r.case.subject == "true"), None)
    if refuted is None or claim.relation != "<=" or not refuted.case.composition.is_exact:
        return ()
    found: list[Miss] = []
    for search in _searches(claim, refuted):
        with suppress(NotSupported):
            found += search(refuted.case)
    return tuple(replace(miss, case=refuted.case.assumes if len(literal) > 1 else "") for miss in found)


def _searches(claim: Claim, refuted: Reading) -> Iterator[Callable[[Case], Iterator[Miss]]]:
    """Of ε and δ; of all else where it is soon known, as all is unsampled Gaussian noise."""
    case = refuted.case
    if claim.epsilon is not None:
        epsilon, delta = real(str(claim.epsilon), "epsilon"), real(str(claim.delta), "delta")
        if not (isinstance(epsilon, Fraction) and isinstance(delta, Fraction)):
            return
        truth = None if refuted.certificate is None else refuted.certificate.truth
        yield partial(_delta, epsilon=epsilon, truth=truth)
        holds: Holds = partial(_verdict, case=case, epsilon=epsilon, delta=delta)
    elif all(isinstance(mechanism, Gaussian) for mechanism, _ in case.composition.parts):
        value = real(str(claim.number), "claim")

        def holds(whole: Composition) -> Certification:
            found = measured(claim, whole, case.adjacency, (("<=", value),))
            return certification(at_most("<=", value, found))
    else:
        return
    yield partial(_sigma, holds=holds)
    cyclic = [p for p in claim.phase if drawn(p, case.role == "accounted") == "cyclic-poisson"]
    if not cyclic:
        yield partial(_steps, holds=holds, groups=1)
    elif len(claim.phase) == 1 and isinstance(cyclic[0], Noise):  # steps of other phases are other ones
        yield partial(_steps, holds=holds, groups=count(str(cyclic[0].cycle_length), "cycle_length"))


def _delta(case: Case, epsilon: Fraction, truth: Enclosure | None = None) -> Iterator[Miss]:
    """δ(ε) rounded up, where its neighbour below is proved too small; of hidden batches by the attack that
    has proved the ``truth``.
    """
    query = Query(case.composition, epsilon=epsilon, adjacency=case.adjacency)
    found = by_attack(truth, epsilon, _DIGITS + 1) if truth is not None else None
    if found is None:
        found = bracket(query, lambda it: it.digits > _DIGITS, _SECONDS)
    lower, upper = of_pairs(query, found).ends
    if lower and upper:
        step = _step(Fraction(upper))
        value = -(-Fraction(upper) // step) * step
        if value - step < lower and value < 1:
            yield Miss("δ", value, value - step)


def _sigma(case: Case, holds: Holds) -> Iterator[Miss]:
    """All steps have one Gaussian noise: a larger one in its place."""
    noises = {_noise(mechanism) for mechanism, _ in case.composition.parts}
    noise = noises.pop()
    if noise is None or noises:
        return
    step = _step(noise)

    def larger(index: int) -> Certification:
        return holds(Composition.of(*((_with(m, index * step), k) for m, k in case.composition.parts)))

    first = math.floor(noise / step)
    found = _first(larger, first, _FARTHEST * first)
    if found is not None:
        beyond = noise if found - 1 == first else (found - 1) * step
        yield Miss("noise multiplier", found * step, beyond)


def _steps(case: Case, holds: Holds, groups: int) -> Iterator[Miss]:
    """Only one mechanism: fewer steps of it; of groups that take turns, each has one in so many."""
    if len(case.composition.parts) != 1:
        return
    ((mechanism, times),) = case.composition.parts
    if isinstance(mechanism, BallsAndBins) and mechanism.steps is not None:  # a share is no step
        return

    found = _first(lambda fewer: holds(Composition.of((mechanism, times - fewer))), 0, times - 1)
    if found is not None:
        name = "epochs" if isinstance(mechanism, BallsAndBins | HiddenBatch) else "steps"
        most = groups * (times - found)
        yield Miss(name, Fraction(most), Fraction(most + 1))


def _first(holds: Callable[[int], Certification], fails: int, last: int) -> int | None:
    """The index that is proved to hold, while the one before it is proved not to, as ``fails`` is.

    Steps double from ``fails`` on, as a claim that nearly holds is near; then the gap is bisected. None where
    ``last`` does not hold, or a verdict is not proved.
    """
    gap, good = 1, fails
    while good == fails:
        index = min(fails + gap, last)
        verdict = holds(index) if index > fails else "REFUTED"
        if verdict == "CERTIFIED":
            good = index
        elif verdict != "REFUTED" or index == last:
            return None
        else:
            fails, good, gap = index, index, 4 * gap
    while good - fails > 1:
        middle = (good + fails) // 2
        verdict = holds(middle)
        if verdict == "CERTIFIED":
            good = middle
        elif verdict == "REFUTED":
            fails = middle
        else:
            return None
    return good


def _verdict(composition: Composition, case: Case, epsilon: Fraction, delta: Fraction) -> Certification:
    """Whether δ(ε) ≤ δ, as far as that is proved soon."""
    query = Query(composition, epsilon=epsilon, adjacency=case.adjacency)

    def judged(found: Enclosure) -> Certification:
        return certification(at_most("<=", delta, of_pairs(query, found)))

    return judged(bracket(query, lambda found: judged(found) != "UNDECIDED", _LOOK))


def _step(value: Fraction) -> Fraction:
    """A unit of the last of some digits."""
    return Fraction(10) ** (order(value) - _DIGITS + 1)


def _noise(mechanism: Mechanism) -> Fraction | None:
    base = mechanism.base if isinstance(mechanism, PoissonSubsampled) else mechanism
    return base.noise_multiplier if isinstance(base, Gaussian) else None


def _with(mechanism: Mechanism, sigma: Fraction) -> Mechanism:
    if isinstance(mechanism, PoissonSubsampled):
        return PoissonSubsampled(Gaussian(sigma), mechanism.q)
    return Gaussian(sigma)
