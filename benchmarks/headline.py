"""pldverify, dp-accounting and prv-accountant on the same questions, side by side in one run.

    python benchmarks/headline.py [--rounds N]

Imports are not timed. Rounds alternate between the contestants, and every round asks at a slightly different
ε or δ, so that nothing remembered from one round helps in the next. The printed error is that of the first
round, measured against the enclosure that pldverify proved.
"""

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version

import pldverify as pv
from pldverify.accountants.registry import accountant

DELTA_DIGITS = 30
EPSILON_DIGITS = 12
PEERS = ("dp-accounting/pld", "prv-accountant/estimate")
CELLS = (  # sigma, q, steps, epsilon where δ is asked, delta where ε is asked
    ("1", "0.01", 10_000, "6.90735948", "1e-6"),
    ("2", "0.02", 500, "1", "1e-6"),
    ("1", "0.01", 100_000, "25.9", "1e-6"),
    ("0.8", "0.004", 20_000, "6", "1e-5"),
)
FLAT = (("1", "0.01", 10_000, "1e-6"), ("1", "0.01", 100_000_000, "1e-6"))
JITTER = Fraction(1, 10**7)


@dataclass(frozen=True)
class Timing:
    """Median seconds, and what the first round answered."""

    seconds: float
    answer: Fraction


def ask_pldverify(query: pv.Query) -> pv.Enclosure:
    if query.epsilon is not None:
        return pv.delta(query.composition, epsilon=query.epsilon, digits=DELTA_DIGITS)
    return pv.epsilon(query.composition, delta=query.delta, digits=EPSILON_DIGITS)


def jittered(query: pv.Query, turn: int) -> pv.Query:
    factor = 1 + turn * JITTER
    if query.epsilon is not None:
        return pv.Query(query.composition, epsilon=query.epsilon * factor)
    assert query.delta is not None  # a query has exactly one of the two
    return pv.Query(query.composition, delta=query.delta * factor)


def compare(query: pv.Query, rounds: int) -> tuple[pv.Enclosure, dict[str, Timing]]:
    """The enclosure, and each contestant's timing; one untimed question to each comes first."""
    contestants: dict[str, Callable[[pv.Query], object]] = {"pldverify": ask_pldverify}
    contestants |= {name: accountant(name).claim for name in PEERS}
    truth = ask_pldverify(query)
    answers = {name: ask(query) for name, ask in contestants.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(1, rounds + 1):
        asked = jittered(query, turn)
        for name, ask in contestants.items():
            start = time.perf_counter()
            ask(asked)
            seconds[name].append(time.perf_counter() - start)
    return truth, {
        name: Timing(statistics.median(seconds[name]), number(answers[name])) for name in contestants
    }


def number(answer: object) -> Fraction:
    if isinstance(answer, pv.Enclosure):
        return (Fraction(answer.lower) + Fraction(answer.upper)) / 2
    assert isinstance(answer, pv.Claim)
    return Fraction(answer.value)


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def question_row(label: str, query: pv.Query, rounds: int) -> str:
    """Seconds and proved digits of pldverify; seconds, ratio to pldverify and relative error of each peer."""
    truth, timings = compare(query, rounds)
    exact, ours = number(truth), timings["pldverify"].seconds
    cells = [label, f"{ours:.3f}", truth.digits]
    for peer in PEERS:
        error = float((timings[peer].answer - exact) / exact)
        cells += [f"{timings[peer].seconds:.3f}", f"{timings[peer].seconds / ours:.1f}", f"{error:+.0e}"]
    return row(*cells)


def flat_rows(rounds: int) -> list[str]:
    """pldverify alone: δ at the ε where it is 1e-6, at 10⁴ and at 10⁸ steps."""
    lines = []
    first = 0.0
    for sigma, q, steps, delta in FLAT:
        composition = steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
        epsilon = Fraction(pv.epsilon(composition, delta=delta, digits=9).lower)
        query = pv.Query(composition, epsilon=epsilon)
        seconds = []
        for turn in range(rounds + 1):
            start = time.perf_counter()
            truth = ask_pldverify(jittered(query, turn))
            seconds.append(time.perf_counter() - start)
        median = statistics.median(seconds[1:])
        first = first or median
        shown = f"{float(epsilon):.6f}"
        lines.append(row(f"{steps:.0e}", shown, f"{median:.3f}", f"{median / first:.2f}", truth.digits))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="timed rounds; the median is printed")
    rounds = parser.parse_args().rounds
    for name in PEERS:
        accountant(name).version()
    libraries = ("python-flint", "dp-accounting", "prv-accountant")
    versions = ", ".join(f"{name} {version(name)}" for name in libraries)
    print(f"pldverify {pv.__version__}, {versions}, Python {platform.python_version()}, {rounds} rounds\n")
    peers = [f"{peer.split('/')[0]} {heading}" for peer in PEERS for heading in ("s", "×", "error")]
    print(row("question", "pldverify s", "proved digits", *peers))
    print("|---" * (3 + len(peers)) + "|")
    for sigma, q, steps, epsilon, delta in CELLS:
        composition = steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
        cell = f"σ={sigma}, q={q}, k={steps}"
        for asked, query in (
            (f"δ at ε={epsilon}", pv.Query(composition, epsilon=epsilon)),
            (f"ε at δ={delta}", pv.Query(composition, delta=delta)),
        ):
            print(question_row(f"{cell}: {asked}", query, rounds), flush=True)
    print("\nCost does not grow with the number of steps (σ = 1, q = 0.01, δ ≈ 1e-6):\n")
    print("| steps | ε | median seconds | times 1e+04 | proved digits |")
    print("|---|---|---|---|---|")
    print("\n".join(flat_rows(rounds)))


if __name__ == "__main__":
    main()
