"""Markdown: a summary to paste into an issue, bounded, with every word of others as code."""

from pldverify.report import reproduction, tally
from pldverify.report.junit_xml import headline
from pldverify.report.numerals import at_least
from pldverify.report.order import loosest, worst_first
from pldverify.report.record import Findings, records
from pldverify.web_page import filled

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
    return filled(
        __file__,
        "summary.md",
        total=tally.Tally.of(found),
        table=tally.matrix(found),
        versions={standing.accountant: standing.versions for standing in tally.standings(found)},
        bad=worst_first([record for record in found if record.verdict in ("UNSOUND", "CRASHED", "INVALID")]),
        loose=loosest(found, len(found)),
        most_bad=MOST_BAD,
        most_loose=MOST_LOOSE,
        headline=headline,
        command=reproduction.shell,
        at_least=at_least,
    )
