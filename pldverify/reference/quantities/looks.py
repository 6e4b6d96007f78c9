"""How much is asked for where nothing rests on it. Any value is right: a poor one costs time or width."""

LOOK = 0.5
"""Seconds of a look that may come to nothing; processor seconds, or counted ones."""
COARSE = 3
"""Significant digits of a first enclosure, which may decide already."""
SOME = 6
"""Significant digits where more would tell little."""
MOST = 15
"""Significant digits asked of an end at most, about those of a double."""
BITS = 64
"""Precision, in bits, of a value of few digits."""
