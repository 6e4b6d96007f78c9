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

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Steps

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
_RHO = "zero_concentrated_divergence"
_CHOICES = {"permute_and_flip": "max_divergence", "exponential": _RHO}
"""For each kind of choice: the measure whose ``make_noisy_max`` it is."""


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

    def script(self, question: "Question", steps: "Steps") -> str:
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

    def measured(self, call: "Call") -> str:
        """The measurement of a call, its loss a ρ, as Python."""
        one = _source(call)
        return one if _is_rho(call) else f"dp.c.make_pureDP_to_zCDP({one})"

    def asked(self, moved: Any, question: "Question") -> str:
        """ε at a δ, or δ at an ε, of ``whole``, as Python."""
        return f"dp.c.make_zCDP_to_approxDP(whole).map({moved!r}).{question.quantity}({question.target!r})"


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

    def measured(self, call: "Call") -> str:
        return _source(call)

    def asked(self, moved: Any, question: "Question") -> str:
        if not _has_keys(question):
            return f"whole.map({moved!r})"
        ends = f"whole.map({(1, moved, moved)!r})"
        return f'(lambda epsilon, delta: epsilon if delta <= {question.target!r} else float("inf"))(*{ends})'


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


def _source(call: "Call") -> str:
    """The measurement of a call, as Python."""
    arguments, real = call.arguments, "dp.atom_domain(T=float, nan=False)"
    scale, kind = arguments["scale"], type(arguments["d_in"]).__name__
    if call.function == "make_noisy_max":
        metric = f"dp.linf_distance(T=float, monotonic={arguments['monotone']})"
        data, more = f"dp.vector_domain({real}), {metric}, dp.{arguments['measure']}()", ""
    elif call.function == "make_laplace_threshold":
        metric = "dp.l01inf_distance(dp.absolute_distance(T=float))"
        data, more = f"dp.map_domain(dp.atom_domain(T=str), {real}), {metric}", arguments["threshold"]
        more = f", threshold={more!r}"
    else:
        domain = "dp.atom_domain(T=int)" if kind == "int" else real
        data, more = f"{domain}, dp.absolute_distance(T={kind})", ""
    return f"dp.m.{call.function}({data}, scale={scale!r}{more})"
