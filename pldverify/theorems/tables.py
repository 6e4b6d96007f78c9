"""Printed tables against the truth: one record an entry.

``paper_tables.json`` has the numbers digit by digit; parameters that print does not give stand under "found".
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import cache, partial
from importlib.resources import files
from typing import Any

from pldverify import reference
from pldverify.mechanisms import Binomial, Composition, Gaussian, PoissonSubsampled
from pldverify.numbers.enclosure import Enclosure
from pldverify.theorems.record import Outcome, Run, Verdict

Row = dict[str, Any]
"""A row of a printed table: its columns by name."""
Truth = Callable[[], Enclosure]
"""A true value, proved when it is asked for."""

DIGITS = 15
"""Significant digits to which true values of ε and δ are asked for: more than any table prints."""
TRUE_EPSILON = {"1": "6.90738449504508", "2": "2.44673394448373"}
"""ε of KJH19 Table 1 by σ, to 15 digits; :class:`Rounded` proves them."""
TRUE_SUPPLEMENT = "0.0496014103148258"
"""δ of KJH20s Tables 1 and 2, to 15 digits; :class:`Rounded` proves it."""
TRUE_PLANCHEREL = "2.84694077982593e-6"
"""δ of KH21 Table 3, to 15 digits; :class:`Rounded` proves it."""
TRUE_BINOMIAL = {
    "1": "2.35008e-5",
    "0.7": "8.62508e-4",
    "1.1": "5.66045e-6",
    "1.5": "6.03465e-9",
    "1.9": "9.8259551e-13",
}
"""δ of KH21 Tables 1 and 2 by ε, to at least 6 digits; :class:`Rounded` proves them."""


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
    truth: Truth
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


def error_of(printed: str, truth: Truth) -> Callable[[], F]:
    """An upper bound of |printed − truth|."""
    return lambda: max(abs(F(printed) - F(truth().lower)), abs(F(printed) - F(truth().upper)))


def below(printed: str, truth: Truth) -> Run:
    """REFUTED, as an upper bound, if the printed number and half a unit are below the truth."""

    def run() -> Outcome:
        true = truth()
        low = F(printed) + unit(printed) / 2 < true.lower
        return Outcome(Verdict.REFUTED if low else Verdict.SUPPORTED, f"printed {printed}, true {true:.10g}")

    return run


# --- evidence of an entry, by the row of its table ---


def epsilon_printed(row: Row) -> Rounded:
    """KJH19 Table 1."""
    sigma = row["sigma"]
    return Rounded(row["epsilon"], partial(epsilon, sigma), TRUE_EPSILON[sigma])


def supplement_printed(row: Row) -> Rounded:
    """KJH20s Tables 1 and 2."""
    return Rounded(row["delta"], supplement, TRUE_SUPPLEMENT)


def supplement_error(row: Row) -> Run:
    """KJH20s Table 1: the error of δ against err(L, n)."""
    return at_most(error_of(row["delta"], supplement), row["err"])


def supplement_tail(row: Row) -> Run:
    """KJH20s Table 2: Pr[S ≥ L] against its estimate."""
    return at_most(tail_at(str(row["L"])), row["tail"])


def binomial_printed(row: Row) -> Rounded:
    """KH21 Tables 1 and 2; Table 1 has ε = 1."""
    at = str(row.get("epsilon", 1))
    return Rounded(row["delta"], partial(binomial, at), TRUE_BINOMIAL[at])


def binomial_bound(row: Row) -> Run:
    """KH21 Tables 1 and 2: the error of δ against the bound (5.7)."""
    at = str(row.get("epsilon", 1))
    return at_most(error_of(row["delta"], partial(binomial, at)), row["bound"])


def plancherel_printed(row: Row) -> Rounded:
    """KH21 Table 3."""
    return Rounded(row["delta"], plancherel, TRUE_PLANCHEREL)
