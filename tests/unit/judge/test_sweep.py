from fractions import Fraction

import pytest

from pldverify.errors import InvalidInput
from pldverify.judge.sweep import sweep
from pldverify.mechanisms import Gaussian, Query
from tests.unit.accountants import hostile, subjects
from tests.unit.accountants.subjects import Subject

PATIENCE = 600
QUERIES = [Query(Gaussian(10), delta="1e-5"), Query(Gaussian("0.1"), delta="1e-5")]
REFUSED = Query(Gaussian(10), delta="1e-5", adjacency="remove")


def test_every_pair_has_a_finding_in_order_and_failures_are_findings() -> None:
    """True ε: 0.3 or so for σ = 10 and 90 or so for σ = 0.1, so 1 is an upper bound once."""
    behaviours = [subjects.one, subjects.raises, subjects.nan, hostile.bare_nan, subjects.exits]
    seen = []
    found = list(
        sweep([Subject(b) for b in behaviours], [*QUERIES, REFUSED], timeout=PATIENCE, on_finding=seen.append)
    )
    assert seen == found
    names = [f"test-library/{behave.__name__}" for behave in behaviours]
    assert [(f.query, f.accountant) for f in found] == [
        (query, name) for query in [*QUERIES, REFUSED] for name in names
    ]
    for number, query in enumerate(QUERIES):
        one, raises, nan, garbage, exits = found[5 * number : 5 * number + 5]
        assert one.verdict == ("SOUND", "UNSOUND")[number]
        assert one.claim is not None and one.claim.value == Fraction(1)
        assert raises.reason == "test-library/raises 1.2.3 raised ZeroDivisionError: the grid is empty"
        assert nan.reason.endswith("which is not a claim")
        assert garbage.reason.endswith("answered with the bare number NaN, and not with a string")
        assert exits.reason.endswith("ended its process (exit code 7: last words)")
        causes = [failed.cause for failed in (raises, nan, garbage, exits)]
        assert causes == ["RAISED", "INVALID", "INVALID", "CRASHED"]
        verdicts = [failed.verdict for failed in (raises, nan, garbage, exits)]
        assert verdicts == ["CRASHED", "INVALID", "INVALID", "CRASHED"]
        for failed in (raises, nan, garbage, exits):
            assert failed.claim is None
            assert failed.truth == one.truth
            assert failed.query == query
    for refused in found[10:]:
        assert (refused.verdict, refused.claim, refused.cause) == ("REFUSED", None, "REFUSED")
        assert refused.truth is None
        assert refused.version == "1.2.3"
        assert refused.reason.endswith("only add-or-remove")


def test_a_hanging_subject_is_a_finding() -> None:
    (found,) = sweep([Subject(subjects.hangs)], QUERIES[:1], timeout=0.2)
    assert (found.verdict, found.claim, found.cause) == ("CRASHED", None, "TIMED OUT")
    assert found.truth is not None
    assert found.reason.endswith("exceeded 0.2 s and was stopped")


def test_a_library_cannot_spoil_the_answer_of_another() -> None:
    spoiling, honest = Subject(subjects.spoils, library="spoiling"), Subject(subjects.one, library="honest")
    spoiled, sound = sweep([spoiling, honest], QUERIES[:1], timeout=PATIENCE)
    assert sound.claim is not None and sound.claim.value == 1
    assert spoiled.claim is not None


def test_findings_come_one_by_one() -> None:
    findings = sweep([Subject(subjects.one)], (query for query in QUERIES), timeout=PATIENCE)
    assert next(findings).verdict == "SOUND"
    findings.close()  # type: ignore[attr-defined]


def test_accountants_are_found_by_name_before_the_first_finding() -> None:
    with pytest.raises(InvalidInput, match="accountant must be one of"):
        sweep(["dp-accounting", "no-such-accountant"], QUERIES)
    with pytest.raises(InvalidInput, match="timeout must be > 0"):
        sweep(["dp-accounting"], QUERIES, timeout=0)
    found = list(sweep(["dp-accounting"], QUERIES[:1], timeout=PATIENCE))
    assert [(f.accountant, f.verdict) for f in found] == [("dp-accounting/pld", "SOUND")]
