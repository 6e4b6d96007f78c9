"""dp-accounting: its PLD accountant, pessimistic and optimistic, and its RDP accountant.

Its neighbouring relation ADD_OR_REMOVE_ONE is our ``add-or-remove``; it has none for one direction alone, so
``add`` and ``remove`` are refused. The exception is randomised response, which its accountants know for
REPLACE_ONE and REPLACE_SPECIAL only: under REPLACE_ONE it is exactly our pair (one category against another),
symmetric, so both directions agree. Its noise parameter is the probability (1 − p)k/(k − 1) of answering with
one of the k categories at random. Accountants take one relation for all events, so randomised response
composed with noise addition is refused there; the PLD functions take one per mechanism, and accept it.
"""

from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.errors import NotSupported
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse


class _Accountant(Adapter):
    """What the two PrivacyAccountant classes of dp-accounting share: events and neighbouring relations."""

    library = "dp-accounting"
    module = "dp_accounting"
    direction = "upper"
    subsampled: tuple[type[Mechanism], ...]
    """What its PoissonSampledDpEvent may hold."""

    def refusal(self, query: Query) -> str | None:
        randomized = [isinstance(m, RandomizedResponse) for m, _ in query.composition.parts]
        if any(randomized) and not all(randomized):
            return "no neighbouring relation of dp-accounting covers randomised response and noise addition"
        return _other_relation(query)

    def call(self, mechanism: Mechanism, doubles: Doubles) -> Call:
        """The DpEvent of a mechanism; the noise multiplier is sigma / sensitivity, rounded once."""
        match mechanism:
            case Gaussian() | Laplace():
                event = "GaussianDpEvent" if isinstance(mechanism, Gaussian) else "LaplaceDpEvent"
                noise_multiplier = doubles(mechanism.noise_multiplier, "noise_multiplier")
                return Call(event, {"noise_multiplier": noise_multiplier})
            case PoissonSubsampled() if isinstance(mechanism.base, self.subsampled):
                return Call(
                    "PoissonSampledDpEvent",
                    {
                        "sampling_probability": doubles(mechanism.q, "q"),
                        "event": self.call(mechanism.base, doubles),
                    },
                )
            case RandomizedResponse():
                return Call(
                    "RandomizedResponseDpEvent",
                    _buckets(mechanism, doubles),
                )
        raise NotSupported(f"{self.name} has no event for {mechanism}")

    def _ask(self, accountant: Any, query: Query, steps: Steps, target: float) -> float:
        import dp_accounting

        for event, count in steps:
            accountant.compose(event.make(dp_accounting), count)
        answer = accountant.get_epsilon if query.quantity == "epsilon" else accountant.get_delta
        return float(answer(target))


class PLD(_Accountant):
    """``PLDAccountant`` with its default parameters: pessimistic, connect-the-dots."""

    name = "dp-accounting/pld"
    subsampled = (Gaussian, Laplace)
    interval = "1e-4"
    """value_discretization_interval; this is the library's default."""

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from dp_accounting.pld import PLDAccountant

        relation = _relation(query)
        accountant = PLDAccountant(relation, value_discretization_interval=float(self.interval))
        settings = {
            "neighboring_relation": relation.name,
            "value_discretization_interval": self.interval,
        }
        return self._ask(accountant, query, steps, target), settings, None


class RDP(_Accountant):
    """``RdpAccountant`` with its default orders."""

    name = "dp-accounting/rdp"
    subsampled = (Gaussian,)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from dp_accounting.rdp import RdpAccountant

        relation = _relation(query)
        accountant = RdpAccountant(neighboring_relation=relation)
        value = self._ask(accountant, query, steps, target)
        settings = {"neighboring_relation": relation.name, "orders": _span(accountant.orders)}
        return value, settings, None


class OptimisticPLD(Adapter):
    """The PLD functions with ``pessimistic_estimate=False, use_connect_dots=False``: a lower bound."""

    name = "dp-accounting/pld-optimistic"
    library = "dp-accounting"
    module = "dp_accounting"
    direction = "lower"

    def refusal(self, query: Query) -> str | None:
        return _other_relation(query)

    def call(self, mechanism: Mechanism, doubles: Doubles) -> Call:
        """The constructor of a mechanism's PLD, at its default discretisation interval of 1e-4."""
        optimistic = {"pessimistic_estimate": False, "use_connect_dots": False}
        match mechanism:
            case Gaussian(sigma, sensitivity):
                return Call(
                    "from_gaussian_mechanism",
                    {
                        "standard_deviation": doubles(sigma, "sigma"),
                        "sensitivity": doubles(sensitivity, "sensitivity"),
                        **optimistic,
                    },
                )
            case PoissonSubsampled(Gaussian() | Laplace() as base, q):
                call = self.call(base, doubles)
                return Call(call.function, {**call.arguments, "sampling_prob": doubles(q, "q")})
            case Laplace(b, sensitivity):
                return Call(
                    "from_laplace_mechanism",
                    {
                        "parameter": doubles(b, "b"),
                        "sensitivity": doubles(sensitivity, "sensitivity"),
                        **optimistic,
                    },
                )
            case RandomizedResponse():
                return Call(
                    "from_randomized_response",
                    {**_buckets(mechanism, doubles), "pessimistic_estimate": False},
                )
        raise NotSupported(f"dp-accounting has no privacy loss distribution for {mechanism}")

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from dp_accounting.pld import privacy_loss_distribution as functions

        total = None
        for call, count in steps:
            composed = call.make(functions).self_compose(count)
            total = composed if total is None else total.compose(composed)
        assert total is not None  # a composition has at least one mechanism
        value = (
            total.get_epsilon_for_delta(target)
            if query.quantity == "epsilon"
            else total.get_delta_for_epsilon(target)
        )
        return float(value), {"value_discretization_interval": "1e-4"}, None


def _other_relation(query: Query) -> str | None:
    if query.adjacency == "add-or-remove":
        return None
    return f"dp-accounting is asked for add-or-remove only, not for {query.adjacency!r}"


def _relation(query: Query) -> Any:
    from dp_accounting import NeighboringRelation

    randomized = any(isinstance(m, RandomizedResponse) for m, _ in query.composition.parts)
    return NeighboringRelation.REPLACE_ONE if randomized else NeighboringRelation.ADD_OR_REMOVE_ONE


def _buckets(mechanism: RandomizedResponse, doubles: Doubles) -> dict[str, float]:
    k = mechanism.categories
    if k * mechanism.p < 1:
        raise NotSupported(f"dp-accounting needs p >= 1/{k}: {mechanism}")
    return {"noise_parameter": doubles((1 - mechanism.p) * k / (k - 1), "noise_parameter"), "num_buckets": k}


def _span(orders: Any) -> str:
    return f"default, {len(orders)} from {orders[0]:g} to {orders[-1]:g}"
