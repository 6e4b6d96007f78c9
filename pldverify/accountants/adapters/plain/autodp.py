"""autodp: composition of Rényi DP, and the analytical Fourier accountant (Zhu, Dong, Wang 2022).

Its mechanisms are for adding and removing a record, sigma and b are per unit of sensitivity. Rényi DP is one
number for both directions, so ``add`` and ``remove`` alone are refused there. The Fourier accountant has each
direction by ``neighboring``; its documentation takes the larger answer for add-or-remove, and so it is asked.
It calls what scipy 1.10 removed, so it is ``apart``.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Script, Steps

LIBRARY = "autodp"
MODULE = "autodp.transformer_zoo"


class RDP:
    """``transformer_zoo.Composition``: ``get_approxDP`` of the sum of Rényi divergences."""

    name = "autodp/rdp"
    direction = "upper"
    quantities = ("epsilon",)
    adjacencies = ("add-or-remove",)

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return _mechanism(question, mechanism, {})

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        whole = _composed(script, "Composition", steps)
        return script.prints(whole.get_approxDP(question.target)), {"conversion": "BBGHS"}, None


class Fourier:
    """``transformer_zoo.ComposeAFA``, a Fourier accountant, with its default quadrature."""

    name = "autodp/fourier"
    direction = "estimate"
    apart = True
    adjacencies = ("add-or-remove", "add", "remove")

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return _mechanism(question, mechanism, {"phi_off": False, "RDP_off": True})

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        directions = ["add", "remove"] if question.adjacency == "add-or-remove" else [question.adjacency]
        method = "get_approxDP" if question.quantity == "epsilon" else "get_approx_delta"
        script, answers = question.script(), []
        for direction in directions:
            whole = _composed(script, "ComposeAFA", _under(steps, f"{direction}_only", question))
            answers.append(getattr(whole, method)(question.target))
        worst = script.load("numpy").max(answers)  # NaN, if one is
        return script.prints(worst), {"neighboring": ", ".join(f"{each}_only" for each in directions)}, None


def _under(steps: "Steps", neighbours: str, question: "Question") -> "Steps":
    """The same steps, the sampled ones in one direction."""
    return [
        (question.call(call.function, **call.arguments, neighboring=neighbours), count)
        if call.function == "SubsampleGaussianMechanism"
        else (call, count)
        for call, count in steps
    ]


def _composed(script: "Script", transformer: str, steps: "Steps") -> Any:
    """What a transformer that composes makes of the steps."""
    zoo = script.load("autodp", "mechanism_zoo")
    compose = getattr(script.load("autodp", "transformer_zoo"), transformer)()
    return compose([call.make(zoo) for call, _ in steps], [count for _, count in steps])


def _mechanism(question: "Question", mechanism: Any, options: dict[str, Any]) -> "Call":
    """The call of a mechanism, per unit of sensitivity. Raises NotImplementedError."""
    match mechanism:
        case {"kind": "gaussian", "sigma": sigma, "sensitivity": sensitivity}:
            sigma = question.double(sigma / sensitivity, "sigma")
            return question.call("GaussianMechanism", sigma=sigma, **options)
        case {"kind": "laplace", "b": b, "sensitivity": sensitivity}:
            b = question.double(b / sensitivity, "b")
            return question.call("LaplaceMechanism", b=b, **options)
        case {"kind": "randomized_response", "p": p, "categories": 2}:
            if 2 * p <= 1:
                raise NotImplementedError("autodp's randomised response has p > 1/2")
            return question.call("RandresponseMechanism", p=question.double(p, "p"), **options)
        case {"kind": "poisson_subsampled", "base": {"kind": "gaussian"} as base, "q": q}:
            sigma = question.double(Fraction(base["sigma"], base["sensitivity"]), "sigma")
            params = {"prob": question.double(q, "q"), "sigma": sigma, "coeff": 1}
            return question.call("SubsampleGaussianMechanism", params=params, **options)
    raise NotImplementedError(f"autodp has no {mechanism['kind']} of these parameters")
