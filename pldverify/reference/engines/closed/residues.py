r"""The residue engine: compositions of Laplace mechanisms, of one scale or several, in closed form.

One loss with atoms at ±c has (``laws/laplace.py``, with sinh written out)

.. math:: M(z) = \frac{(1+z)\,e^{cz} + z\,e^{-c(1+z)}}{1+2z},

so the product of k of them, with losses :math:`c_1, \dots, c_k` of sum C, is a sum over the subsets that
take the second term: j of them, and :math:`s = C - 2\sum_{\text{subset}} c_i`, give
:math:`e^{-(C-s)/2}\,(1+z)^{k-j} z^j (1+2z)^{-k} e^{zs}`. In the inversion integral of ``kernel.py``, on
Re z = θ > 0, times :math:`e^{-z\epsilon}/(z(z+1))` this decays like :math:`|z|^{-2}`. Where s ≤ ε, closing
the line on the right gives 0; where s > ε, on the left, the residue at −1/2, and for j = 0 that at 0, which
is 1.
With z = (x − 1)/2 and u = (s − ε)/2,

.. math:: \delta(\epsilon) = 1 + 2^{1-k} e^{(\epsilon-C)/2} \sum_{s > \epsilon} Q_j(u), \qquad
   Q_j(u) = \sum_{n=0}^{k-1} b_{k-1-n} \frac{u^n}{n!}, \quad \sum_i b_i x^i = (1+x)^{k-j-1} (x-1)^{j-1},

for −C < ε < C: the sum is rational (a power series in x for j = 0; j = k never occurs).
**Tail**, with 1/z: the same with :math:`2^{-k}` and :math:`(1+x)^{k-j}(x-1)^{j-1}`, over s ≥ ε, as the limit
from the left counts an atom at ε.

Nothing is left out. The terms cancel, all the more for large k; the precision rises until the digits are
there.
"""

import math
from collections import Counter
from fractions import Fraction
from itertools import accumulate

from flint import arb, arb_poly, fmpz_poly

from pldverify.balls.ball import LOG2_10, ball, clamped, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.search.offer import Offer

MAX_STEPS = 1000
"""Cap on k: the cost grows with its cube."""
MAX_TERMS = 20_000
"""Cap on the pairs (j, s); k + 1 for one scale."""
_MAX_BITS = 60_000


class Residues:
    """δ or the tail of a composition of Laplace mechanisms to ``digits`` digits."""

    limit = math.inf
    engine = "residues"

    def __init__(
        self, terms: dict[tuple[int, Fraction], int], steps: int, quantity: str, digits: int
    ) -> None:
        """``terms``: how many subsets have j members and leave s, by (j, s)."""
        self.terms, self.steps, self.quantity = terms, steps, quantity
        self.top = max(s for _, s in terms)
        self._goal = int(digits * LOG2_10) + 8
        self._bits = self._goal + 2 * steps + 64
        self._polynomials: dict[int, arb_poly] = {}

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around δ(ε), or P(S ≥ ε)."""
        while True:
            with working(self._bits):
                value = self._value(epsilon)
            if value.rel_accuracy_bits() >= self._goal or self._bits > _MAX_BITS:
                return clamped(value)
            self._bits *= 2
            self._polynomials.clear()

    def _value(self, epsilon: Fraction) -> arb:
        tail = self.quantity == "tail"
        if epsilon <= -self.top:
            return arb(1) if tail else -ball(epsilon).expm1()
        if epsilon > self.top:
            return arb(0)
        total = arb(0)
        for (j, s), ways in self.terms.items():
            if s > epsilon or (tail and s == epsilon):
                total += ways * self._polynomial(j)(ball((s - epsilon) / 2))
        scale = ball((epsilon - self.top) / 2).exp()
        return 1 + scale * total / arb(2) ** (self.steps - (not tail))

    def _polynomial(self, j: int) -> arb_poly:
        """Q_j at the working precision."""
        if j not in self._polynomials:
            spend()
            k = self.steps
            plus, minus = fmpz_poly([1, 1]), fmpz_poly([-1, 1])
            rising = plus ** (k - j - (self.quantity == "delta"))
            series = rising * minus ** (j - 1) if j else _over_minus(rising, k)
            term, coefficients = arb(1), []
            for n in range(k):
                coefficients.append(series[k - 1 - n] * term)
                term /= n + 1
            self._polynomials[j] = arb_poly(coefficients)
        return self._polynomials[j]

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and the only error term, for reading."""
        value = self.truth(epsilon)
        return {
            "terms": str(len(self.terms)),
            "precision": f"{self._bits} bits",
            "rounding": value.rad().str(3, radius=False),
        }


def _over_minus(numerator: fmpz_poly, length: int) -> fmpz_poly:
    """The power series numerator/(x − 1), −1 times the sums of the coefficients."""
    return fmpz_poly([-total for total in accumulate(numerator[i] for i in range(length))])


def _subsets(losses: list[tuple[Fraction, int]]) -> dict[tuple[int, Fraction], int]:
    """Subsets of the losses, by number of members and by what is left of the sum when they change sign."""
    terms = {(0, sum((k * c for c, k in losses), Fraction(0))): 1}
    for c, k in losses:
        grown: Counter[tuple[int, Fraction]] = Counter()
        for (j, s), ways in terms.items():
            for chosen in range(k + 1):
                grown[j + chosen, s - 2 * c * chosen] += ways * math.comb(k, chosen)
        terms = grown
    return terms


def offer_residues(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """Raises NotSupported unless all losses are those of Laplace mechanisms, NoConvergence if too many."""
    losses = [(law.loss, k) for law, k in product.factors if isinstance(law, LaplaceLaw)]
    if len(losses) < len(product.factors):
        raise NotSupported("residues: not all losses are those of Laplace mechanisms")
    steps, size = product.steps, math.prod(k + 1 for _, k in losses)
    if steps > MAX_STEPS or size > MAX_TERMS:
        raise NoConvergence(
            f"residues: {steps} losses with {size} terms (caps {MAX_STEPS} and {MAX_TERMS}) cost too much"
        )
    bits = digits * LOG2_10 + 3 * steps + 64
    seconds = 2e-5 + 1e-7 * (1 + bits / 500) * steps * (steps + size)
    return Offer(seconds, lambda: Residues(_subsets(losses), steps, quantity, digits))
