"""Whatever stands in a derivation's file or in a user's texts, it does not run; only InvalidInput leaves.

Texts are valid ones with tokens exchanged, calls of every constructor with strings, and JSON with strings in
any field. An audit hook sees what Python compiles to run, and what it starts.
"""

import json
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse
from pldverify.symbolic import derive
from pldverify.symbolic.model.serial import dumps, loads, read

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
SENTINEL = "__import__('os').system('exit 7')"
STARTS = ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect", "open")
SEEN: list[str] = []
WATCHING = [False]


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    is_text = event == "exec" and getattr(arguments[0], "co_filename", "") == "<string>"
    if WATCHING[0] and (event in STARTS or is_text):
        SEEN.append(event)


sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[None]:
    SEEN.clear()
    WATCHING[0] = True
    try:
        yield
    finally:
        WATCHING[0] = False
    assert SEEN == []


@cache
def documents() -> tuple[str, ...]:
    texts = ("laplace(b=2)", "randomized_response(p=3/4)", "discrete_laplace(b=2)")
    return tuple(dumps(derive(parse(text).parts[0][0])) for text in texts)


@cache
def expressions() -> tuple[str, ...]:
    found: list[str] = []

    def visit(node: object) -> None:
        if isinstance(node, dict):
            found.extend(v for k, v in node.items() if k == "srepr")
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            visit(child)

    for document in documents():
        visit(json.loads(document))
    return tuple(dict.fromkeys(found))


NAMES = (
    "Abs", "Add", "Mul", "Pow", "Integer", "Rational", "Symbol", "Tuple", "Sum", "Piecewise", "ExprCondPair",
    "StrictLessThan", "LessThan", "GreaterThan", "exp", "log", "erf", "floor", "ceiling", "sign", "Max",
    "Min", "atan", "tanh", "gamma", "loggamma", "factorial", "binomial", "Function", "Lambda", "Dummy",
    "sympify",
    "Float", "Eq", "And", "eval",
)  # fmt: skip
PIECES = (
    repr(SENTINEL), f"Tuple({SENTINEL!r})", SENTINEL, "'1'", "b'1'", "1", "-1", "1.5", "True", "None", "nan",
    "oo", "-oo", "true", "pi", "Integer(2)", "Integer(-3)", "Rational(1, 0)", "Rational(1, 3)",
    "[1]", "Symbol('t', real=True)", "Symbol('t', real=1)", "Symbol('t', cls=1)", "Symbol(1)", "*[1]",
    "lambda: 1", "Symbol('x y')", "Integer(99999999999)", "Integer(1, 2)", "x.y", "Integer",
    "Pow(Integer(9), Integer(9**9))",
)  # fmt: skip


def spoilt(pick: random.Random) -> str:
    """A call of calls, or a valid text with some tokens changed."""
    if pick.random() < 0.5:
        parts: list[str] = list(PIECES)
        for _ in range(pick.randrange(1, 5)):
            inner = ", ".join(pick.choice(parts[-8:] + list(PIECES)) for _ in range(pick.randrange(4)))
            keyword = pick.choice(("", "", "", ", evaluate=False", f", real={SENTINEL!r}"))
            parts.append(f"{pick.choice(NAMES)}({inner}{keyword})")
        return parts[-1]
    text = pick.choice(expressions())
    for _ in range(pick.randrange(1, 4)):
        at = pick.randrange(len(text) + 1)
        text = text[:at] + pick.choice((*PIECES, *NAMES, *"(),'=-", "")) + text[at + pick.randrange(8) :]
    return text


@pytest.mark.slow
@settings(
    max_examples=20_000 if NIGHTLY else 400, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.randoms(use_true_random=False))
def test_no_text_of_an_expression_runs(pick: random.Random) -> None:
    expressions()
    text = spoilt(pick)
    with watched():
        try:
            found = read(text)
        except InvalidInput:
            return
    assert isinstance(found, sp.Basic)


@settings(max_examples=2000 if NIGHTLY else 40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_no_document_runs(pick: random.Random) -> None:
    """One node of a valid document exchanged for a text, a number, a list or another node."""
    document = json.loads(pick.choice(documents()))
    nodes: list[tuple[dict | list, object]] = []

    def visit(node: object) -> None:
        pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in pairs:
            nodes.append((node, key))  # type: ignore[arg-type]
            visit(child)

    visit(document)
    parent, key = pick.choice(nodes)
    other, place = pick.choice(nodes)
    texts = (
        SENTINEL,
        {"srepr": spoilt(pick)},
        {"fraction": "1e999999999"},
        {"fraction": "1/0"},
        {"class": SENTINEL},
    )
    parent[key] = pick.choice((*texts, 1, 1.5, None, True, [], {}, {"kind": []}, other[place]))  # type: ignore[index]
    try:
        text = json.dumps(document)
    except ValueError:  # a node inside of itself
        return
    with watched():
        try:
            found = loads(text)
        except InvalidInput:
            return
        dumps(found)
        _ = 1 - found.delta_infinity, found.cumulant


@settings(max_examples=2000 if NIGHTLY else 100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(SENTINEL),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["srepr", "fraction", "tuple", "map", "class", "kind", "state", "p"]), inner
            )
        ),
        max_leaves=8,
    )
)
def test_no_json_runs(value: object) -> None:
    with watched(), pytest.raises(InvalidInput):
        loads(json.dumps(value))


def test_the_hook_sees_what_runs() -> None:
    with pytest.raises(AssertionError), watched():
        sp.Tuple("1 + 1")
