"""Questions of expressions, of many points, and at numbers that are no fractions."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.exact import real
from pldverify.numbers.irrational import Irrational
from pldverify.reference.engines.derived.ends import Ends, corners
from pldverify.reference.quantities import questions

TEXT = "100 * poisson(gaussian(2), q=0.02)"
RUN = 100 * pv.PoissonSubsampled(pv.Gaussian(2), "0.02")
ROOT = "100 * poisson(gaussian(sqrt(2)), q=1/(10*pi))"
DELTA = "1/(50000*ln(50000))"


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: pv.delta(c, epsilon="1/2", digits=6),
        lambda c: pv.epsilon(c, delta="1e-5", digits=6),
        lambda c: pv.tail(c, epsilon="1/2", digits=6),
        lambda c: pv.rdp(c, order=3, digits=6),
        lambda c: pv.trade_off(c, alpha="0.1", digits=6),
        lambda c: pv.bracket(c, delta="1e-5", digits=3),
        lambda c: pv.mgf(c, order=1, digits=6),
        lambda c: pv.moments(c, digits=6).mean,
        lambda c: pv.privacy_loss_cdf(c, epsilon="1/2", digits=6),
        lambda c: pv.profile(c).delta([1], digits=6)[0],
        lambda c: pv.certify(pv.Query(c, delta="1e-5"), 1).truth,
        lambda c: (
            pv.calibrate(
                lambda sigma: c, parameter="sigma", epsilon=1, delta="1e-5", low=1, high=1, resolution=1
            ).passes
        ),
    ],
)
def test_a_string_stands_for_the_composition_that_it_denotes(ask: Callable[[object], object]) -> None:
    assert ask(TEXT) == ask(RUN)


def test_the_second_opinion_rounds_what_is_no_fraction() -> None:
    found = pv.quadrature.delta("gaussian(sqrt(2))", epsilon="ln(2)", digits=8)
    assert abs(found.value - Fraction("0.0831607639")) < Fraction(1, 10**9)
    assert pv.quadrature.rdp("gaussian(sqrt(2))", order="sqrt(3)", digits=8).digits >= 8


@pytest.mark.parametrize("text", ["gaussian", "poison(gaussian(1), 1)", "1", "", "mine.py:pair"])
def test_a_string_that_denotes_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        pv.delta(text, epsilon=1)


@pytest.mark.parametrize("values", [["1/2", 0, 1.5], ("1/2", 0, 1.5), np.array([0.5, 0, 1.5]), range(3), []])
def test_many_points_have_as_many_answers_in_their_order(values: object) -> None:
    found = pv.delta(RUN, epsilon=values, digits=8)  # type: ignore[call-overload]
    single = [pv.delta(RUN, epsilon=value, digits=8) for value in values]  # type: ignore[attr-defined]
    assert isinstance(found, list) and len(found) == len(single)
    assert all(one.overlaps(other) and one.digits >= 8 for one, other in zip(found, single, strict=True))
    assert np.array(found, float).shape == (len(single),)


def test_every_question_with_an_argument_takes_many() -> None:
    assert len(pv.tail(RUN, epsilon=iter([0, 1]), digits=6)) == 2
    assert len(pv.epsilon(RUN, delta=np.array([1e-5, 1e-6]), digits=6)) == 2
    assert len(pv.trade_off(RUN, alpha=[0, "0.1", 1], digits=6)) == 3
    assert [x.engine for x in pv.delta(2 * RUN, epsilon=[1, 2], digits=6, engine="contour")] == [
        "contour"
    ] * 2


def test_many_points_share_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    single = questions.at_one
    monkeypatch.setattr(questions, "at_one", lambda *a, **k: asked.append(a) or single(*a, **k))
    pv.delta(RUN, epsilon=[1, 2], digits=6)
    assert asked == []
    pv.delta(RUN, epsilon=[1, "sqrt(2)"], digits=6)
    assert len(asked) == 3  # one, and both ends of the other


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, "x"], r"^epsilon\[1\] must be a decimal or a fraction"),
        ([1, float("nan")], r"^epsilon\[1\] must be finite"),
        (np.array(1.0), "^epsilon must have one dimension, got "),
        (np.array([[1.0]]), "^epsilon must have one dimension, got "),
        (b"12", "^epsilon must be a number"),
        ([[1]], r"^epsilon\[0\] must be a number"),
    ],
)
def test_what_is_no_list_of_numbers_is_refused(values: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.delta(RUN, epsilon=values)  # type: ignore[call-overload]


ENDS: dict[str, Callable[[], pv.Enclosure]] = {
    "delta": lambda: pv.delta(ROOT, epsilon="ln(2)", digits=10),
    "delta below zero": lambda: pv.delta(ROOT, epsilon="-ln(2)", digits=10),
    "epsilon": lambda: pv.epsilon(ROOT, delta=DELTA, digits=10),
    "tail": lambda: pv.tail(TEXT, epsilon="ln(2)", digits=10),
    "rdp": lambda: pv.rdp(ROOT, order="sqrt(3)", digits=10),
    "trade-off": lambda: pv.trade_off(ROOT, alpha="1/pi", digits=10),
    "bracket": lambda: pv.bracket(ROOT, delta=DELTA, seconds=60),
    "zcdp": lambda: pv.bracket("zcdp(1/pi)", delta=DELTA),
    "exact end": lambda: pv.epsilon("pure_dp(ln(3))", delta=0),
}


def nearby(text: str, place: Fraction) -> str:
    """The text with decimals of 60 digits in the place of what is no fraction, at 0 the lower ones."""
    for part in ("sqrt(2)", "sqrt(3)", "1/(10*pi)", "1/pi", "ln(2)", "ln(3)", DELTA):
        number = real(part, "x")
        assert isinstance(number, Irrational)
        text = text.replace(part, str(number.lower + place * (number.upper - number.lower)))
    return text


@pytest.mark.parametrize("name", ENDS)
def test_a_number_between_two_fractions_is_asked_at_both(name: str) -> None:
    found = ENDS[name]()
    assert found.witness is not None and isinstance(found.witness.statement, Ends)
    assert found.digits >= 5 or name == "zcdp"
    again = pv.prove_again(found)
    assert (again.lower, again.upper) == (found.lower, found.upper)


@pytest.mark.parametrize("place", [Fraction(1, 3), Fraction(1, 2)])
def test_the_enclosure_holds_for_every_number_between_the_ends(place: Fraction) -> None:
    for corner, point in ((ROOT, "ln(2)"), (ROOT, "-ln(2)"), (TEXT, "ln(2)")):
        inner = pv.delta(nearby(corner, place), epsilon=nearby(point, place), digits=40)
        outer = pv.delta(corner, epsilon=point, digits=40)
        assert outer.digits >= 39 and inner.overlaps(outer)
    inner = pv.epsilon(nearby(ROOT, place), delta=nearby(DELTA, place), digits=40)
    assert inner.overlaps(pv.epsilon(ROOT, delta=DELTA, digits=40))


def coarse(name: str) -> Irrational:
    """√2, known to one digit only: the ends differ by more than any answer is wide."""
    return Irrational(Fraction(14, 10), Fraction(15, 10), name)


@pytest.mark.parametrize(
    ("whole", "fine"),
    [(pv.Gaussian(coarse("s")), pv.Gaussian("1.42")), (pv.Laplace(coarse("s"), 4), pv.Laplace("1.42", 4))],
)
def test_both_ends_are_on_the_right_sides(whole: pv.Gaussian, fine: pv.Gaussian) -> None:
    """The teeth: with ends so far apart a wrong direction of any number would give an empty interval."""
    for ask in (
        lambda c, x: pv.delta(c, epsilon=x, digits=10),
        lambda c, x: pv.rdp(c, order=x, digits=10),
        lambda c, x: pv.tail(fine, epsilon=x, digits=10),
    ):
        outer, inner = ask(whole, coarse("x")), ask(fine, Fraction(145, 100))
        assert outer.lower < inner.lower <= inner.upper < outer.upper
    level = Irrational(Fraction(1, 100), Fraction(2, 100), "level")
    for ask in (
        lambda c, x: pv.epsilon(c, delta=x, digits=10),
        lambda c, x: pv.trade_off(c, alpha=x, digits=10),
        lambda c, x: pv.bracket(c, delta=x, digits=10),
    ):
        outer, inner = ask(whole, level), ask(fine, Fraction(15, 1000))
        assert outer.lower < inner.lower <= inner.upper < outer.upper


@pytest.mark.parametrize(
    "ask",
    [
        lambda: pv.tail(ROOT, epsilon=1),
        lambda: pv.mgf(ROOT, order=1),
        lambda: pv.mgf(TEXT, order="sqrt(2)"),
        lambda: pv.moments(ROOT),
        lambda: pv.privacy_loss_cdf(ROOT, epsilon=1),
        lambda: pv.profile(ROOT).delta([1]),
        lambda: pv.profile(TEXT).delta(["sqrt(2)"]),
        lambda: pv.derive(pv.Gaussian("sqrt(2)")),
    ],
)
def test_what_is_not_monotone_in_a_number_refuses_it(ask: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput, match=r"must .*rational"):
        ask()


def test_a_forged_statement_proves_nothing() -> None:
    found = pv.delta("gaussian(sqrt(2))", epsilon="ln(2)", digits=6)
    assert found.witness is not None
    told = found.witness.statement
    assert isinstance(told, Ends)
    other = pv.delta("gaussian(1)", epsilon=1, digits=6).witness
    assert other is not None
    for forged in (
        replace(told, least=told.greatest),
        replace(told, least=told.greatest, greatest=told.least),
        replace(told, composition=as_composition(pv.Gaussian("sqrt(3)"))),
        replace(told, at=Fraction(1)),
        replace(told, adjacency="remove"),
        replace(told, quantity="epsilon"),
        replace(told, greatest=other.statement),  # type: ignore[arg-type]
    ):
        with pytest.raises(NoConvergence, match="ends: not the question at its corners"):
            forged.prove()


def test_corners_are_where_each_number_makes_the_value_least_and_greatest() -> None:
    whole, number = as_composition(pv.Gaussian(coarse("s"))), coarse("x")
    quiet, loud = whole.ends()
    low, high = number.lower, number.upper
    assert corners(whole, "delta", number) == ((quiet, high), (loud, low))
    assert corners(whole, "rdp", number) == ((quiet, low), (loud, high))
    assert corners(whole, "trade-off", number) == ((loud, high), (quiet, low))
    assert corners(quiet, "tail", number) == ((quiet, high), (quiet, low))


def test_an_engine_that_is_a_vector_is_refused() -> None:
    with pytest.raises(InvalidInput, match="engine must be one of"):
        pv.delta(RUN, epsilon=1, engine=np.array([1.0, 2.0]))  # type: ignore[call-overload]
