"""Properties that every true privacy profile has, checked on enclosures of random questions.

An answer is an Enclosure or NoConvergence; each test says how many of its examples must be decided.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.clock import allowance
from pldverify.errors import NoConvergence

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
DECIDED: Counter[str] = Counter()
ASKED: Counter[str] = Counter()


def examples(few: int) -> settings:
    return settings(
        max_examples=50 * few if NIGHTLY else few,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


def decimals(low: float, high: float) -> st.SearchStrategy[Fraction]:
    """Three-digit decimals, evenly spread over the orders of magnitude from 10^low to 10^high."""
    return st.floats(low, high).map(lambda x: Fraction(f"{10**x:.2e}"))


@st.composite
def cells(draw: st.DrawFn) -> tuple[Fraction, Fraction, int, Fraction]:
    """(σ, q, k, ε) where the contour converges quickly: many steps, ε in the bulk or in the tail."""
    sigma, q = draw(decimals(0.15, 1.5)), draw(decimals(-5, 0))
    k = draw(st.sampled_from([300, 1000, 10**4, 10**6, 10**9, 10**12]))
    mu = float(q) * k**0.5 * (2.718 ** (min(50.0, 1 / float(sigma) ** 2)) - 1) ** 0.5
    assume(0.02 < mu < 60)
    deviations = draw(st.floats(-1, 6))
    epsilon = Fraction(f"{mu * mu / 2 + deviations * mu:.3e}")
    return sigma, q, k, epsilon


def composed(sigma: Fraction, q: Fraction, k: int) -> pv.Composition:
    return k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)


def decided(
    test: str, *questions: tuple[str, tuple[object, ...], dict[str, object]]
) -> Iterator[pv.Enclosure]:
    """Answer all questions or none, and keep count."""
    ASKED[test] += 1
    answers = []
    for name, arguments, keywords in questions:
        try:
            answers.append(getattr(pv, name)(*arguments, **keywords))
        except NoConvergence:
            answers = []
        if not answers:
            break
    DECIDED[test] += bool(answers)
    assume(answers)
    return iter(answers)


def share(test: str) -> Fraction:
    return Fraction(DECIDED[test], ASKED[test])


directions = st.sampled_from(["add", "remove"])


@examples(15)
@given(cells(), st.integers(2, 25), directions)
def check_digits(cell: tuple[Fraction, Fraction, int, Fraction], digits: int, direction: str) -> None:
    sigma, q, k, epsilon = cell
    coarse, fine = decided(
        "digits",
        *(
            ("delta", (composed(sigma, q, k),), {"epsilon": epsilon, "adjacency": direction, "digits": n})
            for n in (digits, 2 * digits)
        ),
    )
    assert coarse.digits >= digits and fine.digits >= 2 * digits
    assert 0 <= coarse.lower <= coarse.upper <= 1
    assert coarse.overlaps(fine)
    assert fine.width <= coarse.width


def test_more_digits_refine_the_same_number() -> None:
    check_digits()
    assert share("digits") >= Fraction(9, 10)


@examples(15)
@given(cells(), directions, decimals(-3, 0))
def check_monotone(cell: tuple[Fraction, Fraction, int, Fraction], direction: str, more: Fraction) -> None:
    sigma, q, k, epsilon = cell
    small = [(sigma, q, k, epsilon + more), (sigma * (1 + more), q, k, epsilon)]
    large = [(sigma, q, k + 1 + int(k * more), epsilon)] if k < 10**12 else []
    base, *others = decided(
        "monotone",
        *(
            ("delta", (composed(*point[:3]),), {"epsilon": point[3], "adjacency": direction, "digits": 5})
            for point in [(sigma, q, k, epsilon), *small, *large]
        ),
    )
    for other in others[: len(small)]:
        assert other.lower <= base.upper
    for other in others[len(small) :]:
        assert base.lower <= other.upper


def test_delta_falls_with_epsilon_and_noise_and_grows_with_steps() -> None:
    check_monotone()
    assert share("monotone") >= Fraction(9, 10)


@examples(10)
@given(cells(), directions, decimals(-2, 0))
def check_convex(cell: tuple[Fraction, Fraction, int, Fraction], direction: str, distance: Fraction) -> None:
    sigma, q, k, epsilon = cell
    answers = decided(
        "convex",
        *(
            ("delta", (composed(sigma, q, k),), {"epsilon": e, "adjacency": direction, "digits": 15})
            for e in (epsilon - distance, epsilon, epsilon + distance)
        ),
    )
    left, middle, right = answers
    # x = e^ε: middle = t·left + (1−t)·right with t = (e^d − 1)/(e^d − e^{−d}) = 1/(1 + e^{−d}); e^{−d} from
    # below and above by its Taylor polynomials
    d = distance
    low, high = 1 - d + d**2 / 2 - d**3 / 6, 1 - d + d**2 / 2
    weights = [1 / (1 + high), 1 / (1 + low)]
    assert middle.lower <= max(t * left.upper + (1 - t) * right.upper for t in weights)


def test_delta_is_convex_in_the_exponential_of_epsilon() -> None:
    check_convex()
    assert share("convex") >= Fraction(9, 10)


@examples(15)
@given(cells(), directions)
def check_duality(cell: tuple[Fraction, Fraction, int, Fraction], direction: str) -> None:
    sigma, q, k, epsilon = cell
    assume(0 < epsilon < 30)
    reverse = {"add": "remove", "remove": "add"}[direction]
    composition = composed(sigma, q, k)
    here, there, tails = decided(
        "duality",
        ("delta", (composition,), {"epsilon": -epsilon, "adjacency": direction, "digits": 12}),
        ("delta", (composition,), {"epsilon": epsilon, "adjacency": reverse, "digits": 12}),
        ("tail", (composition,), {"epsilon": -epsilon, "adjacency": direction, "digits": 5}),
    )
    # δ_{P‖Q}(−ε) = 1 − e^{−ε} + e^{−ε} δ_{Q‖P}(ε), with e^{−ε} = 1/Σ ε^n/n!
    series = [Fraction(1)]
    while series[-1] > Fraction(1, 10**30) or len(series) < 100:
        series.append(series[-1] * epsilon / len(series))
    shrink = 1 / sum(series)
    error = Fraction(1, 10**20)
    low, high = (1 - shrink + shrink * end for end in (there.lower, there.upper))
    assert here.lower <= high + error and low - error <= here.upper
    assert here.lower <= tails.upper  # (1 − e^{ε−S})_+ ≤ 1{S ≥ ε}


def test_negative_epsilon_is_the_other_direction() -> None:
    check_duality()
    assert share("duality") >= Fraction(4, 5)


@examples(15)
@given(cells(), directions, decimals(-4, 4))
def check_scale(cell: tuple[Fraction, Fraction, int, Fraction], direction: str, unit: Fraction) -> None:
    sigma, q, k, epsilon = cell
    scaled = k * pv.PoissonSubsampled(pv.Gaussian(sigma * unit, sensitivity=unit), q)
    first, second = decided(
        "scale",
        *(
            ("delta", (composition,), {"epsilon": epsilon, "adjacency": direction, "digits": 15})
            for composition in (composed(sigma, q, k), scaled)
        ),
    )
    assert (first.lower, first.upper) == (second.lower, second.upper)


def test_units_do_not_matter() -> None:
    check_scale()
    assert share("scale") >= Fraction(9, 10)


@examples(6)
@given(cells(), decimals(0, 2), st.integers(1, 50))
def check_order(cell: tuple[Fraction, Fraction, int, Fraction], noise: Fraction, extra: int) -> None:
    sigma, q, k, epsilon = cell
    a, b = composed(sigma, q, k), extra * pv.Gaussian(noise)
    both, swapped, alone = decided(
        "order",
        ("delta", (a + b,), {"epsilon": epsilon, "digits": 8}),
        ("delta", (b + a,), {"epsilon": epsilon, "digits": 8}),
        ("delta", (a,), {"epsilon": epsilon, "digits": 8}),
    )
    assert (both.lower, both.upper) == (swapped.lower, swapped.upper)
    assert alone.lower <= both.upper  # dropping a part is post-processing


def test_composition_has_no_order_and_only_loses_privacy() -> None:
    check_order()
    assert share("order") >= Fraction(9, 10)


@examples(6)
@given(cells(), directions, decimals(-15, -0.5), st.integers(3, 12))
def check_round_trip(
    cell: tuple[Fraction, Fraction, int, Fraction], direction: str, target: Fraction, digits: int
) -> None:
    sigma, q, k, _ = cell
    composition = composed(sigma, q, k)
    (found,) = decided(
        "round trip", ("epsilon", (composition,), {"delta": target, "adjacency": direction, "digits": digits})
    )
    assert 0 <= found.lower <= found.upper
    if found.upper == 0:
        assert pv.delta(composition, epsilon=0, adjacency=direction, digits=4).lower <= target  # type: ignore[arg-type]
        return
    assert found.digits >= digits
    low, high = (
        pv.delta(composition, epsilon=end, adjacency=direction, digits=digits + 8)  # type: ignore[arg-type]
        for end in (found.lower, found.upper)
    )
    assert low.lower > target >= high.upper


def test_epsilon_and_delta_invert_one_another() -> None:
    check_round_trip()
    assert share("round trip") >= Fraction(4, 5)


@examples(12)
@given(cells(), directions, decimals(-2, 1))
def check_renyi(cell: tuple[Fraction, Fraction, int, Fraction], direction: str, excess: Fraction) -> None:
    sigma, q, k, _ = cell
    composition = composed(sigma, q, k)
    smaller, larger, single = decided(
        "renyi",
        ("rdp", (composition,), {"order": 1 + excess, "adjacency": direction, "digits": 12}),
        ("rdp", (composition,), {"order": 1 + 2 * excess, "adjacency": direction, "digits": 12}),
        (
            "rdp",
            (pv.PoissonSubsampled(pv.Gaussian(sigma), q),),
            {"order": 1 + excess, "adjacency": direction, "digits": 12},
        ),
    )
    assert smaller.lower <= larger.upper  # D_α grows with α
    assert k * single.lower <= smaller.upper and smaller.lower <= k * single.upper  # and adds up


def test_divergences_grow_with_the_order_and_add() -> None:
    check_renyi()
    assert share("renyi") >= Fraction(9, 10)


@st.composite
def anything(draw: st.DrawFn) -> tuple[pv.Composition, str, dict[str, object]]:
    """Questions from the whole space, most of them unreasonable."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 3))
        count = draw(st.sampled_from([1, 1, 2, 10, 10**4, 10**12 // 3]))
        if kind == 0:
            parts.append(count * pv.Gaussian(draw(decimals(-4, 6))))
        elif kind == 1:
            parts.append(
                count * pv.PoissonSubsampled(pv.Gaussian(draw(decimals(-1.5, 3))), draw(decimals(-9, 0)))
            )
        elif kind == 2:
            parts.append(count * pv.Laplace(draw(decimals(-2, 4))))
        else:
            parts.append(
                count * pv.RandomizedResponse(draw(st.sampled_from(["0", "1/2", "1e-9", "0.7", "1"])))
            )
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    quantity = draw(st.sampled_from(["delta", "epsilon", "tail", "rdp"]))
    key = {"delta": "epsilon", "epsilon": "delta", "tail": "epsilon", "rdp": "order"}[quantity]
    sign = draw(st.sampled_from([1, 1, 0, -1]))
    point = {
        "delta": sign * draw(decimals(-6, 4)),
        "epsilon": abs(sign) * draw(decimals(-40, 0)),
        "rdp": 1 + draw(decimals(-8, 4)),
    }
    point["tail"] = point["delta"]
    adjacency = draw(st.sampled_from(["add", "remove", "add-or-remove"]))
    digits = draw(st.sampled_from([1, 4, 12]))
    return whole, quantity, {key: point[quantity], "adjacency": adjacency, "digits": digits}


@settings(max_examples=2_000 if NIGHTLY else 8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(anything())
def check_ends(question: tuple[pv.Composition, str, dict[str, object]]) -> None:
    composition, quantity, keywords = question
    with suppress(pv.errors.PldverifyError):
        found = getattr(pv, quantity)(composition, **keywords)
        assert found.lower <= found.upper
        assert found.lower >= 0
        if quantity in ("delta", "tail"):
            assert found.upper <= 1
        with suppress(NoConvergence), allowance(0.02):  # so little work may end it, not change the truth
            assert found.overlaps(getattr(pv, quantity)(composition, **keywords))


def test_every_question_ends_in_an_enclosure_or_our_own_error() -> None:
    check_ends()


HARD = [("0.3", "0.1", 10), ("0.05", "0.5", 3), pytest.param("0.8", "0.001", 100, marks=pytest.mark.slow)]
PROBE = """
import resource, sys
import pldverify as pv
sigma, q, k, direction = sys.argv[1:]
pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
try:
    found = pv.delta(int(k) * pair, epsilon=1, adjacency=direction, digits=6)
    print(found.digits, end=" ")
except pv.errors.NoConvergence:
    print(-1, end=" ")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("sigma", "q", "k"), HARD)
def test_few_steps_with_little_noise_end_in_bounded_memory(
    sigma: str, q: str, k: int, direction: str
) -> None:
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, sigma, q, str(k), direction], capture_output=True, text=True, check=True
    )
    digits, kibibytes = map(float, probe.stdout.split())  # inf of what can't be: δ = 0
    assert digits == -1 or digits >= 6
    assert kibibytes < 2 * 2**20


@pytest.mark.slow
def test_the_largest_circles_stay_below_a_gibibyte() -> None:
    """Tables of floats, one an object, took 350 MiB of 1,060."""
    asked = PROBE.replace("epsilon=1", "epsilon=1708").replace("digits=6", "digits=12")
    probe = subprocess.run(
        [sys.executable, "-c", asked, "0.2", "0.1", "1000", "remove"],
        capture_output=True,
        text=True,
        check=True,
    )
    digits, kibibytes = map(float, probe.stdout.split())
    assert digits >= 5 and kibibytes < 2**20
