r"""Group privacy: neighbours that differ in m records instead of one, such as all records of a user.

**Noise.** m records move the query by up to ms, so the pair is that of sensitivity ms, and σ/m that of a
Gaussian; of a μ-GDP promise mμ (Dong, Roth, Su 2022, Theorem 2.14). Exact, and for every mix of additions and
removals.

**Poisson-sampled Gaussian**, all m records in the data or none of them: :class:`MixtureOfGaussians` with
Binomial(m, q) many sensitivities, proved there. Exact; a mix of additions and removals is not covered.

**Promises** of ε- and (ε, δ)-DP: :class:`GroupDP`, proved there. Exact: what the promise implies, and no
more. A ρ-zCDP mechanism is m²ρ-zCDP (Bun and Steinke 2016, Proposition 1.9), step by step, so this composes.

All other mechanisms are refused: no pair of their groups is known here.
"""

from dataclasses import replace
from math import comb
from typing import Any

from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.group_dp import GroupDP
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.mechanisms.mixture_of_gaussians import MAX_LEVELS, MixtureOfGaussians
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import Number, count, real
from pldverify.numbers.irrational import Irrational

_MOST = 10**6
"""Cap on the records in which neighbours differ."""


def group(composition: Composition | Mechanism, m: Number) -> Composition:
    """What ``composition`` is for neighbours that differ in a group of up to ``m`` records.

    Each mechanism becomes one of its groups; what it dominates, and for which groups, the module docstring
    says. Raises NotSupported for a mechanism whose groups have no known pair; InvalidInput.

    >>> print(pv.group(100 * pv.Gaussian(sigma=8), 4))
    100 * gaussian(sigma=8, sensitivity=4)
    >>> print(pv.group(pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.1"), 2))
    mixture_of_gaussians(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.81, 0.18, 0.01])
    >>> print(pv.group(pv.PureDP(epsilon="0.5"), 3))
    group_dp(epsilon=0.5, delta=0, m=3)
    """
    size, whole = count(m, "m", cap=_MOST), composed(composition)
    return Composition(tuple((_of(mechanism, size), k) for mechanism, k in whole.parts), size * whole.records)


def group_size(composition: Composition) -> int:
    """How many records one record of a composition stands for, as far as it says so: 1 if it doesn't.

    >>> from pldverify.mechanisms.group import group_size
    >>> group_size(3 * pv.group(pv.Gaussian(sigma=1), 2)), group_size(1 * pv.GroupDP(epsilon=1, delta=0, m=4))
    (2, 4)
    """
    sizes = {m.m if isinstance(m, GroupDP) else 1 for m, _ in composition.parts}
    return sizes.pop() if len(sizes) == 1 and sizes != {1} else composition.records


def _of(mechanism: Mechanism, m: int) -> Mechanism:
    """The pair of a group. Raises NotSupported."""
    if m == 1:
        return mechanism
    if isinstance(mechanism, Gaussian | Laplace | DiscreteGaussian | DiscreteLaplace):
        moved: Any = _times(m, mechanism.sensitivity)
        return replace(mechanism, sensitivity=moved)
    if isinstance(mechanism, PoissonSubsampled) and isinstance(mechanism.base, Gaussian):
        return _sampled(mechanism.base, mechanism.q, m)
    return _promised(mechanism, m)


def _promised(mechanism: Mechanism, m: int) -> Mechanism:
    """The promise about a group. Raises NotSupported."""
    if isinstance(mechanism, GDP):
        return GDP(_times(m, mechanism.mu))
    if isinstance(mechanism, ZCDP):
        return ZCDP(_times(m**2, mechanism.rho))
    if isinstance(mechanism, PureDP):
        return GroupDP(mechanism.epsilon, 0, m)
    if isinstance(mechanism, ApproximateDP) and "replace-one" in mechanism.relations:
        return GroupDP(mechanism.epsilon, mechanism.delta, m)
    if isinstance(mechanism, GroupDP):
        return replace(mechanism, m=m * mechanism.m)
    raise NotSupported(f"no pair is known for groups under {mechanism}")


def _sampled(base: Gaussian, q: Any, m: int) -> Mechanism:
    """The mixture for m records that are there or not. Raises InvalidInput for parameters that are no
    fractions, and for large groups."""
    if q == 1:
        return _of(base, m)
    if not base.is_exact or isinstance(q, Irrational):
        raise InvalidInput("a group under Poisson sampling must have rational sigma, sensitivity and q")
    if m > MAX_LEVELS:
        raise InvalidInput(f"m must be at most {MAX_LEVELS} under Poisson sampling, got m={m}")
    chances = [comb(m, k) * q**k * (1 - q) ** (m - k) for k in range(m + 1)]
    return MixtureOfGaussians(base.sigma, [k * base.sensitivity for k in range(m + 1)], chances)


def _times(m: int, number: Any) -> Number:
    """m times a number, enclosed where that is."""
    return real(f"{m}*({number.text})", "number") if isinstance(number, Irrational) else m * number
