"""``--second-opinion``: both answers and whether they agree; a contradiction is a crash that names both."""

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from click.testing import Result

from pldverify.errors import NoConvergence
from pldverify.numbers.estimate import Estimate

Run = Callable[..., Result]
QUESTIONS = [
    ("delta", "--epsilon", "0.5"),
    ("epsilon", "--delta", "0.01"),
    ("rdp", "--order", "2"),
    ("tail", "--epsilon", "0.5"),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[0])
def test_both_are_printed(run: Run, question: tuple[str, str, str]) -> None:
    command, *asked = question
    plain = run(command, "laplace(b=2)", *asked)
    result = run(command, "laplace(b=2)", *asked, "--second-opinion")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == plain.stdout.splitlines()[:2]
    assert lines[3].startswith("second opinion: agrees: ") and "mpmath" in lines[3]


def test_both_are_in_the_document(run: Run) -> None:
    command = ["delta", "gaussian(1)", "--epsilon", "1", "--json"]
    assert "second_opinion" not in json.loads(run(*command).stdout)
    second = json.loads(run(*command, "--second-opinion").stdout)["second_opinion"]
    assert second["agrees"] is True and second["digits"] >= 8 and "mpmath" in second["method"]


def planted(monkeypatch: pytest.MonkeyPatch, answer: object) -> None:
    def gives(*_: object, **__: object) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("pldverify.quadrature.delta", gives)


def test_a_contradiction_names_both_and_exits_70(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, Estimate(Fraction(1, 8), 10, "mpmath: planted"))
    result = run("delta", "gaussian(1)", "--epsilon", "1", "--second-opinion")
    assert result.exit_code == 70
    assert "second opinion: DISAGREES" in result.stdout
    last = result.stderr.splitlines()[-1]
    assert "0.1250000000 to 10 digits by mpmath: planted" in last and "by engine " in last


def test_no_second_opinion_is_undecided(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, NoConvergence("quadrature: no digit"))
    result = run("delta", "gaussian(1)", "--epsilon", "1", "--second-opinion")
    assert result.exit_code == 3
    assert "second opinion: none: quadrature: no digit" in result.stdout
    document = run("delta", "gaussian(1)", "--epsilon", "1", "--second-opinion", "--json")
    assert json.loads(document.stdout)["second_opinion"]["agrees"] is None
