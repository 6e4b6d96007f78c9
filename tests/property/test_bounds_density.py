"""Attacks on the bounds about the sampled Gaussian: its density in balls, from f(g(s)) g'(s)."""

from fractions import Fraction as F

from flint import arb, arb_series, ctx
from hypothesis import given
from hypothesis import strategies as st

from pldverify import reference
from pldverify.balls.ball import ball, working
from pldverify.bounds.density import density_supremum
from pldverify.bounds.density_derivatives import first_derivative, second_derivative
from pldverify.bounds.density_tail import density_tail
from pldverify.bounds.kjh20_periodisation import kjh20_periodisation, printed_kjh20_periodisation
from pldverify.bounds.omega_max_moment import omega_max_rest, printed_omega_max_rest
from pldverify.bounds.pointwise_truncation import pointwise_truncation
from pldverify.bounds.sampled_gaussian_moment import log_moment, printed_log_moment
from pldverify.mechanisms import Gaussian, PoissonSubsampled

sigmas = st.sampled_from([F(1, 10), F(1, 3), F(1), F(3), F(20)])
rates = st.sampled_from([F(1, 10**6), F(1, 100), F(1, 2), F(99, 100), 1 - F(1, 10**6), F(1)])
outcomes = st.fractions(-8, 8, max_denominator=50)


def series(s: arb, sigma: F, q: F) -> list[arb]:
    """ω(s), ω'(s), ω''(s), direction ``remove``."""
    v, p = ball(sigma) ** 2, ball(q)
    x = arb_series([s, 1], prec=4)
    g = v * ((x.exp() - (1 - p)) / p).log() + arb(1) / 2
    norm = 1 / (2 * arb.pi() * v).sqrt()
    f = norm * (p * (-((g - 1) * (g - 1)) / (2 * v)).exp() + (1 - p) * (-(g * g) / (2 * v)).exp())
    omega = f * g.derivative()
    return [omega[0], omega[1], 2 * omega[2]]


def loss(t: arb, sigma: F, q: F) -> arb:
    return (ball(q) * ((2 * t - 1) / (2 * ball(sigma) ** 2)).expm1()).log1p()


@given(sigmas, rates, outcomes)
def test_density_and_derivatives(sigma: F, q: F, z: F) -> None:
    """At t = z σ, −z/σ …: around the peaks of every normal density in the proofs."""
    with working(400):
        for t in (ball(z) * ball(sigma), ball(z), ball(z) * ball(sigma) - 3):
            s = loss(t, sigma, q)
            omega, first, second = series(s, sigma, q)
            if not second.is_finite():
                continue
            assert not omega > density_supremum(sigma, q)
            assert not abs(first) > first_derivative(sigma, q)
            assert not abs(second) > second_derivative(sigma, q)
            backward = s.exp() ** -1 * omega  # e^{s'} ω(−s') at s' = −s
            assert not backward > density_supremum(sigma, q, "add")
            if s >= 0:
                assert not omega > density_tail(sigma, q, s)
            if sigma >= 1:  # as printed
                v = ball(sigma) ** 2
                assert not abs(first) > 4 * (3 / v).exp() * ball(sigma) ** 3 / ball(q) ** 2
                assert not abs(second) > 11 * (arb(9) / (2 * v)).exp() * ball(sigma) ** 3 / ball(q) ** 3


def test_the_hypothesis_of_the_second_derivative_is_needed() -> None:
    """KJH20s D.4 without σ ≥ 1: false at σ = 1/2, q = 1/1000, near the peak of N(−3, σ²)."""
    sigma, q = F(1, 2), F(1, 1000)
    with working(300):
        printed = 11 * (arb(9) / (2 * ball(sigma) ** 2)).exp() * ball(sigma) ** 3 / ball(q) ** 3
        found = [abs(series(loss(ball(F(i, 20)), sigma, q), sigma, q)[2]) for i in range(-90, -30)]
        assert any(value > printed for value in found)
        assert not any(value > second_derivative(sigma, q) for value in found)


def test_kjh20s_c5_as_printed_needs_a_hypothesis() -> None:
    """q = 0.49, σ = 0.1, L = 1, k = 2: near twice the peak of the losses that start beyond L."""
    sigma, q, L = F(1, 10), F(49, 100), F(1)
    with working(100):
        v, p = ball(sigma) ** 2, ball(q)
        c = v * (1 / (2 * p)).log() - arb(1) / 2
        printed = 2 * ball(sigma) * (-((v * ball(L) + c) ** 2) / (2 * v)).exp()
        # (ω∗ω − ω⊛ω)(x) = ∫_L^∞ ω(t)ω(x − t) dt ≥ ∫ over [a, b] of the product, with both factors enclosed
        x, total = ball(98), arb(0)
        cells = 40
        for i in range(cells):
            a, b = F(49) + F(i, cells), F(49) + F(i + 1, cells)
            t = ball(a).union(ball(b))
            product = series(t, sigma, q)[0] * series(x - t, sigma, q)[0]
            total += product.lower().max(arb(0)) * ball(b - a)
        assert total > printed
        assert not pointwise_truncation(sigma, q, 2, L).is_finite()


@given(sigmas, rates, st.sampled_from([F(0), F(1, 10), F(1), F(5), F(40)]))
def test_moments(sigma: F, q: F, lam: F) -> None:
    mechanism = PoissonSubsampled(Gaussian(sigma=sigma), q=q)
    if lam == 0:
        return
    divergence = reference.rdp(mechanism, order=lam + 1, adjacency="remove", digits=15)
    exact = ball(F(divergence.lower)) * ball(lam)
    assert not exact > log_moment(sigma, q, lam)
    assert not exact > printed_log_moment(sigma, q, lam)


def test_kjh20s_c6_as_printed_is_false() -> None:
    """q = 0.7, σ = 10, k = 360, L = 7, ε = 0: what wraps from below is more than the printed bound.

    As k < 4σ² the printed series converges: α(λ) ≤ λ(λ + 1)/2σ², so its term n > 8 is at most
    2 exp(1.8 λ(λ + 1) − 2λ²), λ = nL, less than half of the one before.
    """
    sigma, q, k, L = F(10), F(7, 10), 360, F(7)
    mechanism = PoissonSubsampled(Gaussian(sigma=sigma), q=q)
    composed = k * mechanism

    def alpha(lam: arb) -> arb:
        found = reference.rdp(mechanism, order=F(float(lam)) + 1, adjacency="remove", digits=20)
        return ball(F(found.lower)).union(ball(F(found.upper))) * lam

    def tail(s: F) -> arb:
        found = reference.tail(composed, epsilon=s, adjacency="remove", digits=14)
        return ball(F(found.lower)).union(ball(F(found.upper)))

    with working(200):
        wrapped = tail(-2 * L) - tail(-L)  # −2L ≤ S < −L comes to [0, L)
        outside = 1 - _tail(mechanism, -L) + _tail(mechanism, L)  # of one loss
        least = wrapped - k * outside
        later = 4 * (arb("1.8") * 63 * 64 - 2 * arb(63) ** 2).exp()
        assert least > printed_kjh20_periodisation(alpha, k, L, terms=8) + later
        assert not least > kjh20_periodisation(alpha, k, L, terms=8)


def _tail(mechanism: PoissonSubsampled, s: F) -> arb:
    found = reference.tail(mechanism, epsilon=s, adjacency="remove", digits=30)
    return ball(F(found.lower)).union(ball(F(found.upper)))


@given(
    st.sampled_from([F(1, 2), F(1), F(2), F(5)]),
    st.sampled_from([F(-8), F(-1), F(1), F(2), F(5), F(16)]),
    st.sampled_from([F(3), F(6), F(12)]),
    st.sampled_from([F(1, 2), F(1, 10)]),
)
def test_omega_max_outside_of_the_grid(sigma: F, lam: F, L: F, step: F) -> None:
    """The first 60/σh cells on each side, summed; a part of the sum is below the bound for the whole."""
    bound = omega_max_rest(sigma, lam, L, step)
    assert not _omega_max_rest(sigma, lam, L, step) > bound


def _omega_max_rest(sigma: F, lam: F, L: F, step: F) -> arb:
    """Σ e^{λs_i} h max ω over cells with s_i outside of [−L, L − h], where ω is monotone."""
    mean, count, total = 1 / (2 * sigma**2), int(40 / (sigma * step)) + 1, arb(0)
    scale = ball(sigma) / (2 * arb.pi()).sqrt()
    for i in range(count):
        for at, largest in ((L + i * step, L + (i - 1) * step), (-L - (i + 1) * step,) * 2):
            if at > 0 and largest < mean:
                continue
            density = scale * (-ball(sigma**2 * (largest - mean) ** 2 / 2)).exp()
            total += ball(step) * density * ball(lam * at).exp()
    return total


def test_kh21_e3_as_printed_is_false() -> None:
    sigma, lam, L, step = F(1), F(8), F(10), F(1, 10)
    value = _omega_max_rest(sigma, lam, L, step)
    assert value > printed_omega_max_rest(sigma, lam, L, step)
    assert not value > omega_max_rest(sigma, lam, L, step)


def test_working_precision_is_what_it_was() -> None:
    assert ctx.prec == 53
