"""One command installs and runs the main job, another the tests; README, CI and metadata say the same."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

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
    assert "pldverify certify" in main_job


@pytest.mark.parametrize("code", [0, 1, 3])
def test_what_has_failed_runs_again_with_values_and_the_gate_stays_red(tmp_path: Path, code: int) -> None:
    """The part of the script around the command, which here only ends."""
    (command,) = commands(".ci/run")
    part = re.search(r"^set \+e\n.*?\nfi\n", (ROOT / ".ci/run").read_text("utf-8"), re.M | re.S)
    assert part and command in part[0]
    (tmp_path / ".pytest_cache").mkdir()
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "again: $PYTEST_ADDOPTS: $*"\n')
    python.chmod(0o755)
    script = f"set -euo pipefail\n{part[0].replace(command, f'(exit {code})')}echo green"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("green" in done.stdout, "again: : -m pytest -q --last-failed" in done.stdout) == (
        not code,
        bool(code),
    )


def test_the_workflow_runs_the_same_two() -> None:
    main_job, _ = commands("README.md")
    assert commands(".github/workflows/ci.yml") == [main_job]
    assert "- run: .ci/run" in (ROOT / ".github/workflows/ci.yml").read_text("utf-8")


def test_every_night_everything_is_run() -> None:
    nightly = (ROOT / ".github/workflows/nightly.yml").read_text("utf-8")
    assert "- run: .ci/run everything" in nightly
    _, _, rest = (ROOT / ".ci/run").read_text("utf-8").partition("= everything ]")
    checks = ("hostile", "fuzz.py", "mutation --store", "mutation --of rulings")
    for part in ("'.[nightly]'", "-m slow", "HYPOTHESIS_PROFILE=nightly", *checks):
        assert part in rest
    # other kernels: the night's are those that CONTRIBUTING.md tells
    (told,) = re.findall(
        r"^GLIBC_TUNABLES=.*(?= \.ci/run$)", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    variables = dict(re.findall(r"^      ([A-Z_]+): (.*)$", nightly, re.M))
    assert told.replace('"', "") == " ".join(f"{name}={value}" for name, value in variables.items())


def test_the_kernel_is_checked_every_night_and_where_it_has_changed() -> None:
    _, _, rest = (ROOT / ".ci/run").read_text("utf-8").partition("= everything ]")
    workflow = (ROOT / ".github/workflows/kernel.yml").read_text("utf-8")
    packages = "coq libcoq-bignums libcoq-coquelicot make"
    assert packages in rest and all(name in workflow for name in packages.split())
    assert "schedule:" in workflow
    assert "-m slow tests/unit/certificate/test_kernel.py" in workflow
    watched = re.findall(r"^      - (\S+/\S+)$", workflow, re.M)
    for part in ("kernel/**", "pldverify/certificate/coq.py", "pldverify/certificate/grids.py"):
        assert watched.count(part) == 2
        assert (ROOT / part.removesuffix("/**")).exists()


def test_ci_run_is_an_executable_script() -> None:
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", ROOT / ".ci/run"], check=True)


@pytest.mark.parametrize("broken", ["pip", "ruff", "python", ""])
def test_ci_run_fails_where_a_step_fails(tmp_path: Path, broken: str) -> None:
    """Behind a list of && stood an if: the gate was green where ruff or mypy failed."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    stubs, venv = tmp_path / "stubs", '"$3"/bin'
    stubs.mkdir()
    steps = "".join(
        f"printf '#!/bin/sh\\nexit {int(name == broken)}\\n' > {venv}/{name}; chmod +x {venv}/{name}\n"
        for name in ("pip", "ruff", "python")
    )
    made = f"[ $1 = -m ] || exit 0\nmkdir -p {venv}\n{steps}"
    for name, body in (("python3", made), ("chromium", "")):
        (stubs / name).write_text(f"#!/bin/sh\n{body}", "utf-8")
        (stubs / name).chmod(0o755)
    path = {**os.environ, "PATH": f"{stubs}{os.pathsep}{os.environ['PATH']}"}
    assert subprocess.run(["bash", tmp_path / ".ci" / "run"], env=path, check=False).returncode == (
        broken != ""
    )


@pytest.mark.parametrize(
    ("user", "there", "said"),
    [
        (
            1000,
            {},
            "no python3 of 3.11 or newer with ensurepip (Debian: apt-get install python3-venv, as root)",
        ),
        (1000, {"python3": "exit 1"}, "no python3 of 3.11 or newer"),
        (
            1000,
            {"python3": "", "apt-get": ""},
            "no browser: install chromium (Debian: apt-get install chromium",
        ),
        (0, {"python3": ""}, "no browser: install chromium (Debian: apt-get install chromium"),
        (0, {"python3": "", "apt-get": "exit 100"}, "no browser, and apt-get could not install chromium"),
    ],
)
def test_ci_run_says_what_to_install(tmp_path: Path, user: int, there: dict[str, str], said: str) -> None:
    for name, body in {"id": f"echo {user}", **there}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}", "utf-8")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [str(shutil.which("bash")), ROOT / ".ci" / "run"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and done.stderr.startswith(f".ci/run: {said}")
    assert len(done.stderr.splitlines()) == 1


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {pldverify.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## {pldverify.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


# --- metadata ---


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def versions(classifiers: list[str]) -> list[str]:
    """Python versions that the metadata names."""
    return [line.rpartition(" ")[2] for line in classifiers if re.search(r":: 3\.\d+$", line)]


def matrix(workflow: str) -> list[str]:
    """Python versions of the workflow's matrix."""
    (line,) = re.findall(r"^ *python-version: \[(.*)\]$", workflow, re.MULTILINE)
    return re.findall(r"3\.\d+", line)


def test_every_version_that_is_named_is_tested() -> None:
    named = versions(project()["classifiers"])
    assert named == matrix((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert project()["requires-python"] == f">={named[0]}"
    assert f"Python {named[0]} to {named[-1]}" in (ROOT / "README.md").read_text("utf-8")


def test_a_version_that_is_not_tested_would_be_seen() -> None:
    assert versions(["Programming Language :: Python :: 3", "Programming Language :: Python :: 3.14"]) == [
        "3.14"
    ]
    assert matrix('matrix:\n        python-version: ["3.11", "3.12"]\n') == ["3.11", "3.12"]


CORE = {
    "click": {"cli"},
    "jinja2": {"report", "web_page.py"},
    "latex2mathml": {"certificate"},
    "mpmath": {"numbers", "quadrature"},
    "numpy": {"accountants", "balls", "decomposition", "quadrature", "reference"},
    "pydantic": {"boundary.py", "certificate", "claims", "hunt", "report", "rulings", "sweeps", "testing"},
    "python-flint": {"balls"},
    "rich": {"cli", "decomposition", "symbolic"},
    "scipy": {"accountants", "audit"},
    "sympy": {"symbolic", "theorems"},
}
"""What the core requires, and the rooms that import it."""


def importing(library: str) -> set[str]:
    """Rooms of the package with a file that imports a library."""
    pattern = re.compile(rf"^\s*(from|import) {library}\b", re.MULTILINE)
    files = (ROOT / "pldverify").rglob("*.py")
    return {
        path.relative_to(ROOT / "pldverify").parts[0]
        for path in files
        if pattern.search(path.read_text("utf-8"))
    }


def test_the_core_requires_what_it_uses_and_no_more() -> None:
    assert {re.split("[><=]", line)[0] for line in project()["dependencies"]} == set(CORE)
    modules = {"python-flint": "flint"}
    assert {name: importing(modules.get(name, name)) for name in CORE} == CORE


def test_the_citation_and_the_metadata_agree() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"license: {project()['license']}\n" in citation
    assert f"  - name: {project()['authors'][0]['name']}\n" in citation
    urls = re.findall(r"^(?:url|repository-code): \W?(\S+?)\W?$", citation, re.MULTILINE)
    assert set(urls) == set(project().get("urls", {}).values())
