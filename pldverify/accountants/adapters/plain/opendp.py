"""opendp: its measurements and combinators; upper bounds by adding up ε, or ρ of zero-concentrated DP.

A measurement maps ``d_in``, how far the query moves, to a privacy loss: the sensitivity, or twice that under
``replace-one``. One d_in goes into a composition, so the mechanisms of one query have one. ``opendp/zcdp``
adds up ρ, that of Laplace noise by ``make_pureDP_to_zCDP``, and converts by ``make_zCDP_to_approxDP``.
``opendp/pure`` adds up ε, which holds at each δ; it has no δ at an ε. Integer queries have discrete noise. A
composition is a list of measurements; the longest one here has 10**4.

``make_noisy_max`` is permute-and-flip where pure DP is asked for, with exponential noise, and the exponential
mechanism where zCDP is, with Gumbel noise; its scale is 2/ε for scores that move by 1, and it knows monotone
ones. ``make_laplace_threshold`` of a count by keys has a δ, which ``opendp/pure`` adds up, too: there is no ε
at a smaller δ.
"""

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Script, Steps

LIBRARY = "opendp"
MODULE = "opendp"
_NOISE = {
    "gaussian": ("make_gaussian", "sigma"),
    "discrete_gaussian": ("make_gaussian", "sigma"),
    "laplace": ("make_laplace", "b"),
    "discrete_laplace": ("make_laplace", "b"),
}
"""For each kind: the constructor of the measurement, and the name of its scale in a question."""
_RHO = "zero_concentrated_divergence"
_CHOICES = {"permute_and_flip": "max_divergence", "exponential": _RHO}
"""For each kind of choice: the measure whose ``make_noisy_max`` it is."""


class ZCDP:
    """``combinators.make_composition`` of zero-concentrated DP, converted to ε at a δ."""

    name = "opendp/zcdp"
    direction = "upper"
    adjacencies = ("add-or-remove", "replace-one")
    most_steps = 10**4
    """The library takes a list with one measurement a step."""

    def refusal(self, question: "Question") -> str | None:
        kinds = {_domain(mechanism) for mechanism, _ in question.parts}
        return "opendp composes mechanisms of one domain and one sensitivity" if len(kinds) > 1 else None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        if mechanism["kind"] in _CHOICES and mechanism.get("times", 1) == 1:
            arguments = {
                "measure": _CHOICES[mechanism["kind"]],
                "monotone": mechanism["monotone"],
                "d_in": 1.0,
            }
            return question.call(
                "make_noisy_max", scale=question.double(2 / mechanism["epsilon"], "scale"), **arguments
            )
        if mechanism["kind"] not in _NOISE:
            raise NotImplementedError(f"opendp has no measurement for {mechanism['kind']}")
        made, scale = _NOISE[mechanism["kind"]]
        moves = (2 if question.adjacency == "replace-one" else 1) * mechanism["sensitivity"]
        moved = int(moves) if _is_discrete(mechanism) else question.double(moves, "d_in")
        return question.call(made, scale=question.double(mechanism[scale], "scale"), d_in=moved)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        dp = script.load("opendp.prelude", alias="dp")
        script.do(dp.enable_features("contrib"))
        measurements = script.repeated([(self.measurement(dp, call), count) for call, count in steps])
        whole = script.let("whole", dp.c.make_composition(measurements))
        moved = steps[0][0].arguments["d_in"]
        return (
            script.prints(self.loss(script, dp, whole, moved, question)),
            {"combinator": "make_composition"},
            None,
        )

    def measurement(self, dp: Any, call: "Call") -> Any:
        """The measurement of a call, its loss a ρ."""
        one = _measurement(dp, call)
        return one if _is_rho(call) else dp.c.make_pureDP_to_zCDP(one)

    def loss(self, script: "Script", dp: Any, whole: Any, moved: Any, question: "Question") -> Any:
        """ε at a δ, or δ at an ε."""
        profile = dp.c.make_zCDP_to_approxDP(whole).map(moved)
        return getattr(profile, question.quantity)(question.target)


class Pure(ZCDP):
    """``combinators.make_composition`` of pure DP, and of thresholds with their δ."""

    name = "opendp/pure"

    def refusal(self, question: "Question") -> str | None:
        if question.quantity == "delta":
            return "pure DP has no delta"
        if any(mechanism["kind"].endswith("gaussian") for mechanism, _ in question.parts):
            return "Gaussian noise is not of pure DP"
        if any(mechanism["kind"] == "exponential" for mechanism, _ in question.parts):
            return "opendp has the exponential mechanism by zCDP alone"
        return super().refusal(question)

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "thresholded_histogram", "base": {"kind": "laplace", **base}}:
                numbers = {
                    "scale": base["b"],
                    "d_in": base["sensitivity"],
                    "threshold": mechanism["threshold"],
                }
                doubles = {name: question.double(value, name) for name, value in numbers.items()}
                return question.call("make_laplace_threshold", **doubles)
        return super().call(question, mechanism)

    def measurement(self, dp: Any, call: "Call") -> Any:
        return _measurement(dp, call)

    def loss(self, script: "Script", dp: Any, whole: Any, moved: Any, question: "Question") -> Any:
        if not _has_keys(question):
            return whole.map(moved)
        lost = script.let("lost", whole.map((1, moved, moved)))  # ε and δ
        return script.let("ends", [math.inf, lost[0]])[lost[1] <= question.target]


def _domain(mechanism: Any) -> tuple[object, object]:
    """What the measurements of a composition must have in common: the data, and how far they move."""
    if mechanism["kind"] in _CHOICES:
        return "scores", mechanism["monotone"]
    if mechanism["kind"] == "thresholded_histogram":
        return "keys", mechanism["base"]["sensitivity"]
    return _is_discrete(mechanism), mechanism.get("sensitivity")


def _has_keys(question: "Question") -> bool:
    return any(mechanism["kind"] == "thresholded_histogram" for mechanism, _ in question.parts)


def _is_rho(call: "Call") -> bool:
    return call.function == "make_gaussian" or call.arguments.get("measure") == _RHO


def _is_discrete(mechanism: Any) -> bool:
    return bool(mechanism["kind"].startswith("discrete"))


def _measurement(dp: Any, call: "Call") -> Any:
    arguments, real = call.arguments, dp.atom_domain(T=float, nan=False)
    scale, moved = arguments["scale"], arguments["d_in"]
    if call.function == "make_noisy_max":
        metric = dp.linf_distance(T=float, monotonic=arguments["monotone"])
        measure = getattr(dp, arguments["measure"])()
        return dp.m.make_noisy_max(dp.vector_domain(real), metric, measure, scale=scale)
    if call.function == "make_laplace_threshold":
        counts = dp.map_domain(dp.atom_domain(T=str), real)
        metric = dp.l01inf_distance(dp.absolute_distance(T=float))
        return dp.m.make_laplace_threshold(counts, metric, scale=scale, threshold=arguments["threshold"])
    kind = type(moved)
    domain = dp.atom_domain(T=int) if kind is int else real
    return getattr(dp.m, call.function)(domain, dp.absolute_distance(T=kind), scale=scale)
