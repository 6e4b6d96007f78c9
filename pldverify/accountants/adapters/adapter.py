"""Adapter: an accountant of a library that runs beside us.

Its form is that of :mod:`~pldverify.accountants.standalone`, but mechanisms are our objects, with all that
they know of themselves.

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
from typing import get_args

from pldverify.accountants import standalone
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.standalone import Call, Question, Said, Steps
from pldverify.errors import MissingLibrary, NotSupported
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Quantity, Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Claim, Direction, Promise, claimed_number


class Asked(Question):
    """A query as these adapters read it: ``parts`` are of our mechanisms, ``query`` is the whole."""

    def __init__(self, query: Query, *, integers: bool) -> None:
        super(Question, self).__init__(integers=integers)
        self.query, self.quantity, self.given = query, query.quantity, query.given
        self.adjacency, self.parts = query.adjacency, list(query.composition.parts)
        target: Fraction | float = getattr(query, query.given)
        self.target = self.double(target, self.given) if isinstance(target, Fraction) else target


class Adapter(Accountant):
    """Base of the adapters. Raises MissingLibrary on construction if the library is not installed.

    Attributes:
        name, library, direction: see :class:`~pldverify.accountants.accountant.Accountant`.
        extra: the extra of pldverify that installs it.
        integers: whether whole numbers are passed as ``int``.
        quantities, adjacencies: what has an equal in the library, of what ``asks`` allows.
    """

    name: str
    library: str
    direction: Direction
    extra = "accountants"
    integers = False
    quantities: tuple[Quantity, ...] = get_args(Quantity)
    adjacencies: tuple[Adjacency, ...] = get_args(Adjacency)

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
            self.asked(query)
        except NotSupported as refusal:
            return str(refusal)
        return None

    def claim(self, query: Query) -> Claim:
        """The library's answer. Raises NotSupported, SubjectFailure (NaN, −∞), or what the library raises."""
        value, given, errors = standalone.claimed(self, *self.asked(query))
        source = f"{self.name} {self.version()}"
        parameters = {name: str(setting) for name, setting in given.items()}
        promise = None if errors is None else Promise(*map(Fraction, errors))
        return Claim(claimed_number(float(value), source), self.direction, source, parameters, promise)

    def asked(self, query: Query) -> tuple[Asked, Steps]:
        """The query as it is read here, and the library's calls with their counts. Raises NotSupported."""
        if type(query) not in self.asks:
            raise NotSupported(f"{self.name} is not asked for the quantity {query.quantity}")
        try:
            question = Asked(query, integers=self.integers)
            return question, standalone.steps(self, question)
        except NotImplementedError as refusal:
            raise NotSupported(str(refusal)) from None

    def snippet(self, query: Query) -> str:
        """Lines of Python that ask the library alone, without us, and print the number that it claims.

        Raises NotSupported for a query that it refuses.
        """
        return str(self.answer(*self.asked(query))[0])

    def refusal(self, question: Asked) -> str | None:
        """Why the adjacency, or this mix of mechanisms, has no equal in the library; None if it has."""
        return None

    @abstractmethod
    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        """The library's name for one mechanism. Raises NotSupported."""

    @abstractmethod
    def answer(self, question: Asked, steps: Steps) -> Said:
        """How the library is asked: nothing of it is imported yet."""
