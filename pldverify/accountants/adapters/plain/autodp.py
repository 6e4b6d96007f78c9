"""autodp: composition of Rényi DP, and the analytical Fourier accountant (Zhu, Dong, Wang 2022).

Its mechanisms are for adding and removing a record, sigma and b are per unit of sensitivity. Rényi DP is one
number for both directions, so ``add`` and ``remove`` alone are refused there. The Fourier accountant has each
direction by ``neighboring``; its documentation takes the larger answer for add-or-remove, and so it is asked.
It calls what scipy 1.10 removed, so it is ``apart``.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "autodp"
MODULE = "autodp.transformer_zoo"


class RDP:
    """``transformer_zoo.Composition``: ``get_approxDP`` of the sum of Rényi divergences."""

    name = "autodp/rdp"
    direction = "upper"

    def refusal(self, question: "Question") -> str | None:
        if question.adjacency != "add-or-remove":
            return f"autodp's Rényi DP is of adding or removing a record, not of {question.adjacency!r}"
        if question.quantity != "epsilon":
            return "autodp has ε at a given δ from Rényi DP, not δ"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return _mechanism(question, mechanism, {})

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        from autodp import mechanism_zoo, transformer_zoo

        mechanisms = [call.make(mechanism_zoo) for call, _ in steps]
        whole = transformer_zoo.Composition()(mechanisms, [count for _, count in steps])
        return whole.get_approxDP(question.target), {"conversion": "BBGHS"}, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        made = ", ".join(call.source("mechanism_zoo") for call, _ in steps)
        return (
            "from autodp import mechanism_zoo, transformer_zoo\n"
            f"mechanisms = [{made}]\n"
            f"whole = transformer_zoo.Composition()(mechanisms, {[count for _, count in steps]})\n"
            f"print(whole.get_approxDP({question.target!r}))"
        )


class Fourier:
    """``transformer_zoo.ComposeAFA``, a Fourier accountant, with its default quadrature."""

    name = "autodp/fourier"
    direction = "estimate"
    apart = True

    def refusal(self, question: "Question") -> str | None:
        if question.adjacency == "replace-one":
            return "autodp's characteristic functions are of adding or removing a record"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return _mechanism(question, mechanism, {"phi_off": False, "RDP_off": True})

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        from autodp import mechanism_zoo, transformer_zoo

        directions = ["add", "remove"] if question.adjacency == "add-or-remove" else [question.adjacency]
        answers = []
        for direction in directions:
            mechanisms = []
            for call, _ in steps:
                if call.function == "SubsampleGaussianMechanism":
                    call = question.call(call.function, **call.arguments, neighboring=f"{direction}_only")
                mechanisms.append(call.make(mechanism_zoo))
            whole = transformer_zoo.ComposeAFA()(mechanisms, [count for _, count in steps])
            asked = whole.get_approxDP if question.quantity == "epsilon" else whole.get_approx_delta
            answers.append(float(asked(question.target)))
        worst = next((number for number in answers if number != number), max(answers))
        return worst, {"neighboring": ", ".join(f"{direction}_only" for direction in directions)}, None


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
