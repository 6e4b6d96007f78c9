"""What is known of one release under one relation, after docstrings of mechanisms and of papers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from math import comb
from typing import Any, Literal

import numpy as np
from mpmath import mp
from scipy.special import ndtr

from benchmarks.claims.numbers import Real, number, rational, real, square
from benchmarks.claims.privacy_loss import Atoms, Laplace, Mixture, Reverse, Sampled, Step, TwoSided

Release = tuple[Any, ...]
"""Such as ``("gaussian", "2", "1")`` or ``("poisson", base, "0.1")``, with numbers as texts."""
Pair = tuple[Step, Step]
"""Directions remove and add."""
Place = Literal["all", "one", "infinity"]


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
        attack: a lower bound of δ at ε in each direction (remove, add), where no pair is known.
    """

    above: Pair | None = None
    below: Pair | None = None
    mu_squared: Real = None
    rho: tuple[Real, Place] | None = None
    rho_above: Real = None
    mu_squared_above: Real = None
    most: tuple[Real, Real] = (mp.inf, mp.inf)
    promise: Real = None
    attack: tuple[Callable[[mp.mpf], mp.mpf], Callable[[mp.mpf], mp.mpf]] | None = None


def _gaussian(square_of_mu: Real) -> Known:
    mu = float(mp.sqrt(real(square_of_mu)))
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


def pure(epsilon: Real) -> Known:
    e = mp.exp(real(epsilon))
    mu = 2 * mp.erfinv(2 * e / (1 + e) - 1) * mp.sqrt(2)
    rho = real(epsilon) * mp.tanh(real(epsilon) / 2)
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
    """A set of probability x has at most f(x) = min(e^ε x + δ, 1 − e^{−ε}(1 − x − δ), 1) one record apart, so
    f∘…∘f bounds all mechanisms with the guarantee, step by step. The laws with the distribution functions
    x, f(x), f(f(x)), … on [0, 1] are a chain that attains it; each is seen to be as close to the next as is
    guaranteed, as outcomes that are the places where one bends and what lies between them.
    """
    e = mp.exp(epsilon)

    def f(x: mp.mpf) -> mp.mpf:
        return min(e * x + delta, 1 - (1 - x - delta) / e, mp.mpf(1))

    def before(y: mp.mpf) -> mp.mpf:
        return max((y - delta) / e, 1 - delta - e * (1 - y))

    kinks, found = [(1 - delta) / (1 + e), 1 - delta], {mp.mpf(0), mp.mpf(1)}
    for _ in range(m):
        found |= {x for x in kinks if 0 < x < 1}
        kinks = [before(x) for x in kinks]
    below, laws = sorted(found), []
    for _ in range(m + 1):
        laws.append([below[0], *(b - a for a, b in pairwise(below))])
        below = [f(x) for x in below]
    for one, other in pairwise(laws):
        for p, q in ((one, other), (other, one)):
            gap = mp.fsum(max(a - e * b, mp.mpf(0)) for a, b in zip(p, q, strict=True))
            assert gap <= delta + mp.mpf(10) ** -45
    step = Atoms(tuple(zip(laws[m], laws[0], strict=True)))
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
    r = mp.exp(-1 / real(b))
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
    outcomes = [(real(p), real(other)), (real(other), real(p))] + ([(real(rest), real(rest))] if rest else [])
    return _atoms(outcomes)


def sampled(base: Release, q: Fraction, relation: str) -> Known | None:
    if q == 1:
        return known(base, relation)
    if base[0] == "gaussian":
        whole = known(base, relation)
        assert whole is not None
        mu, weight = float(mp.sqrt(real(whole.mu_squared))), float(q)
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
        most = (mp.inf, -mp.log(1 - real(q)))
        return Known(both, both, rho=rho, rho_above=rho[0], mu_squared_above=whole.mu_squared, most=most)  # type: ignore[arg-type]
    if relation == "replace-one":
        return None
    whole = known(base, relation)
    if whole is None or whole.above is None:
        return None
    forward = whole.above[0]
    if isinstance(forward, Atoms):
        step = forward.sampled(real(q))
        both = (step, step.back())
        most = (mp.inf if whole.most[0] == mp.inf else _top(both[0]), _top(both[1]))
        return Known(both, both, rho_above=whole.rho_above, most=most)
    sides = (Sampled(forward, float(q)), Reverse(Sampled(forward, float(q))))
    theta = real(whole.most[0])
    ends = tuple(abs(mp.log(1 + real(q) * mp.expm1(sign * theta))) for sign in (1, -1))
    return Known(sides, sides, most=(ends[0], ends[1]))


def _without_replacement(base: Release, q: Fraction) -> Known:
    whole = known(base, "replace-one")
    assert whole is not None
    if q == 1:
        return whole
    mu, weight = float(mp.sqrt(real(whole.mu_squared))), float(q)
    step = Mixture(((1 - weight, 0.0), (weight, mu)), ((1.0, 0.0),))
    two = TwoSided(((1.0, step),))
    return Known(
        (two, two), (step, Reverse(step)), rho_above=whole.mu_squared / 2, mu_squared_above=whole.mu_squared
    )


def _with_replacement(base: Release, m: int, n: int) -> Known:
    whole = known(base, "replace-one")
    assert whole is not None
    mu, chance = float(mp.sqrt(real(whole.mu_squared))), 1 / n
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


def _hidden(base: Release, batches: int, relation: str, shuffled: bool, part: float) -> Known | None:
    """Above: the batch revealed. Below: whether the largest sum of an epoch is above t, or not; an epoch has
    ``part`` of the records."""
    if relation not in (("zero-out", "replace-one") if shuffled else ("zero-out", "add-or-remove")):
        return None
    one = known(base, "zero-out")
    whole = known(base, relation)
    assert one is not None and whole is not None
    unit = float(mp.sqrt(real(one.mu_squared)))
    high, low = (2, 0 if relation == "replace-one" else 1) if shuffled else (1, 0)

    t = np.arange(0, 12, 0.05)
    rest = ndtr(t) ** (batches - 1)
    with_it, without = (rest * (part * ndtr(t - a * unit) + (1 - part) * ndtr(t)) for a in (high, low))

    def gain(hit: Any, miss: Any, epsilon: mp.mpf) -> mp.mpf:
        factor = float(mp.exp(epsilon))
        return mp.mpf(max(0.0, float(np.max(hit - factor * miss)) - 1e-12 * (1 + factor)))

    exact = relation != "replace-one"
    rho: Any = (whole.mu_squared / 2, "infinity") if exact else None
    return Known(
        whole.above,
        None,
        rho=rho,
        rho_above=whole.mu_squared / 2,
        mu_squared_above=whole.mu_squared,
        attack=(partial(gain, 1 - with_it, 1 - without), partial(gain, without, with_it)),
    )


def _binomial(n: int, p: Fraction, s: int, relation: str) -> Known | None:
    if relation == "replace-one":
        if p != Fraction(1, 2):
            return None
        s = 2 * s
    mass = {x: real(comb(n, x) * p**x * (1 - p) ** (n - x)) for x in range(n + 1)}
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
        return pure(number(rest[0]) if exact is None else exact)
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
        return sampled(rest[0], rational(rest[1]) or Fraction(0), relation)
    if kind in ("sampled_without_replacement", "kjh19_substitute", "sampled_with_replacement"):
        if relation != "replace-one":
            return None
        if kind == "sampled_with_replacement":
            return _with_replacement(rest[0], int(rest[1]), int(rest[2]))
        return _without_replacement(rest[0], rational(rest[1]) or Fraction(0))
    if kind in ("shuffled", "balls_and_bins"):
        part = float(Fraction(rest[2])) if len(rest) > 2 else 1.0
        return _hidden(rest[0], int(rest[1]), relation, kind == "shuffled", part)
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
        mu, q = float(mp.sqrt(real(whole.mu_squared))), float(Fraction(base[2]))
        weights = tuple((comb(m, k) * q**k * (1 - q) ** (m - k), k * mu) for k in range(m + 1))
        step = Mixture(weights, ((1.0, 0.0),))
        both = (step, Reverse(step))
        rho = m**2 * whole.mu_squared / 2
        most = (mp.inf, -m * mp.log(1 - real(Fraction(base[2]))))
        return Known(both, both, rho=(rho, "infinity"), rho_above=rho, mu_squared_above=2 * rho, most=most)
    epsilon, delta = number(rest[0]), number(rest[1]) if kind == "approximate_dp" else mp.mpf(0)
    pair = _group_of_promise(epsilon, delta, m)
    if delta:
        return Known(pair, pair, rho=(mp.inf, "all"))
    return replace(pure(m * (rational(rest[0]) or epsilon)), above=pair, below=pair, rho=None)
