"""A cell of the regime matrix that a search in floats had lost; its ε is the one of the table of before."""

import pldverify as pv


def test_a_search_goes_on_from_where_floats_end() -> None:
    """At δ = 1e-100 floats are off by 4 %; the search then began at the saddle point, at 0.39."""
    steps = 1000 * pv.PoissonSubsampled(pv.Gaussian(5), "1e-5")
    found = pv.epsilon(steps, delta="1e-100", adjacency="remove", digits=3)
    assert found.digits >= 3
    assert abs(float(found) / 0.001413 - 1) < 1e-3
