r"""True values from mathematics that shares nothing with the engines: no ball, no contour, no grid.

Everything is plain mpmath at a stated number of digits, or exact rationals. δ of a composition of two
independent losses A and B needs no inversion: δ(ε) = E_{S_A}[δ_B(ε − S_A)], a sum or a one-dimensional
integral of closed forms.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import mpmath

from pldverify.numbers.enclosure import Enclosure

Number = Any
Profile = Callable[[Number], Number]


def context(digits: int) -> Any:
    """An mpmath context of its own."""
    mp = mpmath.mp.clone()
    mp.dps = digits
    return mp


def real(mp: Any, value: Fraction | int | str) -> Number:
    exact = Fraction(value)
    return mp.mpf(exact.numerator) / exact.denominator


def fraction(value: Number) -> Fraction:
    """The exact value of an mpf."""
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** int(sign) * int(mantissa)) * Fraction(2) ** int(exponent)


def holds(enclosure: Enclosure, value: Number, digits: int) -> bool:
    """Whether a number that is good to ``digits`` significant digits can be the enclosed one."""
    exact = value if isinstance(value, Fraction) else fraction(value)
    slack = abs(exact) / 10**digits
    return bool(enclosure.lower - slack <= exact <= enclosure.upper + slack)


def normal_tail(mp: Any, x: Number) -> Number:
    """P(N(0, 1) ≥ x)."""
    return mp.erfc(x / mp.sqrt(2)) / 2


def gaussian_delta(mp: Any, variance: Number) -> Profile:
    """Balle and Wang 2018, Theorem 8, with μ² = ``variance``; any real ε."""
    mu = mp.sqrt(variance)
    return lambda eps: normal_tail(mp, eps / mu - mu / 2) - mp.exp(eps) * normal_tail(mp, eps / mu + mu / 2)


def laplace_delta(mp: Any, c: Number) -> Profile:
    """One Laplace step of loss c: 1 − e^{(ε−c)/2} for |ε| ≤ c."""

    def profile(eps: Number) -> Number:
        if eps >= c:
            return mp.mpf(0)
        return 1 - mp.exp(eps) if eps <= -c else -mp.expm1((eps - c) / 2)

    return profile


def mixture_delta(mp: Any, sigma: Number, q: Number, direction: str) -> Profile:
    """One step of the Poisson-subsampled Gaussian, from the threshold in the outcome t."""

    def profile(eps: Number) -> Number:
        growth = mp.exp(eps)
        ratio = growth if direction == "remove" else 1 / growth  # p/q at the threshold, mixture over base
        if ratio <= 1 - q:
            return 1 - growth if direction == "remove" else mp.mpf(0)
        threshold = sigma**2 * mp.log((ratio - 1 + q) / q) + mp.mpf(1) / 2
        if direction == "remove":
            base, shifted = normal_tail(mp, threshold / sigma), normal_tail(mp, (threshold - 1) / sigma)
            return (1 - q) * base + q * shifted - growth * base
        base, shifted = normal_tail(mp, -threshold / sigma), normal_tail(mp, (1 - threshold) / sigma)
        return base - growth * ((1 - q) * base + q * shifted)

    return profile


def two_mixtures_delta(mp: Any, sigma: Number, q: Number, direction: str, eps: Number) -> Number:
    """Two equal steps of the Poisson-subsampled Gaussian, by one integral over the smaller outcome x < m.

    With w the ratio of the densities, the losses exceed ε where w(x) w(x') is above e^ε (``remove``), or
    below e^−ε (``add``): x' is beyond X(x), and w(m)² is that number.
    """
    c, growth = 1 / sigma, mp.exp(eps)
    product, remove = (growth if direction == "remove" else 1 / growth), direction == "remove"
    side = 1 if remove else -1
    if product <= (1 - q) ** 2:
        return 1 - growth if remove else mp.mpf(0)

    def outcome(ratio: Number) -> Number:
        return (mp.log((ratio - 1 + q) / q) + c * c / 2) / c

    def beyond(x: Number) -> tuple[Number, Number]:
        base, shifted = normal_tail(mp, side * x), normal_tail(mp, side * (x - c))
        mixed = (1 - q) * base + q * shifted
        return (mixed, base) if remove else (base, mixed)

    def integrand(x: Number) -> Number:
        w = 1 - q + q * mp.exp(c * x - c * c / 2)
        first, second = beyond(outcome(product / w))
        return mp.npdf(x) * (w * first - growth * second if remove else first - growth * w * second)

    middle = outcome(mp.sqrt(product))
    first, second = beyond(middle)
    corner = first**2 - growth * second**2
    low = min(mp.mpf(0), middle) - 15
    return side * corner + 2 * mp.quad(integrand, [*mp.arange(low, middle, 1), middle])


def randomized_response_delta(p: Fraction, k: int, growth: Fraction) -> Fraction:
    """k-fold randomised response at e^ε = ``growth``, exactly."""
    total = Fraction(0)
    for lies in range(k + 1):
        first, second = p ** (k - lies) * (1 - p) ** lies, p**lies * (1 - p) ** (k - lies)
        total += comb(k, lies) * max(Fraction(0), first - growth * second)
    return total


def randomized_response_atoms(mp: Any, p: Fraction, k: int) -> list[tuple[Number, Number]]:
    """(loss, probability) of the k-fold randomised response."""
    size = mp.log(real(mp, p / (1 - p)))
    return [
        ((k - 2 * lies) * size, real(mp, comb(k, lies) * p ** (k - lies) * (1 - p) ** lies))
        for lies in range(k + 1)
    ]


def atoms_after(mp: Any, rows: list[tuple[Number, Number]], other: Profile) -> Profile:
    """δ of a loss of finitely many (values, probabilities) composed with a loss of profile ``other``."""
    return lambda eps: mp.fsum(mass * other(eps - loss) for loss, mass in rows)


def laplace_after(mp: Any, c: Number, other: Profile, cuts: list[Number]) -> Profile:
    """δ of one Laplace step composed with a loss of profile ``other``; ``cuts`` split the integral."""

    def profile(eps: Number) -> Number:
        atoms = other(eps - c) / 2 + mp.exp(-c) / 2 * other(eps + c)
        inner = mp.quad(
            lambda s: mp.exp((s - c) / 2) / 4 * other(eps - s),
            [-c, *(cut for cut in cuts if -c < cut < c), c],
        )
        return atoms + inner

    return profile


def mixture_after(
    mp: Any, sigma: Number, q: Number, direction: str, other: Profile, pieces: int = 10
) -> Profile:
    """δ of one Poisson-subsampled Gaussian step composed with a loss of profile ``other``.

    A profile that bends sharply needs more ``pieces``.
    """

    def profile(eps: Number) -> Number:
        def integrand(t: Number) -> Number:
            ratio = 1 - q + q * mp.exp((2 * t - 1) / (2 * sigma**2))
            base = mp.npdf(t, 0, sigma)
            loss = mp.log(ratio)
            return base * ratio * other(eps - loss) if direction == "remove" else base * other(eps + loss)

        low, high = -15 * sigma, 1 + 15 * sigma
        return mp.quad(integrand, [low + (high - low) * j / pieces for j in range(pieces + 1)])

    return profile


def mixture_moment(mp: Any, sigma: Number, q: Number, order: int) -> Number:
    """A_α of MTZ19 for an integer order: E_{N(0,σ²)}[(μ/μ0)^α] by the exact binomial sum."""
    return mp.fsum(
        comb(order, j) * (1 - q) ** (order - j) * q**j * mp.exp(mp.mpf(j * j - j) / (2 * sigma**2))
        for j in range(order + 1)
    )


def mixture_moment_fractional(mp: Any, sigma: Number, q: Number, order: Number, terms: int) -> Number:
    """A_α of MTZ19 for a real order: its two series of erfc terms, cut after ``terms``."""
    z1 = sigma**2 * mp.log(1 / q - 1) + mp.mpf(1) / 2
    root = mp.sqrt(2) * sigma
    total, binomial = mp.mpf(0), mp.mpf(1)
    for j in range(terms):
        rest = order - j
        low = mp.exp(mp.mpf(j * j - j) / (2 * sigma**2)) * mp.erfc((j - z1) / root) / 2
        high = mp.exp((rest * rest - rest) / (2 * sigma**2)) * mp.erfc((z1 - rest) / root) / 2
        total += binomial * ((1 - q) ** rest * q**j * low + (1 - q) ** j * q**rest * high)
        binomial *= rest / (j + 1)
    return total


def inversion(
    mp: Any,
    parts: list[tuple[Number, Number, int]],
    direction: str,
    eps: Number,
    *,
    theta: Number,
    period: Number = 60,
) -> Number:
    r"""δ(ε) of Σ k_i Poisson-subsampled Gaussians (σ_i, q_i, k_i) by brute force.

    A plain sum for :math:`\frac{1}{2\pi i}\int M(z)e^{-z\epsilon}/(z(z+1)) dz`, and a plain sum in the
    outcome for M, with steps so small and ranges so long that nothing is left to bound. Calls with different
    θ and period have different errors, so their agreement says how good they are.
    """
    step, lines = 2 * mp.pi / period, []
    for sigma, q, _ in parts:
        power = theta + 1 if direction == "remove" else -theta
        low, high = min(mp.mpf(0), power / sigma), max(mp.mpf(0), power / sigma)
        reach, eta = mp.sqrt(2 * mp.dps * mp.log(10)) + 2, mp.mpf("0.12")
        first, last = int(mp.floor((low - reach) / eta)), int(mp.ceil((high + reach) / eta))
        xs = [eta * i for i in range(first, last + 1)]
        losses = [mp.log1p(q * mp.expm1(x / sigma - 1 / (2 * sigma**2))) for x in xs]
        weights = [
            eta * mp.exp(power * s - x * x / 2) / mp.sqrt(2 * mp.pi) for s, x in zip(losses, xs, strict=True)
        ]
        sign = 1 if direction == "remove" else -1
        lines.append((weights, [mp.expj(sign * step * s) for s in losses]))
    waves = [[mp.mpc(1)] * len(weights) for weights, _ in lines]
    total, j, small = mp.mpf(0), 0, 0
    while small < 5:
        z = mp.mpc(theta, step * j)
        value = mp.exp(-z * eps) / (z * (z + 1))
        for i, ((weights, turns), (_, _, k)) in enumerate(zip(lines, parts, strict=True)):
            value *= mp.fdot(weights, waves[i]) ** k
            waves[i] = [a * b for a, b in zip(waves[i], turns, strict=True)]
        total += value.real * (1 if j else mp.mpf(1) / 2)
        small = small + 1 if abs(value) < abs(total) * mp.mpf(10) ** (15 - mp.dps) else 0
        j += 1
    return total * step / mp.pi


def mixture_integral(
    mp: Any, sigma: Number, q: Number, power: Number, low: Number, high: Number, step: Number
) -> Number:
    """∫ φ w^power dx, w = 1 − q + q e^{x/σ − 1/2σ²}, as a sum; the power may be complex."""

    def node(x: Number) -> Number:
        return mp.exp(power * mp.log(1 - q + q * mp.exp(x / sigma - 1 / (2 * sigma**2))) - x * x / 2)

    count = int((high - low) / step)
    return mp.fsum(node(low + step * i) for i in range(count + 1)) * step / mp.sqrt(2 * mp.pi)


def next_to_the_largest_loss(
    mp: Any, sigma: Number, q: Number, k: int, eps: Number, *, theta: Number, period: Number
) -> Number:
    r"""δ(ε) of k Poisson-subsampled Gaussians, ``add``, ε nearly the largest loss, by the same brute force.

    A loss is :math:`-\log(1-q) - d` with :math:`d = \log(1 + q e^{cx - c^2/2}/(1-q))`, c = 1/σ and x standard
    normal. With D what ε leaves of the largest sum, :math:`\delta = E[(1 - e^{\Sigma d - D})_+]`, a sum over
    :math:`E[e^{-zd}]^k e^{zD}/(z(z+1))`: nothing cancels.
    """
    c, room, eta = 1 / sigma, -k * mp.log1p(-q) - eps, mp.mpf(1) / 64
    xs = [eta * i for i in range(-15 * 64, 9 * 64)]
    distances = [mp.log1p(q / (1 - q) * mp.exp(c * x - c * c / 2)) for x in xs]
    weights = [eta * mp.npdf(x) * mp.exp(-theta * d) for x, d in zip(xs, distances, strict=True)]
    mass, step = mp.fsum(weights), 2 * mp.pi / period
    rows = [(w / mass, d) for w, d in zip(weights, distances, strict=True) if w > mass * mp.eps]
    waves, turns = [mp.mpc(w) for w, _ in rows], [mp.expj(-step * d) for _, d in rows]
    total, value, j = mp.mpf(0), mp.mpf(1), 0
    while abs(value) > abs(total) * mp.mpf(10) ** (3 - mp.dps):
        z = mp.mpc(theta, step * j)
        value = mp.fsum(waves) ** k * mp.expj(step * j * room) / (z * (z + 1))
        total += value.real * (1 if j else mp.mpf(1) / 2)
        waves = [a * b for a, b in zip(waves, turns, strict=True)]
        j += 1
    return mass**k * mp.exp(theta * room) * total * step / mp.pi
