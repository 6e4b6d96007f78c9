"""Printed tables against the truth: one record an entry.

``paper_tables.json`` has the numbers digit by digit; parameters that print does not give stand under "found".
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import cache
from importlib.resources import files
from typing import Any

from pldverify import reference
from pldverify.mechanisms import Binomial, Composition, Gaussian, PoissonSubsampled
from pldverify.numbers.enclosure import Enclosure
from pldverify.theorems.record import Outcome, Record, Run, Verdict

Row = dict[str, Any]
Truth = Callable[[Row], Enclosure]

DIGITS = 15


@cache
def tables() -> dict[str, Any]:
    """The printed tables, by key."""
    text = files("pldverify.theorems").joinpath("paper_tables.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def dp_sgd(sigma: str, q: str, k: int) -> Composition:
    """k steps of the sampled Gaussian."""
    return k * PoissonSubsampled(Gaussian(sigma), q)


@cache
def epsilon(sigma: str) -> Enclosure:
    """ε of KJH19 Table 1."""
    return reference.epsilon(dp_sgd(sigma, "0.01", 10**4), delta="1e-6", digits=DIGITS)


@cache
def supplement() -> Enclosure:
    """δ of KJH20s Tables 1 and 2."""
    return reference.delta(dp_sgd("1.5", "0.01", 10**4), epsilon=1, digits=DIGITS)


@cache
def plancherel() -> Enclosure:
    """δ of KH21 Table 3."""
    return reference.delta(dp_sgd("2", "0.02", 500), epsilon=1, digits=DIGITS)


@cache
def binomial(at: str) -> Enclosure:
    """δ of KH21 Tables 1 and 2."""
    return reference.delta(20 * Binomial(1000, "1/2"), epsilon=at, adjacency="remove", digits=7)


@cache
def tail(L: str) -> Enclosure:
    """Pr[S ≥ L] of KJH20s Table 2."""
    return reference.tail(dp_sgd("1.5", "0.01", 10**4), epsilon=L, adjacency="remove", digits=6)


def unit(printed: str) -> F:
    """One unit of the last printed digit."""
    mantissa, _, exponent = printed.partition("e")
    return F(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def tail_at(L: str) -> Callable[[], F]:
    """Upper end of Pr[S ≥ L]."""
    return lambda: F(tail(L).upper)


@dataclass(frozen=True)
class Rounded:
    """Evidence: PROVED if the ``printed`` number is the truth rounded to its digits; else CORRECTED to
    ``correct``, checked.
    """

    printed: str
    truth: Callable[[], Enclosure]
    correct: str = ""

    def __call__(self) -> Outcome:
        true, value, half = self.truth(), F(self.printed), unit(self.printed) / 2
        said = f"true {true:.15g}, printed {self.printed}"
        if value - half <= true.lower and true.upper <= value + half:
            return Outcome(Verdict.PROVED, f"{said}: every digit is right")
        if not (true.upper < value - half or value + half < true.lower):
            return Outcome(Verdict.SUPPORTED, f"{said}: the last digit is not decided")
        near, step = F(self.correct), unit(self.correct)
        if not (near - step <= true.lower and true.upper <= near + step):
            return Outcome(Verdict.REFUTED, f"{self.correct} is not the truth either, {true:.15g}")
        word, right = "above" if value > true.upper else "below", digits(value, true)
        return Outcome(Verdict.CORRECTED, f"{said}: {right} digits are right, it is {word} the truth")


def digits(value: F, true: Enclosure) -> int:
    """Leading digits that are right: the largest d with |printed − true| ≤ 10^{1−d}/2 of the leading unit."""
    gap = max(abs(value - F(true.lower)), abs(value - F(true.upper)))
    lead = F(1)
    while lead * 10 <= F(true.lower):
        lead *= 10
    while lead > F(true.lower):
        lead /= 10
    found = 0
    while found < DIGITS and gap <= lead * F(10) ** -found / 2:
        found += 1
    return found


def at_most(quantity: Callable[[], F], printed: str) -> Run:
    """PROVED if the quantity is proved to be at most the printed number up to half a unit, else REFUTED."""

    def run() -> Outcome:
        value, bound = quantity(), F(printed) + unit(printed) / 2
        verdict = Verdict.PROVED if value <= bound else Verdict.REFUTED
        return Outcome(verdict, f"{float(value):.4g} against the printed {printed}")

    return run


def error_of(printed: str, truth: Callable[[], Enclosure]) -> Callable[[], F]:
    """An upper bound of |printed − truth|."""
    return lambda: max(abs(F(printed) - F(truth().lower)), abs(F(printed) - F(truth().upper)))


def numbered(id: str, rows: Sequence[Row], make: Callable[[str, int, Row], Record]) -> tuple[Record, ...]:
    """A record for each row, ``id``/1, ``id``/2, …"""
    return tuple(make(f"{id}/{number}", number, row) for number, row in enumerate(rows, 1))


def below(printed: str, truth: Callable[[], Enclosure]) -> Run:
    """REFUTED, as an upper bound, if the printed number and half a unit are below the truth."""

    def run() -> Outcome:
        true = truth()
        low = F(printed) + unit(printed) / 2 < true.lower
        return Outcome(Verdict.REFUTED if low else Verdict.SUPPORTED, f"printed {printed}, true {true:.10g}")

    return run
