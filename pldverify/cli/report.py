"""``pldverify report FILE...``: findings that ``check --json`` or a hunt wrote, in other formats."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from pldverify.cli import reports
from pldverify.cli.output import STDOUT
from pldverify.cli.reports import Document, Outputs
from pldverify.errors import InvalidInput


@click.command(cls=reports.Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@reports.outputs
def report(files: tuple[str, ...], outputs: Outputs) -> None:
    """Write findings in other formats, of FILEs of `check --json` or `hunt`; - is standard input.

    Without an option a summary in Markdown goes to standard output. Nothing is computed again, and nothing
    that stands in a FILE is run.
    """
    from pldverify.report import records

    outputs.apart_from(files)
    findings = [finding for file in files for finding in _read(file)]
    records(findings)  # all of them, before anything is written
    if not outputs.files:
        outputs = Outputs({"markdown": STDOUT})
    outputs.write(findings, lambda: None)


def _read(file: str) -> Sequence[Document]:
    """The findings in a file. Raises InvalidInput."""
    try:
        if file == STDOUT:
            text = sys.stdin.read()
        else:
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise InvalidInput(f"FILE must be a file that can be read, got {file}: {reason}") from None
    try:
        document: Any = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"FILE must be JSON that `check --json` or `hunt` wrote, got {file}: {error}"
        ) from None
    listed = _listed(document) if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise InvalidInput(f"FILE must have a list of findings, got {file}")
    return listed


def _listed(document: dict[str, Any]) -> Any:
    """The findings of a check, or the worst one of each cause of a hunt."""
    groups = document.get("found")
    if "findings" in document or not isinstance(groups, list):
        return document.get("findings")
    return [each.get("finding") if isinstance(each, dict) else each for each in groups]


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
