"""The pytest plugin: what it loads, its options, its fixture, and what a failure shows."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pldverify as pv
from pldverify.testing.explanation import explanation

ROOT = Path(__file__).parents[3]
PLUGIN = "pldverify.testing.pytest_plugin"


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest with the plugin, as of an installed package, in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:pldverify", "-p", PLUGIN, *arguments]
    own = {"PYTHONPATH": str(ROOT), "PATH": "", "CI": "1", "COLUMNS": "120", **environment}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)


def loaded(code: str) -> set[str]:
    """Modules of ours that are loaded after ``code`` in a new interpreter."""
    code += "\nimport sys; print('\\n'.join(name for name in sys.modules if name.startswith('pldverify')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_plugin_loads_nothing_else_of_ours() -> None:
    assert loaded(f"import {PLUGIN}") == {
        "pldverify",
        "pldverify.errors",
        "pldverify.late_names",
        "pldverify.testing",
        "pldverify.version",
        PLUGIN,
    }


def test_a_run_that_uses_nothing_of_it_loads_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_other():\n"
        "    assert {name for name in sys.modules if name.startswith('pldverify.')} == "
        "{'pldverify.errors', 'pldverify.late_names', 'pldverify.testing', 'pldverify.version', "
        f"'{PLUGIN}'}}\n"
    )
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout


HALF = """
import pldverify as pv
from pldverify.testing import assert_sound_upper, parametrize_with_checks

half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
query = pv.Query(pv.Gaussian(1), epsilon=1)

@parametrize_with_checks([half], expected_failures={"one-step": "it knows nothing"})
def test_half(accountant, check):
    if check.check.name in ("one-step", "gaussians-add-up"):
        check(accountant)

def test_assertion():
    assert_sound_upper(0.5, query)

def test_fixture(pldverify):
    assert pldverify.check(half, query).verdict == "SOUND"
    assert pldverify.delta(pv.Gaussian(1), epsilon=1) < 0.127
"""


def test_a_report_has_findings_and_checks(tmp_path: Path) -> None:
    (tmp_path / "test_half.py").write_text(HALF)
    done = run(tmp_path, "--pldverify-report=out/found.json")
    assert done.returncode == 0 and "the findings are in out/found.json" in done.stdout, done.stdout
    document = json.loads((tmp_path / "out" / "found.json").read_text("utf-8"))
    asked = {finding["accountant"] for finding in document["findings"]}
    assert asked == {"half", "the tested number"}
    verdicts = {finding["verdict"] for finding in document["findings"]}
    assert verdicts == {"SOUND", "UNSOUND"}
    outcomes = {check["check"]: check["outcome"] for check in document["checks"]}
    assert outcomes == {"one-step": "failed", "gaussians-add-up": "passed"}
    (failed,) = (check for check in document["checks"] if check["outcome"] == "failed")
    assert failed["breaks"][0]["queries"][0].startswith('pv.Query("gaussian(sigma=1)", delta=')
    assert failed["test"] == "test_half.py::test_half[half-one-step]"
    assert pv.report.markdown(document["findings"])


@pytest.mark.slow
def test_workers_report_to_one_page(tmp_path: Path) -> None:
    (tmp_path / "test_half.py").write_text(HALF)
    done = run(tmp_path, "--pldverify-report=found.html", "-n", "2")
    assert done.returncode == 0, done.stdout
    page = (tmp_path / "found.html").read_text("utf-8")
    assert "UNSOUND" in page and "the tested number" in page and "half" in page
    assert "1 failed, 0 skipped, 1 passed" in page and "gaussians-add-up" in page


@pytest.mark.slow
def test_the_level_of_the_command_line_wins(tmp_path: Path) -> None:
    (tmp_path / "test_half.py").write_text(HALF)
    asked = {}
    for level in ("quick", "standard"):
        run(tmp_path, f"--pldverify-level={level}", "--pldverify-report=found.json", "-k", "one-step")
        (check,) = json.loads((tmp_path / "found.json").read_text("utf-8"))["checks"]
        asked[level] = check["breaks"][-1]["queries"], check["asked"]
    assert asked["quick"][1] < asked["standard"][1]


@pytest.mark.parametrize(
    "option", ["--pldverify-report=found.txt", "--pldverify-golden=nothing.json", "--pldverify-level=slow"]
)
def test_a_bad_option_is_told_before_anything_is_tested(tmp_path: Path, option: str) -> None:
    (tmp_path / "test_half.py").write_text(HALF)
    done = run(tmp_path, option)
    assert done.returncode == 4 and option.partition("=")[0] in done.stderr + done.stdout, done.stdout


TOLD = """
import pldverify as pv

def test_in(pldverify):
    assert 0.127 in pldverify.delta("gaussian(sigma=1)", epsilon=1)

def test_less(pldverify):
    assert pldverify.epsilon("gaussian(sigma=1)", delta="1e-5") < 3

def test_verdict():
    query = pv.Query("gaussian(sigma=1)", delta="1e-5")
    assert pv.check(lambda query: 0.1, query, direction="upper").verdict == "SOUND"
"""


def test_failures_say_what_was_compared(tmp_path: Path) -> None:
    (tmp_path / "test_told.py").write_text(TOLD)
    lines = [line.removeprefix("E").strip() for line in run(tmp_path).stdout.splitlines()]
    assert "0.127 is above its upper end, by 6.32e-5" in lines
    assert "assert the enclosure < 3" in lines
    assert "the enclosure: 4.37717809568122 ± 6.1e-15" in lines
    assert "AssertionError: assert UNSOUND == 'SOUND'" in lines
    assert "claim       ε ≤ 0.100000000" in lines and "true ε      4.37717…" in lines


def test_other_comparisons_are_left_alone() -> None:
    assert explanation("==", 1, 2) is None
    assert explanation("in", "text", pv.Interval(0, 1)) == [
        "'text' in the interval",
        "the interval: [0, 1.00000]",
    ]


def test_two_enclosures_are_told_what_equal_means() -> None:
    lines = explanation("==", pv.Interval(0, 1), pv.Interval(0, 2))
    assert lines is not None and lines[-1].endswith("left.overlaps(right) asks whether both can be true")


IDS = """
import functools
import pldverify as pv
from pldverify.testing import parametrize_with_checks

class Half(pv.Accountant):
    direction = "upper"
    def claim(self, query):
        return 0.5

class Named(Half):
    def __init__(self):
        self.name = f"{self!r}"

both = pv.Accountant.of(functools.partial(lambda half, query: half, 0.5), direction="upper")

one = pv.Accountant.of(lambda query: 1, direction="lower")

@parametrize_with_checks([Half, Half(), Named(), both, "rdp", one])
def test_ids(accountant, check):
    pass
"""


def test_ids_are_the_same_in_every_process(tmp_path: Path) -> None:
    (tmp_path / "test_ids.py").write_text(IDS)
    runs = [run(tmp_path, "--collect-only", PYTHONHASHSEED=seed).stdout for seed in ("1", "2")]
    ids = [[line for line in out.splitlines() if "::" in line] for out in runs]
    assert ids[0] == ids[1] and len(ids[0]) == len(set(ids[0])) > 200
    assert not any("0x" in name for name in ids[0])


@pytest.mark.slow
def test_workers_agree_on_the_ids(tmp_path: Path) -> None:
    (tmp_path / "test_ids.py").write_text(IDS)
    done = run(tmp_path, "-n", "2")
    assert done.returncode == 0, done.stdout


def test_answers_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    from pldverify.testing import kept_truths

    truths = kept_truths.KeptTruths(tmp_path / "kept")
    first = truths.delta(pv.Gaussian(1), epsilon=1)
    monkeypatch.setattr(kept_truths, "truth", lambda query, digits: pytest.fail("it is asked again"))
    again = kept_truths.KeptTruths(tmp_path / "kept")
    assert again.delta("gaussian(sigma=1)", epsilon="1.0") == first
    with pytest.raises(pytest.fail.Exception):
        again.delta("gaussian(sigma=1)", epsilon="1.0000000000000000001")
    monkeypatch.setattr(kept_truths.keys, "truth_version", lambda: "another")
    with pytest.raises(pytest.fail.Exception):
        again.delta("gaussian(sigma=1)", epsilon=1)


def test_a_damaged_file_is_as_if_it_were_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    from pldverify.testing.kept_truths import KeptTruths

    truths = KeptTruths(tmp_path / "kept")
    first = truths.rdp(pv.Gaussian(1), order=2)
    (file,) = (tmp_path / "kept").iterdir()
    file.write_text(file.read_text("utf-8").replace("1", "2"))
    assert truths.rdp(pv.Gaussian(1), order=2) == first


def test_failures_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pldverify.errors import NotSupported
    from pldverify.testing import kept_truths

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = []

    def refuses(query: pv.Query, digits: int) -> None:
        asked.append(digits)
        raise NotSupported("no engine")

    monkeypatch.setattr(kept_truths, "truth", refuses)
    for _ in range(2):
        with pytest.raises(NotSupported, match="no engine"):
            kept_truths.KeptTruths(tmp_path).truth(pv.Query(pv.Gaussian(1), epsilon=1))
    assert asked == [15]
