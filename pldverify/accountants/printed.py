"""Printed: what pldverify's own accountants share, the papers' algorithms as printed."""

import math
from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction, Promise, claimed_number
from pldverify.version import __version__

Said = tuple[float, dict[str, str], Promise | None]
"""An accountant's number, its settings, and the error that it promises, if it does."""


class Printed(Accountant):
    """Base of these accountants: frozen dataclasses whose fields are the algorithm's settings."""

    name: ClassVar[str]
    library: ClassVar[str] = "pldverify"
    direction: ClassVar[Direction] = "upper"

    def version(self) -> str:
        """pldverify's version."""
        return __version__

    @abstractmethod
    def supports(self, query: Query) -> str | None:
        """None, or one line that says what the algorithm has no answer for."""

    @abstractmethod
    def answer(self, query: Query) -> Said:
        """The algorithm."""

    def claim(self, query: Query) -> Claim:
        """The algorithm's answer. Raises SubjectFailure (NaN, −∞), and what the algorithm raises."""
        value, settings, promise = self.answer(query)
        source = f"{self.name} {self.version()}"
        return Claim(claimed_number(value, source), self.direction, source, settings, promise)


def greatest(values: Iterable[float]) -> float:
    """The greatest; NaN if one is, which the built-in would pass over."""
    listed = list(values)
    return math.nan if any(map(math.isnan, listed)) else max(listed)
