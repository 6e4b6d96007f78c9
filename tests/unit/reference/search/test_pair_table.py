"""Losses at nodes, in floats."""

import numpy as np
import pytest

from pldverify.reference.search.pair_table import log_sum

X = np.array([-9.0, -1.0, 0.0, 0.5, 3.0])


@pytest.mark.filterwarnings("error")
def test_a_sampling_probability_that_is_one_as_a_double_is_the_gaussian() -> None:
    """log w = cx − c²/2 where nothing is left out; log1p(−1) was asked for at c = 40."""
    assert log_sum(40.0, ((0, 0.0), (1, 1.0)), X).tolist() == (40 * X - 800).tolist()


def test_losses_of_a_mixture() -> None:
    """Against log Σ w_j e^{jcx − j²c²/2} as it is written."""
    written = np.log(0.75 + 0.25 * np.exp(2 * X - 2))
    assert log_sum(2.0, ((0, 0.75), (1, 0.25)), X) == pytest.approx(written, rel=1e-14, abs=0)
    written = np.log(0.7 * np.exp(X / 2 - 0.125) + 0.3 * np.exp(2 * X - 2))
    assert log_sum(0.5, ((1, 0.7), (4, 0.3)), X) == pytest.approx(written, rel=1e-13, abs=0)
    assert log_sum(0.5, ((1, 0.7), (4, 0.3)), np.array([60.0])) == pytest.approx(
        118 + np.log(0.3), rel=1e-13, abs=0
    )
