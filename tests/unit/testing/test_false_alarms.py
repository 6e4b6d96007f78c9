"""Sound accountants that relations must not break: what each allows for, and that no more is allowed."""

import itertools
import math
import threading
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.numbers.claim import Promise
from pldverify.testing import Oracle, run_checks
from pldverify.testing.checks.run import CHECKS, run
from pldverify.testing.checks.subject import Subject
from pldverify.testing.oracle import end


def breaks(accountant: pv.Accountant, check: str, *seeds: pv.Query, tightness: str | None = None) -> int:
    """How many breaks a check finds from these seeds."""
    allowed = None if tightness is None else Fraction(tightness)
    return len(run(CHECKS[check], Subject(accountant, "quick", allowed, seeds), "it").breaks)


@pytest.mark.parametrize("direction", ["upper", "lower"])
@pytest.mark.parametrize("p", ["0.01", "0.3", "0.7"])
def test_a_coin_that_lies_is_as_good_as_one_that_tells_the_truth(direction, p: str) -> None:
    """Of p = 0.01, (1 + p)/2 has more privacy, not less."""
    seed = pv.Query(pv.RandomizedResponse(p), delta="1e-5")
    assert breaks(Oracle(direction), "falls-with-noise", seed) == 0


def wrong_by(error: float, promised: float | None) -> pv.Accountant:
    """An estimate that is wrong by this, now above and now below."""
    signs = itertools.cycle([1, -1])
    return pv.Accountant.of(
        lambda query: end(query, "upper") + error * next(signs),
        direction="estimate",
        error=promised,
        name="e",
    )


DELTA = pv.Query(2 * pv.Gaussian(2), epsilon="0.75")
EPSILON = pv.Query(2 * pv.Gaussian(2), delta="1e-3")


@pytest.mark.parametrize(
    ("check", "seed"),
    [
        ("gaussians-add-up", DELTA),
        ("gaussians-add-up", EPSILON),
        ("scaling", EPSILON),
        ("dual", DELTA),
    ],
)
def test_an_estimate_may_be_wrong_by_what_it_promises(check: str, seed: pv.Query) -> None:
    assert breaks(wrong_by(1e-3, 1e-3), check, seed) == 0
    assert breaks(wrong_by(1e-3, 1e-4), check, seed) > 0
    assert breaks(wrong_by(1e-3, None), check, seed) > 0


def test_what_an_estimate_promises_in_the_other_unit_is_not_compared() -> None:
    def halved(promise: Promise) -> pv.Accountant:
        def claim(query: pv.Query) -> pv.Claim:
            return pv.Claim(Fraction(1, 2) / query.composition.steps, "estimate", "e", {}, promise)

        return pv.Accountant.of(claim, direction="estimate", name="halved")

    assert breaks(halved(Promise(Fraction(1), Fraction(0))), "gaussians-add-up", DELTA) == 0
    assert breaks(halved(Promise(Fraction(0), Fraction(0))), "gaussians-add-up", DELTA) > 0


def exactly(direction) -> pv.Accountant:
    """Exact answers of one (ε, δ)-mechanism, whose δ is flat above ε = 1/5."""

    def claim(query: pv.Query) -> Fraction | float:
        delta = Fraction(1, 10_000)
        if query.epsilon is not None:
            if query.epsilon < Fraction(1, 5):
                raise NotImplementedError("only where it is flat")
            return delta
        return math.inf if query.delta < delta else Fraction(1, 5) if query.delta < Fraction(1, 1000) else 0

    return pv.Accountant.of(claim, direction=direction, name="exact")


@pytest.mark.parametrize("direction", ["upper", "lower", "estimate"])
def test_a_round_trip_where_delta_is_flat(direction) -> None:
    seed = pv.Query("approximate_dp(epsilon=0.2, delta=1e-4)", epsilon="0.75")
    assert breaks(exactly(direction), "round-trip", seed) == 0


@pytest.mark.parametrize("direction", ["upper", "lower", "estimate"])
@pytest.mark.parametrize("check", ["dual", "convex", "falls-with-target", "adjacency", "round-trip"])
def test_bounds_that_are_as_loose_as_was_said(direction, check: str) -> None:
    """ε moved by what was said: the loosest that is allowed, and for estimates in turn to both sides."""
    z, signs = Fraction(1, 4), itertools.cycle([1, -1])

    def claim(query: pv.Query) -> float:
        sign = {"upper": 1, "lower": -1}.get(direction) or next(signs)
        side = "lower" if direction == "lower" else "upper"
        if query.epsilon is None:
            return max(0.0, end(query, side) + sign * float(z))
        moved = pv.Query(query.composition, epsilon=query.epsilon - sign * z, adjacency=query.adjacency)
        return end(moved, side)

    loose = pv.Accountant.of(claim, direction=direction, name="loose")
    seeds = [pv.Query(pv.PoissonSubsampled(pv.Gaussian(1), "0.3"), epsilon=each) for each in ("0.75", "1.5")]
    assert breaks(loose, check, *seeds, tightness="0.25") == 0


def test_a_lower_bound_may_be_below_zero_by_what_it_gives_away() -> None:
    below = pv.Accountant.of(lambda query: -0.3, direction="lower", name="below")
    seed = pv.Query(pv.Gaussian(1000), delta="0.9")
    (result,) = run_checks(below, checks=["range"], tightness="0.5")
    assert all(each.queries[0].quantity == "delta" for each in result.breaks)
    assert breaks(below, "range", seed) > 0


class Locked(pv.Accountant):
    direction = "upper"

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def claim(self, query: pv.Query) -> float:
        return 2.0


def test_what_can_not_be_copied_is_asked_again_only() -> None:
    assert breaks(Locked(), "stateless", EPSILON) == 0


def test_rounding_is_no_state() -> None:
    last = itertools.cycle([1.0, math.nextafter(1, 2)])
    noisy = pv.Accountant.of(lambda query: next(last), direction="upper", name="noisy")
    assert breaks(noisy, "stateless", EPSILON) == 0
    steps = itertools.count()
    drifting = pv.Accountant.of(lambda query: 1 + 1e-6 * next(steps), direction="upper", name="drifting")
    assert breaks(drifting, "stateless", EPSILON) > 0


def test_an_infinite_lower_bound_is_unsound_and_not_loose() -> None:
    sure = pv.Accountant.of(lambda query: math.inf, direction="lower", name="sure")
    (loose,) = run_checks(sure, checks=["tight"], tightness="0.1")
    (unsound,) = run_checks(sure, checks=["one-step"])
    assert loose.outcome == "passed" and unsound.breaks[0].fault == "UNSOUND"
