"""Families of the built-in grids: the settings where accountants break, and how much of each a grid asks.

They stand in ``grids.txt``, a kind of mechanism a section, each behind ``name (quick, standard):``. Most rows
of DP-SGD are runs that somebody could report, with a total of about mu = q sqrt(k (exp(1/sigma^2) - 1)) of
the central limit between 0.005 and 12. The edges are beyond: q next to 0 and 1, little and much noise, and
whole numbers, which some libraries take on another way.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, Literal

from pldverify.questions.family import Family
from pldverify.questions.written import families, nothing_above, sections

Size = Literal["quick", "standard", "full"]
_FILE = Path(__file__).with_name("grids.txt")
_HEAD = re.compile(r"^(\S.*) \((\d+), (\d+)\):", re.MULTILINE)
_SIGMAS = "0.5 0.6 0.7 0.8 1 1.3 2 3 5 10 30 100"
_RATES = "1e-6 1e-5 1e-4 1e-3 256/60000 0.01 0.02 0.05 0.1 0.2 0.5 0.9"
_NOISE = "0.1 0.3 0.5 1 2 3 10 40 100 1000"
_STEPS = "1 2 10 100 1000 10000 100000 1000000"
_FEW_STEPS = "1 2 10 100 1000 10000 1000000"
_ORDERS = "1 1.0000001 1.001 1.01 1.1 1.5 2 2.5 3 4.7 8 16.5 32 63 64 128 256 512 1024 2048"
_EPSILONS = "0.001 0.01 0.05 0.1 0.2 0.3 0.5 0.7 0.9 1 1.5 2 3 4 5 6 7 8 10 12 15 20 30 50"
_DELTAS = "1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-10 1e-12 1e-13 1e-15"
_FEW_EPSILONS, _FEW_DELTAS = "0.1 0.5 1 2 4 8 15", "1e-3 1e-5 1e-7 1e-10 1e-12"


@dataclass(frozen=True)
class Sized:
    """``quick`` and ``standard`` are numbers of questions; ``full`` asks all."""

    family: Family
    quick: int
    standard: int

    def at(self, size: Size) -> Family:
        """The family of a grid."""
        sizes = {"quick": self.quick, "standard": self.standard, "full": None}
        return replace(self.family, at_most=sizes[size])


def _runs() -> Iterator[dict[str, str | int]]:
    for sigma, q, k in product(_SIGMAS.split(), _RATES.split(), map(int, _STEPS.split())):
        if 0.005 < float(Fraction(q)) * math.sqrt(k * math.expm1(float(sigma) ** -2)) < 12:
            yield {"sigma": sigma, "q": q, "k": k}


def _noise() -> Iterator[dict[str, str | int]]:
    """Without combinations whose ε is near 0 or in the thousands."""
    for noise, k in product(_NOISE.split(), map(int, _FEW_STEPS.split())):
        if 0.003 < math.sqrt(k) / float(noise) < 25:
            yield {"noise": noise, "k": k}


_SHARED: dict[str, dict[str, Any]] = {
    "runs of DP-SGD": {"rows": tuple(_runs())},
    "noise and steps": {"rows": tuple(_noise())},
    "divergences": {"order": _ORDERS.split()},
    "targets": {"noise": tuple(product(_EPSILONS.split(), _DELTAS.split()))},
    "few targets": {"noise": tuple(product(_FEW_EPSILONS.split(), _FEW_DELTAS.split()))},
}
"""By section, what all of its families have."""


def _sized() -> Iterator[Sized]:
    for section, text in sections(_FILE):
        first, *pieces = _HEAD.split(text)
        nothing_above(first)
        for name, quick, standard, written in zip(*(pieces[i::4] for i in range(4)), strict=True):
            for family in families(written):
                shared = _SHARED.get(section, {})
                yield Sized(replace(family, name=name, **shared), int(quick), int(standard))


FAMILIES = tuple(_sized())
"""In the order of the file."""
