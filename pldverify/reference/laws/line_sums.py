"""A sum of exponentials at equally spaced points of a vertical line, as one matrix product."""

import math

from flint import acb, acb_mat, arb


def line_sums(coefficients: list[arb], losses: list[arb], step: arb, count: int) -> list[acb]:
    """Σ_i c_i e^{i j step x_i} for j = 0 … count: with j = j₁B + j₂ it is a product of two matrices."""
    if count == 0:
        return [acb(sum(coefficients, arb(0)))]
    width = math.isqrt(count) + 1
    rows = count // width + 1
    units = [acb(0, step * loss).exp() for loss in losses]
    right = [[acb(1)] * len(units)]
    for _ in range(width - 1):
        right.append([a * b for a, b in zip(right[-1], units, strict=True)])
    giants = [a * b for a, b in zip(right[-1], units, strict=True)]
    left = [[acb(c) for c in coefficients]]
    for _ in range(rows - 1):
        left.append([a * b for a, b in zip(left[-1], giants, strict=True)])
    product = acb_mat(left) * acb_mat(right).transpose()
    return product.entries()[: count + 1]
