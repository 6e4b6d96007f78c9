"""Transforms and decays of the laws of a loss: of each law by itself, or sooner.

What is sooner stands in ``reference/fast``, which is entered here. It proves as well, by other lemmas, but no
proof needs it: inside of :func:`by_themselves` every law is asked by itself.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Protocol

from pldverify.balls import acb
from pldverify.reference.laws.law import Decay, Law, with_transform

Factors = Sequence[tuple[Law, int]]
"""Laws and how often each occurs."""


class Together(Protocol):
    """What :func:`enter` takes."""

    def on_lines(self, laws: Sequence[Law], theta: Fraction, step: Fraction, count: int) -> list[list[acb]]:
        """As :func:`on_lines`."""

    def decays(self, factors: Factors, theta: Fraction) -> list[tuple[Decay, int]]:
        """As :func:`decays`."""


class _EachLaw:
    """Every law by itself."""

    def on_lines(self, laws: Sequence[Law], theta: Fraction, step: Fraction, count: int) -> list[list[acb]]:
        return [with_transform(law).on_line(theta, step, count) for law in laws]

    def decays(self, factors: Factors, theta: Fraction) -> list[tuple[Decay, int]]:
        return [(with_transform(law).decay(theta), k) for law, k in factors]


_EACH_LAW = _EachLaw()
_entered: list[Together] = [_EACH_LAW]
_alone: ContextVar[bool] = ContextVar("alone", default=False)


def enter(sooner: Together) -> None:
    """From now on ``sooner`` is asked."""
    _entered[:] = [sooner]


@contextmanager
def by_themselves() -> Iterator[None]:
    """Nothing that was entered is asked. What is remembered from outside is for the caller to forget."""
    token = _alone.set(True)
    try:
        yield
    finally:
        _alone.reset(token)


def _asked() -> Together:
    return _EACH_LAW if _alone.get() else _entered[-1]


def on_lines(laws: Sequence[Law], theta: Fraction, step: Fraction, count: int) -> list[list[acb]]:
    """M(θ + i j step), j = 0 … count, of each law, at the working precision relative to M(θ)."""
    return _asked().on_lines(laws, theta, step, count)


def decays(factors: Factors, theta: Fraction) -> list[tuple[Decay, int]]:
    """Decays, and how often each counts: in all as often as the laws."""
    return _asked().decays(factors, theta)
