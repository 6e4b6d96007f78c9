"""mpmath numbers for one answer: the context, exact numbers in and out, and the clock."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from pldverify.errors import NoConvergence

Real = Any
"""An mpmath real of the answer's own context."""


def context(digits: int) -> Any:
    """An mpmath context of its own, at ``digits`` decimal digits."""
    import mpmath

    mp: Any = mpmath.mp.clone()
    mp.dps = digits
    return mp


def real(mp: Any, value: Fraction | int) -> Real:
    """An exact number, rounded to the context."""
    exact = Fraction(value)
    return mp.mpf(exact.numerator) / exact.denominator


def fraction(value: Real) -> Fraction:
    """The exact value of a finite mpmath real."""
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction((-1) ** int(sign) * int(mantissa)) * Fraction(2) ** int(exponent)


_SELDOM = 64
"""Checks for which the time is read once: reading it is dear on some machines."""


class Clock:
    """Processor time of one answer; every long loop asks :meth:`check` whether it may go on."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.thread_time() + seconds
        self._checks = 0

    def check(self, goal: str) -> None:
        """Raise NoConvergence if the time is up; ``goal`` says what was being computed."""
        self._checks += 1
        if self._checks % _SELDOM == 0 and time.thread_time() > self._end:
            raise NoConvergence(f"quadrature: {goal} takes more than {self.seconds:g} s")
