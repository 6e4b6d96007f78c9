r"""Bounds on the probability of a success from counts (Clopper and Pearson 1934), each proved in balls.

With :math:`T(p) = P[\mathrm{Bin}(n, p) \ge k]`, which rises with p, and T(p) ≤ α: if the probability of a
success is p' ≤ p, then k or more successes have at most the probability T(p') ≤ α. So "p' > p whenever T(p) ≤
α" is wrong in at most a share α of all samples. T is a regularised incomplete beta function,
:math:`I_p(k, n - k + 1)`.
"""

from fractions import Fraction

from pldverify.audit.likely import likely_rates
from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_at_most
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence

_BITS = (128, 256, 512, 1024)
"""Precisions tried in turn."""


def tail(n: int, k: int, p: Fraction) -> arb:
    """A ball around P[Bin(n, p) ≥ k] at the working precision."""
    if k <= 0:
        return arb(1)
    return arb(0) if k > n else ball(p).beta_lower(k, n - k + 1, regularized=True)


@remembered(4096)
def least_rate(n: int, k: int, alpha: Fraction) -> Fraction:
    """A p with a proof of P[Bin(n, p) ≥ k] ≤ ``alpha``, next to the largest one. Raises NoConvergence."""
    if k == 0:
        return Fraction(0)
    for p in likely_rates(n, k, alpha):
        for bits in _BITS:
            with working(bits):
                if surely_at_most(tail(n, k, p), ball(alpha)):
                    return p
    raise NoConvergence(f"{k} of {n}: no rate is proved at α = {float(alpha):.3g}")


def most_rate(n: int, k: int, alpha: Fraction) -> Fraction:
    """The same of the failures: the probability of a success is at most that."""
    return 1 - least_rate(n, n - k, alpha)
