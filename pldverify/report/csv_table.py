"""CSV: every finding a row. No cell can become a formula of a spreadsheet."""

from collections.abc import Iterator

from pldverify.foreign import csv_table
from pldverify.report.mechanism import parameters, shape
from pldverify.report.record import Findings, Record, records

COLUMNS = (
    "verdict", "severity", "accountant", "version", "mechanism", "composition", "adjacency", "quantity",
    "delta", "epsilon", "order", "alpha", "loss", "steps", "direction", "claim", "truth_lower",
    "truth_upper", "slack", "excess", "slack_in_epsilon", "error", "lower_by", "upper_by", "engine",
    "seconds", "cause", "reason",
)  # fmt: skip


def csv(findings: Findings) -> str:
    """A heading and a row for each finding, in their order: claim and truth with as many digits as the
    verdict needs, other numbers in double precision, "" where there is none and ``inf`` for infinity. A text
    that a spreadsheet could take for a formula gets an apostrophe in front.

    Raises InvalidInput for what is no finding.

    >>> found = pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))
    >>> pv.report.csv([found]).splitlines()[1][:42]
    '"SOUND","","gdp/upper","0.1.0","gaussian",'
    """
    return csv_table([COLUMNS, *(list(_row(record)) for record in records(findings))])


def _row(record: Record) -> Iterator[str | float]:
    yield from (record.verdict, record.severity or "", record.accountant, record.version)
    yield from (shape(record.composition), record.composition, record.adjacency, record.quantity)
    yield from (record.delta or "", record.epsilon or "")
    yield from (record.order or "", record.alpha or "", record.loss or "")
    yield from (parameters(record.composition)["k"], record.direction or "")
    yield from (record.shown.claim, record.shown.lower, record.shown.upper)
    yield _number(record.slack, record.slack_float)
    yield _number(record.excess, record.excess_float)
    yield _number(record.tightness, record.tightness_float)
    yield "" if record.error_float is None else record.error_float
    yield from (
        record.lower_by or "",
        record.upper_by or "",
        record.engine or "",
        record.seconds,
        record.cause or "",
        record.reason,
    )


def _number(exact: str | None, double: float | None) -> str | float:
    """What a double cannot hold is shown as infinity."""
    if double is not None:
        return double
    return "" if exact is None else "inf"
