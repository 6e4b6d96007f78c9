"""A search that leaves the range of floats raises NoConvergence: the question stays undecided."""

from collections.abc import Iterator
from contextlib import contextmanager

from pldverify.errors import NoConvergence, PldverifyError


@contextmanager
def float_range(name: str) -> Iterator[None]:
    """Raise NoConvergence, which names the quantity, where the block overflows or divides by zero."""
    try:
        yield
    except PldverifyError:
        raise
    except (ArithmeticError, ValueError) as trouble:
        raise NoConvergence(f"{name}: the search left the range of floats ({trouble})") from None
