"""prv-accountant: the upper bound, the estimate and the lower bound of Gopi, Lee, Wutschitz 2021.

``PRVAccountant`` has no default errors: ``eps_error`` is 0.1, which its documentation calls typical and its
``DPSGDAccountant`` has as default; ``delta_error`` is δ/1000 where δ is given, as its documentation advises
and its ``Accountant`` does, and 1e-9 where ε is given, the default of ``DPSGDAccountant``.

The library takes privacy random variables and has no notion of adjacency. That of the subsampled Gaussian
is log(w/1) under the mixture: the ``remove`` direction. ``remove`` is thus what it computes and
``add-or-remove`` is what it is used for, so both are asked and judged as asked; ``add`` is refused unless
the mechanisms are symmetric. Under ``replace-one`` mechanisms that are not sampled have twice the
sensitivity. Randomised response with p > 1/2 has the loss of ``PureDPMechanism`` at
ε = log(p/(1 − p)), which no double equals: the nearest is passed and stated.

The estimate's promise is Theorem 5.5 of the paper, which the accountant's errors are named after.
"""

import math
from fractions import Fraction
from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.accountants.adapters.prv_accountant_grid import Grid, grid
from pldverify.errors import NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Promise

DELTA_ERROR_RATIO = 1000
"""Ratio of the target δ to ``delta_error``, asked of the library for ε."""
DELTA_ERROR = 1e-9
"""``delta_error`` asked of the library for δ."""


class PRV(Adapter):
    """``PRVAccountant``, which answers with a triple (lower, estimate, upper)."""

    library = "prv-accountant"
    module = "prv_accountant"
    position: int
    eps_error = 0.1
    reserve = 1
    """Times as many compositions as asked are what the accountant is made for."""

    def refusal(self, query: Query) -> str | None:
        sampled = any(isinstance(mechanism, PoissonSubsampled) for mechanism, _ in query.composition.parts)
        if sampled and query.adjacency in ("add", "replace-one"):
            return f"prv-accountant's subsampled Gaussian is the direction remove, got {query.adjacency!r}"
        return None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        """The privacy random variable of a mechanism."""
        moves = 2 if adjacency == "replace-one" else 1
        match mechanism:
            case Gaussian(sigma, sensitivity):
                return Call(
                    "GaussianMechanism",
                    {
                        "noise_multiplier": doubles(sigma, "sigma"),
                        "l2_sensitivity": doubles(moves * sensitivity, "sensitivity"),
                    },
                )
            case PoissonSubsampled(Gaussian() as base, q):
                return Call(
                    "PoissonSubsampledGaussianMechanism",
                    {
                        "sampling_probability": doubles(q, "q"),
                        "noise_multiplier": doubles(base.noise_multiplier, "noise_multiplier"),
                    },
                )
            case Laplace(b, sensitivity):
                return Call("LaplaceMechanism", {"mu": doubles(moves * sensitivity / b, "mu")})
            case PureDP(epsilon):
                return Call("PureDPMechanism", {"eps": doubles(epsilon, "epsilon")})
            case ApproximateDP(epsilon, delta):
                given = {"epsilon": doubles(epsilon, "epsilon"), "delta": doubles(delta, "delta")}
                return Call("ApproximateDPMechanism", given)
            case RandomizedResponse(p, categories=2):
                if not 1 < 2 * p < 2:
                    raise NotSupported(f"prv-accountant's pure DP needs 1/2 < p < 1: {mechanism}")
                return Call("PureDPMechanism", {"eps": _log_odds(p, doubles)})
        raise NotSupported(f"prv-accountant has no privacy random variable for {mechanism}")

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        counts = [count for _, count in steps]
        accountant, settings = self.accountant(query, steps, target)
        answer = accountant.compute_epsilon if query.quantity == "epsilon" else accountant.compute_delta
        value = float(answer(target, counts)[self.position])
        promised = self.direction == "estimate"
        errors = Promise(Fraction(self.eps_error), Fraction(accountant.delta_error))
        return value, settings, errors if promised else None

    def accountant(self, query: Query, steps: Steps, target: float) -> tuple[Any, dict[str, str]]:
        """The library's accountant for a query, and its settings."""
        import prv_accountant

        delta_error = _delta_error(query, target)
        most = [self.reserve * count for _, count in steps]
        accountant = prv_accountant.PRVAccountant(
            prvs=[call.make(prv_accountant) for call, _ in steps],
            eps_error=self.eps_error,
            delta_error=delta_error,
            max_self_compositions=most,
        )
        settings = {
            "eps_error": repr(self.eps_error),
            "delta_error": repr(delta_error),
            "max_self_compositions": str(most),
        }
        return accountant, settings

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        steps, target = self.steps(query)
        accountant, _ = self.accountant(query, steps, target)
        return grid(accountant, target, [count for _, count in steps])

    def script(self, query: Query, steps: Steps, target: float) -> str:
        counts = [count for _, count in steps]
        return "\n".join(
            [
                "import prv_accountant",
                "accountant = prv_accountant.PRVAccountant(",
                f"    prvs=[{', '.join(call.source('prv_accountant') for call, _ in steps)}],",
                f"    max_self_compositions={[self.reserve * count for count in counts]},",
                f"    eps_error={self.eps_error}, delta_error={_delta_error(query, target)!r},",
                ")",
                "lower, estimate, upper = "
                f"accountant.compute_{query.quantity}({target!r}, num_self_compositions={counts})",
                f"print({('lower', 'estimate', 'upper')[self.position]})",
            ]
        )


class Lower(PRV):
    """``PRVAccountant.compute_epsilon`` or ``compute_delta``: the first, the lower, of three numbers."""

    name = "prv-accountant/lower"
    direction = "lower"
    position = 0


class Estimate(PRV):
    """``PRVAccountant.compute_epsilon`` or ``compute_delta``: the second, an estimate with its promise."""

    name = "prv-accountant/estimate"
    direction = "estimate"
    position = 1


class Upper(PRV):
    """``PRVAccountant.compute_epsilon`` or ``compute_delta``: the third, the upper, of three numbers."""

    name = "prv-accountant/upper"
    direction = "upper"
    position = 2


class Coarse(Upper):
    """The upper bound of ``PRVAccountant`` with ``eps_error=1``."""

    name = "prv-accountant/upper-coarse"
    eps_error = 1.0


class Fine(Upper):
    """The upper bound of ``PRVAccountant`` with ``eps_error=0.01``."""

    name = "prv-accountant/upper-fine"
    eps_error = 0.01


class Reserved(Upper):
    """The upper bound of a ``PRVAccountant`` that was made for ten times as many compositions."""

    name = "prv-accountant/upper-reserved"
    reserve = 10


class RDPCurve(Upper):
    """``rdp`` of each privacy random variable, added up: by it ``PRVAccountant`` bounds its domain."""

    name = "prv-accountant/rdp-curve"
    asks = (RenyiQuery,)

    def refusal(self, query: Query) -> str | None:
        if any(isinstance(mechanism, ApproximateDP) for mechanism, _ in query.composition.parts):
            return "its rdp is conditioned on the loss being finite"
        return super().refusal(query)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        import prv_accountant

        value = sum(count * call.make(prv_accountant).rdp(target) for call, count in steps)
        return float(value), {"function": "rdp"}, None

    def script(self, query: Query, steps: Steps, target: float) -> str:
        terms = (f"{count} * {call.source('prv_accountant')}.rdp({target!r})" for call, count in steps)
        return f"import prv_accountant\nprint({' + '.join(terms)})"


def _delta_error(query: Query, target: float) -> float:
    return target / DELTA_ERROR_RATIO if query.quantity == "epsilon" else DELTA_ERROR


def _log_odds(p: Fraction, doubles: Doubles) -> float:
    """log(p/(1−p)) in double precision; the odds go through :class:`Doubles` for their range."""
    doubles(p / (1 - p), "odds")
    return math.log1p(float((2 * p - 1) / (1 - p)))
