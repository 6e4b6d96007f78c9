"""Dominating pairs are claims: attack each one with small data sets, every subsample enumerated.

An attack is a test set S for one pair of neighbours: P(S) − e^ε Q(S), evaluated in balls, is a proved lower
bound of δ(ε) whatever S is. Floats only choose S. A pair survives if no attack exceeds its δ(ε); a pair that
is beaten in print is beaten here with proof.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.mechanisms.mechanism import Mechanism

Mixture = dict[Fraction, Fraction]
"""Centre: weight."""

EXTREME = tuple(Fraction(x) for x in ("-1", "-0.5", "0", "1"))
EPSILONS = tuple(Fraction(x) for x in ("-1", "-0.25", "0", "0.25", "1", "2", "5"))
PREC = 250
slow = functools.partial(pytest.param, marks=pytest.mark.slow)
CUT = arb("1e-30")
"""More than the mass of the integer noise that the enumeration leaves out."""


# --- the outputs' laws, by enumeration --------------------------------------------------------------------


def poisson(records: Sequence[Fraction], q: Fraction) -> Mixture:
    law: Mixture = {}
    for chosen in itertools.product((0, 1), repeat=len(records)):
        weight = math.prod((q if bit else 1 - q for bit in chosen), start=Fraction(1))
        centre = sum((x for x, bit in zip(records, chosen, strict=True) if bit), Fraction(0))
        law[centre] = law.get(centre, Fraction(0)) + weight
    return law


def without_replacement(records: Sequence[Fraction], m: int) -> Mixture:
    law: Mixture = {}
    for batch in itertools.combinations(records, m):
        law[sum(batch)] = law.get(sum(batch), Fraction(0)) + Fraction(1, comb(len(records), m))  # type: ignore[index,arg-type]
    return law


def with_replacement(records: Sequence[Fraction], m: int) -> Mixture:
    law: Mixture = {}
    for batch in itertools.product(records, repeat=m):
        law[sum(batch)] = law.get(sum(batch), Fraction(0)) + Fraction(1, len(records) ** m)  # type: ignore[index,arg-type]
    return law


def replaced(n: int, values: Sequence[Fraction] = EXTREME) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Data sets of n records that differ in one."""
    for others in itertools.combinations_with_replacement(values, n - 1):
        for x, y in itertools.permutations(values, 2):
            yield [x, *others], [y, *others]


def added(n: int, values: Sequence[Fraction] = EXTREME) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """A data set of n records, and without one of them."""
    for others in itertools.combinations_with_replacement(values, n - 1):
        for x in values:
            yield [x, *others], [*others]


# --- the attack -------------------------------------------------------------------------------------------


def attack(first: Mixture, second: Mixture, sigma: Fraction, epsilon: Fraction) -> arb:
    """P(S) − e^ε Q(S) in balls, S = the intervals where p > e^ε q as floats see it."""
    cuts = _signs(first, second, float(sigma), float(epsilon))
    with working(PREC):
        alpha, total = ball(epsilon).exp(), arb(0)
        for low, high in cuts:
            total += _mass(first, sigma, low, high) - alpha * _mass(second, sigma, low, high)
        return total


def _signs(first: Mixture, second: Mixture, sigma: float, epsilon: float) -> list[tuple[float, float]]:
    rows = [(float(c), float(w)) for c, w in first.items()]
    rows += [(float(c), -math.exp(epsilon) * float(w)) for c, w in second.items()]
    centres, weights = np.array(rows).T

    def positive(x: np.ndarray) -> np.ndarray:
        return weights @ np.exp(-((x - centres[:, None]) ** 2) / (2 * sigma**2)) > 0

    grid = np.linspace(centres.min() - 30 * sigma, centres.max() + 30 * sigma, 2001)
    signs = positive(grid)
    ends = [-math.inf] if signs[0] else []
    for i in np.flatnonzero(signs[1:] != signs[:-1]):
        low, high = grid[i], grid[i + 1]
        for _ in range(3):
            finer = np.linspace(low, high, 1001)
            k = int(np.argmax(positive(finer) != signs[i])) or 1000
            low, high = finer[k - 1], finer[k]
        ends.append(float(low))
    if len(ends) % 2:
        ends.append(math.inf)
    return list(zip(ends[::2], ends[1::2], strict=True))


def _mass(law: Mixture, sigma: Fraction, low: float, high: float) -> arb:
    return sum((ball(w) * (_above(c, sigma, low) - _above(c, sigma, high)) for c, w in law.items()), arb(0))


def _above(centre: Fraction, sigma: Fraction, point: float) -> arb:
    if math.isinf(point):
        return arb(0) if point > 0 else arb(1)
    return ((ball(Fraction(point) - centre) / ball(sigma)) / arb(2).sqrt()).erfc() / 2


def claimed(mechanism: Mechanism, epsilon: Fraction, adjacency: str) -> Fraction:
    """Proved upper bound of the pair's δ(ε)."""
    return Fraction(pv.delta(mechanism, epsilon=epsilon, adjacency=adjacency, digits=15).upper)  # type: ignore[arg-type]


def beaten(
    mechanism: Mechanism,
    adjacency: str,
    sigma: Fraction,
    neighbours: list[tuple[Mixture, Mixture]],
    highest: Fraction = EPSILONS[-1],
) -> tuple[list[str], arb]:
    """Attacks that exceed the pair's δ; the largest relative gap below it at any ε ≤ ``highest``."""
    found, slack = [], arb(0)
    for epsilon in EPSILONS:
        bound = ball(claimed(mechanism, epsilon, adjacency))
        best = arb(-1)
        for first, second in neighbours:
            if first == second:
                continue
            value = attack(first, second, sigma, epsilon)
            if value > bound:
                found.append(f"ε={epsilon}: {first} against {second}: {value.str(8)} > {bound.str(8)}")
            best = best.max(value)
        if epsilon <= highest and not bound.is_zero():
            slack = slack.max((bound - best) / bound)
    return found, slack


def laws(
    pairs: Iterator[tuple[list[Fraction], list[Fraction]]], sample: Callable[[Sequence[Fraction]], Mixture]
) -> list[tuple[Mixture, Mixture]]:
    return [(sample(first), sample(second)) for first, second in pairs]


# --- pairs that survive, and how close the attacks come ---------------------------------------------------


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize("q", [Fraction(1, 10), Fraction(3, 5)], ids=str)
def test_poisson_add_or_remove(sigma: Fraction, q: Fraction) -> None:
    mechanism = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    with_record = laws(added(3), lambda records: poisson(records, q))
    for adjacency, pairs in (("remove", with_record), ("add", [(b, a) for a, b in with_record])):
        found, slack = beaten(mechanism, adjacency, sigma, pairs)
        assert not found
        assert slack < 1e-9  # attained


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize("q", [Fraction(1, 10), Fraction(3, 5)], ids=str)
def test_poisson_replace_one(sigma: Fraction, q: Fraction) -> None:
    mechanism = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    found, slack = beaten(mechanism, "replace-one", sigma, laws(replaced(3), lambda r: poisson(r, q)))
    assert not found
    assert slack < 1e-9


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize(("m", "n"), [(1, 2), slow(1, 4), (2, 3), slow(3, 4)])
def test_without_replacement(sigma: Fraction, m: int, n: int) -> None:
    mechanism = pv.SampledWithoutReplacement(pv.Gaussian(sigma), Fraction(m, n))
    found, slack = beaten(
        mechanism, "replace-one", sigma, laws(replaced(n), lambda r: without_replacement(r, m))
    )
    assert not found
    assert slack < 1e-9


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(1)), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize(("m", "n"), [(1, 3), (2, 2), slow(2, 3), slow(3, 3)])
def test_with_replacement(sigma: Fraction, m: int, n: int) -> None:
    mechanism = pv.SampledWithReplacement(pv.Gaussian(sigma), m, n)
    pairs = laws(replaced(n), lambda records: with_replacement(records, m))
    found, slack = beaten(mechanism, "replace-one", sigma, pairs, highest=Fraction(1))
    assert not found
    assert slack < (1e-9 if m == 1 else 0.05)  # for m ≥ 2 the pair covers more than these data sets


def test_a_pair_of_too_small_a_sample_is_beaten() -> None:
    """At the noise and the sizes that are not ``slow``."""
    sigma = Fraction(1, 2)
    fixed = pv.SampledWithoutReplacement(pv.Gaussian(sigma), Fraction(1, 2) - Fraction(1, 100))
    assert beaten(fixed, "replace-one", sigma, laws(replaced(2), lambda r: without_replacement(r, 1)))[0]
    drawn = pv.SampledWithReplacement(pv.Gaussian(sigma), 1, 4)
    pairs = laws(replaced(3), lambda records: with_replacement(records, 1))
    assert beaten(drawn, "replace-one", sigma, pairs, highest=Fraction(1))[0]
    sampled = pv.PoissonSubsampled(pv.Gaussian(sigma), Fraction(59, 100))
    assert beaten(sampled, "remove", sigma, laws(added(3), lambda r: poisson(r, Fraction(3, 5))))[0]


def in_the_batch(
    records: Sequence[Fraction], group: Sequence[Fraction], q: Fraction
) -> tuple[Mixture, Mixture]:
    """The law of the sum of a Poisson sample with the group in the data, and without it."""
    return poisson([*records, *group], q), poisson(records, q)


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize("q", [Fraction(1, 10), Fraction(3, 5)], ids=str)
def test_a_group_under_poisson_sampling(sigma: Fraction, q: Fraction) -> None:
    """Two records of any size and sign, all subsamples; equal ones of full size attain the pair."""
    mechanism = pv.group(pv.PoissonSubsampled(pv.Gaussian(sigma), q), 2)
    pairs = [
        in_the_batch([other], group, q)
        for other in EXTREME
        for group in itertools.combinations_with_replacement(EXTREME, 2)
    ]
    for adjacency, ordered in (("remove", pairs), ("add", [(b, a) for a, b in pairs])):
        found, slack = beaten(mechanism, adjacency, sigma, ordered)
        assert not found
        assert slack < 1e-9


def test_a_group_is_beaten_if_a_record_is_forgotten() -> None:
    q, one = Fraction(1, 10), Fraction(1)
    pair = [in_the_batch([], [one, one, one], q)]
    found, _ = beaten(pv.group(pv.PoissonSubsampled(pv.Gaussian(1), q), 2), "remove", one, pair)
    assert len(found) >= 3


def test_a_group_that_is_mixed_is_not_covered() -> None:
    """One record added and another removed, of opposite signs: two moves apart in each batch."""
    q, one = Fraction(3, 5), Fraction(1)
    pair = [(poisson([one], q), poisson([-one], q))]
    found, _ = beaten(pv.group(pv.PoissonSubsampled(pv.Gaussian(1), q), 2), "add", one, pair)
    assert found


def test_random_sensitivities_in_the_plane() -> None:
    """Vectors of norms at most c_i at any angles, both directions; densities summed on a grid, in floats."""
    mechanism = pv.MixtureOfGaussians(1, [0, 1, "1.5"], ["0.5", "0.3", "0.2"])
    axis = np.arange(-7, 8, 0.05)
    x, y = np.meshgrid(axis, axis)
    base = np.exp(-(x**2 + y**2) / 2) / (2 * math.pi)
    for epsilon, adjacency in itertools.product((0.0, 0.5, 1.5), ("remove", "add")):
        bound, best = float(claimed(mechanism, Fraction(epsilon), adjacency)), 0.0
        for first, second, angle in itertools.product(
            (0.6, 1.0), (0.0, 0.9, 1.5), np.linspace(0, math.pi, 5)
        ):
            a, b = second * math.cos(angle), second * math.sin(angle)
            ratio = 0.5 + 0.3 * np.exp(first * x - first**2 / 2) + 0.2 * np.exp(a * x + b * y - second**2 / 2)
            p, q = (ratio * base, base) if adjacency == "remove" else (base, ratio * base)
            best = max(best, float(np.maximum(p - math.exp(epsilon) * q, 0).sum()) * 0.05**2)
        assert bound * (1 - 1e-2) <= best <= bound * (1 + 1e-3)


def test_poisson_replace_one_in_the_plane() -> None:
    """Records of norm ≤ 1 at any angle; densities summed on a grid, in floats."""
    sigma, q, step = 1.0, 0.4, 0.04
    axis = np.arange(-7, 7, step)
    x, y = np.meshgrid(axis, axis)

    def density(a: float, b: float) -> np.ndarray:
        return np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * sigma**2)) / (2 * math.pi * sigma**2)

    base = density(0, 0)
    for epsilon in (0.0, 0.5, 1.5):
        bound = float(claimed(pv.PoissonSubsampled(pv.Gaussian(1), "0.4"), Fraction(epsilon), "replace-one"))
        best = 0.0
        for radius, other, angle in itertools.product(
            (0.5, 1.0), (0.0, 0.5, 1.0), np.linspace(0, math.pi, 7)
        ):
            first = (1 - q) * base + q * density(radius, 0)
            second = (1 - q) * base + q * density(other * math.cos(angle), other * math.sin(angle))
            best = max(best, float(np.maximum(first - math.exp(epsilon) * second, 0).sum()) * step**2)
        assert bound * (1 - 1e-2) < best < bound * (1 + 1e-3)


@pytest.mark.parametrize(
    "mechanism",
    [
        pv.DiscreteGaussian("1.5", sensitivity=3),
        pv.DiscreteLaplace("1.5", sensitivity=3),
        pv.Binomial(40, "0.5", sensitivity=3),
    ],
    ids=str,
)
def test_integer_noise_survives_every_move_of_the_query(mechanism: Mechanism) -> None:
    with working(PREC):
        noise = _noise(mechanism)
        for epsilon in EPSILONS:
            bound = ball(claimed(mechanism, epsilon, "add-or-remove"))
            values = {d: _discrete_attack(noise, d, epsilon) for d in range(-3, 4)}
            assert not any(value - CUT > bound for value in values.values())
            assert bound - values[3] <= bound / 10**9 + CUT


@pytest.mark.slow
def test_vectors_of_integer_noise_survive_every_move_of_the_query() -> None:
    """Every d with |d_j| ≤ Δ_j, all outcomes enumerated; the largest moves attain the bound."""
    sigmas, sensitivities = (Fraction(1), Fraction(3, 2)), (1, 2)
    whole = pv.discrete_gaussians(sigmas, sensitivities)
    with working(PREC):
        noise = [_noise(pv.DiscreteGaussian(sigma)) for sigma in sigmas]
        for epsilon in EPSILONS[1:6]:
            bound = ball(claimed(whole, epsilon, "add-or-remove"))
            values = {
                moves: _vector_attack(noise, moves, epsilon)
                for moves in itertools.product(*(range(-move, move + 1) for move in sensitivities))
            }
            assert not any(value - CUT > bound for value in values.values())
            assert bound - values[sensitivities] <= bound / 10**6 + CUT


def test_a_vector_is_beaten_if_a_coordinate_is_forgotten_or_moves_further() -> None:
    """Of what is attacked above, the check sees what is left out."""
    noise, epsilon = [_noise(pv.DiscreteGaussian(1)), _noise(pv.DiscreteGaussian("1.5"))], Fraction(1)
    for forgotten in (pv.discrete_gaussians([1, "1.5"], [1, 1]), pv.discrete_gaussians([1, "1.5"], [0, 2])):
        with working(PREC):
            assert _vector_attack(noise, (1, 2), epsilon) > ball(claimed(forgotten, epsilon, "add-or-remove"))


def test_an_l2_bound_covers_every_move_within_it() -> None:
    """σ = 1 and Σ d_j² ≤ 4 on two coordinates: (2, 0), (1, 1), … against the conversion of ρ = 2."""
    promise = pv.discrete_gaussians(sigma=1, l2_sensitivity=2)
    (rho,) = (mechanism.rho for mechanism, _ in promise.parts)  # type: ignore[attr-defined]
    with working(PREC):
        noise = [_noise(pv.DiscreteGaussian(1))] * 2
        for epsilon in EPSILONS[2:]:
            bound = ball(pv.zcdp_delta(rho, epsilon))
            for moves in ((2, 0), (1, 1), (1, -1), (0, 2)):
                assert not _vector_attack(noise, moves, epsilon) - CUT > bound


def _vector_attack(noise: Sequence[dict[int, arb]], moves: Sequence[int], epsilon: Fraction) -> arb:
    """Σ (p − e^ε q)_+ over all pairs of outcomes, P with coordinate j moved by ``moves[j]``; masses below the
    cut are left out, which only lowers an attack."""
    rows = []
    for each, move in zip(noise, moves, strict=True):
        points = [x for x in range(-14, 15) if x in each and x - move in each]
        rows.append([(each[x - move], each[x]) for x in points])
    alpha, zero, total = ball(epsilon).exp(), arb(0), arb(0)
    for outcomes in itertools.product(*rows):
        p, q = (math.prod((row[i] for row in outcomes), start=arb(1)) for i in (0, 1))
        total += (p - alpha * q).max(zero)
    return total


def test_binomial_noise_that_is_not_even_survives_moves_up_only() -> None:
    """With p ≠ 1/2 a query that moves both ways has P‖Q and Q‖P in one direction: the relation is refused."""
    mechanism = pv.Binomial(40, "0.2", sensitivity=2)
    with working(PREC):
        noise = _noise(mechanism)
        for epsilon in EPSILONS:
            bound = ball(claimed(mechanism, epsilon, "remove"))
            assert not any(_discrete_attack(noise, d, epsilon) > bound for d in (0, 1, 2))
        assert any(
            _discrete_attack(noise, -2, epsilon) > ball(claimed(mechanism, epsilon, "remove"))
            for epsilon in EPSILONS
        )
    assert mechanism.relations == ("add-or-remove", "zero-out")


def _noise(mechanism: Mechanism) -> dict[int, arb]:
    if isinstance(mechanism, pv.Binomial):
        n, p = mechanism.n, mechanism.p
        return {x: ball(comb(n, x) * p**x * (1 - p) ** (n - x)) for x in range(n + 1)}
    if isinstance(mechanism, pv.DiscreteGaussian):
        weights = {x: ball(-Fraction(x * x) / (2 * mechanism.sigma**2)).exp() for x in range(-40, 41)}
    else:
        assert isinstance(mechanism, pv.DiscreteLaplace)
        weights = {x: ball(-abs(x) / mechanism.b).exp() for x in range(-120, 121)}
    total = sum(weights.values(), arb(0))
    return {x: w / total for x, w in weights.items()}


def _discrete_attack(noise: dict[int, arb], move: int, epsilon: Fraction) -> arb:
    """Σ (p − e^ε q)_+ with P moved by ``move``."""
    alpha, zero, total = ball(epsilon).exp(), arb(0), arb(0)
    for x in range(min(noise) - 3, max(noise) + 4):
        total += (noise.get(x - move, zero) - alpha * noise.get(x, zero)).max(zero)
    return total


def test_poisson_sampling_of_integer_noise_add_or_remove() -> None:
    q = Fraction(3, 10)
    for base in (pv.DiscreteLaplace("1.5"), pv.DiscreteGaussian(1)):
        mechanism = pv.PoissonSubsampled(base, q)
        with working(PREC):
            noise = _noise(base)
            for (first, second), epsilon in itertools.product(
                added(3, [Fraction(x) for x in (-1, 0, 1)]), EPSILONS
            ):
                with_record, without = _spread(noise, poisson(first, q)), _spread(noise, poisson(second, q))
                for adjacency, p, r in (("remove", with_record, without), ("add", without, with_record)):
                    value = sum(((p[x] - ball(epsilon).exp() * r[x]).max(arb(0)) for x in p), arb(0))
                    assert not value - CUT > ball(claimed(mechanism, epsilon, adjacency))


def _spread(noise: dict[int, arb], centres: Mixture) -> dict[int, arb]:
    zero = arb(0)
    return {
        x: sum((ball(w) * noise.get(x - int(c), zero) for c, w in centres.items()), zero)
        for x in range(min(noise) - 3, max(noise) + 4)
    }


@pytest.mark.parametrize("delta", ["0", "0.05"])
def test_every_private_pair_is_dominated_by_the_pair_of_its_parameters(delta: str) -> None:
    """Random (ε₀, δ₀)-DP pairs, made by mixing: with δ₀ anything, else odds within e^{±ε₀}."""
    random = np.random.default_rng(3)
    size, lost = Fraction(4, 5), Fraction(delta)
    claim = pv.ApproximateDP(size, lost) if lost else pv.PureDP(size)
    for _ in range(20):
        p, q = _private_pair(random, size, lost)
        mechanism = pv.FinitePair(p, q)
        for epsilon in (Fraction(0), Fraction(1, 3), Fraction(3, 4), Fraction(1)):
            value = pv.delta(mechanism, epsilon=epsilon).lower
            assert value <= claimed(claim, epsilon, "add-or-remove")


@pytest.mark.parametrize("delta", ["0", "0.05"])
def test_a_sampled_promise_dominates_every_sampled_private_pair(delta: str) -> None:
    random, q = np.random.default_rng(5), Fraction(3, 10)
    size, lost = Fraction(4, 5), Fraction(delta)
    claim = pv.PoissonSubsampled(pv.ApproximateDP(size, lost) if lost else pv.PureDP(size), q)
    for _ in range(10):
        pair = pv.PoissonSubsampled(pv.FinitePair(*_private_pair(random, size, lost)), q)
        for epsilon, way in itertools.product(
            (Fraction(0), Fraction(1, 5), Fraction(2, 5)), ("remove", "add")
        ):
            value = pv.delta(pair, epsilon=epsilon, adjacency=way).lower  # type: ignore[arg-type]
            assert value <= claimed(claim, epsilon, way)


def test_a_sampled_promise_is_amplified_as_in_print() -> None:
    """(log(1 + q(e^ε − 1)), qδ) of Balle, Barthe and Gaboardi, Theorem 8, which is attained."""
    sampled = pv.PoissonSubsampled(pv.ApproximateDP(1, "0.01"), "0.1")
    printed = "log(1 + (exp(1) - 1)/10)"
    found = pv.delta(sampled, epsilon=printed, digits=12)
    assert found.lower <= Fraction(1, 1000) <= found.upper
    assert pv.delta(sampled, epsilon="0.158", digits=6).lower > Fraction(
        1, 1000
    )  # below log 1.1718 = 0.15856


def _private_pair(
    random: np.random.Generator, size: Fraction, lost: Fraction
) -> tuple[list[Fraction], list[Fraction]]:
    """Randomised response with less than e^{size} as odds, its outcomes split at random, and δ₀ elsewhere."""
    odds = Fraction(2225540, 10**6)  # < e^{4/5} = 2.225540928…
    high, low = odds / (1 + odds), 1 / (1 + odds)
    assert size == Fraction(4, 5)
    kernel = [Fraction(int(x), 1000) for x in random.integers(0, 1001, size=4)]
    p = [(1 - lost) * (high * k + low * (1 - j)) / 4 for k, j in zip(kernel, reversed(kernel), strict=True)]
    q = [(1 - lost) * (low * k + high * (1 - j)) / 4 for k, j in zip(kernel, reversed(kernel), strict=True)]
    p += [(1 - lost) * (high * (1 - k) + low * j) / 4 for k, j in zip(kernel, reversed(kernel), strict=True)]
    q += [(1 - lost) * (low * (1 - k) + high * j) / 4 for k, j in zip(kernel, reversed(kernel), strict=True)]
    return [*p, lost, Fraction(0)], [*q, Fraction(0), lost]


def test_all_pairs_of_categories_are_alike() -> None:
    mechanism = pv.RandomizedResponse("0.4", categories=4)
    rows = [[mechanism.p if i == j else mechanism.other for j in range(4)] for i in range(4)]
    for i, j in itertools.permutations(range(4), 2):
        for epsilon in EPSILONS:
            value = pv.delta(pv.FinitePair(rows[i], rows[j]), epsilon=epsilon)
            claim = pv.delta(mechanism, epsilon=epsilon, adjacency="replace-one")
            assert value.lower <= claim.upper
            assert claim.lower <= value.upper


# --- pairs in print that are beaten -----------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize(("m", "n"), [(1, 2), (1, 4), (2, 4)])
def test_the_substitute_pair_is_beaten_without_replacement(sigma: Fraction, m: int, n: int) -> None:
    """KJH19 5.3 and KJH20s B.3 print N(±1): with all other records at −1, a batch without x is lower by 2."""
    printed = pv.KJH19Substitute(pv.Gaussian(sigma), Fraction(m, n))
    one, others = Fraction(1), [Fraction(-1)] * (n - 1)
    pair = [(without_replacement([one, *others], m), without_replacement([-one, *others], m))]
    found, _ = beaten(printed, "replace-one", sigma, pair)
    assert len(found) >= 3


def test_how_far_the_substitute_pair_is_beaten() -> None:
    """At σ = 1, one of four records, ε = 2: δ > 0.037, where the printed pair has δ < 0.001."""
    one, others = Fraction(1), [Fraction(-1)] * 3
    first, second = (without_replacement([x, *others], 1) for x in (one, -one))
    assert attack(first, second, one, Fraction(2)) > arb("0.037")
    assert claimed(pv.KJH19Substitute(pv.Gaussian(1), "0.25"), Fraction(2), "replace-one") < Fraction(1, 1000)


@pytest.mark.parametrize("sigma", [Fraction(1, 2), slow(Fraction(2))], ids=str)
@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3)])
def test_the_with_replacement_pair_is_beaten(sigma: Fraction, m: int, n: int) -> None:
    """KJH20s B.4 prints Σ b N(±ℓ): beaten by all other records at −1."""
    printed = pv.KJH20WithReplacement(pv.Gaussian(sigma), m, n)
    one, others = Fraction(1), [Fraction(-1)] * (n - 1)
    pair = [(with_replacement([one, *others], m), with_replacement([-one, *others], m))]
    found, _ = beaten(printed, "replace-one", sigma, pair)
    assert len(found) >= 2


def test_no_one_data_set_is_the_worst_with_replacement() -> None:
    """The other record at −1 is the worst for large ε; at ε = 0 it is worse at 0 (σ = 1, m = n = 2)."""
    one, zero = Fraction(1), Fraction(0)

    def value(other: Fraction, epsilon: Fraction) -> arb:
        first, second = (with_replacement([x, other], 2) for x in (one, -one))
        return attack(first, second, one, epsilon)

    upper = _threshold_upper(Fraction(0))
    assert value(zero, zero) > upper
    assert value(-one, Fraction(2)) > 2 * value(zero, Fraction(2)) * arb("0.8")


def _threshold_upper(epsilon: Fraction) -> arb:
    """δ(ε) of N(0)/4 + N(2)/2 + N(4)/4 against N(0), from above: no threshold t does better than sup_t.

    The ratio of the densities increases, so the best set is a half-line; on a cell of thresholds
    P(t > a) − e^ε Q(t > b) bounds all of them.
    """
    law = {Fraction(0): Fraction(1, 4), Fraction(2): Fraction(1, 2), Fraction(4): Fraction(1, 4)}
    base = {Fraction(0): Fraction(1)}
    with working(PREC):
        best, alpha = arb(0), ball(epsilon).exp()
        for j in range(-3000, 6000):
            low, high = j / 1000, (j + 1) / 1000
            first, second = _mass(law, Fraction(1), low, math.inf), _mass(base, Fraction(1), high, math.inf)
            best = best.max(first - alpha * second)
        return best


def test_composing_each_direction_is_beaten_without_replacement() -> None:
    """Two steps, the second one's gradients chosen after the first output: the changed record changes sides.

    Upper bounds of both H(M²‖N²) and H(N²‖M²) lie below a lower bound of the adaptive choice, by sums over
    cells of the first output t: δ of the second step falls with ε − s(t).
    """
    sigma, q, epsilon = Fraction(1), Fraction(1, 4), Fraction(1, 4)
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma, sensitivity=2), q)
    with working(PREC):
        adaptive = _two_steps(pair, q, epsilon, "remove", ("remove", "add"), "lower")
        for direction in ("remove", "add"):
            assert _two_steps(pair, q, epsilon, direction, (direction,), "upper") < adaptive


def _two_steps(
    pair: pv.PoissonSubsampled,
    q: Fraction,
    epsilon: Fraction,
    direction: str,
    second: tuple[str, ...],
    bound: str,
) -> arb:
    mixture, base = {Fraction(0): 1 - q, Fraction(2): q}, {Fraction(0): Fraction(1)}
    first = mixture if direction == "remove" else base
    sign = 1 if direction == "remove" else -1
    total, count = arb(0), 480
    points = [-math.inf, *(-5 + 12 * j / count for j in range(count + 1)), math.inf]
    for a, b in itertools.pairwise(points):
        # the loss increases with t for M‖N, decreases for N‖M; δ of the second step increases with it
        top, bottom = (b, a) if sign == 1 else (a, b)
        end = top if bound == "upper" else bottom
        mass = _mass(first, Fraction(1), a, b)
        if math.isinf(end):
            total += mass if bound == "upper" and end > 0 else arb(0)
            if bound == "upper" and end < 0:  # N‖M at t → −∞: the loss ends at −log(1 − q)
                total += mass
            continue
        odds = 1 - ball(q) + ball(q) * (2 * ball(Fraction(end)) - 2).exp()
        rest = epsilon - sign * _rational(odds.log(), up=(bound == "lower") == (sign == -1))
        total += mass * max(_profile(pair, rest, way) for way in second)
    return total


def _rational(value: arb, *, up: bool) -> Fraction:
    """A short rational beyond the ball, on the side asked for."""
    scaled = (
        math.ceil(float(value.upper()) * 2**20) + 1 if up else math.floor(float(value.lower()) * 2**20) - 1
    )
    return Fraction(scaled, 2**20)


def _profile(pair: pv.PoissonSubsampled, epsilon: Fraction, direction: str) -> arb:
    """δ of one step."""
    from pldverify.reference.laws.composed_loss import product

    law = product(pv.Composition.of((pair, 1)), direction).factors[0][0]  # type: ignore[arg-type]
    first, second = law.tails(epsilon)
    return first - ball(epsilon).exp() * second


@pytest.mark.parametrize("moves", [("1/2", "1/2"), ("2", "1/10"), ("3", "2"), ("1", "1/2", "1/3", "1/4")])
@pytest.mark.parametrize("share", ["0", "0.1", "0.5", "0.9", "0.999"])
def test_many_coordinates_of_laplace_noise_are_dominated_by_one(moves: tuple[str, ...], share: str) -> None:
    """Moved by their L1 norm; moved by the largest of them it does not."""
    whole = sum((Fraction(move) for move in moves), Fraction(0))
    epsilon = Fraction(share) * whole
    many = pv.delta(
        sum((1 * pv.Laplace(1, move) for move in moves[1:]), 1 * pv.Laplace(1, moves[0])), epsilon=epsilon
    )
    one, largest = (
        pv.delta(pv.Laplace(1, move), epsilon=epsilon) for move in (whole, max(map(Fraction, moves)))
    )
    assert largest.upper < many.lower <= many.upper < one.lower
