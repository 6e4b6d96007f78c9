r"""Decay of a characteristic function, proved for all frequencies above U at once.

Let f be a density that dominates a step function on cells with edges :math:`s_0 < s_1 < \dots` and heights
:math:`v_j`. Lowering the heights to a unimodal profile writes it as a sum of nested boxes: layer i is
uniform on an interval of width :math:`w_i` and carries mass :math:`p_i`. A uniform law of width w has
characteristic function :math:`\sin(uw/2)/(uw/2)` in modulus, and what is left of f, its atoms included, at
most its mass. So

.. math:: \sup_{u \ge U} |\varphi(u)| \le 1 - \sum_i p_i (1 - \mathrm{env}(U w_i / 2)),
          \qquad \mathrm{env}(x) = \sup_{y \ge x} |\sin y / y|.

Proof: each layer and the rest by the triangle inequality; env falls with its argument.
Assumes: f has mass at most 1, edges that rise, U > 0; where a height may be ≤ 0 it counts as 0. Rounds: the
deficit down. Poor cells cost size, never truth.
"""

from dataclasses import dataclass

from pldverify.balls import arb
from pldverify.balls.compare import surely_at_most, surely_less

_SECOND_PEAK = arb(445) / 2048  # exact at any precision, 0.21728…
"""|sin y / y| ≤ 0.2172336… for all y ≥ π (the peak near y = 4.4934)."""


@dataclass(frozen=True)
class Layers:
    """Masses :math:`p_i` and half-widths :math:`w_i/2`, in balls."""

    masses: list[arb]
    halfwidths: list[arb]

    @staticmethod
    def under(edges: list[arb], heights: list[arb]) -> "Layers":
        """Nested layers under a step function: ``heights[j]`` ≥ 0 on [edges[j], edges[j+1]].

        Heights are lower bounds of a density; their lower ends are used.
        """
        zero = arb(0)
        low = [height.lower() if surely_less(0, height) else zero for height in heights]
        levels, ends = unimodal(low)
        widths = [edges[right + 1] - edges[left] for left, right in ends]
        masses = [level * width for level, width in zip(levels, widths, strict=True)]
        return Layers(masses, [width / 2 for width in widths])

    def deficit(self, u: arb) -> arb:
        """A ball whose lower end is at most 1 − |φ(v)| for every v ≥ u > 0."""
        total = arb(0)
        for mass, halfwidth in zip(self.masses, self.halfwidths, strict=True):
            total += mass * (1 - _envelope(u * halfwidth))
        return total.lower()


def unimodal(low: list[arb]) -> tuple[list[arb], list[tuple[int, int]]]:
    """Nested intervals of indices with heights > 0 whose sum is the largest unimodal minorant of ``low``.

    ``low`` are exact balls ≥ 0, so that < decides.
    """
    low = list(low)
    peak = 0
    for j in range(1, len(low)):
        peak = j if surely_less(low[peak], low[j]) else peak
    for j in range(peak + 1, len(low)):
        low[j] = low[j - 1] if surely_less(low[j - 1], low[j]) else low[j]
    for j in range(peak - 1, -1, -1):
        low[j] = low[j + 1] if surely_less(low[j + 1], low[j]) else low[j]
    heights: list[arb] = []
    ends: list[tuple[int, int]] = []
    level, left, right = arb(0), 0, len(low) - 1
    while left <= right:
        from_left = surely_at_most(low[left], low[right])
        height = low[left] if from_left else low[right]
        if surely_less(level, height):
            heights.append(height - level)
            ends.append((left, right))
            level = height
        left, right = (left + 1, right) if from_left else (left, right - 1)
    return heights, ends


def _envelope(x: arb) -> arb:
    """An upper bound of |sin y / y| over y ≥ x; sin y / y decreases on (0, π)."""
    x = x.lower()
    if not surely_less(0, x):
        return arb(1)
    if surely_less(x, 2):
        return x.sin() / x  # ≥ 0.45 > the second peak
    if surely_less(x, 4):
        return _SECOND_PEAK.max(x.sin() / x) if surely_less(x, 3) else _SECOND_PEAK
    return (1 / x).min(_SECOND_PEAK)
