"""A sum of exponentials at equally spaced points of a vertical line, as one matrix product."""

import math
from collections.abc import Sequence

from pldverify.balls import acb, acb_mat, arb, ctx
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence

_ENTRIES = 1_000_000
"""Entries of both matrices of one block: some 300 MiB."""
_WORK = 20_000_000
"""Products of one block at 100 bits: some two seconds."""


def line_sums(
    coefficients: Sequence[arb | acb], losses: Sequence[arb | acb], step: arb, count: int
) -> list[acb]:
    """Σ_i c_i e^{i j step x_i} for j = 0 … count: with j = j₁B + j₂ it is a product of two matrices.

    The x_i, Im x_i ≥ 0, are taken in blocks that fit in memory; a block is asked for leave to spend its time.
    Raises NoConvergence for a step < 0, whose errors nobody bounds.
    """
    if surely_less(step, 0):
        raise NoConvergence(f"a line goes upwards, got step={float(step):.6g}")
    if count == 0:
        return [acb(sum(coefficients, arb(0)))]
    width = math.isqrt(count) + 1
    block = max(1, min(_ENTRIES // (2 * width), _WORK // count * 100 // max(100, ctx.prec)))
    total = [acb(0)] * (count + 1)
    for start in range(0, len(losses), block):
        spend(1e-7 * (1 + ctx.prec / 150) * min(block, len(losses) - start) * count)
        part = slice(start, start + block)
        values = _block(coefficients[part], losses[part], step, count, width)
        total = [a + b for a, b in zip(total, values, strict=True)]
    return total


def _block(
    coefficients: Sequence[arb | acb], losses: Sequence[arb | acb], step: arb, count: int, width: int
) -> list[acb]:
    turn = acb(0, step)
    units = [(turn * acb(loss)).exp() for loss in losses]
    right = powers(units, width)
    giants = [a * b for a, b in zip(right[-1], units, strict=True)]
    weights = [acb(c) for c in coefficients]  # real times complex numbers take several times as long
    left = [[c * a for c, a in zip(weights, row, strict=True)] for row in powers(giants, count // width + 1)]
    product = acb_mat(left) * acb_mat(list(zip(*right, strict=True)))
    return product.entries()[: count + 1]


def powers(units: list[acb], count: int) -> list[list[acb]]:
    """Rows u^0, …, u^{count − 1} for points u of the unit disc.

    Each power is a product of two of half its exponent: a rectangle that is turned grows by up to √2, so a
    product of j factors one after the other would lose j/2 bits, and this one loses log₂(j)/2.
    """
    rows = [[acb(1)] * len(units), units]
    for j in range(2, count):
        spend(5e-7 * len(units))
        rows.append([a * b for a, b in zip(rows[j // 2], rows[j - j // 2], strict=True)])
    return rows[:count]


def widened(value: acb, radius: arb, j: int) -> acb:
    """``value`` ± ``radius``; the first of the line is real."""
    wobble = arb(0, radius)
    return value + acb(wobble, wobble if j else 0)
