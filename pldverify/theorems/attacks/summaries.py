"""Summaries of pairs with a few outcomes: attacks by brute force, trade-offs at their corners."""

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import pairwise, product
from random import Random

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.balls.normal import normal_tail
from pldverify.theorems.attacks.audits import needed
from pldverify.theorems.attacks.pairs import Pair, both, random_pairs, swapped
from pldverify.theorems.evidence import Case

ORDERS = (F(9, 8), F(2), F(7, 2), F(20))
"""Orders of divergences above 1."""


def full(count: int, seed: int = 7) -> Iterator[Pair]:
    """Pairs with 2 to 5 outcomes, each possible under both laws."""
    rng = Random(seed)
    for _ in range(count):
        weights = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(rng.randint(2, 5))]
        p, q = (sum(side) for side in zip(*weights, strict=True))
        yield [(F(a, p), F(b, q)) for a, b in weights]


def _events(pair: Pair) -> Iterator[tuple[F, F]]:
    """P and Q of every event."""
    for chosen in product((0, 1), repeat=len(pair)):
        rows = [row for row, c in zip(pair, chosen, strict=True) if c]
        yield sum((p for p, _ in rows), F(0)), sum((q for _, q in rows), F(0))


def _excess(pair: Pair, ratio: F) -> F:
    """δ at ε = log(ratio)."""
    return sum((max(p - ratio * q, F(0)) for p, q in pair), F(0))


def _least_error(pair: Pair, alpha: F) -> F:
    """T(α) by filling up with the outcomes of the largest ratio, the last one in part."""
    left, missed = alpha, F(1)
    rows = [row for row in pair if any(row)]
    for p, q in sorted(rows, key=lambda row: row[0] / (row[0] + row[1]), reverse=True):
        share = F(1) if q <= left else left / q
        left, missed = left - share * q, missed - share * p
    return missed


# --- attacks ---


def advantage() -> Iterator[Case]:
    """The largest TPR − FPR of all events is δ(0)."""
    for i, pair in enumerate(random_pairs(30)):
        yield Case(f"pair {i}", max(t - f for t, f in _events(pair)), _excess(pair, F(1)), "=")


def bayes_risk() -> Iterator[Case]:
    """The least probability of error of all events, and by δ at the log of the odds."""
    for i, pair in enumerate(random_pairs(30)):
        for prior in (F(1, 100), F(1, 3), F(1, 2), F(9, 10)):
            risk = min((1 - prior) * f + prior * (1 - t) for t, f in _events(pair))
            said = prior * (1 - _excess(pair, (1 - prior) / prior))
            yield Case(f"pair {i}, π = {prior}", risk, said, "=")


def duality() -> Iterator[Case]:
    """T(α) by the best test, and the supremum of 1 − δ(ε) − e^ε α, at the ratios p/q and at e^ε = 0."""
    for i, pair in enumerate(random_pairs(30)):
        ratios = [F(0), *(p / q for p, q in pair if q)]
        for alpha in (F(1, 1000), F(1, 20), F(1, 2), F(19, 20), F(1)):
            said = max(1 - _excess(pair, ratio) - ratio * alpha for ratio in ratios)
            yield Case(f"pair {i}, α = {alpha}", _least_error(pair, alpha), said, "=")


def reconstruction() -> Iterator[Case]:
    """Three secrets, guesses that are right of some of them: the best attack that sees the output, against
    δ + e^ε κ of the worst secret at every e^ε, the least of which is 1 − T(κ).
    """
    for seed in range(30):
        rng = Random(seed)
        prior = [F(w, 12) for w in rng.choice(((4, 4, 4), (6, 3, 3), (1, 1, 10)))]
        right = [[rng.random() < 0.4 for _ in range(4)] for _ in prior]
        laws = [_law(rng) for _ in (*prior, "without")]
        blind = max(sum((w for w, row in zip(prior, right, strict=True) if row[g]), F(0)) for g in range(4))
        seen = sum(
            (
                max(sum((w * laws[z][y] for z, w in enumerate(prior) if right[z][g]), F(0)) for g in range(4))
                for y in range(4)
            ),
            F(0),
        )
        for ratio in (F(0), F(1, 2), F(1), F(3), F(40)):
            worst = max(_excess(list(zip(laws[z], laws[-1], strict=True)), ratio) for z in range(3))
            yield Case(f"attack {seed}, e^ε = {ratio}", seen, worst + ratio * blind)


def _law(rng: Random) -> list[F]:
    weights = [rng.randint(0, 9) for _ in range(3)]
    return [F(w, sum(weights) + 1) for w in (*weights, 1)]


# --- Gaussian DP ---


def _profile(mu: arb, epsilon: arb, regret: arb) -> arb:
    """E(ε): the supremum over y ≥ r of 1 − G_μ(y) + r − e^ε (y − r), at the best y, or at r."""
    y = normal_tail(mu / 2 + epsilon / mu)
    if surely_less(y, regret):
        y = regret
    power = normal_tail(ball(2).sqrt() * (2 * y).erfcinv() - mu)
    return power + regret - epsilon.exp() * (y - regret)


def gaussian_profiles() -> Iterator[Case]:
    """δ(ε) ≤ δ_μ(ε) for the least μ of both directions, at the logs of all ratios and between them."""
    for i, pair in enumerate(full(30)):
        mu = needed(pair).max(needed(swapped(pair)))
        for ratio in _ratios(pair):
            for way in (pair, swapped(pair)):
                left = ball(_excess(way, ratio))
                yield Case(f"pair {i}, e^ε = {ratio}", left, _profile(mu, ball(ratio).log(), arb(0)))


def _ratios(pair: Pair) -> list[F]:
    found = sorted({r for p, q in pair for r in (p / q, q / p) if r > 1} | {F(1)})
    return [*found, *((a + b) / 2 for a, b in pairwise(found))]


def _corners(pair: Pair) -> Iterator[tuple[F, F]]:
    """Both errors at the corners of T, ends included."""
    rows = sorted(pair, key=lambda row: row[0] / row[1], reverse=True)
    alarm, missed = F(0), F(1)
    yield alarm, missed
    for p, q in rows:
        alarm, missed = alarm + q, missed - p
        yield alarm, missed


def _moved(pair: Pair, regret: F) -> tuple[arb, F]:
    """The least μ with the regret by the corners of T, and the false alarms there; 0 for none."""
    most, place = arb(0), F(0)
    root = ball(2).sqrt()
    for alarm, missed in _corners(pair):
        x, y = alarm + regret, missed + regret
        if x + y < 1:
            mu = root * (ball(2 * x).erfcinv() + ball(2 * y).erfcinv())
            if surely_less(most, mu):
                most, place = mu, x
    return most, place


def regrets() -> Iterator[Case]:
    """With the least μ that the corners need δ is at most E everywhere; with a thousandth less it is not, at
    the ε of the tangent there.
    """
    for i, pair in enumerate(full(20)):
        for regret in (F(1, 1000), F(1, 50)):
            (mu, place), (other, _) = _moved(pair, regret), _moved(swapped(pair), regret)
            if mu.is_zero() or not surely_less(other, mu * ball(F(1001, 1000))):
                continue
            shift = ball(regret)
            for ratio in _ratios(pair):
                left = ball(_excess(pair, ratio))
                label = f"pair {i}, r = {regret}, e^ε = {ratio}"
                yield Case(label, left, _profile(mu.max(other), ball(ratio).log(), shift))
            less = mu * ball(F(999, 1000))
            epsilon = less * (ball(2).sqrt() * ball(2 * place).erfcinv() - less / 2)
            if surely_less(0, epsilon):
                left = _profile(less, epsilon, shift)
                excess = sum(((ball(p) - epsilon.exp() * ball(q)).max(arb(0)) for p, q in pair), arb(0))
                yield Case(f"pair {i}, r = {regret}: less is not enough", left, excess, "<")


def little_advantage() -> Iterator[Case]:
    """T(x) ≥ G₀(x + r) − r = 1 − x − 2r at the corners, with 2r = δ(0)."""
    for i, pair in enumerate(full(20)):
        for alarm, missed in _corners(pair):
            yield Case(f"pair {i}, x = {alarm}", 1 - alarm - _excess(pair, F(1)), missed)


def squares_add() -> Iterator[Case]:
    """μ of a product of two pairs is at most √(μ₁² + μ₂²)."""
    for i, (first, second) in enumerate(zip(full(20, 1), full(20, 2), strict=True)):
        bound = (needed(first) ** 2 + needed(second) ** 2).sqrt()
        yield Case(f"pairs {i}", needed(both(first, second)), bound)


def corner_of_responses() -> Iterator[Case]:
    """μ of randomised response is 2Φ⁻¹(e^ε/(1 + e^ε)); that of pairs with losses within ±ε is no more."""
    for ratio in (F(11, 10), F(2), F(9), F(1000)):
        response = [(ratio / (1 + ratio), 1 / (1 + ratio)), (1 / (1 + ratio), ratio / (1 + ratio))]
        yield Case(f"e^ε = {ratio}", needed(response), _corner(ratio), "=")
    for i, pair in enumerate(full(30)):
        yield Case(f"pair {i}", needed(pair), _corner(max(max(p / q, q / p) for p, q in pair)))


def _corner(ratio: F) -> arb:
    return 2 * ball(2).sqrt() * ball(2 / (1 + ratio)).erfcinv()


# --- zero-concentrated DP ---


def divergence(pair: Pair, order: F) -> arb:
    """D_α, α > 1, of a pair whose outcomes are all possible."""
    total = sum((ball(q) * ball(p / q) ** ball(order) for p, q in pair), arb(0))
    return total.log() / ball(order - 1)


def of_gaussian() -> Iterator[Case]:
    """D_α ≤ α μ²/2 for the least μ."""
    for i, pair in enumerate(full(20)):
        mu = needed(pair).max(needed(swapped(pair)))
        for order in ORDERS:
            yield Case(f"pair {i}, α = {order}", divergence(pair, order), ball(order) * mu**2 / 2)


def of_pure() -> Iterator[Case]:
    """D_α ≤ α ε tanh(ε/2), ε the largest of all losses of both signs."""
    for i, pair in enumerate(full(20)):
        epsilon = ball(max(max(p / q, q / p) for p, q in pair)).log()
        for order in ORDERS:
            bound = ball(order) * epsilon * (epsilon / 2).tanh()
            yield Case(f"pair {i}, α = {order}", divergence(pair, order), bound)


def of_responses() -> Iterator[Case]:
    """The same of randomised response, where it is next to attained for small orders."""
    for ratio in (F(101, 100), F(2), F(50)):
        pair = [(ratio / (1 + ratio), 1 / (1 + ratio)), (1 / (1 + ratio), ratio / (1 + ratio))]
        epsilon = ball(ratio).log()
        for order in (F(1001, 1000), *ORDERS):
            bound = ball(order) * epsilon * (epsilon / 2).tanh()
            yield Case(f"e^ε = {ratio}, α = {order}", divergence(pair, order), bound)


def of_range() -> Iterator[Case]:
    """D_α ≤ α η²/8, η the largest loss less the least one."""
    for i, pair in enumerate(full(20)):
        ratios = [p / q for p, q in pair]
        width = ball(max(ratios) / min(ratios)).log()
        for order in ORDERS:
            yield Case(f"pair {i}, α = {order}", divergence(pair, order), ball(order) * width**2 / 8)


def of_discrete_gaussian() -> Iterator[Case]:
    """D_α of N_Z(0, σ²), moved by 1, is at most α/(2σ²): sums over −60σ … 60σ, and what is beyond them, which
    is at most e^{−1000}.
    """
    for sigma, order in product((F(1, 2), F(1), F(3, 2)), (F(3, 2), F(9, 4), F(7, 2), F(10, 3))):
        reach, v = int(60 * sigma), 2 * ball(sigma) ** 2
        spread = range(-reach, reach + 1)
        mass = sum(((-ball(F(n * n)) / v).exp() for n in spread), arb(0))
        powers = ((ball(order * (n - 1) ** 2 + (1 - order) * n**2) / v) for n in spread)
        total = sum(((-power).exp() for power in powers), arb(0)) + arb(-1000).exp()
        value = (total / mass).log() / ball(order - 1)
        yield Case(f"σ = {sigma}, α = {order}", value, ball(order) / v)


def chords() -> Iterator[Case]:
    """(α − 1) D_α is at most its chord, at the middle of two orders."""
    ends = ((F(1), F(2)), (F(9, 8), F(7, 2)), (F(2), F(20)))
    for i, pair in enumerate(full(20)):
        for a, b in ends:
            low, high = (
                arb(0) if order == 1 else ball(order - 1) * divergence(pair, order) for order in (a, b)
            )
            at = (a + b) / 2
            value = ball(at - 1) * divergence(pair, at)
            yield Case(f"pair {i}, α from {a} to {b}", value, (low + high) / 2)


def samples() -> Iterator[Case]:
    """D_α of (1 − q)Q + qP and Q, in both orders, is at most that of P and Q."""
    for i, pair in enumerate(full(10)):
        for share in (F(1, 100), F(1, 2), F(9, 10)):
            mixed = [((1 - share) * q + share * p, q) for p, q in pair]
            for order in ORDERS:
                label = f"pair {i}, q = {share}, α = {order}"
                yield Case(label, divergence(mixed, order), divergence(pair, order))
                yield Case(
                    f"{label}, reversed", divergence(swapped(mixed), order), divergence(swapped(pair), order)
                )


def far_orders() -> Iterator[Case]:
    """With P ≥ cP₀: D_α(P‖Q) ≥ D_α(P₀‖Q) + α log(c)/(α − 1), P = (1 − c)Q + cP₀."""
    for i, pair in enumerate(full(10)):
        for c, order in product((F(1, 100), F(1, 2)), ORDERS):
            mixed = [((1 - c) * q + c * p, q) for p, q in pair]
            least = divergence(pair, order) + ball(order / (order - 1)) * ball(c).log()
            yield Case(f"pair {i}, c = {c}, α = {order}", least, divergence(mixed, order))


def largest_losses() -> Iterator[Case]:
    """D_α is at most the largest loss."""
    for i, pair in enumerate(full(20)):
        most = ball(max(p / q for p, q in pair)).log()
        for order in ORDERS:
            yield Case(f"pair {i}, α = {order}", divergence(pair, order), most)
