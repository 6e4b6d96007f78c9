"""Counts are complete, however many names there are."""

from pldverify.report import records
from pldverify.report.tally import MOST_ACCOUNTANTS, MOST_MECHANISMS, OTHERS, Tally, matrix, standings
from tests.unit.report.findings import LONG, finding, mixed, unsound


def test_a_tally_is_coloured_by_its_worst() -> None:
    found = records(mixed())
    assert Tally.of(found).worst == "UNSOUND"
    assert Tally.of(records([finding(), unsound(1e-13, severity="rounding-level")])).worst == "ROUNDING"
    assert Tally.of(records([unsound(severity="undecided")])).worst == "ROUNDING"
    assert Tally.of(records([finding()])).worst == "SOUND"
    assert Tally.of([]).worst == "NONE"


def test_notes_say_how_many_are_material() -> None:
    notes = Tally.of(records(mixed())).notes
    assert notes[0] == "2 UNSOUND (1 material)"
    assert sorted(notes[1:]) == ["1 CRASHED", "1 INVALID", "1 REFUSED", "1 UNDECIDED", "2 SOUND"]


def test_the_matrix_counts_every_finding() -> None:
    found = records(mixed())
    table = matrix(found)
    assert table.mechanisms == ["poisson(gaussian)", "laplace", "gaussian + laplace"]
    assert [row for row, _ in table.rows] == ["planted/upper", "other", "third"]
    assert sum(tally.total for _, tallies in table.rows for tally in tallies if tally) == len(found)
    assert table.rows[2][1][1] is None, "not asked"


def test_many_names_are_counted_together() -> None:
    documents = [finding(accountant=f"a{i}", composition=f"m{i}(x=1)") for i in range(200)]
    table = matrix(records(documents))
    assert len(table.rows) == MOST_ACCOUNTANTS + 1 and len(table.mechanisms) == MOST_MECHANISMS + 1
    assert table.rows[-1][0] == table.mechanisms[-1] == OTHERS
    assert sum(tally.total for _, tallies in table.rows for tally in tallies if tally) == 200


def test_standings() -> None:
    first, second, third = standings(records(mixed()))
    assert (first.accountant, first.median_slack, first.worst_slack) == ("planted/upper", 0.375, 0.5)
    assert first.worst_violation == 1e-13
    assert second.worst_violation == 0.5
    assert third.median_slack is None
    assert second.versions == "1.0"


def test_a_long_name_is_short() -> None:
    (standing,) = standings(records([finding(accountant=LONG, version=LONG)]))
    assert len(standing.accountant) < 200 and len(standing.versions) < 200
