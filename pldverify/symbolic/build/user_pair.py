"""Densities that a user writes in sympy: checked, with assumptions, and cut into smooth regions."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

import sympy as sp

from pldverify.balls import ctx
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import rational
from pldverify.symbolic.build.builder import integral
from pldverify.symbolic.check.measure import TOTAL_BITS, total_mass
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, Densities, Region, S
from pldverify.symbolic.model.domain import Domain, Variable
from pldverify.symbolic.model.obligation import Kind
from pldverify.symbolic.model.serial import is_name

_RESERVED = {S.name, EPSILON.name, LAMBDA.name}
Ranges = Mapping[sp.Symbol, tuple[object, object]]


def densities_of_user(
    p_expr: sp.Expr, q_expr: sp.Expr, symbol: sp.Symbol, assumptions: Ranges, box: Ranges
) -> Densities:
    """The pair as the builder takes it. Raises InvalidInput; see ``derive_pair``."""
    if not isinstance(symbol, sp.Symbol):
        raise InvalidInput(f"symbol must be a sympy symbol, got {symbol!r}")
    strangers = [s for s in (*assumptions, *box) if not isinstance(s, sp.Symbol)]
    if strangers:
        raise InvalidInput(f"assumptions and box must be of sympy symbols, got {strangers[0]!r}")
    expressions = {"p_expr": _expression(p_expr, "p_expr"), "q_expr": _expression(q_expr, "q_expr")}
    allowed = {symbol, *assumptions}
    for name, expression in expressions.items():
        unknown = sorted(str(s) for s in expression.free_symbols - allowed)
        if unknown:
            raise InvalidInput(f"{name} must use symbols of assumptions only, got {', '.join(unknown)}")
    names = sorted(s.name for s in allowed)
    strange = [name for name in names if not is_name(name)]
    if strange:
        raise InvalidInput(f"symbols must have names like those of Python, got {strange[0]}")
    if len(set(names)) < len(names):
        raise InvalidInput(f"symbols must have different names, got {', '.join(names)}")
    reserved = sorted({s.name for s in allowed} & _RESERVED)
    if reserved:
        raise InvalidInput(
            f"symbols must not be named like the letters of a derivation, got {', '.join(reserved)}"
        )
    lower, upper = _interval(symbol, assumptions.get(symbol, (-sp.oo, sp.oo)))
    outcome = sp.Symbol(symbol.name, integer=True) if symbol.is_integer else sp.Symbol(symbol.name, real=True)
    parameters = {s: _interval(s, ends) for s, ends in assumptions.items() if s != symbol}
    renamed = {s: _typed(s, ends) for s, ends in parameters.items()}
    bounded = {s: _box(s, ends, parameters) for s, ends in box.items() if s != symbol}
    boxes = {renamed[s]: ends for s, ends in bounded.items()}
    domain = Domain.of({renamed[s]: ends for s, ends in parameters.items()}, boxes)
    outcome_box = None
    if symbol in box:
        low, high = _box(symbol, box[symbol], {symbol: (lower, upper)})
        outcome_box = (
            sp.Rational(low.numerator, low.denominator),
            sp.Rational(high.numerator, high.denominator),
        )
    p, q = (e.subs({symbol: outcome, **renamed}) for e in expressions.values())
    regions = _regions(p, q, outcome, (lower, upper), domain)
    densities = Densities(f"density {p} against {q}", outcome, regions, domain, outcome_box=outcome_box)
    _check(densities)
    return densities


def _expression(value: object, name: str) -> sp.Expr:
    try:
        expression = sp.sympify(value, strict=True)
    except sp.SympifyError:
        raise InvalidInput(f"{name} must be a sympy expression, got {value!r}") from None
    if not isinstance(expression, sp.Expr) or expression.has(sp.nan, sp.zoo):
        raise InvalidInput(f"{name} must be a sympy expression, got {value!r}")
    if expression.has(sp.Float):
        raise InvalidInput(f"{name} must have exact numbers, such as Rational(1, 10), got {expression}")
    return expression


def _interval(symbol: sp.Symbol, ends: tuple[object, object]) -> tuple[sp.Expr, sp.Expr]:
    if not isinstance(ends, tuple | list) or len(ends) != 2:
        raise InvalidInput(f"assumptions must be (lower, upper) for each symbol, got {symbol}: {ends!r}")
    lower, upper = (_end(end, symbol) for end in ends)
    if not lower < upper:
        raise InvalidInput(f"assumptions must have lower < upper, got {symbol}: ({lower}, {upper})")
    return lower, upper


def _end(value: object, symbol: sp.Symbol) -> sp.Expr:
    if value in (sp.oo, -sp.oo, float("inf"), float("-inf")):
        return sp.oo if value in (sp.oo, float("inf")) else -sp.oo
    if isinstance(value, sp.Rational):
        return value
    exact = rational(value, f"bound of {symbol}")
    return sp.Rational(exact.numerator, exact.denominator)


def _typed(symbol: sp.Symbol, ends: tuple[sp.Expr, sp.Expr]) -> sp.Symbol:
    kind: dict[str, bool] = {"integer": True} if symbol.is_integer else {}
    return sp.Symbol(symbol.name, **kind, **({"positive": True} if ends[0] >= 0 else {"real": True}))


def _box(
    symbol: sp.Symbol, ends: tuple[object, object], parameters: Mapping[sp.Symbol, tuple[sp.Expr, sp.Expr]]
) -> tuple[Fraction, Fraction]:
    if symbol not in parameters:
        raise InvalidInput(f"box must name symbols of assumptions only, got {symbol}")
    lower, upper = _interval(symbol, ends)
    inside = parameters[symbol]
    if lower.is_infinite or upper.is_infinite or not (inside[0] <= lower and upper <= inside[1]):
        raise InvalidInput(f"box must be bounded and inside {inside}, got {symbol}: ({lower}, {upper})")
    return Fraction(int(lower.p), int(lower.q)), Fraction(int(upper.p), int(upper.q))


def _regions(
    p: sp.Expr, q: sp.Expr, t: sp.Symbol, support: tuple[sp.Expr, sp.Expr], domain: Domain
) -> tuple[Region, ...]:
    """Cut at the kinks of Abs, sign, Max, Min and Piecewise, and resolve these nodes on each part."""
    cuts: set[sp.Expr] = set()
    for node in (p + q).atoms(sp.Abs, sp.sign, sp.Max, sp.Min, sp.Piecewise):
        for gap in _gaps(node, t):
            polynomial = sp.Poly(gap, t) if gap.is_polynomial(t) else None
            if polynomial is None or polynomial.degree() > 1:
                raise InvalidInput(f"kinks must be where a linear function of {t} vanishes, got {gap}")
            if polynomial.degree() == 1:
                cuts.add(sp.cancel(-polynomial.nth(0) / polynomial.nth(1)))
    point = {s: sp.Rational(v.numerator, v.denominator) for s, v in next(domain.samples(1)).items()}
    ordered = sorted(cuts, key=lambda cut: float(cut.subs(point)))
    inside = [c for c in ordered if support[0] < c.subs(point) and c.subs(point) < support[1]]
    _check_order(inside, support, domain)
    ends = _integer_parts(inside, support) if t.is_integer else pairwise([support[0], *inside, support[1]])
    return tuple(Region(a, b, _resolve(p, t, a, b, domain), _resolve(q, t, a, b, domain)) for a, b in ends)


def _integer_parts(cuts: list[sp.Expr], support: tuple[sp.Expr, sp.Expr]) -> list[tuple[sp.Expr, sp.Expr]]:
    """Integers between the cuts, and every integer cut by itself.

    A cut is an integer for all values of its parameters, or a number: a real one that may be an integer would
    take an outcome out of both parts. Raises InvalidInput for others.
    """
    for cut in cuts:
        polynomial = cut.as_poly(*cut.free_symbols) if cut.free_symbols else None
        integers = all(s.is_integer for s in cut.free_symbols)
        counted = polynomial is not None and all(c.is_Integer for c in polynomial.coeffs()) and integers
        if not counted and not isinstance(cut, sp.Rational):
            raise InvalidInput(f"kinks between integers must be at integers or rational numbers, got {cut}")
    parts: list[tuple[sp.Expr, sp.Expr]] = []
    start = support[0] if support[0].is_infinite else sp.ceiling(support[0])
    for cut in cuts:
        if not start > cut - 1:
            parts.append((start, sp.ceiling(cut) - 1))
        if cut.is_integer:
            parts.append((cut, cut))
        start = sp.floor(cut) + 1
    parts.append((start, support[1] if support[1].is_infinite else sp.floor(support[1])))
    return parts


def _gaps(node: sp.Expr, t: sp.Symbol) -> list[sp.Expr]:
    if isinstance(node, sp.Piecewise):
        conditions = [c for _, condition in node.args for c in condition.atoms(sp.core.relational.Relational)]
        return [c.lhs - c.rhs for c in conditions if c.has(t)]
    if isinstance(node, sp.Max | sp.Min):
        if len(node.args) != 2:
            raise InvalidInput(f"Max and Min must have two arguments, got {node}")
        return [node.args[0] - node.args[1]]
    return [node.args[0]]


def _check_order(cuts: list[sp.Expr], support: tuple[sp.Expr, sp.Expr], domain: Domain) -> None:
    prover = Prover(domain)
    ends = [support[0], *cuts, support[1]]
    for a, b in pairwise(ends):
        if not (a.is_infinite or b.is_infinite) and prover.sign(b - a) != 1:
            raise InvalidInput(f"kinks must have one order for all parameters, got {a} and {b}")


def _resolve(expression: sp.Expr, t: sp.Symbol, lower: sp.Expr, upper: sp.Expr, domain: Domain) -> sp.Expr:
    """Abs, sign, Max, Min and Piecewise replaced by the branch that holds on the region."""
    prover = Prover(domain)
    over = [Variable(t, lower, upper, is_integer=bool(t.is_integer))]

    def sign(gap: sp.Expr) -> int:
        if t.is_integer and lower == upper:
            gap = gap.subs(t, lower)
        found = prover.sign(gap, over)
        if found is None:
            raise InvalidInput(f"kinks must be decided on each region, got {gap} on ({lower}, {upper})")
        return found

    def branch(node: sp.Piecewise) -> sp.Expr:
        for value, condition in node.args:
            if condition == sp.true or _holds(condition, sign):
                return value
        return sp.Integer(0)

    result = expression.replace(sp.Abs, lambda x: sign(x) * x).replace(sp.sign, lambda x: sp.Integer(sign(x)))
    result = result.replace(lambda e: isinstance(e, sp.Piecewise), branch)
    result = result.replace(sp.Max, lambda a, b: a if sign(a - b) >= 0 else b)
    return result.replace(sp.Min, lambda a, b: b if sign(a - b) >= 0 else a)


def _holds(condition: sp.Basic, sign: Callable[[sp.Expr], int]) -> bool:
    if isinstance(condition, sp.And):
        return all(_holds(part, sign) for part in condition.args)
    if isinstance(condition, sp.Or):
        return any(_holds(part, sign) for part in condition.args)
    if condition in (sp.true, sp.false):
        return bool(condition == sp.true)
    found = sign(condition.lhs - condition.rhs)
    outcomes = {
        sp.StrictLessThan: found < 0,
        sp.LessThan: found <= 0,
        sp.StrictGreaterThan: found > 0,
        sp.GreaterThan: found >= 0,
    }
    if type(condition) not in outcomes:
        raise InvalidInput(f"conditions must be inequalities, got {condition}")
    return bool(outcomes[type(condition)])


def _check(densities: Densities) -> None:
    """Positive where not identically 0, and of total mass 1, as far as that can be disproved."""
    prover = Prover(densities.domain)
    for name, index in (("p_expr", 0), ("q_expr", 1)):
        total: sp.Expr | None = sp.Integer(0)
        for region in densities.regions:
            density = (region.p, region.q)[index]
            if density == 0:
                continue
            shown = prover.positive(name, density, [densities.outcome(region)], kind=Kind.POSITIVE)
            if shown.disproved:
                raise InvalidInput(f"{name} must be > 0 on its support, got {density}: {shown.how}")
            mass = integral(densities, region, density, prover)
            total = None if mass is None or total is None else total + mass
        if total is not None and not prover.proves_equal(total, sp.Integer(1)):
            wrong = prover.refute_equal(total, sp.Integer(1))
            if wrong is not None:
                raise InvalidInput(f"{name} must have total mass 1, got {sp.simplify(total)}: {wrong}")
        if total is None and not densities.domain.intervals:
            with ctx.workprec(TOTAL_BITS):
                enclosed = total_mass(densities, index)
            if enclosed is not None and not enclosed.contains(1):
                raise InvalidInput(f"{name} must have total mass 1, got {enclosed.str(20)}")
    if all(region.p == 0 or region.q == 0 for region in densities.regions):
        raise InvalidInput("p_expr and q_expr must be positive together somewhere, got disjoint supports")
