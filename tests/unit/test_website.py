"""The site as it is written, without building it: what its pages are made of, and what is installed."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import nbformat
import pytest
import yaml
from click.testing import CliRunner

import pldverify
from pldverify import late_names
from pldverify.cli import main
from tests.journeys.installed import FOREIGN
from website import accountant_pages, api_pages, notebooks
from website.mathematics import mathml

ROOT = Path(__file__).parents[2]
AUDITS = {"glw21", "kh21", "kjh19", "kjh20s", "mtz19", "second_opinion", "why_is_my_accountant_wrong"}
"""Notebooks about the inside: a paper's bounds beside its accountant, an oracle, an accountant in print."""
PUBLIC = {"pldverify", "pldverify.errors", "pldverify.mechanisms", "pldverify.symbolic", "pldverify.testing"}


def test_every_public_name_has_a_page() -> None:
    known = late_names.homes("pldverify")
    rooms = {home.split(".")[1] for name, home in known.items() if "." in home and name != "__version__"}
    rooms |= {"mechanisms", *(name for name, home in known.items() if home == "pldverify")} - {"errors"}
    assert rooms <= api_pages.PAGES.keys() | api_pages.ALONGSIDE.keys()
    assert set(api_pages.ALONGSIDE.values()) <= api_pages.PAGES.keys()


# --- formulas ---


def test_formulas_on_lines_of_their_own_are_a_table() -> None:
    made = mathml(r"\begin{aligned} & 0 < t \\ p(t) &= 1 \end{aligned}", block=True)
    assert made.count("<mtr>") == 2 and "&amp;" not in made and "<mi>&<" not in made


def test_what_is_not_read_would_be_seen() -> None:
    with pytest.raises(ValueError, match="is unknown"):
        mathml(r"\begin{nosuch} p(t) &= 1 \end{nosuch}")


def test_every_formula_of_an_output_is_one() -> None:
    text, _ = notebooks.page("laplace_and_discrete")
    formulas = re.findall(r"^\$\$\n(.*?)\n\$\$$", text, re.DOTALL | re.MULTILINE)
    assert len(formulas) >= 2
    assert [each for each in formulas if "$" in each or not mathml(each, block=True)] == []


# --- notebooks ---


def imported(source: str) -> set[str]:
    """Rooms of ours that are imported from."""
    return set(re.findall(r"^(?:from|import) (pldverify[\w.]*)", source, re.MULTILINE))


@pytest.mark.parametrize("name", sorted(notebooks.titles().keys() - AUDITS))
def test_a_notebook_uses_public_names_only(name: str) -> None:
    cells = nbformat.read(notebooks.FOLDER / f"{name}.ipynb", as_version=4).cells
    assert imported("\n".join(cell.source for cell in cells if cell.cell_type == "code")) <= PUBLIC


def test_a_private_name_would_be_seen() -> None:
    found = imported("import pldverify as pv\nfrom pldverify.symbolic.ball_pair import ball_pair\n")
    assert found - PUBLIC == {"pldverify.symbolic.ball_pair"}


def test_nothing_of_a_notebook_is_folded_and_all_of_it_is_in_the_gallery() -> None:
    gallery = notebooks.gallery()
    for name in notebooks.titles():
        text, pictures = notebooks.page(name)
        assert "<details" not in text and f"]({name}.ipynb)" in text
        assert f"]({name}.ipynb)" in gallery and (f"({name}-1.png)" in gallery) == bool(pictures)


# --- the matrix ---


def test_the_first_verdict_of_a_row_is_of_all_its_mechanisms() -> None:
    text = accountant_pages.pages()["accountants.md"]
    row = text.partition("<code>dp-accounting/pld</code>")[2].partition("</tr>")[0]
    counts = [int(count) for count in re.findall(r" of (\d+) ", row)]
    assert len(counts) > 5 and counts[0] == sum(counts[1:])


# --- what is installed ---


def test_the_page_on_installing_has_the_version_and_every_extra() -> None:
    text = (ROOT / "docs/install.md").read_text("utf-8")
    assert f"This is pldverify {pldverify.__version__}," in text
    assert f"pldverify-{pldverify.__version__}-py3-none-any.whl" in text
    table = text.partition("| extra |")[2].partition("\n\n")[0]
    told = {name for line in table.splitlines()[2:] for name in re.findall(r"`([\w-]+)`", line.split("|")[1])}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert told == set(extras)


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
)
def test_nothing_is_installed_by_a_name_that_no_index_has(page: str) -> None:
    snippets = re.findall(r"run: pip install .*", (ROOT / page).read_text("utf-8"))
    assert [line for line in snippets if re.search(r"install \"?pldverify\b", line)] == []


def test_the_first_page_says_who_decides_what() -> None:
    text = (ROOT / "docs/index.md").read_text("utf-8").partition("## Who decides what")[2]
    rows = [line.split("|")[1:4] for line in text.splitlines() if line.startswith("| `")]
    said = {name: words for who, _, words in rows for name in re.findall(r"`([\w -]+)`", who)}
    commands = {name.partition(" ")[0] for name in said if not name.startswith("-") and "_" not in name}
    assert commands < set(main.commands) and {"prove_again", "--second-opinion"} < set(said)
    for name, verdicts in (("certify", "CERTIFIED REFUTED CONDITIONAL"), ("check", "SOUND UNSOUND")):
        assert re.findall("[A-Z]{4,}", said[name]) == verdicts.split()
    assert "All of them say UNDECIDED" in text


def test_which_commands_take_an_expression() -> None:
    text = (ROOT / "docs/command_line.md").read_text("utf-8")
    told = text.partition("## What is asked about\n\n")[2].partition(" takes an EXPR alone")[0]
    taking = {
        name
        for name, command in main.commands.items()
        if any(
            isinstance(each, click.Argument) and "EXPR" in each.make_metavar(click.Context(command))
            for each in command.params
        )
    }
    assert set(re.findall(r"`([\w-]+)`", told)) == taking


# --- the action and the hook ---


def steps() -> list[str]:
    """What the action runs."""
    found = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]
    return [step["run"] for step in found if "run" in step]


@pytest.mark.parametrize(("epsilon", "code"), [("1", 0), ("0.01", 1)])
def test_what_the_hook_runs(tmp_path: Path, epsilon: str, code: int) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["id"] in (ROOT / "docs/install.md").read_text("utf-8") and hook["language"] == "python"
    claims = written(tmp_path / "budget.toml", epsilon)
    program, *arguments = hook["entry"].split()
    assert program == "pldverify"
    assert CliRunner().invoke(main, [*arguments, str(claims)]).exit_code == code


def written(path: Path, epsilon: str) -> Path:
    """A claims file on one Laplace answer, which is 1/2-DP."""
    path.write_text(
        f'''schema = "pldverify-claims/1"
[[claim]]
id = "one"
epsilon = "{epsilon}"
delta = "1e-6"
relation = "<="
adjacency = "add-or-remove"
[[claim.phase]]
mechanism = "laplace"
scale = "2"
sensitivity = "1"
sampling = "none"
steps = 1
''',
        "utf-8",
    )
    return path


@pytest.mark.slow
def test_the_steps_of_the_action(tmp_path: Path) -> None:
    """It installs what the repository holds, and a refuted budget fails it."""
    install, certify = steps()
    given = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    python = str(Path(sys.executable).parent)
    given |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ROOT), "CLAIMS": "*.toml"}
    given["PATH"] = os.pathsep.join([python, given["PATH"]])
    for step, epsilon, code in ((install, "1", 0), (certify, "1", 0), (certify, "0.01", 1)):
        written(tmp_path / "budget.toml", epsilon)
        done = subprocess.run(
            ["bash", "-e", "-c", step], cwd=tmp_path, env=given, capture_output=True, text=True
        )
        assert done.returncode == code, done.stdout + done.stderr
