"""One command installs and runs the main job, another the tests; README, CI and metadata say the same."""

import subprocess
from pathlib import Path

import pldverify

ROOT = Path(__file__).parents[2]


def commands(path: str) -> list[str]:
    """Lines that make an environment, as a reader would copy them."""
    lines = (ROOT / path).read_text("utf-8").splitlines()
    return [line.strip().removeprefix("- run: ") for line in lines if "python3 -m venv" in line]


def test_ci_run_is_the_readmes_test_command() -> None:
    main_job, tests = commands("README.md")
    assert commands(".ci/run") == [tests]
    assert tests.endswith("-m pytest -q -n 2")
    assert "ruff check ." in tests
    assert "mypy" in tests
    assert "pldverify certify" in main_job


def test_the_workflow_runs_the_same_two() -> None:
    main_job, _ = commands("README.md")
    assert commands(".github/workflows/ci.yml") == [main_job]
    assert "- run: .ci/run" in (ROOT / ".github/workflows/ci.yml").read_text("utf-8")


def test_ci_run_is_an_executable_script() -> None:
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", ROOT / ".ci/run"], check=True)


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {pldverify.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## {pldverify.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
