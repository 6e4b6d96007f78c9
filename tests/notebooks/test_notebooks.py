"""The notebooks are kept with what they print and draw, and a fresh run agrees with it.

A kernel takes seconds to begin: the gate runs one notebook in its own process.
"""

import ast
import html
import importlib
import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import pytest

from proofs_notebooks.run import HOURS, agree, differences, executed, main, notebooks, parts, shown, tidy

NOTEBOOKS = notebooks([])
EACH = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
PAPERS = {"glw21", "kh21", "kjh19", "kjh20s", "mtz19"}
QUICK = "certify_a_budget"
"""It prints, and draws nothing."""
MOST = 600_000
"""Bytes of a notebook."""


def code(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks() -> None:
    names = {path.stem for path in NOTEBOOKS}
    assert {"gaussian_family", "laplace_and_discrete", "second_opinion", "your_own_mechanism"} <= names
    assert names >= {*PAPERS, QUICK}


def gone(notebook: nbformat.NotebookNode) -> list[str]:
    """What the notebook imports of ours, or reads from ``pv``, and nothing has."""
    tree = ast.parse("\n".join(cell.source for cell in code(notebook)))
    named: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pldverify"):
            named += [(str(node.module), each.name) for each in node.names]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "pv":
            named.append(("pldverify", node.attr))
    return [f"{module}.{name}" for module, name in named if not there(module, name)]


def there(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name) or bool(
            importlib.import_module(f"{module}.{name}")
        )
    except ModuleNotFoundError:
        return False


@EACH
def test_what_a_notebook_uses_is_there(path: Path) -> None:
    assert gone(nbformat.read(path, as_version=4)) == []


def test_a_name_that_is_gone_would_be_seen() -> None:
    cells = [
        "import pldverify as pv",
        "pv.delta, pv.deltas",
        "from pldverify.bounds.chernoff import chernof_tail",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    assert sorted(gone(notebook)) == ["pldverify.bounds.chernoff.chernof_tail", "pldverify.deltas"]


@pytest.mark.slow
@EACH
def test_a_fresh_run_shows_what_is_kept(path: Path) -> None:
    assert list(differences(nbformat.read(path, as_version=4), executed(path))) == []


def without_a_kernel(path: Path) -> nbformat.NotebookNode:
    """The notebook with what its cells print in this process."""
    notebook, names = nbformat.read(path, as_version=4), {}  # type: ignore[var-annotated]
    for cell in code(notebook):
        with redirect_stdout(io.StringIO()) as told:
            exec(cell.source, names)
        data = {"text/html": html.escape(told.getvalue(), quote=False)}
        cell.outputs = [nbformat.v4.new_output("display_data", data=data)] if told.getvalue() else []
    return notebook


def test_one_that_prints_shows_what_is_kept() -> None:
    path = Path(f"proofs_notebooks/{QUICK}.ipynb")
    assert list(differences(nbformat.read(path, as_version=4), without_a_kernel(path))) == []


@EACH
def test_outputs_are_kept_small_and_without_traces_of_a_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.encode()) < MOST
    assert re.findall(r"/(?:home|root|tmp|work|usr|Users)/[\w.]+", text) == []
    assert re.findall(r"object at 0x[0-9a-f]+", text) == []
    kept = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in code(kept)] == list(range(1, len(code(kept)) + 1))
    assert "stream" not in {output.output_type for cell in code(kept) for output in cell.outputs}


@EACH
def test_every_figure_is_kept(path: Path) -> None:
    for cell in code(nbformat.read(path, as_version=4)):
        drawn = "image/png" in {kind for kind, _ in map(shown, cell.outputs)}
        assert drawn == bool(re.search(r"^(plot\(|figure, )", cell.source, re.MULTILINE))


def test_something_is_kept_in_every_notebook() -> None:
    for path in NOTEBOOKS:
        kinds = {kind for cell in code(json_notebook(path)) for kind, _ in map(shown, cell.outputs)}
        assert kinds & {"text/html", "text/latex"}, path.stem


def json_notebook(path: Path) -> nbformat.NotebookNode:
    return nbformat.from_dict(json.loads(path.read_text("utf-8")))


# --- teeth ---


@pytest.mark.slow
def test_a_failing_cell_is_noticed() -> None:
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert False")])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(notebook, **HOURS, kernel_name="python3").execute()


def printed(*texts: str, picture: bool = False) -> nbformat.NotebookNode:
    outputs = [nbformat.v4.new_output("display_data", data={"text/html": text}) for text in texts]
    if picture:
        outputs.append(nbformat.v4.new_output("display_data", data={"image/png": "abcd"}))
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])


@pytest.mark.parametrize(
    ("kept", "fresh"),
    [
        (printed("ε = 6.907384"), printed("ε = 6.907484")),
        (printed("SOUND"), printed("UNSOUND")),
        (printed("SOUND 1"), printed("SOUND")),
        (printed("a", picture=True), printed("a")),
        (printed("a", "b"), printed("a")),
        (printed("1e-13"), printed("-1e-9")),
        (printed("order 3"), printed("order 4")),
        (printed("≈ 1.07"), printed("≈ 1.09")),
        (printed("≈ 1.07"), printed("1.07")),
        (printed("1.07"), printed("1.08")),
        (printed("≈ 8.1e-11"), printed("≈ 8.3e-11")),
    ],
)
def test_a_difference_is_noticed(kept: nbformat.NotebookNode, fresh: nbformat.NotebookNode) -> None:
    assert list(differences(kept, fresh)) != []


@pytest.mark.parametrize(
    ("kept", "fresh"),
    [
        ("ε = 6.90738449504508 ± 4.1e-15", "ε = 6.907384495045081 ± 2e-16"),
        ("<pre>1 │ 2</pre>", "<pre>1  │  2</pre>"),
        ("rounding 1.1e-17", "rounding -2.3e-18"),
        ("upper ≈ 1.0702", "upper ≈ 1.0703"),
        ("≈ 8.1e-11", "≈ 8.0e-11"),
        ("≈1e-3", "≈9.9e-4"),
    ],
)
def test_what_a_machine_may_change_is_let_pass(kept: str, fresh: str) -> None:
    assert list(differences(printed(kept), printed(fresh))) == []


def test_numbers_are_told_from_words() -> None:
    assert parts("k = 10_000, δ = −1.5e-6 ± 2e-9 by KH21, ≈ 2.50") == (
        ["k", "=", "#,", "δ", "=", "#", "±", "by", "KH21,", "≈", "#"],
        [(10_000.0, 0.0), (-1.5e-6, 0.0), (2.5, 0.01)],
    )
    assert agree(1.0, 1.0 + 1e-9) and not agree(1.0, 1.001) and not agree(1e-20, 1e-15)


def test_tidy_leaves_no_trace_of_a_machine() -> None:
    notebook = printed("a")
    notebook.cells[0].outputs[0].data["text/plain"] = "a"
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "2026"}
    tidied = tidy(notebook)
    assert "text/plain" not in tidied.cells[0].outputs[0].data
    assert tidied.metadata["language_info"] == {"name": "python"}
    assert tidied.cells[0].metadata == {}


@pytest.mark.parametrize("kernel", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_check_says_what_differs_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kernel: bool
) -> None:
    monkeypatch.setattr("proofs_notebooks.run.HERE", tmp_path)
    if not kernel:
        monkeypatch.setattr("proofs_notebooks.run.executed", without_a_kernel)
    kept = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(1 + 1)")])
    nbformat.write(kept, tmp_path / "sum.ipynb")
    before = (tmp_path / "sum.ipynb").read_text("utf-8")
    assert main(["--check", "sum"]) == 1
    kind = "stdout" if kernel else "text/html"
    assert f"sum: differs\ncell 0 shows ['{kind}'], kept []" in capsys.readouterr().out
    assert (tmp_path / "sum.ipynb").read_text("utf-8") == before
    assert main(["sum"]) == 0
    assert main(["--check"]) == 0
