r"""Exact fractions of polynomials over :math:`\mathbb Q`, on FLINT, with roots kept below their degree."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import sympy as sp

from pldverify.balls import Ordering, fmpq, fmpq_mpoly_ctx

Polynomial = Any
"""A FLINT ``fmpq_mpoly``."""


class Irreducible(Exception):
    """The expression is no rational function of generators; internal, caught by the prover."""


class Ring:
    """Polynomials in ``symbols``; for each root R: (b, f) of ``roots``, :math:`R^b` is rewritten as f.

    Args:
        symbols: the generators of the ring.
        roots: {R: (b, f)} in order of creation; f is a polynomial in symbols and roots before R.
    """

    def __init__(self, symbols: Sequence[sp.Symbol], roots: Mapping[sp.Symbol, tuple[sp.Expr, int]]) -> None:
        self.symbols = list(symbols)
        self.context = fmpq_mpoly_ctx.get(
            tuple(f"x{i}" for i in range(len(self.symbols))) or ("x0",), Ordering.lex
        )
        self.generators = dict(zip(self.symbols, self.context.gens(), strict=False))
        self.relations: list[tuple[int, int, Polynomial]] = []
        for symbol, (radicand, degree) in roots.items():
            if symbol in self.generators:
                self.relations.append((self.symbols.index(symbol), degree, self.fraction(radicand)[0]))

    def constant(self, number: sp.Rational) -> Polynomial:
        """A rational number as a polynomial."""
        return self.context.constant(fmpq(int(number.p), int(number.q)))

    def fraction(self, expression: sp.Expr) -> tuple[Polynomial, Polynomial]:
        """(numerator, denominator) of a rational function, coprime up to the relations of the roots."""
        numerator, denominator = self._fraction(expression)
        return self._cancelled(self.reduced(numerator), self.reduced(denominator))

    def _fraction(self, expression: sp.Expr) -> tuple[Polynomial, Polynomial]:
        if isinstance(expression, sp.Rational):
            return self.constant(expression), self.constant(sp.Integer(1))
        if isinstance(expression, sp.Symbol):
            return self.generators[expression], self.constant(sp.Integer(1))
        if isinstance(expression, sp.Pow):
            if not isinstance(expression.exp, sp.Integer):
                raise Irreducible(f"the power {expression}")
            numerator, denominator = self._fraction(expression.base)
            power = int(expression.exp)
            if power < 0:
                numerator, denominator, power = denominator, numerator, -power
            return self._power(numerator, power), self._power(denominator, power)
        if not isinstance(expression, sp.Add | sp.Mul):
            raise Irreducible(f"{type(expression).__name__} in {expression}")
        parts = [self._fraction(argument) for argument in expression.args]
        return reduce(self._add if isinstance(expression, sp.Add) else self._multiply, parts)

    def _power(self, polynomial: Polynomial, power: int) -> Polynomial:
        return self._bounded(polynomial**power)

    def _bounded(self, polynomial: Polynomial) -> Polynomial:
        """Reduced if a root has come far above its degree; reducing at every step would cost more."""
        degrees = polynomial.degrees()
        return (
            self.reduced(polynomial) if any(degrees[i] > 4 * d for i, d, _ in self.relations) else polynomial
        )

    def _multiply(
        self, a: tuple[Polynomial, Polynomial], b: tuple[Polynomial, Polynomial]
    ) -> tuple[Polynomial, Polynomial]:
        return self._cancelled(self._bounded(a[0] * b[0]), self._bounded(a[1] * b[1]))

    def _add(
        self, a: tuple[Polynomial, Polynomial], b: tuple[Polynomial, Polynomial]
    ) -> tuple[Polynomial, Polynomial]:
        common = a[1].gcd(b[1])
        left, right = _quotient(a[1], common), _quotient(b[1], common)
        return self._cancelled(self._bounded(a[0] * right + b[0] * left), self._bounded(a[1] * right))

    def _cancelled(self, numerator: Polynomial, denominator: Polynomial) -> tuple[Polynomial, Polynomial]:
        common = numerator.gcd(denominator)
        return _quotient(numerator, common), _quotient(denominator, common)

    def reduced(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with every root below its degree."""
        for place, degree, radicand in reversed(self.relations):
            while polynomial.degrees()[place] >= degree:
                low: dict[tuple[int, ...], Any] = {}
                groups: dict[int, dict[tuple[int, ...], Any]] = {}
                for exponents, coefficient in polynomial.to_dict().items():
                    times, rest = divmod(int(exponents[place]), degree)
                    key = (*exponents[:place], rest, *exponents[place + 1 :])
                    target = groups.setdefault(times, {}) if times else low
                    target[key] = target.get(key, 0) + coefficient
                polynomial = self.context.from_dict(low)
                for times, terms in groups.items():
                    polynomial += self.context.from_dict(terms) * radicand**times
        return polynomial

    def to_sympy(self, polynomial: Polynomial) -> sp.Expr:
        """The polynomial as an expanded sympy expression."""
        terms = []
        for exponents, coefficient in polynomial.to_dict().items():
            number = sp.Rational(int(coefficient.p), int(coefficient.q))
            powers = [s ** int(e) for s, e in zip(self.symbols, exponents, strict=False) if e]
            terms.append(sp.Mul(number, *powers))
        return sp.Add(*terms)

    def factors(self, polynomial: Polynomial) -> tuple[sp.Rational, list[tuple[sp.Expr, int]]]:
        """Content and irreducible factors with their powers."""
        content, parts = polynomial.factor()
        number = fmpq(content)
        return sp.Rational(int(number.p), int(number.q)), [(self.to_sympy(f), int(k)) for f, k in parts]


def _quotient(polynomial: Polynomial, divisor: Polynomial) -> Polynomial:
    return polynomial if divisor.is_one() else divmod(polynomial, divisor)[0]
