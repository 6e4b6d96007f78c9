"""From data sets to pairs on the line: which sampling and which neighbours a pair stands for."""

import math
from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product
from random import Random

from pldverify import reference
from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms import (
    Gaussian,
    KJH19Substitute,
    KJH20WithReplacement,
    PoissonSubsampled,
    SampledWithoutReplacement,
    SampledWithReplacement,
)
from pldverify.theorems.evidence import Case, enclosed


def _delta(what: object, epsilon: object, direction: str = "add-or-remove", digits: int = 8) -> arb:
    found = reference.delta(what, epsilon=epsilon, adjacency=direction, digits=digits)  # type: ignore[call-overload]
    return enclosed(found)


def fixed_size_add_or_remove() -> Iterator[Case]:
    """KJH19 5.1: one of two records, f(x') = 1 and f(y) = −1, against {y}: ½N(1) + ½N(−1) and N(−1).

    It is the printed pair with a move of 2; ε = 1, σ = 1.
    """
    actual = _delta(PoissonSubsampled(Gaussian(1, sensitivity=2), "1/2"), 1)
    yield Case("N = 2, L = 1, σ = 1, ε = 1", actual, _delta(PoissonSubsampled(Gaussian(1), "1/2"), 1))


def half_lines() -> Iterator[Case]:
    """Poisson sampling with other records: P(S) − e^ε Q(S) ≤ δ of the printed pair, for half-lines S.

    Other records: f = −1 and f = 1/2, each in with probability q.
    """
    for sigma, q in ((F(1), F(1, 2)), (F(2), F(1, 10))):
        centres = [(F(0), (1 - q) ** 2), (F(-1), q * (1 - q)), (F(1, 2), q * (1 - q)), (F(-1, 2), q * q)]
        for epsilon in (F(0), F(1, 2)):
            bound = _delta(PoissonSubsampled(Gaussian(sigma), q), epsilon)
            for cut in (F(-1), F(0), F(1), F(2)):
                p = r = arb(0)
                for centre, weight in centres:
                    out, in_ = (normal_tail(ball((cut - centre - m) / sigma)) for m in (0, 1))
                    r += ball(weight) * out
                    p += ball(weight) * ((1 - ball(q)) * out + ball(q) * in_)
                yield Case(
                    f"σ = {sigma}, q = {q}, ε = {epsilon}, S = [{cut}, ∞)", p - ball(epsilon).exp() * r, bound
                )


def scaling() -> Iterator[Case]:
    """A smaller norm has a smaller δ: sensitivities 1/10, 1/2, 9/10 against 1."""
    for q in ("1/100", "1/2", "1"):
        for epsilon in ("1/10", "1"):
            whole = _delta(PoissonSubsampled(Gaussian(1), q), epsilon)
            for c in ("1/10", "1/2", "9/10"):
                part = _delta(PoissonSubsampled(Gaussian(1, sensitivity=c), q), epsilon)
                yield Case(f"q = {q}, ε = {epsilon}, ‖f‖ = {c}", part, whole)


def clipping_constant() -> Iterator[Case]:
    """KJH19 Algorithm 1 adds N(0, σ²) to sums clipped at C: at C = 2 it is the analysis of σ/2."""
    clipped = _delta(PoissonSubsampled(Gaussian(1, sensitivity=2), "1/100"), 1)
    yield Case("C = 2, σ = 1, q = 1/100, ε = 1", clipped, _delta(PoissonSubsampled(Gaussian(1), "1/100"), 1))


def without_replacement() -> Iterator[Case]:
    """Batches of a fixed size, one record replaced: δ exceeds that of qN(±1) + (1 − q)N(0) at one step."""
    actual = _delta(SampledWithoutReplacement(Gaussian(2), "0.3"), 1, "replace-one")
    yield Case(
        "σ = 2, q = 0.3, ε = 1, k = 1", actual, _delta(KJH19Substitute(Gaussian(2), "0.3"), 1, "replace-one")
    )


def poisson_replacement() -> Iterator[Case]:
    """Poisson sampling, f(x) replaced by f(y), both in [−1, 1]: half-lines, against the pair of 1 and −1."""
    rng = Random(1)
    for _ in range(30):
        sigma, q, epsilon = (
            rng.choice((F(1, 2), F(1), F(2))),
            F(rng.randint(1, 9), 10),
            F(rng.randint(0, 6), 4),
        )
        x, y, cut = (F(rng.randint(-8 * reach, 8 * reach), 8) for reach in (1, 1, 3))
        none, first, second = (normal_tail(ball((cut - m) / sigma)) for m in (F(0), x, y))
        gain = ball(1 - q) * (1 - ball(epsilon).exp()) * none
        gain += ball(q) * (first - ball(epsilon).exp() * second)
        bound = _delta(KJH19Substitute(Gaussian(sigma), q), epsilon, "replace-one")
        yield Case(f"σ = {sigma}, q = {q}, ε = {epsilon}, f = {x} and {y}, S = [{cut}, ∞)", gain, bound)


def with_replacement() -> Iterator[Case]:
    """KJH20s (B.8): data sets whose other records are at −1 have a larger δ than the pair at one step."""
    actual = _delta(SampledWithReplacement(Gaussian(2), 3, 10), 1, "replace-one")
    yield Case(
        "σ = 2, m = 3, n = 10, ε = 1, k = 1",
        actual,
        _delta(KJH20WithReplacement(Gaussian(2), 3, 10), 1, "replace-one"),
    )


def remove_dominates() -> Iterator[Case]:
    """δ_{Y/X} ≤ δ_{X/Y}: direction add against remove, ε > 0."""
    for sigma, q, k in (
        ("3/10", "1/3", 2),
        ("2", "7/10", 5),
        ("1/2", "1/10", 1),
        ("1", "1/100", 1),
        ("1", "1/2", 3),
        ("3", "9/10", 10),
        ("1", "1/100", 1000),
    ):
        for epsilon in ("1/1000", "1/5", "2"):
            what = k * PoissonSubsampled(Gaussian(sigma), q)
            yield Case(
                f"σ = {sigma}, q = {q}, k = {k}, ε = {epsilon}",
                _delta(what, epsilon, "add"),
                _delta(what, epsilon, "remove"),
            )


def exchange_of_names() -> Iterator[Case]:
    """The inference uses what any pair has, so it would give δ_{X/Y} ≤ δ_{Y/X} too."""
    what = PoissonSubsampled(Gaussian(1), "1/2")
    yield Case("σ = 1, q = 1/2, ε = 1", _delta(what, 1, "remove"), _delta(what, 1, "add"))


def maximum_over_neighbours() -> Iterator[Case]:
    """Gaussian, norms 1 − 1/i, i = 1, 2, …: δ rises and its supremum, at norm 1, is no data set's."""
    last, whole = arb(0), _delta(Gaussian(1), 1)
    for i in (2, 10, 1000):
        value = _delta(Gaussian(1, sensitivity=F(i - 1, i)), 1)
        yield Case(f"norm 1 − 1/{i}, against the one before", last, value, "<")
        yield Case(f"norm 1 − 1/{i}, against norm 1", value, whole, "<")
        last = value


VECTORS = tuple(
    (F(a, c), F(b, c)) for a, b, c in ((3, 4, 5), (5, 12, 13), (-8, 15, 17), (-20, -21, 29), (0, 1, 1))
)
"""Unit vectors."""


def _turned(f: tuple[F, F], transposed: bool) -> tuple[F, F]:
    """U f or Uᵀ f for U = [f, Ũ], Ũ = (−f₂, f₁)."""
    (a, b), sign = f, 1 if transposed else -1
    return a * a + sign * b * b, a * b - sign * a * b


def rotation() -> Iterator[Case]:
    """KJH20s B.1: U f(x') = e₁ for U = [f(x'), Ũ]; f(x') = (3/5, 4/5)."""
    yield Case("f(x') = (3/5, 4/5): first coordinate of U f(x')", _turned(VECTORS[0], False)[0], 1, "=")


def transposed_rotation() -> Iterator[Case]:
    """Uᵀ f(x') = e₁."""
    for f in VECTORS:
        yield Case(f"f = {f[0]}, {f[1]}: Uᵀ f, first", _turned(f, True)[0], 1, "=")
        yield Case(f"f = {f[0]}, {f[1]}: Uᵀ f, second", _turned(f, True)[1], 0, "=")


def one_norm() -> Iterator[Case]:
    """A norm c with noise σ is norm 1 with noise σ/c."""
    for sigma, c, q in product((F(1), F(2)), (F(1, 10), F(1, 2), F(9, 10)), (F(1, 100), F(1, 2))):
        for epsilon in ("1/10", "1"):
            left = _delta(PoissonSubsampled(Gaussian(sigma, sensitivity=c), q), epsilon)
            right = _delta(PoissonSubsampled(Gaussian(sigma / c), q), epsilon)
            yield Case(f"σ = {sigma}, ‖f‖ = {c}, q = {q}, ε = {epsilon}", left, right, "=")


def replaced_often() -> Iterator[Case]:
    """KJH20s B.4, m from 1 to 9: the loss by densities and by (B.9), rising, with the signs of its limits."""
    rng = Random(1)
    for m in range(1, 10):
        n, sigma = rng.randint(2, 50), F(rng.randint(1, 8), 4)
        last = arb.neg_inf()
        for t in (F(-60 * m), F(rng.randint(-200, 0), 100), F(rng.randint(1, 200), 100), F(60 * m)):
            weights = [ball(F(math.comb(m, j) * (n - 1) ** (m - j), n**m)) for j in range(m + 1)]
            v, x = ball(sigma) ** 2, (ball(t) / ball(sigma) ** 2).exp()
            up, down = (
                sum(
                    (w * (-((ball(t) - sign * j) ** 2) / (2 * v)).exp() for j, w in enumerate(weights)),
                    arb(0),
                )
                for sign in (1, -1)
            )
            c = [w * (-arb(j * j) / (2 * v)).exp() for j, w in enumerate(weights)]
            printed = sum((a * x**j for j, a in enumerate(c)), arb(0)) / sum(
                (a / x**j for j, a in enumerate(c)), arb(0)
            )
            label = f"m = {m}, n = {n}, σ = {sigma}, t = {t}"
            yield Case(label, (up / down).log(), printed.log(), "=")
            yield Case(f"{label}: rises", last, printed.log(), "<")
            last = printed.log()
        yield Case(f"m = {m}, n = {n}, σ = {sigma}, t = {60 * m}: L is large", 40 / ball(sigma) ** 2, last)
