"""Processor time and digits of μ, ρ, advantage and TPR of DP-SGD of 10⁴ steps.

python -m benchmarks.summaries_of_dp_sgd
"""

import math
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pldverify as pv
from pldverify.numbers.enclosure import Bound
from pldverify.values.value import Value

STEPS = 10_000
ASKED: dict[str, Callable[[pv.Composition], object]] = {
    "μ": pv.gdp,
    "μ, regret 1e-3": lambda run: pv.gdp(run, regret="1e-3"),
    "μ, regret 1e-6": lambda run: pv.gdp(run, regret="1e-6"),
    "ρ": pv.zcdp,
    "advantage": lambda run: pv.advantage(run, digits=6),
    "TPR at 0.001": lambda run: pv.tpr(run, fpr="0.001", digits=6),
}


def digits(found: object) -> float:
    """Decimal digits that both ends share, relative; none where an end is unknown."""
    low, high = found.ends if isinstance(found, Value) else (found.lower, found.upper)  # type: ignore[attr-defined]
    return _digits(low, high)


def _digits(low: Bound | None, high: Bound | None) -> float:
    if low is None or high is None or high == math.inf != low:
        return 0.0
    if low == high:
        return math.inf
    width = (high - low) / Fraction(high)  # type: ignore[operator]  # both are fractions
    return math.log10(width.denominator) - math.log10(width.numerator)


def main() -> None:
    print("| run | " + " | ".join(ASKED) + " |")
    print("|---|" + "---:|" * len(ASKED))
    for sigma, q in product(("0.6", "1", "2", "10"), ("0.0001", "0.01", "0.2")):
        run = STEPS * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
        cells = []
        for ask in ASKED.values():
            start = time.process_time()
            found = ask(run)
            cells.append(f"{time.process_time() - start:.2f} s, {digits(found):.1f}")
        print(f"| σ = {sigma}, q = {q} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
