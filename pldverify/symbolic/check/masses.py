"""Masses of pieces and atoms: antiderivatives are differentiated, their values at the ends restated."""

from dataclasses import replace

import sympy as sp

from pldverify.symbolic.check.limits import between
from pldverify.symbolic.check.pieces import loss_variable, positive_densities
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities, Region, S
from pldverify.symbolic.model.formulas import Atom, Formulas, Piece, require
from pldverify.symbolic.model.obligation import Kind, Obligation, State


def piece_masses(densities: Densities, piece: Piece, prover: Prover, tag: str) -> list[Obligation]:
    """F' = p on the piece for both antiderivatives, and its masses."""
    t, result = densities.symbol, []
    stored = [("P", piece.region.p, piece.p_integral, 0), ("Q", piece.region.q, piece.q_integral, 1)]
    for name, density, f, i in stored:
        if f is None:
            continue
        result += derivative(f"{name}{tag}", densities, piece.region, f, density, prover, Kind.MASS)
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


def derivative(
    name: str, densities: Densities, region: Region, f: sp.Expr, density: sp.Expr, prover: Prover, kind: Kind
) -> list[Obligation]:
    """F' is the density, and F has no pole and no jump, so that masses are its differences."""
    t, variable = densities.symbol, densities.outcome(region)
    change = f.subs(t, t + 1) - f if densities.is_integer else sp.diff(f, t)
    statement = f"the antiderivative of {name} is "
    return [
        prover.equal(statement + "one", change, density, [variable], kind=kind),
        replace(prover.continuous(statement + "continuous", f, variable), kind=kind),
    ]


def atom_obligations(densities: Densities, atom: Atom, prover: Prover) -> list[Obligation]:
    """One loss on all of the atom's outcomes, and its masses from the densities."""
    ends = (atom.region.lower, atom.region.upper)
    left, right = ("[]" if densities.is_integer and end.is_finite else "()" for end in ends)
    where = f"t ∈ {left[0]}{ends[0]}, {ends[1]}{right[1]}".replace("-oo", "−∞").replace("oo", "∞")
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
        *derivative(f"{name} on {where}", densities, region, f, density, prover, Kind.ATOM),
        prover.equal(statement, mass, value, kind=Kind.ATOM),
    ]


def same_number(statement: str, mass: sp.Expr, value: sp.Expr, prover: Prover) -> Obligation:
    """Equal masses; binomial coefficients by the recurrence of the gamma function."""
    left, right = mass, value
    if mass.has(sp.binomial) or value.has(sp.binomial):
        left, right = sp.combsimp(mass / value), sp.Integer(1)
    found = prover.equal(statement, left, right, kind=Kind.ATOM)
    if found.state is State.PROVED:
        prover.attack(mass, value)
    return found


def infinite_mass(formulas: Formulas, prover: Prover) -> Obligation:
    """δ_∞ is the mass of P where q = 0."""
    only_p = [atom.p for atom in formulas.atoms if atom.region.q == 0]
    left, right = formulas.delta_infinity, sp.Add(*only_p)
    if left.has(sp.binomial):
        return same_number("δ_∞ = P(q = 0)", left, right, prover)
    return prover.equal("δ_∞ = P(q = 0)", left, right, kind=Kind.ATOM)
