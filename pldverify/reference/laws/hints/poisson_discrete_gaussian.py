"""Outcomes of the Poisson-subsampled discrete Gaussian that count."""

import math
from fractions import Fraction

from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.discrete_gaussian import MAX_TERMS

_NEAR = 1e-14
"""Neighbouring doubles far out lie further apart than 0.01: a mode is found to that part of itself."""


def window(variance: Fraction, s: int, q: Fraction, p: float, bits: int) -> tuple[int, int]:
    """First and last outcome of which Q w^p is more than 2^{−bits} of the whole.

    Q w^p has for p ≥ 0 all its mass between the bells around 0 and ps, and is for p < 0 log-concave.
    """
    v = float(variance)
    room = (bits + 20) * math.log(2)
    reach, far = math.sqrt(2 * v * room) + 2, max(0.0, p * s)
    left, right = -reach, far + reach
    if p < 0:
        mode = _mode(v, s, float(q), p)
        loss = log_w((2 * mode * s - s * s) / (2 * v), float(q))
        above = p * (math.log1p(-q) - loss) + mode * mode / (2 * v)
        left, right = -math.sqrt(2 * v * (room + max(0.0, above))) - 2, max(1.0, mode + reach)
    low, high = math.floor(left), math.ceil(right)
    if high - low > MAX_TERMS:
        raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
    return low, high


def _mode(v: float, s: int, q: float, p: float) -> float:
    """The x at which e^{−x²/2σ²} w^p is largest, p < 0: it solves x = ps · qy/w."""
    low, high = p * s, 0.0
    while high - low > max(0.01, _NEAR * -low):
        x = (low + high) / 2
        y = math.exp((2 * x * s - s * s) / (2 * v))
        low, high = (low, x) if x > p * s * q * y / (1 - q + q * y) else (x, high)
    return low


def log_w(exponent: float, q: float) -> float:
    """log(1 − q + qy) for y = e^exponent."""
    if exponent > 30:
        return exponent + math.log(q + (1 - q) * math.exp(-exponent))
    return math.log1p(q * math.expm1(exponent))
