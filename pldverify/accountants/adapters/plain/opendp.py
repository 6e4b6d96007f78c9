"""opendp: its measurements and combinators; upper bounds by adding up ε, or ρ of zero-concentrated DP.

A measurement maps ``d_in``, how far the query moves, to a privacy loss: the sensitivity, or twice that under
``replace-one``. One d_in goes into a composition, so the mechanisms of one query have one. ``opendp/zcdp``
adds up ρ, that of Laplace noise by ``make_pureDP_to_zCDP``, and converts by ``make_zCDP_to_approxDP``.
``opendp/pure`` adds up ε, which holds at each δ; it has no δ at an ε. Integer queries have discrete noise. A
composition is a list of measurements; the longest one here has 10**4.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "opendp"
MODULE = "opendp"
_MOST_STEPS = 10**4
"""Cap on the steps: the library takes a list with one measurement a step."""
_NOISE = {
    "gaussian": ("make_gaussian", "sigma"),
    "discrete_gaussian": ("make_gaussian", "sigma"),
    "laplace": ("make_laplace", "b"),
    "discrete_laplace": ("make_laplace", "b"),
}
"""For each kind: the constructor of the measurement, and the name of its scale in a question."""


class ZCDP:
    """``combinators.make_composition`` of zero-concentrated DP, converted to ε at a δ."""

    name = "opendp/zcdp"
    direction = "upper"

    def refusal(self, question: "Question") -> str | None:
        if question.adjacency not in ("add-or-remove", "replace-one"):
            return f"opendp is asked for add-or-remove and replace-one only, got {question.adjacency!r}"
        number = sum(count for _, count in question.parts)
        if number > _MOST_STEPS:
            return f"opendp composes a list, and one of {number} is too long"
        kinds = {(_is_discrete(m), m.get("sensitivity")) for m, _ in question.parts}
        return "opendp composes mechanisms of one domain and one sensitivity" if len(kinds) > 1 else None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        if mechanism["kind"] not in _NOISE:
            raise NotImplementedError(f"opendp has no measurement for {mechanism['kind']}")
        made, scale = _NOISE[mechanism["kind"]]
        moves = (2 if question.adjacency == "replace-one" else 1) * mechanism["sensitivity"]
        moved = int(moves) if _is_discrete(mechanism) else question.double(moves, "d_in")
        return question.call(made, scale=question.double(mechanism[scale], "scale"), d_in=moved)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        import opendp.prelude as dp

        dp.enable_features("contrib")
        measurements = [self.measurement(dp, call) for call, count in steps for _ in range(count)]
        composed = dp.c.make_composition(measurements)
        value = self.loss(dp, composed, steps[0][0].arguments["d_in"], question)
        return float(value), {"combinator": "make_composition"}, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        made = (f"[{self.measured(call)} for _ in range({count})]" for call, count in steps)
        moved = steps[0][0].arguments["d_in"]
        return "\n".join(
            [
                "import opendp.prelude as dp",
                'dp.enable_features("contrib")',
                f"whole = dp.c.make_composition({' + '.join(made)})",
                f"print({self.asked(moved, question)})",
            ]
        )

    def measurement(self, dp: Any, call: "Call") -> Any:
        """The measurement of a call, its loss a ρ."""
        one = _measurement(dp, call)
        return one if call.function == "make_gaussian" else dp.c.make_pureDP_to_zCDP(one)

    def measured(self, call: "Call") -> str:
        """:meth:`measurement` as Python."""
        one = _source(call)
        return one if call.function == "make_gaussian" else f"dp.c.make_pureDP_to_zCDP({one})"

    def loss(self, dp: Any, composed: Any, moved: Any, question: "Question") -> float:
        """ε at a δ, or δ at an ε."""
        profile = dp.c.make_zCDP_to_approxDP(composed).map(moved)
        return float(getattr(profile, question.quantity)(question.target))

    def asked(self, moved: Any, question: "Question") -> str:
        """:meth:`loss` of ``whole`` as Python."""
        return f"dp.c.make_zCDP_to_approxDP(whole).map({moved!r}).{question.quantity}({question.target!r})"


class Pure(ZCDP):
    """``combinators.make_composition`` of pure DP."""

    name = "opendp/pure"

    def refusal(self, question: "Question") -> str | None:
        if question.quantity == "delta":
            return "pure DP has no delta"
        if any(mechanism["kind"].endswith("gaussian") for mechanism, _ in question.parts):
            return "Gaussian noise is not of pure DP"
        return super().refusal(question)

    def measurement(self, dp: Any, call: "Call") -> Any:
        return _measurement(dp, call)

    def measured(self, call: "Call") -> str:
        return _source(call)

    def loss(self, dp: Any, composed: Any, moved: Any, question: "Question") -> float:
        return float(composed.map(moved))

    def asked(self, moved: Any, question: "Question") -> str:
        return f"whole.map({moved!r})"


def _is_discrete(mechanism: Any) -> bool:
    return bool(mechanism["kind"].startswith("discrete"))


def _measurement(dp: Any, call: "Call") -> Any:
    scale, moved = call.arguments["scale"], call.arguments["d_in"]
    kind = type(moved)
    domain = dp.atom_domain(T=int) if kind is int else dp.atom_domain(T=float, nan=False)
    return getattr(dp.m, call.function)(domain, dp.absolute_distance(T=kind), scale=scale)


def _source(call: "Call") -> str:
    """:func:`_measurement` as Python."""
    scale, kind = call.arguments["scale"], type(call.arguments["d_in"]).__name__
    domain = "dp.atom_domain(T=int)" if kind == "int" else "dp.atom_domain(T=float, nan=False)"
    return f"dp.m.{call.function}({domain}, dp.absolute_distance(T={kind}), scale={scale!r})"
