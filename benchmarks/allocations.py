"""How fast ε(δ) of random allocation is enclosed, over settings drawn at random.

    python benchmarks/allocations.py [--count 200] [--seed 0] [--digits 6] [--from 0]
    python benchmarks/allocations.py --count 10 --batches 1000 --epochs 10 --peer
    python benchmarks/allocations.py --grid

Each setting is E epochs of ``balls_and_bins(gaussian(σ), batches=T)`` at a δ, all drawn on a logarithmic
scale: T from 2 to ``--batches``, σ from 0.3 to 20, E from 1 to ``--epochs``, δ from 1e-10 to 1e-4. One line
each: the setting, what was proved, and the processor time of a first call; then the median, the slowest ones
and what was not decided. ``--peer`` asks pld-accounting the same, upper and lower end (``pldverify env add
pld-accounting``), each in a process with a minute of processor time and 16 GiB: what ended there, in a crash
or not at all, is told in its words and goes on to the next. ``--grid`` asks all that the libraries have for
random allocation (``pldverify env add random-allocation``) eight settings at δ = 1e-6, the table of
docs/batches.md.
"""

import argparse
import math
import random
import statistics
import time
from dataclasses import astuple, dataclass
from fractions import Fraction

import pldverify as pv
from pldverify.accountants.registry import variants
from pldverify.balls.memory import forget
from pldverify.errors import PldverifyError
from pldverify.sweeps.sweep import sweep

_SLOWEST = 10
_SECONDS = 15
"""Of the peer's first try; a sweep gives four times as much, in processor time, to the second one."""
_BYTES = 4 * 2**30
"""Likewise, of address space."""


_GRID = tuple((sigma, batches, epochs) for sigma in (1, 4) for batches in (10, 100) for epochs in (1, 10))
"""σ, batches of an epoch, epochs."""
_LIBRARIES = ("pld-accounting", "random-allocation")


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


def draw(source: random.Random, batches: int, epochs: int) -> Setting:
    """All on a logarithmic scale, up to so many batches and epochs."""

    def between(low: float, high: float) -> float:
        return math.exp(source.uniform(math.log(low), math.log(high)))

    sigma, many = Fraction(f"{between(0.3, 20):.3g}"), round(between(2, batches))
    return Setting(sigma, many, round(between(1, epochs)), Fraction(f"{between(1e-10, 1e-4):.3g}"))


@dataclass(frozen=True)
class Peer:
    """How long the peer took for both ends, and how far they are apart, relative to the upper one."""

    seconds: float
    width: float


def peer(setting: Setting, steps: pv.Composition) -> Peer | None:
    """What pld-accounting says of a setting, judged; None where an end is missing."""
    query, ends, seconds = pv.Query(steps, delta=setting.delta), list[float](), 0.0
    for found in sweep(variants("pld-accounting"), [query], timeout=_SECONDS, memory=_BYTES):
        word, said = found.cause or found.verdict, found.reason[:200]
        if found.claim is not None:
            ends.append(float(found.claim.value))
            said = f"{ends[-1]:.6g}"
        seconds += found.seconds
        print(f"       {found.seconds:6.2f} s  {found.accountant}: {word}, {said}", flush=True)
    return Peer(seconds, (max(ends) - min(ends)) / max(ends)) if len(ends) == 2 else None


def grid() -> None:
    """A row a setting: ε, to four digits outward, then what each accountant says of it."""
    asked = [one for library in _LIBRARIES for one in variants(library)]
    names = [one.name for one in asked]
    print(
        f"| σ, batches, epochs | proved | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}", flush=True
    )
    for sigma, batches, epochs in _GRID:
        run = epochs * pv.BallsAndBins(pv.Gaussian(sigma=sigma), batches=batches)
        query = pv.Query(run, delta=Fraction(1, 10**6))
        rows = [f"{sigma}, {batches}, {epochs}", f"{pv.epsilon(run, delta='1e-6', digits=6)}"]
        for found in sweep(asked, [query], timeout=_SECONDS, memory=_BYTES):
            said = "" if found.claim is None else f"{float(found.claim.value):.5g}, "
            rows.append(f"{said}{found.cause or found.verdict}, {found.seconds:.2g} s")
        print(f"| {' | '.join(rows)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--digits", type=int, default=6)
    parser.add_argument("--from", type=int, default=0, dest="start", help="settings to pass over")
    parser.add_argument("--batches", type=int, default=10**6, help="at most so many")
    parser.add_argument("--epochs", type=int, default=1000, help="at most so many")
    parser.add_argument("--peer", action="store_true", help="ask pld-accounting, too")
    parser.add_argument("--grid", action="store_true", help="the table of docs/batches.md, and no more")
    arguments = parser.parse_args()
    if arguments.grid:
        return grid()
    source, rows, undecided, peers = random.Random(arguments.seed), [], [], []
    for i in range(arguments.count):
        setting = draw(source, arguments.batches, arguments.epochs)
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
            peers.append(peer(setting, setting.epochs * mechanism))
    print(f"median {statistics.median(seconds for seconds, _ in rows):.3f} s; the slowest:")
    for seconds, setting in sorted(rows, key=lambda row: -row[0])[:_SLOWEST]:
        print(f"  {seconds:6.2f} s  {setting}")
    print(f"{len(undecided)} of {len(rows)} not decided")
    if known := [found for found in peers if found is not None]:
        seconds, width = (statistics.median(column) for column in zip(*map(astuple, known), strict=True))
        print(f"peer: {len(known)} of {len(peers)} have both ends, median {seconds:.3g} s, width {width:.3g}")


if __name__ == "__main__":
    main()
