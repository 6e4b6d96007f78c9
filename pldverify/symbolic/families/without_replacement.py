r"""Fixed-size sampling under replace-one: the symmetric pair of M = (1−q) N(0) + q N(1) against N(0).

Profile: :math:`H_\alpha(M\|N)` for α ≥ 1, :math:`H_\alpha(N\|M)` for α ≤ 1. As densities: right of 1/2, where
the loss of M‖N is positive, P = M and Q = N; left of −1/2 the mirror image with P and Q exchanged; in between
P = Q with what mass is left, an atom at loss 0. In units of the distance of the means, which is twice
the sensitivity times the number ℓ of draws of the changed record.
"""

from fractions import Fraction

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.relations import Direction
from pldverify.mechanisms.sampled_with_replacement import SampledWithReplacement
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.symbolic.families import gaussian
from pldverify.symbolic.families.family import Family
from pldverify.symbolic.families.normal import SIGMA, SIGMA_AND_Q, Q, cumulative, normal
from pldverify.symbolic.model.densities import Densities, Region, T

_HALF = sp.Rational(1, 2)
_RIGHT_N = cumulative(-1 / (2 * SIGMA))
_RIGHT_M = (1 - Q) * _RIGHT_N + Q * cumulative(1 / (2 * SIGMA))
_REST = sp.expand(1 - _RIGHT_M - _RIGHT_N)


def _mixture(t: sp.Expr) -> sp.Expr:
    return Q * normal(1, t) + (1 - Q) * normal(0, t)


DENSITIES = Densities(
    "(1 − q) N(0, σ²) + q N(1, σ²) against N(0, σ²) where the loss is positive, else the mirror image",
    T,
    (
        Region(-sp.oo, -_HALF, normal(0, -T), _mixture(-T)),
        Region(-_HALF, _HALF, _REST, _REST),
        Region(_HALF, sp.oo, _mixture(T), normal(0, T)),
    ),
    SIGMA_AND_Q,
)


def _gaussian(mechanism: SampledWithoutReplacement | SampledWithReplacement) -> Gaussian:
    if not isinstance(mechanism.base, Gaussian):
        raise NotSupported(
            f"batches of a fixed size are derived for Gaussian noise only, not for {mechanism}"
        )
    return mechanism.base


def sampled_without_replacement(mechanism: SampledWithoutReplacement, direction: Direction) -> Family:
    """q is the sampling ratio."""
    sigma = _gaussian(mechanism).noise_multiplier / 2
    if mechanism.q == 1:
        return Family("gaussian", gaussian.DENSITIES, {"sigma": sigma}, (gaussian.NOTE,), gaussian.printed)
    note = "σ is half the noise multiplier: a replaced record moves the sum by two sensitivities"
    return Family("sampled-without-replacement", DENSITIES, {"sigma": sigma, "q": mechanism.q}, (note,))


def sampled_with_replacement(mechanism: SampledWithReplacement, direction: Direction) -> Family:
    """One component: the changed record is drawn ℓ times; here ℓ = 1, σ/ℓ in place of σ gives the others."""
    share = Fraction(1, mechanism.n)
    notes = (
        f"the pair is the mixture over ℓ = 1 … {mechanism.m}, with known ℓ and weights b_ℓ/(1 − b_0), "
        f"b = Bin({mechanism.m}, 1/{mechanism.n}), of this pair with σ/ℓ in place of σ and q = 1 − b_0",
        "σ is half the noise multiplier; its value here is that of ℓ = 1",
    )
    values = {"sigma": _gaussian(mechanism).noise_multiplier / 2, "q": 1 - (1 - share) ** mechanism.m}
    return Family("sampled-without-replacement", DENSITIES, values, notes)
