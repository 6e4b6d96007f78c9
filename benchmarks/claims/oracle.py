r"""What is true of a claim, by closed forms, exact convolution and a grid in doubles: nothing of the package.

A *release* is a tuple: ``("gaussian", "2", "1")``, ``("poisson", base, "0.1")``, ``("pure_dp", "0.5")``, …
with numbers as texts. ``known(release, relation)`` is what is proved of it under a relation, after the
docstrings of ``pldverify/mechanisms`` and of the papers that they cite. ``truth`` answers "is the true
value at most v?", "at least v?", by yes, no or None.

**Verdicts that are right** (docs/claims.md; where it is silent, the rules of one verdict as a function of
two ends that may be missing). A claim means its *known* meanings: each relation that may be meant, where
none is stated, each rule of steps. Of some nothing is proved: fixed-size batches where a record is added,
shuffled ones likewise.

* CERTIFIED: true in all of them.
* REFUTED: false in all of them, and in what was accounted for.
* CONDITIONAL: true in some meaning, or with another assumption, where there are several.
* UNDECIDED is never wrong; how often it is given is counted.

Of a stated guarantee the value is that of the worst mechanism that has it: ε of ρ-zCDP lies between that of
Gaussian noise and a conversion, and a claim that Gaussian noise keeps is not REFUTED.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import comb, floor, inf
from typing import Any, Literal

import numpy as np
from mpmath import mp
from scipy.special import ndtr

from benchmarks.claims.privacy_loss import (
    Atoms,
    Laplace,
    Mixture,
    Reverse,
    Sampled,
    Step,
    TwoSided,
    composed,
    gaussian_delta,
)

Release = tuple[Any, ...]
Real = Any
"""Fraction, mpf, or ∞ of either kind."""
Pair = tuple[Step, Step]
"""Directions remove and add."""
RELATIONS = ("add-or-remove", "replace-one", "zero-out")
Place = Literal["all", "one", "infinity"]
_SLACK = mp.mpf(10) ** -30
_ORDERS = [1 + mp.mpf(10) ** -9] + [mp.mpf("1.02") ** j for j in range(1, 420)]


def number(text: Any) -> mp.mpf:
    """The value of a decimal, a fraction, a percentage, or of ``a*sqrt(b)``, ``sqrt(b)/a``, ``log(a)``."""
    exact = rational(text)
    if exact is not None:
        return _real(exact)
    factor, function, inner = _irrational(str(text))
    return _real(factor) * (mp.sqrt if function == "sqrt" else mp.log)(_real(inner))


def rational(text: Any) -> Fraction | None:
    """The same, where it is rational by its form."""
    words = str(text).strip()
    try:
        return Fraction(words[:-1]) / 100 if words.endswith("%") else Fraction(words)
    except ValueError:
        return None


_FORM = re.compile(r"(?:([\d./]+)\*)?(sqrt|log)\(([\d./]+)\)(?:/([\d.]+))?")
"""Of irrational numbers that are drawn."""


def _irrational(text: str) -> tuple[Fraction, str, Fraction]:
    """(factor, function, argument)."""
    found = _FORM.fullmatch(text)
    assert found is not None, text
    return Fraction(found[1] or 1) / Fraction(found[4] or 1), found[2], Fraction(found[3])


def square(text: Any) -> Fraction | mp.mpf:
    """The square of a number, exact for roots of rationals."""
    exact = rational(text)
    if exact is not None:
        return exact**2
    factor, function, inner = _irrational(str(text))
    return factor**2 * inner if function == "sqrt" else number(text) ** 2


def _real(x: Any) -> mp.mpf:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


@dataclass(frozen=True)
class Known:
    """What is known of one release under one relation.

    Attributes:
        above: a pair that dominates all neighbours; None where none is known.
        below: a pair that some neighbours have.
        mu_squared: where it is Gaussian: that of the trade-off.
        rho: the least ρ, exactly, and the orders at which D_α/α comes to it.
        rho_above, mu_squared_above: upper bounds of them.
        most: the largest loss of each direction, for δ = 0.
        promise: the ρ of a zCDP guarantee, of which the above is that of Gaussian noise.
        attack: a lower bound of δ at ε, where no pair is known.
        one_step: whether ``below`` is had at each threshold by another mechanism, so only of one run.
    """

    above: Pair | None = None
    below: Pair | None = None
    mu_squared: Real = None
    rho: tuple[Real, Place] | None = None
    rho_above: Real = None
    mu_squared_above: Real = None
    most: tuple[Real, Real] = (mp.inf, mp.inf)
    promise: Real = None
    attack: Callable[[mp.mpf], mp.mpf] | None = None
    one_step: bool = False


def _gaussian(square_of_mu: Real) -> Known:
    mu = float(mp.sqrt(_real(square_of_mu)))
    step = Mixture(((0.0, 0.0), (1.0, mu)), ((1.0, 0.0),))
    return Known((step, step), (step, step), square_of_mu, (square_of_mu / 2, "all"))


def _atoms(
    outcomes: Sequence[tuple[mp.mpf, mp.mpf]], most: tuple[Real, Real] | None = None, **more: Any
) -> Known:
    step = Atoms(tuple(outcomes))
    both = (step, step.back())
    return Known(both, both, most=most or (_top(both[0]), _top(both[1])), **more)


def _top(step: Atoms) -> mp.mpf:
    return mp.inf if step.infinite() > 0 or not step.losses else step.losses[-1][0]


def _pure(epsilon: Real) -> Known:
    e = mp.exp(_real(epsilon))
    mu = 2 * mp.erfinv(2 * e / (1 + e) - 1) * mp.sqrt(2)
    rho = _real(epsilon) * mp.tanh(_real(epsilon) / 2)
    rr = [(e / (1 + e), 1 / (1 + e)), (1 / (1 + e), e / (1 + e))]
    return _atoms(rr, (epsilon, epsilon), rho=(rho, "one"), rho_above=rho, mu_squared_above=mu**2)


def _approximate(epsilon: mp.mpf, delta: mp.mpf) -> Known:
    e = mp.exp(epsilon)
    kept, zero = 1 - delta, mp.mpf(0)
    rest = [(kept * e / (1 + e), kept / (1 + e)), (kept / (1 + e), kept * e / (1 + e))]
    return _atoms(
        [(delta, zero), (zero, delta), *rest] if delta else rest, rho=(mp.inf, "all") if delta else None
    )


def _group_of_promise(epsilon: mp.mpf, delta: mp.mpf, m: int) -> Pair:
    """The pair of the trade-off f∘…∘f, f(x) = min(e^ε x + δ, 1 − e^{−ε}(1 − x − δ), 1): the worst of all
    mechanisms with the guarantee, at each threshold on its own (by outcomes that are two)."""
    e = mp.exp(epsilon)

    def f(x: mp.mpf) -> mp.mpf:
        return min(e * x + delta, 1 - (1 - x - delta) / e, mp.mpf(1))

    def before(y: mp.mpf) -> mp.mpf:
        return max((y - delta) / e, 1 - delta - e * (1 - y))

    kinks, found = [(1 - delta) / (1 + e), 1 - delta], {mp.mpf(0), mp.mpf(1)}
    for _ in range(m):
        found |= {x for x in kinks if 0 < x < 1}
        kinks = [before(x) for x in kinks]
    places = sorted(found)
    values = []
    for x in places:
        for _ in range(m):
            x = f(x)
        values.append(x)
    outcomes = [(b - a, y - x) for (x, a), (y, b) in pairwise(zip(places, values, strict=True))]
    step = Atoms(((values[0], mp.mpf(0)), *outcomes))
    return (step, step)


def _discrete_gaussian(sigma: mp.mpf, s: int) -> Known:
    reach = int(40 * sigma) + 10 * s  # orders up to 8: α s and 20 σ beyond
    weights = {x: mp.exp(-mp.mpf(x * x) / (2 * sigma**2)) for x in range(-reach, reach + s + 1)}
    total = mp.fsum(weights.values())
    outcomes = [(weights[x - s] / total, weights[x] / total) for x in range(s - reach, reach + 1)]
    rho = mp.mpf(s * s) / (2 * sigma**2)
    return _atoms(outcomes, (mp.inf, mp.inf), rho=(rho, "infinity"), rho_above=rho)


def discrete_sigma(deviation: mp.mpf) -> mp.mpf:
    """The parameter of the discrete Gaussian whose standard deviation that is."""

    def found(sigma: mp.mpf) -> mp.mpf:
        w = [mp.exp(-mp.mpf(x * x) / (2 * sigma**2)) for x in range(1, int(30 * sigma) + 4)]
        return mp.sqrt(2 * mp.fsum(x * x * v for x, v in enumerate(w, 1)) / (1 + 2 * mp.fsum(w)))

    return mp.mpf(
        mp.findroot(lambda sigma: found(sigma) - deviation, deviation + mp.mpf("0.02"), tol=mp.mpf(10) ** -80)
    )


def _discrete_laplace(b: Fraction, s: int) -> Known:
    r = mp.exp(-1 / _real(b))
    middle = (1 - r) / (1 + r)
    inside = [(middle * r ** (s - x), middle * r**x) for x in range(1, s)]
    outcomes = [(r**s / (1 + r), 1 / (1 + r)), *inside, (1 / (1 + r), r**s / (1 + r))]
    return _atoms(outcomes, (Fraction(s) / b, Fraction(s) / b))


def _finite(p: Sequence[Any], q: Sequence[Any], **more: Any) -> Known:
    """D_α of a pair that is bounded: ρ is left to the search over orders."""
    return _atoms([(number(a), number(b)) for a, b in zip(p, q, strict=True)], **more)


def _randomized(p: Fraction, categories: int) -> Known:
    other = (1 - p) / (categories - 1)
    rest = (categories - 2) * other
    outcomes = [(_real(p), _real(other)), (_real(other), _real(p))] + (
        [(_real(rest), _real(rest))] if rest else []
    )
    return _atoms(outcomes)


def _sampled(base: Release, q: Fraction, relation: str) -> Known | None:
    if q == 1:
        return known(base, relation)
    if base[0] == "gaussian":
        whole = known(base, relation)
        assert whole is not None
        mu, weight = float(mp.sqrt(_real(whole.mu_squared))), float(q)
        none = ((1.0, 0.0),)
        if relation == "replace-one":
            half = mu / 2
            step = Mixture(((1 - weight, 0.0), (weight, half)), ((1 - weight, 0.0), (weight, -half)))
            return Known(
                (step, step), (step, step), rho_above=whole.mu_squared / 2, mu_squared_above=whole.mu_squared
            )
        step = Mixture(((1 - weight, 0.0), (weight, mu)), none)
        both = (step, Reverse(step))
        rho = (whole.mu_squared / 2, "infinity")
        most = (mp.inf, -mp.log(1 - _real(q)))
        return Known(both, both, rho=rho, rho_above=rho[0], mu_squared_above=whole.mu_squared, most=most)  # type: ignore[arg-type]
    if relation == "replace-one":
        return None
    whole = known(base, relation)
    if whole is None or whole.above is None:
        return None
    forward = whole.above[0]
    if isinstance(forward, Atoms):
        step = forward.sampled(_real(q))
        both = (step, step.back())
        most = (mp.inf if whole.most[0] == mp.inf else _top(both[0]), _top(both[1]))
        return Known(both, both, rho_above=whole.rho_above, most=most)
    sides = (Sampled(forward, float(q)), Reverse(Sampled(forward, float(q))))
    theta = _real(whole.most[0])
    ends = tuple(abs(mp.log(1 + _real(q) * mp.expm1(sign * theta))) for sign in (1, -1))
    return Known(sides, sides, most=(ends[0], ends[1]))


def _without_replacement(base: Release, q: Fraction) -> Known:
    whole = known(base, "replace-one")
    assert whole is not None
    if q == 1:
        return whole
    mu, weight = float(mp.sqrt(_real(whole.mu_squared))), float(q)
    step = Mixture(((1 - weight, 0.0), (weight, mu)), ((1.0, 0.0),))
    two = TwoSided(((1.0, step),))
    return Known(
        (two, two), (step, Reverse(step)), rho_above=whole.mu_squared / 2, mu_squared_above=whole.mu_squared
    )


def _with_replacement(base: Release, m: int, n: int) -> Known:
    whole = known(base, "replace-one")
    assert whole is not None
    mu, chance = float(mp.sqrt(_real(whole.mu_squared))), 1 / n
    weights = [comb(m, k) * chance**k * (1 - chance) ** (m - k) for k in range(m + 1)]
    drawn = 1 - weights[0]
    steps = tuple(
        (w / drawn, Mixture(((weights[0], 0.0), (drawn, k * mu)), ((1.0, 0.0),)))
        for k, w in enumerate(weights)
        if k
    )
    two = TwoSided(steps)
    attained = Mixture(tuple((w, k * mu) for k, w in enumerate(weights)), ((1.0, 0.0),))
    return Known((two, two), (attained, Reverse(attained)))


def _hidden(base: Release, batches: int, relation: str, shuffled: bool) -> Known | None:
    """Above: the batch revealed. Below: the largest of the sums, of one epoch."""
    if relation not in (("zero-out", "replace-one") if shuffled else ("zero-out", "add-or-remove")):
        return None
    one = known(base, "zero-out")
    whole = known(base, relation)
    assert one is not None and whole is not None
    unit = float(mp.sqrt(_real(one.mu_squared)))
    high, low = (2, 0 if relation == "replace-one" else 1) if shuffled else (1, 0)

    def attack(epsilon: mp.mpf) -> mp.mpf:
        t = np.arange(0, 12, 0.05)
        rest = ndtr(t) ** (batches - 1)
        hit, miss = 1 - rest * ndtr(t - high * unit), 1 - rest * ndtr(t - low * unit)
        return mp.mpf(
            max(0.0, float(np.max(hit - float(mp.exp(epsilon)) * miss)) - 1e-12 * float(1 + mp.exp(epsilon)))
        )

    exact = relation != "replace-one"
    rho: Any = (whole.mu_squared / 2, "infinity") if exact else None
    return Known(
        whole.above,
        None,
        rho=rho,
        rho_above=whole.mu_squared / 2,
        mu_squared_above=whole.mu_squared,
        attack=attack,
    )


def _binomial(n: int, p: Fraction, s: int, relation: str) -> Known | None:
    if relation == "replace-one":
        if p != Fraction(1, 2):
            return None
        s = 2 * s
    mass = {x: _real(comb(n, x) * p**x * (1 - p) ** (n - x)) for x in range(n + 1)}
    zero = mp.mpf(0)
    return _atoms([(mass.get(x - s, zero), mass.get(x, zero)) for x in range(n + s + 1)])


@cache
def known(release: Release, relation: str) -> Known | None:
    """None where no pair is known under the relation."""
    kind, *rest = release
    twice = 2 if relation == "replace-one" else 1
    if kind == "gaussian":
        return _gaussian(twice**2 * square(rest[1]) / square(rest[0]))
    if kind == "laplace":
        exact = rational(rest[0]), rational(rest[1])
        theta = (
            twice * exact[1] / exact[0] if None not in exact else twice * number(rest[1]) / number(rest[0])
        )  # type: ignore[operator]
        step = Laplace(float(theta))
        return Known((step, step), (step, step), most=(theta, theta))
    if kind == "discrete_gaussian":
        return _discrete_gaussian(number(rest[0]), twice * int(rest[1]))
    if kind == "discrete_gaussian of deviation":
        return _discrete_gaussian(discrete_sigma(number(rest[0])), twice * int(rest[1]))
    if kind == "discrete_laplace":
        return _discrete_laplace(Fraction(rest[0]), twice * int(rest[1]))
    if kind == "randomized_response":
        return _randomized(Fraction(rest[0]), int(rest[1]))
    if kind == "finite_pair":
        return _finite(*rest)
    if kind == "binomial":
        return _binomial(int(rest[0]), Fraction(rest[1]), int(rest[2]), relation)
    if kind == "pure_dp":
        exact = rational(rest[0])
        return _pure(number(rest[0]) if exact is None else exact)
    if kind == "approximate_dp":
        return (
            _approximate(number(rest[0]), number(rest[1]))
            if number(rest[1])
            else known(("pure_dp", rest[0]), relation)
        )
    if kind == "gdp":
        return _gaussian(square(rest[0]))
    if kind == "zcdp":
        rho = rational(rest[0]) or number(rest[0])
        return Known(None, _gaussian(2 * rho).below, rho=(rho, "all"), promise=rho)
    if kind == "poisson":
        return _sampled(rest[0], rational(rest[1]) or Fraction(0), relation)
    if kind in ("sampled_without_replacement", "kjh19_substitute", "sampled_with_replacement"):
        if relation != "replace-one":
            return None
        if kind == "sampled_with_replacement":
            return _with_replacement(rest[0], int(rest[1]), int(rest[2]))
        return _without_replacement(rest[0], rational(rest[1]) or Fraction(0))
    if kind in ("shuffled", "balls_and_bins"):
        return _hidden(rest[0], int(rest[1]), relation, kind == "shuffled")
    if kind == "a part of an epoch":  # (base, chance to take part): convexity in whether it does
        whole = known(rest[0], relation)
        return (
            None
            if whole is None or relation == "add-or-remove"
            else Known(
                whole.above, rho_above=whole.rho_above or whole.rho[0], mu_squared_above=whole.mu_squared
            )
        )  # type: ignore[index]
    return _group(rest[0], int(rest[1]), relation) if kind == "group" else None


def _group(base: Release, m: int, relation: str) -> Known | None:
    kind, *rest = base
    if kind in ("gaussian", "laplace"):
        s = Fraction(rest[1]) * m
        return known((kind, rest[0], str(s)), relation)
    if kind in ("discrete_gaussian", "discrete_laplace"):
        return known((kind, rest[0], str(int(rest[1]) * m)), relation)
    if kind == "gdp":
        return _gaussian(m**2 * square(rest[0]))
    if kind == "poisson" and base[1][0] == "gaussian":
        if relation != "add-or-remove":
            return None
        whole = known(base[1], relation)
        assert whole is not None
        mu, q = float(mp.sqrt(_real(whole.mu_squared))), float(Fraction(base[2]))
        weights = tuple((comb(m, k) * q**k * (1 - q) ** (m - k), k * mu) for k in range(m + 1))
        step = Mixture(weights, ((1.0, 0.0),))
        both = (step, Reverse(step))
        rho = m**2 * whole.mu_squared / 2
        most = (mp.inf, -m * mp.log(1 - _real(Fraction(base[2]))))
        return Known(both, both, rho=(rho, "infinity"), rho_above=rho, mu_squared_above=2 * rho, most=most)
    epsilon, delta = number(rest[0]), number(rest[1]) if kind == "approximate_dp" else mp.mpf(0)
    pair = _group_of_promise(epsilon, delta, m)
    lost = delta * sum(mp.exp(j * epsilon) for j in range(m))
    whole = (
        _approximate(m * epsilon, min(lost, mp.mpf(1)))
        if delta
        else _pure(m * (rational(rest[0]) or epsilon))
    )
    return Known(
        pair,
        pair,
        rho_above=whole.rho_above,
        mu_squared_above=whole.mu_squared_above,
        most=whole.most,
        one_step=True,
    )


# --- the true value of a composition ------------------------------------------------------------------------


class Truth:
    """Of a composition under one relation: of ε at δ, ρ, μ or D_α."""

    def __init__(
        self, lower: Callable[[Real], bool | None], upper: Callable[[Real], bool | None], near: float | None
    ) -> None:
        self.at_least, self.at_most, self.near = lower, upper, near


def _both_ways(no: bool, yes: bool) -> bool | None:
    return False if no else True if yes else None


def of_ends(lower: Real, upper: Real) -> Truth:
    """Ends that are exact where they are Fractions, with a slack else; None where nothing is known."""
    down = lower if isinstance(lower, Fraction) else None if lower is None else _real(lower) * (1 - _SLACK)
    up = upper if isinstance(upper, Fraction) else None if upper is None else _real(upper) * (1 + _SLACK)

    def less(a: Real, b: Real) -> bool:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a < b
        x, y = _real(a), _real(b)
        return bool(x < y - abs(y) * mp.mpf(10) ** -45) if y != mp.inf else x != mp.inf

    def most(a: Real, b: Real) -> bool:
        return a <= b if isinstance(a, Fraction) and isinstance(b, Fraction) else less(a, b)

    near = next((float(x) for x in (upper, lower) if x is not None and x != mp.inf), None)
    return Truth(
        lambda v: _both_ways(up is not None and less(up, v), v <= 0 or (down is not None and most(v, down))),
        lambda v: _both_ways(down is not None and less(v, down), up is not None and most(up, v)),
        near,
    )


def truth(parts: Sequence[tuple[Known, int]], adjacency: str, claim: dict[str, Any]) -> Truth:
    """Of the quantity that ``claim`` is about."""
    sides = {"remove": (0,), "add": (1,)}.get(adjacency, (0, 1))
    if (
        sum(k for _, k in parts) > 1 or "epsilon" not in claim
    ):  # no one mechanism is the worst at all thresholds
        parts = [(replace(p, below=None) if p.one_step else p, k) for p, k in parts]
    if "rdp" in claim:
        order = str(claim["rdp"]["order"])
        if order.startswith("-"):
            return of_ends(None, None)
        return of_ends(
            *_divergence(parts, sides, mp.inf if order == "inf" else rational(order) or number(order))
        )
    if "rho" in claim:
        return of_ends(*_rho(parts, sides))
    if "mu" in claim:
        return of_ends(*_mu(parts, sides))
    return _epsilon(parts, sides, number(claim["delta"]))


def _whole(parts: Sequence[tuple[Known, int]]) -> Real:
    """μ² where all is Gaussian, else None."""
    return (
        sum((k * p.mu_squared for p, k in parts), Fraction(0))
        if all(p.mu_squared is not None for p, k in parts)
        else None
    )


def delta_ends(
    parts: Sequence[tuple[Known, int]], sides: Sequence[int]
) -> tuple[Callable[[mp.mpf], mp.mpf], Callable[[mp.mpf], mp.mpf]]:
    """(lower end, upper end) of δ(ε)."""
    square_of_mu = _whole(parts)
    if square_of_mu is not None:
        whole = _real(square_of_mu)
        return (lambda e: gaussian_delta(whole, e) * (1 - _SLACK)), (
            lambda e: gaussian_delta(whole, e) * (1 + _SLACK)
        )
    lower, upper = [], []
    for i in sides:
        some = [(p.below[i], k) for p, k in parts if p.below is not None]
        lows, _, _ = composed(_merged(some))
        lower.append(lows)
        if all(p.above is not None for p, _ in parts):
            full = [(p.above[i], k) for p, k in parts if p.above is not None]
            upper.append(composed(_merged(full))[1])
    attacks = [p.attack for p, _ in parts if p.attack is not None]
    promise = _promised(parts, sides)

    def low(e: mp.mpf) -> mp.mpf:
        return max([mp.mpf(0), *(f(e) for f in lower), *(f(e) for f in attacks)])

    def high(e: mp.mpf) -> mp.mpf:
        return min(
            [mp.mpf(1), *([max(f(e) for f in upper)] if upper else []), *([promise(e)] if promise else [])]
        )

    return low, high


def _merged(parts: Sequence[tuple[Step, int]]) -> list[tuple[Step, int]]:
    """Gaussians together: one of all their μ² is the same."""
    plain = [(s, k) for s, k in parts if isinstance(s, Mixture) and len(s.p) == 2 and s.p[0][0] == 0.0]
    if len(plain) < 2 and all(k == 1 for _, k in plain):
        return list(parts)
    mu = sum(k * s.p[1][1] ** 2 for s, k in plain if isinstance(s, Mixture)) ** 0.5
    others = [(s, k) for s, k in parts if not any(s is t for t, _ in plain)]
    return [*others, (Mixture(((0.0, 0.0), (1.0, mu)), ((1.0, 0.0),)), 1)]


def _promised(parts: Sequence[tuple[Known, int]], sides: Sequence[int]) -> Callable[[mp.mpf], mp.mpf] | None:
    """By Rényi divergences, where a part is only zCDP (Canonne, Kamath, Steinke 2020, Proposition 12)."""
    if not any(p.promise is not None for p, _ in parts):
        return None
    bounds = [
        (a, _divergence(parts, sides, a)[1])
        for a in (mp.mpf("1.01") * mp.mpf("1.07") ** j for j in range(110))
    ]
    finite = [(a, d) for a, d in bounds if d is not None and d != mp.inf]

    def delta(e: mp.mpf) -> mp.mpf:
        return min(
            [
                mp.mpf(1),
                *(mp.exp((a - 1) * (_real(d) - e) + a * mp.log(1 - 1 / a)) / (a - 1) for a, d in finite),
            ]
        ) * (1 + mp.mpf(10) ** -8)

    return delta


def _epsilon(parts: Sequence[tuple[Known, int]], sides: Sequence[int], delta: mp.mpf) -> Truth:
    if delta == 0:
        counts = [k for _, k in parts]
        whole = max((_summed([p.most[i] for p, _ in parts], counts) for i in sides), key=_real)
        attained = all(p.below is not None or p.attack is not None for p, _ in parts)
        return of_ends(whole if attained else None, whole)
    low, high = delta_ends(parts, sides)
    low, high = lru_cache(maxsize=4096)(low), lru_cache(maxsize=4096)(high)

    def at_most(v: Real) -> bool | None:
        if v == mp.inf or v == inf:
            return True
        x = _real(v)
        return False if x < 0 else _both_ways(low(x) > delta, high(x) <= delta)

    def at_least(v: Real) -> bool | None:
        if v <= 0:
            return True
        if v == mp.inf or v == inf:
            return _both_ways(high(mp.mpf(100)) < delta, low(mp.mpf(10) ** 6) > delta)
        x = _real(v)
        return _both_ways(high(x) < delta, low(x) > delta)

    return Truth(at_least, at_most, _near(low, high, delta))


def _near(low: Callable[[mp.mpf], mp.mpf], high: Callable[[mp.mpf], mp.mpf], delta: mp.mpf) -> float | None:
    """About where δ(ε) = δ: of the upper end, where there is one."""
    side = high if high(mp.mpf(50)) < delta else low
    if side(mp.mpf(0)) <= delta:
        return 0.0
    a, b = mp.mpf(0), mp.mpf(50)
    if side(b) > delta:
        return None
    for _ in range(34):
        middle = (a + b) / 2
        a, b = (middle, b) if side(middle) > delta else (a, middle)
    return float(b)


def _divergence(parts: Sequence[tuple[Known, int]], sides: Sequence[int], order: Real) -> tuple[Real, Real]:
    """Ends of the greatest D_α of both sides; None where an end is not known."""
    found = [_one_way(parts, i, order) for i in sides]
    lows, highs = [low for low, _ in found if low is not None], [high for _, high in found]
    high = None if any(h is None for h in highs) else max(highs, key=_real)
    return (max(lows, key=_real) if lows else None), high


def _one_way(parts: Sequence[tuple[Known, int]], i: int, order: Real) -> tuple[Real, Real]:
    low: Real = Fraction(0)
    high: Real = Fraction(0)
    for part, k in parts:
        a, b = _renyi(part, i, order)
        low = low if a is None else _plus(low, a, k)
        high = None if high is None or b is None else _plus(high, b, k)
    return low, high


def _plus(total: Real, more: Real, k: int) -> Real:
    if isinstance(total, Fraction) and isinstance(more, Fraction):
        return total + k * more
    return _real(total) + k * _real(more)


def _renyi(part: Known, i: int, order: Real) -> tuple[Real, Real]:
    if part.mu_squared is not None:
        if order == mp.inf:
            return mp.inf, mp.inf
        both = (
            part.mu_squared / 2 * order
            if isinstance(part.mu_squared, Fraction) and isinstance(order, Fraction)
            else _real(part.mu_squared) / 2 * _real(order)
        )
        return both, both
    if part.promise is not None:
        if order == mp.inf:
            return mp.inf, mp.inf
        exact = isinstance(part.promise, Fraction) and isinstance(order, Fraction)
        gaussian = part.promise * order if exact else _real(part.promise) * _real(order)
        if order >= 1:
            return gaussian, gaussian
        return max(_real(gaussian), _of_randomized(_real(part.promise)).renyi(_real(order))), part.promise
    if part.above is not None and isinstance(part.above[i], Atoms) and mp.inf in part.most and order > 8:
        return _of_discrete_gaussian(part, i, order)
    high = _pair_renyi(part.above, i, order)
    low = high if part.below == part.above else _pair_renyi(part.below, i, order)
    if high is not None and low is high:
        return high[0], high[1]
    most = high[1] if high is not None else None
    if most is None and part.rho_above is not None:
        most = _real(part.rho_above) * max(_real(order), 1)
    return (None if low is None else low[0]), most


def _of_discrete_gaussian(part: Known, i: int, order: Real) -> tuple[Real, Real]:
    """At high orders, where the masses that are kept don't reach: D_α rises, and is ρα at integer orders."""
    whole = part.above
    if part.rho is None or whole is None or order == mp.inf:
        low = _pair_renyi(part.below, i, Fraction(8))
        infinite = whole is not None and whole[i].infinite() > 0
        above = None if part.rho_above is None else _real(part.rho_above) * _real(order)
        return (mp.inf if infinite else low and low[0]), (mp.inf if infinite else above)
    rho = _real(part.rho[0])
    return rho * floor(order) * (1 - _SLACK), rho * _real(order) * (1 + _SLACK)


@cache
def _of_randomized(rho: mp.mpf) -> Atoms:
    """Randomised response that is ρ-zCDP: D_α/α falls, from ε tanh(ε/2) at α = 1."""
    low, high = mp.mpf(0), 2 + 2 * rho
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * mp.tanh(middle / 2) < rho else (low, middle)
    pair = _pure(low).above
    assert pair is not None and isinstance(pair[0], Atoms)
    return pair[0]


def _pair_renyi(pair: Pair | None, i: int, order: Real) -> tuple[Real, Real] | None:
    if pair is None:
        return None
    step = pair[i]
    if isinstance(step, Atoms):
        value = step.renyi(_real(order))
        return value * (1 - _SLACK), value * (1 + _SLACK)
    if isinstance(step, Laplace):
        value = mp.mpf(step.theta) if order == mp.inf else mp.mpf(step.renyi(float(order)))
        return value * (1 - mp.mpf(10) ** -9), value * (1 + mp.mpf(10) ** -9)
    gaussian = isinstance(step, Mixture) or (isinstance(step, Reverse) and isinstance(step.step, Mixture))
    if not gaussian or order == mp.inf or not 0.3 <= float(order) <= 40:
        return None
    value = mp.mpf(step.renyi(float(order)))
    slack = value * mp.mpf(10) ** -7 + mp.mpf(10) ** -11
    return max(mp.mpf(0), value - slack), value + slack


def _rho(parts: Sequence[tuple[Known, int]], sides: Sequence[int]) -> tuple[Real, Real]:
    """sup of D_α/α over α > 1."""
    exact = [p.rho for p, _ in parts]
    places = {place for each in exact if each is not None for place in [each[1]]} - {"all"}
    if len(sides) == 2 and all(each is not None for each in exact) and len(places) <= 1:
        total = _summed([each[0] for each in exact if each is not None], [k for _, k in parts])
        return total, total
    low: Real = mp.mpf(0)
    if len(sides) == 2:
        low = max(
            mp.fsum(_real(p.rho[0]) * k for p, k in parts if p.rho is not None and p.rho[1] in ("all", place))
            for place in ("one", "infinity")
        )
    atoms = all(p.above is not None and isinstance(p.above[0], Atoms | Laplace) for p, _ in parts)
    orders = _ORDERS if atoms else _ORDERS[1:150:10]
    ends = [(a, *_divergence(parts, sides, a)) for a in orders]
    low = max([low, *(_real(d) / a for a, d, _ in ends if d is not None)])
    high = None
    if all(p.rho_above is not None or p.rho is not None for p, _ in parts):
        high = mp.fsum(_real(p.rho_above if p.rho_above is not None else p.rho[0]) * k for p, k in parts)  # type: ignore[index]
    if atoms and ends[-1][2] is not None and all(mp.inf not in p.most for p, _ in parts):
        last = mp.fsum(_real(max(p.most, key=_real)) * k for p, k in parts)
        rise = [
            _real(above) / a
            for (a, _, _), (_, _, above) in zip([(mp.mpf(1), 0, 0), *ends], ends, strict=False)
        ]
        mine = max([*rise, last / ends[-1][0]])
        high = mine if high is None else min(high, mine)
    return low, high


def _summed(values: Sequence[Real], counts: Sequence[int]) -> Real:
    if all(isinstance(v, Fraction) for v in values):
        return sum((v * k for v, k in zip(values, counts, strict=True)), Fraction(0))
    return mp.fsum(_real(v) * k for v, k in zip(values, counts, strict=True))


def _mu(parts: Sequence[tuple[Known, int]], sides: Sequence[int]) -> tuple[Real, Real]:
    """The least μ: sup over the trade-off of Φ⁻¹(power) − Φ⁻¹(type I error)."""
    whole = _whole(parts)
    if whole is not None:
        return _root(whole), _root(whole)
    if any(
        p.above is not None
        and isinstance(p.above[0], Atoms)
        and p.below == p.above
        and p.above[0].infinite() + p.above[1].infinite() > 0
        for p, _ in parts
    ):
        return mp.inf, None
    high = None
    squares = [p.mu_squared if p.mu_squared is not None else p.mu_squared_above for p, _ in parts]
    if all(each is not None for each in squares):
        high = _root(_summed(squares, [k for _, k in parts]))
    if (
        len(sides) == 2
        and high is not None
        and all(p.mu_squared is not None or (p.rho is not None and p.rho[1] == "infinity") for p, _ in parts)
    ):
        return high, high  # the tails of the trade-off: one sample that has the record at every step
    steps = [(p.above[sides[0]], k) for p, k in parts if p.above is not None and p.below == p.above]
    if (
        len(steps) == len(parts)
        and all(isinstance(step, Atoms) for step, _ in steps)
        and sum(k for _, k in steps) < 60
    ):
        _, _, exact = composed(steps)
        if exact is not None:
            inside = [
                (a, power) for a, power in exact.vertices() if 0 < a < 1 - mp.mpf(10) ** -40 and 0 < power < 1
            ]
            if len(inside) < 400:
                mu = max((_quantile(power) - _quantile(a) for a, power in inside), default=mp.mpf(0))
                return mu, mu if all(mp.inf not in p.most for p, _ in parts) else None
    low, _ = delta_ends(parts, sides)
    found = mp.mpf(0)
    for e in (mp.mpf(0), mp.mpf("0.5"), mp.mpf(2)):
        delta = low(e)
        if delta > mp.mpf(10) ** -6:
            found = max(found, _mu_with(e, delta))
    return found, high


def _mu_with(epsilon: mp.mpf, delta: mp.mpf) -> mp.mpf:
    a, b = mp.mpf(10) ** -6, mp.mpf(60)
    for _ in range(60):
        middle = (a + b) / 2
        a, b = (middle, b) if gaussian_delta(middle**2, epsilon) < delta else (a, middle)
    return a


def _quantile(p: mp.mpf) -> mp.mpf:
    """Φ⁻¹; by the smaller tail."""
    return -_quantile(1 - p) if p > mp.mpf("0.5") else -mp.sqrt(2) * mp.erfinv(1 - 2 * p)


def _root(value: Real) -> Real:
    if isinstance(value, Fraction):
        root = Fraction(int(mp.sqrt(value.numerator)), int(mp.sqrt(value.denominator)))
        if root**2 == value:
            return root
    return mp.sqrt(_real(value))


# --- the meanings of a claim --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meaning:
    """One of them.

    Attributes:
        adjacency: of the reading; empty where a guarantee is one of the relation that is meant.
        words: that the reading's assumption must contain.
        role: ``known``; ``other`` (what was accounted for, Gaussian noise of a stated ρ); ``printed`` (a pair
            that a paper prints: what is proved of it is not the true value).
        truth: None where nothing is proved of it.
        above_only: whether docs say that it is bounded from above alone.
    """

    adjacency: str
    words: tuple[str, ...]
    role: str
    truth: Truth | None
    above_only: bool = False


_WORDS = {
    "poisson": "Poisson batches",
    "shuffled": "shuffled batches",
    "fixed_without_replacement": "without replacement",
    "fixed_with_replacement": "with replacement",
}
Parts = list[tuple[Release, int]]


def meanings(claim: dict[str, Any]) -> list[Meaning]:
    """All that the claim may mean."""
    phases = claim["phase"]
    others = any(p.get("accounted_as") not in (None, p.get("sampling")) for p in phases)
    found: list[Meaning] = []
    for accounted in (False, True) if others else (False,):
        for rule in _rules(phases):
            found += _of(claim, accounted, rule, others)
    return found


def _of(claim: dict[str, Any], accounted: bool, rule: str | None, others: bool) -> Iterator[Meaning]:
    phases, role = claim["phase"], "other" if accounted else "known"
    pieces: Parts = [piece for p in phases for piece in releases(p, accounted, rule)]
    shuffled = any(_sampling(p, accounted) == "shuffled" for p in phases) or any(
        r[0] == "shuffled" for r, _ in pieces
    )
    words = [rule] if rule else []
    if others:
        words += sorted({_WORDS[s] for p in phases if (s := _sampling(p, accounted)) in _WORDS})
    above = any(r[0] == "a part of an epoch" for r, _ in pieces)
    for adjacency, relation, sort in _relations(claim, phases, pieces, shuffled):
        parts = [] if relation is None else [(known(r, relation), k) for r, k in pieces]
        if relation is None or any(p is None for p, _ in parts):
            yield Meaning(adjacency, tuple(words), role, None)
            continue
        value = truth([(p, k) for p, k in parts if p is not None], adjacency, claim)
        if above and "epsilon" in claim:
            value = _with_convexity(value, pieces, relation, claim)
        yield Meaning(adjacency, tuple(words), "other" if sort == "other" else role, value, above)
        gaussian = [(("gdp", f"sqrt({2 * Fraction(r[1])})") if r[0] == "zcdp" else r, k) for r, k in pieces]
        if gaussian != pieces and all(known(r, relation) is not None for r, _ in gaussian):
            noise = truth([(known(r, relation), k) for r, k in gaussian], adjacency, claim)  # type: ignore[misc]
            yield Meaning(adjacency, (*words, "Gaussian noise"), "other", noise)
        printed = [_printed(r, relation) for r, _ in pieces]
        if any(printed):
            seen = [(new or known(r, relation), k) for new, (r, k) in zip(printed, pieces, strict=True)]
            yield Meaning(adjacency, tuple(words), "printed", truth(seen, adjacency, claim))  # type: ignore[arg-type]


def _printed(release: Release, relation: str) -> Known | None:
    if release[0] != "kjh19_substitute" or release[2] == "1":
        return None
    return _sampled(release[1], rational(release[2]) or Fraction(0), relation)


def _with_convexity(value: Truth, pieces: Parts, relation: str, claim: dict[str, Any]) -> Truth:
    """One record takes part with a chance: δ ≤ chance · δ of the base."""
    if len(pieces) != 1 or pieces[0][1] != 1:
        return Truth(lambda v: None if v > 0 else True, lambda v: value.at_most(v) or None, value.near)
    (((_, base, chance), _),) = pieces
    whole = known(base, relation)
    assert whole is not None
    delta, q = number(claim["delta"]), number(chance)

    def high(v: Real) -> mp.mpf:
        return q * gaussian_delta(_real(whole.mu_squared), _real(v)) * (1 + _SLACK)

    return Truth(
        lambda v: True if v <= 0 else False if high(v) < delta else None,
        lambda v: True if v >= 0 and high(v) <= delta else None,
        value.near,
    )


def _relations(
    claim: dict[str, Any], phases: Sequence[dict[str, Any]], pieces: Parts, shuffled: bool
) -> Iterator[tuple[str, str | None, str]]:
    """(adjacency of the reading, relation that is judged or None, known or other)."""
    stated = claim.get("adjacency")
    less = "zero-out" if shuffled else "add-or-remove"
    has = {r: all(known(p, r) is not None for p, _ in pieces) for r in RELATIONS}
    if stated is not None:
        relation = "add-or-remove" if stated in ("add", "remove") else stated
        if shuffled and relation == "add-or-remove":
            yield stated, None, "known"
            if has["zero-out"]:
                yield "zero-out", "zero-out", "other"
        else:
            yield stated, relation if has[relation] else None, "known"
        return
    promised = all(
        p["mechanism"] in ("pure_dp", "approximate_dp", "zcdp", "gdp") and "q" not in p for p in phases
    )
    if promised:
        yield "", "add-or-remove", "known"
        return
    if shuffled:
        yield "add-or-remove", None, "known"
    yield less, less if has[less] else None, "known"
    yield "replace-one", "replace-one" if has["replace-one"] else None, "known"


def _sampling(phase: dict[str, Any], accounted: bool) -> str | None:
    return phase.get("accounted_as", phase.get("sampling")) if accounted else phase.get("sampling")


def _fraction(phase: dict[str, Any]) -> Fraction:
    q = (
        rational(phase["q"])
        if "q" in phase
        else Fraction(str(phase["batch_size"])) / int(phase["dataset_size"])
    )
    assert q is not None
    return q


def _batches(phase: dict[str, Any]) -> Fraction:
    if "batches_per_epoch" in phase:
        return Fraction(phase["batches_per_epoch"])
    return Fraction(1) if phase["sampling"] == "none" else 1 / _fraction(phase)


def _rules(phases: Sequence[dict[str, Any]]) -> tuple[str | None, ...]:
    for p in phases:
        if "epochs" in p and "steps_rule" not in p:
            whole = Fraction(str(p["epochs"])) * _batches(p)
            if whole.denominator != 1 and max(1, floor(whole)) != -floor(-whole):
                return ("ceil", "floor")
    return (None,)


def releases(phase: dict[str, Any], accounted: bool, rule: str | None) -> Parts:
    """What a phase runs, and how often."""
    kind = phase["mechanism"]
    if kind == "expression":
        return [(_plain(release), times) for release, times in phase["_releases"]]
    if kind in ("pure_dp", "approximate_dp", "zcdp", "gdp"):
        names = {
            "pure_dp": ("epsilon",),
            "approximate_dp": ("epsilon", "delta"),
            "zcdp": ("rho",),
            "gdp": ("mu",),
        }
        release: Release = (kind, *(str(phase[name]) for name in names[kind]))
        return [
            (("poisson", release, str(phase["q"])) if "q" in phase else release, int(phase.get("times", 1)))
        ]
    steps = _steps(phase, rule)
    names_of_noise = ("noise_multiplier", "standard_deviation", "sigma", "scale")
    spread = str(next(phase[name] for name in names_of_noise if name in phase))
    base: Release = (kind, spread, str(phase.get("sensitivity", 1)))
    if kind == "discrete_gaussian" and "sigma" not in phase:
        base = ("discrete_gaussian of deviation", *base[1:])
    sampling = _sampling(phase, accounted)
    if sampling == "none":
        return [(base, steps)]
    q = _fraction(phase)
    if sampling == "poisson":
        return [(("poisson", base, str(q)), steps)]
    if sampling == "fixed_without_replacement":
        return [(("sampled_without_replacement", base, str(q)), steps)]
    if sampling == "fixed_with_replacement":
        return [(("sampled_with_replacement", base, phase["batch_size"], phase["dataset_size"]), steps)]
    batches = int(phase["batches_per_epoch"]) if "batches_per_epoch" in phase else floor(1 / q)
    if batches * q >= 1 and steps % batches == 0 and kind == "gaussian":
        return [(("shuffled", base, batches), steps // batches)]
    chance = min(Fraction(1), steps * q) if steps <= batches else Fraction(1)
    return [(("a part of an epoch", base, str(chance)), -(-steps // batches))]


def _plain(release: Release) -> Release:
    """Groups under zCDP are zCDP (Bun and Steinke 2016, Proposition 1.9)."""
    if release[0] == "group" and release[1][0] == "zcdp":
        return ("zcdp", str(int(release[2]) ** 2 * Fraction(release[1][1])))
    return release


def _steps(phase: dict[str, Any], rule: str | None) -> int:
    if "steps" in phase:
        return int(phase["steps"])
    whole = Fraction(str(phase["epochs"])) * _batches(phase)
    if whole.denominator == 1:
        return int(whole)
    chosen = phase.get("steps_rule", rule or "ceil")
    return max(1, floor(whole) if chosen == "floor" else -floor(-whole))


# --- statements, and the verdicts that are right ------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    """The literal claim, or its rounded one: ends that are claimed, and the relation."""

    relation: str
    low: Real
    high: Real

    def holds(self, value: Truth | None) -> bool | None:
        if value is None:
            return None
        parts = []
        if self.relation in ("<=", "="):
            parts.append(value.at_most(self.high))
        if self.relation in (">=", "="):
            parts.append(value.at_least(self.low))
        return False if False in parts else None if None in parts else True


def claimed(claim: dict[str, Any]) -> Any:
    return (
        claim["rdp"]["divergence"]
        if "rdp" in claim
        else next(claim[n] for n in ("epsilon", "rho", "mu") if n in claim)
    )


def statements(claim: dict[str, Any]) -> dict[str, Statement]:
    """By kind of reading: ``literal``, and ``rounded`` where the printed number is a decimal."""
    printed, relation = claimed(claim), claim.get("relation", "<=")
    value = rational(printed)
    literal = number(printed) if value is None else value
    found = {"literal": Statement(relation, literal, literal)}
    text = str(printed)
    plain = value is not None and not {"/", "%"} & set(text)
    if plain and not claim.get("exact"):
        mantissa, _, power = text.lower().partition("e")
        half = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2])) / 2
        found["rounded"] = Statement(relation, max(Fraction(0), literal - half), literal + half)
    return found


def allowed(known_ones: Sequence[tuple[bool | None, bool]], others: Sequence[bool | None]) -> set[str]:
    """Right verdicts. Of known meanings: (whether it holds, whether anything is proved of it at all)."""
    found = {"UNDECIDED"}
    all_judged = bool(known_ones) and all(judged for _, judged in known_ones)
    values = [holds for holds, _ in known_ones]
    if all_judged and False not in values:
        found.add("CERTIFIED")
    if all_judged and True not in values and True not in others:
        found.add("REFUTED")
    may = [holds for holds, judged in known_ones if judged] + list(others)
    if any(holds is not False for holds in may) and len(known_ones) + len(others) > 1:
        found.add("CONDITIONAL")
    return found


def refusal(claim: dict[str, Any]) -> str:
    """Why the claim must be refused; empty where it must be ruled on."""
    if "rdp" in claim and str(claim["rdp"]["order"]).startswith("-"):
        return "an order that is not > 0"
    phases = claim["phase"]
    if any(p["mechanism"] == "discrete_gaussian" and "standard_deviation" in p for p in phases):
        return "a standard deviation, which is no parameter of discrete Gaussian noise"
    if "adjacency" not in claim:
        return ""
    for accounted in (False, True):
        shuffled = any(_sampling(p, accounted) == "shuffled" for p in phases)
        for rule in _rules(phases):
            pieces: Parts = [piece for p in phases for piece in releases(p, accounted, rule)]
            hidden = shuffled or any(r[0] == "shuffled" for r, _ in pieces)
            relation = "add-or-remove" if claim["adjacency"] in ("add", "remove") else claim["adjacency"]
            if not (hidden and relation == "add-or-remove") and any(
                known(r, relation) is None for r, _ in pieces
            ):
                return f"no pair of a release under {relation}"
    return ""


def right(claim: dict[str, Any], found: Sequence[Meaning], kind: str = "literal") -> set[str]:
    """The verdicts on the claim that are right."""
    if refusal(claim):
        return {"REFUSED"}
    said = statements(claim)[kind]
    mine = [(said.holds(m.truth), m.truth is not None) for m in found if m.role == "known"]
    return allowed(mine, [said.holds(m.truth) for m in found if m.role != "known"])
