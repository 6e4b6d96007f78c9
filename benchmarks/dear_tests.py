"""Which cases of parametrised tests are too dear for the gate: a pytest plugin.

    python -m pytest -q -n 2 -m "slow or not slow" -p benchmarks.dear_tests

measures the processor time of every test and its children, and writes ``tests/data/dear.txt``: cases of more
than half a second, but the cheapest of each test. ``tests/conftest.py`` makes them ``slow``. Tests that stay
dear are printed: they want a cheap twin, and ``@pytest.mark.slow`` of their own.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

LIST = Path(__file__).parents[1] / "tests" / "data" / "dear.txt"
MOST = 0.5
"""Seconds of processor time that a case may take in the gate."""
_measured: dict[str, float] = {}


def spent() -> float:
    """Processor time of this process and its children, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    start = spent()
    try:
        return (yield)
    finally:
        item.user_properties.append(("spent", spent() - start))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":  # which carries the properties of all phases, from a worker too
        _measured[report.nodeid] = dict(report.user_properties).get("spent", 0.0)  # type: ignore[assignment]


def dear(measured: dict[str, float]) -> tuple[list[str], list[str]]:
    """Cases above :data:`MOST` beside a cheaper one, and tests that stay above it.

    >>> dear({"a[1]": 0.1, "a[2]": 3.0, "b": 2.0, "c[1]": 0.7, "c[2]": 0.6})
    (['a[2]', 'c[1]'], ['b', 'c[2]'])
    """
    tests = defaultdict(list)
    for name, seconds in measured.items():
        tests[name.partition("[")[0]].append((seconds, name))
    above = {name for name, seconds in measured.items() if seconds > MOST}
    cheapest = {min(found)[1] for found in tests.values()}
    return sorted(above - cheapest), sorted(above & cheapest)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    cases, alone = dear(_measured)
    LIST.write_text("".join(f"{case}\n" for case in cases), "utf-8")
    print(f"\n{len(cases)} dear cases; dear tests: " + ", ".join(alone))
