"""Subjects that attack whoever asks them, in a module that a worker process can import."""

import fcntl
import json
import os
import stat
import sys
import time
from fractions import Fraction
from pathlib import Path

from pldverify.numbers.claim import Claim

HUGE = 2**28


def channel() -> int:
    """The descriptor of the pipe that answers are written to, which is none of the standard streams."""
    for descriptor in range(3, 256):
        try:
            is_pipe = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
            flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        except OSError:
            continue
        if is_pipe and flags & os.O_ACCMODE == os.O_WRONLY:
            return descriptor
    raise LookupError("no channel")


def say(text: bytes) -> Fraction:
    """Write a line of that text, and keep the real answer to oneself."""
    os.write(channel(), text + b"\n")
    time.sleep(600)
    return Fraction(1)


def garbage() -> Fraction:
    os.write(channel(), b"garbage that is no message")
    return Fraction(1)


def no_json() -> Fraction:
    return say(b"{")


def no_text() -> Fraction:
    return say(b"\xff\xfe")


def no_object() -> Fraction:
    return say(b"[]")


def bare_nan() -> Fraction:
    return say(b'{"id": NaN}')


def bare_number() -> Fraction:
    return say(b'{"id": 1e5}')


def nested() -> Fraction:
    return say(b'{"id": ' + b"[" * 300_000)


def other_question() -> Fraction:
    return say(b'{"id": "99", "kind": "loaded", "version": "1"}')


def terminal_codes() -> Fraction:
    return say(json.dumps({"id": "0", "kind": "loaded", "version": "\x1b[2J"}).encode())


def half_a_character() -> Fraction:
    return say(b'{"id": "0", "kind": "loaded", "version": "\\ud800"}')


def forged_nan() -> Fraction:
    return say(json.dumps({"id": "0", "kind": "claim", "value": "nan", "direction": "upper"}).encode())


def endless_versions() -> Fraction:
    while True:
        os.write(channel(), b'{"id": "0", "kind": "loaded", "version": "2"}\n')


def endless_line() -> Fraction:
    while True:
        os.write(channel(), b" " * 2**20)


def long_line() -> Fraction:
    return say(b" " * 2**21)


def exits_in_a_line() -> Fraction:
    os.write(channel(), b'{"id": ')
    os._exit(3)


def closes_the_pipe() -> Fraction:
    os.close(channel())
    time.sleep(600)
    return Fraction(1)


def leaves() -> Fraction:
    raise SystemExit(5)


class _Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def raises_without_a_text() -> Fraction:
    raise _Speechless


def huge_of_text() -> Claim:
    return Claim(Fraction(1), "upper", "long", {"grid": "x" * HUGE})


def megabyte_of_settings() -> Claim:
    return Claim(Fraction(1), "upper", "long", {str(i): "" for i in range(2**20)})


def huge_number() -> Claim:
    return Claim(Fraction(1 << 8 * HUGE), "upper", "long")


def nested_settings() -> Claim:
    deep: list[object] = []
    for _ in range(10**6):
        deep = [deep]
    return Claim(Fraction(1), "upper", "deep", {"grid": deep})  # type: ignore[dict-item]


def unknown_direction() -> Claim:
    return Claim(Fraction(1), "sideways", "x")  # type: ignore[arg-type]


def promises_nan() -> Claim:
    from pldverify.numbers.claim import Promise

    return Claim(Fraction(1), "estimate", "x", {}, Promise(float("nan"), Fraction(0)))  # type: ignore[arg-type]


def prints_for_ever() -> Fraction:
    while True:
        os.write(1, b"x" * 2**16)


def complains_for_ever() -> Fraction:
    while True:
        os.write(2, b"x" * 2**16)


def complains_long() -> Fraction:
    for _ in range(2**12):
        os.write(2, b"x" * 2**16)
    return Fraction(1)


def complains_and_exits() -> Fraction:
    os.write(2, b"x" * 2**20 + b"\nlast \x1b[2J words\n")
    os._exit(7)


def multiplies() -> Fraction:
    """Children that write into everything, and one that only sleeps: they would outlive their parent."""
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
    for _ in range(3):
        if os.fork() == 0:
            out = channel()
            while True:
                for descriptor in (1, 2, out):
                    os.write(descriptor, b"x" * 2**16)
    time.sleep(600)
    return Fraction(1)


def leaves_a_child_behind() -> Fraction:
    """A child in a session of its own, which holds all pipes open; its number goes to a file."""
    child = os.fork()
    if child == 0:
        os.setsid()
        time.sleep(600)
        os._exit(0)
    Path(os.environ["PLDVERIFY_TEST_SIGN"]).write_text(str(child))
    sys.stderr.write("gone\n")
    sys.stderr.flush()
    os._exit(9)
