"""The adapters of pld-accounting and random-allocation: what is passed on, and (slow) the answers."""

from fractions import Fraction
from typing import Any

import pytest

from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain import pld_accounting, random_allocation
from pldverify.accountants.registry import accountant
from pldverify.accountants.standalone import Question
from pldverify.accountants.worker import plain
from pldverify.mechanisms import BallsAndBins, Gaussian, Query
from pldverify.mechanisms.random_allocation import random_allocation as allocated

ADAPTERS = [
    pld_accounting.Upper,
    pld_accounting.Lower,
    random_allocation.RDP,
    random_allocation.Decomposition,
    random_allocation.Recursive,
]
EPOCH = BallsAndBins(Gaussian(6, sensitivity=2), batches=100)


def question(composition: Any, **given: Any) -> Question:
    return Question(plain.query(Query(composition, **given)))


def answered(name: str, query: Query) -> Any:
    return accountant(name).claim(query).value  # type: ignore[union-attr]  # adapters return claims


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_noise_steps_and_epochs_are_passed_on(adapter: Any) -> None:
    ((call, epochs),) = standalone.steps(adapter(), question(EPOCH, delta="1e-5"))
    assert call.arguments == {"sigma": 3.0, "num_steps": 100} and epochs == 1
    script = str(adapter().answer(question(EPOCH, delta="1e-5"), [(call, epochs)])[0])
    assert all(f"{word}" in script for word in ("sigma=3.0", "num_steps=100", "num_epochs=1", "delta=1e-05"))
    compile(script, "script", "exec")


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("composition", "given", "reason"),
    [
        (Gaussian(1), {"delta": "1e-5"}, "not gaussian"),
        (EPOCH, {"delta": "1e-5", "adjacency": "add"}, "got 'add'"),
        (
            allocated(Gaussian(1), steps=100, participations=4),
            {"delta": "1e-5"},
            "not balls_and_bins|steps must be at most 1",
        ),
        (EPOCH + BallsAndBins(Gaussian(1), batches=7), {"epsilon": 1}, "mechanisms must be at most 1"),
    ],
)
def test_what_they_do_not_have_is_refused(adapter: Any, composition: Any, given: Any, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(adapter(), question(composition, **given))


def test_the_decomposition_takes_one_epoch() -> None:
    with pytest.raises(NotImplementedError, match="steps must be at most 1"):
        standalone.steps(random_allocation.Decomposition(), question(2 * EPOCH, delta="1e-5"))
    assert standalone.steps(random_allocation.RDP(), question(2 * EPOCH, delta="1e-5"))[0][1] == 2


@pytest.mark.slow
def test_both_ends_are_those_of_the_library() -> None:
    pld = pytest.importorskip("PLD_accounting")
    query = Query(2 * BallsAndBins(Gaussian(2), batches=10), delta="1e-5")
    upper, lower = pld.gaussian_allocation_epsilon_range(delta=1e-5, sigma=2.0, num_steps=10, num_epochs=2)
    assert answered("pld-accounting/upper", query) == Fraction(upper)
    assert answered("pld-accounting/lower", query) == Fraction(lower)


@pytest.mark.slow
def test_the_number_is_that_of_the_function() -> None:
    ra = pytest.importorskip("random_allocation")
    params = ra.PrivacyParams(sigma=2.0, num_steps=10, num_epochs=1, epsilon=0.5)
    direct = ra.allocation_delta_decomposition(params, ra.SchemeConfig())
    query = Query(BallsAndBins(Gaussian(2), batches=10), epsilon="0.5")
    assert answered("random-allocation/decomposition", query) == direct
