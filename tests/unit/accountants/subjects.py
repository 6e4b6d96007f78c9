"""Accountants that misbehave, in a module that a worker process can import."""

import math
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction


@dataclass(frozen=True)
class Subject:
    """An accountant of this test suite whose claim is ``behave()``, a Claim or anything else."""

    behave: Callable[[], Any]
    direction: Direction = "upper"
    library: str = "test-library"

    @property
    def name(self) -> str:
        return f"test-library/{self.behave.__name__}"

    def version(self) -> str:
        return "1.2.3"

    def supports(self, query: Query) -> str | None:
        return "only add-or-remove" if query.adjacency != "add-or-remove" else None

    def claim(self, query: Query) -> Claim:
        value = self.behave()
        return Claim(value, self.direction, self.name) if isinstance(value, Fraction) else value


def one() -> Fraction:
    return Fraction(1)


def spoils() -> Fraction:
    """Changes what every accountant of this process says from now on."""
    globals()["one"].__code__ = (lambda: Fraction(99)).__code__
    return Fraction(1)


def raises() -> Fraction:
    raise ZeroDivisionError("the grid\nis empty")


def nan() -> Claim:
    return Claim(math.nan, "upper", "nan")


def minus_infinity() -> Claim:
    return Claim(-math.inf, "upper", "minus infinity")


def nothing() -> None:
    return None


def hangs() -> Fraction:
    time.sleep(600)
    return Fraction(1)


def hangs_after_a_sign() -> Fraction:
    """Makes the file that ``PLDVERIFY_TEST_SIGN`` names, then hangs."""
    Path(os.environ["PLDVERIFY_TEST_SIGN"]).touch()
    return hangs()


def eats_memory() -> Fraction:
    return Fraction(len(bytearray(20 * 2**30)))


def exits() -> Fraction:
    sys.stderr.write("some line\nlast words\n")
    sys.stderr.flush()
    os._exit(7)


def is_killed() -> Fraction:
    os.kill(os.getpid(), signal.SIGKILL)
    return Fraction(1)


def prints() -> Fraction:
    print("a progress bar")
    os.write(1, b"from C")
    return Fraction(1)


def process_id() -> Fraction:
    return Fraction(os.getpid())
