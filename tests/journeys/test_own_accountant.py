"""A maintainer's accountant of 20 lines, as docs/add_an_accountant.md has it: in pytest, on the command line,
and wrong in every way that the page names. Real processes in an empty folder.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.installed import Installed, execute

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add_an_accountant.md").read_text("utf-8")


def written(name: str) -> str:
    """The file of that name, as the page shows it."""
    (text,) = re.findall(rf"^```python\n(# {re.escape(name)}\n.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("zcdp.py", "test_zcdp.py"):
        (tmp_path / name).write_text(written(name), "utf-8")
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_the_class_has_twenty_lines() -> None:
    assert len(written("zcdp.py").splitlines()) <= 21  # the first one is the name of the file


def test_it_is_checked_in_pytest(folder: Path) -> None:
    done = run(folder, "pytest", "-q", "-p", "no:cacheprovider", "test_zcdp.py")
    assert done.returncode == 0 and "8 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.wheel
def test_it_is_checked_from_the_wheel(folder: Path, installed: Installed) -> None:
    python = str(installed.environment / "bin" / "python")
    done = execute([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_zcdp.py"], folder)
    assert done.returncode == 0 and "8 passed" in done.stdout, done.stdout + done.stderr
    done = execute([python, "-m", "pldverify", "check", "zcdp.py:ZCDP", "--json"], folder)
    verdicts = [found["verdict"] for found in json.loads(done.stdout)["findings"]]
    assert (done.returncode, verdicts.count("SOUND"), verdicts.count("REFUSED")) == (0, 6, 36)


def test_a_planted_error_fails_in_pytest_and_says_unsound(folder: Path) -> None:
    source = (folder / "zcdp.py").read_text("utf-8")
    (folder / "zcdp.py").write_text(source.replace("return rho + 2", "return 1.7"), "utf-8")
    done = run(folder, "pytest", "-q", "-p", "no:cacheprovider", "test_zcdp.py")
    assert done.returncode == 1 and "UNSOUND" in done.stdout and "failed" in done.stdout


def check(folder: Path, *arguments: str) -> tuple[int, list[dict[str, object]]]:
    done = run(folder, "pldverify", "check", *arguments, "--json")
    return done.returncode, json.loads(done.stdout)["findings"]


def test_it_is_checked_on_the_command_line(folder: Path) -> None:
    code, findings = check(folder, "zcdp.py:ZCDP")
    assert code == 0 and {found["accountant"] for found in findings} == {"ZCDP"}
    verdicts = [found["verdict"] for found in findings]
    assert (verdicts.count("SOUND"), verdicts.count("REFUSED"), len(verdicts)) == (6, 36, 42)
    assert all(found["lower"] is None for found in findings if found["verdict"] == "REFUSED")
    assert all(found["tightness_float"] > 0.3 for found in findings if found["verdict"] == "SOUND")  # type: ignore[operator]


def test_a_module_of_the_folder_is_named_too(folder: Path) -> None:
    (folder / "zcdp.py").write_text(
        "import pldverify as pv\n"
        "def half(query):\n"
        "    if len(query.composition.parts) == 1:\n"
        "        raise NotImplementedError('mixed ones only')\n"
        "    return 0.5\n"
    )
    code, findings = check(folder, "zcdp:half", "--direction", "upper")
    answered = [found for found in findings if found["verdict"] != "REFUSED"]
    assert (code, len(findings), [found["severity"] for found in answered]) == (1, 42, ["material"])
    assert check(folder, "zcdp:half", "--direction", "lower")[0] == 0


def test_who_refuses_everything_is_not_sound(folder: Path) -> None:
    (folder / "shy.py").write_text("def shy(query): raise NotImplementedError('ask somebody else')\n")
    code, findings = check(folder, "shy.py:shy", "--direction", "upper")
    assert code == 3 and {found["verdict"] for found in findings} == {"REFUSED"}


BROKEN = """import pldverify as pv

class Broken(pv.Accountant):
    direction = "upper"
    def claim(self, query):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "verdict", "cause", "reason"),  # how the reason begins
    [
        ("return float('nan')", "INVALID", "INVALID", "Broken returned nan, which is not a claim"),
        ("return 1 / 0", "CRASHED", "RAISED", "Broken raised ZeroDivisionError: division by zero"),
        ("pass", "INVALID", "INVALID", "Broken returned a NoneType, which is not a claim"),
        ("import os; os._exit(3)", "CRASHED", "CRASHED", "Broken ended its process (exit code 3)"),
        (
            "import time; time.sleep(600)",
            "CRASHED",
            "TIMED OUT",
            "Broken gave no answer within our limit of 2 s; asked again, alone",
        ),
        ("return bytearray(2**40)", "CRASHED", "OUT OF MEMORY", "Broken raised MemoryError: no message"),
    ],
)
def test_what_goes_wrong_is_a_finding(folder: Path, body: str, verdict: str, cause: str, reason: str) -> None:
    source = "if query.composition.steps != 30: raise NotImplementedError\n        " + body
    (folder / "broken.py").write_text(BROKEN.format(body=source))
    limit = ("--timeout", "2") if cause == "TIMED OUT" else ()
    code, findings = check(folder, "broken.py:Broken", *limit)
    (found,) = [found for found in findings if "+" in str(found["composition"])]
    assert (code, found["verdict"], found["cause"]) == (3, verdict, cause)
    assert str(found["reason"]).startswith(reason)


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        (None, "ZCDP", "mine.py must be a Python file, got none at "),
        ("\nimport no_such_library\n", "ZCDP", "(mine.py, line 2: import no_such_library)"),
        ("class Other: pass", "ZCDP", "mine.py must define ZCDP, got Other"),
        ("class ZCDP: pass", "ZCDP", "accountant must be a name, a class or an object with a method claim"),
        ("def f(query): return 1.0", "f", "function f must say what its number is"),
        ("def f(): return 1.0\nf.claim = f", "f", "must have a method supports"),
    ],
)
def test_what_can_not_be_asked_is_one_line(folder: Path, source: str | None, name: str, message: str) -> None:
    if source is not None:
        (folder / "mine.py").write_text(source)
    done = run(folder, "pldverify", "check", f"mine.py:{name}")
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1


def test_help_lists_what_an_entry_point_adds(folder: Path) -> None:
    info = folder / "mylibrary-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mylibrary\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pldverify.accountants]\nmylibrary/zcdp = zcdp:ZCDP\n")
    printed = run(folder, "pldverify", "check", "--help").stdout
    listed = "".join(printed.split())  # lines break where they like
    assert "mylibrary/zcdp" in listed and "kairouz-oh-viswanath" in listed
    code, findings = check(folder, "mylibrary")
    assert code == 0 and len(findings) == 42
