"""dp-accounting's functions ``pld.privacy_loss_distribution.from_…``, and what can be asked of their results.

They take parameters in the unit of the query. ``neighboring_relation`` of the Gaussian mechanism and of
randomised response is as in :mod:`~pldverify.accountants.adapters.dp_accounting_events`. The others have
none: their ``sensitivity`` is "the maximum absolute change in f when an input to a single user changes",
which is twice ours under ``replace-one``. ``parameter`` of the discrete Laplace mechanism is 1/b. Vectors of
probabilities go in as logarithms; ``upper`` is our P, and the direction ``remove``. (ε, δ)-DP is
``from_privacy_parameters``, which is always pessimistic. A distribution holds both directions, so ``add`` and
``remove`` alone are refused; each may have a relation of its own, so randomised response is composed with the
others.

Variants: ``functions`` takes the defaults (pessimistic; connect-the-dots for continuous noise, buckets for
discrete noise), ``functions-buckets`` and ``functions-dots`` one of the two for all noise, ``pld-optimistic``
the lower bound of ``pessimistic_estimate=False``; ``functions-vector`` asks for the δ of several ε at once,
``functions-composed`` for that of a composition whose last step is never made.
"""

import math
from fractions import Fraction
from typing import Any, ClassVar

from pldverify.accountants.adapters.adapter import Adapter, Said
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.adapters.dp_accounting_events import buckets, no_relation
from pldverify.accountants.adapters.dp_accounting_grid import Grid, of_distributions
from pldverify.accountants.standalone import Call, Name, Script, Steps, evaluate
from pldverify.errors import NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Direction

_MODULE = ("dp_accounting.pld", "privacy_loss_distribution")
_RELATIONS = {"add-or-remove": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE"}


class Functions(Adapter):
    """``privacy_loss_distribution.from_…`` with its defaults, then ``self_compose`` and ``compose``."""

    name = "dp-accounting/functions"
    library = "dp-accounting"
    direction: Direction = "upper"
    options: ClassVar[dict[str, Any]] = {}
    """Of all constructors that have them."""

    def refusal(self, query: Query) -> str | None:
        return None if query.adjacency in _RELATIONS else no_relation(query)

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        """The constructor of a mechanism's distribution, at its default discretisation interval of 1e-4."""
        match mechanism:
            case RandomizedResponse():
                return Call("from_randomized_response", {**buckets(mechanism, doubles), **self._rounding})
            case FinitePair(p, q):
                return self._vectors(p, q, doubles)
            case PureDP(epsilon):
                return self._parameters(epsilon, Fraction(0), doubles)
            case ApproximateDP(epsilon, delta):
                return self._parameters(epsilon, delta, doubles)
            case PoissonSubsampled(base, q):
                noise = _noise(base, doubles, adjacency)
                sampled = {"sampling_prob": doubles(q, "q")}
                return Call(noise.function, {**noise.arguments, **sampled, **self.options})
        noise = _noise(mechanism, doubles, adjacency)
        return Call(noise.function, {**noise.arguments, **self.options})

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        script = Script()
        library = script.load(*_MODULE, alias="pld")
        made = [(script.let(f"step{i}", call.make(library)), k) for i, (call, k) in enumerate(steps)]
        settings = {"value_discretization_interval": "1e-4"}
        return script.prints(self.ask(made, query, target)), settings, None

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        if type(self).ask is not Functions.ask:
            raise NotSupported(f"{self.name} asks for δ on a way of its own, which has no budget")
        steps, target = self.steps(query)
        library = evaluate(Script().load(*_MODULE))
        # once is not composed with itself
        made = [(call.make(library), 0 if count == 1 else count) for call, count in steps]
        return of_distributions(made, composed([(one, max(1, count)) for one, count in made]), target)

    def ask(self, distributions: list[tuple[Any, int]], query: Query, target: float) -> Any:
        """ε or δ of all distributions together, each composed with itself as often as is counted."""
        total = composed(distributions)
        if query.quantity == "epsilon":
            return total.get_epsilon_for_delta(target)
        return total.get_delta_for_epsilon(target)

    @property
    def _rounding(self) -> dict[str, Any]:
        return {name: value for name, value in self.options.items() if name == "pessimistic_estimate"}

    def _vectors(self, p: tuple[Fraction, ...], q: tuple[Fraction, ...], doubles: Doubles) -> Call:
        return Call(
            "from_two_probability_mass_functions",
            {
                "log_probability_mass_function_lower": _logarithms(q, "q", doubles),
                "log_probability_mass_function_upper": _logarithms(p, "p", doubles),
                "symmetric": False,
                **self._rounding,
            },
        )

    def _parameters(self, epsilon: Fraction, delta: Fraction, doubles: Doubles) -> Call:
        if not self.options.get("pessimistic_estimate", True):
            raise NotSupported("from_privacy_parameters has no optimistic estimate")
        given = {"epsilon": doubles(epsilon, "epsilon"), "delta": doubles(delta, "delta")}
        parameters = Call("common.DifferentialPrivacyParameters", given)
        return Call("from_privacy_parameters", {"privacy_parameters": parameters})


class Buckets(Functions):
    """The same functions by privacy buckets (``use_connect_dots=False``), pessimistic."""

    name = "dp-accounting/functions-buckets"
    options: ClassVar[dict[str, Any]] = {"use_connect_dots": False}


class Dots(Functions):
    """The same functions by connect-the-dots, for all noise."""

    name = "dp-accounting/functions-dots"
    options: ClassVar[dict[str, Any]] = {"use_connect_dots": True}


class Optimistic(Functions):
    """The lower bound of the same functions: ``pessimistic_estimate=False``, by privacy buckets."""

    name = "dp-accounting/pld-optimistic"
    direction = "lower"
    options: ClassVar[dict[str, Any]] = {"pessimistic_estimate": False, "use_connect_dots": False}


class Vector(Functions):
    """The same functions, ``get_delta_for_epsilon`` at ε/2, ε and 2ε in one call: the middle one is taken."""

    name = "dp-accounting/functions-vector"

    def refusal(self, query: Query) -> str | None:
        return _needs_epsilon(query) or super().refusal(query)

    def ask(self, distributions: list[tuple[Any, int]], query: Query, target: float) -> Any:
        return composed(distributions).get_delta_for_epsilon([target / 2, target, 2 * target])[1]


class Composed(Functions):
    """δ by ``get_delta_for_epsilon_for_composed_pld`` of all steps but one, and that one."""

    name = "dp-accounting/functions-composed"

    def refusal(self, query: Query) -> str | None:
        if query.composition.steps == 1:
            return "one step is no composition"
        return _needs_epsilon(query) or super().refusal(query)

    def ask(self, distributions: list[tuple[Any, int]], query: Query, target: float) -> Any:
        (last, count), *others = distributions
        rest = composed([(last, count - 1), *others] if count > 1 else others)
        return rest.get_delta_for_epsilon_for_composed_pld(last, target)


def composed(distributions: list[tuple[Any, int]]) -> Any:
    """The distribution of the whole composition."""
    total, *others = [one if count == 1 else one.self_compose(count) for one, count in distributions]
    for other in others:
        total = total.compose(other)
    return total


def _noise(mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
    """The constructor for additive noise. Raises NotSupported."""
    moves = 2 if adjacency == "replace-one" else 1
    match mechanism:
        case Gaussian(sigma, sensitivity):
            return Call(
                "from_gaussian_mechanism",
                {
                    "standard_deviation": doubles(sigma, "sigma"),
                    "sensitivity": doubles(sensitivity, "sensitivity"),
                    "neighboring_relation": Name(f"NeighborRel.{_RELATIONS[adjacency]}"),
                },
            )
        case Laplace(b, sensitivity):
            moved = doubles(moves * sensitivity, "sensitivity")
            return Call("from_laplace_mechanism", {"parameter": doubles(b, "b"), "sensitivity": moved})
        case DiscreteLaplace(b, sensitivity):
            parameter = doubles(1 / b, "1/b")
            moved = moves * sensitivity
            return Call("from_discrete_laplace_mechanism", {"parameter": parameter, "sensitivity": moved})
        case DiscreteGaussian(sigma, sensitivity):
            noise = {"sigma": doubles(sigma, "sigma"), "sensitivity": moves * sensitivity}
            return Call("from_discrete_gaussian_mechanism", noise)
    raise NotSupported(f"dp-accounting has no privacy loss distribution for {mechanism}")


def _logarithms(vector: tuple[Fraction, ...], name: str, doubles: Doubles) -> dict[int, float]:
    """{outcome: log of its probability}, without those that never occur."""
    return {i: math.log(doubles(entry, f"{name}[{i}]")) for i, entry in enumerate(vector) if entry}


def _needs_epsilon(query: Query) -> str | None:
    return "it is a way to ask for delta" if query.quantity == "epsilon" else None
