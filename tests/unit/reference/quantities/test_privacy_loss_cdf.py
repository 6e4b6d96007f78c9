"""P(S ≤ ε): normal and binomial distribution functions, atoms, and infinite losses."""

from fractions import Fraction

import mpmath
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.reference.quantities.privacy_loss_cdf import privacy_loss_cdf


def close(found: pv.Enclosure, truth: mpmath.mpf) -> bool:
    """Whether the enclosure contains the 40-digit number up to its last digits."""
    with mpmath.workdps(40):
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        return bool(low * (1 - mpmath.mpf(10) ** -35) <= truth <= high * (1 + mpmath.mpf(10) ** -35))


@pytest.mark.parametrize("epsilon", ["-30", "-3", "-0.5", "0", "0.5", "2", "30"])
def test_gaussian(epsilon: str) -> None:
    with mpmath.workdps(40):
        truth = mpmath.ncdf(mpmath.mpf(epsilon) / 2 - 1)  # S ~ N(2, 4)
    found = privacy_loss_cdf(4 * pv.Gaussian(1), epsilon=epsilon)
    assert found.digits >= 15 and close(found, truth)


def test_an_atom_at_the_point_counts() -> None:
    steps = 3 * pv.PureDP(1)  # losses −3, −1, 1, 3
    with mpmath.workdps(40):
        p = 1 / (1 + mpmath.exp(-1))
        below = (1 - p) ** 3
        with_atom = below + 3 * p * (1 - p) ** 2
    assert close(privacy_loss_cdf(steps, epsilon=-1), with_atom)
    assert close(privacy_loss_cdf(steps, epsilon="-1.0001"), below)
    assert not close(privacy_loss_cdf(steps, epsilon="-1.0001"), with_atom)
    assert privacy_loss_cdf(steps, epsilon="-3.0001").upper == 0
    assert close(privacy_loss_cdf(steps, epsilon=5), mpmath.mpf(1))


def test_infinite_losses_never_count() -> None:
    found = privacy_loss_cdf(pv.ApproximateDP(1, "0.1"), epsilon=100)
    assert Fraction(9, 10) in found and found.upper < Fraction(91, 100)


def test_complements_the_tail_of_a_continuous_loss() -> None:
    steps = 1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    for adjacency in ("add", "remove"):
        found = privacy_loss_cdf(steps, epsilon=1, adjacency=adjacency)
        tail = pv.tail(steps, epsilon=1, adjacency=adjacency, digits=20)
        assert found.lower <= 1 - tail.lower and 1 - tail.upper <= found.upper
        assert found.digits >= 15


def test_the_smaller_direction_is_reported() -> None:
    steps = 1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    sides = [privacy_loss_cdf(steps, epsilon="0.5", adjacency=side) for side in ("add", "remove")]
    assert privacy_loss_cdf(steps, epsilon="0.5").overlaps(min(sides, key=lambda side: side.lower))
    assert not sides[0].overlaps(sides[1])


def test_bad_arguments() -> None:
    with pytest.raises(InvalidInput, match="epsilon"):
        privacy_loss_cdf(pv.Gaussian(1), epsilon="inf")
    with pytest.raises(InvalidInput, match="digits"):
        privacy_loss_cdf(pv.Gaussian(1), epsilon=1, digits=0)


def test_few_digits_where_there_is_only_a_grid() -> None:
    # P(S ≤ ε) + P(S ≥ ε) = 1 where there is no atom
    steps = 3 * pv.PoissonSubsampled(pv.Laplace(1), "0.2")
    for way in ("add", "remove"):
        found = privacy_loss_cdf(steps, epsilon="0.1", adjacency=way)  # type: ignore[arg-type]
        tail = pv.tail(steps, epsilon="0.1", adjacency=way, digits=3)  # type: ignore[arg-type]
        assert 1 <= found.digits < 15
        assert found.lower + tail.lower <= 1 <= found.upper + tail.upper


def test_at_the_top_of_the_support_it_is_a_probability() -> None:
    whole = 10 * pv.ApproximateDP("1e-4000", "1e-30")
    found = pv.privacy_loss_cdf(whole, epsilon="0.5", digits=5)
    assert (1 - Fraction(1, 10**30)) ** 10 in found
    assert found.upper <= 1


def test_a_loss_that_is_always_infinite_is_never_below_anything() -> None:
    found = pv.privacy_loss_cdf(1000 * pv.RandomizedResponse(0), epsilon="0.5")
    assert found.lower == found.upper == 0


@pytest.mark.parametrize("epsilon", [50_000, 49_000, "50001/2", "20000.5"])
def test_a_hundred_thousand_gaussians(epsilon: object) -> None:
    """S ~ N(50000, 100000): also where δ and both tails of the other direction leave no digits."""
    with mpmath.workdps(40):
        at = mpmath.mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator  # type: ignore[arg-type]
        truth = mpmath.ncdf((at - 50_000) / mpmath.sqrt(100_000))
    steps = 60_000 * pv.Gaussian(1) + 160_000 * pv.Gaussian(2)
    found = privacy_loss_cdf(steps, epsilon=epsilon)
    assert found.digits >= 15 and close(found, truth)


def test_far_below_all_rationals_the_enclosure_starts_at_0() -> None:
    found = privacy_loss_cdf(100_000 * pv.Gaussian(1), epsilon=-50_000)  # some 1e-21718
    assert found.lower == 0 < found.upper <= Fraction(1, 2**19_999)


@pytest.mark.parametrize("epsilon", ["-0.9", "0", "0.5", "1"])
def test_one_loss_by_itself(epsilon: str) -> None:
    """By its distribution functions, of which nothing cancels."""
    mechanism = pv.Laplace(1)
    with mpmath.workdps(40):
        truth = mpmath.mpf(1) if epsilon == "1" else mpmath.exp((mpmath.mpf(epsilon) - 1) / 2) / 2
    found = privacy_loss_cdf(mechanism, epsilon=epsilon, digits=30)
    assert found.digits >= 30 and close(found, truth)
