r"""What is proved of ρ, μ and Rényi divergences: closed forms first, then what the reference encloses.

Where closed forms leave a claim open, ρ is at least D_α/α at orders that are tried, and μ is at least that
of the Gaussian pair whose δ(ε) is as large as one that is proved: :math:`T \ge G_\mu` gives
:math:`\delta(\varepsilon) \le \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon \Phi(-\mu/2 - \varepsilon/\mu)`
(Dong, Roth, Su 2022, Corollary 2.13), which rises in μ.

A ρ bounds divergences: D_α ≤ ρα for α > 1 by definition; D_α ≤ ρ for α ≤ 1, as D_α does not fall in α (van
Erven and Harremoës 2014, Theorem 3). It says nothing of α = ∞.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import GDP, ZCDP, Composition, Gaussian
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.order import renyi_order
from pldverify.rulings.concentrated import least_mu, least_rho
from pldverify.rulings.truth import bracket
from pldverify.rulings.value import UNKNOWN, End, Value, narrower, of_pairs

Enough = Callable[[Value], bool]
"""Whether what is proved decides."""

_ORDERS = (Fraction(3, 2), Fraction(2), Fraction(4), Fraction(16), Fraction(64))
"""At which a Rényi divergence is asked for."""
_DIGITS = 6
"""Significant digits of a divergence."""
_AT = (Fraction(0), Fraction(1), Fraction(2), Fraction(4))
"""ε at which δ(ε) is asked for, in units of the greater of 1 and what μ is at least."""
_BITS = 128
"""Precision of the Gaussian profile."""
_HALVINGS = 40
"""Of the interval in which μ is sought."""
_FOUND = "a Rényi divergence of the pair"


def rho(composition: Composition, adjacency: Adjacency, enough: Enough) -> Value:
    """The least ρ of zCDP. Raises InvalidInput for an adjacency without pairs."""
    value = least_rho(composition, adjacency)
    for order in _ORDERS:
        if enough(value) or not composition.tight:  # what only bounds gives no end from below
            break
        found = _enclosed(composition, adjacency, order).lower
        if found is not None and found.at < math.inf:
            value = narrower(value, Value(lower=End(found.at / order, f"{_FOUND} at α = {order}")))
    return value


def mu(composition: Composition, adjacency: Adjacency, enough: Enough) -> Value:
    """The least μ of GDP. Raises InvalidInput for an adjacency without pairs."""
    value = least_mu(composition, adjacency)
    for at in _AT:
        least = value.ends[0] or Fraction(0)
        if enough(value) or not composition.tight or least == math.inf:
            break
        size = max(Fraction(1), Fraction(least))
        value = narrower(value, _by_profile(composition, adjacency, at * size))
    return value


def divergence(composition: Composition, adjacency: Adjacency, order: object) -> Value:
    """The Rényi divergence of one order in (0, ∞], in nats. Raises InvalidInput for any other order, and for
    an adjacency without pairs.
    """
    alpha = renyi_order(order)
    value = _implied(composition, adjacency, alpha)
    return value if value.lower is not None else narrower(value, _enclosed(composition, adjacency, alpha))


def _implied(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    """By ρ. Where all that is stated is met by Gaussian noise, whose divergence is ρα for every α > 0, that
    is a mechanism with the guarantees.
    """
    found, by = least_rho(composition, adjacency), "zCDP bounds Rényi divergences"
    above = None
    if found.upper is not None and alpha < math.inf:
        above = End(_times(found.upper.at, max(Fraction(1), Fraction(alpha))), by)
    if not all(isinstance(mechanism, Gaussian | GDP | ZCDP) for mechanism, _ in composition.parts):
        return Value(upper=above)
    below = None if found.lower is None else End(_times(found.lower.at, alpha), "Gaussian noise")
    if any(isinstance(mechanism, ZCDP) for mechanism, _ in composition.parts) or found.upper is None:
        return Value(below, above)
    return Value(below, End(_times(found.upper.at, alpha), "Gaussian noise"))


def _times(least: Bound, alpha: Bound) -> Bound:
    """ρα; the double of a large or small fraction times ∞ would be no number."""
    return math.inf if math.inf in (least, alpha) else Fraction(least) * Fraction(alpha)


def _enclosed(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    """What the reference proves of the divergence."""
    from pldverify.reference.quantities.questions import rdp

    try:
        found = rdp(composition, order=alpha, adjacency=adjacency, digits=_DIGITS)
    except (NoConvergence, NotSupported):
        return UNKNOWN
    return of_pairs(composition, True, found)


def _by_profile(composition: Composition, adjacency: Adjacency, epsilon: Fraction) -> Value:
    """By δ(ε)."""
    query = Query(composition, epsilon=epsilon, adjacency=adjacency)
    try:
        found = bracket(query, lambda found: found.digits >= _DIGITS)
    except NotSupported:
        return UNKNOWN
    known = of_pairs(composition, True, found).lower
    if known is None or not 0 < known.at < 1:
        return UNKNOWN
    least = None
    for candidate in _halved(lambda m: _is_below(m, epsilon, Fraction(known.at))):
        least = candidate
    return UNKNOWN if least is None else Value(lower=End(least, f"δ at ε = {epsilon}, engine {found.engine}"))


def _halved(is_below: Callable[[Fraction], bool]) -> Iterator[Fraction]:
    """Greater and greater μ of which it is proved."""
    low, high = Fraction(1, 2**20), Fraction(1)
    if not is_below(low):
        return
    yield low
    while is_below(high) and high < 2**20:
        low, high = high, 2 * high
        yield low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if is_below(middle):
            low = middle
            yield low
        else:
            high = middle


def _is_below(mu: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether δ(ε) of the Gaussian pair of μ is proved to be smaller than δ."""
    with working(_BITS):
        half, shift = ball(mu / 2), ball(epsilon / mu)
        profile = normal_tail(shift - half) - ball(epsilon).exp() * normal_tail(shift + half)
        return surely_less(profile, ball(delta))
