"""Calls as Python, what a script prints, and what a library warns of."""

import logging
import warnings
from typing import Any

import pytest

from pldverify.accountants import standalone
from pldverify.accountants.standalone import Call, Name, Question, Warned, printed
from pldverify.accountants.worker import plain
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query


def test_a_call_is_made_on_the_module_inside_out() -> None:
    nested = Call("g.h", {"n": [2, Call("g.h", {"n": 5})], "kind": Name("Kind.NONE")})
    call = Call("f", {"x": 0.1, "y": nested})
    assert str(call) == "f(x=0.1, y=g.h(n=[2, g.h(n=5)], kind=Kind.NONE))"
    assert call.source("m") == "m.f(x=0.1, y=m.g.h(n=[2, m.g.h(n=5)], kind=m.Kind.NONE))"


def test_the_last_thing_that_a_script_prints_is_handed_on_as_it_is(capsys) -> None:
    assert printed("from fractions import Fraction\nprint(1)\nprint(Fraction(1, 3))").denominator == 3
    assert capsys.readouterr().out == ""


def test_a_script_raises_what_its_library_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        printed("print(1 / 0)")


def test_warnings_of_both_kinds_are_kept_once_and_shown_to_nobody(recwarn, caplog) -> None:
    with Warned() as warned:
        for _ in range(3):
            warnings.warn("of\na number", RuntimeWarning, stacklevel=1)
        logging.getLogger("absl").warning("order %d left out", 7)
        logging.getLogger("absl").info("not this")
    assert str(warned) == "RuntimeWarning: of a number; WARNING: order 7 left out"
    assert not recwarn.list


def test_what_comes_later_is_nobody_s(recwarn) -> None:
    with Warned() as warned:
        pass
    warnings.warn("later", UserWarning, stacklevel=1)
    logging.getLogger("absl").warning("later")
    assert str(warned) == "" and len(recwarn.list) == 1


def test_only_a_few_different_ones_are_kept() -> None:
    with Warned() as warned:
        for i in range(100):
            warnings.warn(str(i), UserWarning, stacklevel=1)
    assert str(warned) == "; ".join(f"UserWarning: {i}" for i in range(5))


class Narrow:
    """An accountant that says what it takes, and no more."""

    name = "narrow"
    quantities = ("epsilon",)
    adjacencies = ("add-or-remove", "remove")
    one_kind = True
    longest = 5

    def call(self, question: Question, mechanism: Any) -> Call:
        noise, q = question.dp_sgd(mechanism)
        return question.call("step", noise=noise, q=q)


STEP = PoissonSubsampled(Gaussian(3, sensitivity=2), "1/7")


def test_what_an_accountant_says_that_it_takes_is_passed_on() -> None:
    for step, q in ((STEP, "1/7"), (Gaussian(3, sensitivity=2), "1")):
        ((call, count),) = standalone.steps(Narrow(), Question(plain.query(Query(5 * step, delta=0.5))))
        assert (str(call), count) == (f"step(noise=1.5, q={q})", 5)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(STEP, epsilon=1), "^narrow has no delta at a given epsilon$"),
        (
            Query(STEP, delta=0.5, adjacency="add"),
            "asked for add-or-remove and remove, got 'add'$",
        ),
        (Query(STEP + Gaussian(1), delta=0.5), "^narrow takes one kind of step$"),
        (Query(6 * STEP, delta=0.5), "^narrow takes a list of steps, and one of 6 is too long$"),
        (Query(Laplace(1), delta=0.5), "^no laplace of these parameters, Gaussian steps alone$"),
        (
            Query(PoissonSubsampled(Laplace(1), "1/7"), delta=0.5),
            "^no poisson_subsampled of these",
        ),
    ],
)
def test_all_else_is_refused(query: Query, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(Narrow(), Question(plain.query(query)))
