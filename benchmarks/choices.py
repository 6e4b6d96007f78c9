"""Accountants on choices, sparse vectors, thresholds and their compositions: a row a question.

    python -m benchmarks.choices [ACCOUNTANT …]
    python -m benchmarks.choices ends [COUNT [SEED]]

Each is asked for ε at δ = 1e-4. A cell is the verdict, with the number that was claimed and the proved
bracket of the truth. Accountants whose library is missing are left out.

``ends`` draws COUNT random instances of each mechanism, in one step and in ten, and prints how far the two
ends of ε are apart: their ratio at the median and at worst. Left out are those of which ε is above 20, where
noise hides nothing, or its lower end 0.
"""

import random
import statistics
import sys
import warnings
from collections.abc import Callable

import pldverify as pv
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.registry import accountant
from pldverify.errors import MissingLibrary

ACCOUNTANTS = (
    "autodp/zoo",
    "opendp/zcdp",
    "opendp/pure",
    "diffprivlib",
    "dp-accounting/pld",
    "dp-accounting/rdp",
    "tmlt-core/pure",
)
QUESTIONS = (
    "exponential(epsilon=1)",
    "30 * exponential(epsilon=0.2)",
    "30 * exponential(epsilon=0.2, monotone=True)",
    "permute_and_flip(epsilon=1)",
    "30 * permute_and_flip(epsilon=0.2)",
    "30 * permute_and_flip(epsilon=0.2, monotone=True)",
    "noisy_max(b=2)",
    "above_threshold(b=4, query_b=4)",
    "5 * above_threshold(b=4, query_b=4)",
    "5 * above_threshold(b=4, query_b=4, monotone=True)",
    "3 * thresholded_histogram(laplace(b=2), threshold=21)",
    "3 * thresholded_histogram(gaussian(sigma=2), threshold=10)",
    "gaussian_above_threshold(sigma=10, query_sigma=20, queries=1000)",
    "1000 * gnmax(sigma=100)",
    "repeat_and_select(gaussian(sigma=1), mean=10, shape=1)",
    "repeat_and_select(laplace(b=2), mean=100, shape=0)",
    "repeat_and_select(1000 * poisson(gaussian(sigma=1), q=0.01), mean=10, shape=inf)",
    "3 * repeat_and_select(zcdp(rho=0.01), mean=3, shape=inf)",
)
Draw = Callable[[float, float], float]
"""A random number between two, evenly in its logarithm."""
KINDS: dict[str, Callable[[Draw], str]] = {
    "exponential": lambda x: f"exponential(epsilon={x(0.05, 2)})",
    "permute_and_flip": lambda x: f"permute_and_flip(epsilon={x(0.05, 2)})",
    "noisy_max": lambda x: f"noisy_max(b={x(1, 40)})",
    "above_threshold": lambda x: f"above_threshold(b={x(2, 20)}, query_b={x(2, 40)})",
    "gaussian_above_threshold": lambda x: (
        f"gaussian_above_threshold(sigma={x(3, 30)}, query_sigma={x(3, 60)}, queries={int(x(1, 2000))})"
    ),
    "gnmax": lambda x: f"gnmax(sigma={x(1, 100)})",
    "thresholded_histogram(laplace)": lambda x: f"thresholded_histogram(laplace(b={x(1, 9)}), threshold=200)",
    "thresholded_histogram(gaussian)": lambda x: (
        f"thresholded_histogram(gaussian(sigma={x(1, 9)}), threshold=90)"
    ),
    "repeat_and_select(gaussian)": lambda x: (
        f"repeat_and_select(gaussian(sigma={x(0.7, 20)}), mean={x(1.1, 200)}, shape=1)"
    ),
    "repeat_and_select(laplace)": lambda x: (
        f"repeat_and_select(laplace(b={x(0.7, 20)}), mean={x(1.1, 200)}, shape=0)"
    ),
    "repeat_and_select(pure_dp), Poisson": lambda x: (
        f"repeat_and_select(pure_dp(epsilon={x(0.05, 2)}), mean={x(1.1, 100)}, shape=inf)"
    ),
}
"""Expressions by kind, with random parameters."""
STEPS = (1, 10)
LARGEST = 20


def apart(kind: str, steps: int, count: int, seed: int) -> tuple[list[float], str]:
    """Ratios of the ends of ε at a random δ, and the question with the largest."""
    draw = random.Random(f"{kind} {steps} {seed}")

    def number(low: float, high: float) -> float:
        return float(f"{low * (high / low) ** draw.random():.3g}")

    found = []
    for _ in range(count):
        whole, delta = f"{steps} * {KINDS[kind](number)}", number(1e-8, 1e-2)
        ends = pv.bracket(whole, delta=delta, digits=2, seconds=2)
        if 0 < ends.lower <= ends.upper <= LARGEST:
            found.append((float(ends.upper / ends.lower), f"{whole} at {delta}"))
    return [ratio for ratio, _ in found], max(found)[1] if found else ""


def ends(count: int, seed: int) -> None:
    """Prints the table."""
    for kind in KINDS:
        for steps in STEPS:
            ratios, worst = apart(kind, steps, count, seed)
            told = f"{statistics.median(ratios):.3f} {max(ratios):.3f}" if ratios else "-"
            print(f"{steps:3} * {kind:36} {len(ratios):4} {told}  {worst}", flush=True)


def cell(subject: Accountant, expression: str) -> str:
    """The verdict, the claim and the truth."""
    finding = pv.check(subject, pv.Query(expression, delta="1e-4"))
    if finding.claim is None:
        return str(finding.verdict)
    truth = pv.bracket(expression, delta="1e-4", digits=3)
    ends = f"[{float(truth.lower):.4g}, {float(truth.upper):.4g}]"
    return f"{finding.verdict} {float(finding.claim.value):.4g} in {ends}"


def main(names: list[str]) -> None:
    """Prints the table."""
    warnings.simplefilter("ignore")
    for name in names or ACCOUNTANTS:
        try:
            subject = accountant(name)
            for expression in QUESTIONS:
                print(f"{name:18} {expression:55} {cell(subject, expression)}", flush=True)
        except MissingLibrary as missing:
            print(f"{name:18} {missing}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["ends"]:
        asked = [int(number) for number in sys.argv[2:]]
        ends(asked[0] if asked else 20, asked[1] if len(asked) > 1 else 0)
    else:
        main(sys.argv[1:])
