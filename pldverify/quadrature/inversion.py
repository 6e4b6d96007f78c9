r"""k steps: the trapezoidal sum of the inversion integral on a line Re z = θ > −1.

.. math:: g(\varepsilon) = \frac1\pi \mathrm{Re} \int_0^\infty M(z) e^{-z\varepsilon} \frac{du}{z(z+1)},
          \qquad z = \theta + iu,

for θ > 0, and the same with 1/z for P(S ≥ ε); for −1 < θ < 0 the line has crossed the pole at 0, and M(0) is
added. Where M dies, the sum ends. Where it lasts (few steps, atoms), the
integrand is faded out by erfc((u − U)/w)/2: δ is then smoothed over a distance 1/w in ε, which does little
harm where δ is smooth; sums of atoms alone, where it has kinks, are listed and taken out before. Losses on a
lattice d·Z + c have a periodic transform: one period is enough, with the sum over the lattice in place of the
integral's kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pldverify.errors import NoConvergence
from pldverify.quadrature.arithmetic import Clock, Real
from pldverify.quadrature.law import Law, Row
from pldverify.quadrature.sums import MOST_SUMS, Multisets, multisets

Parts = list[tuple[Law, int]]
"""Laws and how often each occurs."""
Rows = list[tuple[list[Row], int]]
"""For each law its tilted (mass, loss) rows, and how often it occurs."""
_MOST_LINE = 3_000
"""Cap on the nodes of the line."""
_LEAST_LINE = 200
"""Least nodes of a line that must be faded out: with fewer its sum says nothing."""
_MOST_WORK = 4_000_000
"""Cap on the nodes of the line times those of the steps' quadratures."""
_RETURNS = 3
"""Times that masses on a near-lattice may come back into phase before M is called dead; more with effort."""
_PROBES = 1.5
"""Frequencies, per inverse standard deviation of the loss, at which it is seen whether M has died."""
_MOST_PROBES = 20_000
"""Cap on the number of these frequencies."""


@dataclass(frozen=True)
class Lattice:
    """Sums of losses lie on ``size``·Z + ``offset``."""

    size: Real
    offset: Real


class Inversion:
    """M(θ + iu)/M(θ) at the nodes of one line, which serve every ε near the one that θ suits.

    Args:
        theta: the line; > −1 and not 0.
        period: the sum is that of the loss folded with this period: the step is 2π/period.
        nats: accuracy relative to M(θ) e^{−θε}.
        effort: 1, or more for a longer line.
        finite_mass: M(0) of the composition.
    """

    def __init__(
        self,
        mp: Any,
        parts: Parts,
        theta: Real,
        period: float,
        nats: float,
        clock: Clock,
        *,
        order: int,
        splits: int,
        effort: float,
        lattice: Lattice | None,
        finite_mass: Real,
    ) -> None:
        self._mp, self._theta, self._lattice = mp, theta, lattice
        self._pole = finite_mass if theta < 0 else mp.mpf(0)
        self.method = "mpmath: the inversion integral, M by quadrature and summation"
        if lattice is not None:
            points = 2 * math.ceil(period / float(lattice.size) / 2) + 1
            self._step = 2 * mp.pi / (points * lattice.size)
            period_ends = (points - 1) // 2
        else:
            self._step, period_ends = 2 * mp.pi / mp.mpf(period), None
        rows = [(law.rows(theta, order=order, splits=splits), k) for law, k in parts]
        sizes = [(mp.fsum(mass for mass, _ in found), k) for found, k in rows]
        self.log_moment = mp.fsum(k * mp.log(size) for size, k in sizes)
        horizon = effort * self._horizon(parts)
        step, most = float(self._step), int(_MOST_LINE * effort)
        if period_ends is not None:
            most = min(most, period_ends)

        def resolved(fastest: float) -> Rows:
            return [(law.rows(theta, order=order, splits=splits, fastest=fastest), k) for law, k in parts]

        count, dead = _last(resolved, step, most, horizon, nats, theta, effort)
        faded = not dead and count != period_ends
        if faded and (count < _LEAST_LINE or count * step < horizon):
            raise NoConvergence("quadrature: the transform lasts too long, and its values are dear")
        fine = resolved(count * step)
        self._ratios = _ratios(mp, fine, self._step, count, nats, clock)
        self._atoms = _atoms(mp, parts, clock)
        if self._atoms is not None:
            jumps = [([(m * mp.exp(theta * x), x) for m, x in law.jumps()], k) for law, k in parts]
            whole = [mp.fsum(mass for mass, _ in found) for found, _ in rows]
            apart = _ratios(mp, jumps, self._step, count, nats, clock, whole)
            self._ratios = [a - b for a, b in zip(self._ratios, apart, strict=True)]
            if theta < 0:
                self._pole -= mp.fprod(mp.fsum(m for m, _ in law.jumps()) ** k for law, k in parts)
        self.faded = faded
        if faded:
            self._fade(count, nats)

    def _horizon(self, parts: Parts) -> float:
        """Frequency below which masses on losses a spacing apart may come back into phase, several times.

        On a lattice of that spacing they do so only after its period.
        """
        gaps = [gap for law, _ in parts if (gap := law.spacing(self._theta)) > 0]
        if self._lattice is not None:
            gaps = [gap for gap in gaps if gap > 1.5 * float(self._lattice.size)]
        return _RETURNS * 2 * math.pi / min(gaps, default=math.inf)

    def _fade(self, count: int, nats: float) -> None:
        mp, middle = self._mp, count / 2
        width = middle / math.sqrt(nats)
        for j in range(count + 1):
            self._ratios[j] *= mp.erfc((j - middle) / width) / 2

    def at(self, epsilon: Real) -> tuple[Real, Real]:
        mp, scale = self._mp, self._mp.exp(self.log_moment - self._theta * epsilon) * self._step / self._mp.pi
        delta, tail = mp.mpf(0), mp.mpf(0)
        shift = self._lattice_gap(epsilon)
        wave, turn = mp.mpc(1), mp.expj(-self._step * (epsilon + shift))
        lattice_scale = mp.exp(-self._theta * shift)
        for j, ratio in enumerate(self._ratios):
            first, second = self._kernel(mp.mpc(self._theta, j * self._step), shift)
            value = ratio * wave / (1 if j else 2)
            delta += (value * first).real
            tail += (value * second).real
            wave *= turn
        scale *= lattice_scale
        listed = (0, 0) if self._atoms is None else self._atoms.at(epsilon)
        return self._pole + delta * scale + listed[0], self._pole + tail * scale + listed[1]

    def _lattice_gap(self, epsilon: Real) -> Real:
        """From ε up to the next lattice point; 0 without a lattice."""
        if self._lattice is None:
            return self._mp.mpf(0)
        tie = self._mp.mpf(10) ** (-self._mp.dps // 2)
        size, offset = self._lattice.size, self._lattice.offset
        index = self._mp.ceil((epsilon - offset) / size - tie)
        return index * size + offset - epsilon

    def _kernel(self, z: Any, shift: Real) -> tuple[Any, Any]:
        """1/(z(z+1)) and 1/z; on a lattice Σ d e^{−znd}(1 − e^{−shift−nd}) and Σ d e^{−znd} over n ≥ 0."""
        mp = self._mp
        if self._lattice is None:
            return 1 / (z * (z + 1)), 1 / z
        size = self._lattice.size
        first, second = (-1 / mp.expm1(-w * size) for w in (z, z + 1))
        return size * (first - mp.exp(-shift) * second), size * first


def _last(
    resolved: Callable[[float], Rows],
    step: float,
    most: int,
    horizon: float,
    nats: float,
    theta: Real,
    effort: float,
) -> tuple[int, bool]:
    """(node at which the sum may end, whether the integrand is below e^{−nats} of its start from there on).

    Seen in floats, octave by octave; two octaves must be dead, and nothing is called dead before ``horizon``.
    """
    octave, start, alive, scale = min(8, most), 1, 0, abs(float(theta * (1 + theta)))
    while True:
        rows = resolved(octave * step)
        for u, size in _log_sizes(rows, start * step, octave * step):
            if size - math.log(1 + u * u / scale) >= -nats:
                alive = math.ceil(u / step)
        if alive * 4 <= octave and octave * step >= horizon:
            return 2 * alive + 2, True
        width = sum(len(found) for found, _ in rows)
        if octave >= most or 2 * octave * width > _MOST_WORK * effort:
            return octave, False
        octave, start = min(2 * octave, most), octave


def _log_sizes(rows: Rows, low: float, high: float) -> list[tuple[float, float]]:
    """(u, log Π |M_i(θ + iu)/M_i(θ)|^{k_i}), as densely as the modulus changes."""
    import numpy as np

    laws = []
    spread = 0.0
    for found, k in rows:
        whole = sum(mass for mass, _ in found)
        masses, losses = np.array([(float(mass / whole), float(loss)) for mass, loss in found]).T
        spread += k * float((masses * losses**2).sum() - (masses * losses).sum() ** 2)
        laws.append((masses, losses, k))
    count = 2 + math.ceil(_PROBES * (high - low) * math.sqrt(max(spread, 0.0)))
    points = np.linspace(low, high, min(count, _MOST_PROBES))
    sizes = np.zeros(len(points))
    for masses, losses, k in laws:
        for i in range(0, len(points), 64):
            values = np.abs(np.exp(1j * np.outer(points[i : i + 64], losses)) @ masses)
            sizes[i : i + 64] += k * np.log(np.maximum(values, 1e-300))
    return list(zip(points.tolist(), sizes.tolist(), strict=True))


def _ratios(
    mp: Any, rows: Rows, step: Real, count: int, nats: float, clock: Clock, wholes: list[Real] | None = None
) -> list[Any]:
    """Π (M_i(θ + ijh)/M_i(θ))^{k_i} for j = 0, …, ``count``, from rotating masses in fixed point.

    ``wholes``: other divisors than M_i(θ).
    """
    found = [mp.mpc(1) for _ in range(count + 1)]
    bits = mp.prec
    for index, (masses, k) in enumerate(rows):
        whole = mp.fsum(mass for mass, _ in masses) if wholes is None else wholes[index]
        least = whole * mp.exp(-nats - 10) / len(masses)
        kept = [(mass / whole, loss) for mass, loss in masses if mass > least]
        real = [_fixed(mp, mass, bits) for mass, _ in kept]
        imaginary = [0] * len(kept)
        turns = [mp.expj(step * loss) for _, loss in kept]
        cosines = [_fixed(mp, turn.real, bits) for turn in turns]
        sines = [_fixed(mp, turn.imag, bits) for turn in turns]
        for j in range(count + 1):
            clock.check("the inversion integral")
            value = mp.mpc(mp.ldexp(mp.mpf(sum(real)), -bits), mp.ldexp(mp.mpf(sum(imaginary)), -bits))
            found[j] *= value**k
            pairs = list(zip(real, imaginary, cosines, sines, strict=True))
            real = [(x * c - y * s) >> bits for x, y, c, s in pairs]
            imaginary = [(x * s + y * c) >> bits for x, y, c, s in pairs]
    return found


def _atoms(mp: Any, parts: Parts, clock: Clock) -> Multisets | None:
    """The sums of those losses alone that have probabilities of their own: δ has its kinks there.

    None where the losses are on a lattice or no composition has such a sum, or where they are too many.
    """
    lists = [(law.jumps(), k) for law, k in parts]
    if all(law.atomic for law, _ in parts) or not all(found for found, _ in lists):
        return None
    return Multisets(mp, lists, clock) if multisets(lists) <= MOST_SUMS else None


def _fixed(mp: Any, value: Real, bits: int) -> int:
    return int(mp.nint(mp.ldexp(value, bits)))
