r"""The Fourier accountant for continuous privacy loss distributions (KJH19; error estimate of KJH20s).

The density ω of the loss is evaluated on the grid of :mod:`pldverify.accountants.fft_grid`, raised to the
k-th convolution power by FFT (KJH19 7.2) and summed against :math:`1 - e^{\varepsilon - x}` (7.2). Nothing
here is proved: the grid can be too coarse, the period 2L too short, and δ can drown in rounding.

Conventions where the paper leaves a choice: the density is zero outside its support, the sum runs over
:math:`x_\ell > \varepsilon` as (7.2) says, and δ under add-or-remove is the maximum of both directions
(Corollary 9), although section 5.2 infers that ``remove`` alone suffices.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from pldverify.accountants import fft_grid
from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.losses import outcome, sigma_and_q
from pldverify.accountants.printed import Printed, Said, greatest
from pldverify.accountants.refusals import beyond_grid, other_relation
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.kjh20_with_replacement import KJH20WithReplacement
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.claim import Direction as ClaimDirection

Density = Callable[[Vector], Vector]

NEWTON_STEPS = 200
"""Cap on the steps of Newton's method."""


def subsampled_density(sigma: float, q: float, direction: Direction) -> Density:
    r"""ω of the Poisson-subsampled Gaussian under remove/add; q = 1 is the Gaussian (KJH19 5.2).

    ``remove``: :math:`f_X(g(s))\, g'(s)` for :math:`s > \log(1-q)`; ``add``: :math:`e^s \omega_{X/Y}(-s)`
    (KJH20s Lemma A.9). Raises InvalidInput unless sigma > 0 and 0 < q ≤ 1.
    """
    if not 0 < sigma < math.inf or not 0 < q <= 1:
        raise InvalidInput(f"sigma must be > 0 and q in (0, 1], got sigma={sigma!r}, q={q!r}")

    def remove(s: Vector) -> Vector:
        t = outcome(s, sigma, q)
        result = np.zeros_like(s)
        inside = np.isfinite(t)
        t = t[inside]
        f = q * np.exp(-((t - 1) ** 2) / (2 * sigma**2)) + (1 - q) * np.exp(-(t**2) / (2 * sigma**2))
        with np.errstate(over="ignore", invalid="ignore"):
            derivative = sigma**2 / (1 - (1 - q) * np.exp(-s[inside]))
        result[inside] = f / math.sqrt(2 * math.pi * sigma**2) * derivative
        return result

    def add(s: Vector) -> Vector:
        mirrored = remove(-s)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(mirrored > 0, np.exp(s) * mirrored, 0.0)

    return remove if direction == "remove" else add


def substitute_density(sigma: float, q: float) -> Density:
    r"""ω under substitution, the differing record taking part with probability q (KJH19 5.3, KJH20s B.3).

    :math:`P = qN(1,\sigma^2) + (1-q)N(0,\sigma^2)` against :math:`Q = qN(-1,\sigma^2) +
    (1-q)N(0,\sigma^2)`: the odd loss has one density for both directions. With :math:`c = q
    e^{-1/2\sigma^2}`, :math:`b = (1-q)(e^s - 1)`, :math:`r = \sqrt{b^2 + 4c^2e^s}`: :math:`t =
    \sigma^2\log((b + r)/2c)`. Where b < 0 the sum b + r cancels, and the equal :math:`2c e^s/(r - b)` takes
    its place. Raises InvalidInput as :func:`subsampled_density`.
    """
    if not 0 < sigma < math.inf or not 0 < q <= 1:
        raise InvalidInput(f"sigma must be > 0 and q in (0, 1], got sigma={sigma!r}, q={q!r}")
    c = q * math.exp(-1 / (2 * sigma**2))

    def density(s: Vector) -> Vector:
        b = (1 - q) * np.expm1(s)
        r = np.sqrt(b**2 + 4 * c**2 * np.exp(s))
        x = np.where(b >= 0, (b + r) / (2 * c), 2 * c * np.exp(s) / (r - b))
        t = sigma**2 * np.log(x)
        # x' = ∂x/∂s solves the differentiated quadratic (2cx - b) x' = (1-q) e^s x + c e^s
        slope = sigma**2 * np.exp(s) * ((1 - q) + c / x) / (2 * c * x - b)
        f = q * np.exp(-((t - 1) ** 2) / (2 * sigma**2)) + (1 - q) * np.exp(-(t**2) / (2 * sigma**2))
        return np.asarray(f / math.sqrt(2 * math.pi * sigma**2) * slope)

    return density


def with_replacement_density(sigma: float, batch: int, population: int, *, tol: float = 1e-12) -> Density:
    r"""ω under substitution when a batch is drawn with replacement (KJH20s B.4); odd loss, one density.

    The differing record is in the batch ℓ times with probability :math:`\binom m\ell q^\ell(1-q)^{m-\ell}`,
    q = 1/population, m = batch. :math:`s = \mathcal L(t)` is solved for t by Newton's method from a table,
    until every step is below ``tol``·σ². Raises InvalidInput for bad sizes, NoConvergence after 200 steps.
    """
    if not 0 < sigma < math.inf or batch < 1 or population < 2:
        raise InvalidInput(
            f"sigma must be > 0, batch >= 1, population >= 2, got sigma={sigma!r}, batch={batch!r}, "
            f"population={population!r}"
        )
    times = np.arange(batch + 1)
    weights = np.zeros(batch + 1)
    weights[1:] = np.cumsum(np.log((batch + 1 - times[1:]) / (times[1:] * (population - 1))))
    weights += batch * math.log1p(-1 / population)
    kept = weights - weights.max() > -92  # the others have 1e-40 of the mass
    times, weights = times[kept].astype(float), weights[kept]
    logs = (weights - times**2 / (2 * sigma**2))[:, None]

    def sums(t: Vector) -> tuple[Vector, Vector]:
        """log Σ c_ℓ e^{ℓt/σ²} and its derivative in t, shape of t."""
        terms = logs + times[:, None] * t / sigma**2
        top = np.max(terms, axis=0)
        np.exp(terms - top, out=terms)
        total = np.sum(terms, axis=0)
        return top + np.log(total), times @ terms / total / sigma**2

    def density(s: Vector) -> Vector:
        reach = 1.0
        while sums(np.array([reach]))[0] - sums(np.array([-reach]))[0] < np.max(np.abs(s)):
            reach *= 2
        table = np.linspace(-reach, reach, 2001)
        losses = sums(table)[0] - sums(-table)[0]
        blocks = np.array_split(s, max(1, len(s) * len(times) // 10**6))
        return np.concatenate([block(part, np.interp(part, losses, table)) for part in blocks])

    def block(s: Vector, t: Vector) -> Vector:
        for _ in range(NEWTON_STEPS):
            (up, up_slope), (down, down_slope) = sums(t), sums(-t)
            step = (up - down - s) / (up_slope + down_slope)
            t = t - step
            if np.all(np.abs(step) <= tol * sigma**2 + 8e-16 * np.abs(t)):
                up, up_slope = sums(t)
                _, down_slope = sums(-t)
                f = np.exp(up - t**2 / (2 * sigma**2)) / math.sqrt(2 * math.pi * sigma**2)
                return np.asarray(f / (up_slope + down_slope))
        raise NoConvergence(f"Newton's method for the loss inverse: goal {tol:g}, {NEWTON_STEPS} steps")

    return density


def convolve(parts: Sequence[tuple[Density, int]], *, n: int, L: float) -> Vector:
    r"""Masses :math:`\Delta x\, C_\ell` of the composed loss on the grid, shape (n,) (KJH19 7.2, 7.4).

    Raises InvalidInput, before any memory is spent, for a bad grid.
    """
    n, L = fft_grid.check_grid(n, L)
    x = fft_grid.points(n, L)
    return fft_grid.compose([(density(x) * (2 * L / n), k) for density, k in parts])


def delta(parts: Sequence[tuple[Density, int]], *, epsilon: float, n: int, L: float) -> float:
    """δ(ε) of one direction (KJH19 (7.2)). Raises InvalidInput for a bad grid or epsilon outside (−L, L)."""
    fft_grid.check_grid(n, L)
    fft_grid.check_epsilon(epsilon, L)
    return fft_grid.hockey_stick(convolve(parts, n=n, L=L), L, epsilon)


def newton(masses: Vector, *, delta: float, L: float, tol: float) -> float:
    r"""ε(δ) by Newton's method from ε₀ = 0, stopped when :math:`|\delta(\varepsilon) - \delta| \le tol`
    (KJH19 8).

    δ is convex in e^ε, not in ε, so an iterate may step over ε(δ) (KJH19/sec-8/newton). Raises NoConvergence
    when one leaves the grid (then, or as L is too small or rounding noise exceeds δ), or after 200 steps.
    """
    epsilon = 0.0
    for _ in range(NEWTON_STEPS):
        residual = fft_grid.hockey_stick(masses, L, epsilon) - delta
        if abs(residual) <= tol:
            return epsilon
        derivative = fft_grid.slope(masses, L, epsilon)
        step = residual / derivative if derivative else math.nan
        if not -L < epsilon - step < L:
            raise NoConvergence(
                f"Newton's method left (-L, L) = ({-L:g}, {L:g}) with residual {residual:g} > {tol:g}"
            )
        epsilon -= step
    raise NoConvergence(
        f"Newton's method: goal |residual| <= {tol:g}, {NEWTON_STEPS} steps, reached {residual:g}"
    )


def tail_estimate(parts: Sequence[tuple[float, float, int]], *, L: float) -> float:
    r"""Estimate (7.3) of P(S ≥ L), as the tables of KJH20s print it; ``parts`` are (σ, q, k), q < 1.

    :math:`\exp\big(\sum k q^2\lambda(\lambda+1)/((1-q)\sigma^2) - L\lambda\big)` at λ = L/2: the moment
    bound of Abadi et al. 2016 without its remainder :math:`O(q^3\lambda^3/\sigma^3)`, so not a bound for
    large λq/σ.
    """
    lam = L / 2
    exponent = sum(k * q**2 * lam * (lam + 1) / ((1 - q) * sigma**2) for sigma, q, k in parts)
    return _exp(exponent - L * lam)


def discretisation_estimate(parts: Sequence[tuple[Density, int]], *, n: int, L: float) -> float:
    r"""err(L, n) of KJH20s, by comparing n and 2n: :math:`2\,|\Delta x\sum_\ell C_\ell^{(n)} - \Delta
    x'\sum_\ell C_\ell^{(2n)}|`.

    If the error is :math:`K\Delta x + O(\Delta x^2)` (C.24), twice the difference of two grids estimates
    it. Table 1 prints this quantity for the total mass, which the spectrum at frequency zero gives without
    a transform.
    """
    fft_grid.check_grid(2 * n, L)

    def mass(points: int) -> float:
        x = fft_grid.points(points, L)
        with np.errstate(over="ignore"):
            return float(np.prod([(np.sum(density(x)) * (2 * L / points)) ** k for density, k in parts]))

    return 2 * abs(mass(n) - mass(2 * n))


def _exp(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700 else math.inf


@dataclass(frozen=True)
class Fourier(Printed):
    """KJH19: δ(ε) and ε(δ) of Gaussians and sampled Gaussians; an estimate without a promise.

    Under replace-one a Poisson-subsampled Gaussian has the pair of section 5.3.

    Attributes:
        n: number of grid points, even; 10**6 is the default of the authors' package.
        L: the loss is kept on [−L, L); 20 is the default of the authors' package and of the paper.
        newton_tol: |δ(ε) − δ| at which Newton's method stops, as a fraction of δ.
    """

    n: int = 10**6
    L: float = 20.0
    newton_tol: float = 1e-3

    name: ClassVar[str] = "fourier/estimate"
    direction: ClassVar[ClaimDirection] = "estimate"

    def __post_init__(self) -> None:
        fft_grid.check_grid(self.n, self.L)
        if not 0 < self.newton_tol < 1:
            raise InvalidInput(f"newton_tol must be in (0, 1), got newton_tol={self.newton_tol!r}")

    def supports(self, query: Query) -> str | None:
        """None, or one line: a mechanism without a density, or epsilon outside [0, L)."""
        for mechanism, _ in query.composition.parts:
            if (
                not isinstance(mechanism, KJH19Substitute | KJH20WithReplacement)
                and sigma_and_q(mechanism) is None
            ):
                return f"the loss must have a density that KJH19 gives, got {mechanism}"
        return beyond_grid(query, self.L)

    def answer(self, query: Query) -> Said:
        """Maximum over the directions of the query. Raises InvalidInput, NoConvergence."""
        values = [self._one_direction(query, direction) for direction in _directions(query)]
        settings = {"n": str(self.n), "L": f"{self.L:g}", "newton_tol": f"{self.newton_tol:g}"}
        return greatest(values), settings, None

    def _excess(self, query: Query, direction: Direction) -> float:
        """What is added to δ(ε); nothing to an estimate."""
        return 0.0

    def _one_direction(self, query: Query, direction: Direction) -> float:
        parts = densities(query.composition, direction)
        excess = self._excess(query, direction)
        if query.epsilon is not None:
            return delta(parts, epsilon=float(query.epsilon), n=self.n, L=self.L) + excess
        target = float(query.delta if query.delta is not None else Fraction(0)) - excess
        if not target > 0:  # the error estimate exceeds δ, or overflowed
            return math.inf
        masses = convolve(parts, n=self.n, L=self.L)
        if fft_grid.hockey_stick(masses, self.L, 0.0) <= target:
            return 0.0
        return newton(masses, delta=target, L=self.L, tol=self.newton_tol * target)


@dataclass(frozen=True)
class FourierUpper(Fourier):
    """KJH20s: the same plus the tail estimate (7.3) and err(L, n): meant as an upper bound.

    Its error analysis is for Poisson subsampling, so a plain Gaussian is refused.
    """

    name: ClassVar[str] = "fourier/upper"
    direction: ClassVar[ClaimDirection] = "upper"

    def __post_init__(self) -> None:
        super().__post_init__()
        fft_grid.check_grid(2 * self.n, self.L)

    def supports(self, query: Query) -> str | None:
        """As :class:`Fourier`, with every q < 1."""
        for mechanism, _ in query.composition.parts:
            parameters = sigma_and_q(mechanism)
            if parameters is not None and parameters[1] == 1:
                return f"the error estimate of KJH20s needs q < 1, got {mechanism}"
        return other_relation(query) or super().supports(query)

    def _excess(self, query: Query, direction: Direction) -> float:
        triples = [(*sigma_and_q(m), k) for m, k in query.composition.parts]  # type: ignore[misc]
        tail = tail_estimate(triples, L=self.L)
        return tail + discretisation_estimate(densities(query.composition, direction), n=self.n, L=self.L)


def _directions(query: Query) -> tuple[Direction, ...]:
    """The directions to maximise over; one is enough where a record is replaced, for the loss is odd."""
    ordered = query.composition.directions(query.adjacency)
    return ordered[:1] if "replace" in ordered else ordered


def densities(composition: Composition, direction: Direction) -> list[tuple[Density, int]]:
    """The density of each part, with its count. Raises InvalidInput where KJH19 gives none."""
    return [(_density(mechanism, direction), k) for mechanism, k in composition.parts]


def _density(mechanism: Mechanism, direction: Direction) -> Density:
    if isinstance(mechanism, KJH19Substitute):
        return substitute_density(float(mechanism.base.noise_multiplier), float(mechanism.q))
    if isinstance(mechanism, KJH20WithReplacement):
        return with_replacement_density(float(mechanism.base.noise_multiplier), mechanism.m, mechanism.n)
    parameters = sigma_and_q(mechanism)
    if parameters is None:
        raise InvalidInput(f"the loss must have a density that KJH19 gives, got {mechanism}")
    if direction in ("replace", "replace-back"):
        return substitute_density(*parameters)
    return subsampled_density(*parameters, direction)
