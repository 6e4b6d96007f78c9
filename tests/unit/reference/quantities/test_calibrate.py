"""Calibration: analytic Gaussian calibration, neighbours on both sides, and ranges without an answer."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from dp_accounting import GaussianDpEvent, SelfComposedDpEvent, calibrate_dp_mechanism
from dp_accounting.pld import PLDAccountant
from scipy.optimize import brentq
from scipy.stats import norm

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence, OracleDisagreement
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.reference.engines.conclude import conclude, look
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.quantities import bracket as brackets
from pldverify.reference.quantities import calibrate as module
from pldverify.reference.quantities.calibrate import Calibration, calibrate
from pldverify.reference.quantities.directions import Found
from pldverify.reference.quantities.rough import bare, markov, steps
from tests.unit.reference.told import Told


def gaussian_sigma(epsilon: float, delta: float, steps: int = 1) -> float:
    """Balle and Wang 2018, Theorem 8, solved in floats."""

    def excess(sigma: float) -> float:
        mu = math.sqrt(steps) / sigma
        return (
            float(norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))
            - delta
        )

    return float(brentq(excess, 0.05, 500, xtol=1e-13))


def sigma_for(epsilon: str, delta: str, resolution: str = "1e-6", steps: int = 1) -> Calibration:
    return calibrate(
        lambda sigma: steps * pv.Gaussian(sigma),
        parameter="sigma", epsilon=epsilon, delta=delta, low="0.1", high=400, resolution=resolution,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("epsilon", "delta", "steps"), [("1", "1e-5", 1), ("0.1", "1e-9", 1), ("3", "1e-6", 100)]
)
def test_gaussian_sigma(epsilon: str, delta: str, steps: int) -> None:
    found = sigma_for(epsilon, delta, steps=steps)
    truth = gaussian_sigma(float(epsilon), float(delta), steps)
    assert found.value - Fraction(1, 10**6) - Fraction(1, 10**8) < truth < found.value + Fraction(1, 10**8)


def test_both_sides_are_proved() -> None:
    found = sigma_for("1", "1e-5", "0.01")
    target = Fraction(1, 10**5)
    assert found.fails is not None
    assert found.passes.upper <= target < found.fails.lower
    assert pv.delta(pv.Gaussian(found.value), epsilon=1).overlaps(found.passes)
    assert pv.delta(pv.Gaussian(found.value - Fraction(1, 100)), epsilon=1).overlaps(found.fails)


@pytest.mark.slow
def test_dp_accounting_calibrates_alike() -> None:
    there = calibrate_dp_mechanism(
        lambda: PLDAccountant(value_discretization_interval=1e-4),
        lambda sigma: SelfComposedDpEvent(GaussianDpEvent(sigma), 10),
        target_epsilon=2, target_delta=1e-6,
    )  # fmt: skip
    found = sigma_for("2", "1e-6", "1e-4", steps=10)
    assert float(found.value) == pytest.approx(there, rel=1e-3, abs=0)


def test_most_steps_of_pure_dp_by_counting() -> None:
    found = calibrate(
        lambda k: int(k) * pv.PureDP("0.5"),
        parameter="steps", epsilon="2.25", delta="0.01", low=1, high=100, resolution=1,
    )  # fmt: skip

    def delta(k: int) -> float:
        p = 1 / (1 + math.exp(-0.5))
        losses = ((math.comb(k, j) * p**j * (1 - p) ** (k - j), (2 * j - k) / 2) for j in range(k + 1))
        return sum(mass * max(0.0, 1 - math.exp(2.25 - loss)) for mass, loss in losses)

    assert found.value == max(k for k in range(1, 100) if delta(k) <= 0.01)


def test_largest_q() -> None:
    found = calibrate(
        lambda q: 10_000 * pv.PoissonSubsampled(pv.Gaussian(1), q),
        parameter="q", epsilon=7, delta="1e-6", low="0.005", high="0.02", resolution="0.001",
    )  # fmt: skip
    steps, target = (
        (
            10_000 * pv.PoissonSubsampled(pv.Gaussian(1), q)
            for q in (found.value, found.value + Fraction(1, 1000))
        ),
        Fraction(1, 10**6),
    )
    assert [pv.delta(c, epsilon=7, digits=6).upper <= target for c in steps] == [True, False]


def test_a_range_that_passes_everywhere_has_no_failing_neighbour() -> None:
    found = calibrate(pv.Gaussian, parameter="sigma", epsilon=1, delta="0.5", low=5, high=9, resolution=1)
    assert (found.value, found.fails) == (5, None)


def test_a_range_that_passes_nowhere_is_refused() -> None:
    with pytest.raises(InvalidInput, match="sigma must reach"):
        calibrate(
            pv.Gaussian, parameter="sigma", epsilon=1, delta="1e-9", low="0.1", high="0.5", resolution="0.1"
        )


def test_equality_passes_where_it_is_exact() -> None:
    exact = calibrate(
        lambda p: pv.ApproximateDP(1, p),
        parameter="q",
        epsilon=1,
        delta="0.25",
        low="0.05",
        high="0.5",
        resolution="0.05",
    )
    assert exact.value == Fraction(1, 4) and exact.passes.upper == Fraction(1, 4)


def sampled(steps: int, q: str) -> Callable[[Fraction], pv.Composition]:
    return lambda sigma: steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)


SIGMA = {"parameter": "sigma"}
EXTREMES = {
    "small epsilon": (
        sampled(10**6, "1e-4"),
        {**SIGMA, "epsilon": "0.01", "delta": "1e-30", "low": "0.01", "high": 1000, "resolution": "0.01"},
    ),
    "one step": (
        pv.Gaussian,
        {**SIGMA, "epsilon": "1e-6", "delta": "1e-300", "low": "1e-3", "high": 10**9, "resolution": "0.01"},
    ),
    "many Gaussians": (
        lambda sigma: 10**12 * pv.Gaussian(sigma),
        {**SIGMA, "epsilon": 1, "delta": "1e-1000", "low": 1, "high": 10**12, "resolution": 1},
    ),
    "up to 10**12 steps": (
        lambda steps: int(steps) * pv.PoissonSubsampled(pv.Gaussian("0.8"), "1e-4"),
        {"parameter": "steps", "epsilon": 2, "delta": "1e-5", "low": 1, "high": 10**12, "resolution": 1},
    ),
}
SLOW = {
    "a range of thousands": (
        sampled(10**6, "1e-4"),
        {**SIGMA, "epsilon": "0.1", "delta": "1e-6", "low": "0.2", "high": 1000, "resolution": "0.01"},
    ),
    "any rate": (
        lambda q: 10**4 * pv.PoissonSubsampled(pv.Gaussian("0.7"), q),
        {"parameter": "q", "epsilon": 2, "delta": "1e-8", "low": "1e-6", "high": 1, "resolution": "1e-6"},
    ),
    "tiny delta": (
        sampled(10**6, "1e-4"),
        {**SIGMA, "epsilon": 1, "delta": "1e-30", "low": "0.1", "high": 100, "resolution": "0.001"},
    ),
    "tiny noise": (
        sampled(1000, "1e-3"),
        {**SIGMA, "epsilon": 8, "delta": "1e-9", "low": "0.01", "high": 100, "resolution": "1e-4"},
    ),
    "tiny rate": (
        sampled(10**9, "1e-6"),
        {**SIGMA, "epsilon": 1, "delta": "1e-10", "low": "0.05", "high": 10, "resolution": "1e-6"},
    ),
    "without replacement": (
        lambda sigma: 50 * pv.SampledWithoutReplacement(pv.Gaussian(sigma), "0.01"),
        {**SIGMA, "epsilon": 3, "delta": "1e-9", "low": "0.05", "high": 10, "resolution": "1e-3"},
    ),
}


@pytest.mark.parametrize("cell", [*EXTREMES, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_extreme_cells_by_the_profile_on_either_side(cell: str) -> None:
    build, question = {**EXTREMES, **SLOW}[cell]
    found = calibrate(build, **question)  # type: ignore[arg-type]
    epsilon, target, step = question["epsilon"], Fraction(question["delta"]), Fraction(question["resolution"])
    worse = found.value - step if question["parameter"] == "sigma" else found.value + step
    assert pv.delta(build(found.value), epsilon=epsilon, digits=5).upper <= target
    assert pv.delta(build(worse), epsilon=epsilon, digits=5).lower > target
    assert found.fails is not None and found.passes.upper <= target < found.fails.lower


MECHANISMS = [
    pv.Gaussian(2),
    30 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1"),
    4 * pv.Laplace(2) + pv.RandomizedResponse("0.6"),
    3 * pv.ApproximateDP("0.5", "0.01"),
    20 * pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1"),
    2 * pv.BallsAndBins(pv.Gaussian(2), 3) + pv.Gaussian(3),
]


@pytest.mark.parametrize("epsilon", ["0", "1"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_rough_looks_hold_the_truth(mechanism: pv.Composition, epsilon: str) -> None:
    whole = 1 * mechanism if not isinstance(mechanism, pv.Composition) else mechanism
    for direction in ("remove", "add"):
        if "without" in str(whole):
            direction = {"remove": "replace", "add": "replace-back"}[direction]
        law = product(whole, direction)  # type: ignore[arg-type]
        adjacency = "replace-one" if "without" in str(whole) else direction
        truth = pv.delta(whole, epsilon=epsilon, adjacency=adjacency, digits=4)  # type: ignore[arg-type]
        looks = {markov, steps if law.steps > 1 else markov, bare if "bins" in str(whole) else markov}
        for rough in looks:
            look = conclude(rough(law, Fraction(epsilon)))
            assert look.lower <= truth.upper and truth.lower <= look.upper


def test_rough_looks_are_worth_it() -> None:
    law = product(30 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), "remove")
    assert conclude(markov(law, Fraction(20))).upper < Fraction(1, 10**13)
    loud = product(900 * pv.Gaussian(1), "remove")
    assert conclude(markov(loud, Fraction(1))).lower > Fraction(9, 10)
    assert conclude(steps(law, Fraction(3))).lower > 0
    few = product(5 * pv.PoissonSubsampled(pv.Gaussian(1), "1e-6"), "remove")
    assert conclude(steps(few, Fraction(0))).upper < Fraction(1, 10**5)


def blind(whole: pv.Composition, way: Direction, epsilon: Fraction) -> list[Told]:
    """Rough bounds that tell nothing."""
    return [Told(Fraction(0), Fraction(1), "blind", product(whole, way), at=epsilon)]


def test_rough_looks_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with_them = sigma_for("1", "1e-5", "0.01", steps=5)
    monkeypatch.setattr(brackets, "rough_ones", blind)
    assert sigma_for("1", "1e-5", "0.01", steps=5).value == with_them.value


@pytest.mark.parametrize(("side", "factor"), [("upper", 0.001), ("upper", 1000), ("lower", 1e-6)])
def test_a_wrong_rough_look_is_found(monkeypatch: pytest.MonkeyPatch, side: str, factor: float) -> None:
    """Teeth: a constant of Markov's inequality that is too small passes or fails too much."""
    true = Kernel.chernoff
    monkeypatch.setattr(Kernel, "chernoff", lambda k, lam: true(k, lam) * (factor if k.side == side else 1))
    target = Fraction(1, 10**5)
    try:
        found = sigma_for("1", "1e-5", "0.01")
        here, worse = (
            pv.delta(pv.Gaussian(sigma), epsilon=1).upper
            for sigma in (found.value, found.value - Fraction(1, 100))
        )
        right = here <= target < worse
    except (InvalidInput, OracleDisagreement):
        right = False
    assert right == (factor > 1)


def test_an_unknown_direction_matters_only_below_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, known = 3 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), Fraction(1, 4)

    def told(whole: pv.Composition, way: Direction, epsilon: Fraction, *rest: object) -> Found:
        if way == "add":
            raise NoConvergence("out of reach")
        statement = Told(known, known, loss=product(whole, way), at=epsilon)
        return look(statement), statement

    monkeypatch.setattr(brackets, "delta_one_way", told)
    monkeypatch.setattr(brackets, "rough_ones", blind)
    found = module._compared(whole, None, Fraction(1), Fraction(1, 5))
    assert (found.lower, found.upper) == (known, 1)
    with pytest.raises(NoConvergence, match="add: out of reach"):
        module._compared(whole, None, Fraction(1), Fraction(1, 3))


def untold_at(monkeypatch: pytest.MonkeyPatch, *places: str) -> None:
    """Nothing is known of δ(ε) of Gaussian noise of these σ."""
    true = module._compared
    silent = {1 * pv.Gaussian(sigma) for sigma in places}

    def compared(whole: pv.Composition, *question: object) -> pv.Enclosure:
        if whole in silent:
            raise NoConvergence("out of reach")
        return true(whole, *question)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_compared", compared)


def test_ends_that_are_not_told_do_not_stop_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sampling with replacement was given up at the least noise of the range, 0.1."""
    untold_at(monkeypatch, "0.1", "400")
    assert float(sigma_for("1", "1e-5", "0.1").value) == 3.8


@pytest.mark.parametrize(("silent", "low", "high"), [("2", 2, 3), ("3", 2, 3), ("2", 2, 2)])
def test_what_is_not_told_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, silent: str, low: int, high: int
) -> None:
    """Of either side, or of the only candidate; δ(0) of σ = 2 and 3 is 0.197 and 0.132."""
    untold_at(monkeypatch, silent)
    with pytest.raises(NoConvergence, match="out of reach"):
        calibrate(pv.Gaussian, parameter="sigma", epsilon=0, delta="0.15", low=low, high=high, resolution=1)


@pytest.mark.parametrize(
    ("sigma", "batches", "epochs"), [("1000", 10, 1), ("4", 1000, 1), ("2", 1000, 1), ("30", 1000, 20)]
)
def test_much_noise_on_random_allocation_is_told_without_a_contour(
    monkeypatch: pytest.MonkeyPatch, sigma: str, batches: int, epochs: int
) -> None:
    """The contour found no δ(1) there, and so no search from σ = 1000 down."""
    monkeypatch.setattr(brackets, "delta_one_way", lambda *asked: pytest.fail("an engine was asked"))
    found = calibrate(
        lambda noise: epochs * pv.BallsAndBins(pv.Gaussian(noise), batches),
        parameter="sigma", epsilon=1, delta="1e-6", low=sigma, high=sigma, resolution=1,
    )  # fmt: skip
    assert found.passes.upper <= Fraction(1, 10**6) and pv.prove_again(found.passes) == found.passes


@pytest.mark.parametrize(("adjacency", "moved"), [(None, 1), ("replace-one", 2)])
def test_shuffled_batches_by_the_batch_revealed(adjacency: Adjacency | None, moved: int) -> None:
    """Ten epochs are ten Gaussian mechanisms; from below nothing is proved."""
    found = calibrate(
        lambda noise: 10 * pv.ShuffledBatches(pv.Gaussian(noise), batches=100),
        parameter="sigma", epsilon=2, delta="1e-6", low=1, high=40, resolution="0.01", adjacency=adjacency,
    )  # fmt: skip
    truth = moved * gaussian_sigma(2, 1e-6, 10)
    assert found.value - Fraction(1, 100) < truth < found.value
    assert found.fails is not None and found.passes.lower == found.fails.lower == 0
    assert found.passes.upper <= Fraction(1, 10**6) < found.fails.upper
    assert pv.prove_again(found.passes) == found.passes


def test_the_search_ends_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", -1)
    with pytest.raises(NoConvergence, match="not decided within"):
        calibrate(sampled(100, "0.01"), **EXTREMES["small epsilon"][1])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"parameter": "noise"}, "parameter"),
        ({"delta": 0}, "delta"),
        ({"epsilon": -1}, "epsilon"),
        ({"low": 0}, "low"),
        ({"resolution": -1}, "resolution"),
        ({"low": 9, "high": 5}, "low and high"),
        ({"high": 10**14}, "low and high"),
        ({"parameter": "steps", "resolution": "0.5"}, "resolution"),
    ],
)
def test_bad_arguments(change: dict[str, object], name: str) -> None:
    question = {
        "parameter": "sigma",
        "epsilon": 1,
        "delta": "0.1",
        "low": 1,
        "high": 9,
        "resolution": 1,
        **change,
    }
    with pytest.raises(InvalidInput, match=name):
        calibrate(pv.Gaussian, **question)  # type: ignore[arg-type]
