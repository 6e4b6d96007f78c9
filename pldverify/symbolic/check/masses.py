"""Masses of pieces and atoms: antiderivatives are differentiated, their values at the ends restated."""

import sympy as sp

from pldverify.symbolic.check.limits import between
from pldverify.symbolic.check.pieces import loss_variable, positive_densities
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities, Region, S
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece, require
from pldverify.symbolic.model.obligation import Kind, Obligation


def piece_masses(densities: Densities, piece: Piece, prover: Prover, tag: str) -> list[Obligation]:
    """F' = p on the piece for both antiderivatives, and its masses."""
    t, result = densities.symbol, []
    stored = [("P", piece.region.p, piece.p_integral, 0), ("Q", piece.region.q, piece.q_integral, 1)]
    for name, density, f, i in stored:
        if f is None:
            continue
        statement = f"the antiderivative of {name} is one{tag}"
        result.append(_derivative(statement, densities, piece.region, f, density, prover))
        if piece.masses is not None:
            mass = require(between(f, t, piece.region.lower, piece.region.upper, prover.sign))
            statement = f"{name} mass of the piece{tag}"
            result.append(prover.equal(statement, piece.masses[i], mass, kind=Kind.MASS))
    if not densities.is_integer and piece.p_integral is not None and piece.inverse is not None:
        below = piece.trend * sp.diff(piece.p_integral.subs(t, piece.inverse), S)
        density, over = require(piece.density), [loss_variable(piece)]
        result.append(
            prover.equal(f"d/ds P(L ≤ s) = ω(s){tag}", below, density, over, kind=Kind.LOSS_DENSITY)
        )
    return result


def _derivative(
    statement: str, densities: Densities, region: Region, f: sp.Expr, density: sp.Expr, prover: Prover
) -> Obligation:
    t = densities.symbol
    change = f.subs(t, t + 1) - f if densities.is_integer else sp.diff(f, t)
    return prover.equal(statement, change, density, [densities.outcome(region)], kind=Kind.MASS)


def atom_obligations(densities: Densities, atom: Atom, prover: Prover) -> list[Obligation]:
    """One loss on all of the atom's outcomes, and its masses from the densities."""
    where = f"t ∈ [{atom.region.lower}, {atom.region.upper}]".replace("-oo", "−∞").replace("oo", "∞")
    result = positive_densities(densities, atom.region, prover, f" on {where}")
    over = [densities.outcome(atom.region)]
    if atom.loss.is_infinite:
        vanishing = atom.region.q if atom.loss == sp.oo else atom.region.p
        name = "q" if atom.loss == sp.oo else "p"
        result.append(
            prover.equal(f"atom at {where}: {name} = 0", vanishing, sp.Integer(0), over, kind=Kind.ATOM)
        )
    else:
        odds = sp.exp(atom.loss)
        for statement, left, right in (
            ("P = e^L Q", atom.p, odds * atom.q),
            ("p(t)/q(t) = e^L", atom.region.p, odds * atom.region.q),
        ):
            result.append(prover.equal(f"atom at {where}: {statement}", left, right, over, kind=Kind.ATOM))
    for name, density, mass, f in (
        ("P", atom.region.p, atom.p, atom.p_integral),
        ("Q", atom.region.q, atom.q, atom.q_integral),
    ):
        result += _atom_mass(name, where, densities, atom.region, density, mass, f, prover)
    return result


def _atom_mass(
    name: str,
    where: str,
    densities: Densities,
    region: Region,
    density: sp.Expr,
    mass: sp.Expr,
    f: sp.Expr | None,
    prover: Prover,
) -> list[Obligation]:
    t, statement = densities.symbol, f"{name} mass of {where}"
    if density == 0:
        return [prover.equal(statement, mass, sp.Integer(0), kind=Kind.ATOM)]
    if densities.is_integer and region.lower == region.upper:
        return [same_number(statement, mass, density.subs(t, region.lower), prover)]
    f = require(f)
    value = require(between(f, t, region.lower, region.upper, prover.sign))
    return [
        _derivative(f"the antiderivative of {name} on {where} is one", densities, region, f, density, prover),
        prover.equal(statement, mass, value, kind=Kind.ATOM),
    ]


def same_number(statement: str, mass: sp.Expr, value: sp.Expr, prover: Prover) -> Obligation:
    """Equal masses; binomial coefficients by the recurrence of the gamma function."""
    if mass.has(sp.binomial) or value.has(sp.binomial):
        mass, value = sp.combsimp(mass / value), sp.Integer(1)
    return prover.equal(statement, mass, value, kind=Kind.ATOM)


def infinite_mass(formulas: Formulas, prover: Prover) -> Obligation:
    """δ_∞ is the mass of P where q = 0."""
    only_p = [atom.p for atom in formulas.atoms if atom.region.q == 0]
    left, right = formulas.delta_infinity, sp.Add(*only_p)
    if left.has(sp.binomial):
        left, right = sp.combsimp(left - right), sp.Integer(0)
    return prover.equal("δ_∞ = P(q = 0)", left, right, kind=Kind.ATOM)
