"""A newcomer installs the wheel in a clean environment, and asks it three things."""

import json
import tarfile
import zipfile
from email import message_from_bytes

import pytest

import pldverify as pv
from tests.journeys.installed import Installed

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

CORE = {
    "click",
    "jinja2",
    "latex2mathml",
    "mpmath",
    "numpy",
    "pydantic",
    "python-flint",
    "rich",
    "scipy",
    "sympy",
}
QUERY = ("10000 * poisson(gaussian(sigma=1), q=0.01)", "--epsilon", "6.90735948", "--json")


def test_its_version(installed: Installed) -> None:
    assert installed.pldverify("--version").strip() == f"pldverify, version {pv.__version__}"


def test_a_delta(installed: Installed) -> None:
    found = json.loads(installed.pldverify("delta", *QUERY))
    assert float(found["lower_float"]) == pytest.approx(1.00008374339481e-6, rel=1e-12, abs=0)


def test_a_certificate(installed: Installed) -> None:
    run = ["certify", "--sigma", "1", "--q", "0.01", "--steps", "10000", "--delta", "1e-6", "--epsilon"]
    assert installed.pldverify(*run, "6.91").startswith("CERTIFIED")
    assert installed.pldverify(*run, "6.90", code=1).startswith("REFUTED")


def test_without_accountants_a_check_says_what_to_install(installed: Installed) -> None:
    installed.pldverify("check", "dp-accounting", code=2)


def test_the_wheel_is_what_runs(installed: Installed) -> None:
    where = installed.python("import pldverify; print(pldverify.__file__)").strip()
    assert where.startswith(str(installed.environment))


def test_the_wheel_holds_the_package_alone(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        headers = message_from_bytes(wheel.read(metadata))
    assert {name.partition("/")[0] for name in names} == {
        "pldverify",
        f"pldverify-{pv.__version__}.dist-info",
    }
    assert "pldverify/py.typed" in names
    assert headers["Requires-Python"] == ">=3.11"
    required = headers.get_all("Requires-Dist", [])
    assert {line.split(">=")[0] for line in required if "extra ==" not in line} == CORE


def test_the_sdist_holds_tests_docs_and_history(installed: Installed) -> None:
    with tarfile.open(installed.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    folders = {name.partition("/")[0] for name in names if "/" in name}
    assert {"benchmarks", "docs", "pldverify", "proofs_notebooks", "tests", "typings"} <= folders
    assert {
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "LICENSE",
        "README.md",
        "pyproject.toml",
    } <= names
    assert {"tests/data/published_values.json", "tests/unit/test_packaging.py", ".ci/run"} <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
