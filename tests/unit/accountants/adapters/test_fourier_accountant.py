"""The adapter against fourier-accountant called directly."""

import pytest

from pldverify.accountants.adapters.fourier_accountant import FourierAccountant
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, SampledWithoutReplacement

library = pytest.importorskip("fourier_accountant")
np = pytest.importorskip("numpy")
STEP = PoissonSubsampled(Gaussian(4, sensitivity=2), "0.25")


@pytest.mark.parametrize(
    ("adjacency", "letter"), [("add-or-remove", "R"), ("remove", "R"), ("replace-one", "S")]
)
def test_it_answers_what_the_library_answers(adjacency: str, letter: str) -> None:
    adapter, asked = FourierAccountant(), {"sigma": 2.0, "q": 0.25, "ncomp": 30}
    claim = adapter.claim(Query(30 * STEP, epsilon="3/2", adjacency=adjacency))
    assert claim.value == getattr(library, f"get_delta_{letter}")(1.5, **asked)
    claim = adapter.claim(Query(30 * STEP, delta="1e-5", adjacency=adjacency))
    assert claim.value == getattr(library, f"get_epsilon_{letter}")(1e-5, **asked)
    assert claim.parameters["function"] == f"get_epsilon_{letter}"
    assert claim.direction == "estimate" and claim.promise is None


@pytest.mark.slow
def test_different_steps_are_arrays() -> None:
    claim = FourierAccountant().claim(Query(30 * STEP + 3 * Gaussian(5), epsilon=1, adjacency="replace-one"))
    sigma, q, counts = np.array([5.0, 2.0]), np.array([1.0, 0.25]), np.array([3, 30])
    assert claim.value == library.get_delta_S(1.0, sigma=sigma, q=q, ncomp=counts)


def test_a_fixed_batch_has_its_ratio_and_a_gaussian_fails_as_it_does() -> None:
    query = Query(30 * SampledWithoutReplacement(Gaussian(2), "0.25"), epsilon="3/2")
    assert FourierAccountant().claim(query).value == library.get_delta_S(1.5, sigma=2.0, q=0.25, ncomp=30)
    with pytest.raises(OverflowError):
        FourierAccountant().claim(Query(Gaussian(1), epsilon=1))


def test_what_it_does_not_have_is_refused() -> None:
    assert "direction remove" in str(FourierAccountant().supports(Query(STEP, epsilon=1, adjacency="add")))
    assert "Gaussian mechanism alone" in str(FourierAccountant().supports(Query(Laplace(1), epsilon=1)))
