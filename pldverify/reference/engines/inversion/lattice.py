r"""The lattice engine: losses on d(o + Z), inverted on one period of the circle.

With tilted masses :math:`\tilde p_n = P(S = d(o + n)) e^{\theta dn}`, their transform V(x) = Σ p̃_n e^{ixn}
(a product of powers of single-step sums) and w_j = θd + ix_j, x_j = 2πj/N,

.. math:: T = \frac1N \sum_{|j| \le (N-1)/2} V(x_j) e^{-w_j n_0} \kappa(w_j), \qquad
          \kappa(w) = \pm\Big(\frac{1}{1-e^{-w}} - \frac{e^{\epsilon-d(o+n_0)}}{1-e^{-w-d}}\Big),

n₀ the first n with d(o + n) ≥ ε, is the contour sum of ``kernel.py`` with period R = Nd, folded: its aliases
are the same, and there is nothing to cut. (Without the second term κ gives the tail; the sign is − left of
the pole.)

Where the sum stops at |j| ≤ J all the same, the rest is at most V(0) ρ e^{−θdn₀} sup|κ| with ρ ≥
|V(x)|/V(0) on [2πJ/N, π].
**ρ**: lower the masses of one step to a unimodal profile and write it as nested boxes; box i covers w_i
consecutive integers with mass p_i, and its transform is a Dirichlet kernel, so |φ(x)| ≤ 1 − Σ p_i (1 −
env_i(x)), env = sup over [x, π] of :math:`|\sin(wy/2)/(w \sin(y/2))|`: the kernel falls until 2π/w, and is
at most 1/(w sin(y/2)).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from pldverify.balls.ball import ball, clamped, working
from pldverify.balls.clock import spend
from pldverify.balls.line_sums import line_sums, powers
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.inversion.contour import BOUND_BITS
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.lattice import Lattice, lattice_of, tilted
from pldverify.reference.lemmas.layers import unimodal
from pldverify.reference.search.offer import Offer
from pldverify.reference.search.tilt import Plan, plan

MAX_WORK = 40_000_000
"""Cap on masses times nodes."""
Number = Fraction | arb


class LatticeSum:
    """δ or the tail of a composed lattice loss; see the module docstring."""

    limit = math.inf
    engine = "lattice"

    def __init__(self, product: Product, found: Plan, period: int, nodes: int, bits: int) -> None:
        """``period`` is N, odd; ``nodes`` is J ≤ (N − 1)/2, with equality for the whole circle."""
        self.product, self.kernel, self.theta = product, found.kernel, found.theta
        self.period, self.nodes, self.bits = period, nodes, bits
        self._whole = 2 * nodes + 1 == period
        if nodes >= MAX_WORK:
            raise NoConvergence(f"lattice: {nodes} nodes (cap {MAX_WORK})")
        with working(bits):
            values = [acb(1)] * (nodes + 1)
            step = 2 * arb.pi() / period
            self._log_decay = arb(0)
            for law, k in product.factors:
                spend()
                masses = tilted(law, self.theta)
                if len(masses.masses) * (nodes + 1) > MAX_WORK:
                    raise NoConvergence(
                        f"lattice: {len(masses.masses)} masses times {nodes + 1} nodes (cap {MAX_WORK})"
                    )
                line = line_sums(
                    masses.masses, [arb(masses.first + i) for i in range(len(masses.masses))], step, nodes
                )
                rest = arb(0, masses.omitted)
                for j, value in enumerate(line):
                    if j % 100 == 0:
                        spend()
                    values[j] *= (value + acb(rest, rest)) ** k
                if not self._whole:
                    self._log_decay += k * boxes(masses).log_sup(step * nodes)
            self._values = values
        with working(BOUND_BITS):
            self._chernoffs = tuple((lam, product.log_moment(lam)) for lam in (found.below, found.above))

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε)."""
        with working(self.bits):
            central = self._central(epsilon)
            cut, alias = self.errors(epsilon)
            found: arb = (central - cut - alias).lower().union((central + cut).upper())
            mass = self.product.finite_mass()
            if self.kernel.side == "lower":
                found = mass - found
            return clamped(found, mass)

    def _central(self, epsilon: Fraction) -> arb:
        """T; its radius is what the transforms and the rounding err by."""
        offset, spacing = origin(self.product)
        start = self._start(epsilon, offset, spacing)
        d, theta, angle = _ball(spacing), ball(self.theta), 2 * arb.pi() / self.period
        gap = (ball(epsilon) - d * (_ball(offset) + start)).exp()  # e^{ε − s} at the first atom s from ε on
        turns = powers([acb(0, -angle * start).exp()], len(self._values))
        total = arb(0)
        for j, (value, (turn,)) in enumerate(zip(self._values, turns, strict=True)):
            if j % 100 == 0:
                spend()
            kappa = self._kappa(acb(theta * d, angle * j), d, gap)
            total += (value * turn * kappa).real * (2 if j else 1)
        return (-theta * d * start).exp() * total / self.period

    def errors(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Proved bounds (cut, alias), both ≥ 0."""
        with working(self.bits):
            offset, spacing = origin(self.product)
            d, theta = _ball(spacing), ball(self.theta)
            alias = self.kernel.alias(self.theta, d * self.period, ball(epsilon), self._chernoffs)
            if self._whole:
                return arb(0), alias
            start = self._start(epsilon, offset, spacing)
            size = 1 / abs(1 - (-theta * d).exp())
            if self.kernel.name == "delta":
                gap = (ball(epsilon) - d * (_ball(offset) + start)).exp()
                size += gap / abs(1 - (-(theta + 1) * d).exp())
            cut = (self._log_decay - theta * d * start).exp() * abs(self._values[0]) * size
            return cut.upper(), alias

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms, for reading."""
        cut, alias = self.errors(epsilon)
        with working(self.bits):
            rest = self._central(epsilon).rad()
        return {
            "theta": str(self.theta),
            "period": str(self.period),
            "nodes": str(self.nodes),
            "precision": f"{self.bits} bits",
            "cut": cut.str(3, radius=False),
            "alias": alias.str(3, radius=False),
            "transform and rounding": rest.str(3, radius=False),
        }

    def _start(self, epsilon: Fraction, offset: Number, spacing: Number) -> int:
        """n₀. Raises NoConvergence where the precision can't tell."""
        if isinstance(offset, Fraction) and isinstance(spacing, Fraction):
            return math.ceil(epsilon / spacing - offset)
        if epsilon == 0 and isinstance(offset, Fraction):
            return math.ceil(-offset)
        start = (ball(epsilon) / _ball(spacing) - _ball(offset)).ceil().unique_fmpz()
        if start is None:
            raise NoConvergence(f"lattice: {self.bits} bits can't tell ε={float(epsilon):.10g} from an atom")
        return int(start)

    def _kappa(self, w: acb, d: arb, gap: arb) -> acb:
        value = 1 / (1 - (-w).exp())
        if self.kernel.name == "delta":
            value -= gap / (1 - (-w - d).exp())
        return value if self.kernel.side == "upper" else -value


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
        return bound.log() if bound > 0 else arb(0)


def _envelope(width: int, x: arb) -> arb:
    """Upper bound of |sin(wy/2)/(w sin(y/2))| over x ≤ y ≤ π, for w ≥ 2."""
    x = x.lower()
    if not x > 0:
        return arb(1)
    beyond = (1 / (width * (x / 2).sin())).min(arb(1))
    if not width * x < 2 * arb.pi():
        return beyond
    first = (width * x / 2).sin() / (width * (x / 2).sin())
    # past its first zero 2π/w, which for w = 2 is π itself
    return first if width == 2 else first.max(1 / (width * (arb.pi() / width).sin()))


def boxes(masses: Lattice) -> Boxes:
    """Nested boxes under the masses, which need not sum to 1."""
    whole = sum(masses.masses, arb(masses.omitted)).upper()
    zero = arb(0)
    low = [(m / whole).lower() if m > 0 else zero for m in masses.masses]
    heights, ends = unimodal(low)
    return Boxes(
        [height * (right - left + 1) for height, (left, right) in zip(heights, ends, strict=True)],
        [right - left + 1 for left, right in ends],
    )


def _ball(value: Number) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def origin(product: Product) -> tuple[Number, Number]:
    """Offset (in spacings) and spacing of the composed loss. Raises NotSupported off one lattice."""
    found = [(lattice_of(law), k) for law, k in product.factors]
    lattices = [(lattice, k) for lattice, k in found if lattice is not None]
    spacing = lattices[0][0].spacing if lattices else None
    exact = isinstance(spacing, Fraction) and all(other.spacing == spacing for other, _ in lattices)
    same = len(lattices) == 1 or exact
    if len(lattices) < len(found) or spacing is None or not same:
        raise NotSupported("lattice: the losses of the composition do not lie on one lattice")
    offset: Number = Fraction(0)
    for lattice, k in lattices:
        step = lattice.offset
        if isinstance(offset, Fraction) and isinstance(step, Fraction):
            offset += k * step
        else:
            offset = _ball(offset) + k * _ball(step)
    return offset, spacing


def offer_lattice(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """A circle that should give ``digits`` digits. Raises NotSupported off a lattice, NoConvergence."""
    with working(BOUND_BITS):
        spacing = float(_ball(origin(product)[1]).mid())
        found = plan(product, quantity, epsilon, digits=digits)
        half = max(1, math.ceil(found.period / spacing / 2))
        steps = [tilted(law, found.theta) for law, _ in product.factors]
        nodes = _nodes(product, found, steps, half, spacing)
    bits, masses = found.bits(product, nodes), sum(len(step.masses) for step in steps)
    seconds = 0.001 + 2e-5 * nodes + 1e-7 * (1 + bits / 150) * nodes * masses
    return Offer(seconds, lambda: LatticeSum(product, found, 2 * half + 1, nodes, bits))


def _nodes(product: Product, found: Plan, steps: list[Lattice], half: int, spacing: float) -> int:
    """J that makes the cut small enough, at most N/2 (search only)."""
    period = 2 * half + 1
    profiles = [(boxes(step), k) for step, (_, k) in zip(steps, product.factors, strict=True)]
    size = found.log_size + math.log(1 / min(1.0, abs(float(found.theta)) * spacing) + 1) - found.log_goal
    nodes = 1
    while nodes < half:
        x = 2 * arb.pi() * nodes / period
        decay = math.fsum(k * float(profile.log_sup(x).mid()) for profile, k in profiles)
        if -decay >= size:
            return nodes
        factor = math.sqrt(size / -decay) if decay < 0 else 4.0
        nodes = math.ceil(nodes * min(4.0, max(1.1, factor)))
    return half
