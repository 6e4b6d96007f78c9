"""Errors planted in the checker: a bound falls on the wrong side of the truth, or a forgery passes."""

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify import recheck
from pldverify.certificate.document import digest
from tests.teeth.planted import planted

STORED = Path(__file__).parents[1] / "data" / "certificates"

STATED = ("approximate_dp", {"epsilon": "0.5", "delta": "0.001"})
RARE = ("approximate_dp", {"epsilon": "0.5", "delta": "0.2"})
GAUSSIAN = ("gaussian", {"sigma": "1", "sensitivity": "1"})
LAPLACE = ("laplace", {"b": "1", "sensitivity": "1"})
RESPONSE = ("randomized_response", {"p": "0.7", "categories": "3"})
DISCRETE = ("discrete_gaussian", {"sigma": "2", "sensitivity": "1"})
GEOMETRIC = ("discrete_laplace", {"b": "2", "sensitivity": "2"})
MAKERS = {
    "approximate_dp": pv.ApproximateDP,
    "gaussian": pv.Gaussian,
    "laplace": pv.Laplace,
    "randomized_response": pv.RandomizedResponse,
    "discrete_gaussian": pv.DiscreteGaussian,
    "discrete_laplace": pv.DiscreteLaplace,
}
CASES: list[tuple[Any, str | None, int, str]] = [
    (GAUSSIAN, None, 1, "0.7"),
    (RARE, None, 5, "1"),
    (RESPONSE, "0.3", 7, "0.7"),
    (STATED, None, 7, "1"),
    (GEOMETRIC, None, 5, "1"),
    (LAPLACE, None, 7, "2"),
    (GAUSSIAN, "0.1", 30, "1"),
    (DISCRETE, "0.3", 5, "0.4"),
    (LAPLACE, "0.1", 30, "0.5"),
]
"""The dear ones last: most plants are caught before."""


def plain(noise: Any, q: str | None) -> dict[str, Any]:
    base = {"name": noise[0], "parameters": noise[1], "base": None}
    return base if q is None else {"name": "poisson", "parameters": {"q": q}, "base": base}


def wrong(module: Any) -> bool:
    """Whether something is on the wrong side of the truth; a check that stops it is no proof."""
    if not (functions_enclose(module) and masses_are_kept(module) and rare_events_count(module)):
        return True
    if not (shuffles_hold(module) and selections_hold(module)):
        return True
    for noise, q, count, epsilon in CASES:
        base: Any = MAKERS[noise[0]](**noise[1])
        whole = count * (base if q is None else pv.PoissonSubsampled(base, q))
        for adjacency, remove in (("remove", True), ("add", False)):
            truth = pv.delta(whole, epsilon=epsilon, adjacency=adjacency)
            try:
                law = module.law(plain(noise, q), adjacency, set())[0]
            except module.Rejected:  # an honest pair
                return True
            claim = module.Claim("<=", Fraction(epsilon), Fraction(1, 10**4), ((law, count),), (remove,))
            for size in (60, 250):
                try:
                    lower = module.bound(claim, remove, module.Lower, size, [0])
                    upper = module.bound(claim, remove, module.Upper, size, [0])
                except module.Beyond:
                    continue
                if lower > truth.upper or upper < truth.lower:
                    return True
    return not sparse_vectors_enclose(module)


def functions_enclose(module: Any) -> bool:
    """log 2, 1/√(2π) and Φ(3) by mpmath."""
    fixed = module.Fixed(100)
    with mpmath.workprec(200):
        scale = mpmath.mpf(2) ** 100
        log2, norm, at3 = (x * scale for x in (mpmath.log(2), 1 / mpmath.sqrt(2 * mpmath.pi), mpmath.ncdf(3)))
        low, high = fixed.normal(Fraction(3))
        return bool(
            fixed.ln2 <= log2 <= fixed.ln2 + 2
            and fixed.norm[0] <= norm <= fixed.norm[1]
            and low <= at3 <= high
        )


def masses_are_kept(module: Any) -> bool:
    """All of P is on the upper side, with cuts that leave out a lot, and what is beyond them has no bound;
    no more than P is on the lower side.
    """
    fixed = module.Fixed(120)
    setting = module.Setting(Fraction(1, 8), 100, 10**25, fixed, [0])
    for law in (
        module.shifted(module.Gaussian, Fraction(1), Fraction(1, 4)),
        module.discrete_gaussian(Fraction(1), Fraction(2), Fraction(1)),
    ):
        step = law.step(setting.h, True, fixed, 2.0)
        upper, lower = module.Upper.of(step, setting, 0), module.Lower.of(step, setting, 0)
        if not upper.infinite:
            return False
        cut = setting.scale // 20
        for up, low in (
            (upper, lower),
            (upper.trim(cut), lower.trim(cut)),
            (upper.coarser(), lower.coarser()),
        ):
            if sum(up.mass) + up.infinite < setting.scale or sum(low.mass) + low.infinite > setting.scale:
                return False
    return True


def rare_events_count(module: Any) -> bool:
    """A key that a record alone has is shown with probability e^−1/2; two events of 1/10 beside ρ-zCDP; a
    choice with ε = 3 has 1 − e^−1 at ε = 1, one of bounded range (e^1.5 − e^.5)²/(e³ − 1), the blunt noise of
    one with 2Δ/b = 3 has 0.586356 by quadrature;
    and Gaussian noise of σ = 1 keeps D_3 ≤ 3/2.
    """
    histogram = {"name": "thresholded_histogram", "parameters": {"threshold": "3"}}
    law = module.law(
        histogram | {"base": plain(("laplace", {"b": "2", "sensitivity": "1"}), None)}, "add", set()
    )
    event = module.stated(Fraction(1), Fraction(0), Fraction(1, 10))
    promise = module.Concentrated(Fraction(1), Fraction(1, 50))
    scores = {"name": "exponential", "parameters": {"epsilon": "3", "monotone": "False", "times": "1"}}
    bounded = module.law(scores | {"base": None}, "add", set())[0]
    promised = module.renyi(Fraction(1), [Fraction(3)], [Fraction(3, 2)])
    chosen = {"name": "permute_and_flip", "parameters": {"epsilon": "3", "monotone": "False"}, "base": None}
    choice = module.law(chosen, "add", set())[0]
    noisy = {"name": "noisy_max", "parameters": {"b": "2/3", "sensitivity": "1", "monotone": "False"}}
    ranked = module.law(noisy | {"base": None}, "add", set())[0]
    for parts, least in (
        (((law[0], 1),), 0.1839),
        (((promise, 1), (event, 2)), 0.19),
        (((choice, 1),), 0.632),
        (((ranked, 1),), 0.58635),
        (((bounded, 1),), 0.42051),
        (((promised, 1),), 0.126),
    ):
        claim = module.Claim("<=", Fraction(1), Fraction(1, 10**4), parts, (True,))
        if module.bound(claim, True, module.Upper, 250, [0]) < least:
            return False
    return True


def shuffles_hold(module: Any) -> bool:
    """Of twelve users: clones, and randomised response, over three categories if all others have the third
    value, by their sums.
    """
    n, p = 12, 0.75
    r, others = (1 - p) / 2, range(12)
    binomial = {
        (m, s, c): math.comb(m, c) * s**c * (1 - s) ** (m - c)
        for m in others
        for c in range(m + 1)
        for s in (0.5, math.exp(-1), 2 * r)
    }

    def delta(own: tuple[float, float, float], s: float, epsilon: float) -> float:
        masses: Counter[tuple[int, int, int]] = Counter()
        for c in others:
            for a in range(c + 1):
                weight = binomial[n - 1, s, c] * binomial[c, 0.5, a]
                for side in (0, 1):
                    for i, (zero, one) in enumerate(((1, 0), (0, 1), (0, 0))):
                        share = own[i] if side == 0 or i == 2 else own[1 - i]
                        masses[side, c + zero + one, a + zero] += weight * share  # type: ignore[assignment]
        seen = {key[1:] for key in masses}
        return sum(max(masses[0, *x] - math.exp(epsilon) * masses[1, *x], 0) for x in seen)

    shuffled = {"name": "shuffle_model", "parameters": {"n": str(n), "alike": "False"}}
    odds = math.e / (1 + math.e)
    for base, own, s, at, kind in (
        (("pure_dp", {"epsilon": "1"}), (odds, 1 - odds, 0.0), math.exp(-1), 0, module.Upper),
        (("randomized_response", {"p": "0.75", "categories": "3"}), (p, r, r), 2 * r, 1, module.Lower),
    ):
        law = module.law(shuffled | {"base": plain(base, None)}, "replace-one", set())[at]
        found, truth = (
            float(module.bound(claim_of(module, law, 0.5), True, kind, 250, [0])),
            delta(own, s, 0.5),
        )
        if (found - truth) * (1 if kind is module.Upper else -1) < -1e-9 * truth:
            return False
    return True


def selections_hold(module: Any) -> bool:
    """What is proved on both sides, of Gaussian noise with ρ = 0.02, against attacks: best are losses below
    s, then those above t win. And of pure DP: then some of the others win.
    """
    normal, mu = NormalDist(), 0.2
    for shape, mean, epsilon in (
        ("1", 3, 0.7),
        ("1", 1, 0.5),
        ("1", 1000, 1.5),
        ("inf", 3, 0.5),
        ("inf", 20, 2.0),
    ):

        def wins(u: float, shape: str = shape, mean: int = mean) -> float:
            return mean * u / (1 + (mean - 1) * u) if shape == "1" else 1 - math.exp(-mean * u)

        def gain(s: float, t: float, epsilon: float = epsilon, wins: Any = wins) -> float:
            best = normal.cdf(s - mu), normal.cdf(s)
            p, q = (wins(u + normal.cdf(x)) - wins(u) for u, x in zip(best, (mu - t, -t), strict=True))
            return float(p - math.exp(epsilon) * q)

        truth = max(gain(s / 20, t / 20) for s in range(-80, 81) for t in range(s, 121))
        best = {"base": "zcdp(rho=0.02)", "mean": str(mean), "shape": shape}
        mechanism = {"name": "repeat_and_select", "parameters": best, "base": None}
        laws = module.law(mechanism, "add", set())
        low, high = (
            float(module.bound(claim_of(module, law, epsilon), True, kind, 250, [0]))
            for law, kind in zip(laws[1::-1], (module.Lower, module.Upper), strict=True)
        )
        if low > truth * 1.05 or high < truth:
            return False
    pure = {"base": "pure_dp(epsilon=1)", "mean": "1000", "shape": "1"}
    laws = module.law({"name": "repeat_and_select", "parameters": pure, "base": None}, "add", set())
    odds = math.e / (1 + math.e)
    p, q = (
        1000 * (u + 0.01 * x) / (1 + 999 * (u + 0.01 * x)) - 1000 * u / (1 + 999 * u)
        for u, x in ((1 - odds, odds), (odds, 1 - odds))
    )
    return bool(
        module.bound(claim_of(module, laws[0], 2.5), True, module.Upper, 250, [0]) >= p - math.exp(2.5) * q
    )


def claim_of(module: Any, law: Any, epsilon: float) -> Any:
    """Of one step, in one direction."""
    return module.Claim("<=", Fraction(epsilon), Fraction(1, 10**4), ((law, 1),), (True,))


def sparse_vectors_enclose(module: Any) -> bool:
    """Moments at λ = 9/4 are no less than those of sequences of queries that move by 1/2 of their noise,
    which a search found, by quadrature; and nothing that neighbours have is more than what is above it.
    """
    half, lam = Fraction(1, 2), Fraction(9, 4)
    for noise, threshold, one_way, cap, least in SEQUENCES:
        law = module.Halting(noise, Fraction(threshold), half, Fraction(one_way), cap)
        if float(law.moment(lam, [0])) < least:
            return False
    for name, values in CHOICES.items():
        above, below, _ = module.law({"name": name, "parameters": values, "base": None}, "add", set())
        for part in below[::9]:
            low, high = (
                module.Claim("<=", Fraction(7, 10), Fraction(1, 10**3), ((one, 3),), (True, False))
                for one in (part, above)
            )
            most = module.bound(high, True, module.Upper, 250, [0])
            if max(module.bound(low, way, module.Lower, 250, [0]) for way in (True, False)) > most:
                return False
    return True


SEQUENCES: list[tuple[str, str, int, int, float]] = [
    ("gaussian", "50", 0, 3, 1.5438),
    ("gaussian", "50", 1, 3, 1.5434),
    ("gaussian", "1/2", 0, 5, 1.3632),
    ("gaussian", "1/2", 1, 5, 0.5342),
    ("laplace", "1/2", 0, 0, 0.9021),
    ("laplace", "1/2", 1, 0, 0.3285),
]
"""Noise, how far the threshold moves, whether all move alike, how many queries; log E e^{λ loss} of some."""
CHOICES = {
    "noisy_max": {"b": "4", "sensitivity": "1", "monotone": "True"},
    "above_threshold": {"b": "4", "query_b": "8", "sensitivity": "1", "monotone": "True"},
}


@pytest.mark.slow
def test_nothing_is_wrong_without_a_plant() -> None:
    assert not wrong(recheck)


PLANTS = {
    "left where right is needed": (
        "mass[cell.index - start + cell.width] += up(right)",
        "mass[cell.index - start] += up(right)",
    ),
    "an infinite loss dropped": (
        "cells.append(Cell(None, (p[0] if q == ZERO else 0, p[1]), ZERO, True))",
        "pass",
    ),
    "an unbounded loss dropped": (
        "Cell(index, p, r, not known, j - index)",
        "Cell(index - 500 * (not known), p, r, False, j - index)",
    ),
    "infinite masses not composed": (
        "infinite = self.over(self.infinite * whole + sum(self.mass) * other.infinite, scale)",
        "infinite = 0",
    ),
    "more infinite mass than there is": (
        "infinite = self.over(self.infinite * whole + sum(self.mass) * other.infinite, scale)",
        "infinite = self.infinite + other.infinite",
    ),
    "cells a step lower": ("Cell(index, p, r, not known", "Cell(index - 1, p, r, not known"),
    "atoms a step lower": (
        "cells.append(Cell(index, added(p for p, _ in rows), (lows, added(r)[1])))",
        "cells.append(Cell(index - 1, added(p for p, _ in rows), added(r)))",
    ),
    "a Q-mass with the wrong tilt": (
        "setting.up(-(-cell.r[1] * tilt[cell.width] >> fixed.bits))",
        "setting.up(cell.r[1])",
    ),
    "a shift too far": (
        "start, shift = self.start + other.start, self.shift + other.shift",
        "start, shift = self.start + other.start, self.shift + other.shift + 1",
    ),
    "the shift of a coarser grid": ("shift = (self.shift + Fraction(1, 2)) / 2", "shift = self.shift + 1"),
    "odd points to the left": (
        "moved = [min(-((-odd << fixed.bits) // least), odd) for _, odd in rows]",
        "moved = [0 for _ in rows]",
    ),
    "odd points half and half, a little less": (
        "moved = [min(-((-odd << fixed.bits) // least), odd) for _, odd in rows]",
        "moved = [odd // 3 for _, odd in rows]",
    ),
    "cells merged without their tilt": ("(a * more + b * less) >> fixed", "(a * less + b * less) >> fixed"),
    "odd cells dropped from Q": ("(a * more + b * less) >> fixed", "(a * more) >> fixed"),
    "the top cut off": ("infinite=self.infinite + self.up * right", "infinite=self.infinite // 2"),
    "P alone trimmed": (
        "self.q and self.q[low:high]",
        "self.q and [*self.q[low : high - 1], 0]",
    ),
    "e^(ε − loss) rounded up by a step": (
        "in zip(self.mass[at:], (self.q or self.mass)[at:]):",
        "in zip(self.mass[at + self.up :], (self.q or self.mass)[at + self.up :]):",
    ),
    "the grid of another level": (
        "first = max(math.floor((epsilon - 40) / g - self.shift), self.start)",
        "g = self.setting.h; first = max(math.floor((epsilon - 40) / g - self.shift), self.start)",
    ),
    "the series of Φ": (
        "term = (term * square >> 2 * self.bits) // (2 * n + 1)",
        "term = (term * square >> 2 * self.bits) // (2 * n + 2)",
    ),
    "π": ("((16, 5), (-4, 239))", "((16, 5), (-3, 239))"),
    "sampling without the rest": (
        "moved = tuple(row for row in ((Fraction(0), 1 - q), (move, q)) if row[1])",
        "moved = ((move, Fraction(1)),)",
    ),
    "one factor too few": (
        "whole = joined(joined(half, half, cut), x, cut) if count % 2 else joined(half, half, cut)",
        "whole = joined(half, half, cut)",
    ),
    "delta of a stated guarantee": (
        "return [*rows, *([(rest, ZERO), (ZERO, rest)] if d else [])]",
        "return rows",
    ),
    "ε of a stated guarantee": (
        "(low, high), lost, rows = fixed.exp(-e)",
        "(low, high), lost, rows = fixed.exp(-e / 2)",
    ),
    "categories": ("r = (1 - _within(p, 0, 1)) / (k - 1)", "r = (1 - _within(p, 0, 1)) / k"),
    "a record that adds nothing to its key": (
        "(most - number(texts[0])) / scale",
        "-number(texts[0]) / scale",
    ),
    "choices of half the score": ("shifted(Laplace, e / (1 + one), q)", "shifted(Laplace, e / 2, q)"),
    "a noisy max that is half as far": (
        "(2 - one_way) * sensitivity / b",
        "(1 - one_way / 2) * sensitivity / b",
    ),
    "a noisy max that is flatter": ("in (76, 234, 413, 489))", "in (152, 234, 413, 489))"),
    "choices of half the range": ("eta = epsilon / (1 + one_way) /", "eta = epsilon / 2 /"),
    "a choice whose ends count too little": ("Fraction(1000), Fraction(2))", "Fraction(1000), Fraction(5))"),
    "a divergence taken for a moment": ("(a - 1, (a - 1) * t)", "(a - 1, t)"),
    "a promise kept beyond its last order": ("10**999 if self.points", "0 if self.points"),
    "one rare event of several": ("law.most[1] * k for", "law.most[1] for"),
    "more clones than are proved": (
        "fixed.over((one, one), t) if clones and above",
        "(2 * r[0], 2 * r[1]) if clones",
    ),
    "others who say one of both half as often": ("else (2 * r[0], 2 * r[1])", "else r"),
    "a number of runs that costs nothing": ("log_up(mean + none, fixed)", "log_up(1 + none, fixed)"),
    "a ratio of best runs that is no square": (
        "* lam / (lam + 1)), fixed) * 2",
        "* lam / (lam + 1)), fixed)",
    ),
    "many runs that lose as one": ("r = mean * (d +", "r = (d +"),
    "runs of noise that moves twice as far": (
        "fixed.normal(-y)) for y in steps",
        "fixed.normal(-y - one.far)) for y in steps",
    ),
    "a best run of one more": ("ends = [mean * x", "ends = [(mean + 1) * x"),
    "the best of pure DP": ("if poisson else 3 * e", "if poisson else 2 * e"),
    "one tail of integer noise": ("[*weights[:0:-1], *weights]", "weights"),
    "queries that rise half as far": (
        "self.corners(quarters, up, work)]",
        "self.corners(quarters, up / 2, work)]",
    ),
    "one query too few": ("for _ in range(self.cap):", "for _ in range(self.cap - 1):"),
    "a corner too near": ("other[0] + low)", "others[1])"),
    "an answer that is passed for nothing": ("h[1] - (-w[1] * high >> bits)", "h[1]"),
    "stages that move twice": ("[(v + way * m, n) for", "[(v + 2 * way * m, n) for"),
    "a lead that grows twice as far": ("[(v, m, c), (Fraction(0)", "[(v, m, 2 * c), (Fraction(0)"),
    "a noise of half the width": ("way = 1 if sigma * high <= v else -1", "way = 1"),
    "outcomes of integer noise told together": ("*(fixed.times(w, factor) for w in more)", "*more"),
}


def test_every_plant_is_one_line_of_the_checker() -> None:
    source = Path(str(recheck.__file__)).read_text("utf-8")
    assert [name for name, (old, _) in PLANTS.items() if source.count(old) != 1] == []


@pytest.mark.sample(7)
@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS)
def test_a_planted_error_is_caught(plant: tuple[str, str]) -> None:
    assert wrong(planted(recheck, plant))


WORK = 50_000_000
"""Enough to contradict a forged document, and little for a planted decision that goes on and on."""


@cache
def contradicted() -> bytes:
    """A document that the checker contradicts within this work."""
    data = json.dumps(forged()).encode()
    assert recheck.recheck(recheck.parse(data), work=WORK)[0] == "CONTRADICTED"
    return data


def forged() -> dict[str, Any]:
    document = json.loads((STORED / "dp-sgd-refuted.json").read_text("utf-8"))
    document |= {"verdict": "CERTIFIED", "enclosure": None}
    return dict(document | {"sha256": digest(document)})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"<=": at_most,', '"<=": not above,'),
        ('"remove": (True,)}.get(adjacency, (True, False))', '"remove": (True,)}.get(adjacency, (False,))'),
        ("lower > under.delta, upper < claim.delta and", "upper < under.delta, upper < claim.delta and"),
    ],
)
def test_a_planted_decision_is_caught(old: str, new: str) -> None:
    module = planted(recheck, (old, new))
    assert module.recheck(module.parse(contradicted()), work=WORK)[0] != "CONTRADICTED"
