"""The best of several runs: both ends against all that wins, by sums over the number of runs."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Any

import pytest
from scipy.special import ndtr

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.ranked import Ranked
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.reference.engines.derived import selected
from pldverify.reference.laws import composed_loss
from pldverify.reference.laws import ranked as room
from pldverify.reference.quantities import selected as search
from pldverify.reference.quantities.bracket import _from_above, narrowing
from pldverify.reference.search.neighbours import attained_by
from tests.teeth.planted import planted

F = Fraction
SHAPES = (0, F(1, 2), 1, 2, math.inf)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pv.RepeatAndSelect(3, 2, 1), "base must be a mechanism or a composition, got"),
        (
            lambda: pv.RepeatAndSelect(pv.Gaussian(1), "1/2", 1),
            "mean must be from 1 to 1000000, got mean=0.5",
        ),
        (lambda: pv.RepeatAndSelect(pv.Gaussian(1), 2, -1), "shape must be from 0 to 1000000, or inf"),
        (lambda: pv.RepeatAndSelect(pv.Gaussian(1), 2, "nan"), "shape must be"),
        (lambda: pv.RepeatAndSelect(pv.Gaussian(1), "sqrt(2)", 1), "mean must be rational"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert str(caught.value).startswith(message)


@lru_cache
def runs(mean: Fraction, shape: Any) -> list[float]:
    """P(K = k) by their definition (Papernot and Steinke 2022, Definitions 1 and 2), up to 1e-15 of all."""
    if shape == math.inf:
        weights = [math.exp(-mean)]
        while sum(weights) < 1 - 1e-15 and len(weights) < 400:
            weights.append(weights[-1] * float(mean) / len(weights))
        return weights
    eta = float(shape)

    def average(gamma: float) -> float:
        if eta == 0:
            return (1 / gamma - 1) / math.log(1 / gamma)
        return eta * (1 - gamma) / (gamma * (1 - gamma**eta))

    low, high = 1e-9, 1 - 1e-9
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if average(middle) > mean else (low, middle)
    weights = [0.0, 1.0]
    while weights[-1] > 1e-18 or len(weights) < 5:
        k = len(weights) - 1
        weights.append(weights[-1] * (1 - low) * (k + eta) / (k + 1))
    total = sum(weights)
    return [x / total for x in weights]


def winners(chances: list[Any], counts: list[float]) -> list[float]:
    """Of outcomes from the worst to the best; last, that nothing is shown."""
    below = [0.0]
    for p in chances:
        below.append(min(1.0, below[-1] + float(p)))
    won = [sum(c * (high**k - low**k) for k, c in enumerate(counts) if k) for low, high in pairwise(below)]
    return [*won, counts[0]]


def profile(p: list[float], q: list[float], epsilon: float) -> float:
    return sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q, strict=True))


def neighbours(draw: random.Random) -> tuple[list[Fraction], list[Fraction]]:
    """Outcomes common and rare, each as often, or up to four times as often, on one side."""
    weights = [F(draw.choice([1, 10, 100, 1000])) for _ in range(draw.choice([2, 3, 4]))]
    others = [x * draw.choice([1, F(1, 2), 2, F(1, 4), 4]) for x in weights]
    return [x / sum(weights) for x in weights], [x / sum(others) for x in others]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mean", [F(3, 2), F(10)])
def test_the_number_of_runs_is_what_its_name_says(shape: Any, mean: Fraction) -> None:
    asked, counts = pv.RepeatAndSelect(pv.Gaussian(1), mean, shape), runs(mean, shape)
    assert sum(k * c for k, c in enumerate(counts)) == pytest.approx(float(mean), rel=1e-9, abs=0)
    for x in (F(0), F(1, 3), F(9, 10), F(1)):
        found = asked.generating(x)
        expected = sum(c * float(x) ** k for k, c in enumerate(counts))
        assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_one_run_is_the_base() -> None:
    for shape in (0, 1, 2):
        found = pv.bracket(pv.RepeatAndSelect(pv.Gaussian(1), 1, shape), delta="1e-3", digits=4)
        truth = pv.epsilon(pv.Gaussian(1), delta="1e-3")
        assert found.lower <= truth.upper and truth.lower <= found.upper
        assert found.upper - truth.upper < F(1, 100)


@pytest.mark.parametrize("instances", [4, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_ranking_of_outcomes_leaves_the_ends(instances: int) -> None:
    draw = random.Random(8)
    for i in range(instances):
        (p, q), shape, mean = neighbours(draw), draw.choice(SHAPES), draw.choice([F(3, 2), F(3), F(10)])
        asked, counts = pv.RepeatAndSelect(pv.FinitePair(p, q), mean, shape), runs(mean, shape)
        delta = draw.choice(["0.1", "0.01", "0.001"])
        most = float(_from_above(pv.Query(asked, delta=delta)).until(lambda _: False, 1).upper)
        for order in permutations(range(len(p))):
            first, second = (winners([chances[j] for j in order], counts) for chances in (p, q))
            worst = max(profile(first, second, most), profile(second, first, most))
            assert worst <= float(delta) + 1e-12, (i, str(asked), delta, order)


def response(t: float) -> tuple[float, float]:
    """The first t of two answers, 3/4 against 1/4 and 1/4 against 3/4: no loss is infinite, so t ≥ 1."""
    return (0.75 * min(t - 1, 1) + 0.25 * max(t - 2, 0), 0.25 * min(t - 1, 1) + 0.75 * max(t - 2, 0))


def promise(t: float) -> tuple[float, float]:
    """Of (ln 3, 1/10)-DP."""
    masses = ((0.1, 0.9 * 0.75, 0.9 * 0.25, 0.0), (0.0, 0.9 * 0.25, 0.9 * 0.75, 0.1))
    first, second = (sum(m * min(max(t - j, 0), 1) for j, m in enumerate(side)) for side in masses)
    return first, second


def noise(t: float) -> tuple[float, float]:
    """N(1, 1) against N(0, 1), whose loss is x − 1/2; events at 3, 1 and −1, as t is 2, 3 and 4."""
    at = {2.0: 3.5, 3.0: 1.5, 4.0: -0.5}[t]
    return ndtr(1 - at), ndtr(-at)


RANKED = [
    (pv.RandomizedResponse("3/4"), (F(0),), (F(5, 4), F(2), F(5, 2)), response),
    (pv.RandomizedResponse("3/4"), (F(0),), (F(3, 2), F(23, 8)), response),
    (pv.ApproximateDP("1.0986122886681098", "1/10"), (F(0),), (F(1, 2), F(1), F(3, 2), F(2)), promise),
    (pv.Gaussian(1), (F(3), F(1), F(-1)), (F(2), F(3), F(4)), noise),
]


def apart(module: Any, row: Any, shape: Any) -> float:
    """The largest difference of δ from that of all that wins, by sums over the number of runs: those beyond
    the last event are best, then the first outcome, and the last is worst.
    """
    base, thresholds, events, chance = row
    asked, counts = pv.RepeatAndSelect(base, F(10), shape), runs(F(10), shape)
    law = module.ranked(Ranked(asked, 1 * base, thresholds, events), composed_loss.of_one(1 * base))
    if law is None:
        return math.inf
    sides = []
    for side in (0, 1):
        before = [0.0, *(chance(float(t))[side] for t in events)]
        outcomes = [b - a for a, b in pairwise(before)]
        sides.append(winners([*outcomes[::-1], 1 - before[-1]], counts))
    found = ([float(x) for x in law.first], [float(x) for x in law.second])
    grid = (-2.0, -1.0, -0.2, 0.0, 0.1, 0.5, 1.0, 2.0, 3.0)
    return max(abs(profile(*found, x) - profile(*sides, x)) for x in grid)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("row", RANKED)
def test_the_lower_end_is_of_outcomes_that_win(row: Any, shape: Any) -> None:
    assert apart(room, row, shape) < 1e-9


@pytest.mark.parametrize(
    "plant",
    [
        ("generating(sums[-1] - x)", "generating(1 - x)"),
        ("p + infinite", "p"),
        ("return [*shown, worse[-1]] if asked.poisson else shown", "return shown"),
        ("ball(t - low)", "ball((t - low) / 2)"),
    ],
)
def test_other_probabilities_would_be_seen(plant: tuple[str, str]) -> None:
    wrong = planted(room, plant)
    assert max(apart(wrong, row, shape) for row in RANKED for shape in (1, math.inf)) > 1e-5


@pytest.mark.parametrize(
    ("thresholds", "events"),
    [((), ()), ((F(1),), (F(2), F(2))), ((F(1), F(2)), (F(1),)), ((F(1),), (F(4),)), ((F(1),), (F(0), F(1)))],
)
def test_events_that_are_none_are_refused(thresholds: tuple[F, ...], events: tuple[F, ...]) -> None:
    asked = pv.RepeatAndSelect(pv.Gaussian(1), 3, 1)
    with pytest.raises(InvalidInput, match="events must rise and thresholds fall"):
        Ranked(asked, 1 * pv.Gaussian(1), thresholds, events)


def test_ranks_of_another_run_are_not_looked_at() -> None:
    """What is attained then is one run, and nothing where there may be none."""
    for shape in (1, math.inf):
        asked = pv.RepeatAndSelect(pv.Gaussian(1), 3, shape)
        honest, other = (Ranked(asked, 1 * pv.Gaussian(x), (F(1),), (F(2),)) for x in (1, F(1, 2)))
        found = attained(1 * asked, "add-or-remove", ((asked, honest),))
        assert found is not None and found[0].parts == ((honest, 1),)
        found = attained(1 * asked, "add-or-remove", ((asked, other),))
        assert found is None if shape == math.inf else found == (1 * pv.Gaussian(1), "add-or-remove")


@pytest.mark.parametrize(
    ("base", "ratio"),
    [("poisson(gaussian(1), q=0.1)", 2.5), ("exponential(1)", 1.6), ("discrete_gaussian(2)", 1.1)],
)
def test_any_single_loss_of_a_run_has_a_lower_end(base: str, ratio: float) -> None:
    """Of Poisson runs, too, of which one alone may be none."""
    for shape in ("1", "inf"):
        whole = f"repeat_and_select({base}, mean=10, shape={shape})"
        found = pv.bracket(whole, delta="1e-5", digits=2, seconds=2)
        assert 0 < found.lower < found.upper < F(ratio) * F(found.lower)


@pytest.mark.parametrize(
    ("base", "mean", "shape", "apart"),
    [
        (pv.Gaussian(1), 10, 1, 1.06),
        (pv.Gaussian(5), 10, "inf", 1.19),
        (pv.Laplace(1), 10, 2, 1.05),
        (pv.PureDP(1), 100, 1, 1.02),
        (pv.ApproximateDP(1, "1e-7"), 3, 0, 1.1),
        (pv.RandomizedResponse("0.9", 4), 3, "inf", 1.1),
    ],
)
def test_the_ends_are_near_each_other(base: Any, mean: Any, shape: Any, apart: float) -> None:
    found = pv.bracket(pv.RepeatAndSelect(base, mean, shape), delta="1e-5", digits=3)
    assert 1 <= found.upper / found.lower < F(apart)
    assert pv.prove_again(found).upper == found.upper


def test_pure_dp_loses_no_more_than_papernot_and_steinke_say() -> None:
    """(2 + η)ε at δ = 0, and in the limit no less."""
    found = pv.bracket(pv.RepeatAndSelect(pv.PureDP(1), 1000, 1), delta=0, digits=3)
    assert F(297, 100) < found.lower <= found.upper <= 3


@pytest.mark.parametrize("broken", ["factor", "ratio"])
def test_without_a_factor_or_a_shift_the_ends_cross(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if broken == "factor":
        monkeypatch.setattr(RepeatAndSelect, "factor", F(1))
    else:
        from pldverify.reference.quantities import selected as search

        ratio = selected.log_ratio
        for module in (search, selected):
            monkeypatch.setattr(module, "log_ratio", lambda shift: ratio(shift) / 2)
        search._shift.cache_clear()
    asked = pv.Query(pv.RepeatAndSelect(pv.Gaussian(2), 12, 1), delta="1e-4")
    below, _ = attained_by(asked.composition, "add-or-remove")  # type: ignore[misc]  # it has one
    try:
        above = _from_above(asked).until(lambda found: False, 1)
        assert above.upper < pv.epsilon(below, delta="1e-4").lower
    finally:
        if broken == "ratio":
            search._shift.cache_clear()


def moment(p: list[float], q: list[float], lam: float) -> float:
    """log M(λ)."""
    return math.log(sum(a * (a / b) ** lam for a, b in zip(p, q, strict=True) if a))


def tied(chances: list[Any], counts: list[float]) -> list[float]:
    """Winners where the two worst outcomes are as good."""
    both, *others, nothing = winners([float(chances[0]) + float(chances[1]), *chances[2:]], counts)
    share = float(chances[0]) / (float(chances[0]) + float(chances[1]))
    return [both * share, both * (1 - share), *others, nothing]


def worst_gap(instances: int) -> tuple[float, float]:
    """The largest of log M(λ)/λ of rankings over what bounds it, by which it is exceeded, and its share."""
    draw, most, share = random.Random(18), -math.inf, 0.0
    for _ in range(instances):
        (p, q), shape = neighbours(draw), draw.choice(SHAPES)
        mean, lam = draw.choice([F(3, 2), F(3), F(10)]), draw.choice([F(1, 2), F(2), F(8), F(40)])
        asked, counts = pv.RepeatAndSelect(pv.FinitePair(p, q), mean, shape), runs(mean, shape)
        shift = search._shift(asked, "add-or-remove", narrowing, lam)
        with working(64):
            bounds = [float(selected.divergence(shift, (way,), lam)) for way in ("remove", "add")]
        for order in permutations(range(len(p))):
            first, second = ([chances[j] for j in order] for chances in (p, q))
            for won in (winners, tied):
                sides = [won(first, counts), won(second, counts)]
                for bound, (a, b) in zip(bounds, (sides, sides[::-1]), strict=True):
                    found = moment(a, b, float(lam)) / float(lam)
                    most, share = max(most, found - bound), max(share, found / bound if bound else 0)
    return most, share


@pytest.mark.parametrize("instances", [12, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_ranking_has_larger_moments(instances: int) -> None:
    most, share = worst_gap(instances)
    assert most < 1e-9
    assert share > 0.8


def split_gap(chance: Fraction, mean: Fraction, shape: Any, lam: Fraction) -> float:
    """As ``worst_gap`` of randomised response, whose answers are told by halves of halves of probabilities,
    those that P has more often best.
    """
    asked, counts = pv.RepeatAndSelect(pv.RandomizedResponse(chance), mean, shape), runs(mean, shape)
    pieces = [F(1, 2**j) for j in range(1, 16)]
    high, low = ([x * y for x in [*pieces, pieces[-1]]] for y in (chance, 1 - chance))
    sides = [winners([*low, *high], counts), winners([*high, *low], counts)]
    shift = search._shift(asked, "add-or-remove", narrowing, lam)
    with working(64):
        bound = float(selected.divergence(shift, ("remove",), lam))
    found = max(moment(*sides, float(lam)), moment(*sides[::-1], float(lam)))
    others = [winners([*x, *y], counts) for x, y in ((high, low), (low, high))]
    return max(found, moment(*others, float(lam)), moment(*others[::-1], float(lam))) / float(lam) - bound


SPLIT = [
    (chance, mean, shape, lam)
    for chance in (F(11, 20), F(2, 3))
    for mean in (F(3), F(30))
    for shape in (0, 1, math.inf)
    for lam in (F(1, 2), F(2), F(8), F(40))
]
"""Of two losses, few runs and many, moments low and high."""


def test_no_split_answers_have_larger_moments() -> None:
    assert max(split_gap(*row) for row in SPLIT[::5]) < 1e-9


@pytest.mark.parametrize(
    ("broken", "row"),
    [
        ("spare", (F(2, 3), F(30), math.inf, F(2))),
        ("delta", (F(2, 3), F(30), math.inf, F(8))),
        ("delta", (F(2, 3), F(30), 1, F(8))),
        ("largest loss", (F(2, 3), F(30), math.inf, F(40))),
    ],
)
def test_moments_a_little_smaller_are_exceeded(
    broken: str, row: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The teeth: an ε̂ of 1 + 4/λ for nothing; r without δ̂; a tenth of the largest loss less."""
    ratio, bounded = selected.log_ratio, selected._of_bounded

    def spared(m: RepeatAndSelect, adjacency: Any, narrow: Any, lam: Fraction) -> selected.Shift:
        return search._at(m, adjacency, narrow, F(math.log1p(4 / lam)), lam)

    if broken == "spare":
        monkeypatch.setattr(search, "log_ratio", lambda shift: ratio(replace(shift, lam=shift.lam / 4)))
        monkeypatch.setattr(search, "_shift", spared)
    elif broken == "delta":
        monkeypatch.setattr(search, "log_ratio", lambda shift: ratio(shift) * 0)
    else:
        monkeypatch.setattr(selected, "_of_bounded", lambda *asked: bounded(*asked) * 9 / 10)
    if broken != "spare":
        search._shift.cache_clear()
    try:
        assert split_gap(*row) > 0.1
    finally:
        monkeypatch.undo()
        search._shift.cache_clear()


def test_a_loss_of_one_direction_bounds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selected, "reverse", lambda way: way)
    assert worst_gap(12)[0] > 0.01


@pytest.mark.parametrize(
    ("rho", "mean", "steps"),
    [
        (0.01, 3, 3),
        pytest.param(0.2, 20, 1, marks=pytest.mark.slow),
        pytest.param(0.05, 2, 10, marks=pytest.mark.slow),
    ],
)
def test_poisson_runs_have_no_more_than_papernot_and_steinke_say(rho: float, mean: int, steps: int) -> None:
    """Theorem 6, and e^(−μ) for no run at all, which it leaves out; with the conversion of Canonne, Kamath
    and Steinke, at orders λ + 1 of a grid.
    """
    grid = [math.exp(x / 50) for x in range(-50, 300)]

    def log_delta(lam: float, divergence: float, epsilon: float) -> float:
        return lam * (divergence - epsilon) + lam * math.log(lam) - (1 + lam) * math.log1p(lam)

    def printed(lam: float) -> float:
        rarely = min(log_delta(x, rho * (x + 1), math.log1p(1 / lam)) for x in grid)
        log = lam * (rho * (lam + 1) + mean * math.exp(min(rarely, 0))) + math.log(mean)
        once = (log + math.log1p(math.exp(-mean - log))) / lam
        return (log_delta(lam, steps * once, 0) - math.log(1e-4)) / lam

    tuned = pv.Query(steps * pv.RepeatAndSelect(pv.ZCDP(rho), mean, "inf"), delta="1e-4")
    found = _from_above(tuned).until(lambda _: False, 1)
    assert float(found.upper) <= min(map(printed, grid)) * 1.0005
    assert pv.prove_again(found).upper == found.upper
    at = pv.Query(tuned.composition, epsilon=found.upper)
    assert _from_above(at).until(lambda _: False, 1).upper <= F("1.01e-4")


def test_only_a_bracket_is_known() -> None:
    tuned = pv.RepeatAndSelect(pv.Gaussian(1), 10, 1)
    with pytest.raises(NotSupported, match="only two ends are known"):
        pv.delta(tuned, epsilon=1)
    with pytest.raises(NotSupported):
        pv.bracket(pv.RepeatAndSelect(pv.KJH19Substitute(pv.Gaussian(1), "0.1"), 3, 1), delta="1e-5")


@pytest.mark.slow
def test_what_runs_on_what_came_before_and_beside_others() -> None:
    once = pv.RepeatAndSelect(pv.Gaussian(5), 10, 1)
    twice = pv.bracket(2 * once + pv.Laplace(4), delta="1e-5", digits=2, seconds=3)
    assert 1 < twice.upper / twice.lower < F(13, 10)
    nested = pv.bracket(pv.RepeatAndSelect(once, 3, "inf"), delta="1e-5", digits=2, seconds=3)
    assert nested.upper > pv.bracket(once, delta="1e-5", digits=2).upper


def test_a_replaced_record_moves_noise_twice() -> None:
    one = pv.bracket(
        pv.RepeatAndSelect(pv.Gaussian(2), 10, 1), delta="1e-5", adjacency="replace-one", digits=3
    )
    other = pv.bracket(pv.RepeatAndSelect(pv.Gaussian(1), 10, 1), delta="1e-5", digits=3)
    assert abs(one.upper - other.upper) < F(1, 1000) and abs(one.lower - other.lower) < F(1, 1000)


def test_claims_are_decided() -> None:
    asked = "repeat_and_select(1000 * poisson(gaussian(1), q=0.01), mean=10, shape=1)"
    assert pv.certify(asked, epsilon="3", delta="1e-5").verdict == "CERTIFIED"
    assert pv.certify(asked, epsilon="1.7", delta="1e-5").verdict == "REFUTED"  # that of one run


@pytest.mark.slow
def test_irrational_noise_is_asked_at_both_ends() -> None:
    found = pv.bracket("repeat_and_select(gaussian(sqrt(2)), mean=10, shape=1)", delta="1e-5", digits=2)
    assert 1 < found.upper / found.lower < F(11, 10)


def test_an_outcome_that_gives_the_base_away_is_not_hidden_among_the_best() -> None:
    """The base alone loses everything with probability 1e-3, so ε is infinite at that δ."""
    tuned = pv.RepeatAndSelect(pv.ApproximateDP(1, "1e-3"), mean=10, shape=1)
    assert pv.bracket(tuned, delta="1e-3").lower == math.inf


def test_one_run_has_the_lower_end_of_the_base() -> None:
    found = pv.bracket(pv.RepeatAndSelect(pv.Gaussian(1), mean=1, shape=3), delta="1e-5", digits=3)
    base = pv.epsilon(pv.Gaussian(1), delta="1e-5")
    assert base.lower * Fraction("0.99") < found.lower <= base.upper and found.upper >= base.lower


def test_many_poisson_runs_are_had_where_delta_lies_and_not_at_the_largest_ratio() -> None:
    """At the largest ratio what is lost is rarer than δ: the lower end was 0."""
    found = pv.bracket(pv.RepeatAndSelect(pv.Gaussian(1), mean=100, shape="inf"), delta="1e-5", digits=3)
    assert found.lower > 20


@pytest.mark.parametrize("shape", [100, 10**6, "1e-100"])
def test_a_shape_without_a_gamma_is_refused_by_name(shape: object) -> None:
    with pytest.raises(InvalidInput, match=r"shape must have a γ .* with mean=10"):
        pv.RepeatAndSelect(pv.Gaussian(1), mean=10, shape=shape)


@pytest.mark.parametrize("base", [pv.Laplace("1e-5"), pv.PureDP(10**5), 10**12 * pv.Gaussian(10**7)])
def test_what_is_too_large_for_a_pair_or_a_count_is_bracketed(base: pv.Composition) -> None:
    found = pv.bracket(2 * pv.RepeatAndSelect(base, mean=2, shape=1), delta="1e-5", digits=1)
    assert found.lower <= found.upper


def test_exponential_mechanisms_of_one_run_are_counted() -> None:
    """Three choices lose more than one alone."""
    one, three = (pv.RepeatAndSelect(pv.Exponential(1, times=k), mean=2, shape=1) for k in (1, 3))
    lower = [pv.bracket(tuned, delta="1e-5", digits=2).lower for tuned in (one, three)]
    assert lower[1] > 2 * lower[0] > 0
