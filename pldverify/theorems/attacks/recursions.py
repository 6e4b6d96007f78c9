"""Truncated and periodic convolutions of losses with rational atoms: both sides without an error.

ω ⊛ η keeps the first factor in [−L, L) and the second whole; ω̃ repeats ω of [−L, L) with period 2L, and
(ω̃ ⊛^k ω̃) in [−L, L) is the k-fold sum of what is kept, modulo 2L.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction as F
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.bounds.periodisation import periodisation
from pldverify.bounds.truncation import printed_truncation
from pldverify.theorems.attacks.grids import half_sampled
from pldverify.theorems.discrete import (
    Law,
    convolve,
    delta,
    law,
    minus,
    moment,
    plus,
    power,
    random_laws,
    tail,
    truncated,
    truncated_power,
    within,
    wrapped,
)
from pldverify.theorems.evidence import Case

GRID = (
    law((-1, "1/3"), (0, "1/3"), (1, "1/3")),
    law((-2, "1/8"), (0, "1/2"), (3, "3/8")),
    law((-1, "1/100"), (1, "9/10"), (7, "9/100")),
    law((-5, "1/200"), (1, "199/200")),
    *random_laws(12, 1),
)
"""Losses on the integers, some outside of [−4, 4)."""
L = 4
"""Half a period: losses are kept in [−4, 4)."""
FLIP = law((0, "1/2"), (5, "1/2"))
"""A loss that is kept or, as often, lies beyond L."""
ABOVE = tuple(a for a in GRID if min(a) > -L)
"""Laws of GRID with every loss above −L, as the papers have it: −L < log(1 − q)."""
INSIDE = tuple(a for a in ABOVE if max(a) < L)
"""Laws of GRID with every loss in (−L, L)."""


def outside(a: Law) -> F:
    """Mass outside of [−L, L)."""
    return sum((p for s, p in a.items() if not -L <= s < L), F(0))


def beyond(a: Law) -> Law:
    """The part of ``a`` in [L, ∞)."""
    return {s: p for s, p in a.items() if s >= L}


def same(label: str, a: Law, b: Law) -> Iterator[Case]:
    """a = b, atom by atom."""
    for s, gap in sorted(minus(a, b).items()):
        yield Case(f"{label}; at {s}, left side minus right side against 0", gap, F(0), "=")


def periodic(a: Law, k: int) -> Law:
    """ω̃ ⊛^k ω̃ in [−L, L)."""
    return wrapped(power(within(a, L), k), L)


def printed_recursion() -> Iterator[Case]:
    """KJH19 (10.6), KJH20s (C.7): ω*ᵏ − ω⊛ᵏ = ω⊛(ω*ᵏ⁻¹ − ω⊛ᵏ⁻¹) + ω⊛(ω⊛ᵏ⁻¹) − ω*(ω⊛ᵏ⁻¹)."""
    left = minus(convolve(FLIP, FLIP), truncated(FLIP, FLIP, L))
    right = minus(truncated(FLIP, FLIP, L), convolve(FLIP, FLIP))
    yield from same("ω = ½ at 0, ½ at 5, L = 4, k = 2", left, right)


def recursion() -> Iterator[Case]:
    """ω*ᵏ − ω⊛ᵏ = ω⊛(ω*ᵏ⁻¹ − ω⊛ᵏ⁻¹) + (ω* − ω⊛)(ω*ᵏ⁻¹)."""
    for i, a in enumerate(GRID):
        for k in (2, 3, 4):
            before, whole = truncated_power(a, k - 1, L), power(a, k - 1)
            right = plus(
                truncated(a, minus(whole, before), L), minus(convolve(a, whole), truncated(a, whole, L))
            )
            yield from same(f"law {i}, k = {k}", minus(power(a, k), truncated_power(a, k, L)), right)


def printed_difference() -> Iterator[Case]:
    """KJH20s, display after (C.7): ω⊛(ω*ᵏ⁻¹) − ω*(ω⊛ᵏ⁻¹) = −∫_L^∞ ω(t)(ω⊛ᵏ⁻¹)(x − t) dt, at k = 3."""
    whole, cut = power(FLIP, 2), truncated_power(FLIP, 2, L)
    left = minus(truncated(FLIP, whole, L), convolve(FLIP, cut))
    right = minus({}, convolve(beyond(FLIP), cut))
    yield from same("ω = ½ at 0, ½ at 5, L = 4, k = 3", left, right)


def difference() -> Iterator[Case]:
    """ω⊛η − ω*η = −∫_L^∞ ω(t)η(x − t) dt for one η on both sides and no loss below −L."""
    for i, a in enumerate(ABOVE):
        for k in (1, 2, 3):
            eta = truncated_power(a, k, L)
            left = minus(truncated(a, eta, L), convolve(a, eta))
            yield from same(f"law {i}, k = {k}", left, minus({}, convolve(beyond(a), eta)))


def printed_middle_line() -> Iterator[Case]:
    """KJH19 (10.11), middle line: (ω − ω̃)⊛(ω⊛ᵏ⁻¹) − ω̃⊛(ω⊛ᵏ⁻¹ − ω̃⊛ᵏ⁻¹); the first term is 0."""
    a = law((0, "1/2"), (3, "1/2"))
    yield from _lines("ω = ½ at 0, ½ at 3, L = 4, k = 3", a, 3, F(-1))


def periodic_recursion() -> Iterator[Case]:
    """KJH19 (10.11), last line: ω⊛ᵏ − ω̃⊛ᵏ = ω̃⊛(ω⊛ᵏ⁻¹ − ω̃⊛ᵏ⁻¹), the right side periodic where ω̃ is."""
    for i, a in enumerate(GRID):
        for k in (2, 3):
            yield from _lines(f"law {i}, k = {k}", a, k, F(1))


def _lines(label: str, a: Law, k: int, sign: F) -> Iterator[Case]:
    """In [−L, L), with the periodic term on a reach that covers what is asked for."""
    kept, cut = within(a, L), truncated_power(a, k - 1, L)
    cycle = _repeated(periodic(a, k - 1), 3)
    left = minus(truncated_power(a, k, L), periodic(a, k))
    right = convolve(kept, minus(cut, cycle))
    yield from same(label, within(left, L), {s: sign * p for s, p in within(right, L).items()})


def _repeated(a: Law, times: int) -> Law:
    return {s + 2 * L * m: p for s, p in a.items() for m in range(-times, times + 1)}


def printed_err_2() -> Iterator[Case]:
    """KJH19 10.3: err₂(x) = ∫_{log(1−q)}^{L−x} ω(t)ω(x − t) dt; lowest loss −1, x = 3, L = 4."""
    yield from _err_2("printed", lambda t, x: t <= L - x)


def err_2() -> Iterator[Case]:
    """KJH19 10.3 with the limit x − L: err₂(x) = ∫_{log(1−q)}^{x−L} ω(t)ω(x − t) dt."""
    yield from _err_2("x − L", lambda t, x: t <= x - L)


def _err_2(label: str, inside: Callable[[F, F], bool]) -> Iterator[Case]:
    x = F(3)
    shifted = ({s - min(a) - 1: p for s, p in a.items()} for a in random_laws(25, 1))
    for a in (law((-1, "1/4"), (0, "1/4"), (3, "1/4"), (4, "1/4")), *shifted):
        right = sum((p * a.get(x - t, F(0)) for t, p in within(a, L).items() if inside(t, x)), F(0))
        where = ", ".join(f"{p} at {s}" for s, p in a.items())
        yield Case(f"{label}, masses {where}, L = 4, x = 3", _err_2_at(a, x), right, "=")


def _err_2_at(a: Law, x: F) -> F:
    """(ω ⊛ ω − ω̃ ⊛ ω̃)(x)."""
    left = minus(truncated_power(a, 2, L), convolve(within(a, L), _repeated(within(a, L), 3)))
    return left.get(x, F(0))


def err_2_below_zero() -> Iterator[Case]:
    """“when x < L + log(1 − q), err₂(x) = 0”: x = −3, losses 0, 2, 3 in [−4, 4)."""
    a = law((0, "1/3"), (2, "1/3"), (3, "1/3"))
    yield Case("masses ⅓ at 0, 2, 3, L = 4, x = −3", _err_2_at(a, F(-3)), F(0), "=")


def err_2_in_range() -> Iterator[Case]:
    """0 ≤ x < L + (lowest loss): err₂(x) = 0."""
    for i, a in enumerate(ABOVE):
        for x in range(0, L + int(min(a))):
            yield Case(f"law {i}, x = {x}", _err_2_at(a, F(x)), F(0), "=")


def difference_of_c1_and_c2() -> Iterator[Case]:
    """ω̃⊛ᵏ − ω⊛ᵏ = C₁ − C₂ for losses above −L, on (−3L, 3L)."""
    for i, a in enumerate(ABOVE):
        for k in (1, 2, 3):
            kept, head = within(a, L), power(within(a, L), k - 1)
            copies = minus(_repeated(kept, 4), kept)
            left = minus(convolve(head, _repeated(kept, 4)), convolve(head, a))
            right = minus(convolve(head, copies), convolve(head, beyond(a)))
            span = 3 * L
            yield from same(f"law {i}, k = {k}", within(left, span), within(right, span))


def ends_of_the_interval() -> Iterator[Case]:
    """KH21 D.3, Remark 1: s_j ∈ [−L, L] gives ω⊛ω = ω*ω; the loss L itself is not kept."""
    a = law((4, 1))
    yield from same("one loss at L = 4, k = 2", truncated(a, a, L), convolve(a, a))


def inside_of_the_interval() -> Iterator[Case]:
    """Losses in [−L, L): nothing is truncated."""
    for i, a in enumerate(INSIDE):
        for k in (2, 3):
            yield from same(f"law {i}, k = {k}", truncated_power(a, k, L), power(a, k))


def periods_add_up() -> Iterator[Case]:
    """KH21 (D.6): Σ over all i of â_{i−…} is Pr[S ∉ [−L, L)]; the sum over three periods is larger."""
    a = law((-1, "1/10"), (1, "9/10"))
    total = sum((p for s, p in convolve(a, _repeated(a, 2)).items()), F(0)) - 1
    where = "ω = 1/10 at −1, 9/10 at 1, k = 2, L = 4, two periods on each side"
    yield Case(where, total, outside(power(a, 2)), "=")


def one_period() -> Iterator[Case]:
    """∫_ε^L |ω⊛ᵏ − ω̃⊛ᵏ| ≤ Pr[S ∉ [−L, L)] for losses in [−L, L), and KH21 Theorem 1."""
    for i, a in enumerate(INSIDE):
        for k in (2, 3, 5):
            gap = minus(power(a, k), wrapped(power(a, k), L))
            left = sum((abs(p) for s, p in gap.items() if 0 < s < L), F(0))
            yield Case(f"law {i}, k = {k}", left, outside(power(a, k)))
            for lam in (F(1, 2), F(1), F(3)):
                up, down = (k * moment(a, tilt).log() for tilt in (lam, -lam))
                bound = periodisation(up, down, lam, L)
                printed = bound / (1 - (-2 * ball(lam) * L).exp())
                for epsilon in (F(0), F(1, 2), F(7, 2)):
                    change = abs(delta(power(a, k), epsilon) - delta(wrapped(power(a, k), L), epsilon))
                    yield Case(f"law {i}, k = {k}, λ = {lam}, ε = {epsilon}", change, printed)
                    yield Case(
                        f"law {i}, k = {k}, λ = {lam}, ε = {epsilon}, without 1/(1 − e^(−2Lλ))", change, bound
                    )


def truncation_recursion() -> Iterator[Case]:
    """KH21 (D.7): ω₁*…*ω_k − ω₁⊛…⊛ω_k, where ⊛ keeps the sum of the first k − 1 in [−L, L)."""
    for i, a in enumerate(GRID):
        for k in (2, 3):
            whole, cut = power(a, k - 1), _partial(a, k - 1)
            right = plus(
                minus(convolve(whole, a), truncated(whole, a, L)), truncated(minus(whole, cut), a, L)
            )
            yield from same(f"law {i}, k = {k}", minus(power(a, k), _partial(a, k)), right)


def _partial(a: Law, k: int) -> Law:
    """(…(ω ⊛ ω) ⊛ …) ⊛ ω: partial sums are kept in [−L, L)."""
    found = a
    for _ in range(k - 1):
        found = truncated(found, a, L)
    return found


def truncated_partial_sums() -> Iterator[Case]:
    """KH21 Theorem 3 of D.4 as the sum that is meant."""
    for i, a in enumerate(GRID):
        for k in (1, 2, 4):
            lost = sum((p for p in minus(power(a, k), _partial(a, k)).values()), F(0))
            for lam in (F(1, 2), F(1), F(2)):
                bound = printed_truncation(moment(a, lam).log(), moment(a, -lam).log(), k, lam, L)
                yield Case(f"law {i}, k = {k}, λ = {lam}", ball(lost), bound)


def closed_geometric_sum() -> Iterator[Case]:
    """The printed (e^{kα} − e^α)/(e^α − 1) at α = 0: multiplied out, 0 = (k − 1) · 0 fixes nothing.

    At λ = 1 and P, Q of one support α⁻ = 0. The printed quotient is 0/0 there; continued, it is k − 1.
    """
    p = F(3, 4)
    down = p * (1 - p) / p + (1 - p) * p / (1 - p)  # E[e^{−S}] of randomised response
    yield Case("randomised response, λ = 1, k = 3: e^α − 1, by which is divided", F(0), abs(down - 1), "<")


def three_terms_corrected() -> Iterator[Case]:
    """KJH20s Theorem C.1 with I₂ = ∫|a − b|; k = 2, ε = 0, no discretisation."""
    for i, a in enumerate(GRID):
        whole, cycle = power(a, 2), periodic(a, 2)
        second = sum((abs(p) for s, p in minus(whole, cycle).items() if 0 < s < L), F(0))
        error = abs(delta(whole, F(0)) - delta(cycle, F(0)))
        yield Case(f"law {i}", error, ball(tail(whole, F(L)) + second))


def periods_of_two_pi() -> Iterator[Case]:
    """KJH19 7.1: ω̃(t + n2π) = ω(t) on [−L, L): at L = 20 both 0 and 2π are in it, and ω(0) ≠ ω(2π).

    ω of the sampled Gaussian with σ = 1, q = 1/2.
    """
    yield Case("σ = 1, q = 1/2, L = 20: ω(0) = ω(2π)", half_sampled(F(0)), half_sampled(2 * arb.pi()), "=")


def periods_of_2l() -> Iterator[Case]:
    """t + 2L is outside of [−L, L) for t in it: an extension exists."""
    for t in (-L, -1, 0, 3):
        yield Case(f"t = {t}", L, t + 2 * L)


def periodisation_term_at_small_l() -> Iterator[Case]:
    """KJH20s (C.20): the exponent is below −2(nL)² for L ≤ (2n − 1)/n."""
    for n in (1, 2, 5):
        for edge in (F(1, 2), F(2 * n - 1, n)):
            yield Case(f"n = {n}, L = {edge}", -(n * edge + 1) * (2 * n - 1) * edge, -2 * (n * edge) ** 2)


def convolved_k_times() -> Iterator[Case]:
    """Convolved with itself k times: at k = 1 this is ω * ω, and one mechanism has ω."""
    yield from same("k = 1, ω = ½ at 0, ½ at 5", convolve(FLIP, FLIP), FLIP)


def free_variable() -> Iterator[Case]:
    """KJH20s A.7: ∫ω(s₁)ω(t − y₁)ds₁ is ω(t − y₁), as y₁ is bound by nothing; y₁ = 0."""
    yield from same("ω = ½ at 0, ½ at 5, y₁ = 0", FLIP, convolve(FLIP, FLIP))


def one_integral_less() -> Iterator[Case]:
    """KJH19 10.4: t₁, …, t_{k−2}; at k = 2 no integral is left, and ω̃ ⊛ ω̃ is not ω̃."""
    yield from same("k = 2, ω = ⅓ at −1, 0, 1, L = 4", periodic(GRID[0], 1), periodic(GRID[0], 2))


def integrals() -> Iterator[Case]:
    """ω̃ ⊛ᵏ ω̃ by k − 1 sums over [−L, L) and one periodic factor."""
    for i, a in enumerate(GRID):
        for k in (1, 2, 3):
            kept = within(a, L)
            found = within(convolve(power(kept, k - 1), _repeated(kept, 4)), L)
            yield from same(f"law {i}, k = {k}", found, periodic(a, k))


def linear() -> Iterator[Case]:
    """⊛ is linear in both operands."""
    for i, (a, b, c) in enumerate(zip(GRID, GRID[1:], GRID[2:], strict=False)):
        both = minus(a, b)
        yield from same(
            f"laws {i}, first", truncated(both, c, L), minus(truncated(a, c, L), truncated(b, c, L))
        )
        yield from same(
            f"laws {i}, second", truncated(c, both, L), minus(truncated(c, a, L), truncated(c, b, L))
        )


def sums_of_all_copies() -> Iterator[Case]:
    """KH21 4.3: Σ_m Σ_i a_i δ_{s_i + 2Lm} has mass at −3 for a loss 5, L = 4; the extension has none."""
    yield from same("ω = ½ at 0, ½ at 5, L = 4", wrapped(FLIP, L), within(FLIP, L))


def copies_of_what_is_inside() -> Iterator[Case]:
    """KH21 4.3 for losses in [−L, L): the sum of all copies is the periodic extension."""
    for i, a in enumerate(INSIDE):
        yield from same(f"law {i}", wrapped(a, L), within(a, L))


def one_superscript() -> Iterator[Case]:
    """KH21 (C.5): a^j for every factor is the k-fold convolution of ω_j, not ω₁ * ω₂."""
    yield from same("ω₁ = ½ at 0, ½ at 5, ω₂ = ⅓ at −1, 0, 1, j = 1", power(FLIP, 2), convolve(FLIP, GRID[0]))


def superscripts() -> Iterator[Case]:
    """KH21 (C.5) with one superscript a factor: ω₁ * ω₂ from a¹ and a²."""
    for i, (a, b) in enumerate(pairwise(GRID)):
        for s, p in convolve(a, b).items():
            yield Case(f"laws {i}, at {s}", p, sum((a.get(s - t, F(0)) * b[t] for t in b), F(0)), "=")


def usual_residue() -> Iterator[Case]:
    """KH21 (D.4): a_{j mod n}; n = 8, Δx = 1, j = 5, all mass at −3 = 5 − 8: 5 mod 8 is 5, where a is 0."""
    a = law((-3, 1))
    yield Case(
        "n = 8, Δx = 1, L = 4, ω = 1 at −3, j = 5",
        wrapped({F(5): F(1)}, L)[F(-3)],
        a.get(F(5 % 8), F(0)),
        "=",
    )


def residues() -> Iterator[Case]:
    """KH21 (D.4) with residues from −n/2 to n/2 − 1."""
    for i, a in enumerate(INSIDE):
        for j in range(-20, 20):
            residue = (j + L) % (2 * L) - L
            yield Case(f"law {i}, j = {j}", _repeated(a, 3).get(F(j), F(0)), a.get(F(residue), F(0)), "=")


def reflected_tails() -> Iterator[Case]:
    """Σ_{n<0} Pr[S ≤ (2n + 1)L] = Σ_{n>0} Pr[−S ≥ (2n − 1)L]."""
    for i, a in enumerate(GRID):
        for k in (1, 2, 4):
            whole = power(a, k)
            left = sum((p for n in range(-9, 0) for s, p in whole.items() if s <= (2 * n + 1) * L), F(0))
            right = sum((p for n in range(1, 10) for s, p in whole.items() if -s >= (2 * n - 1) * L), F(0))
            yield Case(f"law {i}, k = {k}", left, right, "=")


def lost_by_one_step() -> Iterator[Case]:
    """KH21 (D.8) to (D.10): ⊛ drops Pr[S_{ℓ−1} ∉ [−L, L)], and does not enlarge the difference before it."""
    for i, a in enumerate(GRID):
        for k in (2, 3, 4):
            before = power(a, k - 1)
            gap = minus(before, _partial(a, k - 1))
            lost = sum(minus(convolve(before, a), truncated(before, a, L)).values(), F(0))
            yield Case(f"law {i}, ℓ = {k}, (D.8)", lost, outside(before), "=")
            kept, earlier = (sum(b.values(), F(0)) for b in (truncated(gap, a, L), gap))
            yield Case(f"law {i}, ℓ = {k}, (D.9)", kept, earlier)
            total = sum(minus(power(a, k), _partial(a, k)).values(), F(0))
            yield Case(f"law {i}, ℓ = {k}, (D.10)", total, outside(before) + earlier)


def periodic_integral() -> Iterator[Case]:
    """KJH19 10.4: ∫_0^∞ of a periodic measure, ω = ⅓ at −1, 0, 1, k = 2, L = 4, ε = 0: a period's share."""
    mass = sum((p for s, p in periodic(GRID[0], 2).items() if 0 < s < L), F(0))
    share = ball(mass) * (1 - ball(-1).exp())
    yield Case("a period's part of ∫_0^∞ (1 − e^{−y})(ω̃ ⊛² ω̃)(y)dy", F(1, 10), share, "<")


def kept_mass() -> Iterator[Case]:
    """∫|ω *ᵏ ω − ω ⊛ᵏ ω| ≤ (k − 1)Pr[ω ∉ [−L, L)]."""
    for i, a in enumerate(GRID):
        for k in (1, 2, 4):
            lost = sum(map(abs, minus(power(a, k), truncated_power(a, k, L)).values()), F(0))
            yield Case(f"law {i}, k = {k}", lost, (k - 1) * outside(a))


def wrapped_mass() -> Iterator[Case]:
    """∫_{−L}^L |ω ⊛ᵏ ω − ω̃ ⊛ᵏ ω̃| ≤ Pr[S ∉ [−L, L)] + 2kPr[ω ∉ [−L, L)]."""
    for i, a in enumerate(GRID):
        for k in (1, 2, 4):
            gap = within(minus(truncated_power(a, k, L), periodic(a, k)), L)
            lost = outside(power(a, k)) + 2 * k * outside(a)
            yield Case(f"law {i}, k = {k}", sum(map(abs, gap.values()), F(0)), lost)


def loss_below() -> Iterator[Case]:
    """KJH20s (C.12) with a loss below −L: at −5, L = 4, ω̃ − ω is −1/200 and Σω̂ − r is 0."""
    a = GRID[3]
    copies = minus(_repeated(within(a, L), 3), within(a, L))
    left = minus(_repeated(within(a, L), 3), a)
    yield Case("masses 1/200 at −5, 199/200 at 1, L = 4, t = −5", left[F(-5)], copies.get(F(-5), F(0)), "=")
