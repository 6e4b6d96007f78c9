"""The group ``pldverify``; a command's file is loaded when it is asked for, and for help none is."""

from collections import UserDict
from collections.abc import Iterator
from importlib import import_module

import click

from pldverify.cli.exits import MEANINGS
from pldverify.cli.outcomes import outcomes, without_greek
from pldverify.version import __version__

HELP = {
    "bracket": "Enclose δ(ε) or ε(δ) of EXPR as well as it goes in a second.",
    "budget": "Split the error of an FFT accountant's δ(ε) into terms.",
    "calibrate": "Find the least σ, or the largest q or steps, for (ε, δ).",
    "certify": "Certify or refute that EXPR is (ε, δ)-DP, or every claim of claims files (TOML, JSON, CSV).",
    "check": "Judge what accountants answer: are they sound?",
    "convert": "Convert zCDP, RDP or GDP to (ε, δ).",
    "delta": "Enclose the true δ(ε) of EXPR.",
    "derive": "Derive the privacy loss of EXPR, and prove every formula.",
    "env": "Libraries that can't be installed beside others, each in an environment of its own.",
    "epsilon": "Enclose the true ε(δ) of EXPR, in nats.",
    "freeze": "Pin what ACCOUNTANT answers, beside proved enclosures; or tell which way answers have moved.",
    "gdp": "Find the least μ of Gaussian DP for EXPR, proved for every ε.",
    "hunt": "Search for the questions on which ACCOUNTANT is worst.",
    "profile": "Enclose δ(ε) or ε(δ) of EXPR at many points.",
    "rdp": "Enclose the true Rényi divergence of EXPR, in nats.",
    "recheck": "Decide the verdict of a certificate again, by another method.",
    "report": "Write findings in other formats, of FILEs of `check --json` or `hunt`; - is standard input.",
    "tail": "Enclose the true P(S ≥ ε) of the privacy loss S of EXPR.",
    "teeth": "Run the checks of the testing kit on faulty accountants, or on these; show what finds them.",
    "theorems": "What five papers state, and what became of it.",
    "tpr": "Enclose the largest true positive rate of an attack on EXPR.",
    "trade-off": "Enclose the least type II error f(α) after EXPR.",
    "zcdp": "Find the least ρ of zCDP for EXPR, proved for every order.",
}
"""Each command, and how its help begins."""
_SHARED = {
    **dict.fromkeys(("bracket", "delta", "epsilon", "rdp", "tail", "tpr", "trade-off"), "enclosures"),
    **dict.fromkeys(("gdp", "zcdp"), "least"),
}
"""Files of several commands; every other one has the name of its command."""


class _Commands(UserDict[str, click.Command]):
    """Commands by name, loaded as they are taken."""

    def __iter__(self) -> Iterator[str]:
        return iter(HELP)

    def __len__(self) -> int:
        return len(HELP)

    def __contains__(self, name: object) -> bool:
        return name in HELP

    def __getitem__(self, name: str) -> click.Command:
        if name not in HELP:
            raise KeyError(name)
        file = import_module(f"pldverify.cli.{_SHARED.get(name, name)}")
        command: click.Command = getattr(file, name.replace("-", "_"))
        return command


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            told = error.format_message()
            if "Did you mean" in told:
                raise
            raise click.UsageError(f"{told} One of {', '.join(HELP)}.", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        room = formatter.width - 6 - max(map(len, HELP))
        told = {name: click.Command(name, help=text).get_short_help_str(room) for name, text in HELP.items()}
        with formatter.section("Commands"):
            formatter.write_dl(list(told.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from pldverify.mechanisms.expression import names

        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(f"Mechanisms: {', '.join(names())}.")


@click.group(
    cls=_Group,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="pldverify")
def main() -> None:
    """Is that privacy budget true? Proved enclosures of δ, ε and Rényi divergences, verdicts on accountants.

    EXPR is a mechanism expression such as "10000 * poisson(gaussian(sigma=1), q=0.01) + 5 * laplace(b=2)".
    Numbers mean what they say: 0.01 is 1/100. The flags of a run (--noise-multiplier, --batch-size, …) stand
    for the EXPR of DP-SGD.
    """
