"""How a derivation is shown: a rich terminal view, and LaTeX."""

import re
from collections.abc import Iterable
from io import StringIO

import sympy as sp
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pldverify.numbers.exact import show
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece
from pldverify.symbolic.model.obligation import Obligation, State

_STYLES = {State.PROVED: "green", State.PROVED_ON_A_BOX: "yellow", State.FAILED: "bold red"}
_LONG = 400
"""Terminal formulas with more operations than this are left to LaTeX and JSON."""

_WIDTH = 100
"""Columns of the plain text."""

Row = tuple[str, str, sp.Expr | None]
"""(terminal name, LaTeX name, formula)."""


def piece_rows(piece: Piece, lattice: bool) -> list[Row]:
    """The formulas of a monotone piece, in reading order."""
    slope: Row = ("L′(t)", r"\mathcal{L}'(t)", piece.slope)
    if lattice:
        slope = ("L(t+1) − L(t)", r"\mathcal{L}(t+1) - \mathcal{L}(t)", piece.slope)
    at = "s" if piece.inverse is not None else "L(t)"
    inner = at.replace("L", r"\mathcal{L}")
    return [
        ("p(t)", "p(t)", piece.region.p),
        ("q(t)", "q(t)", piece.region.q),
        ("L(t)", r"\mathcal{L}(t)", piece.loss),
        slope,
        ("L⁻¹(s)", r"\mathcal{L}^{-1}(s)", piece.inverse),
        (f"dL⁻¹/ds at {at}", r"\frac{d\mathcal{L}^{-1}}{ds}", piece.jacobian),
        (f"ω({at})", rf"\omega({inner})", piece.density),
    ]


def pair_rows(derivation: Formulas) -> list[Row]:
    """The formulas of the pair over all pieces and atoms."""
    return [
        ("δ_∞", r"\delta_\infty", derivation.delta_infinity),
        ("δ(ε)", r"\delta(\varepsilon)", derivation.delta),
        ("M(λ)", r"M(\lambda)", derivation.mgf),
        ("K(λ)", r"K(\lambda)", derivation.cumulant),
    ]


def terminal(derivation: Formulas) -> RenderableType:
    """A rich renderable with every formula and the state of every obligation."""
    parts: list[RenderableType] = [
        Text(f"{derivation.densities.title}", style="bold"),
        Text(f"{derivation.family}, direction {derivation.direction}{_values(derivation)}"),
        *(Text(note, style="dim") for note in derivation.notes),
        Text(_domain(derivation), style="dim"),
    ]
    for i, piece in enumerate(derivation.pieces):
        parts += [
            Text(),
            Text(f"piece {i + 1}: {_where(piece, derivation.densities.is_integer)}", style="bold"),
            _formulas(piece_rows(piece, derivation.densities.is_integer)),
        ]
    if derivation.atoms:
        parts += [Text(), Text("atoms of ω", style="bold"), _atoms(derivation.atoms)]
    parts += [Text(), _formulas(pair_rows(derivation)), Text(), _obligations(derivation.obligations)]
    return Group(*parts, Text(summary(derivation)))


def plain(derivation: Formulas) -> str:
    """:func:`terminal` as text, without colour."""
    console = Console(file=StringIO(), color_system=None, width=_WIDTH)
    with console.capture() as captured:
        console.print(terminal(derivation))
    return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))


def summary(derivation: Formulas) -> str:
    """How many obligations ended how."""
    counts = {state: sum(o.state is state for o in derivation.obligations) for state in State}
    return ", ".join(f"{count} {state.value}" for state, count in counts.items() if count)


def _values(derivation: Formulas) -> str:
    shown = ", ".join(f"{s.name} = {show(v)}" for s, v in derivation.values.items())
    return f", at {shown}" if shown else ""


def _domain(derivation: Formulas) -> str:
    intervals = derivation.densities.domain.intervals.items()
    shown = ", ".join(f"{low} < {s} < {high}" for s, (low, high) in intervals)
    return _signs(f"for all {shown}") if shown else ""


def _where(piece: Piece, lattice: bool) -> str:
    region, (low, high) = piece.region, piece.range
    trend = "increasing" if piece.trend == 1 else "decreasing"
    kind = "" if piece.inverse is not None else "; no closed inverse: functions of t = L⁻¹(s)"
    less = "≤" if lattice else "<"
    return _signs(
        f"{region.lower} {less} t {less} {region.upper}, L {trend} with values in ({low}, {high}){kind}"
    )


def _signs(text: str) -> str:
    return re.sub(r"(?<![A-Za-z_])oo(?![A-Za-z_])", "∞", text).replace("-∞", "−∞")


def _formulas(rows: Iterable[Row]) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    for name, _, formula in rows:
        if formula is None:
            continue
        long = sp.count_ops(formula) > _LONG
        table.add_row(name, "=", "(long; see --latex or --json)" if long else _signs(sp.sstr(formula)))
    return Padding(table, (0, 0, 0, 2))


def _atoms(atoms: Iterable[Atom]) -> RenderableType:
    table = Table(box=None, padding=(0, 2))
    for heading in ("t", "L", "mass under P", "mass under Q"):
        table.add_column(heading)
    for atom in atoms:
        lower, upper = atom.region.lower, atom.region.upper
        where = str(lower) if lower == upper else f"{lower} … {upper}"
        table.add_row(*(_signs(str(x)) for x in (where, atom.loss, atom.p, atom.q)))
    return table


def _obligations(obligations: Iterable[Obligation]) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for obligation in obligations:
        source = f" [{obligation.source}]" if obligation.source else ""
        text = Text(f"{_signs(obligation.statement)}{source}")
        if obligation.state is not State.PROVED:
            text.append(f"\n{obligation.argument}", style="dim")
        if obligation.right and obligation.state is State.FAILED:
            text.append(f"\nright: {obligation.right}", style="bold")
        table.add_row(Text(obligation.state.value, style=_STYLES[obligation.state]), text)
    return table


def latex(derivation: Formulas) -> str:
    """Display mathematics: one ``aligned`` block for each piece, the atoms, and the pair."""
    blocks = []
    for piece in derivation.pieces:
        region, (low, high) = piece.region, piece.range
        lower, upper, bottom, top = map(sp.latex, (region.lower, region.upper, low, high))
        name = sp.latex(derivation.outcome)
        where = rf"{lower} < {name} < {upper},\quad \mathcal{{L}} \in \left({bottom}, {top}\right)"
        blocks.append(_aligned([rf"& {where}", *_lines(piece_rows(piece, derivation.densities.is_integer))]))
    if derivation.atoms:
        rows = [
            rf"\omega(\{{{sp.latex(a.loss)}\}}) &= {sp.latex(a.p)},\quad Q: {sp.latex(a.q)}"
            for a in derivation.atoms
        ]
        blocks.append(_aligned(rows))
    blocks.append(_aligned(_lines(pair_rows(derivation))))
    return "\n".join(blocks)


def _lines(rows: Iterable[Row]) -> list[str]:
    return [rf"{name} &= {sp.latex(formula)}" for _, name, formula in rows if formula is not None]


def _aligned(lines: Iterable[str]) -> str:
    body = " \\\\\n".join(lines)
    return f"$$\\begin{{aligned}}\n{body}\n\\end{{aligned}}$$"
