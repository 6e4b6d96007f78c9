r"""Claims of zCDP, GDP and of a Rényi divergence.

What is proved, for a composition of k_i steps of Gaussian noise with multiplier s_i and of stated guarantees:

* **Implied by what is stated.** Gaussian noise has :math:`D_\alpha = \alpha / 2 s^2` for every α, so it is
  :math:`1/2s^2`-zCDP and no less, and 1/s-GDP by definition; discrete Gaussian noise has at most that
  divergence (Canonne, Kamath, Steinke 2020, Proposition 5); ε-DP is ε²/2-zCDP (Bun and Steinke 2016,
  Proposition 1.4); μ-GDP is μ²/2-zCDP (Dong, Roth, Su 2022: Gaussian divergences, post-processed).
  zCDP adds up (Lemma 1.7), μ² adds up (Corollary 3.3). A subsampled step has at most the divergence of the
  whole one (quasi-convexity; van Erven and Harremoës 2014, Theorem 13), and so has an epoch whose batches are
  hidden.
* **True of the mechanism.** Where all steps are unsampled Gaussian noise these are the least parameters: the
  claim is decided. Else a Rényi divergence that is proved to exceed ρα refutes ρ-zCDP, at orders that are
  tried.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from pldverify.certificate.certify import Ruling as Verdict
from pldverify.claims.cases import Case
from pldverify.claims.model import Claim, Relation
from pldverify.claims.ruling import Kind, Reading
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    Composition,
    DiscreteGaussian,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
)
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import rational
from pldverify.numbers.irrational import Irrational

_ORDERS = (Fraction(3, 2), Fraction(2), Fraction(4), Fraction(16), Fraction(64))
"""At which a Rényi divergence is asked for to refute a ρ."""
_DIGITS = 6
_IMPLIED = "implied by what is stated, not known of the mechanism"


def judge(
    claim: Claim, case: Case, kind: Kind, value: Fraction | Irrational, way: Relation, words: str
) -> Reading:
    """The reading of a claim of ρ, μ or a Rényi divergence."""
    if claim.rdp is not None:
        lower, upper, least = _renyi(case, rational(str(claim.rdp.order), "order"))
    elif claim.rho is not None:
        lower, upper, least = _zcdp(case)
    else:
        lower, upper, least = _gdp(case)
    verdict = _verdict(value, way, lower, upper)
    if verdict == "UNDECIDED":
        return Reading(case, kind, words, verdict, lower, upper, "the proved ends leave it open")
    implied = "" if least else _IMPLIED
    return Reading(case, kind, words, verdict, lower, upper, implied if verdict == "CERTIFIED" else "")


def _verdict(value: Fraction | Irrational, way: Relation, lower: Bound, upper: Bound) -> Verdict:
    low, high = (value.lower, value.upper) if isinstance(value, Irrational) else (value, value)
    above: Verdict = "CERTIFIED" if low >= upper else "REFUTED" if high < lower else "UNDECIDED"
    below: Verdict = "CERTIFIED" if high <= lower else "REFUTED" if low > upper else "UNDECIDED"
    if way == "<=":
        return above
    if way == ">=":
        return below
    if "REFUTED" in (above, below):
        return "REFUTED"
    return "CERTIFIED" if above == below == "CERTIFIED" else "UNDECIDED"


def _zcdp(case: Case) -> tuple[Bound, Bound, bool]:
    """Proved ends of the least ρ, and whether they are equal."""
    parts = case.composition.parts
    rhos = [_rho(mechanism) for mechanism, _ in parts]
    upper: Bound = math.inf
    known = [rho for rho in rhos if rho is not None]
    if len(known) == len(rhos):
        upper = sum(
            (rho * _moved(case, m) * k for rho, (m, k) in zip(known, parts, strict=True)), Fraction(0)
        )
    if all(isinstance(mechanism, Gaussian) for mechanism, _ in parts):
        return upper, upper, True
    lower = max((bound / order for order, bound in _divergences(case, _ORDERS)), default=Fraction(0))
    return lower, upper, False


def _rho(mechanism: Mechanism) -> Fraction | None:
    """A ρ that is proved of it, in the units of add-or-remove."""
    base = mechanism.base if isinstance(mechanism, PoissonSubsampled | HiddenBatch) else mechanism
    if isinstance(base, Gaussian) and base.is_exact:
        return 1 / (2 * base.noise_multiplier**2)
    if isinstance(base, DiscreteGaussian):
        return base.sensitivity**2 / (2 * base.sigma**2)
    if isinstance(base, Laplace) and base.is_exact:
        return (base.sensitivity / base.b) ** 2 / 2
    if isinstance(base, PureDP) and base.is_exact:
        return base.epsilon**2 / 2
    if isinstance(base, GDP) and base.is_exact:
        return base.mu**2 / 2
    return base.rho if isinstance(base, ZCDP) and base.is_exact else None


def _moved(case: Case, mechanism: Mechanism) -> int:
    """Under replace-one the query of a noise moves twice as far; a guarantee is one of that relation."""
    noisy = isinstance(mechanism, DiscreteGaussian | Gaussian | HiddenBatch | Laplace | PoissonSubsampled)
    return 4 if case.adjacency == "replace-one" and noisy else 1


def _gdp(case: Case) -> tuple[Bound, Bound, bool]:
    """Proved ends of the least μ, where all is Gaussian; else a bound from above, or nothing."""
    parts = case.composition.parts
    squares = [_mu_squared(mechanism) for mechanism, _ in parts]
    known = [square for square in squares if square is not None]
    if len(known) < len(parts):
        return Fraction(0), math.inf, False
    terms = (square * _moved(case, m) * k for square, (m, k) in zip(known, parts, strict=True))
    lower, upper = _root(sum(terms, Fraction(0)))
    exact = all(isinstance(mechanism, Gaussian | GDP) for mechanism, _ in parts)
    return (lower if exact else Fraction(0)), upper, exact


def _mu_squared(mechanism: Mechanism) -> Fraction | None:
    """μ² of a GDP that is proved of it, in the units of add-or-remove."""
    base = mechanism.base if isinstance(mechanism, PoissonSubsampled | HiddenBatch) else mechanism
    if isinstance(base, GDP) and base.is_exact:
        return base.mu**2
    return 1 / base.noise_multiplier**2 if isinstance(base, Gaussian) and base.is_exact else None


def _root(square: Fraction) -> tuple[Fraction, Fraction]:
    """√square between two fractions, equal where it is rational."""
    p, q = square.numerator, square.denominator
    if math.isqrt(p) ** 2 == p and math.isqrt(q) ** 2 == q:
        return Fraction(math.isqrt(p), math.isqrt(q)), Fraction(math.isqrt(p), math.isqrt(q))
    shift = 256 + max(0, q.bit_length() - p.bit_length())
    floor = math.isqrt((p << 2 * shift) // q)
    return Fraction(floor, 1 << shift), Fraction(floor + 1, 1 << shift)


def _renyi(case: Case, order: Fraction) -> tuple[Bound, Bound, bool]:
    """The divergence of one order: of the mechanism, else what zCDP implies."""
    rho, _, least = _zcdp(case)
    if least:
        return rho * order, rho * order, True
    found = _divergences(case, (order,), exact=True)
    if found:
        ((_, lower), (_, upper)) = found
        return lower, upper, True
    return Fraction(0), _zcdp(case)[1] * order, False


def _divergences(
    case: Case, orders: Sequence[Fraction], exact: bool = False
) -> list[tuple[Fraction, Fraction]]:
    """(order, lower end of the divergence), then the upper end too if ``exact``; none where it is unknown."""
    from pldverify.reference.quantities.questions import rdp

    composition: Composition = case.composition
    if case.bound_only or composition.standing != "exact":
        return []
    found: list[tuple[Fraction, Fraction]] = []
    for order in orders:
        try:
            value = rdp(composition, order=order, adjacency=case.adjacency, digits=_DIGITS)
        except (NoConvergence, NotSupported):
            continue
        if value.upper == math.inf:
            continue
        found += [(order, Fraction(value.lower))] + ([(order, Fraction(value.upper))] if exact else [])
    return found
