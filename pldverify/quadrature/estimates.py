r"""The second opinion: mpmath quadrature of the defining integrals. Estimates only.

Shares no code with the engines. The densities are written out again here; :math:`M(z) = \int p^{z+1} q^{-z}`
is a Gauss–Legendre sum over panels of the outcome, and δ(ε) is the plain sum of the inversion integral along
Re z = θ, with the step halved until two sums agree. For one step it is ``mpmath.quad`` of (p − e^ε q)_+ from
the threshold on.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import Composition, Gaussian, Laplace, PoissonSubsampled, RandomizedResponse
from pldverify.mechanisms.mechanism import Mechanism, as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.estimate import Estimate
from pldverify.numbers.exact import rational

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext

_HALVINGS = 7
_MAX_PANEL_NODES = 4_000
_MAX_LINE = 1_000
Pair = tuple[Callable[[Any], Any], Callable[[Any], Any]]


def delta_estimate(
    composition: Composition | Mechanism, *, epsilon: object, direction: Direction, digits: int = 15
) -> Estimate:
    """δ(ε) of one direction by mpmath, trusted to ``digits`` digits.

    Raises NotSupported for mechanisms without a density here, NoConvergence where sums don't agree to
    ``digits`` digits (few steps of little noise).
    """
    mp = _context(digits)
    whole = as_composition(composition)
    eps = _real(mp, rational(epsilon, "epsilon"))
    if whole.steps == 1:
        value = _single(mp, whole.parts[0][0], eps, direction)
        return Estimate(_fraction(value), digits, "mpmath.quad of (p − e^ε q)_+")
    value = _inversion(mp, whole, direction, eps, digits)
    return Estimate(_fraction(value), digits, "mpmath: sums of the inversion integral that agree")


def moment_estimate(mechanism: Mechanism, *, z: object, direction: Direction, digits: int = 15) -> Estimate:
    """M(z) = ∫ p^{z+1} q^{−z} for real z by mpmath, trusted to ``digits`` digits."""
    mp = _context(digits)
    tilt = _real(mp, rational(z, "z"))
    value = mp.fsum(mass for mass, _ in _nodes(mp, mechanism, direction, tilt))
    return Estimate(_fraction(value), digits, "mpmath: Gauss–Legendre sum of p^{z+1} q^{−z}")


def _context(digits: int) -> Any:
    import mpmath

    mp: Any = mpmath.mp.clone()
    mp.dps = digits + 20
    return mp


def _real(mp: MPContext, value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def _fraction(value: Any) -> Fraction:
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** int(sign) * int(mantissa)) * Fraction(2) ** int(exponent)


def _densities(mp: MPContext, mechanism: Mechanism) -> Pair:
    """p and q on the outcome's line, in the units of the query."""
    if isinstance(mechanism, PoissonSubsampled):
        with_record, without = _densities(mp, mechanism.base)
        rate = _real(mp, mechanism.q)
        return lambda t: (1 - rate) * without(t) + rate * with_record(t), without
    if isinstance(mechanism, Gaussian):
        s, m = _real(mp, mechanism.sigma), _real(mp, mechanism.sensitivity)
        return lambda t: mp.npdf(t, m, s), lambda t: mp.npdf(t, 0, s)
    if isinstance(mechanism, Laplace):
        b, m = _real(mp, mechanism.b), _real(mp, mechanism.sensitivity)
        return lambda t: mp.exp(-abs(t) / b) / (2 * b), lambda t: mp.exp(-abs(t - m) / b) / (2 * b)
    raise NotSupported(f"the quadrature has no density for {mechanism}")


def _scale(mp: MPContext, mechanism: Mechanism) -> tuple[Any, Any, Any]:
    """Noise scale, sensitivity, and how many scales the noise reaches at the working precision."""
    base = mechanism.base if isinstance(mechanism, PoissonSubsampled) else mechanism
    nats = mp.dps * mp.log(10)
    if isinstance(base, Gaussian):
        return _real(mp, base.sigma), _real(mp, base.sensitivity), mp.sqrt(2 * nats)
    if isinstance(base, Laplace):
        return _real(mp, base.b), _real(mp, base.sensitivity), nats
    raise NotSupported(f"the quadrature has no density for {mechanism}")


def _ordered(pair: Pair, direction: Direction) -> Pair:
    if direction not in ("add", "remove"):
        raise NotSupported(f"the quadrature knows the directions add and remove, got direction={direction!r}")
    return pair if direction == "remove" else (pair[1], pair[0])


def _response(mp: MPContext, mechanism: RandomizedResponse) -> list[tuple[Any, Any]]:
    p, r = _real(mp, mechanism.p), _real(mp, mechanism.other)
    rest = _real(mp, 1 - mechanism.p - mechanism.other)  # exactly 0 for two categories
    return [(p, r), (r, p), (rest, rest)]


def _nodes(mp: MPContext, mechanism: Mechanism, direction: Direction, tilt: Any) -> list[tuple[Any, Any]]:
    """(mass tilted by e^{tilt·loss}, loss) of a quadrature over the outcome."""
    if isinstance(mechanism, RandomizedResponse):
        rows = [(a, mp.log(a / b)) for a, b in _response(mp, mechanism) if a > 0 and b > 0]
        return [(a * mp.exp(tilt * loss), loss) for a, loss in rows]
    first, second = _ordered(_densities(mp, mechanism), direction)
    noise, shift, reach = _scale(mp, mechanism)
    # the tilted law of a Gaussian pair moves by tilt + 1 sensitivities, that of a Laplace pair not at all
    far = shift * (2 + abs(tilt)) + reach * noise
    cuts = sorted({-far, mp.mpf(0), shift, shift + far})
    from mpmath.calculus.quadrature import GaussLegendre

    rule = GaussLegendre(mp).calc_nodes(4, mp.prec)  # 48 nodes
    rows = []
    for left, right in pairwise(cuts):
        panels = int(mp.ceil((right - left) / (2 * noise)))
        if panels * len(rule) > _MAX_PANEL_NODES:
            raise NoConvergence(f"quadrature: {panels} panels for {mechanism} at tilt {float(tilt):.3g}")
        radius = (right - left) / (2 * panels)
        for j in range(panels):
            for x, weight in rule:
                t = left + radius * (2 * j + 1 + x)
                loss = mp.log(first(t) / second(t))
                rows.append((radius * weight * first(t) * mp.exp(tilt * loss), loss))
    return rows


def _single(mp: MPContext, mechanism: Mechanism, eps: Any, direction: Direction) -> Any:
    if isinstance(mechanism, RandomizedResponse):
        rows = _response(mp, mechanism)
        return mp.fsum(max(a - mp.exp(eps) * b, mp.mpf(0)) for a, b in rows)
    first, second = _ordered(_densities(mp, mechanism), direction)
    noise, shift, reach = _scale(mp, mechanism)

    def gap(t: Any) -> Any:
        return mp.log(first(t) / second(t)) - eps

    # the loss is monotone in the outcome: it crosses ε once, or never
    low, high = -reach * noise, shift + reach * noise
    rises, everywhere = gap(high) > gap(low), gap(low) > 0 and gap(high) > 0
    if everywhere:
        cut = low if rises else high  # up to the working precision
    else:
        while gap(low) * gap(high) > 0 and high < 10**6 * (shift + noise):
            low, high = 2 * low, 2 * high
        if gap(low) * gap(high) >= 0:
            return mp.mpf(0)
        cut = _bisect(mp, gap, low, high)
    end = (max(cut, shift) + reach * noise) if rises else (min(cut, mp.mpf(0)) - reach * noise)
    inner = sorted({cut, end, *(x for x in (mp.mpf(0), shift) if min(cut, end) < x < max(cut, end))})
    points = []
    for left, right in pairwise(inner):
        count = int(mp.ceil((right - left) / (2 * noise)))
        points += [left + (right - left) * j / count for j in range(count)]
    unit = max(first(point) for point in inner)  # mp.quad stops at an absolute error
    return unit * mp.quad(lambda t: (first(t) - mp.exp(eps) * second(t)) / unit, [*points, inner[-1]])


def _bisect(mp: MPContext, gap: Callable[[Any], Any], low: Any, high: Any) -> Any:
    sign = gap(low) > 0
    for _ in range(mp.prec + 60):
        middle = (low + high) / 2
        low, high = (middle, high) if (gap(middle) > 0) == sign else (low, middle)
    return (low + high) / 2


def _inversion(mp: MPContext, whole: Composition, direction: Direction, eps: Any, digits: int) -> Any:
    theta, width = _saddle(mp, whole, direction, eps)
    parts = [(_nodes(mp, mechanism, direction, theta), k) for mechanism, k in whole.parts]
    masses = [mp.fsum(mass for mass, _ in nodes) for nodes, _ in parts]
    logs = mp.fsum(k * mp.log(mass) for mass, (_, k) in zip(masses, parts, strict=True))

    def terms(step: Any, offset: Any) -> Any:
        """Σ of the integrand at u = (j + offset)·step, j ≥ 0, until it has died; without M(θ)^k e^{−θε}."""
        waves = [
            [mass / whole * mp.expj(offset * step * loss) for mass, loss in nodes]
            for whole, (nodes, _) in zip(masses, parts, strict=True)
        ]
        turns = [[mp.expj(step * loss) for _, loss in nodes] for nodes, _ in parts]
        total, j, quiet = mp.mpf(0), 0, 0
        while quiet < 8:
            if j > _MAX_LINE:
                raise NoConvergence(f"quadrature: the integrand lasts for more than {_MAX_LINE} nodes")
            u = (j + offset) * step
            z = mp.mpc(theta, u)
            value = mp.expj(-u * eps) / (z * (z + 1))
            for wave, (_, k) in zip(waves, parts, strict=True):
                value *= mp.fsum(wave) ** k
            total += value.real / (1 if u else 2)
            quiet = quiet + 1 if abs(value) < abs(total) * mp.mpf(10) ** (-digits - 6) else 0
            waves = [
                [a * b for a, b in zip(wave, turn, strict=True)]
                for wave, turn in zip(waves, turns, strict=True)
            ]
            j += 1
        return total

    step = width
    coarse = terms(step, mp.mpf(0)) * step
    for _ in range(_HALVINGS):
        fine = (coarse + terms(step, mp.mpf(1) / 2) * step) / 2
        if abs(fine - coarse) <= abs(fine) * mp.mpf(10) ** (-digits - 2):
            return fine * mp.exp(logs - theta * eps) / mp.pi
        coarse, step = fine, step / 2
    raise NoConvergence(
        f"quadrature: sums with {_HALVINGS} halvings of the step don't agree to {digits} digits"
    )


def _saddle(mp: MPContext, whole: Composition, direction: Direction, eps: Any) -> tuple[Any, Any]:
    """θ > 0 that makes the integrand small, by golden section in log θ, and its width in u."""
    with mp.workdps(12):

        def size(theta: Any) -> Any:
            return log_moment(theta) - theta * eps - mp.log(theta) - mp.log(1 + theta)

        def log_moment(theta: Any) -> Any:
            total = mp.mpf(0)
            for mechanism, k in whole.parts:
                total += k * mp.log(mp.fsum(mass for mass, _ in _nodes(mp, mechanism, direction, theta)))
            return total

        low, high = mp.log(mp.mpf("0.05")), mp.log(mp.mpf(60))
        golden = (mp.sqrt(5) - 1) / 2
        for _ in range(10):
            a, b = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, b) if size(mp.exp(a)) < size(mp.exp(b)) else (a, high)
        theta = mp.exp((low + high) / 2)
        h = theta / 20
        curvature = (log_moment(theta + h) - 2 * log_moment(theta) + log_moment(theta - h)) / h**2
        return +theta, 1 / mp.sqrt(curvature + 1 / theta**2)
