"""Exit codes: what a script may rely on. A crash is never 1, which means refuted."""

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended. Of several verdicts the worst counts: REFUTED, then UNDECIDED, then SOUND."""

    SOUND = 0
    REFUTED = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    CRASHED = 70
    NOT_WRITTEN = 74
    INTERRUPTED = 130
    NOBODY_READS = 141


MEANINGS: dict[Exit, str] = {
    Exit.SOUND: "answered; every claim is SOUND or CERTIFIED",
    Exit.REFUTED: "a claim is UNSOUND or REFUTED, or a bound is broken",
    Exit.BAD_INPUT: "bad input: one line says which argument, and what is allowed",
    Exit.UNDECIDED: "otherwise undecided, refused by all, or no second opinion",
    Exit.CRASHED: "a bug in pldverify, please report it",
    Exit.NOT_WRITTEN: "the output cannot be written, as on a full disk",
    Exit.INTERRUPTED: "interrupted by Ctrl-C",
    Exit.NOBODY_READS: "whoever read the output has closed it, as `head` does",
}
"""Each code in words, for --help and docs/command_line.md."""
