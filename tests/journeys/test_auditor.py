"""An auditor gets a spreadsheet of budgets: every row is judged, certificates are kept, and the stranger whom
they are sent to decides them with one file and Python alone.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.journeys.installed import Installed, execute

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

HEAD = "name;eps;delta;mechanism;sigma;q;steps;sampling;adjacency"
ROW = "{};{};1e-5;gaussian;1.1;1/60;180;poisson;add-or-remove"


@pytest.fixture(scope="module")
def folder(installed: Installed) -> Path:
    table = "\n".join([HEAD, ROW.format("kept", "1.19"), ROW.format("broken", "1.1"), ""])
    (installed.folder / "budgets.csv").write_text(table, "utf-8")
    said = installed.pldverify("certify", "budgets.csv", "--out", "audit", "--html", "audit/", code=1)
    assert "CERTIFIED: kept: ε ≤ 1.19 at δ = 1e-5\n" in said
    assert "REFUTED: broken: ε ≤ 1.1 at δ = 1e-5\n" in said
    assert "  would hold with noise multiplier = 1.14 (not with 1.139)\n" in said
    assert said.endswith("2 claims: 1 CERTIFIED, 1 REFUTED\n")
    return installed.folder / "audit"


def test_files_are_named_by_claim_and_reading(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        *("broken.html", "broken.json", "broken.rounded.json", "index.html"),
        *("kept.html", "kept.json", "kept.rounded.json"),
    ]


def test_the_index_links_the_pages(folder: Path) -> None:
    index = (folder / "index.html").read_text("utf-8")
    assert {"kept.html", "broken.html"} <= set(re.findall(r'href="([^"]+)"', index))


def test_a_stranger_decides_them_with_one_file(installed: Installed, folder: Path, tmp_path: Path) -> None:
    checker = next(installed.environment.glob("lib/python*/site-packages/pldverify/recheck.py"))
    shutil.copy(checker, tmp_path)
    python = str(installed.environment / "bin" / "python")
    for name, verdict, code in (("kept", "CERTIFIED", 0), ("broken", "REFUTED", 1)):
        shutil.copy(folder / f"{name}.json", tmp_path)
        done = execute([python, "-I", "-S", "recheck.py", f"{name}.json"], tmp_path)
        assert done.stdout.startswith(f"CONFIRMED: {verdict}\n"), done.stdout + done.stderr
        assert "assumed: each step's query has the stated sensitivity, per record\n" in done.stdout
        assert "Traceback" not in done.stderr and done.returncode in (0, code)
    forged = (tmp_path / "broken.json").read_text("utf-8").replace('"1.1"', '"1.3"')
    (tmp_path / "forged.json").write_text(forged, "utf-8")
    done = execute([python, "-I", "-S", "recheck.py", "forged.json"], tmp_path)
    assert done.stdout.startswith("REJECTED: its digest") and done.returncode != 0


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (ROW.format("a", "1,19"), "claim a: eps must be a decimal"),
        (ROW.format("a", "1,19"), "got eps='1,19': write 1.19"),
        (ROW.format("a", "1.19").replace("gaussian", "gausian"), "(did you mean gaussian?)"),
        (ROW.format("a", "1.19").replace("poisson", ""), "line 2: claim a: sampling: must be given"),
    ],
)
def test_a_wrong_row_is_told(installed: Installed, tmp_path: Path, row: str, told: str) -> None:
    (tmp_path / "wrong.csv").write_text(f"{HEAD}\n{row}\n", "utf-8")
    done = execute([str(installed.environment / "bin" / "pldverify"), "certify", "wrong.csv"], tmp_path)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


def test_a_place_that_cannot_be_written_is_told_before_anything_is_ruled(
    installed: Installed, folder: Path
) -> None:
    where = str(folder / "kept.json" / "sub")
    assert installed.pldverify("certify", "budgets.csv", "--out", where, code=2) == ""
