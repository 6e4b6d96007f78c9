"""mypy finds what is planted and nothing else: the types agree, and balls have no order.

It takes long where nothing is cached: a test, so that others run beside it, and the first to begin.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAD = (
    "from pldverify.balls import arb",
    "from pldverify.balls.ball import biggest",
    "from pldverify.balls.compare import less, surely_less",
    "a, b = arb(1), arb(2)",
)
REFUSED = (
    "a < b",
    "not a >= b",
    "max(a, b)",
    "min([a, b])",
    "sorted([a, b])",
    "[a, b].sort()",
    "bool(a > 0)",
)
"""The stub in typings/ has no order: without it each of these would read "unknown" as "no"."""
ALLOWED = ("surely_less(a, b)", "less(a, 1)", "a.max(b)", "biggest([a, b])", "sorted([1, 2])")


@pytest.mark.first
def test_mypy_finds_what_is_planted_and_nothing_else(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text("\n".join([*HEAD, *REFUSED, *ALLOWED]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "pldverify", planted],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    *errors, _ = done.stdout.splitlines()
    found = [line for line in errors if ": note: " not in line]
    assert all("planted.py:" in line for line in found), done.stdout + done.stderr
    lines = {int(line.partition("planted.py:")[2].partition(":")[0]) for line in found}
    assert lines == {len(HEAD) + 1 + i for i in range(len(REFUSED))}, done.stdout + done.stderr
