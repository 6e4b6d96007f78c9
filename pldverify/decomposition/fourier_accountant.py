r"""``fourier-accountant``, the library: from the true δ to what it returns.

``tail``, ``truncation``, ``periodisation``, ``discretisation`` and ``rounding`` are those of
:mod:`~pldverify.decomposition.fourier`, for the masses that the library itself hands to the FFT.

**The model of its masses.** As in :mod:`~pldverify.decomposition.evaluation`, with the library's formulas,
which cancel: :math:`e^s - (1-q)` is subtracted as it stands, so with the odds o its logarithm errs by
:math:`u(4e^s + 1 - q)/qo`, and :math:`1 - (1-q)e^{-s}` by :math:`(1-q)/qo` times the error of the
exponential. Under substitution, with :math:`B = (1-q)(1-e^s)`, :math:`c = qe^{-1/2\sigma^2}` and
:math:`r = \sqrt{B^2 + 4c^2e^s}`, the differences r − B, r + B and the derivative's are bounded by the
absolute errors of B and r over their exact values.
"""

import numpy as np

from pldverify.accountants import fft_grid, fourier
from pldverify.accountants.adapters.fourier_accountant import FourierAccountant
from pldverify.accountants.adapters.fourier_accountant_grid import Grid
from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.losses import outcome
from pldverify.decomposition.evaluation import UNIT, slope
from pldverify.decomposition.fourier import require_moments, terms
from pldverify.decomposition.reading import Reading, require_same
from pldverify.decomposition.steps import checked, exact_sum
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.claim import Claim


def read(accountant: FourierAccountant, query: Query) -> Reading:
    """What the library returns for δ(ε), and its grid."""
    claim = accountant.claim(query)
    direction: Direction = "replace" if query.adjacency == "replace-one" else "remove"
    return Reading(claim, direction, lambda truth: _terms(accountant.grid(query), claim, truth))


def _terms(found: Grid, claim: Claim, truth: Truth) -> list[Term]:
    require_moments(truth)
    require_same(claim, exact_sum(found.delta))
    grids = [(checked(masses), k) for masses, k in zip(found.masses, found.counts, strict=True)]
    x = fft_grid.points(len(found.masses[0]), found.L)
    return terms(truth, grids, x, found.L, exact_sum(found.delta), _errors)


def _errors(sigma: float, q: float, direction: str, x: Vector, masses: Vector) -> Vector:
    """Relative to what the density has there, and at most that and the mass, which may be on either side."""
    step = float(x[1] - x[0])
    with np.errstate(all="ignore"):
        if direction == "replace":
            density, relative = fourier.substitute_density(sigma, q), _substitute(sigma, q, x)
        else:
            density, relative = fourier.subsampled_density(sigma, q, "remove"), _remove(sigma, q, x)
        exact = np.nan_to_num(density(x) * step)
        relative += 2 * abs(x[0]) * slope(exact, step) + 40
        errors = np.fmin(exact * np.expm1(2 * UNIT * relative), masses + 2 * exact)
        inside = np.exp(x) > (1 - q) * (1 - 2.0**-44)  # but for the roundings of its edge
    return np.asarray(np.where((exact > 0) | inside, errors, 0.0))


def _remove(sigma: float, q: float, s: Vector) -> Vector:
    """Relative errors of ω(s), in units of u, of ``relation == 'R'``."""
    t = outcome(s, sigma, q)
    odds = np.exp((t - 0.5) / sigma**2)
    logs = (4 * np.exp(s) + 1 - q) / (q * odds) + 6 + 4 * np.abs(t - 0.5) / sigma**2
    edge = (8 + 6 * abs(np.log1p(-q)) + 2 * np.abs(s)) * (1 - q) / (q * odds)
    return np.asarray(_density(t, logs, sigma) + edge)


def _substitute(sigma: float, q: float, s: Vector) -> Vector:
    """The same of ``relation == 'S'``; absolute errors begin with ``d``."""
    e, c = np.exp(s), q * np.exp(-1 / (2 * sigma**2))
    of_c = 6 + 1 / sigma**2
    b = -(1 - q) * np.expm1(s)
    r = np.sqrt(b**2 + 4 * c**2 * e)
    above = np.where(b <= 0, r - b, 4 * c**2 * e / (r + b))  # r - b, without cancellation
    below = np.where(b >= 0, r + b, 4 * c**2 * e / (r - b))
    db = 4 * (1 - q) * e + 3 * np.abs(b)
    dr = (np.abs(b) * db + 4 * c**2 * e * (of_c + 3)) / r + 3 * r
    logarithm = np.log(above / (2 * c))
    logs = (db + dr) / above + of_c + 6 + 4 * np.abs(logarithm)
    numerator = 2 * c**2 + (1 - q) * above  # of the derivative, times r/e
    dn = (1 - q) * (db + dr * (1 + np.abs(b) / r) + 8 * r) + 2 * c**2 * (2 * of_c + 10)
    edge = dn / numerator + (db + dr) / below + 2 * of_c + 12
    return np.asarray(_density(sigma**2 * logarithm, logs, sigma) + edge)


def _density(t: Vector, logs: Vector, sigma: float) -> Vector:
    """What an error of log o of ``logs`` does to the two normal densities at t."""
    a = np.abs(t) + 1
    return np.asarray(4 * a**2 / sigma**2 + a * (logs + 2))
