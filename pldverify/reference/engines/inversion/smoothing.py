r"""The smoothing engine: losses with atoms, on no lattice; their transform does not decay.

Let g be the finite part of δ, and add Gaussian noise of variance v to the loss, as one more Gaussian
mechanism of :math:`\mu^2 = v` would: Z ~ N(v/2, v), so that :math:`E[e^{-Z}] = 1`. With
:math:`g_v(\epsilon) = E[(1 - e^{\epsilon - S - Z})_+]` and r the density of S + Z, over finite S,

.. math:: g_v(\epsilon) - v\,e^{v/8}\, r(\epsilon) \le g(\epsilon) \le g_v(\epsilon).

Proof, at one S with x = S − ε and η = √v. :math:`E[(1 - e^{-x-Z})_+]` is
:math:`B_\eta(x) = \Phi(x/\eta + \eta/2) - e^{-x} \Phi(x/\eta - \eta/2)`, with :math:`B_0(x) = (1 - e^{-x})_+`
and (as for the price of an option) :math:`\partial B_s/\partial s = \varphi(x/s + s/2) \ge 0`, φ the normal
density. As :math:`\varphi(x/s + s/2) = e^{-x^2/2s^2 - x/2 - s^2/8}/\sqrt{2\pi}` is for s ≤ η at most
:math:`e^{\eta^2/8} \varphi(x/\eta + \eta/2)`, its integral over s is at most
:math:`v e^{v/8} \cdot \varphi(x/\eta + \eta/2)/\eta`, and the last factor is the density of Z at ε − S.

Both :math:`g_v` and r are integrals along Re z = θ of :math:`M(z) e^{vz(z+1)/2 - z\epsilon}`, with the
kernels of ``lemmas/kernel.py`` and 1, and trapezoidal sums as in ``inversion_sum.py``: the aliases of r are
≥ 0, so its sum with the cut is an upper bound. The price is width of second order in η, whatever the number
of losses, for nodes up to some 4/η.

**Nodes that need not be summed**: most, as :math:`|M(\theta + iu)/M(\theta)|^k` is tiny but near its returns.
The outline of each loss (``laws/law.py``; of atoms, ``laws/tilted_atoms.py``) bounds it on intervals of u.
So intervals of nodes are skipped, with a proved bound of all that they could add, and others are divided. The
nodes from J on are left to the noise.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pldverify.balls import acb, arb
from pldverify.balls.ball import BOUND_BITS, ball, biggest, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.engines.inversion.inversion_sum import InversionSum, Run
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.law import HasAtoms, HasOutline, Law, Outline, outline_of, with_atoms
from pldverify.reference.lemmas.kernel import Side

MAX_NODES = 400_000
"""Cap on nodes that are summed: some 500 MiB."""
_CHUNK = 16_384
"""Strides on which the transforms are bounded in one call; any value is right: it bounds memory."""
_GROUP = 32
"""Strides that one bound may skip together; else they are tried one by one. Any value is right."""


@dataclass(frozen=True)
class Parameters:
    """Exact parameters, chosen by the search: poor ones cost width or time, never truth.

    Attributes:
        side, theta, below, above: side of the pole, θ and λ's for the smoothed loss.
        variance: v of the noise.
        step: h.
        stride: nodes between the first points at which the transform is looked at, a power of 2.
        strides: so many of these cover the nodes before J.
        share: of the mass of a tilted loss, which may be left out of its outline, for the bounds.
        bits: precision of the sum.
        log_delta, log_density: logs of what one skipped node may add to the sums over κ M/M(θ) and M/M(θ).
    """

    side: Side
    theta: Fraction
    below: Fraction
    above: Fraction
    variance: Fraction
    step: Fraction
    stride: int
    strides: int
    share: Fraction
    bits: int
    log_delta: Fraction
    log_density: Fraction

    @property
    def nodes(self) -> int:
        """J."""
        return self.stride * self.strides

    def skips(self, log: arb, u: arb) -> bool:
        """Whether to skip a node at height u where log |M/M(θ)| is at most ``log``."""
        return bool(
            surely_at_most(log - 2 * u.log(), ball(self.log_delta))
            and surely_at_most(log, ball(self.log_density))
        )


class _Atoms:
    """The transform of one loss on the line as a sum over its atoms; ``whole`` is M(θ)."""

    def __init__(self, law: HasAtoms, parameters: Parameters) -> None:
        self._every, self._parameters = law.tilted_atoms(parameters.theta), parameters
        self._kept = self._every.without(Fraction(1, 2**parameters.bits))
        self.whole = self._kept.transform()

    def values(self, first: int, last: int) -> list[acb]:
        step = self._parameters.step
        return self._kept.on_line(first * step, step, last - first - 1)

    def outline(self) -> Outline:
        return self._every.over(self.whole.lower()).without(self._parameters.share)


class _Closed:
    """The transform of one loss on the line in closed form; ``whole`` is M(θ)."""

    def __init__(self, law: HasOutline, outline: Outline, parameters: Parameters) -> None:
        self._law, self._outline, self._parameters = law, outline, parameters
        self.whole = law.on_line(parameters.theta, Fraction(0), 0)[0].real

    def values(self, first: int, last: int) -> list[acb]:
        p = self._parameters
        return self._law.on_line(p.theta, p.step, last - first - 1, first)

    def outline(self) -> Outline:
        return self._outline


def _line(law: Law, parameters: Parameters) -> _Atoms | _Closed:
    outline = outline_of(law, parameters.theta)
    if outline is not None:
        return _Closed(cast(HasOutline, law), outline, parameters)
    return _Atoms(with_atoms(law), parameters)


class Smoothing(InversionSum):
    """δ of one composed loss for ε near the one that the parameters were chosen for."""

    engine = "smoothing"
    quantities = ("delta",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        usable = p.step > 0 and p.variance > 0 and p.stride >= 1 <= p.strides and 0 <= p.share < 1
        if not usable or p.side == "beyond":
            raise NoConvergence(f"smoothing: unusable parameters {p}")
        if p.stride.bit_count() != 1:  # its halves would leave nodes out
            raise NoConvergence(f"smoothing: the stride must be a power of 2, got {p.stride}")
        noise = GaussianLaw(p.variance)
        with working(p.bits):
            self._lines = [(_line(law, p), k) for law, k in paced(loss.factors)]
            logs = (k * line.whole.log() for line, k in self._lines)
            self.log_mass = sum(logs, noise.on_line(p.theta, Fraction(0), 0)[0].real.log())
        with working(BOUND_BITS):
            self._outlines = [(line.outline(), k) for line, k in paced(self._lines)]
            chosen = self._choose()
        with working(p.bits):
            self._runs = [self._evaluated(first, last) for first, last in chosen]
        smoothed = ComposedLoss((*loss.factors, (noise, 1)))
        with working(BOUND_BITS):
            self._bound_aliases(smoothed, 2 * arb.pi() / ball(p.step))

    def _choose(self) -> list[tuple[int, int]]:
        """Intervals of nodes to sum; sets the bounds of what the other nodes add, relative to M(θ)."""
        p = self.parameters
        v, h = ball(p.variance), ball(p.step)
        edge = h * p.nodes
        # Σ_{j ≥ J} j^−2 ≤ 2/J, and Σ_{j ≥ J} e^{−cj²/2} ≤ e^{−cJ²/2} (1 + 1/cJ)
        size = (-v * edge * edge / 2).exp()
        self._rest_delta = size * 2 / (h * edge)
        self._rest_density = size * (1 + 1 / (v * h * edge))
        intervals, stride = [(0, p.nodes)], p.stride
        while stride > 1:
            kept: list[tuple[int, int]] = []
            for first, last in intervals:
                for start in range(first, last, _CHUNK * stride):
                    self._sift(start, min(last, start + _CHUNK * stride), stride, kept)
            intervals, stride = kept, max(1, stride // 4)
        nodes = sum(last - first for first, last in intervals)
        if nodes > MAX_NODES:
            raise NoConvergence(f"smoothing: {nodes} nodes to be summed (cap {MAX_NODES})")
        return intervals

    def _sift(self, first: int, last: int, stride: int, kept: list[tuple[int, int]]) -> None:
        """Skip what may be skipped of the nodes from ``first`` on, in groups of strides or one by one."""
        p = self.parameters
        v, h, count = ball(p.variance), ball(p.step), (last - first) // stride
        sizes = []
        for each, k in self._outlines:
            spend(1e-6 * count)
            sizes.append((each.most(first * p.step, stride * p.step, count), k))
        waiting = [(i, min(_GROUP, count - i)) for i in reversed(range(0, count, _GROUP))]
        while waiting:
            i, n = waiting.pop()
            spend(1e-7 * len(sizes))
            start = first + i * stride
            u = h * start
            log = -v * u * u / 2
            for most, k in sizes:
                size = biggest(most[i : i + n])
                log += k * size.log() if surely_less(size, 1) else 0
            if start and p.skips(log, u):
                self._rest_delta += n * stride * log.exp() / (u * u)
                self._rest_density += n * stride * log.exp()
            elif n > 1:
                waiting += [(i + part, 1) for part in reversed(range(n))]
            elif kept and kept[-1][1] == start:
                kept[-1] = kept[-1][0], start + stride
            else:
                kept.append((start, start + stride))

    def _evaluated(self, first: int, last: int) -> tuple[Run, Run]:
        """The terms κ(z) M(z)/M(θ) of g_v and M(z)/M(θ) of r at nodes from ``first`` to ``last`` − 1."""
        p, theta, h = self.parameters, ball(self.parameters.theta), ball(self.parameters.step)
        points = [acb(theta, h * j) for j in range(first, last)]
        half, start = ball(p.variance) / 2, theta * (theta + 1)
        transforms = [(half * (z * (z + 1) - start)).exp() for z in points]
        for line, k in self._lines:
            spend()
            values = line.values(first, last)
            transforms = [t * (m / line.whole) ** k for t, m in zip(transforms, values, strict=True)]
        if first == 0:  # it has no mirror image below 0
            transforms[0] = acb(1) / 2
        kernels = [t * self.kernel.value(z) for t, z in zip(transforms, points, strict=True)]
        return Run(first, kernels), Run(first, transforms)

    def _truth(self, found: arb, epsilon: Fraction) -> arb:
        return super()._truth(found, epsilon) - arb(0).union(self._smoothed(epsilon))

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        return {"smoothing": self._smoothed(epsilon), **super().errors(epsilon)}

    def _central(self, epsilon: Fraction) -> arb:
        return self._sum(epsilon, 0)

    def _size(self, epsilon: Fraction) -> arb:
        """e^{−θε} M(θ) h/π."""
        p, eps = self.parameters, ball(epsilon)
        return (self.log_mass - ball(p.theta) * eps).exp() * ball(p.step) / arb.pi()

    def _sum(self, epsilon: Fraction, which: int) -> arb:
        """e^{−θε} M(θ) h/2π Σ_j over the chosen nodes and their mirror images, for g_v or for r."""
        angle = -ball(self.parameters.step) * ball(epsilon)
        return self._size(epsilon) * sum((runs[which].sum(angle).real for runs in self._runs), arb(0))

    def _cut(self, epsilon: Fraction) -> arb:
        return self._size(epsilon) * self._rest_delta

    def _smoothed(self, epsilon: Fraction) -> arb:
        """Upper bound of g_v − g, ≥ 0."""
        with working(self.parameters.bits):
            density = self._sum(epsilon, 1)
        with working(BOUND_BITS):
            density += self._size(epsilon) * self._rest_density
            v = ball(self.parameters.variance)
            return (v * (v / 8).exp() * density.max(arb(0))).upper()
