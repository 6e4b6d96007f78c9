r"""Identities and signs by algebra: expressions as rational functions of independent generators.

An expression over the reals is rewritten, once and recursively, as a rational function of *generators*:
parameters, :math:`e^{m}` for every monomial m that stands in an exponent, :math:`\log|f|` for every
irreducible factor f of an argument of a logarithm, roots :math:`|f|^{1/b}` (with the relation
:math:`R^b = |f|`), and opaque kernels (erf, gamma, sums) with normalised arguments. Variables with a
bounded range are first expressed by a positive one, for example :math:`q = v/(1+v)`, so that a polynomial
whose coefficients all have one sign has that sign.

Two sound rules follow, and nothing else is ever claimed:

* an expression whose numerator is the zero polynomial in the generators is zero wherever it is defined;
* an expression whose irreducible factors have coefficients of one sign has the product of these signs.

Both may fail to see something true (generators may be dependent); then the answer is "not proved".

Assumes that arguments of logarithms are positive on the domain, and bases of powers too unless the exponent
is an integer number: :math:`b^x = e^{x \log b}` and :math:`(bc)^x = b^x c^x` ask for that, also of a symbol x
for integers. Both are taken of absolute values here; ``Prover.undefined`` asks for a proof first. What sympy
assumes is believed of symbols alone, whose assumptions are part of a statement.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, reduce
from typing import cast

import sympy as sp

from pldverify.balls import arb, ctx
from pldverify.balls.compare import surely_less
from pldverify.errors import PldverifyError
from pldverify.symbolic.check.polynomials import Irreducible, Polynomial, Ring
from pldverify.symbolic.lowering.to_arb import to_arb

_PRECISION = 256
"""Precision, in bits, of generators that are numbers; any value is right: a poor one proves less."""


class Generators:
    """A growing set of generators over one domain.

    Args:
        substitution: {symbol: expression in positive symbols}, how bounded variables are expressed.
        known: polynomials in the symbols that are known to be positive, such as 1 − q.
    """

    def __init__(
        self, substitution: Mapping[sp.Symbol, sp.Expr] | None = None, known: Iterable[sp.Expr] = ()
    ) -> None:
        self.substitution = dict(substitution or {})
        self.known = frozenset(sp.expand(fact) for fact in known)
        self.meaning: dict[sp.Symbol, sp.Expr] = {}
        self._exponentials: dict[sp.Symbol, sp.Expr] = {}
        self._logs: dict[sp.Symbol, sp.Expr] = {}
        self._roots: dict[sp.Symbol, tuple[sp.Expr, int]] = {}
        self._by_key: dict[tuple[object, ...], sp.Symbol] = {}
        self._memo: dict[sp.Expr, sp.Expr] = {}

    # -- building -------------------------------------------------------------------------------

    def rational(self, expression: sp.Expr) -> sp.Expr:
        """``expression`` as a rational function of generators (with rational powers of positive ones)."""
        if expression not in self._memo:
            self._memo[expression] = self._rational(expression)
        return self._memo[expression]

    def _rational(self, e: sp.Expr) -> sp.Expr:
        if isinstance(e, sp.Rational):
            return e
        if isinstance(e, sp.Symbol):
            return self.rational(self.substitution[e]) if e in self.substitution else e
        if e == sp.pi:
            return self._opaque(e)
        if e == sp.E:
            return self._exponential(sp.Integer(1))
        if isinstance(e, sp.Add):
            return sp.Add(*(self.rational(a) for a in e.args))
        if isinstance(e, sp.Mul):
            return sp.Mul(*(self.rational(a) for a in e.args))
        if isinstance(e, sp.exp):
            return self._exponential(self.rational(e.args[0]))
        if isinstance(e, sp.log):
            return self._logarithm(self.rational(e.args[0]))
        if isinstance(e, sp.Pow):
            if isinstance(e.exp, sp.Integer):
                return self.rational(e.base) ** e.exp
            if isinstance(e.exp, sp.Rational):
                return self._root(self.rational(e.base), e.exp)
            return self._exponential(self.rational(e.exp) * self._logarithm(self.rational(e.base)))
        if isinstance(e, sp.erfc):
            return 1 - self.rational(sp.erf(e.args[0]))
        if isinstance(e, sp.erf):
            argument = self.canonical(e.args[0])
            leading = -1 if argument.could_extract_minus_sign() else 1
            return leading * self._kernel(sp.erf, [leading * argument])
        if isinstance(e, sp.sinh | sp.cosh | sp.tanh):
            return self.rational(e.rewrite(sp.exp))
        if isinstance(e, sp.Abs):
            sign = self.sign(e.args[0])
            if sign is None:
                raise Irreducible(str(e))
            return sign * self.rational(e.args[0])
        if isinstance(e, sp.Sum):
            return self._sum(e)
        if isinstance(e, sp.gamma | sp.erfi | sp.sin | sp.cos | sp.atan | sp.binomial):
            return self._kernel(type(e), [self.canonical(a) for a in e.args])
        raise Irreducible(f"{type(e).__name__} in {e}")

    def canonical(self, expression: sp.Expr) -> sp.Expr:
        """The reduced fraction of :meth:`rational`, as a key for kernels."""
        return self.reduced(self.rational(expression))

    def reduced(self, rational: sp.Expr) -> sp.Expr:
        """Numerator and denominator coprime, with roots below their degree."""
        ring, numerator, denominator, back = self._fraction(rational)
        return (ring.to_sympy(numerator) / ring.to_sympy(denominator)).xreplace(back)

    def _new(self, key: tuple[object, ...], letter: str, meaning: sp.Expr, *, positive: bool) -> sp.Symbol:
        if key not in self._by_key:
            symbol = sp.Dummy(
                f"{letter}{len(self._by_key)}", **({"positive": True} if positive else {"real": True})
            )
            self._by_key[key] = symbol
            self.meaning[symbol] = meaning
        return self._by_key[key]

    def _opaque(self, e: sp.Expr) -> sp.Symbol:
        inner = e.xreplace({s: self.substitution[s] for s in e.free_symbols if s in self.substitution})
        return self._new(("opaque", sp.srepr(inner)), "K", e, positive=e == sp.pi)

    def _sum(self, e: sp.Sum) -> sp.Expr:
        """A sum over one index: split into terms, factors without the index taken out, the rest opaque."""
        ((index, lower, upper),) = e.limits
        result: sp.Expr = sp.Integer(0)
        summand = sp.expand(e.function, power_exp=False, power_base=False, log=False)
        for term in sp.Add.make_args(summand):
            outside, inside = term.as_independent(index, as_Add=False)
            inner = inside.xreplace(
                {s: self.substitution[s] for s in inside.free_symbols if s in self.substitution}
            )
            key = ("sum", sp.srepr(inner), index, lower, upper)
            symbol = self._new(
                key, "S", sp.Sum(inside, (index, lower, upper)), positive=self._positive_term(inside, e)
            )
            result += self.rational(outside) * symbol
        return result

    def _positive_term(self, term: sp.Expr, series: sp.Sum) -> bool:
        """Whether every term is ≥ 0, and the one at index 1 is in range and > 0."""
        ((index, lower, upper),) = series.limits
        counted = lower == 0 and isinstance(upper, sp.Symbol | sp.Integer) and upper.is_integer
        if (lower, upper) != (-sp.oo, sp.oo) and not (counted and upper.is_positive and index.is_nonnegative):
            return False
        for factor in sp.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if isinstance(factor, sp.exp) or (counted and factor == sp.binomial(upper, index)):
                continue
            if base == index and index.is_nonnegative and isinstance(power, sp.Integer) and power > 0:
                continue
            if base.has(index) or self.sign(base) != 1:
                return False
        return True

    def _kernel(self, function: type, arguments: list[sp.Expr]) -> sp.Expr:
        """Γ, erf, erfi and arctan are positive at positive numbers."""
        value = function(*arguments)
        if isinstance(value, sp.Rational) and all(isinstance(a, sp.Rational) for a in arguments):
            return value
        rising = issubclass(function, sp.gamma | sp.erf | sp.erfi | sp.atan)
        return self._new(
            (function, *arguments),
            "F",
            function(*map(self.back, arguments)),
            positive=rising and self.sign(arguments[0]) == 1,
        )

    def _exponential(self, argument: sp.Expr) -> sp.Expr:
        """exp of a rational function of generators: one generator for each monomial."""
        ring, top, bottom, back = self._fraction(argument)
        content, denominator = ring.to_sympy(bottom).primitive()
        result: sp.Expr = sp.Integer(1)
        for term in sp.Add.make_args(ring.to_sympy(top)):
            coefficient, monomial = term.as_coeff_Mul()
            coefficient = coefficient / content
            key = (monomial / denominator).xreplace(back)
            if key in self._logs:
                result *= self._factor_power(self._logs[key], coefficient)
            elif coefficient != 0:
                symbol = self._new(("exp", key), "E", sp.exp(self.back(key)), positive=True)
                self._exponentials[symbol] = key
                result *= symbol**coefficient
        return result

    def _logarithm(self, argument: sp.Expr) -> sp.Expr:
        """log of a positive rational function of generators: a sum over its irreducible factors."""
        result: sp.Expr = sp.Integer(0)
        sign, factors = self.signed_factors(argument)
        signs = [
            1 if isinstance(f, sp.Integer) else self._polynomial_sign(f) for f, k in factors if k % 2 == 1
        ]
        if all(signs) and reduce(lambda x, y: x * y, cast(list[int], signs), sign) == -1:
            raise Irreducible("a logarithm of something negative")
        for factor, power in factors:
            if isinstance(factor, sp.Integer):
                for prime, times in sp.factorint(abs(int(factor))).items():
                    result += power * times * self._log(sp.Integer(prime))
            else:
                result += power * self._log(factor)
        return result

    def _log(self, factor: sp.Expr) -> sp.Expr:
        base, power = (factor.base, factor.exp) if isinstance(factor, sp.Pow) else (factor, sp.Integer(1))
        if base in self._exponentials:
            return power * self._exponentials[base]
        if base in self._roots:
            radicand, degree = self._roots[base]
            return power * self._logarithm(radicand) / degree
        sign = 1 if isinstance(base, sp.Integer) else self._polynomial_sign(base)
        meaning = self.back(base) if sign is None else sign * self.back(base)
        shown = sp.Abs(meaning) if sign is None else meaning
        symbol = self._new(("log", base), "L", sp.log(shown), positive=False)
        self._logs[symbol] = base
        return power * symbol

    def _root(self, base: sp.Expr, power: sp.Rational) -> sp.Expr:
        """base^power of a positive base. Factors of unknown sign stay together: their product has one."""
        sign, factors = self.signed_factors(base)
        result: sp.Expr = sp.Integer(1)
        together: sp.Expr = sp.Integer(1)
        directions = set()
        for factor, times in factors:
            each = 1 if isinstance(factor, sp.Integer) else self._polynomial_sign(factor)
            if each is not None or (times * power) % 2 == 0:
                result *= self._factor_power(factor, times * power)
                sign *= -1 if each == -1 and times % 2 == 1 else 1
            elif abs(times) == 1:
                together *= factor
                directions.add(int(times))
            else:
                raise Irreducible(f"sign of {self.back(factor)}")
        if not directions:
            return result
        if len(directions) > 1:
            raise Irreducible(f"sign of {self.back(together)}")
        return result * self._simple_root(sp.expand(sign * together), power * directions.pop())

    def _factor_power(self, factor: sp.Expr, power: sp.Rational) -> sp.Expr:
        """|factor|^power for an irreducible factor and a rational power."""
        if isinstance(factor, sp.Symbol) and factor.is_positive:
            return cast(sp.Expr, factor**power)
        if isinstance(factor, sp.Integer):
            primes = sp.factorint(int(factor)).items()
            return sp.Mul(*(self._simple_root(sp.Integer(prime), times * power) for prime, times in primes))
        if power.is_Integer and power % 2 == 0:
            return cast(sp.Expr, factor**power)
        sign = self._polynomial_sign(factor)
        if sign is None:
            raise Irreducible(f"sign of {self.back(factor)}")
        return self._simple_root(sp.expand(sign * factor), power)

    def _simple_root(self, base: sp.Expr, power: sp.Rational) -> sp.Expr:
        """base^power for a positive polynomial, by the generator base^(1/denominator of the power)."""
        integral = sp.floor(power)
        rest = power - integral
        if rest == 0:
            return cast(sp.Expr, base**integral)
        symbol = self._new(
            ("root", base, rest.q), "R", self.back(base) ** sp.Rational(1, rest.q), positive=True
        )
        self._roots[symbol] = (base, int(rest.q))
        return cast(sp.Expr, base**integral * symbol**rest.p)

    # -- polynomials ----------------------------------------------------------------------------

    @staticmethod
    def _clear(*expressions: sp.Expr) -> tuple[list[sp.Expr], dict[sp.Symbol, sp.Expr]]:
        """Make all powers integral by x = y^d; returns the expressions and {y: x^(1/d)}."""
        degrees: dict[sp.Symbol, int] = {}
        powers = {power for expression in expressions for power in expression.atoms(sp.Pow)}
        for power in powers:
            if isinstance(power.base, sp.Symbol) and isinstance(power.exp, sp.Rational):
                degrees[power.base] = int(sp.ilcm(degrees.get(power.base, 1), power.exp.q))
        forth: dict[sp.Basic, sp.Expr] = {}
        back: dict[sp.Symbol, sp.Expr] = {}
        for symbol, degree in degrees.items():
            if degree > 1:
                fresh = sp.Dummy(symbol.name, positive=True)
                forth[symbol] = fresh**degree
                back[fresh] = symbol ** sp.Rational(1, degree)
        for power in powers:
            if power.base in forth:
                forth[power] = forth[power.base].base ** (forth[power.base].exp * power.exp)
        return [expression.xreplace(forth) for expression in expressions], back

    def _fraction(self, expression: sp.Expr) -> tuple[Ring, Polynomial, Polynomial, dict[sp.Symbol, sp.Expr]]:
        """Ring, numerator and denominator of a rational function, and the way back from integral powers."""
        symbols, roots = set(expression.free_symbols), {}
        for root, (radicand, degree) in reversed(list(self._roots.items())):
            if root in symbols:
                roots[root] = (radicand, degree)
                symbols |= radicand.free_symbols
        (cleared, *radicands), back = self._clear(expression, *(radicand for radicand, _ in roots.values()))
        degrees = [degree for _, degree in roots.values()]
        relations = list(zip(roots, zip(radicands, degrees, strict=True), strict=True))
        used = set().union(*(each.free_symbols for each in (cleared, *radicands)))
        ring = Ring(sorted(used, key=sp.default_sort_key), dict(reversed(relations)))
        numerator, denominator = ring.fraction(cleared)
        return ring, numerator, denominator, back

    def signed_factors(self, rational: sp.Expr) -> tuple[int, list[tuple[sp.Expr, sp.Rational]]]:
        """A sign and the irreducible factors with their powers, whose product is ``rational``."""
        ring, numerator, denominator, back = self._fraction(rational)
        result: list[tuple[sp.Expr, sp.Rational]] = []
        sign = 1
        for polynomial, direction in ((numerator, 1), (denominator, -1)):
            content, parts = ring.factors(polynomial)
            sign, content = (sign, content) if content > 0 else (-sign, -content)
            result += [(sp.Integer(content.p), direction), (sp.Integer(content.q), -direction)]
            for factor, power in parts:
                shown = sp.expand(factor.xreplace(back))
                if isinstance(shown, sp.Pow):
                    shown, power = shown.base, power * shown.exp
                result.append((shown, direction * power))
        return sign, [(f, sp.Rational(p)) for f, p in result if f != 1]

    def is_zero(self, expression: sp.Expr) -> bool:
        """Whether ``expression`` is identically 0 by the first rule."""
        _, numerator, denominator, _ = self._fraction(self.rational(expression))
        return bool(numerator.is_zero()) and not denominator.is_zero()

    # -- signs ----------------------------------------------------------------------------------

    def knows(self, expression: sp.Expr) -> bool:
        """Whether all nodes have generators, so that it is real where it is defined."""
        try:
            self.rational(expression)
        except Irreducible:
            return False
        return True

    def sign(self, expression: sp.Expr) -> int | None:
        """+1, −1 or 0 if proved by the two rules on the whole domain, else None."""
        return self._sign_by_factors(self.rational(expression), self._polynomial_sign)

    def _sign_by_factors(self, rational: sp.Expr, of: Callable[[sp.Expr], int | None]) -> int | None:
        """The product of the signs of all irreducible factors."""
        ring, numerator, denominator, back = self._fraction(rational)
        if numerator.is_zero():
            return 0
        sign = 1
        for polynomial in (numerator, denominator):
            content, parts = ring.factors(polynomial)
            sign *= 1 if content > 0 else -1
            for factor, power in parts:
                each = of(sp.expand(factor.xreplace(back)))
                if each is None:
                    return None
                sign *= each**power
        return sign

    def _polynomial_sign(self, polynomial: sp.Expr) -> int | None:
        direct = self._coefficient_sign(polynomial)
        if direct is not None:
            return direct
        for sign in (1, -1):
            if sp.expand(sign * polynomial) in self.known:
                return sign
        above = self._coefficient_sign(polynomial, above_one=True)
        if above is not None:
            return above
        if len(polynomial.free_symbols) == 1 and polynomial.is_polynomial():
            sturm = self._univariate_sign(sp.Poly(polynomial))
            if sturm is not None:
                return sturm
        for root, (radicand, degree) in self._roots.items():
            if degree == 2 and polynomial.has(root):
                (cleared,), back = self._clear(polynomial)
                parts = sp.Poly(cleared, root)
                if parts.degree() == 1:
                    a, b = (parts.nth(i).xreplace(back) for i in (0, 1))
                    return self._surd_sign(a, b, radicand)
        return None

    def _is_above_one(self, generator: sp.Expr) -> bool:
        """Whether it is a (root of an) exponential of a positive monomial."""
        exponent = self._exponentials.get(generator.as_base_exp()[0])
        return exponent is not None and all(
            self._coefficient_sign(part) == 1 for part in sp.fraction(exponent)
        )

    @staticmethod
    def _univariate_sign(polynomial: sp.Poly) -> int | None:
        """The sign of a polynomial in one variable that has no root in its range, by Sturm's theorem."""
        (variable,) = polynomial.gens
        if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
            return None
        if variable.is_positive or variable.is_nonnegative:
            outside = 1 if variable.is_positive and polynomial.eval(0) == 0 else 0
            roots = polynomial.count_roots(0, None) - outside
        else:
            roots = polynomial.count_roots()
        return None if roots else (1 if polynomial.eval(1) > 0 else -1)

    def _surd_sign(self, a: sp.Expr, b: sp.Expr, radicand: sp.Expr) -> int | None:
        """Sign of a + b√radicand: that of b if b² radicand > a², that of a if smaller."""
        difference = self._sign_by_factors(b**2 * radicand - a**2, self._coefficient_sign)
        if difference not in (1, -1):
            return None
        return self._sign_by_factors(b if difference == 1 else a, self._coefficient_sign)

    def _coefficient_sign(self, polynomial: sp.Expr, *, above_one: bool = False) -> int | None:
        """The common sign of all terms, one of them nowhere zero; None if there is no common sign.

        Generators that are numbers (e, √5, …) are part of the coefficients, in balls. With ``above_one``,
        after x = 1 + w, w > 0, for every other x = e^m with a positive monomial m; None without such.
        """
        (cleared,), back = self._clear(polynomial)
        ring = Ring(sorted(cleared.free_symbols, key=sp.default_sort_key), {})
        found, _ = ring.fraction(cleared)
        meant = [back.get(symbol, symbol) for symbol in ring.symbols]
        numbers = [_number(self.back(each)) for each in meant]
        if above_one:
            shifts = [
                int(value is None and self._is_above_one(each))
                for value, each in zip(numbers, meant, strict=True)
            ]
            if not any(shifts):
                return None
            found = found.compose(
                *(g + shift for g, shift in zip(ring.generators.values(), shifts, strict=True))
            )
        sums: dict[tuple[tuple[sp.Symbol, int], ...], arb] = {}
        with ctx.workprec(_PRECISION):
            for exponents, coefficient in found.to_dict().items():
                value, monomial = arb(coefficient), []
                for symbol, number, power in zip(ring.symbols, numbers, map(int, exponents), strict=False):
                    if number is not None:
                        value *= number**power
                    elif power:
                        monomial.append((symbol, power))
                sums[tuple(monomial)] = sums.get(tuple(monomial), arb(0)) + value
        signs = {_ball_sign(value) for value in sums.values()}
        known = all(_at_least_zero(*factor) for monomial in sums for factor in monomial)
        strict = any(all(symbol.is_positive for symbol, _ in monomial) for monomial in sums)
        return signs.pop() if known and strict and len(signs) == 1 else None

    # -- back -----------------------------------------------------------------------------------

    def back(self, expression: sp.Expr) -> sp.Expr:
        """Generators replaced by what they stand for."""
        while any(symbol in self.meaning for symbol in expression.free_symbols):
            expression = expression.subs(
                {s: self.meaning[s] for s in expression.free_symbols if s in self.meaning}
            )
        return expression


@lru_cache(maxsize=1024)
def _number(value: sp.Expr) -> arb | None:
    """A number as a ball; None for what has symbols or an unknown node."""
    if value.free_symbols:
        return None
    try:
        with ctx.workprec(_PRECISION):
            return to_arb(value, [])()
    except PldverifyError:
        return None


def _ball_sign(value: arb) -> int | None:
    return 1 if surely_less(0, value) else -1 if surely_less(value, 0) else None


def _at_least_zero(symbol: sp.Symbol, power: int) -> bool:
    return bool(symbol.is_nonnegative or (symbol.is_real and power % 2 == 0))
