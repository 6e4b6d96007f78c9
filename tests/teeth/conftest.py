"""Planted errors must not be hidden by values remembered from before, nor leave any behind."""

from collections.abc import Iterator

import pytest

from pldverify.balls.memory import forget


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    forget()
    yield
    forget()
