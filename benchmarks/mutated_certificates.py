"""Certificates with one field changed and a new digest, and files that are cut or spliced, by both checkers.

    python -m benchmarks.mutated_certificates [--fields 2000] [--files 2000] [--seed 1] [--cells 90]

Of the stored certificates (``tests/data/certificates``). Both checkers have to end with a word of theirs, the
same one; what they confirm has to be true, as ``pldverify`` itself proves it; a file that was cut or spliced
is rejected, or holds the same certificate. It needs Node. The exit code is 1 if anything else was seen.
"""

import argparse
import json
import random
import sys
from collections import Counter
from functools import cache
from typing import Any

import pldverify as pv
from benchmarks.two_checkers import Answer, Case, answers, told
from pldverify import recheck
from tests.unit.test_recheck import STORED, mutated, signed

WORDS = {"CONFIRMED", "CONTRADICTED", "REJECTED", "UNDECIDED"}


def truth(document: dict[str, Any]) -> str:
    """The verdict that the package proves."""
    claim = document["claim"]
    steps = (f"{step['count']} * {recheck._plain(step['mechanism'])}" for step in document["composition"])
    return ruled(
        " + ".join(steps), document["adjacency"], claim["relation"], claim["epsilon"], claim["delta"]
    )


@cache
def ruled(composition: str, adjacency: str, relation: str, epsilon: str, delta: str) -> str:
    """Once of a claim: most mutations leave it as it was."""
    query = pv.Query(composition, delta=delta, adjacency=adjacency)
    return str(pv.certify(query, epsilon, relation=relation).verdict)


def spliced(rng: random.Random, texts: list[bytes]) -> bytes:
    """Cut, joined with another one, or without some bytes."""
    text, other = rng.sample(texts, 2)
    at = rng.randrange(len(text) - 1)
    return text[:at] + rng.choice([b"", other[at:], text[at + rng.randint(1, 40) :]])


def cases(options: argparse.Namespace) -> list[Case]:
    rng, limits = random.Random(options.seed), {"cells": options.cells, "work": options.work}
    texts = [path.read_bytes() for path in sorted(STORED.iterdir())]
    fields = (mutated(json.loads(rng.choice(texts)), rng) for _ in range(options.fields))
    files = (spliced(rng, texts) for _ in range(options.files))
    return [*((signed(each), limits) for each in fields), *((each, limits) for each in files)]


def wrong(each: Case, answer: Answer, other: str) -> str:
    """What is wrong with the answers of Python and JavaScript, or nothing."""
    outcome = answer[0]
    if outcome != other or outcome not in WORDS:
        return f"{outcome} in Python, {other} in JavaScript"
    if outcome == "CONFIRMED":
        document = recheck.opened(each[0])[0]
        found = truth(document)
        return "" if found == document["verdict"] else f"{document['verdict']} is confirmed, {found} is true"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    defaults = {"fields": 2000, "files": 2000, "seed": 1, "cells": 90, "work": 3 * 10**7}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    false = 0
    for number, (each, answer, (other, _)) in enumerate(answers(cases(options))):
        said = wrong(each, answer, other)
        outcomes[answer[0]] += 1
        if said:
            false += 1
            print(f"number {number} of seed {options.seed}: {said}", flush=True)
    return told(outcomes, false, "wrong")


if __name__ == "__main__":
    sys.exit(main())
