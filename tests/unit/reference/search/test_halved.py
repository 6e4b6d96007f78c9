"""Bisection ends next to the root, where no side is told, or after its turns."""

from hypothesis import given
from hypothesis import strategies as st

from pldverify.reference.search.halved import halved, middle


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_halves_end_next_to_the_root(root: int, size: int) -> None:
    seen: list[int] = []
    low, high = halved(
        -1,
        root + size,
        lambda x: seen.append(x) or x >= root,  # type: ignore[func-returns-value]
        lambda a, b: (a + b) // 2 if b - a > 1 else None,
        60,
    )
    assert low < root <= high == low + 1 and len(seen) <= 11 and len(set(seen)) == len(seen)


def test_halving_ends_where_no_side_is_known_and_after_its_turns() -> None:
    assert halved(0.0, 8.0, lambda x: None, middle, 9) == (0.0, 8.0)
    assert halved(0.0, 8.0, lambda x: True, middle, 2) == (0.0, 2.0)
    assert halved(0.0, 8.0, lambda x: False, middle, 0) == (0.0, 8.0)
