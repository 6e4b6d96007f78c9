"""Pairs with a few outcomes: losses, curves and compositions without an error."""

from collections.abc import Iterator, Sequence
from fractions import Fraction as F
from itertools import product
from random import Random

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most
from pldverify.theorems.evidence import Case

Pair = Sequence[tuple[F, F]]
"""(p, q) of each outcome."""

PAIRS: tuple[Pair, ...] = (
    ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))),
    ((F(1, 2), F(1, 8)), (F(1, 2), F(7, 8))),
    ((F(1, 5), F(0)), (F(3, 5), F(2, 5)), (F(1, 5), F(3, 5))),
    ((F(0), F(1, 10)), (F(9, 10), F(9, 10)), (F(1, 10), F(0))),
    ((F(1, 3), F(1, 2)), (F(1, 3), F(1, 4)), (F(1, 3), F(1, 4))),
)
"""Pairs with one support, with outcomes of one law alone on either side, and with two equal losses."""


def random_pairs(count: int, seed: int = 1) -> Iterator[Pair]:
    """Pairs with 2 to 5 outcomes, some of mass 0 under P or Q."""
    rng = Random(seed)
    for _ in range(count):
        weights = [(rng.randint(0, 9), rng.randint(0, 9)) for _ in range(rng.randint(2, 5))]
        weights.append((1, 1))
        p, q = (sum(side) for side in zip(*weights, strict=True))
        yield [(F(a, p), F(b, q)) for a, b in weights]


EPSILONS = (F(-1), F(0), F(1, 3), F(1), F(3))
"""ε in nats: of both signs, and up to above the finite losses of most pairs."""


def hockey(pair: Pair, epsilon: F) -> arb:
    """Σ(p − e^ε q)₊."""
    growth = ball(epsilon).exp()
    return sum(((ball(p) - growth * ball(q)).max(arb(0)) for p, q in pair), arb(0))


def both(first: Pair, second: Pair) -> Pair:
    """The pair of independent outcomes."""
    return [(p * r, q * s) for (p, q), (r, s) in product(first, second)]


def swapped(pair: Pair) -> Pair:
    """Q, P."""
    return [(q, p) for p, q in pair]


def best_event(pair: Pair, epsilon: F) -> arb:
    """sup over all events of P(S) − e^ε Q(S), by brute force."""
    growth, best = ball(epsilon).exp(), arb(0)
    for chosen in product((0, 1), repeat=len(pair)):
        gain = sum((ball(p) - growth * ball(q) for (p, q), c in zip(pair, chosen, strict=True) if c), arb(0))
        best = best.max(gain)
    return best


def _cases() -> Iterator[tuple[str, Pair, F]]:
    for i, pair in enumerate((*PAIRS, *random_pairs(20))):
        for epsilon in EPSILONS:
            yield f"pair {i}, ε = {epsilon}", pair, epsilon


def events() -> Iterator[Case]:
    """δ by events is Σ(p − e^ε q)₊."""
    for label, pair, epsilon in _cases():
        yield Case(label, best_event(pair, epsilon), hockey(pair, epsilon), "=")


def _losses(pair: Pair) -> Iterator[tuple[F, F, arb]]:
    """(p, q, e^loss) where both are positive."""
    for p, q in pair:
        if p and q:
            yield p, q, ball(p / q)


def tails() -> Iterator[Case]:
    """δ = Pr_P[L > ε] − e^ε Pr_Q[L > ε] = E_P[(1 − e^{ε−L})₊], with the mass at +∞."""
    for label, pair, epsilon in _cases():
        growth = ball(epsilon).exp()
        infinite = ball(sum((p for p, q in pair if not q), F(0)))
        mean = infinite + sum((ball(p) * (1 - growth / r).max(arb(0)) for p, _, r in _losses(pair)), arb(0))
        yield Case(label, hockey(pair, epsilon), mean, "=")


def exponential() -> Iterator[Case]:
    """Pr[L ≥ ε + Z] for Z ~ Exp(1): Pr[Z ≤ x] = 1 − e^{−x} for x ≥ 0."""
    for label, pair, epsilon in _cases():
        chance = ball(sum((p for p, q in pair if not q), F(0)))
        for p, _, ratio in _losses(pair):
            chance += ball(p) * (1 - (-(ratio.log() - ball(epsilon))).exp()).max(arb(0))
        yield Case(label, hockey(pair, epsilon), chance, "=")


def tilts() -> Iterator[Case]:
    """E_Y[φ(Y)] = E_X[φ(X)e^X] for φ = 1/(1 + t²) on ℝ, 0 at ±∞."""
    for i, pair in enumerate(PAIRS):
        left = sum((ball(p) / (1 + r.log() ** 2) for p, _, r in _losses(pair)), arb(0))
        right = sum((ball(q) * r / (1 + r.log() ** 2) for _, q, r in _losses(pair)), arb(0))
        yield Case(f"pair {i}", left, right, "=")


def sums() -> Iterator[Case]:
    """δ of the pair of outcomes is that of the sum of the losses, +∞ where one is."""
    for i, first in enumerate(PAIRS):
        for j, second in enumerate(PAIRS):
            for epsilon in EPSILONS:
                growth = ball(epsilon).exp()
                finite = sum(
                    (
                        ball(p * r) * (1 - growth / (x * y)).max(arb(0))
                        for p, _, x in _losses(first)
                        for r, _, y in _losses(second)
                    ),
                    arb(0),
                )
                lost = 1 - (1 - _infinite(first)) * (1 - _infinite(second))
                left = hockey(both(first, second), epsilon)
                yield Case(f"pairs {i}, {j}, ε = {epsilon}", left, finite + ball(lost), "=")


def _infinite(pair: Pair) -> F:
    return sum((p for p, q in pair if not q), F(0))


def simple_composition() -> Iterator[Case]:
    """Proposition 1.2: δ₁₂(ε₁ + ε₂) ≤ δ₁(ε₁) + δ₂(ε₂), ε ≥ 0."""
    for i, first in enumerate(PAIRS):
        for j, second in enumerate(PAIRS):
            for a, b in product(EPSILONS[1:], repeat=2):
                left = hockey(both(first, second), a + b)
                yield Case(f"pairs {i}, {j}, ε = {a} + {b}", left, hockey(first, a) + hockey(second, b))


def advanced_composition() -> Iterator[Case]:
    """Proposition 1.3 of the pair that attains (ε, δ)-DP, k-fold, the worst (Kairouz, Oh, Viswanath)."""
    growth = {e: ball(e).exp() for e in (F(1, 10), F(1, 2), F(1))}
    for epsilon, g in growth.items():
        for lost in (F(0), F(1, 100)):
            for k in (1, 3, 12):
                for other in (F(1, 10**6), F(1, 10)):
                    root = (2 * k * (-ball(other).log())).sqrt()
                    bound = ball(epsilon) * root + k * ball(epsilon) * (g - 1)
                    value = _attained(epsilon, lost, k, bound)
                    yield Case(
                        f"ε = {epsilon}, δ = {lost}, k = {k}, δ' = {other}", value, ball(k * lost + other)
                    )


def _attained(epsilon: F, lost: F, k: int, at: arb) -> arb:
    """δ at ``at`` of the k-fold composition of the (ε, δ) pair: a binomial sum."""
    g = ball(epsilon).exp()
    up, total, binomial = g / (1 + g), arb(0), 1
    for j in range(k + 1):
        loss = (2 * j - k) * ball(epsilon)
        total += binomial * up**j * (1 - up) ** (k - j) * (1 - (at - loss).exp()).max(arb(0))
        binomial = binomial * (k - j) // (j + 1)
    kept = ball((1 - lost) ** k)
    return 1 - kept + kept * total


def same_curve() -> Iterator[Case]:
    """Two pairs with one curve (an outcome split in two) compose to one curve."""
    for i, pair in enumerate(PAIRS):
        split = [*((p / 3, q / 3) for p, q in pair), *((2 * p / 3, 2 * q / 3) for p, q in pair)]
        for epsilon in EPSILONS:
            left, right = hockey(both(pair, pair), epsilon), hockey(both(split, split), epsilon)
            yield Case(f"pair {i}, ε = {epsilon}", left, right, "=")


def adaptive() -> Iterator[Case]:
    """A second mechanism that is chosen by the first's output, among pairs below one pair: δ is below ⊗.

    The second is pair 0, its exchange (one curve), or nothing (P = Q).
    """
    second = PAIRS[0]
    choices = (second, swapped(second), ((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2))))
    for i, first in enumerate(PAIRS):
        for chosen in product(choices, repeat=len(first)):
            run = [(p * r, q * s) for (p, q), then in zip(first, chosen, strict=True) for r, s in then]
            for epsilon in EPSILONS[1:]:
                yield Case(
                    f"pair {i}, ε = {epsilon}", hockey(run, epsilon), hockey(both(first, second), epsilon)
                )


def loss_tails() -> Iterator[Case]:
    """GLW21 Lemma 5.4 with the larger of the two curves for δ."""
    for label, pair, epsilon in _cases():
        if epsilon < 0:
            continue
        worst = hockey(pair, epsilon).max(hockey(swapped(pair), epsilon))
        for t in (F(1, 10), F(1), F(4)):
            bound = worst * (1 + (-ball(epsilon + t)).exp()) / (1 - (-ball(t)).exp())
            yield Case(f"{label}, t = {t}", ball(_far(pair, epsilon + t)), bound)


def one_sided_loss_tail() -> Iterator[Case]:
    """GLW21 Lemma 5.4 with δ of one direction: δ(0.4) = 0, and the loss is −3.4 with probability 1/100."""
    pair: Pair = ((F(1, 100), F(3, 10)), (F(99, 100), F(7, 10)))
    epsilon, t = F(2, 5), F(1)
    bound = hockey(pair, epsilon) * (1 + (-ball(epsilon + t)).exp()) / (1 - (-ball(t)).exp())
    yield Case("p = (1/100, 99/100), q = (3/10, 7/10), ε = 2/5, t = 1", ball(_far(pair, epsilon + t)), bound)


def _far(pair: Pair, at: F) -> F:
    """Pr_P[|L| ≥ at]."""
    far = (p for p, q in pair if p and q and surely_at_most(ball(at), abs(ball(p / q).log())))
    return _infinite(pair) + sum(far, F(0))


def level_sets() -> Iterator[Case]:
    """The event {p ≥ e^ε q} attains Σ(p − e^ε q)₊, in both orders."""
    for label, pair, epsilon in _cases():
        growth = ball(epsilon).exp()
        for order, sides in (("", pair), (", Q, P", swapped(pair))):
            gains = [
                ball(p) - growth * ball(q) for p, q in sides if surely_at_most(growth * ball(q), ball(p))
            ]
            yield Case(label + order, sum(gains, arb(0)), hockey(sides, epsilon), "=")


def common() -> Iterator[Case]:
    """A coordinate that has one law under P and Q, and is independent, does not change δ."""
    for label, pair, epsilon in _cases():
        yield Case(
            label, hockey(both(pair, ((F(1, 3),) * 2, (F(2, 3),) * 2)), epsilon), hockey(pair, epsilon), "="
        )


def copied() -> Iterator[Case]:
    """M' repeats the outcome of M: the loss of both is that of M, not a sum of two."""
    first = PAIRS[0]
    yield Case("p = 3/4, ε = 1, M' = M", hockey(first, F(1)), hockey(both(first, first), F(1)), "=")


def negated() -> Iterator[Case]:
    """Losses under Q, P are minus those under P, Q: ratios and their inverses."""
    for i, pair in enumerate(random_pairs(30)):
        ratios = sorted(p / q for p, q in pair if p and q)
        inverses = sorted((1 / (q / p) for q, p in swapped(pair) if p and q), reverse=False)
        for ratio, inverse in zip(ratios, inverses, strict=True):
            yield Case(f"pair {i}", ratio, inverse, "=")


def products() -> Iterator[Case]:
    """δ₁ ⊗ δ₂ = δ₂ ⊗ δ₁ and (δ₁ ⊗ δ₂) ⊗ δ₃ = δ₁ ⊗ (δ₂ ⊗ δ₃)."""
    for first, second, third in zip(*(random_pairs(10, seed) for seed in (1, 2, 3)), strict=True):
        for epsilon in EPSILONS:
            left = hockey(both(first, second), epsilon)
            yield Case(f"ε = {epsilon}, commutative", left, hockey(both(second, first), epsilon), "=")
            left = hockey(both(both(first, second), third), epsilon)
            yield Case(
                f"ε = {epsilon}, associative", left, hockey(both(first, both(second, third)), epsilon), "="
            )


def loss_laws() -> Iterator[Case]:
    """Pairs with one curve have one law of the loss: outcomes split in two, and the loss as the outcome."""
    for i, pair in enumerate(random_pairs(20)):
        split = [*((p / 3, q / 3) for p, q in pair), *((2 * p / 3, 2 * q / 3) for p, q in pair)]
        whole, parts = _ratios(pair), _ratios(split)
        for ratio, (p, q) in whole.items():
            yield Case(f"pair {i}, e^loss = {ratio}", p, parts[ratio][0], "=")
            yield Case(f"pair {i}, e^loss = {ratio}, Y(t) = e^t X(t)", p, ratio * q, "=")


def _ratios(pair: Pair) -> dict[F, tuple[F, F]]:
    found: dict[F, tuple[F, F]] = {}
    for p, q in pair:
        if q:
            before = found.get(p / q, (F(0), F(0)))
            found[p / q] = (before[0] + p, before[1] + q)
    return found


def relabelled() -> Iterator[Case]:
    """A second mechanism that permutes its outcomes by what came first: the losses still add up."""
    for i, (first, second) in enumerate(zip(random_pairs(20, 1), random_pairs(20, 2), strict=True)):
        run = [(p * r, q * s) for j, (p, q) in enumerate(first) for r, s in (*second[j:], *second[:j])]
        for epsilon in EPSILONS:
            yield Case(
                f"pairs {i}, ε = {epsilon}", hockey(run, epsilon), hockey(both(first, second), epsilon), "="
            )
