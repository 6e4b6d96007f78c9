"""Losses with a few rational atoms: both sides of a statement about any loss, without an error."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from random import Random

from pldverify.balls import arb
from pldverify.balls.ball import ball

Law = dict[Fraction, Fraction]
"""Loss → mass."""


def law(*atoms: tuple[object, object]) -> Law:
    """The law with these atoms (loss, mass), each a rational or its text.

    >>> from pldverify.theorems.discrete import law, power
    >>> power(law((0, "1/2"), (5, "1/2")), 2)[5]
    Fraction(1, 2)
    """
    return {Fraction(str(s)): Fraction(str(p)) for s, p in atoms}


def convolve(a: Law, b: Law) -> Law:
    """a * b."""
    found: Law = {}
    for (s, p), (t, q) in product(a.items(), b.items()):
        found[s + t] = found.get(s + t, Fraction(0)) + p * q
    return found


def power(a: Law, k: int) -> Law:
    """a *^k a."""
    found: Law = {Fraction(0): Fraction(1)}
    for _ in range(k):
        found = convolve(found, a)
    return found


def within(a: Law, L: int) -> Law:
    """The part of ``a`` in [−L, L)."""
    return {s: p for s, p in a.items() if -L <= s < L}


def truncated(a: Law, b: Law, L: int) -> Law:
    """a ⊛ b: the first factor in [−L, L) only."""
    return convolve(within(a, L), b)


def truncated_power(a: Law, k: int, L: int) -> Law:
    """a ⊛^k a, KJH19 section 7.1: ω ⊛ (ω ⊛^{k−1} ω)."""
    found = a
    for _ in range(k - 1):
        found = truncated(a, found, L)
    return found


def wrapped(a: Law, L: int) -> Law:
    """Losses modulo 2L, in [−L, L)."""
    found: Law = {}
    for s, p in a.items():
        to = (s + L) % (2 * L) - L
        found[to] = found.get(to, Fraction(0)) + p
    return found


def minus(a: Law, b: Law) -> Law:
    """The signed measure a − b."""
    return {s: a.get(s, Fraction(0)) - b.get(s, Fraction(0)) for s in a.keys() | b.keys()}


def plus(a: Law, b: Law) -> Law:
    """a + b."""
    return minus(a, {s: -p for s, p in b.items()})


def delta(a: Law, epsilon: Fraction) -> arb:
    """E[(1 − e^{ε−S})₊]."""
    return sum((ball(p) * (1 - ball(epsilon - s).exp()) for s, p in a.items() if s > epsilon), arb(0))


def tail(a: Law, s: Fraction) -> Fraction:
    """Pr[S ≥ s]."""
    return sum((p for loss, p in a.items() if loss >= s), Fraction(0))


def moment(a: Law, lam: Fraction) -> arb:
    """E[e^{λS}]."""
    return sum((ball(p) * ball(lam * s).exp() for s, p in a.items()), arb(0))


def on_grid(a: Law, step: Fraction, rounded: Callable[[Fraction], int] = math.ceil) -> Law:
    """Every loss moved to a multiple of ``step``, up unless ``rounded`` is ``math.floor``."""
    found: Law = {}
    for s, p in a.items():
        to = step * rounded(s / step)
        found[to] = found.get(to, Fraction(0)) + p
    return found


def random_laws(count: int, denominator: int, seed: int = 1) -> Iterator[Law]:
    """Laws with up to 5 losses from −6 to 6, multiples of 1/``denominator``."""
    rng = Random(seed)
    for _ in range(count):
        weights = {
            Fraction(rng.randint(-6 * denominator, 6 * denominator), denominator): rng.randint(1, 99)
            for _ in range(5)
        }
        yield {s: Fraction(weight, sum(weights.values())) for s, weight in weights.items()}


SAMPLES = (
    law((0, 1)),
    law((-1, "1/3"), (2, "2/3")),
    law(("-5/2", "1/4"), (0, "1/2"), ("7/2", "1/4")),
    law(("-1/3", "1/10"), ("1/7", "4/5"), (3, "1/10")),
    law((-4, "1/1000"), ("1/2", "997/1000"), (5, "1/500")),
    *random_laws(6, 7),
)
"""Losses that statements about any loss are tried on: atoms at grid points, beside them, and far out."""
