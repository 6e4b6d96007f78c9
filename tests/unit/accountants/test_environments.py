"""Environments and what runs in them: a tiny library, and no network. The real libraries are ``slow``."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from pldverify.accountants import environments, standalone
from pldverify.accountants.adapters import plain
from pldverify.accountants.ask import ask
from pldverify.accountants.environments import Environment, Recipe
from pldverify.accountants.library import Library
from pldverify.accountants.registry import accountant
from pldverify.accountants.worker import Worker
from pldverify.cli import main
from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.mechanisms import Gaussian, Laplace, Query
from pldverify.reference.quantities.questions import epsilon
from pldverify.rulings.check import check
from tests.unit.accountants.test_worker import PATIENCE

FAKE = "tests.unit.accountants.fake_adapter"
QUERY = Query(100 * Gaussian(20), delta="1e-6")
SOURCE = """
import math
def rho(sigma):
    return 1 / (2 * sigma**2)
def epsilon(rho, delta):
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))
def behave():
    {behaviour}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for environments, and a recipe that needs no network."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    wheel = tmp_path / "fakelib-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("fakelib.py", SOURCE.format(behaviour="return 1.0"))
        archive.writestr(
            "fakelib-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: fakelib\nVersion: 1.2\n"
        )
        archive.writestr(
            "fakelib-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("fakelib-1.2.dist-info/RECORD", "")
    offline = ("--no-index", "--find-links", str(tmp_path))
    recipes = {
        "fakelib": Recipe("fakelib", ((*offline, "fakelib==1.2"),)),
        "broken": Recipe("no_such_module", ((*offline, "fakelib==1.2"),)),
        "unknown": Recipe("unknown", ((*offline, "no-such-library-anywhere==1"),)),
    }
    monkeypatch.setattr(environments, "RECIPES", recipes)
    return environments.root()


def bare(behaviour: str = "return 1.0") -> Environment:
    """An environment without pip, whose library is put there by hand."""
    made = Environment("fakelib", environments.root() / "fakelib")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made.path)], check=True)
    [packages] = made.path.glob("lib/**/site-packages")
    (packages / "fakelib.py").write_text(SOURCE.format(behaviour=behaviour))
    (packages / "fakelib-1.2.dist-info").mkdir()
    (packages / "fakelib-1.2.dist-info" / "METADATA").write_text("Name: fakelib\nVersion: 1.2\n")
    return made


@pytest.mark.slow
def test_it_is_made_shown_asked_and_removed(here: Path) -> None:
    run = CliRunner().invoke
    empty = run(main, ["env", "list"])
    assert empty.exit_code == 0 and "no environments" in empty.stderr
    added = run(main, ["env", "add", "fakelib"])
    assert added.exit_code == 0 and "fakelib 1.2 is installed" in added.stdout
    listed = run(main, ["env", "list"])
    version = ".".join(map(str, sys.version_info[:3]))
    assert listed.stdout.startswith(f"fakelib 1.2, Python {version}, ")
    assert listed.stdout.endswith("MB, answers\n")
    assert [each.name for each in here.iterdir()] == ["fakelib"]
    assert check(Library(FAKE, "Rho"), QUERY).verdict == "SOUND"
    again = run(main, ["env", "add", "fakelib"])
    assert again.exit_code == 2 and "exists" in again.stderr
    assert run(main, ["env", "remove", "fakelib"]).exit_code == 0
    assert not list(here.iterdir())
    assert run(main, ["env", "remove", "fakelib"]).exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "what"),
    [
        pytest.param(
            "unknown",
            "unknown can't be installed: ERROR: No matching distribution found for no-such-library",
            marks=pytest.mark.slow,
        ),
        ("broken", "broken was installed, but can't be imported: ModuleNotFoundError: No module named"),
    ],
)
def test_what_can_not_be_made_says_why_and_leaves_nothing(name: str, what: str, here: Path) -> None:
    with pytest.raises(MissingLibrary) as caught:
        environments.add(name)
    assert str(caught.value).startswith(what)
    assert not list(here.iterdir())


def test_no_network_is_told() -> None:
    """As pip 23.2 writes it."""
    written = (
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after "
        "connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object>: "
        "Failed to establish a new connection: [Errno 111] Connection refused')': /simple/autodp/\n"
        "ERROR: Could not find a version that satisfies the requirement autodp==0.2.3.1 (from versions: "
        "none)\n"
        "ERROR: No matching distribution found for autodp==0.2.3.1\n"
    )
    told = environments.reason(written)
    assert told.startswith("pip can't reach its index, is there a network? ERROR: No matching distribution")
    assert environments.reason("ERROR: a\n\n") == "ERROR: a"


def test_an_unknown_name_and_an_unknown_python_are_told() -> None:
    with pytest.raises(InvalidInput, match="environment must be one of broken, fakelib, unknown, got 'x/y'"):
        environments.add("x/y")
    with pytest.raises(InvalidInput, match="must be one of"):
        environments.remove("..")
    with pytest.raises(MissingLibrary, match="an environment for fakelib can't be made: /no/python: No such"):
        environments.add("fakelib", "/no/python")


def test_without_library_and_environment_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingLibrary, match="fakelib is not installed: pldverify env add fakelib"):
        Library(FAKE, "Rho")


def test_a_broken_environment_says_so() -> None:
    made = bare()
    made.python.unlink()
    with pytest.raises(MissingLibrary, match=r"the environment of fakelib is broken, .* env remove fakelib"):
        Library(FAKE, "Rho")
    assert made.state()["python"] == "none"
    assert "does not run" in str(made.state()["broken"])
    [listed] = CliRunner().invoke(main, ["env", "list"]).stdout.splitlines()
    assert "broken: " in listed


def test_an_environment_answers_by_its_own_library() -> None:
    bare()
    subject = Library(FAKE, "Rho")
    assert (subject.name, subject.library, subject.direction) == ("fakelib/rho", "fakelib", "upper")
    assert subject.version() == "1.2"
    with Worker(timeout=PATIENCE) as worker:
        answer = worker.ask(subject, QUERY)
    assert answer.claim is not None and answer.version == "1.2"
    assert answer.claim.source == "fakelib/rho 1.2"
    assert dict(answer.claim.parameters) == {
        "composition": "100 * rho(sigma=20.0)",
        "delta": "1e-06",
        "rounded": "delta=1e-06",
        "rho": "0.125",
    }
    assert ask(subject, QUERY).claim == answer.claim


def test_what_it_refuses_is_known_without_the_library_and_told_by_it() -> None:
    bare()
    subject = Library(FAKE, "Rho")
    asked = {"no ρ for laplace": Query(Laplace(1), delta="1e-6"), "only ε": Query(Gaussian(1), epsilon=1)}
    for why, query in asked.items():
        assert subject.supports(query) == why
        failure = ask(subject, query).failure
        assert failure is not None and failure.kind == "REFUSED"
        assert str(failure) == f"fakelib/rho does not support this: {why}"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("behaviour", "kind", "what"),
    [
        ("return float('nan')", "INVALID", "a value that is none: nan"),
        ("return -math.inf", "INVALID", "a value that is none: -inf"),
        ("return 'many'", "INVALID", "a str, which is no number"),
        ("return None", "INVALID", "a NoneType, which is no number"),
        ("return 1 << 10**7", "INVALID", "a int, which is no number"),
        ("raise ValueError('the\\ngrid')", "RAISED", "fakelib/behaves 1.2 raised ValueError: the grid"),
        ("raise NotImplementedError('not yet')", "RAISED", "raised NotImplementedError: not yet"),
        ("import os; os._exit(3)", "CRASHED", "ended its process (exit code 3)"),
        ("return bytearray(20 * 2**30)", "OUT OF MEMORY", "MemoryError"),
        ("return sys.stdin", "RAISED", "NameError"),
    ],
)
def test_whatever_the_library_does_is_a_finding(behaviour: str, kind: str, what: str) -> None:
    bare(behaviour)
    failure = ask(Library(FAKE, "Behaves"), QUERY).failure
    assert failure is not None and failure.kind == kind
    assert what in str(failure)


def test_warnings_and_promises_come_with_the_claim_and_output_goes_nowhere() -> None:
    bare("import warnings, logging; print('…'); warnings.warn('a\\nb'); logging.warning('c'); return 0.25")
    claim = ask(Library(FAKE, "Behaves"), QUERY).claim
    assert claim is not None and claim.value == 0.25 and claim.direction == "estimate"
    assert claim.parameters["warnings"] == "UserWarning: a b; WARNING: c"
    assert claim.promise is not None and (claim.promise.epsilon, claim.promise.delta) == (0.5, 0)


def test_a_library_that_is_here_is_asked_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = bare()
    [packages] = made.path.glob("lib/**/site-packages")
    there = ask(Library(FAKE, "Rho"), QUERY).claim
    monkeypatch.syspath_prepend(str(packages))
    subject = Library(FAKE, "Rho")
    assert subject.program(0) is None and subject.version() == "1.2"
    assert ask(subject, QUERY).claim == there
    refused = ask(subject, Query(Laplace(1), delta="1e-6")).failure
    assert refused is not None and refused.kind == "REFUSED"
    monkeypatch.setattr("tests.unit.accountants.fake_adapter.Rho.apart", True, raising=False)
    assert subject.program(0) is not None  # it needs what can't be here


def test_standalone_and_adapters_import_nothing_of_ours() -> None:
    """Each is run by a Python that sees the standard library only."""
    adapters = sorted(Path(plain.__file__).parent.glob("[a-z]*.py"))
    assert adapters
    code = "import runpy, sys; [runpy.run_path(path) for path in sys.argv[1:]]"
    paths = [standalone.__file__, *map(str, adapters)]
    subprocess.run([sys.executable, "-I", "-S", "-c", code, *paths], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["autodp/rdp", "autodp/fourier"])
def test_autodp_in_an_environment_of_its_own(
    name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Needs a network: ``python -m pytest -m slow tests/unit/accountants/test_environments.py``."""
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "autodp"))
    if not environments.environments():
        environments.add("autodp")
    subject = accountant(name)
    with Worker(timeout=PATIENCE) as worker:
        claim = worker.ask(subject, QUERY).claim
    truth = epsilon(QUERY.composition, delta=QUERY.delta)
    assert claim is not None and claim.source == f"{name} 0.2.3.1"
    assert abs(float(claim.value) / float(truth) - 1) < (0.2 if name == "autodp/rdp" else 0.05)
