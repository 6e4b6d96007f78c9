r"""The obligations of a derivation, proved from the formulas that it stores.

``obligations(forward, backward)`` takes the derivations of P‖Q and Q‖P, made independently of each other,
and checks everything that ties the formulas together. It looks at nothing but the stored formulas, so a
derivation with a wrong inverse, Jacobian or density fails here, however it came about.
"""

import sympy as sp
from flint import ctx

from pldverify.symbolic.antiderivative import between
from pldverify.symbolic.densities import EPSILON, LAMBDA, Region, S
from pldverify.symbolic.derivation import Atom, Derivation, Piece
from pldverify.symbolic.domain import Variable
from pldverify.symbolic.limits import loss_limit
from pldverify.symbolic.lowering.to_arb import ball
from pldverify.symbolic.machine import lattice_delta, outcome_box, tilted_integral, total_delta
from pldverify.symbolic.measure import ROUGHEST_TOTAL, TOTAL_BITS, total_mass
from pldverify.symbolic.obligation import Obligation, State
from pldverify.symbolic.prover import Prover


def obligations(forward: Derivation, backward: Derivation) -> tuple[Obligation, ...]:
    """All obligations of P‖Q; ``backward`` is the derivation of Q‖P."""
    prover = Prover(forward.densities.domain)
    result: list[Obligation] = []
    for i, piece in enumerate(forward.pieces):
        check = _PieceCheck(forward, piece, prover, f" [{i + 1}]" if len(forward.pieces) > 1 else "")
        result += check.lattice() if forward.densities.whole else check.continuous()
    for atom in forward.atoms:
        result += _atom(forward, atom, prover)
    result += _totals(forward, prover)
    result.append(
        _structural(
            "δ(ε) is the sum over pieces and atoms",
            total_delta(forward.pieces, forward.atoms) == forward.delta,
        )
    )
    result += _reversed(forward, backward, prover)
    result += _duality(forward, backward, prover)
    return tuple(result)


def loss_variable(piece: Piece, symbol: sp.Symbol = S) -> Variable:
    """The loss as a variable on the range of a piece, by e^s."""
    low, high = (sp.Integer(0) if e == -sp.oo else e if e == sp.oo else sp.exp(e) for e in piece.range)
    return Variable(symbol, low, high, logarithmic=True)


class _PieceCheck:
    def __init__(self, derivation: Derivation, piece: Piece, prover: Prover, tag: str) -> None:
        self.derivation, self.piece, self.prover, self.tag = derivation, piece, prover, tag
        self.t = derivation.outcome
        self.over_t = [derivation.densities.outcome(piece.region)]
        self.over_s = [loss_variable(piece)]

    def equal(self, statement: str, left: sp.Expr, right: sp.Expr, variables: list[Variable]) -> Obligation:
        return self.prover.equal(statement + self.tag, left, right, variables)

    def continuous(self) -> list[Obligation]:
        piece = self.piece
        result = [*self.loss(), self.trend(), *self.range()]
        result.append(
            self.equal(
                "L″ is the derivative of L′",
                sp.diff(piece.slope, self.t),
                some(piece.curvature),
                self.over_t,
            )
        )
        if piece.inverse is None:
            return [*result, *self.implicit(), *self.integrals()]
        result += [*self.inverse(), *self.change_of_variables(), *self.integral(), *self.threshold()]
        return result

    def lattice(self) -> list[Obligation]:
        result = [*self.loss(), self.trend(), *self.range(), *self.integrals()]
        if self.piece.inverse is None:
            return result
        same = lattice_delta(self.piece, self.t).delta == self.piece.delta
        statement = f"δ(ε) sums p − e^ε q over L ≥ ε{self.tag}"
        return [*result, *self.inverse(), _structural(statement, same)]

    def loss(self) -> list[Obligation]:
        piece, whole = self.piece, self.derivation.densities.whole
        step = piece.loss.subs(self.t, self.t + 1) - piece.loss if whole else sp.diff(piece.loss, self.t)
        name = "L(t+1) − L(t) is the stored difference" if whole else "L′ is the derivative of L"
        over = [self.inner()] if whole else self.over_t
        if piece.region.ratio is None:
            first = self.equal(
                "e^L(t) = p(t)/q(t)", sp.exp(piece.loss), piece.region.p / piece.region.q, self.over_t
            )
        else:
            first = _binomial_ratio(
                f"e^L(t) = p(t)/q(t){self.tag}", piece, self.derivation.densities.domain.facts()
            )
        return [
            first,
            *_positive_densities(self.derivation, piece.region, self.prover, self.tag),
            self.equal(name, step, piece.slope, over),
        ]

    def inner(self) -> Variable:
        """Integers t for which t + 1 is in the region too."""
        upper = self.piece.region.upper
        last = upper if upper.is_infinite else upper - 1
        return Variable(self.t, self.piece.region.lower, last, whole=True)

    def trend(self) -> Obligation:
        piece, densities = self.piece, self.derivation.densities
        word = "increasing" if piece.trend == 1 else "decreasing"
        sign = ">" if piece.trend == 1 else "<"
        what = "L(t+1) − L(t)" if densities.whole else "L′"
        over = [self.inner()] if densities.whole else self.over_t
        box = outcome_box(densities, piece.region)
        return self.prover.positive(
            f"L is strictly {word}: {what} {sign} 0{self.tag}", piece.trend * piece.slope, over, box=box
        )

    def range(self) -> list[Obligation]:
        region, ends = self.piece.region, self.piece.range
        found = [
            loss_limit(region, self.piece.loss, self.t, end, self.prover)
            for end in (region.lower, region.upper)
        ]
        found = found if self.piece.trend == 1 else found[::-1]
        same = all(self._same_end(a, b) for a, b in zip(found, ends, strict=True))
        how = "values at finite ends, dominant exponentials at ±∞; L is continuous and strictly monotone"
        if self.derivation.densities.whole:
            how = "values at the extreme outcomes; L is strictly monotone"
        state = State.PROVED if same else State.FAILED
        return [
            Obligation(
                f"range of L: {_interval(ends)}{self.tag}",
                state,
                how if same else f"no proof found: limits {found}",
            )
        ]

    def _same_end(self, found: sp.Expr | None, stored: sp.Expr) -> bool:
        if found is None or found.is_infinite or stored.is_infinite:
            return bool(found == stored)
        return bool(self.prover.how_equal(sp.exp(found), sp.exp(stored)))

    def inverse(self) -> list[Obligation]:
        piece = self.piece
        first = self.equal("L(L⁻¹(s)) = s", piece.loss.subs(self.t, piece.inverse), S, self.over_s)
        second = self.equal("L⁻¹(L(t)) = t", some(piece.inverse).subs(S, piece.loss), self.t, self.over_t)
        if second.state is State.FAILED and not second.disproved and first.state is State.PROVED:
            inside = self._lands_inside()
            if inside:
                second = Obligation(
                    second.statement, State.PROVED, f"L is injective, L(L⁻¹(s)) = s, and {inside}"
                )
        return [first, second]

    def real_inverse(self) -> Obligation:
        """Logarithms and roots in L⁻¹ have positive arguments on the range, and L⁻¹(s) is in the region."""
        inverse = some(self.piece.inverse)
        statement = f"L⁻¹(s) is real and in the region{self.tag}"
        doubtful = self.prover.undefined(inverse, self.over_s)
        inside = self._lands_inside()
        if not doubtful and inside:
            how = f"arguments of logarithms and roots are positive by signs of coefficients; {inside}"
            return Obligation(statement, State.PROVED, how)
        return Obligation(
            statement, State.FAILED, f"no proof found: sign of {doubtful}" if doubtful else "no proof found"
        )

    def _lands_inside(self) -> str:
        """Why L⁻¹(s) lies in the region: always, for all reals; else by proved signs."""
        region = self.piece.region
        if region.lower.is_infinite and region.upper.is_infinite:
            return "the outcomes are all reals"
        inverse = some(self.piece.inverse)
        gaps = [inverse - region.lower] if not region.lower.is_infinite else []
        gaps += [region.upper - inverse] if not region.upper.is_infinite else []
        if all(self.prover.sign(gap, self.over_s) == 1 for gap in gaps):
            return "L⁻¹(s) lies in the region"
        return ""

    def change_of_variables(self) -> list[Obligation]:
        piece, t = self.piece, self.t
        inverse, jacobian, density = some(piece.inverse), some(piece.jacobian), some(piece.density)
        chain = piece.slope.subs(t, inverse) * jacobian
        curved = -some(piece.curvature).subs(t, inverse) * jacobian**3
        return [
            self.real_inverse(),
            self.equal("d/ds L⁻¹(s) is the stored Jacobian", sp.diff(inverse, S), jacobian, self.over_s),
            self.equal("L′(L⁻¹(s)) · dL⁻¹/ds = 1", chain, sp.Integer(1), self.over_s),
            self.equal("d²L⁻¹/ds² = −L″(L⁻¹(s)) (dL⁻¹/ds)³", some(piece.jacobian_slope), curved, self.over_s),
            self.equal(
                "ω(s) = p(L⁻¹(s)) |dL⁻¹/ds|",
                density,
                piece.trend * piece.region.p.subs(t, inverse) * jacobian,
                self.over_s,
            ),
            self.positive_density(),
            self.equal("ω′ = d/ds ω", sp.diff(density, S), some(piece.density_first), self.over_s),
            self.equal(
                "ω″ = d/ds ω′", sp.diff(some(piece.density_first), S), some(piece.density_second), self.over_s
            ),
        ]

    def positive_density(self) -> Obligation:
        """ω > 0 from p > 0 on the region and the sign of L', for which the stored ω must be p/|L'|."""
        piece, t = self.piece, self.t
        statement = f"ω(s) > 0 on its support{self.tag}"
        signs = (
            self.prover.sign(piece.region.p, self.over_t),
            self.prover.sign(piece.trend * piece.slope, self.over_t),
        )
        quotient = piece.trend * piece.region.p / piece.slope
        if signs == (1, 1) and self.prover.how_equal(
            some(piece.density), quotient.subs(t, piece.inverse), self.over_s
        ):
            return Obligation(
                statement, State.PROVED, "ω(s) = p/|L′| at t = L⁻¹(s), with p > 0 and |L′| > 0 proved in t"
            )
        return self.prover.positive(statement, some(piece.density), self.over_s)

    def implicit(self) -> list[Obligation]:
        """The same statements at t = L⁻¹(s), which exists once and only once since L is strictly monotone."""
        piece, t = self.piece, self.t
        jacobian, density = some(piece.jacobian), some(piece.density)
        result = [
            Obligation(
                f"L(t) = s has one and only one solution t = L⁻¹(s){self.tag}",
                State.PROVED,
                "L is continuous and strictly monotone with the stated range",
            )
            if self.trend().state is State.PROVED and self.range()[0].state is State.PROVED
            else Obligation(
                f"L(t) = s has one and only one solution t = L⁻¹(s){self.tag}",
                State.FAILED,
                "no proof found: monotonicity on all outcomes, or the range, is not proved",
            ),
            self.equal(
                "dL⁻¹/ds = 1/L′(t) (implicit function)", jacobian * piece.slope, sp.Integer(1), self.over_t
            ),
            self.equal(
                "d²L⁻¹/ds² = −L″/L′³",
                some(piece.jacobian_slope),
                -some(piece.curvature) * jacobian**3,
                self.over_t,
            ),
            self.equal(
                "ω(L(t)) |L′(t)| = p(t)", density * piece.trend * piece.slope, piece.region.p, self.over_t
            ),
            self.equal(
                "ω′(L(t)) = dω/dt / L′(t)",
                sp.diff(density, t) / piece.slope,
                some(piece.density_first),
                self.over_t,
            ),
            self.equal(
                "ω″(L(t)) = dω′/dt / L′(t)",
                sp.diff(some(piece.density_first), t) / piece.slope,
                some(piece.density_second),
                self.over_t,
            ),
        ]
        return result

    def integral(self) -> list[Obligation]:
        """P(L ≤ s) has the derivative ω."""
        piece, t = self.piece, self.t
        result = self.integrals()
        if piece.p_integral is not None:
            below = piece.trend * sp.diff(piece.p_integral.subs(t, piece.inverse), S)
            result.append(self.equal("d/ds P(L ≤ s) = ω(s)", below, some(piece.density), self.over_s))
        return result

    def integrals(self) -> list[Obligation]:
        """The stored antiderivatives are such, and the masses are their values at the ends."""
        piece, t, result = self.piece, self.t, []
        stored = [("P", piece.region.p, piece.p_integral, 0), ("Q", piece.region.q, piece.q_integral, 1)]
        for name, density, f, i in stored:
            if f is None:
                continue
            change = f.subs(t, t + 1) - f if t.is_integer else sp.diff(f, t)
            result.append(self.equal(f"the antiderivative of {name} is one", change, density, self.over_t))
            if piece.masses is not None:
                mass = between(f, t, piece.region.lower, piece.region.upper, self.prover.sign)
                result.append(self.equal(f"{name} mass of the piece", piece.masses[i], some(mass), []))
        return result

    def threshold(self) -> list[Obligation]:
        """δ″ − δ′ = ω and δ′ = −e^ε Q(L > ε); with δ → 0 at the upper end these determine δ(ε)."""
        piece = self.piece
        if piece.delta is None:
            return []
        over = [loss_variable(piece, EPSILON)]
        ends = (some(piece.inverse).subs(S, EPSILON), piece.region.upper)
        ends = ends if piece.trend == 1 else (piece.region.lower, ends[0])
        tail = between(some(piece.q_integral), self.t, *ends, self.prover.sign)
        above = between(some(piece.p_integral), self.t, *ends, self.prover.sign)
        whole = some(above) - sp.exp(EPSILON) * some(tail)
        first = self.equal(
            "δ′(ε) = −e^ε Q(L > ε)", sp.diff(piece.delta, EPSILON), -sp.exp(EPSILON) * some(tail), over
        )
        statement, density = "δ″(ε) − δ′(ε) = ω(ε)", some(piece.density).subs(S, EPSILON)
        second = self.equal(statement, -sp.exp(EPSILON) * sp.diff(some(tail), EPSILON), density, over)
        if first.state is not State.PROVED:
            second = self.equal(
                statement, sp.diff(piece.delta, EPSILON, 2) - sp.diff(piece.delta, EPSILON), density, over
            )
        return [self.equal("δ(ε) = P(L > ε) − e^ε Q(L > ε)", piece.delta, whole, over), first, second]


def _structural(statement: str, same: bool) -> Obligation:
    """A statement about how formulas are put together, checked by comparing expression trees."""
    how = (
        "the stored expression is the one that the definition gives"
        if same
        else "no proof found: it is another one"
    )
    return Obligation(statement, State.PROVED if same else State.FAILED, how)


def _positive_densities(
    derivation: Derivation, region: Region, prover: Prover, tag: str = ""
) -> list[Obligation]:
    """p > 0 and q > 0 where they are not identically 0; binomial probabilities are positive by their form."""
    over = [derivation.densities.outcome(region)]
    found = []
    for name, density in (("p", region.p), ("q", region.q)):
        if density != 0 and not density.has(sp.binomial):
            found.append(prover.positive(f"{name}(t) > 0{tag}", density, over))
    return found


def _binomial_ratio(statement: str, piece: Piece, facts: list[sp.Expr]) -> Obligation:
    """p/q = e^L for densities with binomial coefficients, by the recurrence of the gamma function."""
    named = {fact: sp.Dummy("f", positive=True) for fact in facts}
    quotients = _termwise(piece.region.p, piece.region.q, named)
    odds = sp.exp(piece.loss)
    if quotients is None:
        quotients, odds = _termwise(piece.region.q, piece.region.p, named), 1 / odds
    if quotients is not None and sp.cancel(sp.together(quotients - odds.xreplace(named))) == 0:
        return Obligation(statement, State.PROVED, "binomial coefficients cancel by Γ(x + 1) = x Γ(x)")
    return Obligation(statement, State.FAILED, f"no proof found: the quotient is {quotients}")


def _termwise(top: sp.Expr, bottom: sp.Expr, named: dict[sp.Expr, sp.Expr]) -> sp.Expr | None:
    """Σ of the terms of ``top``, each divided by the one term ``bottom``; None if that has more terms."""
    below = sp.expand(bottom)
    if isinstance(below, sp.Add):
        return None
    terms = (
        sp.powsimp(term.xreplace(named) / below.xreplace(named)) for term in sp.Add.make_args(sp.expand(top))
    )
    return sp.Add(*(sp.combsimp(term) for term in terms))


def some(expression: sp.Expr | None) -> sp.Expr:
    """An expression that the branch at hand knows to be there; NaN, which no proof accepts, if it is not."""
    return sp.nan if expression is None else expression


def _interval(ends: tuple[sp.Expr, sp.Expr]) -> str:
    return f"({ends[0]}, {ends[1]})".replace("-oo", "−∞").replace("oo", "∞")


def _atom(derivation: Derivation, atom: Atom, prover: Prover) -> list[Obligation]:
    """The stored loss of an atom is the logarithm of its mass ratio, and the masses are integrals."""
    from pldverify.symbolic.machine import integral

    where = f"t ∈ [{atom.region.lower}, {atom.region.upper}]".replace("-oo", "−∞").replace("oo", "∞")
    result = _positive_densities(derivation, atom.region, prover, f" on {where}")
    if not atom.loss.is_infinite:
        result.append(prover.equal(f"atom at {where}: P = e^L Q", atom.p, sp.exp(atom.loss) * atom.q))
        over = [derivation.densities.outcome(atom.region)]
        result.append(
            prover.equal(
                f"atom at {where}: p(t)/q(t) = e^L", atom.region.p, sp.exp(atom.loss) * atom.region.q, over
            )
        )
    if atom.region.lower != atom.region.upper:
        for name, density, mass in (("P", atom.region.p, atom.p), ("Q", atom.region.q, atom.q)):
            if density != 0:
                value = integral(derivation.densities, atom.region, density, prover)
                result.append(prover.equal(f"{name} mass of {where}", some(value), mass))
    return result


def _totals(derivation: Derivation, prover: Prover) -> list[Obligation]:
    """∫ω = 1 − δ_∞, which with the atoms says that P (and Q) have total mass 1."""
    densities, result = derivation.densities, []
    for name, index in (("P", 0), ("Q", 1)):
        masses = [(atom.p, atom.q)[index] for atom in derivation.atoms]
        known = [piece.masses for piece in derivation.pieces]
        statement = "∫ω = 1 − δ_∞" if name == "P" else "∫e^(−s) ω(s) ds = Q(p > 0)"
        if all(m is not None for m in known):
            total = sp.Add(*masses, *(m[index] for m in known if m is not None))
            result.append(prover.equal(f"{statement} ({name} has total mass 1)", total, sp.Integer(1)))
        else:
            result.append(_named_total(derivation, name, index, statement, prover))
    del densities
    return result


def _named_total(derivation: Derivation, name: str, index: int, statement: str, prover: Prover) -> Obligation:
    """Total mass of a density that is f(t)/Σf, or whose total is a named theorem."""
    densities, t = derivation.densities, derivation.outcome
    statement = f"{statement} ({name} has total mass 1)"
    if len(densities.regions) == 1:
        region = densities.regions[0]
        density = (region.p, region.q)[index]
        for series in density.atoms(sp.Sum):
            ((dummy, low, high),) = series.limits
            if (low, high) != (-sp.oo, sp.oo) or (region.lower, region.upper) != (low, high):
                continue
            for shift in (0, 1, -1):
                term = series.function.subs(dummy, t + shift)
                if prover.how_equal(density * series, term, [densities.outcome(region)]):
                    return Obligation(
                        statement,
                        State.PROVED,
                        f"{name} is the term of its normalising series, shifted by {shift}",
                    )
    if densities.totals:
        return Obligation(statement, State.PROVED, densities.totals)
    written = [densities.outcome(r).terms((r.p, r.q)[index]) for r in densities.regions]
    if all(written):
        return prover.equal(statement, sp.Add(*(term for terms in written for term in terms)), sp.Integer(1))
    with ctx.workprec(TOTAL_BITS):
        enclosed = None if densities.domain.intervals else total_mass(densities, index)
    if enclosed is None or not enclosed.rad() < ball(ROUGHEST_TOTAL):
        return Obligation(statement, State.FAILED, "no proof found: no antiderivative of known form")
    if not enclosed.contains(1):
        return Obligation(statement, State.FAILED, f"disproved: it is {enclosed.str(20)}")
    how = f"it is {enclosed.str(20)}, by rigorous quadrature; enclosures carry what is left"
    return Obligation(statement, State.PROVED_ON_A_BOX, how)


def _reversed(forward: Derivation, backward: Derivation, prover: Prover) -> list[Obligation]:
    """KJH20s Lemma A.9 with the absolute Jacobian, piece by piece, and its form for atoms."""
    result = []
    name = "ω_P‖Q(s) = e^s ω_Q‖P(−s)"
    for i, (piece, other) in enumerate(zip(forward.pieces, backward.pieces, strict=True)):
        tag = f" [{i + 1}]" if len(forward.pieces) > 1 else ""
        over_t = [forward.densities.outcome(piece.region)]
        if forward.densities.whole:
            statement = f"{name}: L_Q‖P(t) = −L_P‖Q(t), so that p(t) = e^L q(t){tag}"
            result.append(prover.equal(statement, sp.exp(other.loss), sp.exp(-piece.loss), over_t))
            continue
        left, right = some(piece.density), some(other.density)
        if piece.inverse is not None and other.inverse is not None:
            found = prover.equal(name + tag, left, sp.exp(S) * right.subs(S, -S), [loss_variable(piece)])
        else:
            left = left if piece.inverse is None else left.subs(S, piece.loss)
            right = right if other.inverse is None else right.subs(S, other.loss)
            found = prover.equal(f"{name}, at s = L(t){tag}", left, sp.exp(piece.loss) * right, over_t)
        result.append(found)
    for atom, other_atom in zip(forward.atoms, backward.atoms, strict=True):
        same = prover.how_equal(atom.p, other_atom.q) and prover.how_equal(atom.q, other_atom.p)
        if not same:
            result.append(
                Obligation(
                    f"{name}: atom at L = {atom.loss}", State.FAILED, "no proof found: the atoms differ"
                )
            )
    return result


def _duality(forward: Derivation, backward: Derivation, prover: Prover) -> list[Obligation]:
    """M_Q‖P(λ) = M_P‖Q(−1−λ), for the integrands and for the closed forms."""
    result = []
    name = "M_Q‖P(λ) = M_P‖Q(−1−λ)"
    p, q = (sp.Symbol(letter, positive=True) for letter in ("p_t", "q_t"))
    left = sp.exp((LAMBDA + 1) * sp.log(q) - LAMBDA * sp.log(p))
    right = sp.exp((-1 - LAMBDA + 1) * sp.log(p) - (-1 - LAMBDA) * sp.log(q))
    result.append(prover.equal(f"{name}: equal integrands q^(λ+1) p^(−λ)", left, right))
    if forward.mgf is not None:
        result += _transform(forward, prover)
    if forward.mgf is not None and backward.mgf is not None:
        result.append(
            prover.equal(f"{name}: closed forms", backward.mgf, forward.mgf.subs(LAMBDA, -1 - LAMBDA))
        )
        result.append(prover.equal("M(0) = 1 − δ_∞", forward.mgf.subs(LAMBDA, 0), 1 - forward.delta_infinity))
    return result


def _transform(forward: Derivation, prover: Prover) -> list[Obligation]:
    """M(λ) is the sum of p e^{λL} over atoms and of ∫ p e^{λL} over pieces, by proved antiderivatives."""
    t, result = forward.outcome, []
    total = sp.Add(*(a.p * sp.exp(LAMBDA * a.loss) for a in forward.atoms if not a.loss.is_infinite))
    for piece in forward.pieces:
        f = some(tilted_integral(piece, t, prover))
        change = f.subs(t, t + 1) - f if t.is_integer else sp.diff(f, t)
        over = [forward.densities.outcome(piece.region)]
        integrand = piece.region.p * sp.exp(LAMBDA * piece.loss)
        result.append(prover.equal("the antiderivative of p e^(λL) is one", change, integrand, over))
        total += some(between(f, t, piece.region.lower, piece.region.upper, prover.sign))
    return [*result, prover.equal("M(λ) = E[e^(λL); L < ∞]", some(forward.mgf), total)]
