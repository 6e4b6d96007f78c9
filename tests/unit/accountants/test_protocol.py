"""Every in-house accountant: the interface, the registry, directions kept, sound where one number decides."""

import dataclasses
import math
import subprocess
import sys

import pytest
from scipy import stats

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import ask
from pldverify.accountants.registry import accountant, accountant_names, variants
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query

FAMILIES = {
    "fourier",
    "heterogeneous-fourier",
    "prv",
    "rdp",
    "moments",
    "gdp",
    "basic-composition",
    "advanced-composition",
    "kairouz-oh-viswanath",
}
IN_HOUSE = [name for name in accountant_names() if name.split("/")[0] in FAMILIES]
EACH = pytest.mark.parametrize("name", IN_HOUSE)


def test_all_are_registered() -> None:
    assert {name.split("/")[0] for name in IN_HOUSE} == FAMILIES
    assert [a.name for a in variants("fourier")] == ["fourier/estimate", "fourier/upper"]
    assert len(IN_HOUSE) == 16


@EACH
def test_frozen_and_named(name: str) -> None:
    subject = accountant(name)
    assert subject.name == name and subject.library == "pldverify" and subject.version()
    assert dataclasses.is_dataclass(subject)
    assert subject == type(subject)()
    with pytest.raises(AttributeError):
        subject.n = 3  # type: ignore[attr-defined]


def true_delta(mu: float, epsilon: float) -> float:
    return float(
        stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    )


@pytest.mark.sample(5)
@EACH
@pytest.mark.parametrize(("sigma", "k"), [("4", 10), ("30", 500)])
def test_gaussian_on_the_right_side(name: str, sigma: str, k: int) -> None:
    subject: Accountant = accountant(name)
    mu = math.sqrt(k) / float(sigma)
    for query in (
        Query(k * Gaussian(sigma), epsilon=1, adjacency="remove"),
        Query(k * Gaussian(sigma), delta="1e-4", adjacency="remove"),
    ):
        if subject.supports(query) is not None:
            assert name == "fourier/upper"
            continue
        answer = ask(subject, query)
        assert answer.claim is not None, answer.failure
        value = float(answer.claim.value)
        at, given = (1.0, value) if query.quantity == "delta" else (value, 1e-4)
        gap = given - true_delta(mu, at) if query.quantity == "delta" else 1e-4 - true_delta(mu, at)
        # in δ at the claimed ε, or the claimed δ: an upper claim leaves room, a lower one none
        assert gap >= -1e-12 if subject.direction == "upper" else True
        assert gap <= 1e-12 if subject.direction == "lower" and value > 0 else True
        if subject.direction == "estimate":
            assert abs(gap) < (2e-6 if name != "prv/estimate" else 1e-4)


@pytest.mark.sample(4)
@EACH
def test_same_answer_twice(name: str) -> None:
    query = Query(50 * PoissonSubsampled(Gaussian("1.5"), "0.05"), delta="1e-5", adjacency="remove")
    subject = accountant(name)
    assert subject.claim(query) == accountant(name).claim(query)


def test_the_registry_loads_nothing_heavy() -> None:
    code = (
        "import sys; from pldverify.accountants import registry; registry.accountant_names(); "
        "print(sorted({'numpy', 'scipy', 'mpmath', 'flint', 'sympy'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
