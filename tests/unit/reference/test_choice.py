"""Engine choice: the cheapest that applies and gives the digits."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.clock import spend
from pldverify.errors import InvalidInput, NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference import choice as module
from pldverify.reference.choice import ENGINES, Engine, choose, named, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.plan import Plan


@pytest.mark.parametrize(
    ("composition", "epsilon", "name"),
    [
        (pv.Gaussian(1), "1", "threshold"),
        (10**9 * pv.Gaussian(10**4), "1", "threshold"),
        (pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), "1", "threshold"),
        (20 * pv.RandomizedResponse("0.7"), "1", "atoms"),
        (3 * pv.PureDP("0.5") + 5 * pv.DiscreteLaplace(3), "0.5", "atoms"),
        (10**6 * pv.RandomizedResponse("0.501"), "4", "lattice"),
        (5 * pv.DiscreteGaussian(3), "1", "lattice"),
        (10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), "6.9", "contour"),
        (5 * pv.Gaussian(2) + 2 * pv.Laplace(1), "3", "contour"),
        (2 * pv.Laplace(1), "0.5", "residues"),
        (pv.Laplace(1) + pv.RandomizedResponse("0.7"), "0.5", "parts"),
        (2 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), "0.5", "parts"),
        (3 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), "0.5", "grid"),
    ],
)
def test_which_engine_answers(composition: pv.Composition, epsilon: str, name: str) -> None:
    assert pv.delta(composition, epsilon=epsilon, adjacency="remove", digits=5).engine == name


def test_beyond_the_support_no_engine_is_needed() -> None:
    assert pv.delta(2 * pv.Laplace(1), epsilon=2).engine == "support"


def test_an_engine_can_be_insisted_on() -> None:
    assert named("grid") == ("grid",)
    assert tuple(named(None)) == tuple(ENGINES)
    with pytest.raises(InvalidInput, match="engine"):
        named("guess")


def test_every_question_can_insist() -> None:
    steps = 300 * pv.Laplace(10)
    for ask, argument in ((pv.delta, {"epsilon": 2}), (pv.epsilon, {"delta": "0.01"})):
        contour, residues = (
            ask(steps, digits=3, engine=name, **argument)  # type: ignore[operator]
            for name in ("contour", "residues")
        )
        assert (contour.engine, residues.engine) == ("contour", "residues")
        assert contour.overlaps(residues)
    tail = pv.tail(2000 * pv.Laplace(10), epsilon=12, digits=3, engine="contour slope")
    assert tail.engine == "contour slope"


def test_all_reasons_are_told_when_none_is_left() -> None:
    law = product(2 * pv.Laplace(1), "remove")
    with pytest.raises(NoConvergence, match=r"threshold.*lattice"):
        choose(law, "delta", Fraction(1), digits=5, names=("threshold", "lattice"))


class Stub:
    """An engine of a stated price; ``failure`` is raised when it is asked, or when it is set up."""

    limit = math.inf

    def __init__(
        self, name: str, seconds: float, asked: object = None, set_up: object = None, work: float = 0.0
    ) -> None:
        self.engine, self.seconds, self.asked, self.set_up, self.work = name, seconds, asked, set_up, work
        self.plans = self.built = 0

    def plan(self, *_: object, **__: object) -> Plan:
        self.plans += 1
        if isinstance(self.asked, Exception):
            raise self.asked
        return Plan(self.seconds, self.build)

    def build(self) -> Work:
        self.built += 1
        if isinstance(self.set_up, Exception):
            raise self.set_up
        spend(self.work)
        return Work(self.engine, ComposedLoss(()), "delta", None)


def choice(
    monkeypatch: pytest.MonkeyPatch, *stubs: tuple[Stub, float, float], digits: int = 5
) -> tuple[str, dict[str, str]]:
    engines = {stub.engine: Engine(stub.plan, least, limit) for stub, least, limit in stubs}
    monkeypatch.setattr(module, "ENGINES", engines)
    monkeypatch.setattr(module, "evaluator", lambda work: None)
    law = product(as_composition(pv.Gaussian(1)), "remove")
    work, why = choose(law, "delta", Fraction(1), digits=digits, names=tuple(engines))
    return work.name, why


def test_the_cheapest_plan_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    dear, cheap = Stub("dear", 7.0), Stub("cheap", 0.3)
    name, why = choice(monkeypatch, (dear, 0, math.inf), (cheap, 0.1, math.inf))
    assert name == "cheap"
    assert why == {"why cheap": "predicted 0.3 s", "why not dear": "predicted 7 s"}


def test_a_plan_may_say_more_digits_than_its_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, winner in ((7.0, "short"), (6.3, "long")):
        short, long = Stub("short", 0.1), Stub("long", 3.0)
        law = product(as_composition(pv.Gaussian(1)), "remove")
        engines = {
            "short": Engine(
                lambda *_, given=given, short=short, **__: Plan(0.1, short.build, given), 0, 6, planned=12
            ),
            "long": Engine(long.plan, 0),
        }
        monkeypatch.setattr(module, "ENGINES", engines)
        monkeypatch.setattr(module, "evaluator", lambda work: None)
        assert choose(law, "delta", Fraction(1), digits=7, names=tuple(engines))[0].name == winner
        assert choose(law, "delta", Fraction(1), digits=13, names=tuple(engines))[0].name == "long"


def test_digits_come_before_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = Stub("short", 0.1), Stub("long", 3.0)
    assert choice(monkeypatch, (short, 0, 6), (long, 0, math.inf), digits=6)[0] == "short"
    name, why = choice(monkeypatch, (short, 0, 6), (long, 0, math.inf), digits=7)
    assert name == "long"
    assert why["why not short"] == "6 digits at most, at least 0 s"


def test_nobody_is_asked_in_vain_or_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap, slow = Stub("cheap", 0.3), Stub("slow", 0.5)
    assert choice(monkeypatch, (cheap, 0, math.inf), (slow, 0.4, math.inf))[0] == "cheap"
    assert (cheap.plans, slow.plans) == (1, 0)


def test_many_laws_make_a_look_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of 27 laws were set apart, for four seconds, to learn that the contour takes a tenth of that."""
    cheap, slow = Stub("cheap", 1.0), Stub("slow", 0.1)
    engines = {"cheap": Engine(cheap.plan, 0), "slow": Engine(slow.plan, 0.2, a_law=0.06)}
    monkeypatch.setattr(module, "ENGINES", engines)
    monkeypatch.setattr(module, "evaluator", lambda work: None)
    for count, plans in ((27, 0), (10, 1)):
        steps = [(pv.Laplace(1 + i), 1) for i in range(count)]
        law = product(pv.Composition.of(*steps), "remove")
        choose(law, "delta", Fraction(1), digits=5, names=tuple(engines))
        assert slow.plans == plans


@pytest.mark.parametrize(("accuracy", "asked"), [(0.004, 2), (0.006, 1)])
def test_what_is_accurate_enough_settles_a_question(
    monkeypatch: pytest.MonkeyPatch, accuracy: float, asked: int
) -> None:
    """Five digits were proved again and again where six were asked for and four would do."""
    law, looks = product(as_composition(pv.Gaussian(1)), "remove"), list[Enclosure]()

    def poor(statement: Proved, why: Mapping[str, str]) -> Enclosure:
        found = look(statement, why)
        looks.append(found if looks else replace(found, lower=found.lower * Fraction(99, 100)))
        return looks[-1]

    monkeypatch.setattr(module, "look", poor)
    assert settle(law, "delta", Fraction(1), 6, accuracy=accuracy).enclosure is looks[-1]
    assert len(looks) == asked


@pytest.mark.parametrize("reason", [NoConvergence("bad: too far"), NotSupported("bad: too odd")])
@pytest.mark.parametrize("when", ["asked", "set_up"])
def test_who_fails_gives_way_and_says_why(
    monkeypatch: pytest.MonkeyPatch, reason: Exception, when: str
) -> None:
    bad, good = Stub("bad", 0.1, **{when: reason}), Stub("good", 3.0)
    name, why = choice(monkeypatch, (bad, 0, math.inf), (good, 0, math.inf))
    assert name == "good" and bad.plans == 1
    assert why["why not bad"] == str(reason).removeprefix("bad: ")


@pytest.mark.parametrize("when", ["asked", "set_up"])
def test_float_trouble_is_no_crash_and_a_bug_no_refusal(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    for trouble in (OverflowError("math range error"), ZeroDivisionError("by zero"), ValueError("domain")):
        with pytest.raises(NoConvergence, match="range of floats"):
            choice(monkeypatch, (Stub("bad", 0.1, **{when: trouble}), 0, math.inf))
    for trouble in (TypeError("a bug"), OracleDisagreement("a bug")):
        with pytest.raises(type(trouble)):
            choice(monkeypatch, (Stub("bad", 0.1, **{when: trouble}), 0, math.inf))


CELLS = [
    (10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), "6.9"),
    (50 * pv.Laplace(10), "1"),
    (20 * pv.RandomizedResponse("0.7"), "1"),
    (2 * pv.Laplace(1) + 30 * pv.RandomizedResponse("0.7"), "0.5"),
    (300 * pv.PoissonSubsampled(pv.Gaussian("0.5"), "0.001"), "3"),
    (10 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), "2"),
]


@pytest.mark.parametrize(("composition", "epsilon"), CELLS)
def test_more_digits_are_never_predicted_to_cost_less(composition: pv.Composition, epsilon: str) -> None:
    law, told = product(as_composition(composition), "remove"), 0
    for engine in ENGINES.values():
        try:
            prices = [engine.plan(law, "delta", Fraction(epsilon), digits=n).seconds for n in (3, 6, 12)]
        except (NotSupported, NoConvergence):
            continue
        assert prices[0] >= 0 and not any(math.isnan(price) for price in prices)
        assert prices[0] <= 1.5 * prices[1] and prices[1] <= 1.5 * prices[2]
        told += prices[0] > 0
    assert told


def test_a_grid_of_many_laws_is_dear() -> None:
    """16 s each of several, and 30 s predicted for all: the contour, of half a minute, was left."""
    parts = [
        (pv.PoissonSubsampled(pv.Gaussian(Fraction(250 + 3 * i, 1000)), "5.5e-4"), 457) for i in range(132)
    ]
    law = product(pv.Composition.of(*parts), "remove")
    prices = {
        name: ENGINES[name].plan(law, "delta", Fraction(60), digits=6).seconds for name in ("grid", "contour")
    }
    assert prices["contour"] < prices["grid"]


@pytest.mark.parametrize("spent", [3.0, 9.0])
def test_what_takes_far_more_work_than_predicted_waits(monkeypatch: pytest.MonkeyPatch, spent: float) -> None:
    """Ten times the predicted work, and at least two counted seconds, is all that an engine gets at first."""
    slow, other = Stub("slow", 0.5, work=spent), Stub("other", 0.6)
    name, why = choice(monkeypatch, (slow, 0, math.inf), (other, 0, math.inf))
    assert name == ("slow" if spent < 5 else "other")
    if spent > 5:
        assert "far more work than predicted" in why["why not slow"]


def test_what_waits_has_its_turn_once_the_others_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, bad = Stub("slow", 0.5, work=9.0), Stub("bad", 0.6, set_up=NoConvergence("bad: too far"))
    name, why = choice(monkeypatch, (slow, 0, math.inf), (bad, 0, math.inf))
    assert name == "slow" and why["why not bad"] == "too far"
    assert bad.built == 1 and slow.built == 2
    alone, _ = choice(monkeypatch, (Stub("slow", 0.5, work=9.0), 0, math.inf))
    assert alone == "slow"


def test_a_coarse_look_may_take_another_engine() -> None:
    steps = 50 * pv.Laplace(10)
    plan = ENGINES["contour"].plan(product(steps, "remove"), "delta", Fraction(1), digits=3)
    assert plan.seconds > 1  # 180 000 nodes on the line, which it does plan
    assert pv.delta(steps, epsilon=1, digits=3).engine != "contour"


def test_a_result_says_why() -> None:
    found = pv.delta(10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), epsilon="6.9")
    notes = dict(found.provenance)
    assert notes["direction"] == "remove"
    assert notes["why contour"].startswith("predicted")
    assert notes["why not threshold"] == "10000 losses are not one"
    assert notes["why not grid"].startswith("6 digits at most")
    # the smaller direction, as far as it was looked at: Markov's inequality tells
    small = pv.delta(
        10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), epsilon="6.9", adjacency="add", digits=8
    )
    assert (told := re.fullmatch(r"smaller: \[0, (\S+)\]", notes["why not add"]))
    assert small.upper < Fraction(told[1]) < found.lower
    insisted = pv.delta(2 * pv.Laplace(1), epsilon="0.5", engine="grid", digits=3)
    assert dict(insisted.provenance)["why grid"].startswith("the only one allowed")


def test_error_terms_add_up_to_the_width() -> None:
    found = pv.delta(1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), epsilon=1, adjacency="remove")
    assert found.witness is not None
    terms = dict(found.witness.errors)
    cut, alias, rest = (terms[name] for name in ("cut", "alias", "transform and rounding"))
    assert float(found.width) == pytest.approx(float(2 * cut + alias + 2 * rest), rel=0.02, abs=0)


def test_an_engine_that_is_no_name_is_refused() -> None:
    with pytest.raises(InvalidInput, match="engine must be one of"):
        named(["grid"])  # type: ignore[arg-type]
