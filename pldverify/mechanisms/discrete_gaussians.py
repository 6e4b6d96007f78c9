r"""Discrete Gaussian noise on a vector of integers, as the US Census of 2020 released its tables.

Coordinate j gets independent noise :math:`N_Z(0, \sigma_j^2)`. **Given the coordinates' sensitivities** Δ_j,
neighbours move the query by some integers :math:`|d_j| \le \Delta_j`. Their pair is the product over j of
:math:`N_Z(d_j, \sigma_j^2)` against :math:`N_Z(0, \sigma_j^2)`, each of which the pair of
:class:`DiscreteGaussian` dominates in both directions, and a product of dominating pairs dominates the
product (Zhu, Dong, Wang 2022, Theorem 10). So the vector is the composition of its coordinates, exactly where
some neighbours move all of them by Δ_j at once, and an upper bound elsewhere.

**Given only** that :math:`\sum_j d_j^2/\sigma_j^2 \le \Delta_2^2/\sigma^2`, with one σ for all coordinates,
or Δ_2 measured in units of the noise and σ = 1, the worst d is not known, and no pair is. The mechanism is
ρ-zCDP with :math:`\rho = \Delta_2^2/2\sigma^2` (Canonne, Kamath, Steinke 2020, arXiv 2004.00010), and
conversions bound it from above. Proof: one coordinate has :math:`D_\alpha \le \alpha d_j^2/2\sigma_j^2` for
integers d_j (proved there), and Rényi divergences of independent coordinates add up.
"""

from collections.abc import Iterable
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.vector import is_list, vector
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import Number, count, positive, real, show


def discrete_gaussians(
    sigma: "Number | Iterable[Number]",
    sensitivities: Iterable[Number] | None = None,
    l2_sensitivity: Number | None = None,
) -> Composition:
    r"""Discrete Gaussian noise on the coordinates of an integer vector.

    Args:
        sigma: parameter of the noise, for all coordinates, or a list with one for each.
        sensitivities: how far one record's presence moves each coordinate, integers ≥ 0, of which one is > 0:
            the answer is that of the composition itself; or
        l2_sensitivity: how far the asked neighbours move the vector in the Euclidean norm, whatever the
            adjacency: a ZCDP promise with :math:`\rho = \Delta_2^2/2\sigma^2`.

    Under replace-one a coordinate moves by up to twice its sensitivity, as everywhere; a histogram, where a
    replaced record moves two counts by one each, is ``sensitivities=[1, 1]`` under add-or-remove, and exactly
    that.

    Raises InvalidInput unless exactly one of both sensitivities is given, for lists of different lengths, and
    for numbers out of range.

    >>> import pldverify as pv
    >>> tables = pv.discrete_gaussians(sigma=["20", "30"], sensitivities=[1, 2])
    >>> print(tables)
    discrete_gaussian(sigma=20) + discrete_gaussian(sigma=30, sensitivity=2)
    >>> float(pv.epsilon(tables, delta="1e-10", digits=6))
    0.4756...
    >>> promise = pv.discrete_gaussians(sigma=2, l2_sensitivity="sqrt(2)")
    >>> print(promise)
    zcdp(rho=(sqrt(2))^2/(2*(2)^2))
    """
    if (sensitivities is None) == (l2_sensitivity is None):
        raise InvalidInput("discrete_gaussians must have exactly one of sensitivities and l2_sensitivity")
    if sensitivities is None:
        return Composition.of((_promised(sigma, l2_sensitivity), 1))
    moves = vector(sensitivities, "sensitivities", _integer)
    noise = sigma if is_list(sigma) else [sigma] * len(moves)
    scales = vector(noise, "sigma", positive)
    if len(scales) != len(moves):
        raise InvalidInput(f"sigma must be as long as sensitivities, got {len(scales)} and {len(moves)}")
    moved = [DiscreteGaussian(scale, move) for scale, move in zip(scales, moves, strict=True) if move]
    if not moved:
        raise InvalidInput("sensitivities must have one coordinate that moves, got none > 0")
    return Composition.of(*((each, 1) for each in moved))


def _promised(sigma: object, l2_sensitivity: object) -> ZCDP:
    """ZCDP with ρ = Δ²/2σ²; squares of numbers that are no fraction are enclosed."""
    if is_list(sigma):
        raise InvalidInput("sigma must be one number beside l2_sensitivity")
    noise, move = positive(sigma, "sigma"), positive(l2_sensitivity, "l2_sensitivity", real)
    if isinstance(move, Fraction):
        return ZCDP(move**2 / (2 * noise**2))
    return ZCDP(real(f"({move.text})^2/(2*({show(noise)})^2)", "rho"))


def _integer(value: object, name: str) -> Fraction:
    return Fraction(count(value, name, least=0))
