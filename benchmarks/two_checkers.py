"""The checker in Python against the checker in JavaScript, on random certificates with small grids.

    python -m benchmarks.two_checkers [--count 10000] [--seed 1] [--first 0]

A certificate is made from its seed alone: one to three mechanisms of all that the checkers know, around them
batches or none, under every adjacency; parameters that are exact, irrational, extreme or none; any relation,
standing and verdict. Three in five are what they are, one has some of its values changed and a new digest,
one has bytes changed, cut or moved, or stands in an envelope. Both checkers get the same bytes, cells and
digits of work; outcomes must be the same, and all lines but for the reasons of floats and of JSON.

It needs Node; the tests ask a browser. The exit code is 1 if outcomes differ. Certificates of which other
lines differ are printed, too.
"""

import argparse
import base64
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pldverify import recheck
from pldverify.certificate.document import digest

JAVASCRIPT = Path(recheck.__file__).with_suffix(".js")
NODE = """\
const { checked } = require(process.argv[1]);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { data, limits } = JSON.parse(line);
  const { outcome, lines } = checked(Buffer.from(data, "base64"), limits);
  process.stdout.write(JSON.stringify([outcome, lines]) + "\\n");
});
"""
"""Reads a case a line, and writes outcome and lines."""

Case = tuple[bytes, dict[str, int]]
"""A file and its limits."""
Answer = tuple[str, list[str]]

RATES = ("0.3", "0.1", "0.01", "1/3", "1", "exp(-3)", "2")
SCALES = ("0.5", "1", "2.5", "8", "40", "sqrt(3)", "7/3")
PARAMETERS: dict[str, tuple[str, ...]] = {
    "sigma": SCALES,
    "b": SCALES,
    "sensitivity": ("1", "1", "1", "1", "2", "3", "1.5", "sqrt(2)"),
    "n": ("1", "5", "30", "200"),
    "p": ("1/2", "0.3", "0.9", "1/7", "exp(-1/3)"),
    "categories": ("2", "3", "10"),
    "mu": ("0.1", "1", "3", "sqrt(2)/10", "0"),
    "epsilon": ("0", "0.1", "1", "ln(3)", "4"),
    "delta": ("0", "1e-8", "0.001", "1/3"),
    "m": ("1", "2", "3", "20", "1.5"),
    "rho": ("0.001", "0.1", "1", "sqrt(2)/7"),
    "q": RATES,
    "batches": ("1", "2", "10", "1000"),
    "dropped": ("0", "0.2"),
    "persistent": ("False", "False", "True"),
    "participations": ("1", "1", "2"),
    "steps": ("1", "20"),
    "dataset_size": ("3", "50", "1000"),
    "max_batch": ("1", "2", "20", "1000"),
    "monotone": ("False", "True", "maybe"),
    "times": ("1", "1", "1", "2"),
    "alike": ("False", "False", "False", "True"),
    "query_sigma": SCALES,
    "query_b": SCALES,
    "queries": ("1", "2", "9", "40", "20000"),
    "threshold": ("0.5", "3", "21", "400", "sqrt(5)"),
}
"""Values of parameters that are no lists."""
STRANGE = (
    "", "0", "-1", "1e400", "1e-290", "1/0", "nan", "inf", "sqrt(2", "2*(1-1)", "exp(800)", "ln(0)",
    "ln(1+1e-9)", "sqrt(2)-sqrt(2)", "1e999", "0.1/1e5", "١", "é\u200b'\"", "add", "<", ">=", "=", "REFUTED",
    "exact", "neither", "gaussian", "poisson", "constructor", "__proto__", "1*2^3", "1/3", None, 0, -0, 7,
    True, [], {}, ["0.5", "0.5"],
)  # fmt: skip
"""What stands where something else should."""


def mechanism(rng: random.Random, relation: str) -> dict[str, Any]:
    """One of those that are known there."""
    if rng.random() < 0.05:
        bases = (
            "zcdp(rho=0.1)",
            "zcdp(rho=0)",
            "gdp(mu=sqrt(2)/10)",
            "pure_dp(epsilon=0.5)",
            "gaussian(sigma=1)",
        )
        laws = {
            "mean": rng.choice(["1", "3", "7/2", "1000", "0.5"]),
            "shape": rng.choice(["1", "1", "inf", "2"]),
        }
        return {"name": "repeat_and_select", "parameters": {"base": rng.choice(bases)} | laws, "base": None}
    around, name = rng.choice(
        [(around, name) for around, row in recheck.AROUND.items() for name in row[3].get(relation, ())]
    )
    base = {"name": name, "parameters": parameters(rng, name), "base": None}
    if not around:
        return base
    keys, more, _, _ = recheck.AROUND[around]
    named = [*keys, *(each for each in more if rng.random() < 0.3)]
    if rng.random() < 0.1 and named[-1] == "participations":
        named.append("steps")
    outer = {each: rng.choice(PARAMETERS[each]) for each in named}
    return {"name": around, "parameters": outer, "base": base}


def parameters(rng: random.Random, name: str) -> dict[str, Any]:
    if name == "finite_pair":
        return dict(zip("pq", (law(rng, rng.randint(2, 4)) for _ in range(2)), strict=True))
    if name == "renyi_dp":
        rows = rng.sample([("1.5", "0.1"), ("2", "0.2"), ("8", "1"), ("40", "3"), ("2", "0"), ("1", "1")], 3)
        return {"orders": [a for a, _ in rows], "divergences": [t for _, t in rows]}
    if name == "mixture_of_gaussians":
        size = rng.randint(1, 4)
        moves = [rng.choice(["0", "1", "2.5", "1/3"]) for _ in range(size)]
        return {"sigma": rng.choice(SCALES), "sensitivities": moves, "probabilities": law(rng, size)}
    found = {each: rng.choice(PARAMETERS[each]) for each in recheck.LAWS[name][0]}
    if name in ("discrete_gaussian", "discrete_laplace", "binomial") and rng.random() < 0.9:  # of integers
        found["sensitivity"] = str(rng.randint(1, 3))
        found |= {each: rng.choice(["1", "2.5", "8"]) for each in ("sigma", "b") if each in found}
    return found


def law(rng: random.Random, size: int) -> list[str]:
    """Probabilities; mostly their sum is 1."""
    parts = [1, *(rng.choice([0, 1, 1, 2, 5]) for _ in range(size - 1))]
    rng.shuffle(parts)
    even = ["1/2"] * rng.randint(1, size)
    return [f"{part}/{sum(parts)}" for part in parts] if rng.random() < 0.9 else even


def certificate(rng: random.Random) -> dict[str, Any]:
    """Without its digest. What it assumes is what the checker asks for; who bounds says so, mostly."""
    adjacency = rng.choice(recheck.ADJACENCIES)
    relation = adjacency if adjacency in ("replace-one", "zero-out") else "add-or-remove"
    steps = [
        (rng.choice([1, 1, 2, 3, 20, 500]), mechanism(rng, relation)) for _ in range(rng.choice([1, 1, 2, 3]))
    ]
    document = stated(steps, adjacency)
    enclosures = [{"lower": "1*2^-3", "upper": "9/2"}, {"lower": "0", "upper": "inf"}]
    document["claim"] |= {
        "epsilon": rng.choice(["0", "1", "4.7", "2*ln(3)", "1e-3", f"{10 ** rng.uniform(-2, 1.5):.3g}"]),
        "relation": rng.choice(["<=", "<=", ">=", "="]),
        "delta": rng.choice(["0", "1e-3", "1e-6", "1e-9", "1e-40", "1/3", "1", "exp(-9)"]),
    }
    if document["standing"] != "exact":
        document["standing"] = rng.choice(("upper bound", *recheck.STANDINGS[1:]))
    return document | {
        "verdict": rng.choice(["CERTIFIED", "REFUTED", "CERTIFIED", "REFUTED", "UNDECIDED"]),
        "enclosure": rng.choice([None] * 9 + enclosures),
    }


NUMBERS = (
    "(1+1/2)*2", "2*(3-(1-1/4))", "8/2/2", "2-1-1/2", "2*-3+7", "-(1-3)", "+2", "1--1", "exp(1)*(1/3)",
    "sqrt(2)*sqrt(2)", "ln(2)/ln(3)", "log(2)", "exp(ln(3)/2)", "exp(-1)", "sqrt(1/4)", "(2", "2)", "()",
    "sqrt 2", "exp()", "1e2/3", "1/1e2", "2^3", "1.5/3", "0.5e1", "1/(1-1)", "1/(exp(0)-1)", "1/(1-2)",
    "ln(1/2)", "-ln(1/2)", "sqrt(1/4-1/2)", "sqrt(0)", "1e301", "1e300", "1/3*1e-300", "007", "1.", ".5",
    "1/07", "2 * 3", "2 3", "exp(701)", "exp(699)-exp(699)", "exp(300)*exp(300)*exp(300)", "2*(1-1)",
    "1/exp(600)/exp(600)", "1-2", "\U000e0001",
)  # fmt: skip
"""Numbers as text: what is exact, enclosed, beyond the checkers, or none."""


def stated(
    steps: list[tuple[int, dict[str, Any]]], adjacency: str = "remove", **claim: str
) -> dict[str, Any]:
    """A certificate of these steps without its digest; ``claim``: other words than those that stand here."""
    needed = {"releases", "noise"}
    exact = True
    for count, mechanism in steps:
        try:
            tight = recheck.law(mechanism, adjacency, needed)[2]
            exact = exact and (tight is None or count <= tight)
        except (recheck.Beyond, recheck.Rejected, ArithmeticError):
            pass
    return {
        "schema": recheck.SCHEMA,
        "claim": {"quantity": "epsilon", "relation": "=", "epsilon": "0.5", "delta": "0.1"} | claim,
        "adjacency": adjacency,
        "composition": [{"count": count, "mechanism": mechanism} for count, mechanism in steps],
        "assumptions": [{"id": name, "text": recheck.ASSUMPTIONS[name]} for name in sorted(needed)],
        "dominating_pairs": [],
        "standing": "exact" if exact else "upper bound",
        "verdict": "CERTIFIED",
        "reason": "",
        "cause": None,
        "enclosure": None,
        "witness": None,
        "versions": {"pldverify": "0"},
    }


def sealed(document: dict[str, Any]) -> bytes:
    """With its digest."""
    return json.dumps(document | {"sha256": digest(document)}).encode()


def one(name: str, base: Any = None, **parameters: Any) -> dict[str, Any]:
    return {"name": name, "parameters": parameters, "base": base}


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """(container, key) of everything in it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from leaves(value[key])


def changed(rng: random.Random, document: dict[str, Any]) -> dict[str, Any]:
    """With one or two values that are something else, or of another place, or away."""
    for _ in range(rng.choice([1, 1, 2])):
        places = list(leaves(document))
        container, key = rng.choice(places)
        other, at = rng.choice(places)
        if rng.random() < 0.1:
            del container[key]
        else:
            container[key] = json.loads(json.dumps(rng.choice([rng.choice(STRANGE), other[at]])))
    return document


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Bytes changed, cut, doubled, or in an envelope; the same document written otherwise."""
    at, length = rng.randrange(len(data)), rng.randint(1, 9)
    kind = rng.randrange(6)
    if kind == 0:
        return data[:at] + bytes([rng.choice(b'{}[]",:\\0-.eu \xff\x00\xed')]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + length :]
    if kind == 2:
        return data[:at] + data[at : at + length] + data[at:]
    if kind == 3:
        style = {"indent": rng.choice([None, 1]), "ensure_ascii": rng.random() < 0.5}
        return json.dumps(json.loads(data), **style).encode()
    document = json.loads(data)
    subject = [{"name": "certificate.json", "digest": {"sha256": document["sha256"]}}]
    kinds = {"_type": recheck.STATEMENT, "predicateType": recheck.PREDICATE}
    payload = json.dumps({**kinds, "subject": subject, "predicate": document}).encode()
    signatures = [{"sig": "AAAA"}, {"sig": "AAA=", "keyid": "a"}][: rng.randrange(3)]
    envelope = {
        "payloadType": recheck.PAYLOAD,
        "payload": base64.b64encode(payload).decode(),
        "signatures": signatures,
    }
    return json.dumps(changed(rng, envelope) if kind == 5 else envelope).encode()


def case(seed: str) -> Case:
    """The certificate of a seed, and limits."""
    rng = random.Random(seed)
    document, kind = certificate(rng), rng.choice([0, 0, 0, 1, 2])
    if kind == 1:
        changed(rng, document)
    try:
        data = json.dumps(document | {"sha256": digest(document)}).encode()
    except (AttributeError, TypeError, ValueError):  # it is no longer such a document
        data = json.dumps(document).encode()
    work = rng.choice([10**9, 10**9, 10**9, 10**7, 10**6])
    return damaged(rng, data) if kind == 2 else data, {"work": work, "cells": rng.choice([20, 90, 300])}


def python(data: bytes, limits: dict[str, int]) -> Answer:
    """As recheck.py's own ``main`` says it."""
    try:
        document, notes = recheck.opened(data)
        outcome, lines = recheck.recheck(document, **limits)
        lines = [*lines, *notes]
    except recheck.Rejected as reason:
        outcome, lines = "REJECTED", [f"REJECTED: {reason}"]
    except Exception as error:
        outcome, lines = "FAILED", [f"FAILED: {error!r}"]
    return outcome, [recheck._visible(line) for line in lines]


def encoded(data: bytes, limits: dict[str, int]) -> dict[str, Any]:
    """A case, as JavaScript reads it."""
    return {"data": base64.b64encode(data).decode(), "limits": limits}


def comparable(lines: list[str]) -> list[str]:
    """Without what each says in its own words: where JSON ends, and why floats give no answer. Decimals of
    Python keep zeros at their end.
    """
    said = ("; ".join(line.partition("not JSON")[0].split("; ")[:2]) for line in lines)
    return [
        re.sub(r"(?<=from ε = )[\d.e+-]+(?= on)", lambda found: f"{float(found[0]):.6g}", line)
        for line in said
    ]


def answers(cases: Iterable[Case]) -> Iterator[tuple[Case, Answer, Answer]]:
    """Each case, what Python says and what JavaScript says, at work at the same time."""
    command = ["node", "-e", NODE, str(JAVASCRIPT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdin and node.stdout
        for each in cases:
            node.stdin.write(json.dumps(encoded(*each)) + "\n")
            node.stdin.flush()
            expected = python(*each)
            outcome, lines = json.loads(node.stdout.readline())
            yield each, expected, (outcome, lines)


def told(outcomes: Counter[str], wrong: int, kind: str) -> int:
    """Prints how many had which outcome, and how many were wrong; the exit code."""
    print(", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())), f"; {wrong} {kind}")
    return int(wrong > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    different = 0
    seeds = [f"{options.seed} {number}" for number in range(options.first, options.first + options.count)]
    for seed, (_, expected, found) in zip(seeds, answers(map(case, seeds)), strict=True):
        outcomes[expected[0]] += 1
        if found[0] != expected[0] or comparable(found[1]) != comparable(expected[1]):
            different += found[0] != expected[0]
            outcomes["told otherwise"] += found[0] == expected[0]
            print(f"seed {seed!r}: {expected} in Python, {found} in JavaScript", flush=True)
    return told(outcomes, different, "differ")


if __name__ == "__main__":
    sys.exit(main())
