"""Errors planted in the law of a mixture of Gaussians are seen."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pldverify.reference.laws import mixture_of_gaussians
from pldverify.reference.laws.mixture_of_gaussians import MixtureOfGaussiansLaw
from tests.unit.reference.laws import test_mixture_of_gaussians as tests

LEFT, RIGHT = (getattr(MixtureOfGaussiansLaw, f"_{name}") for name in ("left", "right"))


def omitted(theta: str, direction: Any) -> Callable[[], None]:
    return lambda: tests.test_what_is_omitted_is_bounded_and_small(tests.THREE, direction, theta)


def two(direction: Any) -> Callable[[], None]:
    return lambda: tests.test_two_components_are_the_sampled_gaussian(direction)


PLANTED: dict[str, tuple[str, Any, Callable[[], None]]] = {
    "left cut, p ≥ 0": ("_left", lambda law, p, cut: LEFT(law, p, cut + 1), omitted("0.5", "remove")),
    "left cut, p < 0": ("_left", lambda law, p, cut: LEFT(law, p, cut + 1), omitted("-3", "remove")),
    "right cut, p ≥ 1": ("_right", lambda law, p, cut: RIGHT(law, p, cut + 2), omitted("0.5", "remove")),
    "right cut, p < 1": ("_right", lambda law, p, cut: RIGHT(law, p, cut + 1), omitted("-0.25", "add")),
    "right cut, p < 0": ("_right", lambda law, p, cut: RIGHT(law, p, cut + 1), omitted("0.5", "add")),
    "the power of add": ("_power", lambda law, theta: theta + 1, omitted("-3", "add")),
    "the inverse": ("_outcome", lambda law, y: (y / 4).log(), two("remove")),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, wrong, check = PLANTED[name]
    check()
    monkeypatch.setattr(MixtureOfGaussiansLaw, attribute, wrong)
    with pytest.raises(AssertionError):
        check()


def test_a_lost_component_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(shift: Fraction, levels: Any, prec: int) -> Any:
        return whole(shift, levels[:-1] if len(levels) > 1 else levels, prec)

    whole = mixture_of_gaussians._polynomial
    monkeypatch.setattr(mixture_of_gaussians, "_polynomial", lossy)
    with pytest.raises(AssertionError):
        two("remove")()
