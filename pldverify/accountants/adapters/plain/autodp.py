"""autodp: mechanisms of its zoo, composed and sampled by its transformers; upper bounds by Rényi divergences.

``sigma`` and ``b`` are per unit of the sensitivity; under ``replace-one`` that is twice ours. Its default
neighbouring relation is add-remove, both directions at once, and mechanisms that are not sampled know no
other; ``PoissonSampling=False`` is batches without replacement, for mechanisms that are said to be
``replace_one``. Gaussian noise is sampled with ``improved_bound_flag``, as its zoo does, and Laplace noise
without. A discrete Gaussian mechanism is s²/2σ²-zCDP there. ``RandresponseMechanism`` has two categories, and
p is the probability of the truth. ``ExponentialMechanism`` is told by its range η. ``LaplaceSVT_Mechanism``
has one scale for the threshold and the answers, and says nothing of queries that move one way: it is asked
for both kinds of AboveThreshold, with its most queries, k, 10**12.

Variants: ``rdp`` has sampled Gaussian noise by ``SubsampleGaussianMechanism``, ε alone; ``zoo`` has ε by
``get_approxDP`` and δ by ``get_approx_delta`` of the composition; ``eps`` has the least ε of all that is
known, ``get_eps``; ``single`` asks one mechanism without composing it, and ``exact`` the Gaussian one "with
tight direct computation of everything". ``fourier`` is the analytical Fourier accountant (Zhu, Dong, Wang
2022): it has each direction by ``neighboring``, and its documentation takes the larger answer for
add-or-remove, and so it is asked. It calls what scipy 1.10 removed, so it is ``apart``.
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


class Zoo:
    """``transformer_zoo.Composition`` of the mechanisms of ``mechanism_zoo``, by their Rényi divergences."""

    name = "autodp/zoo"
    direction = "upper"
    quantities: "tuple[str, ...]" = ("epsilon", "delta")
    adjacencies = ("add-or-remove", "replace-one")
    gaussian = "GaussianMechanism"
    kind = "composed"

    def call(self, question: "Question", mechanism: Any) -> "Call":
        double, moves = question.double, 2 if question.adjacency == "replace-one" else 1
        match mechanism:
            case {"kind": "gaussian", "sigma": sigma, "sensitivity": moved}:
                return question.call(self.gaussian, sigma=double(sigma / (moves * moved), "sigma"))
            case {"kind": "laplace", "b": b, "sensitivity": moved}:
                return question.call("LaplaceMechanism", b=double(b / (moves * moved), "b"))
            case {"kind": "discrete_gaussian", "sigma": sigma, "sensitivity": moved}:
                sigma = double(sigma / (moves * moved), "sigma")
                return question.call("DiscreteGaussianMechanism", sigma=sigma)
            case {"kind": "randomized_response", "p": p, "categories": 2}:
                return question.call("RandresponseMechanism", p=double(p, "p"))
            case {"kind": "pure_dp", "epsilon": epsilon}:
                return question.call("PureDP_Mechanism", eps=double(epsilon, "epsilon"))
            case {"kind": "zcdp", "rho": rho}:
                return question.call("zCDP_Mechanism", rho=double(rho, "rho"))
            case {"kind": "exponential", "epsilon": epsilon, "monotone": monotone, "times": 1}:
                eps = double(epsilon / 2 if monotone else epsilon, "eps")
                return question.call("ExponentialMechanism", eps=eps)
            case {"kind": "above_threshold", "b": b, "query_b": c, "sensitivity": moved} if b == c:
                params = {"b": double(b / (moves * moved), "b"), "k": 10**12, "c": 1}
                return question.call("LaplaceSVT_Mechanism", params=params)
            case {"kind": "poisson_subsampled" | "sampled_without_replacement" as kind, "base": base, "q": q}:
                poisson = kind == "poisson_subsampled"
                if base["kind"] in ("gaussian", "laplace") and not (poisson and moves == 2):
                    flag = base["kind"] == "gaussian"
                    inner = self.call(question, base)
                    settings = {"improved_bound_flag": flag, "PoissonSampling": poisson}
                    sampled = {"mechanism": inner, "prob": double(q, "q"), **settings}
                    return question.call("AmplificationBySampling", **sampled)
        raise NotImplementedError(
            f"autodp has no mechanism for {mechanism['kind']} under {question.adjacency}"
        )

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        mechanisms = [
            _made(script, call, f"step{i}", question.adjacency) for i, (call, _) in enumerate(steps)
        ]
        whole = self.whole(script, mechanisms, [count for _, count in steps])
        return script.prints(self.asked(whole, question)(question.target)), {"mechanism": self.kind}, None

    def whole(self, script: "Script", mechanisms: "list[Any]", counts: "list[int]") -> Any:
        """autodp's mechanism of all steps."""
        composition = script.load("autodp", "transformer_zoo").Composition()
        return script.let("mechanism", composition(mechanisms, counts))

    def asked(self, whole: Any, question: "Question") -> Any:
        """The method that is asked."""
        return whole.get_approxDP if question.quantity == "epsilon" else whole.get_approx_delta


class Eps(Zoo):
    """The same composition, ``get_eps``: the least ε of all that is known of it."""

    name = "autodp/eps"
    quantities = ("epsilon",)

    def asked(self, whole: Any, question: "Question") -> Any:
        return whole.get_eps


class Single(Zoo):
    """One mechanism of ``mechanism_zoo``, not composed."""

    name = "autodp/single"
    kind = "alone"
    most_steps = 1

    def whole(self, script: "Script", mechanisms: "list[Any]", counts: "list[int]") -> Any:
        return mechanisms[0]


class RDPCurve(Zoo):
    """``transformer_zoo.Composition``: the Rényi divergence itself, at one order."""

    name = "autodp/rdp-curve"
    quantities = ("rdp",)

    def asked(self, whole: Any, question: "Question") -> Any:
        return whole.get_RDP


class Exact(Single):
    """``mechanism_zoo.ExactGaussianMechanism``, not composed."""

    name = "autodp/exact"
    gaussian = "ExactGaussianMechanism"

    def refusal(self, question: "Question") -> str | None:
        if any(mechanism["kind"] != "gaussian" for mechanism, _ in question.parts):
            return "it is the Gaussian mechanism"
        return None


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
        case {"kind": "randomized_response", "p": p, "categories": 2} if 2 * p <= 1:
            raise NotImplementedError("autodp's randomised response has p > 1/2")
        case {"kind": "gaussian" | "laplace"} | {"kind": "randomized_response", "categories": 2}:
            call = Zoo().call(question, mechanism)
            return question.call(call.function, **call.arguments, **options)
        case {"kind": "poisson_subsampled", "base": {"kind": "gaussian"} as base, "q": q}:
            sigma = question.double(Fraction(base["sigma"], base["sensitivity"]), "sigma")
            params = {"prob": question.double(q, "q"), "sigma": sigma, "coeff": 1}
            return question.call("SubsampleGaussianMechanism", params=params, **options)
    raise NotImplementedError(f"autodp has no {mechanism['kind']} of these parameters")


def _made(script: "Script", call: "Call", name: str, adjacency: str) -> Any:
    """autodp's object; a sampled mechanism goes through the transformer that samples."""
    zoo = script.load("autodp", "mechanism_zoo")
    if call.function != "AmplificationBySampling":
        return script.let(name, call.make(zoo))
    arguments = call.arguments
    mechanism = script.let(name, arguments["mechanism"].make(zoo))
    if adjacency == "replace-one":
        script.set(mechanism, "neighboring", "replace_one")
    transformers = script.load("autodp", "transformer_zoo")
    sampling = transformers.AmplificationBySampling(PoissonSampling=arguments["PoissonSampling"])
    flag = arguments["improved_bound_flag"]
    return script.let(name, sampling(mechanism, arguments["prob"], improved_bound_flag=flag))
