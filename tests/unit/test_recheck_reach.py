"""What the checker knows of sampling, batches, counted laws, promises and irrational numbers: against closed
forms, integrals and sums that share nothing with it."""

import itertools
import json
import math
import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify import recheck
from pldverify.certificate.issue import document
from tests.unit.test_recheck import put, signed, stored

ONE = Fraction(1)


def ends(
    law: Any, count: int, epsilon: str, size: int = 500, remove: bool = True, below: Any = None
) -> tuple[Any, Any]:
    """Bounds of δ at ε, of one law, or of ``below`` from below."""
    found = []
    for one, kind in ((below or law, recheck.Lower), (law, recheck.Upper)):
        asked = recheck.Claim("<=", Fraction(epsilon), Fraction(1, 10**5), ((one, count),), (remove,))
        found.append(recheck.bound(asked, remove, kind, size, [0]))
    return found[0], found[1]


def encloses(bounds: tuple[Any, Any], truth: Any, share: float) -> bool:
    """Whether the truth is between them, and they are as close as that share of it."""
    lower, upper = (mpmath.mpf(x.numerator) / x.denominator for x in bounds)
    slack = mpmath.mpf(10) ** -11
    return bool(lower * (1 - slack) <= truth <= upper * (1 + slack) and upper - lower <= share * truth)


def delta(p: list[tuple[str, str]], q: list[tuple[str, str]], epsilon: str, laplace: bool = False) -> Any:
    """∫ (p − e^ε q)₊ of mixtures of noise, (centre, weight) each: by distribution functions between the zeros
    of the integrand, whose errors count in the second order."""
    rows = [(float(a), float(w)) for a, w in p]
    rows += [(float(a), -float(w) * math.exp(float(epsilon))) for a, w in q]

    def gain(y: float) -> float:
        return sum(w * math.exp(-abs(y - a) if laplace else -((y - a) ** 2) / 2) for a, w in rows)

    def below(y: float) -> Any:
        half = (lambda x: 1 - mpmath.exp(-x) / 2 if x > 0 else mpmath.exp(x) / 2) if laplace else mpmath.ncdf
        return mpmath.fsum(w * half(mpmath.mpf(y) - a) for a, w in rows)

    cuts, grid = [-60.0], [i / 4 + 1e-3 for i in range(-40, 60)]
    for a, b in itertools.pairwise(grid):
        if (gain(a) > 0) != (gain(b) > 0):
            for _ in range(60):
                a, b = (a, (a + b) / 2) if (gain(a) > 0) != (gain((a + b) / 2) > 0) else ((a + b) / 2, b)
            cuts.append(a)
    pieces = [below(b) - below(a) for a, b in itertools.pairwise([*cuts, 60.0])]
    return mpmath.fsum(piece for piece in pieces if piece > 0)


def one(name: str, base: Any = None, **parameters: Any) -> dict[str, Any]:
    return {"name": name, "parameters": parameters, "base": base}


GAUSSIAN = one("gaussian", sigma="2", sensitivity="1")


# --- Lemma M, and what rests on it ---


@pytest.mark.parametrize("noise", [recheck.Gaussian, recheck.Laplace])
@pytest.mark.parametrize("seed", range(3))
def test_ratios_of_mixtures_rise(noise: str, seed: int) -> None:
    """In exact exponents, at random outcomes."""
    rng = random.Random(seed)
    fixed = recheck.Fixed(200)
    for _ in range(10):
        rows = [
            tuple((Fraction(rng.randint(*between), 4), Fraction(1, n)) for _ in range(n))
            for between, n in (((0, 9), rng.randint(1, 3)), ((-9, 0), rng.randint(1, 3)))
        ]
        pair = recheck.Pair(noise, rows[0], rows[1])
        outcomes = sorted(Fraction(rng.randint(-80, 80), 10) for _ in range(8))
        ratios = [pair.at(y, fixed)[0] for y in outcomes]
        assert all(b[0] <= a[1] for a, b in itertools.pairwise(ratios))


@pytest.mark.parametrize("remove", [True, False])
def test_marks_are_found_where_the_ratio_is_nearly_constant(remove: bool) -> None:
    """Secants crept there, and the first outcome of large noise ratios was one of the wrong loss."""
    pair = recheck.shifted(recheck.Gaussian, Fraction(256, 100), Fraction(1, 98))
    low, high = pair.span(45.0, remove)
    h = Fraction((high - low) / 100 / recheck.FINER)
    pair = pair if remove else pair.turned
    marks = pair.marks(h, 45.0)
    assert 40 <= len(marks) <= 110 and 0 in [j for j, _ in marks]
    for j, y in marks:
        loss = pair.log(float(y))
        assert -1e-9 < loss - j * float(h) < 0


@pytest.mark.parametrize(
    ("b", "monotone", "adjacency"),
    [
        ("1", "False", "add"),
        ("1/2", "True", "replace-one"),
        ("8", "True", "add"),
        ("16", "False", "replace-one"),
    ],
)
def test_noisy_max_has_the_profile_of_noise_with_blunt_corners(b: str, monotone: str, adjacency: str) -> None:
    """By quadrature: log f falls by 1/4 more from each of four corners on. It is not attained."""
    base = one("noisy_max", b=b, sensitivity="1", monotone=monotone)
    above, below, tight = recheck.law(base, adjacency, set())
    assert len(below) == 8 and tight == 0 and above.symmetric
    ends = [mpmath.mpf(x) / 500 for x in (76, 76 + 158, 76 + 158 + 179, 76 + 158 + 179 + 76)]
    c = (
        (2 if monotone == "False" else 1)
        * (2 if adjacency == "replace-one" else 1)
        / mpmath.mpf(Fraction(b).numerator)
        * Fraction(b).denominator
    )

    def density(x: Any) -> Any:
        return mpmath.exp(-mpmath.fsum(max(abs(x) - end, 0) for end in ends) / 4)

    corners = sorted(
        {
            -60,
            60,
            *(a * side for a in ends for side in (-1, 1)),
            *(c + a * side for a in ends for side in (-1, 1)),
        }
    )
    whole = mpmath.quad(density, sorted({-60, 60, *(a * side for a in ends for side in (-1, 1))}))
    for share in ("0", "1/3", "4/5"):
        epsilon = Fraction(share) * above.far
        growth = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        gain = lambda x: density(x - c) - growth * density(x)  # noqa: E731, B023
        low, high = mpmath.mpf(-60), mpmath.mpf(60)
        for _ in range(120):  # the ratio rises: there is a gain from some x on
            middle = (low + high) / 2
            low, high = (low, middle) if gain(middle) > 0 else (middle, high)
        found = mpmath.quad(gain, sorted({high, *(a for a in corners if a > high)})) / whole
        claim = recheck.Claim("<=", epsilon, Fraction(1, 10**4), ((above, 1),), (True,))
        least, most = (float(recheck.bound(claim, True, x, 500, [0])) for x in (recheck.Lower, recheck.Upper))
        assert least <= found + 1e-12 and found - 1e-12 <= most <= found + 1e-4
        assert least >= found - 1e-4


def test_a_noisy_max_is_not_said_to_be_attained() -> None:
    document = stored("noisy-max-certified")
    with pytest.raises(recheck.Rejected, match="pairs that only bound"):
        recheck.claim_of(document | {"standing": "exact"})
    claim = document["claim"] | {"epsilon": "3.1"}  # between what is proved from both sides
    assert (
        recheck.decide(recheck.claim_of(document | {"claim": claim, "enclosure": None}), cells=300)[0]
        == "UNDECIDED"
    )


def test_centres_that_are_not_ordered_are_refused() -> None:
    half = Fraction(1, 2)
    with pytest.raises(recheck.Beyond, match="ratio does not rise"):
        recheck.Pair(recheck.Gaussian, ((-ONE, half), (ONE, half)), ((Fraction(0), ONE),))
    many = tuple((Fraction(i), Fraction(1, 100)) for i in range(100))
    with pytest.raises(recheck.Beyond, match="more than"):
        recheck.Pair(recheck.Gaussian, many, ((Fraction(0), ONE),))


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1.5"])
def test_a_sampled_record_that_is_replaced(epsilon: str) -> None:
    found = recheck.law(one("poisson", GAUSSIAN, q="0.3"), "replace-one", set())
    truth = delta([("0", "0.7"), ("0.5", "0.3")], [("0", "0.7"), ("-0.5", "0.3")], epsilon)
    assert found[0].symmetric and found[2] is None
    assert encloses(ends(found[0], 1, epsilon, 1000), truth, 1e-3)


@pytest.mark.parametrize("adjacency", ["zero-out", "add-or-remove"])
def test_a_zeroed_record_is_a_removed_one(adjacency: str) -> None:
    above, below, tight = recheck.law(one("poisson", GAUSSIAN, q="0.3"), adjacency, set())
    truth = delta([("0", "0.7"), ("0.5", "0.3")], [("0", "1")], "0.2")
    assert tight is None and not above.symmetric
    assert encloses(ends(above, 1, "0.2", below=below), truth, 1e-3)
    back = delta([("0", "1")], [("0", "0.7"), ("0.5", "0.3")], "0.2")
    assert encloses(ends(above, 1, "0.2", remove=False, below=below), back, 1e-3)


def test_laplace_noise_in_a_poisson_sample() -> None:
    above, below, _ = recheck.law(
        one("poisson", one("laplace", b="2", sensitivity="3"), q="0.25"), "add", set()
    )
    for remove, rows in ((True, 1), (False, -1)):
        mixed, base = [("0", "0.75"), ("1.5", "0.25")], [("0", "1")]
        truth = delta(*((mixed, base)[::rows]), "0.2", laplace=True)
        assert encloses(ends(above, 1, "0.2", 500, remove, below), truth, 1e-3)


@pytest.mark.parametrize("remove", [True, False])
def test_a_mixture_of_gaussians(remove: bool) -> None:
    """A group of two records, each sampled with probability 1/10."""
    group = one("mixture_of_gaussians", sigma="1", sensitivities=["0", "1", "2", "1"])
    group["parameters"]["probabilities"] = ["0.81", "0.1", "0.01", "0.08"]
    above, below, tight = recheck.law(group, "add-or-remove", set())
    mixed, base = [("0", "0.81"), ("1", "0.18"), ("2", "0.01")], [("0", "1")]
    truth = delta(*((mixed, base)[:: 1 if remove else -1]), "0.1")
    assert tight is None and encloses(ends(above, 1, "0.1", remove=remove, below=below), truth, 1e-3)
    with pytest.raises(recheck.Beyond):
        recheck.law(group, "replace-one", set())


@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize("laplace", [True, False])
def test_a_histogram_with_a_threshold(laplace: bool, remove: bool) -> None:
    """Above, ρ + (1 − ρ)δ of the noise, which is what no neighbours exceed; below, the noise's δ."""
    base = one("laplace", b="2", sensitivity="1") if laplace else GAUSSIAN
    shown = one("thresholded_histogram", base, threshold="5")
    above, below, tight = recheck.law(shown, "add-or-remove", set())
    lower, upper = (
        mpmath.mpf(x.numerator) / x.denominator for x in ends(above, 1, "0.2", 2000, remove, below)
    )
    noise = delta([("0.5", "1")], [("0", "1")], "0.2", laplace)
    rare = mpmath.exp(-2) / 2 if laplace else mpmath.ncdf(-2)
    assert tight == 1 and 0.999 * noise < lower <= noise * (1 + mpmath.mpf(10) ** -11)
    assert (
        rare + (1 - rare) * noise <= upper * (1 + mpmath.mpf(10) ** -11) < 1.001 * (rare + (1 - rare) * noise)
    )


@pytest.mark.parametrize(
    ("base", "adjacency"),
    [
        (GAUSSIAN, "replace-one"),
        (one("gaussian", sigma="sqrt(2)", sensitivity="1"), "add"),
        (one("discrete_laplace", b="2", sensitivity="1"), "add"),
    ],
)
def test_other_thresholds_are_beyond(base: Any, adjacency: str) -> None:
    with pytest.raises(recheck.Beyond):
        recheck.law(one("thresholded_histogram", base, threshold="5"), adjacency, set())


@pytest.mark.parametrize("monotone", ["True", "False"])
def test_permute_and_flip(monotone: str) -> None:
    """Laplace noise that moves by ε, or by ε/2; in several steps two candidates, e^(−c/2)/2 and the rest."""
    chosen, move = (
        one("permute_and_flip", epsilon="0.8", monotone=monotone),
        0.4 if monotone == "True" else 0.8,
    )
    above, below, tight = recheck.law(chosen, "add", set(), True)
    truth = delta([(str(move), "1")], [("0", "1")], "0.2", laplace=True)
    assert tight == 1 and encloses(ends(above, 1, "0.2", below=below), truth, 1e-3)
    rarer = mpmath.exp(-mpmath.mpf(str(move)) / 2) / 2
    seen, *others = recheck.law(chosen, "add", set())[1]
    for remove in (True, False):
        assert encloses(
            ends(seen, 1, "0.2", remove=remove), 1 - rarer - mpmath.exp(mpmath.mpf("0.2")) * rarer, 1e-3
        )
    for i, law in enumerate(others, 9):  # F((s − 1)c) against F(sc) of Laplace noise, or the rest
        p, q = (
            mpmath.exp(-(1 - mpmath.mpf(i) / 16) * move) / 2,
            1 - mpmath.exp(-mpmath.mpf(i) / 16 * move) / 2,
        )
        rest = 1 - p - mpmath.exp(mpmath.mpf("0.2")) * (1 - q)
        assert encloses(ends(law, 1, "0.2"), rest, 1e-3)
    with pytest.raises(recheck.Rejected, match="True or False"):
        recheck.law(one("permute_and_flip", epsilon="1", monotone="1"), "add", set())
    nothing = recheck.law(one("permute_and_flip", epsilon="0", monotone=monotone), "add", set())
    assert all(low == 0 and high < 1e-12 for low, high in (ends(law, 2, "0") for law in nothing[:2]))


def bounded_range(eta: Any, s: Any) -> Any:
    """The largest δ(s) of binary pairs with losses t and t − η, by a search over t."""

    def delta(t: Any) -> Any:
        q = mpmath.expm1(eta - t) / mpmath.expm1(eta)
        return max(q * (mpmath.exp(t) - mpmath.exp(s)), 0)

    low, high = max(s, mpmath.mpf(0)), mpmath.mpf(eta)
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if delta(a) < delta(b) else (low, b)
    return delta(low)


@pytest.mark.parametrize(
    ("epsilon", "share"),
    [("1e-3", "0"), ("0.1", "0.9"), ("1", "0.3"), ("7", "0.9"), ("100", "0.3"), ("100", "0.9")],
)
@pytest.mark.parametrize("monotone", ["True", "False"])
def test_one_choice_of_bounded_range(epsilon: str, share: str, monotone: str) -> None:
    """Both ends of one choice alone, in both directions."""
    said = one("exponential", epsilon=epsilon, monotone=monotone, times="1")
    above, below, tight = recheck.law(said, "add", set(), True)
    eta = Fraction(epsilon) / (2 if monotone == "True" else 1)
    at = str(eta * Fraction(share))
    with mpmath.workdps(60):
        truth = bounded_range(mpmath.mpf(eta.numerator) / eta.denominator, mpmath.mpf(float(Fraction(at))))
        assert tight == 1
        for remove in (True, False):
            assert encloses(ends(above, 1, at, 250, remove, below), truth, 1e-2)


@pytest.mark.parametrize("seed", range(4))
def test_choices_of_bounded_range_in_several_steps(seed: int) -> None:
    """Binary pairs with any t in each step are below what dominates; log-odds of ±η/2 are what is had."""
    rng = random.Random(seed)
    k, eta = rng.choice([2, 3, 6]), mpmath.mpf(rng.choice(["0.1", "1", "4", "20"]))
    said = one("exponential", epsilon=mpmath.nstr(eta, 5), monotone="False", times="1")
    above, below, _ = recheck.law(said, "replace-one", set())

    def delta(ts: list[Any], s: Any) -> Any:
        rows = [(mpmath.mpf(1), mpmath.mpf(1))]
        for t in ts:
            q = mpmath.expm1(eta - t) / mpmath.expm1(eta)
            pair = ((q * mpmath.exp(t), q), (1 - q * mpmath.exp(t), 1 - q))
            rows = [(a * c, b * d) for a, b in rows for c, d in pair]
        return mpmath.fsum(max(a - mpmath.exp(s) * b, 0) for a, b in rows)

    for share in (0.05, 0.3, 0.6):
        at = Fraction(round(share * k * float(eta) * 1000), 1000)
        lower, upper = ends(above, k, str(at), 500, below=below)
        s, even = mpmath.mpf(float(at)), delta([eta / 2] * k, float(at))
        assert float(lower) <= even * (1 + 1e-12) and even * (1 - 1e-3) <= float(lower) + 1e-30
        for _ in range(5):
            any_t = [eta * mpmath.mpf(rng.random()) for _ in range(k)]
            assert max(even, delta(any_t, s)) <= float(upper) * (1 + 1e-12)


def test_choices_are_concentrated_too() -> None:
    """Many of them: the conversion of η²/8 certifies less than logistic pairs do, and it alone."""
    said = one("exponential", epsilon="0.1", monotone="False", times="1")
    law, below, _ = recheck.law(said, "add", set())
    asked = recheck.Claim("<=", Fraction(17, 5), Fraction(1, 10**5), ((law, 200),), (True,))
    small = recheck.bound(asked, True, recheck.Upper, 500, [0])
    rho = asked._replace(parts=((recheck.Concentrated(ONE, Fraction(1, 800)), 200),))
    assert float(small) == pytest.approx(
        float(recheck.bound(rho, True, recheck.Upper, 500, [0])), rel=1e-9, abs=0
    )
    pairs = asked._replace(parts=((law._replace(rho=None), 200),))
    assert small <= asked.delta < recheck.bound(pairs, True, recheck.Upper, 500, [0])
    had = recheck.Claim("<=", Fraction(2), Fraction(1, 10**5), ((below, 200),), (True,))
    assert recheck.bound(had, True, recheck.Lower, 500, [0]) > 0
    with pytest.raises(recheck.Beyond):
        recheck.law(one("exponential", epsilon="1", monotone="False", times="2"), "add", set())


# --- promises of Rényi divergences ---


def divergence(p: list[Any], q: list[Any], order: Any) -> Any:
    rows = zip(p, q, strict=True)
    return mpmath.log(mpmath.fsum(a**order * b ** (1 - order) for a, b in rows)) / (order - 1)


@pytest.mark.parametrize("seed", range(6))
def test_no_pair_that_keeps_a_promise_exceeds_it(seed: int) -> None:
    """Random laws, their own divergences promised, rounded up: δ of several of them by enumeration."""
    rng = random.Random(seed)
    p, q = ([mpmath.mpf(rng.randint(1, 30)) for _ in range(3)] for _ in range(2))
    p, q = ([x / mpmath.fsum(law) for x in law] for law in (p, q))
    orders = rng.sample(["1.05", "1.5", "2", "3.25", "8", "40"], rng.randint(1, 4))
    most = [max(divergence(p, q, mpmath.mpf(a)), divergence(q, p, mpmath.mpf(a))) for a in orders]
    told = [str(math.ceil(x * 10**9)) + "/1000000000" for x in most]
    above, below, tight = recheck.law(one("renyi_dp", orders=orders, divergences=told), "replace-one", set())
    assert tight == 0 and above.symmetric
    k = rng.choice([1, 2, 4])
    rows = [(mpmath.mpf(1), mpmath.mpf(1))]
    for _ in range(k):
        rows = [(a * c, b * d) for a, b in rows for c, d in zip(p, q, strict=True)]
    for epsilon in ("0.01", "0.3", "1", "3"):
        lower, upper = ends(above, k, epsilon, 250, below=below)
        truth = mpmath.fsum(max(a - mpmath.exp(float(epsilon)) * b, 0) for a, b in rows)
        assert truth <= float(upper) * (1 + 1e-9) and lower <= upper


def test_a_promise_of_divergences_by_its_best_order() -> None:
    """Order 8, τ = 1: λ = 7 is asked, and nothing beyond; by mpmath. Between 2 and 8 the chord counts."""
    law = recheck.law(one("renyi_dp", orders=["8"], divergences=["1"]), "add", set())[0]
    for epsilon in ("2", "4"):
        least = min(
            mpmath.exp(lam * (1 - mpmath.mpf(epsilon))) * (lam / (lam + 1)) ** (lam + 1) / lam
            for lam in (mpmath.mpf(i) / 100 for i in range(1, 701))
        )
        found = recheck.converted([(law, 1)], True, Fraction(epsilon), recheck.Fixed(100)) / 2**100
        assert 0.999 * least <= found <= 1.001 * least


@pytest.mark.parametrize(
    ("orders", "divergences"), [([], []), (["2"], ["1", "1"]), (["1"], ["0.1"]), (["2"] * 101, ["1"] * 101)]
)
def test_promises_of_no_divergences_are_beyond_it(orders: Any, divergences: Any) -> None:
    with pytest.raises(recheck.Beyond, match="orders above 1"):
        recheck.law(one("renyi_dp", orders=orders, divergences=divergences), "add", set())


def test_a_divergence_of_nothing_is_no_loss() -> None:
    law, below, _ = recheck.law(one("renyi_dp", orders=["2", "3"], divergences=["0", "1"]), "add", set())
    assert (
        ends(law, 3, "0", 250, below=below)[0] == 0 and float(ends(law, 3, "0", 250, below=below)[1]) < 1e-12
    )


def test_moments_are_exact_numbers() -> None:
    """An order that is an integer would make its terms floats."""
    for law in (
        recheck.Concentrated(Fraction(1, 10), Fraction(1, 10)),
        recheck.renyi(ONE, [Fraction(2)], [ONE]),
    ):
        for remove in (True, False):
            assert all(isinstance(x, Fraction) for row in law.moments(remove)[0][1:] for x in row)


def test_monotone_scores_do_not_stay_so_where_a_record_is_replaced() -> None:
    recheck.law(one("permute_and_flip", epsilon="1", monotone="False"), "replace-one", set())
    with pytest.raises(recheck.Beyond, match="monotone scores"):
        recheck.law(one("permute_and_flip", epsilon="1", monotone="True"), "replace-one", set())


@pytest.mark.parametrize("adjacency", ["add", "replace-one"])
def test_a_vote_of_teachers(adjacency: str) -> None:
    """Two counts whose means are √2 apart; the winner of two classes, one vote ahead or behind."""
    above, (below, *others), tight = recheck.law(one("gnmax", sigma="3"), adjacency, set())
    mu = mpmath.sqrt(2) / 3
    truth = mpmath.ncdf(mu / 2 - 0.25 / mu) - mpmath.exp(0.25) * mpmath.ncdf(-mu / 2 - 0.25 / mu)
    assert tight == 0 and encloses(ends(above, 1, "0.25"), truth, 1e-9)
    first = mpmath.ncdf(1 / (mpmath.sqrt(2) * 3))
    assert encloses(ends(below, 1, "0.25"), first - mpmath.exp(0.25) * (1 - first), 1e-3)
    assert above.far**2 > Fraction(2, 9) > (above.far - Fraction(1, 10**50)) ** 2, "rounded up"
    leads = (
        mpmath.ncdf((1 - lead) / (mpmath.sqrt(2) * 3))
        - mpmath.exp(1.5) * mpmath.ncdf((-1 - lead) / (mpmath.sqrt(2) * 3))
        for lead in range(1, 40)
    )
    claim = recheck.Claim("<=", Fraction(3, 2), ONE / 1000, (), (True, False))
    found = max(
        float(recheck.bound(claim._replace(parts=((law, 1),)), way, recheck.Lower, 500, [0]))
        for law in others
        for way in claim.directions
    )
    assert 0.999 < found / float(max(leads)) < 1 + 1e-9, "of all leads"
    irrational = recheck.law(one("gnmax", sigma="sqrt(2)"), adjacency, set())
    assert irrational[0].far >= 1 > irrational[0].far - Fraction(1, 10**50)


def test_what_one_vote_tells_is_rounded_down() -> None:
    """1/2 < Φ(μ/2) by less than is allowed for, not more: √2 has its lower end below."""
    fixed = recheck.Fixed(900)
    ((p, q), _) = recheck.law(one("gnmax", sigma="1"), "add", set())[1][0].masses(fixed, 20.0)
    with mpmath.workdps(280):
        truth = mpmath.ncdf(-mpmath.sqrt(mpmath.mpf(1) / 2)) * mpmath.mpf(2) ** 900
        assert p[0] > truth and q[1] < 2**900 - truth
    law = recheck.law(one("gnmax", sigma="1"), "add", set())[1][3]  # of one step: d = ε/2h²
    law.prepare(20.0, [0], 3.0, 1)
    ((p, q), (left, other)) = law.masses(fixed, 20.0)
    with mpmath.workdps(280):
        first, second = (mpmath.ncdf(x / mpmath.sqrt(2)) * mpmath.mpf(2) ** 900 for x in (4, 2))
        assert all(0 <= x < first / 2**90 for x in (first - p[0], q[1] - second))
        assert all(0 <= x < 10**4 for x in (2**900 - p[0] - left[0], q[1] + other[1] - 2**900))


def test_approximate_zcdp_adds_its_events() -> None:
    """δ of k events beside what is promised: at most the sum, and no less than Gaussian noise has with
    them."""
    promise, event = recheck.Concentrated(ONE, Fraction(1, 50)), recheck.stated(ONE, Fraction(0), ONE / 1000)
    noise = recheck.shifted(recheck.Gaussian, Fraction(1, 5))  # ρ = μ²/2
    found = []
    for parts in (((promise, 3),), ((promise, 3), (event, 2)), ((promise, 2), (noise, 1), (event, 2))):
        asked = recheck.Claim("<=", ONE / 2, ONE / 100, parts, (True,))
        found.append(recheck.bound(asked, True, recheck.Upper, 500, [0]))
    assert found[1] == found[2] == found[0] + ONE / 500
    mu = mpmath.sqrt(3) / 5
    normal = mpmath.ncdf(mu / 2 - 0.5 / mu) - mpmath.exp(0.5) * mpmath.ncdf(-mu / 2 - 0.5 / mu)
    assert float(found[1]) > 1 - 0.999**2 * (1 - normal)
    asked = recheck.Claim("<=", ONE / 2, ONE / 100, ((promise, 1), (recheck.stated(ONE, ONE), 1)), (True,))
    with pytest.raises(recheck.Beyond, match="other losses"):
        recheck.bound(asked, True, recheck.Upper, 500, [0])


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("base", "laplace"), [(GAUSSIAN, False), (one("laplace", b="2", sensitivity="1"), True)]
)
@pytest.mark.parametrize("epsilon", ["0", "0.05", "0.4"])
def test_one_batch_without_replacement(base: Any, laplace: bool, epsilon: str) -> None:
    """δ(ε) is that of (1 − q)N(0) + qN(2C) against N(0) (Zhu, Dong, Wang 2022, Theorem 11)."""
    above, below, tight = recheck.law(one("sampled_without_replacement", base, q="0.2"), "replace-one", set())
    truth = delta([("0", "0.8"), ("1", "0.2")], [("0", "1")], epsilon, laplace)
    assert tight == 1 and above.symmetric
    assert encloses(ends(above, 1, epsilon, below=below), truth, 2e-3)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_a_batch_of_all_records_is_no_sample(noise: str) -> None:
    """It moves by 2C: the pair was taken apart once more, moved by 4C, and true certificates contradicted."""
    base = GAUSSIAN if noise == "gaussian" else one("laplace", b="2", sensitivity="1")
    above, below, tight = recheck.law(one("sampled_without_replacement", base, q="1"), "replace-one", set())
    truth = delta([("1", "1")], [("0", "1")], "0.3", laplace=noise == "laplace")
    assert tight is None and encloses(ends(above, 1, "0.3", below=below), truth, 1e-3)


def places(n: int) -> list[tuple[int, ...]]:
    """Contributions of n − 1 others, in units of C."""
    return list(itertools.combinations_with_replacement((-1, 0, 1), n - 1))


def mixed(rows: dict[int, Fraction]) -> list[tuple[str, str]]:
    """(centre, weight) where C is half of the noise."""
    return [(str(a / 2), str(float(w))) for a, w in rows.items()]


def draws(data: tuple[int, ...], m: int) -> dict[int, Fraction]:
    """Sums of m draws with replacement, by enumeration."""
    found: dict[int, Fraction] = {}
    for batch in itertools.product(data, repeat=m):
        found[sum(batch)] = found.get(sum(batch), Fraction(0)) + Fraction(1, len(data) ** m)
    return found


def cut(data: tuple[int, ...], q: Fraction, most: int) -> dict[int, Fraction]:
    """Sums of a Poisson sample of which at most so many are kept, by enumeration."""
    found: dict[int, Fraction] = {}
    for size in range(len(data) + 1):
        for sample in itertools.combinations(data, size):
            kept = list(itertools.combinations(sample, min(size, most)))
            share = q**size * (1 - q) ** (len(data) - size) / len(kept)
            for batch in kept:
                found[sum(batch)] = found.get(sum(batch), Fraction(0)) + share
    return found


@pytest.mark.parametrize("epsilon", ["0", "0.2"])
@pytest.mark.parametrize(("m", "n"), [(1, 3), (2, 2), (2, 4)])
def test_draws_with_replacement_against_all_small_data(m: int, n: int, epsilon: str) -> None:
    """Others anywhere, the record C and −C or 0: what is said to be attained is, what dominates does."""
    said = one("sampled_with_replacement", GAUSSIAN, m=str(m), n=str(n))
    above, below, tight = recheck.law(said, "replace-one", set())
    lower, upper = ends(above, 1, epsilon, size=250, below=below)
    found = [
        delta(mixed(draws((*rest, 1), m)), mixed(draws((*rest, to), m)), epsilon)
        for rest in places(n)
        for to in (-1, 0)
    ]
    back = delta(mixed(draws((*[-1] * (n - 1), -1), m)), mixed(draws((*[-1] * (n - 1), 1), m)), epsilon)
    attained = delta(mixed(draws((*[-1] * (n - 1), 1), m)), mixed(draws((*[-1] * (n - 1), -1), m)), epsilon)
    assert tight == int(m == 1) and above.symmetric and not below.symmetric
    assert max(found) <= float(upper) * (1 + 1e-11)
    assert encloses((lower, upper), attained, 3.0) and float(lower) >= attained * (1 - 2e-2)
    other, _ = ends(above, 1, epsilon, size=250, remove=False, below=below)
    assert back * (1 - 2e-2) <= float(other) <= back * (1 + 1e-11)


@pytest.mark.parametrize("epsilon", ["0.1", "1"])
def test_draws_with_replacement_are_a_mean_of_their_numbers(epsilon: str) -> None:
    r"""Σ b_j H_β(N(2Cj)‖N) by closed forms, β = 1 + (e^ε − 1)/(1 − b_0): Theorem 10 as it is printed."""
    m, n = 5, 20
    above, _, _ = recheck.law(one("sampled_with_replacement", GAUSSIAN, m="5", n="20"), "replace-one", set())
    chances = [math.comb(m, j) * (1 / n) ** j * (1 - 1 / n) ** (m - j) for j in range(m + 1)]
    beta = mpmath.log(1 + mpmath.expm1(float(epsilon)) / (1 - chances[0]))
    truth = mpmath.fsum(
        chances[j] * (mpmath.ncdf(j / 2 - beta / j) - mpmath.exp(beta) * mpmath.ncdf(-j / 2 - beta / j))
        for j in range(1, m + 1)
    )
    assert encloses((Fraction(0), ends(above, 1, epsilon, size=500)[1]), truth, 1.1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("epsilon", ["0", "0.2"])
@pytest.mark.parametrize(("n", "most"), [(2, 1), (3, 1), (4, 2)])
@pytest.mark.parametrize("adjacency", ["add-or-remove", "replace-one"])
def test_a_cut_sample_against_all_small_data(n: int, most: int, adjacency: str, epsilon: str) -> None:
    """Of 4 at most 2 are kept, and so on: everybody's contribution anywhere, both directions."""
    q, replaced = Fraction(2, 5), adjacency == "replace-one"
    sizes = {"q": "0.4", "dataset_size": str(n), "max_batch": str(most)}
    above, below, tight = recheck.law(one("truncated_poisson", GAUSSIAN, **sizes), adjacency, set())
    assert tight == 0 and above.symmetric == replaced
    for remove in (True, False):
        lower, upper = ends(above, 1, epsilon, size=250, remove=remove, below=below)
        pairs = [
            (mixed(cut((*rest, 1), q, most)), mixed(cut(other, q, most)))
            for rest in places(n)
            for other in ([(*rest, -1), (*rest, 0)] if replaced else [rest])
        ]
        found = [delta(*(pair if remove else pair[::-1]), epsilon) for pair in pairs]
        assert max(found) <= float(upper) * (1 + 1e-11)
        idle = mixed(cut((*[0] * (n - 1), 1), q, most)), [("0", "1")]
        attained = delta(*(idle if remove else idle[::-1]), epsilon)
        assert attained * (1 - 2e-2) <= float(lower) <= attained * (1 + 1e-11)


@pytest.mark.parametrize(("n", "q", "most"), [(30, "0.2", 7), (9, "0.5", 8), (40, "0.01", 3)])
def test_a_record_is_kept_as_often_as_is_said(n: int, q: str, most: int) -> None:
    """E[min(Bin(n, q), B)]/n, and Pr[K < B] of K ~ Bin(n − 1, q), in fractions; the rate where it is cut."""
    p, sizes = Fraction(q), {"q": q, "dataset_size": str(n), "max_batch": str(most)}
    above, below, _ = recheck.law(one("truncated_poisson", GAUSSIAN, **sizes), "add", set())

    def law(n: int) -> list[Fraction]:
        return [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]

    kept = sum(min(i, most) * w for i, w in enumerate(law(n))) / n
    fits = sum(law(n - 1)[:most])
    rate = sum(p * most / (i + 1) * w for i, w in enumerate(law(n - 1)) if i >= most) / (1 - fits)
    tiny = Fraction(1, 10**28)  # logarithms are enclosed to 32 digits
    (uncut, whole), (share, dear) = above.rows
    assert 0 <= kept - dict(below.p)[Fraction(1, 2)] < tiny and 0 <= fits - uncut < tiny
    assert 0 <= 1 - fits - share < tiny and 0 <= dict(dear.p)[ONE] - rate < tiny
    assert dict(whole.p)[Fraction(1, 2)] == p


def test_a_sample_that_is_never_cut_is_a_sample() -> None:
    sizes = {"q": "0.3", "dataset_size": "1000000", "max_batch": "1000000"}
    above, below, tight = recheck.law(one("truncated_poisson", GAUSSIAN, **sizes), "add-or-remove", set())
    assert tight is None and above.p == below.p == (
        (Fraction(0), Fraction(7, 10)),
        (Fraction(1, 2), Fraction(3, 10)),
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("truncated_poisson", {"q": "1", "dataset_size": "10", "max_batch": "5"}),
        ("truncated_poisson", {"q": "1/sqrt(5)", "dataset_size": "10", "max_batch": "5"}),
        ("truncated_poisson", {"q": "0.5", "dataset_size": "100000", "max_batch": "60000"}),
        ("sampled_with_replacement", {"m": "5000", "n": "2"}),
        ("sampled_with_replacement", {"m": "5", "n": "1"}),
    ],
)
def test_batches_that_are_beyond_it(name: str, said: dict[str, str]) -> None:
    with pytest.raises(recheck.Beyond):
        recheck.law(one(name, GAUSSIAN, **said), "replace-one", set())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("whole", "adjacency"),
    [
        (3 * pv.SampledWithReplacement(pv.Gaussian(sigma=4), m=5, n=20), "replace-one"),
        (5 * pv.TruncatedPoisson(pv.Gaussian(sigma=2), "0.05", 200, 12), "replace-one"),
        (5 * pv.TruncatedPoisson(pv.Gaussian(sigma=2), "0.05", 200, 12), "add-or-remove"),
    ],
)
def test_several_steps_lie_where_the_engines_have_them(whole: Any, adjacency: str) -> None:
    """A hundredth beyond the ends that are proved by other means."""
    found = pv.bracket(whole, delta="1e-5", adjacency=adjacency)
    for epsilon, verdict in (
        (float(found.lower) - 0.01, "REFUTED"),
        (float(found.upper) + 0.01, "CERTIFIED"),
    ):
        claim = pv.certify(pv.Query(whole, delta="1e-5", adjacency=adjacency), f"{epsilon:.6f}")
        checked = recheck.parse(document(claim).text().encode())
        assert str(claim.verdict) == verdict and recheck.recheck(checked)[0] == "CONFIRMED"


def test_many_batches_lie_between_what_is_attained_and_what_dominates() -> None:
    """Two steps, at ε: above, δ is the integral of δ₁(ε − loss) over the pair's own law."""
    q, move, epsilon = mpmath.mpf("0.2"), mpmath.mpf(1), mpmath.mpf("0.3")
    above, below, _ = recheck.law(one("sampled_without_replacement", GAUSSIAN, q="0.2"), "replace-one", set())

    def profile(e: Any) -> Any:
        """H of M against N for e ≥ 0, of N against M below."""
        if e < 0:
            return 1 - mpmath.exp(e) + mpmath.exp(e) * profile(-e)
        cut = mpmath.log((mpmath.exp(e) - 1 + q) / q) / move + move / 2
        return q * mpmath.ncdf(move - cut) + (1 - q - mpmath.exp(e)) * mpmath.ncdf(-cut)

    with mpmath.workdps(20):
        half = move / 2

        def at(y: Any) -> Any:
            m = (1 - q) * mpmath.npdf(y) + q * mpmath.npdf(y - move)
            loss = mpmath.log(m / mpmath.npdf(y))
            return m * profile(epsilon - loss) + mpmath.npdf(y) * profile(epsilon + loss)

        middle = 1 - q * mpmath.ncdf(half) - (2 - q) * mpmath.ncdf(-half)
        truth = mpmath.quad(at, [half, 1, 3, 6, 12]) + middle * profile(epsilon)
    lower, upper = ends(above, 2, "0.3", below=below)
    assert float(lower) < truth <= float(upper) * (1 + 1e-12) and float(upper) < truth * 1.001


# --- counted laws ---


@pytest.mark.parametrize("remove", [True, False])
def test_a_finite_pair_twice(remove: bool) -> None:
    p, q = ["0.5", "0.3", "0.2", "0"], ["0.2", "0.3", "0.4", "0.1"]
    above, below, _ = recheck.law(one("finite_pair", p=p, q=q), "replace-one", set())
    rows = [(Fraction(a), Fraction(b)) for a, b in zip(p, q, strict=True)]
    rows = rows if remove else [(b, a) for a, b in rows]
    growth = Fraction(round(math.exp(0.4) * 10**12), 10**12)
    truth = sum(max(a * c - growth * b * d, 0) for (a, b), (c, d) in itertools.product(rows, rows))
    assert not above.symmetric
    assert encloses(ends(above, 2, "0.4", 2000, remove, below), mpmath.mpf(float(truth)), 1e-3)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (["0.5", "0.5"], ["0.5", "0.25", "0.25"]),
        (["0.5", "0.5"], ["0.5", "0.4"]),
        (["0.5", "0.6"], ["1", "0"]),
        ("1", "1"),
        ([["1"]], [["1"]]),
    ],
)
def test_laws_that_are_none_are_rejected(p: Any, q: Any) -> None:
    with pytest.raises((recheck.Rejected, recheck.Beyond)):
        for half in recheck.law(one("finite_pair", p=p, q=q), "add", set()):
            assert half is None


@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize(("n", "p", "s"), [(40, "0.3", 2), (9, "0.5", 1)])
def test_binomial_noise(n: int, p: str, s: int, remove: bool) -> None:
    noise = one("binomial", n=str(n), p=p, sensitivity=str(s))
    above, below, _ = recheck.law(noise, "add-or-remove", set())
    chance = Fraction(p)
    law = {i: math.comb(n, i) * chance**i * (1 - chance) ** (n - i) for i in range(n + 1)}
    sign = 1 if remove else -1
    growth = Fraction(round(math.exp(0.3) * 10**15), 10**15)
    truth = sum(
        max(law.get(i - s * (sign > 0), 0) - growth * law.get(i - s * (sign < 0), 0), 0)
        for i in range(n + s + 1)
    )
    assert encloses(ends(above, 1, "0.3", 8000, remove, below), mpmath.mpf(float(truth)), 2e-3)


def test_binomial_noise_that_is_uneven_has_no_replaced_record() -> None:
    for p, error in (("0.5", None), ("0.3", recheck.Beyond)):
        noise = one("binomial", n="10", p=p, sensitivity="1")
        if error:
            with pytest.raises(error):
                recheck.law(noise, "replace-one", set())
        else:
            rows = recheck.law(noise, "replace-one", set())[0].masses(recheck.Fixed(64), 20.0)
            assert len(rows) == 13 and rows[0][0] == recheck.ZERO == rows[1][0] != rows[2][0]


@pytest.mark.parametrize("delta_", ["0", "0.01"])
def test_a_sampled_promise(delta_: str) -> None:
    """At log(1 + q(e^ε − 1)) δ is qδ, and no less before (Balle, Barthe, Gaboardi 2018, Theorem 8)."""
    promise = one("approximate_dp", epsilon="1", delta=delta_)
    above, below, tight = recheck.law(one("poisson", promise, q="0.1"), "remove", set())
    whole = math.log1p(0.1 * math.expm1(1))
    lost = Fraction(delta_) / 10
    beyond = ends(above, 1, f"{whole + 1e-3:.6f}", 8000, below=below)
    before = ends(above, 1, f"{whole - 1e-3:.6f}", 8000, below=below)
    assert tight is None and beyond[0] <= lost <= beyond[1] < lost + Fraction(1, 10**5) and before[0] > lost


def test_losses_without_a_bound_refute_a_delta_of_zero_at_once() -> None:
    for mechanism in (GAUSSIAN, one("discrete_gaussian", sigma="3", sensitivity="1")):
        changed = put(stored("laplace-certified"), mechanism, "composition", 0, "mechanism")
        changed = put(put(changed, "0", "claim", "delta"), 10**12, "composition", 0, "count")
        changed = put(changed, "REFUTED", "verdict") | {"enclosure": None}
        outcome, lines = recheck.recheck(recheck.parse(signed(changed)))
        assert outcome == "CONFIRMED" and "no ε is enough" in lines[-1]


def test_a_sample_keeps_some_losses_bounded() -> None:
    """Of who is added: the others of the sample are there in both, so the loss is below −log(1 − q)."""
    noise = one("poisson", one("discrete_gaussian", sigma="3", sensitivity="1"), q="0.5")
    for base in (noise, one("poisson", GAUSSIAN, q="0.5")):
        law = recheck.law(base, "add", set())[1]
        assert law.unbounded(True) and not law.unbounded(False)
    certain = recheck.law(one("finite_pair", p=["1", "0"], q=["0.5", "0.5"]), "add", set())[1]
    assert certain.unbounded(False) and not certain.unbounded(True)


def test_an_irrational_probability_must_be_one_that_delta_rises_with() -> None:
    """Of an answer that is true with less than its share δ falls in p."""
    answer = one("randomized_response", p="exp(1)/(1+exp(1))", categories="2")
    above, below, _ = recheck.law(answer, "add", set())
    assert ends(above, 1, "1.01", below=below)[1] == 0 < ends(above, 1, "0.99", below=below)[0]
    with pytest.raises(recheck.Beyond, match="irrational p"):
        recheck.law(one("randomized_response", p="1/(1+exp(1))", categories="2"), "add", set())


def test_zcdp_by_conversion() -> None:
    """Above: δ at ε of the best order; below: Gaussian noise with σ² = 1/2ρ."""
    rho, epsilon = mpmath.mpf("0.07"), mpmath.mpf("2.4")

    def size(alpha: Any) -> Any:
        return mpmath.exp((alpha - 1) * (alpha * rho - epsilon)) * (1 - 1 / alpha) ** alpha / (alpha - 1)

    best = min(size(1 + mpmath.mpf(i) / 50) for i in range(1, 3000))
    above, below, tight = recheck.law(one("zcdp", rho="0.07"), "replace-one", set())
    lower, upper = ends(above, 1, "2.4", below=below)
    mu = mpmath.sqrt(2 * rho)
    gaussian = mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
    assert tight == 0 and best <= float(upper) * (1 + 1e-12) <= best * 1.01
    assert abs(float(lower) / gaussian - 1) < 1e-9


@pytest.mark.parametrize("rho", ["3", "0.01", "1e-100"])
@pytest.mark.parametrize("epsilon", ["0", "1", "40"])
def test_zcdp_is_never_below_what_has_it(rho: str, epsilon: str) -> None:
    above, below, _ = recheck.law(one("zcdp", rho=rho), "add", set())
    lower, upper = ends(above, 1, epsilon, below=below)
    assert lower <= upper <= 1


# --- closed forms ---


@pytest.mark.parametrize("mu", ["1e-9", "0.01", "1", "30", "1000"])
@pytest.mark.parametrize("at", ["-6", "-1", "0", "3"])
def test_one_gaussian_in_closed_form(mu: str, at: str) -> None:
    """ε = μ²/2 − aμ where δ is about Φ(a); by mpmath with digits enough for what cancels."""
    m = Fraction(mu)
    epsilon = m * m / 2 - Fraction(at) * m
    if epsilon < 0:
        return
    with mpmath.workdps(60):
        x, e = mpmath.mpf(m.numerator) / m.denominator, mpmath.mpf(epsilon.numerator) / epsilon.denominator
        truth = mpmath.ncdf(x / 2 - e / x) - mpmath.exp(e) * mpmath.ncdf(-x / 2 - e / x)
        asked = recheck.Claim(
            "<=", epsilon, Fraction(1, 10**9), ((recheck.shifted(recheck.Gaussian, m), 1),), (True,)
        )
        lower, upper = (recheck.bound(asked, True, kind, 500, [0]) for kind in (recheck.Lower, recheck.Upper))
        assert encloses((lower, upper), truth, 1e-6)


def test_gaussian_steps_are_one() -> None:
    parts = [(recheck.shifted(recheck.Gaussian, Fraction(m)), k) for m, k in ((1, 3), (2, 5))]
    other = (recheck.stated(ONE, ONE), 2)
    for upper in (True, False):
        found = recheck.one_gaussian([*parts, other], upper)
        assert found[0] == other and len(found) == 2 and found[1][1] == 1
        assert (found[1][0].far ** 2 >= 23) == upper and abs(found[1][0].far ** 2 - 23) < Fraction(1, 10**50)


@pytest.mark.sample(2)
@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize(
    ("rho", "q"), [("0.1", "0.1"), ("0.5", "0.02"), ("0.02", "0.6"), ("0.02", "0.99999")]
)
def test_moments_of_a_sample_are_no_less_than_those_of_noise(rho: str, q: str, remove: bool) -> None:
    """Gaussian noise is ρ-zCDP with μ² = 2ρ; in the direction "remove" it has these very moments."""
    mu, share = mpmath.sqrt(2 * mpmath.mpf(rho)), mpmath.mpf(q)
    found = [x for _, x in recheck.Concentrated(Fraction(q), Fraction(rho)).moments(remove)[0]]

    def ratio(y: Any) -> Any:
        return 1 - share + share * mpmath.exp(mu * y - mu**2 / 2)

    for lam in (0, 1, 2, 5, 9):
        top = (lam + 1) * mu  # of the greatest centre
        truth = mpmath.log(
            mpmath.quad(
                lambda y, lam=lam: mpmath.npdf(y) * ratio(y) ** (lam + 1 if remove else -lam),
                [-12, -4, 0, top / 2, top, top + 5, top + 12],
            )
        )
        known = mpmath.mpf(found[lam].numerator) / found[lam].denominator
        assert known >= truth - 1e-12 and (not remove or known <= truth + 1e-12)


@pytest.mark.parametrize("q", [Fraction(1, 2), 1 - Fraction(1, 10**5), 1 - Fraction(1, 10**50)])
def test_moments_of_a_sample_near_all_records_are_those_of_the_base(q: Fraction) -> None:
    """Taylor's bound alone left such certificates open: its powers of 1/(1 − q) are too large."""
    rho = Fraction(1, 50)
    *points, _ = recheck.Concentrated(q, rho).moments(False)[0]
    for k, (lam, found) in enumerate(points, 1):
        assert lam == k - 1
        share, base = mpmath.mpf(q.numerator) / q.denominator, mpmath.mpf(k * (k - 1)) / 50
        assert float(found) <= mpmath.log(1 - share + share * mpmath.exp(base)) + 1e-12
    assert k == 65
    assert recheck.Concentrated(1 - Fraction(1, 10**200), rho).moments(False)[0] == [], "the base's are taken"


@pytest.mark.parametrize("remove", [True, False])
def test_a_sampled_promise_of_zcdp_by_conversion(remove: bool) -> None:
    """By the best order of a fine grid, its moment on the chord between two integers."""
    law = recheck.Concentrated(Fraction(1, 10), Fraction(1, 10))
    rows = [float(row) for _, row in law.moments(remove)[0]]
    fixed, epsilon = recheck.Fixed(200), 1.0
    best = math.inf
    for i in range(1, 6000):
        lam = i / 100
        at, alpha = int(lam), lam + 1
        moment = rows[at] + (lam - at) * (rows[at + 1] - rows[at])
        power = alpha * math.log1p(-1 / alpha) - math.log(lam)
        best = min(best, 10 * moment - lam * epsilon + power)
    found = recheck.converted(((law, 10),), remove, Fraction(1), fixed) / fixed.one
    assert best - 1e-4 <= math.log(found) <= best + 0.05


@pytest.mark.parametrize(("rho", "steps"), [("0.1", 3), ("1000", 1), ("0.0001", 40)])
def test_who_is_added_to_a_sample_loses_little(rho: str, steps: int) -> None:
    """At most −log(1 − q) a step, whatever the mechanism is; and moments say no more than that."""
    law, fixed = recheck.Concentrated(Fraction(1, 10), Fraction(rho)), recheck.Fixed(400)
    most = -steps * math.log1p(-0.1)
    above, below = (
        recheck.converted([(law, steps)], False, Fraction(most * share), fixed) / fixed.one
        for share in (1.0001, 0.9999)
    )
    assert above < 1e-100
    assert below > 1e-30 or float(rho) < 0.01
    (_, least), (far, found) = law.moments(False)[0][-2:]
    assert far == 10**9 and least <= found and abs(found / far + Fraction(math.log1p(-0.1))) < 1e-15


@pytest.mark.parametrize("adjacency", ["add", "add-or-remove"])
def test_a_sampled_promise_is_asked_in_the_direction_that_bounds_least(adjacency: str) -> None:
    """The moments of "remove" stood for both directions: this claim, which they allow, was CERTIFIED, where
    those that are proved of "add" leave it open."""
    step = one("poisson", one("zcdp", rho="0.1"), q="0.1")
    document = {
        "claim": {"quantity": "epsilon", "relation": "<=", "epsilon": "0.4", "delta": "1e-3"},
        "adjacency": adjacency,
        "composition": [{"count": 5, "mechanism": step}],
        "assumptions": [
            {"id": name, "text": recheck.ASSUMPTIONS[name]}
            for name in ("guarantee", "noise", "poisson-sampling", "releases")
        ],
        "standing": "upper bound",
        "verdict": "CERTIFIED",
        "enclosure": None,
    }
    claim = recheck.claim_of(document)
    assert False in claim.directions
    bounds = [float(recheck.bound(claim, remove, recheck.Upper, 500, [0])) for remove in (True, False)]
    assert bounds[0] < 1e-3 < bounds[1]
    assert recheck.decide(claim, cells=500)[0] == "UNDECIDED"  # of zCDP the bound has no grid


def test_promises_of_nothing_are_kept() -> None:
    """ρ = 0 and μ = 0 divided by zero, and certificates of them stayed open."""
    for name, key in (("zcdp", "rho"), ("gdp", "mu")):
        for step in (one(name, **{key: "0"}), one("poisson", one(name, **{key: "0"}), q="0.5")):
            above, below, _ = recheck.law(step, "add-or-remove", set())
            asked = recheck.Claim("<=", Fraction(0), Fraction(0), ((above, 3),), (True,))
            assert recheck.decide(asked)[0] == "CERTIFIED"
            assert recheck.decide(asked._replace(parts=((below, 3),)))[0] == "CERTIFIED"


# --- hidden batches ---


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "adjacency", "moves"),
    [
        ("shuffled", "zero-out", (2, 1)),
        ("shuffled", "replace-one", (2, 0)),
        ("balls_and_bins", "add", (1, 0)),
    ],
)
def test_hidden_batches_are_attacked_as_well_as_by_their_largest_sum(
    name: str, adjacency: str, moves: tuple[int, int]
) -> None:
    """Its law by mpmath; the δ of some cut is no more than the bound from below, and less than the other."""
    more = {"dropped": "0", "persistent": "False"} if name == "shuffled" else {"participations": "1"}
    step = one(name, one("gaussian", sigma="1", sensitivity="1"), batches="50", **more)
    above, below, tight = recheck.law(step, adjacency, set())
    a, b = moves
    best = max(
        (1 - mpmath.ncdf(x) ** 49 * mpmath.ncdf(x - a))
        - mpmath.exp(1) * (1 - mpmath.ncdf(x) ** 49 * mpmath.ncdf(x - b))
        for x in (mpmath.mpf(i) / 8 for i in range(8, 50))
    )
    lower, upper = ends(above, 1, "1", 1000, below=below)
    assert tight is None and best * 0.99 < float(lower) < float(upper)
    if name == "shuffled":
        assert above.far == (2 if adjacency == "replace-one" else 1)


def two_batches(move: Any, epsilon: Any, remove: bool) -> Any:
    """δ of the mean of N((move, 0)) and N((0, move)) against N(0), or back: given the second outcome, the
    first one is above or below a threshold."""
    growth = mpmath.exp(epsilon if remove else -epsilon)

    def at(y: Any) -> Any:
        ratio = mpmath.exp(move * y - move**2 / 2)
        rest = 2 * growth - ratio  # the other one's ratio there
        if rest <= 0:
            return (mpmath.npdf(y) * (ratio + 1) / 2 - growth * mpmath.npdf(y)) if remove else mpmath.mpf(0)
        cut = mpmath.log(rest) / move + move / 2
        sign = 1 if remove else -1
        moved, plain = mpmath.ncdf(sign * (move - cut)), mpmath.ncdf(-sign * cut)
        mean = (ratio * plain + moved) / 2
        return mpmath.npdf(y) * (mean - growth * plain if remove else plain - mean / growth)

    edge = mpmath.log(2 * growth) / move + move / 2
    return mpmath.quad(at, sorted([mpmath.mpf(-9), mpmath.mpf(0), edge, mpmath.mpf(9)]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize(("sigma", "epsilon"), [("4", "0.1"), ("2", "0.3"), ("2", "1"), ("1", "0.5")])
def test_two_batches_one_of_which_is_drawn(sigma: str, epsilon: str, remove: bool) -> None:
    """Both ends, by an integral."""
    base = one("gaussian", sigma=sigma, sensitivity="1")
    step = one("balls_and_bins", base, batches="2", participations="1")
    above, below, _ = recheck.law(step, "add-or-remove", set())
    truth = two_batches(1 / mpmath.mpf(sigma), mpmath.mpf(epsilon), remove)
    assert encloses(ends(above, 1, epsilon, 500, remove, below), truth, 0.02)


@pytest.mark.slow
def test_pairs_of_indices_dominate_and_are_had() -> None:
    """Each law has no more than all mass, and what is lost is next to nothing."""
    fixed = recheck.Fixed(160)
    for above in (True, False):
        law = recheck.thrown(8, Fraction(1, 2), Fraction(0), above)
        law.prepare(30.0, [0], 0.0, 1)
        rows = law.masses(fixed, 30.0)
        for side in (0, 1):
            low, high = (sum(row[side][end] for row in rows) for end in (0, 1))
            assert low <= fixed.one <= high and fixed.one - low < fixed.one >> 30
        mean = sum(p[0] for p, _ in rows)
        assert not above or mean > fixed.one - (fixed.one >> 20)


def test_laws_of_hidden_batches_are_made_within_the_limit_and_counted_once() -> None:
    """They were made before any work was counted: 60 of them, or a tiny δ, took minutes."""
    law, work = recheck.thrown(20, Fraction(1, 2), Fraction(0), True), [0]
    law.prepare(10.0, work, 0.0, 1)
    spent = work[0]
    law.prepare(10.0, work, 0.0, 1)
    assert work == [spent] and spent > 10**6
    for tail, before in ((30.0, recheck.WORK), (700.0, 0)):
        with pytest.raises(recheck.Beyond, match="more work"):
            law.prepare(tail, [before], 0.0, 1)


def test_where_batches_are_too_many_or_noise_too_small_the_batch_is_revealed() -> None:
    for sigma, batches in (("0.2", "10"), ("2", "100000"), ("2", "1"), (f"1/{10**390}", "10")):
        base = one("gaussian", sigma=sigma, sensitivity="1")
        step = one("balls_and_bins", base, batches=batches, participations="1")
        above, below, _ = recheck.law(step, "add-or-remove", set())
        assert above.far == 1 / Fraction(sigma) and below is not None


def test_a_persistent_order_and_a_share_of_a_subset_have_no_lower_end_here() -> None:
    base = one("gaussian", sigma="1", sensitivity="1")
    order = one("shuffled", base, batches="9", persistent="True", dropped="0")
    rest = one("shuffled", base, batches="9", persistent="False", dropped="1/9")
    subset = one("balls_and_bins", base, batches="9", participations="2", steps="18")
    for step, tight in ((order, None), (rest, None), (subset, 0)):
        assert recheck.law(step, "zero-out", set())[1:] == (None, tight)


# --- irrational numbers ---

EXPRESSIONS = {
    "sqrt(2)": mpmath.sqrt(2),
    "1/(50000*ln(50000))": 1 / (50000 * mpmath.log(50000)),
    "sqrt(2*(124/25))": mpmath.sqrt(mpmath.mpf(248) / 25),
    "exp(-3)*2": 2 * mpmath.exp(-3),
    "2 - 1 - 1/3 + sqrt(5)": mpmath.mpf(2) / 3 + mpmath.sqrt(5),
    "8/2/2*sqrt(1)": mpmath.mpf(2),
    "2*-3+7*sqrt(3)": 7 * mpmath.sqrt(3) - 6,
    "log(0.5+sqrt(7))": mpmath.log(mpmath.mpf("0.5") + mpmath.sqrt(7)),
    "-(1-sqrt(2))": mpmath.sqrt(2) - 1,
    "exp(ln(3)/2)": mpmath.sqrt(3),
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_enclosed(text: str) -> None:
    with mpmath.workdps(80):
        precise = mpmath.mpf(1) * eval_by_hand(text)
        low, high = (mpmath.mpf(x.numerator) / x.denominator for x in recheck.enclosed(text))
        assert low - mpmath.mpf(10) ** -75 <= precise <= high + mpmath.mpf(10) ** -75
        assert high - low < mpmath.mpf(10) ** -24
    assert abs(low - EXPRESSIONS[text]) < 1e-12


def eval_by_hand(text: str) -> Any:
    """The same by the package's own reader, which is in balls."""
    from pldverify.numbers.exact import real

    found = real(text, "number")
    middle = found if isinstance(found, Fraction) else found.middle
    return mpmath.mpf(middle.numerator) / middle.denominator


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sqrt(2",
        "sqrt 2",
        "2)",
        "((2)",
        "sqrt(-1)",
        "ln(0)",
        "1/(1-1)",
        "1/0",
        "exp(1e9)",
        "pi",
        "1e300*1e300*1e300",
        "__import__('os')",
        "sqrt",
        "+",
        "2 2",
        "-1",
        "sqrt(2)-2",
        "(" * 200 + "2",
        "9**9",
        "exp(exp(9))",
    ],
)
def test_what_is_no_number_is_beyond_it(text: str) -> None:
    with pytest.raises(recheck.Beyond):
        recheck.enclosed(text)


def test_each_side_takes_its_end_of_an_irrational_parameter() -> None:
    """Less noise above, more below: ε rises with sensitivity, and falls with σ."""
    step = one("gaussian", sigma="sqrt(2)", sensitivity="ln(3)")
    above, below, _ = recheck.law(step, "add", set())
    assert below.far < above.far and above.far - below.far < Fraction(1, 10**30)
    exact = math.log(3) / math.sqrt(2)
    assert abs(float(above.far) - exact) < 1e-12
    with pytest.raises(recheck.Beyond, match="irrational"):
        recheck.law(one("discrete_gaussian", sigma="sqrt(2)", sensitivity="1"), "add", set())


def test_an_irrational_claim_is_proved_at_its_harder_end() -> None:
    """Of a pure promise, whose ε is log 2: that it is at most log 2 stays open."""
    promise = put(stored("laplace-certified"), one("pure_dp", epsilon="ln(2)"), "composition", 0, "mechanism")
    promise = put(put(promise, 1, "composition", 0, "count"), "0", "claim", "delta") | {"enclosure": None}
    promise["assumptions"] = [row for row in promise["assumptions"] if row["id"] in ("noise", "releases")] + [
        {"id": "guarantee", "text": recheck.ASSUMPTIONS["guarantee"]}
    ]
    for epsilon, found in (
        ("ln(2)+1e-9", "CONFIRMED"),
        ("ln(2)", "UNDECIDED"),
        ("ln(2)-1e-9", "CONTRADICTED"),
    ):
        changed = put(promise, epsilon, "claim", "epsilon")
        assert recheck.recheck(recheck.parse(signed(changed)))[0] == found


# --- standings ---

BATCHES = 20 * pv.SampledWithoutReplacement(pv.Gaussian(sigma=2), q="0.1")


@pytest.mark.parametrize(
    ("whole", "delta_", "epsilon", "outcome"),
    [
        (BATCHES, "1e-5", "5", "CONFIRMED"),
        (BATCHES, "1e-5", "0.5", "CONFIRMED"),
        (pv.group(pv.PureDP(epsilon="0.5"), 3), "0", "1.5", "CONFIRMED"),
        (pv.group(pv.PureDP(epsilon="0.5"), 3), "1e-3", "1.4", "CONFIRMED"),
        (2 * pv.group(pv.PureDP(epsilon="ln(2)"), 2), "0.75", "0.1", "CONFIRMED"),
        (pv.group(pv.ApproximateDP("0.3", "1e-6"), 3), "1e-5", "1", "CONFIRMED"),
        (pv.group(pv.ApproximateDP("0.3", "1e-6"), 3), "1e-5", "0.8", "CONFIRMED"),
        (pv.group(pv.ApproximateDP("0.3", "1e-3"), 4), "0.4", "0.25", "CONFIRMED"),
        (pv.group(pv.ApproximateDP(5, "0.1"), 3), "0.9", "1", "CONFIRMED"),
        (pv.group(pv.PureDP(0), 3), "0.1", "0", "CONFIRMED"),
        (10 * pv.PoissonSubsampled(pv.ZCDP("0.1"), "0.1"), "1e-5", "1.2", "CONFIRMED"),
        (10 * pv.PoissonSubsampled(pv.ZCDP("0.1"), "0.1"), "1e-5", "0.5", "CONFIRMED"),
        (pv.BallsAndBins(pv.Gaussian(sigma=2), batches=10), "1e-3", "0.4", "CONFIRMED"),
        (3 * pv.BallsAndBins(pv.Gaussian(sigma=4), batches=100), "1e-5", "0.05", "CONFIRMED"),
        (pv.ZCDP(rho="0.07"), "1e-10", "2.47", "CONFIRMED"),
        (pv.ZCDP(rho="0.07"), "1e-10", "2.2", "CONFIRMED"),
        (pv.GDP(mu="sqrt(2)"), "1e-6", "9", "CONFIRMED"),
        (pv.SampledWithoutReplacement(pv.Laplace(b=2), q="0.1"), "1e-5", "0.2", "CONFIRMED"),
        (3 * pv.RenyiDP(["2", "8"], ["0.02", "0.1"]), "1e-5", "2.4", "CONFIRMED"),
        (3 * pv.RenyiDP(["2", "8"], ["0.02", "0.1"]), "1e-5", "0.3", "CONFIRMED"),
        (pv.Exponential(epsilon=1, monotone=True), "1e-3", "0.461", "CONFIRMED"),
        (pv.Exponential(epsilon=1, monotone=True), "1e-3", "0.459", "CONFIRMED"),
        (10 * pv.Exponential(epsilon="0.3"), "1e-5", "2.1", "CONFIRMED"),
        (3 * pv.Exponential(epsilon=1) + pv.GDP("0.1"), "1e-3", "3", "CONFIRMED"),
    ],
)
def test_a_bound_is_confirmed_where_it_decides(whole: Any, delta_: str, epsilon: str, outcome: str) -> None:
    made = document(pv.certify(pv.Query(whole, delta=delta_), epsilon))
    assert made.verdict in ("CERTIFIED", "REFUTED")
    assert recheck.recheck(recheck.parse(made.text().encode()))[0] == outcome
    if made.standing == "upper bound":
        raised = json.loads(made.text()) | {"standing": "exact"}
        with pytest.raises(recheck.Rejected, match="said to be attained"):
            recheck.recheck(recheck.parse(signed(raised)))


def test_what_only_bounds_refutes_nothing() -> None:
    """Of a promise of zCDP the conversion bounds δ, which no mechanism has."""
    made = json.loads(document(pv.certify(pv.Query(pv.ZCDP(rho="0.07"), delta="1e-10"), "2.47")).text())
    for verdict, relation in itertools.product(("CERTIFIED", "REFUTED"), ("<=", ">=")):
        changed = put(put(made, verdict, "verdict"), relation, "claim", "relation") | {"enclosure": None}
        try:
            outcome = recheck.recheck(recheck.parse(signed(changed)))[0]
        except recheck.Rejected:
            continue
        assert outcome != "CONFIRMED" or (verdict, relation) in (("CERTIFIED", "<="), ("REFUTED", ">="))


# --- flags ---


@pytest.mark.parametrize(
    "flags",
    [
        ["--work"],
        ["--work", "0"],
        ["--cells", "999999"],
        ["--cells", "x"],
        ["--depth", "3"],
        ["--work", "1"] * 2,
    ],
)
def test_flags_that_are_none(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert recheck.main([*flags, "certificate.json"]) == 2 and "usage" in capsys.readouterr().out


def test_no_argument_shows_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert recheck.main([]) == 2 and "usage" in capsys.readouterr().out


def test_less_work_leaves_a_claim_open(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(signed(stored("dp-sgd-refuted")))
    assert recheck.main(["--work", "1000", str(path)]) == 3
    assert "more work than is allowed" in capsys.readouterr().out
    assert recheck.main(["--cells", "1500", "--work", "999999999", str(path)]) == 0


def test_products_that_would_fill_the_memory_are_refused() -> None:
    setting = recheck.Setting(ONE, 10, 10**300, recheck.Fixed(64), [0])
    with pytest.raises(recheck.Beyond, match="digits"):
        setting.convolve([10**300] * 60_000, [10**300] * 60_000)
    assert setting.work == [0]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("balls_and_bins", {"batches": "0.5", "participations": "1"}),
        ("balls_and_bins", {"batches": "1000", "participations": "4", "steps": "4"}),
        ("balls_and_bins", {"batches": "4", "participations": "1", "steps": "4"}),
        ("balls_and_bins", {"batches": "4", "participations": "2"}),
        ("shuffled", {"batches": "9", "dropped": "1", "persistent": "False"}),
        ("shuffled", {"batches": "9", "dropped": "0", "persistent": "y"}),
    ],
)
def test_what_is_said_of_batches_is_read(name: str, said: dict[str, str]) -> None:
    """Each was confirmed: the bound from above needs none of it."""
    step = one(name, one("gaussian", sigma="1", sensitivity="1"), **said)
    with pytest.raises(recheck.Rejected):
        recheck.law(step, "zero-out", set())


@pytest.mark.parametrize("m", ["1.5", "ln(20)"])
@pytest.mark.parametrize("delta", ["0", "0.1"])
def test_a_group_is_a_number_of_records(m: str, delta: str) -> None:
    with pytest.raises(recheck.Rejected):
        recheck.law(one("group_dp", epsilon="1", delta=delta, m=m), "add", set())


@pytest.mark.parametrize("delta", ["0", "0.001"])
@pytest.mark.parametrize("epsilon", ["0", "0.4", "1.3"])
def test_groups_of_promises(delta: str, epsilon: str) -> None:
    """By iterating what one record more allows for, with e^ε in fractions next to it."""
    above, below, tight = recheck.law(one("group_dp", epsilon="1/2", delta=delta, m="3"), "add", set())
    lost, odds, at = Fraction(delta), Fraction(math.exp(0.5)), Fraction(math.exp(float(epsilon)))

    def power(x: Fraction) -> Fraction:
        return min(lost + odds * x, 1 - (1 - lost - x) / odds, Fraction(1))

    levels = [Fraction(k, 500) for k in range(501)]
    truth = max(power(power(power(x))) - at * x for x in levels)
    low, high = (float(end) for end in ends(above, 1, epsilon, below=below or above))
    assert tight is None and below
    assert low * 0.99 <= float(truth) * (1 + 1e-9) <= high * (1 + 2e-9) and high - low < 1e-3 + low / 100


def test_a_loss_beyond_doubles_is_no_crash() -> None:
    """It was: only in the words beside the decision."""
    ruling = pv.certify("laplace(b=1e-300, sensitivity=1e300)", 1, delta=0)
    outcome, lines = recheck.recheck(recheck.parse(document(ruling).text().encode()))
    assert outcome == "CONFIRMED" and "e+600" in lines[-1]


STATED = [
    ({"name": "pure_dp", "parameters": {"epsilon": "100"}}, 1, "99", "1e-5"),
    ({"name": "pure_dp", "parameters": {"epsilon": "85"}}, 1, "0.001", "0.9"),
    ({"name": "pure_dp", "parameters": {"epsilon": "97"}}, 1, "0.001", "1e-5"),
    ({"name": "pure_dp", "parameters": {"epsilon": "100"}}, 3, "99", "1e-5"),
    ({"name": "group_dp", "parameters": {"epsilon": "43", "delta": "0", "m": "2"}}, 1, "0.001", "0.5"),
]


@pytest.mark.parametrize(("promise", "count", "epsilon", "delta"), STATED, ids=str)
def test_a_large_promise_is_not_lost(promise: Any, count: int, epsilon: str, delta: str) -> None:
    """Q's mass of the largest loss is less than a unit of few bits: δ(ε) is about 1 − e^(ε − mε)."""
    law = recheck.law({**promise, "base": None}, "add", set())[0]
    asked = recheck.Claim("<=", Fraction(epsilon), Fraction(delta), ((law, count),), (True, False))
    assert recheck.decide(asked)[0] == "REFUTED"


@pytest.mark.parametrize("far", ["0", "0.00001"])
def test_a_large_promise_beside_noise(far: str) -> None:
    """δ(150) of (100, 1e-9)-DP beside noise is about 1e-9; with few bits P's mass seemed to be at +∞."""
    laws = [one("approximate_dp", epsilon="100", delta="1e-9"), one("gaussian", sigma="5", sensitivity="1")]
    parts = tuple((recheck.law(law, "add", set())[0], 1) for law in laws)
    asked = recheck.Claim("<=", Fraction(150), Fraction("1e-5") + Fraction(far), parts, (True, False))
    assert recheck.decide(asked)[0] == "CERTIFIED"


@pytest.mark.parametrize("bits", [60, 100, 140, 200])
@pytest.mark.parametrize("delta", ["0", "1e-9"])
@pytest.mark.parametrize("m", ["1", "2"])
def test_few_bits_lose_no_mass_of_a_large_promise(bits: int, delta: str, m: str) -> None:
    """All of P counts above, and no more than its share is at +∞ below, however little is known of Q."""
    fixed, law = (
        recheck.Fixed(bits),
        recheck.law(one("group_dp", epsilon="50", delta=delta, m=m), "add", set())[0],
    )
    try:
        rows = law.masses(fixed, 30.0)
    except recheck.Beyond:
        assert m == "2"
        return
    assert sum(p[1] for p, _ in rows) >= fixed.one
    lost = 1 + mpmath.exp(50) if m == "2" else 1
    assert sum(p[0] for p, q in rows if q == recheck.ZERO) <= float(Fraction(delta)) * lost * fixed.one + 1


def test_noise_of_votes_is_above_0() -> None:
    with pytest.raises(recheck.Rejected, match="must be > 0"):
        recheck.law(one("gnmax", sigma="0"), "add-or-remove", set())


def test_the_end_of_losses_is_said_of_what_it_is_known() -> None:
    """A key that one record alone has is shown at e^−4/2, which δ(ε) never falls below."""
    noise = one("laplace", b="1", sensitivity="1")
    above, below, _ = recheck.law(one("thresholded_histogram", noise, threshold="5"), "add", set())
    under = recheck.Claim("<=", Fraction(1, 2), Fraction(0), ((below, 1),), (True,))
    asked = recheck.Claim("<=", Fraction(1, 2), Fraction(0), ((above, 1),), (True,), under)
    assert recheck.decide(asked) == ("REFUTED", "from ε = 1 on, δ(ε) is at least 0")


# --- shuffled reports, and the best of several runs ---

PURE = {"name": "pure_dp", "parameters": {"epsilon": "1"}, "base": None}


def reported(n: str = "5", alike: str = "False", base: dict[str, Any] = PURE) -> dict[str, Any]:
    return {"name": "shuffle_model", "parameters": {"n": n, "alike": alike}, "base": base}


def best(base: str = "zcdp(rho=0.1)", mean: str = "3", shape: str = "1") -> dict[str, Any]:
    parameters = {"base": base, "mean": mean, "shape": shape}
    return {"name": "repeat_and_select", "parameters": parameters, "base": None}


def response(p: str, categories: str) -> dict[str, Any]:
    return {"name": "randomized_response", "parameters": {"p": p, "categories": categories}, "base": None}


@pytest.mark.parametrize(
    ("mechanism", "adjacency"),
    [
        (reported(alike="True"), "replace-one"),
        (reported(), "add-or-remove"),
        (reported(n="2000000000"), "replace-one"),
        (reported(base=response("1", "2")), "replace-one"),
        (reported(base=response("0.2", "4")), "replace-one"),
        (best("gaussian(sigma=1)"), "add"),
        (best("zcdp(rho=1) + zcdp(rho=2)"), "add"),
        (best("2 * zcdp(rho=1)"), "add"),
        (best(shape="2"), "add"),
        (best(mean="0.5"), "add"),
        (best(mean="10000000"), "add"),
    ],
)
def test_what_is_not_known_of_reports_and_runs_is_beyond(mechanism: dict[str, Any], adjacency: str) -> None:
    with pytest.raises(recheck.Beyond):
        recheck.law(mechanism, adjacency, set())


@pytest.mark.parametrize("mechanism", [best("zcdp(mu=1)"), best("zcdp(rho=1, rho=2)"), best("zcdp()")])
def test_another_base_is_no_run(mechanism: dict[str, Any]) -> None:
    with pytest.raises((recheck.Beyond, recheck.Rejected)):
        recheck.law(mechanism, "add", set())


def test_what_reports_and_runs_assume() -> None:
    for mechanism, assumed in (
        (reported(), {"draws", "guarantee"}),
        (reported(base=response("0.7", "2")), {"draws", "sensitivity"}),
        (best(), {"draws", "guarantee", "noise"}),
    ):
        needed: set[str] = set()
        assert recheck.law(mechanism, "replace-one", needed)[2] == 0 and needed == assumed


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("base", [response("0.75", "2"), response("0.75", "4")], ids=["2", "4"])
def test_few_reports_are_between_no_user_and_one(n: int, base: dict[str, Any]) -> None:
    """One user alone has the profile of randomised response, from both sides; more hide the one."""
    above, below, _ = recheck.law(reported(str(n), base=base), "replace-one", set())
    lone = recheck.law(base, "replace-one", set())[0]

    def bound(law: Any, kind: Any) -> float:
        claim = recheck.Claim("<=", Fraction(1, 2), Fraction(1, 10**4), ((law, 1),), (True,))
        return float(recheck.bound(claim, True, kind, 2000, [0]))

    low, high, alone = bound(below, recheck.Lower), bound(above, recheck.Upper), bound(lone, recheck.Lower)
    assert low <= high * (1 + 1e-9) and low <= alone * (1 + 1e-9)
    assert n > 1 or (
        low == pytest.approx(alone, rel=1e-9, abs=0) and high == pytest.approx(alone, rel=1e-2, abs=0)
    )


def test_promised_moments_of_the_best_run_are_none_before_they_are_made() -> None:
    """A law whose points are not made yet says nothing, at any order."""
    law = recheck.tuned(Fraction(1, 50), Fraction(3), False)
    assert recheck.converted([(law, 1)], True, Fraction(5), recheck.Fixed(200)) == 1 << 200
    law.prepare(20.0, [0], 0.0, 1)
    assert recheck.converted([(law, 1)], True, Fraction(5), recheck.Fixed(200)) < 1 << 170
