"""opendp: its measurements and combinators; upper bounds by adding up ε, or ρ of zero-concentrated DP.

A measurement maps ``d_in``, how far the query moves, to a privacy loss: the sensitivity, or twice that under
``replace-one``. One d_in goes into a composition, so the mechanisms of one query have one. ``opendp/zcdp``
adds up ρ, that of Laplace noise by ``make_pureDP_to_zCDP``, and converts by ``make_zCDP_to_approxDP``.
``opendp/pure`` adds up ε, which holds at each δ; it has no δ at an ε. Integer queries have discrete noise. A
composition is a list of measurements; the longest one here has 10**4.
"""

from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.errors import NotSupported
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency

_MOST_STEPS = 10**4


class ZCDP(Adapter):
    """Zero-concentrated DP, converted."""

    name = "opendp/zcdp"
    library = "opendp"
    module = "opendp"
    extra = "opendp"
    direction = "upper"

    def refusal(self, query: Query) -> str | None:
        if query.adjacency not in ("add-or-remove", "replace-one"):
            return f"opendp is asked for add-or-remove and replace-one only, got {query.adjacency!r}"
        if query.composition.steps > _MOST_STEPS:
            return f"opendp composes a list, and one of {query.composition.steps} is too long"
        kinds = {(type(m).__name__[:8] == "Discrete", _sensitivity(m)) for m, _ in query.composition.parts}
        return "opendp composes mechanisms of one domain and one sensitivity" if len(kinds) > 1 else None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        moves = 2 if adjacency == "replace-one" else 1
        match mechanism:
            case Gaussian(scale, sensitivity) | Laplace(scale, sensitivity):
                moved: float = doubles(moves * sensitivity, "d_in")
            case DiscreteGaussian(scale, sensitivity) | DiscreteLaplace(scale, sensitivity):
                moved = moves * sensitivity
            case _:
                raise NotSupported(f"opendp has no measurement for {mechanism}")
        is_gaussian = isinstance(mechanism, Gaussian | DiscreteGaussian)
        made = "make_gaussian" if is_gaussian else "make_laplace"
        return Call(made, {"scale": doubles(scale, "scale"), "d_in": moved})

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        import opendp.prelude as dp

        dp.enable_features("contrib")
        measurements = [self.measurement(dp, call) for call, count in steps for _ in range(count)]
        composed = dp.c.make_composition(measurements)
        value = self.loss(dp, composed, steps[0][0].arguments["d_in"], query, target)
        return float(value), {"combinator": "make_composition"}, None

    def script(self, query: Query, steps: Steps, target: float) -> str:
        made = (f"[{self.measured(call)} for _ in range({count})]" for call, count in steps)
        moved = steps[0][0].arguments["d_in"]
        return "\n".join(
            [
                "import opendp.prelude as dp",
                'dp.enable_features("contrib")',
                f"whole = dp.c.make_composition({' + '.join(made)})",
                f"print({self.asked(moved, query, target)})",
            ]
        )

    def measured(self, call: Call) -> str:
        """:meth:`measurement` as Python."""
        one = _source(call)
        return one if call.function == "make_gaussian" else f"dp.c.make_pureDP_to_zCDP({one})"

    def asked(self, moved: Any, query: Query, target: float) -> str:
        """:meth:`loss` of ``whole`` as Python."""
        return f"dp.c.make_zCDP_to_approxDP(whole).map({moved!r}).{query.quantity}({target!r})"

    def measurement(self, dp: Any, call: Call) -> Any:
        """The measurement of a call, its loss a ρ."""
        return (
            _measurement(dp, call)
            if call.function == "make_gaussian"
            else dp.c.make_pureDP_to_zCDP(_measurement(dp, call))
        )

    def loss(self, dp: Any, composed: Any, moved: Any, query: Query, target: float) -> float:
        """ε at a δ, or δ at an ε."""
        profile = dp.c.make_zCDP_to_approxDP(composed).map(moved)
        answer = profile.epsilon if query.quantity == "epsilon" else profile.delta
        return float(answer(target))


class Pure(ZCDP):
    """Pure DP."""

    name = "opendp/pure"

    def refusal(self, query: Query) -> str | None:
        if query.quantity == "delta":
            return "pure DP has no delta"
        if any(isinstance(m, Gaussian | DiscreteGaussian) for m, _ in query.composition.parts):
            return "Gaussian noise is not of pure DP"
        return super().refusal(query)

    def measurement(self, dp: Any, call: Call) -> Any:
        return _measurement(dp, call)

    def loss(self, dp: Any, composed: Any, moved: Any, query: Query, target: float) -> float:
        return float(composed.map(moved))

    def measured(self, call: Call) -> str:
        return _source(call)

    def asked(self, moved: Any, query: Query, target: float) -> str:
        return f"whole.map({moved!r})"


def _measurement(dp: Any, call: Call) -> Any:
    scale, moved = call.arguments["scale"], call.arguments["d_in"]
    kind = type(moved)
    domain = dp.atom_domain(T=int) if kind is int else dp.atom_domain(T=float, nan=False)
    return getattr(dp.m, call.function)(domain, dp.absolute_distance(T=kind), scale=scale)


def _source(call: Call) -> str:
    """:func:`_measurement` as Python."""
    scale, kind = call.arguments["scale"], type(call.arguments["d_in"]).__name__
    domain = "dp.atom_domain(T=int)" if kind == "int" else "dp.atom_domain(T=float, nan=False)"
    return f"dp.m.{call.function}({domain}, dp.absolute_distance(T={kind}), scale={scale!r})"


def _sensitivity(mechanism: Mechanism) -> object:
    return getattr(mechanism, "sensitivity", None)
