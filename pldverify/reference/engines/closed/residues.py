r"""The residue engine: compositions of Laplace mechanisms, of one scale or several, in closed form.

One loss with atoms at ±c has (``laws/laplace.py``, with sinh written out)

.. math:: M(z) = \frac{(1+z)\,e^{cz} + z\,e^{-c(1+z)}}{1+2z},

so the product of k of them, with losses :math:`c_1, \dots, c_k` of sum C, is a sum over the subsets that
take the second term: j of them, and :math:`s = C - 2\sum_{\text{subset}} c_i`, give
:math:`e^{-(C-s)/2}\,(1+z)^{k-j} z^j (1+2z)^{-k} e^{zs}`. In the inversion integral of ``lemmas/kernel.py``,
on Re z = θ > 0, times :math:`e^{-z\epsilon}/(z(z+1))` this decays like :math:`|z|^{-2}`. Where s ≤ ε, closing
the line on the right gives 0; where s > ε, on the left, the residue at −1/2, and for j = 0 that at 0, which
is 1.
With z = (x − 1)/2 and u = (s − ε)/2,

.. math:: \delta(\epsilon) = 1 + 2^{1-k} e^{(\epsilon-C)/2} \sum_{s > \epsilon} Q_j(u), \qquad
   Q_j(u) = \sum_{n=0}^{k-1} b_{k-1-n} \frac{u^n}{n!}, \quad \sum_i b_i x^i = (1+x)^{k-j-1} (x-1)^{j-1},

for −C < ε < C: the sum is rational (a power series in x for j = 0; j = k never occurs). For
ε ≥ C, δ is 0, as no loss is larger.
**Tail**, with 1/z: the same with :math:`2^{-k}` and :math:`(1+x)^{k-j}(x-1)^{j-1}`, over s ≥ ε, as the limit
from the left counts an atom at ε.

Nothing is left out. The terms cancel, all the more for large k; the precision rises until the digits are
there (``search/residues.py``).
"""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from pldverify.balls import arb, arb_poly, fmpz_poly
from pldverify.balls.ball import ball, clamped, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.laplace import LaplaceLaw

MAX_STEPS = 1000
"""Cap on k: the cost grows with its cube."""
MAX_TERMS = 20_000
"""Cap on the pairs (j, s); k + 1 for one scale."""


@dataclass(frozen=True)
class Parameters:
    """``bits`` of precision."""

    bits: int


class Residues(Evaluator):
    """δ or the tail of a composition of Laplace mechanisms."""

    engine = "residues"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        losses = scales(loss)
        self.terms, self.steps = _subsets(losses), loss.steps
        self.top = sum((k * c for c, k in losses), Fraction(0))
        self._polynomials: dict[int, arb_poly] = {}

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            return clamped(self._value(epsilon))

    def _value(self, epsilon: Fraction) -> arb:
        tail = self.quantity == "tail"
        if epsilon <= -self.top:
            return arb(1) if tail else -ball(epsilon).expm1()
        if epsilon > self.top or (epsilon == self.top and not tail):
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


def scales(loss: ComposedLoss) -> list[tuple[Fraction, int]]:
    """c and count of every Laplace loss. Raises NotSupported if there are others, NoConvergence if too
    many.
    """
    losses = [(law.loss, k) for law, k in loss.factors if isinstance(law, LaplaceLaw)]
    if len(losses) < len(loss.factors):
        raise NotSupported("residues: not all losses are those of Laplace mechanisms")
    size = math.prod(k + 1 for _, k in losses)
    if loss.steps > MAX_STEPS or size > MAX_TERMS:
        raise NoConvergence(
            f"residues: {loss.steps} losses with {size} terms (caps {MAX_STEPS} and {MAX_TERMS})"
        )
    return losses


def _over_minus(numerator: fmpz_poly, length: int) -> fmpz_poly:
    """The power series numerator/(x − 1), −1 times the sums of the coefficients."""
    return fmpz_poly([-total for total in accumulate(numerator[i] for i in range(length))])


def _subsets(losses: list[tuple[Fraction, int]]) -> dict[tuple[int, Fraction], int]:
    """How many subsets of the losses there are, by number of members and by what is left of the sum when
    they change sign.
    """
    terms = {(0, sum((k * c for c, k in losses), Fraction(0))): 1}
    for c, k in losses:
        grown: Counter[tuple[int, Fraction]] = Counter()
        for (j, s), ways in terms.items():
            for chosen in range(k + 1):
                grown[j + chosen, s - 2 * c * chosen] += ways * math.comb(k, chosen)
        terms = grown
    return terms
