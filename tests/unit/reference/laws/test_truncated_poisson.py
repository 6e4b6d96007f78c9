"""What the parts lack is no infinite loss: divergences are finite, and right where few batches are cut."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms.relations import Adjacency


@pytest.mark.parametrize("adjacency", ["add-or-remove", "replace-one"])
def test_divergences_are_those_of_poisson_sampling_or_more(adjacency: Adjacency) -> None:
    def least(most: int) -> pv.Enclosure:
        cut = pv.TruncatedPoisson(pv.Gaussian(1), q="0.01", dataset_size=5000, max_batch=most)
        return pv.rdp(cut, order=4, adjacency=adjacency)

    plain = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(1), q="0.01"), order=4, adjacency=adjacency)
    assert abs(least(200).upper / plain.upper - 1) < Fraction(1, 10**20)
    assert plain.upper < least(55).lower <= least(55).upper < pv.rdp(pv.Gaussian("0.5"), order=4).lower
