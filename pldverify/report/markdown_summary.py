"""Markdown: a summary to paste into an issue, bounded, with every word of others as code."""

from collections.abc import Iterable, Iterator, Sequence

from pldverify.foreign import code_cell as code
from pldverify.report import reproduction, tally
from pldverify.report.junit_xml import headline
from pldverify.report.numerals import at_least
from pldverify.report.order import loosest, worst_first
from pldverify.report.record import Findings, Record, records
from pldverify.version import __version__

MOST_BAD = 30
"""Wrong or failed findings that are listed."""
MOST_LOOSE = 10
"""Loose findings that are listed."""


def markdown(findings: Findings) -> str:
    """Totals, a matrix, what is wrong, what is loose. Raises InvalidInput for what is no finding.

    >>> found = pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))
    >>> print(pv.report.markdown([found]).splitlines()[2])
    1 finding: 1 SOUND.
    """
    found = records(findings)
    return "\n".join([*_head(found), *_matrix(found), *_bad(found), *_loose(found), *_foot()]) + "\n"


def _head(found: Sequence[Record]) -> Iterator[str]:
    total = tally.Tally.of(found)
    yield "# Accountants against the truth"
    yield ""
    notes = ", ".join(total.notes) or "nothing was asked"
    yield f"{total.total:,} finding{'' if total.total == 1 else 's'}: {notes}."
    yield ""


def _matrix(found: Sequence[Record]) -> Iterator[str]:
    if not found:
        return
    table = tally.matrix(found)
    versions = {standing.accountant: standing.versions for standing in tally.standings(found)}
    yield from _row(["accountant", "version", *map(code, table.mechanisms)])
    yield from _row(["---"] * (len(table.mechanisms) + 2))
    for accountant, tallies in table.rows:
        cells = ["" if each is None else "<br>".join(each.notes) for each in tallies]
        yield from _row([code(accountant), code(versions[accountant]), *cells])
    yield ""


def _bad(found: Sequence[Record]) -> Iterator[str]:
    bad = worst_first([record for record in found if record.verdict in ("UNSOUND", "CRASHED", "INVALID")])
    if not bad:
        return
    yield "## Wrong, and failed"
    yield ""
    for record in bad[:MOST_BAD]:
        who, asked = code(record.accountant), code(record.question)
        yield f"- **{record.verdict}** {who} on {asked}: {code(headline(record))}"
        if command := reproduction.shell(record):
            yield f"  {code(command, 1_000)}"
    yield from _left_out(bad, MOST_BAD)


def _loose(found: Sequence[Record]) -> Iterator[str]:
    loose = loosest(found, len(found))
    if not loose:
        return
    yield "## Loosest sound bounds"
    yield ""
    yield from _row(["gives away, in ε", "accountant", "question"])
    yield from _row(["---:", "---", "---"])
    for record in loose[:MOST_LOOSE]:
        yield from _row([at_least(record.in_epsilon or 0), code(record.accountant), code(record.question)])
    yield from _left_out(loose, MOST_LOOSE)


def _left_out(listed: Sequence[Record], most: int) -> Iterator[str]:
    yield ""
    if len(listed) > most:
        yield f"{len(listed) - most:,} more are left out."
        yield ""


def _foot() -> Iterator[str]:
    yield "UNSOUND is proved: an enclosure of the true value excludes the claim."
    yield "UNDECIDED is neither praise nor blame."
    yield f"Written by pldverify {__version__}."


def _row(cells: Iterable[str]) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"
