"""On a terminal: its width, its colours, and a bar that says what is asked now."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from pldverify.cli import progress

Shell = Callable[..., CompletedProcess[str]]
ROOT = Path(__file__).parents[3]
CHECK = ("check", "rdp", "10000 * poisson(gaussian(sigma=1), q=0.01)", "--delta", "1e-5")
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(3[0-9]|9[0-7])(?:;[0-9]+)*m")
CONTROL = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


def on_terminal(columns: int, *arguments: str, **environment: str) -> tuple[str, int]:
    """Everything that a terminal of that width shows, and the exit code."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        own = {**kept, "TERM": "xterm-256color", "PYTHONPATH": path, **environment}
        os.execve(sys.executable, [sys.executable, "-m", "pldverify", *arguments], own)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def after_the_bar(shown: str) -> list[str]:
    """Lines of the table, without colours."""
    return [CONTROL.sub("", line) for line in shown.partition("\x1b[?25h")[2].replace("\r", "").split("\n")]


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "most"), [(40, 5), (80, 2), (200, 2)])
def test_a_row_is_not_higher_than_it_must_be(columns: int, most: int) -> None:
    shown, code = on_terminal(columns, *CHECK)
    lines = after_the_bar(shown)
    assert code == 0
    assert all(len(line) <= columns for line in lines)
    starts = [i for i, line in enumerate(lines) if line.startswith("ε at δ=1e-5 of 10000 *")]
    ends = [i for i, line in enumerate(lines) if line.startswith("rdp/") and "UNSOUND" in line]
    assert len(starts) == len(ends) == 3
    assert all(end - start <= most for start, end in zip(starts, ends, strict=True))


@pytest.mark.slow
def test_colours_are_for_terminals_that_want_them(shell: Shell) -> None:
    assert COLOUR.search(on_terminal(80, *CHECK)[0])
    assert not COLOUR.search(on_terminal(80, *CHECK, NO_COLOR="1")[0])
    line = " ".join(f"'{word}'" for word in CHECK)
    piped = shell(f"pldverify {line}")
    assert "\x1b" not in piped.stdout + piped.stderr


@pytest.mark.slow
def test_the_bar_names_the_question_before_it_is_answered() -> None:
    shown, _ = on_terminal(80, *CHECK)
    bar = CONTROL.sub("", shown.partition("\x1b[?25h")[0])
    assert re.search(r"0/3[^\r]*rdp/canonne-2020: ε at δ=1e-5 of 10000", bar)
    assert re.search(r"3/3[^\r]*done", bar)


def test_elsewhere_the_question_is_a_line_at_once(shell: Shell) -> None:
    line = " ".join(f"'{word}'" for word in CHECK)
    result = shell(f"pldverify {line}")
    first, *_, last = result.stderr.splitlines()
    assert first.startswith("0/3, 0 s: rdp/canonne-2020: ε at δ=1e-5 of 10000 * poisson")
    assert last.startswith("3/3, ") and last.endswith(": done")


@pytest.mark.parametrize(
    ("seconds", "done", "total", "text"),
    [(0.0, 0, 9, "0 s"), (12.0, 3, 9, "24 s left"), (7.4, 9, 9, "7 s"), (100.0, 1, 126, "12500 s left")],
)
def test_what_is_left_takes_as_long_as_what_is_done(seconds: float, done: int, total: int, text: str) -> None:
    assert progress._left(seconds, done, total) == text


@pytest.mark.slow
def test_columns_count_where_there_is_no_terminal(shell: Shell) -> None:
    budget = "pldverify budget '100 * poisson(gaussian(1), q=0.01)' --accountant fourier --L 6 --n 2000"
    for columns, most in (("40", 6), ("80", 4)):
        printed = shell(f"{budget} --epsilon 0.5", COLUMNS=columns).stdout.splitlines()
        assert all(len(line) <= int(columns) for line in printed)
        (start,) = [i for i, line in enumerate(printed) if line.strip("│ ").startswith("tail")]
        (end,) = [i for i, line in enumerate(printed) if line.strip("│ ").startswith("truncation")]
        assert end - start <= most
