r"""The builder: from two densities to every formula of their privacy loss.

Region by region: L by algebra; the sign of L' decides between a strictly monotone piece and an atom
(L constant); regions where L' changes sign at a known point are split there. Then range, inverse,
Jacobian, ω, δ(ε) and M(λ), each the definition applied to what stands before it.
Nothing here is believed: :mod:`pldverify.symbolic.check` restates everything from the two densities.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import sympy as sp

from pldverify.errors import InvalidInput, PldverifyError
from pldverify.symbolic.build.antiderivative import antiderivative, between, split_exponential
from pldverify.symbolic.build.limits import loss_limit
from pldverify.symbolic.build.loss import loss, solve_inverse
from pldverify.symbolic.check.box import outcome_box, steps
from pldverify.symbolic.check.polynomials import Irreducible
from pldverify.symbolic.check.prover import Prover, positive_on_box
from pldverify.symbolic.lowering.to_arb import to_arb
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Densities, Region, S
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece
from pldverify.symbolic.model.obligation import State

_SPLITS = 4
"""Cap on the zeros of L' at which one region is cut."""


def derive_formulas(densities: Densities, family: str, direction: str) -> Formulas:
    """All formulas of P‖Q, without obligations.

    Raises InvalidInput where the loss is not piecewise monotone with finitely many known pieces.
    """
    prover = Prover(densities.domain)
    pieces: list[Piece] = []
    atoms: list[Atom] = []
    for region in densities.regions:
        for part in _classify(densities, region, prover):
            (pieces if isinstance(part, Piece) else atoms).append(part)  # type: ignore[arg-type]
    infinite = [atom.p for atom in atoms if atom.loss == sp.oo]
    return Formulas(
        family=family,
        direction=direction,
        densities=densities,
        pieces=tuple(pieces),
        atoms=tuple(atoms),
        delta_infinity=sp.Add(*infinite),
        delta=total_delta(pieces, atoms),
        mgf=_mgf(densities, pieces, atoms, prover),
    )


def _classify(densities: Densities, region: Region, prover: Prover) -> Sequence[Piece | Atom]:
    t = densities.symbol
    if region.q == 0 or region.p == 0:
        return [_atom(densities, region, sp.oo if region.q == 0 else -sp.oo, prover)]
    try:
        formula = loss(region, t, _facts(densities, region))
        slope = formula.subs(t, t + 1) - formula if densities.is_integer else sp.diff(formula, t)
        if prover.generators([densities.outcome(region)]).is_zero(slope):
            return [_atom(densities, region, formula, prover)]
    except Irreducible as missing:
        raise InvalidInput(f"densities must be made of known functions, got {missing}") from None
    trend = _trend(densities, region, slope, prover)
    if trend is not None:
        return [_piece(densities, region, formula, slope, trend, prover)]
    parts = [_classify(densities, part, prover) for part in _split(densities, region, slope)]
    return [part for group in parts for part in group]


def _facts(densities: Densities, region: Region) -> list[sp.Expr]:
    """What is positive on the region by the intervals of the parameters and of a real outcome."""
    gaps = [] if densities.is_integer else [densities.symbol - region.lower, region.upper - densities.symbol]
    return [*densities.domain.facts(), *(gap for gap in gaps if not gap.has(sp.oo, -sp.oo))]


def _trend(densities: Densities, region: Region, slope: sp.Expr, prover: Prover) -> int | None:
    """The sign of L' on the region, by algebra or, if no zero of it is known, in balls on the stated box."""
    sign = prover.sign(slope, [steps(densities, region)])
    if sign in (1, -1):
        return sign
    box = outcome_box(densities, region)
    if box is not None and not any(zero.is_number for zero in _zeros(densities, region, slope) or ()):
        for direction in (1, -1):
            if positive_on_box(direction * slope, box):
                return direction
    return None


def _split(densities: Densities, region: Region, slope: sp.Expr) -> list[Region]:
    """The region cut at the zeros of L'. Raises InvalidInput where they are not known."""
    inside = _zeros(densities, region, slope)
    if inside is None:
        raise InvalidInput(
            "the loss must be piecewise monotone with pieces that can be found, "
            f"got L' = {slope}, whose sign on ({region.lower}, {region.upper}) is not decided"
        )
    if not inside or len(inside) > _SPLITS or (len(inside) > 1 and not all(z.is_number for z in inside)):
        raise InvalidInput(
            f"the loss must be piecewise monotone, got L' = {slope} without a sign on "
            f"({region.lower}, {region.upper})"
        )
    ends = [region.lower, *inside, region.upper]
    return [replace(region, lower=a, upper=b) for a, b in pairwise(ends)]


def _zeros(densities: Densities, region: Region, slope: sp.Expr) -> list[sp.Expr] | None:
    """Zeros of L' that may be inside of the region, rising; None if its numerator is no polynomial of
    degree 1 or 2.
    """
    t = densities.symbol
    numerator = sp.expand(sp.numer(sp.together(slope)))
    if densities.is_integer or not numerator.is_polynomial(t) or not 1 <= sp.degree(numerator, t) <= 2:
        return None
    zeros = [z for z in sp.roots(sp.Poly(numerator, t)) if z.is_real is not False]
    return sorted((z for z in zeros if _inside(z, region)), key=lambda z: float(z) if z.is_number else 0.0)


def _inside(point: sp.Expr, region: Region) -> bool:
    """Whether a zero of L' may be strictly inside the region (a parameter may hide it; then it is kept)."""
    below = region.lower.is_infinite or (point - region.lower).is_positive is not False
    above = region.upper.is_infinite or (region.upper - point).is_positive is not False
    return below and above and point not in (region.lower, region.upper)


def _atom(densities: Densities, region: Region, formula: sp.Expr, prover: Prover) -> Atom:
    t = densities.symbol
    masses: list[sp.Expr] = []
    integrals: list[sp.Expr | None] = []
    for density in (region.p, region.q):
        alone = densities.is_integer and region.lower == region.upper
        f = None if density == 0 or alone else proved_antiderivative(densities, region, density, prover)
        mass = density.subs(t, region.lower) if density == 0 or alone else _mass(densities, region, f, prover)
        if mass is None:
            raise InvalidInput(
                f"a region of constant loss must have a mass in closed form, got the density {density}"
            )
        masses.append(mass if alone else sp.expand(mass))
        integrals.append(f)
    ends = [end for end in (region.lower, region.upper) if not end.is_infinite]
    point = ends[0] if densities.is_integer and ends else region.inside
    value = formula if formula.is_infinite or not formula.has(t) else formula.subs(t, point)
    return Atom(region, value, masses[0], masses[1], integrals[0], integrals[1])


def integral(densities: Densities, region: Region, density: sp.Expr, prover: Prover) -> sp.Expr | None:
    """∫ (or Σ) of a density over a region, with a proved antiderivative; None if it has no known form."""
    return _mass(densities, region, proved_antiderivative(densities, region, density, prover), prover)


def _mass(densities: Densities, region: Region, f: sp.Expr | None, prover: Prover) -> sp.Expr | None:
    """The value of an antiderivative between the ends of a region."""
    return None if f is None else between(f, densities.symbol, region.lower, region.upper, prover.sign)


def proved_antiderivative(
    densities: Densities, region: Region, density: sp.Expr, prover: Prover
) -> sp.Expr | None:
    """F with F' = density on the region (integers: F(t+1) − F(t)), continuous, proved; else None."""
    t = densities.symbol
    f = antiderivative(density, t, prover.sign)
    if f is None:
        return None
    change = f.subs(t, t + 1) - f if densities.is_integer else sp.diff(f, t)
    over = densities.outcome(region)
    unbroken = prover.continuous("F is continuous", f, over).state is State.PROVED
    return f if unbroken and prover.proves_equal(change, density, [over]) else None


def _piece(
    densities: Densities, region: Region, formula: sp.Expr, slope: sp.Expr, trend: int, prover: Prover
) -> Piece:
    t = densities.symbol
    ends = (
        loss_limit(region, formula, t, region.lower, prover),
        loss_limit(region, formula, t, region.upper, prover),
    )
    if None in ends:
        raise InvalidInput(
            "the loss must have limits that can be found, "
            f"got L = {formula} on ({region.lower}, {region.upper})"
        )
    low, high = ends if trend == 1 else ends[::-1]
    facts = _facts(densities, region)
    inverse = solve_inverse(region, t, lambda found: _branch(densities, region, formula, found), facts)
    integrals = [
        proved_antiderivative(densities, region, density, prover) for density in (region.p, region.q)
    ]
    masses = [_mass(densities, region, f, prover) for f in integrals]
    piece = Piece(
        region=region,
        loss=formula,
        slope=slope,
        trend=trend,
        range=(low, high),
        inverse=inverse,
        jacobian=None,
        density=None,
        p_integral=integrals[0],
        q_integral=integrals[1],
        tilted_integral=_tilted_integral(region, t, prover),
        masses=None if None in masses else (sp.expand(masses[0]), sp.expand(masses[1])),
        delta=None,
    )
    return lattice_delta(piece, t) if densities.is_integer else _change_of_variables(piece, t, prover)


def _branch(
    densities: Densities, region: Region, formula: sp.Expr, found: Sequence[sp.Expr]
) -> sp.Expr | None:
    """The candidate inverse that returns a sample outcome from its loss; search, not proof."""
    t = densities.symbol
    variable, fresh = densities.outcome(region).expressed()
    parameters = next(densities.domain.samples(1))
    start = {x: Fraction(2) if x.is_integer else Fraction(2, 3) for x in (fresh or [t])}
    point = variable.subs(
        {s: sp.Rational(v.numerator, v.denominator) for s, v in {**parameters, **start}.items()}
    )
    outcome, values = to_arb(point, [])(), parameters.values()
    for candidate in found:
        try:
            loss = to_arb(formula, [*parameters, t])(*values, outcome).mid()
            back = to_arb(candidate, [*parameters, S])(*values, loss)
        except PldverifyError:
            continue
        if float(abs(back - outcome).mid()) <= 1e-6 * (1 + float(abs(back).mid())):
            return candidate
    return None


def _change_of_variables(piece: Piece, t: sp.Symbol, prover: Prover) -> Piece:
    """Jacobian and ω; as functions of s with a closed inverse, else of t = L⁻¹(s)."""
    p = piece.region.p
    if piece.inverse is None:
        jacobian = 1 / piece.slope
        return _threshold(replace(piece, jacobian=jacobian, density=piece.trend * p * jacobian), t, t, prover)
    jacobian = shorter(sp.diff(piece.inverse, S))
    density = piece.trend * p.subs(t, piece.inverse) * jacobian
    result = replace(piece, jacobian=jacobian, density=density)
    return _threshold(result, t, piece.inverse.subs(S, EPSILON), prover)


def shorter(expression: sp.Expr) -> sp.Expr:
    """The reduced fraction of a rational function of exponentials, if it is shorter; proved afterwards."""
    if any(not power.exp.is_integer for power in expression.atoms(sp.Pow)):
        return expression
    reduced = sp.factor(sp.cancel(sp.together(expression)))
    return min(expression, reduced, key=sp.count_ops)


def _threshold(piece: Piece, t: sp.Symbol, threshold: sp.Expr, prover: Prover) -> Piece:
    """P(L > ε) − e^ε Q(L > ε) on the piece, from the antiderivatives and the threshold L⁻¹(ε)."""
    if piece.p_integral is None or piece.q_integral is None:
        return piece
    region = piece.region
    ends = (threshold, region.upper) if piece.trend == 1 else (region.lower, threshold)
    tails = [between(f, t, *ends, prover.sign) for f in (piece.p_integral, piece.q_integral)]
    if None in tails:
        return piece
    return replace(piece, delta=tails[0] - sp.exp(EPSILON) * tails[1])


def lattice_delta(piece: Piece, t: sp.Symbol) -> Piece:
    """Σ (p − e^ε q) over the outcomes with L ≥ ε."""
    if piece.inverse is None:
        return piece
    threshold = piece.inverse.subs(S, EPSILON)
    region = piece.region
    ends = (sp.ceiling(threshold), region.upper) if piece.trend == 1 else (region.lower, sp.floor(threshold))
    return replace(piece, delta=sp.Sum(region.p - sp.exp(EPSILON) * region.q, (t, *ends)))


def total_delta(pieces: Sequence[Piece], atoms: Sequence[Atom]) -> sp.Expr | None:
    """δ(ε): every piece is all above, cut by, or all below ε; every atom counts its positive part."""
    total: sp.Expr = sp.Integer(0)
    for piece in pieces:
        if piece.inverse is None or piece.delta is None:
            return None
        low, high = piece.range
        cut = piece.delta if high == sp.oo else sp.Piecewise((piece.delta, high > EPSILON), (0, True))
        if low != -sp.oo:
            uncut = _uncut(piece)
            if uncut is None:
                return None
            branches = cut.args if isinstance(cut, sp.Piecewise) else [(cut, True)]
            cut = sp.Piecewise((uncut, low >= EPSILON), *branches)
        total += cut
    for atom in atoms:
        if atom.loss == sp.oo:
            total += atom.p
        elif atom.loss != -sp.oo:
            total += sp.Piecewise((atom.p - sp.exp(EPSILON) * atom.q, atom.loss > EPSILON), (0, True))
    return total


def _uncut(piece: Piece) -> sp.Expr | None:
    """P − e^ε Q over all of a piece; for integers without a closed form, the sum over the region."""
    if piece.masses is not None:
        return piece.masses[0] - sp.exp(EPSILON) * piece.masses[1]
    if not isinstance(piece.delta, sp.Sum):
        return None
    ((t, _, _),) = piece.delta.limits
    return sp.Sum(piece.delta.function, (t, piece.region.lower, piece.region.upper))


def _mgf(
    densities: Densities, pieces: Sequence[Piece], atoms: Sequence[Atom], prover: Prover
) -> sp.Expr | None:
    """M(λ) = ∫ p^{λ+1} q^{−λ}: atoms give p e^{λL}, pieces need p and q to be single exponentials in t."""
    t = densities.symbol
    total: sp.Expr = sp.Integer(0)
    for atom in atoms:
        if not atom.loss.is_infinite:
            total += atom.p * sp.exp(sp.expand(LAMBDA * atom.loss))
    for piece in pieces:
        f = piece.tilted_integral
        value = None if f is None else between(f, t, piece.region.lower, piece.region.upper, prover.sign)
        if value is None:
            return None
        total += sp.simplify(value)
    return total


def _tilted_integral(region: Region, t: sp.Symbol, prover: Prover) -> sp.Expr | None:
    """An antiderivative (antidifference) of p^{λ+1} q^{−λ}, if p and q are single exponentials in t."""
    (a, m), (b, n) = (split_exponential(density, t) for density in (region.p, region.q))
    if a is None or b is None:
        return None
    exponent = sp.expand((LAMBDA + 1) * m - LAMBDA * n)
    factor = a * sp.exp(sp.expand(LAMBDA * sp.expand_log(sp.log(a / b))))
    return antiderivative(sp.powsimp(factor * sp.exp(exponent), combine="exp"), t, prover.sign)
