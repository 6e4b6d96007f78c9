"""Tests of the tests: no silent absolute tolerance, and nothing that a loaded machine changes."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
EXPLICIT = {"approx": "abs", "allclose": "atol", "assert_allclose": "atol"}
"""Comparisons, and the absolute tolerance that they would have by themselves: δ at 1e-20 is nothing to it."""
CLOCKS = {"process_time", "process_time_ns", "perf_counter", "perf_counter_ns", "thread_time"}
STILL_MEASURING = {  # to be mended; nothing may be added
    "property/test_reference.py",
    "unit/reference/test_atoms.py",
    "unit/reference/test_budget.py",
    "unit/reference/test_engine.py",
    "unit/reference/test_integral.py",
    "unit/reference/test_moments.py",
    "unit/reference/test_zeros.py",
}


@cache
def nodes(source: str) -> list[ast.AST]:
    """All of them; read once for all tests."""
    return list(ast.walk(ast.parse(source)))


def calls(source: str) -> list[tuple[str, ast.Call]]:
    """Every call with the last part of its name; ``np.isclose`` is numpy's ``allclose``."""
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "isclose" and ast.unparse(node.func) in ("np.isclose", "numpy.isclose"):
                name = "allclose"
            found.append((name, node))
    return found


def tolerant(source: str) -> list[int]:
    """Lines of comparisons whose absolute tolerance is not written."""
    if not any(name in source for name in (*EXPLICIT, "isclose")):
        return []  # most files have none, and need not be parsed
    return [
        node.lineno
        for name, node in calls(source)
        if name in EXPLICIT and EXPLICIT[name] not in {keyword.arg for keyword in node.keywords}
    ]


def measures(source: str) -> bool:
    """Whether a clock is read."""
    return any(name in source for name in (*CLOCKS, "time.time")) and any(
        name in CLOCKS or (name == "time" and ast.unparse(node.func) == "time.time")
        for name, node in calls(source)
    )


def sources() -> dict[str, str]:
    return {str(path.relative_to(TESTS)): path.read_text("utf-8") for path in sorted(TESTS.rglob("*.py"))}


def test_absolute_tolerances_are_written() -> None:
    assert {name: lines for name, source in sources().items() if (lines := tolerant(source))} == {}


def test_no_test_measures_time() -> None:
    assert {name for name, source in sources().items() if measures(source)} <= STILL_MEASURING


def test_every_dear_case_is_of_a_test_that_is_there() -> None:
    named = {case.partition("[")[0] for case in (TESTS / "data" / "dear.txt").read_text("utf-8").splitlines()}
    there = {
        f"tests/{name}::{test}"
        for name, source in sources().items()
        for test in re.findall(r"^def (\w+)", source, re.MULTILINE)
    }
    assert named - there == set()


def test_the_readme_of_the_tests_names_every_folder() -> None:
    text = (TESTS / "README.md").read_text("utf-8")
    folders = {
        path.name for path in TESTS.iterdir() if path.is_dir() and not path.name.startswith(("_", "."))
    }
    assert {folder for folder in folders if f"| `{folder}` |" not in text} == set()


@pytest.mark.parametrize(
    "source",
    ["x == pytest.approx(1e-20, rel=1e-9)", "approx(1)", "np.allclose(a, b, rtol=1e-9)", "np.isclose(a, b)"],
)
def test_a_silent_tolerance_would_be_seen(source: str) -> None:
    assert tolerant(source) == [1]


@pytest.mark.parametrize(
    "source", ["approx(1e-20, rel=1e-9, abs=0)", "math.isclose(a, b)", "np.allclose(a, b, atol=0)"]
)
def test_a_written_tolerance_passes(source: str) -> None:
    assert tolerant(source) == []


@pytest.mark.parametrize("source", ["time.process_time()", "start = perf_counter()", "time.time()"])
def test_a_clock_would_be_seen(source: str) -> None:
    assert measures(source)


def test_waiting_is_no_measuring() -> None:
    assert not measures("time.sleep(1); time.monotonic()")
