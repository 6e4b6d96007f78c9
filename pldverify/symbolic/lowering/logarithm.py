r"""The logarithm of a positive expression as a sum, so that neither tails nor complex arguments lose it.

A product is taken apart into its factors, an exponential into its exponent, a power into its base, and a sum
of multiples of exponentials gives away one of them: :math:`ae^E + be^F = ae^E (1 + be^{F-E}/a)`. So
:math:`e^{-t^2/2}/10 + 9e^{-(t-1)^2/2}/10` has the logarithm
:math:`-t^2/2 - \log(10) + \log(1 + 9e^{t-1/2})`, in which nothing underflows and nothing but the bounded part
turns with Im t.

The exponential of the result is the expression wherever all its logarithms are analytic, up to a sign that is
the same all over a connected set of such arguments, and +1 if expression and result are real somewhere there.
"""

import sympy as sp

_FAR = 1000
"""|t| at which the exponents of a sum are compared; any value is right: a poor one loses digits in a tail."""


def logarithm(expression: sp.Expr, at: sp.Expr, t: sp.Symbol, side: int) -> sp.Expr:
    """A logarithm of an expression that is positive, at its best towards −∞ (``side`` −1) or ∞ (1).

    Logarithms of factors are of those that are positive at t = ``at``."""
    total: sp.Expr = sp.Integer(0)
    for factor in sp.Mul.make_args(_without_common(expression, t, side)):
        base, power = factor.as_base_exp()
        if isinstance(factor, sp.exp):
            total += sp.expand(factor.args[0])
        elif power != 1 and power.is_real and not power.has(t):
            total += power * logarithm(base if _positive(base, at, t) else -base, at, t, side)
        elif isinstance(base, sp.Mul):
            total += logarithm(base, at, t, side)
        else:
            total += sp.log(factor if _positive(factor, at, t) else -factor)
    return total


def _positive(expression: sp.Expr, at: sp.Expr, t: sp.Symbol) -> bool:
    """Whether it looks positive at a point: if it is not, a logarithm is not real, and no ball is finite."""
    return bool(sp.N(expression.subs(t, at)) > 0)


def _without_common(expression: sp.Expr, t: sp.Symbol, side: int) -> sp.Expr:
    """A sum of multiples of exponentials with one that is largest far out on that side taken out."""
    if not isinstance(expression, sp.Add):
        return expression
    rows = [_split(term) for term in expression.args]
    if not any(exponent.has(t) for _, exponent in rows):
        return expression
    scale, common = max(rows, key=lambda row: float(sp.re(sp.N(row[1].subs(t, side * _FAR)))))
    if scale.has(t):
        scale = sp.Integer(1)
    rest = sp.Add(*(factor / scale * sp.exp(sp.expand(exponent - common)) for factor, exponent in rows))
    return sp.Mul(scale, sp.exp(common), rest, evaluate=False)


def _split(term: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(factor, exponent) of a term."""
    factor: sp.Expr = sp.Integer(1)
    exponent: sp.Expr = sp.Integer(0)
    for part in sp.Mul.make_args(term):
        if isinstance(part, sp.exp):
            exponent += part.args[0]
        else:
            factor *= part
    return factor, exponent
