"""``--budgets``: which findings get an error budget, and that the page draws it."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from pldverify import report
from pldverify.accountants.registry import accountant
from pldverify.cli import main
from pldverify.cli.budgets import with_budgets
from tests.unit.report.findings import finding, unsound

FUNCTIONS = "dp-accounting/functions"


def of_delta(document: dict[str, Any], name: str = FUNCTIONS) -> dict[str, Any]:
    asked = {"quantity": "delta", "delta": None, "epsilon": "0.5", "composition": "2 * gaussian(sigma=3)"}
    return document | asked | {"accountant": name}


@pytest.mark.slow
def test_unsound_ones_are_first_and_no_more_than_asked() -> None:
    documents = [of_delta(finding()), of_delta(unsound()), of_delta(finding())]
    found = with_budgets(documents, [accountant(FUNCTIONS)], 2)
    assert ["error_budget" in each for each in found] == [True, True, False]
    assert ["error_budget" in each for each in with_budgets(documents, [accountant(FUNCTIONS)], 1)] == [
        False, True, False,
    ]  # fmt: skip
    assert not any("error_budget" in each for each in documents), "what was given stays as it was"


def test_what_has_none_stays_as_it_is() -> None:
    documents = [finding(accountant="rdp/canonne-2020"), of_delta(finding(), "rdp/canonne-2020")]
    documents.append(of_delta(finding()) | {"claim": None})
    assert with_budgets(documents, [accountant("rdp"), accountant(FUNCTIONS)], 9) == documents


@pytest.mark.slow
def test_a_finding_of_the_command_has_one_and_the_page_draws_it() -> None:
    arguments = ["check", FUNCTIONS, "2 * gaussian(3)", "--epsilon", "0.5", "--budgets", "1", "--json"]
    result = CliRunner().invoke(main, arguments)
    (found,) = json.loads(result.stdout)["findings"]
    dominant = found["error_budget"]["dominant"]
    assert f"The error comes from: {dominant}" in report.html([found])
