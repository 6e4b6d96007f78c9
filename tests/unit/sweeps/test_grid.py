import copy
import pickle

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.sweeps.builtin_queries import builtin_queries


def dp_sgd(sigma: object, q: object) -> pv.PoissonSubsampled:
    return pv.PoissonSubsampled(pv.Gaussian(sigma), q)  # type: ignore[arg-type]


def test_all_combinations_in_order() -> None:
    grid = pv.Grid.of(
        dp_sgd,
        sigma=["1", "2"],
        q="0.01",
        steps=(1, 10),
        adjacency=["remove", None],
        delta="1e-5",
        epsilon=[1, 2],
    )
    assert list(grid) == [
        pv.Query(steps * dp_sgd(sigma, "0.01"), adjacency=adjacency, **question)  # type: ignore[arg-type]
        for sigma in ("1", "2")
        for steps in (1, 10)
        for adjacency in ("remove", None)
        for question in ({"delta": "1e-5"}, {"epsilon": 1}, {"epsilon": 2})
    ]
    assert len(grid) == 24


def test_mechanisms_and_compositions_are_taken_as_they_are() -> None:
    mechanisms = [pv.Gaussian(1), 3 * pv.Laplace(2) + pv.Gaussian(5)]
    grid = pv.Grid.of(mechanisms, steps=[1, 2], delta="1e-6")
    assert [query.composition for query in grid] == [k * m for m in mechanisms for k in (1, 2)]
    assert len(pv.Grid.of(pv.Gaussian(1), epsilon=0)) == 1


def test_a_question_is_asked_once() -> None:
    grid = pv.Grid.of(pv.Gaussian, sigma=[1, "1", 2], delta=["1e-5", "0.00001"])
    assert [str(query.composition) for query in grid] == ["gaussian(sigma=1)", "gaussian(sigma=2)"]
    assert grid + grid == grid and len(grid + pv.Grid.of(pv.Laplace, b=1, delta="1e-5")) == 3


def test_it_is_a_sequence_that_is_copied_and_compared() -> None:
    grid = pv.Grid.builtin()
    assert list(grid) == builtin_queries() and len(grid) == 42
    assert grid[0] == builtin_queries()[0] and grid[1:3] == pv.Grid(builtin_queries()[1:3])
    assert builtin_queries()[7] in grid
    for other in (copy.deepcopy(grid), pickle.loads(pickle.dumps(grid))):
        assert other == grid and hash(other) == hash(grid)
    assert grid != grid[1:] and repr(grid) == "Grid of 42 queries"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((pv.Gaussian(1),), {}, "delta or epsilon must have a value, got none"),
        ((pv.Gaussian(1),), {"delta": []}, "delta or epsilon must have a value, got none"),
        ((pv.Gaussian(1),), {"sigma": 2, "delta": "1e-5"}, "must be a class or a function to take sigma"),
        ((pv.Gaussian,), {"sigma": -1, "delta": "1e-5"}, "sigma must be > 0"),
        ((pv.Gaussian,), {"delta": "1e-5"}, "gaussian must have exactly one of sigma, "),
        (
            (pv.Gaussian,),
            {"sgima": 1, "delta": "1e-5"},
            "mechanism Gaussian must take sgima: missing|unexpected",
        ),
        ((5,), {"delta": "1e-5"}, "composition must be a mechanism or a composition.*, got 5"),
        ((lambda: 5,), {"delta": "1e-5"}, "composition must be a mechanism or a composition.*, got 5"),
        ((pv.Gaussian(1),), {"delta": "2"}, r"delta must be in \[0, 1\]"),
        ((pv.Gaussian(1),), {"steps": 0, "delta": "1e-5"}, "count must be an integer from 1"),
        (
            (pv.SampledWithoutReplacement(pv.Gaussian(1), "0.5"),),
            {"adjacency": "add", "delta": "1e-5"},
            "adjacency must be",
        ),
    ],
)
def test_what_makes_no_grid_is_told(arguments, options, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.Grid.of(*arguments, **options)


def test_only_queries_are_taken() -> None:
    with pytest.raises(InvalidInput, match="grid must have queries, got Gaussian"):
        pv.Grid([pv.Gaussian(1)])  # type: ignore[list-item]
