"""The adapters against jax-privacy called directly; what they pass on, without it."""

from typing import Any

import pytest

from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain.jax_privacy import PLD, RDP
from pldverify.accountants.registry import accountant
from pldverify.accountants.standalone import Question
from pldverify.accountants.worker import plain
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, SampledWithoutReplacement

STEP = PoissonSubsampled(Gaussian(4, sensitivity=2), "0.03")
EACH = pytest.mark.parametrize("adapter", [PLD, RDP])


@pytest.fixture
def accounting() -> Any:
    return pytest.importorskip("jax_privacy.accounting")


def direct(accounting: Any, adapter: Any, steps: int, **changed: object) -> float:
    given = {"noise_multipliers": 2.0, "num_samples": 100, "batch_size": 3, "delta": 1e-5, **changed}
    library = accounting.DpsgdTrainingAccountant(getattr(accounting, adapter.config)())
    return library.compute_epsilon(steps, accounting.DpParams(**given))


@EACH
def test_dp_sgd_has_batches_of_a_data_set(accounting: Any, adapter: Any) -> None:
    assert accountant(adapter.name).claim(Query(30 * STEP, delta="1e-5")).value == direct(
        accounting, adapter, 30
    )


@EACH
def test_batches_of_a_fixed_size_are_for_replaced_records(accounting: Any, adapter: Any) -> None:
    expected = direct(accounting, adapter, 30, sampling_method=accounting.SamplingMethod.FIXED_BATCH_SIZE)
    query = Query(30 * SampledWithoutReplacement(Gaussian(2), "0.03"), delta="1e-5")
    assert accountant(adapter.name).claim(query).value == expected


@EACH
def test_different_noise_is_a_schedule(accounting: Any, adapter: Any) -> None:
    more = PoissonSubsampled(Gaussian(4), "0.03")
    expected = direct(accounting, adapter, 40, noise_multipliers=[(0, 4.0), (10, 2.0)])
    composition = 30 * PoissonSubsampled(Gaussian(4, sensitivity=2), "0.03") + 10 * more
    claim = accountant(adapter.name).claim(Query(composition, delta="1e-5")).value
    assert abs(float(claim) - expected) < 1e-9  # in the order of the composition


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(STEP, epsilon=1), "no delta at an epsilon"),
        (Query(STEP, delta="1e-5", adjacency="remove"), "got 'remove'"),
        (Query(STEP, delta="1e-5", adjacency="replace-one"), "no sampling method"),
        (Query(STEP + Gaussian(1), delta="1e-5"), "one size of batches"),
        (Query(Laplace(1), delta="1e-5"), "Gaussian mechanism alone"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    with pytest.raises(NotImplementedError, match=reason):
        standalone.steps(PLD(), Question(plain.query(query)))


def test_what_is_passed() -> None:
    composition = 30 * STEP + 10 * PoissonSubsampled(Gaussian(4), "0.03")
    question = Question(plain.query(Query(composition, delta="1e-5")))
    steps = standalone.steps(PLD(), question)
    assert {call.arguments["noise_multiplier"] for call, _ in steps} == {2.0, 4.0}
    assert all((call.arguments["batch_size"], call.arguments["num_samples"]) == (3, 100) for call, _ in steps)
    script = str(PLD().answer(question, steps)[0])
    assert "num_samples=100, batch_size=3" in script and "compute_epsilon(40, parameters)" in script
