"""``pldverify freeze``: a file is written, compared, and a move is an exit code."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pldverify.cli import main

MINE = """
import pldverify as pv

class Mine(pv.Accountant):
    direction = "upper"
    def claim(self, query):
        if query.quantity != "epsilon" or query.composition.steps > 1:
            raise NotImplementedError("one step at a δ")
        return 10.0
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)


def freeze(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["freeze", *arguments])


def test_answers_are_pinned_and_compared() -> None:
    done = freeze("mine.py:Mine", "-o", "golden.json")
    assert (done.exit_code, "beside the truth" in done.stdout) == (0, True), done.output
    done = freeze("--compare", "golden.json")
    assert done.exit_code == 0 and done.stdout.startswith("0 of ")
    Path("mine.py").write_text(MINE.replace("10.0", "9.0"))
    done = freeze("--compare", "golden.json", "mine.py:Mine")
    assert done.exit_code == 1 and "towards the truth: ε at δ=1e-5 of gaussian(sigma=1)" in done.stdout
    found = json.loads(freeze("--compare", "golden.json", "--json").stdout)
    assert found["moved"][0]["way"] == "towards the truth" and found["moved"][0]["before"] == "10"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["gdp"], "--out FILE and --compare FILE"),
        (["gdp", "-o", "a.json", "--compare", "a.json"], "--out FILE and --compare FILE"),
        (["-o", "a.json"], "ACCOUNTANT must be given"),
        (["gdpp", "-o", "a.json"], "gdpp"),
        (["--compare", "nothing.json"], "golden file must be a file that can be read"),
    ],
)
def test_bad_input_is_told(arguments: list[str], told: str) -> None:
    done = freeze(*arguments)
    assert done.exit_code == 2 and told in done.stderr
