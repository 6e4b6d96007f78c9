"""pldverify, dp-accounting and prv-accountant on the same questions, side by side in one run.

    python benchmarks/headline.py [--rounds N]

pldverify proves 30 digits of δ and 12 of ε. Each peer is asked twice: with its default settings, and with
tight ones. Seconds are processor time, imports not counted. Rounds alternate between the contestants, every
round asks at a slightly different ε or δ, and all that pldverify has cached is forgotten before each of its
answers, so that nothing remembered from one round helps in the next.
A contestant that takes more than 2 s is asked once, otherwise the first answer is not timed. The printed
error is that of the first answer, relative to the enclosure that pldverify proved. Markdown, for
docs/speed.md; the last lines say where pldverify is slower.
"""

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import _lru_cache_wrapper
from importlib.metadata import version

import pldverify as pv
from pldverify.accountants.adapters import dp_accounting, prv_accountant

DELTA_DIGITS = 30
EPSILON_DIGITS = 12
CELLS = (  # sigma, q, steps, epsilon where δ is asked, delta where ε is asked
    ("1", "0.01", 10_000, "6.90735948", "1e-6"),
    ("1", "0.01", 1_000, "2", "1e-6"),
    ("1", "0.01", 100_000, "25.9", "1e-6"),
    ("2", "0.02", 1_000, "1.5", "1e-6"),
    ("0.8", "0.004", 20_000, "6", "1e-5"),
    ("1.1", "32/7500", 14_062, "3", "1e-5"),
    ("4", "0.1", 2_000, "5.5", "1e-6"),
    ("2", "0.02", 500, "1", "1e-6"),
)
FLAT = (("1", "0.01", 10_000, "1e-6"), ("1", "0.01", 1_000_000, "1e-6"), ("1", "0.01", 100_000_000, "1e-6"))
JITTER = Fraction(1, 10**7)
PATIENCE = 2.0
"""Seconds of a first answer from which on it is the only one."""


class TightPLD(dp_accounting.PLD):
    """The grid a tenth of the default one."""

    interval = "1e-5"


class TightEstimate(prv_accountant.Estimate):
    """A tenth of the error in ε that it promises by default."""

    eps_error = 0.01


@dataclass(frozen=True)
class Timing:
    """Median seconds and the first answer; or why there is none."""

    seconds: float
    answer: Fraction | None
    failure: str = ""


def ask_pldverify(query: pv.Query) -> pv.Enclosure:
    if query.epsilon is not None:
        return pv.delta(query.composition, epsilon=query.epsilon, digits=DELTA_DIGITS)
    return pv.epsilon(query.composition, delta=query.delta, digits=EPSILON_DIGITS)


PEERS: dict[str, Callable[[pv.Query], pv.Claim]] = {
    "dp-accounting, default (grid 1e-4)": dp_accounting.PLD().claim,
    "dp-accounting, grid 1e-5": TightPLD().claim,
    "prv-accountant, default (ε error 0.1)": prv_accountant.Estimate().claim,
    "prv-accountant, ε error 0.01": TightEstimate().claim,
}


def jittered(query: pv.Query, turn: int) -> pv.Query:
    factor = 1 + turn * JITTER
    if query.epsilon is not None:
        return pv.Query(query.composition, epsilon=query.epsilon * factor)
    assert query.delta is not None  # a query has exactly one of the two
    return pv.Query(query.composition, delta=query.delta * factor)


def compare(query: pv.Query, rounds: int) -> tuple[pv.Enclosure, dict[str, Timing]]:
    """The enclosure, and each contestant's timing; one question to each comes first."""
    truth = ask_pldverify(query)
    contestants: dict[str, Callable[[pv.Query], object]] = {"pldverify": ask_pldverify, **PEERS}
    answers: dict[str, Fraction | None] = {"pldverify": number(truth)}
    failures: dict[str, str] = {}
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    patient = ["pldverify"]
    for name, ask in PEERS.items():
        start = time.process_time()
        try:
            answers[name] = Fraction(ask(query).value)
        except Exception as error:  # other people's code: whatever it raises is the answer
            answers[name], failures[name] = None, type(error).__name__
            continue
        first = time.process_time() - start
        if first > PATIENCE:
            seconds[name].append(first)
        else:
            patient.append(name)
    for turn in range(1, rounds + 1):
        asked = jittered(query, turn)
        for name in patient:
            empty_caches()
            start = time.process_time()
            contestants[name](asked)
            seconds[name].append(time.process_time() - start)
    return truth, {
        name: Timing(statistics.median(seconds[name] or [0.0]), answers[name], failures.get(name, ""))
        for name in contestants
    }


def empty_caches() -> None:
    """Modules stay imported; of questions and laws nothing is remembered."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pldverify."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


def number(answer: pv.Enclosure) -> Fraction:
    return (Fraction(answer.lower) + Fraction(answer.upper)) / 2


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def question_row(label: str, truth: pv.Enclosure, timings: dict[str, Timing]) -> str:
    """pldverify's seconds and digits; each peer's seconds, their ratio to pldverify's, its relative error."""
    exact, ours = number(truth), timings["pldverify"].seconds
    cells = [label, f"{ours:.3f} s, {truth.digits} digits"]
    for peer in PEERS:
        timing = timings[peer]
        if timing.answer is None:
            cells.append(f"fails: {timing.failure}")
            continue
        error = float((timing.answer - exact) / exact)
        ratio = (
            f"{timing.seconds / ours:.1f}×" if timing.seconds >= ours else f"**{timing.seconds / ours:.2f}×**"
        )
        cells.append(f"{timing.seconds:.3f} s, {ratio}, {error:+.0e}")
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
            empty_caches()
            start = time.process_time()
            truth = ask_pldverify(jittered(query, turn))
            seconds.append(time.process_time() - start)
        median = statistics.median(seconds[1:])
        first = first or median
        shown = f"{float(epsilon):.6f}"
        lines.append(row(f"{steps:.0e}", shown, f"{median:.3f}", f"{median / first:.2f}", truth.digits))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="timed rounds; the median is printed")
    rounds = parser.parse_args().rounds
    for library in (dp_accounting.PLD(), prv_accountant.Estimate()):
        library.version()
    libraries = ("python-flint", "dp-accounting", "prv-accountant")
    versions = ", ".join(f"{name} {version(name)}" for name in libraries)
    print(f"pldverify {pv.__version__}, {versions}, Python {platform.python_version()}, {rounds} rounds\n")
    print(row("question", "pldverify, proved", *PEERS))
    print("|---" * (2 + len(PEERS)) + "|")
    slower: list[str] = []
    least = dict.fromkeys(PEERS, (sys.float_info.max, ""))
    for sigma, q, steps, epsilon, delta in CELLS:
        composition = steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
        for asked, query in (
            (f"δ at ε={epsilon}", pv.Query(composition, epsilon=epsilon)),
            (f"ε at δ={delta}", pv.Query(composition, delta=delta)),
        ):
            label = f"σ={sigma}, q={q}, k={steps}: {asked}"
            truth, timings = compare(query, rounds)
            print(question_row(label, truth, timings), flush=True)
            for peer in PEERS:
                if timings[peer].answer is None:
                    continue
                ratio = timings[peer].seconds / timings["pldverify"].seconds
                least[peer] = min(least[peer], (ratio, label))
                slower += [f"{label}: {ratio:.2f} × {peer}"] if ratio < 1 else []
    print("\n" + ("pldverify is slower:\n" if slower else "pldverify is nowhere slower.\n"))
    print("".join(f"* {line}\n" for line in slower))
    print("Least ratio: " + "; ".join(f"{name}: {ratio:.1f}× ({at})" for name, (ratio, at) in least.items()))
    print("\nCost does not grow with the number of steps (σ = 1, q = 0.01, δ ≈ 1e-6):\n")
    print("| steps | ε | median seconds | times 1e+04 | proved digits |")
    print("|---|---|---|---|---|")
    print("\n".join(flat_rows(rounds)))


if __name__ == "__main__":
    main()
