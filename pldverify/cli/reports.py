"""Options that write findings to files: ``--html FILE`` and its kin, for every command that has findings.

A command takes them by ``@reports.outputs`` below ``@click.command(cls=reports.Command)``, gets ``outputs``,
and calls ``outputs.write(documents, table)`` once.
"""

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import click

from pldverify.cli.options import option, together
from pldverify.cli.output import STDOUT, echo, put_or_print, writing
from pldverify.errors import InvalidInput
from pldverify.foreign import json_text

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Document = Mapping[str, Any]
"""A finding in JSON form."""

FORMATS = {
    "html": "One page for a browser: verdicts, figures, a table of cells.",
    "markdown": "A summary to paste into an issue.",
    "csv": "A row for each finding.",
    "junit": "JUnit XML, for a CI system.",
    "sarif": "SARIF 2.1.0.",
}
"""What is written from the JSON form, by option: the name of its function in `report`."""


class Command(click.Command):
    """A command with ``--json[=FILE]``: alone it means standard output, as everywhere."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        before = args.index("--") if "--" in args else len(args)
        alone = [f"--json={STDOUT}" if arg == "--json" else arg for arg in args[:before]]
        return super().parse_args(ctx, alone + args[before:])


class File(click.ParamType[str]):
    """A file that can be written, or ``-``: a mistake is found before anything is computed."""

    name = "file"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        option = "file" if param is None else param.opts[0]
        folder = os.path.dirname(os.path.realpath(value))
        if value == STDOUT or _writable(value, folder):
            return value
        raise InvalidInput(f"{option} must be a file that can be written, got {option}={value}")


def _writable(value: str, folder: str) -> bool:
    if "\0" in value or not value or os.path.isdir(value):
        return False
    if os.path.exists(value):
        return os.access(value, os.W_OK)
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


@dataclass(frozen=True)
class Outputs:
    """Which formats go where; ``json`` among them.

    Raises InvalidInput where two go to the same place.
    """

    files: Mapping[str, str]

    def __post_init__(self) -> None:
        places: dict[str, str] = {}
        for name, file in self.files.items():
            place = file if file == STDOUT else os.path.realpath(file)
            if place in places:
                where = "standard output" if place == STDOUT else file
                raise InvalidInput(
                    f"--{places[place]} and --{name} must have different files, got {where} twice"
                )
            places[place] = name

    def apart_from(self, inputs: Sequence[str]) -> None:
        """Raises InvalidInput where an output would overwrite an input."""
        for name, file in self.files.items():
            if file != STDOUT and os.path.realpath(file) in map(os.path.realpath, inputs):
                raise InvalidInput(f"--{name} must not be a file that is read, got --{name}={file}")

    @property
    def to_stdout(self) -> bool:
        """Whether a format takes standard output, which is then its own."""
        return STDOUT in self.files.values()

    def write(self, findings: Sequence[Document], table: Callable[[], None]) -> None:
        """Every format, whatever becomes of the others; ``table`` prints what a person reads, where no format
        takes standard output.

        Where one fails and the JSON went nowhere, it is saved beside other temporary files, and a line says
        where. Raises the first failure, when all has been tried: InvalidInput for a file that
        can't be written, OSError where the disk is full or nobody reads, and what a format raises.
        """
        failures: dict[str, Exception] = {}
        for name, file in sorted(self.files.items(), key=lambda item: (item[1] == STDOUT, item[0] != "json")):
            try:
                text = _text(name, findings)
                with nullcontext() if file == STDOUT else writing(f"--{name}", file):
                    put_or_print(file, text)
            except Exception as error:
                error.add_note(f"while --{name} was written")
                failures[name] = error
        if not self.to_stdout:
            try:
                table()
            except Exception as error:
                failures["table"] = error
        if not failures:
            return
        saved = "json" in self.files and "json" not in failures
        if not saved and any(not isinstance(error, BrokenPipeError) for error in failures.values()):
            _rescue(findings)
        first, *others = failures.values()
        for each in others:
            echo(f"Error: {each}", err=True)
        raise first


def outputs(command: Decorated) -> Decorated:
    """``--json[=FILE]``, ``--html FILE`` and so on; the command gets ``outputs``."""

    @wraps(command)
    def decorate(*arguments: Any, **options: Any) -> Any:
        chosen = {name: options.pop(f"{name}_file") for name in ("json", *FORMATS)}
        files = {name: file for name, file in chosen.items() if file is not None}
        return command(*arguments, outputs=Outputs(files), **options)

    told = "One JSON document on standard output, or in --json=FILE."
    as_json = option("--json [=FILE]", told, File(), "json_file")
    written = [option(f"--{name} FILE", what, File(), f"{name}_file") for name, what in FORMATS.items()]
    return together(as_json, *written)(cast(Decorated, decorate))


def _text(name: str, findings: Sequence[Document]) -> str:
    if name == "json":
        return json_text({"findings": list(findings)}) + "\n"
    from pldverify import report

    return str(getattr(report, name)(findings))


def _rescue(findings: Sequence[Document]) -> None:
    """The findings, where they can be found again."""
    with suppress(OSError):
        handle, file = tempfile.mkstemp(prefix="pldverify-findings-", suffix=".json")
        with os.fdopen(handle, "wb") as stream:
            stream.write(_text("json", findings).encode("utf-8", "backslashreplace"))
        echo(f"the findings are saved in {file}: pldverify report {file}", err=True)
