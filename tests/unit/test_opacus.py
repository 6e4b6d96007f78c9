"""The proved accountant inside Opacus, in a real training run (slow: it needs opacus)."""

from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput

RUN = pv.dp_sgd(noise_multiplier="1.5", sampling_probability="0.125", steps=16)
"""Two epochs of 64 records in batches of 8 on average; both numbers are doubles."""


@pytest.fixture
def opacus() -> Any:
    found = pytest.importorskip("opacus")
    pytest.importorskip("pldverify.opacus")
    return found


@pytest.mark.slow
def test_a_training_run_reports_a_proved_epsilon(opacus: Any) -> None:
    import torch

    data = torch.utils.data.TensorDataset(torch.randn(64, 3), torch.randint(0, 2, (64,)))
    model = torch.nn.Linear(3, 2)
    engine = opacus.PrivacyEngine(accountant="pldverify")
    model, optimizer, loader = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        data_loader=torch.utils.data.DataLoader(data, batch_size=8),
        noise_multiplier=1.5,
        max_grad_norm=1.0,
    )
    for x, y in (batch for _ in range(2) for batch in loader):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    assert len(engine.accountant) == 16
    told = engine.get_epsilon(delta=1e-5)
    upper_of_prv = opacus.accountants.PRVAccountant()
    upper_of_prv.history = engine.accountant.history
    assert told <= upper_of_prv.get_epsilon(1e-5)
    assert pv.certify(RUN, told, delta=1e-5).verdict == "CERTIFIED"
    assert pv.certify(RUN, told - 1e-4, delta=1e-5).verdict == "REFUTED"


@pytest.mark.slow
def test_the_noise_of_a_target_meets_it(opacus: Any) -> None:
    from opacus.accountants.utils import get_noise_multiplier

    noise = get_noise_multiplier(
        target_epsilon=2, target_delta=1e-5, sample_rate=0.125, steps=16, accountant="pldverify"
    )
    run = pv.dp_sgd(noise_multiplier=noise, sampling_probability=0.125, steps=16)
    assert pv.certify(run, 2, delta=1e-5).verdict == "CERTIFIED"


@pytest.mark.slow
def test_state_is_kept_and_options_are_refused(opacus: Any) -> None:
    first, second = (opacus.accountants.create_accountant("pldverify") for _ in range(2))
    for noise in (1.0, 1.0, 2.0):
        first.step(noise_multiplier=noise, sample_rate=0.01)
    second.load_state_dict(first.state_dict())
    assert second.history == [(1.0, 0.01, 2), (2.0, 0.01, 1)] and len(second) == 3
    with pytest.raises(InvalidInput, match="alphas"):
        first.get_epsilon(1e-5, alphas=[2])
