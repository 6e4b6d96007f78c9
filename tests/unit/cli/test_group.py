"""The group: what its help says of commands that it does not load, and a command that there isn't."""

import inspect
from collections.abc import Callable

from click.testing import Result

from pldverify.cli import main
from pldverify.cli.group import HELP

Run = Callable[..., Result]


def test_help_says_how_each_command_begins() -> None:
    for name, command in main.commands.items():
        assert command.help is not None
        first = inspect.cleandoc(command.help).partition("\n\n")[0]
        assert HELP[name] == " ".join(first.split()), name
        assert command.name == name


def test_every_command_is_listed(run: Run) -> None:
    printed = run("--help").stdout
    assert all(f"\n  {name} " in printed for name in HELP)


def test_a_command_that_there_is_not(run: Run) -> None:
    done = run("certfy")
    assert done.exit_code == 2 and "Did you mean" in done.stderr and "certify" in done.stderr
    assert "bracket" not in done.stderr
    done = run("explain", "Lemma 5.4")
    assert done.exit_code == 2 and "theorems" in done.stderr and len(done.stderr.splitlines()) == 1
