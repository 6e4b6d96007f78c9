"""Laplace compositions in closed form, against densities, other engines, print and dp-accounting."""

import json
from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial
from pathlib import Path
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import lower, upper, working
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.engines.closed import residues as module
from pldverify.reference.engines.closed.residues import Parameters, Residues
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.closed_forms import plan_residues
from tests.oracle.closed_forms import context, fraction, holds, real

PUBLISHED = json.loads((Path(__file__).parents[4] / "data/published_values.json").read_text())


def law(composition: pv.Composition | pv.Laplace) -> ComposedLoss:
    return product(as_composition(composition), "remove")


def engine(
    composition: pv.Composition | pv.Laplace, quantity: Quantity = "delta", digits: int = 30
) -> Residues:
    parameters = plan_residues(law(composition), quantity, Fraction(1), digits=digits).build().parameters
    assert isinstance(parameters, Parameters)
    return Residues(law(composition), quantity, parameters)


def contains(value: arb, truth: Any, digits: int = 40) -> bool:
    """Whether the ball holds a number that is good to ``digits`` digits."""
    slack = abs(fraction(truth)) / 10**digits
    return bool(lower(value) - slack <= fraction(truth) <= upper(value) + slack)


def by_densities(mp: Any, losses: list[Any], integrand: Callable[[Any, Any], Any], eps: Any) -> Any:
    """E[integrand(S − ε); S > ε] by cases: every loss is its upper atom, its lower atom or its density.

    Under the density e^{−c/2} e^{s/2}/4 on (−c, c) the loss is e^{s/2} times a uniform measure, so a sum of
    them has e^{y/2} times a spline, an alternating sum of powers; integrated by mpmath piece by piece.
    """

    def case(rest: list[Any], shift: Any, weight: Any, smooth: list[Any]) -> Any:
        if rest:
            c, *others = rest
            up = case(others, shift + c, weight / 2, smooth)
            down = case(others, shift - c, weight * mp.exp(-c) / 2, smooth)
            return up + down + case(others, shift, weight * mp.exp(-c / 2) / 4, [*smooth, c])
        if not smooth:
            return weight * integrand(shift, eps) if shift >= eps else mp.mpf(0)
        knots = [(mp.mpf(0), 1)]
        for c in smooth:
            knots = [(y + d * c, sign * d * -1) for y, sign in knots for d in (-1, 1)]
        n = len(smooth)

        def density(y: Any) -> Any:
            spline = mp.fsum(sign * (y - knot) ** (n - 1) for knot, sign in knots if knot < y)
            return spline / factorial(n - 1) * mp.exp(y / 2)

        low = max(eps - shift, min(y for y, _ in knots))
        cuts = sorted({low, *(y for y, _ in knots if y > low)})
        if len(cuts) < 2:
            return mp.mpf(0)
        return weight * mp.quad(lambda y: integrand(shift + y, eps) * density(y), cuts)

    return case(losses, mp.mpf(0), mp.mpf(1), [])


COMPOSITIONS = [
    (["1"], 1 * pv.Laplace(1)),
    (["0.5", "0.5"], 2 * pv.Laplace(2)),
    (["2", "2", "2"], 3 * pv.Laplace("0.5")),
    (["1", "0.25", "0.25"], pv.Laplace(1) + 2 * pv.Laplace(4)),
]


@pytest.mark.sample(7)
@pytest.mark.parametrize("share", ["-0.9", "-0.3", "0", "0.1", "1/3", "0.99"])
@pytest.mark.parametrize(("losses", "composition"), COMPOSITIONS)
def test_few_steps_by_their_densities(losses: list[str], composition: pv.Composition, share: str) -> None:
    mp = context(45)
    total = sum(map(Fraction, losses))
    epsilon = Fraction(share) * total
    values = [real(mp, c) for c in losses]
    eps = real(mp, epsilon)
    delta = by_densities(mp, values, lambda s, e: 1 - mp.exp(e - s), eps)
    tail = by_densities(mp, values, lambda s, e: mp.mpf(1), eps)
    assert contains(engine(composition).value(epsilon), delta, 38)
    assert contains(engine(composition, "tail").value(epsilon), tail, 38)


def test_six_steps_by_their_densities() -> None:
    """As before, with equal losses taken together."""
    mp = context(60)
    c, k, eps = mp.mpf(1) / 2, 6, mp.mpf("1.3")
    total = mp.mpf(0)
    for a in range(k + 1):
        for b in range(k + 1 - a):
            m, shift = k - a - b, (a - b) * c
            weight = comb(k, a) * comb(k - a, b) * mp.mpf(2) ** -k * mp.exp(-b * c)
            if not m:
                total += weight * max(mp.mpf(0), 1 - mp.exp(eps - shift))
                continue
            weight *= (mp.exp(-c / 2) / 2) ** m
            knots = [(-m + 2 * i) * c for i in range(m + 1)]
            low = max(eps - shift, knots[0])

            def density(y: Any, m: int = m, knots: list[Any] = knots) -> Any:
                terms = ((-1) ** i * comb(m, i) * (y - x) ** (m - 1) for i, x in enumerate(knots) if x < y)
                return mp.fsum(terms) / factorial(m - 1) * mp.exp(y / 2)

            cuts = sorted({low, *(x for x in knots if x > low)})
            if len(cuts) > 1:
                total += weight * mp.quad(
                    lambda y, s=shift, f=density: (1 - mp.exp(eps - s - y)) * f(y), cuts, maxdegree=6
                )
    assert contains(engine(6 * pv.Laplace(2)).value(Fraction("1.3")), total, 38)


@pytest.mark.parametrize("quantity", ["delta", "tail"])
@pytest.mark.parametrize("epsilon", ["0", "1/3", "-1/3", "1", "-1"])
def test_one_step_is_a_threshold(quantity: str, epsilon: str) -> None:
    first, second = (
        settle(law(1 * pv.Laplace("0.7")), quantity, Fraction(epsilon), 40, names=(name,)).enclosure  # type: ignore[arg-type]
        for name in ("threshold", "residues")
    )
    assert first.overlaps(second)
    assert min(first.digits, second.digits) >= 40


@pytest.mark.parametrize(
    ("composition", "epsilon", "other", "digits"),
    [
        (2 * pv.Laplace(1), "0.5", "grid", 6),
        (3 * pv.Laplace(1) + 2 * pv.Laplace("0.4"), "2", "grid", 6),
        (10 * pv.Laplace(3), "0.9", "grid", 6),
        (100 * pv.Laplace(5), "4", "contour", 4),
        (400 * pv.Laplace(10), "4", "contour", 6),
        (60 * pv.Laplace(4) + 200 * pv.Laplace(9), "5", "contour", 6),
    ],
)
def test_engines_overlap(composition: pv.Composition, epsilon: str, other: str, digits: int) -> None:
    second = pv.delta(composition, epsilon=epsilon, engine=other, digits=digits)
    first = pv.delta(composition, epsilon=epsilon, engine="residues")
    assert first.digits >= 30
    assert second.digits >= digits
    assert first.overlaps(second)


@pytest.mark.parametrize("epsilon", ["-1.1", "0.3", "4"])
def test_the_tail_is_what_the_slope_of_delta_says(epsilon: str) -> None:
    """δ' = −e^ε Q(S > ε), so P(S > ε) = δ − δ'; ε is no atom."""
    steps, point, h = 60 * pv.Laplace(3) + 9 * pv.Laplace(7), Fraction(epsilon), Fraction(1, 10**20)
    delta, tail = engine(steps, digits=60), engine(steps, "tail", digits=60)
    low, here, high = (delta.value(point + d) for d in (-h, Fraction(0), h))
    with working(300):
        slope = (high - low) * 10**20 / 2
        gap = here - slope - tail.value(point)
    assert abs(float(gap.mid())) < 1e-36


def test_atoms_of_the_tail_belong_to_it() -> None:
    # S = 3 only where all three are at their upper atom: probability 1/8
    three = engine(3 * pv.Laplace(1), "tail")
    assert contains(three.value(Fraction(3)), context(40).mpf(1) / 8)
    assert three.value(Fraction(3) + Fraction(1, 10**60)).is_zero()
    # the atom at 1 has two atoms up and one down: 3/4 · e^{−1}/2; a step of 1e-40 jumps over it
    mp = context(60)
    jump = three.value(Fraction(1)) - three.value(1 + Fraction(1, 10**40))
    assert contains(jump, 3 * mp.exp(-1) / 8, 30)
    assert three.value(Fraction(-3)) == 1 and three.value(Fraction(-7)) == 1


def test_delta_is_continuous_at_an_atom() -> None:
    three = engine(3 * pv.Laplace(1), digits=60)
    here, after = (three.value(1 + step) for step in (Fraction(0), Fraction(1, 10**50)))
    assert abs(float((here - after).mid())) < 1e-49
    assert not here.overlaps(after)


@pytest.mark.parametrize(
    "composition", [2 * pv.Laplace(1), 100 * pv.Laplace(5), pv.Laplace(1) + pv.Laplace(2)]
)
def test_at_the_largest_loss_delta_is_zero_and_its_tail_is_an_atom(composition: pv.Composition) -> None:
    found = engine(composition)
    assert found.value(found.top) == 0
    tail = engine(composition, "tail")
    assert lower(tail.value(tail.top)) > 0 and tail.value(tail.top + 1) == 0


def test_close_to_the_largest_loss_delta_is_tiny() -> None:
    # only the atom at 500 · 2 and the losses next to it: 2^−500 (1 − e^{−h}) + O(h²)
    near = 1000 - Fraction(1, 10**300)
    value = pv.delta(500 * pv.Laplace("0.5"), epsilon=near)
    assert value.digits >= 30 and value.engine == "residues"
    expected = Fraction(1, 2**500) / 10**300
    assert value.lower < expected * (1 + Fraction(1, 10**200)) and value.upper > expected
    assert value.upper / expected < 1 + Fraction(1, 10**30)


@pytest.mark.parametrize("digits", [1, 30, 300])
@pytest.mark.parametrize("k", [2, 30, 300])
def test_as_many_digits_as_asked(k: int, digits: int) -> None:
    value = pv.delta(k * pv.Laplace(10), epsilon="1/7", digits=digits, engine="residues")
    assert value.engine == "residues" and value.digits >= digits


def test_below_zero_the_reverse_direction_agrees_with_the_formula() -> None:
    truth = engine(5 * pv.Laplace(1)).value(Fraction(-2))
    value = pv.delta(5 * pv.Laplace(1), epsilon=-2)
    assert lower(truth) <= value.upper and value.lower <= upper(truth)
    assert value.digits >= 30


def test_published_noise_of_twenty_queries() -> None:
    (row,) = (r for r in PUBLISHED if r["mechanism"] == "get_smallest_laplace_noise")
    queries, noise = row["params"]["num_queries"], Fraction(str(row["value"]))
    assert float(row["tolerance"]) == 0.1
    low, high = (
        pv.delta(queries * pv.Laplace(noise + step), epsilon=row["params"]["epsilon"], engine="residues")
        for step in (Fraction(-1, 10), Fraction(1, 10))
    )
    assert low.lower > Fraction(str(row["params"]["delta"])) > high.upper


@pytest.mark.parametrize(("b", "k", "epsilon"), [(1, 2, 0.5), (2, 10, 2.0), (5, 40, 3.0), (1, 5, 4.9)])
def test_dp_accounting_bounds_it_on_both_sides(b: int, k: int, epsilon: float) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    truth = pv.delta(k * pv.Laplace(b), epsilon=epsilon, engine="residues")
    pessimistic, optimistic = (
        pld.from_laplace_mechanism(b, pessimistic_estimate=way, value_discretization_interval=1e-3)
        .self_compose(k)
        .get_delta_for_epsilon(epsilon)
        for way in (True, False)
    )
    assert float(truth.lower) < pessimistic * (1 + 1e-9) and optimistic * (1 - 1e-9) < float(truth.upper)
    assert pessimistic / optimistic < 1.1


def test_what_it_does_not_take() -> None:
    with pytest.raises(NotSupported, match="Laplace"):
        plan_residues(law(2 * pv.Laplace(1) + 3 * pv.Gaussian(1)), "delta", Fraction(1), digits=5)
    with pytest.raises(NoConvergence, match="1001 losses"):
        plan_residues(law(1001 * pv.Laplace(1)), "delta", Fraction(1), digits=5)
    many = sum((30 * pv.Laplace(b) for b in range(2, 5)), 30 * pv.Laplace(1))
    with pytest.raises(NoConvergence, match="terms"):
        plan_residues(law(many), "delta", Fraction(1), digits=5)


def test_planted_bugs_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sign of the power series, a subset too few, an atom left out: each leaves the truth outside."""
    mp, epsilon = context(45), Fraction(1, 10)
    truth = by_densities(mp, [mp.mpf(2)] * 3, lambda s, e: 1 - mp.exp(e - s), real(mp, epsilon))
    step = 3 * pv.Laplace("0.5")
    assert holds(pv.delta(step, epsilon=epsilon, engine="residues"), truth, 38)
    series, subsets = module._over_minus, module._subsets
    with monkeypatch.context() as patch:
        patch.setattr(module, "_over_minus", lambda a, n: -series(a, n))
        with pytest.raises(OracleDisagreement):
            engine(step).value(epsilon)
    with monkeypatch.context() as patch:
        patch.setattr(
            module, "_subsets", lambda losses: {t: w - (t[0] == 1) for t, w in subsets(losses).items()}
        )
        assert not contains(engine(step).value(epsilon), truth, 38)
    strict = engine(step, "tail")
    strict.terms = {(j, s - Fraction(1, 10**50)): ways for (j, s), ways in strict.terms.items()}
    tail = by_densities(mp, [mp.mpf(2)] * 3, lambda s, e: mp.mpf(1), mp.mpf(2))
    assert not contains(strict.value(Fraction(2)), tail, 20)
    assert contains(engine(step, "tail").value(Fraction(2)), tail, 38)
