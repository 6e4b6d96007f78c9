r"""A monotone piece: loss, slope, range, inverse, Jacobian and ω, restated from p and q and proved in t or s.

Every statement is about the stored formulas, the densities and sympy's derivative; limits come from
:mod:`pldverify.symbolic.check.limits`.
"""

from dataclasses import replace

import sympy as sp

from pldverify.symbolic.check.box import outcome_box, steps
from pldverify.symbolic.check.limits import has_infinity, leading, limit
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import Densities, Region, S
from pldverify.symbolic.model.domain import Variable
from pldverify.symbolic.model.formulas import Formulas, Piece, require
from pldverify.symbolic.model.obligation import Kind, Obligation, State


def loss_variable(piece: Piece, symbol: sp.Symbol = S) -> Variable:
    """The loss as a variable on the range of a piece, by e^s."""
    low, high = (sp.Integer(0) if e == -sp.oo else e if e == sp.oo else sp.exp(e) for e in piece.range)
    return Variable(symbol, low, high, logarithmic=True)


def tagged(formulas: Formulas) -> list[tuple[Piece, str]]:
    """The pieces, each with what tells its statements from those of the others."""
    many = len(formulas.pieces) > 1
    return [(piece, f" [{i + 1}]" if many else "") for i, piece in enumerate(formulas.pieces)]


def piece_obligations(densities: Densities, piece: Piece, prover: Prover, tag: str) -> list[Obligation]:
    """Everything about one piece but its δ and its masses."""
    check = _Piece(densities, piece, prover, tag)
    result = [*check.loss(), check.trend(), check.range()]
    if densities.is_integer:
        return result if piece.inverse is None else [*result, *check.inverse(), check.real_inverse()]
    if piece.inverse is None:
        return [*result, *check.implicit()]
    return [*result, *check.inverse(), *check.change_of_variables()]


def positive_densities(
    densities: Densities, region: Region, prover: Prover, tag: str = ""
) -> list[Obligation]:
    """p > 0 and q > 0, without a pole or a jump, where they are not identically 0."""
    variable = densities.outcome(region)
    result = []
    for name, density in (("p", region.p), ("q", region.q)):
        if density != 0:
            named = _named(density, [variable], prover)
            statement = f"{name}(t) > 0{tag}"
            result += [
                prover.positive(statement, named, [variable], kind=Kind.POSITIVE),
                prover.continuous(f"{name} is continuous{tag}", named, variable),
            ]
    return result


def _named(density: sp.Expr, over: list[Variable], prover: Prover) -> sp.Expr:
    """Binomial coefficients as positive symbols, where n, k, n − k > −1: as Γ is positive on (0, ∞)."""
    named: dict[sp.Expr, sp.Symbol] = {}
    for coefficient in density.atoms(sp.binomial):
        n, k = coefficient.args
        if all(prover.sign(gap + 1, over) == 1 for gap in (n, k, n - k)):
            named[coefficient] = sp.Dummy(f"C{len(named)}", positive=True)
    return density.xreplace(named)


class _Piece:
    def __init__(self, densities: Densities, piece: Piece, prover: Prover, tag: str) -> None:
        self.densities, self.piece, self.prover, self.tag = densities, piece, prover, tag
        self.t = densities.symbol
        self.over_t = [densities.outcome(piece.region)]
        self.over_s = [loss_variable(piece)]

    def equal(
        self, kind: Kind, statement: str, left: sp.Expr, right: sp.Expr, variables: list[Variable]
    ) -> Obligation:
        return self.prover.equal(statement + self.tag, left, right, variables, kind=kind)

    def loss(self) -> list[Obligation]:
        piece, t = self.piece, self.t
        step, name = sp.diff(piece.loss, t), "L′ is the derivative of L"
        if self.densities.is_integer:
            step, name = piece.loss.subs(t, t + 1) - piece.loss, "L(t+1) − L(t) is the stored difference"
        return [
            self.prover.continuous(f"L is continuous{self.tag}", piece.loss, self.over_t[0]),
            self.ratio(),
            *positive_densities(self.densities, piece.region, self.prover, self.tag),
            self.equal(Kind.DERIVATIVE, name, step, piece.slope, [steps(self.densities, piece.region)]),
        ]

    def ratio(self) -> Obligation:
        statement, region = "e^L(t) = p(t)/q(t)", self.piece.region
        if any(x.has(self.t) for density in (region.p, region.q) for x in density.atoms(sp.binomial)):
            odds, quotient = self._without_binomials()
            found = self.equal(Kind.LOSS, statement, odds, quotient, self.over_t)
            if found.state is State.PROVED:
                self.prover.attack(sp.exp(self.piece.loss), region.p / region.q, self.over_t)
                return replace(found, how=f"binomial coefficients cancel by Γ(x + 1) = x Γ(x); {found.how}")
            return found
        return self.equal(Kind.LOSS, statement, sp.exp(self.piece.loss), region.p / region.q, self.over_t)

    def _without_binomials(self) -> tuple[sp.Expr, sp.Expr]:
        """e^L and p/q, or both upside down, term by term by the recurrence of the gamma function."""
        region, odds = self.piece.region, sp.exp(self.piece.loss)
        named = {fact: sp.Dummy("f", positive=True) for fact in self.densities.domain.facts()}
        back = {name: fact for fact, name in named.items()}
        for top, bottom, left in ((region.p, region.q, odds), (region.q, region.p, 1 / odds)):
            quotient = termwise(top, bottom, named)
            if quotient is not None:
                return left, quotient.xreplace(back)
        return odds, region.p / region.q

    def trend(self) -> Obligation:
        piece = self.piece
        word, sign = ("increasing", ">") if piece.trend == 1 else ("decreasing", "<")
        what = "L(t+1) − L(t)" if self.densities.is_integer else "L′"
        return self.prover.positive(
            f"L is strictly {word}: {what} {sign} 0{self.tag}",
            piece.trend * piece.slope,
            [steps(self.densities, piece.region)],
            kind=Kind.MONOTONE,
            box=outcome_box(self.densities, piece.region),
        )

    def range(self) -> Obligation:
        """e^L goes to the stored ends, towards the ends of the region; between them it is monotone."""
        region, ends = self.piece.region, self.piece.range
        found = [self.at_end(end) for end in (region.lower, region.upper)]
        found = found if self.piece.trend == 1 else found[::-1]
        statement = f"range of L: {_interval(ends)}{self.tag}"
        if not all(self._same_end(a, b) for a, b in zip(found, ends, strict=True)):
            return Obligation(Kind.RANGE, statement, State.FAILED, f"e^L goes to {found}")
        how = "values at finite ends, leading terms at ±∞; L is continuous and strictly monotone"
        if self.densities.is_integer:
            how = "values at the extreme outcomes, leading terms at ±∞; L is strictly monotone"
        return Obligation(Kind.RANGE, statement, State.PROVED, how)

    def at_end(self, end: sp.Expr) -> sp.Expr | None:
        """The limit of e^L = p/q at an end of the region."""
        region, t = self.piece.region, self.t
        if not end.is_infinite:
            value = sp.exp(self.piece.loss.subs(t, end))
            if not has_infinity(value) and value != 0:
                return value
        if isinstance(region.p, sp.Sum) or isinstance(region.q, sp.Sum):
            return self._limit_of_sums(end)
        return limit(region.p / region.q, t, end, self.prover.sign)

    def _limit_of_sums(self, end: sp.Expr) -> sp.Expr | None:
        """p/q of two finite sums, each as large as its leading term."""
        region, t, sign = self.piece.region, self.t, self.prover.sign
        side = 1 if end == sp.oo else -1
        top, bottom = (leading(density.subs(t, side * t), t, sign) for density in (region.p, region.q))
        if top is None or bottom is None:
            return None
        quotient = sp.powsimp(top.as_expression(t) / bottom.as_expression(t), combine="exp")
        return limit(quotient, t, sp.oo, sign)

    def _same_end(self, found: sp.Expr | None, stored: sp.Expr) -> bool:
        if found is None:
            return False
        if stored.is_infinite:
            return bool(found == (sp.oo if stored == sp.oo else 0))
        return not found.is_infinite and self.prover.proves_equal(found, sp.exp(stored))

    def inverse(self) -> list[Obligation]:
        piece, t = self.piece, self.t
        inverse = require(piece.inverse)
        first = self.equal(Kind.INVERSE, "L(L⁻¹(s)) = s", piece.loss.subs(t, inverse), S, self.over_s)
        second = self.equal(Kind.INVERSE, "L⁻¹(L(t)) = t", inverse.subs(S, piece.loss), t, self.over_t)
        if second.state is State.FAILED and not second.disproved and first.state is State.PROVED:
            inside = self._lands_inside()
            if inside is not None and not self.densities.is_integer:
                how = f"L is injective, L(L⁻¹(s)) = s, and {inside}"
                second = Obligation(Kind.INVERSE, second.statement, State.PROVED, how)
        return [first, second]

    def real_inverse(self) -> Obligation:
        """L⁻¹ is continuous, so that it is monotone between the outcomes too, and stays in the region."""
        statement = f"L⁻¹(s) is real and in the region{self.tag}"
        inverse = self.prover.continuous(statement, require(self.piece.inverse), self.over_s[0])
        inside = "L⁻¹(s) is continuous" if self.densities.is_integer else self._lands_inside()
        if inverse.state is State.FAILED or inside is None:
            how = inverse.how if inverse.state is State.FAILED else "that it lies in the region"
            return Obligation(Kind.INVERSE, statement, State.FAILED, how)
        return Obligation(Kind.INVERSE, statement, State.PROVED, f"{inverse.how}; {inside}")

    def _lands_inside(self) -> str | None:
        """Why L⁻¹(s) lies in the region: always, for all reals; else by proved signs."""
        region, inverse = self.piece.region, require(self.piece.inverse)
        if region.lower.is_infinite and region.upper.is_infinite:
            return "the outcomes are all reals"
        gaps = [inverse - region.lower] if not region.lower.is_infinite else []
        gaps += [region.upper - inverse] if not region.upper.is_infinite else []
        inside = all(self.prover.sign(gap, self.over_s) == 1 for gap in gaps)
        return "L⁻¹(s) lies in the region" if inside else None

    def change_of_variables(self) -> list[Obligation]:
        piece, t, over = self.piece, self.t, self.over_s
        inverse, jacobian, density = map(require, (piece.inverse, piece.jacobian, piece.density))
        chain = piece.slope.subs(t, inverse) * jacobian
        at_threshold = piece.trend * piece.region.p.subs(t, inverse) * jacobian
        rows = [
            (Kind.JACOBIAN, "d/ds L⁻¹(s) is the stored Jacobian", sp.diff(inverse, S), jacobian),
            (Kind.JACOBIAN, "L′(L⁻¹(s)) · dL⁻¹/ds = 1", chain, sp.Integer(1)),
            (Kind.LOSS_DENSITY, "ω(s) = p(L⁻¹(s)) |dL⁻¹/ds|", density, at_threshold),
        ]
        return [self.real_inverse(), *(self.equal(*row, over) for row in rows), self.positive_density()]

    def positive_density(self) -> Obligation:
        """ω > 0 from p > 0 on the region and the sign of L', for which the stored ω must be p/|L'|."""
        piece, t, statement = self.piece, self.t, f"ω(s) > 0 on its support{self.tag}"
        signs = [self.prover.sign(e, self.over_t) for e in (piece.region.p, piece.trend * piece.slope)]
        quotient = piece.trend * piece.region.p / piece.slope
        density = require(piece.density)
        if signs == [1, 1] and self.prover.proves_equal(
            density, quotient.subs(t, piece.inverse), self.over_s
        ):
            how = "ω(s) = p/|L′| at t = L⁻¹(s), with p > 0 and |L′| > 0 proved in t"
            return Obligation(Kind.LOSS_DENSITY, statement, State.PROVED, how)
        return self.prover.positive(statement, density, self.over_s, kind=Kind.LOSS_DENSITY)

    def implicit(self) -> list[Obligation]:
        """The same statements at t = L⁻¹(s), which exists once and only once since L is strictly monotone."""
        piece, over = self.piece, self.over_t
        inverted = require(piece.jacobian) * piece.slope
        mass = require(piece.density) * piece.trend * piece.slope
        rows = [
            (Kind.JACOBIAN, "dL⁻¹/ds = 1/L′(t) (implicit function)", inverted, sp.Integer(1)),
            (Kind.LOSS_DENSITY, "ω(L(t)) |L′(t)| = p(t)", mass, piece.region.p),
        ]
        return [self._unique(), *(self.equal(*row, over) for row in rows)]

    def _unique(self) -> Obligation:
        statement = f"L(t) = s has one and only one solution t = L⁻¹(s){self.tag}"
        if self.trend().state is State.PROVED and self.range().state is State.PROVED:
            how = "L is continuous and strictly monotone with the stated range"
            return Obligation(Kind.INVERSE, statement, State.PROVED, how)
        how = "monotonicity on all outcomes, or the range, is not proved"
        return Obligation(Kind.INVERSE, statement, State.FAILED, how)


def _interval(ends: tuple[sp.Expr, sp.Expr]) -> str:
    return f"({ends[0]}, {ends[1]})".replace("-oo", "−∞").replace("oo", "∞")


def termwise(top: sp.Expr, bottom: sp.Expr, named: dict[sp.Expr, sp.Expr]) -> sp.Expr | None:
    """Σ of the terms of ``top``, each divided by the one term ``bottom``; None if that has more terms."""
    below = sp.expand(bottom)
    if isinstance(below, sp.Add):
        return None
    terms = (
        sp.powsimp(term.xreplace(named) / below.xreplace(named)) for term in sp.Add.make_args(sp.expand(top))
    )
    return sp.Add(*(sp.combsimp(term) for term in terms))
