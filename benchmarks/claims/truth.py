"""The true value of a composition: of ε at δ, ρ, μ, D_α, a rate or the advantage, as far as it is known."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import floor, inf
from typing import Any

from mpmath import mp

from benchmarks.claims.numbers import SLACK, Real, number, rational, real
from benchmarks.claims.privacy_loss import Atoms, Laplace, Mixture, Reverse, Step, composed, gaussian_delta
from benchmarks.claims.releases import Known, Pair, pure

_ORDERS = [1 + mp.mpf(10) ** -9] + [mp.mpf("1.02") ** j for j in range(1, 420)]


_FAR = 60
"""ε at which no more of a rate is looked for."""


class Truth:
    """Of a composition under one relation: of ε at δ, ρ, μ, D_α, a rate or the advantage."""

    def __init__(
        self, lower: Callable[[Real], bool | None], upper: Callable[[Real], bool | None], near: float | None
    ) -> None:
        self.at_least, self.at_most, self.near = lower, upper, near


def _both_ways(no: bool, yes: bool) -> bool | None:
    return False if no else True if yes else None


def of_ends(lower: Real, upper: Real) -> Truth:
    """Ends that are exact where they are Fractions, with a slack else; None where nothing is known."""
    down = lower if isinstance(lower, Fraction) else None if lower is None else real(lower) * (1 - SLACK)
    up = upper if isinstance(upper, Fraction) else None if upper is None else real(upper) * (1 + SLACK)

    def less(a: Real, b: Real) -> bool:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a < b
        x, y = real(a), real(b)
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
    if "tpr" in claim:
        return of_ends(*_power(parts, sides, number(claim["tpr"]["fpr"])))
    if "advantage" in claim:
        low, high = delta_ends(parts, sides)
        return of_ends(low(mp.mpf(0)), high(mp.mpf(0)))
    return _epsilon(parts, sides, number(claim["delta"]))


def _power(parts: Sequence[tuple[Known, int]], sides: Sequence[int], fpr: mp.mpf) -> tuple[Real, Real]:
    """Ends of the largest TPR at an FPR: inf over ε of δ(ε) + e^ε FPR, in the worse direction.

    It is convex in e^ε. So it is least between the neighbours of a point where it is proved to be less, and
    there at least δ of the right one and e^ε FPR of the left one.
    """
    found = [_one_power(parts, i, fpr) for i in sides]
    return max(low for low, _ in found), max(high for _, high in found)


def _one_power(parts: Sequence[tuple[Known, int]], i: int, fpr: mp.mpf) -> tuple[mp.mpf, mp.mpf]:
    one_way, other = delta_ends(parts, (i,)), delta_ends(parts, (1 - i,))

    def delta(e: mp.mpf, end: int) -> mp.mpf:
        """Below 0 by the other direction."""
        return one_way[end](e) if e >= 0 else 1 - mp.exp(e) * (1 - other[end](-e))

    def power(e: mp.mpf, end: int) -> mp.mpf:
        return delta(e, end) + mp.exp(e) * fpr

    @lru_cache(maxsize=512)
    def above(e: mp.mpf) -> mp.mpf:
        return power(e, 1)

    best, step = mp.mpf(0), mp.mpf(4)
    while step > mp.mpf(10) ** -3 and abs(best) < _FAR:
        beside = [best - step, best + step]
        better = min([best, *beside], key=above)
        best, step = (better, step) if better != best else (best, step / 2)
    high = min(mp.mpf(1), above(best))
    for wide in (mp.mpf(10) ** -3, mp.mpf(10) ** -2, mp.mpf("0.1"), mp.mpf(1)):
        left, right = best - wide, best + wide
        if min(power(left, 0), power(right, 0)) > high:
            return max(fpr, delta(right, 0) + mp.exp(left) * fpr), high
    return fpr, high


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
        whole = real(square_of_mu)
        return (lambda e: gaussian_delta(whole, e) * (1 - SLACK)), (
            lambda e: gaussian_delta(whole, e) * (1 + SLACK)
        )
    lower, upper = [], []
    for i in sides:
        some = [(p.below[i], k) for p, k in parts if p.below is not None]
        lows, _, _ = composed(_merged(some))
        lower.append(lows)
        if all(p.above is not None for p, _ in parts):
            full = [(p.above[i], k) for p, k in parts if p.above is not None]
            upper.append(composed(_merged(full))[1])
    attacks = [p.attack[i] for p, _ in parts if p.attack is not None for i in sides]
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
                *(mp.exp((a - 1) * (real(d) - e) + a * mp.log(1 - 1 / a)) / (a - 1) for a, d in finite),
            ]
        ) * (1 + mp.mpf(10) ** -8)

    return delta


def _epsilon(parts: Sequence[tuple[Known, int]], sides: Sequence[int], delta: mp.mpf) -> Truth:
    if delta == 0:
        counts = [k for _, k in parts]
        whole = max((_summed([p.most[i] for p, _ in parts], counts) for i in sides), key=real)
        attained = all(p.below is not None or p.attack is not None for p, _ in parts)
        return of_ends(whole if attained else None, whole)
    low, high = delta_ends(parts, sides)
    low, high = lru_cache(maxsize=4096)(low), lru_cache(maxsize=4096)(high)

    def at_most(v: Real) -> bool | None:
        if v == mp.inf or v == inf:
            return True
        x = real(v)
        return False if x < 0 else _both_ways(low(x) > delta, high(x) <= delta)

    def at_least(v: Real) -> bool | None:
        if v <= 0:
            return True
        if v == mp.inf or v == inf:
            return _both_ways(high(mp.mpf(100)) < delta, low(mp.mpf(10) ** 6) > delta)
        x = real(v)
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
    high = None if any(h is None for h in highs) else max(highs, key=real)
    return (max(lows, key=real) if lows else None), high


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
    return real(total) + k * real(more)


def _renyi(part: Known, i: int, order: Real) -> tuple[Real, Real]:
    if part.mu_squared is not None:
        if order == mp.inf:
            return mp.inf, mp.inf
        both = (
            part.mu_squared / 2 * order
            if isinstance(part.mu_squared, Fraction) and isinstance(order, Fraction)
            else real(part.mu_squared) / 2 * real(order)
        )
        return both, both
    if part.promise is not None:
        if order == mp.inf:
            return mp.inf, mp.inf
        exact = isinstance(part.promise, Fraction) and isinstance(order, Fraction)
        gaussian = part.promise * order if exact else real(part.promise) * real(order)
        if order >= 1:
            return gaussian, gaussian
        return max(real(gaussian), _of_randomized(real(part.promise)).renyi(real(order))), part.promise
    if part.above is not None and isinstance(part.above[i], Atoms) and mp.inf in part.most and order > 8:
        return _of_discrete_gaussian(part, i, order)
    high = _pair_renyi(part.above, i, order)
    low = high if part.below == part.above else _pair_renyi(part.below, i, order)
    if high is not None and low is high:
        return high[0], high[1]
    most = high[1] if high is not None else None
    if most is None and part.rho_above is not None:
        most = real(part.rho_above) * max(real(order), 1)
    return (None if low is None else low[0]), most


def _of_discrete_gaussian(part: Known, i: int, order: Real) -> tuple[Real, Real]:
    """At high orders, where the masses that are kept don't reach: D_α rises, and is ρα at integer orders."""
    whole = part.above
    if part.rho is None or whole is None or order == mp.inf:
        low = _pair_renyi(part.below, i, Fraction(8))
        infinite = whole is not None and whole[i].infinite() > 0
        above = None if part.rho_above is None else real(part.rho_above) * real(order)
        return (mp.inf if infinite else low and low[0]), (mp.inf if infinite else above)
    rho = real(part.rho[0])
    return rho * floor(order) * (1 - SLACK), rho * real(order) * (1 + SLACK)


@cache
def _of_randomized(rho: mp.mpf) -> Atoms:
    """Randomised response that is ρ-zCDP: D_α/α falls, from ε tanh(ε/2) at α = 1."""
    low, high = mp.mpf(0), 2 + 2 * rho
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * mp.tanh(middle / 2) < rho else (low, middle)
    pair = pure(low).above
    assert pair is not None and isinstance(pair[0], Atoms)
    return pair[0]


def _pair_renyi(pair: Pair | None, i: int, order: Real) -> tuple[Real, Real] | None:
    if pair is None:
        return None
    step = pair[i]
    if isinstance(step, Atoms):
        value = step.renyi(real(order))
        return value * (1 - SLACK), value * (1 + SLACK)
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
            mp.fsum(real(p.rho[0]) * k for p, k in parts if p.rho is not None and p.rho[1] in ("all", place))
            for place in ("one", "infinity")
        )
    atoms = all(p.above is not None and isinstance(p.above[0], Atoms | Laplace) for p, _ in parts)
    orders = _ORDERS if atoms else _ORDERS[1:150:10]
    ends = [(a, *_divergence(parts, sides, a)) for a in orders]
    low = max([low, *(real(d) / a for a, d, _ in ends if d is not None)])
    high = None
    if all(p.rho_above is not None or p.rho is not None for p, _ in parts):
        high = mp.fsum(real(p.rho_above if p.rho_above is not None else p.rho[0]) * k for p, k in parts)  # type: ignore[index]
    if atoms and ends[-1][2] is not None and all(mp.inf not in p.most for p, _ in parts):
        last = mp.fsum(real(max(p.most, key=real)) * k for p, k in parts)
        rise = [
            real(above) / a
            for (a, _, _), (_, _, above) in zip([(mp.mpf(1), 0, 0), *ends], ends, strict=False)
        ]
        mine = max([*rise, last / ends[-1][0]])
        high = mine if high is None else min(high, mine)
    return low, high


def _summed(values: Sequence[Real], counts: Sequence[int]) -> Real:
    if all(isinstance(v, Fraction) for v in values):
        return sum((v * k for v, k in zip(values, counts, strict=True)), Fraction(0))
    return mp.fsum(real(v) * k for v, k in zip(values, counts, strict=True))


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
            tiny = mp.mpf(10) ** -40  # beyond, 60 digits leave too few of the smaller one of p and 1 − p
            proper = [(a, power) for a, power in exact.vertices() if 0 < a < 1 and 0 < power < 1]
            inside = [vertex for vertex in proper if all(tiny < p < 1 - tiny for p in vertex)]
            if len(inside) < 400:
                mu = max((_quantile(power) - _quantile(a) for a, power in inside), default=mp.mpf(0))
                known_above = len(inside) == len(proper) and all(mp.inf not in p.most for p, _ in parts)
                return mu, mu if known_above else None
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
    return mp.sqrt(real(value))
