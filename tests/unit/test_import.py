"""What loads, loads late: ``import pldverify`` is cheap, and so is a certificate."""

import subprocess
import sys

import pytest

import pldverify as pv
from pldverify.cli import main

LIBRARIES = {"dp_accounting", "prv_accountant", "fourier_accountant"}
HEAVY = {"flint", "jinja2", "matplotlib", "mpmath", "numpy", "pydantic", "rich", "scipy", "sympy", *LIBRARIES}
COMMANDS = {command.callback.__module__.rpartition(".")[2] for command in main.commands.values()}
CERTIFY = "certify --sigma 1 --q 0.01 --steps 10000 --delta 1e-6 --epsilon 6.91"


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after ``code``."""
    report = "\nimport sys; print('\\n'.join({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_probe_sees_what_is_loaded() -> None:
    assert "numpy" in loaded_by("import numpy")


def test_import_loads_nothing_heavy() -> None:
    assert not loaded_by("import pldverify") & HEAVY


def test_quadrature_is_reached_late_and_loads_no_engine() -> None:
    code = "import pldverify as pv; pv.quadrature.delta(pv.Laplace(1), epsilon=1)"
    assert loaded_by(code) & HEAVY == {"mpmath"}


def test_mechanisms_and_queries_load_nothing_heavy() -> None:
    code = "import pldverify as pv; pv.Query(10 * pv.Gaussian(1) + pv.Laplace(2), epsilon=1)"
    assert not loaded_by(code) & HEAVY


def test_certify_loads_flint_alone() -> None:
    code = f"import pldverify.cli; pldverify.cli.main({CERTIFY!r}.split(), standalone_mode=False)"
    assert loaded_by(code) & HEAVY == {"flint"}


def test_help_loads_no_command_and_a_command_no_other() -> None:
    probe = "\nimport sys; sys.exit(' '.join(n for n in sys.modules if n.startswith('pldverify.cli.')))"
    for asked, own in (("--help", set()), ("convert --help", {"convert"})):
        code = f"import pldverify.cli; pldverify.cli.main({asked!r}.split(), standalone_mode=False)"
        done = subprocess.run([sys.executable, "-c", code + probe], capture_output=True, text=True)
        files = {name.removeprefix("pldverify.cli.") for name in done.stderr.split()}
        assert files & COMMANDS == own and "group" in files


def test_certify_reads_no_metadata_of_packages() -> None:
    code = f"import pldverify.cli; pldverify.cli.main({CERTIFY!r}.split(), standalone_mode=False)"
    assert "email" not in loaded_by(code)


@pytest.mark.parametrize(
    "asked", ["--version", "--help", "certify --help", "delta --help", "report --help", "nothing"]
)
def test_what_answers_without_computing_loads_nothing_heavy(asked: str) -> None:
    code = f"import pldverify.cli; pldverify.cli.main({asked!r}.split(), standalone_mode=False)"
    assert not loaded_by(code) & HEAVY


def test_every_public_name_is_there() -> None:
    assert set(dir(pv)) == {*pv.__all__, "__version__"}
    for name in pv.__all__:
        assert getattr(pv, name) is not None
    assert issubclass(pv.errors.InvalidInput, pv.errors.PldverifyError)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'pldverify' has no attribute 'nothing'"):
        _ = pv.nothing


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("pv.delta(100 * pv.PoissonSubsampled(pv.Gaussian(1), '0.01'), epsilon=1)", {"flint", "numpy"}),
        ("pv.rdp(pv.Gaussian(1), order=3)", {"flint"}),
        ("pv.zcdp_epsilon('0.1', delta='1e-5')", {"flint"}),
        ("pv.check('rdp', pv.Query(pv.Gaussian(1), delta='1e-5'))", {"flint", "numpy", "scipy"}),
        ("pv.derive(pv.Gaussian(1))", {"flint", "mpmath", "numpy", "rich", "sympy"}),
    ],
)
def test_a_question_loads_at_most_what_it_needs(code: str, heavy: set[str]) -> None:
    assert loaded_by(f"import pldverify as pv; {code}") & HEAVY <= heavy
