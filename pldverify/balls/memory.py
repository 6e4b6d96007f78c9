"""What proofs remember: caches of bounded size, that never change a value, and that can all be emptied."""

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import TypeVar

Result = TypeVar("Result")
_CACHES: list["_lru_cache_wrapper[object]"] = []


def remembered(most: int) -> Callable[[Callable[..., Result]], "_lru_cache_wrapper[Result]"]:
    """The last ``most`` results of a function are kept."""

    def wrap(function: Callable[..., Result]) -> "_lru_cache_wrapper[Result]":
        cache = lru_cache(maxsize=most)(function)
        _CACHES.append(cache)
        return cache

    return wrap


def forget() -> None:
    """Nothing is remembered."""
    for cache in _CACHES:
        cache.cache_clear()
