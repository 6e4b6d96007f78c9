r"""Sums :math:`\sum_n c_n e^{i\alpha nj}` for all j at once. As :math:`nj = (n^2 + j^2 - (j-n)^2)/2` they are

.. math:: e^{i\alpha j^2/2} \sum_n \big(c_n e^{i\alpha n^2/2}\big)\, e^{-i\alpha (j-n)^2/2} ,

one sum of products with numbers of modulus one, in fixed point (Bluestein's chirp transform).
"""

from collections.abc import Sequence

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import biggest, working
from pldverify.balls.clock import spend
from pldverify.balls.correlation import correlated
from pldverify.errors import NoConvergence


def chirp_sums(coefficients: Sequence[acb], angle: arb, count: int) -> list[acb]:
    """The sums for j = 0 … ``count``; they err by what the coefficients do, and some 2^−prec of the largest.

    Raises NoConvergence at the cap of :mod:`pldverify.balls.correlation`, and for what is no number.
    """
    size, most = len(coefficients), max(len(coefficients), count + 1)
    largest = biggest(abs(c) for c in coefficients)
    if not largest.is_finite():
        raise NoConvergence("a term of a sum could not be evaluated")
    mantissa, exponent = largest.upper().man_exp()
    bits, scale = ctx.prec + 2 * size.bit_length(), arb(2) ** (exponent + int(mantissa).bit_length())
    with working(bits + 2 * most.bit_length()):
        spend(1e-7 * most * (1 + ctx.prec / 10))
        chirp = [acb(0, angle * (k * k) / 2).exp() for k in range(most)]
    with working(bits):
        weights = [c / scale * turn for c, turn in zip(coefficients, chirp, strict=False)]
        around = [turn.conjugate() for turn in (*chirp[size - 1 : 0 : -1], *chirp[: count + 1])]
        (sums,) = correlated(weights[::-1], [around], bits)
        return [scale * turn * found for turn, found in zip(chirp, sums, strict=False)]
