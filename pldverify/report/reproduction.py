"""A finding once more: in Python, and on the command line."""

import shlex

from pldverify.report.record import Record

_MOST = 4_000
"""Characters of a snippet; a longer one is nothing to copy."""
_ASKED = {
    "epsilon": ("Query", ("delta",)),
    "delta": ("Query", ("epsilon",)),
    "noise": ("NoiseQuery", ("epsilon", "delta")),
    "rdp": ("RenyiQuery", ("order",)),
    "trade-off": ("TradeOffQuery", ("alpha",)),
    "tail": ("TailQuery", ("loss",)),
}
"""By quantity, the class of the question and what it is given beside the composition."""


def python(record: Record) -> str:
    """Three lines; "" for a question of a kind that is not known here, or that is too long.

    A string in it is a Python literal, so that nothing in it is ever more than a string.

    >>> from pldverify.report import records
    >>> from pldverify.report.reproduction import python
    >>> print(python(records([pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))])[0]))
    import pldverify as pv
    query = pv.Query('gaussian(sigma=1)', delta='1e-6', adjacency='add-or-remove')
    print(pv.check('gdp/upper', query))
    """
    asked = _asked(record)
    if asked is None:
        return ""
    kind, given = asked
    name, direction = _named(record)
    stated = f", direction={direction!r}" if direction else ""
    listed = ", ".join(f"{name}={value!r}" for name, value in given.items())
    lines = (
        "import pldverify as pv",
        f"query = pv.{kind}({record.composition!r}, {listed}, adjacency={record.adjacency!r})",
        f"print(pv.check({name!r}, query{stated}))",
    )
    snippet = "\n".join(lines)
    return snippet if len(snippet) <= _MOST else ""


def shell(record: Record) -> str:
    """The command; "" as above, for what it does not ask, which is all but ε and δ, and where the command or
    a terminal would take a text for more than itself.

    >>> from pldverify.report import records
    >>> from pldverify.report.reproduction import shell
    >>> print(shell(records([pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))])[0]))
    pldverify check gdp/upper 'gaussian(sigma=1)' --delta=1e-6 --adjacency=add-or-remove
    """
    asked = _asked(record)
    name, direction = _named(record)
    subject = (name, record.composition)
    if asked is None or asked[0] != "Query" or any(text.startswith("-") for text in subject):
        return ""
    options = [*(f"--{name}={value}" for name, value in asked[1].items()), f"--adjacency={record.adjacency}"]
    options += [f"--direction={direction}"] if direction else []
    command = shlex.join(["pldverify", "check", *subject, *options])
    return command if len(command) <= _MOST and command.isprintable() else ""


def _named(record: Record) -> tuple[str, str | None]:
    """What is asked for an accountant, and the direction that is to be stated."""
    again = record.asked_as
    return (record.accountant, None) if again is None else (again.name, again.direction)


def _asked(record: Record) -> tuple[str, dict[str, str]] | None:
    """The class of the question and what is given to it; None where something is missing."""
    if record.quantity not in _ASKED:
        return None
    kind, names = _ASKED[record.quantity]
    given = {name: value for name in names if (value := getattr(record, name)) is not None}
    return (kind, given) if len(given) == len(names) else None
