"""autodp 0.2.3.1: ``LaplaceSVT_Mechanism`` is (2/b)-DP, where queries that move both ways lose up to 3/b.

Noise of scale b = 1 on the threshold 0 and on answers that move by 1. Twelve answers rise from 2 to 3, the
next falls from 1 to 0; P and Q are the probabilities that the thirteenth is the first above, by mpmath. The
documentation says nothing of queries that all move one way, for which 2/b is right.
"""

from importlib import metadata
from typing import Any

import mpmath
import numpy as np
import pytest
from autodp.mechanism_zoo import LaplaceSVT_Mechanism

DELTA = 1e-6


def below(x: Any) -> Any:
    return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2


def halts_last(first: int, last: int, queries: int = 12) -> Any:
    """The probability that the last query is the first above."""

    def integrand(z: Any) -> Any:
        return mpmath.exp(-abs(z)) / 2 * below(z - first) ** queries * (1 - below(z - last))

    return mpmath.quad(integrand, [-mpmath.inf, *sorted({0, first, last}), mpmath.inf])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.skipif(metadata.version("autodp") != "0.2.3.1", reason="found in 0.2.3.1")
@pytest.mark.parametrize("k", [13, 1000, np.inf])
def test_two_data_sets_have_more(k: float) -> None:
    epsilon = LaplaceSVT_Mechanism({"b": 1.0, "k": k, "c": 1}).get_approxDP(DELTA)
    assert epsilon < 2
    with mpmath.workdps(20):
        p, q = halts_last(2, 1), halts_last(3, 0)
        assert p - mpmath.exp(epsilon) * q > 100 * DELTA
