import pytest

import pldverify as pv
from pldverify.errors import NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.sampled import sampled, symmetric

POISSON = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
BATCH = pv.SampledWithoutReplacement(pv.Gaussian(1), q="0.1")


def loss(whole: object, direction: str) -> ComposedLoss:
    return product(as_composition(whole), direction)  # type: ignore[arg-type]


def test_poisson_sampling_in_direction_remove() -> None:
    both = loss(3 * POISSON + pv.PoissonSubsampled(pv.Gaussian(2), "0.2"), "remove")
    assert sorted(k for _, k in sampled(both)) == [1, 3]
    assert not symmetric(both)
    with pytest.raises(NotSupported):
        sampled(loss(POISSON, "add"))


def test_replaced_records_are_symmetric() -> None:
    for whole in (2 * POISSON, 2 * BATCH, 2 * POISSON + BATCH):
        found = loss(whole, "replace")
        assert symmetric(found) and len(sampled(found)) == len(whole.parts)


def test_other_losses_are_none_of_them() -> None:
    for found in (loss(POISSON + pv.Laplace(1), "remove"), ComposedLoss(())):
        assert not symmetric(found)
        with pytest.raises(NotSupported):
            sampled(found)
