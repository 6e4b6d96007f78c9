"""The least μ and ρ, against trade-off functions that are known without any δ(ε)."""

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import pytest

import pldverify as pv
from benchmarks.least_of_pairs import REGRETS, contains, narrow, needed, pair, truth
from benchmarks.least_of_pairs import highest as rho_of_pair
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.values import curves, least, search
from pldverify.values.concentrated import least_mu, least_rho
from pldverify.values.search import last_flat
from pldverify.values.value import UNKNOWN, Value

Q = Fraction


def within(found: Value, truth: mp.mpf) -> bool:
    return contains(found, truth) and narrow(found)


def highest(function, low: float, high: float) -> mp.mpf:  # type: ignore[no-untyped-def]
    """The largest value of a smooth function, by a grid and thirds of its best stretch."""
    with mp.workdps(25):
        at = [mp.mpf(low) + (mp.mpf(high) - low) * i / 48 for i in range(49)]
        best = max(range(49), key=lambda i: function(at[i]))
        a, b = at[max(0, best - 1)], at[min(48, best + 1)]
        for _ in range(40):
            thirds = a + (b - a) / 3, b - (b - a) / 3
            a, b = (thirds[0], b) if function(thirds[0]) < function(thirds[1]) else (a, thirds[1])
        return max(function(a), function(at[best]))


@pytest.mark.parametrize("regret", ["1e-2", "1e-5", pytest.param("1e-10", marks=pytest.mark.slow)])
@pytest.mark.parametrize("mu", ["0.1", "1", "6"])
def test_gaussian_noise_with_regret(mu: str, regret: str) -> None:
    """G_μ itself is T: at x = Φ(−t) the misses are Φ(t − μ)."""
    found = least.gdp(pv.GDP(mu), regret=regret)
    with mp.workdps(40):
        true = highest(lambda t: needed(mp.ncdf(-t), mp.ncdf(t - mp.mpf(mu)), mp.mpf(regret)), -7, 12)
    assert within(found, true)


def of_a_sampled_gaussian(sigma: str, q: str, regret: str) -> mp.mpf:
    """The least μ: tests reject where the outcome exceeds t."""

    def at(t: mp.mpf) -> mp.mpf:
        s, share = mp.mpf(sigma), mp.mpf(q)
        miss = (1 - share) * mp.ncdf(t / s) + share * mp.ncdf((t - 1) / s)
        return needed(mp.ncdf(-t / s), miss, mp.mpf(regret))

    return highest(at, -9, 15)


@pytest.mark.parametrize("regret", ["1e-2", "1e-4", "1e-8"])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("2", "0.2"), ("0.5", "0.9")])
def test_a_sampled_gaussian_with_regret(sigma: str, q: str, regret: str) -> None:
    found = least.gdp(pv.PoissonSubsampled(pv.Gaussian(sigma), q), regret=regret)
    assert within(found, of_a_sampled_gaussian(sigma, q, regret))


@pytest.mark.parametrize("seed", range(60))
def test_finite_pairs(seed: int) -> None:
    (p, q), regret = pair(seed), REGRETS[seed % 3]
    assert within(least.gdp(pv.FinitePair(p, q), regret=regret), truth(p, q, regret))


def test_laplace_noise() -> None:
    """T has its corner where both errors are e^(−1/2)/2."""
    with mp.workdps(40):
        assert within(
            least.gdp(pv.Laplace(b=1)), highest(lambda a: needed(a, a, 0), mp.exp(-0.5) / 2, mp.exp(-0.5) / 2)
        )
    rho = least.zcdp(20 * pv.Laplace(b=10))
    with mp.workdps(40):
        assert within(rho, 20 * (mp.mpf("0.1") + mp.expm1(-mp.mpf("0.1"))))


def test_randomised_response() -> None:
    """ρ = ε tanh(ε/2); G_μ has the corner of T, where both errors are 1/4."""
    with mp.workdps(40):
        assert within(least.zcdp(pv.RandomizedResponse(p="0.75")), mp.log(3) / 2)
        assert within(least.gdp(pv.RandomizedResponse(p="0.75")), needed(0.25, 0.25, 0))


TANH_HALF = mp.tanh(mp.mpf(1) / 2)


@pytest.mark.parametrize(
    ("expression", "adjacency", "true"),
    [
        ("2 * pure_dp(epsilon=1)", "add-or-remove", 2 * TANH_HALF),
        ("group_dp(epsilon=1, delta=0, m=1)", "replace-one", TANH_HALF),
        ("laplace(b=2)", "replace-one", mp.exp(-1)),  # moves by 2
        ("randomized_response(p=0.1)", "add", mp.log(9) * mp.mpf(4) / 5),
        ("randomized_response(p=0, categories=3)", "add", mp.inf),
        ("randomized_response(p=1)", "add", mp.inf),
        ("finite_pair(p=[0.5, 0.5, 0], q=[0.25, 0.5, 0.25])", "add", mp.inf),
        ("zcdp(rho=1/3) + pure_dp(epsilon=1)", "remove", mp.mpf(1) / 3 + TANH_HALF),
        ("gaussian(sigma=1) + 2 * pure_dp(epsilon=1)", "remove", mp.mpf(1) / 2 + 2 * TANH_HALF),
        ("pure_dp(epsilon=0)", "add-or-remove", mp.mpf(0)),
        ("1000 * pure_dp(epsilon=1e-3)", "remove", mp.tanh(mp.mpf(1) / 2000)),
        ("pure_dp(epsilon=1e-9)", "add-or-remove", mp.mpf(10) ** -9 * mp.tanh(mp.mpf(10) ** -9 / 2)),
    ],
)
def test_rho_of_a_bounded_loss(expression: str, adjacency: Adjacency, true: mp.mpf) -> None:
    """ε tanh(ε/2) of ε-DP, which is D_1; D_1 of Laplace noise that moves by its scale; sums of these."""
    found = least.zcdp(expression, adjacency=adjacency)
    assert contains(found, true, mp.mpf(10) ** -12) and narrow(found)


@pytest.mark.parametrize(
    "masses", [("1/5 2/5 2/5", "2/5 1/5 2/5"), ("3/4 1/4", "1/2 1/2"), ("1/9 8/9", "1/2 1/2")]
)
def test_rho_of_finite_pairs(masses: tuple[str, str]) -> None:
    p, q = ([Q(x) for x in side.split()] for side in masses)
    found, true = least.zcdp(pv.FinitePair(p, q)), rho_of_pair(p, q)
    assert contains(found, true, mp.mpf(10) ** -12) and narrow(found)


def test_a_choice_has_what_some_neighbours_have() -> None:
    """Of the larger of two scores that lead by half the loss both errors are (2 + 1/2) e^(−1/2)/4; among more
    candidates more is lost.
    """
    with mp.workdps(25):
        error = mp.mpf("2.5") * mp.exp(mp.mpf(-1) / 2) / 4
        miss = Q(int(error * 10**20), 10**20)
        known = needed(error, error, mp.mpf(0)), rho_of_pair((1 - miss, miss), (miss, 1 - miss))
    answers = least.gdp("noisy_max(b=2)"), least.zcdp("noisy_max(b=2)")
    for found, true in zip(answers, map(float, known), strict=True):
        assert found.lower is not None and found.upper is not None
        assert true * (1 - 1e-5) <= float(found.lower.at) < float(found.upper.at)


def test_a_vanishing_loss_has_neither_mu_nor_rho() -> None:
    """ "μ ≤ 0, no less: not proved" was said of a run of no steps."""
    assert least.gdp("pure_dp(epsilon=0)").ends == least.zcdp("pure_dp(epsilon=0)").ends == (0, 0)


@pytest.mark.slow
def test_sampled_laplace_noise() -> None:
    """ρ by quadrature of D_α/α: the worst order lies in between."""
    found = least.zcdp(100 * pv.PoissonSubsampled(pv.Laplace(b=1), "0.1"))

    def at(order: mp.mpf) -> mp.mpf:
        def p(x: mp.mpf) -> mp.mpf:
            return mp.exp(-abs(x)) / 2

        def mixed(x: mp.mpf) -> mp.mpf:
            return mp.mpf("0.9") * p(x) + mp.mpf("0.1") * p(x - 1)

        moments = (
            mp.quad(lambda x: mixed(x) ** order * p(x) ** (1 - order), [-mp.inf, 0, 1, mp.inf]),
            mp.quad(lambda x: p(x) ** order * mixed(x) ** (1 - order), [-mp.inf, 0, 1, mp.inf]),
        )
        return 100 * mp.log(max(moments)) / (order - 1) / order

    with mp.workdps(25):
        true = max(at(mp.mpf(order) / 10) for order in range(100, 112))
    assert found.lower is not None and found.upper is not None
    assert abs(float(true) / float(found.lower.at) - 1) < 1e-4 and float(true) < float(found.upper.at)


def test_tails_decide_without_regret() -> None:
    """Poisson sampling lowers neither: far out the sampled loss is that of Gaussian noise, less log 1/q."""
    run = 100 * pv.PoissonSubsampled(pv.Gaussian(2), "0.01")
    assert least.gdp(run).ends == (5, 5)
    assert least.zcdp(run).ends == (Q(25, 2), Q(25, 2))


@pytest.mark.parametrize("regret", ["1e-6", "1e-3"])
def test_a_loss_that_is_infinite_needs_regret(regret: str) -> None:
    broken = pv.ApproximateDP(epsilon=1, delta="1e-4")
    assert least.gdp(broken).ends == least.zcdp(broken).ends == (math.inf, math.inf)
    found = least.gdp(broken, regret=regret)
    with mp.workdps(40):
        r, d, e = mp.mpf(regret), mp.mpf("1e-4"), mp.e
        corner = (1 - d) / (1 + e)
        assert within(found, max(needed(0, 1 - d, r), needed(corner, corner, r)))


def test_so_much_regret_is_had_by_nobody() -> None:
    """δ(0) is 0.38292… ≤ 2r: then T is above the line 1 − 2r − x."""
    assert least.gdp(pv.Gaussian(1), regret="0.2").ends == (0, 0)
    assert least.gdp(pv.Gaussian(1), regret="0.19").ends[0] != 0
    with pytest.raises(InvalidInput, match="regret"):
        least.gdp(pv.Gaussian(1), regret="-0.1")


def test_what_only_bounds_has_no_lower_end() -> None:
    """Some mechanism of a fixed batch under replace-one may have less than its dominating pair."""
    found = least.gdp(pv.ZCDP(rho=1))
    assert found.upper is None and found.lower is not None


def test_beyond_the_last_point_is_proved_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: to look at too small a range loses the upper end, and proves nothing false.

    What decides of this law lies beyond it.
    """
    monkeypatch.setattr(search, "last_flat", lambda regret: last_flat(regret) / 5)
    found = least.gdp(pv.PoissonSubsampled(pv.Gaussian("0.5"), "0.1"), regret="1e-3")
    assert found.lower is not None and found.upper is not None
    true = of_a_sampled_gaussian("0.5", "0.1", "1e-3")
    assert float(found.lower.at) < true - 0.1 and float(found.upper.at) > true


@pytest.mark.parametrize("lost", [0, 1])
def test_an_upper_end_covers_where_the_range_begins(monkeypatch: pytest.MonkeyPatch, lost: int) -> None:
    """A planted error: nothing is known at ε = 0, or at α = 1, where the worst is."""
    for curve in (curves.Profile, curves.Divergences):

        def at(self, points, rough, known=curve.at):  # type: ignore[no-untyped-def]
            found = known(self, points, rough)
            return [UNKNOWN if x == lost else one for x, one in zip(points, found, strict=True)]

        monkeypatch.setattr(curve, "at", at)
    ask = least.zcdp if lost else least.gdp
    closed = least_rho if lost else least_mu
    assert ask(20 * pv.Laplace(b=20)).ends[1] == closed(as_composition(20 * pv.Laplace(b=20)), "add").ends[1]


@pytest.mark.parametrize("ask", [least.gdp, least.zcdp])
def test_a_search_that_errs_proves_nothing(
    ask: Callable[[object], Value], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted errors: a parameter too small for an upper end is handed on, or too large for a lower one."""
    right = ask("3 * laplace(b=3)")
    search, run = least.Search.most, least.Search.run

    def runs(self: least.Search) -> None:
        run(self)
        self.least = 2 * Fraction(self.least)

    monkeypatch.setattr(least.Search, "run", runs)
    wrong = ask("3 * laplace(b=3)")
    assert wrong.lower is None or wrong.lower.at <= Fraction(right.ends[1])
    assert wrong.upper is None or wrong.upper.at >= Fraction(right.ends[0])
    monkeypatch.setattr(least.Search, "run", run)
    monkeypatch.setattr(least.Search, "most", lambda self: Fraction(search(self)) / 2)
    wrong = ask("3 * laplace(b=3)")
    assert wrong.ends[0] == right.ends[0] and (wrong.upper is None or wrong.upper.at >= right.ends[0])


def test_both_directions_count() -> None:
    """T of one direction is the inverse of that of the other."""
    step = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    one, other = (least.gdp(step, regret="1e-3", adjacency=way) for way in ("add", "remove"))
    assert one == other


@pytest.mark.parametrize("regret", ["1/2", 1])
def test_a_regret_of_a_half_allows_everything(regret: object) -> None:
    """Of a pair that bounds nothing, too, of which no δ(0) is known: erfcinv(2) was a crash."""
    assert least.gdp("kjh19_substitute(gaussian(1), q=0.1)", regret=regret).ends == (0, 0)
