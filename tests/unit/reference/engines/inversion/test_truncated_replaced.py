"""The truncated engine under replace-one, against other engines."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.engines.inversion.truncated import Parameters, Truncated
from pldverify.reference.laws.composed_loss import product


def poisson(k: int, sigma: str, q: str) -> Any:
    return k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)


def fixed(k: int, sigma: str, q: str) -> Any:
    return k * pv.SampledWithoutReplacement(pv.Gaussian(sigma), q)


def delta(composition: Any, epsilon: str, engine: str, digits: int) -> Enclosure:
    return pv.delta(composition, epsilon=epsilon, adjacency="replace-one", digits=digits, engine=engine)


def overlaps(one: Enclosure, two: Enclosure) -> bool:
    return one.lower <= two.upper and two.lower <= one.upper


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("composition", "epsilon", "engine", "digits"),
    [
        (poisson(21395, "1.01", "0.000474"), "0.74", "contour", 12),
        (poisson(300, "1", "0.1"), "5", "contour", 12),
        (poisson(300, "1", "0.1"), "0", "contour", 12),
        (fixed(2000, "2", "0.001"), "0.3", "contour", 12),
        (fixed(10, "6.27", "0.000158"), "0.00023", "grid", 3),
        (poisson(3, "2.31", "0.001"), "0.001", "grid", 3),
        (poisson(2, "2.31", "0.001") + poisson(2, "5", "0.002"), "0.001", "grid", 3),
    ],
)
def test_it_overlaps_with_other_engines(composition: Any, epsilon: str, engine: str, digits: int) -> None:
    found, other = (
        delta(composition, epsilon, "truncated", digits),
        delta(composition, epsilon, engine, digits),
    )
    assert found.digits >= digits and other.digits >= min(digits, 3)
    assert overlaps(found, other)


def test_epsilon_is_zero_where_no_delta_is_so_large() -> None:
    few, many = poisson(2, "0.801", "4.95e-6"), fixed(205, "6.71", "1.17e-6")
    for composition, target in ((few, "6.26e-05"), (many, "1.30e-05")):
        found = pv.epsilon(composition, delta=target, adjacency="replace-one", digits=6)
        assert found.lower == found.upper == 0
        assert found.upper == 0 and pv.prove_again(found).upper == 0


@pytest.mark.parametrize("share", ["1/2", "1/3", "-1"])
def test_a_cut_among_the_losses_of_zero_is_refused(share: str) -> None:
    """The masses beyond it are those of another pair, also where no contour of near steps is asked for."""
    loss = product(fixed(2, "1", "1/2"), "replace")
    parameters = Parameters((Fraction(share),), None, Fraction(1), 64, (Fraction(3),))
    statement = Evaluated(Work(Truncated.engine, loss, "delta", parameters), Fraction(1, 10), 64)
    with pytest.raises(NoConvergence, match="no loss is above 0"):
        statement.prove()
