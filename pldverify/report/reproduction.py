"""A finding once more: in Python, and on the command line."""

import shlex

from pldverify.report.record import Record

_MOST = 4_000
"""Characters of a snippet; a longer one is nothing to copy."""


def python(record: Record) -> str:
    """Three lines; "" for a question that ``pv.Query`` cannot ask, or that is too long.

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
    name, value = asked
    lines = (
        "import pldverify as pv",
        f"query = pv.Query({record.composition!r}, {name}={value!r}, adjacency={record.adjacency!r})",
        f"print(pv.check({record.accountant!r}, query))",
    )
    snippet = "\n".join(lines)
    return snippet if len(snippet) <= _MOST else ""


def shell(record: Record) -> str:
    """The command; "" as above, and where the command or a terminal would take a text for more than itself.

    >>> from pldverify.report import records
    >>> from pldverify.report.reproduction import shell
    >>> print(shell(records([pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))])[0]))
    pldverify check gdp/upper 'gaussian(sigma=1)' --delta=1e-6 --adjacency=add-or-remove
    """
    asked = _asked(record)
    subject = (record.accountant, record.composition)
    if asked is None or any(text.startswith("-") for text in subject):
        return ""
    name, value = asked
    options = [f"--{name}={value}", f"--adjacency={record.adjacency}"]
    command = shlex.join(["pldverify", "check", *subject, *options])
    return command if len(command) <= _MOST and command.isprintable() else ""


def _asked(record: Record) -> tuple[str, str] | None:
    if record.quantity == "epsilon" and record.delta is not None:
        return "delta", record.delta
    if record.quantity == "delta" and record.epsilon is not None:
        return "epsilon", record.epsilon
    return None
