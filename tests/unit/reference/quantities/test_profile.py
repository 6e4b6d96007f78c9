"""A profile answers as the single questions do, in the order of its points, from shared evaluators."""

import math
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, MissingLibrary, NotSupported
from pldverify.reference.engines.derived.rough import Markov
from pldverify.reference.engines.inversion.contour import Contour
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities import profile as module
from pldverify.reference.quantities import trade_off
from pldverify.reference.quantities.profile import Profile, profile

STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
TRAINING = 2000 * STEP
POINTS = [Fraction(i, 4) for i in (9, 0, 4, 1, 16, 4)]
OTHERS = [
    3 * pv.Gaussian(2),
    5 * pv.Laplace(2),
    4 * pv.RandomizedResponse("0.6"),
    2 * pv.ApproximateDP("0.5", "1e-3"),
    100 * pv.DiscreteGaussian(7),
]


@pytest.mark.parametrize("composition", [TRAINING, *OTHERS], ids=str)
def test_delta_is_that_of_the_single_question(composition: pv.Composition) -> None:
    found = profile(composition).delta(POINTS, digits=9)
    for point, value in zip(POINTS, found, strict=True):
        single = pv.delta(composition, epsilon=point, digits=9)
        assert value.overlaps(single)
        assert value.digits >= min(9, single.digits)
        again = pv.prove_again(value)
        assert (again.lower, again.upper) == (value.lower, value.upper)
    assert found[2] == found[5]


@pytest.mark.parametrize("composition", [TRAINING, *OTHERS], ids=str)
def test_epsilon_is_that_of_the_single_question(composition: pv.Composition) -> None:
    deltas = ["1e-3", "1e-9", "0.3", 0, 1, "1e-5", "1.1e-5"]
    found = profile(composition).epsilon(deltas, digits=9)
    for target, value in zip(deltas, found, strict=True):
        single = pv.epsilon(composition, delta=target, digits=9)
        assert value.overlaps(single)
        assert value.digits >= min(9, single.digits)
        again = pv.prove_again(value)
        assert (again.lower, again.upper) == (value.lower, value.upper)


def test_tails_and_trade_offs_too() -> None:
    asked = pv.profile(TRAINING)
    for point, value in zip(POINTS, asked.tail(POINTS, digits=8), strict=True):
        assert value.digits >= 8
        assert value.overlaps(pv.tail(TRAINING, epsilon=point, digits=8))
    levels = ["0.1", 0, "0.5", 1]
    for level, value in zip(levels, asked.trade_off(levels, digits=6), strict=True):
        assert value.digits >= 6
        assert value.overlaps(pv.trade_off(TRAINING, alpha=level, digits=6))


def test_what_is_kept_of_the_profile_answers_for_both_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of a page set up evaluators of its own."""
    settled: list[object] = []
    real = trade_off.settle
    monkeypatch.setattr(
        trade_off, "settle", lambda *args, **more: settled.append(args) or real(*args, **more)
    )
    levels, training = ["0.1", "0.5"], 1000 * pv.PoissonSubsampled(pv.Gaussian(sigma=2), q="0.02")
    alone = pv.profile(training).trade_off(levels, digits=3)
    assert len(settled) >= 2
    settled.clear()
    kept = module.Kept(training, "add-or-remove")
    kept.delta(["0", "1"], digits=4)
    shared = kept.trade_off(levels, digits=3)
    assert not settled
    assert all(one.overlaps(other) and other.digits >= 3 for one, other in zip(alone, shared, strict=True))


def test_a_direction_that_falls_below_the_other_one_needs_no_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rough bounds were searched for at each of them."""
    asked: list[Fraction] = []
    monkeypatch.setattr(module, "at_most", lambda *args: asked.append(args[2]))
    few = 250 * pv.PoissonSubsampled(pv.Gaussian(sigma="1.3"), q="0.004")
    (last,) = pv.profile(few).delta(["0", "0.1", "0.2", "0.4"], digits=4)[3:]
    assert asked == [0]  # before there is any evaluator
    assert last.overlaps(pv.delta(few, epsilon="0.4", digits=8)) and last.digits >= 4


@pytest.mark.parametrize("adjacency", ["add", "remove", "add-or-remove", "replace-one"])
def test_every_adjacency_and_both_signs_of_epsilon(adjacency) -> None:
    points = [-2, Fraction(-1, 3), 0, 1]
    for point, value in zip(points, pv.profile(TRAINING, adjacency).delta(points, digits=8), strict=True):
        single = pv.delta(TRAINING, epsilon=point, adjacency=adjacency, digits=8)
        assert value.overlaps(single) and value.digits >= 8


@pytest.mark.slow
def test_a_direction_that_is_far_smaller_is_not_enclosed() -> None:
    """By the grid it took 5 s a point: its δ(1) is 1e-2375 where the other one has 1e-24."""
    run = 100 * pv.PoissonSubsampled(pv.DiscreteGaussian(2), "0.01")
    (found,) = profile(run).delta([1], digits=4)
    assert found.witness is not None
    smaller = [part for part in found.witness.statement.parts if isinstance(part, Markov)]  # type: ignore[attr-defined]
    assert len(smaller) == 1
    assert found.overlaps(pv.delta(run, epsilon=1, digits=4)) and found.digits >= 4
    again = pv.prove_again(found)
    assert (again.lower, again.upper) == (found.lower, found.upper)


def test_many_points_share_few_contours(monkeypatch: pytest.MonkeyPatch) -> None:
    built = 0
    build = Contour.__init__

    def counted(self: Contour, *arguments) -> None:
        nonlocal built
        built += 1
        build(self, *arguments)

    monkeypatch.setattr(Contour, "__init__", counted)
    asked = pv.profile(TRAINING)
    values = asked.delta([Fraction(i, 40) for i in range(200)], digits=10)
    assert min(value.digits for value in values) >= 10
    assert built <= 12
    built = 0
    deltas = [Fraction(1, 10) ** 3 / Fraction(6, 5) ** i for i in range(60)]
    assert min(value.digits for value in asked.epsilon(deltas, digits=10)) >= 10
    assert built <= 40


def test_the_evaluator_of_the_last_root_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    ask = module.epsilon_one_way

    def noted(*arguments: Any, last: Any, spare: int) -> Any:
        given.append(last)
        return ask(*arguments, last=last, spare=spare)

    monkeypatch.setattr(module, "epsilon_one_way", noted)
    curve = module._Curve(product(TRAINING, "remove"), "delta", tuple(module.ENGINES), module._SPARE)
    first, second = (curve.inverse(Fraction(1, 10**k), 6)[1] for k in (5, 6))
    assert given == [None, first.below.work]  # type: ignore[attr-defined]  # of an Inverse
    assert second.prove()[0] > first.prove()[1]


def test_a_value_that_is_planted_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: an evaluator's value is moved by a millionth."""
    value = Contour.value
    monkeypatch.setattr(Contour, "value", lambda self, epsilon: value(self, epsilon) * 1000001 / 1000000)
    (planted,) = pv.profile(3000 * STEP).delta([1], digits=9)
    monkeypatch.undo()
    assert not planted.overlaps(pv.delta(3000 * STEP, epsilon=Fraction(1), digits=12))


def test_arrays_generators_and_nothing() -> None:
    numpy = pytest.importorskip("numpy")
    asked = pv.profile(3 * pv.Gaussian(2))
    truth = asked.delta([0.5, 1.0])
    asked.delta([3, 4])  # what was asked before changes nothing
    assert asked.delta(numpy.array([0.5, 1.0])) == truth
    assert asked.delta(x for x in ("0.5", 1)) == truth
    assert asked.delta([]) == asked.epsilon(()) == asked.tail([]) == asked.trade_off([]) == ()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.delta([1, "x"]), r"epsilon\[1\] must be a decimal"),
        (lambda p: p.delta([1, 2, math.nan]), r"epsilon\[2\] must be finite"),
        (lambda p: p.tail([None]), r"epsilon\[0\] must be a number"),
        (lambda p: p.epsilon([0.1, 2]), r"delta\[1\] must be in \[0, 1\]"),
        (lambda p: p.trade_off([-1]), r"alpha\[0\] must be in \[0, 1\]"),
        (lambda p: p.delta(1), r"epsilon must be numbers in a list, an array or a generator, got 1"),
        (lambda p: p.delta("123"), r"epsilon must be numbers in a list"),
        (lambda p: p.delta([1], digits=0), r"digits must be an integer"),
        (lambda p: p.plot([1], claims=[("a", 1)]), r"claims must be \{name: pairs"),
        (lambda p: p.plot([1], claims={"a": [1]}), r"claims\['a'\]\[0\] must be a pair"),
        (lambda p: p.plot([1], claims={"a": [(1, 2)]}), r"claims\['a'\]\[0\]\[1\] must be in \[0, 1\]"),
    ],
)
def test_errors_name_the_element(ask, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        ask(pv.profile(pv.Gaussian(1)))


def test_what_has_no_profile_is_refused() -> None:
    with pytest.raises(InvalidInput, match="composition must be"):
        pv.profile(7)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="adjacency must be"):
        pv.profile(pv.Gaussian(1), "neighbours")  # type: ignore[arg-type]
    with pytest.raises(NotSupported):
        pv.profile(pv.ZCDP(1)).delta([1])


def test_the_plot_shows_the_curve_and_the_claims() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    asked = pv.profile(3 * pv.Gaussian(2))
    axes = asked.plot([0, 1, 2], claims={"an accountant": [(1, "0.2"), (2, 0.01)]})
    curve, marks = axes.get_lines()
    assert [float(y) for y in curve.get_ydata()] == [float(x) for x in asked.delta([0, 1, 2], digits=6)]
    assert list(marks.get_ydata()) == [0.2, 0.01] and marks.get_label() == "an accountant"
    assert len(asked.plot(axes=pyplot.subplots()[1]).get_lines()[0].get_xdata()) > 20
    pyplot.close("all")


def test_without_matplotlib_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingLibrary, match="plots need matplotlib"):
        Profile(1 * pv.Gaussian(1), "add-or-remove").plot([1])


def test_enclosures_are_exact_rationals() -> None:
    (value,) = pv.profile(TRAINING).delta([1])
    assert isinstance(value.lower, Fraction) and value.witness is not None


def test_a_notebook_shows_what_is_asked_and_computes_nothing() -> None:
    shown = profile(10**9 * STEP, "remove")._repr_html_()
    assert "1000000000 * poisson(gaussian(sigma=1), q=0.01)" in shown and ">remove<" in shown
    names = shown.split(">answers</th>")[1].split(">")[1].split("<")[0].split(", ")
    assert all(callable(getattr(Profile, name)) for name in names)


def test_a_list_by_a_named_engine_has_the_digits_of_single_questions() -> None:
    """The evaluator of the point before had none left, and was asked."""
    whole, points = "poisson(gaussian(1), q=0.1) + randomized_response(p=0.6)", ["0.01", "0.1", "-0.05"]
    found = pv.tail(whole, epsilon=points, engine="grid slope", digits=3)
    assert all(each.digits >= 3 for each in found)
