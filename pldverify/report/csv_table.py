"""CSV: every finding a row. No cell can become a formula of a spreadsheet."""

from collections.abc import Callable

from pldverify.foreign import csv_table
from pldverify.report.mechanism import parameters, shape
from pldverify.report.numerals import beyond
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
    return csv_table([COLUMNS, *map(_row, records(findings))])


def _row(record: Record) -> list[str | float]:
    return [_COMPUTED[name](record) if name in _COMPUTED else getattr(record, name) or "" for name in COLUMNS]


def _number(exact: str | None, double: float | None) -> str | float:
    """In double precision, or rounded down, as text, where no double holds it."""
    if double is not None:
        return double
    return "" if exact is None else beyond(exact)


_COMPUTED: dict[str, Callable[[Record], str | float]] = {
    "mechanism": lambda record: shape(record.composition),
    "steps": lambda record: parameters(record.composition)["k"],
    "claim": lambda record: record.shown.claim,
    "truth_lower": lambda record: record.shown.lower,
    "truth_upper": lambda record: record.shown.upper,
    "slack": lambda record: _number(record.slack, record.slack_float),
    "excess": lambda record: _number(record.excess, record.excess_float),
    "slack_in_epsilon": lambda record: _number(record.tightness, record.tightness_float),
    "error": lambda record: _number(None, record.error_float),
    "seconds": lambda record: record.seconds,
}
"""Columns that are no text of a record; others are the attribute of their name."""
