"""Somebody who trains with Opacus certifies what its history says, and keeps certificate and page."""

import json

import pytest

from tests.journeys.installed import Installed

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

SESSION = """
import json
from types import SimpleNamespace

import pldverify as pv

history = [(1.1, 100 / 6000, 180)]  # what engine.accountant.history holds
run = pv.from_opacus_history(history)
engine = SimpleNamespace(accountant=SimpleNamespace(history=history))
assert run == pv.from_opacus_history(engine) == pv.from_opacus_history(engine.accountant)
ruling = pv.certify(run, epsilon=1.19, delta=1e-5)
refuted = pv.certify(run, epsilon=1.18, delta=1e-5)
print(json.dumps({
    "verdicts": [ruling.verdict, refuted.verdict],
    "epsilon": float(pv.epsilon(run, delta=1e-5)),
    "repr": len(repr(run)),
    "files": [file.name for file in pv.save(ruling, "opacus")],
    "nothing run": float(pv.epsilon(pv.from_opacus_history([]), delta=1e-5)),
}))
try:
    pv.certify(run, epsilon=3)
except pv.errors.InvalidInput as error:
    print(error)
"""


@pytest.fixture(scope="module")
def printed(installed: Installed) -> list[str]:
    return installed.python(SESSION).splitlines()


def test_its_history_is_certified_and_saved(printed: list[str]) -> None:
    found = json.loads(printed[0])
    assert found["verdicts"] == ["CERTIFIED", "REFUTED"]
    assert found["epsilon"] == pytest.approx(1.18508, rel=1e-5, abs=0)
    assert found["repr"] < 400 and found["nothing run"] == 0
    assert found["files"] == ["certificate.json", "certificate.html"]


def test_what_is_missing_is_named(printed: list[str]) -> None:
    assert printed[1] == "delta must be given with a composition: certify(composition, epsilon, delta=…)"


@pytest.mark.usefixtures("printed")
def test_the_page_has_short_numbers_where_a_float_was_given(installed: Installed) -> None:
    page = (installed.folder / "opacus" / "certificate.html").read_text("utf-8")
    assert "CERTIFIED: ε ≤ 1.19 (as a double) at δ = 1e-5 (as a double)" in page
    assert "a standard deviation of 1.1 (as a double) times" in " ".join(page.split())


@pytest.mark.usefixtures("printed")
def test_the_certificate_is_decided_again(installed: Installed) -> None:
    assert installed.pldverify("recheck", "opacus/certificate.json").startswith("CONFIRMED: CERTIFIED\n")


def test_the_same_run_by_its_flags(installed: Installed) -> None:
    run = ["--sigma", "1.1", "--batch-size", "100", "--dataset-size", "6000", "--epochs", "3"]
    answer = installed.pldverify("epsilon", *run, "--delta", "1e-5", "--digits", "6")
    assert answer.startswith("ε(δ=1e-5) = 1.18508")
    assert "of 180 * poisson(gaussian(sigma=1.1), q=1/60), add-or-remove" in answer
