"""Library: an accountant of a library whose adapter imports nothing of ours.

Such an adapter (``pldverify/accountants/adapters/plain``, in the form that
:mod:`~pldverify.accountants.standalone` describes) runs in this process where its library is installed
here, else in the library's own environment (:mod:`~pldverify.accountants.environments`). An accountant that
is ``apart`` runs only there: it needs what can't be installed beside us.
"""

import json
from dataclasses import dataclass
from importlib import import_module, metadata
from types import ModuleType
from typing import Any, cast

from pldverify.accountants import environments, standalone
from pldverify.accountants.ask import Answer
from pldverify.accountants.outside import Outside, beside
from pldverify.accountants.standalone import Message, Question
from pldverify.accountants.worker import messages, plain
from pldverify.errors import MissingLibrary, NotSupported
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.claim import Direction

_QUERIES: dict[str, type[Query]] = {
    "epsilon": Query,
    "delta": Query,
    "rdp": RenyiQuery,
    "trade-off": TradeOffQuery,
}


@dataclass(frozen=True)
class Library(Outside):
    """The accountant ``kind`` of the adapter ``module``.

    Raises MissingLibrary on construction if the library is neither installed here nor in an environment.
    """

    module: str
    kind: str

    def __post_init__(self) -> None:
        self.program(0)

    @property
    def name(self) -> str:  # type: ignore[override]  # fixed by the adapter
        """What the adapter calls the accountant."""
        return cast(str, self._accountant.name)

    @property
    def library(self) -> str:  # type: ignore[override]
        """The distribution."""
        return cast(str, self._adapter.LIBRARY)

    @property
    def direction(self) -> Direction:  # type: ignore[override]
        """What the adapter says that the number is."""
        return cast(Direction, self._accountant.direction)

    @property
    def asks(self) -> tuple[type[Query], ...]:  # type: ignore[override]
        """Questions about what the adapter says it may be asked for."""
        quantities = getattr(self._accountant, "quantities", ("epsilon", "delta"))
        return tuple(dict.fromkeys(_QUERIES[quantity] for quantity in quantities))

    def version(self) -> str:
        """The version that is installed here, or in the library's environment."""
        if self.program(0) is not None:
            return environments.find(self.library).version
        import_module(self._adapter.MODULE)
        return metadata.version(self.library)

    def supports(self, query: Query) -> str | None:
        """None, or why the adapter refuses; the library is not needed for that."""
        try:
            standalone.steps(self._accountant, Question(plain.query(query)))
        except (NotImplementedError, NotSupported) as refusal:
            return str(refusal)
        return None

    def snippet(self, query: Query) -> str | None:
        """Lines of Python that ask the library alone and print its number; None where the adapter has none.

        Raises NotImplementedError for a query that it refuses.
        """
        question = Question(plain.query(query))
        number, _, _ = self._accountant.answer(question, standalone.steps(self._accountant, question))
        return str(number) if isinstance(number, standalone.Written) else None

    def program(self, memory: int) -> tuple[str, ...] | None:
        """The adapter under the Python of the library's environment; None if the library is here."""
        if self._is_here():
            return None
        python = environments.find(self.library).python
        return beside(str(python), memory, str(self._adapter.__file__))

    def here(self, query: Query) -> Answer:
        """Answer in this process."""
        said: list[Message] = []
        question = json.loads(messages.plain_question(0, self.name, query))
        standalone.answer(self._adapter, question, said.append)
        version = "unknown"
        for message in said:
            heard = messages.answered({"id": "0", **message}, 0, self, version)
            if isinstance(heard, Answer):
                return messages.told(self, query, heard)
            version = heard
        raise MissingLibrary(f"{self.name} said nothing")

    def _is_here(self) -> bool:
        apart = getattr(self._accountant, "apart", False)
        return not apart and any(metadata.distributions(name=self.library))

    @property
    def _adapter(self) -> ModuleType:
        return import_module(self.module)

    @property
    def _accountant(self) -> Any:
        return getattr(self._adapter, self.kind)()
