"""Adapter: what the adapters of third-party libraries share.

An adapter passes a query on unchanged or refuses it, calls the library as its users do, and never repairs
the answer. Libraries take doubles, queries are exact rationals: where q = 1/10 is not a double, the library
answers the question for the double next to it. ``Claim.parameters`` states the doubles that were passed and
which of them are rounded; the claim is still judged against the exact query, because that is what the user
asked and what the library's answer will be used for. What the library warned of stands there too.
"""

from abc import abstractmethod
from fractions import Fraction
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.standalone import Call, Steps, Warned, Written, evaluate
from pldverify.errors import MissingLibrary, NotSupported
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Claim, Direction, Promise, claimed_number

Said = tuple[Written, dict[str, Any], Promise | None]
"""What prints a library's number, its settings, and the error that it promises, if it does; settings may be
written, too.
"""


class Adapter(Accountant):
    """Base of the adapters. Raises MissingLibrary on construction if the library is not installed.

    Attributes:
        name, library, direction: see :class:`~pldverify.accountants.accountant.Accountant`.
        extra: the extra of pldverify that installs it.
        integers: whether whole numbers are passed as ``int``.
    """

    name: str
    library: str
    direction: Direction
    extra = "accountants"
    integers = False

    def __init__(self) -> None:
        if find_spec(self._module) is None:
            raise MissingLibrary(
                f"accountant {self.name} needs the library {self.library}, which is not installed: "
                f'pip install "pldverify[{self.extra}]"'
            )

    @property
    def _module(self) -> str:
        """What is imported of the library."""
        return self.library.replace("-", "_")

    def version(self) -> str:
        """The installed version; imports the library."""
        import_module(self._module)
        return metadata.version(self.library)

    def supports(self, query: Query) -> str | None:
        """None, or why the query cannot be passed on unchanged. Does not import the library."""
        try:
            self._translate(query)
        except NotSupported as refusal:
            return str(refusal)
        return None

    def claim(self, query: Query) -> Claim:
        """The library's answer. Raises NotSupported, SubjectFailure (NaN, −∞), or what the library raises."""
        steps, target, doubles = self._translate(query)
        with Warned() as warned:
            written, given, promise = self.answer(query, steps, target)
            value, settings = float(evaluate(written)), evaluate(given)
        parameters = {
            "composition": " + ".join(f"{count} * {call}" for call, count in steps),
            query.given: repr(target),
            "rounded": str(doubles),
            **{name: str(setting) for name, setting in settings.items()},
            **({"rewritten": told} if (told := self.rewritten(query)) else {}),
            **({"warnings": str(warned)} if warned.said else {}),
        }
        source = f"{self.name} {self.version()}"
        return Claim(claimed_number(value, source), self.direction, source, parameters, promise)

    def steps(self, query: Query) -> tuple[Steps, float]:
        """The library's calls with their counts, and the ε, δ or order asked at. Raises NotSupported."""
        calls, target, _ = self._translate(query)
        return calls, target

    def snippet(self, query: Query) -> str:
        """Lines of Python that ask the library alone, without us, and print the number that it claims.

        Raises NotSupported for a query that it refuses.
        """
        return str(self.answer(query, *self.steps(query))[0])

    def _translate(self, query: Query) -> tuple[Steps, float, Doubles]:
        """Calls with counts, and the ε, δ or order that is asked at, in doubles. Raises NotSupported."""
        if type(query) not in self.asks:
            raise NotSupported(f"{self.name} is not asked for the quantity {query.quantity}")
        refusal = self.refusal(query)
        if refusal is not None:
            raise NotSupported(refusal)
        doubles = Doubles(integers=self.integers)
        steps = [
            (self.call(mechanism, doubles, query.adjacency), count)
            for mechanism, count in query.composition.parts
        ]
        return steps, _target(query, doubles), doubles

    @abstractmethod
    def refusal(self, query: Query) -> str | None:
        """Why the adjacency, or this mix of mechanisms, has no equal in the library; None if it has."""

    def rewritten(self, query: Query) -> str | None:
        """How the library is asked in other words than the query's; None if it is not."""
        return None

    @abstractmethod
    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        """The library's name for one mechanism under ``adjacency``. Raises NotSupported."""

    @abstractmethod
    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        """How the library is asked: nothing of it is imported yet."""


def _target(query: Query, doubles: Doubles) -> float:
    given: Fraction | float = getattr(query, query.given)
    return doubles(given, query.given) if isinstance(given, Fraction) else given
