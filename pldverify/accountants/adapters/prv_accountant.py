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
from functools import reduce
from operator import add
from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Asked
from pldverify.accountants.adapters.prv_accountant_grid import Grid, grid
from pldverify.accountants.standalone import Call, Said, Script, Steps, evaluate
from pldverify.errors import NotSupported
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.renyi_query import RenyiQuery

DELTA_ERROR_RATIO = 1000
"""Ratio of the target δ to ``delta_error``, asked of the library for ε."""
DELTA_ERROR = 1e-9
"""``delta_error`` asked of the library for δ."""


class PRV(Adapter):
    """``PRVAccountant``, which answers with a triple (lower, estimate, upper)."""

    library = "prv-accountant"
    eps_error = 0.1
    reserve = 1
    """Times as many compositions as asked are what the accountant is made for."""

    @property
    def position(self) -> int:
        """Which of the three numbers it is."""
        return ("lower", "estimate", "upper").index(self.direction)

    def refusal(self, question: Asked) -> str | None:
        sampled = any(isinstance(mechanism, PoissonSubsampled) for mechanism, _ in question.parts)
        if sampled and question.adjacency in ("add", "replace-one"):
            return f"prv-accountant's subsampled Gaussian is the direction remove, got {question.adjacency!r}"
        return None

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        """The privacy random variable of a mechanism."""
        double, moves = question.double, 2 if question.adjacency == "replace-one" else 1
        match mechanism:
            case Gaussian(sigma, sensitivity):
                noise, moved = double(sigma, "sigma"), double(moves * sensitivity, "sensitivity")
                return question.call("GaussianMechanism", noise_multiplier=noise, l2_sensitivity=moved)
            case PoissonSubsampled(Gaussian() as base, q):
                return question.call(
                    "PoissonSubsampledGaussianMechanism",
                    sampling_probability=double(q, "q"),
                    noise_multiplier=double(base.noise_multiplier, "noise_multiplier"),
                )
            case Laplace(b, sensitivity):
                return question.call("LaplaceMechanism", mu=double(moves * sensitivity / b, "mu"))
            case PureDP(epsilon):
                return question.call("PureDPMechanism", eps=double(epsilon, "epsilon"))
            case ApproximateDP(epsilon, delta):
                eps, failure = double(epsilon, "epsilon"), double(delta, "delta")
                return question.call("ApproximateDPMechanism", epsilon=eps, delta=failure)
            case RandomizedResponse(p, categories=2):
                if not 1 < 2 * p < 2:
                    raise NotSupported(f"prv-accountant's pure DP needs 1/2 < p < 1: {mechanism}")
                return question.call("PureDPMechanism", eps=_log_odds(p, question))
        raise NotSupported(f"prv-accountant has no privacy random variable for {mechanism}")

    def answer(self, question: Asked, steps: Steps) -> Said:
        script, counts = question.script(), [count for _, count in steps]
        accountant = script.let("accountant", self.accountant(script, question, steps))
        asked = getattr(accountant, f"compute_{question.quantity}")
        ends = script.let("ends", asked(question.target, counts))  # lower, estimate, upper
        delta_error = _delta_error(question)
        settings = {
            "eps_error": repr(self.eps_error),
            "delta_error": repr(delta_error),
            "max_self_compositions": str(self._most(steps)),
        }
        promise = (self.eps_error, delta_error) if self.direction == "estimate" else None
        return script.prints(ends[self.position]), settings, promise

    def accountant(self, script: Script, question: Asked, steps: Steps) -> Any:
        """The library's accountant for a query."""
        library = script.load("prv_accountant")
        return library.PRVAccountant(
            prvs=[call.make(library) for call, _ in steps],
            max_self_compositions=self._most(steps),
            eps_error=self.eps_error,
            delta_error=_delta_error(question),
        )

    def _most(self, steps: Steps) -> list[int]:
        return [self.reserve * count for _, count in steps]

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        question, steps = self.asked(query)
        accountant = evaluate(self.accountant(Script(), question, steps))
        return grid(accountant, question.target, [count for _, count in steps])


class Lower(PRV):
    """``PRVAccountant.compute_epsilon`` or ``compute_delta``: the first, the lower, of three numbers."""

    name = "prv-accountant/lower"
    direction = "lower"


class Estimate(PRV):
    """``PRVAccountant.compute_epsilon`` or ``compute_delta``: the second, an estimate with its promise."""

    name = "prv-accountant/estimate"
    direction = "estimate"


class Upper(PRV):
    """``PRVAccountant.compute_epsilon`` or ``compute_delta``: the third, the upper, of three numbers."""

    name = "prv-accountant/upper"
    direction = "upper"


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

    def refusal(self, question: Asked) -> str | None:
        if any(isinstance(mechanism, ApproximateDP) for mechanism, _ in question.parts):
            return "its rdp is conditioned on the loss being finite"
        return super().refusal(question)

    def answer(self, question: Asked, steps: Steps) -> Said:
        script = question.script()
        library = script.load("prv_accountant")
        each = (call.make(library).rdp(question.target) * count for call, count in steps)
        return script.prints(reduce(add, each)), {"function": "rdp"}, None


def _delta_error(question: Asked) -> float:
    return question.target / DELTA_ERROR_RATIO if question.quantity == "epsilon" else DELTA_ERROR


def _log_odds(p: Fraction, question: Asked) -> float:
    """log(p/(1−p)) in double precision; the odds go through ``double`` for their range."""
    question.double(p / (1 - p), "odds")
    return math.log1p(float((2 * p - 1) / (1 - p)))
