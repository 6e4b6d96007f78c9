"""How a command ends in a real shell: closed pipes, full disks, streams that are not there."""

import os
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from pldverify.cli.exits import MEANINGS, Exit

Shell = Callable[..., CompletedProcess[str]]
REFUTED = "pldverify certify 'gaussian(1)' --delta 1e-5 --epsilon 1 --explain"
SOUND = "pldverify check rdp/canonne-2020 'gaussian(1)' --delta 1e-5 2>/dev/null"


@pytest.mark.parametrize(
    "command",
    [
        "pldverify certify 'gaussian(1)' --delta 1e-5 --epsilon 9",
        "pldverify certify 'gaussian(1)' --delta 1e-5 --epsilon 9 --json",
        SOUND,
        "pldverify derive 'pure_dp(epsilon)'",
        "pldverify --help",
        "pldverify delta --help",
    ],
)
def test_a_closed_pipe_is_no_refutation(shell: Shell, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = shell(command, output=writer)
    os.close(writer)
    assert (result.returncode, result.stderr) == (Exit.NOBODY_READS, "")


def test_head_takes_what_it_wants(shell: Shell) -> None:
    result = shell("pldverify profile 'gaussian(1)' --epsilon 0:1:11 --digits 3 | head -1")
    assert result.stdout == "  ε  δ(ε)\n"
    assert result.returncode in (Exit.SOUND, Exit.NOBODY_READS)


@pytest.mark.parametrize("command", [REFUTED, f"{REFUTED} --json", "pldverify --help", "pldverify --version"])
def test_a_full_disk_is_told_in_one_line(shell: Shell, command: str) -> None:
    result = shell(f"{command} >/dev/full")
    assert result.returncode == Exit.NOT_WRITTEN
    assert result.stderr == "Error: the output cannot be written: No space left on device\n"


def test_a_table_on_a_full_disk(shell: Shell) -> None:
    assert shell(f"{SOUND} >/dev/full").returncode == Exit.NOT_WRITTEN


def test_a_full_disk_for_messages_leaves_the_exit_code(shell: Shell) -> None:
    for away in ("2>/dev/full", "2>&-"):
        result = shell(f"pldverify delta 'gaussian(0)' --epsilon 1 {away}")
        assert (result.returncode, result.stdout) == (Exit.BAD_INPUT, "")


def test_a_closed_output_leaves_the_verdict(shell: Shell) -> None:
    assert shell(f"{REFUTED} >&-").returncode == Exit.REFUTED
    assert shell(f"{SOUND} >&-").returncode == Exit.SOUND


def test_files_that_cannot_be_written(shell: Shell) -> None:
    profile = "pldverify profile 'gaussian(1)' --epsilon 1 --digits 3"
    assert shell(f"{profile} --csv /dev/full").returncode == Exit.NOT_WRITTEN
    for option, name in (("--csv", "no/such/place.csv"), ("--plot", "no/such/place.png")):
        result = shell(f"{profile} {option} {name}")
        assert result.returncode == Exit.BAD_INPUT
        wanted = f"Error: {option} must be a file that can be written, got {option} {name}: No such file"
        assert result.stderr.startswith(wanted)


def test_no_arguments_show_the_help(shell: Shell) -> None:
    result = shell("pldverify")
    assert result.returncode == Exit.BAD_INPUT and "Usage: pldverify" in result.stderr


def test_every_exit_code_has_a_meaning_in_the_help(shell: Shell) -> None:
    assert set(MEANINGS) == set(Exit)
    printed = shell("pldverify --help", COLUMNS="100").stdout
    for code, meaning in MEANINGS.items():
        assert f"  {int(code)} " in printed and meaning in printed
