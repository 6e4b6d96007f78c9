"""Matrix mechanisms: the sensitivity that is computed is the largest of all that neighbours can do."""

import itertools
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.matrix_mechanism import _largest, _of_tree, _patterns

ONES = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
DECAYING = [[1, 0, 0, 0], ["1/2", 1, 0, 0], ["1/3", "1/2", 1, 0], ["1/4", "1/3", "1/2", 1]]


def worst(rows: list[list[Fraction]], times: int, stride: int) -> Fraction:
    """max |Cu|² over all u in {−1, 0, 1} that are 0 but in at most ``times`` steps ``stride`` apart."""
    steps, best = len(rows[0]), Fraction(0)
    for u in itertools.product((-1, 0, 1), repeat=steps):
        taken = [j for j, x in enumerate(u) if x]
        fixed = all((j - taken[0]) % stride == 0 and j - taken[0] < times * stride for j in taken)
        if taken and fixed:
            best = max(best, sum(sum(a * x for a, x in zip(row, u, strict=True)) ** 2 for row in rows))
    return best


@pytest.mark.parametrize("rows", [ONES, DECAYING], ids=["ones", "decaying"])
@pytest.mark.parametrize(("times", "stride"), [(1, 1), (2, 1), (2, 2), (3, 1), (4, 1)])
def test_no_contribution_moves_further(rows: list[list[Any]], times: int, stride: int) -> None:
    exact = [[Fraction(x) for x in row] for row in rows]
    columns = [{i: int(60 * x) for i, x in enumerate(column) if x} for column in zip(*exact, strict=True)]
    assert _largest(columns, times, stride) == 60**2 * worst(exact, times, stride)


def test_long_patterns_of_a_wide_matrix() -> None:
    """All patterns one by one, of columns of different norms."""
    columns = [{i: (7 * i + 3 * j) % 11 for i in range(j, min(j + 5, 40))} for j in range(40)]
    for times, apart in ((1, 1), (3, 2), (40, 1), (4, 7), (2, 39)):
        every = (
            sum(columns[i].get(row, 0) * x for i in pattern for j in pattern for row, x in columns[j].items())
            for pattern in _patterns(40, times, apart if times > 1 else None)
        )
        assert _largest(columns, times, apart) == max(every)


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 6, 8])
@pytest.mark.parametrize(("times", "stride"), [(1, 1), (2, 2), (3, 1)])
def test_a_tree_is_its_matrix(steps: int, times: int, stride: int) -> None:
    tree = [
        [Fraction(int(a << h <= j < (a + 1) << h)) for j in range(steps)]
        for h in range(4)
        for a in range(steps)
        if (a + 1) << h <= steps
    ]
    patterns = _patterns(steps, times, stride if times > 1 else None)
    assert max(_of_tree(steps, pattern) for pattern in patterns) == worst(tree, times, stride)


@pytest.mark.parametrize(("steps", "square"), [(1, 1), (2, 2), (3, 2), (1000, 10), (1024, 11)])
def test_the_first_leaf_of_a_tree_is_in_most_sums(steps: int, square: int) -> None:
    assert pv.tree_aggregation(1, steps) == pv.Gaussian(1, f"sqrt({square})")


def test_one_matrix_is_one_gaussian() -> None:
    assert pv.matrix_mechanism(2, [[1, 0], [0, 1]]) == pv.Gaussian(2)
    assert pv.matrix_mechanism(2, [[1, 0], [0, 1]], 2, 1) == pv.Gaussian(2, "sqrt(2)")
    made = parse("3 * matrix_mechanism(sigma=2, strategy=[[1, 0], [1, 1]], sensitivity=1/2)")
    assert parse(str(made)) == made
    other = pv.delta(3 * pv.Gaussian(1), epsilon=1, digits=6)  # √2/2 over 2: three of them are 3/8
    assert not pv.delta(made, epsilon=1, digits=6).overlaps(other)
    assert pv.delta(made, epsilon=1, digits=6).overlaps(
        pv.delta(pv.Gaussian("sqrt(8/3)"), epsilon=1, digits=6)
    )


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((1, [[1, -1], [0, 1]], 2, 1), NotSupported, "inner products >= 0"),
        ((1, [[1, 0], [1]]), InvalidInput, "rows of one length"),
        ((1, []), InvalidInput, "rows of one length"),
        ((1, [[0]]), InvalidInput, "a column that is not zero"),
        ((1, 3), InvalidInput, "list of rows"),
        ((1, [[1]], 2), InvalidInput, "stride must be given"),
        ((1, [[1]], 1, 5), InvalidInput, "stride must be given"),
        ((0, [[1]]), InvalidInput, "sigma must be > 0"),
        ((1, [[1]], 1, None, 0), InvalidInput, "must be > 0"),
    ],
)
def test_what_is_refused(arguments: tuple[Any, ...], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        pv.matrix_mechanism(*arguments)
