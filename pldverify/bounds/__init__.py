"""The error bounds that the papers promise, one theorem a file, in ball arithmetic.

Every function returns an exact ball: the upper end of what it has computed, or +∞ where a hypothesis fails or
cannot be proved to hold. What a bound needs of a loss (log moments, masses, probabilities) is an argument.
Balls work at flint's current precision.
"""
