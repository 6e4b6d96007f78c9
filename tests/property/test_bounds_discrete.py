"""Attacks on the bounds about discrete losses: exact on both sides, atoms next to ε and to grid points."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import acb, arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls.ball import ball
from pldverify.bounds.chernoff import chernoff_tail
from pldverify.bounds.coupling import coupling_band, coupling_shift
from pldverify.bounds.density_discretisation import printed_riemann_sum, riemann_sum
from pldverify.bounds.fft_rounding import convolution_rounding, fft_error
from pldverify.bounds.grid_moment import grid_log_moment
from pldverify.bounds.loss_tail import loss_tail
from pldverify.bounds.periodisation import periodisation
from pldverify.bounds.right_grid import left_grid, printed_right_grid, right_grid, right_grid_chernoff
from pldverify.bounds.truncation import printed_truncation, truncation

UNIT = F(1, 2**53)
Law = dict[F, F]

TINY = F(1, 10**9)
steps = st.sampled_from([F(1), F(1, 2), F(1, 7), F(1, 100)])
near = st.sampled_from([F(0), TINY, -TINY, F(1, 3), F(1, 2)])
tilts = st.sampled_from([F(1, 10), F(1), F(5, 2), F(20), F(1000)])


@st.composite
def laws(draw: st.DrawFn, reach: int = 3) -> Law:
    """Up to four atoms, some next to grid points of width 1."""
    law: Law = {}
    for _ in range(draw(st.integers(1, 4))):
        loss = F(draw(st.integers(-reach, reach))) + draw(near)
        law[loss] = law.get(loss, F(0)) + draw(st.sampled_from([F(1), F(1, 10**6), F(3)]))
    whole = sum(law.values())
    return {loss: mass / whole for loss, mass in law.items()}


def power(law: Law, k: int) -> Law:
    result: Law = {F(0): F(1)}
    for _ in range(k):
        grown: Law = {}
        for (a, p), (b, q) in product(result.items(), law.items()):
            grown[a + b] = grown.get(a + b, F(0)) + p * q
        result = grown
    return result


def delta(law: Law, epsilon: F) -> arb:
    return sum((ball(p) * (1 - ball(epsilon - s).exp()) for s, p in law.items() if s > epsilon), arb(0))


def tail(law: Law, s: F, *, strict: bool = False) -> F:
    return sum((p for loss, p in law.items() if loss > s or (loss == s and not strict)), F(0))


def log_moment(law: Law, lam: F) -> arb:
    return sum((ball(p) * ball(lam * s).exp() for s, p in law.items()), arb(0)).log()


def on_grid(law: Law, h: F, side: str) -> Law:
    result: Law = {}
    for s, p in law.items():
        to = h * (math.ceil(s / h) if side == "right" else math.floor(s / h))
        result[to] = result.get(to, F(0)) + p
    return result


@given(laws(), st.integers(1, 4), steps, st.integers(-4, 6), near, tilts)
def test_grid_rounding_is_bounded(law: Law, k: int, h: F, whole: int, offset: F, lam: F) -> None:
    epsilon = whole + offset
    exact, right, left = (power(x, k) for x in (law, on_grid(law, h, "right"), on_grid(law, h, "left")))
    grown = delta(right, epsilon) - delta(exact, epsilon)
    bound = right_grid(tail(exact, epsilon - k * h, strict=True), delta(exact, epsilon), k, h)
    assert not grown > bound
    assert not grown > right_grid_chernoff(k * log_moment(law, lam), lam, k, h, epsilon)
    assert not grown > k * ball(h)  # (5.6)
    shrunk = delta(exact, epsilon) - delta(left, epsilon)
    assert not shrunk > left_grid(tail(exact, epsilon), delta(exact, epsilon), k, h)


def test_kh21_theorem_2_as_printed_is_false() -> None:
    """One atom just below ε whose grid point lies above ε; (5.7) falls with λ → ∞."""
    law, h, epsilon = {F(9, 10): F(1)}, F(1), F(19, 20)
    grown = delta(on_grid(law, h, "right"), epsilon) - delta(law, epsilon)
    assert grown > printed_right_grid(tail(law, epsilon), delta(law, epsilon), 1, h)
    lam = F(200)
    assert grown > ball(h) * chernoff_tail(log_moment(law, lam), lam, epsilon)
    assert not grown > right_grid(tail(law, epsilon - h, strict=True), delta(law, epsilon), 1, h)


@given(laws(), st.integers(1, 4), st.integers(1, 5), st.integers(0, 4), near, tilts)
def test_wrapping_and_truncation_are_bounded(law: Law, k: int, L: int, whole: int, offset: F, lam: F) -> None:
    """What Algorithm 1 does in exact arithmetic: single losses outside are dropped, sums wrap modulo 2L."""
    epsilon = min(whole + abs(offset), F(L) - TINY)
    law = on_grid(law, F(1), "right")
    exact, kept = power(law, k), {s: p for s, p in law.items() if -L <= s < L}
    up, down = log_moment(law, lam), log_moment(law, -lam)

    def wrapped(x: Law) -> Law:
        result: Law = {}
        for s, p in x.items():
            to = (s + L) % (2 * L) - L
            result[to] = result.get(to, F(0)) + p
        return result

    def psi(x: Law) -> arb:
        return delta({s: p for s, p in x.items() if s < L}, epsilon)

    around = periodisation(k * up, k * down, lam, L)
    assert not abs(delta(wrapped(exact), epsilon) - delta(exact, epsilon)) > around
    assert not delta(exact, epsilon) - psi(exact) > chernoff_tail(k * up, lam, L)
    dropped = psi(exact) - psi(power(kept, k))
    assert not dropped > truncation([(up, down, k)], lam, L)
    partial: Law = {F(0): F(1)}
    for i in range(k):  # KH21's ⊛ truncates partial sums
        if i:
            partial = {s: p for s, p in partial.items() if -L <= s < L}
        partial = {s: p for s, p in _convolve(partial, law).items()}
    lost = sum(exact.values()) - sum(partial.values())
    assert not ball(lost) > printed_truncation(up, down, k, lam, L)


def _convolve(a: Law, b: Law) -> Law:
    result: Law = {}
    for (s, p), (t, q) in product(a.items(), b.items()):
        result[s + t] = result.get(s + t, F(0)) + p * q
    return result


def test_kh21_d4_bounds_another_quantity_than_what_is_dropped() -> None:
    """k = 1: its I₂ is 0, and so is the print; the accountant drops the loss 5."""
    law = {F(5): F(1, 2), F(0): F(1, 2)}
    kept = {s: p for s, p in law.items() if -2 <= s < 2}
    lost = sum(law.values()) - sum(kept.values())
    assert ball(lost) > printed_truncation(log_moment(law, F(1)), log_moment(law, F(-1)), 1, 1, 2)
    assert not ball(lost) > truncation([(log_moment(law, F(1)), log_moment(law, F(-1)), 1)], 1, 2)


@given(laws(), steps, tilts, st.booleans())
def test_moments_on_the_grid(law: Law, h: F, lam: F, negative: bool) -> None:
    lam = -lam if negative else lam
    moved = log_moment(on_grid(law, h, "right"), lam)
    assert not moved > grid_log_moment(log_moment(law, lam), lam, h)
    if 0 < lam * h < 1:  # Lemma 7 as printed
        assert not moved > log_moment(law, lam) - (1 - ball(lam * h)).log()


@given(
    laws(), laws(), st.integers(1, 4), st.sampled_from([F(1, 2), F(1, 100), F(2)]), st.integers(-2, 6), near
)
def test_coupled_curves(law: Law, noise: Law, k: int, eta: F, whole: int, offset: F) -> None:
    """Ỹ = Y − D with D of mean 0, independent of Y, in an interval of width w."""
    epsilon = whole + offset
    mean = sum((s * p for s, p in noise.items()), F(0))
    centred = {s - mean: p for s, p in noise.items()}
    width = max(centred) - min(centred)
    exact = power(law, k)
    moved = power(_convolve(law, centred), k)
    shift = coupling_shift(width, k, eta)
    t = F(math.ceil(float(shift) * 10**6) + 1, 10**6)
    low, high = coupling_band(delta(exact, epsilon + t), delta(exact, epsilon - t), eta)
    value = delta(moved, epsilon)
    assert not value > high
    assert not value < low


@given(
    st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 1000)), min_size=2, max_size=5),
    st.integers(-1, 3),
    st.sampled_from([F(1, 100), F(1), F(3)]),
)
def test_the_tail_of_a_loss(weights: list[tuple[int, int]], epsilon: int, t: F) -> None:
    wholes = sum(a for a, _ in weights), sum(b for _, b in weights)
    pairs = [(F(a, wholes[0]), F(b, wholes[1])) for a, b in weights]
    growth = ball(epsilon).exp()

    def hockey(pairs: list[tuple[F, F]]) -> arb:
        return sum(((ball(p) - growth * ball(q)).max(arb(0)) for p, q in pairs), arb(0))

    if epsilon + t < 0:
        return
    far = sum((p for p, q in pairs if abs(math.log(p / q)) >= epsilon + t + 1e-12), F(0))
    bound = loss_tail(epsilon, hockey(pairs).upper(), hockey([(q, p) for p, q in pairs]).upper(), t)
    assert not ball(far) > bound


@pytest.mark.parametrize("n", [2, 6, 40])
def test_kjh19_10_15_as_printed_is_false(n: int) -> None:
    """h(y) = y − ε on the grid of [−L, L): exact on both sides."""
    L, epsilon = F(4), F(1)
    step = 2 * L / n
    points = [-L + i * step for i in range(n)]
    total = step * sum((x - epsilon for x in points if x > epsilon), F(0))
    error = abs((L - epsilon) ** 2 / 2 - total)
    assert ball(error) > printed_riemann_sum(1, epsilon, L, n)
    assert not ball(error) > riemann_sum(1, epsilon, L, n)


@pytest.mark.parametrize("n", [2, 8, 12, 30, 49, 97, 121, 128, 221, 1009])
def test_numpy_keeps_to_the_model_of_the_fft(n: int) -> None:
    x = np.random.default_rng(n).standard_normal(n)
    found = np.fft.fft(x)
    before, ctx.prec = ctx.prec, 120
    try:
        exact = acb.dft([acb(float(value)) for value in x])
        error = sum((abs(acb(complex(f)) - e) ** 2 for f, e in zip(found, exact, strict=True)), arb(0)).sqrt()
        size = sum((abs(e) ** 2 for e in exact), arb(0)).sqrt()
        assert not error > fft_error(n, UNIT) * size
    finally:
        ctx.prec = before


@pytest.mark.parametrize(("n", "k"), [(8, 3), (30, 7), (98, 2), (64, 500)])
def test_numpy_keeps_to_the_bound_of_the_convolution(n: int, k: int) -> None:
    masses = np.random.default_rng(n).random(n)
    masses /= masses.sum()
    found = np.fft.irfft(np.fft.rfft(masses) ** k, n)
    law, result = [F(m) for m in masses.tolist()], [F(1)] + [F(0)] * (n - 1)
    for bit in bin(k)[2:]:
        result = _cyclic(result, result)
        result = _cyclic(result, law) if bit == "1" else result
    error = sum((abs(F(f) - e) for f, e in zip(found.tolist(), result, strict=True)), F(0))
    norm = F(float(np.sqrt(np.sum(masses**2))) * 1.001)
    assert not ball(error) > convolution_rounding([(norm, sum(law), k)], n=n, kernel=n, reach=1, unit=UNIT)


def _cyclic(a: list[F], b: list[F]) -> list[F]:
    """Rounded to 200 bits, far below the error that is looked for."""
    n = len(a)
    exact = [sum((a[j] * b[(i - j) % n] for j in range(n)), F(0)) for i in range(n)]
    return [F(round(value * 2**200), 2**200) for value in exact]
