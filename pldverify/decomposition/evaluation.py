r"""Rounding in an accountant's own grid masses: what evaluating the density in doubles costs.

**The model**, assumed of the library: exp, log, expm1 and sqrt err by at most 4u relatively, u = 2⁻⁵³. With
t = g(s), A = |t| + 1, o = (e^s − (1 − q))/q the odds (at −s for ``add``),

* a grid point errs by 2uL, and so ω by 2uL |d log ω/ds|, the slope between neighbours;
* log o errs by :math:`u(4(1 + 1/o) + 2 + 4|\log o|)`, as :math:`|e^s - 1| \le q(1 + o)`, t by σ² times that
  and u·2A, the exponent :math:`(t - \mu)^2/2\sigma^2` by A/σ² times that and :math:`2uA^2/\sigma^2`;
* dt/ds errs by :math:`4u(1 + (1-q)/qo)`, all the rest by 32u.

For ``replace`` nothing cancels: 1/o is left out, and log o is t/σ². The relative errors rᵢ that this gives
are doubled, for their own rounding and second-order terms.

**From masses to δ**: :math:`\psi(S \bmod 2L) \le e^{\theta(S - \varepsilon)} + e^{-\lambda(S + L)}`, θ, λ >
0 (a sum above ε, or one that wraps from below). With :math:`M(\theta) = \sum w_i e^{\theta x_i}` and
:math:`E(\theta) = \sum w_i r_i e^{\theta x_i}` the change of δ is at most

.. math:: e^{-\theta\varepsilon} \Big[\prod (M + E)^k - \prod M^k\Big](\theta) +
          e^{-\lambda L} \Big[\prod (M + E)^k - \prod M^k\Big](-\lambda).
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.losses import outcome
from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.decomposition.grid import GridPart
from pldverify.decomposition.moments import noise_and_q
from pldverify.decomposition.truth import Truth, best_tilt

UNIT = 2.0**-53
"""Unit roundoff of doubles, as a double."""

Errors = Callable[[float, float, str, Vector, Vector], Vector]
"""(σ, q, direction, grid points, masses) ↦ bounds on the errors of the masses."""


def evaluation(
    truth: Truth, parts: list[GridPart], x: Vector, step: Fraction, errors_of: Errors | None = None
) -> arb:
    """Bound on the change of δ by the rounding of all masses; ``x`` are the grid points, from −L.

    ``errors_of`` is the model of whoever evaluated the densities, ours by default. +∞ for a mechanism
    without a density here.
    """
    model = _own_errors if errors_of is None else errors_of
    errors = []
    for (mechanism, _), part in zip(truth.composition.parts, parts, strict=True):
        parameters = noise_and_q(mechanism)
        if parameters is None:
            return arb.pos_inf()
        sigma, q = (float(value) for value in parameters)
        found = model(sigma, q, truth.direction, x, part.masses)
        if not np.all(np.isfinite(found)):
            return arb.pos_inf()
        errors.append(found)

    def change(tilt: Fraction, at: Fraction) -> arb:
        grown, whole = arb(1), arb(1)
        for part, error in zip(parts, errors, strict=True):
            moment = part.log_moment(tilt, step).exp()
            noise = GridPart(error, part.first, 1).log_moment(tilt, step).exp()
            grown *= (moment + noise) ** part.count
            whole *= moment**part.count
        return (-ball(tilt) * ball(at)).exp() * (grown - whole)

    def size(tilt: float, at: float) -> float:
        return math.fsum(p.count * p.about_log_moment(tilt, float(step)) for p in parts) - tilt * at

    epsilon, low = truth.epsilon, Fraction(float(x[0]))
    theta = best_tilt(lambda lam: size(lam, float(epsilon)))
    lam = best_tilt(lambda lam: size(-lam, float(low)))
    with working(2 * BOUND_BITS):
        return (change(theta, epsilon) + change(-lam, low)).upper()


def _own_errors(sigma: float, q: float, direction: str, x: Vector, masses: Vector) -> Vector:
    return masses * _relative_errors(sigma, q, direction, x, masses)


def _relative_errors(sigma: float, q: float, direction: str, x: Vector, masses: Vector) -> Vector:
    """Twice the rᵢ of the model; 0 where there is no mass."""
    result = np.zeros_like(masses)
    used = np.flatnonzero(masses)
    if not len(used):
        return result
    inside = slice(int(used[0]), int(used[-1]) + 1)
    s, w, h = x[inside], masses[inside], float(x[1] - x[0])
    with np.errstate(all="ignore"):
        slopes = slope(w, h)
        if direction == "add" or direction == "remove":
            t = outcome(s if direction == "remove" else -s, sigma, q)
            odds = np.exp((t - 0.5) / sigma**2)
            logs = 4 * (1 + 1 / odds) + 4 * np.abs(t - 0.5) / sigma**2
            edge = 4 * (1 - q) / (q * odds)
        else:
            t = _replaced(s, sigma, q)
            logs, edge = 8 + 4 * np.abs(t) / sigma**2, np.zeros_like(s)
        a = np.abs(t) + 1
        relative = 2 * abs(x[0]) * slopes + 32 + 4 * a**2 / sigma**2 + a * (logs + 2) + edge
    result[inside] = np.where(w > 0, np.nan_to_num(2 * UNIT * relative, nan=math.inf), 0.0)
    return result


def slope(w: Vector, h: float) -> Vector:
    """|d log ω/ds| from neighbouring masses."""
    steps = np.abs(np.diff(np.log(np.maximum(w, 1e-300)), prepend=np.nan, append=np.nan)) / h
    return np.asarray(np.fmax(np.fmax(steps[:-1], steps[1:]), 0.0))


def _replaced(s: Vector, sigma: float, q: float) -> Vector:
    """t as ``accountants.fourier.substitute_density`` has it."""
    c, b = q * math.exp(-1 / (2 * sigma**2)), (1 - q) * np.expm1(s)
    r = np.sqrt(b**2 + 4 * c**2 * np.exp(s))
    return np.asarray(sigma**2 * np.log(np.where(b >= 0, (b + r) / (2 * c), 2 * c * np.exp(s) / (r - b))))
