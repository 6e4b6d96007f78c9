r"""w(x) = 1 − q + y, :math:`y = q e^{cx - c^2/2}`: the odds of (1 − q)N(0, 1) + qN(c, 1) against N(0, 1).

Each form is accurate also where w hardly differs from 1. In balls, for real and complex x.
Proof: identities. Assumes: c > 0, 0 < q < 1; for complex x the logarithm is the principal one. Refused: where
the argument of a real logarithm may be ≤ 0 the ball is not finite.
"""

from typing import TypeVar

from pldverify.balls import acb, arb

Number = TypeVar("Number", arb, acb)


def mixture_loss(c: arb, q: arb, x: Number) -> Number:
    """log w(x), by log(1 + q(e^{cx − c²/2} − 1))."""
    return (q * (c * (x - c / 2)).expm1()).log1p()


def mixture_slope(c: arb, q: arb, x: arb) -> arb:
    """(log w)'(x) = cy/w, which grows with x for c > 0."""
    y = q * (c * x - c * c / 2).exp()
    return c * y / (1 - q + y)


def mixture_outcome(c: arb, q: arb, s: arb) -> arb:
    """x with log w(x) = s > log(1 − q)."""
    return ((s.expm1() / q).log1p() + c * c / 2) / c
