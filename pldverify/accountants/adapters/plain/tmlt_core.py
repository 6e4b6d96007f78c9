"""tmlt-core: measurements of pure DP and what they add up to, in exact numbers.

Laplace noise on floats, whose privacy function maps how far a query moves to ε: the sensitivity, or twice
that under ``replace-one``. One such distance goes into a composition. Of its zCDP the library decides whether
an (ε, δ) holds, and has no number; the sum of ε holds at each δ.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "tmlt-core"
MODULE = "tmlt.core.measurements.composition"


class Pure:
    """``Composition.privacy_function``."""

    name = "tmlt-core/pure"
    direction = "upper"
    quantities = ("epsilon",)
    adjacencies = ("add-or-remove", "replace-one")
    most_steps = 10**3
    """The library takes a list with one measurement a step."""

    def refusal(self, question: "Question") -> str | None:
        moves = {mechanism.get("sensitivity") for mechanism, _ in question.parts}
        return "tmlt-core composes mechanisms of one sensitivity" if len(moves) > 1 else None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "laplace", "b": Fraction() as b, "sensitivity": Fraction() as moves}:
                twice = 2 if question.adjacency == "replace-one" else 1
                return question.call("AddLaplaceNoise", scale=str(b), d_in=str(twice * moves))
        raise NotImplementedError(f"tmlt-core is asked for Laplace noise, not {mechanism['kind']}")

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        domain = script.load("tmlt.core.domains.numpy_domains", "NumpyFloatDomain")()
        composition = script.load("tmlt.core.measurements.composition", "Composition")
        noise = script.load("tmlt.core.measurements.noise_mechanisms", "AddLaplaceNoise")
        added = script.repeated([(noise(domain, call.arguments["scale"]), count) for call, count in steps])
        epsilon = composition(added).privacy_function(steps[0][0].arguments["d_in"])
        exact = script.load("fractions", "Fraction")(epsilon.expr)
        return script.prints(exact), {"measurement": "Composition"}, None
