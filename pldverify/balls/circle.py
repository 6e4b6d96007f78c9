"""Circles of n = 2^m points, on which sums of losses are taken; without numpy (``doubles.py``)."""

from typing import Literal

MAX_LOG_SIZE = 22
"""Cap on m; it bounds memory."""
Rounding = Literal["up", "down"]
