"""Hidden batches: the bracket of the true ε and δ, what decides by it, and what is refused."""

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls.memory import forget
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.reference.quantities import both_sides, questions
from pldverify.reference.quantities.bracket import narrowing
from pldverify.reference.search import halting
from tests.oracle.closed_forms import context, real

SHUFFLED = pv.ShuffledBatches(pv.Gaussian(sigma=1), batches=100)
QUERY = pv.Query(SHUFFLED, delta="1e-6")


def close(value: object, expected: str, digits: int) -> bool:
    return abs(Fraction(value) - Fraction(expected)) < Fraction(1, 10**digits)  # type: ignore[call-overload]


def test_the_bracket_that_was_computed_independently() -> None:
    """The largest sum alone tells 4.68091; the best event hardly more."""
    found = pv.bracket(QUERY, seconds=60)
    assert Fraction("4.68091") < found.lower < Fraction("4.683") and close(found.upper, "4.88655", 5)


def test_a_demand_has_the_same_answer_after_another_one() -> None:
    alone, after = narrowing(QUERY), narrowing(QUERY)
    after.until(lambda found: False, 5.0)
    above_one = [each.until(lambda found: found.lower > 1, 5.0) for each in (alone, after)]
    assert above_one[0] == above_one[1] and above_one[0].lower > 1


def test_an_attack_that_was_cut_short_is_begun_again() -> None:
    one = narrowing(QUERY)
    for _ in range(20):
        assert one.until(lambda found: False, -1.0).lower == 0
    assert close(one.until(lambda found: found.lower > Fraction("4.68"), 60).lower, "4.68091", 2)


def test_the_account_of_poisson_batches_is_far_below() -> None:
    poisson = pv.epsilon("100 * poisson(gaussian(sigma=1), q=0.01)", delta="1e-6", digits=6)
    assert close(poisson.upper, "0.95422", 5)
    finding = pv.check(pv.Accountant.of(lambda query: 0.95422, direction="upper", name="poisson"), QUERY)
    assert (finding.verdict, finding.severity) == ("UNSOUND", "material")
    assert None not in finding.proved.ends


@pytest.mark.parametrize(
    ("epsilon", "relation", "verdict"),
    [
        ("4.88656", "<=", "CERTIFIED"),
        ("4.88", "<=", "UNDECIDED"),
        ("4.6809", "<=", "REFUTED"),
        ("4.6809", ">=", "CERTIFIED"),
        ("4.7", ">=", "UNDECIDED"),
        ("4.88656", ">=", "REFUTED"),
        ("4.7", "=", "UNDECIDED"),
    ],
)
def test_a_claim_is_decided_outside_of_the_bracket_alone(epsilon: str, relation: str, verdict: str) -> None:
    found = pv.certify(QUERY, epsilon=epsilon, relation=relation)  # type: ignore[arg-type]
    assert found.verdict == verdict
    if verdict == "UNDECIDED":
        assert found.cause == "TOO WIDE" and "only a bracket is known" in found.reason


@pytest.mark.parametrize("asked", [{"delta": "1e-6"}, {"delta": ["1e-6"]}])
def test_no_digits_are_given_but_a_bracket(asked: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "bracket", partial(pv.bracket, seconds=60))  # whatever the machine
    with pytest.raises(NoConvergence, match="only a bracket is known") as caught:
        pv.epsilon(SHUFFLED, **asked)  # type: ignore[call-overload]
    assert caught.value.bracket == pv.bracket(QUERY, seconds=60)
    with pytest.raises(NoConvergence, match="only a bracket is known"):
        pv.delta(SHUFFLED, epsilon=1)


def test_what_has_no_bracket_is_refused() -> None:
    for ask in (
        lambda: pv.rdp(SHUFFLED, order=2),
        lambda: pv.tail(SHUFFLED, epsilon=1),
        lambda: pv.trade_off(SHUFFLED, alpha="0.1"),
        lambda: pv.derive(SHUFFLED),
    ):
        with pytest.raises(NotSupported):
            ask()


def test_a_claim_for_add_or_remove_is_not_judged_by_zero_out() -> None:
    with pytest.raises(InvalidInput, match="adjacency must be zero-out or replace-one"):
        pv.Query(SHUFFLED, delta="1e-6", adjacency="add-or-remove")


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "expression",
    [
        "10 * shuffled(gaussian(sigma=1), batches=100)",
        "3 * shuffled(gaussian(sigma=2), batches=10, persistent=True)",
        "shuffled(gaussian(2), batches=10) + laplace(3)",
        "2 * balls_and_bins(gaussian(sigma=0.5), batches=20)",
        "shuffled(gaussian(sqrt(2)), batches=10)",
    ],
)
@pytest.mark.parametrize("asked", [{"delta": "1e-5"}, {"epsilon": "1.5"}, {"epsilon": "-0.5"}])
def test_a_bracket_is_proved_again(expression: str, asked: dict[str, str]) -> None:
    found = pv.bracket(expression, seconds=60, **asked)  # type: ignore[arg-type]
    assert 0 < found.lower < found.upper
    assert pv.prove_again(found) == found


ZCDP = pv.ZCDP("0.1")


@pytest.mark.slow
def test_zcdp_beside_it_has_gaussian_noise_below() -> None:
    found, sure, alone, noise = (
        pv.bracket(whole, delta="1e-6", seconds=60)
        for whole in (SHUFFLED + ZCDP, pv.Gaussian(1) + ZCDP, SHUFFLED, pv.Gaussian(1) + pv.GDP("sqrt(0.2)"))
    )  # one batch of all records dominates a hundred
    assert alone.lower < found.lower <= noise.upper and found.upper == sure.upper


@pytest.mark.slow
def test_an_order_that_is_kept_is_one_epoch_with_less_noise() -> None:
    kept = pv.bracket(4 * pv.ShuffledBatches(pv.Gaussian(4), 50, persistent=True), delta="1e-5", seconds=60)
    once = pv.bracket(pv.ShuffledBatches(pv.Gaussian(2), 50), delta="1e-5", seconds=60)
    anew = pv.bracket(4 * pv.ShuffledBatches(pv.Gaussian(4), 50), delta="1e-5", seconds=60)
    assert kept.lower == once.lower and anew.lower < kept.lower
    assert close(kept.upper, str(once.upper), 5) and close(kept.upper, str(anew.upper), 5)


@pytest.mark.parametrize(("epochs", "x"), [(1, "-4.74"), (10, "0.5")])
def test_at_little_noise_the_largest_sum_tells_all(epochs: int, x: str) -> None:
    """Chances below e^-700 are 0 in floats: nothing was proved from below at σ < 0.02.

    Here by one event: in every epoch some sum exceeds 2 − σx. The record's does so under P, or one of all T
    does under Q, at most with the sum of their chances.
    """
    mp = context(40)
    step, place = 1 / mp.mpf("0.015"), mp.mpf(x)
    q = mp.ncdf(place - step) + 99 * mp.ncdf(place - 2 * step)
    least = mp.log(mp.ncdf(place) ** epochs - mp.mpf("1e-6")) - epochs * mp.log(q)
    found = pv.bracket(
        epochs * pv.ShuffledBatches(pv.Gaussian("0.015"), batches=100), delta="1e-6", seconds=5
    )
    assert real(mp, found.lower) > least * mp.mpf("0.99999") and found.upper < found.lower * Fraction("1.06")


def test_near_questions_share_the_events_of_an_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer epochs by one had all events searched for, and their chances proved, anew."""
    asked: list[float] = []
    real = both_sides.Sums.cells
    monkeypatch.setattr(both_sides.Sums, "cells", lambda *args: asked.append(args[2]) or real(*args))
    forget()
    for epochs in (45, 44, 40):
        query = pv.Query(epochs * pv.ShuffledBatches(pv.Gaussian("0.7"), batches=24), delta="1e-5")
        assert narrowing(query).until(lambda found: found.lower > 0, 30).lower > 0
    assert asked == [1e-7]


SIX = (
    "3 * noisy_max(b=4) + 2 * above_threshold(b=4, query_b=8) + 3 * permute_and_flip(epsilon=0.5) + 40 * "
    "gnmax(sigma=20) + 2 * gaussian_above_threshold(sigma=5, query_sigma=8, queries=50) + exponential(1)"
)


def test_without_time_one_set_of_neighbours_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is searched for, and yet there are two ends."""
    looks: list[Any] = []
    real = both_sides._best
    monkeypatch.setattr(halting._Search, "climb", lambda _: pytest.fail("a search without time"))

    def best(others: Any, narrow: Any, seconds: float) -> Any:
        return real(others, lambda query: looks.append(query) or narrow(query), seconds)

    monkeypatch.setattr(both_sides, "_best", best)
    halting._search.cache_clear()
    found = pv.bracket(SIX, delta="1e-5", seconds="1e-9")
    assert len(looks) == 1
    assert 3 < found.lower < found.upper < 6


def test_several_runs_beside_other_choices_have_two_ends() -> None:
    """Whose divergences are not known."""
    found = pv.bracket(
        "exponential(1) + repeat_and_select(gaussian(3), mean=5, shape=1)", delta="1e-5", digits=2
    )
    assert 1 < found.lower < found.upper < 4
