"""How a command ends: every exception becomes one line on standard error and an exit code.

Only a bug in pldverify shows a traceback. An output that is closed or full ends the command, too: what is
left in its buffer goes nowhere, so that the interpreter has nothing to complain about when it leaves.
"""

import io
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import click

from pldverify.cli.exits import Exit
from pldverify.cli.output import FULL, echo
from pldverify.errors import NoConvergence, OracleDisagreement, PldverifyError, SubjectFailure


def without_greek() -> None:
    """A terminal that cannot show δ and ε still gets its answer."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def outcomes() -> Iterator[None]:
    """Ends with ``click.exceptions.Exit`` whatever the block raises."""
    try:
        yield
    except (click.exceptions.Exit, click.Abort):
        raise
    except click.exceptions.NoArgsIsHelpError as error:
        with suppress(OSError):
            error.show()
        raise click.exceptions.Exit(Exit.BAD_INPUT) from None
    except click.ClickException as error:
        fail(_usage(error), Exit.BAD_INPUT)
    except KeyboardInterrupt:
        fail("interrupted", Exit.INTERRUPTED)
    except NoConvergence as error:
        proved = "" if error.bracket is None else f"proved: {error.bracket}; "
        fail(f"undecided: {proved}{error}", Exit.UNDECIDED)
    except SubjectFailure as error:
        fail(f"undecided: {error}", Exit.UNDECIDED)
    except OracleDisagreement as error:
        _crash(f"two routes disagree: {error}: a bug in pldverify, please report it")
    except PldverifyError as error:
        fail(str(error), Exit.BAD_INPUT)
    except BrokenPipeError:
        _give_up_output()
        raise click.exceptions.Exit(Exit.NOBODY_READS) from None
    except OSError as error:
        if error.errno not in FULL:
            _crash("a bug in pldverify, please report it")
        _give_up_output()
        fail(f"the output cannot be written: {error.strerror}", Exit.NOT_WRITTEN)
    except Exception:
        _crash("a bug in pldverify, please report it")


def fail(message: str, code: Exit) -> NoReturn:
    """One line on standard error, and the end. Raises ``click.exceptions.Exit``."""
    with suppress(OSError):  # the exit code still says it
        echo(f"Error: {' '.join(message.split())}", err=True)
    raise click.exceptions.Exit(code)


def _crash(message: str) -> NoReturn:
    with suppress(OSError):
        echo(traceback.format_exc(), err=True)
    fail(message, Exit.CRASHED)


def _usage(error: click.ClickException) -> str:
    """What click says, and where the command's help is."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = "" if context is None else f" (see {context.command_path} --help)"
    return f"{error.format_message()}{where}"


def _give_up_output() -> None:
    """What standard output still holds is written nowhere."""
    with suppress(OSError, ValueError, AttributeError):  # no stream, or none with a descriptor
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
