"""Claims of μ, ρ, rates and advantage that are a percent off, of random runs of DP-SGD: is each decided?

    python -m benchmarks.claims_of_mu [--count 290] [--first 0] [--seed 1]

A run has a random σ, sampling probability, number of steps and regret. What is asked first is the proved
number, then claims that are a percent above and below it, by the judge of claims files: the one must be
CERTIFIED, the other REFUTED. Prints every claim that isn't, how many there were, and the processor time of
the dearest number.
"""

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import pldverify as pv
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule

OFF = Fraction(1, 100)
"""Relative distance of a claim from the proved number."""
REGRETS = ("0.01", "0.001", "1e-5", "1e-8")
FPRS = ("1e-5", "0.001", "0.05")


@dataclass(frozen=True)
class Run:
    """DP-SGD, as a claims file says it, and what is asked of it."""

    sigma: str
    q: str
    steps: int
    regret: str
    fpr: str

    @property
    def composition(self) -> pv.Composition:
        return self.steps * pv.PoissonSubsampled(pv.Gaussian(self.sigma), self.q)

    @property
    def phase(self) -> dict[str, Any]:
        noise = {"mechanism": "gaussian", "noise_multiplier": self.sigma, "steps": self.steps}
        return {**noise, "sampling": "poisson", "q": self.q}


def runs(count: int, seed: int) -> Iterator[Run]:
    draw = random.Random(seed)
    for _ in range(count):
        sigma, q = 10 ** draw.uniform(-0.25, 1), 10 ** draw.uniform(-4, -0.7)
        steps = round(10 ** draw.uniform(1, 5))
        yield Run(f"{sigma:.3g}", f"{q:.3g}", steps, draw.choice(REGRETS), draw.choice(FPRS))


def asked(
    run: Run,
) -> Iterator[tuple[str, Callable[[], tuple[Bound | None, Bound | None]], Callable[[str], Any]]]:
    """Of each quantity its name, its ends, and the claim of a number in words of a claims file."""
    whole = run.composition
    yield "mu", lambda: pv.gdp(whole).ends, lambda x: {"mu": x}
    regret = run.regret
    yield "mu, regret", lambda: pv.gdp(whole, regret=regret).ends, lambda x: {"mu": x, "regret": regret}
    yield "rho", lambda: pv.zcdp(whole).ends, lambda x: {"rho": x}
    yield "advantage", lambda: _ends(pv.advantage(whole, digits=6)), lambda x: {"advantage": x}
    fpr = run.fpr
    yield "tpr", lambda: _ends(pv.tpr(whole, fpr=fpr, digits=6)), lambda x: {"tpr": {"fpr": fpr, "tpr": x}}


def _ends(found: Enclosure) -> tuple[Bound, Bound]:
    return found.lower, found.upper


def said(run: Run, claim: dict[str, Any]) -> str:
    whole = {"id": "run", "adjacency": "add-or-remove", "phase": [run.phase], **claim}
    return str(rule(Claim.model_validate(whole)).verdict)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=290)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts, dearest = Counter[tuple[str, str]](), dict[str, float]()
    for run in islice(runs(options.first + options.count, options.seed), options.first, None):
        for name, number, claim in asked(run):
            start = time.process_time()
            low, high = number()
            dearest[name] = max(dearest.get(name, 0.0), time.process_time() - start)
            if low is None or high is None or high == math.inf:
                counts[name, "no number"] += 1
                print(f"no number: {name} of {run}: {low}, {high}", flush=True)
                continue
            for wanted, at in (
                ("CERTIFIED", Fraction(high) * (1 + OFF)),
                ("REFUTED", Fraction(low) * (1 - OFF)),
            ):
                if not 0 < at <= (1 if name in ("advantage", "tpr") else at):
                    continue  # no claim: 0, or a probability above 1
                verdict = said(run, claim(f"{float(at):.12g}"))
                counts[name, verdict if verdict == wanted else f"{verdict} for {wanted}"] += 1
                if verdict != wanted:
                    print(f"{verdict} for {wanted}: {name} {float(at):.6g} of {run}", flush=True)
    for (name, verdict), count in sorted(counts.items()):
        print(f"{name}: {count} {verdict}")
    print("; ".join(f"{name}: at most {seconds:.2f} s" for name, seconds in dearest.items()))


if __name__ == "__main__":
    main()
