"""Exit codes: what a script may rely on. A crash is never 1, which means refuted."""

from enum import IntEnum


class Exit(IntEnum):
    """0 all sound or certified, 1 any unsound or refuted, 2 bad input, 3 otherwise undecided."""

    SOUND = 0
    REFUTED = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    CRASHED = 70
    INTERRUPTED = 130
