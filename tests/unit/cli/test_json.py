"""``--json``: one document on standard output and nothing else there, in a process of its own."""

import json
from collections.abc import Callable
from fractions import Fraction
from subprocess import CompletedProcess

import pytest

from pldverify.cli import main

Shell = Callable[..., CompletedProcess[str]]
DELTA = "--delta 1e-5"
ASKED = {
    "bracket": f"'gaussian(1)' {DELTA}",
    "budget": "'20 * poisson(gaussian(1), q=0.01)' --accountant fourier --L 4 --n 800 --epsilon 0.5",
    "calibrate": f"'gaussian({{sigma}})' --epsilon 1 {DELTA} --resolution 1/10",
    "certify": f"'gaussian(1)' {DELTA} --epsilon 5",
    "check": f"rdp/canonne-2020 'gaussian(1)' {DELTA}",
    "convert": f"--zcdp 1 {DELTA}",
    "delta": "'gaussian(1)' --epsilon 1",
    "derive": "'pure_dp(epsilon)'",
    "env": "list",
    "epsilon": f"'gaussian(1)' {DELTA}",
    "freeze": "gdp --out /dev/null",
    "gdp": "'poisson(gaussian(1), q=0.1)' --regret 1e-3",
    "hunt": "moments --minutes 1/60 --seed 1",
    "profile": "'gaussian(1)' --epsilon 0:1:3 --digits 4",
    "rdp": "'gaussian(1)' --order 2",
    "report": "- <<< '[]'",
    "tail": "'gaussian(1)' --epsilon 1",
    "teeth": "count-ignored",
    "tpr": "'gaussian(1)' --fpr 0.1",
    "trade-off": "'gaussian(1)' --alpha 0.1",
    "zcdp": "'laplace(1)'",
}


def test_every_command_is_asked() -> None:
    assert set(ASKED) == set(main.commands) - {"recheck", "theorems"}  # what they print is for people


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", sorted(ASKED))
def test_standard_output_is_one_document(shell: Shell, command: str) -> None:
    result = shell(f"pldverify {command} {ASKED[command]} --json", COLUMNS="40")
    assert result.returncode in (0, 3), result.stderr
    document = json.loads(result.stdout)
    for row in _rows(document) if command != "derive" else []:  # whose numbers are formulas
        for name in ("lower", "upper", "value", "claim"):
            assert row.get(name) is None or isinstance(row[name], str)
            if isinstance(row.get(f"{name}_float"), float):
                assert float(Fraction(row[name])) == row[f"{name}_float"], (
                    "the nearest double of the exact number"
                )


def _rows(document: object) -> list[dict[str, str]]:
    """Every object in a document."""
    if isinstance(document, list):
        return [row for each in document for row in _rows(each)]
    if isinstance(document, dict):
        return [document, *(row for each in document.values() for row in _rows(each))]
    return []
