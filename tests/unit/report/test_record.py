"""A finding is validated at the door, and one that is none is named."""

import json
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.report import Record, records
from tests.unit.report.findings import decomposition, failed, finding, mixed, unsound


def test_what_findings_say_is_taken() -> None:
    asked = [
        pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6")),
        pv.check("gdp", pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), epsilon="0.5")),
        pv.check("gdp/estimate", pv.Query(pv.Gaussian(1), delta="1e-300")),
        pv.check("gdp", pv.Query(pv.Laplace(1), delta="1e-6", adjacency="remove")),
        pv.check(pv.Accountant.of(lambda query: float("inf"), direction="upper", name="∞"),
                 pv.Query(pv.Gaussian(1), delta="1e-6")),
        pv.check(pv.Accountant.of(lambda query: 5e-324, direction="upper", name="tiny"),
                 pv.Query(pv.Gaussian(1), epsilon="ln(3)")),
        pv.check(pv.Accountant.of(lambda query: 1 / 0, direction="upper", name="broken"),
                 pv.Query(pv.Gaussian(1), epsilon=1)),
    ]  # fmt: skip
    stored = json.loads(json.dumps([each.to_json() for each in asked]))
    assert records(asked) == records(stored) == records(records(stored))
    assert {each.verdict for each in records(asked)} >= {"SOUND", "UNSOUND", "UNDECIDED", "REFUSED"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "FINE"}, "verdict"),
        ({"verdict": None}, "verdict"),
        ({"claim_float": float("nan")}, "claim_float"),
        ({"seconds": -1.0}, "seconds"),
        ({"seconds": "1"}, "seconds"),
        ({"claim": "=cmd|' /C calc'!A0"}, "claim"),
        ({"claim": "1e9999999999999"}, "claim"),
        ({"claim": "1\n"}, "claim"),
        ({"lower": "<script>"}, "lower"),
        ({"adjacency": "<script>"}, "adjacency"),
        ({"quantity": "@SUM(1)"}, "quantity"),
        ({"direction": "sideways"}, "direction"),
        ({"accountant": " "}, "accountant"),
        ({"composition": ""}, "composition"),
        ({"parameters": ["a"]}, "parameters"),
        ({"error_budget": {"terms": []}}, "error_budget"),
    ],
)
def test_what_is_no_finding_is_named(change: dict[str, object], said: str) -> None:
    with pytest.raises(pv.errors.InvalidInput, match=rf"finding 2: {said}"):
        records([finding(), finding(**change)])


@pytest.mark.parametrize("other", [None, 3, "finding", [1]])
def test_what_is_no_document_is_named(other: Any) -> None:
    with pytest.raises(pv.errors.InvalidInput, match=r"finding 1"):
        records([other])


def test_a_message_about_hostile_text_is_short() -> None:
    with pytest.raises(pv.errors.InvalidInput) as caught:
        records([finding(parameters={"a": 1}, error_budget={"x" * 10_000: 1}, verdict="v" * 10_000)])
    assert len(str(caught.value)) < 400


def test_keys_of_later_versions_are_left_alone() -> None:
    (record,) = records([finding(later={"anything": 1})])
    assert record.verdict == "SOUND"


def test_margins_by_unit() -> None:
    def margins(document: dict[str, Any]) -> tuple[float | None, float | None]:
        record = Record.model_validate(document)
        return record.in_epsilon, record.relative

    assert margins(finding()) == (0.25, 0.25)
    assert margins(unsound(0.5)) == (0.5, 0.5 / 0.999999999999)
    assert margins(unsound(0.5, quantity="delta"))[0] is None
    assert margins(finding(quantity="delta", slack_float=2.0, upper_float=4.0)) == (0.25, 0.5)
    assert margins(failed()) == (None, None)
    assert margins(finding(upper_float=0.0)) == (0.25, None)


def test_a_decomposition_is_read() -> None:
    (record,) = records([finding(error_budget=decomposition())])
    assert record.error_budget is not None
    sizes = [(term.observed.size, term.promised) for term in record.error_budget.terms]
    assert sizes == [(1e-12, 1e-11), (1e-16, float("inf"))]


def test_a_real_decomposition_is_read() -> None:
    from pldverify.accountants.fourier import Fourier

    query = pv.Query(20 * pv.PoissonSubsampled(pv.Gaussian(sigma=1), q="0.01"), epsilon="0.5")
    budget = pv.error_budget(Fourier(n=800, L=4.0), query)
    (record,) = records([finding(error_budget=json.loads(json.dumps(budget.to_json())))])
    assert record.error_budget is not None
    assert [term.name for term in record.error_budget.terms] == [term.name for term in budget.terms]


def test_one_of_each_is_there() -> None:
    assert {record.verdict for record in records(mixed())} == {
        "SOUND", "UNSOUND", "UNDECIDED", "REFUSED", "CRASHED", "INVALID",
    }  # fmt: skip


def test_a_finding_of_an_earlier_version_is_refused() -> None:
    """Its ends may be those of a bound: a flag beside them said so."""
    for changed in ({"truth_is": "upper bound"}, {"schema": "pldverify-finding/1"}):
        with pytest.raises(InvalidInput, match=r"finding 1.*pldverify-finding/2"):
            records([finding(**changed)])


def test_what_is_shown_is_numbers() -> None:
    with pytest.raises(InvalidInput, match=r"shown\.truth"):
        records([finding(shown={"truth": "<b>1</b>"})])
