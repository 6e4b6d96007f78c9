r"""The atoms engine: every sum of finitely many losses, one by one.

For independent losses A and B with finitely many values each,

.. math:: \delta(\epsilon) = \sum_a P(a)\,\big(P_B(S \ge \epsilon - a)
   - e^{\epsilon - a} Q_B(S \ge \epsilon - a)\big)_+, \qquad Q(b) = P(b)\,e^{-b},

and :math:`P(S \ge \epsilon) = \sum_a P(a)\,P_B(S \ge \epsilon - a)`: the composition is cut into two halves
and only the sums of each half are listed, those of B in order with their masses added up from above. Within
one law the sums are binomial, or multinomial, and rational ones that agree are one (on a lattice: the powers
of a polynomial). For heterogeneous (ε, δ)-pairs this is the sum of Murtagh and Vadhan 2016, Theorem 1.5.

A sum is a ball. With r the radii of t = ε − a and b together, |b − t| ≤ r by midpoints leaves open which is
larger: δ gets [0, 2r] P(b) from such a b, as 1 − e^{t−b} ≤ b − t; the tail compares exactly where both are
rational, and else [0, P(b)] drives the precision up, until it gives up.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls import arb, arb_poly
from pldverify.balls.ball import ball, clamped, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import by_points, first_beyond, first_from
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.lattice import lattice_of
from pldverify.reference.laws.law import HasFiniteAtoms, Law

MAX_SUMS = 100_000
"""Cap on the sums of each half."""


class Sum(NamedTuple):
    """A value of the loss, its P-mass, and the exact value where it is known to be rational."""

    loss: arb
    mass: arb
    exact: Fraction | None


class Half:
    """One part of the composition: its sums in order, masses added up from above."""

    def __init__(self, factors: Factors) -> None:
        sums = [Sum(arb(0), arb(1), Fraction(0))]
        for law, k in factors:
            spend()
            sums = _merged(
                Sum(a.loss + b.loss, a.mass * b.mass, _plus(a.exact, b.exact))
                for b in _power(law, k)
                for a in sums
            )
        self.sums = by_points(sums, lambda s: s.loss.mid())
        self.middles = [s.loss.mid() for s in self.sums]
        self.radius = arb(0)
        for item in self.sums:
            self.radius = self.radius.max(item.loss.rad())
        self.first, self.second = [arb(0)], [arb(0)]
        for loss, mass, _ in reversed(self.sums):
            self.first.append(self.first[-1] + mass)
            self.second.append(self.second[-1] + mass * (-loss).exp())
        self.first.reverse()
        self.second.reverse()

    def beyond(self, point: arb, exact: Fraction | None, quantity: str) -> arb:
        """E[(1 − e^{t − S})_+] or P(S ≥ t) at the t in ``point``, which is ``exact`` if that is known."""
        reach = (point.rad() + self.radius).upper()
        sure = first_beyond(self.middles, (point.mid() + reach).upper())
        unsure = first_from(self.middles, (point.mid() - reach).lower())
        if quantity == "delta":
            value = (self.first[sure] - point.exp() * self.second[sure]).max(arb(0))
            for _, mass, _ in self.sums[unsure:sure]:
                value += ((2 * reach).upper() * mass).union(arb(0))
            return value
        total = self.first[sure]
        for _, mass, at in self.sums[unsure:sure]:
            if exact is None or at is None:
                total += mass.union(arb(0))
            elif at >= exact:
                total += mass
        return total


@dataclass(frozen=True)
class Parameters:
    """The two halves of the composition, and ``bits`` of precision."""

    outer: Factors
    inner: Factors
    bits: int


class Atoms(Evaluator):
    """δ or the tail of a composition of laws with finitely many losses."""

    engine = "atoms"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        if ComposedLoss(parameters.outer + parameters.inner).counts() != loss.counts():
            raise NoConvergence("atoms: the two halves are not the composition")
        with working(parameters.bits):
            self._outer, self._inner = Half(parameters.outer), Half(parameters.inner)

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            return clamped(self._value(epsilon))

    def _value(self, epsilon: Fraction) -> arb:
        total, point = arb(0), ball(epsilon)
        for loss, mass, exact in self._outer.sums:
            at = None if exact is None else epsilon - exact
            total += mass * self._inner.beyond(point - loss if at is None else ball(at), at, self.quantity)
        return total


def _plus(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return None if a is None or b is None else a + b


def _merged(sums: Iterable[Sum]) -> list[Sum]:
    """Rational sums that agree become one; those without mass go."""
    exact: dict[Fraction, arb] = {}
    rest = []
    for item in paced(sums):
        if item.mass.is_zero():
            continue
        if item.exact is None:
            rest.append(item)
        else:
            exact[item.exact] = exact.get(item.exact, arb(0)) + item.mass
    return [Sum(ball(value), mass, value) for value, mass in exact.items()] + rest


def _power(law: Law, k: int) -> list[Sum]:
    """The sums of k losses of one law, at the working precision. Raises NotSupported for infinitely many."""
    lattice = lattice_of(law)
    if not isinstance(law, HasFiniteAtoms) or (lattice is not None and lattice.omitted):
        raise NotSupported("atoms: not all laws have finitely many losses")
    if lattice is not None and isinstance(lattice.offset, Fraction):
        start, masses = k * (lattice.offset + lattice.first), _raised(arb_poly(lattice.masses), k).coeffs()
        return _merged(_on(lattice.spacing, start + j, mass) for j, mass in enumerate(masses))
    pairs = [(p, q, loss) for p, q, loss in law.outcomes() if not p.is_zero() and not q.is_zero()]
    if len(pairs) == 1:  # one sum, however large k is
        p, q, exact = pairs[0]
        return [Sum(k * ((p / q).log() if exact is None else ball(exact)), p**k, _times(k, exact))]
    rows = [(k, Sum(arb(0), arb(math.factorial(k)), Fraction(0)))]
    for i, (p, q, exact) in enumerate(pairs):
        spend()
        loss = (p / q).log() if exact is None else ball(exact)
        shares = [arb(1)]  # p^n/n!
        for n in paced(range(1, k + 1)):
            shares.append(shares[-1] * p / n)
        rows = [
            (left - n, Sum(row.loss + n * loss, row.mass * shares[n], _plus(row.exact, _times(n, exact))))
            for left, row in rows
            for n in (range(left + 1) if i < len(pairs) - 1 else (left,))
        ]
    return _merged(row for _, row in rows)


def _raised(polynomial: arb_poly, k: int) -> arb_poly:
    """polynomial^k by squaring: masses of very different sizes take seconds."""
    found = arb_poly([1])
    for bit in f"{k:b}":
        spend()
        found = found * found * polynomial if bit == "1" else found * found
    return found


def _on(spacing: Fraction | arb, place: Fraction, mass: arb) -> Sum:
    """Mass on a lattice; 0 is rational whatever the spacing."""
    if isinstance(spacing, Fraction) or place == 0:
        exact = place * spacing if isinstance(spacing, Fraction) else Fraction(0)
        return Sum(ball(exact), mass, exact)
    return Sum(ball(place) * spacing, mass, None)


def _times(n: int, exact: Fraction | None) -> Fraction | None:
    return Fraction(0) if n == 0 else None if exact is None else n * exact
