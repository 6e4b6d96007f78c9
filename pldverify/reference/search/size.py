"""log δ(ε) of sampled Gaussians, and densities of the loss, where saddle points mislead, in floats."""

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.sampled import sampled
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.grouped import grouped
from pldverify.reference.search.mixture import odds
from pldverify.reference.search.outcome import Jumping, shift_and_q
from pldverify.reference.search.tilt import saddle

MAX_LAWS = 20
"""Cap on distinct laws of a convolution in floats."""
MAX_PARTED = 64
"""Cap on distinct laws where steps are split into near and far, or with and without a jump."""
_RARELY = 0.002
"""Sampling probability below which saddle points are never trusted."""
_RARE = 1e-3
"""Expected losses beyond ε/2 in one run, under the tilted law, above which saddle points mislead."""


@lru_cache(maxsize=64)
def size_of_delta(product: ComposedLoss, epsilon: Fraction) -> float | None:
    """log δ(ε), ε > 0, where single losses of about ε count; else None, also where floats are not accurate.

    Many laws are grouped first.
    """
    eps, (product, _) = float(epsilon), grouped(product, MAX_LAWS, "between")
    if not eps > 0 or not may_mislead(product):
        return None
    with suppress(ArithmeticError, ValueError, NoConvergence):
        theta, _ = saddle(product, Kernel("delta", "upper"), eps)
        if single_losses_count(product, eps, theta):
            from pldverify.reference.search.float_convolution import float_size  # loads numpy

            return float_size(product.factors, eps)
    return None


@lru_cache(maxsize=64)
def densities(product: ComposedLoss, epsilon: Fraction) -> tuple[tuple[float, float], ...]:
    """Pairs (η, log density at ε of the loss plus noise of standard deviation η), η falling.

    For a loss whose δ(ε) :func:`size_of_delta` knows.
    """
    from pldverify.reference.search.float_convolution import float_densities

    with suppress(ArithmeticError, ValueError, NoConvergence):
        return tuple(float_densities(grouped(product, MAX_LAWS, "between")[0].factors, float(epsilon)))
    return ()


def may_mislead(product: ComposedLoss) -> bool:
    """Whether a far mode may mislead saddle points."""
    return 0 < len(_jumping(product)) <= MAX_LAWS


def _jumping(product: ComposedLoss) -> list[tuple[Jumping, int]]:
    """The laws and counts, if all of them are sampled and may have rare large losses; else none."""
    with suppress(NotSupported):
        return list(sampled(product))
    found: list[tuple[Jumping, int]] = [
        (law, k)
        for law, k in product.factors
        if isinstance(law, GaussianMixtureLaw | PoissonDiscreteGaussianLaw) and law.direction == "remove"
    ]
    return found if len(found) == len(product.factors) else []


def single_losses_count(product: ComposedLoss, epsilon: float, theta: float) -> bool:
    """Whether sampling is rare, or single losses of about ε count at tilt θ: then saddle points mislead."""
    return may_mislead(product) and any(
        shift_and_q(law)[1] < _RARELY or k * _share_beyond(law, epsilon / 2, theta + 1) > _RARE
        for law, k in _jumping(product)
    )


def has_atoms(product: ComposedLoss) -> bool:
    """Whether some losses are discrete."""
    return any(isinstance(law, PoissonDiscreteGaussianLaw) for law, _ in product.factors)


def are_sampled(product: ComposedLoss) -> bool:
    """Whether all laws, at most ``MAX_PARTED``, are of sampled Gaussians, ``remove`` or replace-one."""
    try:
        return len(sampled(product)) <= MAX_PARTED
    except NotSupported:
        return False


def _share_beyond(law: Jumping, loss: float, p: float) -> float:
    """Share of ∫ φ w^p with a loss above ``loss``; 0 for replaced records, misled by rare sampling alone."""
    if isinstance(law, GaussianPairLaw):
        return 0.0
    table = odds(*shift_and_q(law), p)
    _, weights = table.tilted(p)
    return math.fsum(w for w, s in zip(weights, table.losses, strict=True) if s > loss) / math.fsum(weights)
