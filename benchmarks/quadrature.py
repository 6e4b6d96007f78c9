"""Where mpmath quadrature suffices, and what it costs beside the engines.

    python benchmarks/quadrature.py [--csv FILE] [--digits N]

Every question is put to both routes; seconds are processor time, imports not counted. "digits" is what two
refinements of the quadrature agree to, 0 where there is none within 20 s. The engine is asked for two digits
more, at least 6. A row says "agrees" if the estimate's digits are those of the enclosure.
"""

import argparse
import csv
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms.expression import parse
from pldverify.numbers.agreement import agree

QUESTIONS = (
    ("delta", "gaussian(sigma=1)", "1"),
    ("delta", "1000 * gaussian(sigma=30)", "3"),
    ("epsilon", "1000 * gaussian(sigma=30)", "1e-6"),
    ("delta", "poisson(gaussian(sigma=1), q=0.01)", "0.5"),
    ("delta", "10000 * poisson(gaussian(sigma=1), q=0.01)", "6.9"),
    ("epsilon", "10000 * poisson(gaussian(sigma=1), q=0.01)", "1e-6"),
    ("rdp", "10000 * poisson(gaussian(sigma=1), q=0.01)", "8"),
    ("tail", "10000 * poisson(gaussian(sigma=1), q=0.01)", "6.9"),
    ("delta", "500 * poisson(gaussian(sigma=2), q=0.02)", "1"),
    ("delta", "100 * poisson(gaussian(sigma=1), q=0.01)", "1"),
    ("delta", "3 * poisson(gaussian(sigma=1), q=0.01)", "0.5"),
    ("delta", "laplace(b=1)", "0.3"),
    ("delta", "3 * laplace(b=1)", "0.3"),
    ("delta", "30 * laplace(b=1)", "22"),
    ("delta", "1000 * laplace(b=20)", "8"),
    ("rdp", "1000 * laplace(b=20)", "4"),
    ("delta", "20 * poisson(laplace(b=1), q=0.1)", "2"),
    ("delta", "100 * discrete_gaussian(sigma=20)", "1.5"),
    ("epsilon", "100 * discrete_gaussian(sigma=20)", "1e-6"),
    ("delta", "200 * poisson(discrete_gaussian(sigma=5), q=0.05)", "1"),
    ("delta", "50 * discrete_laplace(b=5)", "6"),
    ("delta", "10 * binomial(n=1000, p=0.5)", "1"),
    ("delta", "1000 * randomized_response(p=0.51)", "2"),
    ("epsilon", "1000 * randomized_response(p=0.51)", "1e-6"),
    ("delta", "20 * randomized_response(p=0.6) + 3 * pure_dp(epsilon=0.3)", "2"),
    ("delta", "20 * finite_pair(p=[0.5, 0.3, 0.2], q=[0.4, 0.3, 0.3])", "1"),
    ("delta", "sampled_without_replacement(gaussian(sigma=1), q=0.1)", "0.5"),
    ("delta", "100 * sampled_without_replacement(gaussian(sigma=2), q=0.1)", "2"),
    ("delta", "10 * gaussian(sigma=4) + 10 * laplace(b=5)", "2"),
)
_ARGUMENTS = {"delta": "epsilon", "tail": "epsilon", "epsilon": "delta", "rdp": "order"}


@dataclass(frozen=True)
class Row:
    """One question, both routes."""

    quantity: str
    composition: str
    argument: str
    value: str
    digits: int
    seconds: float
    engine: str
    engine_seconds: float
    verdict: str


def timed(ask: Callable[[], Any]) -> tuple[Any, float]:
    """The answer, None where there is none, and the processor time."""
    start = time.process_time()
    try:
        found = ask()
    except NoConvergence:
        found = None
    return found, time.process_time() - start


def row(quantity: str, expression: str, argument: str, digits: int) -> Row:
    """One question, put to both."""
    composition, asked = parse(expression), {_ARGUMENTS[quantity]: argument}
    estimate, seconds = timed(lambda: getattr(pv.quadrature, quantity)(composition, digits=digits, **asked))
    trusted = 0 if estimate is None else estimate.digits
    wanted = max(6, trusted + 2)
    enclosure, engine_seconds = timed(lambda: getattr(pv, quantity)(composition, digits=wanted, **asked))
    if estimate is None:
        verdict = "no digit"
    elif enclosure is None:
        verdict = "not proved"
    else:
        verdict = "agrees" if agree(enclosure, estimate) else "DISAGREES"
    value = "" if estimate is None else f"{float(estimate):.12g}"
    engine = "" if enclosure is None else enclosure.engine
    return Row(
        quantity,
        expression,
        argument,
        value,
        trusted,
        round(seconds, 3),
        engine,
        round(engine_seconds, 3),
        verdict,
    )


def rows(digits: int) -> Iterator[Row]:
    """All questions; a first one, not shown, loads what is loaded late."""
    row("delta", "gaussian(sigma=3)", "1", digits)
    for quantity, expression, argument in QUESTIONS:
        yield row(quantity, expression, argument, digits)


def markdown(found: list[Row]) -> str:
    """The table, to read."""
    head = "| question | digits | quadrature | engine | |\n|---|---|---|---|---|"
    lines = [
        f"| {r.quantity}({r.argument}) of {r.composition} | {r.digits} | {r.seconds:.2f} s "
        f"| {r.engine_seconds:.3f} s | {r.verdict} |"
        for r in found
    ]
    return "\n".join([head, *lines])


def write(path: Path, found: list[Row]) -> None:
    """The rows so far."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(asdict(found[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", type=Path, help="write the rows there")
    parser.add_argument("--digits", type=int, default=10)
    given = parser.parse_args()
    found = []
    for one in rows(given.digits):
        found.append(one)
        print(f"{one.verdict}: {one.quantity} {one.composition}: {one.seconds} s", flush=True)
        if given.csv:
            write(given.csv, found)
    print(markdown(found))


if __name__ == "__main__":
    main()
