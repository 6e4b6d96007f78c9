"""The command line, called in this process."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from pldverify.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """``run("delta", "gaussian(1)", …)``: the command's result with its standard output and error apart."""
    return lambda *arguments: CliRunner().invoke(main, arguments)
