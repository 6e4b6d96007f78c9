r"""δ(ε), restated from the densities: part by part, then between the losses at which it turns.

A piece with inverse L⁻¹ has the outcomes beyond L⁻¹(ε) above ε, and an atom lies above ε or not, so

.. math:: \delta(\epsilon) = \delta_\infty + \sum_{\text{pieces}} (P - e^\epsilon Q)(L > \epsilon)
          + \sum_{\text{atoms}, L > \epsilon} (P - e^\epsilon Q).

The right side is built here from the antiderivatives and the inverse, which are proved apart. A formula of
δ(ε) is taken apart into the intervals of ε on which its branches hold, and must agree on each with the right
side. At the ends of the intervals both sides are continuous: an atom vanishes at ε = L, a piece at the
top of its range, and at the bottom the cut piece is all of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from pldverify.symbolic.check.limits import between
from pldverify.symbolic.check.pieces import loss_variable, tagged
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import EPSILON, S
from pldverify.symbolic.model.domain import Variable
from pldverify.symbolic.model.formulas import Formulas, Piece, require
from pldverify.symbolic.model.obligation import Kind, Obligation, State

_E = sp.exp(EPSILON)


def delta_obligations(formulas: Formulas, prover: Prover) -> list[Obligation]:
    """δ(ε) of every piece, and of the pair."""
    result = []
    for piece, tag in tagged(formulas):
        if piece.delta is not None:
            of_piece = _on_integers if formulas.densities.is_integer else _continuous
            result += of_piece(formulas, piece, prover, tag)
    return result if formulas.delta is None else [*result, _total(formulas, prover)]


def tails(piece: Piece, t: sp.Symbol, prover: Prover) -> tuple[sp.Expr, sp.Expr]:
    """(P, Q)(L > ε) on a piece of real outcomes, for ε inside its range; NaN without a known form.

    With a closed inverse in ε, else in the outcome t with ε = L(t).
    """
    threshold = t if piece.inverse is None else piece.inverse.subs(S, EPSILON)
    ends = (threshold, piece.region.upper) if piece.trend == 1 else (piece.region.lower, threshold)
    integrals = (require(piece.p_integral), require(piece.q_integral))
    p, q = (require(between(f, t, *ends, prover.sign)) for f in integrals)
    return p, q


def _continuous(formulas: Formulas, piece: Piece, prover: Prover, tag: str) -> list[Obligation]:
    """The definition, and two equations: δ″ − δ′ = ω and δ′ = −e^ε Q(L > ε)."""
    p, q = tails(piece, formulas.outcome, prover)
    delta, density = require(piece.delta), require(piece.density).subs(S, EPSILON)
    if piece.inverse is None:
        statement = f"δ(ε) = P(L > ε) − e^ε Q(L > ε), at ε = L(t){tag}"
        over_t = [formulas.densities.outcome(piece.region)]
        return [prover.equal(statement, delta, p - _E * q, over_t, kind=Kind.DELTA)]
    first, second = sp.diff(delta, EPSILON), sp.diff(delta, EPSILON, 2)
    slope = prover.proves_equal(first, -_E * q, [loss_variable(piece, EPSILON)])
    bent = -_E * sp.diff(q, EPSILON) if slope else second - first
    rows = [
        ("δ(ε) = P(L > ε) − e^ε Q(L > ε)", delta, p - _E * q),
        ("δ′(ε) = −e^ε Q(L > ε)", first, -_E * q),
        ("δ″(ε) − δ′(ε) = ω(ε)", bent, density),
    ]
    over = [loss_variable(piece, EPSILON)]
    return [prover.equal(text + tag, left, right, over, kind=Kind.DELTA) for text, left, right in rows]


def _on_integers(formulas: Formulas, piece: Piece, prover: Prover, tag: str) -> list[Obligation]:
    """The integers with L ≥ ε are those from ⌈L⁻¹(ε)⌉ on, or up to ⌊L⁻¹(ε)⌋, as L⁻¹ is monotone."""
    statement, expected = f"δ(ε) sums p − e^ε q over L ≥ ε{tag}", _cut(formulas, piece, prover)
    over = [loss_variable(piece, EPSILON)]
    return [prover.equal(statement, require(piece.delta), expected, over, kind=Kind.DELTA)]


def _cut(formulas: Formulas, piece: Piece, prover: Prover) -> sp.Expr:
    """(P − e^ε Q)(L > ε) for ε inside the range of a piece."""
    t, region = formulas.outcome, piece.region
    if piece.inverse is None:
        return sp.nan
    if not formulas.densities.is_integer:
        p, q = tails(piece, t, prover)
        return p - _E * q
    threshold = piece.inverse.subs(S, EPSILON)
    ends = (sp.ceiling(threshold), region.upper) if piece.trend == 1 else (region.lower, sp.floor(threshold))
    return sp.Sum(region.p - _E * region.q, (t, *ends))


def _uncut(formulas: Formulas, piece: Piece) -> sp.Expr:
    """P − e^ε Q over all of a piece."""
    region = piece.region
    if piece.masses is not None:
        return piece.masses[0] - _E * piece.masses[1]
    if not formulas.densities.is_integer:
        return sp.nan
    return sp.Sum(region.p - _E * region.q, (formulas.outcome, region.lower, region.upper))


@dataclass(frozen=True)
class _Branch:
    """A summand of δ(ε) that counts for ``above`` < ε < ``below``."""

    above: sp.Expr
    below: sp.Expr
    value: sp.Expr


def _restated(formulas: Formulas, prover: Prover) -> Iterator[_Branch]:
    for piece in formulas.pieces:
        low, high = piece.range
        yield _Branch(low, high, _cut(formulas, piece, prover))
        if low != -sp.oo:
            yield _Branch(-sp.oo, low, _uncut(formulas, piece))
    for atom in formulas.atoms:
        if atom.loss == sp.oo:
            yield _Branch(-sp.oo, sp.oo, atom.p)
        elif atom.loss != -sp.oo:
            yield _Branch(-sp.oo, atom.loss, atom.p - _E * atom.q)


def _stored(delta: sp.Expr) -> Iterator[_Branch]:
    """The branches of a stored formula; NaN where a condition is not ε < θ or ε ≤ θ."""
    for term in sp.Add.make_args(delta):
        factors = sp.Mul.make_args(term)
        cases = [x for x in factors if isinstance(x, sp.Piecewise)]
        if not cases:
            yield _Branch(-sp.oo, sp.oo, term)
            continue
        factor, start = sp.Mul(*(x for x in factors if x is not cases[0])), -sp.oo
        for value, condition in cases[0].args:
            end = _end(condition)
            yield _Branch(start, end, factor * value)
            start = end
        if start != sp.oo:
            yield _Branch(start, sp.oo, sp.nan)


def _end(condition: sp.Basic) -> sp.Expr:
    """θ of ε < θ or ε ≤ θ, +∞ of what always holds, NaN of anything else."""
    if condition == sp.true:
        return sp.oo
    if not isinstance(condition, sp.StrictGreaterThan | sp.GreaterThan | sp.StrictLessThan | sp.LessThan):
        return sp.nan
    gap = sp.expand(condition.gts - condition.lts)
    slope = -gap.coeff(EPSILON, 1)
    threshold = (
        sp.expand(gap + slope * EPSILON) / slope if isinstance(slope, sp.Rational) and slope > 0 else sp.nan
    )
    return sp.nan if threshold.has(EPSILON) else threshold


def _total(formulas: Formulas, prover: Prover) -> Obligation:
    """Interval by interval, what is stored minus what is restated adds up to 0."""
    statement = "δ(ε) is the sum over pieces and atoms"
    groups: list[tuple[_Branch, sp.Expr, sp.Expr]] = []
    for branch in _stored(require(formulas.delta)):
        groups = _added(groups, branch, prover, lambda s, r, value: (s + value, r))
    for branch in _restated(formulas, prover):
        groups = _added(groups, branch, prover, lambda s, r, value: (s, r + value))
    for branch, stored, restated in groups:
        shown = prover.equal(statement, stored, restated, [_between(branch)], kind=Kind.DELTA)
        if shown.state is not State.PROVED:
            return shown
    how = f"on each of {len(groups)} intervals of ε the branches add up to the masses above ε"
    return Obligation(Kind.DELTA, statement, State.PROVED, how)


Group = tuple[_Branch, sp.Expr, sp.Expr]
Adding = Callable[[sp.Expr, sp.Expr, sp.Expr], tuple[sp.Expr, sp.Expr]]


def _added(groups: list[Group], branch: _Branch, prover: Prover, add: Adding) -> list[Group]:
    """The groups with one branch more, put to the others with the same ends."""
    for i, (first, stored, restated) in enumerate(groups):
        if _same(first.above, branch.above, prover) and _same(first.below, branch.below, prover):
            return [*groups[:i], (first, *add(stored, restated, branch.value)), *groups[i + 1 :]]
    zero = sp.Integer(0)
    return [*groups, (branch, *add(zero, zero, branch.value))]


def _same(first: sp.Expr, second: sp.Expr, prover: Prover) -> bool:
    if first == second or first.is_infinite or second.is_infinite:
        return bool(first == second)
    return prover.proves_equal(sp.exp(first), sp.exp(second))


def _between(branch: _Branch) -> Variable:
    low, high = (
        sp.Integer(0) if end == -sp.oo else end if end == sp.oo else sp.exp(end)
        for end in (branch.above, branch.below)
    )
    return Variable(EPSILON, low, high, logarithmic=True)
