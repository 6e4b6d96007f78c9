"""The size of a kernel in floats, against the kernel in balls and differences."""

from fractions import Fraction
from typing import Literal

import pytest
from flint import acb
from pldverify.reference.search.kernel import log_size, log_slopes

from pldverify.balls.ball import ball
from pldverify.reference.lemmas.kernel import Kernel


@pytest.mark.parametrize("theta", ["0.3", "-0.4", "7"])
@pytest.mark.parametrize("name", ["delta", "tail"])
def test_slopes_are_those_of_the_size(name: Literal["delta", "tail"], theta: str) -> None:
    kernel = Kernel(name, "upper" if float(theta) > 0 else "lower")
    t, h = float(theta), 1e-4
    size = [log_size(kernel, t + d) for d in (-h, 0, h)]
    first, second = log_slopes(kernel, t)
    assert abs((size[2] - size[0]) / (2 * h) / first - 1) < 1e-6
    assert abs((size[2] - 2 * size[1] + size[0]) / h**2 / second - 1) < 1e-5
    exact = kernel.value(acb(ball(Fraction(theta)))).real.log()
    assert abs(float(exact.mid()) - size[1]) < 1e-12
