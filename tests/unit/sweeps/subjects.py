"""Accountants of these tests: they write down what they are asked, and misbehave when they are told to.

``SWEEP_LOG`` names the file that every question goes to, with the process that was asked.
"""

import os
import time
from pathlib import Path

import pldverify as pv


class Logged(pv.Accountant):
    """Says ε = 1000 of everything."""

    direction = "upper"
    pause = 0.0

    def claim(self, query: pv.Query) -> float:
        with Path(os.environ["SWEEP_LOG"]).open("a") as log:
            log.write(f"{os.getpid()} {query}\n")
        time.sleep(self.pause)
        return 1000.0


class Slow(Logged):
    """Takes its time."""

    pause = 0.4


class Hangs(Logged):
    pause = 600.0


class Eats(pv.Accountant):
    direction = "upper"

    def claim(self, query: pv.Query) -> float:
        return float(len(bytearray(20 * 2**30)))
