"""Identities that computer algebra decides: derivatives of g, with E for e^s."""

from collections.abc import Iterator, Sequence

import sympy as sp

from pldverify.theorems.record import Outcome, Verdict

E = sp.Symbol("E", positive=True)
"""e^s."""
Q = sp.Symbol("q", positive=True)
"""Sampling rate."""
V = sp.Symbol("v", positive=True)
"""σ²."""
_D = E - (1 - Q)
"""e^s − (1 − q), the divisor of every derivative of g."""


def _slope(value: sp.Expr) -> sp.Expr:
    """d/ds of a function of E = e^s."""
    return E * sp.diff(value, E)


def _inner() -> Iterator[tuple[str, sp.Expr]]:
    """KJH20s (D.9): printed minus derived; g = v log((E − (1 − q))/q) + 1/2."""
    first = V * E / _D
    yield "g′", first - _slope(V * sp.log(_D / Q))
    second = -V * (1 - Q) * E / _D**2
    yield "g″", second - _slope(first)
    yield "g‴", V * (1 - Q) * E * (E + 1 - Q) / _D**3 - _slope(second)


def derivatives_of_g() -> Outcome:
    """PROVED if every difference cancels to 0."""
    left = {name: sp.cancel(sp.together(value)) for name, value in _inner()}
    wrong = [name for name, value in left.items() if value != 0]
    if wrong:
        return Outcome(Verdict.REFUTED, f"{wrong[0]}: printed − derived = {left[wrong[0]]}")
    return Outcome(
        Verdict.PROVED, f"{', '.join(left)}: the difference cancels to 0 as a rational function of e^s"
    )


def chain_rule() -> Outcome:
    """KJH20s (D.7), (D.8): ω = f(g)g′, differentiated once and twice."""
    s, t = sp.symbols("s t")
    f, g = sp.Function("f"), sp.Function("g")
    omega = f(g(s)) * sp.diff(g(s), s)
    d = [sp.diff(g(s), s, i) for i in range(4)]
    fs = [sp.diff(f(t), t, i).subs(t, g(s)) for i in range(3)]
    first = fs[1] * d[1] ** 2 + fs[0] * d[2]
    second = fs[2] * d[1] ** 3 + 3 * fs[1] * d[2] * d[1] + fs[0] * d[3]
    return _proved([(sp.diff(omega, s, i + 1) - x).doit() for i, x in enumerate((first, second))])


def translation() -> Outcome:
    """KH21 F.3: F₁ undoes F₁⁻¹, whose Jacobian determinant is 1, for any functions M₁(θ), M₂(t₁)."""
    s1, s2, first = sp.symbols("s1 s2 M1")
    second = sp.Function("M2")
    t1, t2 = s1 + first, s2 + second(s1 + first)
    back = (t1 - first - s1, t2 - second(t1) - s2)
    return _proved([*back, sp.Matrix([t1, t2]).jacobian([s1, s2]).det() - 1])


def rotation() -> Outcome:
    """KH21 F.3, d = 2: U₁ turns by θ, U₂ by an angle a(t₁); the Jacobian determinant of F₂⁻¹ is 1."""
    s = sp.symbols("s1:5", real=True)
    theta = sp.Symbol("theta", real=True)
    t1 = _turn(theta) * sp.Matrix(s[:2])
    t2 = _turn(sp.Function("a", real=True)(*t1)) * sp.Matrix(s[2:])
    return _proved([sp.Matrix([*t1, *t2]).jacobian(s).det() - 1])


def _turn(angle: sp.Expr) -> sp.Matrix:
    return sp.Matrix([[sp.cos(angle), -sp.sin(angle)], [sp.sin(angle), sp.cos(angle)]])


def _proved(gaps: Sequence[sp.Expr]) -> Outcome:
    left = [sp.simplify(gap) for gap in gaps]
    verdict = Verdict.PROVED if all(gap == 0 for gap in left) else Verdict.NOT_CHECKABLE
    return Outcome(verdict, f"differences {left}")
