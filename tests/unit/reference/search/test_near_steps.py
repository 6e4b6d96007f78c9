"""Losses at nodes, in floats."""

import numpy as np
import pytest

from pldverify.reference.search.cumulants.near_steps import mixture_losses

X = np.array([-9.0, -1.0, 0.0, 0.5, 3.0])


@pytest.mark.filterwarnings("error")
def test_a_sampling_probability_that_is_one_as_a_double_is_the_gaussian() -> None:
    """log w = cx − c²/2 where nothing is left out; log1p(−1) was asked for at c = 40."""
    assert mixture_losses(40.0, float("0." + "9" * 20), X).tolist() == (40 * X - 800).tolist()


def test_losses_of_a_mixture() -> None:
    """Against log(1 − q + q e^{cx − c²/2}) as it is written."""
    written = np.log(0.75 + 0.25 * np.exp(2 * X - 2))
    assert mixture_losses(2.0, 0.25, X) == pytest.approx(written, rel=1e-14, abs=0)
