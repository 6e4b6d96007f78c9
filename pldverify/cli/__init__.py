"""The command line: one file a command, everything heavy loaded when it is needed."""

from pldverify.cli.group import main

__all__ = ["main"]
