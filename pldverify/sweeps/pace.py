"""Pace: how long the rest of a sweep will take."""

from collections import Counter
from collections.abc import Iterable, Mapping


class Pace:
    """Seconds a cell, accountant by accountant: they differ by four orders of magnitude.

    >>> from pldverify.sweeps.pace import Pace
    >>> pace = Pace({"slow": 10, "quick": 100})
    >>> pace.left(jobs=1) is None
    True
    >>> for _ in range(50):
    ...     pace.done("quick", 0.1)
    >>> pace.done("slow", 5.0)
    >>> round(pace.left(jobs=2))
    25
    """

    def __init__(self, cells: Mapping[str, int], before: Iterable[tuple[str, float]] = ()) -> None:
        self._to_do = Counter(cells)
        self._before = dict(before)
        self._seconds: Counter[str] = Counter()
        self._count: Counter[str] = Counter()

    def done(self, accountant: str, seconds: float) -> None:
        """A cell has taken so long."""
        self._to_do[accountant] -= 1
        self._count[accountant] += 1
        self._seconds[accountant] += seconds  # type: ignore[assignment]  # sums of seconds

    def left(self, jobs: int) -> float | None:
        """Seconds, from what each accountant has taken so far, in this sweep or before; None if nothing is
        known yet.
        """
        rates = {**self._before, **{name: self._seconds[name] / n for name, n in self._count.items()}}
        if not rates:
            return None
        usual = sum(rates.values()) / len(rates)
        return sum(n * rates.get(name, usual) for name, n in self._to_do.items()) / jobs
