"""The density ω of the sampled Gaussian's loss, direction ``remove``, from f(g(s)) g'(s) in balls.

Places are outcomes t; the loss there is s = log(1 − q + q e^{(2t − 1)/2σ²}), so that g(s) = t.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction as F
from functools import partial
from itertools import product

from pldverify import reference
from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.normal import normal_tail
from pldverify.bounds.density import density_supremum
from pldverify.bounds.density_derivatives import first_derivative, second_derivative
from pldverify.bounds.density_tail import density_tail
from pldverify.bounds.omega_max_moment import omega_max_rest, printed_omega_max_rest
from pldverify.bounds.pointwise_truncation import pointwise_truncation
from pldverify.mechanisms import Gaussian, PoissonSubsampled
from pldverify.theorems.evidence import Case, enclosed

SIGMAS = (F(1, 10), F(1, 2), F(1), F(3), F(20))
"""σ from far below to far above the sensitivity, 1; from number 2 on those with σ ≥ 1."""
RATES = (F(1, 10**6), F(1, 100), F(1, 2), F(99, 100))
"""q from almost no sampling to almost none left out; the first three are at most 1/2."""


def f_jet(t: arb, sigma: F, q: F) -> tuple[arb, arb, arb]:
    """f, f′, f″ at t, f the density of (1 − q) N(0, σ²) + q N(1, σ²)."""
    v, p = ball(sigma) ** 2, ball(q)
    norm = 1 / (2 * arb.pi() * v).sqrt()
    one, zero = (norm * w * (-((t - m) ** 2) / (2 * v)).exp() for m, w in ((1, p), (0, 1 - p)))
    first = -((t - 1) * one + t * zero) / v
    return one + zero, first, (((t - 1) ** 2 / v - 1) * one + (t * t / v - 1) * zero) / v


def g_jet(t: arb, sigma: F, q: F) -> tuple[arb, arb, arb]:
    """g′, g″, g‴ at the loss s of t, KJH20s (D.9), with e^s − (1 − q) = q e^{(2t − 1)/2σ²}."""
    v, p = ball(sigma) ** 2, ball(q)
    d = p * ((2 * t - 1) / (2 * v)).exp()
    e = d + 1 - p
    return v * e / d, -v * (1 - p) * e / d**2, v * (1 - p) * e * (e + 1 - p) / d**3


def series(t: arb, sigma: F, q: F) -> tuple[arb, list[arb]]:
    """s, and ω, ω′, ω″ there, KJH20s (D.7), (D.8)."""
    f, g = f_jet(t, sigma, q), g_jet(t, sigma, q)
    s = (ball(q) * ((2 * t - 1) / (2 * ball(sigma) ** 2)).expm1()).log1p()
    first = f[1] * g[0] ** 2 + f[0] * g[1]
    return s, [f[0] * g[0], first, f[2] * g[0] ** 3 + 3 * f[1] * g[1] * g[0] + f[0] * g[2]]


def outcome(s: arb, sigma: F, q: F) -> arb:
    """g(s) = σ² log((e^s − (1 − q))/q) + 1/2, the outcome whose loss is s."""
    return ball(sigma) ** 2 * ((s.exp() - (1 - ball(q))) / ball(q)).log() + arb(1) / 2


def shift(sigma: F, q: F) -> arb:
    """C₂ = σ² log(1/2q) − 1/2 of Lemmas 13 and D.3."""
    return ball(sigma) ** 2 * (1 / (2 * ball(q))).log() - arb(1) / 2


def gaussian_decay(sigma: F, q: F, s: arb) -> arb:
    """(σ²s + C₂)²/2σ², the exponent of Lemmas 13 and D.3."""
    v = ball(sigma) ** 2
    return (v * s + shift(sigma, q)) ** 2 / (2 * v)


def printed_supremum(sigma: F, q: F) -> arb:
    """σ e^{1/σ²}/(q√2π), KJH19 Lemma 12."""
    return ball(sigma) / (ball(q) * (2 * arb.pi()).sqrt()) * (1 / ball(sigma) ** 2).exp()


Place = tuple[str, F, F, arb, list[arb]]
"""Label, σ, q, s and (ω, ω′, ω″) at s."""


def _places(sigmas: tuple[F, ...] = SIGMAS) -> Iterator[Place]:
    """Around the peaks of every normal density in the proofs, N(m, σ²) with −3 ≤ m ≤ 1."""
    for sigma, q in product(sigmas, RATES):
        for z in (F(-3), F(-1), F(0), F(1), F(3)):
            for centre in (-3, -1, 0, 1):
                t = ball(z * sigma + centre)
                s, values = series(t, sigma, q)
                if values[2].is_finite():
                    yield f"σ = {sigma}, q = {q}, t = {z * sigma + centre}", sigma, q, s, values


def supremum() -> Iterator[Case]:
    """KJH19 Lemma 12: ω ≤ σ e^{1/σ²}/(q√2π), and our smaller bound."""
    for label, sigma, q, _, (omega, _, _) in _places():
        yield Case(label + ", printed", omega, printed_supremum(sigma, q))
        yield Case(label, omega, density_supremum(sigma, q))


def root_two_over_pi(sigma: arb) -> arb:
    """σ√(2/π)."""
    return sigma * (2 / arb.pi()).sqrt()


def supremum_above_zero() -> Iterator[Case]:
    """(A.7): ω ≤ σ/(q√2π) for s > 0."""
    for label, sigma, q, s, (omega, _, _) in _places():
        if Case("", 0, s, "<").holds():
            yield Case(label, omega, ball(sigma) / (ball(q) * (2 * arb.pi()).sqrt()))


def _far(least: int, rates: tuple[F, ...]) -> Iterator[tuple[str, F, F, arb, arb, arb]]:
    """Label, σ, q, s, ω and (σ²s + C₂)²/2σ², for s from ``least`` on."""
    for sigma, q in product(SIGMAS, rates):
        for s in (F(least), F(least) + F(1, 2), F(least + 3), F(least + 20)):
            at = ball(s)
            _, (omega, _, _) = series(outcome(at, sigma, q), sigma, q)
            yield f"σ = {sigma}, q = {q}, s = {s}", sigma, q, at, omega, gaussian_decay(sigma, q, at)


def far_as_printed() -> Iterator[Case]:
    """KJH19 Lemma 13, its exponent with a sign too many: the right side is σ√(2/π), and more."""
    for label, sigma, _, _, omega, square in _far(2, RATES):
        yield Case(label, omega, root_two_over_pi(ball(sigma)) * square.exp())


def right_side_is_large() -> Iterator[Case]:
    """The right side as printed is at least σ√(2/π), which bounds ω for s ≥ 1 without any exponent."""
    for label, sigma, _, _, omega, square in _far(1, RATES[:3]):
        yield Case(label, omega, root_two_over_pi(ball(sigma)))
        yield Case(label, ball(sigma), ball(sigma) * square.exp())


def _far_as_meant(least: int, rates: tuple[F, ...]) -> Iterator[Case]:
    """The exponent −(σ²s + C)²/2σ², and :func:`pldverify.bounds.density_tail.density_tail`."""
    for label, sigma, q, s, omega, square in _far(least, rates):
        yield Case(label, omega, root_two_over_pi(ball(sigma)) * (-square).exp())
        yield Case(label, omega, density_tail(sigma, q, s))


far_from_two = partial(_far_as_meant, 2, RATES)
"""KJH19 Lemma 13, with one minus sign."""
far_from_one = partial(_far_as_meant, 1, RATES[:3])
"""KJH20s Lemma D.3, q ≤ 1/2, with one minus sign."""


def bound_of_f(
    least: int, rates: tuple[F, ...], *, half: F = F(-1, 2), beyond: bool = False
) -> Iterator[Case]:
    """Proofs of Lemmas 13 and D.3: f(g(s)) ≤ e^{−(σ²s + C)²/2σ²}/√(2πσ²), C = σ² log(1/2q) + ``half``.

    With ``beyond`` only where σ²s + C + 1 ≥ 1, from which on f falls.
    """
    for sigma, q in product(SIGMAS, rates):
        for s in (F(least), F(least) + F(1, 2), F(least + 3), F(least + 20)):
            v, t = ball(sigma) ** 2, outcome(ball(s), sigma, q)
            at = v * (ball(s) + (1 / (2 * ball(q))).log()) + ball(half)
            if not beyond or Case("", 0, at).holds():
                right = (-(at * at) / (2 * v)).exp() / (2 * arb.pi() * v).sqrt()
                yield Case(f"σ = {sigma}, q = {q}, s = {s}", f_jet(t, sigma, q)[0], right)


step_of_13 = partial(bound_of_f, 2, RATES)
"""The step of Lemma 13 for every q: false near q = 1."""
step_of_13_at_small_rates = partial(bound_of_f, 2, (*RATES[:3], F(2, 3)))
"""The step of Lemma 13 for q ≤ 2/3."""
step_of_13_beyond_the_mode = partial(bound_of_f, 2, RATES, beyond=True)
"""The step of Lemma 13 where f falls."""
step_of_d3 = partial(bound_of_f, 1, RATES[:3])
"""The step of Lemma D.3, with the C₂ of its last display."""
step_of_d3_as_printed = partial(bound_of_f, 1, RATES[:3], half=F(1, 2))
"""The step of Lemma D.3, with the C of the line above it."""


def _gap(sigma: F, q: F, at: F | int, low: F | int) -> arb:
    """Lower bound of ∫_L^∞ ω(t)ω(at − t) dt by 80 cells of [low, low + 1], both factors enclosed."""
    total, cells = arb(0), 80

    def omega(s: arb) -> arb:
        return series(outcome(s, sigma, q), sigma, q)[1][0]

    for i in range(cells):
        s = ball(low + F(i, cells)).union(ball(low + F(i + 1, cells)))
        part = omega(s) * omega(ball(at) - s)
        if part.is_finite():  # a cell around the least loss is left out
            total += part.lower().max(arb(0)) / cells
    return total


def _truncation_without_hypothesis(L: int, factor: Callable[[arb], arb]) -> Iterator[Case]:
    """(ω*ω − ω⊛ω)(98) at q = 0.49, σ = 0.1 against the bound with the minus sign; σ²L + C < 0."""
    sigma, q = F(1, 10), F(49, 100)
    bound = factor(ball(sigma)) * (-gaussian_decay(sigma, q, ball(L))).exp()
    yield Case(f"q = 0.49, σ = 0.1, L = {L}, k = 2, x = 98", _gap(sigma, q, 98, 49), bound)


truncation_of_10_7 = partial(_truncation_without_hypothesis, 2, root_two_over_pi)
"""KJH19 (10.7), (10.8), whose factor is σ√(2/π)."""
truncation_of_c5 = partial(_truncation_without_hypothesis, 1, lambda sigma: 2 * sigma)
"""KJH20s Lemma C.5, whose factor is kσ."""
truncation_of_c8 = partial(_truncation_without_hypothesis, 1, lambda sigma: sigma)
"""KJH20s (C.8), whose factor is σ."""


def _truncation_as_printed(L: int, factor: Callable[[arb], arb]) -> Iterator[Case]:
    """The bound with the sign as printed is above k sup ω over s ≥ 1, and so above what is truncated."""
    for sigma, q in product(SIGMAS, RATES[:2]):
        yield Case(f"σ = {sigma}, q = {q}, L = {L}", root_two_over_pi(ball(sigma)), factor(ball(sigma)))


printed_10_9 = partial(_truncation_as_printed, 2, lambda sigma: 2 * root_two_over_pi(sigma))
"""KJH19 (10.9) at k = 2, whose factor is 2σ√(2/π)."""
printed_c5 = partial(_truncation_as_printed, 1, lambda sigma: 2 * sigma)
"""KJH20s Lemma C.5 at k = 2, whose factor is kσ."""


def truncation_with_hypothesis() -> Iterator[Case]:
    """(ω*ω − ω⊛ω)(x) against :func:`pldverify.bounds.pointwise_truncation.pointwise_truncation`."""
    places = (
        (F(1), F(1, 10), F(6), F(3)),
        (F(2), F(1, 100), F(5), F(4)),
        (F(1), F(1, 10), F(11, 10), F(1)),
        (F(1), F(49, 100), F(3, 2), F(1)),
        (F(1, 2), F(49, 100), F(16, 5), F(2)),
        (F(1, 4), F(49, 100), F(10), F(8)),
    )
    for sigma, q, at, low in places:
        bound = pointwise_truncation(sigma, q, 2, low)
        yield Case(f"σ = {sigma}, q = {q}, L = {low}, x = {at}", _gap(sigma, q, at, low), bound)


def first_derivatives() -> Iterator[Case]:
    """KJH20s D.4, σ ≥ 1: |ω'| ≤ 4 e^{3/σ²} σ³/q²."""
    for label, sigma, q, _, (_, slope, _) in _places(SIGMAS[2:]):
        yield Case(label, abs(slope), 4 * (3 / ball(sigma) ** 2).exp() * ball(sigma) ** 3 / ball(q) ** 2)
        yield Case(label, abs(slope), first_derivative(sigma, q))


def second_derivatives() -> Iterator[Case]:
    """KJH20s D.4, σ ≥ 1: |ω″| ≤ 11 e^{9/2σ²} σ³/q³."""
    for label, sigma, q, _, (_, _, bend) in _places(SIGMAS[2:]):
        yield Case(
            label, abs(bend), 11 * (arb(9) / (2 * ball(sigma) ** 2)).exp() * ball(sigma) ** 3 / ball(q) ** 3
        )
        yield Case(label, abs(bend), second_derivative(sigma, q))


def derivatives_above_zero() -> Iterator[Case]:
    """(D.12), s ≥ 0 and σ ≥ 1: |ω'| ≤ 2σ³/q², |ω″| ≤ 7σ³/q³."""
    for label, sigma, q, s, (_, slope, bend) in _places(SIGMAS[2:]):
        if Case("", 0, s).holds():
            yield Case(label, abs(slope), 2 * ball(sigma) ** 3 / ball(q) ** 2)
            yield Case(label, abs(bend), 7 * ball(sigma) ** 3 / ball(q) ** 3)


def inner_bounds() -> Iterator[Case]:
    """(D.10), s ≥ 0: |g′| ≤ σ²/q, |g″| ≤ σ²/q², |g‴| ≤ 2σ²/q³; s = 0 is t = 1/2."""
    for sigma, q in product(SIGMAS, RATES):
        for t in (F(1, 2), F(1), F(7)):
            found, v, p = g_jet(ball(t), sigma, q), ball(sigma) ** 2, ball(q)
            for order in (1, 2, 3):
                bound = (2 if order == 3 else 1) * v / p**order * (1 + ball(F(1, 10**40)))
                yield Case(f"σ = {sigma}, q = {q}, t = {t}, derivative {order}", abs(found[order - 1]), bound)


def inner_bounds_below_zero() -> Iterator[Case]:
    """(D.13), s < 0: the same with e^s − (1 − q) in the place of q."""
    for sigma, q in product(SIGMAS, RATES):
        for t in (F(-3), F(0), F(2, 5)):
            found, v = g_jet(ball(t), sigma, q), ball(sigma) ** 2
            d = ball(q) * ((2 * ball(t) - 1) / (2 * v)).exp()
            for order in (1, 2, 3):
                bound = (2 if order == 3 else 1) * v / d**order
                yield Case(f"σ = {sigma}, q = {q}, t = {t}, derivative {order}", abs(found[order - 1]), bound)


def bounds_of_f() -> Iterator[Case]:
    """(D.11): f ≤ 1/σ, |f'| ≤ 1/σ, |f″| ≤ 2/σ³ for σ ≥ 1, t ≥ 1/2."""
    for sigma, q in product((F(1), F(3), F(20)), RATES):
        for t in (F(1, 2), F(1), F(8, 5), 1 + sigma, 1 + F(7, 4) * sigma, 3 * sigma):
            bounds = (1 / ball(sigma), 1 / ball(sigma), 2 / ball(sigma) ** 3)
            for order, (value, bound) in enumerate(zip(f_jet(ball(t), sigma, q), bounds, strict=True)):
                yield Case(f"σ = {sigma}, q = {q}, t = {t}, derivative {order}", abs(value), bound)


def derivative_below_sigma_one() -> Iterator[Case]:
    """KJH20s D.4 without σ ≥ 1: σ = 1/2, q = 1/1000, near the peak of N(−3, σ²)."""
    sigma, q = F(1, 2), F(1, 1000)
    printed = 11 * (arb(9) / (2 * ball(sigma) ** 2)).exp() * ball(sigma) ** 3 / ball(q) ** 3
    for i in range(-90, -30):
        yield Case(
            f"σ = 1/2, q = 1/1000, t = {F(i, 20)}", abs(series(ball(F(i, 20)), sigma, q)[1][2]), printed
        )


def _terms_below_zero(name: str, *, mended: bool = False) -> Iterator[Case]:
    """(D.16), (D.17), s < 0 and σ ≥ 1: the term of this name, as printed or mended.

    Mended, e^{6/σ²} stands for e^{9/2σ²}, and the last term has the factor 2 of (D.13), which (D.17) loses.
    """
    for sigma, q in product((F(1), F(3), F(20)), RATES[:3]):
        for z in range(-12, 1):
            value, bound = _terms(ball(z * sigma / 3), sigma, q, mended)[name]
            yield Case(f"σ = {sigma}, q = {q}, t = {z * sigma / 3}: {name}", abs(value), bound)


def _terms(t: arb, sigma: F, q: F, mended: bool) -> dict[str, tuple[arb, arb]]:
    """Each term of ω′ and ω″, and its bound."""
    v, p, s3 = ball(sigma) ** 2, ball(q), ball(sigma) ** 3
    f, (g1, g2, g3) = f_jet(t, sigma, q), g_jet(t, sigma, q)
    low, high, root = (3 / v).exp(), (arb(12 if mended else 9) / (2 * v)).exp(), (2 * arb.pi()).sqrt()
    return {
        "f g″": (f[0] * g2, low * ball(sigma) / (root * p**2)),
        "f′ g′²": (f[1] * g1**2, 3 * low * s3 / p**2),
        "f″ g′³": (f[2] * g1**3, 6 * high * s3 / p**3),
        "3 f′ g″ g′": (3 * f[1] * g2 * g1, 4 * high * s3 / p**3),
        "f g‴": (f[0] * g3, (2 if mended else 1) * high * ball(sigma) / (root * p**3)),
    }


term_of_d16 = partial(_terms_below_zero, "f g″")
"""KJH20s (D.16)."""
first_term = partial(_terms_below_zero, "f′ g′²")
"""KJH20s (D.17), first line."""
second_term = partial(_terms_below_zero, "f″ g′³")
"""KJH20s (D.17), second line."""
second_term_mended = partial(_terms_below_zero, "f″ g′³", mended=True)
"""KJH20s (D.17), second line with e^{6/σ²}."""
third_term = partial(_terms_below_zero, "3 f′ g″ g′")
"""KJH20s (D.17), third line."""
third_term_mended = partial(_terms_below_zero, "3 f′ g″ g′", mended=True)
"""KJH20s (D.17), third line with e^{6/σ²}."""
fourth_term = partial(_terms_below_zero, "f g‴")
"""KJH20s (D.17), fourth line."""
fourth_term_mended = partial(_terms_below_zero, "f g‴", mended=True)
"""KJH20s (D.17), fourth line with 2e^{6/σ²}."""


def slope_of_f() -> Iterator[Case]:
    """KJH19 (10.16): max f'(L⁻¹) ≤ σ⁻² max L⁻¹ f(L⁻¹)(dL⁻¹/dy)², at σ = 1/10, q = 9/10 over t from 1/2 to 3.

    The right side over cells of t: f at most its sum of peaks on the cell, dL⁻¹/dy at most σ²/q.
    """
    sigma, q = F(1, 10), F(9, 10)
    v, p = ball(sigma) ** 2, ball(q)
    norm = 1 / (2 * arb.pi() * v).sqrt()
    t = ball(F(9, 10))
    left = (
        norm * (p * (1 - t) * (-((t - 1) ** 2) / (2 * v)).exp() - (1 - p) * t * (-(t**2) / (2 * v)).exp()) / v
    )
    right = 3 * norm * (v / p) ** 2 / v  # t ≤ 3, f ≤ norm
    yield Case("σ = 1/10, q = 9/10: f'(0.9) against the right side for every y with L⁻¹(y) ≤ 3", left, right)


def omega_max(lam: F, sigma: F, L: F, step: F) -> arb:
    """Σ e^{λs_i} Δx max ω_G over the first cells outside of the grid: a part of what is left out."""
    mean, count, total = 1 / (2 * sigma**2), int(40 / (sigma * step)) + 1, arb(0)
    scale = ball(sigma) / (2 * arb.pi()).sqrt()
    for i in range(count):
        for at, largest in ((L + i * step, L + (i - 1) * step), (-L - (i + 1) * step,) * 2):
            if at > 0 and largest < mean:
                continue
            density = scale * (-ball(sigma**2 * (largest - mean) ** 2 / 2)).exp()
            total += ball(step) * density * ball(lam * at).exp()
    return total


def printed_omega_max() -> Iterator[Case]:
    """KH21 (E.3) at λ = 2, where its factor is right, and at λ = 8."""
    for lam in (F(2), F(8)):
        sigma, L, step = F(1), F(10), F(1, 10)
        yield Case(
            f"σ = 1, λ = {lam}, L = 10, Δx = 1/10",
            omega_max(lam, sigma, L, step),
            printed_omega_max_rest(sigma, lam, L, step),
        )


def printed_omega_max_below() -> Iterator[Case]:
    """KH21 Corollary 2 of E.1: the same err(λ, L, σ) for −ω, at λ = 8; (E.3) is not asked at −λ."""
    sigma, L, step = F(1), F(10), F(1, 10)
    bound = printed_omega_max_rest(sigma, F(8), L, step)
    yield Case("σ = 1, λ = 8, L = 10, Δx = 1/10", omega_max(F(-8), sigma, L, step), bound)


def omega_max_outside() -> Iterator[Case]:
    """:func:`pldverify.bounds.omega_max_moment.omega_max_rest`, λ of both signs."""
    for lam in (F(-8), F(-2), F(1), F(2), F(8)):
        for L, step in ((F(6), F(1, 2)), (F(10), F(1, 10))):
            value = omega_max(lam, F(1), L, step)
            yield Case(f"σ = 1, λ = {lam}, L = {L}, Δx = {step}", value, omega_max_rest(F(1), lam, L, step))


def printed_split() -> Iterator[Case]:
    """KH21 (E.4): the sums outside are at most ∫_{−∞}^{−L} + ∫_{L−Δx}^∞ of e^{λs}ω_G; exact factor, λ = 2."""
    sigma, lam, L, step = F(1), F(2), F(10), F(1, 10)
    mean = ball(F(5, 2))
    outside = normal_tail(ball(L - step) - mean) + normal_tail(ball(L) + mean)
    yield Case("σ = 1, λ = 2, L = 10, Δx = 1/10", omega_max(lam, sigma, L, step), arb(3).exp() * outside)


def majorant() -> Iterator[Case]:
    """δ ≤ δ_max for one Gaussian loss on the infinite grid: to the right ends, by greatest densities."""
    for sigma, step in ((F(1), F(1, 2)), (F(2), F(1, 4))):
        mean, scale = 1 / (2 * sigma**2), ball(sigma) / (2 * arb.pi()).sqrt()
        for epsilon in (F(1, 2), F(2)):
            total = arb(0)
            for i in range(1, 200):
                right = i * step
                if right > epsilon:
                    peak = min(max(mean, right - step), right)
                    density = scale * (-ball(sigma**2 * (peak - mean) ** 2 / 2)).exp()
                    total += (1 - ball(epsilon - right).exp()) * ball(step) * density
            true = reference.delta(Gaussian(sigma), epsilon=epsilon, digits=15)
            yield Case(f"σ = {sigma}, Δx = {step}, ε = {epsilon}", enclosed(true), total)


def later_periods() -> Iterator[Case]:
    """KJH19 (10.13) at k = 40: what wraps to (0, L) from [2L, 3L) is above L times the bound.

    q = 0.7, σ = 10, L = 2;
    ∫_0^L (ω̃⊛ᵏ − ω⊛ᵏ) ≥ Pr[2L ≤ S < 3L] − 2k Pr[one loss outside of [−L, L)].
    """
    sigma, q, k, L = F(10), F(7, 10), 40, F(2)
    step = PoissonSubsampled(Gaussian(sigma), q)
    wrapped = _tail(k * step, 2 * L) - _tail(k * step, 3 * L)
    outside = 1 - _tail(step, -L) + _tail(step, L)
    bound = printed_supremum(sigma, q) * (ball(L) + 1) ** (k - 2) * _bound_of_10_12(sigma, q, L)
    yield Case("q = 0.7, σ = 10, L = 2, k = 40", (wrapped - 2 * k * outside) / ball(L), bound)


def _bound_of_10_12(sigma: F, q: F, L: F) -> arb:
    """log(1/(1 − q)²) σ/(qπ) e^{−(σ²L + C₂)²/2σ² + 1/σ²}."""
    factor = -2 * (1 - ball(q)).log() * ball(sigma) / (ball(q) * arb.pi())
    return factor * (1 / ball(sigma) ** 2 - gaussian_decay(sigma, q, ball(L))).exp()


def err_2_constants() -> Iterator[Case]:
    """Constants in the proof of (10.12): √(2/π)e^{1/σ²} ≥ 1 up to σ = 21/10, Φ(1/2σ) beyond, and A < 0."""
    root = (2 / arb.pi()).sqrt()
    yield Case("σ = 21/10: 1 ≤ √(2/π) e^{1/σ²}", 1, root * (1 / ball(F(21, 10)) ** 2).exp())
    yield Case("σ = 21/10: Φ(1/2σ) ≤ √(2/π)", 1 - normal_tail(1 / ball(F(21, 5))), root)
    least = arb(1) / 2 / (2 - arb(2).log())
    yield Case("A < 0, so σ² < 1/(4 − 2 log 2): 1 ≤ √(2/π) e^{7/8σ²}", 1, root * (7 / (8 * least)).exp())


def wrapped_once() -> Iterator[Case]:
    """KJH19 (10.12): err₂(x) = E[ω(x − S); S ≤ x − L] by cells of the outcome z, from below, for L ≥ 2."""
    for sigma, q, L in product((F(1, 2), F(2), F(5)), (F(1, 10), F(1, 2), F(99, 100)), (F(2), F(3))):
        bound = _bound_of_10_12(sigma, q, L)
        yield Case(f"σ = {sigma}, q = {q}, L = {L}, x = L", _wrapped(sigma, q, L), bound)


def _wrapped(sigma: F, q: F, L: F) -> arb:
    """Lower bound of ∫_{S < 0} ω(L − S) dP: outcomes from 1/2 − 6σ to 1/2, 60 cells."""
    total, width = arb(0), sigma / 10
    for i in range(60):
        z = ball(F(1, 2) - (i + 1) * width).union(ball(F(1, 2) - i * width))
        s = (ball(q) * ((2 * z - 1) / (2 * ball(sigma) ** 2)).expm1()).log1p()
        mass = f_jet(z, sigma, q)[0] * ball(width)
        part = mass * series(outcome(ball(L) - s, sigma, q), sigma, q)[1][0]
        if part.is_finite():  # a cell around 0 is left out
            total += part.lower().max(arb(0))
    return total


def _tail(what: object, s: F) -> arb:
    found = reference.tail(what, epsilon=s, adjacency="remove", digits=20)  # type: ignore[call-overload]
    return enclosed(found)


def positive_tail() -> Iterator[Case]:
    """KJH19 (10.5): err₁ < Pr[S ≥ L], by e^{ε−s} > 0; for Gaussian losses, err₁ = δ's part beyond L."""
    for L in (F(2), F(5)):
        for epsilon in (F(1, 2), F(1)):
            e, edge = ball(epsilon), ball(L)
            part = normal_tail(edge - arb(1) / 2) - e.exp() * normal_tail(edge + arb(1) / 2)
            yield Case(f"σ = 1, k = 1, L = {L}, ε = {epsilon}", part, normal_tail(edge - arb(1) / 2), "<")


def _low_places() -> Iterator[tuple[str, F, F, arb]]:
    """t ≤ 1/2, where the loss is at most 0."""
    for sigma, q in product(SIGMAS, RATES):
        for z in (F(1, 10), F(1, 2), F(1), F(3)):
            t = F(1, 2) - z * sigma
            yield f"σ = {sigma}, q = {q}, t = {t}", sigma, q, ball(t)


def below_zero() -> Iterator[Case]:
    """KJH19 (A.1) to (A.3), KJH20s (D.3) to (D.5), (D.14): f, g′, ω and f g″ at s ≤ 0."""
    for label, sigma, q, t in _low_places():
        v, d = ball(sigma) ** 2, ball(q) * ((2 * t - 1) / (2 * ball(sigma) ** 2)).exp()
        f, (slope, bend, _) = f_jet(t, sigma, q)[0], g_jet(t, sigma, q)
        peak = (-t * t / (2 * v)).exp()
        yield Case(f"{label}, f", f, peak / (2 * arb.pi() * v).sqrt())
        yield Case(f"{label}, g′", slope, v / d)
        yield Case(f"{label}, ω", f * slope, ball(sigma) / (2 * arb.pi()).sqrt() * peak / d)
        yield Case(f"{label}, f g″", abs(f * bend), f * v / d**2)


def change_of_variables() -> Iterator[Case]:
    """KJH19 (A.4), KJH20s (D.15): e^s − (1 − q) = q e^x, x = (t − 1/2)/σ², at the loss s of t."""
    for label, sigma, q, t in _low_places():
        s = series(t, sigma, q)[0]
        yield Case(label, s.exp() + ball(q), 1 + ball(q) * ((t - arb(1) / 2) / ball(sigma) ** 2).exp(), "=")


def greatest_below_zero() -> Iterator[Case]:
    """KJH19, above (A.5): e^{−(σ²x + ½)²/2σ² − x} is greatest at x = −3/2σ², where it is e^{1/σ²}."""
    for sigma in SIGMAS:
        v = ball(sigma) ** 2
        for i in range(-20, 9):
            x = ball(F(i, 4)) / v
            value = (-((v * x + arb(1) / 2) ** 2) / (2 * v) - x).exp()
            yield Case(f"σ = {sigma}, σ²x = {F(i, 4)}", value, (1 / v).exp() * (1 + ball(F(1, 10**40))))


def printed_substitution() -> Iterator[Case]:
    """KJH19 (A.5) at L⁻¹(ȳ) = −1, e^ȳ − (1 − q) = q e^{−3/2σ²} against (A.6); σ = 1, q = 1/2."""
    yield from _substitution(F(1), F(1, 2), F(1, 2))


def substitution() -> Iterator[Case]:
    """KJH19 (A.5) with σ/√(2π) for σ/(q√(2π)), substituted, is (A.6)."""
    for sigma, q in product((F(1, 2), F(1), F(3), F(7, 5), F(20)), RATES):
        yield from _substitution(sigma, q, F(1))


def _substitution(sigma: F, q: F, factor: F) -> Iterator[Case]:
    v, root = ball(sigma) ** 2, (2 * arb.pi()).sqrt()
    value = ball(sigma) / (ball(factor) * root) * (-1 / (2 * v)).exp() / (ball(q) * (-3 / (2 * v)).exp())
    yield Case(f"σ = {sigma}, q = {q}", value, ball(sigma) / (ball(q) * root) * (1 / v).exp(), "=")


def inverse_from_one_on() -> Iterator[Case]:
    """s ≥ 1: e^s − (1 − q) ≥ ½e^s, g ≥ σ²s + σ² log(1/2q) + ½, g′ ≤ 2σ²."""
    for sigma, q in product(SIGMAS, RATES):
        for s in (F(1), F(2), F(9, 4), F(30)):
            v, d = ball(sigma) ** 2, ball(s).exp() - (1 - ball(q))
            label, low = f"σ = {sigma}, q = {q}, s = {s}", v * ball(s) + shift(sigma, q) + 1
            yield Case(f"{label}, e^s", ball(s).exp() / 2, d)
            yield Case(f"{label}, g", low, outcome(ball(s), sigma, q))
            yield Case(f"{label}, g′", v * ball(s).exp() / d, 2 * v)


def mass_above_zero() -> Iterator[Case]:
    """KJH20s B.2.1: ω_{X/Y} “has its mass mostly on the positive real axis”; σ = 1, q = 1/100."""
    positive = ball(F(1, 100)) * normal_tail(ball(F(-1, 2))) + ball(F(99, 100)) * normal_tail(ball(F(1, 2)))
    yield Case("σ = 1, q = 1/100: 1/2 ≤ Pr_X[L_{X/Y} > 0]", F(1, 2), positive)


def mass_below_zero() -> Iterator[Case]:
    """“ω_{Y/X} has its mass mostly on the negative real axis”: Pr_Y[t > 1/2] = Φ(−1/2σ); σ = 1, any q."""
    yield Case("σ = 1, any q: 1/2 ≤ Pr_Y[L_{Y/X} < 0]", F(1, 2), normal_tail(ball(F(1, 2))))


def next_period() -> Iterator[Case]:
    """KJH19 10.3: ω̃(x − t) = 0 where L ≤ x − t < L − log(1 − q); q = 0.96, σ = 1, L = 4, x − t = 5."""
    sigma, q = F(1), F(96, 100)
    value = series(outcome(arb(-3), sigma, q), sigma, q)[1][0]
    yield Case("q = 0.96, σ = 1, L = 4: ω̃(5) = ω(−3) = 0", value, 0, "=")


def bounded_factor() -> Iterator[Case]:
    """KJH19 10.4: e^{−(σ²x + ½)²/2σ² − 2x} ≤ e^{3/σ²} for x < 0, and |x| times it ≤ e^{3/σ²}(1/σ + 5/2σ²)."""
    for sigma in SIGMAS:
        v = ball(sigma) ** 2
        for i in range(1, 40):
            x = -ball(F(i, 4)) / v
            value = (-((v * x + arb(1) / 2) ** 2) / (2 * v) - 2 * x).exp()
            yield Case(f"σ = {sigma}, σ²x = −{F(i, 4)}", value, (3 / v).exp() * (1 + ball(F(1, 10**40))))
            bound = (3 / v).exp() * (1 / ball(sigma) + 5 / (2 * v))
            yield Case(f"σ = {sigma}, σ²x = −{F(i, 4)}, times |x|", abs(x) * value, bound)


def periodic_supremum() -> Iterator[Case]:
    """∫ω(t)ω(x − t)dt ≤ sup ω ≤ σe^{1/σ²}/(q√(2π)), over t from 1 to 2 by cells, from below."""
    for sigma, q, at in product((F(1, 2), F(1), F(3)), RATES[1:], (F(3), F(8), F(20))):
        yield Case(f"σ = {sigma}, q = {q}, x = {at}", _gap(sigma, q, at, 1), printed_supremum(sigma, q))


def finite_majorant() -> Iterator[Case]:
    """KH21 (6.1) with i < n alone: σ = 1/4, so the loss is N(8, 16), L = 1, ε = 2: no point is above ε."""
    true = reference.delta(Gaussian(F(1, 4)), epsilon=2, digits=8)
    yield Case("σ = 1/4, L = 1, ε = 2: δ ≤ δ_max", F(true.lower), F(0))
