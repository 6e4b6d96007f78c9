"""Derivations for the tests of the symbolic layer: made once a session, in a cache directory of their own."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from pldverify.mechanisms.expression import parse
from pldverify.symbolic import Derivation, derive


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    before = os.environ.get("PLDVERIFY_CACHE_DIR")
    directory = tmp_path_factory.mktemp("derivations")
    os.environ["PLDVERIFY_CACHE_DIR"] = str(directory)
    yield directory
    if before is None:
        del os.environ["PLDVERIFY_CACHE_DIR"]
    else:
        os.environ["PLDVERIFY_CACHE_DIR"] = before


@pytest.fixture(scope="session")
def derived() -> Callable[..., Derivation]:
    """derived("gaussian(1)", "remove")."""

    @cache
    def make(text: str, direction: str | None = None) -> Derivation:
        return derive(parse(text).parts[0][0], direction=direction)  # type: ignore[arg-type]

    return make
