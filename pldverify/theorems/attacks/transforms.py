"""Discrete Fourier transforms of small vectors in balls: convolutions, shifts, Plancherel."""

from collections.abc import Iterator, Sequence
from fractions import Fraction as F

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.theorems.evidence import Case

Vector = Sequence[F]
"""Values at the points of a grid."""
VECTORS: tuple[tuple[Vector, Vector], ...] = (
    ((F(1, 2), F(1, 2)), (F(1, 3), F(2, 3))),
    ((F(1), F(2), F(-3), F(1, 7)), (F(0), F(1), F(5), F(2))),
    (tuple(F(i, 21) for i in range(6)), tuple(F((-1) ** i, i + 1) for i in range(6))),
)
"""Pairs of vectors of even length, one with values of both signs."""


def forward(x: Sequence[acb]) -> list[acb]:
    """(F x)_k = Σ x_j e^{−2πi kj/n}."""
    return _transform(x, -1)


def backward(x: Sequence[acb]) -> list[acb]:
    """F⁻¹."""
    return [value / len(x) for value in _transform(x, 1)]


def _transform(x: Sequence[acb], sign: int) -> list[acb]:
    n, turn = len(x), 2 * sign * arb.pi()
    return [sum((x[j] * acb(0, turn * (j * k) / n).exp() for j in range(n)), acb(0)) for k in range(n)]


def _numbers(x: Vector) -> list[acb]:
    return [acb(ball(value)) for value in x]


def swap(x: Sequence[acb]) -> list[acb]:
    """D x: the halves exchanged, n even."""
    half = len(x) // 2
    return [*x[half:], *x[:half]]


def cyclic(a: Vector, b: Vector) -> list[F]:
    """Σ_j a_j b_{i−j}, indices modulo n."""
    n = len(a)
    return [sum((a[j] * b[(i - j) % n] for j in range(n)), F(0)) for i in range(n)]


def _products(a: Vector, b: Vector) -> list[acb]:
    return [x * y for x, y in zip(forward(_numbers(a)), forward(_numbers(b)), strict=True)]


def inverse() -> Iterator[Case]:
    """F⁻¹F x = x."""
    for number, (a, _) in enumerate(VECTORS):
        for j, value in enumerate(backward(forward(_numbers(a)))):
            yield Case(f"vector {number}, index {j}", value.real + 9, ball(a[j]) + 9, "=")


def convolution_theorem() -> Iterator[Case]:
    """v * w = F⁻¹(Fv ⊙ Fw)."""
    for number, (a, b) in enumerate(VECTORS):
        for i, (found, exact) in enumerate(zip(backward(_products(a, b)), cyclic(a, b), strict=True)):
            yield Case(f"vectors {number}, index {i}", found.real + 9, ball(exact) + 9, "=")


def _on_grid(a: Vector, b: Vector) -> list[F]:
    """Masses of the sum modulo 2L at −L + iΔx, of masses at −L + jΔx: j + m = i + n/2 modulo n."""
    n = len(a)
    return [sum((a[j] * b[(i + n // 2 - j) % n] for j in range(n)), F(0)) for i in range(n)]


def by_swaps() -> Iterator[Case]:
    """KH21 Lemma 2, KJH19 7.2: D F⁻¹(F(Da) ⊙ F(Db))."""
    for number, (a, b) in enumerate(VECTORS):
        left, right = forward(swap(_numbers(a))), forward(swap(_numbers(b)))
        found = swap(backward([x * y for x, y in zip(left, right, strict=True)]))
        for i, exact in enumerate(_on_grid(a, b)):
            yield Case(f"vectors {number}, index {i}", found[i].real + 9, ball(exact) + 9, "=")


def printed_indices() -> Iterator[Case]:
    """KH21 (C.8): c_i = Σ_j a_j b_{i−j}, indices modulo n, on the grid s_i = −L + iΔx; n = 4."""
    a, b = VECTORS[1]
    for i, (printed, exact) in enumerate(zip(cyclic(a, b), _on_grid(a, b), strict=True)):
        yield Case(f"n = 4, a = (1, 2, −3, 1/7), b = (0, 1, 5, 2), i = {i}", printed, exact, "=")


def shifted_indices() -> Iterator[Case]:
    """KH21 (C.9): c_{i+n/2} = Σ ã_j b̃_{i−j} with ã = Da."""
    for number, (a, b) in enumerate(VECTORS):
        n, half = len(a), len(a) // 2
        moved = cyclic([*a[half:], *a[:half]], [*b[half:], *b[:half]])
        for i, exact in enumerate(moved):
            yield Case(f"vectors {number}, index {i}", _on_grid(a, b)[(i + half) % n], exact, "=")


def powers() -> Iterator[Case]:
    """KJH19 7.2, Algorithm 1 of KH21: k-fold, D F⁻¹(F(Da)^{⊙k})."""
    for number, (a, _) in enumerate(VECTORS):
        exact, step = list(a), forward(swap(_numbers(a)))
        spectrum = list(step)
        for k in (2, 3, 4):
            exact = _on_grid(a, exact)
            spectrum = [x * y for x, y in zip(spectrum, step, strict=True)]
            for i, value in enumerate(swap(backward(spectrum))):
                yield Case(f"vector {number}, k = {k}, index {i}", value.real + 9, ball(exact[i]) + 9, "=")


def plancherel() -> Iterator[Case]:
    """KH21 Lemma 5: ⟨w, D F⁻¹(F(Da)^{⊙k})⟩ = ⟨F(Dw), F(Da)^{⊙k}⟩/n, the second factor conjugated."""
    for number, (a, w) in enumerate(VECTORS):
        n, spectrum = len(a), forward(swap(_numbers(a)))
        for k in (1, 2, 5):
            power = [x**k for x in spectrum]
            direct = sum((ball(u) * v.real for u, v in zip(w, swap(backward(power)), strict=True)), arb(0))
            other = sum(
                ((u * v.conjugate()).real for u, v in zip(forward(swap(_numbers(w))), power, strict=True)),
                arb(0),
            )
            yield Case(f"vectors {number}, k = {k}", direct + 1000, other / n + 1000, "=")


def trapezoids() -> Iterator[Case]:
    """The trapezoidal rule over a period is the sum over its points: the halves at the ends add up to one."""
    for number, (a, b) in enumerate(VECTORS):
        n = len(a)
        for i in range(n):
            values = [a[j % n] * b[(i - j) % n] for j in range(n + 1)]
            whole = sum(values[1:n], F(0)) + (values[0] + values[n]) / 2
            yield Case(f"vectors {number}, index {i}", whole, cyclic(a, b)[i], "=")


def symmetric_swap() -> Iterator[Case]:
    """⟨w, Dv⟩ = ⟨Dw, v⟩."""
    for number, (v, w) in enumerate(VECTORS):
        half = len(v) // 2
        left = sum((x * y for x, y in zip(w, (*v[half:], *v[:half]), strict=True)), F(0))
        right = sum((x * y for x, y in zip((*w[half:], *w[:half]), v, strict=True)), F(0))
        yield Case(f"vectors {number}", left, right, "=")


def cyclic_differences() -> Iterator[Case]:
    """Differences of a cyclic convolution are those of one factor, the one across the end with the rest."""
    for number, (a, b) in enumerate(VECTORS):
        n = len(a)
        steps = [b[i] - b[i - 1] for i in range(n)]
        for i, found in enumerate(cyclic(a, steps)):
            yield Case(f"vectors {number}, index {i}", found, cyclic(a, b)[i] - cyclic(a, b)[i - 1], "=")
