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
_MOST_STEPS = 10**3
"""Cap on the steps: the library takes a list with one measurement a step."""


class Pure:
    """``Composition.privacy_function``."""

    name = "tmlt-core/pure"
    direction = "upper"

    def refusal(self, question: "Question") -> str | None:
        if question.quantity != "epsilon":
            return "pure DP has no delta"
        if question.adjacency not in ("add-or-remove", "replace-one"):
            return f"tmlt-core is asked for add-or-remove and replace-one, got {question.adjacency!r}"
        number = sum(count for _, count in question.parts)
        if number > _MOST_STEPS:
            return f"tmlt-core composes a list, and one of {number} is too long"
        moves = {mechanism.get("sensitivity") for mechanism, _ in question.parts}
        return "tmlt-core composes mechanisms of one sensitivity" if len(moves) > 1 else None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "laplace", "b": Fraction() as b, "sensitivity": Fraction() as moves}:
                twice = 2 if question.adjacency == "replace-one" else 1
                return question.call("AddLaplaceNoise", scale=str(b), d_in=str(twice * moves))
        raise NotImplementedError(f"tmlt-core is asked for Laplace noise, not {mechanism['kind']}")

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        from tmlt.core.domains.numpy_domains import NumpyFloatDomain
        from tmlt.core.measurements.composition import Composition
        from tmlt.core.measurements.noise_mechanisms import AddLaplaceNoise

        added = [
            AddLaplaceNoise(NumpyFloatDomain(), call.arguments["scale"])
            for call, count in steps
            for _ in range(count)
        ]
        epsilon = Composition(added).privacy_function(steps[0][0].arguments["d_in"])
        return Fraction(str(epsilon)), {"measurement": "Composition"}, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        added = " + ".join(
            f"{count} * [AddLaplaceNoise(NumpyFloatDomain(), {call.arguments['scale']!r})]"
            for call, count in steps
        )
        return (
            "from tmlt.core.domains.numpy_domains import NumpyFloatDomain\n"
            "from tmlt.core.measurements.composition import Composition\n"
            "from tmlt.core.measurements.noise_mechanisms import AddLaplaceNoise\n"
            f"print(Composition({added}).privacy_function({steps[0][0].arguments['d_in']!r}))"
        )
