r"""Rounding of FFT, power, inverse FFT and sum in floating point with unit roundoff u.

No paper of the Fourier accountants bounds it. The FFT part follows Higham, Accuracy and Stability of
Numerical Algorithms (2nd ed. 2002), Theorem 24.2: an FFT is a product of passes, each a multiple of a
unitary matrix, so relative errors in the 2-norm add up over the passes.

**The model**, which is assumed of the library and not proved of it: a pass of radix p forms each output
from its p inputs along paths of at most p + 8 roundings, with path weights at most 2 in sum for each
input; a prime factor above 11 may be done by Bluestein's algorithm with transforms of length < 4n + 64
with prime factors ≤ 11; a complex power is within 8u(1 + k|log z|) of exact, relatively; sums of N terms
are pairwise in blocks of at most 128.
"""

from collections.abc import Sequence

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.upper_end import upper

_BLUESTEIN_FROM = 13
"""Least prime factor of n for which the model allows Bluestein's algorithm: the first prime above 11."""


def fft_error(n: int, unit: Real) -> arb:
    r"""Upper bound η on the relative error, in the 2-norm, of one FFT of length n in the model above.

    .. math:: \eta = \prod_p (1 + 2\sqrt p\,\gamma_{p+8}) - 1, \qquad \gamma_m = mu/(1 - mu),

    over the prime factors of n with multiplicity; with a prime factor above 11 the larger of that and
    :math:`2\sqrt n\,(4\eta' + 10u)`, η' for a power of 2 above 4n + 64.
    Proof: an output errs by at most 2γΣ|xⱼ| ≤ 2γ√p‖x‖ over its block, so a block errs by 2pγ‖x‖, and the
    pass multiplies norms by √p. Bluestein: a convolution with a chirp b of |b| = 1, whose transform is at
    most ‖b‖₁ < 2n, and ‖X‖ = √n‖x‖.
    Assumes: the module's model, n ≥ 1, u > 0 and (p + 8)u < 1 for every prime factor p. Rounds: up; a
    failed hypothesis gives +∞.
    """
    u = ball(unit)
    if n < 1 or not surely_less(0, u):
        return arb.pos_inf()
    factors = _prime_factors(n)
    growth = arb(1)
    for p in factors:
        m = (p + 8) * u
        if not surely_less(m, 1):
            return arb.pos_inf()
        growth *= 1 + 2 * arb(p).sqrt() * m / (1 - m)
    value = growth - 1
    if factors and factors[-1] >= _BLUESTEIN_FROM:
        padded = fft_error(2 ** (4 * n + 64).bit_length(), u)
        value = value.max(2 * arb(n).sqrt() * (4 * padded + 10 * u))
    return upper(value)


def convolution_rounding(
    parts: Sequence[tuple[Real, Real, int]], *, n: int, kernel: int, reach: Real, unit: Real
) -> arb:
    r"""Upper bound on the rounding error of :math:`\sum_\ell (1 - e^{\varepsilon - x_\ell})\, b_\ell`, b
    by FFT.

    ``parts`` are (‖w‖₂, Σ|w|, k) of the given masses; ``kernel`` is the number of points in the sum,
    ``reach`` ≥ |x|, |ε|. With η = :func:`fft_error`, :math:`m_i = \sum|w_i| + \eta\sqrt n\|w_i\|_2` and
    :math:`P = \prod \max(1, m_i)^{k_i}`,

    .. math:: \|\Delta b\|_2 \le P\,\Big[(1+\eta)\Big(\sum_i k_i\,\eta\|w_i\|_2 + 8u\sum_i (2 + \pi k_i + k_i
              \log^+ m_i) + 4u\,\#\Big) + \eta\Big], \qquad
              |\Delta\delta| \le \sqrt{N}\,\big[\|\Delta b\|_2 + u\,(160 + \log_2 n + 6R)(P + \|\Delta
              b\|_2)\big].

    Proof: |âᵏ − aᵏ| ≤ k|â − a| max(|â|, |a|)^{k−1}, by frequency; |z|ᵏ k|log|z|| ≤ 1 for |z| ≤ 1;
    Parseval; Cauchy-Schwarz with the N kernel weights in [0, 1]. Underflow is less than the slack of the
    constants. KH21 Lemma 5 (Plancherel) is inside as well: it transforms the weights, of norm at most √N, in
    the place of the inverse FFT, and sums n products. Assumes: the module's model. Rounds: up; a failed
    hypothesis gives +∞.
    """
    u, eta = ball(unit), fft_error(n, unit)
    weight, spread, powers = arb(1), arb(0), arb(0)
    for norm, mass, k in parts:
        top = (ball(mass) + eta * arb(n).sqrt() * ball(norm)).max(arb(1))
        weight *= top**k
        spread += k * eta * ball(norm)
        powers += 8 * u * (2 + arb.pi() * k + k * top.log()) + 4 * u
    change = weight * ((1 + eta) * (spread + powers) + eta)
    last = u * (160 + arb(n).log() / arb(2).log() + 6 * ball(reach))
    value = arb(kernel).sqrt() * (change + last * (weight + change))
    return upper(value, n >= 1, 0 <= kernel <= n)


def _prime_factors(n: int) -> list[int]:
    factors, p = [], 2
    while p * p <= n:
        while n % p == 0:
            factors.append(p)
            n //= p
        p += 1
    return factors + ([n] if n > 1 else [])
