"""Tests that plant errors in engines must not leave their values behind."""

from collections.abc import Iterator

import pytest

from pldverify.balls.memory import forget


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    forget()
    yield
    forget()
