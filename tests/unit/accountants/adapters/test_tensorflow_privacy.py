"""tensorflow-privacy's adapter, with stand-ins for its two functions, and the library itself (slow)."""

import math
import sys
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

import pldverify as pv
from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain.tensorflow_privacy import GDP, RDP
from pldverify.accountants.standalone import Question, evaluate
from pldverify.accountants.worker import plain
from pldverify.errors import MissingLibrary

ANALYSIS = "tensorflow_privacy.privacy.analysis"
STEP = pv.PoissonSubsampled(pv.Gaussian(3, sensitivity=2), "1/7")


def steps_of(n: int, batch_size: int, noise_multiplier: float, epochs: float, delta: float) -> Any:
    """The steps that compute_dp_sgd_privacy makes of its arguments, and the rest of them."""
    return math.ceil(epochs * n / batch_size), (batch_size / n, noise_multiplier, delta)


def epochs_of(epoch: float, noise_multi: float, n: int, batch_size: int, delta: float) -> Any:
    return epoch * n / batch_size, (batch_size / n, noise_multi, delta)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = ModuleType(ANALYSIS)
    analysis.compute_dp_sgd_privacy_lib = ModuleType("lib")  # type: ignore[attr-defined]
    analysis.compute_dp_sgd_privacy_lib.compute_dp_sgd_privacy = steps_of
    analysis.gdp_accountant = ModuleType("gdp")  # type: ignore[attr-defined]
    analysis.gdp_accountant.compute_eps_poisson = epochs_of
    for name in ("tensorflow_privacy", "tensorflow_privacy.privacy"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, ANALYSIS, analysis)


def asked(query: pv.Query) -> Question:
    return Question(plain.query(query))


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("q", ["1", "1/7", "0.1", "1/1000", "256/60000", "1e-9", 0.1])
@pytest.mark.parametrize("count", [1, 3, 10, 999, 10**6 + 1])
def test_the_steps_are_those_of_the_query(q: Any, count: int) -> None:
    base = pv.Gaussian(3, sensitivity=2)
    step = base if q == "1" else pv.PoissonSubsampled(base, q)
    question = asked(pv.Query(count * step, delta="1e-5"))
    assert evaluate(RDP().answer(question, standalone.steps(RDP(), question))[0]) == count


@pytest.mark.usefixtures("library")
def test_what_is_passed() -> None:
    question = asked(pv.Query(12 * STEP, delta="1e-5"))
    order = RDP().answer(question, standalone.steps(RDP(), question))[1]["order"]
    assert evaluate(order) == (1 / 7, 1.5, 1e-5)
    given = evaluate(GDP().answer(question, standalone.steps(GDP(), question))[0])
    assert given == (pytest.approx(12, rel=1e-12, abs=0), (1 / 7, 1.5, 1e-5))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (pv.Query(STEP, epsilon=1), "no delta at an epsilon"),
        (pv.Query(STEP, delta="1e-5", adjacency="remove"), "add-or-remove"),
        (pv.Query(STEP + pv.Gaussian(1), delta="1e-5"), "mechanisms must be at most 1"),
        (pv.Query(pv.Laplace(1), delta="1e-5"), "not laplace"),
        (pv.Query(pv.PoissonSubsampled(pv.Laplace(1), "0.1"), delta="1e-5"), "not poisson_subsampled"),
        (pv.TradeOffQuery(STEP, alpha="1/2"), "no trade-off"),
    ],
)
def test_refusals(query: pv.Query, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(RDP(), asked(query))


@pytest.mark.slow
def test_the_library_in_its_environment() -> None:
    """Needs ``pldverify env add tensorflow-privacy``. The value is one of the library's own tests."""
    query = pv.Query(30_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.001"), delta="1e-7")
    try:
        found = pv.check("tensorflow-privacy/rdp", query, timeout=300, memory=16 * 2**30)
    except MissingLibrary as missing:
        pytest.skip(str(missing))
    assert found.claim is not None and abs(found.claim.value - Fraction("1.4154988495444842")) < 1e-9
    assert found.verdict == "SOUND"
    limit = pv.check("tensorflow-privacy/gdp", query, timeout=300, memory=16 * 2**30)
    assert (limit.verdict, limit.severity) == ("UNSOUND", "material")
