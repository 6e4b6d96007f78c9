r"""What is proved of ρ, μ and Rényi divergences: closed forms first, then what the reference encloses.

Where closed forms leave a claim open, ρ is at least D_α/α at orders that are tried, and μ is at least √(2ρ),
as μ-GDP is μ²/2-zCDP, and that of the Gaussian pair whose δ(ε) is as large as one that is proved, as
:math:`T \ge G_\mu` gives :math:`\delta(\varepsilon) \le \delta_\mu(\varepsilon)`, which rises in μ (Dong,
Roth, Su 2022, Corollary 2.13). An infinite D_α makes both infinite. Points are tried beside the best one, so
what is found is near the least. A claimed number that is not refuted so is proved everywhere
(``everywhere.py``), where the loss is bounded: D_α is at most the largest loss, and beyond that δ is 0.

A ρ bounds divergences: D_α ≤ ρα for α > 1 by definition; D_α ≤ ρ for α ≤ 1, as D_α does not fall in α (van
Erven and Harremoës 2014, Theorem 3). It says nothing of α = ∞. For the same reason the divergence of an
order that is no fraction lies between those of its ends.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

from pldverify.balls.clock import clock, spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import GDP, ZCDP, Composition, Gaussian, RenyiDP
from pldverify.mechanisms.attained import attained, shares
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import real
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.order import renyi_order
from pldverify.numbers.presentation import number as shown
from pldverify.numbers.scientific import scientific
from pldverify.values.concentrated import least_mu, least_rho, root
from pldverify.values.everywhere import keeps_mu, keeps_rho, mu_below
from pldverify.values.truth import bracket, truth
from pldverify.values.value import UNKNOWN, End, Value, narrower, of_pairs
from pldverify.values.verdict import Relation, all_hold, ends, holds

Statement = tuple[Relation, Fraction | Irrational]
"""How the true value stands to a number."""

_ORDERS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4), Fraction(16), Fraction(64))
"""Orders at which the Rényi divergence is enclosed first."""
_AT = (Fraction(0), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
"""ε at which δ(ε) is enclosed first, as parts of the largest loss, or of 4 max(1, lower bound on μ)."""
_ROUNDS = 8
"""Rounds of new points beside the best one; each halves the distance from it."""
_DIGITS = 6
"""Significant digits of a divergence."""
_ROUGH = 4
"""Significant digits of a δ(ε)."""
_SECONDS = 1.0
"""Processor seconds of a search for points, and of a proof for all orders."""
_LOOK = 0.3
"""Processor seconds of one δ(ε)."""
_CLOSER = Fraction(10**6 - 1, 10**6)
"""Factor on a number that a value is claimed to reach: proved to stay below the product, it does not."""
_CONVEX = "proved at points, and by convexity between them"


def rho(composition: Composition, adjacency: Adjacency, claimed: Sequence[Statement]) -> Value:
    """The least ρ of zCDP, as far as it takes to decide what is ``claimed`` of it. Raises InvalidInput for an
    adjacency without pairs.
    """
    value = least_rho(composition, adjacency)

    def least(order: Fraction) -> Value:
        found = enclosed(composition, adjacency, order).lower
        if found is None:
            return UNKNOWN
        at = math.inf if found.at == math.inf else Fraction(found.at) / order
        return Value(lower=End(at, f"a Rényi divergence of the pair at α = {shown(order)}"))

    if composition.tight:  # what only bounds gives no end from below
        value = _searched(value, claimed, _ORDERS, least)
    return _everywhere(value, claimed, lambda most: _keeps_rho(composition, adjacency, most))


def mu(composition: Composition, adjacency: Adjacency, claimed: Sequence[Statement]) -> Value:
    """The least μ of GDP, likewise."""
    value = least_mu(composition, adjacency)
    if not _decided(value, claimed) and composition.tight:
        zcdp = rho(composition, adjacency, ()).lower
        if zcdp is not None:
            value = narrower(value, Value(lower=End(root(2 * zcdp.at)[0], f"μ ≥ √(2ρ), and {zcdp.by}")))
        size, known = largest_loss(composition, adjacency), value.ends[0] or Fraction(0)
        if size == math.inf:
            size = known if known == math.inf else 4 * max(Fraction(1), Fraction(known))
        points = [] if size == math.inf else [at * Fraction(scientific(Fraction(size), 3)) for at in _AT]
        value = _searched(value, claimed, points, lambda at: _by_profile(composition, adjacency, at))
    return _everywhere(value, claimed, lambda most: _keeps_mu(composition, adjacency, most))


def divergence(composition: Composition, adjacency: Adjacency, order: object) -> Value:
    """The Rényi divergence of one order in (0, ∞], in nats. Raises InvalidInput for any other order, and for
    an adjacency without pairs.
    """
    least, most = (_divergence(composition, adjacency, end) for end in ends(renyi_order(order, real)))
    return Value(least.lower, most.upper)


def _divergence(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    value = _implied(composition, adjacency, alpha)
    if value.lower is None:
        value = narrower(value, enclosed(composition, adjacency, alpha))
    if any(isinstance(mechanism, RenyiDP) for mechanism, _ in composition.parts):
        value = narrower(value, _stated(composition, adjacency, alpha))
    if value.lower is None:
        for share in shares(composition):
            other = attained(composition, adjacency, share)
            if other is not None:
                value = narrower(value, Value(lower=enclosed(*other, alpha).lower))
    return value


def _implied(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    """By ρ. Where all that is stated is met by Gaussian noise, whose divergence is ρα for every α > 0, that
    is a mechanism with the guarantees.
    """
    found, by = least_rho(composition, adjacency), "zCDP bounds Rényi divergences"
    above = None
    if found.upper is not None and math.inf not in (found.upper.at, alpha):  # where ρ = ∞ it bounds nothing
        above = End(_times(found.upper.at, max(Fraction(1), Fraction(alpha))), by)
    if not all(isinstance(mechanism, Gaussian | GDP | ZCDP) for mechanism, _ in composition.parts):
        return Value(upper=above)
    below = None if found.lower is None else End(_times(found.lower.at, alpha), "Gaussian noise")
    if any(isinstance(mechanism, ZCDP) for mechanism, _ in composition.parts) or found.upper is None:
        return Value(below, above)
    return Value(below, End(_times(found.upper.at, alpha), "Gaussian noise"))


def _stated(composition: Composition, adjacency: Adjacency, alpha: Bound) -> Value:
    """Of mechanisms with Rényi DP and others: the sum of what is known of each."""
    total: Bound = Fraction(0)
    for mechanism, k in composition.parts:
        if not isinstance(mechanism, RenyiDP):
            end = _divergence(Composition.of((mechanism, 1)), adjacency, alpha).upper
            most = None if end is None else end.at
        else:
            most = None if alpha == math.inf else mechanism.at_most(Fraction(alpha))
        if most is None:
            return UNKNOWN
        total = math.inf if math.inf in (total, most) else total + k * Fraction(most)
    return Value(upper=End(total, "Rényi DP as stated, and sums of divergences"))


def _times(least: Bound, alpha: Bound) -> Bound:
    """ρα; the double of a large or small fraction times ∞ would be no number."""
    return math.inf if math.inf in (least, alpha) else Fraction(least) * Fraction(alpha)


@lru_cache(maxsize=512)
def enclosed(composition: Composition, adjacency: Adjacency, alpha: Bound, digits: int = _DIGITS) -> Value:
    """The reference's enclosure of the divergence; UNKNOWN where there is none."""
    query = RenyiQuery(composition, order=alpha, adjacency=adjacency)
    try:
        return of_pairs(query, truth(query, digits))
    except (NoConvergence, NotSupported):
        return UNKNOWN


@lru_cache(maxsize=512)
def profile(composition: Composition, adjacency: Adjacency, epsilon: Fraction) -> Value:
    """A bracket of δ(ε) within ``_LOOK`` seconds."""
    query = Query(composition, epsilon=epsilon, adjacency=adjacency)
    try:
        return of_pairs(query, bracket(query, lambda x: x.digits >= _ROUGH, _LOOK))
    except NotSupported:
        return UNKNOWN


def largest_loss(composition: Composition, adjacency: Adjacency) -> Bound:
    """Upper bound on the loss in both directions of the relation."""
    found = enclosed(composition, relation(adjacency), math.inf).upper
    return math.inf if found is None else found.at


def _by_profile(composition: Composition, adjacency: Adjacency, epsilon: Fraction) -> Value:
    """Lower bound on μ: the Gaussian pair with that μ is proved to have a smaller δ(ε)."""
    known = profile(composition, adjacency, epsilon).lower
    if known is None or not 0 < known.at < 1:
        return UNKNOWN
    least = mu_below(epsilon, Fraction(known.at))
    return Value(lower=End(least, f"δ at ε = {shown(epsilon)}: {known.by}")) if least else UNKNOWN


def _decided(value: Value, claimed: Sequence[Statement]) -> bool:
    return bool(claimed) and all_hold(holds(way, number, value) for way, number in claimed) is not None


def _searched(
    value: Value, claimed: Sequence[Statement], points: Sequence[Fraction], least: Callable[[Fraction], Value]
) -> Value:
    """``value`` with the best lower end: at the points, then halfway from the best one to its neighbours."""
    found: dict[Fraction, Bound] = {}
    with suppress(NoConvergence), clock(_SECONDS):
        for _ in range(_ROUNDS):
            for at in points:
                if _decided(value, claimed) or value.ends[0] == math.inf:
                    return value
                spend()
                known = least(at)
                found[at], value = known.ends[0] or Fraction(0), narrower(value, known)
            ordered = sorted(found)
            best = max(range(len(ordered)), key=lambda i: found[ordered[i]], default=-1)
            if best < 0 or found[ordered[best]] < (value.ends[0] or 0):
                break  # the most is a limit, which closed forms know
            beside = [ordered[i] for i in (best - 1, best + 1) if 0 <= i < len(ordered)]
            points = [(ordered[best] + at) / 2 for at in beside]
            if best == len(ordered) - 1:
                points = [2 * ordered[best]]
    return value


def _everywhere(value: Value, claimed: Sequence[Statement], keeps: Callable[[Fraction], bool]) -> Value:
    """``value`` with an upper end that decides a claim, where one is proved for all orders or all ε."""
    for way, number in claimed:
        most = Fraction(ends(number)[0]) * (1 if way == "<=" else _CLOSER)
        if most > 0 and (value.ends[0] or 0) <= most and not _decided(value, claimed):
            with suppress(NoConvergence), clock(_SECONDS):
                if keeps(most):
                    value = narrower(value, Value(upper=End(most, _CONVEX)))
    return value


def _keeps_rho(composition: Composition, adjacency: Adjacency, most: Fraction) -> bool:
    """Whether ρ ≤ ``most`` is proved."""
    end = last_order(composition, adjacency, most)

    def upper(order: Fraction) -> Bound | None:
        spend()
        return enclosed(composition, adjacency, order).ends[1]

    return end is not None and keeps_rho(most, upper, end)


def last_order(composition: Composition, adjacency: Adjacency, most: Fraction) -> Fraction | None:
    """An order from which on D_α ≤ ``most`` α, if one is known.

    By the largest loss of the parts where that is finite, and by ρ of the other parts.
    """
    losses = {m: largest_loss(Composition.of((m, k)), adjacency) for m, k in composition.parts}
    loss = sum((Fraction(x) for x in losses.values() if x != math.inf), Fraction(0))
    others = [(m, k) for m, k in composition.parts if losses[m] == math.inf]
    rest = least_rho(Composition.of(*others), adjacency).upper if others else End(Fraction(0), "")
    return None if rest is None or rest.at >= most or not loss else loss / (most - Fraction(rest.at))


def _keeps_mu(composition: Composition, adjacency: Adjacency, most: Fraction) -> bool:
    """Whether μ ≤ ``most`` is proved, at ε up to the largest loss, if that is finite; beyond, δ is 0."""
    largest = largest_loss(composition, adjacency)

    def upper(epsilon: Fraction) -> Bound | None:
        spend()
        return profile(composition, relation(adjacency), epsilon).ends[1]

    return largest != math.inf and keeps_mu(most, upper, Fraction(largest))
