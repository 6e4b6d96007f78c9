"""Grid: the queries of a sweep, mechanisms × parameters × steps × adjacency × question."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, overload

from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, brief
from pldverify.sweeps.builtin_queries import builtin_queries

Made = Mechanism | Composition


class Grid(Sequence[Query]):
    """Different queries in an order, as they were first given; grids add up.

    Raises InvalidInput for what is no query.

    >>> import pldverify as pv
    >>> grid = pv.Grid.of(pv.Gaussian, sigma=[1, 10], steps=[1, 100], delta=["1e-5"], epsilon=[1])
    >>> len(grid), str(grid[0]), len(grid + pv.Grid.builtin())
    (8, 'ε at δ=1e-5 of gaussian(sigma=1) [add-or-remove]', 48)
    """

    def __init__(self, queries: Iterable[Query]) -> None:
        listed = list(queries)
        for query in listed:
            if not isinstance(query, Query):
                raise InvalidInput(f"grid must have queries, got {brief(query)}")
        self._queries = tuple(dict.fromkeys(listed))

    @classmethod
    def of(
        cls,
        mechanism: Callable[..., Made] | Made | Sequence[Made],
        *,
        steps: int | Sequence[int] = 1,
        adjacency: Adjacency | Sequence[Adjacency | None] | None = None,
        epsilon: Number | Sequence[Number] = (),
        delta: Number | Sequence[Number] = (),
        **parameters: object,
    ) -> "Grid":
        """All combinations: the last argument changes fastest, ε(δ) is asked before δ(ε).

        Args:
            mechanism: a mechanism or a composition, several, or what makes one of ``parameters``: a class, or
                a function.
            steps: how many times each is composed.
            adjacency: left out, or None among others, the mechanism's own.
            epsilon, delta: where δ(epsilon) and ε(delta) are asked for.
            parameters: a value, or several, for each parameter of ``mechanism``.

        Raises InvalidInput as mechanisms and queries do, and where nothing is asked for.

        >>> import pldverify as pv
        >>> def dp_sgd(sigma, q):
        ...     return pv.PoissonSubsampled(pv.Gaussian(sigma), q)
        >>> grid = pv.Grid.of(dp_sgd, sigma=["0.8", "1"], q="0.01", steps=1000, delta="1e-6")
        >>> [str(query.composition) for query in grid]
        ['1000 * poisson(gaussian(sigma=0.8), q=0.01)', '1000 * poisson(gaussian(sigma=1), q=0.01)']
        """
        asked = [{"delta": value} for value in _several(delta)]
        asked += [{"epsilon": value} for value in _several(epsilon)]
        if not asked:
            raise InvalidInput("grid must ask for something: delta or epsilon must have a value, got none")
        return cls(
            Query(times * made, adjacency=near, **question)
            for made in _mechanisms(mechanism, parameters)
            for times, near, question in product(_several(steps), _several(adjacency), asked)
        )

    @classmethod
    def builtin(cls) -> "Grid":
        """Some 40 questions on DP-SGD and the basic mechanisms; what a sweep asks unless it is told.

        >>> import pldverify as pv
        >>> len(pv.Grid.builtin())
        42
        """
        return cls(builtin_queries())

    def __len__(self) -> int:
        return len(self._queries)

    @overload
    def __getitem__(self, index: int) -> Query: ...
    @overload
    def __getitem__(self, index: slice) -> "Grid": ...
    def __getitem__(self, index: int | slice) -> "Query | Grid":
        return Grid(self._queries[index]) if isinstance(index, slice) else self._queries[index]

    def __iter__(self) -> Iterator[Query]:
        return iter(self._queries)

    def __add__(self, other: "Grid") -> "Grid":
        return Grid([*self, *other])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self._queries == other._queries

    def __hash__(self) -> int:
        return hash(self._queries)

    def __repr__(self) -> str:
        return f"Grid of {len(self)} queries"


def _mechanisms(mechanism: object, parameters: dict[str, object]) -> Iterator[Composition]:
    if callable(mechanism):
        called = getattr(mechanism, "__name__", type(mechanism).__name__)
        try:
            inspect.signature(mechanism).bind(**parameters)
        except TypeError as wrong:
            taken = ", ".join(parameters) or "no parameters"
            raise InvalidInput(f"mechanism {called} must take {taken}: {wrong}") from None
        for values in product(*map(_several, parameters.values())):
            yield as_composition(mechanism(**dict(zip(parameters, values, strict=True))))
        return
    if parameters:
        raise InvalidInput(
            f"mechanism must be a class or a function to take {', '.join(parameters)}, got {brief(mechanism)}"
        )
    yield from map(as_composition, _several(mechanism))


def _several(values: Any) -> list[Any]:
    """``values`` if they are several, else the one."""
    return list(values) if isinstance(values, list | tuple | range | set | frozenset) else [values]
