"""The group ``pldverify`` and its commands."""

import click

from pldverify.cli.budget import budget
from pldverify.cli.calibrate import calibrate
from pldverify.cli.certify import certify
from pldverify.cli.check import check
from pldverify.cli.convert import convert
from pldverify.cli.derive import derive
from pldverify.cli.enclosures import bracket, delta, epsilon, rdp, tail, tpr, trade_off
from pldverify.cli.env import env
from pldverify.cli.exits import MEANINGS
from pldverify.cli.freeze import freeze
from pldverify.cli.hunt import hunt
from pldverify.cli.least import gdp, zcdp
from pldverify.cli.outcomes import outcomes, without_greek
from pldverify.cli.profile import profile
from pldverify.cli.recheck import recheck
from pldverify.cli.report import report
from pldverify.cli.teeth import teeth
from pldverify.cli.theorems import theorems
from pldverify.mechanisms.expression import names
from pldverify.version import __version__


class _Group(click.Group):
    """Commands that end as :mod:`~pldverify.cli.outcomes` says, whether they run or only print help."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        without_greek()
        with outcomes():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with outcomes():
            return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])
        super().format_epilog(ctx, formatter)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Mechanisms: {', '.join(names())}.",
)
@click.version_option(__version__, prog_name="pldverify")
def main() -> None:
    """Is that privacy budget true? Proved enclosures of δ, ε and Rényi divergences, verdicts on accountants.

    EXPR is a mechanism expression such as "10000 * poisson(gaussian(sigma=1), q=0.01) + 5 * laplace(b=2)".
    Numbers mean what they say: 0.01 is 1/100. The flags of a run (--noise-multiplier, --batch-size, …) stand
    for the EXPR of DP-SGD.
    """


for _command in (
    delta,
    epsilon,
    bracket,
    rdp,
    tail,
    trade_off,
    tpr,
    gdp,
    zcdp,
    profile,
    calibrate,
    convert,
    check,
    hunt,
    report,
    certify,
    recheck,
    derive,
    budget,
    theorems,
    teeth,
    freeze,
    env,
):
    main.add_command(_command)
