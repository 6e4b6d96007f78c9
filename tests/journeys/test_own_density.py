"""A user's density: derived, plotted, certified over 1,000 steps, asked on the command line, proved again."""

from pathlib import Path

import pytest

from tests.journeys.installed import Installed

pytestmark = [pytest.mark.wheel, pytest.mark.slow]

MINE = '''
import sympy as sp

import pldverify as pv

t = sp.Symbol("t", real=True)


def density(mean):
    """Logistic noise of scale 1."""
    return sp.exp(-(t - mean)) / (1 + sp.exp(-(t - mean))) ** 2


derived = pv.derive_pair(density(1), density(0), t)
pair = derived.mechanism()
'''
SESSION = """
import pickle

import pldverify as pv
from mine import derived, pair

assert derived.failed == ()
assert {o.state.value for o in derived.obligations} == {"PROVED"}
print("loss", derived.pieces[0].range)

training = 1_000 * pair
query = pv.Query(training, delta="1e-6")
axes = pv.profile(training).plot([200, 225, 250, 275, 300], claims={"claimed": [(247, "1e-6")]})
axes.figure.savefig("mine.png")

print(pv.certify(query, epsilon="247").verdict, pv.certify(query, epsilon="246.9").verdict)

found = pv.delta(training, epsilon=240, digits=10)
believed = pv.quadrature.delta(training, epsilon=240)
assert believed.digits >= 8 and believed.covers(found.lower)
assert pv.prove_again(found) == found
print("again")
"""


@pytest.fixture(scope="module")
def folder(installed: Installed) -> Path:
    (installed.folder / "mine.py").write_text(MINE, "utf-8")
    return installed.folder


def test_in_python(installed: Installed, folder: Path) -> None:
    loss, verdicts, again = installed.python(SESSION).splitlines()
    assert loss == "loss (-1, 1)"  # |log p/q| ≤ the distance of the means over the scale
    assert verdicts == "CERTIFIED REFUTED"
    assert again == "again"
    picture = (folder / "mine.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 5_000


def test_on_the_command_line(installed: Installed, folder: Path) -> None:
    printed = installed.pldverify("epsilon", "1000 * ./mine.py:pair", "--delta", "1e-6", "--digits", "6")
    assert printed.startswith("ε(δ=1e-6) = 246.960")
    assert "engine: contour" in printed


def test_a_density_that_is_none_is_refused(installed: Installed, folder: Path) -> None:
    (folder / "half.py").write_text(MINE.replace("density(1)", "density(1) / 2"), "utf-8")
    installed.pldverify("epsilon", "1000 * ./half.py:pair", "--delta", "1e-6", code=2)
