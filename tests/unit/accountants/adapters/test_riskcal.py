"""The adapter against riskcal called directly."""

import pytest

from pldverify.accountants.registry import accountant
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query

accountants = pytest.importorskip("riskcal.accountants")
STEP = PoissonSubsampled(Gaussian(2), "0.25")


def answered(query: Query) -> object:
    return accountant("riskcal").claim(query).value  # type: ignore[union-attr]  # adapters return claims


@pytest.mark.slow
def test_it_answers_what_the_library_answers() -> None:
    direct = accountants.CTDAccountant()
    for _ in range(5):
        direct.step(noise_multiplier=4.0, sample_rate=1.0)
    for _ in range(30):
        direct.step(noise_multiplier=2.0, sample_rate=0.25)
    composition = 30 * STEP + 5 * Gaussian(4)
    assert answered(Query(composition, delta="1e-5")) == direct.get_epsilon(delta=1e-5)
    assert answered(Query(composition, epsilon=0)) == direct.get_advantage()


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(STEP, epsilon=1), "advantage"),
        (Query(STEP, delta="1e-5", adjacency="remove"), "got 'remove'"),
        (Query(Laplace(1), delta="1e-5"), "Gaussian mechanism alone"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    assert reason in str(accountant("riskcal").supports(query))
