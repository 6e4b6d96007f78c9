"""ε of every scheme of drawing batches, from both sides, at three settings: the figures of docs/batches.md.

    python benchmarks/batches.py [--seconds 10]

Each cell is a bracket (``pldverify.bracket``) at δ = 1e-6, of what ``pv.dp_sgd`` or the expression beside it
means; three digits, rounded outward, and a dash for an end that is not proved. Markdown.
"""

import argparse
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.enclosure import Bound

DELTA = "1e-6"
BATCH = 100
"""Records in a batch, on average."""
SETTINGS = ((1, 100, 1), (4, 100, 10), (4, 1000, 20))
"""σ, batches of an epoch, epochs."""


def named(sampling: str, sizes: bool = True, **more: object) -> Callable[[int, int, int], Composition]:
    """A scheme by its name, with all that it needs besides."""

    def made(sigma: int, batches: int, epochs: int) -> Composition:
        run = {"noise_multiplier": sigma, "sampling": sampling, **more}
        if sizes:
            run |= {"batch_size": BATCH, "dataset_size": BATCH * batches, "epochs": epochs}
        else:
            run |= {"steps": batches * epochs, "participations": epochs}
        return pv.dp_sgd(**run)  # type: ignore[arg-type]  # as the table of schemes has them

    return made


def written(text: str) -> Callable[[int, int, int], Composition]:
    """An expression of σ, batches and epochs."""
    return lambda sigma, batches, epochs: as_composition(text.format(s=sigma, T=batches, E=epochs))


SCHEMES: dict[str, Callable[[int, int, int], Composition]] = {
    "poisson": named("poisson"),
    "truncated-poisson": named("truncated-poisson", max_batch=150),
    "fixed": named("fixed"),
    "fixed-with-replacement": named("fixed-with-replacement"),
    "shuffled": named("shuffled"),
    "a known order": written("{E} * gaussian({s})"),
    "balls-and-bins": named("balls-and-bins"),
    "bins that are kept": written("balls_and_bins(gaussian({s}/sqrt({E})), batches={T})"),
    "allocation": named("allocation", sizes=False),
    "cyclic-poisson": named("cyclic-poisson", cycle_length=4),
    "BandMF": written("banded_matrix({s}, coefficients=[1, 1/2, 1/4, 1/8], steps={E}*{T}, q=4/{T})"),
}
"""The rows: what is drawn, and the composition that it is."""


def printed(end: Bound | None, rounding: str) -> str:
    """Three digits, on the safe side."""
    if end is None:
        return "–"
    with localcontext(prec=3, rounding=rounding):
        value = Fraction(end)
        return str(Decimal(value.numerator) / Decimal(value.denominator))


def cell(run: Composition, seconds: float) -> str:
    found = pv.bracket(run, delta=DELTA, digits=4, seconds=seconds)
    lower = found.lower if found.two_sided or run.standing == "exact" else None
    return f"{printed(lower, ROUND_FLOOR)} to {printed(found.upper, ROUND_CEILING)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    asked = parser.parse_args()
    for name, make in SCHEMES.items():
        cells = (cell(make(*setting), asked.seconds) for setting in SETTINGS)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
