"""DiscretizePRV on losses with rational atoms, and couplings of such losses."""

import math
from collections.abc import Iterator
from fractions import Fraction as F

from pldverify import reference
from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail
from pldverify.bounds.coupling import coupling_band, coupling_shift
from pldverify.mechanisms import Gaussian
from pldverify.theorems.discrete import SAMPLES, Law, convolve, delta, law, power
from pldverify.theorems.evidence import Case, enclosed


def discretised(loss: Law, h: F, m: int) -> tuple[dict[int, F], F]:
    """Algorithm 2: (masses of the cells, μ), L = (m + 1/2) h, cells (ih − h/2, ih + h/2]."""
    cells: dict[int, F] = {}
    for s, p in loss.items():
        i = math.ceil(s / h - F(1, 2))
        if abs(i) <= m:
            cells[i] = cells.get(i, F(0)) + p
    whole = sum(cells.values(), F(0))
    cells = {i: p / whole for i, p in cells.items()}
    kept = {s: p for s, p in loss.items() if abs(s) <= (m + F(1, 2)) * h}
    mean = sum((s * p for s, p in kept.items()), F(0)) / sum(kept.values(), F(0))
    return cells, mean - sum((i * h * p for i, p in cells.items()), F(0))


def shifts_are_half_a_cell() -> Iterator[Case]:
    """|μ| ≤ h/2."""
    for i, loss in enumerate(SAMPLES):
        for h in (F(1), F(2, 3), F(1, 7)):
            _, mu = discretised(loss, h, 60)
            yield Case(f"law {i}, h = {h}", abs(mu), h / 2)


def cells_are_coupled() -> Iterator[Case]:
    """|Ỹ − Y^L| ≤ h, cell by cell."""
    for i, loss in enumerate(SAMPLES):
        for h in (F(1), F(2, 3), F(1, 7)):
            _, mu = discretised(loss, h, 60)
            for s in loss:
                moved = h * math.ceil(s / h - F(1, 2)) + mu
                yield Case(f"law {i}, h = {h}, s = {s}", abs(moved - s), h)


def atom_at_the_lower_end() -> Iterator[Case]:
    """An atom at −L is in Y^L and in no cell: Ỹ does not have it, so no coupling is within h."""
    h, m = F(1), 2
    loss = law(("-5/2", "1/100"), (2, "99/100"))
    cells, mu = discretised(loss, h, m)
    nearest = min(abs(i * h + mu + F(5, 2)) for i in cells)
    yield Case("Y = −5/2 = −L with 1/100, else 2, h = 1", nearest, h)


def infinite_mass() -> Iterator[Case]:
    """Pr[ΣYᵢ = ∞] = 1 − Π(1 − δᵢ), by counting."""
    chances = (F(1, 3), F(1, 10), F(1, 1000))
    finite = F(1)
    for p in chances:
        finite *= 1 - p
    union = sum(chances) - (chances[0] * chances[1] + chances[0] * chances[2] + chances[1] * chances[2])
    union += chances[0] * chances[1] * chances[2]
    yield Case("δ = 1/3, 1/10, 1/1000", union, 1 - finite, "=")


NOISES = (law((0, 1)), law(("-1/2", "1/2"), ("1/2", "1/2")), law(("-1/10", "10/11"), (1, "1/11")))
"""Rounding errors of mean 0: none, symmetric, and skew."""


def coupled_curves() -> Iterator[Case]:
    """Lemmas 5.2 and 5.3 for Ỹ = Y − D with D of mean 0 and independent of Y."""
    for i, loss in enumerate(SAMPLES):
        for j, noise in enumerate(NOISES):
            width = max(noise) - min(noise)
            for k in (1, 3):
                for eta in (F(1, 2), F(1, 100)):
                    shift = F(math.ceil(float(coupling_shift(width, k, eta)) * 10**6) + 1, 10**6)
                    exact, moved = power(loss, k), power(convolve(loss, noise), k)
                    for epsilon in (F(0), F(3, 2)):
                        low, high = coupling_band(
                            delta(exact, epsilon + shift), delta(exact, epsilon - shift), eta
                        )
                        where, value = f"law {i}, noise {j}, k = {k}, ε = {epsilon}", delta(moved, epsilon)
                        yield Case(where, value, high)
                        yield Case(where, low, value)


def mesh_is_enough() -> Iterator[Case]:
    """h of Theorem 5.5 and the shift of a cell's width w = h at η = δ_err/6: the shift is ε_err."""
    for k in (1, 10, 1000):
        for lost in (F(1, 10**10), F(1, 100)):
            h = 1 / (ball(F(k, 2)) * (12 / ball(lost)).log()).sqrt()
            yield Case(
                f"k = {k}, δ_err = {lost}",
                h * (ball(F(k, 2)) * (2 / (ball(lost) / 6)).log()).sqrt(),
                arb(1),
                "=",
            )


def gaussian_curve() -> Iterator[Case]:
    """(10) with μ = √k/σ against the reference for k Gaussian mechanisms."""
    for k, sigma in ((1, F(1)), (4, F(3)), (100, F(20))):
        for epsilon in (F(0), F(1, 2), F(3)):
            found = reference.delta(k * Gaussian(sigma), epsilon=epsilon, digits=20)
            mu, e = ball(k).sqrt() / ball(sigma), ball(epsilon)
            value = normal_tail(e / mu - mu / 2) - e.exp() * normal_tail(e / mu + mu / 2)
            yield Case(f"k = {k}, σ = {sigma}, ε = {epsilon}", value, enclosed(found), "=")


def cells_of_the_interval() -> Iterator[Case]:
    """L ∈ h/2 + hℤ_{>0}: n = (L − h/2)/h is an integer, 2n + 1 cells cover [−L, L], (2n + 1)h = 2L."""
    for n in range(1, 12):
        for h in (F(1), F(2, 7)):
            L = h / 2 + n * h
            yield Case(f"n = {n}, h = {h}", (L - h / 2) / h, n, "=")
            yield Case(f"n = {n}, h = {h}, lower end", -n * h - h / 2, -L, "=")
            yield Case(f"n = {n}, h = {h}, period", (2 * n + 1) * h, 2 * L, "=")


def means() -> Iterator[Case]:
    """E[Ỹ] = E[Y^L]."""
    for i, loss in enumerate(SAMPLES):
        for h in (F(1), F(2, 3), F(1, 7)):
            cells, mu = discretised(loss, h, 60)
            shifted = sum(((j * h + mu) * p for j, p in cells.items()), F(0))
            yield Case(f"law {i}, h = {h}", shifted, sum((s * p for s, p in loss.items()), F(0)), "=")


def hoeffding() -> Iterator[Case]:
    """2 exp(−2t²/(k(2h)²)) = η at t = h√(2k log(2/η))."""
    for k in (1, 2, 10, 1000):
        for h, eta in ((F(1), F(1, 2)), (F(1, 10), F(1, 10**6)), (F(3), F(1, 100))):
            t = ball(h) * (2 * k * (2 / ball(eta)).log()).sqrt()
            tail = 2 * (-2 * t**2 / (4 * k * ball(h) ** 2)).exp()
            yield Case(f"k = {k}, h = {h}, η = {eta}", tail, ball(eta), "=")
