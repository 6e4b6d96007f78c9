import pytest

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.errors import NotSupported
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query

STEP = PoissonSubsampled(Gaussian(3, sensitivity=2), "0.25")


def test_a_step_is_noise_per_sensitivity_and_the_sampling_probability() -> None:
    steps = [(dp_sgd.step(STEP, Doubles(), "x"), 7), (dp_sgd.step(Gaussian(3), Doubles(), "x"), 2)]
    assert list(dp_sgd.rows(steps)) == [(1.5, 0.25, 7), (3.0, 1.0, 2)]
    with pytest.raises(NotSupported, match=r"x knows the Gaussian mechanism alone, not laplace\(b=1\)"):
        dp_sgd.step(Laplace(1), Doubles(), "x")


@pytest.mark.parametrize(
    ("mechanism", "adjacency", "reason"),
    [
        (STEP, "remove", None),
        (STEP, "add-or-remove", None),
        (STEP, "add", "direction remove"),
        (STEP, "replace-one", "got 'replace-one'"),
        (Gaussian(1), "add", None),
    ],
)
def test_one_direction(mechanism, adjacency, reason: str | None) -> None:
    refusal = dp_sgd.only_one_direction(Query(mechanism, delta="1e-5", adjacency=adjacency), "x")
    assert refusal is None if reason is None else reason in str(refusal)


def test_both_directions() -> None:
    assert dp_sgd.both_directions(Query(STEP, delta="1e-5"), "x") is None
    assert "got 'add'" in str(dp_sgd.both_directions(Query(STEP, delta="1e-5", adjacency="add"), "x"))
