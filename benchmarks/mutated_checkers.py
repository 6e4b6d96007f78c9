"""Mutation score of the two checkers, each held against the other.

    python -m benchmarks.mutated_checkers python|javascript [--size 150] [--seed 1] [--store FILE]

A mutant of one checker is asked what tests ask both (``tests/browser/test_recheck_js.py``): certificates,
forgeries, hostile and damaged files, random cases, with small grids. It is killed by the first answer that
is not the other checker's: another outcome, another line, a crash, far more processor time. What survives
is printed: each needs a test of another kind, or a reason in ``mutants_harmless.toml``. A row is kept in the
store as soon as it is known.

Mutants of Python are those of ``mutants.py``. Those of JavaScript are of tokens outside of comments, texts
and patterns: an integer one more or less, another comparison, operator, rounding or extreme, a negation
dropped.
"""

import argparse
import hashlib
import heapq
import json
import os
import re
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Iterator
from pathlib import Path

from benchmarks.mutants import mutants
from benchmarks.two_checkers import JAVASCRIPT, NODE, Answer, Case, case, comparable, encoded, python
from pldverify import recheck
from tests.browser.test_recheck_js import FORGED, STRANGE, TEXTS, VECTORS, forged

SWAPS: dict[str, tuple[str, ...]] = {
    "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "===": ("!==",),
    "!==": ("===",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "<<": (">>",), ">>": ("<<",), "&&": ("||",),
    "||": ("&&",), "+=": ("-=",), "-=": ("+=",), "!": ("",), "??": ("&&",),
    "floor": ("ceil",), "ceil": ("floor",), "up": ("down",), "down": ("up",), "most": ("least",),
    "least": ("most",), "greatest": ("smallest",), "smallest": ("greatest",), "min": ("max",),
    "max": ("min",),
    "plus": ("minus",), "minus": ("plus",), "times": ("over",), "over": ("times",), "true": ("false",),
    "false": ("true",),
}  # fmt: skip
TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`
        |(?<=[(=,:!&|?{}\[;\s])/(?![\s/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/[a-z]*)
      |(?P<number>\b\d[\d_]*n?\b(?!\.))
      |(?P<word>[\w$#]+)
      |(?P<operator>=>|\.\.\.|\?\.|\?\?=|>>>|\*\*|===|!==|<<|>>|<=|>=|&&|\|\||\+\+|--|\?\?|[-+*/]=|[-+*/<>!])""",
    re.DOTALL | re.VERBOSE,
)
SLOWER, DEAR = 4, 0.15
"""How many times the checker's processor seconds a mutant may take; seconds of the dearest case."""


def changed_tokens(source: str) -> Iterator[tuple[int, int, str]]:
    """(first character, last, what stands there now) of every mutant of JavaScript."""
    for found in TOKEN.finditer(source):
        text, kind = found[0], found.lastgroup
        if kind == "number":
            value, end = int(text.rstrip("n").replace("_", "")), "n" * text.endswith("n")
            yield from ((*found.span(), f"{value + by}{end}") for by in (1, -1) if value + by >= 0)
        elif kind != "skip":
            yield from ((*found.span(), other) for other in SWAPS.get(text, ()))


def sources(what: str) -> Iterator[tuple[str, str]]:
    """(what was changed, the mutated source) of every mutant."""
    if what == "python":
        path = Path(recheck.__file__)
        source = path.read_text("utf-8")
        for mutant in mutants(source, "pldverify/recheck.py"):
            found = mutant.applied(source)
            yield f"{mutant.at} | {mutant.line} | {found.splitlines()[mutant.at - 1].strip()}", found
        return
    source = JAVASCRIPT.read_text("utf-8")
    for first, last, text in changed_tokens(source):
        found = source[:first] + text + source[last:]
        at = source.count("\n", 0, first) + 1
        yield f"{at} | {line(source, first)} | {line(found, first)}", found


def line(source: str, at: int) -> str:
    """The line around a character."""
    return source[source.rfind("\n", 0, at) + 1 : source.find("\n", at)].strip()


def sample(what: str, size: int, seed: int) -> list[tuple[str, str]]:
    """In an order that the seed fixes."""

    def at(number: int, name: str) -> str:
        return hashlib.sha256(f"{seed} {number} {name}".encode()).hexdigest()

    drawn = heapq.nsmallest(size, ((at(number, row[0]), row) for number, row in enumerate(sources(what))))
    return [row for _, row in drawn]


def cases() -> list[Case]:
    """What is asked."""
    small = [(data, {"cells": 50}) for data in (*TEXTS, *STRANGE, *FORGED, *VECTORS)]
    works = [(data, {"work": work, "cells": 300}) for data in VECTORS for work in (10**5, 3 * 10**6)]
    lower = (forged("laplace-certified", [("lower bound", "standing")]), {"cells": 300})
    return [*small, *(case(f"gate {number}") for number in range(100)), lower, *works]


def timed(asked: list[Case]) -> tuple[list[Case], list[Answer], float]:
    """Those that take Python at most DEAR seconds, the cheapest first; its answers; seconds of all."""
    rows = []
    for each in asked:
        start = time.process_time()
        answer = python(*each)
        rows.append((time.process_time() - start, each, answer))
    kept = sorted((row for row in rows if row[0] <= DEAR), key=lambda row: row[0])
    return [each for _, each, _ in kept], [answer for *_, answer in kept], sum(row[0] for row in kept)


def as_told(answer: Answer) -> tuple[str, list[str]]:
    return answer[0], comparable(answer[1])


def by_python(source: str, asked: list[Case], told: list[Answer], seconds: float) -> str:
    """What a mutated checker in Python ends with, in a process of its own."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(SLOWER * seconds) + 10,) * 2)
        resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30,) * 2)
        try:
            module = types.ModuleType("recheck")
            sys.modules["recheck"] = module
            exec(compile(source, "recheck.py", "exec"), module.__dict__)
            python.__globals__["recheck"] = module
            for each, answer in zip(asked, told, strict=True):
                if as_told(python(*each)) != as_told(answer):
                    os._exit(1)
            os._exit(0)
        except BaseException:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return "survived" if status == 0 else "killed" if os.WIFEXITED(status) else "timeout"


def by_node(source: str, asked: list[Case], told: list[Answer], seconds: float) -> str:
    """What a mutated checker in JavaScript ends with."""
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
        file.write(source)
        file.flush()
        with subprocess.Popen(
            ["node", "--max-old-space-size=1500", "-e", NODE, file.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(SLOWER * seconds) + 10,) * 2),
        ) as node:
            assert node.stdin and node.stdout
            try:
                waiting = selectors.DefaultSelector()
                waiting.register(node.stdout, selectors.EVENT_READ)
                for each, answer in zip(asked, told, strict=True):
                    node.stdin.write(json.dumps(encoded(*each)).encode() + b"\n")
                    node.stdin.flush()
                    line = node.stdout.readline() if waiting.select(30 * seconds + 60) else b""
                    if not line:
                        return "killed"
                    outcome, lines = json.loads(line)
                    if as_told((outcome, lines)) != as_told(answer):
                        return "killed"
                return "survived"
            except OSError:
                return "killed"
            finally:
                os.killpg(node.pid, signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["python", "javascript"])
    parser.add_argument("--size", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, required=True)
    options = parser.parse_args()
    asked, told, seconds = timed(cases())
    run = by_python if options.what == "python" else by_node
    original = Path(recheck.__file__) if options.what == "python" else JAVASCRIPT
    assert run(original.read_text("utf-8"), asked, told, seconds) == "survived"
    by = hashlib.sha256(original.read_bytes()).hexdigest()
    rows = options.store.read_text("utf-8").splitlines() if options.store.exists() else []
    known = {name: found for digest, name, found in map(json.loads, rows) if digest == by}
    chosen = sample(options.what, options.size, options.seed)
    with options.store.open("a", encoding="utf-8") as file:
        for name, source in chosen:
            if name not in known:
                known[name] = run(source, asked, told, seconds)
                file.write(json.dumps([by, name, known[name]]) + "\n")
                file.flush()
    survivors = [name for name, _ in chosen if known[name] == "survived"]
    print("\n".join(survivors))
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} killed")


if __name__ == "__main__":
    main()
