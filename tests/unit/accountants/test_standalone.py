"""Calls as Python, what a script prints, and what a library warns of."""

import logging
import warnings

import pytest

from pldverify.accountants.standalone import Call, Name, Warned, printed


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
