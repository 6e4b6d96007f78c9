"""Calibration: the noise that libraries return for an (ε, δ), asked as their users ask.

Each is asked for one kind of step, Gaussian, Poisson-subsampled Gaussian or Laplace with noise 1 per unit of
sensitivity, so that the factor on it is the noise multiplier. All are for adding or removing a record, and
mean their answer to be enough noise.
"""

from abc import abstractmethod
from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Asked
from pldverify.accountants.standalone import Call, Said, Script, Steps
from pldverify.errors import NotSupported
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.poisson_subsampled import noise_and_q


class Calibrator(Adapter):
    """What they share: ``noise`` is all that each has to say."""

    library = "dp-accounting"
    direction = "upper"
    asks = (NoiseQuery,)
    adjacencies = ("add-or-remove",)
    most_mechanisms = 1
    sampled = True
    """Whether it takes sampled Gaussian mechanisms."""
    laplace = False
    """Whether it takes Laplace noise, and nothing else."""

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        if self.laplace and isinstance(mechanism, Laplace) and mechanism.noise_multiplier == 1:
            return question.call("step", q=1.0)
        known = None if self.laplace else noise_and_q(mechanism)
        if known is None or known[0] != 1 or (known[1] < 1 and not self.sampled):
            raise NotSupported(f"{self.name} has no calibration of {mechanism}")
        return question.call("step", q=question.double(known[1], "q"))

    def answer(self, question: Asked, steps: Steps) -> Said:
        ((call, count),) = steps
        assert question.query.epsilon is not None  # a NoiseQuery has both
        script, epsilon = question.script(), float(question.query.epsilon)
        noise = self.noise(script, epsilon, question.target, call.arguments["q"], count)
        return script.prints(noise), {"epsilon": repr(epsilon)}, None

    @abstractmethod
    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        """The library's noise multiplier for ``count`` steps."""


class DPAccountingPLD(Calibrator):
    """dp-accounting's ``calibrate_dp_mechanism`` over ``PLDAccountant``."""

    name = "dp-accounting/calibrate-pld"
    kind = ("dp_accounting.pld", "PLDAccountant")

    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        accountant, dp = script.load(*self.kind), script.load("dp_accounting")

        def event(noise: Any) -> Any:
            gaussian = dp.GaussianDpEvent(noise)
            step = gaussian if q == 1 else dp.PoissonSampledDpEvent(q, gaussian)
            return dp.SelfComposedDpEvent(step, count)

        bracket = dp.LowerEndpointAndGuess(0.2, 1.0)
        of_noise = script.function("noise", event)
        return dp.calibrate_dp_mechanism(accountant, of_noise, epsilon, delta, bracket)


class DPAccountingRDP(DPAccountingPLD):
    """dp-accounting's ``calibrate_dp_mechanism`` over ``RdpAccountant``."""

    name = "dp-accounting/calibrate-rdp"
    kind = ("dp_accounting.rdp", "RdpAccountant")


class DPAccountingGaussian(Calibrator):
    """dp-accounting's ``get_smallest_gaussian_noise`` and ``get_smallest_subsampled_gaussian_noise``."""

    name = "dp-accounting/smallest-gaussian"

    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        accountant, goal = _goal(script, epsilon, delta)
        if q == 1:
            return accountant.get_smallest_gaussian_noise(goal, count)
        return accountant.get_smallest_subsampled_gaussian_noise(goal, count, sampling_prob=q)


class DPAccountingLaplace(Calibrator):
    """dp-accounting's ``get_smallest_laplace_noise``."""

    name = "dp-accounting/smallest-laplace"
    laplace = True

    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        accountant, goal = _goal(script, epsilon, delta)
        return accountant.get_smallest_laplace_noise(goal, count)


class DPAccountingSigma(Calibrator):
    """dp-accounting's ``get_sigma_gaussian``, for one step."""

    name = "dp-accounting/sigma-gaussian"
    sampled = False
    most_steps = 1

    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        return script.load("dp_accounting", "gaussian_mechanism").get_sigma_gaussian(epsilon, delta)


class OpacusRDP(Calibrator):
    """opacus' ``get_noise_multiplier`` over its RDP accountant."""

    name = "opacus/calibrate-rdp"
    library = "opacus"
    extra = "opacus"
    kind = "rdp"

    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        calibrate = script.load("opacus.accountants.utils", "get_noise_multiplier")
        goal = {"target_epsilon": epsilon, "target_delta": delta}
        return calibrate(**goal, sample_rate=q, steps=count, accountant=self.kind)


class OpacusPRV(OpacusRDP):
    """opacus' ``get_noise_multiplier`` over its PRV accountant."""

    name = "opacus/calibrate-prv"
    kind = "prv"


class AutoDP(DPAccountingSigma):
    """autodp's ``ana_gaussian_calibrator``, for one step."""

    name = "autodp/ana-gaussian-calibrator"
    library = "autodp"

    def noise(self, script: Script, epsilon: float, delta: float, q: float, count: int) -> Any:
        calibrate = script.load("autodp", "calibrator_zoo").ana_gaussian_calibrator()
        mechanism = script.load("autodp", "mechanism_zoo").ExactGaussianMechanism
        return calibrate(mechanism, epsilon, delta).params["sigma"]


def _goal(script: Script, epsilon: float, delta: float) -> tuple[Any, Any]:
    """dp-accounting's module of calibrations, and what they aim at."""
    common = script.load("dp_accounting.pld", "common")
    goal = script.let("goal", common.DifferentialPrivacyParameters(epsilon, delta))
    return script.load("dp_accounting.pld", "accountant"), goal
