"""Errors planted in the checker: a bound falls on the wrong side of the truth, or a forgery passes."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
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
    (GAUSSIAN, "0.1", 30, "1"),
    (LAPLACE, "0.1", 30, "0.5"),
    (LAPLACE, None, 7, "2"),
    (RESPONSE, "0.3", 7, "0.7"),
    (STATED, None, 7, "1"),
    (RARE, None, 5, "1"),
    (DISCRETE, "0.3", 5, "0.4"),
    (GEOMETRIC, None, 5, "1"),
]


def plain(noise: Any, q: str | None) -> dict[str, Any]:
    base = {"name": noise[0], "parameters": noise[1], "base": None}
    return base if q is None else {"name": "poisson", "parameters": {"q": q}, "base": base}


def wrong(module: Any) -> bool:
    """Whether something is on the wrong side of the truth; a check that stops it is no proof."""
    if not (functions_enclose(module) and masses_are_kept(module) and rare_events_count(module)):
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
    return False


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
        "cells.append(Cell(index, p, (min(low, p[0]), high)))",
        "cells.append(Cell(index - 1, p, (low, high)))",
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
    "a record that adds nothing to its key": ("(most - threshold) / scale", "-threshold / scale"),
    "choices of half the score": ("shifted(Laplace, e / (1 + one), q)", "shifted(Laplace, e / 2, q)"),
    "a noisy max that is half as far": (
        "(2 - one_way) * sensitivity / b",
        "(1 - one_way / 2) * sensitivity / b",
    ),
    "a noisy max that is flatter": ("corners = (Fraction(3, 10),", "corners = (Fraction(3, 5),"),
    "choices of half the range": ("eta = epsilon / (1 + one_way) /", "eta = epsilon / 2 /"),
    "a choice whose ends count too little": ("Fraction(1000), Fraction(2))", "Fraction(1000), Fraction(5))"),
    "a divergence taken for a moment": ("(a - 1, (a - 1) * t)", "(a - 1, t)"),
    "a promise kept beyond its last order": ("10**999 if self.points", "0 if self.points"),
    "one rare event of several": ("law.most[1] * k for", "law.most[1] for"),
    "one tail of integer noise": ("[*weights[:0:-1], *weights]", "weights"),
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
