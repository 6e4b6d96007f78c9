r"""The least μ (GDP) and the least ρ (zCDP) of a mechanism, from both ends.

Closed forms come first (``concentrated.py``). Where they leave a gap, a curve is enclosed at points: δ(ε) for
μ, D_α for ρ. Every point proves that smaller parameters are too small. Between two points, chords prove that
a parameter is large enough, and what is beyond the last has an argument of its own (``everywhere.py``). So
the upper end is proved for the whole range of ε or α, or there is none. Which points is a search
(``search.py``): any are right.

There is none where the loss is unbounded and its tail has no closed form; with a regret there always is.
There μ is at least √(2 D_α/α) at some orders, too, as μ-GDP is μ²/2-zCDP.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import probability
from pldverify.numbers.presentation import number as shown
from pldverify.reference.search.neighbours import attained_by
from pldverify.values.concentrated import least_mu, least_rho, root
from pldverify.values.curves import Curve, Divergences, Profile, covers
from pldverify.values.points import largest_loss, profile
from pldverify.values.search import Search, finite, last_epsilon, settled
from pldverify.values.value import End, Value, known, narrower
from pldverify.values.verdict import Statement

_CONVEX = "proved at points, and by convexity between them"


def gdp(composition: Composed, *, regret: object = 0, adjacency: Adjacency | None = None) -> Value:
    r"""The least μ for which a composition is μ-GDP, that is :math:`T \ge G_\mu`, from both ends.

    Args:
        composition: a composition, a mechanism, or an expression of them in a string.
        regret: r in [0, 1]. The least μ with :math:`G_\mu(x + r) - r \le T(x)` for 0 ≤ x ≤ 1 − r: moved by
            r in both errors, G_μ is nowhere above the trade-off. So its Δ-divergence from T is at most r
            (Kaissis and others 2024), in which Gomez, Kulynych and others (2025) measure regret.
        adjacency: as for :func:`pldverify.delta`; ``add`` and ``remove`` have the μ of both, as T ≥ G_μ says
            the same of a pair and its reverse.

    The answer has a ``lower`` and an ``upper`` end, some six digits apart: each an exact number ``at``, with
    what proves it, ``by``; None where nothing is proved. Where both are ``math.inf``, no μ is large enough.
    Without a regret tails decide: Gaussian noise has the same μ with and without Poisson sampling.

    Raises InvalidInput.

    >>> import pldverify as pv
    >>> print(pv.gdp("4 * gaussian(2)"))
    = 1
    >>> run = "1000 * poisson(gaussian(2), q=0.02)"
    >>> print(pv.gdp(run, regret="1e-3"), pv.gdp(run), sep="; ")
    = 0.331202…; = 15.8113…
    """
    whole, shift = as_composition(composition), probability(regret, "regret")
    return mu(whole, relation(adjacency or whole.adjacency), (), shift)


def zcdp(composition: Composed, *, adjacency: Adjacency | None = None) -> Value:
    r"""The least ρ for which a composition is ρ-zCDP: :math:`\sup_{\alpha > 1} D_\alpha / \alpha`.

    Arguments and answer as of :func:`gdp`; here the direction counts.

    >>> import pldverify as pv
    >>> print(pv.zcdp("4 * gaussian(2)"), pv.zcdp("laplace(b=1)"), sep="; ")  # the latter 1/e
    = 0.5; = 0.367879…
    """
    whole = as_composition(composition)
    return rho(whole, adjacency or whole.adjacency, ())


def mu(
    whole: Composition, way: Adjacency, claimed: Sequence[Statement], regret: Fraction = Fraction(0)
) -> Value:
    """The least μ, as far as it takes to decide what is ``claimed`` of it. Raises InvalidInput for an
    adjacency without pairs.
    """
    value, loss = least_mu(whole, way), largest_loss(whole, way)
    if loss == 0:
        return known(Fraction(0), Fraction(0), "there is no loss")
    if regret:
        found = profile(whole, way, Fraction(0)).upper
        if (1 if found is None else found.at) <= 2 * regret:
            return known(Fraction(0), Fraction(0), "δ(0) ≤ 2r")
        value = value.above_alone
    elif loss == math.inf and not settled(value, claimed):
        least = (rho(whole, way, ()) if whole.attained else least_rho(whole, way)).lower
        if least is not None:
            end = End(root(2 * least.at)[0], f"μ² ≥ 2ρ, {least.by}")
            value = narrower(value, Value(lower=end))
    value = _narrowed(value, Profile(whole, way, regret), last_epsilon(loss, regret, value), claimed)
    had = attained_by(whole, way) if value.lower is None and not settled(value, claimed) else None
    return narrower(value, Value(lower=mu(*had, claimed, regret).lower)) if had else value


def rho(whole: Composition, way: Adjacency, claimed: Sequence[Statement]) -> Value:
    """The least ρ, likewise."""
    value = _narrowed(least_rho(whole, way), Divergences(whole, way), math.inf, claimed)
    had = None if settled(value, claimed) else attained_by(whole, way)
    return narrower(value, Value(lower=rho(*had, claimed).lower)) if had else value


def _narrowed(value: Value, curve: Curve, end: Bound, claimed: Sequence[Statement]) -> Value:
    """``value``, narrowed by points of the curve until that is settled, or the time is up."""
    if value.ends[0] == math.inf:
        return Value(value.lower, value.lower)
    if settled(value, claimed):
        return value
    search = Search(curve, value.ends[0] or Fraction(0), end, claimed)
    search.run()
    return narrower(value, _proved(curve, search))


def _proved(curve: Curve, search: Search) -> Value:
    """What the points that were found prove."""
    lower = upper = None
    at, most = search.worst, search.most()
    low = None if at is None else search.values[at].lower
    if at is not None and low is not None:
        by = f"{curve.name} = {shown(at)}: {low.by}"
        if low.at == math.inf:
            return known(low.at, low.at, by)
        if curve.needs(Fraction(search.least), (at, Fraction(low.at))):
            lower = End(search.least, by)
    if most is not None and covers(curve, finite(search.values, 1), most):
        upper = End(most, _CONVEX)
    return Value(lower, upper)
