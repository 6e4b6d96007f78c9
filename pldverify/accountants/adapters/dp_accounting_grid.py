"""The grid of dp-accounting: its own privacy loss distributions, before and after they are composed.

A distribution has masses at the multiples of its discretisation interval and one at infinity.
``self_compose`` goes through an FFT of some period and keeps a window of the result; its code is run again
with a ``scipy.fft`` that tells the period. ``PLDAccountant`` composes one event after another: its code is
run with constructors that keep what they make.
"""

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from pldverify.accountants.fft_grid import Vector

TAIL = 1e-15
"""``tail_mass_truncation`` of ``self_compose`` and ``compose``; this is the library's default."""


@dataclass(frozen=True)
class Distribution:
    """One part of a composition, in one direction.

    Attributes:
        masses: ``masses[i]`` at loss (``first`` + i) times the interval, in double precision.
        first: a whole number.
        infinity: mass at infinity.
        count: how often it is composed with itself; a Gaussian mechanism of σ/√k is one.
        window: (first, length, period) of the FFT of its composition with itself; None without one.
    """

    masses: Vector
    first: int
    infinity: float
    count: int
    window: tuple[int, int, int] | None


@dataclass(frozen=True)
class Grid:
    """One evaluation of δ(ε).

    Attributes:
        interval: the discretisation interval.
        pessimistic: whether losses are rounded up.
        parts: by direction, ``remove`` and ``add``, the parts of the composition.
        deltas: by direction, δ(ε).
        delta: what the library returned, for both.
        cuts: how often ``compose`` may have cut the ends off.
    """

    interval: float
    pessimistic: bool
    parts: dict[str, tuple[Distribution, ...]]
    deltas: dict[str, float]
    delta: float
    cuts: int


def of_accountant(accountant: Any, events: list[tuple[Any, int]], epsilon: float) -> Grid:
    """What a ``PLDAccountant`` without events computes for these. Raises what the library raises."""
    from dp_accounting.pld import pld_privacy_accountant

    kept: list[list[Any]] = []
    kind = type(accountant)
    compose = _with(kind._maybe_compose, PLD=_Constructors(pld_privacy_accountant.PLD, kept))
    accountant.__class__ = type(kind.__name__, (kind,), {"_maybe_compose": compose})
    for event, count in events:
        accountant.compose(event, count)
    return _grid([(one, count) for one, count in kept], accountant._pld, epsilon, len(kept))


def of_distributions(distributions: list[tuple[Any, int]], total: Any, epsilon: float) -> Grid:
    """What the distributions, each composed with itself as often as is counted, give together."""
    return _grid(distributions, total, epsilon, len(distributions) - 1)


class _Constructors:
    """The library's module of constructors; each ``from_…`` notes what it made, and its count."""

    def __init__(self, module: Any, kept: list[list[Any]]) -> None:
        self._module, self._kept = module, kept

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        return self._noting(found) if name.startswith("from_") else found

    def _noting(self, function: Any) -> Any:
        def made(*arguments: Any, **named: Any) -> Any:
            distribution = function(*arguments, **named)
            note = [distribution, 0]  # 0: it is not composed with itself, not even once
            self._kept.append(note)
            compose = distribution.self_compose

            def counted(count: int, *others: Any) -> Any:
                note[1] = count
                return compose(count, *others)

            distribution.self_compose = counted
            return distribution

        return made


def _grid(distributions: list[tuple[Any, int]], total: Any, epsilon: float, cuts: int) -> Grid:
    symmetric = total._symmetric
    sides = ("remove",) if symmetric else ("remove", "add")
    one = total._pmf_remove
    return Grid(
        float(one._discretization),
        bool(one._pessimistic_estimate),
        {side: tuple(_part(_side(d, side), count) for d, count in distributions) for side in sides},
        {side: float(_side(total, side).get_delta_for_epsilon(epsilon)) for side in sides},
        float(total.get_delta_for_epsilon(epsilon)),
        cuts,
    )


def _side(distribution: Any, side: str) -> Any:
    return distribution._pmf_remove if side == "remove" else distribution._pmf_add


def _part(one: Any, count: int) -> Distribution:
    dense = one.to_dense_pmf()
    window = None
    if count:
        composed = one.self_compose(count)
        if hasattr(composed, "_probs") and not (count == 1 and composed is one):
            window = (int(composed._lower_loss), int(composed.size), _period(dense, count))
    return Distribution(
        np.asarray(dense._probs, dtype=np.float64),
        int(dense._lower_loss),
        float(one._infinity_mass),
        max(1, count),
        window,
    )


def _period(dense: Any, count: int) -> int:
    """Length of the FFT by which the library composes."""
    from dp_accounting.pld import common

    lengths: list[int] = []
    _with(common.self_convolve, fft=_Lengths(common.fft, lengths))(dense._probs, count, TAIL)
    return lengths[0]


class _Lengths:
    """``scipy.fft``; it notes how long the transforms are."""

    def __init__(self, module: Any, lengths: list[int]) -> None:
        self._module, self._lengths = module, lengths

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def fft(self, values: Any, *others: Any, **named: Any) -> Any:
        transformed = self._module.fft(values, *others, **named)
        self._lengths.append(len(transformed))
        return transformed


def _with(function: Any, **names: Any) -> FunctionType:
    """The same code among other global names."""
    return FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__
    )
