"""What is known of a characteristic function, put together."""

from types import SimpleNamespace
from typing import Any

import pytest

from pldverify.balls import arb
from pldverify.reference.laws.law import Decay


def leaving(share: str) -> Any:
    """Layers that leave so much of |φ|."""
    return SimpleNamespace(deficit=lambda u: 1 - arb(share))


@pytest.mark.parametrize(("share", "expected"), [("0.05", -10.0), ("0.8", -10.0), ("0.9", -0.105361)])
def test_lines_are_asked_where_layers_leave_little(share: str, expected: float) -> None:
    found = Decay(leaving(share), lines=lambda: SimpleNamespace(log_sup=lambda u: arb(-10))).log_sup(arb(1))
    assert abs(float(found) - expected) < 1e-5


def test_lines_that_say_less_than_layers() -> None:
    found = Decay(leaving("0.05"), lines=lambda: SimpleNamespace(log_sup=lambda u: arb(-1))).log_sup(arb(1))
    assert abs(float(found) - -2.995732) < 1e-5
