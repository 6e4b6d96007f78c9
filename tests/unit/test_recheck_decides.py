"""What the checker proves, decides and says: against exact sums, closed forms and every case of its rules."""

import base64
import itertools
import json
import math
import random
import runpy
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from pldverify import recheck
from tests.unit.test_recheck import FILE, STORED, put, signed, stored

ONE = Fraction(1)
STEP = ("composition", 0, "mechanism")


def claim(epsilon: object, delta: object, *parts: tuple[recheck.Law, int], relation: str = "<=") -> Any:
    return recheck.Claim(relation, Fraction(str(epsilon)), Fraction(str(delta)), parts, (True,))


def gaussian(mu: object) -> recheck.Pair:
    return recheck.shifted(recheck.Gaussian, Fraction(str(mu)))


# --- bounds close in on what is known otherwise ---


def noise_delta(f: Any, s: int, q: Fraction, count: int, epsilon: float, remove: bool) -> Any:
    """δ of integer noise with mass ∝ e^−f(x) around s against around 0, sampled, by sums and convolutions."""
    far = next(x for x in itertools.count(10, 10) if f(x) > 60)
    outcomes = range(-far, far + 1)
    total = mpmath.fsum(mpmath.exp(-f(x)) for x in range(-4 * far, 4 * far))
    base = [mpmath.exp(-f(x)) / total for x in outcomes]
    moved = [mpmath.exp(-f(x - s)) / total for x in outcomes]
    share = mpmath.mpf(q.numerator) / q.denominator
    mixed = [(1 - share) * b + share * m for b, m in zip(base, moved, strict=True)]
    p, q_ = (mixed, base) if remove else (base, mixed)
    rows: list[tuple[Any, Any]] = [(mpmath.mpf(1), mpmath.mpf(1))]
    for _ in range(count):
        rows = [(a * c, b * d) for a, b in rows for c, d in zip(p, q_, strict=True) if a * c > 1e-25]
    return mpmath.fsum(max(a - mpmath.exp(epsilon) * b, 0) for a, b in rows)


@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize(
    ("square", "scale", "s", "q", "count", "epsilon"),
    [
        (True, Fraction(2), 1, ONE, 1, 3.0),
        (True, Fraction(2), 3, ONE, 1, 9.0),
        (True, Fraction(12), 12, ONE, 1, 6.02),
        (True, Fraction(3, 2), 1, Fraction(3, 10), 2, 0.5),
        (False, Fraction(3), 2, ONE, 1, 0.5),
        (False, Fraction(1), 1, Fraction(1, 5), 2, 0.2),
    ],
)
def test_integer_noise_is_bounded_tightly(
    square: bool, scale: Fraction, s: int, q: Fraction, count: int, epsilon: float, remove: bool
) -> None:
    """Small δ among them: too little of the tail would be kept."""
    with mpmath.workdps(40):
        width = mpmath.mpf(scale.numerator) / scale.denominator
        f = (lambda x: mpmath.mpf(x) ** 2 / (2 * width**2)) if square else (lambda x: abs(x) / width)
        truth = noise_delta(f, s, q, count, epsilon, remove)
    law = integer_noise(q, scale, s, square)
    asked = claim(epsilon, Fraction(float(truth)), (law, count))
    lower, upper = (recheck.bound(asked, remove, kind, 8000, [0]) for kind in (recheck.Lower, recheck.Upper))
    assert float(lower) * (1 - 1e-12) <= truth <= float(upper) * (1 + 1e-12)
    assert float(upper - lower) <= truth / 10_000


def integer_noise(q: Fraction, scale: Fraction, s: int, square: bool) -> recheck.Atoms:
    if square:
        return recheck.discrete_gaussian(q, scale, Fraction(s))
    return recheck.geometric(q, s / scale, Fraction(s))


@pytest.mark.parametrize("s", [1, 2, 7])
def test_noise_on_the_integers_is_told_by_a_few_outcomes(s: int) -> None:
    """Each outcome's masses, those up to 0 and from s on together."""
    fixed, b = recheck.Fixed(80), mpmath.mpf(5)
    rows = integer_noise(ONE, Fraction(5), s, False).masses(fixed, 9.0)
    assert len(rows) == s + 1
    with mpmath.workdps(40):
        total = (1 + mpmath.exp(-1 / b)) / (1 - mpmath.exp(-1 / b))
        for i, (p, q) in enumerate(rows):
            for (low, high), centre in ((p, s), (q, 0)):
                places = range(-600, 1) if i == 0 else range(s, 600) if i == s else [i]
                mass = mpmath.fsum(mpmath.exp(-abs(x - centre) / b) for x in places) / total
                assert low <= mass * 2**80 <= high and high - low < 1000


@pytest.mark.parametrize("tail", [0.2, 1.0, 3.0])
def test_masses_of_integer_noise_where_much_is_left_out(tail: float) -> None:
    """Each between its ends, and what is left out no more than the remainder."""
    fixed, s = recheck.Fixed(80), 2

    def f(x: int) -> Any:
        return mpmath.mpf(x) ** 2 / 50

    total = mpmath.fsum(mpmath.exp(-f(x)) for x in range(-600, 601))
    rows = recheck.discrete_gaussian(ONE, Fraction(5), Fraction(s)).masses(fixed, tail)
    x = (len(rows) - 2 + s - 1) // 2
    kept = list(zip(range(s - x, x + 1), rows, strict=False))
    for i, ends in kept:
        for (low, high), at in zip(ends, (i - s, i), strict=True):
            assert low <= mpmath.exp(-f(at)) / total * 2**80 <= high
    for moved in (s, 0):
        left = 1 - mpmath.fsum(mpmath.exp(-f(i - moved)) / total for i, _ in kept)
        assert left * 2**80 <= rows[-2][0][1] and rows[-2][1] == recheck.ZERO


def one_step(mu: Any, q: Any, epsilon: Any, remove: bool) -> Any:
    """δ of a sampled Gaussian step at any ε: the outcomes with loss above ε are those above or below one."""
    ratio = (mpmath.exp(epsilon if remove else -epsilon) - 1 + q) / q
    if ratio <= 0:  # every loss is above ε, or none
        return 1 - mpmath.exp(epsilon) if remove else mpmath.mpf(0)
    cut = mpmath.log(ratio) / mu + mu / 2
    base, moved = (
        (mpmath.ncdf(-cut), mpmath.ncdf(mu - cut)) if remove else (mpmath.ncdf(cut), mpmath.ncdf(cut - mu))
    )
    mixed = (1 - q) * base + q * moved
    return mixed - mpmath.exp(epsilon) * base if remove else base - mpmath.exp(epsilon) * mixed


@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize(
    ("mu", "q", "epsilon"), [("1", "0.2", "0.3"), ("2", "0.05", "0.08"), ("0.5", "0.9", "0.1")]
)
def test_two_sampled_gaussian_steps_by_an_integral(mu: str, q: str, epsilon: str, remove: bool) -> None:
    """δ = E[δ₁(ε − loss of the first step)], whose kink is where the second one's losses end."""
    with mpmath.workdps(25):
        m, share, e = mpmath.mpf(mu), mpmath.mpf(q), mpmath.mpf(epsilon)

        def integrand(x: Any) -> Any:
            base, ratio = mpmath.npdf(x), 1 - share + share * mpmath.exp(m * x - m * m / 2)
            loss = mpmath.log(ratio) if remove else -mpmath.log(ratio)
            return base * (ratio if remove else 1) * one_step(m, share, e - loss, remove)

        end = mpmath.exp(e) / (1 - share) if remove else mpmath.exp(-e) / (1 - share)
        kink = mpmath.log((end - 1 + share) / share) / m + m / 2 if end > 1 - share else mpmath.mpf(-9)
        truth = mpmath.quad(integrand, sorted([mpmath.mpf(-12), mpmath.mpf(-3), kink, mpmath.mpf(3), m + 12]))
    law = recheck.shifted(recheck.Gaussian, Fraction(mu), Fraction(q))
    asked = claim(epsilon, "0.001", (law, 2))
    lower, upper = (recheck.bound(asked, remove, kind, 2000, [0]) for kind in (recheck.Lower, recheck.Upper))
    assert float(lower) * (1 - 1e-12) <= truth <= float(upper) * (1 + 1e-12)
    assert float(upper - lower) <= truth / 1000


@pytest.mark.parametrize("seed", range(3))
def test_delta_of_given_cells_is_rounded_to_its_side(seed: int) -> None:
    """With few bits a wrong side shows: masses are exact, and so is what is asked of them."""
    rng = random.Random(seed)
    for _ in range(300):
        h, epsilon = Fraction(rng.randint(1, 90), 100), Fraction(rng.randint(0, 300), 100)
        setting = recheck.Setting(h, 10, 10**4, recheck.Fixed(rng.randint(14, 20)), [0])
        mass, start = [rng.randrange(10**4) for _ in range(rng.choice([1, 5, 40]))], rng.randint(-4, 4)
        q = [rng.randrange(m + 1) for m in mass]
        upper = recheck.Upper(setting, 0, start, mass, 7).delta(epsilon)
        lower = recheck.Lower(setting, 0, start, mass, 7, Fraction(1, 2), q).delta(epsilon)
        with mpmath.workdps(30):
            width, at = (
                mpmath.mpf(h.numerator) / h.denominator,
                mpmath.mpf(epsilon.numerator) / epsilon.denominator,
            )
            losses = [(start + i) * width for i in range(len(mass))]
            most = mpmath.fsum(m * max(1 - mpmath.exp(at - x), 0) for m, x in zip(mass, losses, strict=True))
            gains = (m - b * mpmath.exp(at - x - width / 2) for m, b, x in zip(mass, q, losses, strict=True))
            least = mpmath.fsum(max(gain, 0) for gain in gains)
        assert float(upper) >= (most + 7) / 10**4 * (1 - 1e-13)
        assert float(lower) <= (least + 7) / 10**4 * (1 + 1e-13)


def test_large_losses_need_more_bits() -> None:
    """Of Laplace noise with loss up to 90: δ(ε) = 1 − e^((ε − 90)/2)."""
    truth = 1 - mpmath.exp(-0.25)
    asked = claim("89.5", "0.2", (recheck.shifted(recheck.Laplace, Fraction(90), ONE), 1))
    lower, upper = (recheck.bound(asked, True, kind, 2000, [0]) for kind in (recheck.Lower, recheck.Upper))
    assert float(lower) <= truth <= float(upper) and float(upper - lower) < truth / 100


@pytest.mark.parametrize("deltas", list(itertools.permutations(["0", "0.001", "0.02"], 2)))
def test_what_is_lost_for_certain_is_lost_in_every_composition(deltas: Sequence[str]) -> None:
    """Of (1, δ)-DP twice: 1 − (1 − δ₁)(1 − δ₂), and where nothing is lost both losses are 1, or cancel."""
    first, second = map(Fraction, deltas)
    more = mpmath.e / (1 + mpmath.e)
    kept = float((1 - first) * (1 - second))
    truth = 1 - kept + kept * more**2 * (1 - mpmath.exp(mpmath.mpf("1.5") - 2))
    parts = [(recheck.stated(ONE, ONE, delta), 1) for delta in (first, second)]
    asked = claim("1.5", "0.01", *parts)
    lower, upper = (recheck.bound(asked, True, kind, 2000, [0]) for kind in (recheck.Lower, recheck.Upper))
    assert float(lower) * (1 - 1e-12) <= truth <= float(upper) * (1 + 1e-12)
    assert upper - lower < 1e-5


@pytest.mark.parametrize("size", [2000, pytest.param(recheck.SIZES[-1], marks=pytest.mark.slow)])
def test_losses_of_several_widths_fit_the_finest_grid(size: int) -> None:
    """Of 19/2-DP, then 1-DP: only both greatest losses exceed 10."""
    parts = (recheck.stated(ONE, Fraction(19, 2)), 1), (recheck.stated(ONE, ONE), 1)
    more = (mpmath.exp(x) / (1 + mpmath.exp(x)) for x in (9.5, 1))
    truth = math.prod(more) * (1 - mpmath.exp(-0.5))
    asked = claim("10", "0.01", *parts)
    lower, upper = (recheck.bound(asked, True, kind, size, [0]) for kind in (recheck.Lower, recheck.Upper))
    assert float(lower) <= truth <= float(upper) and float(upper - lower) < 1e-6


def test_a_coarser_grid_keeps_all_mass() -> None:
    setting = recheck.Setting(Fraction(1, 8), 10, 10**20, recheck.Fixed(64), [0])
    for start in (-7, -2, 0, 1, 6, 9):
        upper = recheck.Upper(setting, 0, start, [5, 10**9, 7, 10**12], 3).coarser()
        assert (sum(upper.mass), upper.infinite, upper.start) == (10**12 + 10**9 + 12, 3, start // 2)
        lower = recheck.Lower(setting, 0, start, [5, 10**9, 7, 10**12], 3, Fraction(1, 2), [1, 2, 3, 4])
        assert sum(lower.coarser().mass) == 10**12 + 10**9 + 12


@pytest.mark.parametrize("level", [0, 2])
def test_a_cell_is_split_between_its_ends(level: int) -> None:
    """v = (p − qe^a)/(1 − e^−h), of cells that are 2^level as wide."""
    setting = recheck.Setting(Fraction(1, 8), 10, 10**12, recheck.Fixed(64), [0])
    p, r = setting.fixed.one // 2, setting.fixed.one * 49 // 100
    upper = recheck.Upper.of([recheck.Cell(3, (p, p), (r, r))], setting, level)
    v = 0.01 / -math.expm1(-(2**level) / 8)
    assert abs(upper.mass[1] - v * 10**12) < 2 and abs(upper.mass[0] - (0.5 - v) * 10**12) < 2


def test_a_cell_whose_q_mass_may_be_nothing_goes_to_its_upper_end_whole() -> None:
    """Of its P-mass the upper end, which may be that of all."""
    setting = recheck.Setting(Fraction(1, 8), 10, 2**12, recheck.Fixed(12), [0])
    upper = recheck.Upper.of([recheck.Cell(3, (100, 110), (0, 0))], setting, 0)
    assert upper.mass == [0, 110] and upper.infinite == 0


def test_products_and_quotients_enclose() -> None:
    rng, fixed = random.Random(5), recheck.Fixed(16)
    for _ in range(200):
        (a, b), (c, d) = (sorted(rng.sample(range(1, 10**6), 2)) for _ in range(2))
        for found, low, high in (
            (fixed.over((a, b), (c, d)), Fraction(a, d), Fraction(b, c)),
            (fixed.times((a, b), (c, d)), Fraction(a * c, 4**16), Fraction(b * d, 4**16)),
        ):
            assert Fraction(found[0], 2**16) <= low < Fraction(found[0] + 1, 2**16)
            assert Fraction(found[1] - 1, 2**16) < high <= Fraction(found[1], 2**16)


def test_what_is_nearly_all_or_nothing_is_neither() -> None:
    """Φ is between 0 and 1, and so is δ: an end beyond FAR keeps a unit of distance."""
    fixed = recheck.Fixed(80)
    assert fixed.normal(Fraction(71)) == (fixed.one - 1, fixed.one)
    assert fixed.normal(Fraction(-71)) == (0, 1)
    low, high = recheck.gaussian(Fraction(200), Fraction(1), fixed)
    assert low < fixed.one <= high
    low, high = recheck.gaussian(Fraction(1), Fraction(100), fixed)
    assert low <= 0 < high


@pytest.mark.parametrize("sign", [-1, 0])
def test_outcomes_that_do_not_move_one_way_are_refused(sign: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats propose them: the other way around, and all the same."""
    real = recheck.Pair.outcome
    monkeypatch.setattr(recheck.Pair, "outcome", lambda *given: sign * real(*given))
    with pytest.raises(recheck.Beyond, match="no outcomes"):
        gaussian(1).step(Fraction(1, 4), True, recheck.Fixed(100), 20.0)


def test_work_counts_every_digit_of_both() -> None:
    setting = recheck.Setting(ONE, 10, 10**20, recheck.Fixed(64), [0])
    setting.convolve([10**19] * 300, [10**19] * 200)
    assert setting.work[0] >= 500 * 38


def test_work_is_never_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny δ asks for a long tail."""
    spent: list[int] = []
    monkeypatch.setattr(recheck, "spend", lambda work, digits: spent.append(digits))
    recheck.bound(claim(1, "1e-60", (gaussian(1), 2)), True, recheck.Upper, 100, [0])
    assert len(spent) >= 3 and all(work > 0 for work in spent)
    assert min(spent[:2]) > 80 * 200 * (8 + 150 / 8)  # cells, bits, and terms of a series


def test_long_numbers_cost_as_their_products_take() -> None:
    """Their bits times their bits: ε in the hundreds took five times as long as was counted."""
    assert recheck.dear(400, 40) == 400 * 13
    assert recheck.dear(3200, 40) == 64 * recheck.dear(400, 40)


def test_moments_are_counted_and_rounded_up() -> None:
    """Each kind of a sampled zCDP mechanism costs; a long rate is rounded up, its moments with it."""
    laws = tuple((recheck.Concentrated(Fraction(1, 3 + i), Fraction(1, 10)), 1) for i in range(4))
    works = [[0], [0]]
    for work, parts in zip(works, (laws[:1], laws), strict=True):
        recheck.bound(claim(5, "1e-5", *parts), True, recheck.Upper, 100, work)
    assert works[1][0] == 4 * works[0][0] > 10**6
    promise = recheck.renyi(ONE, [Fraction(2 + i) for i in range(100)], [ONE] * 100)
    work = [0]
    recheck.bound(claim(5, "1e-5", (promise, 1)), True, recheck.Upper, 100, work)
    assert 500 * work[0] == 601 * works[0][0], "all orders are tried, too, and 0"
    rare = Fraction(3, 2**300)  # of which 200 bits leave nothing
    for remove in (True, False):
        found = recheck.Concentrated(rare, Fraction(1, 10)).moments(remove)[0]
        assert all(x > rare**2 for _, x in found[4:]), "k(k − 1)/2 times (e^0.2 − 1)q², at least"


# --- decisions ---


def holds(relation: str, order: int) -> bool:
    return {"<=": order <= 0, ">=": order >= 0, "=": order == 0}[relation]


@pytest.mark.parametrize("relation", ["<=", ">=", "="])
@pytest.mark.parametrize("possible", [{-1}, {0}, {1}, {-1, 0}, {0, 1}, {-1, 0, 1}])
def test_a_ruling_is_what_holds_in_every_possible_case(relation: str, possible: set[int]) -> None:
    """The true ε is below (−1), at (0) or above (1) the claimed one, as far as is proved."""
    said = {holds(relation, order) for order in possible}
    expected = "UNDECIDED" if len(said) > 1 else "CERTIFIED" if said == {True} else "REFUTED"
    flags = 1 not in possible, possible == {1}, -1 not in possible, possible == {-1}
    assert recheck.ruling(relation, *flags) == expected


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [("4", "REFUTED"), ("5.9999", "REFUTED"), ("6", "CERTIFIED"), ("7", "CERTIFIED")]
)
def test_no_loss_of_a_composition_exceeds_the_sum(epsilon: str, verdict: str) -> None:
    """Of three 2-DP steps, at δ = 0."""
    assert recheck.decide(claim(epsilon, 0, (recheck.stated(ONE, Fraction(2)), 3)))[0] == verdict


@pytest.mark.parametrize(("epsilon", "verdict"), [("3.99", "REFUTED"), ("4", "CERTIFIED")])
def test_no_loss_of_integer_noise_exceeds_sensitivity_over_scale(epsilon: str, verdict: str) -> None:
    """Two steps of discrete Laplace noise of scale 1/2, at δ = 0."""
    law = integer_noise(ONE, Fraction(1, 2), 1, False)
    assert recheck.decide(claim(epsilon, 0, (law, 2)))[0] == verdict


HALF = Fraction(1, 2)
TIES: list[tuple[tuple[tuple[recheck.Law, int], ...], str, str, str]] = [
    # of what; δ; true ε; or below it ("<") or none ("inf")
    (((recheck.stated(ONE, HALF), 3), (recheck.shifted(recheck.Laplace, HALF, ONE), 2)), "0", "2.5", "="),
    (((integer_noise(ONE, Fraction(4), 1, False), 4),), "0", "1", "="),
    (((recheck.stated(ONE, HALF, Fraction(1, 10)), 2),), "0.19", "1", "="),
    (((recheck.stated(ONE, HALF, Fraction(1, 10)), 2),), "0.189999", "1", "inf"),
    (((recheck.stated(ONE, HALF, Fraction(1, 10)), 2),), "0.190001", "1", "<"),
    (
        ((recheck.stated(ONE, HALF, Fraction(1, 10)), 1), (recheck.stated(ONE, HALF, Fraction(1, 5)), 1)),
        "0.28",
        "1",
        "=",
    ),
    (((recheck.stated(ONE, HALF, Fraction(1, 1000)), 10_000),), "0.0001", "1", "inf"),
]


@pytest.mark.parametrize("relation", ["<=", ">=", "="])
@pytest.mark.parametrize("case", TIES)
@pytest.mark.parametrize("step", [-1, 0, 1])
def test_ties_of_bounded_losses_are_decided_exactly(case: Any, relation: str, step: int) -> None:
    """ε of pure DP add up, and are attained; of (ε_i, δ_i) 1 − Π(1 − δ_i) is lost, and no more from Σ ε_i on
    (Kairouz, Oh, Viswanath 2015). The claim is there, or 1e-12 above or below.
    """
    parts, delta, most, kind = case
    at = Fraction(most) + step * Fraction(1, 10**12)
    found = recheck.decide(claim(at, delta, *parts, relation=relation))[0]
    truth = {"inf": 1, "=": -step, "<": -1}[kind]  # the sign of true ε − claimed ε
    holds = {"<=": truth <= 0, ">=": truth >= 0, "=": truth == 0}[relation]
    assert found == ("CERTIFIED" if holds else "REFUTED")


@pytest.mark.parametrize("parts", [3, 97, 250])
def test_a_loss_on_the_grid_has_its_own_point(parts: int) -> None:
    """Where floats see it a hair below, too."""
    law = recheck.stated(ONE, Fraction(1, 10))
    step = law.step(Fraction(1, 10 * parts), True, recheck.Fixed(128), 30.0)
    assert [cell.index for cell in step] == [parts, -parts]


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"], ["one.json", "another.json"]])
def test_it_says_how_it_is_used(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert recheck.main(arguments) == recheck.CODES["REJECTED"]
    assert "usage: python recheck.py [--work" in capsys.readouterr().out


def test_a_guarantee_of_nothing_has_no_greatest_loss() -> None:
    """At δ = 1 everything is private, with (0.5, 1)-DP, too."""
    law = recheck.stated(ONE, HALF, ONE)
    assert recheck.decide(claim("0.1", 1, (law, 1)))[0] == "CERTIFIED"
    assert recheck.decide(claim("0.1", "0.9", (law, 1)))[0] == "REFUTED"


def test_one_law_without_a_greatest_loss_is_enough_for_none() -> None:
    for law in (gaussian(1), recheck.shifted(recheck.Laplace, HALF, HALF)):
        assert recheck.extreme(claim("0.5", "1e-9", (recheck.stated(ONE, HALF), 1), (law, 1))) is None


def test_masses_that_are_lost_too_often_are_left_to_the_grids() -> None:
    law = recheck.stated(ONE, HALF, Fraction(1, 2**20))
    assert recheck.extreme(claim(1, "1e-9", (law, 50_000)))
    assert not recheck.extreme(claim(1, "1e-9", (law, 50_001)))


def test_delta_is_never_more_than_one() -> None:
    """Such a claim holds for noise that is beyond every grid."""
    assert recheck.decide(claim(0, 1, (gaussian(30), 10**12)))[0] == "CERTIFIED"


@pytest.mark.parametrize(
    ("relation", "epsilon", "verdict"),
    [
        ("=", "1", "REFUTED"),
        ("=", "9", "REFUTED"),
        (">=", "0", "CERTIFIED"),
        (">=", "1", "CERTIFIED"),
        (">=", "9", "REFUTED"),
        ("<=", "0", "REFUTED"),
    ],
)
def test_other_relations_than_at_most(relation: str, epsilon: str, verdict: str) -> None:
    """Of a Gaussian step whose ε is 4.378 at δ = 1e-5 (σ = 1; Balle and Wang 2018)."""
    assert recheck.decide(claim(epsilon, "1e-5", (gaussian(1), 1), relation=relation))[0] == verdict


@pytest.mark.parametrize("relation", [">=", "="])
def test_only_zero_is_never_too_much_to_say_at_least(relation: str) -> None:
    """A step of σ = 10 has ε < 1 at δ = 1e-5."""
    assert recheck.decide(claim(1, "1e-5", (gaussian("0.1"), 1), relation=relation))[0] == "REFUTED"


def test_a_replaced_record_moves_the_sum_twice_as_far() -> None:
    law = {"name": "gaussian", "parameters": {"sigma": "3", "sensitivity": "2"}, "base": None}
    for adjacency, mu in (("replace-one", Fraction(4, 3)), ("add-or-remove", Fraction(2, 3))):
        found = recheck.law(law, adjacency, set())[0]
        assert isinstance(found, recheck.Pair) and found.far == mu


# --- what is read ---


@pytest.mark.parametrize(
    ("changes", "error", "match"),
    [
        ([("another", *STEP, "base", "name")], recheck.Beyond, "poisson of 'another'"),
        ([("0", *STEP, "parameters", "q")], recheck.Beyond, "Poisson"),
        ([("2", *STEP, "parameters", "q")], recheck.Beyond, "Poisson"),
        ([("1e301", "claim", "epsilon")], recheck.Beyond, "10"),
        ([("1e-301", "claim", "delta")], recheck.Beyond, "10"),
    ],
)
def test_what_is_beyond_it(changes: list[tuple[Any, ...]], error: type[Exception], match: str) -> None:
    document = stored("dp-sgd-certified") | {"enclosure": None}
    for value, *where in changes:
        document = put(document, value, *where)
    with pytest.raises(error, match=match):
        recheck.claim_of(document)
    assert recheck.recheck(recheck.parse(signed(document)))[0] == "UNDECIDED"


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ("<", ("claim", "relation")),
        ("delta", ("claim", "quantity")),
        ("add-one", ("adjacency",)),
        ("TRUE", ("verdict",)),
    ],
)
def test_other_words_are_rejected(value: str, where: tuple[str, ...]) -> None:
    with pytest.raises(recheck.Rejected, match=f"^{where[-1]} must be [^,]*$"):
        recheck.claim_of(recheck.parse(signed(put(stored("laplace-certified"), value, *where))))


def test_sampled_guarantees_are_beyond_it_where_a_record_is_zeroed() -> None:
    """What a zeroed record contributes is known of noise on a sum, not of every mechanism."""
    guarantee = {"name": "pure_dp", "parameters": {"epsilon": "1"}, "base": None}
    with pytest.raises(recheck.Beyond, match="poisson of 'pure_dp' under zero-out"):
        recheck.law({"name": "poisson", "parameters": {"q": "0.1"}, "base": guarantee}, "zero-out", set())


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"p": "1.5", "categories": "2"}, recheck.Beyond),
        ({"p": "0.5", "categories": "1"}, recheck.Beyond),
        ({"p": "0.5", "categories": "2.5"}, recheck.Rejected),
    ],
)
def test_parameters_of_randomised_response(parameters: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        recheck.law({"name": "randomized_response", "parameters": parameters, "base": None}, "remove", set())


def test_numbers_and_integers() -> None:
    assert recheck.number("1/3") == Fraction(1, 3) and recheck.number("1E300") == 10**300
    for text in ("1e5/3", "1E5/3"):
        with pytest.raises(recheck.Beyond, match="no decimal and no fraction"):
            recheck.number(text)
    assert recheck.loads(b'{"a": 9007199254740991}') == {"a": 2**53 - 1}
    with pytest.raises(recheck.Rejected, match="twice"):
        recheck.loads(b'{"a": 1, "a": 1}')
    with pytest.raises(recheck.Rejected, match="bytes"):
        recheck.loads(b'{"a": 1}' + b" " * recheck.MAX_BYTES)
    with pytest.raises(recheck.Rejected, match="too large"):
        recheck.loads(b'{"a": 9007199254740992}')


@pytest.mark.parametrize("kind", ["list", "object"])
def test_nesting_ends_at_its_limit(kind: str) -> None:
    value: Any = 1
    for _ in range(recheck.MAX_DEPTH - 1):
        value = [value] if kind == "list" else {"a": value}
    assert recheck.canonical({"witness": value})
    with pytest.raises(recheck.Rejected, match="nested"):
        recheck.canonical({"witness": [value]})


# --- the enclosure ---

ENCLOSURES: dict[str, tuple[object, str, str, str]] = {
    "a number": (42, "decided by δ", "CERTIFIED", "REJECTED"),
    "upside down": ({"lower": "6", "upper": "5"}, "decided by δ", "CERTIFIED", "REJECTED"),
    "upside down, undecided": ({"lower": "6", "upper": "5"}, "why not", "UNDECIDED", "REJECTED"),
    "the contrary": ({"lower": "5", "upper": "6"}, "decided by δ", "CERTIFIED", "REJECTED"),
    "too wide": ({"lower": "4", "upper": "6"}, "", "CERTIFIED", "REJECTED"),
    "too wide, with a reason": ({"lower": "4", "upper": "6"}, "decided by δ", "CERTIFIED", "CONFIRMED"),
    "none": (None, "decided by δ", "CERTIFIED", "CONFIRMED"),
}


@pytest.mark.parametrize(("enclosure", "reason", "verdict", "outcome"), ENCLOSURES.values(), ids=ENCLOSURES)
def test_a_reason_excuses_a_wide_enclosure_and_nothing_else(
    enclosure: object, reason: str, verdict: str, outcome: str
) -> None:
    changed = {"enclosure": enclosure, "reason": reason, "verdict": verdict}
    try:
        found = recheck.recheck(recheck.parse(signed(stored("laplace-certified") | changed)))[0]
    except recheck.Rejected:
        found = "REJECTED"
    assert found == outcome


TOUCHING = [
    # relation, ε, verdict, enclosure: of 1-DP at δ = 0, whose true ε is 1; whether the verdict follows
    ("<=", "1", "CERTIFIED", "0 1", True),
    ("<=", "1", "CERTIFIED", "0 2", False),
    (">=", "1", "CERTIFIED", "1 2", True),
    (">=", "1", "CERTIFIED", "0 2", False),
    ("=", "1", "CERTIFIED", "1 1", True),
    ("=", "1", "CERTIFIED", "0 1", False),
    ("=", "1", "CERTIFIED", "1 2", False),
    ("<=", "1/2", "REFUTED", "3/4 1", True),
    ("<=", "1/2", "REFUTED", "1*2^-1 1", False),
    (">=", "2", "REFUTED", "1 3/2", True),
    (">=", "2", "REFUTED", "1 2", False),
    ("=", "1/2", "REFUTED", "3/4 1", True),
    ("=", "1/2", "REFUTED", "1*2^-1 1", False),
    ("=", "2", "REFUTED", "1 3/2", True),
    ("=", "2", "REFUTED", "1 2", False),
]
"""An end of the enclosure is the claimed ε, or close to it."""


def touching(relation: str, epsilon: str, verdict: str, enclosure: str, *_: bool) -> bytes:
    """A certificate without a reason."""
    document = put(stored("laplace-certified"), "pure_dp", *STEP, "name")
    document = put(put(document, {"epsilon": "1"}, *STEP, "parameters"), 1, "composition", 0, "count")
    document["claim"] |= {"relation": relation, "epsilon": epsilon, "delta": "0"}
    needed = [{"id": each, "text": recheck.ASSUMPTIONS[each]} for each in ("guarantee", "noise", "releases")]
    ends = dict(zip(("lower", "upper"), enclosure.split(), strict=True))
    return signed(document | {"assumptions": needed, "verdict": verdict, "enclosure": ends, "reason": ""})


@pytest.mark.parametrize("row", TOUCHING)
def test_an_enclosure_that_ends_at_the_claim_proves_no_more_than_that(row: Any) -> None:
    document = recheck.parse(touching(*row))
    if row[-1]:
        assert recheck.recheck(document)[0] == "CONFIRMED"
        return
    with pytest.raises(recheck.Rejected, match="does not follow from the enclosure"):
        recheck.recheck(document)


# --- what is said ---


def test_it_says_where_delta_is() -> None:
    outcome, lines = recheck.recheck(stored("laplace-certified"))
    assert outcome == "CONFIRMED" and "found: CERTIFIED; δ(ε) is in [" in "\n".join(lines)


def test_conditional_verdicts_are_not_for_it() -> None:
    """Whether the assumption holds is no question of numbers."""
    document = stored("laplace-certified") | {"verdict": "CONDITIONAL", "enclosure": None}
    assert recheck.recheck(recheck.parse(signed(document)))[0] == "UNDECIDED"


def enveloped(
    document: dict[str, Any],
    subject: object = None,
    signatures: object = ({"sig": "eHh4"},),
    kind: str = "application/vnd.in-toto+json",
    statement_is: str = "https://in-toto.io/Statement/v1",
    of: str = "urn:pldverify-certificate:1",
) -> bytes:
    """In a DSSE envelope, as an in-toto statement; the signature is anybody's."""
    statement = {
        "_type": statement_is,
        "subject": subject
        if subject is not None
        else [{"name": "x", "digest": {"sha256": document["sha256"]}}],
        "predicateType": of,
        "predicate": document,
    }
    payload = base64.b64encode(json.dumps(statement).encode()).decode()
    content = {"payloadType": kind, "payload": payload, "signatures": signatures}
    return json.dumps(content).encode()


FILES: dict[str, tuple[bytes, int, str]] = {
    "confirmed": ((STORED / "laplace-certified.json").read_bytes(), 0, "CONFIRMED"),
    "in an envelope": (
        enveloped(stored("laplace-certified"), signatures=[{"keyid": "me", "sig": "eHh4"}]),
        0,
        "in an envelope whose signatures were not checked",
    ),
    "in an envelope, unsigned": (
        enveloped(stored("laplace-certified"), signatures=[]),
        0,
        "in an envelope, but nobody signed it",
    ),
    **{
        f"signed by {row}": (enveloped(stored("laplace-certified"), signatures=[row]), 2, "REJECTED")
        for row in (0, None, "eHh4", {}, {"sig": 0}, {"sig": ""}, {"sig": "no base64!"}, {"keyid": "me"})
    },
    "another payload type": (enveloped(stored("laplace-certified"), kind="text/plain"), 2, "payloadType"),
    "another statement": (enveloped(stored("laplace-certified"), statement_is="x"), 2, "_type must be"),
    "of something else": (enveloped(stored("laplace-certified"), of="x"), 2, "predicateType must be"),
    "another subject": (
        enveloped(stored("laplace-certified"), [{"name": "x", "digest": {"sha256": "0" * 64}}]),
        2,
        "subject",
    ),
    "no subject": (enveloped(stored("laplace-certified"), []), 2, "subject"),
    "strange subjects": (enveloped(stored("laplace-certified"), ["x", {"name": "x"}]), 2, "subject"),
    "another digest beside": (
        enveloped(
            stored("laplace-certified"),
            [{"name": "x", "digest": {"sha256": stored("laplace-certified")["sha256"], "sha1": "1"}}],
        ),
        0,
        "CONFIRMED",
    ),
    "contradicted": (
        signed(stored("laplace-certified") | {"verdict": "REFUTED", "enclosure": None}),
        1,
        "CONTRADICTED",
    ),
    "rejected": (b"{}", 2, "REJECTED"),
    "undecided": (
        signed(put(stored("laplace-certified"), "unknown", "composition", 0, "mechanism", "name")),
        3,
        "beyond this",
    ),
    "an error of its own": (signed(stored("laplace-certified")), 70, "says nothing"),
}


@pytest.mark.parametrize(("data", "code", "words"), FILES.values(), ids=FILES)
def test_exit_codes_of_the_script(
    data: bytes,
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(data)
    monkeypatch.setattr(sys, "argv", [str(FILE), str(path)])
    monkeypatch.setattr(sys, "path", ["a folder", *sys.path])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    if code == 70:
        monkeypatch.setattr("fractions.Fraction.__truediv__", lambda self, other: {}[0])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(FILE), run_name="__main__")
    assert ended.value.code == code and words in capsys.readouterr().out
    assert ("a folder" in sys.path) == sys.flags.safe_path
