"""The group ``pldverify``: its commands, and how errors become exit codes."""

import io
import sys
import traceback
from typing import NoReturn

import click

from pldverify import __version__
from pldverify.cli.bracket import bracket
from pldverify.cli.budget import budget
from pldverify.cli.certify import certify
from pldverify.cli.check import check
from pldverify.cli.delta import delta
from pldverify.cli.derive import derive
from pldverify.cli.env import env
from pldverify.cli.epsilon import epsilon
from pldverify.cli.exits import Exit
from pldverify.cli.rdp import rdp
from pldverify.cli.tail import tail
from pldverify.cli.trade_off import trade_off
from pldverify.errors import NoConvergence, OracleDisagreement, PldverifyError, SubjectFailure
from pldverify.mechanisms.expression import MECHANISMS


class _Group(click.Group):
    """Turns every exception into one line and an exit code; only a bug in pldverify shows a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal without δ and ε still gets its answer
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            _fail("interrupted", Exit.INTERRUPTED)
        except NoConvergence as error:
            proved = "" if error.bracket is None else f"proved: {error.bracket}; "
            _fail(f"undecided: {proved}{error}", Exit.UNDECIDED)
        except SubjectFailure as error:
            _fail(f"undecided: {error}", Exit.UNDECIDED)
        except OracleDisagreement as error:
            traceback.print_exc()
            _fail(f"two routes disagree: {error}: a bug in pldverify, please report it", Exit.CRASHED)
        except PldverifyError as error:
            _fail(str(error), Exit.BAD_INPUT)
        except Exception:
            traceback.print_exc()
            _fail("a bug in pldverify, please report it", Exit.CRASHED)


def _fail(message: str, code: Exit) -> NoReturn:
    click.echo(f"Error: {message}", err=True)
    raise click.exceptions.Exit(code)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Mechanisms: {', '.join(MECHANISMS)}.",
)
@click.version_option(__version__, prog_name="pldverify")
def main() -> None:
    """Is that privacy budget true? Proved enclosures of δ, ε and Rényi divergences, verdicts on accountants.

    EXPR is a mechanism expression such as "10000 * poisson(gaussian(sigma=1), q=0.01) + 5 * laplace(b=2)".
    Numbers mean what they say: 0.01 is 1/100.

    Exit codes: 0 all sound or certified, 1 any unsound or refuted, 2 bad input, 3 undecided.
    """


for _command in (delta, epsilon, bracket, rdp, tail, trade_off, check, certify, derive, budget, env):
    main.add_command(_command)
