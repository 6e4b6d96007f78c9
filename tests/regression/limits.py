"""Accountants that our limits end; what is asked again may use processor time, which is how they know."""

import os
import time

import pldverify as pv
from pldverify.accountants.standalone import PROCESSOR

GIB = 2**30


class Limited(pv.Accountant):
    """Says δ = 1.0000000043 of everything."""

    direction = "upper"

    def claim(self, query: pv.Query) -> float:
        self.work()
        return 1.0000000043

    def work(self) -> None:
        """What takes so long, or so much."""


class Allocates(Limited):
    def work(self) -> None:
        bytearray(GIB)


class AllocatesBehindAnotherError(Limited):
    def work(self) -> None:
        try:
            bytearray(GIB)
        except MemoryError:
            raise ValueError("the grid is no good") from None


class SleepsOnce(Limited):
    def work(self) -> None:
        time.sleep(0 if PROCESSOR in os.environ else 600)


class CrashesOnce(Limited):
    def work(self) -> None:
        if PROCESSOR not in os.environ:
            os._exit(3)


class Sleeps(Limited):
    def work(self) -> None:
        time.sleep(600)


class Burns(Limited):
    def work(self) -> None:
        while True:
            pass


class AllocatesTooMuch(Limited):
    def work(self) -> None:
        bytearray(2**60)


class Crashes(Limited):
    def work(self) -> None:
        os._exit(3)
