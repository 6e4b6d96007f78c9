"""What an adapter writes down runs as it reads: its lines print what it finds."""

import ast
import contextlib
import io
from collections.abc import Callable
from typing import Any

import pytest

from pldverify.accountants.standalone import Call, Name, Script, Written, evaluate, source


def printed(text: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(text, "script", "exec"), {})
    return said.getvalue().strip()


def of_calls(script: Script) -> Any:
    return script.load("math").ldexp(1.5, 3)


def of_nested_calls(script: Script) -> Any:
    inner = Call("Fraction", {"numerator": 1, "denominator": 3})
    return Call("Fraction", {"numerator": inner, "denominator": 7}).make(script.load("fractions"))


def of_sums(script: Script) -> Any:
    math = script.load("math")
    return math.sqrt(2.0) * 3 + math.pi + 1


def of_either(script: Script) -> Any:
    counter = script.load("collections", "Counter")
    return (counter("aab") | counter("bbc"))["b"]


def of_attributes(script: Script) -> Any:
    space = script.let("space", script.load("types", "SimpleNamespace")())
    script.set(space, "history", [(2.0, 0.25, 3)])
    script.do(space.history.append(float("inf")))
    return space.history


def of_one_value_twice(script: Script) -> Any:
    stream = script.let("stream", script.load("io", alias="streams").StringIO("one\ntwo\n"))
    first = script.let("first", stream.readline())
    second = script.let("second", stream.readline())
    return script.load("operator").concat(second, first).split()


def of_lists(script: Script) -> Any:
    half = script.load("fractions", "Fraction")("1/2")
    return script.load("math").fsum(script.repeated([(half, 3), (0.25, 2)]))


def of_a_function(script: Script) -> Any:
    operator = script.load("operator")
    double = script.function("x", lambda x: operator.mul(x, 2))
    return script.load("functools").reduce(operator.add, script.load("builtins").map(double, [1, 2, 3]))


def of_a_choice(script: Script) -> Any:
    lost = script.let("lost", script.load("builtins").divmod(7, 2))
    return script.let("ends", [float("inf"), lost[0]])[lost[1] <= 1]


def of_types(script: Script) -> Any:
    return script.load("builtins").issubclass(bool, int)


@pytest.mark.parametrize(
    "write",
    [
        of_calls,
        of_nested_calls,
        of_sums,
        of_either,
        of_attributes,
        of_one_value_twice,
        of_lists,
        of_a_function,
        of_a_choice,
        of_types,
    ],
)
def test_the_lines_print_what_is_found(write: Callable[[Script], Any]) -> None:
    script = Script()
    whole = script.prints(write(script))
    assert printed(str(whole)) == str(evaluate(whole))


def test_nothing_is_done_before_it_is_asked_for() -> None:
    script = Script()
    missing = script.load("no_such_library")
    script.do(missing.start())
    whole = script.prints(missing.answer(1))
    assert str(whole) == "import no_such_library\nno_such_library.start()\nprint(no_such_library.answer(1))"
    with pytest.raises(ModuleNotFoundError):
        evaluate(whole)


def test_deeds_come_first_and_names_are_found_once() -> None:
    script, log = Script(), []

    def deed(word: str) -> Written:
        return Written(word, lambda: log.append(word) or len(log))

    one = script.let("one", deed("one"))
    script.do(deed("two"))
    assert evaluate(script.prints(one)) == 1 and log == ["one", "two"]
    assert evaluate(one) == 1 and log == ["one", "two"]


def test_a_call_shows_and_makes_its_calls_inside_out() -> None:
    nested = Call("f", {"x": 0.1, "y": [Call("g", {"n": 2}), Name("a.b")]})
    assert str(nested) == "f(x=0.1, y=[g(n=2), a.b])"
    assert str(nested.make(Script().load("lib"))) == "lib.f(x=0.1, y=[lib.g(n=2), lib.a.b])"


def test_a_text_of_a_library_is_a_text() -> None:
    hostile = '"); import os; os.abort(); ("'
    script = Script()
    whole = script.prints(script.load("builtins").len(hostile))
    assert printed(str(whole)) == str(len(hostile)) and source([hostile]) == f"[{hostile!r}]"


def test_what_is_not_found_yet_decides_nothing() -> None:
    one, other = (Script().load("math").sqrt(x) for x in (2.0, 3.0))
    with pytest.raises(TypeError, match=r"neither true nor false: math.sqrt\(2.0\) <= math.sqrt\(3.0\)"):
        assert one <= other
    with pytest.raises(TypeError, match="not iterable"):
        list(one)


@pytest.mark.parametrize(
    "value",
    [
        [],
        (),
        (1,),
        (1, (2.5, [3])),
        {"a": float("inf")},
        [float("-inf")],
        {"a": (1, "b\n'")},
        None,
        True,
        -0.0,
    ],
)
def test_the_text_of_a_value_is_that_value(value: object) -> None:
    assert repr(
        ast.literal_eval(source(value).replace("float('inf')", "1e999").replace("float('-inf')", "-1e999"))
    ) == repr(value)
    assert source(float("nan")) == "float('nan')"


def test_a_written_value_inside_is_written() -> None:
    inside = Script().load("math").pi
    assert source((inside, {"a": inside})) == "(math.pi, {'a': math.pi})"
    assert str(Script.repeated([])) == "[]"
