"""Shared by several decompositions: terms, and bounds on an accountant's own grid."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.fft_grid import Vector
from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper
from pldverify.balls.compare import surely_less
from pldverify.bounds.chernoff import chernoff_tail
from pldverify.bounds.fft_rounding import convolution_rounding
from pldverify.decomposition.grid import GridPart
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import least
from pldverify.errors import SubjectFailure
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound
from pldverify.reference.engines.conclude import enclosed

UNIT = Fraction(1, 2**53)
"""Unit roundoff of doubles."""
_NEGINF = -math.inf
"""Lower end of a term without a lower bound."""


def observed_term(name: str, observed: arb, low: arb, high: arb, theorem: str, sign: int = 0) -> Term:
    """``sign``: −1 or 1 for a change that is ≤ 0 or ≥ 0 by definition.

    The promise [low, high] is rounded outward; an end that is not finite promises nothing.
    """
    if not observed.is_finite():
        raise SubjectFailure(f"budget: the {name} is not finite, because the accountant's numbers are not")
    ends = lower(observed), upper(observed)
    if math.inf in ends or _NEGINF in ends:
        raise SubjectFailure(f"budget: the {name} is beyond all numbers, because the accountant's masses are")
    bottom, top = (Fraction(end) for end in ends)
    if sign:  # a ball next to 0 can't hold that
        bottom, top = (max(bottom, Fraction(0)), top) if sign > 0 else (bottom, min(top, Fraction(0)))
    return Term(name, enclosed(bottom, top), lower(low), upper(high), theorem)


def widened(bound: arb) -> arb:
    """Room for the coarse radius of a ball [0, bound]."""
    return (bound * (1 + arb(2) ** -20)).upper()


def periodisation_term(wrapped: arb, whole: arb, far: arb) -> Term:
    """``wrapped`` on the period less ``whole`` on the line, where at most the mass ``far`` wraps."""
    direct = wrapped - whole
    observed = arb(0, far) if surely_less(far, direct.rad()) else direct
    return observed_term("periodisation", observed, -widened(far), widened(far), "KH21 Theorem 1")


def rounding_term(raw: Fraction, exact: arb, bound: arb) -> Term:
    """The accountant's own sum ``raw`` less what it is of its own masses."""
    theorem = "Higham 24.2, in a model of the FFT"
    return observed_term("rounding", ball(raw) - exact, -bound, bound, theorem)


def margin(accountant: Accountant, claim: Claim, raw: Fraction, noise: arb) -> list[Term]:
    """The exact difference of the accountant's answer and its sum: a margin, or a move back into [0, 1].

    A margin that is the difference of two sums has twice their rounding, ``noise``.
    """
    printed = Fraction(claim.value)
    if printed == raw:
        return []
    change = enclosed(printed - raw, printed - raw)
    slack = 2 * Fraction(upper(noise))
    low: Bound = min(Fraction(0), 1 - raw) - slack if accountant.direction == "upper" else _NEGINF
    high: Bound = max(Fraction(0), -raw) + slack if accountant.direction == "lower" else math.inf
    return [Term("margin", change, low, high, "added on purpose")]


def exact_sum(value: float) -> Fraction:
    """The double that the accountant has summed up. Raises SubjectFailure if it is none."""
    if not math.isfinite(value):
        raise SubjectFailure(f"the accountant's sum is {value}")
    return Fraction(value)


def rounding_bound(parts: list[GridPart], *, n: int, kernel: int, reach: float) -> arb:
    """Bound on the rounding of FFT, power and sum, ``kernel`` points of it at losses up to ``reach``."""
    norms = [
        (
            Fraction(float(np.sqrt(np.sum(part.masses**2))) * 1.001) + Fraction(1, 2**500),
            part.total,
            part.count,
        )
        for part in parts
    ]
    return convolution_rounding(norms, n=n, kernel=min(n, max(0, kernel)), reach=Fraction(reach), unit=UNIT)


def chain_rounding(parts: list[GridPart], *, n: int, reach: float) -> arb:
    """Rounding bound where each part is composed with itself, and the results are convolved by FFT.

    That is at most twice as many steps as parts, of length n at most. Each changes δ by at most what
    :func:`rounding_bound` has with all points, as the 2-norm of a convolution is at most the product of the
    2-norm of one factor and the sums of the others; a half more is room for errors of errors.
    """
    return 3 * len(parts) * rounding_bound(parts, n=n, kernel=n, reach=reach)


def checked(masses: Vector) -> Vector:
    """The accountant's grid masses, negative ones cut off. Raises SubjectFailure unless they are finite."""
    if not np.all(np.isfinite(masses)):
        raise SubjectFailure("the accountant's grid masses are not finite: tiny sigma overflows its density")
    return np.maximum(masses, 0.0)


def mass_above(parts: list[GridPart], step: Fraction, side: int = 1) -> Callable[[int], arb]:
    """i ↦ Chernoff's bound on the composed mass at i and above; for ``side`` −1 at i and below."""

    def moment(lam: Fraction) -> arb:
        return sum((p.count * p.log_moment(side * lam, step) for p in parts), arb(0))

    def about(lam: float) -> float:
        return math.fsum(p.count * p.about_log_moment(side * lam, float(step)) for p in parts)

    def bound(i: int) -> arb:
        at = i * step
        return least(
            lambda lam: chernoff_tail(moment(lam), side * lam, at),
            lambda lam: about(lam) - lam * side * float(at),
        )

    return bound


def mass_outside(parts: list[GridPart], step: Fraction) -> Callable[[int, int], arb]:
    """(low, high) ↦ Chernoff's bound on the composed mass outside of low ≤ i < high."""
    above, below = mass_above(parts, step), mass_above(parts, step, -1)
    return lambda low, high: (above(high) + below(low - 1)).upper()
