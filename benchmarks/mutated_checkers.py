"""Mutation score of the two checkers, each held against the other.

    python -m benchmarks.mutated_checkers python|javascript [--size 150] [--seed 1] [--store FILE]

A mutant of one checker is asked what tests ask both (``tests/browser/test_recheck_js.py``): certificates,
forgeries, hostile and damaged files, random cases, with small grids, the cheapest first. It is killed by the
first answer that is not the other checker's: another outcome, another line, the ends of δ(ε) to six digits
among them, another exit code, a crash, far more processor time; or by quick tests of single functions, which
see the last unit of an integer, and of JavaScript are asked first. What survives is printed: each needs a
test, or a reason in ``mutants_harmless.toml`` (of JavaScript: ``mutants_harmless_js.toml``). A row is kept in
the store as soon as it is known.

Mutants of Python are those of ``mutants.py``. Those of JavaScript are of tokens outside of comments, texts
and patterns: an integer one more or less, another comparison, operator, rounding or extreme, a negation
dropped.
"""

import argparse
import hashlib
import heapq
import json
import os
import random
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
from typing import Any

from benchmarks.mutants import mutants
from benchmarks.mutation import HARMLESS, reasons
from benchmarks.two_checkers import (
    JAVASCRIPT,
    NODE,
    NUMBERS,
    Answer,
    Case,
    case,
    certificate,
    comparable,
    encoded,
    one,
    python,
    sealed,
    stated,
)
from pldverify import recheck
from pldverify.certificate.document import digest
from pldverify.recheck import MAX_DEPTH, MAX_PARTS
from tests.browser.node import asking
from tests.browser.test_recheck_js import (
    FORGED,
    STRANGE,
    TEXTS,
    VECTORS,
    forged,
    test_bounds_of_discrete_losses_are_the_same_rational_numbers,
    test_cells_are_the_same_integers,
    test_digests_and_numbers_are_those_of_python,
    test_each_side_takes_its_end_of_an_irrational_parameter,
    test_integers_are_the_same_to_the_last_unit,
    test_measures_are_the_same_integers,
    test_numbers_have_the_same_ends,
    test_products_are_those_of_polynomials,
)
from tests.browser.test_recheck_js_functions import FUNCTIONS as ROWS
from tests.browser.test_recheck_js_functions import TABLES, compared, in_a_worker
from tests.unit.test_recheck_decides import FILES, TOUCHING, touching

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
SLOWER, DEAR = 2, 0.012
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


def harmless(what: str) -> set[str]:
    """Names of mutants for which a reason is written down why they do no harm."""
    if what == "javascript":
        listed = reasons(HARMLESS.with_name("mutants_harmless_js.toml"))
        pairs = {f"{reason.line} | {reason.mutated}" for reason in listed}
        return {name for name, _ in sources(what) if name.split(" | ", 1)[1] in pairs}
    source, found = Path(recheck.__file__).read_text("utf-8"), set()
    listed = [reason for reason in reasons() if reason.module == "pldverify/recheck.py"]
    for mutant in mutants(source, "pldverify/recheck.py"):
        row = mutant.line, mutant.mutated_line(source)
        if any(
            row == (reason.line, reason.mutated)
            or (reason.function and f"{mutant.function}.".startswith(f"{reason.function}."))
            for reason in listed
        ):
            found.add(f"{mutant.at} | {row[0]} | {row[1]}")
    return found


def sample(what: str, size: int, seed: int) -> list[tuple[str, str]]:
    """In an order that the seed fixes."""

    def at(number: int, name: str) -> str:
        return hashlib.sha256(f"{seed} {number} {name}".encode()).hexdigest()

    drawn = heapq.nsmallest(size, ((at(number, row[0]), row) for number, row in enumerate(sources(what))))
    return [row for _, row in drawn]


LITTLE = {"cells": 30, "work": 10**7}


def honest(seed: str) -> list[Case]:
    """A random certificate as it is, and with a δ between both bounds: then both are told."""
    document = certificate(random.Random(seed))
    asked = [document]
    try:
        claim = recheck.claim_of(document)
        low, high = (
            max(recheck.bound(of, way, kind, 30, [recheck.WORK - 10**7]) for way in of.directions)
            for kind, of in ((recheck.Lower, claim.under), (recheck.Upper, claim))
        )
        told = {"delta": f"{float(low + high) / 2:.5e}", "relation": "="}
        asked.append(document | {"claim": document["claim"] | told})
    except (recheck.Beyond, recheck.Rejected, ArithmeticError, ValueError):
        pass
    return [(json.dumps(each | {"sha256": digest(each)}).encode(), LITTLE) for each in asked]


def cases() -> list[Case]:
    """What is asked."""
    envelopes = [data for data, *_ in ENDED]
    small = [(data, {"cells": 50, "work": 10**7}) for data in (*TEXTS, *STRANGE, *FORGED, *envelopes)]
    works = [(data, {"work": work, "cells": 300}) for data in VECTORS for work in (10**5, 3 * 10**6)]
    lower = (forged("laplace-certified", [("lower bound", "standing")]), {"cells": 300})
    drawn = [each for number in range(300) for each in honest(f"honest {number}")]
    return [
        *small,
        *drawn,
        *kept(),
        *written(),
        *(case(f"gate {number}") for number in range(100)),
        lower,
        *works,
    ]


def hidden() -> list[Case]:
    """Batches that stay secret: the larger their losses are, the fewer are the indices of their sums."""
    rows = [
        stated(
            [(1, one(name, one("gaussian", sigma=sigma, sensitivity="1"), batches="2", **said))], adjacency
        )
        for name, said, adjacencies in (
            ("shuffled", {"dropped": "0", "persistent": "False"}, ("zero-out", "replace-one")),
            ("shuffled", {"dropped": "1/3", "persistent": "True"}, ("zero-out",)),
            ("balls_and_bins", {"participations": "1"}, ("add", "remove")),
            ("balls_and_bins", {"participations": "2", "steps": "4"}, ("add-or-remove",)),
        )
        for adjacency in adjacencies
        for sigma in ("0.15", "0.25")
    ]
    claims = [("7", "<="), ("20", ">=")] * (len(rows) // 2)
    told = [{"epsilon": epsilon, "relation": relation, "delta": "0.15"} for epsilon, relation in claims]
    return [
        (sealed(row | {"claim": row["claim"] | more}), {"cells": 30, "work": 5 * 10**7})
        for row, more in zip(rows, told, strict=True)
    ]


def written() -> list[Case]:
    """Numbers of all kinds, as ε, and as parameters."""
    noise = [(1, one("laplace", b="1", sensitivity="1"))]
    rows = [stated(noise, epsilon=text) for text in NUMBERS]
    rows += [stated(noise, epsilon=text, relation="<=", delta="0") for text in NUMBERS]
    for text in NUMBERS:
        rows.append(stated([(1, one("pure_dp", epsilon=text))], delta="0.01"))
        rows.append(stated([(1, one("gaussian", sigma=text, sensitivity="1"))]))
        rows.append(stated([(1, one("finite_pair", p=[text, "1/2"], q=["1/4", "3/4"]))]))
        rows.append(stated([(1, one("poisson", one("laplace", b="1", sensitivity="1"), q=text))]))
    return [(sealed(row), LITTLE) for row in rows]


def kept() -> list[Case]:
    """Asked of every mutant, however dear they are: what is rare in random ones."""
    noise, sampled = (
        one("gaussian", sigma="2", sensitivity="1"),
        one("poisson", one("zcdp", rho="0.1"), q="0.9"),
    )
    deep: Any = {}
    lists: Any = []
    for _ in range(MAX_DEPTH - 2):
        deep = {"in": deep}
    for _ in range(MAX_DEPTH):
        lists = [lists]
    rows = [
        stated([(3, sampled)], epsilon="1.2", delta="0.05"),
        stated([(5, one("poisson", one("zcdp", rho="0.1"), q="0.1"))], "add", epsilon="0.2", delta="0.02"),
        stated([(1, one("poisson", one("zcdp", rho="2"), q="0.3"))], "add-or-remove", epsilon="2"),
        stated([(5, one("poisson", one("zcdp", rho="0.1"), q="3/100"))], "add", epsilon="0.2", delta="1e-5"),
        stated([(1, one("zcdp", rho="2")), (2, noise)], epsilon="5", delta="0.06"),
        stated([(2, one("poisson", noise, q="0.3"))], "add", epsilon="0.2", delta="0.02"),
        stated([(2, one("poisson", one("laplace", b="1", sensitivity="1"), q="0.3"))], "add", epsilon="0.2"),
        stated([(1, one("binomial", n="10", p="1/2", sensitivity="1"))], "replace-one", delta="0.34"),
        stated([(1, one("gaussian", sigma="1/200", sensitivity="1"))], epsilon="1", delta="1-1e-100"),
        stated([(1, one("gaussian", sigma="1/52", sensitivity="1"))], epsilon="1248", delta="0.9765"),
        stated([(1, noise)]) | {"witness": deep},
        stated([(1, noise)]) | {"witness": lists},
    ]
    drawn = one("balls_and_bins", noise, batches="2", participations="1")
    last = stated([(1, drawn)], delta="0.05", relation="<=")
    files = [*map(sealed, [*rows, *cut(), *extreme(), last]), *(touching(*row) for row in TOUCHING)]
    return [*((data, {"cells": 20, "work": 10**8}) for data in files), *hidden()]


def cut() -> list[dict[str, Any]]:
    """Poisson batches of a largest size, and draws with replacement: δ is between both ends."""
    noise = one("gaussian", sigma="2", sensitivity="1")
    sizes = {"q": "0.4", "dataset_size": "6", "max_batch": "3"}
    return [
        stated([(2, one("truncated_poisson", noise, **sizes))], "add", epsilon="0.2", delta="0.04"),
        stated([(1, one("truncated_poisson", noise, **sizes))], "replace-one", epsilon="0.3", delta="0.05"),
        stated([(1, one("sampled_with_replacement", noise, m="2", n="4"))], "replace-one", delta="0.1"),
    ]


def extreme() -> list[dict[str, Any]]:
    """Questions at the ends of what is asked."""
    rows = [stated([(1, one("pure_dp", epsilon=text))], epsilon=text, delta="0") for text in ("ln(3)", "1")]
    rows += [stated([(1, one("binomial", n=n, p=p, sensitivity="1"))]) for n, p in BINOMIAL]
    rows += [stated([(1, one("randomized_response", p="0.3", categories=k))]) for k in ("0", "1", "2")]
    rows += [stated([(1, one("pure_dp", epsilon="1"))], epsilon="0", delta=delta) for delta in ("0.9", "0.1")]
    rows += [stated([(1, one("pure_dp", epsilon="0.1"))] * many) for many in (0, MAX_PARTS, MAX_PARTS + 1)]
    lists = one("finite_pair", p="1/2", q=["1"]), one("gaussian", sigma=["1"], sensitivity="1")
    rows += [stated([(1, each)]) for each in lists]
    noise, far = one("gaussian", sigma="5/21", sensitivity="1"), one("zcdp", rho="400")
    drawn, small = (one("gaussian", sigma=sigma, sensitivity="1") for sigma in ("1/4", "2"))
    batches = one("balls_and_bins", drawn, batches="2", participations="1")
    return [
        *rows,
        stated([(1, noise)], epsilon="160", delta="6e-285"),
        stated([(1, one("poisson", far, q="0.5"))], "add", epsilon="500", delta="0.6"),
        stated([(1, batches)], "add", epsilon="1", delta="0"),
        stated([(1, one("zcdp", rho="1e-100"))], epsilon="1e-45", delta="1e-50"),
        stated([(1, one("balls_and_bins", small, batches="1", participations="1"))]),
    ]


BINOMIAL = (("9", "0"), ("9", "1"), ("9", "2"), ("1000", "0.1234"), ("1000", "1/2"), ("1001", "1/2"))
"""Numbers and shares: none, all, more than all; too many digits; the most and more."""


Row = tuple[Case, Answer]
"""A case, and what Python says."""


def timed(asked: list[Case]) -> tuple[list[Row], float]:
    """Those that take Python at most DEAR seconds, and what is kept, the cheapest first; seconds of all."""
    rows, dear = [], {data for data, _ in kept()}
    for each in asked:
        start = time.process_time()
        answer = python(*each)
        rows.append((time.process_time() - start, each, answer))
    chosen = sorted((row for row in rows if row[0] <= DEAR or row[1][0] in dear), key=lambda row: row[0])
    return [(each, answer) for _, each, answer in chosen], sum(row[0] for row in chosen)


def as_told(answer: Answer) -> tuple[str, list[str]]:
    return answer[0], comparable(answer[1])


ENDED = [row for name, row in FILES.items() if name == "confirmed" or 0 < row[1] < 70]
"""Files, and the exit codes that are known of them; 70 needs an error, and one is confirmed."""


def exit_code(module: Any, data: bytes) -> int:
    """Of the script."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return int(module.main(["--work", str(10**8), "--cells", "500", file.name]))


LATE = 5
"""Cap on the questions that both checkers answer otherwise as they stand; the others are asked of mutants."""
End = tuple[str, int | None]
"""killed, timeout or survived, and the number of the case that was answered otherwise."""


def by_python(source: str, rows: list[Row], seconds: float) -> End:
    """What a mutated checker in Python ends with, in a process of its own."""
    result, told = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (allowed(seconds),) * 2)
        resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30,) * 2)
        try:
            module = types.ModuleType("recheck")
            sys.modules["recheck"] = module
            exec(compile(source, "recheck.py", "exec"), module.__dict__)
            python.__globals__["recheck"] = module
            for number, (each, answer) in enumerate(rows):
                if as_told(python(*each)) != as_told(answer):
                    os.write(told, str(number).encode())
                    os._exit(1)
            os._exit(int(any(exit_code(module, data) != code for data, code, _ in ENDED)))
        except BaseException:
            os._exit(1)
    os.close(told)
    _, status = os.waitpid(child, 0)
    with os.fdopen(result) as file:
        number = file.read()
    ended = "survived" if status == 0 else "killed" if os.WIFEXITED(status) else "timeout"
    return ended, int(number) if number else None


def allowed(seconds: float) -> int:
    """Processor seconds of a mutant."""
    return int(SLOWER * seconds) + 2


def by_node(source: str, rows: list[Row], seconds: float) -> End:
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
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (allowed(seconds),) * 2),
        ) as node:
            assert node.stdin and node.stdout
            try:
                waiting = selectors.DefaultSelector()
                waiting.register(node.stdout, selectors.EVENT_READ)
                for number, (each, answer) in enumerate(rows):
                    node.stdin.write(json.dumps(encoded(*each)).encode() + b"\n")
                    node.stdin.flush()
                    line = node.stdout.readline() if waiting.select(30 * seconds + 60) else b""
                    if not line or as_told(json.loads(line)) != as_told(answer):
                        return "killed", number
                return "survived", None
            except OSError:
                return "killed", None
            finally:
                os.killpg(node.pid, signal.SIGKILL)


PYTEST = """import pathlib, sys, types
import pldverify, pytest
module = sys.modules["pldverify.recheck"] = pldverify.recheck = types.ModuleType("pldverify.recheck")
module.__file__ = pldverify.__file__.replace("__init__", "recheck")
exec(compile(pathlib.Path(sys.argv[1]).read_text("utf-8"), "recheck.py", "exec"), module.__dict__)
sys.exit(pytest.main(["-qx", "-p", "no:cacheprovider", "--tb=no", *sys.argv[2:]]))
"""
"""Runs tests with a mutant in the checker's place."""
UNIT = (
    *(f"tests/unit/test_recheck{part}.py" for part in ("_masses", "", "_decides", "_reach")),
    "tests/browser/test_recheck_js_functions.py",
    "-k",
    "masses or few_digits or constants or wide_cells or functions_enclose or delta_of_given or goes_to_its"
    " or split or products_and or coarser or nesting or parameters or kept_as_often or closed_form or memory"
    " or flags or where_batches or queries",
)
"""Tests of single functions of the Python checker, the quick ones."""


def by_unit_tests(source: str) -> bool:
    """Whether a test of a single function fails, which sees units that no answer shows."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(source)
        file.flush()
        done = subprocess.run([sys.executable, "-c", PYTEST, file.name, *UNIT], stdout=subprocess.DEVNULL)
    return done.returncode != 0


def by_functions(source: str) -> bool:
    """The same of JavaScript: what the browser is asked of single functions is asked of Node."""
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
        file.write(source)
        file.flush()
        try:
            with asking(file.name, ROWS) as ask:
                for table in TABLES:
                    compared(ask, table)
            in_a_worker(Path(file.name))
            with asking(file.name) as ask:
                for test in FUNCTIONS:
                    test(ask)
        except Exception:  # an answer of another shape, too
            return True
    return False


FUNCTIONS = (
    *(lambda ask, bits=bits: test_integers_are_the_same_to_the_last_unit(ask, bits) for bits in (20, 400)),
    test_cells_are_the_same_integers,
    test_measures_are_the_same_integers,
    test_numbers_have_the_same_ends,
    lambda ask: test_products_are_those_of_polynomials(ask, (40, 90), 250),
    test_each_side_takes_its_end_of_an_irrational_parameter,
    test_bounds_of_discrete_losses_are_the_same_rational_numbers,
    test_digests_and_numbers_are_those_of_python,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["python", "javascript"])
    parser.add_argument("--size", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, required=True)
    options = parser.parse_args()
    asked, seconds = timed(cases())
    run = by_python if options.what == "python" else by_node
    original = Path(recheck.__file__) if options.what == "python" else JAVASCRIPT
    for _ in range(LATE):  # where floats chose, late digits of δ(ε) may be others
        if (other := run(original.read_text("utf-8"), asked, seconds)[1]) is None:
            break
        del asked[other]
    assert run(original.read_text("utf-8"), asked, seconds) == ("survived", None)
    by = hashlib.sha256(original.read_bytes()).hexdigest()
    rows = options.store.read_text("utf-8").splitlines() if options.store.exists() else []
    known = {name: found for digest, name, found in map(json.loads, rows) if digest == by}
    tests = by_unit_tests if options.what == "python" else by_functions
    assert not tests(original.read_text("utf-8"))
    chosen, spared = sample(options.what, options.size, options.seed), harmless(options.what)
    with options.store.open("a", encoding="utf-8") as file:
        for name, source in chosen:
            if name not in known:
                early = options.what == "javascript" and name not in spared and by_functions(source)
                known[name], killer = ("killed by tests", None) if early else run(source, asked, seconds)
                if killer:
                    asked.insert(0, asked.pop(killer))  # what tells much is asked first
                late = options.what == "python" and known[name] == "survived" and name not in spared
                if late and by_unit_tests(source):
                    known[name] = "killed by tests"
                file.write(json.dumps([by, name, known[name]]) + "\n")
                file.flush()
    survivors = [name for name, _ in chosen if known[name] == "survived"]
    left = [name for name in survivors if name not in spared]
    answers = sum(known[name] in ("killed", "timeout") for name, _ in chosen)
    functions = len(chosen) - len(survivors) - answers
    print("\n".join(left))
    print(f"{len(chosen)} planted, {len(survivors) - len(left)} are harmless, {answers} killed by answers,")
    print(f"{functions} by tests of single functions, {len(left)} left")


if __name__ == "__main__":
    main()
