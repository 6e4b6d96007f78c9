"""Remembered: the reference, asked through what is kept of one question."""

from collections.abc import Callable, Iterable

from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure
from pldverify.sweeps.kept import BRACKET, Kept, given, tried
from pldverify.values.truth import bracket, truth


class Remembered:
    """Answers as :mod:`pldverify.values.truth` does; of ``query`` it looks first at what is ``known``.

    Other questions, as the δ at a claimed ε, belong to one claim alone and are not kept.

    Attributes:
        new: what was learnt and is to be kept.
    """

    def __init__(self, query: Query, known: Iterable[Kept] = ()) -> None:
        self.query = query
        self._known = {kept.digits: kept for kept in known}
        self.new: list[Kept] = []

    def truth(self, query: Query, digits: int) -> Enclosure:
        """The enclosure to so many digits. Raises NoConvergence, NotSupported."""
        if query != self.query:
            return truth(query, digits)
        if digits not in self._known:
            self._learn(Kept.of(digits, tried(lambda: truth(query, digits))))
        return given(self._known[digits].outcome())

    def bracket(self, query: Query, enough: Callable[[Enclosure], bool]) -> Enclosure:
        """What is proved soon, as soon as it is ``enough``. Raises NotSupported.

        Where the time was up once, another second would not be worth it: digits are asked for next.
        """
        if query != self.query:
            return bracket(query, enough)
        kept = self._known.get(BRACKET)
        if kept is not None:
            found = given(kept.outcome())
            if kept.exhausted or enough(found):
                return found
        outcome = tried(lambda: bracket(query, enough))
        self._learn(Kept.of(BRACKET, outcome, isinstance(outcome, Enclosure) and not enough(outcome)))
        return given(outcome)

    def _learn(self, kept: Kept) -> None:
        self._known[kept.digits] = kept
        self.new = [each for each in self.new if each.digits != kept.digits] + [kept]
