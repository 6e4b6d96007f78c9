r"""The conditioning engine: finitely many losses beside others that have a closed form.

With A the sum of the losses with finitely many values and B that of the others, g the finite part of δ or of
the tail, :math:`g(\epsilon) = \sum_a P(A = a)\, g_B(\epsilon - a)`. The sums a are listed as in
``atoms.py``; :math:`g_B` is a threshold (one loss; Gaussian losses are one) or comes by residues (Laplace).
Where a is a ball, as :math:`g_B` falls, it is between its values at both ends.
"""

import math
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, clamped, lower, upper, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.closed.atoms import NOTHING, Half, size_of
from pldverify.reference.engines.closed.residues import offer_residues
from pldverify.reference.engines.closed.threshold import offer_threshold
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.law import HasFiniteAtoms, Law
from pldverify.reference.search.offer import Offer, Profile

MAX_SUMS = 20_000
"""Cap on the sums of the losses with finitely many values."""
_MAX_DIGITS = 16_000


class Conditioned:
    """δ or the tail to ``digits`` digits, one term for every sum of ``finite``."""

    limit = math.inf
    engine = "conditioning"

    def __init__(self, finite: list[tuple[Law, int]], others: Product, quantity: str, digits: int) -> None:
        self.finite, self.others, self.quantity = finite, others, quantity
        self._goal = int(digits * LOG2_10) + 8
        self._prepare(digits + 4)

    def _prepare(self, digits: int) -> None:
        self._digits, self._bits = digits, int(digits * LOG2_10) + 64
        with working(self._bits):
            self._sums = Half(self.finite).sums
        self._given: Profile = _offer_others(self.others, self.quantity, digits).build()

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε)."""
        while True:
            with working(self._bits):
                value = self._value(epsilon)
                if value.rel_accuracy_bits() >= self._goal or self._digits > _MAX_DIGITS:
                    return clamped(value)
            self._prepare(2 * self._digits)

    def _value(self, epsilon: Fraction) -> arb:
        total = arb(0)
        for loss, mass, exact in self._sums:
            spend()
            if exact is not None:
                total += mass * self._given.truth(epsilon - exact)
                continue
            low, high = (self._given.truth(epsilon - Fraction(end)) for end in (lower(loss), upper(loss)))
            total += mass * low.lower().union(high.upper())
        return total

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and the only error term, for reading."""
        value = self.truth(epsilon)
        return {
            "sums": str(len(self._sums)),
            "given each": self._given.engine,
            "precision": f"{self._bits} bits",
            "rounding": value.rad().str(3, radius=False),
        }


def _offer_others(others: Product, quantity: str, digits: int) -> Offer:
    engine = offer_threshold if others.steps == 1 else offer_residues
    return engine(others, quantity, Fraction(0), digits=digits)


def offer_conditioning(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """Raises NotSupported unless both kinds of losses are there, NoConvergence for too many sums."""
    finite: list[tuple[Law, int]] = []
    rest: list[tuple[Law, int]] = []
    for law, k in product.factors:
        (finite if isinstance(law, HasFiniteAtoms) else rest).append((law, k))
    others = Product(tuple(rest))
    if not finite or not others.factors:
        raise NotSupported("conditioning: either all laws have finitely many losses or none has")
    given = _offer_others(others, quantity, digits)
    sums = NOTHING
    with working(64):
        for law, k in finite:
            sums = sums.plus(size_of(law, k))
    if sums.sums > MAX_SUMS:
        raise NoConvergence(f"conditioning: {sums.sums} sums of losses (cap {MAX_SUMS})")
    seconds = 1e-4 + 2 * given.seconds + sums.sums * (2e-4 + given.seconds / 4)
    return Offer(seconds, lambda: Conditioned(finite, others, quantity, digits))
