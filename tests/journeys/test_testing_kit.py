"""A maintainer's accountant with its test-suite, as examples/my_accountant has it, from the wheel."""

import shutil
from pathlib import Path

import pytest

from tests.journeys.installed import ROOT, Installed, execute, succeed

EXAMPLE = ROOT / "examples" / "my_accountant"


@pytest.mark.wheel
@pytest.mark.slow
def test_the_example_passes_from_the_wheel_and_a_slip_is_found(installed: Installed, tmp_path: Path) -> None:
    python = str(installed.environment / "bin" / "python")
    succeed([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "hypothesis"], tmp_path)
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "mine", ignore=shutil.ignore_patterns("__pycache__")))
    pldverify = str(installed.environment / "bin" / "pldverify")
    succeed([pldverify, "freeze", "my_accountant.py:ZCDP", "--out", "golden.json"], folder)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = execute([*command, "--pldverify-golden=golden.json", "--pldverify-report=found.html"], folder)
    assert done.returncode == 0 and "passed" in done.stdout, done.stdout + done.stderr
    assert "ZCDP" in (folder / "found.html").read_text("utf-8")
    source = (folder / "my_accountant.py").read_text("utf-8")
    (folder / "my_accountant.py").write_text(source.replace("sum(k / ", "sum(1 / "), "utf-8")
    done = execute([*command, "-k", "many-steps or golden", "--pldverify-golden=golden.json"], folder)
    assert done.returncode == 1 and "many-steps: failed. Steps are lost" in done.stdout, done.stdout
    assert "away from the truth, now UNSOUND, was SOUND" in done.stdout, done.stdout
