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

from pldverify.accountants.adapters.adapter import Adapter, Asked
from pldverify.accountants.adapters.dp_accounting_events import buckets
from pldverify.accountants.adapters.dp_accounting_grid import Grid, of_distributions
from pldverify.accountants.standalone import Call, Name, Said, Script, Steps, evaluate
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
from pldverify.numbers.claim import Direction

_MODULE = ("dp_accounting.pld", "privacy_loss_distribution")
_RELATIONS = {"add-or-remove": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE"}


class Functions(Adapter):
    """``privacy_loss_distribution.from_…`` with its defaults, then ``self_compose`` and ``compose``."""

    name = "dp-accounting/functions"
    library = "dp-accounting"
    direction: Direction = "upper"
    adjacencies = ("add-or-remove", "replace-one")
    options: ClassVar[dict[str, Any]] = {}
    """Of all constructors that have them."""

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        """The constructor of a mechanism's distribution, at its default discretisation interval of 1e-4."""
        match mechanism:
            case RandomizedResponse():
                given = buckets(mechanism, question.double)
                return question.call("from_randomized_response", **given, **self._rounding)
            case FinitePair(p, q):
                return question.call(
                    "from_two_probability_mass_functions",
                    log_probability_mass_function_lower=_logarithms(q, "q", question),
                    log_probability_mass_function_upper=_logarithms(p, "p", question),
                    symmetric=False,
                    **self._rounding,
                )
            case PureDP(epsilon):
                return self._parameters(epsilon, Fraction(0), question)
            case ApproximateDP(epsilon, delta):
                return self._parameters(epsilon, delta, question)
            case PoissonSubsampled(base, q):
                noise = _noise(base, question)
                sampled = question.double(q, "q")
                return question.call(noise.function, **noise.arguments, sampling_prob=sampled, **self.options)
        noise = _noise(mechanism, question)
        return question.call(noise.function, **noise.arguments, **self.options)

    def answer(self, question: Asked, steps: Steps) -> Said:
        script = question.script()
        library = script.load(*_MODULE, alias="pld")
        made = [(script.let(f"step{i}", call.make(library)), k) for i, (call, k) in enumerate(steps)]
        settings = {"value_discretization_interval": "1e-4"}
        return script.prints(self.ask(made, question)), settings, None

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        if type(self).ask is not Functions.ask:
            raise NotSupported(f"{self.name} asks for δ on a way of its own, which has no budget")
        question, steps = self.asked(query)
        library = evaluate(Script().load(*_MODULE))
        # once is not composed with itself
        made = [(call.make(library), 0 if count == 1 else count) for call, count in steps]
        total = composed([(one, max(1, count)) for one, count in made])
        return of_distributions(made, total, question.target)

    def ask(self, distributions: list[tuple[Any, int]], question: Asked) -> Any:
        """ε or δ of all distributions together, each composed with itself as often as is counted."""
        total = composed(distributions)
        if question.quantity == "epsilon":
            return total.get_epsilon_for_delta(question.target)
        return total.get_delta_for_epsilon(question.target)

    @property
    def _rounding(self) -> dict[str, Any]:
        return {name: value for name, value in self.options.items() if name == "pessimistic_estimate"}

    def _parameters(self, epsilon: Fraction, delta: Fraction, question: Asked) -> Call:
        if not self.options.get("pessimistic_estimate", True):
            raise NotSupported("from_privacy_parameters has no optimistic estimate")
        eps, failure = question.double(epsilon, "epsilon"), question.double(delta, "delta")
        parameters = question.call("common.DifferentialPrivacyParameters", epsilon=eps, delta=failure)
        return question.call("from_privacy_parameters", privacy_parameters=parameters)


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
    quantities = ("delta",)

    def ask(self, distributions: list[tuple[Any, int]], question: Asked) -> Any:
        at = question.target
        return composed(distributions).get_delta_for_epsilon([at / 2, at, 2 * at])[1]


class Composed(Functions):
    """δ by ``get_delta_for_epsilon_for_composed_pld`` of all steps but one, and that one."""

    name = "dp-accounting/functions-composed"
    quantities = ("delta",)

    def refusal(self, question: Asked) -> str | None:
        return "one step is no composition" if question.query.composition.steps == 1 else None

    def ask(self, distributions: list[tuple[Any, int]], question: Asked) -> Any:
        (last, count), *others = distributions
        rest = composed([(last, count - 1), *others] if count > 1 else others)
        return rest.get_delta_for_epsilon_for_composed_pld(last, question.target)


def composed(distributions: list[tuple[Any, int]]) -> Any:
    """The distribution of the whole composition."""
    total, *others = [one if count == 1 else one.self_compose(count) for one, count in distributions]
    for other in others:
        total = total.compose(other)
    return total


def _noise(mechanism: Mechanism, question: Asked) -> Call:
    """The constructor for additive noise. Raises NotSupported."""
    double, moves = question.double, 2 if question.adjacency == "replace-one" else 1
    match mechanism:
        case Gaussian(sigma, sensitivity):
            return question.call(
                "from_gaussian_mechanism",
                standard_deviation=double(sigma, "sigma"),
                sensitivity=double(sensitivity, "sensitivity"),
                neighboring_relation=Name(f"NeighborRel.{_RELATIONS[question.adjacency]}"),
            )
        case Laplace(b, sensitivity):
            moved = double(moves * sensitivity, "sensitivity")
            return question.call("from_laplace_mechanism", parameter=double(b, "b"), sensitivity=moved)
        case DiscreteLaplace(b, sensitivity):
            rate, whole = double(1 / b, "1/b"), moves * sensitivity
            return question.call("from_discrete_laplace_mechanism", parameter=rate, sensitivity=whole)
        case DiscreteGaussian(sigma, sensitivity):
            spread, whole = double(sigma, "sigma"), moves * sensitivity
            return question.call("from_discrete_gaussian_mechanism", sigma=spread, sensitivity=whole)
    raise NotSupported(f"dp-accounting has no privacy loss distribution for {mechanism}")


def _logarithms(vector: tuple[Fraction, ...], name: str, question: Asked) -> dict[int, float]:
    """{outcome: log of its probability}, without those that never occur."""
    return {i: math.log(question.double(entry, f"{name}[{i}]")) for i, entry in enumerate(vector) if entry}
