"""NoConvergence of a quantity carries what was proved of it."""

import copy
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls import clock as watch
from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference import choice
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities import delta as module
from pldverify.reference.quantities import directions, profile

STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
ASK: dict[str, Callable[..., Enclosure]] = {
    "δ": lambda **more: pv.delta(1000 * STEP, epsilon=1, **more),
    "δ below 0": lambda **more: pv.delta(1000 * STEP, epsilon="-0.3", **more),
    "ε": lambda **more: pv.epsilon(1000 * STEP, delta="1e-6", **more),
    "tail": lambda **more: pv.tail(1000 * STEP, epsilon=1, **more),
    "one direction": lambda **more: pv.delta(1000 * STEP, epsilon=1, adjacency="add", **more),
}


def given_up(ask: Callable[[], Enclosure]) -> NoConvergence:
    with pytest.raises(NoConvergence) as caught:
        ask()
    return caught.value


@pytest.mark.parametrize("name", ASK)
def test_where_no_engine_answers_rough_bounds_are_left(name: str) -> None:
    truth = ASK[name](digits=12)
    failure = given_up(lambda: ASK[name](engine="residues"))
    assert failure.bracket is not None and failure.bracket.overlaps(truth)
    assert failure.bracket.digits == 0 and 0 < failure.bracket.upper < 50
    assert pv.prove_again(failure.bracket) == failure.bracket
    for twin in (copy.deepcopy(failure), pickle.loads(pickle.dumps(failure))):
        assert (str(twin), twin.bracket) == (str(failure), failure.bracket)


@pytest.mark.parametrize("name", ["δ", "δ below 0", "tail", "one direction"])
def test_digits_that_were_reached_are_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine falls short once, then nobody answers."""
    truth, settle, turns = ASK[name](digits=12), choice.choose, []

    def once(*rest: object, **more: object) -> object:
        turns.append(None)
        if len(turns) > 1:
            raise NoConvergence("no more")
        return settle(*rest, **{**more, "digits": 4})  # type: ignore[arg-type]

    monkeypatch.setattr(choice, "choose", once)
    monkeypatch.setattr(profile, "COARSE", 1000)
    failure = given_up(lambda: ASK[name](digits=300, **({} if name != "δ" else {"adjacency": "remove"})))
    assert failure.bracket is not None and failure.bracket.overlaps(truth) and len(turns) >= 2
    if name != "tail":
        assert failure.bracket.digits >= 3 or name == "δ below 0"


def test_ends_that_a_search_for_epsilon_proved_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from pldverify.reference.quantities import epsilon as searched

    truth = ASK["ε"](digits=12, adjacency="remove")
    monkeypatch.setattr(searched, "_refined", lambda *rest: None)
    failure = given_up(lambda: ASK["ε"](digits=12, adjacency="remove"))
    found = failure.bracket
    assert found is not None and found.overlaps(truth)
    assert found.lower > Fraction(truth.lower) / 2 and found.upper < 2 * Fraction(truth.upper)


def test_ends_are_kept_where_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search had proved [2.81e-6, 3.08e-6] of a question, and the refusal said [0, 1.04e-4]."""
    from pldverify.reference.quantities import epsilon as searched

    conclude = searched._as_far

    def too_late(*what: Any) -> Enclosure | None:
        watch._clock, watch._sure = (-math.inf, 20.0), 0.0  # the call's own clock takes it back
        return conclude(*what)

    truth = ASK["ε"](digits=12, adjacency="remove")
    monkeypatch.setattr(searched, "_refined", lambda *rest: None)
    monkeypatch.setattr(searched, "_as_far", too_late)
    found = given_up(lambda: ASK["ε"](digits=12, adjacency="remove")).bracket
    assert found is not None and found.overlaps(truth)
    assert found.lower > Fraction(truth.lower) / 2 and found.upper < 2 * Fraction(truth.upper)
    assert watch._clock == (math.inf, math.inf)


def test_without_time_for_rough_bounds_a_probability_is_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directions, "LOOK", -1.0)
    found = given_up(lambda: ASK["δ"](engine="residues")).bracket
    assert found is None or (found.lower, found.upper) == (0, 1)
    assert NoConvergence("why").bracket is None


ONE_SIDED = (
    2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.3")
    + pv.FinitePair(["1/1000", "999/1000"], ["1/2", "1/2"])
    + pv.Gaussian(2)
)
"""Its directions differ much."""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda **more: pv.delta(ONE_SIDED, epsilon=["-1"], **more)[0], id="δ below 0"),
        pytest.param(lambda **more: pv.delta(ONE_SIDED, epsilon=["1"], **more)[0], id="δ"),
        pytest.param(lambda **more: pv.tail(ONE_SIDED, epsilon=["1"], **more)[0], id="tail"),
        pytest.param(lambda **more: pv.epsilon(ONE_SIDED, delta=["0.1"], **more)[0], id="ε"),
        pytest.param(lambda **more: pv.privacy_loss_cdf(ONE_SIDED, epsilon="1", **more), id="cdf"),
        pytest.param(lambda **more: pv.trade_off(ONE_SIDED, alpha=["0.1"], **more)[0], id="trade-off"),
    ],
)
@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_a_refusal_tells_of_what_was_asked(
    turn: int, ask: Callable[..., Enclosure], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of lists, and of the distribution function, told of one direction, or of another quantity."""
    truth, settle, turns = ask(digits=3), choice.choose, []

    def few_then_none(*rest: object, **more: object) -> object:
        turns.append(None)
        if len(turns) > turn:
            raise NoConvergence("no more")
        return settle(*rest, **{**more, "digits": 4})  # type: ignore[arg-type]

    monkeypatch.setattr(choice, "choose", few_then_none)
    found = given_up(lambda: ask(digits=300)).bracket
    assert found is None or found.overlaps(truth)


@pytest.mark.parametrize(
    ("ask", "far", "point", "element"),
    [
        (lambda at: pv.delta(1000 * STEP, epsilon=at, digits=4), 2, 1, "epsilon[1]"),
        (lambda at: pv.delta(1000 * STEP, epsilon=at, digits=4), 2, "-0.1", "epsilon[1]"),
        (lambda at: pv.tail(1000 * STEP, epsilon=at, digits=4), 2, 1, "epsilon[1]"),
        (lambda at: pv.epsilon(1000 * STEP, delta=at, digits=4), "0.01", "1e-6", "delta[1]"),
    ],
    ids=["δ", "δ below 0", "tail", "ε"],
)
def test_a_list_is_refused_with_what_is_proved_of_all_directions(
    ask: Any, far: Any, point: Any, element: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*rest: object, **more: object) -> object:
        raise NoConvergence("no more")

    truth = ask([point])[0]
    monkeypatch.setattr(choice, "choose", none)
    failure = given_up(lambda: ask([far, point])[0])
    found = failure.bracket
    assert found is not None and found.overlaps(truth) and 0 < found.upper < 20
    assert str(failure).startswith(f"{element}: ")  # of several points the least one was asked first


def test_what_another_question_proved_is_no_part_of_an_answer() -> None:
    """It would spoil what is known of the question itself."""
    whole = pv.Composition(((pv.Gaussian(1), 1),))
    way = whole.directions()[0]
    other, asked = (choice.settle(product(whole, way), "delta", Fraction(at), 6).statement for at in (2, 1))
    kept = directions.Told(
        "largest", whole, "add-or-remove", [way], ("delta", Fraction(1)), None, {way: [other, asked]}
    )
    with pytest.raises(NoConvergence) as caught, kept.refusals():
        raise NoConvergence("why")
    assert caught.value.bracket is not None and caught.value.bracket.digits >= 5
    assert caught.value.bracket.overlaps(pv.delta(whole, epsilon=1))


def test_what_takes_too_long_to_prove_again_leaves_rough_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second attempt goes without what the first one could not prove."""
    whole, asked = pv.Composition(((pv.Gaussian(1), 1),)), ("delta", Fraction(1))
    way = whole.directions()[0]

    class Slow(module.Backwards):
        def prove(self) -> Any:
            raise NoConvergence("the time is up")

    slow = Slow(whole, way, Fraction(1), module.rough_one_way(whole, way, Fraction(1)), 64)
    kept = directions.Told(
        "largest",
        whole,
        "add-or-remove",
        [way],
        asked,
        lambda c, d: module.rough_one_way(c, d, Fraction(1)),
        {way: [slow]},
    )
    with pytest.raises(NoConvergence) as caught, kept.refusals():
        raise NoConvergence("why")
    assert caught.value.bracket is not None and caught.value.bracket.upper < 1
