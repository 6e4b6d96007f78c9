"""Random claims: all that is said of them agrees with an oracle that shares nothing with the judge."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from benchmarks.claims.agree import Asked, Said, ask, judge
from benchmarks.claims.draw import draw
from benchmarks.claims.meanings import meanings
from benchmarks.claims.oracle import right
from benchmarks.claims.planted import PLANTED, gaussian
from benchmarks.random_claims import ALL, Row, examine

SEED = 1
SIMPLE: dict[str, Any] = {
    "id": "simple",
    "epsilon": "4.4",
    "delta": "1e-5",
    "adjacency": "add-or-remove",
    "phase": [gaussian("1", steps=1)],
}


FEW = (*range(22), *range(23, 30), 37)
"""What the gate asks: the first of each verdict are among them, and nothing dear."""


@pytest.fixture(scope="module", params=[FEW, pytest.param(range(200), marks=pytest.mark.slow)], ids=len)
def rows(request: pytest.FixtureRequest) -> list[Row]:
    asked = {
        i: Asked(terminal=i % 4 == 0, rows=i % 8 == 1, recheck=i % 40 == 3, command=i % 8 == 2)
        for i in request.param
    }
    return [examine(*draw(SEED, i), surfaces) for i, surfaces in asked.items()]


def test_nothing_that_is_said_is_wrong(rows: list[Row]) -> None:
    assert [(row["wrong"], row["toml"]) for row in rows if row["wrong"]] == []


def test_all_surfaces_agree(rows: list[Row]) -> None:
    assert [(row["disagree"], row["toml"]) for row in rows if row["disagree"]] == []


def test_most_claims_are_decided(rows: list[Row]) -> None:
    """So that silence does not pass for truth."""
    decided = [row for row in rows if row["verdict"] in ("CERTIFIED", "REFUTED", "CONDITIONAL")]
    assert len(decided) > len(rows) / 2 and {row["verdict"] for row in decided} == {
        "CERTIFIED",
        "REFUTED",
        "CONDITIONAL",
    }


@pytest.mark.sample(10)
@pytest.mark.parametrize("claim", PLANTED, ids=lambda claim: str(claim["id"]))
def test_what_was_once_wrong_is_right(claim: dict[str, Any]) -> None:
    row = examine("planted", claim, ALL)
    assert (row["wrong"], row["disagree"]) == ([], [])


@pytest.fixture(scope="module")
def simple(tmp_path_factory: pytest.TempPathFactory) -> Said:
    return ask(SIMPLE, tmp_path_factory.mktemp("claims"), ALL)


def test_an_honest_ruling_passes(simple: Said) -> None:
    found = judge(SIMPLE, simple)
    assert (found.verdict, found.wrong, found.disagreements) == ("CERTIFIED", [], [])


def _verdict(said: Said) -> None:
    said.ruling["verdict"] = "REFUTED"  # type: ignore[index]


def _reading(said: Said) -> None:
    said.ruling["readings"][0]["verdict"] = "REFUTED"  # type: ignore[index]


def _ends(said: Said) -> None:
    said.ruling["readings"][0]["lower"] = "4.39"  # type: ignore[index]


def _infinite(said: Said) -> None:
    said.ruling["readings"][0]["upper"] = "inf"  # type: ignore[index]


def _explanation(said: Said) -> None:
    said.ruling["explanation"] = "the true ε is 1.2 less than 4.4"  # type: ignore[index]


def _terminal(said: Said) -> None:
    said.terminal = [line.replace("CERTIFIED", "CONDITIONAL") for line in said.terminal]


def _print(said: Said) -> None:
    said.terminal = [line.replace("= 4.3771", "= 4.4771") for line in said.terminal]


def _table(said: Said) -> None:
    said.table[0]["literally"] = "UNDECIDED"


def _markdown(said: Said) -> None:
    said.markdown[0][1] = "UNDECIDED"


def _index(said: Said) -> None:
    said.index = said.index.replace('class="CERTIFIED">CERTIFIED', 'class="REFUTED">REFUTED', 1)


def _certificate(said: Said) -> None:
    said.certificates["simple.json"]["verdict"] = "REFUTED"


def _half(said: Said) -> None:
    said.certificates["simple.json"]["claim"]["relation"] = "="


def _outcome(said: Said) -> None:
    said.outcomes["simple.json"] = "CONTRADICTED"


def _page(said: Said) -> None:
    said.pages = [page.replace("The claim is true.", "The claim is false.") for page in said.pages]


def _wide(said: Said) -> None:
    said.command = "CERTIFIED: ε ≤ 4.4\nof gaussian(sigma=1)\ntrue ε = 4.4 ± 0.1"


LIES = [_verdict, _reading, _ends, _infinite, _explanation, _terminal, _print, _table, _markdown, _index]
LIES += [_certificate, _half, _outcome, _page, _wide]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__.strip("_"))
def test_a_lie_is_found(simple: Said, lie: Any) -> None:
    said = deepcopy(simple)
    lie(said)
    found = judge(SIMPLE, said)
    assert found.wrong or found.disagreements


def test_a_refusal_has_a_reason(tmp_path: Path) -> None:
    claim = {**SIMPLE, "phase": [{**gaussian("1", "fixed_without_replacement", q="0.1"), "steps": 1}]}
    said = ask(claim, tmp_path, Asked())
    assert (said.ruling, right(claim, meanings(claim))) == (None, {"REFUSED"}) and said.refused
    assert judge(claim, said).wrong == []


def test_a_refusal_of_what_is_allowed_and_a_ruling_on_what_is_not_are_wrong(simple: Said) -> None:
    assert judge(SIMPLE, Said(refused="no")).wrong == ["refused: no"]
    fixed = gaussian("1", "fixed_without_replacement", q="0.1", steps=1)
    for changed in ({"phase": [fixed]}, {"epsilon": None, "rdp": {"order": "-1", "divergence": 1}}):
        assert judge({**SIMPLE, **changed}, simple).wrong
