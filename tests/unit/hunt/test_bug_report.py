"""A bug report has both numbers, a snippet of the library alone that prints the claim, and versions."""

import re

import pytest

import pldverify as pv
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.registry import accountant
from pldverify.hunt.bug_report import bug_report, question
from pldverify.hunt.grouping import Group, cause
from pldverify.mechanisms import Gaussian, Laplace, Query, RandomizedResponse
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.renyi_query import RenyiQuery


def report(subject: Accountant, query: Query) -> str:
    found = pv.check(subject, query)
    why = cause(found)
    assert why is not None
    return bug_report(Group(why, found, found), subject, seed=7)


def test_a_violation() -> None:
    pytest.importorskip("dp_accounting")
    text = report(accountant("dp-accounting"), Query(10 * RandomizedResponse("0.75"), delta="1e-5"))
    snippet = re.search(r"```python\n(from dp_accounting.*?)```", text, re.DOTALL)
    assert snippet and "pldverify" not in snippet[1]
    assert re.search(r"# prints 1\.0986", snippet[1])
    assert "**Severity** high" in text and "| proved | true ε: 10.98" in text and "seed 7" in text
    assert (
        'pv.check("dp-accounting/pld", pv.Query("10 * randomized_response(p=0.75)", delta="0.00001")' in text
    )
    assert re.search(r"dp-accounting 0\.\d+.*, Python 3.*, numpy .*, pldverify ", text)
    assert all(len(line) <= 250 for line in text.splitlines())


def test_a_crash_has_its_message_and_no_claim() -> None:
    broken = Accountant.of(lambda query: 1 / 0, direction="upper", name="broken")
    text = report(broken, Query(Gaussian(1), delta="1e-5"))
    assert "ZeroDivisionError" in text and "claimed" not in text and "**Severity** medium" in text


def test_a_question_can_be_asked_again() -> None:
    space = {"pv": pv, "RenyiQuery": RenyiQuery, "NoiseQuery": NoiseQuery}
    for query in (
        Query(3 * Gaussian("1/3") + Laplace(2), epsilon="0.1", adjacency="remove"),
        Query(Gaussian(1), delta="1e-18"),
        RenyiQuery(Gaussian(1), order="3/2"),
        NoiseQuery(2 * Gaussian(1), epsilon=1, delta="1e-5"),
    ):
        assert eval(question(query), space) == query


def test_a_bound_of_zero_on_what_no_double_holds_is_no_high_severity() -> None:
    zero = Accountant.of(lambda query: 0.0, direction="upper", name="zero")
    text = report(zero, Query(Gaussian(2), epsilon=80))
    assert "**Severity** low: the true value is below the smallest double" in text
    assert "**Severity** high" in report(zero, Query(Gaussian(1), epsilon=3))
