"""The adapters against jax-privacy called directly."""

import pytest

from pldverify.accountants.adapters.jax_privacy import PLD, RDP
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, SampledWithoutReplacement

accounting = pytest.importorskip("jax_privacy.accounting")
STEP = PoissonSubsampled(Gaussian(4, sensitivity=2), "0.03")
CONFIGS = {PLD: accounting.PldAccountantConfig, RDP: accounting.RdpAccountantConfig}
EACH = pytest.mark.parametrize("adapter", [PLD, RDP])


def direct(adapter, steps: int, **changed: object) -> float:
    given = {"noise_multipliers": 2.0, "num_samples": 100, "batch_size": 3, "delta": 1e-5, **changed}
    accountant = accounting.DpsgdTrainingAccountant(CONFIGS[adapter]())
    return accountant.compute_epsilon(steps, accounting.DpParams(**given))


@EACH
def test_dp_sgd_has_batches_of_a_data_set(adapter) -> None:
    assert adapter().claim(Query(30 * STEP, delta="1e-5")).value == direct(adapter, 30)


@EACH
def test_batches_of_a_fixed_size_are_for_replaced_records(adapter) -> None:
    expected = direct(adapter, 30, sampling_method=accounting.SamplingMethod.FIXED_BATCH_SIZE)
    query = Query(30 * SampledWithoutReplacement(Gaussian(2), "0.03"), delta="1e-5")
    assert adapter().claim(query).value == expected


@EACH
def test_different_noise_is_a_schedule(adapter) -> None:
    more = PoissonSubsampled(Gaussian(4), "0.03")
    expected = direct(adapter, 40, noise_multipliers=[(0, 4.0), (10, 2.0)])
    composition = 30 * PoissonSubsampled(Gaussian(4, sensitivity=2), "0.03") + 10 * more
    claim = adapter().claim(Query(composition, delta="1e-5")).value
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
    assert reason in str(PLD().supports(query))
