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
from pldverify.balls.ball import BOUND_BITS, ball, clamped, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_less
from pldverify.balls.line_sums import line_sums, powers
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.lattice import Lattice, circle_of, place_of, tilted
from pldverify.reference.laws.law import Law
from pldverify.reference.lemmas.kernel import Kernel, Side
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


class LatticeSum(Evaluator):
    """δ or the tail of a composed lattice loss; see the module docstring."""

    engine = "lattice"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        self.kernel, self.theta = Kernel(quantity, parameters.side), parameters.theta
        self.period, self.nodes, self.bits = parameters.period, parameters.nodes, parameters.bits
        period, nodes, bits = self.period, self.nodes, self.bits
        if not (period % 2 == 1 and 1 <= nodes <= period // 2) or parameters.side == "beyond":
            raise NoConvergence(f"lattice: unusable parameters {parameters}")
        self._whole = 2 * nodes + 1 == period
        if nodes >= MAX_WORK:
            raise NoConvergence(f"lattice: {nodes} nodes (cap {MAX_WORK})")
        with working(bits):
            values = [acb(1)] * (nodes + 1)
            step = 2 * arb.pi() / period
            self._log_decay = arb(0)
            for law, k in loss.factors:
                spend()
                circle = circle_of(law, self.theta)
                line = circle.values(period, nodes) if circle is not None else self._summed(law, step)
                values = [a * value**k for a, value in zip(values, paced(line), strict=True)]
                if not self._whole:
                    self._log_decay += k * log_sup(law, self.theta, nodes, period)
            self._values = values
        with working(BOUND_BITS):
            self._chernoffs = tuple(
                (lam, loss.log_moment(lam)) for lam in (parameters.below, parameters.above)
            )

    def _summed(self, law: Law, step: arb) -> list[acb]:
        """V at the nodes, from the masses one by one."""
        masses = tilted(law, self.theta)
        if len(masses.masses) * (self.nodes + 1) > MAX_WORK:
            raise NoConvergence(
                f"lattice: {len(masses.masses)} masses times {self.nodes + 1} nodes (cap {MAX_WORK})"
            )
        places = [arb(masses.first + i) for i in range(len(masses.masses))]
        rest = arb(0, masses.omitted)
        return [value + acb(rest, rest) for value in line_sums(masses.masses, places, step, self.nodes)]

    def value(self, epsilon: Fraction) -> arb:
        with working(self.bits):
            central = self._central(epsilon)
            cut, alias = self._errors(epsilon)
            found: arb = (central - cut - alias).lower().union((central + cut).upper())
            mass = self.loss.finite_mass()
            if self.kernel.side == "lower":
                found = mass - found
            return clamped(found, mass)

    def _central(self, epsilon: Fraction) -> arb:
        """T; its radius is what the transforms and the rounding err by."""
        offset, spacing = origin(self.loss)
        start = self._start(epsilon, offset, spacing)
        d, theta, angle = exact_or_ball(spacing), ball(self.theta), 2 * arb.pi() / self.period
        gap = (
            ball(epsilon) - d * (exact_or_ball(offset) + start)
        ).exp()  # e^{ε − s} at the first atom s from ε on
        turns = powers([acb(0, -angle * start).exp()], len(self._values))
        total = arb(0)
        for j, (value, (turn,)) in enumerate(paced(zip(self._values, turns, strict=True))):
            kappa = self._kappa(acb(theta * d, angle * j), d, gap)
            total += (value * turn * kappa).real * (2 if j else 1)
        return (-theta * d * start).exp() * total / self.period

    def _errors(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Proved bounds (cut, alias), both ≥ 0."""
        with working(self.bits):
            offset, spacing = origin(self.loss)
            d, theta = exact_or_ball(spacing), ball(self.theta)
            alias = self.kernel.alias(self.theta, d * self.period, ball(epsilon), self._chernoffs)
            if self._whole:
                return arb(0), alias
            start = self._start(epsilon, offset, spacing)
            size = 1 / abs((-theta * d).expm1())
            if self.kernel.name == "delta":
                gap = (ball(epsilon) - d * (exact_or_ball(offset) + start)).exp()
                size += gap / abs((-(theta + 1) * d).expm1())
            cut = (self._log_decay - theta * d * start).exp() * abs(self._values[0]) * size
            return cut.upper(), alias

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        cut, alias = self._errors(epsilon)
        with working(self.bits):
            rest = self._central(epsilon).rad()
        return {"cut": cut, "alias": alias, "transform and rounding": rest}

    def _start(self, epsilon: Fraction, offset: Number, spacing: Number) -> int:
        """n₀. Raises NoConvergence where the precision can't tell."""
        if isinstance(offset, Fraction) and isinstance(spacing, Fraction):
            return math.ceil(epsilon / spacing - offset)
        if epsilon == 0 and isinstance(offset, Fraction):
            return math.ceil(-offset)
        start = (ball(epsilon) / exact_or_ball(spacing) - exact_or_ball(offset)).ceil().unique_fmpz()
        if start is None:
            raise NoConvergence(f"lattice: {self.bits} bits can't tell ε={float(epsilon):.10g} from an atom")
        return int(start)

    def _kappa(self, w: acb, d: arb, gap: arb) -> acb:
        value = -1 / (-w).expm1()
        if self.kernel.name == "delta":
            value += gap / (-w - d).expm1()
        return value if self.kernel.side == "upper" else -value


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
