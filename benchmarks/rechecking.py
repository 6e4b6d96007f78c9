"""How far the independent checker reaches: certificates with a known slack, decided again.

    python -m benchmarks.rechecking --store FOLDER random [--count 200] [--seed 1] [--least 0.001]
    python -m benchmarks.rechecking --store FOLDER region [--least 0.001]
    python -m benchmarks.rechecking --store FOLDER published
    python -m benchmarks.rechecking --store FOLDER browser [--count 40] [--seed 1]
    python -m benchmarks.rechecking --store FOLDER report

``random``: compositions of mechanisms: two in five of Poisson's batches and of plain noise, as many of other
batches or of what is less common, the others of choices, votes, histograms and promises; so all that certify
knows but stated pairs and its two pairs of papers. A claim is above or below the true ε by one of SLACKS, of
those from ``--least`` on. ``region``: DP-SGD, GRID.
``published``: the certificates in FOLDER/published, where ``pldverify certify examples/claims/*.toml --out``
has written them, if the claim is that far from the proved ε. ``browser``: certificates of the store, drawn by
the seed, dropped on the checker's own page in Chromium, with the seconds of the wall until it says its word.

A row is kept in the store as soon as it is measured, with the SHA-256 of the checker's file; a run that was
stopped goes on where it was. Rows of another checker do not count. Seconds are of processor time. A row whose
outcome is CONTRADICTED is a defect of the checker or of pldverify.
"""

import argparse
import hashlib
import json
import math
import random
import re
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pldverify as pv
from pldverify import recheck
from pldverify.certificate.again import page as recheck_page
from pldverify.certificate.issue import document

SLACKS = ("0.1", "0.01", "0.001", "0.0001")
GRID = tuple(
    (q, sigma, steps)
    for q, sigma, steps in product(
        ("1e-4", "0.001", "0.01"), ("0.5", "0.7", "1", "2"), (100, 10_000, 100_000)
    )
)
"""Sampling rate, noise multiplier, steps."""
SECONDS = 60
CHECKER = hashlib.sha256(Path(recheck.__file__).read_bytes()).hexdigest()


def mechanism(rng: random.Random) -> Any:
    noise = rng.choice(
        [
            lambda: pv.Gaussian(rng.choice(["0.8", "1", "2", "5"]), rng.choice([1, 2])),
            lambda: pv.Laplace(rng.choice(["1", "5", "20"])),
            lambda: pv.RandomizedResponse(rng.choice(["0.6", "0.9"]), rng.choice([2, 5])),
            lambda: pv.DiscreteGaussian(sigma=rng.choice(["1", "7.5"]), sensitivity=rng.choice([1, 2])),
            lambda: pv.DiscreteLaplace(b=rng.choice(["2", "8"]), sensitivity=rng.choice([1, 3])),
        ]
    )()
    kind = rng.randrange(5)
    if kind < 2:
        return pv.PoissonSubsampled(noise, rng.choice(["0.3", "0.1", "0.03", "0.01"]))
    stated = [pv.PureDP("0.2"), pv.ApproximateDP("0.1", "1e-8"), pv.GDP("0.3")]
    return noise if kind < 4 else rng.choice(stated)


def scheme(rng: random.Random) -> Any:
    """Batches that are not Poisson's, and what is less common."""
    noise = pv.Gaussian(rng.choice(["1", "2", "4"]))
    return rng.choice(
        [
            lambda: pv.SampledWithoutReplacement(
                rng.choice([noise, pv.Laplace("3")]), q=rng.choice(["0.1", "0.01"])
            ),
            lambda: pv.SampledWithReplacement(noise, m=rng.choice([1, 5]), n=rng.choice([20, 100])),
            lambda: pv.ShuffledBatches(noise, batches=rng.choice([2, 10, 100])),
            lambda: pv.BallsAndBins(noise, batches=rng.choice([2, 10, 100])),
            lambda: pv.TruncatedPoisson(noise, dataset_size=1000, q="0.01", max_batch=rng.choice([15, 30])),
            lambda: pv.PoissonSubsampled(pv.ZCDP("0.1"), "0.1"),
            lambda: pv.PoissonSubsampled(rng.choice([pv.PureDP("0.5"), pv.GDP("0.5")]), "0.1"),
            lambda: pv.ZCDP(rng.choice(["0.02", "0.5"])),
            lambda: pv.GroupDP("0.1", rng.choice(["0", "1e-7"]), rng.choice([2, 5])),
            lambda: pv.Binomial(rng.choice([100, 1000]), "0.5", rng.choice([1, 3])),
            lambda: pv.FinitePair(["0.5", "0.3", "0.2"], ["0.3", "0.3", "0.4"]),
            lambda: pv.Gaussian("sqrt(3)"),
        ]
    )()


def choice(rng: random.Random) -> Any:
    """Choices, votes, thresholds, local reports and promises."""
    epsilon, monotone = rng.choice(["0.1", "1"]), rng.random() < 0.5
    noise = rng.choice([pv.Gaussian("2"), pv.Laplace("2")])
    return rng.choice(
        [
            lambda: pv.Exponential(epsilon, monotone),
            lambda: pv.PermuteAndFlip(epsilon, monotone),
            lambda: pv.NoisyMax("4", 1, monotone),
            lambda: pv.AboveThreshold("4", "8", 1, monotone),
            lambda: pv.GaussianAboveThreshold("4", "8", rng.choice([5, 100])),
            lambda: pv.GNMax(rng.choice(["5", "20"])),
            lambda: pv.ThresholdedHistogram(noise, rng.choice(["21", "41"])),
            lambda: pv.RenyiDP(["2", "8"], ["0.02", "0.1"]),
            lambda: pv.approximate_zcdp(rng.choice(["0.02", "0.5"]), "1e-9"),
            lambda: pv.ShuffleModel(pv.PureDP(epsilon), 1000),
            lambda: pv.RepeatAndSelect(pv.ZCDP("0.02"), mean=3, shape=1),
            lambda: pv.subset_selection("2/3", 6, 2),
            lambda: pv.rappor("1/2", "0.1", "0.9", 2),
            lambda: pv.PoissonSubsampled(pv.Gaussian("2") + pv.Laplace("5"), "0.1"),
        ]
    )()


def composition(rng: random.Random) -> Any:
    parts = [(mechanism(rng), rng.choice([1, 3, 20, 150])) for _ in range(rng.choice([1, 1, 2, 3]))]
    return pv.Composition.of(*parts)


def row(whole: Any, delta: str, slack: str, above: bool) -> dict[str, Any] | None:
    """One certificate, decided again; None where ε has no such distance from the truth."""
    truth = pv.bracket(whole, delta=delta)
    if truth.upper == math.inf:
        return None
    end = Fraction(truth.upper) + Fraction(slack) if above else Fraction(truth.lower) - Fraction(slack)
    if end < 0:
        return None
    certificate = pv.certify(pv.Query(whole, delta=delta), Fraction(round(end * 10**9), 10**9))
    text = document(certificate).text()
    asked = {"composition": str(whole), "delta": delta, "epsilon": float(end), "slack": slack}
    return asked | decided(text) | {"text": text}


def decided(text: str) -> dict[str, Any]:
    """What the checker says of a certificate."""
    checked = recheck.parse(text.encode())
    start = time.process_time()
    outcome, lines = recheck.recheck(checked)
    seconds = round(time.process_time() - start, 2)
    return {"verdict": checked["verdict"], "outcome": outcome, "seconds": seconds, "last": lines[-1]}


def published(folder: Path) -> Iterator[tuple[str, str, float]]:
    """Name, text and slack of certificates; without an enclosure, and where it holds the claim, it is 0."""
    for path in sorted(folder.glob("*.json")):
        text = path.read_text("utf-8")
        ends = json.loads(text)["enclosure"]
        slack = 0.0
        if ends:
            least, most = recheck.enclosed(json.loads(text)["claim"]["epsilon"])
            beyond = recheck.end(ends["lower"]) - most, least - recheck.end(ends["upper"])
            slack = max(0.0, *map(float, beyond))
        yield f"published {path.stem}", text, slack


def questions(options: argparse.Namespace) -> Iterator[tuple[str, Any, str, str, bool]]:
    """Name, composition, δ, slack, whether the claim is above the truth."""
    if options.what == "random":
        for at in range(options.count):
            rng = random.Random(f"{options.seed} {at}")
            which = rng.choice([composition, composition, scheme, scheme, choice])
            whole = composition(rng) if which is composition else rng.choice([1, 3, 10]) * which(rng)
            delta = rng.choice(["1e-3", "1e-5", "1e-8"])
            yield f"random {options.seed} {at}", whole, delta, SLACKS[at % 4], rng.random() < 0.5
    else:
        for (q, sigma, steps), slack in product(GRID, SLACKS[:3]):
            whole = steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
            yield f"region {q} {sigma} {steps} {slack}", whole, "1e-6", slack, True


def browsed(rows: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the page says of certificates, one after the other, and after how many seconds."""
    from playwright.sync_api import TimeoutError, sync_playwright

    from tests.browser.conftest import executable

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page, one = Path(folder, "recheck.html"), Path(folder, "one.json")
        page.write_text(recheck_page(), "utf-8")
        browser = driver.chromium.launch(executable_path=executable())
        for name, found in rows:
            one.write_text(found["text"], "utf-8")
            seen = browser.new_page()
            seen.goto(page.as_uri())
            start = time.perf_counter()
            seen.get_by_label("A certificate").set_input_files(one)
            said = seen.get_by_role("status").filter(has_text=re.compile("CONFIRM|CONTRAD|REJECT|UNDECID"))
            try:
                said.wait_for(timeout=1000 * SECONDS)
                told = said.inner_text().partition(": ")[2]
            except TimeoutError:
                told = "no word yet"
            yield name, {"told": told, "seconds": round(time.perf_counter() - start, 2)}
            seen.close()


def report(rows: dict[str, Any]) -> Iterator[str]:
    """Whose rows they are; shares by slack, of random and published claims, then the region."""
    yield f"recheck.py, SHA-256 {CHECKER}"
    yield ""
    yield "| slack in ε | certificates | confirmed | within 60 s | undecided | contradicted | slowest |"
    yield "|---|---|---|---|---|---|---|"
    for slack in SLACKS:
        found = [r for name, r in rows.items() if r and r["slack"] == slack and name.startswith("random")]
        yield from _share(slack, found)
    known = [r for name, r in rows.items() if name.startswith("published")]
    yield from _share("published, 1e-3 and more", [r for r in known if r["slack"] >= 1e-3])
    yield from _share("published, less", [r for r in known if r["slack"] < 1e-3])
    yield ""
    yield f"| q | σ | steps | true ε, at most | {' | '.join(f'slack {slack}' for slack in SLACKS[:3])} |"
    yield "|---" * 7 + "|"
    for q, sigma, steps in GRID:
        cells = [rows.get(f"region {q} {sigma} {steps} {slack}") for slack in SLACKS[:3]]
        if any(cells):
            last = next(r for r in reversed(cells) if r)
            shown = " | ".join(_cell(r) for r in cells)
            yield f"| {q} | {sigma} | {steps} | {last['epsilon'] - float(last['slack']):.4f} | {shown} |"


def _share(kind: str, found: list[dict[str, Any]]) -> Iterator[str]:
    """A row of the table, if there is anything."""
    if found:
        good = [r for r in found if r["outcome"] == "CONFIRMED"]
        quick = sum(r["seconds"] <= SECONDS for r in good)
        left, wrong = (sum(r["outcome"] == o for r in found) for o in ("UNDECIDED", "CONTRADICTED"))
        slowest = max(r["seconds"] for r in found)
        yield f"| {kind} | {len(found)} | {len(good)} | {quick} | {left} | {wrong} | {slowest:.0f} s |"


def _cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return "not measured"
    return f"{found['seconds']:.1f} s" if found["outcome"] == "CONFIRMED" else found["outcome"].lower()


def kept(path: Path, name: str, found: dict[str, Any] | None) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, CHECKER, found]) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("what", choices=["random", "region", "published", "browser", "report"])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.0)
    options = parser.parse_args()
    options.store.mkdir(parents=True, exist_ok=True)
    path = options.store / "rechecking.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    rows: dict[str, Any] = {name: found for name, by, found in map(json.loads, lines) if by == CHECKER}
    if options.what == "report":
        print("\n".join(report(rows)))
        return
    if options.what == "browser":
        known = [(name, found) for name, found in rows.items() if found and name.startswith("random")]
        drawn = random.Random(options.seed).sample(known, min(options.count, len(known)))
        for name, told in browsed(drawn):
            print(name, told["seconds"], told["told"], flush=True)
        return
    if options.what == "published":
        for name, text, slack in published(options.store / "published"):
            if name not in rows and slack >= options.least:
                kept(path, name, {"slack": slack} | decided(text))
        return
    for name, *question in questions(options):
        if name not in rows and float(question[2]) >= options.least:
            kept(path, name, row(*question))


if __name__ == "__main__":
    main()
