"""autodp: mechanisms of its zoo, composed and sampled by its transformers; upper bounds by Rényi divergences.

``sigma`` and ``b`` are per unit of the sensitivity; under ``replace-one`` that is twice ours. Its default
neighbouring relation is add-remove, both directions at once, and mechanisms that are not sampled know no
other; ``PoissonSampling=False`` is batches without replacement, for mechanisms that are said to be
``replace_one``. Gaussian noise is sampled with ``improved_bound_flag``, as its zoo does, and Laplace noise
without. A discrete Gaussian mechanism is s²/2σ²-zCDP there. ``RandresponseMechanism`` has two categories, and
p is the probability of the truth. ``ExponentialMechanism`` is told by its range η. ``LaplaceSVT_Mechanism``
has one scale for the threshold and the answers, and says nothing of queries that move one way: it is asked
for both kinds of AboveThreshold, with its most queries, k, 10**12.

Variants: ``zoo`` has ε by ``get_approxDP`` and δ by ``get_approx_delta`` of the composition; ``eps`` has the
least ε of all that is known, ``get_eps``; ``single`` asks one mechanism without composing it, and ``exact``
the Gaussian one "with tight direct computation of everything".
"""

from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Said
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.standalone import Call, Script, Steps
from pldverify.errors import NotSupported
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.exponential import Exponential
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.mechanisms.zcdp import ZCDP


class RDP(Adapter):
    """``transformer_zoo.Composition`` of the mechanisms of ``mechanism_zoo``, by their Rényi divergences."""

    name = "autodp/zoo"
    library = "autodp"
    module = "autodp"
    direction = "upper"
    gaussian = "GaussianMechanism"
    kind = "composed"

    def refusal(self, query: Query) -> str | None:
        if query.adjacency in ("add-or-remove", "replace-one"):
            return None
        return f"autodp is asked for add-or-remove and replace-one only, got {query.adjacency!r}"

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        moves = 2 if adjacency == "replace-one" else 1
        match mechanism:
            case Gaussian():
                return Call(self.gaussian, {"sigma": doubles(mechanism.noise_multiplier / moves, "sigma")})
            case Laplace():
                return Call("LaplaceMechanism", {"b": doubles(mechanism.noise_multiplier / moves, "b")})
            case DiscreteGaussian(sigma, sensitivity):
                noise = doubles(sigma / (moves * sensitivity), "sigma")
                return Call("DiscreteGaussianMechanism", {"sigma": noise})
            case RandomizedResponse(p, categories=2):
                return Call("RandresponseMechanism", {"p": doubles(p, "p")})
            case PureDP(epsilon):
                return Call("PureDP_Mechanism", {"eps": doubles(epsilon, "epsilon")})
            case ZCDP(rho):
                return Call("zCDP_Mechanism", {"rho": doubles(rho, "rho")})
            case Exponential(times=1):
                return Call("ExponentialMechanism", {"eps": doubles(mechanism.range, "eps")})
            case AboveThreshold(b, query_b, sensitivity) if b == query_b:
                noise = doubles(b / (moves * sensitivity), "b")
                return Call("LaplaceSVT_Mechanism", {"params": {"b": noise, "k": 10**12, "c": 1}})
            case PoissonSubsampled(Gaussian() | Laplace() as base, q) if adjacency == "add-or-remove":
                return self._sampled(base, doubles(q, "q"), doubles, adjacency, poisson=True)
            case SampledWithoutReplacement(Gaussian() | Laplace() as base, q):
                return self._sampled(base, doubles(q, "q"), doubles, adjacency, poisson=False)
        raise NotSupported(f"autodp has no mechanism for {mechanism} under {adjacency}")

    def _sampled(
        self, base: Mechanism, q: float, doubles: Doubles, adjacency: Adjacency, *, poisson: bool
    ) -> Call:
        inner = self.call(base, doubles, adjacency)
        settings = {"prob": q, "improved_bound_flag": isinstance(base, Gaussian), "PoissonSampling": poisson}
        return Call("AmplificationBySampling", {"mechanism": inner, **settings})

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        script = Script()
        mechanisms = [_made(script, call, f"step{i}", query.adjacency) for i, (call, _) in enumerate(steps)]
        whole = self.whole(script, mechanisms, [count for _, count in steps])
        return script.prints(getattr(whole, self.asked(query))(target)), {"mechanism": self.kind}, None

    def whole(self, script: Script, mechanisms: list[Any], counts: list[int]) -> Any:
        """autodp's mechanism of all steps."""
        composition = script.load("autodp", "transformer_zoo").Composition()
        return script.let("mechanism", composition(mechanisms, counts))

    def asked(self, query: Query) -> str:
        """The method that is asked."""
        return "get_approxDP" if query.quantity == "epsilon" else "get_approx_delta"


class Eps(RDP):
    """The same composition, ``get_eps``: the least ε of all that is known of it."""

    name = "autodp/eps"

    def refusal(self, query: Query) -> str | None:
        return "get_eps has no delta" if query.quantity == "delta" else super().refusal(query)

    def asked(self, query: Query) -> str:
        return "get_eps"


class Single(RDP):
    """One mechanism of ``mechanism_zoo``, not composed."""

    name = "autodp/single"
    kind = "alone"

    def refusal(self, query: Query) -> str | None:
        return "it is asked for one step" if query.composition.steps > 1 else super().refusal(query)

    def whole(self, script: Script, mechanisms: list[Any], counts: list[int]) -> Any:
        return mechanisms[0]


class RDPCurve(RDP):
    """``transformer_zoo.Composition``: the Rényi divergence itself, at one order."""

    name = "autodp/rdp-curve"
    asks = (RenyiQuery,)

    def asked(self, query: Query) -> str:
        return "get_RDP"


class Exact(Single):
    """``mechanism_zoo.ExactGaussianMechanism``, not composed."""

    name = "autodp/exact"
    gaussian = "ExactGaussianMechanism"

    def refusal(self, query: Query) -> str | None:
        if not all(isinstance(mechanism, Gaussian) for mechanism, _ in query.composition.parts):
            return "it is the Gaussian mechanism"
        return super().refusal(query)


def _made(script: Script, call: Call, name: str, adjacency: Adjacency) -> Any:
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
