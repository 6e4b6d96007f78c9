"""The size of a kernel on the real line, in floats."""

import math

from pldverify.reference.lemmas.kernel import Kernel


def log_size(kernel: Kernel, theta: float) -> float:
    """log κ(θ)."""
    return -math.log(abs(theta)) - (math.log1p(theta) if kernel.name == "delta" else 0.0)


def log_slopes(kernel: Kernel, theta: float) -> tuple[float, float]:
    """First and second derivative of :func:`log_size`."""
    first, second = -1 / theta, 1 / theta**2
    if kernel.name == "delta":
        first, second = first - 1 / (1 + theta), second + 1 / (1 + theta) ** 2
    return first, second
