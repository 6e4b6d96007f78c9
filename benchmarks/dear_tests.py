"""Which cases of parametrised tests are too dear for the gate: a pytest plugin.

    python -m pytest -q -n 2 -m "slow or not slow" -p benchmarks.dear_tests

measures the processor time of every test and its children, and writes ``tests/data/dear.txt``: of a test's
cases all above :data:`MOST` but the cheapest, and those above :data:`LEAST` but the two cheapest; where each
case is another error, those above :data:`ALONE`; where it has a word that is in no cheaper one, those above
:data:`ROW`. ``tests/conftest.py`` makes them ``slow``. Tests that stay
dear are printed: they want a cheap twin, and ``@pytest.mark.slow`` of their own.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

LIST = Path(__file__).parents[1] / "tests" / "data" / "dear.txt"
ALONE = 0.5
"""Seconds of processor time that a test may take in the gate where no cheaper case does for it."""
MOST = 0.1
"""Seconds of a case that has a cheaper one."""
LEAST = 0.03
"""Seconds of a case that has two cheaper ones."""
ROW = 0.25
"""Seconds of a case that names what no cheaper one does: a mechanism, an adapter, a direction."""
ERRORS = (
    "another", "caught", "damaged", "fail", "forge", "functions_give", "hostile", "planted", "refus",
    "seen", "teeth", "wrong",
)  # fmt: skip
"""Words in the name of a test each case of which is another error, or finds another one."""
WORD = re.compile(r"[^\W\d_]{3,}(?:_[^\W\d_]+)*")
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
    """Cases that are too dear beside cheaper ones, and tests that stay above :data:`ALONE`.

    >>> dear({"a[1]": 0.1, "a[2]": 3.0, "b": 2.0, "c[1]": 0.7, "c[2]": 0.6})
    (['a[2]', 'c[1]'], ['b', 'c[2]'])
    >>> dear({f"{name}[{i}]": 0.1 for name in ("a", "planted") for i in range(3)})
    (['a[2]'], [])
    >>> dear({"a[laplace-1]": 0.01, "a[laplace-2]": 0.02, "a[laplace-3]": 0.1, "a[gaussian-3]": 0.1})
    (['a[laplace-3]'], [])
    """
    tests = defaultdict(list)
    for name, seconds in measured.items():
        tests[name.partition("[")[0]].append((seconds, name))
    cases, alone = [], []
    for test, found in tests.items():
        errors = any(word in test for word in ERRORS)
        said: set[str] = set()
        for at, (seconds, name) in enumerate(sorted(found)):
            words = set(WORD.findall(name.partition("[")[2])) - said
            least = ROW if words else MOST if at == 1 else LEAST
            if seconds > (ALONE if errors or not at else least):
                (cases if at else alone).append(name)
            else:
                said |= words
    return sorted(cases), sorted(alone)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    cases, alone = dear(_measured)
    LIST.write_text("".join(f"{case}\n" for case in cases), "utf-8")
    print(f"\n{len(cases)} dear cases; dear tests: " + ", ".join(alone))
