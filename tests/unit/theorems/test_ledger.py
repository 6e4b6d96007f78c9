"""The ledger: every record is whole, every stored verdict is what its evidence says."""

from dataclasses import replace
from importlib import import_module

import pytest

from pldverify.errors import InvalidInput
from pldverify.theorems import check, chosen, record, records
from pldverify.theorems.evidence import (
    Case,
    attacked,
    conditional,
    corrected,
    decided,
    necessary,
    not_checkable,
    written,
)
from pldverify.theorems.ledger import PAPERS
from pldverify.theorems.record import Record, Verdict

IDS = [each.id for each in records()]


@pytest.mark.sample(34)
@pytest.mark.parametrize(
    "each", [pytest.param(r, id=r.id, marks=[pytest.mark.slow] if r.slow else []) for r in records()]
)
def test_the_stored_verdict_is_found(each: Record) -> None:
    found = check(each)
    assert found.agrees, found.outcome


def test_ids_are_unique_and_every_paper_is_there() -> None:
    assert len(set(IDS)) == len(IDS)
    assert {each.paper for each in records()} == set(PAPERS)


@pytest.mark.parametrize("each", records(), ids=IDS)
def test_a_record_is_whole(each: Record) -> None:
    assert each.statement and each.place
    assert (each.line or 0) > 0 or each.paper == "OWN"
    assert set(each.depends) <= set(IDS)
    for place in each.used:
        module, _, name = place.partition(":")
        assert not name or hasattr(import_module(module), name), place
    if each.verdict is Verdict.CORRECTED:
        assert each.correction, "a corrected statement says what holds"
    if each.verdict is Verdict.CONDITIONAL:
        assert each.needed, "a conditional statement says under what"
    if each.verdict is Verdict.PROVED:
        assert not each.needed, "what needs a hypothesis that print does not state is conditional"


def test_one_statement_has_one_verdict() -> None:
    """What two papers print alike is judged alike."""
    verdicts = {each.statement: each.verdict for each in records()}
    assert [each.id for each in records() if verdicts[each.statement] is not each.verdict] == []


def test_what_rests_on_a_statement_does_not_rest_on_itself() -> None:
    below = {each.id: set(each.depends) for each in records()}
    while leaves := [id for id, rest in below.items() if not rest]:
        for id in leaves:
            del below[id]
        for rest in below.values():
            rest.difference_update(leaves)
    assert not below


def test_an_unknown_id_is_told_its_neighbours() -> None:
    with pytest.raises(InvalidInput, match=r"GLW21/lem-5\.2/proof"):
        record("lem-5.2")
    assert [each.id for each in chosen(["GLW21/eq-10"])] == ["GLW21/eq-10"]


def test_a_record_is_found_by_its_place_in_a_paper() -> None:
    assert record("KH21/LEM-2") is record("kh21 Lemma 2") is record("KH21/lem-2")
    assert record("Lemma 5.4") is record("GLW21/lem-5.4")
    with pytest.raises(InvalidInput, match=r"KJH19/lem-5, .*KH21/lem-5"):
        record("Lemma 5")  # several papers have one


# --- teeth ---

TRUE = attacked(lambda: [Case("1 ≤ 2", 1, 2)] * 20)
FEW = attacked(lambda: [Case("1 ≤ 2", 1, 2)] * 19)
FALSE = attacked(lambda: [Case("1 ≤ 2", 1, 2), Case("3 ≤ 2", 3, 2)])


def test_a_wrong_verdict_is_seen() -> None:
    wrong = replace(record("GLW21/eq-6/X"), verdict=Verdict.PROVED)
    assert not check(wrong).agrees


def test_evidence_says_no_more_than_it_has() -> None:
    assert TRUE().verdict is Verdict.SUPPORTED
    assert FALSE().verdict is Verdict.REFUTED and "3 ≤ 2" in FALSE().witness
    assert decided(lambda: [Case("1 < 2", 1, 2, "<")])().verdict is Verdict.PROVED
    assert FEW().verdict is Verdict.NOT_CHECKABLE and corrected(FALSE, FEW)().verdict is Verdict.REFUTED
    assert written("By hand.", TRUE)().verdict is Verdict.PROVED
    assert written("By hand.", FEW)().verdict is Verdict.PROVED
    assert written("By hand.", attacked(lambda: []))().verdict is Verdict.NOT_CHECKABLE
    assert written("By hand.", TRUE, FALSE)().verdict is Verdict.REFUTED
    assert written("By hand.", FALSE)().verdict is Verdict.REFUTED
    assert written("pldverify.bounds.upper_end:upper", TRUE)().verdict is Verdict.NOT_CHECKABLE


def test_a_correction_needs_a_counterexample_and_a_check() -> None:
    assert corrected(FALSE, TRUE)().verdict is Verdict.CORRECTED
    assert corrected(TRUE, TRUE)().verdict is Verdict.SUPPORTED
    assert corrected(FALSE, FALSE)().verdict is Verdict.REFUTED
    assert conditional(FALSE, not_checkable("why"))().verdict is Verdict.REFUTED


def test_a_hypothesis_is_needed_where_the_statement_fails_without_it() -> None:
    assert necessary(FALSE)().verdict is Verdict.PROVED
    assert necessary(TRUE)().verdict is Verdict.NOT_CHECKABLE


def test_an_open_case_proves_nothing() -> None:
    from pldverify.balls import arb

    wide = arb(0).union(arb(2))
    assert Case("wide", wide, 1).holds() is None
    assert decided(lambda: [Case("wide", wide, 1)])().verdict is Verdict.SUPPORTED
    assert attacked(lambda: [Case("wide", wide, 1, "=")])().verdict is Verdict.NOT_CHECKABLE
