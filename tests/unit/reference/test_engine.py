"""Engine choice: the first that applies and can afford it."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.composition import as_composition
from pldverify.reference import engine as module
from pldverify.reference.engine import ENGINES, named, opened
from pldverify.reference.product import product


@pytest.mark.parametrize(
    ("composition", "epsilon", "name"),
    [
        (pv.Gaussian(1), "1", "threshold"),
        (10**9 * pv.Gaussian(10**4), "1", "threshold"),
        (pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), "1", "threshold"),
        (20 * pv.RandomizedResponse("0.7"), "1", "lattice"),
        (5 * pv.DiscreteLaplace(3), "0.5", "lattice"),
        (10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), "6.9", "contour"),
        (5 * pv.Gaussian(2) + 2 * pv.Laplace(1), "3", "contour"),
        (2 * pv.Laplace(1), "0.5", "grid"),
        (pv.Laplace(1) + pv.RandomizedResponse("0.7"), "0.5", "grid"),
    ],
)
def test_which_engine_answers(composition: pv.Composition, epsilon: str, name: str) -> None:
    assert pv.delta(composition, epsilon=epsilon, adjacency="remove", digits=5).engine == name


def test_beyond_the_support_no_engine_is_needed() -> None:
    assert pv.delta(2 * pv.Laplace(1), epsilon=2).engine == "support"


def test_an_engine_can_be_insisted_on() -> None:
    assert named("grid") == ("grid",)
    assert tuple(named(None)) == tuple(ENGINES)
    with pytest.raises(InvalidInput, match="engine"):
        named("guess")


def test_all_reasons_are_told_when_none_is_left() -> None:
    law = product(2 * pv.Laplace(1), "remove")
    with pytest.raises(NoConvergence, match=r"threshold.*lattice"):
        next(opened(law, "delta", Fraction(1), digits=5, names=("threshold", "lattice")))


def test_float_trouble_in_a_search_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def trouble(*_: object, **__: object) -> None:
        raise OverflowError("math range error")

    monkeypatch.setattr(module, "ENGINES", {"threshold": trouble})
    law = product(as_composition(pv.Gaussian(1)), "remove")
    with pytest.raises(NoConvergence, match="range of floats"):
        next(opened(law, "delta", Fraction(1), digits=5, names=("threshold",)))


def test_a_bug_is_not_mistaken_for_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*_: object, **__: object) -> None:
        raise TypeError("a bug")

    monkeypatch.setattr(module, "ENGINES", {"threshold": bug})
    law = product(as_composition(pv.Gaussian(1)), "remove")
    with pytest.raises(TypeError):
        next(opened(law, "delta", Fraction(1), digits=5, names=("threshold",)))
