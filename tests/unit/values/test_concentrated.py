"""Claims of zCDP, GDP and Rényi divergences: implied, or true of the mechanism."""

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import mpmath
import pytest

from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers import Enclosure
from pldverify.values import curves, divergences, least, points
from pldverify.values.concentrated import least_mu, least_rho, root
from pldverify.values.search import needed
from pldverify.values.value import UNKNOWN
from tests.unit.claims.claims import noise, ruled

GAUSSIAN = noise(sampling="none", q=None, noise_multiplier=2, steps=4)  # ρ = 4/8, μ = 1, D_2 = 1
LAPLACE = {"mechanism": "laplace", "scale": 2, "sensitivity": 1, "sampling": "none", "steps": 1}


def of(*phases: dict[str, Any], **changes: Any) -> str:
    return str(ruled(*phases, epsilon=None, delta=None, **changes).verdict)


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        ({"rho": "0.5"}, "CERTIFIED"),
        ({"rho": "0.5", "relation": "="}, "CERTIFIED"),
        ({"rho": "0.4999"}, "REFUTED"),
        ({"rho": "0.5", "adjacency": "replace-one"}, "REFUTED"),
        ({"rho": "2", "adjacency": "replace-one"}, "CERTIFIED"),
        ({"mu": "1"}, "CERTIFIED"),
        ({"mu": "0.999"}, "REFUTED"),
        ({"mu": "2", "adjacency": "replace-one", "relation": "="}, "CERTIFIED"),
        ({"rdp": {"order": 2, "divergence": "1"}}, "CERTIFIED"),
        ({"rdp": {"order": 2, "divergence": "0.99"}}, "REFUTED"),
        ({"rdp": {"order": "1/2", "divergence": "0.25"}}, "CERTIFIED"),
        ({"rdp": {"order": "1/2", "divergence": "0.249"}}, "REFUTED"),
    ],
)
def test_gaussian_noise_is_decided(claimed: dict[str, Any], verdict: str) -> None:
    assert of(GAUSSIAN, **claimed) == verdict


@pytest.mark.parametrize(
    ("phase", "rho"),
    [
        ({"mechanism": "pure_dp", "epsilon": "0.2", "times": 3}, "0.06"),
        ({"mechanism": "gdp", "mu": "0.2"}, "0.02"),
        ({"mechanism": "zcdp", "rho": "0.0052", "times": 14}, "0.0728"),
        (LAPLACE, "0.1066"),
        (noise(steps=3), "1.5"),
        (
            {
                "mechanism": "discrete_gaussian",
                "sigma": 2,
                "sensitivity": 1,
                "sampling": "none",
                "steps": 1,
            },
            "0.125",
        ),
    ],
)
def test_what_is_stated_implies_zcdp(phase: dict[str, Any], rho: str) -> None:
    assert of(phase, rho=rho) == "CERTIFIED"
    less = str(Fraction(rho) * Fraction(97, 100))
    assert of(phase, rho=less) in ("UNDECIDED", "REFUTED", "CONDITIONAL")


def test_a_divergence_refutes_a_rho() -> None:
    """The least ρ of Laplace noise, b = 2, is D_1 = e^(−1/2) − 1/2 = 0.10653…; closed forms say 0.1225."""
    assert of(LAPLACE, rho="0.06") == of(LAPLACE, rho="0.1065") == "REFUTED"
    assert of(LAPLACE, rho="0.1066") == of(LAPLACE, rho="0.1225") == "CERTIFIED"


def test_what_has_no_conversion_is_undecided() -> None:
    printed = {"mechanism": "expression", "expression": "kjh19_substitute(gaussian(sigma=1), q=0.1)"}
    assert of(printed, rho="1000", adjacency="replace-one") == "UNDECIDED"
    assert of({"mechanism": "zcdp", "rho": "1"}, mu="100") in ("UNDECIDED", "CONDITIONAL")


def test_an_infinite_loss_has_no_parameter() -> None:
    leaks = {"mechanism": "approximate_dp", "epsilon": 1, "delta": "1e-6"}
    assert of(leaks, rho="100") == of(leaks, mu="100") == "REFUTED"


def test_roots_are_enclosed() -> None:
    for square in (Fraction(2), Fraction(1, 3), Fraction(10) ** 40 + 1, Fraction(1, 10**40 + 7)):
        low, high = root(square)
        assert low**2 < square < high**2 and high - low < low / 10**20
    assert root(Fraction(9, 4)) == (Fraction(3, 2), Fraction(3, 2))


LEAK = "approximate_dp(epsilon=1, delta=1e-6)"


@pytest.mark.parametrize(
    ("expression", "claimed"),
    [
        (f"gaussian(sigma=1e-200) + {LEAK}", {"rho": "1"}),  # 1e400/2 + ∞
        ("gaussian(sigma=1e-200)", {"rdp": {"order": "inf", "divergence": "1"}}),
        ("gaussian(sigma=1e200)", {"rdp": {"order": "inf", "divergence": "1"}}),  # 1e-400/2 · ∞ was NaN
        (LEAK, {"rdp": {"order": "1e400", "divergence": "1"}}),
    ],
)
def test_fractions_beyond_doubles_meet_infinity(expression: str, claimed: dict[str, Any]) -> None:
    assert of({"mechanism": "expression", "expression": expression}, **claimed) == "REFUTED"


@pytest.mark.slow
def test_what_only_bounds_has_no_lower_end_but_that_of_some_neighbours() -> None:
    """Divergences of batches are bounded alone; some δ(ε) is had by some, so μ is bounded from below, too."""
    group = {
        "mechanism": "expression",
        "expression": "2 * sampled_without_replacement(laplace(b=sqrt(2)), q=0.5)",
    }
    for claimed, verdict in (({"rho": "0.1"}, "UNDECIDED"), ({"mu": "0.1"}, "REFUTED")):
        assert of(group, **claimed, adjacency="replace-one") == verdict


FIXED = "sampled_without_replacement(gaussian(sigma=1), q=0.5)"
POISSON, BINS = "poisson(gaussian(sigma=1), q=0.1)", "balls_and_bins(gaussian(sigma=1), batches=5)"
SHUFFLED = "shuffled(gaussian(sigma=1), batches=5"
GROUP = "group_dp(epsilon=1, delta"
MU_OF_ONE = 2 * NormalDist().inv_cdf(math.e / (1 + math.e))
"""μ of 1-DP: both errors are 1/(1 + e) at its corner."""
INF, LN = math.inf, math.log
TANH_HALF = math.tanh(1 / 2)


@pytest.mark.parametrize(
    ("expression", "adjacency", "lower", "upper"),
    [
        (POISSON, "remove", 1 / 2, 1 / 2),
        (POISSON, "add", None, 1 / 2),  # N(0) is at most 1/0.9 times the mixture: h(∞) = 0
        (POISSON, "replace-one", 1 / 2, 1 / 2 - LN(0.9)),
        ("poisson(gaussian(sigma=1), q=0.99)", "replace-one", 1 / 2, 2),
        (f"3 * {FIXED}", "replace-one", 6, 6),  # 2C against 0
        ("2 * sampled_with_replacement(gaussian(sigma=2), m=3, n=9)", "replace-one", 9, 9),  # 6C against 0
        ("mixture_of_gaussians(sigma=1, sensitivities=[0, 3], probabilities=[0.9, 0.1])", "remove", 4.5, 4.5),
        ("mixture_of_gaussians(sigma=1, sensitivities=[0, 3], probabilities=[0.9, 0.1])", "add", None, 4.5),
        (BINS, "remove", 1 / 2, 1 / 2),
        (BINS, "add", None, 1 / 2),
        (f"{SHUFFLED})", "zero-out", 1 / 2, 1 / 2),  # the gap is 2 − 1
        (f"3 * {SHUFFLED}, persistent=1)", "replace-one", 6, 6),
        ("gaussian(sigma=1) + discrete_laplace(b=1)", "add", 1 / 2, 1 / 2 + TANH_HALF),
        (f"zcdp(rho=1) + {FIXED}", "replace-one", 3, 3),
        ("2 * pure_dp(epsilon=1)", "add-or-remove", None, 2 * TANH_HALF),  # a bounded loss: h tends to 0
        (f"{GROUP}=0, m=1)", "replace-one", None, TANH_HALF),
        (f"{GROUP}=0, m=2)", "add-or-remove", None, 2 * math.tanh(1)),
        ("laplace(b=2)", "replace-one", None, TANH_HALF),  # moves by 2
        ("poisson(laplace(b=1), q=0.5)", "remove", None, TANH_HALF),
        ("5 * poisson(gaussian(sigma=1) + laplace(b=1), q=0.5)", "remove", None, 5 * (1 / 2 + TANH_HALF)),
        ("randomized_response(p=0.2, categories=3)", "add", None, LN(2) / 3),
        ("pure_dp(epsilon=20000) + pure_dp(epsilon=1)", "add", None, None),  # e^20000 is not evaluated
        ("pure_dp(epsilon=1) + gaussian(sigma=1)", "remove", 1 / 2, 1 / 2 + TANH_HALF),
        (f"{GROUP}=1e-9, m=2)", "add-or-remove", INF, INF),
        ("3 * exponential(epsilon=1)", "add-or-remove", None, 3 / 8),
        ("discrete_gaussian(sigma=1)", "add", 1 / 2, 1 / 2),
        ("gaussian_above_threshold(sigma=4, query_sigma=8, queries=10)", "add-or-remove", None, 5 / 64),
        ("gnmax(sigma=2)", "add-or-remove", None, 1 / 4),
        ("balls_and_bins(gaussian(sigma=1), batches=5, participations=2, steps=10)", "remove", None, 1 / 2),
        (
            "10 * truncated_poisson(gaussian(1), q=0.01, dataset_size=99, max_batch=9)",
            "replace-one",
            None,
            20,
        ),
        ("zcdp(rho=1) + kjh19_substitute(gaussian(sigma=1), q=0.5)", "replace-one", 1, None),
    ],
)
def test_rho_by_mechanism_and_direction(
    expression: str, adjacency: Adjacency, lower: float | None, upper: float | None
) -> None:
    ends = least_rho(as_composition(expression), adjacency).ends
    for end, true in zip(ends, (lower, upper), strict=True):
        assert (
            end == true
            if end is None or true is None
            else float(end) == pytest.approx(true, rel=1e-12, abs=0)
        )


def test_mu_of_pure_dp_is_that_of_the_corner() -> None:
    """Both errors are 1/(1 + e) there, and G_μ has them at 2Φ⁻¹(e/(1 + e)): squares add up."""
    for text, times, more in (
        ("pure_dp(epsilon=1)", 1, 0),
        ("4 * pure_dp(epsilon=1) + 3 * gaussian(1)", 4, 3),
    ):
        upper = least_mu(as_composition(text), "add").ends[1]
        assert upper is not None
        one = math.sqrt((float(upper) ** 2 - more) / times)
        assert math.erfc(one / 2 / math.sqrt(2)) / 2 == pytest.approx(1 / (1 + math.e), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("expression", "square"),
    [
        ("3 * exponential(epsilon=1)", 3 * MU_OF_ONE**2),  # its range is 1
        ("exponential(epsilon=1, times=3)", 3 * MU_OF_ONE**2),
        ("exponential(epsilon=1) + gaussian(sigma=1)", MU_OF_ONE**2 + 1),
        ("gnmax(sigma=2)", 1 / 2),
        ("gaussian_above_threshold(sigma=4, query_sigma=8, queries=10)", 5 / 32),
        ("10 * truncated_poisson(gaussian(1), q=0.01, dataset_size=99, max_batch=9)", 40),
        ("discrete_gaussian(sigma=1)", None),
        ("zcdp(rho=1)", None),
        ("poisson(gaussian(sigma=1) + laplace(b=1), q=0.5)", MU_OF_ONE**2 + 1),
        ("2 * gaussian(sigma=2) + 4 * gdp(mu=1/2)", 3 / 2),
    ],
)
def test_mu_by_mechanism(expression: str, square: float | None) -> None:
    whole = as_composition(expression)
    upper = least_mu(whole, whole.adjacency).ends[1]
    assert (upper is None) is (square is None)
    if upper is not None and square is not None:
        assert float(upper) ** 2 == pytest.approx(square, rel=1e-12, abs=0)


def test_closed_forms_are_rounded_outward() -> None:
    """ε tanh(ε/2) and 2Φ⁻¹(e^ε/(1 + e^ε)) in 80 digits are not above the upper end, nor far from it."""
    with mpmath.workdps(80):
        for text in ("1", "0.3", "7/5", "2.7"):
            composition, e = as_composition(f"pure_dp(epsilon={text})"), _mpf(text)
            for least, true in (
                (least_rho, e * mpmath.tanh(e / 2)),
                (least_mu, 2 * mpmath.sqrt(2) * mpmath.erfinv(mpmath.tanh(e / 2))),
            ):
                high = least(composition, "add").ends[1]
                assert high is not None and true <= _mpf(high) < true * (1 + mpmath.mpf(2) ** -50)


@pytest.mark.parametrize(
    ("expression", "adjacency", "true"),
    [
        ("gaussian(sigma=sqrt(2))", "add", "one / 4"),
        ("gdp(mu=sqrt(3))", "add", "3 * one / 2"),
        ("zcdp(rho=sqrt(1/2))", "add", "sqrt(one / 2)"),
        ("poisson(gaussian(sigma=1), q=sqrt(1/200))", "replace-one", "one / 2 - log(1 - sqrt(one / 200))"),
    ],
)
def test_irrational_parameters_are_rounded_outward(expression: str, adjacency: Adjacency, true: str) -> None:
    lower, upper = least_rho(as_composition(expression), adjacency).ends
    with mpmath.workdps(120):
        exact = eval(true, {"sqrt": mpmath.sqrt, "log": mpmath.log, "one": mpmath.mpf(1)})
        assert lower is not None and upper is not None and _mpf(upper) < exact * (1 + mpmath.mpf(2) ** -60)
        assert _mpf(lower) <= exact <= _mpf(upper) and lower < upper


def _mpf(x: Any) -> Any:
    return mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator


def test_a_profile_that_is_known_roughly_gives_mu_by_its_lower_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """δ(0) of the Gaussian pair is erf(μ/√8): 0.01 is proved, and 0.5 is not."""
    rough = Enclosure(Fraction(1, 100), Fraction(1, 2), "stub")
    monkeypatch.setattr(points, "bracket", lambda query, enough, seconds: rough)
    curve = curves.Profile(as_composition("laplace(b=1.5)"), "add", Fraction(0))
    (value,) = curve.at([Fraction(0)], rough=True)
    assert value.lower is not None
    found, _ = needed(curve, {Fraction(0): Fraction(value.lower.at)}, Fraction(0))
    assert 0.0099 < math.erf(float(found) / math.sqrt(8)) < 0.01


@pytest.mark.parametrize(
    ("expression", "adjacency"),
    [
        ("binomial(n=20, p=1/2)", "add"),
        ("binomial(n=20, p=0.3) + gaussian(sigma=1)", "add-or-remove"),
        ("finite_pair(p=[0.5, 0.5], q=[0, 1])", "remove"),
        ("approximate_dp(epsilon=1, delta=1e-9)", "add"),
    ],
)
def test_an_infinite_divergence_that_is_attained_refutes_every_parameter(
    expression: str, adjacency: Adjacency
) -> None:
    """The loss is infinite with some probability: D_α = ∞ for every α ≥ 1."""
    phase = {"mechanism": "expression", "expression": expression}
    for claimed in ({"rho": "1e9"}, {"mu": "1e9"}, {"rdp": {"order": 2, "divergence": "1e9"}}):
        assert of(phase, **claimed, adjacency=adjacency) == "REFUTED"
        assert of(phase, **claimed, adjacency=adjacency, relation="=") == "REFUTED"
        assert of(phase, **claimed, adjacency=adjacency, relation=">=") == "CERTIFIED"


def test_an_infinite_divergence_of_what_only_bounds_decides_nothing() -> None:
    """Batches are bounded by a pair with infinite losses, which no mechanism need have; groups have them."""
    said = "2 * sampled_without_replacement(approximate_dp(epsilon=sqrt(2), delta=1e-9), q=0.5)"
    for expression, verdict in ((said, "UNDECIDED"), ("group_dp(1, delta=1e-9, m=2)", "REFUTED")):
        run = {"mechanism": "expression", "expression": expression}
        for claimed in ({"rho": "1e9"}, {"mu": "1e9"}, {"rdp": {"order": 2, "divergence": 1}}):
            assert of(run, **claimed, adjacency="replace-one") == verdict


LAPLACES = {"mechanism": "expression", "expression": "laplace(b=2)"}


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        ({"mu": "0.5621"}, "CERTIFIED"),
        ({"mu": "0.5617"}, "REFUTED"),
        ({"mu": "0.5621", "relation": ">="}, "REFUTED"),
        ({"mu": "0.5617", "relation": ">="}, "CERTIFIED"),
        ({"rho": "0.107", "relation": "="}, "REFUTED"),
        ({"rho": "0.107", "relation": ">="}, "REFUTED"),
    ],
)
def test_a_bounded_loss_is_decided_near_the_least(claimed: dict[str, Any], verdict: str) -> None:
    """Laplace noise against G_μ is worst at ε = 0: 1 − e^(−1/4) = erf(μ/√8) at μ = 0.561764…"""
    assert math.erf(0.561764 / math.sqrt(8)) == pytest.approx(1 - math.exp(-1 / 4), rel=1e-5, abs=0)
    assert of(LAPLACES, **claimed, exact=True) == verdict


@pytest.mark.parametrize(("rho", "last"), [("0.001", 500), ("0.1", 5)])
def test_a_small_loss_is_followed_to_its_last_order(rho: str, last: int) -> None:
    """No loss exceeds 1/2, so D_α ≤ ρα from α = 1/(2ρ) on, and that is not known before."""
    curve = curves.Divergences(as_composition("laplace(b=2)"), "add")
    points = ((Fraction(at), Fraction(0)) for at in (1, last - 1, last, last + 1))
    assert [curve.keeps(Fraction(rho), point, None) for point in points] == [False, False, True, True]


def test_the_last_order_leaves_room_for_parts_without_a_largest_loss() -> None:
    """D_α ≤ 1/2 + α/2 is at most 0.51 α from α = 50 on."""
    curve = curves.Divergences(as_composition("laplace(b=2) + gaussian(1)"), "add")
    points = ((Fraction(at), Fraction(0)) for at in (49, 50))
    assert [curve.keeps(Fraction("0.51"), point, None) for point in points] == [False, True]


def test_a_profile_alone_tells_of_mu(monkeypatch: pytest.MonkeyPatch) -> None:
    """No divergence is known, and closed forms know no lower end."""
    for room in (curves, points):
        monkeypatch.setattr(room, "enclosed", lambda *_: UNKNOWN)
    composition, claimed = as_composition(POISSON), [("<=", Fraction(1, 1000))]
    assert least_rho(composition, "add").lower is None
    found = least.mu(composition, "add", claimed).lower  # type: ignore[arg-type]
    assert found is not None and found.at > Fraction(1, 1000) and "δ at ε" in found.by


def test_an_order_that_is_no_fraction_is_decided_at_both_ends() -> None:
    """D_α of Gaussian noise of σ = 1 is α/2."""
    phase = {"mechanism": "expression", "expression": "gaussian(sigma=1)"}
    for divergence, verdict in (("0.7072", "CERTIFIED"), ("0.7071", "REFUTED"), ("sqrt(1/2)", "UNDECIDED")):
        assert of(phase, rdp={"order": "sqrt(2)", "divergence": divergence}) == verdict


@pytest.mark.parametrize("adjacency", ["replace-one", "add", "remove"])
def test_every_record_in_every_batch_is_the_base(adjacency: Adjacency) -> None:
    """q = 1 and a replaced record ended in an OverflowError."""
    whole, base = (as_composition(f"3 * {each}") for each in ("poisson(gaussian(1), q=1)", "gaussian(1)"))
    assert least_rho(whole, adjacency).ends == least_rho(base, adjacency).ends
    assert least_rho(base, adjacency).ends == ((6, 6) if adjacency == "replace-one" else (1.5, 1.5))


def test_an_infinite_rho_bounds_no_divergence_of_an_order_below_1() -> None:
    """It stood there as a proved upper end, "in [0.338605, inf]"."""
    whole = as_composition("approximate_dp(epsilon=0.1, delta=1e-4) + zcdp(rho=0.3)")
    assert divergences.divergence(whole, "remove", "1/2").upper is None
    assert divergences.divergence(as_composition("approximate_dp(0.1, 1e-4)"), "remove", 2).ends == (INF, INF)


@pytest.mark.parametrize("size", ["1e-40", "1e-9", "0.999", "1", "30"])
def test_mu_of_a_bounded_loss_at_all_sizes(size: str) -> None:
    """2Φ⁻¹(e^ε/(1 + e^ε)), to 12 digits: of a tiny ε it was ∞."""
    with mpmath.workdps(80):
        x = mpmath.mpf(Fraction(size).numerator) / Fraction(size).denominator
        true = mpmath.sqrt(8) * mpmath.erfinv(mpmath.tanh(x / 2))
        upper = least_mu(as_composition(f"pure_dp(epsilon={size})"), "add-or-remove").upper
        assert upper is not None
        found = mpmath.mpf(Fraction(upper.at).numerator) / Fraction(upper.at).denominator
        assert 0 <= found / true - 1 < mpmath.mpf("1e-12")


def test_infinity_is_an_end_only_where_it_is_the_value() -> None:
    """A sample of what may lose all does so where the record is there, and else loses −log(1 − q) at most."""
    sample = "poisson(approximate_dp(1, delta=1e-5), q=0.1)"
    assert least.zcdp(sample, adjacency="remove").ends == (math.inf, math.inf)
    upper = least.zcdp(sample, adjacency="add").upper
    assert upper is None or upper.at < math.inf
