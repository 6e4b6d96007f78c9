"""Hypothesis profiles: ``dev`` explores, ``ci`` repeats the same examples, ``nightly`` explores long.

``slow`` are, beside what says so itself, the dear cases that ``benchmarks/dear_tests.py`` has found and, of a
test with ``@pytest.mark.sample(n)``, all others but n: the first, the last, and some between.
"""

import gc
import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("nightly", deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))

DEAR = Path(__file__).parent / "data" / "dear.txt"


def kept(cases: int, n: int) -> set[int]:
    """Which of so many cases the gate runs.

    >>> sorted(kept(10, 4)), sorted(kept(10, 1)), sorted(kept(2, 4))
    ([0, 3, 6, 9], [0], [0, 1])
    """
    return {i * (cases - 1) // max(min(n, cases) - 1, 1) for i in range(min(n, cases))}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: to look for garbage in it took a third of collecting."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The second worker begins at the last file: what one has compiled, the other reads."""
    report = yield
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" and isinstance(collector, pytest.Directory):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)  # before ``-m`` is applied
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (item.get_closest_marker("first") is None, item.path))
    dear = set(DEAR.read_text("utf-8").splitlines())
    sampled = defaultdict(list)
    for item in items:
        if item.nodeid in dear:
            item.add_marker("slow")
        elif marker := item.get_closest_marker("sample"):
            sampled[item.nodeid.partition("[")[0], *marker.args].append(item)
    for (_, n), cases in sampled.items():
        for i in {*range(len(cases))} - kept(len(cases), n):
            cases[i].add_marker("slow")
