r"""Loss of the binomial mechanism: s + Bin(n, p) against Bin(n, p), or the reverse.

At the outcome x the odds of P are :math:`\binom{n}{x-s}/\binom{n}{x} \cdot ((1-p)/p)^s`, where s ≤ x ≤ n.
What only one of the two reaches makes δ_∞.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome

MAX_EXACT = 1_000_000
"""Cap on the bits of δ_∞."""


@dataclass(frozen=True)
class BinomialLaw(AtomicLaw):
    """``shifted`` says which of P and Q is s + Bin(n, p); the other one is Bin(n, p)."""

    n: int
    p: Fraction
    sensitivity: int
    shifted: str

    @property
    def infinite_mass(self) -> Fraction:
        s = min(self.sensitivity, self.n + 1)
        return _lowest(self.n, 1 - self.p if self.shifted == "first" else self.p, s)

    def _outcomes(self) -> list[Outcome]:
        masses = self._masses()
        empty = [arb(0)] * self.sensitivity
        shifted, plain = empty + masses, masses + empty
        if self.shifted == "first":
            return [Outcome(a, b) for a, b in zip(shifted, plain, strict=True)]
        return [Outcome(b, a) for a, b in zip(shifted, plain, strict=True)]

    def _masses(self) -> list[arb]:
        """Bin(n, p) at 0 … n: each from the one before, (n − x)/(x + 1) · p/(1 − p) times as likely."""
        odds = ball(self.p / (1 - self.p))
        masses = [ball(1 - self.p) ** self.n]
        for x in range(self.n):
            masses.append(masses[-1] * odds * (self.n - x) / (x + 1))
        return masses


@remembered(32)
def _lowest(n: int, p: Fraction, s: int) -> Fraction:
    """Pr[Bin(n, p) < s], exactly: a sum of integers over the n-th power of the denominator."""
    if n * p.denominator.bit_length() > MAX_EXACT:
        raise NoConvergence(f"binomial: δ_∞ has more than {MAX_EXACT} bits for n={n} and this p")
    hit, miss = p.numerator, p.denominator - p.numerator
    term, total = miss**n, 0
    for x in range(s):
        total += term
        term = term * (n - x) * hit // ((x + 1) * miss)
    return Fraction(total, p.denominator**n)
