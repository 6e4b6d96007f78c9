"""How fast ε(δ) of random allocation is enclosed, over settings drawn at random.

    python benchmarks/allocations.py [--count 200] [--seed 0] [--digits 6] [--from 0] [--peer]

Each setting is E epochs of ``balls_and_bins(gaussian(σ), batches=T)`` at a δ, all drawn on a logarithmic
scale: T from 2 to 10⁶, σ from 0.3 to 20, E from 1 to 1000, δ from 1e-10 to 1e-4. One line each: the setting,
what was proved, and the processor time of a first call; then the median, the slowest ones and what was not
decided. ``--peer`` asks pld-accounting the same, upper and lower end (``pldverify env add pld-accounting``),
with a minute and 4 GiB for each.
"""

import argparse
import math
import random
import statistics
import time
from dataclasses import dataclass
from fractions import Fraction

import pldverify as pv
from pldverify.accountants.registry import variants
from pldverify.balls.memory import forget
from pldverify.errors import PldverifyError
from pldverify.sweeps.sweep import sweep

_SLOWEST = 10
_SECONDS, _BYTES = 60, 4 * 2**30


@dataclass(frozen=True)
class Setting:
    """One question."""

    sigma: Fraction
    batches: int
    epochs: int
    delta: Fraction

    def __str__(self) -> str:
        one = f"balls_and_bins(gaussian({float(self.sigma)}), batches={self.batches})"
        return f"{self.epochs} * {one} at {float(self.delta):.3g}"


def draw(source: random.Random) -> Setting:
    """All on a logarithmic scale."""

    def between(low: float, high: float) -> float:
        return math.exp(source.uniform(math.log(low), math.log(high)))

    sigma, batches = Fraction(f"{between(0.3, 20):.3g}"), round(between(2, 1e6))
    return Setting(sigma, batches, round(between(1, 1000)), Fraction(f"{between(1e-10, 1e-4):.3g}"))


def peer(setting: Setting, steps: pv.Composition) -> None:
    """What pld-accounting says of a setting, judged, and how long it took."""
    query = pv.Query(steps, delta=setting.delta)
    for found in sweep(variants("pld-accounting"), [query], timeout=_SECONDS, memory=_BYTES):
        said = "nothing" if found.claim is None else f"{float(found.claim.value):.6g}"
        print(f"       {found.seconds:6.2f} s  {found.accountant}: {said}, {found.verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--digits", type=int, default=6)
    parser.add_argument("--from", type=int, default=0, dest="start", help="settings to pass over")
    parser.add_argument("--peer", action="store_true", help="ask pld-accounting, too")
    arguments = parser.parse_args()
    source, rows, undecided = random.Random(arguments.seed), [], []
    for i in range(arguments.count):
        setting = draw(source)
        if i < arguments.start:
            continue
        forget()
        mechanism = pv.BallsAndBins(pv.Gaussian(sigma=setting.sigma), batches=setting.batches)
        begin = time.process_time()
        try:
            found = pv.epsilon(setting.epochs * mechanism, delta=setting.delta, digits=arguments.digits)
            said = f"[{float(found.lower):.9g}, {float(found.upper):.9g}]"
        except PldverifyError as trouble:
            said = f"{type(trouble).__name__}: {trouble}"[:300]
            undecided.append(setting)
        seconds = time.process_time() - begin
        rows.append((seconds, setting))
        print(f"{i:4} {seconds:6.2f} s  {setting}: {said}", flush=True)
        if arguments.peer:
            peer(setting, setting.epochs * mechanism)
    print(f"median {statistics.median(seconds for seconds, _ in rows):.3f} s; the slowest:")
    for seconds, setting in sorted(rows, key=lambda row: -row[0])[:_SLOWEST]:
        print(f"  {seconds:6.2f} s  {setting}")
    print(f"{len(undecided)} of {len(rows)} not decided")


if __name__ == "__main__":
    main()
