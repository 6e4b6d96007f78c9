"""dp-accounting: its accountants PLDAccountant and RdpAccountant, asked in the ways that users ask them.

Their upper bounds are for a neighbouring relation. ADD_OR_REMOVE_ONE is our ``add-or-remove``, both
directions at once; there is none for one direction alone, so ``add`` and ``remove`` are refused. REPLACE_ONE
is our ``replace-one``: :mod:`~pldverify.accountants.adapters.dp_accounting_events` says what it means for
each event. Randomised response has the same pair under both relations, and is always asked under
REPLACE_ONE. Which event goes with which relation is the library's choice; what it raises
UnsupportedEventError for is refused here. Accountants take one relation for all events, so randomised
response composed with noise addition is refused under ``add-or-remove``.

Variants ask the same question on other ways through the library: ``nested`` passes one event that holds the
composition (ComposedDpEvent of SelfComposedDpEvents, sampled Gaussians as four of twice the noise),
``integers`` does so with whole numbers as ``int``, ``mixture`` writes Gaussians as MixtureOfGaussiansDpEvent
on a coarser grid than the default, and the RDP accountant is asked with its default orders, with integers,
and with orders next to 1 and far out.
"""

from abc import abstractmethod
from typing import Any, ClassVar

from pldverify.accountants.adapters import dp_accounting_events as events
from pldverify.accountants.adapters.adapter import Adapter, Asked
from pldverify.accountants.adapters.dp_accounting_grid import Grid, of_accountant
from pldverify.accountants.standalone import Call, Said, Script, Steps, Written, evaluate
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.zcdp import ZCDP

Kinds = tuple[type[Mechanism], ...]
_MOST_RECORDS = 10**12
"""Cap on the records of a data set."""


class _Accountant(Adapter):
    """What the two PrivacyAccountant classes of dp-accounting share: events and neighbouring relations."""

    library = "dp-accounting"
    direction = "upper"
    adjacencies: tuple[Adjacency, ...] = ("add-or-remove", "replace-one")
    nested = False
    known: ClassVar[dict[str, Kinds]]
    """By adjacency, the mechanisms that have an event under the relation."""
    sampled: ClassVar[dict[str, Kinds]]
    """By adjacency, what PoissonSampledDpEvent may hold."""

    def refusal(self, question: Asked) -> str | None:
        if events.is_randomized_response(question):
            return None
        for mechanism, _ in question.parts:
            if not self.has(mechanism, question.adjacency):
                return f"{self.name} has no event for {mechanism} under {question.adjacency}"
            if isinstance(mechanism, SampledWithoutReplacement) and mechanism.q.denominator > _MOST_RECORDS:
                return f"a data set of {mechanism.q.denominator} records is none: {mechanism}"
        return None

    def has(self, mechanism: Mechanism, adjacency: str) -> bool:
        """Whether it has an event for a mechanism."""
        if isinstance(mechanism, PoissonSubsampled):
            return isinstance(mechanism.base, self.sampled[adjacency])
        if isinstance(mechanism, RepeatAndSelect) and RepeatAndSelect in self.known[adjacency]:
            return all(self.has(each, adjacency) for each, _ in mechanism.base.parts)
        return isinstance(mechanism, self.known[adjacency])

    def rewritten(self, question: Asked) -> str | None:
        """How the library is asked in other words than the query's; None if it is not."""
        if events.is_randomized_response(question) and question.adjacency != "replace-one":
            return "randomised response under REPLACE_ONE, where it has the same pair"
        return None

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        return (events.nested_event if self.nested else events.event)(mechanism, question.double)

    def answer(self, question: Asked, steps: Steps) -> Said:
        script = question.script()
        accountant = script.let("accountant", self.accountant(script, question))
        dp_event = script.load("dp_accounting", "dp_event")
        for event, count in self.events(steps):
            script.do(accountant.compose(event.make(dp_event), count))
        settings = {"neighboring_relation": self.relation(question), **self.settings(accountant)}
        if (told := self.rewritten(question)) is not None:
            settings["rewritten"] = told
        return script.prints(self.found(accountant, question)), settings, None

    def events(self, steps: Steps) -> Steps:
        """What is composed, with counts."""
        return [(events.in_one(steps), 1)] if self.nested else steps

    def found(self, accountant: Any, question: Asked) -> Any:
        """What the accountant answers."""
        return getattr(accountant, f"get_{question.quantity}")(question.target)

    def relation(self, question: Asked) -> str:
        """The name of the library's neighbouring relation."""
        replaced = question.adjacency == "replace-one" or events.is_randomized_response(question)
        return "REPLACE_ONE" if replaced else "ADD_OR_REMOVE_ONE"

    def neighbours(self, script: Script, question: Asked) -> Any:
        """The library's neighbouring relation."""
        return getattr(script.load("dp_accounting", "NeighboringRelation"), self.relation(question))

    @abstractmethod
    def accountant(self, script: Script, question: Asked) -> Any:
        """A new accountant."""

    @abstractmethod
    def settings(self, accountant: Any) -> dict[str, Any]:
        """Its settings."""


class PLD(_Accountant):
    """``pld.PLDAccountant`` with its default parameters: pessimistic, connect-the-dots."""

    name = "dp-accounting/pld"
    known: ClassVar[dict[str, Kinds]] = {
        "add-or-remove": (Gaussian, Laplace, DiscreteLaplace),
        "replace-one": (Gaussian, RandomizedResponse),
    }
    sampled: ClassVar[dict[str, Kinds]] = {"add-or-remove": (Gaussian, Laplace), "replace-one": (Gaussian,)}
    interval = "1e-4"
    """value_discretization_interval; this is the library's default."""

    def accountant(self, script: Script, question: Asked) -> Any:
        relation = self.neighbours(script, question)
        made = script.load("dp_accounting.pld", "PLDAccountant")
        return made(relation, value_discretization_interval=float(self.interval))

    def settings(self, accountant: Any) -> dict[str, Any]:
        return {"value_discretization_interval": self.interval}

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        import dp_accounting

        question, steps = self.asked(query)
        made = [(event.make(dp_accounting.dp_event), count) for event, count in self.events(steps)]
        return of_accountant(evaluate(self.accountant(Script(), question)), made, question.target)


class PLDNested(PLD):
    """``PLDAccountant``, the composition in one event; a sampled event may not be nested there."""

    name = "dp-accounting/pld-nested"
    nested = True

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        return events.event(mechanism, question.double)


class PLDIntegers(PLDNested):
    """``PLDAccountant``, the composition in one event, with whole numbers as ``int``."""

    name = "dp-accounting/pld-integers"
    integers = True


class PLDMixture(PLD):
    """``PLDAccountant``, Gaussian mechanisms, Poisson-subsampled or not, as ``MixtureOfGaussiansDpEvent``."""

    name = "dp-accounting/pld-mixture"
    interval = "1e-3"
    """The library's default, 1e-4, takes ten seconds an answer here."""
    adjacencies = ("add-or-remove",)
    known: ClassVar[dict[str, Kinds]] = {"add-or-remove": (Gaussian,)}
    sampled: ClassVar[dict[str, Kinds]] = {"add-or-remove": (Gaussian,)}

    def rewritten(self, question: Asked) -> str:
        return "Gaussian mechanisms as mixtures of Gaussians"

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        return events.mixture_event(mechanism, question.double)


class RDP(_Accountant):
    """``rdp.RdpAccountant`` with its default orders."""

    name = "dp-accounting/rdp"
    known: ClassVar[dict[str, Kinds]] = {
        "add-or-remove": (Gaussian, Laplace, RepeatAndSelect, ZCDP),
        "replace-one": (
            Gaussian,
            Laplace,
            RandomizedResponse,
            RepeatAndSelect,
            SampledWithoutReplacement,
            ZCDP,
        ),
    }
    sampled: ClassVar[dict[str, Kinds]] = {"add-or-remove": (Gaussian,), "replace-one": ()}
    orders: ClassVar[list[float] | None] = None

    def accountant(self, script: Script, question: Asked) -> Any:
        relation = self.neighbours(script, question)
        return script.load("dp_accounting.rdp", "RdpAccountant")(self.orders, relation)

    def settings(self, accountant: Any) -> dict[str, Any]:
        kind, orders = "default" if self.orders is None else "custom", accountant.orders
        return {"orders": Written(f"{orders}", lambda: f"{kind}, {_span(evaluate(orders))}")}


class RDPNested(RDP):
    """``RdpAccountant``, the composition in one event, a sampled Gaussian as four of twice the noise."""

    name = "dp-accounting/rdp-nested"
    nested = True

    def rewritten(self, question: Asked) -> str | None:
        sampled = PoissonSubsampled | SampledWithoutReplacement
        if any(isinstance(mechanism, sampled) for mechanism, _ in question.parts):
            return "a sampled Gaussian mechanism of noise σ as four of 2σ on the same sample"
        return super().rewritten(question)


class RDPIntegers(RDPNested):
    """``RdpAccountant``, as ``rdp-nested``, with whole numbers as ``int``."""

    name = "dp-accounting/rdp-integers"
    integers = True


class RDPIntegerOrders(RDP):
    """``RdpAccountant`` with the orders 2 to 256, as ``int``."""

    name = "dp-accounting/rdp-integer-orders"
    orders: ClassVar[list[float] | None] = list(range(2, 257))


class RDPWideOrders(RDP):
    """``RdpAccountant`` with orders from next to 1 to far out, hardly one of them whole."""

    name = "dp-accounting/rdp-wide-orders"
    orders: ClassVar[list[float] | None] = [1 + 10 ** (i / 4) for i in range(-16, 15)]


class RDPCurve(RDP):
    """The Rényi divergence itself, ``RdpAccountant.rdp``, at one order."""

    name = "dp-accounting/rdp-curve"
    asks = (RenyiQuery,)

    def accountant(self, script: Script, question: Asked) -> Any:
        relation = self.neighbours(script, question)
        return script.load("dp_accounting.rdp", "RdpAccountant")([question.target], relation)

    def settings(self, accountant: Any) -> dict[str, Any]:
        return {}

    def found(self, accountant: Any, question: Asked) -> Any:
        return accountant.rdp[0]


def _span(orders: Any) -> str:
    return f"{len(orders)} from {orders[0]:g} to {orders[-1]:g}"
