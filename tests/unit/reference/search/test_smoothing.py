"""How much noise smoothing adds where single losses decide."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.search.size import densities, size_of_delta
from pldverify.reference.search.smoothing import _parameters


@pytest.mark.parametrize(
    ("sigma", "q", "k", "epsilon"),
    [
        ("0.513", "0.000124", 11, "0.9315"),  # between two atoms, which more noise reaches
        ("0.998", "0.000112", 1635, "0.0404"),
        ("0.799", "0.000191", 6862, "0.267"),
    ],
)
def test_the_noise_is_as_much_as_the_digits_allow(sigma: str, q: str, k: int, epsilon: str) -> None:
    """v times the density of the loss with that noise is to be 10^−digits of δ, within a digit."""
    steps = k * pv.PoissonSubsampled(pv.DiscreteGaussian(sigma), q)
    loss, at = product(as_composition(steps), "remove"), Fraction(epsilon)
    with working(90):
        variance = float(_parameters(loss, at, 5.0, 1.0)[0].variance)
    size, spectrum = size_of_delta(loss, at), densities(loss, at)
    assert size is not None
    _, density = min(spectrum, key=lambda row: abs(math.log(row[0] ** 2 / variance)))
    error = (math.log(variance) + density - size) / math.log(10)
    assert abs(error + 5) < 1


def test_what_is_too_fine_for_any_sum_is_refused() -> None:
    """1 − δ is e^(−1.6e12): a number of so many bits would be all of the memory."""
    steps = 10**12 * pv.PoissonSubsampled(pv.ApproximateDP("0.008", 1 - Fraction(1, 10**120)), "0.5")
    with pytest.raises(NoConvergence, match="beyond this machine"):
        pv.delta(steps, epsilon="0.002", adjacency="remove", digits=3)
