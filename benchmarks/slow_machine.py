"""A machine that is three times as slow, for runs that look for tests which depend on this one's speed.

    python -m pytest -q -n 2 -p benchmarks.slow_machine

The clock of searches and proofs runs faster, no other one.
"""

import time
from types import SimpleNamespace

from pldverify.balls import clock

SLOWER = 3

clock.time = SimpleNamespace(  # type: ignore[attr-defined]
    thread_time=lambda: SLOWER * time.thread_time(), perf_counter=lambda: SLOWER * time.perf_counter()
)
