"""The worst come first: by severity, then by size."""

import math
import sys

from pldverify.report import records
from pldverify.report.order import loosest, worst_first
from pldverify.report.tally import standings
from tests.unit.report.findings import failed, finding, mixed, unsound


def test_verdicts_come_in_order() -> None:
    assert [record.verdict for record in worst_first(records(mixed()))] == [
        "UNSOUND", "UNSOUND", "CRASHED", "INVALID", "UNDECIDED", "SOUND", "SOUND", "REFUSED",
    ]  # fmt: skip


def test_a_material_violation_comes_before_a_larger_one_that_may_be_rounding() -> None:
    documents = [
        unsound(0.9, severity="rounding-level"),
        unsound(0.1),
        unsound(0.2),
        unsound(0.95, severity=None),
    ]
    assert [r.excess_float for r in worst_first(records(documents))][:3] == [0.2, 0.1, 0.95]


def test_the_loosest_come_first_and_tight_ones_not_at_all() -> None:
    documents = [finding(tightness_float=t) for t in (0.1, 0.0, 3.0)] + [failed()]
    documents += [finding(tightness=t, tightness_float=None) for t in ("inf", None, "1e999")]
    most = sys.float_info.max
    assert [r.in_epsilon for r in loosest(records(documents), 9)] == [math.inf, most, 3.0, 0.1]


def test_what_is_wrong_by_infinity_comes_first() -> None:
    """It came last, as it has no double, and the page said that the worst violation was another one."""
    documents = [unsound(0.2), unsound(0.9), unsound(excess="inf", excess_float=None)]
    found = records(documents)
    assert [r.in_epsilon for r in worst_first(found)] == [math.inf, 0.9, 0.2]
    (standing,) = standings(found)
    assert standing.worst_violation == math.inf
