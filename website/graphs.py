"""Directed graphs as SVG: nodes in layers, each below all that point to it. No script, nothing loaded."""

import html
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

Edge = tuple[str, str, bool]
"""From, to, whether the arrow is dotted."""
WIDE, HIGH, GAP, LETTER = 16, 24, 46, 6.7
"""Pixels: between nodes, height of a node, between layers, a letter."""
NODE = re.compile(r'(\w+)(?:[(\[]+"(.*)"[)\]]+)?')
ARROW = re.compile(r'\s*(-->|-\.(?: "[^"]*" \.)?->)\s*')


def mermaid(text: str) -> str:
    """A flowchart of Mermaid's, of the few forms that docs/ uses."""
    labels: dict[str, str] = {}
    edges: list[Edge] = []
    for line in text.splitlines():
        if "-" not in line or line.strip().startswith(("%%", "flowchart")):
            continue
        parts = ARROW.split(line.strip())
        names = []
        for part in parts[::2]:
            found = NODE.fullmatch(part.strip())
            if found is None:
                raise ValueError(f"a node must be a name with a label, got {part!r}")
            names.append(found[1])
            labels[found[1]] = found[2] or labels.get(found[1], found[1])
        pairs = zip(pairwise(names), parts[1::2], strict=True)
        edges += [(a, b, arrow != "-->") for (a, b), arrow in pairs if a != b]
    return svg(labels, edges, "Diagram of the text beside it")


def layers(names: Iterable[str], edges: Iterable[Edge]) -> list[list[str]]:
    """Each node one layer below the deepest that points to it. Raises ValueError for a circle."""
    depth = dict.fromkeys(names, 0)
    edges = list(edges)
    for _ in depth:
        deeper = {
            b: depth[a] + 1 for a, b, _ in sorted(edges, key=lambda e: depth[e[0]]) if depth[b] <= depth[a]
        }
        if not deeper:
            return [[n for n in depth if depth[n] == d] for d in range(max(depth.values(), default=0) + 1)]
        depth.update(deeper)
    raise ValueError("arrows must not run in a circle")


def svg(
    labels: Mapping[str, str], edges: list[Edge], title: str, links: Mapping[str, str] | None = None
) -> str:
    """The drawing; ``links`` are addresses of nodes."""
    rows = layers(labels, edges)
    wide = {name: LETTER * len(label) + 14 for name, label in labels.items()}
    total = max((sum(wide[n] + WIDE for n in row) for row in rows), default=0) + WIDE
    places: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(rows):
        row.sort(key=lambda n: _centre([places[a][0] for a, b, _ in edges if b == n and a in places]))
        x = (total - sum(wide[n] + WIDE for n in row)) / 2 + WIDE / 2
        for name in row:
            places[name] = (x + wide[name] / 2, 8 + number * (HIGH + GAP))
            x += wide[name] + WIDE
    high = len(rows) * (HIGH + GAP) - GAP + 16
    arrows = "".join(_arrow(places[a], places[b], dotted) for a, b, dotted in edges)
    nodes = "".join(_node(labels[n], *places[n], wide[n], (links or {}).get(n)) for n in places)
    size = f'width="{total:.0f}" height="{high:.0f}" viewBox="0 0 {total:.0f} {high:.0f}"'
    named = f'aria-label="{html.escape(title)}"'
    drawing = f'<svg {size} role="img" {named}>{arrows}{nodes}</svg>'
    return f'<div class="graph" tabindex="0" role="region" {named}>{drawing}</div>'


def _centre(above: list[float]) -> float:
    return sum(above) / len(above) if above else 0


def _arrow(start: tuple[float, float], end: tuple[float, float], dotted: bool) -> str:
    (x, y), (u, v) = start, end
    y, dash = y + HIGH, ' stroke-dasharray="3 3"' if dotted else ""
    middle = (y + v) / 2
    tip = f"M{u - 3:.0f},{v - 5:.0f} L{u:.0f},{v:.0f} L{u + 3:.0f},{v - 5:.0f}"
    return (
        f'<path d="M{x:.0f},{y:.0f} C{x:.0f},{middle:.0f} {u:.0f},{middle:.0f} {u:.0f},{v:.0f} {tip}"{dash}/>'
    )


def _node(label: str, x: float, y: float, wide: float, link: str | None) -> str:
    box = f'<rect x="{x - wide / 2:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{HIGH}" rx="3"/>'
    text = f'<text x="{x:.0f}" y="{y + 16:.0f}" text-anchor="middle">{html.escape(label)}</text>'
    return f'<a href="{html.escape(link)}">{box}{text}</a>' if link else box + text
