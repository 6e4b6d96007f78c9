"""The hand-written kernels of the reference against the lowered derivations, at one step."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq

from pldverify.mechanisms.expression import parse
from pldverify.numbers import Enclosure
from pldverify.reference import delta
from pldverify.symbolic import Derivation
from pldverify.symbolic.lowering import to_arb
from pldverify.symbolic.model.densities import EPSILON

CELLS = [
    ("gaussian(sigma=2)", ["0", "0.5", "3"]),
    ("gdp(mu=1/2)", ["0.5"]),
    ("poisson(gaussian(sigma=1), q=1/100)", ["0", "0.01", "1"]),
    ("laplace(b=2)", ["0", "0.3", "0.49"]),
    ("randomized_response(p=3/4)", ["0", "0.5", "2"]),
    ("randomized_response(p=3/4, categories=5)", ["0.5", "2"]),
    ("poisson(randomized_response(p=3/4), q=1/10)", ["0", "0.01"]),
    ("pure_dp(epsilon=1)", ["0", "0.5"]),
    ("approximate_dp(epsilon=1, delta=1e-5)", ["0.5", "2"]),
    ("finite_pair(p=[1/2, 1/2, 0], q=[1/4, 1/2, 1/4])", ["0", "0.5"]),
    ("discrete_laplace(b=2, sensitivity=3)", ["0", "0.3", "1.4"]),
    ("discrete_laplace(b=2)", ["0", "0.3"]),
    ("binomial(n=60, p=1/2)", ["0", "0.3", "1"]),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("text", "epsilons"), CELLS)
def test_delta_of_one_step_overlaps(
    text: str, epsilons: list[str], direction: str, derived: Callable[..., Derivation]
) -> None:
    found = derived(text, direction)
    assert found.delta is not None
    names = [*found.values, EPSILON]
    function = to_arb(found.delta, names)
    for epsilon in map(Fraction, epsilons):
        with ctx.workprec(256):
            lowered = function(*found.values.values(), epsilon)
            expected = delta(parse(text), epsilon=epsilon, adjacency=direction)  # type: ignore[arg-type]
            assert lowered.is_finite() and lowered.rad() < arb("1e-30")
            assert lowered.overlaps(as_ball(expected)), (epsilon, lowered, expected)


def as_ball(value: Enclosure) -> arb:
    low, high = (
        arb(fmpq(Fraction(end).numerator, Fraction(end).denominator)) for end in (value.lower, value.upper)
    )
    return low.union(high)
