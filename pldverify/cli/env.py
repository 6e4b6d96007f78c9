"""``pldverify env``: libraries in environments of their own."""

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json
from pldverify.cli.output import echo


@click.group()
def env() -> None:
    """Libraries that can't be installed beside others, each in an environment of its own.

    They stand in $XDG_DATA_HOME/pldverify/environments, or ~/.local/share/pldverify/environments.
    """


@env.command()
@click.argument("name")
@click.option("--python", metavar="PATH", help="The Python that it is made with; ours if left out.")
def add(name: str, python: str | None) -> None:
    """Make the environment of the library NAME; this needs a network."""
    import sys

    from pldverify.accountants import environments
    from pldverify.accountants.registry import beside

    echo(f"installing {name} in {environments.root() / name}", err=True)
    made = environments.add(name, python or sys.executable)
    asked = ", ".join(beside(name)) or "no accountant has an adapter that can run"
    echo(f"{name} {made.version} is installed; asked there: {asked}")


@env.command("list")
@options.as_json
def list_(as_json: bool) -> None:
    """Show the environments: version, Python, size, and whether the library answers."""
    from pldverify.accountants import environments

    found = [each.state() for each in environments.environments()]
    if as_json:
        echo_json({"environments": found})
        return
    for state in found:
        answers = "answers" if state["broken"] is None else f"broken: {state['broken']}"
        size = f"{int(state['bytes'] or 0) / 1e6:.0f} MB"
        echo(f"{state['name']} {state['version']}, Python {state['python']}, {size}, {answers}")
    others = [name for name in environments.RECIPES if name not in {state["name"] for state in found}]
    echo(f"{'' if found else 'no environments; '}pldverify env add knows {', '.join(others)}", err=True)


@env.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove the environment of the library NAME."""
    from pldverify.accountants import environments

    environments.remove(name)
    echo(f"the environment of {name} is removed")
