r"""The second opinion: mpmath quadrature of the defining integrals. Estimates only.

Shares no code with the engines: the densities are written out again here, M(z) is ``mpmath.quad`` over the
outcome, and δ(ε) is ``mpmath.quad`` of the inversion integral along Re z = θ (or of (p − e^ε q)_+ for one
step).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pldverify.errors import NotSupported
from pldverify.mechanisms import Composition, Gaussian, Laplace, PoissonSubsampled, RandomizedResponse
from pldverify.mechanisms.composition import as_composition
from pldverify.mechanisms.mechanism import Direction, Mechanism
from pldverify.numbers.estimate import Estimate
from pldverify.numbers.exact import rational

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext


def delta_estimate(
    composition: Composition | Mechanism, *, epsilon: object, direction: Direction, digits: int = 15
) -> Estimate:
    """δ(ε) of one direction by mpmath, trusted to ``digits`` digits.

    One step is integrated over the outcome; several by inversion, for ε above the mean loss only.
    Raises NotSupported elsewhere.
    """
    import mpmath

    mp: Any = mpmath.mp.clone()
    mp.dps = digits + 20
    whole = as_composition(composition)
    eps = _real(mp, rational(epsilon, "epsilon"))
    if whole.steps == 1:
        value = _single(mp, whole.parts[0][0], eps, direction)
        return Estimate(_fraction(value), digits, "mpmath.quad of (p − e^ε q)_+")
    parts = [(_moment(mp, mechanism, direction), k) for mechanism, k in whole.parts]
    value = _inversion(mp, parts, eps)
    return Estimate(_fraction(value), digits, "mpmath.quad of the inversion integral")


def moment_estimate(mechanism: Mechanism, *, z: object, direction: Direction, digits: int = 15) -> Estimate:
    """M(z) = ∫ p^{z+1} q^{−z} for real z by mpmath, trusted to ``digits`` digits."""
    import mpmath

    mp: Any = mpmath.mp.clone()
    mp.dps = digits + 20
    value = _moment(mp, mechanism, direction)(_real(mp, rational(z, "z")))
    return Estimate(_fraction(value), digits, "mpmath.quad of p^{z+1} q^{−z}")


def _real(mp: MPContext, value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def _fraction(value: Any) -> Fraction:
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** int(sign) * int(mantissa)) * Fraction(2) ** int(exponent)


def _densities(
    mp: MPContext, mechanism: Mechanism
) -> tuple[Callable[..., Any], Callable[..., Any], list[Any]]:
    """p, q and break points of the outcome's line, in the units of the query."""
    if isinstance(mechanism, PoissonSubsampled):
        with_record, without, points = _densities(mp, mechanism.base)
        rate = _real(mp, mechanism.q)
        return lambda t: (1 - rate) * without(t) + rate * with_record(t), without, points
    if isinstance(mechanism, Gaussian):
        s, m = _real(mp, mechanism.sigma), _real(mp, mechanism.sensitivity)
        points = [j * s for j in range(-14, 15, 2)] + [m + j * s for j in range(-14, 15, 2)]
        return lambda t: mp.npdf(t, m, s), lambda t: mp.npdf(t, 0, s), sorted(points)
    if isinstance(mechanism, Laplace):
        b, m = _real(mp, mechanism.b), _real(mp, mechanism.sensitivity)
        points = sorted(
            {mp.mpf(0), m, *(j * b * 8 for j in range(-6, 7)), *(m + j * b * 8 for j in range(-6, 7))}
        )
        return lambda t: mp.exp(-abs(t) / b) / (2 * b), lambda t: mp.exp(-abs(t - m) / b) / (2 * b), points
    raise NotSupported(f"the quadrature has no density for {mechanism}")


def _moment(mp: MPContext, mechanism: Mechanism, direction: Direction) -> Callable[[Any], Any]:
    if direction not in ("add", "remove"):
        raise NotSupported(f"the quadrature knows the directions add and remove, got direction={direction!r}")
    if isinstance(mechanism, RandomizedResponse):
        p, r = _real(mp, mechanism.p), _real(mp, mechanism.other)
        return lambda z: p ** (z + 1) * r ** (-z) + r ** (z + 1) * p ** (-z) + 1 - p - r
    first, second, points = _densities(mp, mechanism)
    if direction == "add":
        first, second = second, first

    def moment(z: Any) -> Any:
        # the tilted law reaches further by |z| sensitivities
        reach = [points[0] * (1 + abs(z)), *points, points[-1] * (1 + abs(z))]
        return mp.quad(lambda t: first(t) * mp.exp(z * mp.log(first(t) / second(t))), reach)

    return moment


def _single(mp: MPContext, mechanism: Mechanism, eps: Any, direction: Direction) -> Any:
    if direction not in ("add", "remove"):
        raise NotSupported(f"the quadrature knows the directions add and remove, got direction={direction!r}")
    if isinstance(mechanism, RandomizedResponse):
        p, r = _real(mp, mechanism.p), _real(mp, mechanism.other)
        return sum(max(a - mp.exp(eps) * b, 0) for a, b in ((p, r), (r, p), (1 - p - r, 1 - p - r)))
    first, second, points = _densities(mp, mechanism)
    if direction == "add":
        first, second = second, first

    def gap(t: Any) -> Any:
        return first(t) - mp.exp(eps) * second(t)

    cuts = list(points)
    for left, right in pairwise(points):
        if gap(left) * gap(right) < 0:  # the loss crosses ε here
            cuts.append(mp.findroot(gap, (left, right), solver="anderson", tol=mp.eps * abs(gap(left)) ** 2))
    return mp.quad(lambda t: max(gap(t), mp.mpf(0)), sorted(cuts))


def _inversion(mp: MPContext, parts: list[tuple[Callable[[Any], Any], int]], eps: Any) -> Any:
    def log_moment(z: Any) -> Any:
        return mp.fsum(k * mp.log(moment(z)) for moment, k in parts)

    def size(theta: Any) -> Any:
        return log_moment(theta) - theta * eps - mp.log(theta) - mp.log(1 + theta)

    with mp.workdps(10):
        theta = _minimum(mp, size)
        h = theta / 50
        width = 1 / mp.sqrt((log_moment(theta + h) - 2 * log_moment(theta) + log_moment(theta - h)) / h**2)

    def integrand(u: Any) -> Any:
        z = mp.mpc(theta, u)
        value = mp.mpf(1)
        for moment, k in parts:
            value *= moment(z) ** k
        return (value * mp.exp(-z * eps) / (z * (z + 1))).real

    return mp.quad(integrand, [j * width * 2 for j in range(8)], maxdegree=6) / mp.pi


def _minimum(mp: MPContext, size: Callable[[Any], Any]) -> Any:
    """Golden-section search for the saddle point in log θ."""
    low, high = mp.log(mp.mpf("0.01")), mp.log(mp.mpf(200))
    golden = (mp.sqrt(5) - 1) / 2
    for _ in range(12):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if size(mp.exp(a)) < size(mp.exp(b)) else (a, high)
    return mp.exp((low + high) / 2)
