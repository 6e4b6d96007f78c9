"""The command line, called in this process and in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pldverify.cli import main

Run = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def run() -> Run:
    """``run("delta", "gaussian(1)", …)``: the command's result with its standard output and error apart."""
    return lambda *arguments: CliRunner().invoke(main, arguments)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """``shell("pldverify delta 'gaussian(1)' --epsilon 1 | head -1")``: what bash says of a line; the
    exit code is that of its first command. ``output`` is where its standard output goes.
    """
    program = tmp_path / "bin" / "pldverify"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pldverify "$@"\n')
    program.chmod(0o755)

    def line(
        command: str, output: int = subprocess.PIPE, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        own = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        own |= {
            "PATH": os.pathsep.join([str(program.parent), own["PATH"]]),
            "PYTHONPATH": path,
            **environment,
        }
        return subprocess.run(
            ["bash", "-c", f"{command}\nexit ${{PIPESTATUS[0]}}"],
            env=own,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )

    return line
