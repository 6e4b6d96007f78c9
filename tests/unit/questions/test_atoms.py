"""Atoms: losses that have a mass, of one step and of all."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.questions.atoms import atoms


@pytest.mark.parametrize(
    ("mechanism", "loss"),
    [
        (pv.Laplace(2, sensitivity=3), Fraction(3, 2)),
        (pv.DiscreteLaplace(2, sensitivity=3), Fraction(3, 2)),
        (pv.PureDP("0.3"), Fraction(3, 10)),
        (pv.ApproximateDP("0.3", "1e-5"), Fraction(3, 10)),
    ],
)
def test_the_largest_loss_of_a_step_and_of_all(mechanism: Mechanism, loss: Fraction) -> None:
    assert atoms(5 * mechanism) == [loss, 5 * loss]
    assert atoms(1 * mechanism) == [loss]
    at, below = (pv.delta(5 * mechanism, epsilon=5 * loss * x).upper for x in (1, Fraction(99, 100)))
    assert at < below


def test_the_loss_of_a_response_is_next_to_a_double() -> None:
    (loss,) = atoms(1 * pv.RandomizedResponse("0.75"))
    assert abs(float(loss) / math.log(3) - 1) < 1e-15


@pytest.mark.parametrize("p", ["0", "0.5", "1"])
def test_a_response_that_says_all_or_nothing_has_no_such_loss(p: str) -> None:
    assert atoms(1 * pv.RandomizedResponse(p)) == []


def test_noise_without_atoms_has_none() -> None:
    assert atoms(pv.Gaussian(1) + pv.GDP(1)) == []
