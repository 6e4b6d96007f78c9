"""Few laws instead of many: nodes whose cumulants, weighted, are those of a run of a schedule."""

import math
from dataclasses import dataclass

from pldverify.balls.ball import short
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.schedule import split

_NODES = 12
"""Chebyshev nodes of a piece: laws that stand for all of its laws."""
_RATIO = 1.0
"""Logarithm of the ratio of parameters up to which so few nodes will do for a piece."""

Weighted = list[tuple[GaussianMixtureLaw, float]]


@dataclass(frozen=True)
class Piece:
    """Nodes and weights that give the sum of a smooth function over many laws; both ends of where these lie,
    and the shares of the nodes that give its values there.
    """

    nodes: Weighted
    ends: list[GaussianMixtureLaw]
    shares: list[list[float]]


def instead(counted: Weighted, moves: bool) -> tuple[Weighted, list[Piece]]:
    """Laws of the family that stay, and pieces for the others."""
    values = {(law.noise_multiplier if moves else law.q): (law, k) for law, k in counted}
    ordered, stay, pieces = sorted(values), Weighted(), list[Piece]()
    for part in split(ordered, max(1, math.ceil(math.log(ordered[-1] / ordered[0]) / _RATIO))):
        if len(part) <= _NODES:
            stay += [values[t] for t in part]
            continue
        low, high = math.log(part[0]), math.log(part[-1])
        angles = [math.pi * (i + 0.5) / _NODES for i in range(_NODES)]
        nodes = [(low + high) / 2 + (high - low) / 2 * math.cos(angle) for angle in angles]
        rows = [_shares(math.log(t), nodes, angles) for t in part]
        counts = [values[t][1] for t in part]
        like, weighted = values[part[0]][0], Weighted()
        for i, node in enumerate(nodes):
            t = short(math.exp(node), 50)
            law = (t, like.q) if moves else (like.noise_multiplier, t)
            weight = math.fsum(k * row[i] for k, row in zip(counts, rows, strict=True))
            weighted.append((GaussianMixtureLaw(*law, like.direction), weight))
        ends = [values[t][0] for t in (part[0], part[-1])]
        pieces.append(Piece(weighted, ends, [rows[0], rows[-1]]))
    return stay, pieces


def _shares(place: float, nodes: list[float], angles: list[float]) -> list[float]:
    """Of the nodes, in the polynomial's value at a place."""
    shares = [
        (-1) ** i * math.sin(angle) / ((place - node) or 1e-300)
        for i, (node, angle) in enumerate(zip(nodes, angles, strict=True))
    ]
    total = math.fsum(shares)
    return [share / total for share in shares]
