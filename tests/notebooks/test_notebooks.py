"""The notebooks run from start to end, and are kept without outputs."""

import json
from pathlib import Path

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = dict.fromkeys(("timeout", "startup_timeout", "iopub_timeout"), 3600)  # ends only what hangs
NOTEBOOKS = sorted((ROOT / "proofs_notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    names = {path.stem for path in NOTEBOOKS}
    assert {"gaussian_family", "laplace_and_discrete", "second_opinion", "your_own_mechanism"} <= names
    assert {"glw21", "kh21", "kjh19", "kjh20s", "mtz19"} <= names  # a paper each


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLDVERIFY_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook, **PATIENCE, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
    ).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path: Path) -> None:
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_a_failing_cell_is_noticed() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert False")])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(notebook, **PATIENCE, kernel_name="python3").execute()
