"""Brackets: they contain the truth, they are narrow where that is cheap, and they never give up."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls.clock import spend
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference import choice
from pldverify.reference.engines.conclude import conclude, look
from pldverify.reference.engines.derived import rough as statements
from pldverify.reference.engines.derived.zcdp import AtMost
from pldverify.reference.laws.composed_loss import ComposedLoss, product, with_gaussians
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.quantities import bracket as module
from pldverify.reference.quantities.bracket import Narrowing, bracket
from pldverify.reference.quantities.rough import rough, rough_inverse, rough_points

STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
QUESTIONS: list[pv.Query] = [
    pv.Query(1000 * STEP, delta="1e-6"),
    pv.Query(1000 * STEP, epsilon="1", adjacency="add"),
    pv.Query(1000 * STEP, epsilon="-0.5"),
    pv.Query(3 * pv.Laplace(1) + pv.RandomizedResponse("0.7"), delta="1e-3"),
    pv.Query(2 * pv.ApproximateDP(1, "0.1"), delta="0.2"),
    pv.Query(2 * pv.ApproximateDP(1, "0.1"), delta="0.1"),
    pv.Query(2 * pv.ApproximateDP(1, "0.1"), epsilon="5"),
    pv.Query(6 * pv.FinitePair(["1/2", "1/3", "1/6"], ["1/5", "2/5", "2/5"]), delta="1e-2"),
    pv.Query(5 * pv.DiscreteGaussian(3), delta="1e-5", adjacency="replace-one"),
    pv.Query(4 * pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1"), delta="1e-4"),
    pv.Query(pv.Gaussian(1), delta=0),
    pv.Query(pv.Gaussian(1), delta=1),
    pv.Query(pv.PureDP(0), epsilon=0),
]


@pytest.mark.parametrize("query", QUESTIONS, ids=str)
def test_every_stage_contains_what_the_engines_enclose(query: pv.Query) -> None:
    if query.epsilon is not None:
        truth = pv.delta(query.composition, epsilon=query.epsilon, adjacency=query.adjacency, digits=12)
    else:
        truth = pv.epsilon(query.composition, delta=query.delta, adjacency=query.adjacency, digits=12)
    stages: list[Enclosure] = []
    found = Narrowing(query).until(lambda part: bool(stages.append(part)), 200)
    for part in (*stages, found):
        assert part.overlaps(truth) and pv.prove_again(part) == part
    widths = [part.width for part in stages]
    assert widths == sorted(widths, reverse=True)
    assert found.digits >= 6 or truth.lower == math.inf


def test_it_stops_as_soon_as_it_is_enough() -> None:
    stages: list[Enclosure] = []
    first = Narrowing(QUESTIONS[0]).until(lambda part: stages.append(part) is None, 20)
    assert stages == [first] and first.digits == 0


def test_a_later_demand_goes_on_and_says_what_it_says_alone() -> None:
    one = Narrowing(QUESTIONS[0])
    last = one.until(lambda part: part.digits >= 6, 20)
    assert one.until(lambda part: part.digits >= 1, 20) == Narrowing(QUESTIONS[0]).until(
        lambda part: part.digits >= 1, 20
    )
    assert one.until(lambda part: part.digits >= 6, 20) is last


@pytest.mark.parametrize("query", QUESTIONS[:2])
def test_a_demand_without_time_leaves_the_next_one_to_go_on(query: pv.Query) -> None:
    """The time was up between two stages, and nothing was ever proved any more."""
    one = Narrowing(query)
    for _ in range(100):
        assert one.until(lambda _: False, -1.0).digits == 0
    assert len(one._proved) == 1  # a list that grows with every demand has no bound
    assert one.until(lambda part: part.digits >= 2, 60).digits >= 2


@pytest.mark.parametrize("seconds", [1e-3, 1e-2])
def test_what_was_cut_short_is_begun_again(seconds: float) -> None:
    """Some 35 demands with too little time used all stages up."""
    one = Narrowing(pv.Query(1000 * STEP + pv.Laplace(3), delta="1e-6"))
    for _ in range(60):
        one.until(lambda part: part.digits >= 4, seconds)
    assert one.until(lambda part: part.digits >= 4, 60).digits >= 4


def test_without_time_nothing_is_known_and_that_is_said() -> None:
    found = bracket(QUESTIONS[0], seconds="1e-9")
    assert (found.lower, found.upper) == (0, math.inf) and dict(found.provenance)["why not narrower"]
    assert pv.prove_again(found) == found
    found = bracket(QUESTIONS[1], seconds="1e-9")
    assert (found.lower, found.upper) == (0, 1)
    found = bracket(pv.Query(STEP, epsilon="-2"), seconds="1e-9")
    assert found.lower > 0 and found.upper == 1  # δ(ε) ≥ 1 − e^ε


@pytest.mark.parametrize("failure", [NoConvergence("no"), OverflowError("far"), ValueError("domain")])
def test_engines_that_fail_leave_rough_bounds(failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*rest: object, **more: object) -> None:
        raise failure

    for name in ("delta_one_way", "epsilon_one_way"):
        monkeypatch.setattr(module, name, fails)
    for query in QUESTIONS[:2]:
        found = bracket(query)
        assert found.digits == 0 and 0 < found.upper < 50 and dict(found.provenance)["why not narrower"]


def test_no_engine_begins_once_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rough bounds took all of it, and failed; an engine then looked around for a sixth of a second."""
    begun: list[int] = []

    def all_of_it(self: object) -> Iterator[None]:
        while True:
            spend()
        yield

    monkeypatch.setattr(f"{Narrowing.__module__}._Way.rough", all_of_it)
    monkeypatch.setattr(f"{Narrowing.__module__}._Way.engines", lambda self, digits: begun.append(digits))
    assert dict(bracket(QUESTIONS[0], seconds="0.2").provenance)["why not narrower"] and not begun


def test_many_laws_have_one_contour(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as quick as that of groups of them, which tell less, and was asked twice for."""
    looked: list[int] = []
    choose = choice.choose

    def noted(loss: ComposedLoss, *args: Any, **options: Any) -> Any:
        looked.append(len(loss.factors))
        return choose(loss, *args, **options)

    monkeypatch.setattr(choice, "choose", noted)
    steps = [(pv.PoissonSubsampled(pv.Gaussian(Fraction(80 + i, 100)), "0.001"), 20) for i in range(60)]
    query = pv.Query(pv.Composition.of(*steps), delta="1e-6")
    found = Narrowing(query).until(lambda part: part.upper < part.lower * Fraction(11, 10), 10)
    assert found.upper < found.lower * Fraction(11, 10) and looked == [60]


def test_a_composition_is_asked_with_the_words_of_a_query() -> None:
    asked = bracket(1000 * STEP, delta="1e-6", adjacency="add", seconds=60)
    assert asked == bracket(pv.Query(1000 * STEP, delta="1e-6", adjacency="add"), seconds=60)
    assert asked.digits >= 6 > bracket(1000 * STEP, delta="1e-6", digits=1).digits
    assert bracket(STEP, epsilon=1).overlaps(pv.delta(STEP, epsilon=1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bracket(STEP), "exactly one of epsilon and delta"),
        (lambda: bracket(QUESTIONS[0], delta="1e-5"), "must be left out"),
        (lambda: bracket(QUESTIONS[0], seconds=0), "seconds must be > 0"),
        (lambda: bracket(QUESTIONS[0], digits=16), "digits must be an integer from 1 to 15"),
        (lambda: bracket("gaussian", delta="1e-5"), "expression must have"),
        (lambda: bracket(7, delta="1e-5"), "composition must be"),
    ],
)
def test_bad_input(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()


def test_what_has_no_law_is_refused() -> None:
    class Unknown(pv.Gaussian):
        """Nobody knows its law."""

    with pytest.raises(NotSupported, match="no law"):
        bracket(Unknown(1), delta="1e-5")


def test_a_part_of_the_steps_is_a_lower_bound_and_more_steps_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Teeth: with the counts unchecked, δ of more steps passes for a lower bound, and exceeds the truth."""
    loss, more = product(3 * STEP, "remove"), product(300 * STEP, "remove")
    truth = pv.delta(3 * STEP, epsilon="0.3", adjacency="remove")
    forged = statements.Part(loss, Fraction("0.3"), _told(more, "0.3"))
    with pytest.raises(NoConvergence, match="part"):
        conclude(forged)
    monkeypatch.setattr(ComposedLoss, "counts", lambda self: {})
    assert not conclude(forged).overlaps(truth)


def _told(loss: ComposedLoss, epsilon: str) -> Any:
    from pldverify.reference.choice import settle

    return settle(loss, "delta", Fraction(epsilon), 6).statement


@pytest.mark.parametrize(("side", "factor"), [("upper", "1e-3"), ("lower", "1e-3")])
def test_a_wrong_constant_is_seen(side: str, factor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Teeth: Markov's inequality with a constant that is too small excludes the truth."""
    true = Kernel.chernoff
    loss = product(900 * pv.Gaussian(10), "remove")
    for epsilon in ("1", "8"):
        truth = pv.delta(900 * pv.Gaussian(10), epsilon=epsilon, adjacency="remove")
        assert look(rough(loss, "delta", Fraction(epsilon))).overlaps(truth)
    monkeypatch.setattr(
        Kernel, "chernoff", lambda k, lam: true(k, lam) * (float(factor) if k.side == side else 1)
    )
    seen = [
        look(rough(loss, "delta", Fraction(epsilon))).overlaps(
            pv.delta(900 * pv.Gaussian(10), epsilon=epsilon, adjacency="remove", engine="threshold")
        )
        for epsilon in ("1", "8")
    ]
    assert not all(seen)


@pytest.mark.parametrize("target", ["1e-3", "1e-8"])
@pytest.mark.parametrize(
    "mechanism", [30 * STEP, 5 * pv.Laplace(2) + pv.Gaussian(3), 4 * pv.DiscreteGaussian(2)]
)
def test_rough_bounds_of_epsilon_hold_the_truth(mechanism: pv.Composition, target: str) -> None:
    loss = product(mechanism, "remove")
    truth = pv.epsilon(mechanism, delta=target, adjacency="remove", digits=4)
    found = look(rough_inverse(loss, Fraction(target)))
    assert found.overlaps(truth) and found.lower > 0 and found.upper < 3 * truth.upper
    assert len(list(rough_points(loss, Fraction(target)))) >= 3


@pytest.mark.parametrize(
    "composition",
    ["binomial(n=1, p=0.5)", "100 * poisson(gaussian(1), q=0.01) + approximate_dp(1, delta=1e-4)"],
)
def test_an_epsilon_that_is_infinite_is_told_at_once(composition: str) -> None:
    """δ < P(S = ∞), which is 1/2 and 1e-4: the first thing that is proved is all."""
    first = Narrowing(pv.Query(composition, delta="1e-5")).until(lambda found: found.lower > 3, 1.0)
    assert first.lower == first.upper == math.inf


def test_many_steps_that_hardly_ever_see_the_record_have_no_epsilon() -> None:
    """δ(0) ≤ Σ δ_i(0) ≤ k q = 2.2e-21, where no moment tells anything."""
    loss = product(3617 * pv.PoissonSubsampled(pv.Gaussian("0.121"), "6e-25"), "remove")
    found = look(rough_inverse(loss, Fraction(1, 10**20)))
    assert found.lower == 0 and found.upper < Fraction(1, 10**30)


def test_tails_have_rough_bounds_too() -> None:
    loss = product(1000 * STEP, "remove")
    for epsilon in ("-1", "0.1", "2"):
        truth = pv.tail(1000 * STEP, epsilon=epsilon, adjacency="remove", digits=6)
        assert look(rough(loss, "tail", Fraction(epsilon))).overlaps(truth)
    assert look(rough(loss, "tail", Fraction(2))).upper < Fraction(1, 10**3)


ZCDP = pv.ZCDP("2.63")


def test_zcdp_has_upper_bounds_as_the_conversion_has() -> None:
    found = bracket(ZCDP, delta="1e-10")
    bound = pv.zcdp_epsilon("2.63", "1e-10")
    gaussian = pv.epsilon("gaussian(1/sqrt(5.26))", delta="1e-10")  # σ² = 1/2ρ
    assert gaussian.lower * Fraction("0.9999") < found.lower <= gaussian.upper
    assert bound * Fraction("0.999") < found.upper < bound * Fraction("1.0001")
    assert bracket(ZCDP, epsilon=bound).upper < Fraction("1.01e-10")
    assert pv.prove_again(found) == found
    gaussians = pv.epsilon(pv.Gaussian(1) + 3 * pv.Laplace(2), delta="1e-6")
    beside = bracket(pv.ZCDP("0.5") + 3 * pv.Laplace(2), delta="1e-6")  # σ = 1 has ρ = 1/2
    assert gaussians.upper < beside.upper < Fraction("1.2") * Fraction(gaussians.upper)
    assert bracket(ZCDP, delta=0).upper == math.inf


def test_a_forged_statement_about_zcdp_proves_nothing() -> None:
    whole, target = as_composition(ZCDP), Fraction(1, 10**10)
    right = Narrowing(pv.Query(ZCDP, delta=target)).until(lambda found: True, 1).witness
    assert right is not None and isinstance(right.statement, AtMost)
    (part, _) = right.statement.parts
    other = with_gaussians(as_composition(pv.ZCDP(1)), "remove")
    exact = product(as_composition(pv.GDP(2)), "remove")
    for parts in (
        (part,),  # one direction
        (statements.Markov(other, part.at, part.above, None),) * 2,  # another ρ
        (statements.Markov(part.loss, part.at / 2, part.above, None),) * 2,  # where δ is not proved
        (statements.Markov(part.loss, part.at, part.above, None, "tail"),) * 2,
        (_told(exact, "3"),) * 2,  # not an upper bound alone
    ):
        with pytest.raises(NoConvergence, match="zcdp"):
            conclude(AtMost(whole, "add-or-remove", "epsilon", target, parts))
    with pytest.raises(NoConvergence, match="zcdp"):
        conclude(AtMost(whole, "add-or-remove", "delta", part.at / 2, right.statement.parts))


@pytest.mark.parametrize("never", ["84 * randomized_response(1, 3)", pv.FinitePair([1, 0], [0, 1])])
def test_where_no_loss_is_finite(never: object) -> None:
    """The largest finite loss was an IndexError."""
    assert bracket(pv.Query(never, delta="0.1")).lower == math.inf
    assert bracket(pv.Query(never, epsilon=1)).lower == 1


@pytest.mark.parametrize("runs", [pv.ApproximateDP(0, 1), pv.FinitePair([1, 0], [0, 1])])
def test_the_best_of_runs_that_tell_all(runs: object) -> None:
    """The losses that are no numbers were an IndexError."""
    best = pv.RepeatAndSelect(runs, mean=2, shape=1)  # type: ignore[arg-type]
    assert bracket(best, epsilon=1).lower == 1 and bracket(best, delta="0.1").lower == math.inf


def test_a_pair_that_is_not_attained_says_nothing_from_below() -> None:
    """Where no neighbours are known, [0.4753412, 0.4753413] was told of a δ(1) that is below 0.4614."""
    asked = pv.AboveThreshold("0.001", 1)
    found, pair = bracket(asked, epsilon=1), pv.delta(asked, epsilon=1)
    assert found.two_sided and found.lower == 0 and found.upper >= pair.lower
    assert bracket(asked, delta="0.001").lower == 0
    some = bracket("above_threshold(sqrt(2)/1e4, 1)", epsilon=1)  # no fraction: between two
    assert some.lower == 0 < some.upper
    assert bracket(pv.AboveThreshold("0.1", 1), epsilon=1).lower > 0


def test_more_seconds_than_floats_hold() -> None:
    assert pv.bracket(pv.Gaussian(1), delta="1e-5", digits=3, seconds="1e400").digits >= 3
