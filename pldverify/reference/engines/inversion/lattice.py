r"""The lattice engine: losses on d(o + Z), inverted on one period of the circle.

With tilted masses :math:`\tilde p_n = P(S = d(o + n)) e^{\theta dn}`, their transform V(x) = Σ p̃_n e^{ixn}
(a product of powers of single-step sums) and w_j = θd + ix_j, x_j = 2πj/N,

.. math:: T = \frac1N \sum_{|j| \le (N-1)/2} V(x_j) e^{-w_j n_0} \kappa(w_j), \qquad
          \kappa(w) = \pm\Big(\frac{1}{1-e^{-w}} - \frac{e^{\epsilon-d(o+n_0)}}{1-e^{-w-d}}\Big),

n₀ the first n with d(o + n) ≥ ε, is the contour sum of ``lemmas/kernel.py`` with period R = Nd, folded: its
aliases are the same, and there is nothing to cut. (Without the second term κ gives the tail; the sign is −
left of the pole.)

Where the sum stops at |j| ≤ J all the same, the rest is at most V(0) ρ e^{−θdn₀} sup|κ| with ρ ≥
|V(x)|/V(0) on [2πJ/N, π].
**ρ**: lower the masses of one step to a unimodal profile and write it as nested boxes; box i covers w_i
consecutive integers with mass p_i, and its transform is a Dirichlet kernel, so |φ(x)| ≤ 1 − Σ p_i (1 −
env_i(x)), env = sup over [x, π] of :math:`|\sin(wy/2)/(w \sin(y/2))|`: the kernel falls until 2π/w, and is
at most 1/(w sin(y/2)).

A law with a closed sum V (``laws/lattice.py``) tells ρ itself, and no mass of it is summed.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_less
from pldverify.balls.line_sums import line_sums
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.engines.inversion.inversion_sum import InversionSum, Run
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.lattice import Lattice, circle_of, place_of, tilted
from pldverify.reference.laws.law import Law
from pldverify.reference.lemmas.kernel import Side
from pldverify.reference.lemmas.layers import unimodal

MAX_WORK = 40_000_000
"""Cap on masses times nodes."""
Number = Fraction | arb


@dataclass(frozen=True)
class Parameters:
    """Side of the pole, θ, λ below and above it, the odd period N, nodes J, precision.

    J = (N − 1)/2 is the whole circle.
    """

    side: Side
    theta: Fraction
    below: Fraction
    above: Fraction
    period: int
    nodes: int
    bits: int


class LatticeSum(InversionSum):
    """δ or the tail of a composed lattice loss; see the module docstring."""

    engine = "lattice"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if not (p.period % 2 == 1 and 1 <= p.nodes <= p.period // 2) or p.side == "beyond":
            raise NoConvergence(f"lattice: unusable parameters {p}")
        if p.nodes >= MAX_WORK:
            raise NoConvergence(f"lattice: {p.nodes} nodes (cap {MAX_WORK})")
        whole = 2 * p.nodes + 1 == p.period
        with working(p.bits):
            values = [acb(1)] * (p.nodes + 1)
            angle = 2 * arb.pi() / p.period
            self._log_decay = arb.neg_inf() if whole else arb(0)
            for law, k in loss.factors:
                spend()
                circle = circle_of(law, p.theta)
                line = circle.values(p.period, p.nodes) if circle is not None else self._summed(law, angle)
                values = [a * value**k for a, value in zip(values, paced(line), strict=True)]
                if not whole:
                    self._log_decay += k * log_sup(law, p.theta, p.nodes, p.period)
            self._size = abs(values[0])
            values[0] /= 2  # it has no mirror image below 0
            self._origin = origin(loss)
            self._d = exact_or_ball(self._origin[1])
            real = ball(p.theta) * self._d
            points = [acb(real, angle * j) for j in range(len(values))]
            kernels = [[-1 / (-w).expm1() for w in paced(points)]]
            if quantity == "delta":
                kernels.append([1 / (-w - self._d).expm1() for w in paced(points)])
            self._runs = [Run(0, [v * c for v, c in zip(values, row, strict=True)]) for row in kernels]
            self._bound_aliases(loss, self._d * p.period)

    def _summed(self, law: Law, angle: arb) -> list[acb]:
        """V at the nodes, from the masses one by one."""
        masses, nodes = tilted(law, self.parameters.theta), self.parameters.nodes
        if len(masses.masses) * (nodes + 1) > MAX_WORK:
            raise NoConvergence(
                f"lattice: {len(masses.masses)} masses times {nodes + 1} nodes (cap {MAX_WORK})"
            )
        places = [arb(masses.first + i) for i in range(len(masses.masses))]
        rest = arb(0, masses.omitted)
        return [value + acb(rest, rest) for value in line_sums(masses.masses, places, angle, nodes)]

    def _central(self, epsilon: Fraction) -> arb:
        p, start = self.parameters, self._start(epsilon)
        rows = [run.sum(-2 * arb.pi() * start / p.period).real for run in self._runs]
        total = rows[0] if self.quantity == "tail" else rows[0] + self._gap(epsilon, start) * rows[1]
        side = 1 if p.side == "upper" else -1
        return (-ball(p.theta) * self._d * start).exp() * total * (2 * side) / p.period

    def _gap(self, epsilon: Fraction, start: int) -> arb:
        """e^{ε − s} at the first atom s from ε on."""
        return (ball(epsilon) - self._d * (exact_or_ball(self._origin[0]) + start)).exp()

    def _cut(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            theta, d, start = ball(self.parameters.theta), self._d, self._start(epsilon)
            size = 1 / abs((-theta * d).expm1())
            if self.quantity == "delta":
                size += self._gap(epsilon, start) / abs((-(theta + 1) * d).expm1())
            return (self._log_decay - theta * d * start).exp() * self._size * size

    def _start(self, epsilon: Fraction) -> int:
        """n₀. Raises NoConvergence where the precision can't tell."""
        offset, spacing = self._origin
        if isinstance(offset, Fraction) and isinstance(spacing, Fraction):
            return math.ceil(epsilon / spacing - offset)
        if epsilon == 0 and isinstance(offset, Fraction):
            return math.ceil(-offset)
        start = (ball(epsilon) / self._d - exact_or_ball(offset)).ceil().unique_fmpz()
        if start is None:
            bits = self.parameters.bits
            raise NoConvergence(f"lattice: {bits} bits can't tell ε={float(epsilon):.10g} from an atom")
        return int(start)


def log_sup(law: Law, theta: Fraction, nodes: int, period: int) -> arb:
    """Upper bound of log |V(x)|/V(0) over 2πJ/N ≤ x ≤ π, of one step."""
    circle = circle_of(law, theta)
    if circle is not None:
        return circle.log_sup(Fraction(nodes, period))
    return boxes(tilted(law, theta)).log_sup(2 * arb.pi() * nodes / period)


@dataclass(frozen=True)
class Boxes:
    """Masses and widths (numbers of consecutive integers) under a tilted lattice law, of total mass 1."""

    masses: list[arb]
    widths: list[int]

    def log_sup(self, x: arb) -> arb:
        """Upper bound of log |φ(y)| over x ≤ y ≤ π."""
        total = arb(0)
        for mass, width in zip(self.masses, self.widths, strict=True):
            if width > 1:
                total += mass * (1 - _envelope(width, x))
        bound = (1 - total.lower()).upper()
        return bound.log() if surely_less(0, bound) else arb(0)


def _envelope(width: int, x: arb) -> arb:
    """Upper bound of |sin(wy/2)/(w sin(y/2))| over x ≤ y ≤ π, for w ≥ 2."""
    x = x.lower()
    if not surely_less(0, x):
        return arb(1)
    beyond = (1 / (width * (x / 2).sin())).min(arb(1))
    if not surely_less(width * x, 2 * arb.pi()):
        return beyond
    first = (width * x / 2).sin() / (width * (x / 2).sin())
    # past its first zero 2π/w, which for w = 2 is π itself
    return first if width == 2 else first.max(1 / (width * (arb.pi() / width).sin()))


def boxes(masses: Lattice) -> Boxes:
    """Nested boxes under the masses, which need not sum to 1."""
    whole = sum(masses.masses, arb(masses.omitted)).upper()
    zero = arb(0)
    low = [(m / whole).lower() if surely_less(0, m) else zero for m in masses.masses]
    heights, ends = unimodal(low)
    return Boxes(
        [height * (right - left + 1) for height, (left, right) in zip(heights, ends, strict=True)],
        [right - left + 1 for left, right in ends],
    )


def exact_or_ball(value: Number) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def origin(product: ComposedLoss) -> tuple[Number, Number]:
    """Offset (in spacings) and spacing of the composed loss. Raises NotSupported off one lattice."""
    found = [(place_of(law), k) for law, k in product.factors]
    places = [(place, k) for place, k in found if place is not None]
    spacing = places[0][0][0] if places else None
    exact = isinstance(spacing, Fraction) and all(place[0] == spacing for place, _ in places)
    same = len(places) == 1 or exact
    if len(places) < len(found) or spacing is None or not same:
        raise NotSupported("lattice: the losses of the composition do not lie on one lattice")
    offset: Number = Fraction(0)
    for (_, step), k in places:
        if isinstance(offset, Fraction) and isinstance(step, Fraction):
            offset += k * step
        else:
            offset = exact_or_ball(offset) + k * exact_or_ball(step)
    return offset, spacing
